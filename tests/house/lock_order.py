"""Which lock is taken while which is held: every lock of the product made inside `recorded` is watched,
and a lock is known by the module that made it."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Held:
    """What the present thread holds, the outermost first, and all pairs that ever were."""

    def __init__(self) -> None:
        self.pairs: dict[str, set[str]] = defaultdict(set)
        self.taken: set[str] = set()
        self._own = threading.local()

    @property
    def _stack(self) -> list[WatchedLock]:
        if not hasattr(self._own, "stack"):
            self._own.stack = []
        return self._own.stack

    def enter(self, lock: WatchedLock) -> None:
        """The present thread holds this one too; one that it held already it did not wait for."""
        self.taken.add(lock.name)
        if lock not in self._stack:
            for outer in self._stack:
                if outer.name != lock.name:
                    self.pairs[outer.name].add(lock.name)
        self._stack.append(lock)

    def leave(self, lock: WatchedLock) -> None:
        """It gave it back; a plain lock may be given back by another thread."""
        stack = self._stack
        if lock in stack:
            del stack[len(stack) - 1 - stack[::-1].index(lock)]

    def circle(self) -> list[str]:
        """Locks of which each was taken while the one before was held, back to the first; empty
        when there are none such."""
        for start in list(self.pairs):
            paths = [[start]]
            seen = {start}
            while paths:
                path = paths.pop()
                for inner in self.pairs.get(path[-1], ()):
                    if inner == start:
                        return [*path, start]
                    if inner not in seen:
                        seen.add(inner)
                        paths.append([*path, inner])
        return []


class WatchedLock:
    """A lock that says when it is taken and given back; serves `Condition` too."""

    def __init__(self, lock: Any, name: str, held: Held) -> None:
        self._lock = lock
        self.name = name
        self._held = held

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As a lock has it."""
        got = self._lock.acquire(blocking, timeout)
        if got:
            self._held.enter(self)
        return bool(got)

    def release(self) -> None:
        """As a lock has it."""
        self._held.leave(self)
        self._lock.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.release()

    def locked(self) -> bool:
        """As a lock has it."""
        return bool(self._lock.locked())

    def _is_owned(self) -> bool:
        return bool(self._lock._is_owned())

    def _release_save(self) -> Any:
        self._held.leave(self)
        return self._lock._release_save()

    def _acquire_restore(self, state: Any) -> None:
        self._lock._acquire_restore(state)
        self._held.enter(self)


@contextmanager
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Watch the locks that the product makes inside the block; the module that makes one names it."""
    import sys

    held = Held()
    plain, again, condition = threading.Lock, threading.RLock, threading.Condition

    def maker() -> str | None:
        file = Path(sys._getframe(2).f_code.co_filename)
        inside = file.is_relative_to(ROOT / "companion")
        return file.relative_to(ROOT / "companion").with_suffix("").as_posix() if inside else None

    def lock() -> Any:
        name = maker()
        return WatchedLock(plain(), name, held) if name else plain()

    def rlock() -> Any:
        name = maker()
        return WatchedLock(again(), name, held) if name else again()

    def changed(given: Any = None) -> Any:
        name = maker()
        return condition(WatchedLock(again(), name, held) if name and given is None else given)

    with monkeypatch.context() as patch:
        patch.setattr(threading, "Lock", lock)
        patch.setattr(threading, "RLock", rlock)
        patch.setattr(threading, "Condition", changed)
        yield held
