"""Departures as tests write them: one flat call instead of a value of values."""

from __future__ import annotations

from companion.referee.departure import (
    Departure,
    HandVisit,
    OutsideEvidence,
    PlaceEvidence,
    TrayEvidence,
)
from companion.table.sighting import Point


def departure(
    card: int,
    low_s: float,
    high_s: float,
    tray: int = 0,
    down: float = 0.0,
    tray_watched_s: float = 0.0,
    bare_s: float = 0.0,
    *,
    visit: HandVisit | None = None,
    denied: bool = False,
    again_s: tuple[float, float] | None = None,
    tray_before_s: float = 0.0,
    rest_mm: Point | None = None,
    exit_deg: float | None = None,
    came_s: tuple[float, float] = (0.0, 0.0),
) -> Departure:
    """A card that left between two times, read in the tray at this level, so surely face down, with the
    tray and its bare place in plain view for so long since."""
    return Departure(
        card,
        low_s,
        high_s,
        tray=TrayEvidence(tray, tray_watched_s, tray_before_s, came_s=came_s),
        place=PlaceEvidence(down, bare_s, again_s=again_s),
        outside=OutsideEvidence(rest_mm, exit_deg),
        visit=visit,
        denied=denied,
    )
