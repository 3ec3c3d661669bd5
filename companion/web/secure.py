"""One port for both: TLS connections reach the app as https, plain ones as http (and are sent to the trust page).

Knows sockets and cheroot's connections; knows nothing of routes.  A connection that says nothing gets no thread: browsers
open some in advance, and cheroot would let each hold one for ten seconds.
"""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
from typing import Any

from cheroot.makefile import MakeFile
from cheroot.server import HTTPConnection

HANDSHAKE = 0x16
"""The first byte of every TLS connection; no HTTP request begins with it."""

HANDSHAKE_S = 3.0
"""A handshake takes two round trips: 0.1 s in a home; a thread waits no longer than this for the rest of one."""


class PatientConnection(HTTPConnection):
    """A connection that gets a thread when it has something to say, and finds out at its first byte whether that is TLS."""

    context: ssl.SSLContext | None = None
    known = False

    def communicate(self) -> bool:
        """Answer one request; True when the connection stays open."""
        try:
            if not self.known:
                if not select.select([self.socket], [], [], 0)[0]:
                    return True  # back among those that are waited for
                self._begin()
        except (OSError, ValueError):  # a port scan, a device that does not trust us, a phone that fell asleep
            return False
        return bool(super().communicate())

    def _begin(self) -> None:
        self.known = True
        if self.context is None:
            return
        first = self.socket.recv(1, socket.MSG_PEEK)
        secure = bool(first) and first[0] == HANDSHAKE
        if secure:
            patience = self.socket.gettimeout()
            self.socket = self.context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
            self.socket.settimeout(HANDSHAKE_S)
            self.socket.do_handshake()
            self.socket.settimeout(patience)
            self.rfile = MakeFile(self.socket, "rb", self.rbufsize)
            self.wfile = MakeFile(self.socket, "wb", self.wbufsize)
        # Set last of all in the request's environment: what the request itself claims is not believed.
        self.ssl_env = {"wsgi.url_scheme": "https" if secure else "http"}

    def _close_kernel_socket(self) -> None:
        """A connection whose handshake failed may be gone already; that must not stop the thread."""
        with contextlib.suppress(OSError):
            super()._close_kernel_socket()  # type: ignore[misc]


def connections_with(context: ssl.SSLContext | None) -> Any:
    """The class of connections that a server with this certificate (or with none) makes."""
    return type("Connection", (PatientConnection,), {"context": context})
