"""Secure pages: the home's own authority, one port for TLS and the trust page, nothing else without
TLS."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import stat
import sys
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

from companion.commands.play import show_trust
from companion.errors import BadInput
from companion.web import Door, Server, create_app
from companion.web.guards.certificate_authority import Authority, fingerprint, open_authority
from companion.web.views.page_files import page_words
from companion.web.views.trust_page import CERTIFICATE, SYSTEMS, system_of
from tests.support.kept_evening import played


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return open_authority(tmp_path / "https", ["192.168.1.5", "tisch.local"])


@pytest.fixture
def server(authority: Authority) -> Iterator[Server]:
    app = create_app(played().session, Door(), hosts=["tisch.local"], authority=authority)
    opened = Server(app, "127.0.0.1", 0, tls=authority.context).start()
    yield opened
    opened.stop()


def trusting(authority: Authority) -> ssl.SSLContext:
    """A device that learned the certificate."""
    return ssl.create_default_context(cadata=authority.certificate)


def get(
    server: Server, path: str, context: ssl.SSLContext | None = None
) -> http.client.HTTPResponse:
    """GET by TLS with a context, in the clear without one."""
    kind = http.client.HTTPSConnection if context else http.client.HTTPConnection
    connection = kind(
        "localhost", server.port, timeout=10, **({"context": context} if context else {})
    )
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_a_device_that_learned_the_certificate_gets_a_secure_page(
    server: Server, authority: Authority
) -> None:
    """With the authority trusted a plain Python client verifies name and chain; without it the
    connection is refused."""
    assert get(server, "/", trusting(authority)).status == 401
    with pytest.raises(ssl.SSLCertVerificationError):
        get(server, "/", ssl.create_default_context())


def test_a_code_opens_the_door_by_tls_only(server: Server, authority: Authority) -> None:
    """The same code in the clear leads to the trust page and stays good; by TLS it gives a cookie
    that needs TLS."""
    door = server._server.wsgi_app.extensions["companion"].door
    code = f"/in/{door.invite()}"
    plain = get(server, code)
    assert (plain.status, plain.headers["Location"], plain.headers["Set-Cookie"]) == (
        302,
        "/trust",
        None,
    )
    cookie = str(get(server, code, trusting(authority)).headers["Set-Cookie"])
    assert cookie.startswith("__Host-companion=")
    assert "Secure" in cookie


@pytest.mark.parametrize(
    "path", ["/", "/api/scoreboard", "/api/stream", "/art/7", "/words/de.json", "/nothing"]
)
def test_in_the_clear_there_is_only_the_trust_page(server: Server, path: str) -> None:
    """Whatever is asked for without TLS, the answer is the way to the trust page."""
    assert (get(server, path).status, get(server, path).headers["Location"]) == (302, "/trust")


def test_a_request_line_that_claims_tls_is_not_believed(server: Server) -> None:
    """`GET https://...` over a plain connection is refused."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
        line.sendall(
            f"GET https://localhost:{server.port}/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        assert b" 400 " in line.recv(200)


def test_a_silent_device_holds_up_nobody(server: Server, authority: Authority) -> None:
    """Thirty connections that begin a handshake or nothing at all, and a device at another address
    is still answered."""
    silent = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(30)]
    for line in silent[:10]:
        line.sendall(b"\x16\x03\x01")
    other = http.client.HTTPSConnection(
        "localhost",
        server.port,
        timeout=10,
        context=trusting(authority),
        source_address=("127.0.0.2", 0),
    )
    try:
        other.request("GET", "/")
        assert other.getresponse().status == 401
    except OSError:
        pytest.skip("this system has one loopback address only")
    finally:
        for line in (*silent, other):
            line.close()


