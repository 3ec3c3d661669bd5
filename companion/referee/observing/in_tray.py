"""What is known of one card in the tray: read there in passing or at rest, for how long in view,
and whether it is there still.

Knows readings in the tray. Must not know the card's place in the middle, nor whether it was a wrong
guess.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.referee.observing.indexed_glimpse import Look
from companion.referee.observing.off_place import RESTS_S, TrayClock
from companion.table.resting import Rest
from companion.table.sighting import Point
from companion.table.zones import distance_mm

TRAY_MM, SETTLED_S, KEPT_S = 10.0, 0.5, 5.0
"""At rest there: within so many mm over so long; readings further apart than the last are two
stays."""

SILENT_S = 2.0
"""The latest card in an open tray, unread for so long, may have been taken back: unread moments
last 0.6 s."""

COVER_MM = 45.0
"""A card so near, laid later, may hide another's marker (`reference/referee.md`: piles in the
tray)."""

HIDDEN_S, OVER_S = 1.0, 0.3
"""A card unread for so long lies under another one that came to rest within so long of its last
reading."""


CLAIMED = (0.0, -1.0, -5.0, -7.0)
"""Log weight against a claimed card never read in the tray, read there once, twice at rest, for
half a second."""

ARRIVES_S, IN_PILE = 0.55, -4.0
"""Most cards set aside come to the tray within this time constant. One that came only after the
middle was empty, although the tray had been in plain view, may lie in a pile of taken cards that
was laid there: so little speaks against that."""


def log_claimed(level: int, came_s: tuple[float, float], empty_s: float) -> float:
    """Log weight of a card read in the tray at this level being claimed after all; `came_s`: when
    it was first read there, and for how long the tray had been in plain view by then; the middle
    was empty at `empty_s`."""
    first_s, awaited_s = came_s
    if level < 2 or first_s < empty_s:
        return CLAIMED[level]
    return min(0.0, IN_PILE + awaited_s / ARRIVES_S)


class InTray:
    """One card's stay in the tray."""

    def __init__(self, card: int) -> None:
        self._rest = Rest(card, TRAY_MM)
        self.clock = TrayClock()
        self.forget()

    def forget(self) -> None:
        """It lies in the middle again: whatever was known is void."""
        self._rest.forget()
        self.clock.forget()
        self.level = 0
        self.uncovered = self.newest = False
        """Whether it was lifted off those beneath; whether it is the one that left the middle last.
        """
        self._awaited_s = self._silent_s = self.left_s = self.first_s = self.seen_s = (
            self._hidden_s
        ) = self._again_s = 0.0
        self._again = 0

    def forget_rest(self) -> None:
        """It was read in the middle: two readings in the tray must follow one another to be a stay."""
        self._rest.forget()

    @property
    def came_s(self) -> tuple[float, float]:
        """When it was first read there, and for how long the tray had been in plain view without it
        by then."""
        return self.first_s, self._awaited_s

    @property
    def since_s(self) -> float:
        """Since when it has been read where it was read last."""
        return self._rest.since_s

    @property
    def doubtful(self) -> bool:
        """True when it may have been taken out of the tray again: what it covered is read, or
        nothing is while the tray is open."""
        return self.level >= 2 and (self.uncovered or self._silent_s > SILENT_S)

    def read(self, t_s: float, point: Point) -> int:
        """Take a reading there; 1 for one in passing, 2 at rest, 3 at rest for half a second or
        more."""
        if not self.level:
            self.first_s, self._awaited_s = t_s, self.clock.watched_s + self.clock.awaited_s
        if not self.level or t_s - self.seen_s > HIDDEN_S:
            self._hidden_s, self._again_s, self._again = self.seen_s, t_s, 0
        self._again += 1
        self.seen_s, self._silent_s, self.uncovered = t_s, 0.0, False
        self._rest.read(t_s, point, forget_s=KEPT_S)
        level = 3 if self._rest.rests(3, SETTLED_S) else 2 if self._rest.rests(2, RESTS_S) else 1
        self.level = max(self.level, level)
        return level

    def watch(self, look: Look, dt_s: float) -> None:
        """Take one look at the tray."""
        self.clock.see(look, dt_s)
        if self.newest and look.tray_open:
            self._silent_s += dt_s

    def lay_on(self, other: InTray) -> bool:
        """True when the other one, which had left the middle before this one came to rest on it and
        was not read since, is read now, and this one is not: it was lifted off."""
        before = other.left_s < self.first_s and other._hidden_s <= self.first_s + OVER_S
        shows = (
            other._again >= 2
            and other._again_s > self.seen_s
            and self.seen_s - self.first_s > OVER_S
        )
        return (
            before and shows and distance_mm(self._rest.centre_mm, other._rest.centre_mm) < COVER_MM
        )


def lifted_off(stays: Sequence[InTray]) -> None:
    """Note which of the cards in the tray came there last, and which no longer lie on those
    beneath."""
    there = [stay for stay in stays if stay.level >= 2]
    latest = max(there, key=lambda stay: stay.left_s, default=None)
    for stay in there:
        stay.newest = stay is latest
        stay.uncovered = stay.uncovered or any(
            stay.lay_on(other) for other in there if other is not stay
        )
