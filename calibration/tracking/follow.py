"""The tokens' tags followed from frame to frame: where each one is now, and whether it is that tag
that is seen there.

Knows grey pixels, where tags were and how they looked; must not know what a movement means. A tag
counts only while it looks as it did: a hand or a sleeve over it makes it "not seen", never "moved".
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from calibration.geometry.place import on_table, tag_corners_mm
from calibration.geometry.plane import Plane
from calibration.tags.edges import refine_corners
from card_printables.token import TOKENS

_LIKENESS = 0.8
"""Correlation with how it looked; a tag under half a sleeve has 0.5, one in another light 0.97
(tests/calibration/tracking/test_drift.py)."""

_PATCH_PX = 24
_LEFT_SHARE = 0.6
"""A corner has left its place when it is off by so much of the way that is a movement of the whole
tag."""
_BENT_SHARE = 0.15
"""A tag that was pushed looks a little larger or smaller than it did: by less than so much of its
way."""

STEADY_S = 0.17
"""So long tags must lie still in their new places: two frames more at 10 a second, one at 5; with
the frame that first shows a bump 0.3 to 0.4 s."""

_FLAT_GREY = 15.0
"""Spread of grey levels below which a patch shows no tag."""


class TagFollower:
    """Remembers the tokens' tags as one frame showed them, and finds them again near where they
    were."""

    def __init__(self) -> None:
        self.corners: dict[int, np.ndarray] = {}
        self._looks: dict[int, np.ndarray] = {}

    def learn_tags(self, grey: np.ndarray, plane: Plane) -> None:
        """Take every token's tag where `plane` expects it in (H, W) uint8; those that cannot be
        seen are left out."""
        expected = {
            tag.id: plane.to_px(
                on_table(tag_corners_mm(tag.centre_mm, tag.size_mm), plane.places[p.name])
            )
            for p in TOKENS
            if p.name in plane.places and not plane.places[p.name].inferred
            for tag in p.tags
        }
        found = refined(grey, expected)
        looks = {i: _look(grey, corners) for i, corners in found.items()}
        self.corners = {i: c for i, c in found.items() if looks[i].std() > _FLAT_GREY}
        self._looks = {i: _normal(looks[i]) for i in self.corners}

    def follow_tags(self, grey: np.ndarray) -> dict[int, np.ndarray]:
        """Sharpened corners (4, 2) px of the tags that look as they did, searched about their last
        places."""
        found = refined(grey, self.corners)
        return {
            i: c
            for i, c in found.items()
            if float((_normal(_look(grey, c)) * self._looks[i]).mean()) > _LIKENESS
        }

    def shift_px(self, tag_id: int, corners: np.ndarray) -> float:
        """How far this tag moved since it was learned."""
        return shift_px(self.corners[tag_id], corners)

    def left_whole(self, tag_id: int, corners: np.ndarray, limit_px: float) -> bool:
        """True when three of its corners have left their places and it has kept its shape: a finger
        over a side draws two corners along, or bends it."""
        before = self.corners[tag_id]
        ways = np.sort(np.linalg.norm(corners - before, axis=1))
        return bool(
            ways[1] > _LEFT_SHARE * limit_px
            and _bent_px(before, corners) < max(limit_px, _BENT_SHARE * ways[3])
        )


def _bent_px(before: np.ndarray, now: np.ndarray) -> float:
    """How far a corner of a tag (4, 2) px lies at most from where a shift and a turn of it would
    have brought it."""
    old, new = ((c - c.mean(axis=0)) @ np.array([1, 1j]) for c in (before, now))
    turn = np.vdot(old, new)
    return float(np.abs(new - old * turn / max(float(np.abs(turn)), 1e-9)).max())


class RestWatch:
    """Whether tags that left their places lie still again."""

    def __init__(self) -> None:
        self._before: dict[int, np.ndarray] = {}
        self._since_s = 0.0

    @property
    def waits(self) -> bool:
        """True while some tags are being watched."""
        return bool(self._before)

    def at_rest(self, seen: Mapping[int, np.ndarray], now_s: float, limit_px: float) -> bool:
        """True when these tags have been where they are for `STEADY_S`."""
        common = [i for i in seen if i in self._before]
        if (
            not common
            or any(shift_px(self._before[i], seen[i]) > limit_px for i in common)
            or now_s < self._since_s
        ):
            self._before = dict(seen)
            self._since_s = now_s
        return now_s - self._since_s >= STEADY_S

    def start_anew(self) -> None:
        """Nothing is being watched any more."""
        self._before = {}


def refined(grey: np.ndarray, corners: Mapping[int, np.ndarray]) -> dict[int, np.ndarray]:
    """The corners sharpened; tags whose sides cannot be followed are left out."""
    if not corners:
        return {}
    exact = refine_corners(grey, np.array(list(corners.values())))
    return {i: c for i, c in zip(corners, exact, strict=True) if np.isfinite(c).all()}


def shift_px(before: np.ndarray, now: np.ndarray) -> float:
    """How far a tag (4, 2) px moved: its centre's way, or half its corners' way round if that is
    more.

    Growing and shrinking do not count: a lens that hunts and a lamp that is switched move all four
    sides alike."""
    way = float(np.linalg.norm(now.mean(axis=0) - before.mean(axis=0)))
    old, new = ((c - c.mean(axis=0)) @ np.array([1, 1j]) for c in (before, now))
    turned = abs(float(np.imag(np.vdot(old, new)) / np.vdot(old, old).real)) * float(
        np.abs(old).mean()
    )
    return max(way, 0.5 * turned)


def as_one(
    before: Mapping[int, np.ndarray], now: Mapping[int, np.ndarray], limit_px: float
) -> bool:
    """True when one affine motion of the picture carries all tags along: the camera moved, not
    they."""
    old = np.concatenate([before[i] for i in now])
    new = np.concatenate([now[i] for i in now])
    basis = np.column_stack([old, np.ones(len(old))])
    move = np.linalg.lstsq(basis, new, rcond=None)[0]
    rigid = abs(float(np.linalg.det(move[:2])) - 1) < 0.15
    off = np.linalg.norm(basis @ move - new, axis=1)
    return rigid and bool(np.median(off) < limit_px and off.max() < 4 * limit_px)


def _look(grey: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
    """The tag flattened to a small patch, (24, 24) float32."""
    n = _PATCH_PX
    flat = np.array(
        [(-0.5, -0.5), (n - 0.5, -0.5), (n - 0.5, n - 0.5), (-0.5, n - 0.5)], np.float32
    )
    turn = cv2.getPerspectiveTransform(flat, corners_px.astype(np.float32))
    return cv2.warpPerspective(
        grey, turn, (n, n), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    ).astype(np.float32)


def _normal(patch: np.ndarray) -> np.ndarray:
    return np.asarray((patch - patch.mean()) / max(float(patch.std()), 1e-3))
