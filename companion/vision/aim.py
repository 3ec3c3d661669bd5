"""Where the camera points: the table plane of each frame, followed when camera or table are bumped.

Knows tags and planes; knows no cards.  A still camera keeps the very same `Plane` object, so that what hangs on it
(rasters, maps) stays valid.
"""

from __future__ import annotations

import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.plane import Plane, fit_plane
from calibration.tags import find_tags
from card_printables.token import PIECES

LOOK_EVERY_S = 0.4
"""How often the tokens are looked at: a bump is found within half a second."""

SETTLE_S = 1.5
"""So long the first looks are repeated each frame, until every piece that will be seen has been seen."""

BUMP_PX = 1.2
"""Tags this far (median, at 1080p) from where they were mean that something moved; still cameras show 0.05-0.1."""

QUIET_MM = 2.0
"""A refit that moves the table's middle by less is not worth a word (reference calibration: <= 2 mm silently)."""


class Aim:
    """Follows the table plane through the frames of one camera."""

    def __init__(self) -> None:
        self.plane: Plane | None = None
        self.problem: str | None = None
        self.bumped_at_s = -1e9
        self._last_look_s = -1e9
        self._began_s: float | None = None
        self._suspect = 0

    def follow(self, grey: np.ndarray, t_s: float, moving: bool = True) -> Plane | None:
        """The plane for this frame (H, W) uint8, or None while no token has ever been seen."""
        if self._began_s is None:
            self._began_s = t_s
        young = t_s - self._began_s < SETTLE_S
        due = t_s - self._last_look_s >= (LOOK_EVERY_S if moving or self._suspect else 4 * LOOK_EVERY_S)
        if young or due or t_s < self._last_look_s or self._suspect:
            self._last_look_s = t_s
            self._look(grey, t_s, thorough=young or self.plane is None)
        return self.plane

    def _look(self, grey: np.ndarray, t_s: float, thorough: bool) -> None:
        tags = find_tags(grey, thorough)
        size = (grey.shape[1], grey.shape[0])
        if self.plane is None or self.plane.size_px != size:
            self._refit(tags, size, None)
            return
        off = self._off_px(tags)
        limit = BUMP_PX * max(size) / 1920
        known = {name for name, place in self.plane.places.items() if not place.inferred}
        fresh = any(piece.name not in known and all(tag.id in tags for tag in piece.tags) for piece in PIECES)
        if off and sum(o > limit for o in off) * 2 >= len(off):
            self._suspect += 1
            if self._suspect >= 2:
                before = self.plane
                self._refit(tags, size, self.plane)
                self._suspect = 0
                if self._moved_mm(before) > QUIET_MM:
                    self.bumped_at_s = t_s
            return
        self._suspect = 0
        if fresh:
            self._refit(tags, size, self.plane)

    def _off_px(self, tags: dict[int, np.ndarray]) -> list[float]:
        """How far each tag in view lies from where the plane expects it, px."""
        assert self.plane is not None
        off = []
        for piece in PIECES:
            place = self.plane.places.get(piece.name)
            for tag in piece.tags:
                if place is None or tag.id not in tags:
                    continue
                turn = np.radians(place.turn_deg)
                cos, sin = np.cos(turn), np.sin(turn)
                x, y = tag.centre_mm
                centre = np.array([[place.x_mm + cos * x - sin * y, place.y_mm + sin * x + cos * y]])
                off.append(float(np.linalg.norm(self.plane.to_px(centre)[0] - _crossing(tags[tag.id]))))
        return off

    def _refit(self, tags: dict[int, np.ndarray], size: tuple[int, int], previous: Plane | None) -> None:
        try:
            self.plane = fit_plane(tags, size, previous)
            self.problem = None
        except PlaneNotSeen as error:
            self.problem = str(error)

    def _moved_mm(self, before: Plane) -> float:
        if self.plane is None:
            return 0.0
        centre = np.array([[before.width_px / 2, before.height_px / 2]])
        return float(np.linalg.norm(self.plane.to_mm(centre) - before.to_mm(centre)))


def _crossing(corners: np.ndarray) -> np.ndarray:
    """Where a tag's diagonals cross: its centre also in perspective."""
    a, b, c, d = corners
    u, v = c - a, d - b
    along = ((b - a)[0] * v[1] - (b - a)[1] * v[0]) / (u[0] * v[1] - u[1] * v[0])
    return np.asarray(a + along * u)
