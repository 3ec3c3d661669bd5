"""Ink: the few kinds of marks that any printed piece is made of, as plain values in millimetres.

Knows shapes and colours; knows neither pixels nor PDF. `raster` and `draw` paint the same values,
so that the files and the pages cannot differ. Frame of a piece: origin at its centre, x right, y
down; colours are (red, green, blue).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

Point = tuple[float, float]
Rgb = tuple[int, int, int]

WHITE: Rgb = (255, 255, 255)
BLACK: Rgb = (0, 0, 0)
NIGHT: Rgb = (0x15, 0x20, 0x43)
"""Ink of words on white."""
INDIGO: Rgb = (0x33, 0x42, 0x7E)
"""Ground of the card backs."""
GREY: Rgb = (0x6B, 0x78, 0x9E)
"""Ink of lines and of less important words on white."""


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    points_mm: tuple[Point, ...]
    ink: Rgb


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle, or with `line_mm` its outline of that width, centred on the circle."""

    centre_mm: Point
    radius_mm: float
    ink: Rgb
    line_mm: float | None = None
    dash_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line through `points_mm`, with round ends; `closed` joins the last point to the first."""

    points_mm: tuple[Point, ...]
    ink: Rgb
    width_mm: float
    closed: bool = False
    dash_mm: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Words:
    """One line of type: `at_mm` is on the baseline at the start (`align` -1), middle (0) or end
    (1); `size_mm` is the em; `turn_deg` is clockwise as seen."""

    text: str
    at_mm: Point
    size_mm: float
    ink: Rgb
    align: int = -1
    turn_deg: float = 0.0
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Modules:
    """Square modules: `cells` (n, n) bool, True is dark; `centre_mm` and `side_mm` of the whole
    square, light ones unprinted."""

    cells: np.ndarray
    centre_mm: Point
    side_mm: float


@dataclass(frozen=True, slots=True)
class Art:
    """The cloud picture of a card: a square centred on the piece."""

    card: int
    side_mm: float


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph as JPEG, upright, with its centre and size."""

    jpeg: bytes
    centre_mm: Point
    width_mm: float
    height_mm: float


Mark = Area | Disc | Line | Words | Modules | Art | Photo


@dataclass(frozen=True, slots=True)
class Design:
    """A piece: trim size, whether it is round, and its marks in the order of painting. Paper shows
    where nothing is painted."""

    width_mm: float
    height_mm: float
    round: bool
    marks: tuple[Mark, ...]


def rectangle(
    centre_mm: Point, width_mm: float, height_mm: float, radius_mm: float = 0.0
) -> tuple[Point, ...]:
    """The polygon of an upright rectangle, its corners rounded by `radius_mm`."""
    x, y = centre_mm
    w, h, r = width_mm / 2, height_mm / 2, radius_mm
    if r == 0:
        return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))
    points: list[Point] = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        turns = np.radians(np.linspace(90 * quarter, 90 * quarter + 90, 9))
        points += [
            (x + sx * (w - r) + r * float(np.cos(t)), y + sy * (h - r) + r * float(np.sin(t)))
            for t in turns
        ]
    return tuple(points)


def scaled(mark: Mark, by: float) -> Mark:
    """The mark `by` times as large about the origin, its pens and letters too; pictures (`Art`)
    stay as they are."""

    def at(point: Point) -> Point:
        return (point[0] * by, point[1] * by)

    match mark:
        case Area():
            return replace(mark, points_mm=tuple(map(at, mark.points_mm)))
        case Line():
            return replace(
                mark, points_mm=tuple(map(at, mark.points_mm)), width_mm=mark.width_mm * by
            )
        case Disc():
            line = None if mark.line_mm is None else mark.line_mm * by
            return replace(
                mark, centre_mm=at(mark.centre_mm), radius_mm=mark.radius_mm * by, line_mm=line
            )
        case Words():
            return replace(mark, at_mm=at(mark.at_mm), size_mm=mark.size_mm * by)
        case Modules():
            return replace(mark, centre_mm=at(mark.centre_mm), side_mm=mark.side_mm * by)
        case Photo():
            wide, high = mark.width_mm * by, mark.height_mm * by
            return replace(mark, centre_mm=at(mark.centre_mm), width_mm=wide, height_mm=high)
        case Art():
            return mark
