"""One connection: takes in what comes without ever waiting for it, and finds out at its first byte
whether it is TLS.

Knows sockets and cheroot's connections; knows nothing of routes. TLS connections reach the app as
https, plain ones as http (and are sent to the trust page).
"""

from __future__ import annotations

import contextlib
import io
import socket
import ssl
import threading
import time
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection, HTTPRequest

from companion.web.guards.headers import HEADERS
from companion.web.reception.arriving import Head, Refused, read_head
from companion.web.reception.lanes import Asker

HANDSHAKE = 0x16
"""The first byte of every TLS connection; no HTTP request begins with it."""

HANDSHAKE_S = 3.0
"""A handshake takes two round trips, 0.1 s in a home."""

WHOLE_S = 8.0
"""A request is whole after this: the largest, a photo of 3 MB, on a slow Wi-Fi of 3 Mbit/s."""

IDLE_S = 10.0
"""A connection that says nothing is closed after this; browsers open some in advance and keep them."""

FAREWELL_S = 1.0
"""One that was refused may so long go on sending, unread, so that it reads why."""

UNREAD_PARTS = 16
"""Of one that was refused so many parts are thrown away at a time, so that it holds up no other."""

LARGE_BYTES = 65_536
LARGE_AT_ONCE = 8
"""Bodies larger than that (pictures) are taken from devices that were let in, and so many at a time."""

_large = threading.BoundedSemaphore(LARGE_AT_ONCE)