def test_odd_bytes_do_not_stop_the_server(server: Server, authority: Authority) -> None:
    """Broken handshakes and rubbish are dropped without a word."""
    for rubbish in (
        b"\x16" + b"\x00" * 600,
        b"\x00" * 50,
        b"\xff\xff\r\n\r\n",
        b"\x16\x03\x01\x00\x05hello",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
            line.sendall(rubbish)
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_WR)
                line.recv(500)
    assert get(server, "/", trusting(authority)).status == 401


def test_the_authority_is_kept_and_its_files_are_private(
    tmp_path: Path, authority: Authority
) -> None:
    """The second start uses the same authority, so that devices need to learn it once; its key is for
    its owner only, and that of the certificate, which each start makes anew, is not kept."""
    again = open_authority(tmp_path / "https", ["192.168.1.9"])
    assert (authority.fresh, again.fresh) == (True, False)
    assert again.fingerprint == authority.fingerprint == fingerprint(again.certificate)
    (kept,) = (tmp_path / "https").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_damaged_authority_is_refused_in_a_sentence(tmp_path: Path, authority: Authority) -> None:
    """One bit of its file is turned: it is refused, or it is the one that devices trust; never an error
    of another kind, nor one whose certificates devices refuse."""
    kept = tmp_path / "https" / "authority.pem"
    whole = kept.read_bytes()
    trusting_devices = trusting(authority)
    for at in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << (at // 3) % 8
        kept.write_bytes(bytes(damaged))
        with warnings.catch_warnings(), contextlib.suppress(BadInput):
            warnings.simplefilter("ignore")  # a number that no certificate should have
            opened = open_authority(tmp_path / "https", ["192.168.1.5"])
            assert handshake(opened.context, trusting_devices, "192.168.1.5"), at


def test_the_authority_cannot_vouch_for_the_world(tmp_path: Path, authority: Authority) -> None:
    """Even with its stolen key nobody can make a certificate for a bank: clients refuse names
    outside a home."""
    kept = (tmp_path / "https" / "authority.pem").read_bytes()
    thief = trustme.CA.from_pem(kept, kept)
    for name, believed in (
        ("bank.example", False),
        ("8.8.8.8", False),
        ("other.local", True),
        ("192.168.7.7", True),
    ):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        thief.issue_cert(name).configure_cert(context)
        assert handshake(context, trusting(authority), name) is believed, name


def handshake(theirs: ssl.SSLContext, ours: ssl.SSLContext, name: str) -> bool:
    """Whether a client accepts a server of that name; both in memory."""
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ours.wrap_bio(down, up, server_hostname=name)
    server = theirs.wrap_bio(up, down, server_side=True)
    try:
        for _ in range(6):
            for side in (client, server):
                try:
                    side.do_handshake()
                except ssl.SSLWantReadError:
                    continue
    except ssl.SSLError:
        return False
    return True


def test_names_it_was_made_without_are_told(tmp_path: Path, authority: Authority) -> None:
    """A name outside a home that comes later is left out and said; given at the start it is vouched
    for."""
    assert open_authority(tmp_path / "https", ["table.example"]).left_out == ("table.example",)
    assert (
        open_authority(
            tmp_path / "other", ["table.example", "203.0.113.7", "Tisch.Local."]
        ).left_out
        == ()
    )


def test_without_the_package_one_sentence_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--https` without its extra names the command that brings it."""
    monkeypatch.setitem(sys.modules, "trustme", None)
    with pytest.raises(BadInput, match="--extra https"):
        open_authority(tmp_path, [])


def test_a_spoilt_authority_is_one_sentence(tmp_path: Path) -> None:
    """A damaged file is named, with the way out; it is not overwritten."""
    (tmp_path / "authority.pem").write_text("no key")
    with pytest.raises(BadInput, match="move that folder away"):
        open_authority(tmp_path, [])
    assert (tmp_path / "authority.pem").read_text() == "no key"


@pytest.mark.parametrize("language", ["en", "de", "cs"])
def test_the_trust_page_has_the_certificate_and_steps_for_every_system(
    authority: Authority, language: str
) -> None:
    """Each language: the certificate to take, every system's steps, the fingerprint, the secure
    address; no name, no script in the page."""
    client = create_app(played().session, Door(), authority=authority).test_client()
    page = client.get(f"/trust?l={language}").get_data(as_text=True)
    assert all(page_words(language)[f"trust.{system}"] in page for system in SYSTEMS)
    assert authority.fingerprint in page.replace("<wbr>", "")
    assert "https://localhost/" in page
    assert not any(name in page for name in ("Ida", "Livia", "camel", "<script>"))
    assert client.get(f"/{CERTIFICATE}").data == authority.certificate


def test_a_companion_without_https_has_no_trust_page() -> None:
    """Without an authority the page and the certificate do not exist."""
    client = create_app(played().session, Door()).test_client()
    assert [client.get(path).status_code for path in ("/trust", f"/{CERTIFICATE}")] == [404, 404]


@pytest.mark.parametrize(
    ("agent", "system"),
    [
        ("Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X)", "ios"),
        ("Mozilla/5.0 (Linux; Android 9; SM-T510) Chrome/119", "android"),
        ("Mozilla/5.0 (Android 13; Mobile; rv:120.0) Firefox/120.0", "android"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/120", "windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605", "macos"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Firefox/120.0", "firefox"),
        ("", "linux"),
    ],
)
def test_the_own_systems_steps_stand_open(agent: str, system: str) -> None:
    """What a browser says of itself picks the steps shown first."""
    assert system_of(agent) == system


def authority_made(key: ec.EllipticCurvePrivateKey, good_from: datetime, *limits: str) -> bytes:
    """Key and certificate of an authority that is good for a year, limited to these endings if any."""
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "authority")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(good_from)
    builder = builder.not_valid_after(good_from + timedelta(days=365))
    builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)  # fmt: skip
    if limits:
        trees = [x509.DNSName(one) for one in limits]
        builder = builder.add_extension(x509.NameConstraints(trees, None), True)
    made = builder.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + made


def test_an_authority_that_is_good_no_more_is_said(tmp_path: Path) -> None:
    """Made while the clock was wrong, say: every device refused every page, and nobody said why."""
    made_at = datetime.now(UTC) - timedelta(days=400)
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "authority.pem").write_bytes(authority_made(key, made_at, "localhost"))
    with pytest.raises(BadInput, match=r"was good until .*: set the clock, or move that folder"):
        open_authority(tmp_path, ["tisch.local"])


@pytest.mark.parametrize("off_days", [0, 30])
def test_an_authority_that_is_not_good_yet_is_said(
    tmp_path: Path, off_days: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The clock was wrong then or is wrong now; where it is wrong now, devices take it all the same."""
    made_at = datetime.now(UTC) + timedelta(days=off_days)
    key = ec.generate_private_key(ec.SECP256R1())
    (tmp_path / "authority.pem").write_bytes(authority_made(key, made_at, "localhost"))
    show_trust(open_authority(tmp_path, ["tisch.local"]), "http://tisch.local")
    said = f"good from {made_at:%Y-%m-%d} on" in capsys.readouterr().out
    assert said is (off_days > 0)


def test_an_authority_that_was_made_elsewhere_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """One that may vouch for everybody, or whose key has a password; both were a traceback."""
    key = ec.generate_private_key(ec.SECP256R1())
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))  # fmt: skip
    limited = authority_made(key, datetime.now(UTC), "localhost")
    for number, kept in enumerate((
        authority_made(key, datetime.now(UTC)),
        locked + limited[limited.index(b"-----BEGIN CERTIFICATE") :],
    )):  # fmt: skip
        (folder := tmp_path / str(number)).mkdir()
        (folder / "authority.pem").write_bytes(kept)
        with pytest.raises(BadInput, match=r"cannot be used .*: move that folder away"):
            open_authority(folder, ["tisch.local"])
