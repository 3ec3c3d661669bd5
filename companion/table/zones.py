"""Which part of the table a point lies in: the middle, the tray, or elsewhere.

Knows polygons in table millimetres.  Knows nothing of cards, rounds or pictures.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from companion.table.sighting import Point, Polygon, TableView

NEAR_TRAY_MM = 25.0
"""A disc whose centre lies so little beside the tray lies on its edge."""


class Zone(StrEnum):
    """A part of the table."""

    MIDDLE = "middle"
    TRAY = "tray"
    EDGE = "edge"


def inside(point: Point, polygon: Polygon) -> bool:
    """True when `point` lies in `polygon` (even-odd rule; three or more corners, either way round)."""
    x, y = point
    odd = False
    x1, y1 = polygon[-1]
    for x2, y2 in polygon:
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
        x1, y1 = x2, y2
    return odd


def distance_mm(a: Point, b: Point) -> float:
    """Straight distance between two points."""
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def nearest_mm(point: Point, others: Iterable[Point]) -> float:
    """Distance from `point` to the nearest of `others`; infinite when there are none."""
    return min((distance_mm(point, other) for other in others), default=float("inf"))


def zone_of(point: Point, table: TableView | None) -> Zone:
    """The part of the table that holds `point`: the tray before the middle, and a finger's
    breadth beside it too; without tokens all is middle."""
    if table is None:
        return Zone.MIDDLE
    if table.tray is not None and inside(point, table.tray):
        return Zone.TRAY
    if table.middle is None or inside(point, table.middle):
        return Zone.MIDDLE
    at_tray = table.tray is not None and outline_mm(point, table.tray) <= NEAR_TRAY_MM
    return Zone.TRAY if at_tray else Zone.EDGE


def outline_mm(point: Point, polygon: Polygon) -> float:
    """Distance from `point` to the polygon's outline."""
    ends = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return min(_to_side_mm(point, a, b) for a, b in ends)


def _to_side_mm(point: Point, a: Point, b: Point) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / max(dx * dx + dy * dy, 1e-9)
    share = min(1.0, max(0.0, along))
    return distance_mm(point, (a[0] + share * dx, a[1] + share * dy))
