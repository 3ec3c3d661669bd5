"""The home's own certificate authority: made on first use, kept on this machine, able to vouch for
homes only.

Browsers give wake lock and camera to secure pages only, and no public authority vouches for an
address like 192.168.1.5. So this machine makes an authority of its own; each device is told once to
trust it. Its certificate carries name constraints: even if its key were stolen it could vouch for
no bank, only for private addresses, home names and what this machine was called when it was made.
Knows certificates and files; knows nothing of Flask or the game.
"""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
import socket
import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from card_printables.files import read_regular, write_beside_then_replace
from companion.errors import BadInput

NEEDED = (
    "--https needs one more package: in a clone start with `uv run --extra https companion --https`; else "
    "install 'cloud-mine-companion[https]' the way you installed it (`uv tool install`, pipx, pip)."
)

PRIVATE = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
           "::1/128", "fc00::/7", "fe80::/10")  # fmt: skip
HOME_NAMES = (
    "localhost",
    "local",
    "lan",
    "home",
    "internal",
    "localdomain",
    "home.arpa",
    "fritz.box",
)
"""What every authority may vouch for: addresses and endings that mean another machine in every
home."""

YEARS = 10
LEAF_DAYS = 396
"""Apple's systems refuse a server's certificate that is good for more than 398 days."""


@dataclass(frozen=True, slots=True)
class Authority:
    """An authority on disk: its certificate (DER, for devices), its fingerprint, and what it
    signed for this start."""

    certificate: bytes
    fingerprint: str
    fresh: bool
    context: ssl.SSLContext
    left_out: tuple[str, ...]
    """Names asked for now that lie outside what it may vouch for."""
    not_before: datetime.date | None
    """The day from which it is good, where this computer's clock has not come to it; or None."""


def check_https_installed() -> None:
    """Raises BadInput where the package for certificates is missing."""
    if find_spec("trustme") is None:
        raise BadInput(NEEDED)


def open_authority(folder: Path, names: Iterable[str]) -> Authority:
    """The authority kept in `folder`, made there on first use, with a fresh server certificate for
    `names`.

    Raises:
        BadInput: the package for certificates is missing, or the folder cannot be used.
    """
    check_https_installed()
    import trustme

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        wanted = wanted_names(names)
        fresh = not (folder / "authority.pem").exists()
        if fresh:
            write_beside_then_replace(
                folder / "authority.pem", _new_authority(wanted), private=True
            )
        kept = read_regular(folder / "authority.pem")
        _check_whole(kept)
        authority = trustme.CA.from_pem(kept, kept)
        good = [name for name in wanted if _covered(name, kept)]
        return Authority(
            _der(authority),
            fingerprint(_der(authority)),
            fresh,
            _signed_context(authority, good),
            tuple(name for name in wanted if name not in good),
            _begins_later(folder, kept),
        )
    except (OSError, TypeError, ValueError) as error:  # TypeError: its key has a password
        raise BadInput(
            f"the authority in {folder} cannot be used ({error}): move that folder away, a new one is made"
        ) from error


def _check_whole(pem: bytes) -> None:
    """Raises ValueError or TypeError where these are not a key and the certificate that it signed itself: of
    one that was damaged devices would trust nothing, without a word here."""
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        certificate = x509.load_pem_x509_certificate(pem)
        certificate.verify_directly_issued_by(certificate)
        whole = load_pem_private_key(pem, None).public_key() == certificate.public_key()
    except (
        InvalidSignature,
        UnsupportedAlgorithm,
        x509.DuplicateExtension,
        x509.InvalidVersion,
    ) as error:
        raise ValueError("it is damaged") from error
    if not whole:
        raise ValueError("its key is another one's")


