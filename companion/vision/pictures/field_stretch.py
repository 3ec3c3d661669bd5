"""A stretch of table as a field, fine and coarse, with what of it can be told.

Knows the plane and the picture. Must not know cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster, shrink_factor
from companion.vision.pictures.field import FIELD_MODEL, burnt_out_pixels, light_free_field
from companion.vision.pictures.look import COARSE_SOFTENS_MM, COARSE_STEP_MM, STEP_MM

Bounds = tuple[float, float, float, float]

AROUND_MM = 30.0
"""So far round a stretch the picture is shrunk with it: a turned square's corners, softening, a lens'
bend."""


@dataclass(frozen=True, slots=True)
class FieldStretch:
    """A stretch of table seen straight from above: its steps along x and y, (h, w, 3) float32 each at
    `STEP_MM` from `origin_mm` on; `fine_sure` (h, w) float32: 1 where they can be told; and the same
    coarsely, `coarse` being complex64."""

    origin_mm: tuple[float, float]
    fine_real: np.ndarray
    fine_imaginary: np.ndarray
    fine_sure: np.ndarray
    coarse: np.ndarray
    coarse_sure: np.ndarray


class StretchSampler:
    """Makes scenes of one stretch of table."""

    def __init__(self, bounds_mm: Bounds) -> None:
        self.bounds_mm = bounds_mm
        self._fine = Raster(bounds_mm, STEP_MM)
        self._coarse = Raster(bounds_mm, COARSE_STEP_MM)

    def sample_stretch(self, picture: np.ndarray, shrink: int, plane: PicturePlane) -> FieldStretch:
        """The stretch in this picture (h, w, 3) uint8 BGR, shrunk by `shrink`."""
        fields = []
        sure = []
        for raster, soft_mm in (
            (self._fine, FIELD_MODEL.softens_mm),
            (self._coarse, COARSE_SOFTENS_MM),
        ):
            raster.follow_plane(plane, shrink)
            seen = raster.sample_picture(picture, slice(None), slice(None))
            field = light_free_field(seen, soft_mm / raster.step_mm)
            fields.append(field)
            sure.append((raster.inside & ~burnt_out_pixels(seen)).astype(np.float32))
        return FieldStretch(
            (self.bounds_mm[0], self.bounds_mm[1]),
            np.ascontiguousarray(fields[0].real),
            np.ascontiguousarray(fields[0].imag),
            sure[0],
            fields[1],
            sure[1],
        )


def shrink_for_pictures(plane: PicturePlane, bounds_mm: Bounds) -> int:
    """By how much a picture is shrunk before it is looked at."""
    return shrink_factor(plane, bounds_mm, STEP_MM)


def shrunk_stretch(
    image: np.ndarray, shrink: int, plane: PicturePlane, bounds_mm: Bounds
) -> np.ndarray:
    """The picture (h, w, 3) uint8 shrunk by a whole number; only what lies within `bounds_mm` and
    `AROUND_MM` of it is worked out, the rest is black."""
    if shrink <= 1:
        return image
    rows, columns = (side // shrink for side in image.shape[:2])
    left, top, right, bottom = 0, 0, columns, rows
    low, high = np.array(bounds_mm[:2]) - AROUND_MM, np.array(bounds_mm[2:]) + AROUND_MM
    share = np.stack(np.meshgrid([0.0, 0.5, 1.0], [0.0, 0.5, 1.0]), axis=-1).reshape(-1, 2)
    shown = np.asarray(plane.to_px(low + share * (high - low)), dtype=float) / shrink
    if np.isfinite(shown).all():
        left, top = np.clip(np.floor(shown.min(axis=0)).astype(int), 0, (columns, rows))
        right, bottom = np.clip(
            np.ceil(shown.max(axis=0)).astype(int), (left, top), (columns, rows)
        )
    small = np.zeros((rows, columns, 3), np.uint8)
    if right > left and bottom > top:
        part = image[top * shrink : bottom * shrink, left * shrink : right * shrink]
        small[top:bottom, left:right] = cv2.resize(
            part, (int(right - left), int(bottom - top)), interpolation=cv2.INTER_AREA
        )
    return small
