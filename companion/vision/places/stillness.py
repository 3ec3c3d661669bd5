"""For how long has each cell of the table looked the same?

Knows the colours of coarse cells over time; knows nothing of what lies there.
"""

from __future__ import annotations

import numpy as np

from companion.vision.frame.log_colour import DARK_OFFSET_GREY, LogColour, grey_level

CHANGE_LOG = 0.05
"""A cell has changed when it is off by more (log units, widened by the noise of a cell and by
`ROUNDING_GREY`); chosen."""

ROUNDING_GREY = 1.2
"""Grey levels that rounding alone may change a cell by: a tenth in logarithms where a token is
black, enough to see a hand resting there for ever
(tests/companion/vision/places/test_place_watch.py)."""

FOLLOW_SHARE = 0.2
"""Share by which the reference follows what has not changed: a creeping light is no change; chosen.
"""


def rounding_log(seen: LogColour, noise_grey: float) -> np.ndarray:
    """Log units by which cells (h, w) may be off by `noise_grey` and rounding alone, float32."""
    grey = np.maximum(grey_level(seen.brightness), 0)
    return np.asarray((noise_grey + ROUNDING_GREY) / (grey + DARK_OFFSET_GREY))


class StillnessWatch:
    """Compares the coarse cells of each frame with how they looked when they last changed."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.reference: LogColour | None = None
        """How each cell looks since its last change, smoothed; None before the first frame."""
        self._changed_s = np.zeros(shape, np.float32)

    def observe_cells(self, seen: LogColour, t_s: float, cell_noise_grey: float) -> np.ndarray:
        """Note what changed; returns for how many seconds each coarse cell has looked the same,
        float32."""
        if self.reference is None:
            self.reference = LogColour(*(part.copy() for part in seen.channels))
            self._changed_s[:] = t_s
        before = self.reference
        spread = rounding_log(seen, 5 * cell_noise_grey)
        blue, red = np.abs(seen.blue - before.blue), np.abs(seen.red - before.red)
        changed = np.abs(seen.brightness - before.brightness) > CHANGE_LOG + spread
        changed |= np.maximum(blue, red) > CHANGE_LOG + 1.5 * spread
        for kept, new in zip(before.channels, seen.channels, strict=True):
            kept += np.where(changed, 1.0, FOLLOW_SHARE) * (new - kept)
        self._changed_s[changed] = t_s
        return np.asarray(t_s - self._changed_s)
