"""Are these discs, or other cards that a disc's rim fits here and there?

Knows rectified patches. Must not know cards or lessons. Of a disc the steepest steps along its rays all lie
at one radius; straight edges touch a circle and leave it again.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.table.sighting import Point
from companion.vision.frame.log_colour import log_colour_of
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.patches import cut_patch
from companion.vision.learnt.polar_field import PATCH_STEP_MM

LEAST_AT_ONE_RADIUS = 0.88
"""The share of the steepest steps along a disc's rays that lies at one radius, the middle one of a lay:
rectangular cards of 50 x 70 mm had 0.82 at most, discs 0.95 at least, but 0.69 where black lines run beside
a faint rim."""

LEAST_EVEN = 0.80
"""How even a rim is all round, by the step that `USUAL_STEP` in a hundred of its rays do not reach: such discs
had 0.86, rectangular cards 0.70 at most."""

USUAL_STEP = 60
FAINT_STEP_LOG = 0.02

FULL_STEP_LOG = 0.06
"""A step of a fine patch that counts in full."""

BESIDE_MM = 8.0
"""So far within and without the rim the rays go,"""

MIDDLES_MM = (-3.0, -1.5, 0.0, 1.5, 3.0)
"""and the middle is tried so far off in both directions."""


def lie_round(
    image: np.ndarray, plane: PicturePlane, centres_mm: Sequence[Point], disc_mm: float
) -> bool:
    """Whether what was taken for discs of this size in the picture (H, W, 3) uint8 BGR is round."""
    shown = [_rim_shown(image, plane, at, disc_mm / 2) for at in centres_mm]
    at_one_radius, even, _ = np.median(shown, axis=0)
    return bool(at_one_radius >= LEAST_AT_ONE_RADIUS or even >= LEAST_EVEN)


def disc_across_mm(
    image: np.ndarray, plane: PicturePlane, centres_mm: Sequence[Point], disc_mm: float
) -> float:
    """How large discs are that were found at these places with about this size: where most of the steps
    along their rays lie."""
    radii = [_rim_shown(image, plane, at, disc_mm / 2)[2] for at in centres_mm]
    return 2 * float(np.median(radii))


def _rim_shown(
    image: np.ndarray, plane: PicturePlane, centre_mm: Point, radius_mm: float
) -> tuple[float, float, float]:
    """The share of the steps along the rays that lies at one radius, how even the rim is there, and that
    radius, mm."""
    patch, _ = cut_patch(image, plane, centre_mm, radius_mm + BESIDE_MM + MIDDLES_MM[-1])
    look, middle = log_colour_of(cv2.GaussianBlur(patch, (0, 0), 0.8)), len(patch) // 2
    steps = [(cv2.Scharr(p, -1, 1, 0) / 16, cv2.Scharr(p, -1, 0, 1) / 16) for p in look.channels]
    radius = np.arange(radius_mm - BESIDE_MM, radius_mm + BESIDE_MM, PATCH_STEP_MM)[:, None]
    angle = np.radians(np.arange(0, 360, 3))
    cos, sin = np.cos(angle), np.sin(angle)
    best = (0.0, 1.0, 0.0, radius_mm)
    for x_mm in MIDDLES_MM:
        for y_mm in MIDDLES_MM:
            x = ((x_mm + radius * cos) / PATCH_STEP_MM + middle).astype(np.float32)
            y = ((y_mm + radius * sin) / PATCH_STEP_MM + middle).astype(np.float32)
            along = [
                np.abs(
                    cv2.remap(dx, x, y, cv2.INTER_LINEAR) * cos
                    + cv2.remap(dy, x, y, cv2.INTER_LINEAR) * sin
                )
                for dx, dy in steps
            ]
            most = np.max(along, axis=0)
            steep = np.minimum(most / FULL_STEP_LOG, 1)
            # A rim is as wide as three samples of a ray.
            shows = cv2.blur(steep.mean(1, keepdims=True), (1, 3))[:, 0]
            at = int(shows.argmax())
            rim = most[max(at - 1, 0) : at + 2].max(0)
            usual = max(float(np.percentile(rim, USUAL_STEP)), FAINT_STEP_LOG)
            even = float(np.minimum(rim / usual, 1).mean())
            shown = (float(shows[at]), float(steep.max(0).mean()), even, float(radius[at, 0]))
            best = max(best, shown)
    at_one_radius, all_rays, even, rim_mm = best
    return at_one_radius / max(all_rays, 1e-6), even, rim_mm
