"""The second reader at arm's length: a child process that has a deadline for every picture.

A decoder that hangs or crashes costs the frame it was asked about, never the evening. Knows
processes and bytes; knows no cards.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.heap import BufferWrapper
from multiprocessing.process import BaseProcess
from types import TracebackType

import numpy as np

from companion.child_process import end_child, start_child
from companion.vision.second_reader.child import serve_pictures
from companion.vision.second_reader.zxing import Decode, RawCode, decode

DEADLINE_S = 2.0
"""One picture may take so long: a whole 4K picture takes 0.04 s on a laptop, ten times that on a
small busy computer; people are told that the camera stopped only after 2.5 s (chosen)."""

FOOTAGE_DEADLINE_S = 30.0
"""The same where nobody waits and a film must always give the same ledger (chosen)."""

WAKING_S = 15.0
"""A fresh process on a busy small computer may take this long to load its library (chosen; 0.1 s on
a laptop)."""

LONGEST_PAUSE_S = 60.0
"""A child that was lost again and again is started again after so long at most (chosen)."""

MOST_BYTES = 64_000_000
"""Larger than any picture that is searched; pages that are never written take no memory."""


class GuardedReader:
    """Reads pictures in a child process; a context manager. Any thread may ask, one at a time.

    `on_lost` is told each time that the child hung or died, from the asking thread.
    """

    def __init__(
        self,
        deadline_s: float = DEADLINE_S,
        on_lost: Callable[[], None] = lambda: None,
        decode_picture: Decode = decode,
    ) -> None:
        """`decode_picture` must be importable: it runs in a spawned process."""
        self.lost = 0
        self._deadline_s = deadline_s
        self._on_lost = on_lost
        self._decode = decode_picture
        self._memory = _shared_memory()
        self._using = threading.Lock()
        self._child: BaseProcess | None = None
        self._asks: Connection | None = None
        self._awake = False
        self._next_start_s = 0.0
        self._began_s = 0.0

    def __enter__(self) -> GuardedReader:
        """Itself; the child is started when it is first asked."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """End the child."""
        with self._using:
            self._end_child()
            self._next_start_s = float("inf")

    def __call__(self, picture: np.ndarray) -> list[RawCode]:
        """The codes in `picture` (H, W) uint8; none where the child hangs, died or is being started
        again."""
        with self._using:
            memory = self._memory
            asks = self._ready_child() if memory is not None else None
            if asks is None or memory is None or picture.size > MOST_BYTES:
                return []
            shared = np.frombuffer(memory.create_memoryview(), np.uint8, picture.size)
            shared.reshape(picture.shape)[:] = picture
            try:
                asks.send(picture.shape)
                if asks.poll(self._deadline_s):
                    return [RawCode(*code) for code in asks.recv()]
            except (EOFError, OSError):
                pass  # it died
            self._lose_child()
            return []

    def _ready_child(self) -> Connection | None:
        """The pipe to a child that has loaded its library. Only the first child is waited for: a
        frame without a second opinion is better than a camera that stands still."""
        if self._asks is None:
            if time.monotonic() < self._next_start_s:
                return None
            try:
                self._start()
            except OSError:  # the system gives no process: later perhaps
                self._lose_child()
                return None
        asks = self._asks
        if asks is None or self._awake:
            return asks
        waited_s = time.monotonic() - self._began_s
        try:
            if asks.poll(0.0 if self.lost else max(0.0, WAKING_S - waited_s)):
                asks.recv()
                self._awake = True
                return asks
        except (EOFError, OSError):
            self._lose_child()
            return None
        if waited_s > WAKING_S or not self.lost:
            self._lose_child()
        return None

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        child = context.Process(
            target=serve_pictures,
            args=(self._decode, self._memory, theirs),
            name="second reader",
            daemon=True,
        )
        try:
            start_child(child)
        finally:
            theirs.close()
        self._child = child
        self._asks = ours
        self._awake = False
        self._began_s = time.monotonic()

    def _lose_child(self) -> None:
        """Kill it; the next may start after a pause that doubles each time."""
        self._end_child()
        pause_s = 0.5 * 2**self.lost if self.lost < 16 else LONGEST_PAUSE_S
        self._next_start_s = time.monotonic() + min(pause_s, LONGEST_PAUSE_S)
        self.lost += 1
        self._on_lost()

    def _end_child(self) -> None:
        child = self._child
        asks = self._asks
        self._child = None
        self._asks = None
        end_child(child, asks)


def _shared_memory() -> BufferWrapper | None:
    """Where pictures are laid for the child; None where the system gives none (a full disk, a limit of
    a file's size): then there is no second opinion."""
    try:
        return BufferWrapper(MOST_BYTES)
    except OSError:
        return None
