"""Steady pictures, developed only where something changed: a few takes of the camera's grain, each
with its finished picture.

Knows a `Developer` and windows; knows nothing of what is in a picture. A camera's JPEG is made of
blocks that know nothing of one another, so a part developed alone, cut along its blocks, is to the
bit that part of the whole picture.
"""

from __future__ import annotations

import numpy as np

from calibration.simulator.develop import Developer, Grain
from calibration.simulator.sheet import Window

TAKES = 4
"""So many different grains are in use at a time; no picture has that of the one before."""

WEARS = 12
"""A grain is thrown away after so many pictures."""

_TILE_PX = 32
_BAND_TILES = 4
_BLOCK_PX = 16
"""The largest block of a JPEG with halved colours. A change reaches one block farther, and one
block all round is developed along and thrown away, because colours are drawn out over a block's
edge."""

_MOST = 0.6
"""Above this share of the picture the whole of it is no dearer."""


class _Take:
    def __init__(self, shape: tuple[int, ...]) -> None:
        self.grain: Grain | None = None
        self.left = 0
        self.picture = np.empty(shape, np.uint8)
        self.stale = np.ones((-(-shape[0] // _TILE_PX), -(-shape[1] // _TILE_PX)), bool)


class Takes:
    """The finished pictures of one camera's steady light."""

    def __init__(self, developer: Developer, shape: tuple[int, ...]) -> None:
        """Prepare for pictures of this `shape` (H, W, 3)."""
        self._developer = developer
        self._shape = shape
        self._takes = list[_Take]()
        self._last = -1

    @property
    def grain(self) -> Grain:
        """The grain of the last picture."""
        grain = self._takes[self._last].grain if self._takes else None
        assert grain is not None, "no picture was taken yet"
        return grain

    def changed(self, window: Window) -> None:
        """Say that the levels of `window` are no longer what they were."""
        left, top = (max(value - _BLOCK_PX, 0) for value in window[:2])
        right, bottom = (value + _BLOCK_PX for value in window[2:])
        for take in self._takes:
            take.stale[
                top // _TILE_PX : -(-bottom // _TILE_PX), left // _TILE_PX : -(-right // _TILE_PX)
            ] = True

    def picture(self, levels: np.ndarray) -> np.ndarray:
        """The next picture (H, W, 3) uint8 BGR of `levels`, the caller's own."""
        take = self._next()
        for window in self._windows(take):
            self._develop(take, levels, window)
        take.stale[:] = False
        return take.picture.copy()

    def _next(self) -> _Take:
        """Another take than the last one's, with a new grain when it is worn."""
        if len(self._takes) < TAKES:
            self._takes.append(_Take(self._shape))
            self._last = len(self._takes) - 1
        else:
            self._last = (self._last + 1 + self._developer.draw(TAKES - 1)) % TAKES
        take = self._takes[self._last]
        if take.left == 0:
            take.grain, take.left = self._developer.grain(), WEARS
            take.stale[:] = True
        take.left -= 1
        return take

    def _windows(self, take: _Take) -> list[Window]:
        """Windows that cover all that is stale: in bands, the neighbours in a row as one."""
        height, width = self._shape[:2]
        if take.stale.mean() > _MOST:
            return [(0, 0, width, height)]
        found = []
        for top in range(0, len(take.stale), _BAND_TILES):
            rows = np.flatnonzero(take.stale[top : top + _BAND_TILES].any(axis=1)) + top
            if not len(rows):
                continue
            upper, lower = int(rows[0]) * _TILE_PX, min(height, (int(rows[-1]) + 1) * _TILE_PX)
            edges = np.flatnonzero(
                np.diff(
                    take.stale[top : top + _BAND_TILES].any(axis=0).astype(np.int8),
                    prepend=0,
                    append=0,
                )
            )
            runs = zip(edges[::2], edges[1::2], strict=True)
            found += [
                (int(a) * _TILE_PX, upper, min(width, int(b) * _TILE_PX), lower) for a, b in runs
            ]
        return found

    def _develop(self, take: _Take, levels: np.ndarray, window: Window) -> None:
        assert take.grain is not None, "a take in use has a grain"
        x0, y0, x1, y1 = window
        u0, v0 = max(x0 - _BLOCK_PX, 0), max(y0 - _BLOCK_PX, 0)
        u1, v1 = min(x1 + _BLOCK_PX, levels.shape[1]), min(y1 + _BLOCK_PX, levels.shape[0])
        part = self._developer.part(levels[v0:v1, u0:u1], take.grain, (u0, v0))
        take.picture[y0:y1, x0:x1] = part[y0 - v0 : y1 - v0, x0 - u0 : x1 - u0]
