"""How people lay wrong cards in the tray: side by side, over one another, under, in a fan, in a heap
or half beside it.

Knows the tray's place and what lies in it; knows nothing of rules and pictures. A pose's `layer`
says what lies on what.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, hypot, radians, sin
from random import Random
from typing import Literal

from card_printables.marker import DISC_MM
from card_printables.token import TOKEN_MM, TRAY_HEIGHT_MM, TRAY_WIDTH_MM
from companion.practice.acting.motion import Point, Pose
from companion.practice.layout import TableLayout

PileWay = Literal["apart", "overlapping", "on_top", "under", "fan", "heap", "edge"]

PILE_FAULTS: tuple[tuple[str, PileWay], ...] = (
    ("pile_on_top", "on_top"),
    ("pile_under", "under"),
    ("pile_fan", "fan"),
    ("pile_heap", "heap"),
    ("tray_edge", "edge"),
)
"""The switch that makes people pile in each way, in the order in which they are tried."""

_STEP_MM = (20.0, 60.0)
"""How far the newest card lies from the last one, where cards are piled."""

_FAN_MM, _FAN_DEG = (24.0, 40.0), 24.0
_HEAP_MM = 7.0
_EDGE_OFF_MM = (-22.0, 22.0)
"""How far outside the tray's edge (negative: inside) the centre of a card laid half beside it is."""

_PUSHED = 0.4
"""How often a card slid under others pushes them."""


@dataclass(frozen=True, slots=True)
class PileHabit:
    """How this table piles: the way, whether the newest goes under in fans and heaps as well, and
    where in the tray it begins."""

    way: PileWay = "apart"
    newest_under: bool = False
    start: Point = (0.0, 0.0)
    along_deg: float = 0.0


def pile_habit(way: PileWay, rng: Random) -> PileHabit:
    """This evening's habit of piling in `way`."""
    start = (rng.uniform(-45, 45), rng.uniform(-25, 25))
    under = way == "under" or (way in ("fan", "heap") and rng.random() < 0.35)
    return PileHabit(way, under, start, rng.choice((0.0, 0.0, 180.0, 90.0)) + rng.uniform(-20, 20))


def place_in_tray(
    layout: TableLayout, habit: PileHabit, lying: Sequence[Pose], rng: Random
) -> Pose:
    """Where the next card set aside is put, beside, on or under those `lying` there (oldest first).

    Raises:
        ValueError: this table has no tray.
    """
    if layout.tray is None:
        raise ValueError("this table has no tray")
    if habit.way in ("apart", "overlapping"):
        return layout.slot(len(lying), rng, habit.way == "overlapping")
    at = _spot(layout, layout.tray, habit, lying, rng)
    layers = [0, *(pose.layer for pose in lying)]
    layer = min(layers) - 1 if habit.newest_under else max(layers) + 1
    return Pose(*at, rng.uniform(0, 360), layer=layer)


def pushed(lying: Sequence[Pose], habit: PileHabit, rng: Random) -> list[Pose]:
    """Where those lying there are after the newest came: sometimes pushed a little, when it was
    slid under them."""
    if not habit.newest_under or not lying or rng.random() >= _PUSHED:
        return list(lying)
    dx, dy = rng.uniform(-12, 12), rng.uniform(-12, 12)
    return [
        replace(
            pose,
            x_mm=pose.x_mm + dx + rng.uniform(-3, 3),
            y_mm=pose.y_mm + dy + rng.uniform(-3, 3),
            turn_deg=pose.turn_deg + rng.uniform(-8, 8),
        )
        for pose in lying
    ]


def _spot(
    layout: TableLayout, tray: Pose, habit: PileHabit, lying: Sequence[Pose], rng: Random
) -> Point:
    if habit.way == "edge":
        return _on_the_edge(layout, tray, lying, rng)
    if not lying:
        return _kept_inside(tray, _off(tray, habit.start))
    last = lying[-1].point_mm
    if habit.way == "heap":
        first = lying[0].point_mm
        return first[0] + rng.gauss(0, _HEAP_MM), first[1] + rng.gauss(0, _HEAP_MM)
    if habit.way == "fan":
        angle = radians(tray.turn_deg + habit.along_deg + _FAN_DEG * (len(lying) - 1))
        return _step(tray, last, angle, rng.uniform(*_FAN_MM))
    return _step(tray, last, rng.uniform(0, 6.2832), rng.uniform(*_STEP_MM))


def _step(tray: Pose, last: Point, angle: float, step_mm: float) -> Point:
    """So far from the last one, turned back where the tray ends."""
    for turn in (0.0, 2.1, 4.2, 3.1416):
        to = (
            last[0] + step_mm * cos(angle + turn),
            last[1] + step_mm * sin(angle + turn),
        )
        kept = _kept_inside(tray, to)
        if hypot(kept[0] - to[0], kept[1] - to[1]) < 8:
            return kept
    return kept


def _on_the_edge(layout: TableLayout, tray: Pose, lying: Sequence[Pose], rng: Random) -> Point:
    """Half on the tray, half beside it; off the tokens and the middle, and off the others if it
    may be."""
    half_w, half_h = TRAY_WIDTH_MM / 2, TRAY_HEIGHT_MM / 2
    spots = []
    for _ in range(60):
        off = rng.uniform(*_EDGE_OFF_MM)
        along = rng.uniform(-0.8, 0.8)
        local = rng.choice(
            (
                (along * half_w, half_h + off),
                (along * half_w, -half_h - off),
                (half_w + off, along * half_h),
                (-half_w - off, along * half_h),
            )
        )
        spot = _off(tray, local)
        reach = DISC_MM / 2
        in_middle = (
            -reach < spot[0] < layout.width_mm + reach
            and -reach < spot[1] < layout.height_mm + reach
        )
        blocked = in_middle or any(
            hypot(spot[0] - t.x_mm, spot[1] - t.y_mm) < TOKEN_MM * 0.72 + reach
            for t in layout.tokens
        )
        if not blocked:
            apart = min((hypot(spot[0] - p.x_mm, spot[1] - p.y_mm) for p in lying), default=999.0)
            if (apart > _STEP_MM[0] and rng.random() < 0.3) or apart > DISC_MM:
                return spot
            spots.append(spot)
    return spots[0] if spots else _off(tray, (half_w - 15.0, 0.0))


def _off(tray: Pose, local: Point) -> Point:
    turn = radians(tray.turn_deg)
    x, y = local
    return tray.x_mm + cos(turn) * x - sin(turn) * y, tray.y_mm + sin(turn) * x + cos(turn) * y


def _kept_inside(tray: Pose, point: Point) -> Point:
    """The nearest point from which a disc lies on the tray but for a finger's breadth."""
    turn = radians(-tray.turn_deg)
    dx, dy = point[0] - tray.x_mm, point[1] - tray.y_mm
    x, y = cos(turn) * dx - sin(turn) * dy, sin(turn) * dx + cos(turn) * dy
    w, h = TRAY_WIDTH_MM / 2 - DISC_MM / 2 + 8, TRAY_HEIGHT_MM / 2 - DISC_MM / 2 + 8
    return _off(tray, (max(-w, min(w, x)), max(-h, min(h, y))))
