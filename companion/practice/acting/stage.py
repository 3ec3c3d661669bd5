"""The stage on which a script is written: a running clock, tracks of things, visits of hands,
effects.

Knows how an arm carries, points, turns over, gathers and pushes; knows nothing of rules and
pictures.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from random import Random

from companion.practice.acting.motion import PAPER_MM, Key, Point, Pose, Reach, Stop, Track
from companion.practice.layout import TableLayout

_GRIP_MM = 22.0
"""Fingertips hold a card this far from its centre, on the side of the arm."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that befalls the picture from `start_s` to `end_s`: its kind (a field of `Faults`),
    how strong (-1..1), and where on the table."""

    kind: str
    start_s: float
    end_s: float
    amount: float = 1.0
    at_mm: Point = (0.0, 0.0)


class Stage:
    """Writes an evening down, deed by deed; `now_s` is the time of the next deed."""

    def __init__(self, layout: TableLayout, rng: Random) -> None:
        self.layout = layout
        self.rng = rng
        self.now_s = 0.0
        self.tracks: dict[str, Track] = {}
        self.reaches: list[Reach] = []
        self.effects: list[Effect] = []
        self.tray_track = Track("tray", layout.tray) if layout.tray is not None else None

    def add(self, thing: str, pose: Pose) -> str:
        """Put a new thing on the stage, from the beginning at `pose`."""
        self.tracks[thing] = Track(thing, pose)
        return thing

    def where(self, thing: str) -> Pose:
        """Where the thing is once all deeds so far are done."""
        return self.tracks[thing].last

    def wait(self, low_s: float, high_s: float | None = None) -> None:
        """Let some time pass."""
        self.now_s += low_s if high_s is None else self.rng.uniform(low_s, high_s)

    def befall(
        self, kind: str, lasts_s: float, amount: float = 1.0, at_mm: Point = (0.0, 0.0)
    ) -> None:
        """Let an effect begin now."""
        self.effects.append(Effect(kind, self.now_s, self.now_s + lasts_s, amount, at_mm))

    def push_tray(self, start_s: float, end_s: float, pose: Pose) -> None:
        """Let the tray go to `pose` between two moments; what lies on it goes by its own moves."""
        assert self.tray_track is not None
        self.tray_track.keys.append(Key(start_s, end_s, pose))
        self.layout = replace(self.layout, tray=pose)

    def linger(self, seconds: float) -> None:
        """The hand of the last visit stays so long where it put down what it held; the others go on
        meanwhile."""
        last = self.reaches.pop()
        *there, out = last.stops
        stays = replace(there[-1], t_s=there[-1].t_s + seconds)
        gone = replace(out, t_s=out.t_s + seconds)
        self.now_s = there[-1].t_s + self.rng.uniform(0.1, 0.6)
        self.reaches.append(replace(last, stops=(*there, stays, gone)))

    def touch(self, seat: int, points: list[Point], hold_s: float, shape: str) -> None:
        """A hand comes, is at each point for a while, and goes."""
        stops = [self._out(seat, self.now_s, shape)]
        for point in points:
            arrives = stops[-1].t_s + self._way_s(stops[-1].point_mm, point)
            stops += [Stop(arrives, point, shape), Stop(arrives + hold_s, point, shape)]
        self._end(seat, stops, shape)

    def carry(self, seat: int, thing: str, to: Pose, lift_mm: float = 34.0) -> float:
        """A hand takes a thing from where it lies to `to`; the moment in which it leaves its place
        is returned."""
        return self.gather(seat, [thing], to, lift_mm)[0]

    def gather(
        self, seat: int, things: list[str], to: Pose, lift_mm: float = 34.0, shape: str = "grip"
    ) -> list[float]:
        """One visit: a hand takes the things in order, each with it, and puts them on one heap at
        `to`.

        The moments in which they leave their places are returned. With `lift_mm` 0 they are pushed.
        """
        stops, left, held = [self._out(seat, self.now_s, shape)], [], 0
        for index, thing in enumerate(things):
            here = self._grip(seat, self.where(thing).point_mm)
            arrives = stops[-1].t_s + self._way_s(stops[-1].point_mm, here)
            self._take_along(things[:held], stops[-1].t_s, arrives, self.where(thing), lift_mm)
            grips = arrives + self.rng.uniform(0.12, 0.28)
            stops += [Stop(arrives, here, shape), Stop(grips, here, shape)]
            left.append(grips)
            held = index + 1
        there = self._grip(seat, to.point_mm)
        puts = stops[-1].t_s + self._way_s(stops[-1].point_mm, there) * 1.15
        self._take_along(things, stops[-1].t_s, puts, to, lift_mm, settle=True)
        stops += [Stop(puts, there, shape), Stop(puts + 0.12, there, shape)]
        self._end(seat, stops, shape)
        return left

    def take_heap(self, seat: int, things: list[str], to: Pose) -> float:
        """A hand takes a whole heap at once to `to`; the moment in which it leaves is returned."""
        here, there = (
            self._grip(seat, self.where(things[-1]).point_mm),
            self._grip(seat, to.point_mm),
        )
        first = self._out(seat, self.now_s, "grip")
        arrives = self.now_s + self._way_s(first.point_mm, here)
        lifts = arrives + self.rng.uniform(0.2, 0.5)
        puts = lifts + self._way_s(here, there) * 1.1
        self._take_along(things, lifts, puts, to, 34.0, settle=True)
        self._end(
            seat,
            [
                first,
                Stop(arrives, here),
                Stop(lifts, here),
                Stop(puts, there),
                Stop(puts + 0.1, there),
            ],
            "grip",
        )
        return lifts

    def bring(self, seat: int, thing: str, to: Pose) -> float:
        """A hand comes from out of view with a thing and lays it down; the moment in which it lies
        is returned."""
        start = self.where(thing)
        leaves, there = self.now_s + 0.05, self._grip(seat, to.point_mm)
        first = Stop(self.now_s, self._grip(seat, start.point_mm), "grip")
        puts = leaves + self._way_s(first.point_mm, there)
        self.move(thing, leaves, puts, to, 30.0)
        self._end(
            seat,
            [first, Stop(leaves, first.point_mm), Stop(puts, there), Stop(puts + 0.1, there)],
            "grip",
        )
        return puts

    def turn_over(self, seat: int, thing: str) -> float:
        """A hand turns a thing over where it lies; the moment in which it begins to turn is
        returned."""
        pose = self.where(thing)
        point = self._grip(seat, pose.point_mm)
        arrives = self.now_s + self._way_s(self._out(seat, 0, "grip").point_mm, point)
        begins, done = arrives + 0.15, arrives + 0.15 + self.rng.uniform(0.35, 0.6)
        x, y = pose.x_mm + self.rng.uniform(-5, 5), pose.y_mm + self.rng.uniform(-5, 5)
        shifted = replace(pose, up=not pose.up, x_mm=x, y_mm=y)
        self.move(thing, begins, done, shifted, 26.0)
        self._end(
            seat,
            [self._out(seat, self.now_s, "grip"), Stop(arrives, point), Stop(done + 0.1, point)],
            "grip",
        )
        return begins

    def hold(self, seat: int, stops: tuple[Stop, ...], back: Point, puts_s: float) -> None:
        """A hand that has been through `stops` puts down at `back` what it holds, at `puts_s`, and
        goes."""
        there = self._grip(seat, back)
        self._end(seat, [*stops, Stop(puts_s, there), Stop(puts_s + 0.1, there)], "grip")

    def move(
        self, thing: str, start_s: float, end_s: float, pose: Pose, lift_mm: float = 0.0
    ) -> None:
        """Let a thing go to `pose` by itself between two moments."""
        self.tracks[thing].keys.append(Key(start_s, end_s, pose, lift_mm))

    def _take_along(
        self,
        things: list[str],
        start_s: float,
        end_s: float,
        to: Pose,
        lift_mm: float,
        settle: bool = False,
    ) -> None:
        """Everything in the hand moves with it: in the air between two takes, and onto a heap at
        the end. What is carried off is put down as `to` says, face up as a rule; what is only
        pushed stays as it lies."""
        for index, thing in enumerate(things):
            rest = to.height_mm if lift_mm == 0 or settle else PAPER_MM + lift_mm * 0.6
            height = rest + 0.35 * index
            up = to.up if settle and lift_mm > 0 else self.where(thing).up
            pose = replace(
                self.where(thing),
                x_mm=to.x_mm + self.rng.uniform(-3, 3),
                y_mm=to.y_mm + self.rng.uniform(-3, 3),
                height_mm=height,
                up=up,
                away=settle and to.away,
                layer=to.layer if settle else 0,
            )
            if settle and len(things) == 1:
                pose = replace(pose, x_mm=to.x_mm, y_mm=to.y_mm, turn_deg=to.turn_deg)
            self.move(thing, start_s, end_s, pose, lift_mm * 0.5)

    def _out(self, seat: int, t_s: float, shape: str) -> Stop:
        return Stop(t_s, self.layout.shoulders_mm[seat], shape)

    def _end(self, seat: int, stops: list[Stop], shape: str) -> None:
        out = self.layout.shoulders_mm[seat]
        away = stops[-1].t_s + self._way_s(stops[-1].point_mm, out)
        self.reaches.append(Reach(seat, self.layout.body(seat), (*stops, Stop(away, out, shape))))
        self.now_s = away

    def _grip(self, seat: int, point: Point) -> Point:
        x, y = self.layout.shoulders_mm[seat]
        way = max(hypot(x - point[0], y - point[1]), 1.0)
        return point[0] + (x - point[0]) / way * _GRIP_MM, point[1] + (
            y - point[1]
        ) / way * _GRIP_MM

    def _way_s(self, a: Point, b: Point) -> float:
        """How long an arm takes: about 0.2 s to set out and 1.2 m/s on the way."""
        return (0.2 + hypot(a[0] - b[0], a[1] - b[1]) / 1200) * self.rng.uniform(0.85, 1.2)
