"""The set-up guided at the terminal: what the camera granted, how the table is seen, one advice at
a time, until it is good.

Knows an open webcam and the report; must not know web pages.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calibration.cameras.port import Camera
from calibration.check.profile import Comparison, Profile, save_profile
from calibration.check.profile_store import file_for, most_alike_profile
from calibration.check.report import report_of
from calibration.check.sentences import ReportSentences, sentences_in
from calibration.check.survey import Survey
from calibration.errors import PlaneNotSeen

LOOK_EVERY_S = 1.0
SET_UP_PATIENCE_S = 20.0
"""A first set-up may take so long; then what is seen is said and left to the person: playing is
always possible."""

CERTAIN_S = 1.5
"""A table that is as last time is said to be so at the first look; after so long what has changed
is said."""


def guided(
    camera: Camera,
    symbol_mm: float,
    folder: Path | None,
    say: Callable[[str], None],
    patience_s: float = SET_UP_PATIENCE_S,
    words: ReportSentences | None = None,
) -> tuple[dict[str, Any], Survey]:
    """Look at a live camera until everything can be read or `patience_s` is over; the last report
    and its survey.

    `say` gets one line whenever the advice changes, in these `words` (English ones). `folder` keeps the profile
    for next time; None keeps nothing.
    """
    words = words or sentences_in("en")
    survey, said, waits = Survey(), "", folder is not None
    report: dict[str, Any] = report_of(survey, symbol_mm)
    began = next_look = time.monotonic()
    while (frame := camera.read()) is not None:
        now = time.monotonic()
        if now < next_look and survey.pool.count:
            continue
        survey.add_picture(frame.image)
        next_look = now + LOOK_EVERY_S
        if waits and (back := _as_last_time(folder, camera.name, survey, now - began)) is not None:
            say(words.of_comparison(back))
            waits, next_look = False, now
        report = report_of(survey, symbol_mm)
        if (line := words.of_report(report)) != said:
            said = line
            say(line)
        if now - began > patience_s or (report["verdict"] == "ready" and survey.pool.count >= 3):
            break
    _keep(folder, camera, survey, report)
    return report, survey


def _as_last_time(
    folder: Path | None, name: str, survey: Survey, waited_s: float
) -> Comparison | None:
    """How the table compares with the kept one most like it: at once when it is the same, else as
    soon as it cannot become so."""
    try:
        found = most_alike_profile(folder, name, survey.pool.plane()) if folder else None
    except PlaneNotSeen:
        return None
    return found[1] if found and (found[1].same or waited_s > CERTAIN_S) else None


def _keep(folder: Path | None, camera: Camera, survey: Survey, report: dict[str, Any]) -> None:
    if (
        folder is None
        or report["verdict"] not in ("ready", "part", "playable", "patient")
        or survey.pool.count < 3
    ):
        return
    plane = survey.pool.plane()
    mode = getattr(camera, "mode", None)
    told = (
        dataclasses.asdict(mode)
        if dataclasses.is_dataclass(mode) and not isinstance(mode, type)
        else {}
    )
    save_profile(
        Profile(
            camera.name,
            time.strftime("%Y-%m-%d %H:%M"),
            plane,
            report["verdict"],
            tuple(report["map"]),
            told,
        ),
        file_for(folder, camera.name, plane),
    )
