"""How fast one device or one table, or all of them, may do something: so much at once, and so much a second after that.

Knows keys and times that are handed in.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RateLimit:
    """So many `at_once`, then so many `a_second`."""

    at_once: float
    a_second: float


MOST_KNOWN = 50_000


@dataclass(slots=True)
class RateLimiter:
    """What each one has left of a limit. Thread-safe."""

    limit: RateLimit
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def may(self, key: str, now_s: float, cost: float = 1.0) -> bool:
        """True where this one may do it now, or so many at once; they are then counted."""
        with self._lock:
            if len(self._left) > MOST_KNOWN:
                self._left.clear()
            left = self._left_of(key, now_s)
            may = left >= cost
            self._left[key] = left - cost * may, now_s
        return may

    def has(self, key: str, now_s: float) -> bool:
        """True where this one may do it now; it is not counted."""
        with self._lock:
            return self._left_of(key, now_s) >= 1

    def _left_of(self, key: str, now_s: float) -> float:
        left, since_s = self._left.get(key, (self.limit.at_once, now_s))
        return min(self.limit.at_once, left + (now_s - since_s) * self.limit.a_second)


EVERYBODY = ""
"""The key of what all devices share."""


@dataclass(frozen=True, slots=True)
class SharedLimit:
    """A limit of `each` device, and one of all together: a device that is in may let in others, each with
    an allowance of its own."""

    each: RateLimit
    of_all: RateLimit


FIRST = RateLimit(at_once=2, a_second=1 / 600)
"""What each device may do where everybody's is used up: several in concert keep no other from beginning an
evening, or ending it. Forty of them come to four a minute by it."""


class SharedLimiter:
    """What each device, and all together, have left of a limit. Thread-safe."""

    def __init__(self, limit: SharedLimit, first: RateLimit = FIRST) -> None:
        self._each = RateLimiter(limit.each)
        self._of_all = RateLimiter(limit.of_all)
        self._first = RateLimiter(first)

    def may(self, device: str, now_s: float) -> bool:
        """True where the device of this key may do it now; it is then counted. Who has used up its own
        takes nothing of what is everybody's; where that is used up, each has its `first` ones, and
        nobody's own is taken."""
        if not self._each.has(device, now_s):
            return False
        if not self._of_all.may(EVERYBODY, now_s) and not self._first.may(device, now_s):
            return False
        return self._each.may(device, now_s)


RESTS = SharedLimit(RateLimit(at_once=20, a_second=0.2), RateLimit(at_once=40, a_second=0.4))
"""Pauses, and their ends. Without it one that is let in stops the evening for everybody as often as it is
begun again."""
NEW = SharedLimit(RateLimit(at_once=20, a_second=0.05), RateLimit(at_once=40, a_second=0.1))
"""Evenings that are begun, ended, or gone on with: each is kept for all years."""
LONG_EVENING = 2_000
"""Entries after which an evening is longer than anybody plays: four hours have some six hundred. What a
tap takes grows with them, for the whole log is folded."""
BEYOND = SharedLimit(RateLimit(at_once=20, a_second=1), RateLimit(at_once=40, a_second=3))
"""Acts in an evening that is longer."""
BOOK_ACTS = SharedLimit(RateLimit(at_once=60, a_second=0.1), RateLimit(at_once=150, a_second=0.2))
"""Acts on the book of evenings: each costs as much as there were acts before it, for the copy beside the
database is written whole. A person who gives every name another spelling needs some dozen."""

RESTING = ("pause", "resume")
BEGINNING = ("begin", "rematch", "end", "go_on")


@dataclass(slots=True)
class ActLimits:
    """How fast devices may change an evening, and the book of evenings. Thread-safe."""

    rests: SharedLimiter = field(default_factory=lambda: SharedLimiter(RESTS))
    new: SharedLimiter = field(default_factory=lambda: SharedLimiter(NEW))
    beyond: SharedLimiter = field(default_factory=lambda: SharedLimiter(BEYOND))
    book: SharedLimiter = field(default_factory=lambda: SharedLimiter(BOOK_ACTS))

    def may(self, device: str, what: object, entries: int, now_s: float) -> bool:
        """True where the device of this key may do that now, in an evening of so many entries; it is then
        counted."""
        if what in RESTING and not self.rests.may(device, now_s):
            return False
        if what in BEGINNING and not self.new.may(device, now_s):
            return False
        return entries < LONG_EVENING or self.beyond.may(device, now_s)

    def may_in_book(self, device: str, what: object, now_s: float) -> bool:
        """True where the device of this key may do that to the book of evenings now; it is then counted."""
        return self.book.may(device, now_s) and (
            what not in BEGINNING or self.new.may(device, now_s)
        )
