"""One heavy thing at a time, whoever asks, so that no number of requests fills the host's memory.

A look at the whole table, a photo of the deck, a page's preview each take up to a second of one core
and tens of megabytes. Knows no picture and no game.
"""

from __future__ import annotations

import contextlib
import ctypes
import sys
import threading
from collections.abc import Iterator

from flask import abort

WAIT_S = 10.0
"""A request waits so long for its turn; then it is told to come back."""

_turn = threading.Lock()


@contextlib.contextmanager
def heavy_work() -> Iterator[None]:
    """Inside, no other request does heavy work; 503 for who would have to wait too long. What was
    taken of the memory is given back."""
    if not _turn.acquire(timeout=WAIT_S):
        abort(503)
    try:
        yield
    finally:
        _give_back()
        _turn.release()


def _give_back() -> None:
    """Hand freed memory back to the system, where the C library can (glibc keeps it else)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
