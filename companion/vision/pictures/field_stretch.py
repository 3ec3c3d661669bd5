"""A stretch of table as a field, fine and coarse, with what of it can be told.

Knows the plane and the picture. Must not know cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster, shrink_factor
from companion.vision.pictures.field import FIELD_MODEL, burnt_out_pixels, light_free_field
from companion.vision.pictures.look import COARSE_SOFTENS_MM, COARSE_STEP_MM, STEP_MM

Bounds = tuple[float, float, float, float]


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
