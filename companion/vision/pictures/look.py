"""A card's look: its picture without light, upright, with its code left out.

Knows where the code's plate sits on a disc. Must not know places, rounds or other cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from card_printables.marker import MarkerPlace
from companion.table.sighting import Point
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.pictures.field import FIELD_MODEL, burnt_out_pixels, light_free_field

STEP_MM = 1.5
"""One pixel of a look."""

COARSE_STEP_MM = 3.0
"""One pixel of a coarse look, in which a disc is searched at all turns."""

COARSE_SOFTENS_MM = 2.2
"""Detail finer than this is left out of a coarse look; chosen: a disc searched in steps of 10
degrees is 3 mm off at its rim."""

RIM_MM = 3.0
"""So much of the disc's edge is left out: all discs have one, and shadows fall on it."""

PLATE_RIM_MM = 1.5
"""So much round the code's plate is left out with it: all cards have one there."""


@dataclass(frozen=True, slots=True)
class Look:
    """A disc's picture upright, about its centre: `fine` (n, n, 3) complex64 with `fine_weight` (n, n)
    float32 at `STEP_MM`, and the same coarsely at `COARSE_STEP_MM`; and the fine one weighed: its
    steps along x and y, their energy, and the sum of that."""

    fine: np.ndarray
    fine_weight: np.ndarray
    coarse: np.ndarray
    coarse_weight: np.ndarray
    weighed_real: np.ndarray
    weighed_imaginary: np.ndarray
    weighed_energy: np.ndarray
    energy: float

    def merged(self, other: Look, looks: int) -> Look:
        """This look, the mean of `looks` looks so far, with one more."""
        return Look.of(
            *(
                (mine * looks + its) / (looks + 1)
                for mine, its in (
                    (self.fine, other.fine),
                    (self.fine_weight, other.fine_weight),
                    (self.coarse, other.coarse),
                    (self.coarse_weight, other.coarse_weight),
                )
            )
        )

    def likeness(self, other: Look) -> float:
        """How alike two looks at one card are, -1 to 1."""
        weight = (self.fine_weight * other.fine_weight)[..., None]
        agree = float((np.conj(self.fine) * other.fine * weight).real.sum())
        own = float((np.abs(self.fine) ** 2 * weight).sum())
        its = float((np.abs(other.fine) ** 2 * weight).sum())
        return agree / (float(np.sqrt(own * its)) + 1e-6)

    @classmethod
    def of(
        cls,
        fine: np.ndarray,
        fine_weight: np.ndarray,
        coarse: np.ndarray,
        coarse_weight: np.ndarray,
    ) -> Look:
        """A look of these fields, with what every comparing needs of them."""
        real = np.ascontiguousarray(fine.real * fine_weight[..., None], np.float32)
        imaginary = np.ascontiguousarray(fine.imag * fine_weight[..., None], np.float32)
        energy = np.ascontiguousarray((np.abs(fine) ** 2).sum(axis=2) * fine_weight, np.float32)
        return cls(
            fine, fine_weight, coarse, coarse_weight, real, imaginary, energy,
            float(energy.sum()) + 1e-6,
        )  # fmt: skip


def look_at(
    picture: np.ndarray,
    shrink: int,
    plane: PicturePlane,
    centre_mm: Point,
    heading_deg: float,
    place: MarkerPlace,
) -> Look | None:
    """The look of the disc that lies there, out of a picture (h, w, 3) uint8 BGR shrunk by `shrink`;
    None where too much of it is out of view or burnt out."""
    parts = []
    for step_mm, soft_mm in (
        (STEP_MM, FIELD_MODEL.softens_mm),
        (COARSE_STEP_MM, COARSE_SOFTENS_MM),
    ):
        at = disc_grid_mm(step_mm, place.disc_mm / 2 + MARGIN_MM)
        turn = np.radians(heading_deg)
        spun = np.stack(
            [
                at[..., 0] * np.cos(turn) - at[..., 1] * np.sin(turn) + centre_mm[0],
                at[..., 0] * np.sin(turn) + at[..., 1] * np.cos(turn) + centre_mm[1],
            ],
            axis=-1,
        )
        px = np.asarray(plane.to_px(spun.reshape(-1, 2)), np.float32).reshape(at.shape)
        if not np.isfinite(px).all():
            return None
        inside = (px > 2).all(axis=-1) & (px < (plane.width_px - 3, plane.height_px - 3)).all(
            axis=-1
        )
        maps = (px + 0.5) / shrink - 0.5
        seen = cv2.remap(
            picture, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        field = light_free_field(seen, soft_mm / step_mm)
        weight = face_weight(step_mm, place) * (inside & ~burnt_out_pixels(seen))
        field, weight = _trimmed(field, step_mm, place), _trimmed(weight, step_mm, place)
        if weight.sum() < 0.5 * _trimmed(face_weight(step_mm, place), step_mm, place).sum():
            return None
        parts += [field, weight.astype(np.float32)]
    return Look.of(*parts)


MARGIN_MM = 9.0
"""So much more round the disc is looked at, so that softening has what lies beside."""


@lru_cache(maxsize=8)
def disc_grid_mm(step_mm: float, radius_mm: float) -> np.ndarray:
    """The points of a square round a disc's centre, (n, n, 2) mm, x and y."""
    reach = int(radius_mm / step_mm)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float64) * step_mm
    return np.stack([x, y], axis=-1)


@lru_cache(maxsize=8)
def face_weight(step_mm: float, place: MarkerPlace) -> np.ndarray:
    """1 where an upright disc shows its picture, 0 on its rim and its code, (n, n) float32, as wide
    as a disc and its margin."""
    at = disc_grid_mm(step_mm, place.disc_mm / 2 + MARGIN_MM)
    x, y = at[..., 0], at[..., 1]
    face = np.hypot(x, y) <= place.disc_mm / 2 - RIM_MM
    half = place.plate_mm / 2 + PLATE_RIM_MM
    plate = (np.abs(x - place.centre_mm[0]) < half) & (np.abs(y - place.centre_mm[1]) < half)
    return np.asarray(face & ~plate, np.float32)


def _trimmed(values: np.ndarray, step_mm: float, place: MarkerPlace) -> np.ndarray:
    """Without the margin."""
    reach, wide = int(place.disc_mm / 2 / step_mm), len(values) // 2
    return np.asarray(values[wide - reach : wide + reach + 1, wide - reach : wide + reach + 1])
