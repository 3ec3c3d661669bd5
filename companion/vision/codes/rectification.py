"""The picture rectified, as if the camera stood right over the table:
where every code has the same known size, and only place and
turn are open.

Knows the plane and the printed size; knows no words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from card_printables.marker import MODULES
from companion.vision.codes.detection import Box
from companion.vision.codes.pose import poses_of_corners
from companion.vision.frame.image_pyramid import ImagePyramid
from companion.vision.frame.plane_mapping import PlaneMapping

LARGEST_PITCH_PX = 1.25
"""Pixels a module of the rectified picture, at most."""

LARGEST_AREA_PX = 1_600_000
"""Pixels of the rectified picture, at most..."""

LARGEST_AREA_SHARE = 0.3
"""...or this share of a larger picture's own (80 cards lie in 12 million)."""

FEWEST_PX_PER_MODULE = 0.55
"""Fewest pixels a module, in the worse direction, at which codes are looked for."""

_KNOT_STEP_PX = 16
"""Flat pixels between the knots at which the plane is asked; between them the map is as good as
straight."""


@dataclass(frozen=True, slots=True)
class Rectification:
    """A map that rectifies the picture: `pitch` px a module, `origin_mm` of its first pixel,
    cv2.remap's two maps (float32, twice as fast as fixed ones in OpenCV 5), and which halved
    picture they are for; `finest` is the most picture px a module has anywhere."""

    pitch: float
    module_mm: float
    origin_mm: np.ndarray
    x: np.ndarray
    y: np.ndarray
    level: int
    finest: float

    def table_mm(self, points: np.ndarray) -> np.ndarray:
        """Table mm of rectified pixels (N, 2)."""
        return self.origin_mm + points * (self.module_mm / self.pitch)

    def rectified_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Flat pixels of table mm (N, 2)."""
        pixels: np.ndarray = (points_mm - self.origin_mm) * (self.pitch / self.module_mm)
        return pixels

    def rectify(self, pyramid: ImagePyramid) -> np.ndarray:
        """The rectified picture, uint8; black where the camera sees nothing."""
        return cv2.remap(
            pyramid.level(self.level),
            self.x,
            self.y,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
        )


def cropped_to(rectification: Rectification, boxes: np.ndarray) -> Rectification | None:
    """The part of the rectification that holds the boxes (M, 4) rectified px with a code's
    surroundings; None where it has none."""
    if not len(boxes):
        return None
    around = np.ceil(18 * rectification.pitch)
    height, width = rectification.y.shape
    left, top = (int(v) for v in np.clip(boxes[:, :2].min(axis=0) - around, 0, [width, height]))
    right, bottom = (int(v) for v in np.clip(boxes[:, 2:].max(axis=0) + around, 0, [width, height]))
    if min(right - left, bottom - top) < around:
        return None
    piece = np.s_[top:bottom, left:right]
    origin = rectification.table_mm(np.array([[left, top]], float))[0]
    return Rectification(
        rectification.pitch,
        rectification.module_mm,
        origin,
        rectification.x[piece],
        rectification.y[piece],
        rectification.level,
        rectification.finest,
    )


def for_larger_modules(
    rectification: Rectification, picture: np.ndarray, module_mm: float
) -> tuple[Rectification, np.ndarray]:
    """The same for codes of larger modules: another rectification and the rectified picture
    `picture` shrunk to it."""
    factor = rectification.module_mm / module_mm
    shrunk = cv2.resize(
        picture,
        None,
        fx=factor,
        fy=factor,
        interpolation=cv2.INTER_LINEAR if factor > 0.5 else cv2.INTER_AREA,
    )
    origin = rectification.table_mm(np.array([[0.5 / factor - 0.5, 0.5 / factor - 0.5]]))[0]
    return Rectification(
        rectification.pitch,
        module_mm,
        origin,
        rectification.x,
        rectification.y,
        rectification.level,
        rectification.finest / factor,
    ), shrunk


def rectification_of(
    plane: PlaneMapping, size: tuple[int, int], module_mm: float
) -> Rectification | None:
    """The rectification of a picture of `size` (width, height), or None where codes would be too
    small everywhere."""
    width, height = size
    u, v = np.meshgrid(np.linspace(0, width - 1, 25), np.linspace(0, height - 1, 15))
    seen = np.stack([u.ravel(), v.ravel()], 1)
    mm = plane.to_mm(seen)
    scale = _px_per_module(plane, mm, module_mm)
    good = np.isfinite(mm).all(1) & (scale > FEWEST_PX_PER_MODULE)
    if not good.any():
        return None
    low, high = mm[good].min(0), mm[good].max(0)
    most = max(LARGEST_AREA_PX, LARGEST_AREA_SHARE * width * height)
    pitch = min(LARGEST_PITCH_PX, float(np.sqrt(most / np.prod((high - low) / module_mm))))
    cells = np.maximum(np.ceil((high - low) / module_mm * pitch / _KNOT_STEP_PX).astype(int), 1)
    gx, gy = np.meshgrid(
        np.arange(cells[0] + 1) * _KNOT_STEP_PX, np.arange(cells[1] + 1) * _KNOT_STEP_PX
    )
    coarse = plane.to_px(low + np.stack([gx.ravel(), gy.ravel()], 1) * (module_mm / pitch))
    level = int(np.clip(np.floor(np.log2(np.median(scale[good]) / pitch / 0.75)), 0, 6))
    coarse = np.clip(np.nan_to_num(coarse, nan=-1e4), -1e4, 3e4)
    coarse = ((coarse + 0.5) / 2**level - 0.5).astype(np.float32).reshape(*gx.shape, 2)
    shape = (int(cells[0]) * _KNOT_STEP_PX + 1, int(cells[1]) * _KNOT_STEP_PX + 1)
    knots_x, knots_y = np.meshgrid(
        np.arange(shape[0], dtype=np.float32) / _KNOT_STEP_PX,
        np.arange(shape[1], dtype=np.float32) / _KNOT_STEP_PX,
    )
    x, y = (
        cv2.remap(np.ascontiguousarray(coarse[:, :, k]), knots_x, knots_y, cv2.INTER_LINEAR)
        for k in (0, 1)
    )
    return Rectification(pitch, module_mm, low, x, y, level, float(scale[good].max()))


_EDGE_SHARES = np.array(
    [(a, b) for a in np.linspace(0, 1, 5) for b in (0.0, 1.0)]
    + [(a, b) for a in (0.0, 1.0) for b in np.linspace(0, 1, 5)]
)
"""Points along a box's edges, as shares of its width and height: a lens bends the edges."""


