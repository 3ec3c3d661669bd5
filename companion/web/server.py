"""The server: a waiting room and threads in front of the app.

Knows sockets, and from its cookie which device asks; knows nothing of the game.
"""

from __future__ import annotations

import contextlib
import ctypes
import socket
import ssl
import sys
import threading
from typing import Any

from flask import Flask
from werkzeug.http import parse_cookie

from companion.errors import BadInput
from companion.web.app import shared_by
from companion.web.guards.access import Rule
from companion.web.heavy_work import end_heavy_work
from companion.web.reception.connections import connections_with
from companion.web.reception.lanes import Asker, Lanes, Shares
from companion.web.reception.waiting_room import Reception

SPARE_THREADS = 20
"""Threads kept for commands and files beside the streams, which hold one each."""

SOCKETS = 1024
"""Files that may be open at a time, where the system allows it: macOS begins with 256."""

KNOCKING = 512
"""So many connections may be opened in one moment; the system refuses the others."""

M_ARENA_MAX = -8
"""As `malloc.h` has it."""

SILENT_MS = 8000
"""A screen whose Wi-Fi went without a word is let go after this (Linux; elsewhere the beat finds it
later)."""


class Server:
    """The running server: `start`, `stop`, `port`; safe to stop twice."""

    def __init__(
        self,
        app: Flask,
        host: str = "127.0.0.1",
        port: int = 8000,
        threads: int | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._shared = shared_by(app)
        self._streams = self._shared.streams
        threads = self._streams.cap + SPARE_THREADS if threads is None else threads
        if threads <= self._streams.cap:
            raise ValueError(f"{threads} threads would all be held by {self._streams.cap} streams")
        _allow_sockets()
        _share_memory()
        shares = Shares(
            streams=self._streams.cap,
            streams_kept=self._streams.kept,
            others=threads - self._streams.cap,
        )
        self._server: Any = Reception(
            (host or "0.0.0.0", port),
            app,
            numthreads=threads,
            server_name="",
            timeout=10,
            request_queue_size=KNOCKING,
            shutdown_timeout=3,
            asker_of=lambda cookies, address: _asker(app, cookies, address),
            lanes=Lanes(shares),
        )
        self._server.ConnectionClass = connections_with(tls)
        setattr(self._server, "error_log", _no_news)  # noqa: B010  (a screen that left in the middle of an answer)
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port in use (the chosen one when 0 was asked for)."""
        return int(self._server.bind_addr[1])

    def start(self) -> Server:
        """Take requests in a thread of its own.

        Raises:
            BadInput: the port is in use or the address is not this machine's.
            RuntimeError: the system gives too few threads; the server is stopped.
        """
        _check_free(*self._server.bind_addr[:2])
        serving = threading.Thread(target=self._server.serve, name="tablet-server", daemon=True)
        try:
            self._server.prepare()
            _notice_silence(self._server.socket)
            serving.start()
        except BaseException:
            self.stop()
            raise
        self._thread = serving
        return self

    def running(self) -> bool:
        """True from `start` until the server stops."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def looked_at(self) -> bool:
        """True while a screen follows the evening."""
        return len(self._streams) > 0

    @property
    def language(self) -> str | None:
        """In which language the first screen reads its page; None before one came."""
        return self._shared.language

    def stop(self) -> None:
        """End every stream, finish what is under way, close the port."""
        self._streams.shut()
        self._shared.stop_work()
        end_heavy_work()
        with contextlib.suppress(OSError):
            self._server.stop()
        if self._thread is not None:
            self._thread.join(5)


def _asker(app: Flask, cookies: str, address: str) -> Asker:
    """The device that holds one of these cookies, or the address of a stranger."""
    shared = shared_by(app)
    try:
        device = shared.device_of(parse_cookie(cookies))
    except UnicodeDecodeError:  # another program's cookie for this name, or made up
        device = None
    if device is None:
        return Asker(address)
    return Asker(device.key, let_in=True, controls=device.role is not Rule.WATCH)


def _allow_sockets() -> None:
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = SOCKETS if hard == resource.RLIM_INFINITY else min(SOCKETS, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _share_memory() -> None:
    """Let all threads take memory from two pools. By itself glibc makes eight a core, and what is free in
    one is of no use to the others: 35 MB after ten evenings of `tests.benchmarks.attacks.soak`."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)


def _check_free(host: str, port: int) -> None:
    """Bind once and let go: so that a taken port is one sentence and leaves no half-made socket
    behind."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise BadInput(
                f"Port {port} of {host or 'this machine'} cannot be used ({error.strerror or error}): "
                "close the program that uses it or choose another with --port."
            ) from error


def _no_news(msg: str = "", level: int = 20, traceback: bool = False) -> None:
    """Cheroot reports each connection that broke off; screens leave all the time."""


def _notice_silence(listening: socket.socket) -> None:
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        with contextlib.suppress(OSError):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT_MS)
