"""Where things are at a moment: poses, tracks of keys between which things glide, and reaching
hands.

Knows millimetres and seconds of a script; knows nothing of pictures, cards or rules.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from math import atan2, cos, degrees, pi, sin

Point = tuple[float, float]

PAPER_MM = 0.4
"""Height of a card that lies."""


@dataclass(frozen=True, slots=True)
class Pose:
    """A thing's place: centre, turn (clockwise as the camera sees it), height above the table,
    which side is up, and how much of its width shows while it is turned over. What rests `away` is
    out of sight. Of things that lie over one another the one with the higher `layer` is above, of
    one layer the one that came last."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    height_mm: float = PAPER_MM
    up: bool = True
    squash: float = 1.0
    away: bool = False
    layer: int = 0

    @property
    def point_mm(self) -> Point:
        """The centre on the table."""
        return self.x_mm, self.y_mm


@dataclass(frozen=True, slots=True)
class Key:
    """From `start_s` to `end_s` the thing goes to `pose`, through the air when `lift_mm` is above
    0."""

    start_s: float
    end_s: float
    pose: Pose
    lift_mm: float = 0.0


@dataclass(slots=True)
class Track:
    """One thing's way through the evening: where it starts, then its keys in order of time."""

    thing: str
    first: Pose
    keys: list[Key] = field(default_factory=list)

    @property
    def last(self) -> Pose:
        """Where the thing is at the end of all that is scripted so far."""
        return self.keys[-1].pose if self.keys else self.first

    def at(self, t_s: float) -> tuple[Pose, float]:
        """The pose at `t_s`, and since when the thing is on top of what lay there (the start of its
        last move)."""
        index = bisect_right(self.keys, t_s, key=lambda key: key.start_s) - 1
        if index < 0:
            return self.first, -1.0
        key = self.keys[index]
        before = self.keys[index - 1].pose if index else self.first
        return _between(before, key, t_s), key.start_s


def ease(share: float) -> float:
    """0..1 to 0..1, slow at both ends, as arms move."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def _between(before: Pose, key: Key, t_s: float) -> Pose:
    if t_s >= key.end_s:
        return key.pose
    u = ease((t_s - key.start_s) / max(key.end_s - key.start_s, 1e-6))
    after = key.pose
    if before.away and after.away:
        return after
    turn = before.turn_deg + ((after.turn_deg - before.turn_deg + 180) % 360 - 180) * u
    height = before.height_mm + (after.height_mm - before.height_mm) * u + key.lift_mm * sin(pi * u)
    pose = Pose(
        _mix(before.x_mm, after.x_mm, u),
        _mix(before.y_mm, after.y_mm, u),
        turn,
        height,
        after.up,
        layer=after.layer,
    )
    if before.up == after.up:
        return pose
    return replace(pose, up=before.up if u < 0.5 else after.up, squash=max(abs(cos(pi * u)), 0.06))


def _mix(a: float, b: float, u: float) -> float:
    return a + (b - a) * u


@dataclass(frozen=True, slots=True)
class Stop:
    """The hand's tip is at `point_mm` at `t_s`, in this shape ("point", "grip" or "flat") from
    there on."""

    t_s: float
    point_mm: Point
    shape: str = "grip"


@dataclass(frozen=True, slots=True)
class Reach:
    """One visit of a hand: it comes from out of view over its stops and goes back; `seat` says
    whose. The arm points away from `body_mm`, where its owner sits."""

    seat: int
    body_mm: Point
    stops: tuple[Stop, ...]
    height_mm: float = 28.0

    @property
    def start_s(self) -> float:
        """When the hand sets out."""
        return self.stops[0].t_s

    @property
    def end_s(self) -> float:
        """When the hand is back."""
        return self.stops[-1].t_s

    def at(self, t_s: float) -> tuple[Point, float, str]:
        """The tip, the direction it points in (from -y, clockwise) and the shape at `t_s`, which
        must be in the visit."""
        index = max(bisect_right(self.stops, t_s, key=lambda stop: stop.t_s) - 1, 0)
        here, there = self.stops[index], self.stops[min(index + 1, len(self.stops) - 1)]
        u = ease((t_s - here.t_s) / max(there.t_s - here.t_s, 1e-6))
        tip = (
            _mix(here.point_mm[0], there.point_mm[0], u),
            _mix(here.point_mm[1], there.point_mm[1], u),
        )
        dx, dy = tip[0] - self.body_mm[0], tip[1] - self.body_mm[1]
        return tip, degrees(atan2(dx, -dy)), here.shape


def polar(centre: Point, angle_deg: float, reach_x_mm: float, reach_y_mm: float) -> Point:
    """The point of an ellipse about `centre` in the direction `angle_deg` (from -y, clockwise)."""
    angle = angle_deg * pi / 180
    return centre[0] + reach_x_mm * sin(angle), centre[1] - reach_y_mm * cos(angle)
