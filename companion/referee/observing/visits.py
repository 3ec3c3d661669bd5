"""Hands over the table, gathered into visits: a hand that comes, does something, and goes.

Knows tips and directions over time.  Must not know whose hand it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import atan2, cos, degrees, radians, sin

from companion.table.sighting import Hand, Point
from companion.table.zones import distance_mm

SAME_HAND_MM = 220.0
PAUSE_S = 0.5
"""A hand that was away longer comes for a new visit."""

OTHER_SIDE = -0.2
"""Cosine between two directions below which they are two people's hands."""

NEAR_MM = 170.0
"""A hand whose tip was so near took the card, if any did."""

OVER_MM = 100.0
"""A tip so near is over the card, not over its neighbour."""

KEPT_S = 15.0
"""A card whose place another one hides may be found gone so long after the hand that took it."""


@dataclass(frozen=True, slots=True)
class Visit:
    """Whose direction a departure was seen with: the visit's own number, where the hand came from,
    and where from while it was over the card's place."""

    number: int
    from_deg: float | None
    reach_deg: float | None = None


@dataclass(slots=True)
class Stay:
    """A hand that is (or was a moment ago) over the table; it learns more of its direction while it
    stays."""

    number: int
    tip: Point
    seen_s: float
    began_s: float = 0.0
    steps: deque[tuple[float, Hand]] = field(default_factory=deque)
    east: float = 0.0
    north: float = 0.0

    def come(self, t_s: float, hand: Hand) -> None:
        """Learn where the hand is in this glimpse."""
        self.tip, self.seen_s = hand.tip_mm, t_s
        self.steps.append((t_s, hand))
        while len(self.steps) > 1 and t_s - self.steps[0][0] > KEPT_S:
            self.steps.popleft()
        if hand.from_deg is not None:
            self.east += sin(radians(hand.from_deg))
            self.north += cos(radians(hand.from_deg))

    @property
    def from_deg(self) -> float | None:
        """Where it comes from, as far as seen by now."""
        return _bearing_deg(self.east, self.north)

    def visit(self, reach_deg: float | None) -> Visit:
        """It as a value, with what `reach_deg` told when it took one card."""
        return Visit(self.number, self.from_deg, reach_deg)

    def reach_deg(self, place: Point, from_s: float, to_s: float) -> float | None:
        """Where it came from while its tip was over the `place`, between two times."""
        over = [
            hand.from_deg
            for t, hand in self.steps
            if from_s <= t <= to_s and distance_mm(hand.tip_mm, place) <= OVER_MM
        ]
        known = [radians(deg) for deg in over if deg is not None]
        return _bearing_deg(sum(sin(deg) for deg in known), sum(cos(deg) for deg in known))

    def is_another(self, hand: Hand) -> bool:
        """True when `hand` comes from quite another side."""
        mine = self.from_deg
        return (
            mine is not None
            and hand.from_deg is not None
            and cos(radians(mine - hand.from_deg)) < OTHER_SIDE
        )

    def nearest(self, place: Point, from_s: float, to_s: float) -> float:
        """How near (mm) its tip came to a place within these times; infinite when it was not seen then."""
        return min(
            (distance_mm(h.tip_mm, place) for t, h in self.steps if from_s <= t <= to_s),
            default=float("inf"),
        )


def _bearing_deg(east: float, north: float) -> float | None:
    return degrees(atan2(east, north)) if abs(east) + abs(north) > 1e-9 else None


class Visits:
    """The hands of the last seconds."""

    def __init__(self) -> None:
        self._stays: list[Stay] = []
        self._count = 0

    def see(self, t_s: float, hands: tuple[Hand, ...]) -> None:
        """Take the hands of one glimpse."""
        for hand in hands:
            self._stay_of(t_s, hand).come(t_s, hand)
        self._stays = [stay for stay in self._stays if t_s - stay.seen_s <= KEPT_S]

    def _stay_of(self, t_s: float, hand: Hand) -> Stay:
        near = [
            stay
            for stay in self._stays
            if t_s - stay.seen_s <= PAUSE_S
            and distance_mm(stay.tip, hand.tip_mm) <= SAME_HAND_MM
            and not stay.is_another(hand)
        ]
        if near:
            return min(near, key=lambda stay: distance_mm(stay.tip, hand.tip_mm))
        self._count += 1
        self._stays.append(Stay(self._count, hand.tip_mm, t_s, t_s))
        return self._stays[-1]

    @property
    def now(self) -> Sequence[Stay]:
        """The hands of the last seconds."""
        return self._stays

    def over(self, place: Point, from_s: float, to_s: float) -> Stay | None:
        """The stay whose hand came nearest to `place` between two times, or None when none came
        near."""
        best = min(self._stays, key=lambda stay: stay.nearest(place, from_s, to_s), default=None)
        if best is None or best.nearest(place, from_s, to_s) > NEAR_MM:
            return None
        return best
