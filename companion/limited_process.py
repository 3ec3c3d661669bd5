"""Work of which nobody knows how much memory and time it takes, in a child process that has limits of
both.

A page to draw and a stranger's photograph take up to hundreds of megabytes for a second. Here they
take them from a process that is ended when it takes too much, too long, or is not needed any more:
what it took goes back to the system with it. Knows processes; knows no picture, no page, no game.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from companion.child_process import end_child, live_as_child, start_child
from companion.errors import CompanionError

Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


def done_here(work: Callable[..., Result], *given: Any) -> Result:
    """What `work(*given)` returns or raises, done in this process: for who may do it in another."""
    return work(*given)


class TooMuch(CompanionError):
    """Raised when the work takes more memory or time than it may; its process is gone."""


class WorkEnded(TooMuch):
    """Raised when the process is gone before its work was done: it stood still too long, or something else
    ended it. The same work may succeed."""


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """What the work in the child may take; measured by `tests.benchmarks.attacks.pictures`.

    Beside its libraries (60 MB) a photograph takes 115 to 140 MB and 1.3 s of a core, a page's preview
    40 MB.
    """

    memory_mb: int = 170
    """Beyond what the process has when its first work comes; only Linux keeps to it."""
    silence_s: float = 20.0
    """So long until its result, or until it says how far it is; a small or busy computer is ten times
    slower than the one this was measured on."""
    waking_s: float = 20.0
    """Added for the first work of a process, which loads its libraries."""
    idle_s: float = 30.0
    """So long it is kept for the next."""
    works: int = 64
    """After so many it is replaced, whatever it has kept."""


_CV2_NO_MEMORY = -4
"""`cv2.Error.StsNoMem`; a process that draws no picture does not load OpenCV."""


class LimitedProcess:
    """One child process for one work at a time; started when it is needed. Any thread may ask."""

    def __init__(self, name: str, limits: WorkLimits | None = None) -> None:
        self.limits = limits or WorkLimits()
        self._name = name
        self._using = threading.Lock()
        self._child: BaseProcess | None = None
        self._asks: Connection | None = None
        self._works = 0
        self._used_s = 0.0
        self._watched = False
        self._stopped = False

    def do(
        self, work: Callable[..., Result], *given: Any, progress: Progress | None = None
    ) -> Result:
        """What `work(*given)` returns or raises; `work` must be importable, and takes a `progress`
        of its own last where one is wanted here.

        Raises:
            TooMuch: it took more memory than it may.
            WorkEnded: its process was ended, or the evening ends.
        """
        with self._using:
            if self._stopped:
                raise WorkEnded(f"{self._name}: the evening ends")
            try:
                asks = self._begin()
                with self._patience():
                    asks.send((work, given, progress is not None))
                result: Result = self._result(asks, progress)
            except (EOFError, OSError) as gone:
                self._end()
                raise WorkEnded(f"{self._name}: its process ended, or was ended") from gone
            except TooMuch:
                self._end()
                raise
            finally:
                self._used_s = time.monotonic()
                if self._works >= self.limits.works:
                    self._end()
                self._end_later()
        return result

    def stop(self) -> None:
        """End the child and begin no other; a work under way fails as `TooMuch`."""
        self._stopped = True
        self.give_up()

    def give_up(self) -> None:
        """End the work under way, which fails as `TooMuch`; the next one gets another process."""
        child = self._child
        if child is not None:
            with contextlib.suppress(ValueError, AttributeError):  # gone, or not begun yet
                child.kill()

    def _begin(self) -> Connection:
        if self._child is not None and not self._child.is_alive():  # given up while it was idle
            self._end()
        if self._asks is None:
            context = multiprocessing.get_context("spawn")
            self._asks, theirs = context.Pipe()
            self._child = context.Process(
                target=_serve,
                args=(theirs, self.limits.memory_mb),
                name=self._name,
                daemon=True,
            )
            try:
                start_child(self._child)
            finally:
                theirs.close()
            self._works = 0
        self._works += 1
        return self._asks

    @contextlib.contextmanager
    def _patience(self) -> Iterator[None]:
        """What the child does inside it does soon, or it is ended: one that stands still takes no large
        work, and may stand still in the middle of telling its result."""
        patience_s = self.limits.silence_s + (self.limits.waking_s if self._works == 1 else 0.0)
        watch = threading.Timer(patience_s, self.give_up)
        watch.daemon = True
        watch.start()
        try:
            yield
        finally:
            watch.cancel()

    def _result(self, asks: Connection, progress: Progress | None) -> Any:
        while True:
            with self._patience():
                said, what = asks.recv()
            if said == "done":
                return what
            if said == "failed":
                raise what
            if progress is not None:
                progress(*what)

    def _end_later(self) -> None:
        """Have the child ended when nobody needs it: by one thread, however often it is used."""
        if self._child is not None and not self._watched:
            threading.Thread(target=self._end_idle, name=f"{self._name}: idle", daemon=True).start()
            self._watched = True

    def _end_idle(self) -> None:
        while True:
            time.sleep(max(0.0, self._idle_at_s - time.monotonic()))
            with self._using:
                if self._child is None or self._idle_at_s <= time.monotonic():
                    self._end()
                    self._watched = False
                    return

    @property
    def _idle_at_s(self) -> float:
        return self._used_s + self.limits.idle_s

    def _end(self) -> None:
        child = self._child
        asks = self._asks
        self._child = None
        self._asks = None
        end_child(child, asks)


def _serve(asked: Connection, memory_mb: int) -> None:
    """In the child: one work after the other, until the parent hangs up. Says nothing on the
    terminal: decoders grumble there about damaged pictures, and an allocator before it aborts."""
    live_as_child()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    limited = False
    with contextlib.suppress(EOFError, OSError):
        while True:
            work, given, tells = asked.recv()
            if not limited:
                limited = True
                _limit_memory(memory_mb)
            asked.send(_done(work, given, asked if tells else None))


def _done(
    work: Callable[..., Any], given: tuple[Any, ...], tells: Connection | None
) -> tuple[str, Any]:
    try:
        if tells is None:
            return "done", work(*given)
        return "done", work(*given, lambda done, of: tells.send(("progress", (done, of))))
    except Exception as error:
        if _is_of_memory(error):
            return "failed", TooMuch("more memory than it may take")
        return "failed", error


def _is_of_memory(error: Exception) -> bool:
    """True for a library's own ways to say that it got no memory: OpenCV has an error for everything, and
    a number for what it was."""
    return isinstance(error, MemoryError) or (
        type(error).__module__ == "cv2" and getattr(error, "code", None) == _CV2_NO_MEMORY
    )


def _limit_memory(memory_mb: int) -> None:
    """Nothing beyond this much more than now: what asks for it fails in this process."""
    if sys.platform != "linux":
        return
    import resource

    status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    now_kb = next(int(line.split()[1]) for line in status.splitlines() if line[:7] == "VmData:")
    most = (now_kb + memory_mb * 1024) * 1024
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
