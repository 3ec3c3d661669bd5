"""Whose turn is it? Each asker holds but a few of the server's threads, so that nobody holds them all.

Knows askers and what they ask for; knows no socket and no time of its own. Thread-safe: its lock is
held for counting only.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

Line = TypeVar("Line")


class WorkKind(Enum):
    """What a request takes of the server."""

    STREAM = "stream"
    """A thread until the screen leaves."""
    COMMAND = "command"
    """A moment, and somebody waits for it with a finger on the glass."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: the key of a device that was let in, or the address of one that was not. It `controls`
    where it does more than look on: a table that sends a hall its entries does, too."""

    key: str
    let_in: bool = False
    controls: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """One request, as far as its turn depends on it."""

    asker: Asker
    kind: WorkKind


class Turn(Enum):
    """What becomes of a request that has come in whole."""

    NOW = "now"
    LATER = "later"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Shares:
    """How many threads each may hold at a time; chosen, and measured by `tests.benchmarks.attacks.traffic`.

    A browser opens six connections and asks for files of some milliseconds each; two tabs that stay
    open hold two streams, and one that comes back before its old stream was noticed to have gone a third.
    """

    streams: int
    streams_kept: int
    """Of these so many are only for devices that control, and half of those only for one that holds none:
    a device may ask for streams again and again, and a thread is free only once its stream has noticed
    that it ended."""
    others: int
    streams_a_device: int = 8
    a_device: int = 4
    strangers: int = 4
    a_strange_address: int = 2
    watchers: int = 6
    """All devices together that only look on: one invitation lets a browser in as often as it asks."""
    kept_for_commands: int = 6
    """Half of them only for a device that controls and holds none: who does not take the answers of his
    taps holds threads as well."""
    waiting: int = 200
    waiting_of_one: int = 32
    patience_s: float = 10.0
    """So long a request waits for its turn; then it is told to come back."""
    strangers_answer_s: float = 10.0
    """So long a device that was not let in may take to read its answer."""


BRIEF = (WorkKind.COMMAND, WorkKind.OTHER)

STRANGERS = "strangers"
WATCHERS = "watchers"
LOOKING_ON = "looking on"


class Lanes(Generic[Line]):
    """Who is being served, and who waits for it."""

    def __init__(self, shares: Shares) -> None:
        self.shares = shares
        self._lock = threading.Lock()
        self._served: dict[Line, tuple[Work, float]] = {}
        self._held: Counter[object] = Counter()
        """Threads held: by kind, by asker and kind, by all strangers, and by all who only look on, of
        their streams (LOOKING_ON) and of the rest (WATCHERS)."""
        self._waiting: deque[tuple[Line, Work, float]] = deque()

    def ask(self, line: Line, work: Work, now_s: float) -> Turn:
        """Whether this request is served at once, waits here until `leave` names it, or is refused."""
        with self._lock:
            if self._may_begin(work):
                self._begin(line, work, now_s)
                return Turn.NOW
            of_one = sum(1 for _, waits, _ in self._waiting if waits.asker.key == work.asker.key)
            full = len(self._waiting) >= self.shares.waiting
            if work.kind is WorkKind.STREAM or full or of_one >= self.shares.waiting_of_one:
                return Turn.NEVER
            self._waiting.append((line, work, now_s))
            return Turn.LATER

    def leave(self, line: Line, now_s: float) -> list[Line]:
        """This one was served; the lines whose turn has come through it."""
        with self._lock:
            served = self._served.pop(line, None)
            if served is None:
                return []
            for held in _places_of(served[0]):
                self._held[held] -= 1
                if not self._held[held]:
                    del self._held[held]
            return self._next(now_s)

    def _next(self, now_s: float) -> list[Line]:
        begun = []
        for _ in range(len(self._waiting)):
            line, work, since_s = self._waiting.popleft()
            if self._may_begin(work):
                self._begin(line, work, now_s)
                begun.append(line)
            else:
                self._waiting.append((line, work, since_s))
        return begun

    def give_up(self, now_s: float) -> list[Line]:
        """The lines that waited too long; they wait no more."""
        with self._lock:
            late = [
                line
                for line, _, since_s in self._waiting
                if now_s - since_s > self.shares.patience_s
            ]
            if late:
                self._waiting = deque(kept for kept in self._waiting if kept[0] not in late)
            return late

    def overdue(self, now_s: float) -> list[Line]:
        """The lines of strangers who do not take their answer."""
        with self._lock:
            return [
                line
                for line, (work, since_s) in self._served.items()
                if not work.asker.let_in and now_s - since_s > self.shares.strangers_answer_s
            ]

    def _begin(self, line: Line, work: Work, now_s: float) -> None:
        self._served[line] = work, now_s
        self._held.update(_places_of(work))

    def _may_begin(self, work: Work) -> bool:
        shares, asker, own = self.shares, work.asker, self._held[(work.asker.key, work.kind)]
        if work.kind is WorkKind.STREAM:
            return own < shares.streams_a_device and self._has_stream_for(asker, own)
        busy = self._held[WorkKind.COMMAND] + self._held[WorkKind.OTHER]
        kept = min(shares.kept_for_commands, shares.others // 2)
        if asker.controls and not any(self._held[(asker.key, kind)] for kind in BRIEF):
            return busy < shares.others
        if work.kind is WorkKind.COMMAND:
            return busy < shares.others - kept // 2 and own < shares.a_device
        if busy >= shares.others - kept:
            return False
        if asker.let_in and own >= shares.a_device:
            return False
        if asker.let_in:
            return asker.controls or self._held[WATCHERS] < shares.watchers
        return self._held[STRANGERS] < shares.strangers and own < shares.a_strange_address

    def _has_stream_for(self, asker: Asker, own: int) -> bool:
        most, kept, held = self.shares.streams, self.shares.streams_kept, self._held
        if not asker.controls:
            return held[WorkKind.STREAM] < most and held[LOOKING_ON] < most - kept
        return held[WorkKind.STREAM] < most - (kept // 2 if own else 0)


def _places_of(work: Work) -> tuple[object, ...]:
    places: tuple[object, ...] = (work.kind, (work.asker.key, work.kind))
    if work.kind is WorkKind.STREAM and not work.asker.controls:
        places = (*places, LOOKING_ON)
    if not work.asker.let_in:
        return (*places, STRANGERS)
    if work.kind is WorkKind.OTHER and not work.asker.controls:
        return (*places, WATCHERS)
    return places
