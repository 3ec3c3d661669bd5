"""Where a card lies in the middle, and how often it is read there.

Knows readings of one card in the middle. Must not know whether it left.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.referee.observing.off_place import NOWHERE
from companion.table.resting import REST_REACH, Rest
from companion.table.sighting import Point
from companion.table.zones import Zone, distance_mm, zone_of


@dataclass(frozen=True, slots=True)
class LyingModel:
    """When a card rests in the middle.

    At rest: within `nudged_mm` over `nudged_s`. A nudge takes as long as the eye needs to ask about the
    new place: sooner, a card pausing on a heap left its place unwatched and rounds were entered 3 s
    late. A card that had left lies in its own place again once it is read there at rest for `home_s`:
    nothing else shows its number, however surely it was gone or face down (in the incident "set_back"
    of `tests/benchmarks/referee.py` ten readings did not outweigh a second of named backs). Readings
    further apart than `forget_s` do not belong together. The usual interval between two readings
    follows each new one by `interval_share`, one longer than `longest_interval_s` counting as that.
    """

    nudged_mm: float = REST_REACH.still_mm
    nudged_s: float = 0.4
    home_s: float = 0.08
    forget_s: float = 1.5
    first_interval_s: float = 0.2
    interval_share: float = 0.1
    longest_interval_s: float = 2.0
    shortest_step_s: float = 0.02


LYING_MODEL = LyingModel()


class LyingPlace:
    """The place of one card in the middle: where it lies or lay last, and when it was read there."""

    __slots__ = ("at_mm", "ever_read", "interval_s", "read_s", "rest")

    def __init__(self, card: int, place: Point, read_s: float, ever_read: bool) -> None:
        self.at_mm = place
        self.read_s = read_s
        """When it was read there last."""
        self.ever_read = ever_read
        """False for a card of a resumed round that has not been seen yet."""
        self.interval_s = LYING_MODEL.first_interval_s
        """The usual time between two readings."""
        self.rest = Rest(card, LYING_MODEL.nudged_mm)

    def settles(self, t_s: float, point: Point, span_s: float = LYING_MODEL.nudged_s) -> bool:
        """Take a reading; True when it was read there twice: a single reading may be the card in
        flight, or a misreading."""
        self.rest.add_reading(t_s, point, forget_s=LYING_MODEL.forget_s)
        return self.rest.rests(2, span_s)

    def is_home_again(self, t_s: float, point: Point) -> bool:
        """Take a reading in the place that the card had left; True when it lies there again."""
        return self.settles(t_s, point, LYING_MODEL.home_s)

    def follow(self, t_s: float, point: Point) -> None:
        """It was read there: the place follows small drifts at once, a push only once it rests."""
        if distance_mm(point, self.at_mm) <= LYING_MODEL.nudged_mm or self.settles(t_s, point):
            self.at_mm = point
        self.ever_read = True

    def move_to(self, t_s: float, point: Point) -> None:
        """It lies at another place."""
        self.at_mm = point
        self.read_s = t_s
        self.ever_read = True
        self.rest.forget_readings()

    def learn_interval(self, t_s: float) -> None:
        """It was read again in its place."""
        interval_s = min(t_s - self.read_s, LYING_MODEL.longest_interval_s)
        self.interval_s += LYING_MODEL.interval_share * (interval_s - self.interval_s)

    def read_rate(self, dt_s: float) -> float:
        """Share of glimpses so long apart in which it is usually read."""
        return min(1.0, max(dt_s, LYING_MODEL.shortest_step_s) / self.interval_s)

    def learn_from_report(self, glimpse: IndexedGlimpse) -> None:
        """The eye reports on a place in the middle: that is where a card lay that was never read."""
        report = glimpse.places.get(self.rest.card)
        if (
            report is not None
            and self.at_mm == NOWHERE
            and zone_of(report.centre_mm, glimpse.table) is Zone.MIDDLE
        ):
            self.at_mm = report.centre_mm
