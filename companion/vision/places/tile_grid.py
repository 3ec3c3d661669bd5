"""The tiles in which the ground is learnt: a few coarse cells each, and the fine pixels under them.

Knows the two rasters over one part of the table, the coarse one on which stillness is watched and
the fine one on which is compared; knows no pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.frame.raster import Raster

TILE_CELLS = 2
"""Coarse cells along a tile."""


class FineBox(NamedTuple):
    """An upright box of fine pixels; `bottom` and `right` excluded."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its rows and columns."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


@dataclass(frozen=True, slots=True)
class TileGrid:
    """Tiles, coarse cells and fine pixels of one part of the table, and the ways between them."""

    fine: Raster
    coarse: Raster

    @property
    def ratio(self) -> int:
        """Fine pixels along a coarse cell."""
        return round(self.coarse.step_mm / self.fine.step_mm)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of tiles."""
        return -(-self.coarse.height // TILE_CELLS), -(-self.coarse.width // TILE_CELLS)

    def tiles_with_all(self, cells: np.ndarray) -> np.ndarray:
        """The tiles all of whose coarse cells are True, bool."""
        return np.asarray(self._blocks(cells, True).all(axis=(1, 3)))

    def tiles_with_any(self, cells: np.ndarray) -> np.ndarray:
        """The tiles any of whose coarse cells is True, bool."""
        return np.asarray(self._blocks(cells, False).any(axis=(1, 3)))

    def _blocks(self, cells: np.ndarray, beyond: bool) -> np.ndarray:
        rows, columns = self.shape
        padded = np.full((rows * TILE_CELLS, columns * TILE_CELLS), beyond, dtype=bool)
        padded[: cells.shape[0], : cells.shape[1]] = cells
        return padded.reshape(rows, TILE_CELLS, columns, TILE_CELLS)

    def cells_of(self, tiles: np.ndarray) -> np.ndarray:
        """The coarse cells of tiles, bool."""
        cells = tiles.repeat(TILE_CELLS, axis=0).repeat(TILE_CELLS, axis=1)
        return cells[: self.coarse.height, : self.coarse.width]

    def fine_pixels_of(self, cells: np.ndarray) -> np.ndarray:
        """The fine pixels of coarse cells, bool."""
        size = (self.coarse.width * self.ratio, self.coarse.height * self.ratio)
        big = cv2.resize(cells.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        pixels = np.zeros((self.fine.height, self.fine.width), dtype=bool)
        h, w = min(big.shape[0], pixels.shape[0]), min(big.shape[1], pixels.shape[1])
        pixels[:h, :w] = big[:h, :w] > 0
        return pixels

    def fine_box_of(self, tiles: np.ndarray) -> FineBox:
        """The box of fine pixels round tiles, one at least."""
        rows, columns = np.flatnonzero(tiles.any(axis=1)), np.flatnonzero(tiles.any(axis=0))
        side = TILE_CELLS * self.ratio
        bottom = min(self.fine.height, (int(rows[-1]) + 1) * side)
        right = min(self.fine.width, (int(columns[-1]) + 1) * side)
        return FineBox(int(rows[0]) * side, bottom, int(columns[0]) * side, right)
