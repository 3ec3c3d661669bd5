"""The image pyramid of one grey picture: the picture, its half, its quarter, ...

Knows pictures only. A level is made when it is first asked for.
"""

from __future__ import annotations

import cv2
import numpy as np

SHORTEST_LEVEL_PX = 21
"""A level's shorter side is no less: a code at one pixel a module."""


class ImagePyramid:
    """A grey picture and its halves, made when first asked for."""

    def __init__(self, grey: np.ndarray) -> None:
        """Hold `grey` (H, W) uint8."""
        self._levels = [grey]

    def level(self, number: int) -> np.ndarray:
        """The picture halved `number` times by area averaging, or as often as its size allows."""
        while len(self._levels) <= number:
            last = self._levels[-1]
            height, width = last.shape[0] // 2, last.shape[1] // 2
            if min(height, width) < SHORTEST_LEVEL_PX:
                return last
            self._levels.append(
                cv2.resize(
                    last[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA
                )
            )
        return self._levels[number]
