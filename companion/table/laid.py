"""Which fresh cards lie at rest together in the middle, and whether they are a whole deal.

Knows readings, zones and how many cards a deal has.  Must not know rounds, players or points.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.table.sighting import Glimpse, TableView
from companion.table.tracks import Placement, Rest
from companion.table.zones import Zone, nearest_mm, zone_of

READINGS = 3
SPAN_S = 0.3
TOGETHER_S = 0.7
"""A card lies when it was read so often over so long; a deal is whole when all have lain together for so long
(`reference/referee.md`: 0-0.35 % of starts missed in 18,009 rounds)."""

SILENCE_MIN_S = 1.2
SILENCE_MAX_S = 3.0
"""A card that is usually read is forgotten after the shorter silence, one read now and then after the longer."""

SILENCE_HIDDEN_S = 10.0
"""Silence under a hand does not count; after so long the card is forgotten all the same."""

REACH_MM = 15.0
HAND_REACH_MM = 130.0
SLOW_INTERVAL_S = 0.25
"""Above this frame interval two readings do: three would take longer than a quick first guess."""


class Laid:
    """Follows the fresh cards lying in the middle."""

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.table: TableView | None = None
        self._rests: dict[int, Rest] = {}
        self._silent_s: dict[int, float] = {}
        self._lying: frozenset[int] = frozenset()
        self._since_s = 0.0
        self._now_s: float | None = None
        self._interval_s = 0.1

    @property
    def lying(self) -> frozenset[int]:
        """The fresh cards that lie at rest in the middle now."""
        return self._lying

    @property
    def since_s(self) -> float:
        """Since when exactly these cards lie."""
        return self._since_s

    @property
    def whole(self) -> bool:
        """True when exactly the expected number has lain together long enough."""
        return len(self._lying) == self.expected and self.steady_s >= TOGETHER_S - 1e-6

    @property
    def steady_s(self) -> float:
        """For how long exactly these cards have lain."""
        return (self._now_s or 0.0) - self._since_s

    def placements(self) -> tuple[Placement, ...]:
        """The lying cards, in the order in which they were first read there."""
        return tuple(sorted((self._rests[card].placement() for card in self._lying), key=lambda p: (p.since_s, p.card)))

    def clear(self) -> None:
        """Forget every card."""
        self._rests.clear()
        self._silent_s.clear()
        self._lying = frozenset()

    def see(self, glimpse: Glimpse, is_fresh: Callable[[int], bool]) -> None:
        """Take one usable glimpse."""
        dt = self._advance(glimpse)
        read = set()
        for sighting in glimpse.sightings:
            if is_fresh(sighting.card):
                self._read(sighting.card, glimpse.t_s, sighting.centre_mm)
                read.add(sighting.card)
        self._age(glimpse, dt, read)
        lying = frozenset(card for card in self._rests if is_fresh(card) and self._lies(card))
        if lying != self._lying:
            self._lying, self._since_s = lying, glimpse.t_s

    def _advance(self, glimpse: Glimpse) -> float:
        dt = 0.0 if self._now_s is None else max(0.0, glimpse.t_s - self._now_s)
        self._now_s = glimpse.t_s
        if 0.0 < dt < 2.0:
            self._interval_s += 0.1 * (dt - self._interval_s)
        if glimpse.table is not None:
            self.table = glimpse.table
        return min(dt, 1.0)

    def _read(self, card: int, t_s: float, centre: tuple[float, float]) -> None:
        rest = self._rests.get(card)
        if zone_of(centre, self.table) is not Zone.MIDDLE:
            if rest is not None and t_s - rest.seen_s > SPAN_S:
                del self._rests[card]
            return
        if rest is None:
            rest = self._rests[card] = Rest(card, REACH_MM)
        rest.read(t_s, centre)
        self._silent_s[card] = 0.0

    def _age(self, glimpse: Glimpse, dt: float, read: set[int]) -> None:
        tips = [hand.tip_mm for hand in glimpse.hands]
        for card in list(self._rests):
            rest = self._rests[card]
            if card not in read and nearest_mm(rest.centre_mm, tips) > HAND_REACH_MM:
                self._silent_s[card] = self._silent_s.get(card, 0.0) + dt
            if glimpse.t_s - rest.seen_s > SILENCE_HIDDEN_S:
                del self._rests[card]

    def _lies(self, card: int) -> bool:
        rest = self._rests[card]
        needed = READINGS if self._interval_s < SLOW_INTERVAL_S else READINGS - 1
        if not rest.rests(needed, SPAN_S):
            return False
        patience = min(SILENCE_MAX_S, max(SILENCE_MIN_S, 6 * rest.mean_interval_s + 0.6))
        return self._silent_s[card] <= patience
