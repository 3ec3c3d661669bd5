"""Has the camera, the table or a token moved since the plane was found? A few milliseconds a frame.

Knows the followed tags and the plane; must not know cards or the game. Time comes with each
picture.

All tags shifting as one body is a bump; one alone is a moved token; tags that are not seen say
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from calibration.cameras.grey import grey_of
from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import fit_plane
from calibration.geometry.place import on_table, tag_corners_mm
from calibration.geometry.plane import Plane
from calibration.tags.find import (
    TOKEN_TAGS,
    SeenTag,
    corners_by_id,
    find_tags_quickly,
    find_tags_roughly,
    sharpened_tags,
)
from calibration.tags.refine import refined_tags
from calibration.tracking.follow import RestWatch, TagFollower, as_one
from calibration.tracking.sway import SwayWatch
from card_printables.token import PIECES

MOVED_PX = 0.5
"""Shift at 1080p that is a movement: a still camera's worst is 0.15 px, 0.1 degree gives 2.4 px, 1
mm gives 1 px (tests/benchmarks/scenes/moved_tables.py)."""

SILENT_MM = 2.0
"""A bump that moved the table's places by less is mended without a word."""

_SLOW_S = 1.0
"""Between two looks for pieces that are not where they were: a token put elsewhere, the tray, one
that was hidden."""
_SEARCH_S = 0.2
"""Between two searches for tags that are not where they were: the camera may have been turned away.
"""
_USUAL_FRAME_S = 0.1

_PIECE_OFF_MM = 3.0
"""A piece that is seen farther from its place was laid elsewhere; chosen."""

_ROUGHLY_OFF_MM = 1.5
"""Corners that are not sharpened yet are 1 mm off: where a piece's are no farther from its place than
this, sharpening them would tell nothing."""


class DriftKind(StrEnum):
    """What a frame says about the plane."""

    STILL = "still"
    STIRRING = "stirring"
    """Something moved just now; nothing should be decided until it is clear what."""
    SWAYING = "swaying"
    """The camera swings to and fro on its arm, and has for a while: the picture is off by
    `sway_px`, the plane holds."""
    BUMPED = "bumped"
    """The camera or the table moved, and the plane has been found anew."""
    PIECE_MOVED = "piece moved"
    """A token or the tray was laid elsewhere; the plane is the same, the piece's place is new."""
    UNSURE = "unsure"
    """No token can be seen as it was: covered, dark, or the camera is turned away."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One frame's answer: the kind, the plane that now holds, how far table places moved (mm, for
    BUMPED), the pieces that moved, how far the picture is off (for SWAYING), and whether people
    should be told."""

    kind: DriftKind
    plane: Plane
    shift_mm: float = 0.0
    pieces: tuple[str, ...] = ()
    sway_px: tuple[float, float] = (0.0, 0.0)

    @property
    def worth_a_word(self) -> bool:
        """True when a sentence should be said: a bump above `SILENT_MM`."""
        return self.kind is DriftKind.BUMPED and self.shift_mm > SILENT_MM


