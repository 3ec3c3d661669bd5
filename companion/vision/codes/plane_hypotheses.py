"""Planes that might be: for pictures of which nothing is known, codes of many sizes, seen from
above or from a slant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

SMALLEST_PX, LARGEST_PX, STEP = 1.0, 9.0, 1.2
"""Pixels a module that are tried; a step of a fifth is what the pose refinement can bridge."""

SLANTS = (1.0, 0.75)
"""Height over width of a square lying on the table."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A table seen from far away: `x` and `y` pixels a unit, the unit being one module."""

    x: float
    y: float

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Pixels of table points (N, 2)."""
        return np.asarray(points_mm, float) * [self.x, self.y]

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Table points of pixels (N, 2)."""
        return np.asarray(points_px, float) / [self.x, self.y]


def guesses(size: tuple[int, int]) -> Iterator[Guess]:
    """Every size and slant worth trying in a picture of `size` (width, height)."""
    scale = SMALLEST_PX
    while scale <= min(LARGEST_PX, min(size) / 27):
        for slant in SLANTS:
            yield Guess(scale / slant**0.5, scale * slant**0.5)
        scale *= STEP
