"""How fast one device or one table may do something: so much at once, and so much a second after that.

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
            left, since_s = self._left.get(key, (self.limit.at_once, now_s))
            left = min(self.limit.at_once, left + (now_s - since_s) * self.limit.a_second)
            may = left >= cost
            self._left[key] = left - cost * may, now_s
        return may


RESTS = RateLimit(at_once=20, a_second=0.2)
"""Pauses of one device, and their ends. Without it one that is let in stops the evening for everybody as
often as it is begun again."""
LONG_EVENING = 2_000
"""Entries after which an evening is longer than anybody plays: four hours have some six hundred. What a
tap takes grows with them, for the whole log is folded."""
BEYOND = RateLimit(at_once=20, a_second=1)
"""Acts of one device in an evening that is longer."""


BOOK_ACTS = RateLimit(at_once=60, a_second=0.1)
"""Acts of one device on the book of evenings: each costs as much as there were acts before it, for the
copy beside the database is written whole. A person who gives every name another spelling needs some dozen."""
BOOK_ACTS_OF_ALL = RateLimit(at_once=150, a_second=0.2)
"""Acts of all devices together: one that is in may let in others, each with an allowance of its own."""
EVERYBODY = ""
"""The key of what all devices share."""


@dataclass(slots=True)
class ActLimits:
    """How fast each device may change an evening, and the book of evenings. Thread-safe."""

    rests: RateLimiter = field(default_factory=lambda: RateLimiter(RESTS))
    beyond: RateLimiter = field(default_factory=lambda: RateLimiter(BEYOND))
    book: RateLimiter = field(default_factory=lambda: RateLimiter(BOOK_ACTS))
    book_of_all: RateLimiter = field(default_factory=lambda: RateLimiter(BOOK_ACTS_OF_ALL))

    def may(self, device: str, what: str, entries: int, now_s: float) -> bool:
        """True where the device of this key may do that now, in an evening of so many entries; it is then
        counted."""
        if what in ("pause", "resume") and not self.rests.may(device, now_s):
            return False
        return entries < LONG_EVENING or self.beyond.may(device, now_s)

    def may_in_book(self, device: str, now_s: float) -> bool:
        """True where the device of this key may change the book of evenings now; it is then counted."""
        return self.book.may(device, now_s) and self.book_of_all.may(EVERYBODY, now_s)
