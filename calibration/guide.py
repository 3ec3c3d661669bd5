"""The set-up guided at the terminal: what the camera granted, how the table is seen, one advice at a time, until it is good.

Knows an open webcam and the report; must not know web pages.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calibration.camera import Camera
from calibration.errors import PlaneNotSeen
from calibration.profile import Profile, Return, compared, load, path_for, save
from calibration.report import one_line, report_of
from calibration.survey import Survey

LOOK_EVERY_S = 1.0
PATIENCE_S = 20.0
"""A first set-up may take so long; then what is seen is said and left to the person: playing is always possible."""

QUICK_S = 2.0
"""A table that is as last time is said to be so within this."""


def guided(camera: Camera, symbol_mm: float, folder: Path | None, say: Callable[[str], None],
           patience_s: float = PATIENCE_S) -> tuple[dict[str, Any], Survey]:
    """Look at a live camera until everything can be read or `patience_s` is over; the last report and its survey.

    `say` gets one line whenever the advice changes.  `folder` keeps the profile for next time; None keeps nothing.
    """
    survey, said, kept = Survey(), "", load(path_for(folder, camera.name)) if folder else None
    report: dict[str, Any] = report_of(survey, symbol_mm)
    began = next_look = time.monotonic()
    while (frame := camera.read()) is not None:
        now = time.monotonic()
        if now < next_look and survey.pool.count:
            continue
        survey.add(frame.image)
        next_look = now + LOOK_EVERY_S
        if kept is not None and (back := _as_last_time(kept, camera.name, survey)) is not None:
            say(back.says)
            kept = None
            next_look = now
        report = report_of(survey, symbol_mm)
        if (line := one_line(report)) != said:
            said = line
            say(line)
        if now - began > patience_s or (report["verdict"] == "ready" and survey.pool.count >= 3):
            break
    _keep(folder, camera, survey, report)
    return report, survey


def _as_last_time(kept: Profile, name: str, survey: Survey) -> Return | None:
    """How the table compares with the kept one, as soon as tokens are seen."""
    try:
        plane = survey.pool.plane()
    except PlaneNotSeen:
        return None
    return compared(kept, name, plane)


def _keep(folder: Path | None, camera: Camera, survey: Survey, report: dict[str, Any]) -> None:
    if folder is None or report["verdict"] not in ("ready", "playable") or survey.pool.count < 3:
        return
    plane = survey.pool.plane()
    mode = getattr(camera, "mode", None)
    told = {"mode": str(mode)} if mode is not None else {}
    save(Profile(camera.name, time.strftime("%Y-%m-%d %H:%M"), plane, report["verdict"], tuple(report["map"]), told),
         path_for(folder, camera.name))
