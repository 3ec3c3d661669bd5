"""What a camera shows just now, as one value for the scoreboard. Knows millimetres and card numbers;
must not know the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.capture.last_seen import LastSeen
from companion.table.sighting import Point, Polygon


@dataclass(frozen=True, slots=True)
class View:
    """What the camera believes just now: where cards lie (centre mm, heading), which of them it
    sees, how many nameless cards lie face up, the middle's outline, and the camera's own state."""

    places: Mapping[int, tuple[Point, float]] = field(default_factory=dict)
    seen: frozenset[int] = frozenset()
    unnamed: int = 0
    middle: Polygon | None = None
    camera: Mapping[str, Any] = field(default_factory=dict)
    practice: bool = False
    """True while the practice table plays; its game over, people play on by touch as at any other."""
    practice_over: bool = False
    """True once the practice table's footage is over and its evening is still shown."""
    result_read: bool = False
    """True once the last result has been shown long enough, so that the next round's roles may be
    shown."""


@dataclass(frozen=True, slots=True)
class CameraState:
    """How it stands with a camera: the watching's state ("searching", "live", "stopped", "off",
    "ended"), the camera's name, whether it waits for a phone to be the camera, whether it is the
    practice table's, whether cards are looked at in secret, whether it has found the table in
    its pictures, and what it shows instead where it stopped ("black", "still", or "")."""

    state: str
    name: str
    waiting: bool = False
    practice: bool = False
    secret: bool = False
    sees_table: bool = True
    shows: str = ""

    @property
    def shown(self) -> str:
        """The state as screens know it; the practice table looks for nothing before its first frame."""
        if self.state in ("stopped", "searching") and self.waiting:
            return "waiting"
        if self.state == "ended":
            return "off"
        watches = self.state == "live" or (self.practice and self.state == "searching")
        if not watches:
            return self.state
        if not self.practice and not self.sees_table:
            return "searching"
        if self.secret:
            return "closed"
        return "practice" if self.practice else "live"


def view_of(seen: LastSeen, camera: CameraState, result_read: bool) -> View:
    """What screens show of what was last seen; of a camera that is not live only where cards lay."""
    live = camera.state == "live"
    glimpse = seen.glimpse if live else None
    return View(
        {c: (s.centre_mm, s.heading_deg) for c, (s, _) in seen.sightings.items()},
        seen.cards_seen if live else frozenset(),
        glimpse.unnamed if glimpse is not None else 0,
        seen.middle,
        {
            "state": camera.shown,
            "shows": camera.shows if camera.shown == "stopped" else "",
            "notices": ["stopped"] if camera.shown == "stopped" else list(seen.notices),
            "fps": seen.frames_per_s if live else 0.0,
            "name": camera.name if camera.state != "ended" else "",
        },
        camera.practice and camera.state != "ended",
        camera.practice and camera.state == "ended",
        result_read,
    )
