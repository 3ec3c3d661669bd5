"""Hands over the table, gathered into visits: a hand that comes, does something, and goes.

Knows tips and directions over time. Must not know whose hand it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import atan2, cos, degrees, radians, sin

from companion.referee.departure import Departure, HandVisit
from companion.table.sighting import Hand, Point
from companion.table.zones import distance_mm, nearest_mm


@dataclass(frozen=True, slots=True)
class VisitModel:
    """How hands are gathered into visits; chosen on the simulator's hands, a hand being some 200 mm long
    in the view and cards 85 mm wide.

    A tip within `same_hand_mm` of the last one, after a pause of at most `pause_s`, is the same hand's,
    unless the cosine between their directions is below `other_side`. A hand whose tip came within
    `near_mm` took the card, if any did; within `over_mm` it is over the card, not over its neighbour. A
    card whose place another one hides may be found gone `kept_s` after the hand that took it.
    """

    same_hand_mm: float = 220.0
    pause_s: float = 0.5
    other_side: float = -0.2
    near_mm: float = 170.0
    over_mm: float = 100.0
    kept_s: float = 15.0


@dataclass(frozen=True, slots=True)
class IdleModel:
    """Which hands count as having taken nothing; chosen. At most `most_kept` stays of a round are kept;
    one that was there `before_s` before a card was read last, or `after_s` after it was gone, may have
    taken it; one that came within `after_deal_s` of the deal dealt."""

    most_kept: int = 40
    before_s: float = 0.4
    after_s: float = 0.3
    after_deal_s: float = 0.3


VISIT_MODEL = VisitModel()
IDLE_MODEL = IdleModel()


@dataclass(slots=True)
class HandStay:
    """A hand that is (or was a moment ago) over the table; it learns more of its direction while it
    stays."""

    number: int
    tip_mm: Point
    seen_s: float
    began_s: float = 0.0
    steps: deque[tuple[float, Hand]] = field(default_factory=deque)
    east: float = 0.0
    north: float = 0.0

    def extend(self, t_s: float, hand: Hand) -> None:
        """Learn where the hand is in this glimpse."""
        self.tip_mm = hand.tip_mm
        self.seen_s = t_s
        self.steps.append((t_s, hand))
        while len(self.steps) > 1 and t_s - self.steps[0][0] > VISIT_MODEL.kept_s:
            self.steps.popleft()
        if hand.from_deg is not None:
            self.east += sin(radians(hand.from_deg))
            self.north += cos(radians(hand.from_deg))

    @property
    def from_deg(self) -> float | None:
        """Where it comes from, as far as seen by now."""
        return _bearing_deg(self.east, self.north)

    def as_visit(self, reach_deg: float | None) -> HandVisit:
        """It as a value, with what `reach_deg` told when it took one card."""
        return HandVisit(self.number, self.from_deg, reach_deg)

    def reach_deg(self, place: Point, from_s: float, to_s: float) -> float | None:
        """Where it came from while its tip was over the `place`, between two times."""
        over = [
            hand.from_deg
            for t, hand in self.steps
            if from_s <= t <= to_s and distance_mm(hand.tip_mm, place) <= VISIT_MODEL.over_mm
        ]
        known = [radians(deg) for deg in over if deg is not None]
        return _bearing_deg(sum(sin(deg) for deg in known), sum(cos(deg) for deg in known))

    def is_another(self, hand: Hand) -> bool:
        """True when `hand` comes from quite another side."""
        mine = self.from_deg
        return (
            mine is not None
            and hand.from_deg is not None
            and cos(radians(mine - hand.from_deg)) < VISIT_MODEL.other_side
        )

    def nearest_mm(self, place: Point, from_s: float, to_s: float) -> float:
        """How near (mm) its tip came to a place within these times; infinite when it was not seen then."""
        return min(
            (distance_mm(h.tip_mm, place) for t, h in self.steps if from_s <= t <= to_s),
            default=float("inf"),
        )


def _bearing_deg(east: float, north: float) -> float | None:
    return degrees(atan2(east, north)) if abs(east) + abs(north) > 1e-9 else None


class HandVisits:
    """The hands of the last seconds."""

    def __init__(self) -> None:
        self._stays: list[HandStay] = []
        self._count = 0

    def gather_hands(self, t_s: float, hands: tuple[Hand, ...]) -> None:
        """Take the hands of one glimpse."""
        for hand in hands:
            self._stay_of(t_s, hand).extend(t_s, hand)
        self._stays = [stay for stay in self._stays if t_s - stay.seen_s <= VISIT_MODEL.kept_s]

    def _stay_of(self, t_s: float, hand: Hand) -> HandStay:
        near = [
            stay
            for stay in self._stays
            if t_s - stay.seen_s <= VISIT_MODEL.pause_s
            and distance_mm(stay.tip_mm, hand.tip_mm) <= VISIT_MODEL.same_hand_mm
            and not stay.is_another(hand)
        ]
        if near:
            return min(near, key=lambda stay: distance_mm(stay.tip_mm, hand.tip_mm))
        self._count += 1
        self._stays.append(HandStay(self._count, hand.tip_mm, t_s, t_s))
        return self._stays[-1]

    @property
    def recent(self) -> Sequence[HandStay]:
        """The hands of the last seconds."""
        return self._stays

    def stay_over(self, place: Point, from_s: float, to_s: float) -> HandStay | None:
        """The stay whose hand came nearest to `place` between two times, or None when none came
        near."""
        best = min(self._stays, key=lambda stay: stay.nearest_mm(place, from_s, to_s), default=None)
        if best is None or best.nearest_mm(place, from_s, to_s) > VISIT_MODEL.near_mm:
            return None
        return best


class IdleHands:
    """Hands over the round's cards that took none: who points, lifts a card to look or hesitates is
    whose turn it is."""

    def __init__(self, began_s: float) -> None:
        self._began_s = began_s
        self._stays: dict[int, HandStay] = {}

    def watch_hands(self, visits: HandVisits, t_s: float, spread: Sequence[Point]) -> None:
        """Take the hands seen at `t_s`; `spread` are the places where the round's cards were dealt."""
        for stay in visits.recent:
            dealt = stay.began_s < self._began_s + IDLE_MODEL.after_deal_s
            if stay.seen_s < t_s or dealt or stay.number in self._stays:
                continue
            if nearest_mm(stay.tip_mm, spread) <= VISIT_MODEL.near_mm:
                self._stays[stay.number] = stay
        while len(self._stays) > IDLE_MODEL.most_kept:
            del self._stays[min(self._stays)]

    def that_took_none(self, row: Sequence[Departure]) -> tuple[tuple[float, float], ...]:
        """When each hand came that can have taken no card of the `row`, and from where, in degrees."""
        return tuple(
            (stay.began_s, stay.from_deg)
            for stay in self._stays.values()
            if stay.from_deg is not None
            and not any(
                d.low_s - IDLE_MODEL.before_s <= stay.seen_s
                and stay.began_s <= d.high_s + IDLE_MODEL.after_s
                for d in row
            )
        )
