"""The table as it was before anybody knew where anything lies on it: pictures kept until there is a
plane.

Without tokens the plane comes from the first cards, and by then they hide the table they lie on.
What was seen of it before is remembered, and taught as soon as the plane stands. Knows pictures and
motion; knows no cards.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from companion.vision.frame.motion_gate import Motion, MotionGate
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.places.ground import FIRST_LEARNT_S
from companion.vision.places.place_watch import PlaceWatch

KEPT_PICTURES = 3
"""So many pictures are kept: 19 MB at 1080p, let go with the fourth card."""

KEPT_EVERY_S = FIRST_LEARNT_S / 2
"""So far apart."""

TIMES_SHOWN = 2
"""Times that the kept pictures are shown to the place report: it wants to see four looks in which
nothing changes."""


class PrePlaneBuffer:
    """The last still pictures of a table on which no card was read yet."""

    def __init__(self) -> None:
        self._kept: deque[tuple[float, np.ndarray]] = deque(maxlen=KEPT_PICTURES)

    def keep_picture(self, image_bgr: np.ndarray, motion: Motion, t_s: float) -> None:
        """Keep this picture (H, W, 3) uint8 BGR of a table whose plane is not known, unless
        something moves in it."""
        if motion.still and not (self._kept and 0 <= t_s - self._kept[-1][0] < KEPT_EVERY_S):
            self._kept.append((t_s, image_bgr.copy()))

    def teach_places(self, watch: PlaceWatch, plane: PicturePlane) -> None:
        """Let the place report learn the table of the kept pictures anew, now that `plane` tells
        where things lie."""
        watch.forget_table()
        pictures = [image for _, image in self._kept] * TIMES_SHOWN
        gate, now_s = MotionGate(), self._kept[-1][0] if self._kept else 0.0
        for before, image in zip(range(len(pictures) - 1, -1, -1), pictures, strict=True):
            watch.report_places(
                image, plane, now_s - before * KEPT_EVERY_S, {}, {}, (), gate.detect_motion(image)
            )

    def drop_pictures(self) -> None:
        """Let the pictures go: they are needed no more."""
        self._kept.clear()
