"""Planes that might be: for pictures of which nothing is known, codes of many sizes, seen from
above or from a slant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

SMALLEST_PX_PER_MODULE = 1.0
"""The smallest size that is tried."""

LARGEST_PX_PER_MODULE = 9.0
"""The largest size that is tried."""

SIZE_STEP_FACTOR = 1.2
"""From size to size: a step of a fifth is what the pose refinement can bridge."""

SLANT_RATIOS = (1.0, 0.75, 0.5)
"""Height over width of a square lying on the table: seen from above, and from 41 and 60 degrees off. Of five codes
that were missed in photographs from 1.75 px a module on, three lay so steep, and the third ratio reads them."""


@dataclass(frozen=True, slots=True)
class PlaneHypothesis:
    """A table seen from far away: `x_px` and `y_px` pixels a unit, the unit being one module."""

    x_px: float
    y_px: float

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Pixels of table points (N, 2)."""
        return np.asarray(points_mm, float) * [self.x_px, self.y_px]

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Table points of pixels (N, 2)."""
        return np.asarray(points_px, float) / [self.x_px, self.y_px]


def plane_hypotheses(size: tuple[int, int]) -> Iterator[PlaneHypothesis]:
    """Every size and slant worth trying in a picture of `size` (width, height)."""
    scale = SMALLEST_PX_PER_MODULE
    while scale <= min(LARGEST_PX_PER_MODULE, min(size) / 27):
        for slant in SLANT_RATIOS:
            yield PlaneHypothesis(scale / slant**0.5, scale * slant**0.5)
        scale *= SIZE_STEP_FACTOR
