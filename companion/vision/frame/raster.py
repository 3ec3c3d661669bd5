"""The table as a raster: one pixel a millimetre (or so), seen straight from above, made from the
camera's picture.

Knows a plane (anything with `to_px`, `to_mm`, `width_px`, `height_px`) and how to keep its maps;
knows nothing of cards. Raster pixel (row i, column j) is the table point origin + (j, i) * step.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from companion.vision.frame.log_colour import softened_picture
from companion.vision.frame.plane_mapping import PicturePlane

LATTICE_MM = 16.0
"""The lens is asked only so often and filled in between: off by less than 0.1 px under a strong
lens (tests/companion/vision/frame/test_raster.py)."""

KEPT_WITHIN_PX = 0.3
"""A plane that shifts points by less keeps the old maps: well under the 1 mm that the bare-table
test forgives."""

LARGEST_TABLE_MM = 1800.0
"""No larger part of the table is watched."""

WATCHED_MARGIN_MM = 260.0
"""Round what the plane knows (tokens, tray) so much more table is watched."""


def _footprint(plane: PicturePlane) -> np.ndarray:
    """Where the picture's rim and inside meet the table, (N, 2) mm; points behind the horizon left
    out."""
    w, h = plane.width_px - 1.0, plane.height_px - 1.0
    x, y = np.meshgrid(np.linspace(0, w, 9), np.linspace(0, h, 9))
    points = np.stack([x.ravel(), y.ravel()], axis=1)
    mm = np.asarray(plane.to_mm(points), dtype=np.float64).reshape(-1, 2)
    back = np.asarray(plane.to_px(mm), dtype=np.float64).reshape(-1, 2)
    good = np.isfinite(mm).all(axis=1) & (np.abs(back - points) < 2.0).all(axis=1)
    return mm[good]


def _known_points(plane: Any) -> np.ndarray:
    polygons = (getattr(plane, "tray_mm", None), getattr(plane, "middle_mm", None))
    parts = [np.asarray(p, dtype=np.float64).reshape(-1, 2) for p in polygons if p is not None]
    tokens = getattr(plane, "tokens_mm", None)
    if tokens:
        parts.append(np.asarray(list(tokens.values()), dtype=np.float64).reshape(-1, 2))
    return np.concatenate(parts) if parts else np.empty((0, 2))


def watched_bounds_mm(plane: PicturePlane) -> tuple[float, float, float, float]:
    """The part of the table worth watching, x0, y0, x1, y1 in mm: what the picture shows, within
    reach of what is known."""
    seen, known = _footprint(plane), _known_points(plane)
    if len(seen) == 0:
        seen = known if len(known) else np.zeros((1, 2))
    low, high = seen.min(axis=0), seen.max(axis=0)
    aim = np.array([[plane.width_px / 2, plane.height_px / 2]])
    centre = known.mean(axis=0) if len(known) else np.asarray(plane.to_mm(aim)).reshape(2)
    if len(known):
        low, high = (
            np.maximum(low, known.min(axis=0) - WATCHED_MARGIN_MM),
            np.minimum(high, known.max(axis=0) + WATCHED_MARGIN_MM),
        )
    low, high = (
        np.maximum(low, centre - LARGEST_TABLE_MM / 2),
        np.minimum(high, centre + LARGEST_TABLE_MM / 2),
    )
    high = np.maximum(high, low + LATTICE_MM)
    return (
        float(np.floor(low[0])),
        float(np.floor(low[1])),
        float(np.ceil(high[0])),
        float(np.ceil(high[1])),
    )


class Raster:
    """Maps of one raster over one part of the table; remade by itself when the plane moves."""

    def __init__(self, bounds: tuple[float, float, float, float], step_mm: float) -> None:
        self.step_mm = step_mm
        self.origin_mm = (bounds[0], bounds[1])
        self.width = max(4, int((bounds[2] - bounds[0]) / step_mm))
        self.height = max(4, int((bounds[3] - bounds[1]) / step_mm))
        self.inside = np.zeros((self.height, self.width), dtype=bool)
        self._x = np.zeros((self.height, self.width), np.float32)
        self._y = np.zeros((self.height, self.width), np.float32)
        self._signature: np.ndarray | None = None
        self._plane: object = None
        self._shrink = 0.0

    def cell_at(self, point_mm: tuple[float, float]) -> tuple[int, int]:
        """Row and column of the raster pixel nearest to a table point; may lie outside the raster."""
        return round((point_mm[1] - self.origin_mm[1]) / self.step_mm), round(
            (point_mm[0] - self.origin_mm[0]) / self.step_mm
        )

    def point_at(self, row: float, column: float) -> tuple[float, float]:
        """The table point in mm of a raster pixel."""
        return (self.origin_mm[0] + column * self.step_mm, self.origin_mm[1] + row * self.step_mm)

    def disc_cells(self, centre_mm: tuple[float, float], radius_mm: float) -> np.ndarray:
        """The raster's pixels within a radius of a table point, (height, width) bool."""
        cells = np.zeros((self.height, self.width), dtype=bool)
        box, part = self.disc_box(centre_mm, radius_mm)
        cells[box] = part
        return cells

    def disc_box(
        self, centre_mm: tuple[float, float], radius_mm: float
    ) -> tuple[tuple[slice, slice], np.ndarray]:
        """The same as the rows and columns of the box round the disc, and the disc's pixels in it
        (bool; empty outside)."""
        row, column = self.cell_at(centre_mm)
        k = int(radius_mm / self.step_mm) + 1
        r0, r1, c0, c1 = (
            max(0, row - k),
            min(self.height, row + k + 1),
            max(0, column - k),
            min(self.width, column + k + 1),
        )
        if r0 >= r1 or c0 >= c1:
            return (slice(0, 0), slice(0, 0)), np.zeros((0, 0), dtype=bool)
        disc = _round(k, radius_mm / self.step_mm)[
            r0 - row + k : r1 - row + k, c0 - column + k : c1 - column + k
        ]
        return (slice(r0, r1), slice(c0, c1)), disc

    def box_cells(self, low_mm: np.ndarray, high_mm: np.ndarray) -> np.ndarray:
        """The raster's pixels in an upright box of the table, (height, width) bool."""
        (r0, c0), (r1, c1) = (
            self.cell_at((float(low_mm[0]), float(low_mm[1]))),
            self.cell_at((float(high_mm[0]), float(high_mm[1]))),
        )
        cells = np.zeros((self.height, self.width), dtype=bool)
        cells[max(0, r0) : max(0, r1 + 1), max(0, c0) : max(0, c1 + 1)] = True
        return cells

    def _lattice(self) -> tuple[np.ndarray, tuple[int, int]]:
        every = max(1, round(LATTICE_MM / self.step_mm))
        rows, columns = -(-(self.height - 1) // every) + 1, -(-(self.width - 1) // every) + 1
        y, x = np.mgrid[0:rows, 0:columns].astype(np.float64) * every * self.step_mm
        points = np.stack([x.ravel() + self.origin_mm[0], y.ravel() + self.origin_mm[1]], axis=1)
        return points, (rows, columns)

    def follow_plane(self, plane: PicturePlane, shrink: float) -> bool:
        """Follow the plane for pictures shrunk by `shrink`; True when the maps had to be made anew."""
        if plane is self._plane and shrink == self._shrink:
            return False
        points, shape = self._lattice()
        probe = np.asarray(
            plane.to_px(points[:: max(1, len(points) // 12)]), dtype=np.float64
        ).reshape(-1, 2)
        self._plane = plane
        known = self._signature
        if known is not None and shrink == self._shrink and known.shape == probe.shape:
            shown = (np.abs(probe) < 2 * plane.width_px).all(axis=1)
            if not shown.any() or np.abs(probe - known)[shown].max() < KEPT_WITHIN_PX:
                return False
        self._signature = probe
        self._shrink = shrink
        self._make(plane, points, shape, shrink)
        return True

    def _make(
        self, plane: PicturePlane, points: np.ndarray, shape: tuple[int, int], shrink: float
    ) -> None:
        px = np.asarray(plane.to_px(points), dtype=np.float64).reshape(*shape, 2)
        px = np.nan_to_num(px, nan=-1e4, posinf=-1e4, neginf=-1e4).clip(-2e4, 2e4)
        every = max(1, round(LATTICE_MM / self.step_mm))
        j, i = np.meshgrid(
            np.arange(self.width, dtype=np.float32) / every,
            np.arange(self.height, dtype=np.float32) / every,
        )
        full = cv2.remap(
            px.astype(np.float32), j, i, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        x, y = full[..., 0], full[..., 1]
        self.inside = (x > 2) & (y > 2) & (x < plane.width_px - 3) & (y < plane.height_px - 3)
        self._x = (x + 0.5) / shrink - 0.5
        self._y = (y + 0.5) / shrink - 0.5

    def sample_picture(
        self,
        picture: np.ndarray,
        rows: slice,
        columns: slice,
        shift: tuple[float, float] = (0.0, 0.0),
    ) -> np.ndarray:
        """The raster's rows and columns out of the (shrunk) picture, same type; outside the picture
        its rim repeats. `shift`: taken from so many raster pixels farther along x and y, for small
        shifts."""
        at = (rows, columns)
        x, y = self._x[at], self._y[at]
        if shift != (0.0, 0.0):
            i, j = (rows.start + rows.stop) // 2, (columns.start + columns.stop) // 2
            i, j = min(max(i, 1), self.height - 2), min(max(j, 1), self.width - 2)
            x, y = (
                part
                + np.float32(
                    shift[0] * (whole[i, j + 1] - whole[i, j])
                    + shift[1] * (whole[i + 1, j] - whole[i, j])
                )
                for part, whole in ((x, self._x), (y, self._y))
            )
        return cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


@lru_cache(maxsize=16)
def _round(reach: int, radius: float) -> np.ndarray:
    """The pixels within `radius` pixels of the middle of a square of 2 * reach + 1, bool."""
    y, x = np.ogrid[-reach : reach + 1, -reach : reach + 1]
    return np.asarray(x * x + y * y <= radius**2)


def shrink_factor(
    plane: PicturePlane, bounds: tuple[float, float, float, float], step_mm: float
) -> int:
    """By how much a picture may be shrunk before rectifying: whole number, about one picture pixel
    a raster pixel."""
    centre = np.array([(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2])
    cross = centre + np.array([(0.0, 0.0), (8.0, 0.0), (0.0, 8.0)])
    probe = np.asarray(plane.to_px(cross), dtype=np.float64).reshape(3, 2)
    scale = (
        float(np.sqrt(np.hypot(*(probe[1] - probe[0])) * np.hypot(*(probe[2] - probe[0])))) / 8.0
    )
    return int(np.clip(round(scale * step_mm - 0.1), 1, 8)) if np.isfinite(scale) else 1


def shrunk_picture(image_bgr: np.ndarray, shrink: int) -> np.ndarray:
    """The picture shrunk by a whole factor and softened, ready to be rectified, uint8 BGR."""
    h, w = image_bgr.shape[:2]
    image_bgr = image_bgr[: h // shrink * shrink, : w // shrink * shrink]
    for factor in (2, 2, 2) if shrink == 8 else (2, 2) if shrink == 4 else (shrink,):
        if factor > 1:  # halving twice is three times as fast as quartering
            size = (image_bgr.shape[1] // factor, image_bgr.shape[0] // factor)
            image_bgr = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
    return softened_picture(image_bgr)
