"""The tray seen as a picture without pictures: what a good eye would say of it, changes missed and
changes that were none included.

Knows which part of each thing in the tray shows; knows nothing of markers.
"""

from __future__ import annotations

from dataclasses import replace
from math import cos, hypot, radians, sin
from random import Random

from card_printables.marker import DISC_MM
from card_printables.token import TRAY_HEIGHT_MM, TRAY_WIDTH_MM
from companion.practice.acting.motion import Point, Pose
from companion.practice.layout import TableLayout
from companion.table.sighting import TrayReport

_CELL_MM = 6.0
_BESIDE_MM = 20.0
_SETTLES = 3
"""So many looks without a hand before the picture counts as quiet."""

_NOTICED_MM2 = 500.0
_MISSED, _FALSE = 0.02, 0.005
"""Shares of changes that go unnoticed, and of a hand's visits after which one is seen that was none.
"""

_STILL_MM = 4.0
_PUSHED_MM = 4.0

Cell = tuple[int, int]


class TrayWitness:
    """Looks at the tray of one table; `report` each moment, oldest first."""

    def __init__(self, layout: TableLayout, rng: Random) -> None:
        self._layout, self._rng = layout, rng
        self._shown: dict[Cell, tuple[str, int, int, int]] = {}
        self._key: tuple[tuple[str, Point, float], ...] | None = None
        self._version, self._covered_mm2, self._waited = 0, 0.0, 0
        self._visited = False
        self._lost = False
        self._solid: dict[str, Pose] = {}
        self._cells = self._grid()

    def report(
        self, things: dict[str, Pose], hand_there: bool, tray: Pose | None
    ) -> TrayReport | None:
        """What the tray's picture says, which lies there now; None without a tray, and on the first
        quiet look after it was pushed. `things` in view, the lowest first."""
        if tray is None or self._layout.tray is None:
            return None
        if (
            hypot(tray.x_mm - self._layout.tray.x_mm, tray.y_mm - self._layout.tray.y_mm)
            > _PUSHED_MM
        ):
            self._layout = replace(self._layout, tray=tray)
            self._cells = self._grid()
            self._waited, self._lost = 0, True
        there = {name: pose for name, pose in things.items() if self._near(pose)}
        solid = {name: pose for name, pose in there.items() if "/" not in name}
        moving = solid != self._solid or any(
            pose.height_mm > _STILL_MM for name, pose in there.items() if name not in solid
        )
        self._solid = solid
        if hand_there or moving:
            self._waited, self._visited = 0, True
        else:
            self._waited += 1
        quiet = self._waited >= _SETTLES
        if quiet and self._lost:
            self._lost, self._shown = False, self._shows(there)
            self._key = _key_of(there)
            self._covered_mm2 = 0.0
            return None
        if quiet:
            self._look(there)
        return TrayReport(self._in_view(), quiet, self._version, self._covered_mm2)

    def _look(self, there: dict[str, Pose]) -> None:
        key = _key_of(there)
        false, self._visited = self._visited and self._rng.random() < _FALSE, False
        if false:
            self._version += 1
        if key == self._key:
            return
        self._key = key
        shown = self._shows(there)
        cells = {*shown, *self._shown}
        changed = sum(shown.get(cell) != self._shown.get(cell) for cell in cells) * _CELL_MM**2
        if changed < _NOTICED_MM2 or self._rng.random() < _MISSED:
            return
        self._shown, self._version = shown, self._version + 1
        self._covered_mm2 = len(shown) * _CELL_MM**2 * self._rng.uniform(0.93, 1.07)

    def _shows(self, there: dict[str, Pose]) -> dict[Cell, tuple[str, int, int, int]]:
        """By cell, what lies on top there, and how it lies."""
        shown: dict[Cell, tuple[str, int, int, int]] = {}
        for name, pose in there.items():
            look = (name, round(pose.x_mm / 3), round(pose.y_mm / 3), round(pose.turn_deg / 4))
            for cell, (x, y) in self._cells.items():
                if (x - pose.x_mm) ** 2 + (y - pose.y_mm) ** 2 < (DISC_MM / 2) ** 2:
                    shown[cell] = look
        return shown

    def _grid(self) -> dict[Cell, Point]:
        """The cells of the tray and a little beside it that the picture holds, with their centres."""
        tray = self._layout.tray
        if tray is None:
            return {}
        turn = radians(tray.turn_deg)
        across = int((TRAY_WIDTH_MM / 2 + _BESIDE_MM) / _CELL_MM)
        down = int((TRAY_HEIGHT_MM / 2 + _BESIDE_MM) / _CELL_MM)
        cells = {}
        for i in range(-across, across + 1):
            for j in range(-down, down + 1):
                x, y = i * _CELL_MM, j * _CELL_MM
                point = (
                    tray.x_mm + cos(turn) * x - sin(turn) * y,
                    tray.y_mm + sin(turn) * x + cos(turn) * y,
                )
                if self._layout.shows(point):
                    cells[i, j] = point
        return cells

    def _near(self, pose: Pose) -> bool:
        tray = self._layout.tray
        assert tray is not None
        reach = DISC_MM / 2 + _BESIDE_MM
        return (
            abs(pose.x_mm - tray.x_mm) < TRAY_WIDTH_MM / 2 + reach
            and abs(pose.y_mm - tray.y_mm) < TRAY_HEIGHT_MM / 2 + reach
        )

    def _in_view(self) -> float:
        return self._layout.tray_shown


def _key_of(there: dict[str, Pose]) -> tuple[tuple[str, Point, float], ...]:
    return tuple((name, pose.point_mm, pose.turn_deg) for name, pose in there.items())
