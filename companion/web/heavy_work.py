"""One heavy thing at a time, whoever asks, so that no number of requests fills the host's memory.

A look at the whole table, a photo of the deck, a page's preview each take up to a second of one core
and tens of megabytes or more; what a request itself decides the size of is done in a process with
limits. Knows no picture and no game.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from flask import abort, g

from companion.limited_process import LimitedProcess
from companion.web.context import companion, require_still_in
from companion.web.guards.access import Rule

Result = TypeVar("Result")

WAIT_S = 30.0
"""A request waits so long for its turn; then it is told to come back. A photograph takes 1.3 s of a
core, on a small or busy computer five."""

MOST_WAITING = 6
"""More are told so at once: each of them holds a thread."""

MOST_WATCHING = 2
"""Of these, all devices together that only look on."""

_turn = threading.Lock()
_room = threading.BoundedSemaphore(MOST_WAITING)
_room_to_watch = threading.BoundedSemaphore(MOST_WATCHING)
_apart = LimitedProcess("heavy work")


@contextlib.contextmanager
def heavy_work() -> Iterator[None]:
    """Inside, no other request does heavy work; 503 for who would have to wait too long, 401 for a device
    that was sent away while it waited. What was taken of the memory is given back."""
    with _place_to_wait():
        if not _turn.acquire(timeout=WAIT_S):
            abort(503)
        try:
            if companion().print_queue.ended.is_set():  # the server stops
                abort(503)
            require_still_in()
            yield
        finally:
            _give_back()
            _turn.release()


@contextlib.contextmanager
def _place_to_wait() -> Iterator[None]:
    """503 where every place is taken. Who only looks on leaves places for those who keep the score."""
    device = g.get("device")
    looks_on = device is not None and device.role is Rule.WATCH
    with contextlib.ExitStack() as places:
        for room in (_room_to_watch, _room) if looks_on else (_room,):
            if not room.acquire(blocking=False):
                abort(503)
            places.callback(room.release)
        yield


def heavy_result(work: Callable[..., Result], *given: Any) -> Result:
    """What `work(*given)` returns or raises, done in a process of its own when its turn has come.

    Raises:
        TooMuch: it took more memory or time than a request may.
    """
    with heavy_work():
        return _apart.do(work, *given)


def end_heavy_work() -> None:
    """Nobody waits for its answer any more: the evening ends, and must not wait for it either."""
    _apart.give_up()


def _give_back() -> None:
    """Hand freed memory back to the system, where the C library can (glibc keeps it else)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
