"""Footage and the practice table at their own pace: a frame is waited for until it is due."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from calibration.cameras.port import Frame

LATE_S = 0.5
"""A paced source that is this far behind its own time goes on from there (chosen); frames are never
skipped, only late."""

LONGEST_WAIT_S = 5.0
"""No frame is waited for longer: a leap in the footage's time is no pause."""

HELD_S = 0.05
"""While the footage is held, so often it is asked whether it may go on."""


class Pacer:
    """Lets frames pass when they are due, `speed` times as fast as they were taken."""

    def __init__(
        self, speed: float, stop: threading.Event, held: Callable[[], bool] = lambda: False
    ) -> None:
        """`stop` ends a wait early; while `held` the next frame waits, after a first one."""
        self._speed = speed
        self._stop = stop
        self.held = held
        self.held_first: Callable[[], bool] = lambda: False
        """Asked before the first frame, where its picture is shown already."""
        self._ahead_s: float | None = None

    def wait_until_due(self, frame: Frame) -> None:
        """Wait for this frame's time, counted from the first one after a pause; one that is late is
        not waited for."""
        held = self.held if self._ahead_s is not None else self.held_first
        while held() and not self._stop.wait(HELD_S):
            pass
        due_s = frame.t_s / self._speed
        now_s = time.monotonic()
        if self._ahead_s is None or now_s + self._ahead_s - due_s > LATE_S:
            self._ahead_s = due_s - now_s
        wait_s = due_s - (now_s + self._ahead_s)
        if wait_s > 0:
            self._stop.wait(min(wait_s, LONGEST_WAIT_S))

    def start_anew(self) -> None:
        """Count from the next frame: there was a pause."""
        self._ahead_s = None
