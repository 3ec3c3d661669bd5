"""Has the camera, the table or a token moved since the plane was found?  A few milliseconds a frame.

Knows where the tags were and how they looked; must not know cards or the game.  Time is counted in frames.

The tokens' sides are followed from where they were; a tag counts only while it looks as it did (a hand or a sleeve over
it makes it "not seen", never "moved").  All of them shifting as one body is a bump; one alone is a moved token.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from calibration.edges import refine_corners
from calibration.errors import PlaneNotSeen
from calibration.layout import tag_corners_mm
from calibration.moved import on_table
from calibration.plane import Plane, fit_plane
from calibration.tags import SeenTag, find_tags, search, sharpened
from card_printables.token import PIECES, TOKENS

MOVED_PX = 0.5
"""Shift at 1080p that is a movement: a still camera's worst is 0.15 px, 0.1 degree gives 2.4 px, 1 mm gives 1 px
(tests/benchmarks/table_plane.py)."""

STEADY_FRAMES = 3
"""Frames that must agree: 0.3 s at 10 frames a second."""

SILENT_MM = 2.0
"""A bump that moved the table's places by less is mended without a word."""

_LIKENESS = 0.8
_SLOW = 10
"""Frames between two looks for pieces that are not where they were: a token put elsewhere, the tray."""
_PATCH_PX = 24


class DriftKind(StrEnum):
    """What a frame says about the plane."""

    STILL = "still"
    STIRRING = "stirring"
    """Something moved just now; nothing should be decided until it is clear what."""
    BUMPED = "bumped"
    """The camera or the table moved, and the plane has been found anew."""
    PIECE_MOVED = "piece moved"
    """A token or the tray was laid elsewhere; the plane is the same, the piece's place is new."""
    UNSURE = "unsure"
    """No token can be seen as it was: covered, dark, or the camera is turned away."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One frame's answer: the kind, the plane that now holds, how far table places moved (mm, for BUMPED), the
    pieces that moved, and whether people should be told."""

    kind: DriftKind
    plane: Plane
    shift_mm: float = 0.0
    pieces: tuple[str, ...] = ()

    @property
    def worth_a_word(self) -> bool:
        """True when a sentence should be said: a bump above `SILENT_MM`."""
        return self.kind is DriftKind.BUMPED and self.shift_mm > SILENT_MM


class DriftWatch:
    """Follows one plane from frame to frame; `plane` is always the one that holds."""

    def __init__(self, plane: Plane, image: np.ndarray) -> None:
        """Watch `plane`, as found in `image` (H, W) or (H, W, 3) uint8."""
        self.plane = plane
        self._frames = 0
        self._agreed = 0
        self._blind = 0
        self._before: dict[int, np.ndarray] = {}
        self._learn(_grey(image))

    def check(self, image: np.ndarray) -> Drift:
        """What `image` says; 2 ms at 1080p while nothing moves.  After BUMPED or PIECE_MOVED `plane` is the new one."""
        grey = _grey(image)
        self._frames += 1
        seen = self._followed(grey)
        known = [i for i in seen if i in self._corners]
        shifts = {i: _shift_px(seen[i] - self._corners[i]) for i in known}
        moved = [i for i in known if shifts[i] > self._limit_px]
        if known and not moved:
            return self._still(grey, set(known))
        self._blind = 0 if known else self._blind + 1
        if self._blind % 3 == 2 and not self._before:
            return Drift(DriftKind.UNSURE, self.plane)
        if not known:
            seen = {tag.id: tag.corners_px for tag in search(grey) if tag.id in self._corners}
            moved = [i for i in seen if _shift_px(seen[i] - self._corners[i]) > self._limit_px]
        if not seen or not moved:
            self._agreed, self._before = 0, {}
            return Drift(DriftKind.UNSURE, self.plane)
        return self._stirred(grey, seen)

    @property
    def _limit_px(self) -> float:
        return MOVED_PX * max(0.6, max(self.plane.size_px) / 1920)

    def _learn(self, grey: np.ndarray) -> None:
        """Where every token's tag is now and how it looks; only those that can be followed."""
        expected = {tag.id: self.plane.to_px(on_table(tag_corners_mm(tag.centre_mm, tag.size_mm), self.plane.places[p.name]))
                    for p in TOKENS if p.name in self.plane.places for tag in p.tags}
        found = _refined(grey, expected)
        looks = {i: _look(grey, corners) for i, corners in found.items()}
        self._corners = {i: c for i, c in found.items() if looks[i].std() > 15}
        self._looks = {i: _normal(looks[i]) for i in self._corners}
        self._agreed, self._before = 0, {}

    def _followed(self, grey: np.ndarray) -> dict[int, np.ndarray]:
        """Sharpened corners of the tags that look as they did, searched about their last places."""
        found = _refined(grey, self._corners)
        return {i: c for i, c in found.items() if float((_normal(_look(grey, c)) * self._looks[i]).mean()) > _LIKENESS}

    def _still(self, grey: np.ndarray, seen: set[int]) -> Drift:
        self._agreed = 0
        if self._frames % _SLOW == 0:
            return self._relaid(grey, seen)
        return Drift(DriftKind.STILL, self.plane)

    def _relaid(self, grey: np.ndarray, still: set[int]) -> Drift:
        """The camera stands still; has a piece been laid elsewhere, or a new one come?"""
        tags = find_tags(grey, thorough=False)
        if not still & set(tags):
            return Drift(DriftKind.STILL, self.plane)
        moved = tuple(name for name in _pieces_off(tags, self.plane))
        settled = self._settled({i: c for i, c in tags.items() if _piece_of(i) in moved})
        if not moved or not settled:
            return Drift(DriftKind.STILL, self.plane)
        return self._refitted(grey, tags, DriftKind.PIECE_MOVED, moved)

    def _stirred(self, grey: np.ndarray, seen: dict[int, np.ndarray]) -> Drift:
        """Some tags are elsewhere.  As one body, and steady for some frames: a bump."""
        self._agreed = self._agreed + 1 if self._settled(seen) else 1
        still = [i for i in seen if _shift_px(seen[i] - self._corners[i]) <= self._limit_px]
        as_one = len(still) < 2 and len(seen) >= 3 and _as_one(self._corners, seen, 2 * self._limit_px)
        if still and not as_one:
            return self._still_but(grey, seen, still)
        if self._agreed < STEADY_FRAMES:
            return Drift(DriftKind.STIRRING, self.plane)
        if len(seen) < 2:
            return Drift(DriftKind.UNSURE, self.plane)
        tags = {tag.id: tag.corners_px for tag in sharpened(grey, [SeenTag(i, c) for i, c in seen.items()])}
        return self._refitted(grey, tags, DriftKind.BUMPED, ())

    def _still_but(self, grey: np.ndarray, seen: dict[int, np.ndarray], still: list[int]) -> Drift:
        """One token shifted a little while others lie still: it was touched; its new place counts once it is steady."""
        if self._agreed < STEADY_FRAMES:
            return Drift(DriftKind.STILL, self.plane)
        tags = {tag.id: tag.corners_px for tag in sharpened(grey, [SeenTag(i, c) for i, c in seen.items()])}
        return self._refitted(grey, tags, DriftKind.PIECE_MOVED, tuple(_piece_of(i) for i in seen if i not in still))

    def _settled(self, seen: dict[int, np.ndarray]) -> bool:
        """True when these tags are where they were the last time this was asked."""
        common = [i for i in seen if i in self._before]
        steady = bool(common) and all(_shift_px(seen[i] - self._before[i]) <= self._limit_px for i in common)
        self._before = seen
        return steady

    def _refitted(self, grey: np.ndarray, tags: dict[int, np.ndarray], kind: DriftKind, pieces: tuple[str, ...]) -> Drift:
        try:
            plane = fit_plane(tags, self.plane.size_px, self.plane)
        except PlaneNotSeen:
            return Drift(DriftKind.UNSURE, self.plane)
        shift = _shift_mm(self.plane, plane)
        self.plane = plane
        self._learn(grey)
        return Drift(kind, plane, shift if kind is DriftKind.BUMPED else 0.0, pieces)


