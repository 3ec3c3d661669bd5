"""The set-up as the camera page shows it: surveyed while people look, compared with last time, kept
for the next.

Knows the watching camera and the calibration's report; knows no HTTP and no game.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from calibration.check.guided import CERTAIN_S
from calibration.check.profile import Comparison, Profile, compare_with_profile, save_profile
from calibration.check.profile_store import file_for, most_alike_profile
from calibration.check.report import report_of
from calibration.check.survey import Survey
from calibration.errors import CalibrationError, PlaneNotSeen
from calibration.geometry.plane import Plane
from companion.capture.watching import Watching
from companion.set_up.lens_wizard import LensWizard

FRESH_S = 0.8
"""A report this young is given again: several screens may ask at once."""

FORGET_S = 20.0
"""After so long without anybody looking, what was pooled is old: begin anew."""

KEEP_AFTER = 5
"""Looks before a good set-up is kept for next time."""


class SetUp:
    """One table's survey; any thread may ask."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """Profiles are kept in `folder`."""
        self._folder = folder
        self._clock = clock
        self.lens_wizard = LensWizard()
        """The expert's page."""
        self._lock = threading.Lock()
        self._survey = Survey()
        self._aimed: Plane | None = None
        self._told: dict[str, Any] = {}
        self._told_s = -1e9
        self._before: Profile | None = None  # how the table stood last time
        self._kept_for: str | None = None

    def survey_picture(
        self, watching: Watching, picture: np.ndarray
    ) -> tuple[dict[str, Any], np.ndarray]:
        """The report on this picture, with `camera`, `last` (how it compares with last time) and
        places where cards are really read; and the picture that it is of, which is an earlier one
        where that was looked at just now."""
        with self._lock:
            now = self._clock()
            if self._told and 0 <= now - self._told_s < FRESH_S:
                return self._told, self._survey.image
            self._begin_anew_if_needed(watching, picture, now)
            self._survey.show_picture(picture, watching.frames.codes_px())
            told = report_of(self._survey, watching.eye.place.symbol_mm)
            told["camera"] |= watching.granted()
            told["last"] = self._compare(watching, told)
            self._told = told
            self._told_s = now
            return told, self._survey.image

    @property
    def age_s(self) -> float:
        """How long ago, in seconds, the picture was taken up that was reported on last: with a busy
        computer a report takes many seconds."""
        return self._clock() - self._told_s

    def _begin_anew_if_needed(self, watching: Watching, picture: np.ndarray, now: float) -> None:
        aimed = watching.eye.plane_tracker.plane
        size = (picture.shape[1], picture.shape[0])
        moved = self._aimed is not None and aimed is not self._aimed
        if (
            moved
            or now - self._told_s > FORGET_S
            or self._survey.pool.size_px not in ((1, 1), size)
        ):
            self._survey = Survey()
        self._aimed = aimed

    def _compare(self, watching: Watching, told: dict[str, Any]) -> dict[str, Any] | None:
        """How this camera's table compares with last time's, as it is seen now; a good one is kept
        once enough looks agree."""
        camera = watching.camera.name
        if watching.practice:
            return None
        try:
            plane = self._survey.pool.plane()
        except PlaneNotSeen:
            return None
        if self._kept_for == camera:
            return self._compared(camera, plane)
        found = most_alike_profile(self._folder, camera, plane)
        self._before = found[0] if found is not None else None
        if (
            self._survey.pool.count >= KEEP_AFTER
            and told["verdict"] in ("ready", "playable", "patient")
            and plane.middle_from_tokens
        ):
            self._keep(
                Profile(
                    camera,
                    datetime.now().strftime("%Y-%m-%d %H:%M"),
                    plane,
                    told["verdict"],
                    tuple(told["map"]),
                    watching.granted(),
                )
            )
        return self._compared(camera, plane)

    def _compared(self, camera: str, plane: Plane) -> dict[str, Any] | None:
        if self._before is None:
            return None
        now = compare_with_profile(self._before, camera, plane)
        made_at = self._before.made_at
        return {"same": now.same, "key": now.key, "says": now.says, "made_at": made_at}

    def compare_with_last_time(
        self, camera: str, plane: Plane | None, waited_s: float
    ) -> Comparison | None:
        """How this camera's table compares with last time's, once that is certain: the same at the
        first look, anything else after `CERTAIN_S`; None while it is not, and when nothing was ever
        kept for this camera."""
        found = most_alike_profile(self._folder, camera, plane) if plane is not None else None
        if found is None or not (found[1].same or waited_s >= CERTAIN_S):
            return None
        return found[1]

    def _keep(self, profile: Profile) -> None:
        self._kept_for = profile.camera
        try:
            save_profile(profile, file_for(self._folder, profile.camera, profile.plane))
        except (CalibrationError, OSError):
            return  # a full disk must not hide how the table is seen
