"""Where the camera points: the table plane of each frame, followed when camera or table are bumped.

Knows tags and planes; knows no cards. A still camera keeps the very same `Plane` object, so that
what hangs on it (rasters, maps) stays valid.
"""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.geometry.plane import Plane
from calibration.geometry.tag_pool import TagPool
from calibration.tags.find import TOKEN_TAGS, find_all_tags, find_tags_quickly
from calibration.tags.refine import refined_tags
from calibration.tracking.drift import Drift, DriftKind, DriftWatch

SEARCH_TOKENS_EVERY_S = 0.4
"""How often tokens are looked for while none has ever been seen."""

MIRRORED_TOKENS = 2
"""So many tokens seen turned over make a mirrored picture; one may be a pattern of the cloth."""

POOL_TAGS_S = 1.5
"""So long the first looks are pooled, until every piece that will be seen has been seen."""

POOL_EVERY_S = 0.24
"""Between two looks that are pooled: seven of them; each takes as long as five other frames
(chosen)."""


class PlaneTracker:
    """Follows the table plane through the frames of one camera."""

    def __init__(self) -> None:
        self.plane: Plane | None = None
        self.bumped_at_s = -1e9
        self.stirring = False
        """True while it is not clear what moved; nothing should be decided."""
        self.sway_px = (0.0, 0.0)
        """How far a swaying camera's picture is off: moved back by so much it fits the plane again.
        """
        self.out_of_sight = False
        """True while no token is seen where the plane has it, nor elsewhere: all are covered, it is
        dark, or the camera was turned away."""
        self.mirrored = False
        """True while no token is seen upright, but some are in the picture turned over, left for
        right."""
        self._pool: TagPool | None = None
        self._watch: DriftWatch | None = None
        self._began_s = 0.0
        self._last_look_s = -1e9
        self._turned_over_s = -1e9

    def track_plane(self, grey: np.ndarray, t_s: float) -> Plane | None:
        """The plane for this frame (H, W) uint8, or None while no token has ever been seen."""
        size = (grey.shape[1], grey.shape[0])
        if self._pool is None or self._pool.size_px != size or t_s < self._began_s:
            self._begin_pool(size, t_s)
        if self._watch is not None:
            self._take_drift(self._watch.check(grey, t_s), t_s)
            self._look_turned_over(grey, t_s, not self.out_of_sight)
        elif not 0 <= t_s - self._last_look_s < self._look_every_s(t_s):
            self._look_turned_over(grey, t_s, self._pool_tags(grey, t_s))
        return self.plane

    @property
    def settled(self) -> bool:
        """True while nothing about the plane is being worked out: it stands and nothing stirs, or
        nobody knows of one."""
        stands = self._watch is not None if self.plane is not None else True
        return stands and not self.stirring and self.sway_px == (0.0, 0.0)

    def _look_every_s(self, t_s: float) -> float:
        """Between two looks for tokens, while the plane does not stand yet."""
        pooling = t_s - self._began_s < POOL_TAGS_S
        return POOL_EVERY_S if pooling or self.plane is not None else SEARCH_TOKENS_EVERY_S

    def _begin_pool(self, size: tuple[int, int], t_s: float) -> None:
        self._pool = TagPool(size)
        self._watch = None
        self.out_of_sight = False
        self.mirrored = False
        self._began_s = t_s
        self._turned_over_s = -1e9
        self._last_look_s = -1e9
        if self.plane is not None and self.plane.size_px != size:
            self.plane = None

    def _pool_tags(self, grey: np.ndarray, t_s: float) -> bool:
        """Pool this look; once looks enough are pooled, the plane stands and is only watched. True
        when something of the table set is seen."""
        assert self._pool is not None
        self._last_look_s = t_s
        before = set(self._pool.tags())
        found = refined_tags(grey, find_all_tags(grey), self.plane)
        self._pool.add_look({tag.id: tag.corners_px for tag in reversed(found)})
        settled = t_s - self._began_s >= POOL_TAGS_S
        if settled or set(self._pool.tags()) != before:
            with suppress(PlaneNotSeen):
                self.plane = self._pool.plane()
        if settled and self.plane is not None:
            self._watch = DriftWatch(self.plane, grey)
        return bool(found)

    def _look_turned_over(self, grey: np.ndarray, t_s: float, upright: bool) -> None:
        """Are the tokens seen in the picture turned over? Not asked while they are seen `upright`."""
        if upright:
            self.mirrored = False
        elif not 0 <= t_s - self._turned_over_s < SEARCH_TOKENS_EVERY_S:
            self._turned_over_s = t_s
            found = find_tags_quickly(np.ascontiguousarray(grey[:, ::-1]))
            self.mirrored = len({tag.id for tag in found} & TOKEN_TAGS) >= MIRRORED_TOKENS

    def _take_drift(self, drift: Drift, t_s: float) -> None:
        self.plane = drift.plane
        self.stirring = drift.kind is DriftKind.STIRRING
        self.sway_px = drift.sway_px
        self.out_of_sight = drift.kind is DriftKind.UNSURE
        if drift.worth_a_word:
            self.bumped_at_s = t_s