def _grey(image: np.ndarray) -> np.ndarray:
    return image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


def _refined(grey: np.ndarray, corners: dict[int, np.ndarray]) -> dict[int, np.ndarray]:
    if not corners:
        return {}
    exact = refine_corners(grey, np.array(list(corners.values())))
    return {i: c for i, c in zip(corners, exact, strict=True) if np.isfinite(c).all()}


def _look(grey: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
    """The tag flattened to a small patch, (24, 24) float32."""
    n = _PATCH_PX
    flat = np.array([(-0.5, -0.5), (n - 0.5, -0.5), (n - 0.5, n - 0.5), (-0.5, n - 0.5)], np.float32)
    turn = cv2.getPerspectiveTransform(flat, corners_px.astype(np.float32))
    return cv2.warpPerspective(grey, turn, (n, n), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP).astype(np.float32)


def _normal(patch: np.ndarray) -> np.ndarray:
    return np.asarray((patch - patch.mean()) / max(float(patch.std()), 1e-3))


def _shift_px(difference: np.ndarray) -> float:
    """How far a tag moved: the length of its corners' median shift, or half its turn if that is more."""
    middle = float(np.linalg.norm(np.median(difference, axis=0)))
    return max(middle, 0.5 * float(np.median(np.linalg.norm(difference, axis=1))))


def _as_one(before: dict[int, np.ndarray], now: dict[int, np.ndarray], limit_px: float) -> bool:
    """True when one affine motion of the picture carries all tags along: the camera moved, not they."""
    old = np.concatenate([before[i] for i in now])
    new = np.concatenate([now[i] for i in now])
    basis = np.column_stack([old, np.ones(len(old))])
    move = np.linalg.lstsq(basis, new, rcond=None)[0]
    rigid = abs(float(np.linalg.det(move[:2])) - 1) < 0.15
    off = np.linalg.norm(basis @ move - new, axis=1)
    return rigid and bool(np.median(off) < limit_px and off.max() < 4 * limit_px)


def _piece_of(tag_id: int) -> str:
    return next(piece.name for piece in PIECES for tag in piece.tags if tag.id == tag_id)


def _pieces_off(tags: dict[int, np.ndarray], plane: Plane) -> list[str]:
    """Pieces seen more than 3 mm from where the plane remembers them, or never seen before."""
    off = []
    for piece in PIECES:
        mine = [tag for tag in piece.tags if tag.id in tags]
        if not mine:
            continue
        if piece.name not in plane.places or plane.places[piece.name].inferred:
            off.append(piece.name)
            continue
        place = plane.places[piece.name]
        expected = np.concatenate([on_table(tag_corners_mm(t.centre_mm, t.size_mm), place) for t in mine])
        seen = plane.to_mm(np.concatenate([tags[t.id] for t in mine]))
        if np.median(np.linalg.norm(expected - seen, axis=1)) > 3.0:
            off.append(piece.name)
    return off


def _shift_mm(old: Plane, new: Plane) -> float:
    """How far the places of the middle would have been wrong with the old plane, at most."""
    rim = np.array(old.middle_mm if old.middle_mm else [(0.0, 0.0)])
    off = np.linalg.norm(new.to_mm(old.to_px(rim)) - rim, axis=1)
    return float(np.nanmax(off)) if np.isfinite(off).any() else float("inf")
