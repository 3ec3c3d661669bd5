"""Is this picture a new one? A camera that hangs repeats its last picture to the bit; a living one
never does.

Knows pictures only. A stream that often repeats itself (a drawing without grain, a film coded so
tightly that a still table costs no bit) tells nothing that way, and is believed.
"""

from __future__ import annotations

import numpy as np

EVERY_ROW = 8
"""Every eighth row is compared: grain that repeats itself to the bit in a hundred rows repeats
itself in all."""

GRAINY_PICTURES = 5
"""So many still pictures that were not the same to the bit show that this camera's pictures have
grain."""

GRAINY_SHARE = 0.8
"""...when they are so large a share of all still ones: a camera read twice as fast as it looks
repeats every other one."""

TOLD_AFTER_S = 0.8
"""People are told after so long; a picture sent twice is no matter."""


class FrozenFrameCheck:
    """Compares each picture with the one before."""

    def __init__(self) -> None:
        self._before: np.ndarray | bytes | None = None
        self._since_s: float | None = None
        self._grainy = 0
        self._repeated = 0
        self.frozen = False
        """True when the last picture was a repetition in a stream that has grain: it says nothing
        about now."""

    def observe_picture(self, image_bgr: np.ndarray, t_s: float) -> str:
        """Take one picture (H, W, 3) uint8; "frozen" when the camera has hung for a while, else ""."""
        rows = image_bgr[::EVERY_ROW].copy()
        before, self._before = self._before, rows
        if not isinstance(before, np.ndarray):
            return self._judge(False, False, t_s)
        return self._judge(True, before.shape == rows.shape and np.array_equal(before, rows), t_s)

    def observe_jpeg(self, jpeg: bytes, t_s: float) -> str:
        """The same for a picture that is still coded: a camera that hangs repeats its bytes."""
        before, self._before = self._before, jpeg
        if not isinstance(before, bytes):
            return self._judge(False, False, t_s)
        return self._judge(True, before == jpeg, t_s)

    def _judge(self, known: bool, same: bool, t_s: float) -> str:
        if not same:
            self._grainy += known
            self.frozen = False
            self._since_s = None
            return ""
        if self._since_s is None:
            self._since_s = t_s
        lively = self._grainy >= GRAINY_PICTURES and self._grainy > GRAINY_SHARE * (
            self._grainy + self._repeated
        )
        self.frozen = self.frozen or lively
        self._repeated += not self.frozen
        return "frozen" if self.frozen and t_s - self._since_s >= TOLD_AFTER_S else ""
