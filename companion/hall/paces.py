"""How fast one table may send: so many letters at once, and so many a second after that.

Knows keys and times that are handed in.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LetterPace:
    """A pace: `at_once` letters, then `a_second`. Chosen: a table that comes back after an evening
    alone sends some ten letters."""

    at_once: float = 30.0
    a_second: float = 3.0


ENTRIES = LetterPace(at_once=20_000, a_second=5)
"""Entries of one table: some sixty evenings at once, and then fifty times as fast as anybody plays. Without
it a table could fill the hall's disk."""

MOST_KNOWN = 50_000


@dataclass(slots=True)
class Paces:
    """What each table has left. Thread-safe."""

    pace: LetterPace = field(default_factory=LetterPace)
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def may(self, key: str, now_s: float, cost: float = 1.0) -> bool:
        """True where this one may send a letter now, or so many entries; they are then counted."""
        with self._lock:
            if len(self._left) > MOST_KNOWN:
                self._left.clear()
            left, since_s = self._left.get(key, (self.pace.at_once, now_s))
            left = min(self.pace.at_once, left + (now_s - since_s) * self.pace.a_second)
            may = left >= cost
            self._left[key] = left - cost * may, now_s
        return may
