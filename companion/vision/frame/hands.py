"""Hands: moving things that reach into the view, their tip and the side they come from.

Knows the coarse raster: which cells do not look like the ground, and since when each has been
still. Knows nothing of skin: a sleeve, a glove or a stick is a hand too.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from companion.table.sighting import Hand, Point
from companion.vision.frame.raster import Raster

SMALLEST_MM2 = 1200.0
"""A thumb's length of hand; specks and card edges are smaller."""

MOVED_S = 0.6
"""A cell that changed so lately has moved; chosen."""

MOVED_SHARE = 0.06
"""Share of a hand's cells that must have moved: the rest may rest; chosen."""

LARGEST_SHARE = 0.6
"""More of the view than this at once is a lamp or a bump, not a hand."""

ARM_MM = 110.0
"""What does not reach the view's rim (a table's edge in view, a sleeve like the floor) still shows
where it comes from when it is so long, longer than a card: from its end nearer to the rim."""
END_MM = 15.0
"""Of an arm's end nearer to the rim: where it comes from; chosen."""

RIM_CELLS = 2.5
"""Cells no deeper than this are the view's rim."""


def bearing_deg(start: Point, end: Point) -> float:
    """The direction from start to end: degrees from the table's -y axis, clockwise as the camera
    sees it, 0 to 360."""
    return math.degrees(math.atan2(end[0] - start[0], start[1] - end[1])) % 360.0


def _depth_mm(raster: Raster) -> np.ndarray:
    """How far inside the view each cell lies, mm; the outermost cells one step."""
    padded = cv2.copyMakeBorder(
        raster.inside.astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0
    )
    return raster.step_mm * cv2.distanceTransform(padded, cv2.DIST_L2, 3)[1:-1, 1:-1]


def _hand(cells: np.ndarray, depth_mm: np.ndarray, raster: Raster) -> Hand:
    rows, columns = np.nonzero(cells)
    depth = depth_mm[rows, columns]
    at_rim = float(depth.min()) <= RIM_CELLS * raster.step_mm
    entry = depth <= (RIM_CELLS * raster.step_mm if at_rim else float(depth.min()) + END_MM)
    er, ec = float(rows[entry].mean()), float(columns[entry].mean())
    far = np.hypot(rows - er, columns - ec)
    at = int(0.98 * (far.size - 1))
    reach = far >= np.partition(far, at)[at]
    if not at_rim and float(far.max()) * raster.step_mm < ARM_MM:
        middle = int(np.argmin(np.hypot(rows - rows.mean(), columns - columns.mean())))
        return Hand(raster.point_at(float(rows[middle]), float(columns[middle])), None)
    tip = raster.point_at(float(rows[reach].mean()), float(columns[reach].mean()))
    return Hand(tip, bearing_deg(tip, raster.point_at(er, ec)))


def find_hands(
    foreign: np.ndarray, stable_s: np.ndarray, cards: np.ndarray, raster: Raster
) -> tuple[list[Hand], np.ndarray, np.ndarray]:
    """Hands in view, largest first, the coarse cells they cover (bool), and those of them that
    reach in from the view's rim (a reflection, however long, does not); `cards` are cells where
    known cards lie."""
    moved = (stable_s < MOVED_S) & raster.inside
    body = (foreign | (stable_s < 0.25)) & raster.inside & ~(cards & ~moved)
    if np.count_nonzero(body) > LARGEST_SHARE * max(1, int(np.count_nonzero(raster.inside))):
        return [], np.zeros_like(foreign), np.zeros_like(foreign)
    opened = cv2.morphologyEx(body.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    depth_mm, covered, reaching, found = (
        _depth_mm(raster),
        np.zeros_like(foreign),
        np.zeros_like(foreign),
        [],
    )
    for i in range(1, count):
        x, y, w, h, area = (int(a) for a in stats[i])
        box = (slice(y, y + h), slice(x, x + w))
        part = labels[box] == i
        if (
            area * raster.step_mm**2 < SMALLEST_MM2
            or np.count_nonzero(part & moved[box]) < MOVED_SHARE * area
        ):
            continue
        cells = labels == i
        covered |= cells
        found.append((area, _hand(cells, depth_mm, raster)))
        if depth_mm[cells].min() <= RIM_CELLS * raster.step_mm:
            reaching |= cells
    return [hand for _, hand in sorted(found, key=lambda pair: -pair[0])], covered, reaching
