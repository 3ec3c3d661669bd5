"""A picture of the table and of nothing about it: what may be kept of a picture once people allowed it.

Knows the table's plane and pixels; must not know files, screens or the game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.geometry.place import Point, Polygon
from calibration.geometry.plane import Plane

MARGIN_MM = 70.0
"""So far beyond the tokens' centres the table is kept: a token's outer corner lies 57 mm from its
centre."""

TRAY_MARGIN_MM = 20.0
"""So far beyond the tray's sheet (chosen)."""


def table_only(image: np.ndarray, plane: Plane | None) -> np.ndarray | None:
    """A copy of `image` (H, W, 3) uint8 BGR that is black wherever neither the middle between the
    tokens nor the tray lies: people about the table are not in it, hands over it are. None while
    the tokens do not tell where the table is."""
    outlines = _outlines_px(image, plane)
    if not outlines:
        return None
    kept = np.zeros(image.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(kept, [np.round(outline).astype(np.int32)], 255)
    return cv2.bitwise_and(image, image, mask=kept)


def _outlines_px(image: np.ndarray, plane: Plane | None) -> list[np.ndarray]:
    """What of the picture is table, as outlines (N, 2) px; none while that is not known."""
    if plane is None or plane.middle_mm is None or not plane.middle_from_tokens:
        return []
    if plane.size_px != image.shape[1::-1]:
        return []
    edges = [
        plane.to_px(_edge_mm(outline, margin_mm))
        for outline, margin_mm in ((plane.middle_mm, MARGIN_MM), (plane.tray_mm, TRAY_MARGIN_MM))
        if outline is not None
    ]
    return [edge for edge in edges if np.isfinite(edge).all()]


def _edge_mm(outline: Polygon, margin_mm: float) -> np.ndarray:
    """Points (N, 2) mm along the outline moved outwards; many, for a lens bends its sides."""
    corners = np.array(outline, float)
    out = corners - corners.mean(axis=0)
    corners = corners + out / np.linalg.norm(out, axis=1, keepdims=True) * margin_mm
    steps = np.linspace(0, 1, 16, endpoint=False)[:, None]
    sides = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    return np.concatenate([here + (there - here) * steps for here, there in sides])


@dataclass(frozen=True, slots=True)
class TableArea:
    """The table alone, cut out of one picture and made small: `image` (h, w, 3) uint8 BGR, black about
    the table. `plane` is of the whole picture, of which `corner_px` is its top left and `scale` how
    many of its pixels one pixel there is."""

    image: np.ndarray
    plane: Plane
    corner_px: tuple[float, float]
    scale: float

    def shares(self, points_mm: Iterable[Point]) -> list[Point]:
        """Where these places of the table lie in it, as shares of its width: x to the right, y down;
        (-1, -1) for what it cannot show."""
        points = np.array(list(points_mm), float).reshape(-1, 2)
        inside = (self.plane.to_px(points) - self.corner_px) * self.scale / self.image.shape[1]
        return [(round(x, 4), round(y, 4)) for x, y in np.nan_to_num(inside, nan=-1.0).tolist()]


def small_table(image: np.ndarray, plane: Plane | None, width_px: int) -> TableArea | None:
    """The table alone, `width_px` wide at most; None while the tokens do not tell where it is."""
    outlines = _outlines_px(image, plane)
    if plane is None or not outlines:
        return None
    height, width = image.shape[:2]
    every = np.concatenate(outlines)
    left, top = np.clip(np.floor(every.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    right, low = np.clip(np.ceil(every.max(axis=0)) + 1, (left + 1, top + 1), (width, height))
    scale = min(1.0, width_px / float(right - left))
    size = max(1, round((right - left) * scale)), max(1, round((low - top) * scale))
    small = cv2.resize(image[top : int(low), left : int(right)], size, interpolation=cv2.INTER_AREA)
    kept = np.zeros(small.shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(kept, [np.round((outline - (left, top)) * scale).astype(np.int32)], 255)
    alone = cv2.bitwise_and(small, small, mask=kept)
    return TableArea(alone, plane, (float(left), float(top)), scale)