def _begins_later(folder: Path, pem: bytes) -> datetime.date | None:
    """The day from which it is good, where the clock says that it is not yet; None where it is good.

    Raises:
        BadInput: it is good no more, and every device would refuse what it vouches for.
    """
    from cryptography import x509

    kept = x509.load_pem_x509_certificate(pem)
    first, last = kept.not_valid_before_utc, kept.not_valid_after_utc
    now = datetime.datetime.now(datetime.UTC)
    if now > last:
        raise BadInput(
            f"the authority in {folder} was good until {last:%Y-%m-%d}, and this computer's clock says "
            f"{now:%Y-%m-%d}: set the clock, or move that folder away, a new one is made"
        )
    return first.date() if now < first else None


def _signed_context(authority: Any, names: list[str]) -> ssl.SSLContext:
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    leaf = authority.issue_cert(
        *names,
        organization_name="Cloud Mine Companion",
        organization_unit_name=names[0],
        not_before=now - datetime.timedelta(days=1),
        not_after=now + datetime.timedelta(days=LEAF_DAYS),
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    leaf.configure_cert(context)
    return context


def _der(authority: Any) -> bytes:
    return ssl.PEM_cert_to_DER_cert(authority.cert_pem.bytes().decode())


def fingerprint(certificate: bytes) -> str:
    """The SHA-256 of a certificate as people compare it: pairs of letters with colons."""
    digest = hashlib.sha256(certificate).hexdigest().upper()
    return ":".join(digest[i : i + 2] for i in range(0, 64, 2))


def wanted_names(names: Iterable[str]) -> list[str]:
    """This machine's own names and `names`, each once, as they stand in certificates."""
    bare = (name.lower().strip("[]").removesuffix(".") for name in names)
    spelt = (name if _address(name) else name.encode("idna").decode() for name in bare)
    return list(dict.fromkeys(["localhost", "127.0.0.1", "::1", *spelt]))


def _address(name: str) -> Any:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _covered(name: str, pem: bytes) -> bool:
    """True when the authority's certificate lets it vouch for this name."""
    from cryptography import x509

    try:
        limits = (
            x509.load_pem_x509_certificate(pem)
            .extensions.get_extension_for_class(x509.NameConstraints)
            .value
        )
    except x509.ExtensionNotFound as missing:
        raise ValueError("it was not made here") from missing
    allowed, address = list(limits.permitted_subtrees or ()), _address(name)
    if address is None:
        endings = [tree.value for tree in allowed if isinstance(tree, x509.DNSName)]
        return any(name == ending or name.endswith("." + ending) for ending in endings)
    nets: list[Any] = [tree.value for tree in allowed if isinstance(tree, x509.IPAddress)]
    return any(net.version == address.version and address in net for net in nets)


def _limits(names: list[str]) -> list[Any]:
    """What a new authority may vouch for: every home, and these names."""
    from cryptography import x509

    addresses = [address for name in names if (address := _address(name)) is not None]
    nets = dict.fromkeys(
        [*map(ipaddress.ip_network, PRIVATE), *map(ipaddress.ip_network, addresses)]
    )
    endings = dict.fromkeys([*HOME_NAMES, *(name for name in names if _address(name) is None)])
    return [*map(x509.IPAddress, nets), *map(x509.DNSName, endings)]


def _new_authority(names: list[str]) -> bytes:
    """Key and certificate of a new authority as PEM: for homes and `names` only, signs no other
    authority."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    label = f"Cloud Mine Companion at {socket.gethostname()[:30] or 'home'}"
    name = x509.Name([x509.NameAttribute(x509.NameOID.ORGANIZATION_NAME, "Cloud Mine Companion"),
                      x509.NameAttribute(x509.NameOID.COMMON_NAME, label)])  # fmt: skip
    now = datetime.datetime.now(datetime.UTC)
    usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    builder = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    )
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(
        now - datetime.timedelta(days=1)
    )
    builder = builder.not_valid_after(now + datetime.timedelta(days=365 * YEARS))
    builder = builder.add_extension(x509.BasicConstraints(True, 0), True).add_extension(usage, True)
    builder = builder.add_extension(x509.NameConstraints(_limits(names), None), True)
    builder = builder.add_extension(
        x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False
    )
    made = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    return secret + made
