"""Under which addresses a tablet on the same network reaches this machine. Sends nothing to
anybody."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket

from companion.errors import BadInput


def _of_route(probe: str, family: socket.AddressFamily) -> str | None:
    """The address this machine would use towards `probe`; connecting a datagram socket sends no
    packet."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
        sock.connect((probe, 9))
        return str(sock.getsockname()[0])
    return None


def _of_names() -> list[str]:
    with contextlib.suppress(OSError):
        return [
            str(info[4][0])
            for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
        ]
    return []


def local_addresses() -> list[str]:
    """IPv4 addresses of this machine on its networks, the most likely first; `127.0.0.1` when there
    is no other."""
    found = [_of_route("192.0.2.1", socket.AF_INET), *_of_names()]
    unique = list(dict.fromkeys(a for a in found if a and not ipaddress.ip_address(a).is_loopback))
    return unique or ["127.0.0.1"]


def check_port_free(host: str, port: int, *, may_be_taken: bool = False) -> None:
    """Return when the port can be bound on this host; `may_be_taken`: or a program has it, which may be
    the companion itself.

    Raises:
        BadInput: it is taken, not allowed, or the host is not this machine's; the message says what
        to do.
    """
    if not 0 <= port <= 65535:
        raise BadInput(f"there is no port {port}: choose one from 1024 to 65535 with --port")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, port))
    except (OSError, OverflowError, TypeError) as error:  # TypeError: no letters of a host's name
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        if taken and may_be_taken:
            return
        why = "another program has it" if taken else getattr(error, "strerror", None) or error
        elsewhere = isinstance(error, socket.gaierror | TypeError) or (
            isinstance(error, OSError) and error.errno in (errno.EADDRNOTAVAIL, errno.EINVAL)
        )
        raise BadInput(
            f"port {port} on {host} cannot be used ({why}): choose another with {'--host' if elsewhere else '--port'}"
        ) from error
