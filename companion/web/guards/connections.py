"""One port for both: TLS connections reach the app as https, plain ones as http (and are sent to
the trust page).

Knows sockets and cheroot's connections; knows nothing of routes. A connection that says nothing
gets no thread: browsers open some in advance, and cheroot would let each hold one for ten seconds.
"""

from __future__ import annotations

import contextlib
import io
import select
import socket
import ssl
import threading
import time
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection, HTTPRequest

from companion.web.guards.headers import HEADERS

HANDSHAKE = 0x16
"""The first byte of every TLS connection; no HTTP request begins with it."""

HANDSHAKE_S = 3.0
"""A handshake takes two round trips: 0.1 s in a home; a thread waits no longer than this for the
rest of one."""


READING_AT_ONCE = 4
"""So many requests of one address may be half read at a time; a browser's are read within
milliseconds."""

BODY_S = 8.0
"""A request's body is whole after this: the largest, a photo of 3 MB, on a slow Wi-Fi of 3 Mbit/s."""

SLOT_S = 0.5
"""A request waits so long for a place; then it is told to come back."""


class _Desks:
    """How many requests of each address are being read."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy: dict[str, int] = {}

    def sit(self, address: str) -> bool:
        """Take a place, waiting a moment for one; False when this address holds them all."""
        with self._changed:
            if not self._changed.wait_for(
                lambda: self._busy.get(address, 0) < READING_AT_ONCE, SLOT_S
            ):
                return False
            self._busy[address] = self._busy.get(address, 0) + 1
        return True

    def rise(self, address: str) -> None:
        """Give the place back."""
        with self._changed:
            self._busy[address] -= 1
            if not self._busy[address]:
                del self._busy[address]
            self._changed.notify_all()


class PatientRequest(HTTPRequest):
    """A request whose slow reading cannot take every thread: one address holds a few, the others
    stay free."""

    def respond(self) -> None:
        """Take the whole body in, within `BODY_S` and on one of the address's places, and only then
        let the app answer; a body of unknown length is refused."""
        if self.chunked_read:
            self.close_connection = True
            self.simple_response("411 Length Required")
            return
        told = bytes(self.inheaders.get(b"Content-Length", b"0")).strip()
        if not told.isdigit() or len(told) > 15:
            self.simple_response("400 Bad Request")
            return
        length = int(told)
        most = self.server.max_request_body_size
        if not length or (most and length > most):
            super().respond()
            return
        body = self._read_body(length)
        if body is None:
            return
        from_network, self.conn.rfile = self.conn.rfile, io.BytesIO(body)
        try:
            super().respond()
        finally:
            self.conn.rfile = from_network

    def _read_body(self, length: int) -> bytes | None:
        """The body; None when it did not come in time, and then that has been said."""
        desks, address = self.conn.desks, str(self.conn.remote_addr)
        if not desks.sit(address):
            self.close_connection = True
            self.simple_response("503 Service Unavailable")
            return None
        patience, ends_s = self.conn.socket.gettimeout(), time.monotonic() + BODY_S
        parts: list[bytes] = []
        try:
            while length:
                self.conn.socket.settimeout(max(0.01, ends_s - time.monotonic()))
                part = self.conn.rfile.read1(min(length, 1 << 16))
                if not part or time.monotonic() > ends_s:
                    raise TimeoutError
                parts.append(part)
                length -= len(part)
        except OSError:
            self.close_connection = True
            self.conn.socket.settimeout(patience)
            self.simple_response("408 Request Timeout")
            return None
        finally:
            desks.rise(address)
        self.conn.socket.settimeout(patience)
        return b"".join(parts)

    def simple_response(self, status: str, msg: str = "") -> None:
        """A refusal of the server itself, with the strict headers that every answer carries."""
        body = str(msg).encode("latin-1", "replace")
        told = {"Content-Length": str(len(body)), "Content-Type": "text/plain", **HEADERS}
        if self.close_connection or status[:1] != "2":
            self.close_connection = True
            told["Connection"] = "close"
        lines = [
            f"{self.server.protocol} {status}",
            *(f"{k}: {v}" for k, v in told.items()),
            "",
            "",
        ]
        with contextlib.suppress(OSError):
            self.conn.wfile.write("\r\n".join(lines).encode("latin-1") + body)

    def parse_request(self) -> None:
        """Read the request line and the headers, or leave with 503 when this address already reads
        too many."""
        desks, address = self.conn.desks, str(self.conn.remote_addr)
        if not desks.sit(address):
            self.simple_response("503 Service Unavailable")
            return
        try:
            super().parse_request()
        finally:
            desks.rise(address)


class PatientConnection(HTTPConnection):
    """A connection that gets a thread when it has something to say, and finds out at its first byte
    whether that is TLS."""

    RequestHandlerClass = PatientRequest
    context: ssl.SSLContext | None = None
    desks: _Desks
    known = False

    def communicate(self) -> bool:
        """Answer one request; True when the connection stays open."""
        try:
            if not self.known:
                if not select.select([self.socket], [], [], 0)[0]:
                    return True  # back among those that are waited for
                self._begin()
        except (
            OSError,
            ValueError,
        ):  # a port scan, a device that does not trust us, a phone that fell asleep
            return False
        return bool(super().communicate())  # type: ignore[no-untyped-call]  # cheroot is untyped

    def _begin(self) -> None:
        self.known = True
        if self.context is None:
            return
        first = self.socket.recv(1, socket.MSG_PEEK)
        secure = bool(first) and first[0] == HANDSHAKE
        if secure:
            self.socket = self.context.wrap_socket(
                self.socket, server_side=True, do_handshake_on_connect=False
            )
            self._shake_hands(str(self.remote_addr))
            self.rfile = MakeFile(self.socket, "rb", self.rbufsize)
            self.wfile = MakeFile(self.socket, "wb", self.wbufsize)
        # Set last of all in the request's environment: what the request itself claims is not
        # believed.
        self.ssl_env = {"wsgi.url_scheme": "https" if secure else "http"}

    def _shake_hands(self, address: str) -> None:
        if not self.desks.sit(address):
            raise OSError("too many handshakes at once")
        patience = self.socket.gettimeout()
        try:
            self.socket.settimeout(HANDSHAKE_S)
            self.socket.do_handshake()
            self.socket.settimeout(patience)
        finally:
            self.desks.rise(address)

    def _close_kernel_socket(self) -> None:
        """A connection whose handshake failed may be gone already; that must not stop the thread."""
        with contextlib.suppress(OSError):
            super()._close_kernel_socket()  # type: ignore[misc]


def connections_with(context: ssl.SSLContext | None) -> Any:
    """The class of connections that a server with this certificate (or with none) makes."""
    return type("Connection", (PatientConnection,), {"context": context, "desks": _Desks()})
