"""Does the camera swing to and fro on its arm, and how far is this picture off?

Knows where tags were and are; must not know why. An old phone on a bendy arm never quite rests: to
wait until it does would be to wait all evening.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

SWAY_SHARE = 0.005
"""Of the picture's width: a swaying arm moves it by up to some 4 of 1920 pixels, a knocked one by
more."""

USUAL_S = 1.5
"""So long it must have gone on: a knocked stand rests sooner
(tests/calibration/tracking/test_sway.py)."""

FORGOTTEN_S = 6.0
"""After so long a rest it is a new movement."""


class SwayWatch:
    """Remembers since when the tags have been moving together by little."""

    def __init__(self) -> None:
        self._since_s = -1e9
        self._last_s = -1e9

    def offset_px(
        self,
        before: Mapping[int, np.ndarray],
        now: Mapping[int, np.ndarray],
        now_s: float,
        limit_px: float,
        width_px: int = 1920,
    ) -> tuple[float, float] | None:
        """How far (x, y) px the picture at `now_s` is off when the camera sways; None when it does
        not, or just began.

        `before` and `now` hold corners (4, 2) px by tag; those in both must be off by the same way,
        within `limit_px`.
        """
        ways = np.array([now[i].mean(axis=0) - before[i].mean(axis=0) for i in now if i in before])
        if len(ways) < 2:
            return None
        way = np.median(ways, axis=0)
        if np.abs(ways - way).max() > 2 * limit_px or np.hypot(*way) > SWAY_SHARE * width_px:
            self._since_s = -1e9
            self._last_s = -1e9
            return None
        if not 0 <= now_s - self._last_s < FORGOTTEN_S:
            self._since_s = now_s
        self._last_s = now_s
        return (float(way[0]), float(way[1])) if now_s - self._since_s >= USUAL_S else None