class DriftWatch:
    """Follows one plane from frame to frame; `plane` is always the one that holds."""

    def __init__(self, plane: Plane, image: np.ndarray) -> None:
        """Watch `plane`, as found in `image` (H, W) or (H, W, 3) uint8."""
        self.plane = plane
        self._now_s = 0.0
        self._looked_s = -1e9
        self._searched_s = -1e9
        self._stir = RestWatch()
        self._laid = RestWatch()
        self._sway = SwayWatch()
        self._tags = TagFollower()
        self._tags.learn_tags(grey_of(image), plane)

    def check(self, image: np.ndarray, t_s: float | None = None) -> Drift:
        """What `image`, taken at `t_s` (default: 0.1 s after the last), says. After BUMPED or
        PIECE_MOVED `plane` is the new one. 2 ms at 1080p while nothing moves, 10 to 20 ms once a
        second."""
        grey = grey_of(image)
        self._now_s = self._now_s + _USUAL_FRAME_S if t_s is None else t_s
        seen = self._tags.follow_tags(grey)
        moved = [i for i in seen if self._tags.shift_px(i, seen[i]) > self._limit_px]
        if seen and not moved:
            return self._still(grey, set(seen))
        if not seen:
            if 0 <= self._now_s - self._searched_s < _SEARCH_S and not self._stir.waits:
                return Drift(DriftKind.UNSURE, self.plane)
            return self._searched(grey)
        return self._stirred(grey, seen)

    @property
    def _limit_px(self) -> float:
        return MOVED_PX * max(0.6, max(self.plane.size_px) / 1920)

    def _still(self, grey: np.ndarray, seen: set[int]) -> Drift:
        self._stir.start_anew()
        if not 0 <= self._now_s - self._looked_s < _SLOW_S:
            self._looked_s = self._now_s
            return self._relaid(grey, seen)
        return Drift(DriftKind.STILL, self.plane)

    def _relaid(self, grey: np.ndarray, still: set[int]) -> Drift:
        """The camera stands still; has a piece been laid elsewhere, or a new one come, or a hidden
        one come to light?"""
        rough = find_tags_roughly(grey)
        tags = corners_by_id(rough)
        if not still & set(tags):
            return Drift(DriftKind.STILL, self.plane)
        moved: tuple[str, ...] = ()
        if _pieces_off(tags, self.plane, _ROUGHLY_OFF_MM):
            tags = corners_by_id(sharpened_tags(grey, rough))
            moved = tuple(_pieces_off(tags, self.plane))
        if not moved and any(_is_token(i) and i not in self._tags.corners for i in tags):
            self._tags.learn_tags(grey, self.plane)
        if not moved:
            self._laid.start_anew()
            return Drift(DriftKind.STILL, self.plane)
        if not self._laid.at_rest(
            {i: c for i, c in tags.items() if _piece_of(i) in moved}, self._now_s, self._limit_px
        ):
            self._looked_s -= _SLOW_S - _SEARCH_S
            return Drift(DriftKind.STILL, self.plane)
        return self._refitted(grey, tags, DriftKind.PIECE_MOVED, moved)

    def _searched(self, grey: np.ndarray) -> Drift:
        """No tag is where it was: are they elsewhere in the picture?"""
        self._searched_s = self._now_s
        seen = {tag.id: tag.corners_px for tag in find_tags_quickly(grey) if _is_token(tag.id)}
        known = {i: c for i, c in seen.items() if i in self._tags.corners}
        if known and any(self._tags.shift_px(i, c) > self._limit_px for i, c in known.items()):
            return self._stirred(grey, known)
        if seen and not known and not _pieces_off(seen, self.plane):
            self._tags.learn_tags(grey, self.plane)
            return Drift(DriftKind.STILL, self.plane)
        if seen and not known:
            return self._bumped_if_steady(grey, seen)
        self._stir.start_anew()
        return Drift(DriftKind.UNSURE, self.plane)

    def _stirred(self, grey: np.ndarray, seen: dict[int, np.ndarray]) -> Drift:
        """Some tags are elsewhere.  As one body, and steady for a moment: a bump."""
        still = [i for i in seen if self._tags.shift_px(i, seen[i]) <= self._limit_px]
        together = (
            len(still) < 2
            and len(seen) >= 3
            and as_one(self._tags.corners, seen, 2 * self._limit_px)
        )
        if still and not together:
            left = [
                i
                for i in seen
                if i not in still and self._tags.left_whole(i, seen[i], self._limit_px)
            ]
            if not self._stir.at_rest(seen, self._now_s, self._limit_px) or not left:
                return Drift(DriftKind.STILL, self.plane)
            moved = tuple(_piece_of(i) for i in left)
            clear = {i: seen[i] for i in (*still, *left)}
            return self._refitted(
                grey, _exact(grey, clear, self.plane), DriftKind.PIECE_MOVED, moved
            )
        return self._bumped_if_steady(grey, seen)

    def _bumped_if_steady(self, grey: np.ndarray, seen: dict[int, np.ndarray]) -> Drift:
        off_px = self._sway.offset_px(
            self._tags.corners, seen, self._now_s, self._limit_px, self.plane.size_px[0]
        )
        if not self._stir.at_rest(seen, self._now_s, self._limit_px):
            swaying = off_px is not None
            return Drift(
                DriftKind.SWAYING if swaying else DriftKind.STIRRING,
                self.plane,
                sway_px=off_px or (0.0, 0.0),
            )
        if len(seen) < 2:
            return Drift(DriftKind.UNSURE, self.plane)
        return self._refitted(grey, _exact(grey, seen, self.plane), DriftKind.BUMPED, ())

    def _refitted(
        self,
        grey: np.ndarray,
        tags: dict[int, np.ndarray],
        kind: DriftKind,
        pieces: tuple[str, ...],
    ) -> Drift:
        self._stir.start_anew()
        self._laid.start_anew()
        try:
            plane = fit_plane(tags, self.plane.size_px, self.plane)
        except PlaneNotSeen:
            return Drift(DriftKind.UNSURE, self.plane)
        shift = _shift_mm(self.plane, plane)
        self.plane = plane
        self._tags.learn_tags(grey, plane)
        return Drift(kind, plane, shift if kind is DriftKind.BUMPED else 0.0, pieces)


def _exact(grey: np.ndarray, seen: dict[int, np.ndarray], plane: Plane) -> dict[int, np.ndarray]:
    """The tags freed of bloom, their sides bent as the lens of `plane` bends them."""
    tags = sharpened_tags(grey, [SeenTag(i, c) for i, c in seen.items()])
    return {tag.id: tag.corners_px for tag in refined_tags(grey, tags, plane)}


def _is_token(tag_id: int) -> bool:
    return tag_id in TOKEN_TAGS


def _piece_of(tag_id: int) -> str:
    return next(piece.name for piece in PIECES for tag in piece.tags if tag.id == tag_id)


def _pieces_off(
    tags: dict[int, np.ndarray], plane: Plane, off_mm: float = _PIECE_OFF_MM
) -> list[str]:
    """Pieces seen more than `off_mm` from where the plane remembers them, or never seen before."""
    off = []
    for piece in PIECES:
        mine = [tag for tag in piece.tags if tag.id in tags]
        if not mine:
            continue
        if piece.name not in plane.places or plane.places[piece.name].inferred:
            off.append(piece.name)
            continue
        place = plane.places[piece.name]
        expected = np.concatenate(
            [on_table(tag_corners_mm(t.centre_mm, t.size_mm), place) for t in mine]
        )
        seen = plane.to_mm(np.concatenate([tags[t.id] for t in mine]))
        if np.median(np.linalg.norm(expected - seen, axis=1)) > off_mm:
            off.append(piece.name)
    return off


def _shift_mm(old: Plane, new: Plane) -> float:
    """How far the places of the middle would have been wrong with the old plane, at most."""
    rim = np.array(old.middle_mm if old.middle_mm else [(0.0, 0.0)])
    off = np.linalg.norm(new.to_mm(old.to_px(rim)) - rim, axis=1)
    return float(np.nanmax(off)) if np.isfinite(off).any() else float("inf")
