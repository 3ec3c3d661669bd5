"""The waiting room: one thread that waits for all connections at once, and the server around it.

Knows cheroot's server and selectors; knows nothing of routes.
"""

from __future__ import annotations

import contextlib
import math
import selectors
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from cheroot import wsgi
from cheroot.connections import ConnectionManager
from cheroot.workers.threadpool import WorkerThread

from companion.web.reception.arriving import MOST_BODY_BYTES, MOST_HEAD_BYTES, Refused
from companion.web.reception.connections import GatheringConnection
from companion.web.reception.lanes import Asker, Lanes, Turn, Work, WorkKind

MOST_WAITING = 240
"""Connections that are idle or half read: five of each of fifty screens. With those that are served
they stay below the 512 sockets that Windows can wait for."""

SENT_AWAY_TOGETHER = 12
"""Whose turn it is to go is found out for so many at once: a crowd's coming must hold up nobody."""

LOOK_S = 0.25
"""So often deadlines are looked at."""

LOOK_ON_WINDOWS_S = 0.05
"""There the wait does not notice a connection that another thread has put back."""

AskerOf = Callable[[str, str], Asker]
"""Who sends these cookies from this address."""

STREAM_PATH = b"/api/stream"
COMMAND_PATH = b"/api/command"


class WaitingRoom(ConnectionManager):
    """Waits for what connections have to say; only its own thread lets go of them."""

    # Cheroot's own, which its types do not tell.
    _selector: Any
    _stop_requested: bool
    _remove_invalid_sockets: Callable[[], None]
    _from_server_socket: Callable[[Any], Any]

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self._looked_s = 0.0

    def put(self, conn: Any) -> None:
        """Take a connection back after its answer; it may have said more already."""
        self.server.process_conn(conn)

    def wait_for(self, conn: Any) -> None:
        """Look at this connection again when it has something to say."""
        try:
            self._selector.register(conn.socket.fileno(), selectors.EVENT_READ, conn)
        except (OSError, ValueError, KeyError):
            conn.close()

    def _run(self, expiration_interval: float) -> None:  # noqa: ARG002 (cheroot calls it so)
        wait_s = LOOK_ON_WINDOWS_S if sys.platform == "win32" else LOOK_S
        while not self._stop_requested:
            try:
                ready = list(self._selector.select(timeout=wait_s))
            except OSError:
                self._remove_invalid_sockets()
                continue
            for handle, conn in ready:
                if conn is self.server:
                    self._let_in()
                else:
                    self._selector.unregister(handle)
                    self.server.process_conn(conn)
            now_s = time.monotonic()
            if now_s - self._looked_s > wait_s:
                self._looked_s = now_s
                self._tidy(now_s)
            if len(self._selector) - 1 > MOST_WAITING:
                self._send_away(len(self._selector) - 1 - MOST_WAITING + SENT_AWAY_TOGETHER)

    def _let_in(self) -> None:
        try:
            conn = self._from_server_socket(self.server.socket)
        except OSError:  # no socket is left: the longest idle go first
            self._send_away(len(self._selector) // 4)
            time.sleep(0.01)
            return
        if conn is not None:
            self.server.process_conn(conn)

    def _tidy(self, now_s: float) -> None:
        for handle, conn in list(self._selector.connections):
            if conn is not self.server and conn.deadline_s < now_s:
                self._selector.unregister(handle)
                if conn.half_read and not conn.refused:
                    self.server.refuse(conn, "408 Request Timeout")
                else:
                    conn.close()
        self.server.end_late(now_s)

    def _send_away(self, surplus: int) -> None:
        """Close so many: strangers before those that were let in, of a crowded address first, the
        longest here first."""
        here = [pair for pair in self._selector.connections if pair[1] is not self.server]
        crowd = Counter(conn.remote_addr for _, conn in here)
        here.sort(
            key=lambda pair: (
                pair[1].asker.let_in,
                -crowd[pair[1].remote_addr],
                pair[1].deadline_s,
            )
        )
        for handle, conn in here[:surplus]:
            self._selector.unregister(handle)
            conn.close()

    @property
    def can_add_keepalive_connection(self) -> bool:
        """True while there is room for one more that waits."""
        return len(self._selector) < MOST_WAITING // 2


class Reception(wsgi.Server):
    """Cheroot's server, whose threads get whole requests only, each when it is its turn."""

    _connections: Any

    def __init__(self, *given: Any, asker_of: AskerOf, lanes: Lanes[Any], **named: Any) -> None:
        super().__init__(*given, **named)
        self.asker_of = asker_of
        self.lanes = lanes
        self.ConnectionClass = GatheringConnection
        self.max_request_header_size = MOST_HEAD_BYTES
        self.max_request_body_size = MOST_BODY_BYTES

    def prepare(self) -> None:
        """Take the port, and open the waiting room in place of cheroot's own.

        Raises:
            RuntimeError: the system gives too few threads; nothing is left of those it gave.
        """
        try:
            super().prepare()
        except RuntimeError:
            self._let_workers_go()
            raise
        self._connections.close()
        self._connections = WaitingRoom(self)

    def _let_workers_go(self) -> None:
        """Cheroot lists its workers once all have begun: those that did would keep the process alive."""
        begun = [
            thread
            for thread in threading.enumerate()
            if isinstance(thread, WorkerThread) and thread.server is self
        ]
        self.requests._threads += begun  # noqa: SLF001  (its `stop` ends those that it lists)
        self.ready = True
        self.stop()

    def stop(self) -> None:
        """Finish what is under way; who waits for a turn is sent away."""
        for conn in self.lanes.give_up(math.inf):
            conn.close()
        super().stop()

    def process_conn(self, conn: Any) -> None:
        """Take in what has come of this connection; whole requests get a thread, or wait for one.
        Never fails: a thread of the server would end by it."""
        try:
            head = conn.gather()
        except Refused as refused:
            self.refuse(conn, str(refused))
            return
        except Exception:  # it left; or a handshake of rubbish
            conn.close()
            return
        if head is None:
            self._connections.wait_for(conn)
            return
        if head.path == STREAM_PATH and not conn.asker.let_in and conn.context is None:
            self.refuse(
                conn, "401 Unauthorized"
            )  # no thread is needed to say so; secure ones explain
            return
        work = Work(conn.asker, _kind_of(head.method, head.path, conn.asker))
        turn = self.lanes.ask(conn, work, time.monotonic())
        if turn is Turn.NOW:
            self.requests.put(conn)
        elif turn is Turn.NEVER:
            self.refuse(conn, "503 Service Unavailable")

    def served(self, conn: Any) -> None:
        """This one's thread is free: whose turn is it?"""
        for line in self.lanes.leave(conn, time.monotonic()):
            self.requests.put(line)

    def refuse(self, conn: Any, status: str) -> None:
        """Say no, and hold the connection for a moment, so that this is read."""
        conn.refuse(status)
        with contextlib.suppress(Exception):
            self._connections.wait_for(conn)

    def end_late(self, now_s: float) -> None:
        """Refuse who waited too long for a turn; end what strangers do not read."""
        for conn in self.lanes.give_up(now_s):
            self.refuse(conn, "503 Service Unavailable")
        for conn in self.lanes.overdue(now_s):
            conn.hang_up()


def _kind_of(method: bytes, path: bytes, asker: Asker) -> WorkKind:
    if not asker.let_in:
        return WorkKind.OTHER
    if path == STREAM_PATH:
        return WorkKind.STREAM
    commands = method == b"POST" and path == COMMAND_PATH and asker.controls
    return WorkKind.COMMAND if commands else WorkKind.OTHER
