"""A camera straight above the table: a plane that only scales, for tests of what is found on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class FromAbove:
    """Sees so many pixels, `px_a_mm` of them a millimetre; (0, 0) mm is the picture's middle."""

    width_px: int = 1040
    height_px: int = 720
    px_a_mm: float = 2.0
    tray_mm: None = None

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Where these points (N, 2) mm show."""
        return np.asarray(points_mm, float) * self.px_a_mm + self._middle_px

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Where on the table these pixels (N, 2) lie."""
        return np.asarray((np.asarray(points_px, float) - self._middle_px) / self.px_a_mm)

    @property
    def _middle_px(self) -> np.ndarray:
        return np.array([self.width_px / 2, self.height_px / 2])
