"""The stream: whole scoreboards pushed to every screen, as Server-Sent Events.

Knows the session's changes and bytes; knows nothing of Flask or of the game. Every message is
a whole state with its version as id, so a screen that slept, was cut off or missed ten is right
again with the next one. Each stream holds a server thread, so their number is capped well below the
number of threads.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

BEAT_S = 2.0
"""A vanished screen frees its thread only at the next write: 3 to 7 s with this beat."""

RETRY_MS = 1000

TABS = 4
"""So many streams one device may hold; with one more its oldest ends, so that nobody takes every
place."""

PLACES = 64
"""Streams in all: fifty screens that look on, and what is kept for those that keep the score.
Waiting threads cost little."""

KEPT = 8
"""One place in so many is kept for devices that control: a room full of onlookers never makes their
screens slow."""


Board = dict[str, Any]

WaitForChange = Callable[[int, float], tuple[Board | None, int]]
"""The scoreboard after the one stamped so and its stamp, or (None, that stamp) after so many
seconds."""


class Streams:
    """The streams that are open: at most `cap`, one per tab of a device (a new one ends the old),
    few per device."""

    def __init__(self, cap: int = PLACES) -> None:
        self.cap = cap
        self._lock = threading.Lock()
        self._open: dict[str, threading.Event] = {}
        self._last: tuple[Board, bytes] | None = None
        self._shut = False

    def __len__(self) -> int:
        return len(self._open)

    @property
    def kept(self) -> int:
        """So many places are only for devices that control."""
        return self.cap // KEPT

    def enter(self, key: str, looks_on: bool = False) -> threading.Event | None:
        """A place for this screen's stream, as the event that tells it to end; None when every
        place is taken, for one that only looks on also when just the kept ones are left, and when
        the server stops."""
        with self._lock:
            if self._shut:
                return None
            old = self._open.pop(key, None)
            if old is not None:
                old.set()
            self._end_oldest_of(key.partition(":")[0] + ":")
            if len(self._open) >= self.cap - (self.kept if looks_on else 0):
                return None
            self._open[key] = ended = threading.Event()
        return ended

    def _end_oldest_of(self, device: str) -> None:
        own = [key for key in self._open if key.startswith(device)]
        for key in own[: max(0, len(own) - TABS + 1)]:
            self._open.pop(key).set()

    def leave(self, key: str, ended: threading.Event) -> None:
        """Give the place back; a place that a newer stream of the same screen took over stays
        taken."""
        with self._lock:
            if self._open.get(key) is ended:
                del self._open[key]

    def looks(self, device: str) -> bool:
        """Whether the device of this key has a stream open: a screen of its looks at the table now."""
        with self._lock:
            return any(key.startswith(f"{device}:") for key in self._open)

    def end(self, prefix: str = "") -> None:
        """Tell the streams whose key begins so to end: a device was sent away."""
        with self._lock:
            for key, ended in self._open.items():
                if key.startswith(prefix):
                    ended.set()

    def shut(self) -> None:
        """Tell every stream to end, and let none begin any more: the server stops. A screen whose stream
        ends asks for another at once."""
        with self._lock:
            self._shut = True
        self.end()

    def encode(self, scoreboard: Board) -> bytes:
        """The scoreboard as one message; encoded once however many screens take it."""
        last = self._last
        if last is None or last[0] is not scoreboard:
            text = json.dumps(
                scoreboard, ensure_ascii=False, separators=(",", ":"), allow_nan=False
            )
            last = (scoreboard, f"id: {scoreboard.get('version', 0)}\ndata: {text}\n\n".encode())
            self._last = last
        return last[1]


def messages(
    streams: Streams,
    key: str,
    ended: threading.Event,
    wait_for_change: WaitForChange,
    first: tuple[Board | None, int],
    beat_s: float = BEAT_S,
) -> Iterator[bytes]:
    """The bytes of one stream: the present state (`first`, with its stamp) at once, every later one
    as it comes, a beat when nothing does."""
    board, seen = first
    try:
        yield f"retry: {RETRY_MS}\n\n".encode() + streams.encode(board or {})
        while not ended.is_set():
            board, seen = wait_for_change(seen, beat_s)
            if ended.is_set():  # sent away meanwhile: it is told nothing more
                break
            yield b"event: beat\ndata: 1\n\n" if board is None else streams.encode(board)
        yield b"event: closed\ndata: 1\n\n"
    finally:
        streams.leave(key, ended)
