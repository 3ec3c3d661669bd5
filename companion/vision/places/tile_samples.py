"""Samples of the ground, tile by tile, until there are enough to learn a tile from their mean.

Knows fine pixels and how many samples each tile has; knows no light.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.frame.log_colour import SensorNoise
from companion.vision.places.tile_grid import TILE_CELLS, FineBox, TileGrid

ENOUGH_SAMPLES = 4
"""Pictures whose mean is the ground; chosen."""

FEWEST_NOISE_PIXELS = 3000
"""Fine pixels from which the sensor's noise is learnt; chosen."""


class TileSamples:
    """Sums of the fine pixels of tiles that are being learnt."""

    def __init__(self, grid: TileGrid) -> None:
        self._grid = grid
        self._sum = np.zeros((grid.fine.height, grid.fine.width, 3), np.float32)
        self._count = np.zeros(grid.shape, np.int32)
        self._last: tuple[FineBox, np.ndarray] | None = None

    @property
    def enough(self) -> np.ndarray:
        """The tiles of which there are samples enough, bool."""
        return np.asarray(self._count >= ENOUGH_SAMPLES)

    def drop_samples(self, tiles: np.ndarray) -> None:
        """Forget the samples of these tiles (bool)."""
        self._count[tiles] = 0

    def add_sample(self, picture: np.ndarray, wanted: np.ndarray, noise: SensorNoise) -> None:
        """Add the wanted tiles (bool, one at least) of the shrunk picture; two samples in a row of
        the same tiles also teach the sensor's `noise`."""
        grid = self._grid
        box = grid.fine_box_of(wanted)
        sample = grid.fine.sample_picture(picture, *box.slices)
        begun = grid.fine_pixels_of(grid.cells_of(wanted & (self._count == 0)))[box.slices]
        total = self._sum[box.slices]
        total[begun] = 0
        cv2.accumulate(sample, total)
        if self._last is not None and self._last[0] == box:
            both = grid.fine_pixels_of(grid.cells_of(wanted & (self._count > 0)))[box.slices]
            both[1::3] = False
            both[:, 1::3] = False
            if np.count_nonzero(both) > FEWEST_NOISE_PIXELS:
                noise.learn_noise(sample[both], self._last[1][both])
        self._last = (box, sample)
        self._count[wanted] += 1

    def mean_in(self, box: FineBox) -> np.ndarray:
        """The mean of the samples of every fine pixel in the box, float32 BGR."""
        side = TILE_CELLS * self._grid.ratio
        counts = np.kron(np.maximum(self._count, 1), np.ones((side, side), np.float32))
        return np.asarray(self._sum[box.slices] / counts[box.slices][..., None])
