"""What every answer carries and every question must pass: host names, origins, headers.

Knows HTTP headers; knows nothing of devices or the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

LOOPBACK = ("localhost", "127.0.0.1", "::1")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; "
    "media-src 'self' blob:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "geolocation=(), microphone=()",
}

SECURE_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Browsers heed it on secure pages only, and complain about it on others."""


def bare_host(host: str | None) -> str | None:
    """The name in a Host header: lower case, without port, brackets or closing dot; None for
    anything odd."""
    if not host or any(c in host for c in "@/\\?# ,\t") or len(host) > 255:
        return None
    if host.startswith("[") and host.partition("]")[2][:1] not in ("", ":"):
        return None  # whatever stands there would be passed over
    try:
        parts = urlsplit("//" + host)
        _ = parts.port  # raises on "host:port:port"
    except ValueError:
        return None
    name = (parts.hostname or "").lower()
    return name.removesuffix(".") or None


def known_hosts(names: Iterable[str]) -> frozenset[str]:
    """The names this server answers to: the given ones and the machine itself."""
    return frozenset({*LOOPBACK, *(n.lower().strip("[]").removesuffix(".") for n in names)})


def same_origin(origin: str | None, scheme: str, host: str | None) -> bool:
    """True when a request that changes something comes from our own page: its Origin is there and
    is ours."""
    return bool(origin) and bool(host) and str(origin).lower() == f"{scheme}://{str(host).lower()}"