def boxes_on_table(plane: PlaneMapping, boxes_px: Sequence[Box] | None) -> np.ndarray | None:
    """Boxes of the picture as boxes round them on the table, (M, 4) mm; None stays None, and boxes
    beyond the horizon are left out."""
    if boxes_px is None:
        return None
    if not len(boxes_px):
        return np.zeros((0, 4))
    low, high = np.split(np.asarray(boxes_px, float), 2, axis=1)
    edges = low[:, None] + _EDGE_SHARES * (high - low)[:, None]
    points = plane.to_mm(edges.reshape(-1, 2))
    seen = np.isfinite(points).all(axis=1, keepdims=True)
    least = np.where(seen, points, np.inf).reshape(edges.shape).min(axis=1)
    most = np.where(seen, points, -np.inf).reshape(edges.shape).max(axis=1)
    return np.asarray(np.hstack([least, most])[np.isfinite(least[:, 0])])


def boxes_in_rectified(
    rectification: Rectification, boxes_mm: np.ndarray | None
) -> np.ndarray | None:
    """Boxes on the table (M, 4) mm as boxes in rectified px, grown by a code's size, for
    `find_candidates`; None stays None."""
    if boxes_mm is None:
        return None
    grow = MODULES * rectification.pitch * np.array([-1, -1, 1, 1])
    return rectification.rectified_px(boxes_mm.reshape(-1, 2)).reshape(-1, 4) + grow


def poses_on_table(
    rectification: Rectification, points: np.ndarray, turns: np.ndarray, plane: PlaneMapping
) -> np.ndarray:
    """The poses (N, 3, 3) of codes lying on the table at rectified px `points` (N, 2), turned by
    `turns` (N,)."""
    half = rectification.module_mm * MODULES / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    cos, sin = np.cos(turns), np.sin(turns)
    turn = np.stack([np.stack([cos, sin], 1), np.stack([-sin, cos], 1)], 1)
    corners = square @ turn + rectification.table_mm(points)[:, None]
    return poses_of_corners(np.nan_to_num(plane.to_px(corners.reshape(-1, 2)).reshape(-1, 4, 2)))


def square_misfit(
    rectification: Rectification, plane: PlaneMapping, corners_px: np.ndarray, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """How badly corners (N, 4, 2) px fit a square of the printed size on the table, rms in sides
    (N,), and how many modules their middles are from rectified px `points` (N, 2); infinite where
    the plane does not reach."""
    side = rectification.module_mm * MODULES
    mm = plane.to_mm(corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    middle = mm.mean(axis=1)
    off = mm - middle[:, None]
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * side
    turn = np.arctan2(
        (square[:, 0] * off[:, :, 1] - square[:, 1] * off[:, :, 0]).sum(1),
        (off * square).sum((1, 2)),
    )
    cos, sin = np.cos(turn), np.sin(turn)
    best = square @ np.stack([np.stack([cos, sin], 1), np.stack([-sin, cos], 1)], 1)
    bent = np.sqrt(((off - best) ** 2).sum(2).mean(1)) / side
    stray = (
        np.linalg.norm(middle - rectification.table_mm(points), axis=1) / rectification.module_mm
    )
    return np.nan_to_num(bent, nan=np.inf), np.nan_to_num(stray, nan=np.inf)


def _px_per_module(plane: PlaneMapping, mm: np.ndarray, module_mm: float) -> np.ndarray:
    """Pixels a module in the weaker direction at table points (N, 2)."""
    along_x, along_y = np.array([module_mm / 2, 0]), np.array([0, module_mm / 2])
    a = plane.to_px(mm + along_x) - plane.to_px(mm - along_x)
    b = plane.to_px(mm + along_y) - plane.to_px(mm - along_y)
    with np.errstate(all="ignore"):
        square = (a * a + b * b).sum(1)
        area = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        smallest: np.ndarray = np.sqrt(
            np.maximum(square / 2 - np.sqrt(np.maximum(square * square / 4 - area * area, 0)), 0)
        )
        return smallest
