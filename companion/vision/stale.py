"""Is this picture a new one?  A camera that hangs repeats its last picture to the bit; a living one never does.

Knows pictures only.  A stream that often repeats itself (a drawing without grain, a film coded so tightly that a still
table costs no bit) tells nothing that way, and is believed.
"""

from __future__ import annotations

import numpy as np

ROWS = 8
"""Every eighth row is compared: grain that repeats itself to the bit in a hundred rows repeats itself in all."""

LIVELY_LOOKS = 5
"""So many still pictures that were not the same to the bit show that this camera's pictures have grain."""

LIVELY_SHARE = 0.8
"""...when they are so large a share of all still ones: a camera read twice as fast as it looks repeats every other one."""

SAYS_S = 0.8
"""People are told after so long; a picture sent twice is no matter."""


class StaleWatch:
    """Compares each picture with the one before."""

    def __init__(self) -> None:
        self._before: np.ndarray | None = None
        self._since_s: float | None = None
        self._grainy = self._repeated = 0
        self.stale = False
        """True when the last picture was a repetition in a stream that has grain: it says nothing about now."""

    def look(self, image_bgr: np.ndarray, t_s: float) -> str:
        """Take one picture (H, W, 3) uint8; "frozen" when the camera has hung for a while, else ""."""
        rows = image_bgr[::ROWS].copy()
        before, self._before = self._before, rows
        if before is None or before.shape != rows.shape or not np.array_equal(before, rows):
            self._grainy += before is not None
            self.stale, self._since_s = False, None
            return ""
        if self._since_s is None:
            self._since_s = t_s
        lively = self._grainy >= LIVELY_LOOKS and self._grainy > LIVELY_SHARE * (self._grainy + self._repeated)
        self.stale = self.stale or lively
        self._repeated += not self.stale
        return "frozen" if self.stale and t_s - self._since_s >= SAYS_S else ""