def refusal(status: str, message: str = "") -> bytes:
    """An answer of the server itself, with the strict headers that every answer carries."""
    body = message.encode("latin-1", "replace")
    told = {"Content-Length": str(len(body)), "Content-Type": "text/plain", **HEADERS}
    if status.startswith("503"):
        told["Retry-After"] = "5"
    lines = [f"HTTP/1.1 {status}", *(f"{k}: {v}" for k, v in told.items()), "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


class WholeRequest(HTTPRequest):
    """A request that has come to its last byte."""

    def respond(self) -> None:
        """Let the app answer; a stranger's connection is not kept."""
        if not self.conn.asker.let_in:
            self.close_connection = True
        super().respond()

    def simple_response(self, status: str, msg: str = "") -> None:
        """A refusal of the server itself; the connection ends with it."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.conn.wfile.write(refusal(str(status), str(msg)))


class Came(io.BytesIO):
    """One request's bytes as cheroot reads them: nothing is behind them."""

    def has_data(self) -> bool:
        """False: the connection itself keeps what came too early."""
        return False


class GatheringConnection(HTTPConnection):
    """A connection whose requests are gathered before a thread is given to them.

    Many attributes: cheroot's own beside what has come so far (bytes, since when, whose) and how far
    its handshake is. One thread holds it at a time.
    """

    RequestHandlerClass = WholeRequest
    context: ssl.SSLContext | None = None

    def __init__(self, server: Any, sock: socket.socket, makefile: Any = MakeFile) -> None:
        super().__init__(server, sock, makefile)
        self.rfile = Came()
        self.deadline_s = time.monotonic() + IDLE_S
        self.asker = Asker("")
        self.head: Head | None = None
        self._came = bytearray()
        self._began_s: float | None = None
        self._shaken = self.context is None
        self._known = self.context is None
        self._refused = False
        self._holds_large = False

    @property
    def half_read(self) -> bool:
        """True while a request has begun to come and is not whole."""
        return self._began_s is not None

    def gather(self) -> Head | None:
        """Take what has come, without waiting; the request's head once all of it is there, or None.

        Raises:
            Refused: it will not be served.
            OSError: the connection is over.
        """
        self._never_wait()
        try:
            if self._refused:
                for _ in range(UNREAD_PARTS):
                    self._take()
                return None
            while not self._whole():
                self._came += self._take()
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            self._set_deadline()
            return None
        return self.head

    def _never_wait(self) -> None:
        if self.socket.gettimeout() != 0:  # to ask costs nothing, to set it a turn of all threads
            self.socket.settimeout(0)

    def _take(self) -> bytes:
        if not self._shaken:
            self._shake_hands()
        part = bytes(self.socket.recv(65_536))
        if not part:
            raise OSError("the other side has left")
        return part

    def _whole(self) -> bool:
        if not self._came:
            return False
        if self.head is None:
            self.head = read_head(self._came)
            if self.head is None:
                return False
            self.asker = self.server.asker_of(self.head.cookies, str(self.remote_addr))
            self._check_large(self.head.body_bytes)
        return len(self._came) >= self.head.whole_bytes

    def _check_large(self, body_bytes: int) -> None:
        if body_bytes <= LARGE_BYTES:
            return
        if not self.asker.let_in:
            raise Refused("413 Request Entity Too Large")
        self._holds_large = _large.acquire(blocking=False)
        if not self._holds_large:
            raise Refused("503 Service Unavailable")

    def _set_deadline(self) -> None:
        now_s = time.monotonic()
        begun = bool(self._came) or (self._known and not self._shaken)
        if self._refused:
            return
        if not begun:
            self._began_s = None
            self.deadline_s = now_s + IDLE_S
        elif self._began_s is None:
            self._began_s = now_s
            self.deadline_s = now_s + (WHOLE_S if self._shaken else HANDSHAKE_S)

    def _shake_hands(self) -> None:
        """Find out whether this is TLS, and go on with its handshake as far as its bytes have come."""
        if not self._known:
            first = self.socket.recv(1, socket.MSG_PEEK)
            self._known = True
            secure = bool(first) and first[0] == HANDSHAKE
            if secure and self.context is not None:
                self.socket = self.context.wrap_socket(
                    self.socket, server_side=True, do_handshake_on_connect=False
                )
                self.wfile = MakeFile(self.socket, "wb", self.wbufsize)
            # Set last of all in the request's environment: what the request itself claims is not
            # believed.
            self.ssl_env = {"wsgi.url_scheme": "https" if secure else "http"}
        if isinstance(self.socket, ssl.SSLSocket):
            self.socket.do_handshake()
        self._shaken = True
        self._began_s = None

    def communicate(self) -> bool:
        """Answer the request that has come in whole; True when the connection stays open."""
        head = self.head
        if head is None:
            return False
        self.rfile = Came(self._came[: head.whole_bytes])
        del self._came[: head.whole_bytes]
        self.head = None
        self._began_s = None
        try:
            self.socket.settimeout(self.server.timeout)
            return bool(super().communicate())  # type: ignore[no-untyped-call]  # cheroot is untyped
        except (OSError, ValueError):
            return False
        finally:
            self.rfile = Came()
            self._let_go_of_large()
            self.server.served(self)

    def refuse(self, status: str) -> None:
        """Say why, if it can be said at once, and take no more; `gather` then ends by an OSError."""
        self._refused = True
        self._came.clear()
        self._let_go_of_large()
        self.deadline_s = time.monotonic() + FAREWELL_S
        with contextlib.suppress(OSError, ValueError):
            self._never_wait()
            self.socket.send(refusal(status))
            socket.socket.shutdown(self.socket, socket.SHUT_WR)

    @property
    def refused(self) -> bool:
        """True once it was told that it is not served."""
        return self._refused

    def hang_up(self) -> None:
        """End it while a thread still writes to it: that thread's write fails."""
        with contextlib.suppress(OSError, ValueError):
            socket.socket.shutdown(self.socket, socket.SHUT_RDWR)

    def close(self) -> None:
        """Let go of the socket; never fails, for the thread that calls it must go on."""
        self._let_go_of_large()
        with contextlib.suppress(OSError, ValueError):
            super().close()

    def _let_go_of_large(self) -> None:
        if self._holds_large:
            self._holds_large = False
            _large.release()

    def _close_kernel_socket(self) -> None:
        """A connection whose handshake failed may be gone already; that must not stop the thread."""
        with contextlib.suppress(OSError):
            super()._close_kernel_socket()  # type: ignore[misc]


def connections_with(context: ssl.SSLContext | None) -> Any:
    """The class of connections that a server with this certificate (or with none) makes."""
    return type("Connection", (GatheringConnection,), {"context": context})
