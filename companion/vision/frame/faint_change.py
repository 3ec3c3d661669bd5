"""Did a table on which nothing moves change all the same, however faintly, since it was last looked at
as a whole?

Knows small pictures (`motion_gate`) and noise; knows no time, no table, no cards. The mean of the last
pictures is compared with their mean at the last look: what is fainter than one picture's noise shows
there. A change of the whole picture's brightness and a flickering lamp are no change.
"""

from __future__ import annotations

from collections import deque

import cv2
import numpy as np

from companion.vision.frame.motion_gate import difference_of, gain_of, noise_of

MEAN_OF = 4
"""Pictures: a second of a table at rest."""

LEAST_FAINT_GREY = 1.5
"""Grey levels by which the mean of a cell and its neighbours must change, a third or less of what the
gate asks of one picture. Fresh sensor noise of 10 levels changes none by so much
(tests/companion/vision/frame/test_faint_change.py)."""

FAINT_NOISE_FACTOR = 7.0
"""...and so many times what noise alone changes it by: half a cell's own noise, for neighbours share a
JPEG's colour. That is told by how cells differ from their neighbours, so that light which changes
unevenly is not taken for noise; chosen, as the gate's."""


class FaintChange:
    """Hand it every small picture, oldest first, and say when one was looked at as a whole."""

    def __init__(self) -> None:
        self._latest: deque[np.ndarray] = deque(maxlen=MEAN_OF)
        self._looked: np.ndarray | None = None

    def add_picture(self, small: np.ndarray) -> None:
        """The next picture, (h, w, 3) uint8 BGR."""
        if self._latest and self._latest[-1].shape != small.shape[:2]:
            self._latest.clear()
        self._latest.append(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))

    def note_look(self) -> None:
        """The latest picture is looked at as a whole: from now on changes since then count."""
        self._looked = self._mean() if len(self._latest) == MEAN_OF else None

    @property
    def changed(self) -> bool:
        """Whether the last pictures differ from those before the last look; True where there were too
        few."""
        before = self._looked
        if before is None or len(self._latest) < MEAN_OF or before.shape != self._latest[-1].shape:
            return True
        now = self._mean()
        each = difference_of(now, before, gain_of(now, before))
        off = cv2.blur(each, (3, 3))
        limit = max(LEAST_FAINT_GREY, FAINT_NOISE_FACTOR * noise_of(each - off) / 2)
        return bool(np.abs(off).max() > limit)

    def _mean(self) -> np.ndarray:
        total = np.zeros(self._latest[-1].shape, np.float32)
        for grey in self._latest:
            cv2.accumulate(grey, total)
        return np.asarray(total / np.float32(len(self._latest)))
