"""What this room asks of a table plane: pixels to millimetres and back.

`calibration.geometry.plane.Plane` is one; a hypothesis of a plane and a test's drawn table are
others.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np


class PlaneMapping(Protocol):
    """Maps points between a picture and the table; what it cannot map is not finite."""

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Table points (N, 2) mm in the picture, (N, 2) px."""
        ...

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Picture points (N, 2) px on the table, (N, 2) mm."""
        ...


class PicturePlane(PlaneMapping, Protocol):
    """A plane mapping that knows the size of its pictures."""

    @property
    def width_px(self) -> int:
        """The width of its pictures."""
        ...

    @property
    def height_px(self) -> int:
        """The height of its pictures."""
        ...
