"""How large are the cards that came or went between two pictures, and which picture shows the table
without them?

Knows settled pictures and the plane. Must not know cards or lessons. What changed lies in patches, each the
whole of one card whatever is printed on it and whatever cloth it lies on; where several are alike, they tell
the cards' outline. A patch's edge lies where its change is half of what it is within: light and the lens
soften it to both sides alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.frame.fitting import quadratic_basis, ridge_fit
from companion.vision.frame.log_colour import LogColour, log_colour_of
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster, shrink_factor, shrunk_picture, watched_bounds_mm
from companion.vision.learnt.deck import LARGEST_MM, SMALLEST_MM, is_card_size
from companion.vision.places.disc_finder import BareLook, FoundDisc

STEP_MM = 1.0
"""One pixel of the table seen from above."""

GLANCE_PX = (160, 90)
"""A picture so small tells whether anything moves."""

GLANCE_BLUR_PX = 1.5
"""Or the finest checks of a cloth would move in it as the picture is sharper or softer."""

GLANCE_LOG = 0.06
STILL_SHARE = 0.0008
"""Two pictures of which no more pixels differ by more are of one state of the table."""

LIGHT_PX = 5
LIGHT_FAR_LOG = (0.3, 0.2, 0.12, 0.08)
"""What is farther from the smooth light than this is taken for a thing, round by round."""

CHANGED_NOISE = 5.0
LEAST_CHANGE_LOG = 0.04
"""A pixel has changed by so many times what most have, and so much at least."""

SPECKS_AND_GAPS_MM = ((5, 9), (11, 1))
"""Lines of change thinner than a speck are a plane's that moved; gaps so wide belong to the patch. What has
no card's shape then may be two with a gap between them, or have lines at its rim."""

STATES = 3
"""The first, the last, and the one before are kept."""

FEWEST_CAME = 3
"""So many patches of one size are cards, and no fewer than half of all that are as large as a card."""

ALIKE_SHARE = 0.05
ALIKE_MM = 1.0
LEAST_SOLID = 0.6
LEAST_STRAIGHT = 0.92
"""A rectangle fills so much of the rectangle about it,"""
ROUND_FILL, ROUND_OFF, LEAST_ROUND = np.pi / 4, 0.04, 0.93
"""and a disc so much, as wide as it is high, nearly."""

PAD_MM = 14
WITHIN_MM = (8, 18)
"""So far within a patch's border its change is that of the card,"""
CLOTH_MM = 7
"""and over so much beside it that of the cloth."""
CORNER_MM = 10

BOUNDARY_MM = 1.5
EDGE_LOG = 0.15
CAME_SHARE = 0.15
"""An edge shows by so much more of itself where a card lies than where none does: the middle card of 109
lays on cloths of all kinds by 0.29 at least,"""
LEAST_CAME = 0.08
"""and every one by 0.11."""

LAID_SHARE = 0.06
"""What is laid later is a card whose sides are off by no more than this share."""

OTHER_SHARE = 0.15
"""What is laid later and has sides off by more than this share is no card of this deck."""

AS_BEFORE_SHARE = 0.1
"""Where no more of a disc is another, the same thing stands there as before."""

SOFT_MM = 8.0
"""Soft edges make a patch larger than its card."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What changed in one place: its middle in pixels from above, its sides (the shorter first), how the
    shorter one is turned, and whether it is round."""

    middle: tuple[float, float]
    sides: tuple[float, float]
    turn_deg: float
    round: bool


@dataclass(frozen=True, slots=True)
class ToldByChange:
    """The outline of what came or went, how many of them did, and the table without them, if one of the
    two pictures shows it."""

    outline: CardOutline
    cards: int
    bare: BareLook | None


@dataclass(frozen=True, slots=True)
class TwoLooks:
    """Two pictures of one table seen from above on one raster: how it was, how it looks now, and by how
    much each pixel is another, (h, w) float32."""

    was: LogColour
    look: LogColour
    change: np.ndarray
    raster: Raster

    @classmethod
    def of(cls, before: BareLook, now: BareLook) -> TwoLooks:
        """Both pictures, where both show the table."""
        bounds = watched_bounds_mm(now.plane)
        was, at_first = _from_above(before, bounds)
        look, raster = _from_above(now, bounds)
        return cls(was, look, _change(was, look, at_first.inside & raster.inside), raster)

    def came(self, patch: Changed, outline: CardOutline) -> float:
        """By how much more of itself an edge shows about this patch now."""
        return _edge_shown(self.look, patch, outline) - _edge_shown(self.was, patch, outline)


class CameAndWent:
    """Hand it every picture: two in a row that are alike are a state of the table."""

    def __init__(self) -> None:
        self._glance: np.ndarray | None = None
        self._settled: np.ndarray | None = None
        self._states: list[BareLook] = []

    def observe_picture(self, image: np.ndarray, plane: PicturePlane) -> bool:
        """Whether this picture (H, W, 3) uint8 BGR shows a state that is new."""
        glance, before = _glance_of(image), self._glance
        self._glance = glance
        if before is None or not _are_alike(glance, before):
            return False
        if self._settled is not None and _are_alike(glance, self._settled):
            return False
        self._settled = glance
        states = self._states if len(self._states) < STATES else [self._states[0], self._states[-1]]
        self._states = [*states, BareLook(image, plane)]
        return True

    def told(self) -> ToldByChange | None:
        """What came or went between the newest state and the one before or the first: whichever tells more."""
        *before, now = self._states
        found = [told for state in before if (told := told_by_change(state, now)) is not None]
        return max(reversed(found), key=lambda one: one.cards, default=None)


def told_by_change(before: BareLook, now: BareLook) -> ToldByChange | None:
    """What came or went between two pictures of one table; None where it is not several things of one
    size, round or rectangular."""
    seen = TwoLooks.of(before, now)
    all_patches = _patches(seen.change)
    patches = _of_one_size(all_patches)
    if not patches:
        return None
    sides = np.array([_measured(seen.change, patch) for patch in patches])
    width, height = sorted(float(side) * STEP_MM for side in np.median(sides, axis=0))
    outline = (
        CardOutline.disc((width + height) / 2)
        if patches[0].round
        else CardOutline.rectangle(width, height)
    )
    if not is_card_size(outline):
        return None
    more = [seen.came(one, outline) for one in patches]
    whole = len(patches) == len(all_patches)  # where cards came on others that went neither is bare
    bare = _bare_of(np.array(more), before, now) if whole else None
    return ToldByChange(outline, len(patches), bare)


def cards_laid(seen: TwoLooks, outline: CardOutline) -> list[FoundDisc]:
    """What is not as on the bare table, the first of the two, and has this outline, each wholly clear."""
    found = []
    for patch in _patches(seen.change):
        if patch.round != outline.round or not patch.sides[0]:
            continue
        across, along = (STEP_MM * side for side in sorted(_measured(seen.change, patch)))
        laid = CardOutline(across, along, patch.round)
        if laid.is_near(outline, LAID_SHARE) and seen.came(patch, outline) > LEAST_CAME:
            column, row = patch.middle
            turn = 0.0 if patch.round else patch.turn_deg % 180
            found.append(FoundDisc(seen.raster.point_at(row, column), 1.0, turn))
    return found


def others_laid(seen: TwoLooks, outline: CardOutline) -> list[FoundDisc]:
    """What is not as on the bare table, the first of the two, and has a card's shape, but not this one."""
    found = []
    for patch in _patches(seen.change):
        if not patch.sides[0]:
            continue
        across, along = (STEP_MM * side for side in sorted(_measured(seen.change, patch)))
        laid = CardOutline(across, along, patch.round)
        other = patch.round != outline.round or not laid.is_near(outline, OTHER_SHARE)
        if other and seen.came(patch, laid) > LEAST_CAME:
            column, row = patch.middle
            found.append(FoundDisc(seen.raster.point_at(row, column), 1.0, patch.turn_deg % 180))
    return found


def laid_since(seen: TwoLooks, outline: CardOutline, discs: Sequence[FoundDisc]) -> list[FoundDisc]:
    """Those of these discs that did not stand on the bare table, the first of the two, already, as a mug
    may: hardly anything is another there, and no more of an edge shows."""
    changed, low = _changed(seen.change), seen.raster.origin_mm
    laid = []
    for disc in discs:
        x, y = ((at - first) / STEP_MM for at, first in zip(disc.centre_mm, low, strict=True))
        came = seen.came(Changed((x, y), (0.0, 0.0), 0.0, True), outline)
        within = seen.raster.disc_cells(disc.centre_mm, outline.radius_mm)
        if came > LEAST_CAME or changed[within].mean() > AS_BEFORE_SHARE:
            laid.append(disc)
    return laid


def _bare_of(more: np.ndarray, before: BareLook, now: BareLook) -> BareLook | None:
    """The picture without the cards, of which each shows so much `more` of its edge now: all of them came,
    or all went."""
    if np.median(more) > CAME_SHARE and more.min() > LEAST_CAME:
        return before
    if np.median(more) < -CAME_SHARE and more.max() < -LEAST_CAME:
        return now
    return None


def _glance_of(image: np.ndarray) -> np.ndarray:
    small = cv2.resize(image, GLANCE_PX, interpolation=cv2.INTER_AREA)
    return log_colour_of(cv2.GaussianBlur(small, (0, 0), GLANCE_BLUR_PX)).brightness


def _are_alike(one: np.ndarray, other: np.ndarray) -> bool:
    off = one - other
    light = _light_on(off, np.ones(off.shape, bool))
    return bool((np.abs(off - light) > GLANCE_LOG).mean() <= STILL_SHARE)


def _from_above(
    shown: BareLook, bounds: tuple[float, float, float, float]
) -> tuple[LogColour, Raster]:
    raster, shrink = Raster(bounds, STEP_MM), shrink_factor(shown.plane, bounds, STEP_MM)
    raster.follow_plane(shown.plane, shrink)
    shrunk = shrunk_picture(shown.image_bgr, shrink)
    return log_colour_of(raster.sample_picture(shrunk, slice(None), slice(None))), raster


def _change(was: LogColour, look: LogColour, inside: np.ndarray) -> np.ndarray:
    """By how much each pixel is another, whatever the light does to all, (h, w) float32."""
    most = np.zeros(inside.shape, np.float32)
    for before, now in zip(was.channels, look.channels, strict=True):
        off = now - before
        np.maximum(most, np.abs(off - _light_on(off, inside)), out=most)
    return np.where(inside, most, 0).astype(np.float32)


def _light_on(off: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """The smooth light that explains most of a difference, (h, w): round by round what is far from it
    is left out."""
    height, width = off.shape
    y, x = np.mgrid[0:height:LIGHT_PX, 0:width:LIGHT_PX]
    within = inside[y, x]
    y, x, some = y[within], x[within], off[y, x][within]
    basis = quadratic_basis(2 * x / width - 1, 2 * y / height - 1)
    light = np.full(len(some), np.median(some), np.float32)
    weights = np.zeros(basis.shape[1], np.float32)
    for far in LIGHT_FAR_LOG:
        near = np.abs(some - light) < far
        weights = ridge_fit(basis[near], some[near], np.full(len(weights), 1e-3))
        light = basis @ weights
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    all_of = quadratic_basis((2 * x / width - 1).ravel(), (2 * y / height - 1).ravel())
    return np.asarray((all_of @ weights).reshape(off.shape))


def _changed(change: np.ndarray) -> np.ndarray:
    """Where it is more than noise, (h, w) uint8."""
    soft = cv2.GaussianBlur(change, (0, 0), 1.2)
    seen = soft[soft > 0]
    least = max(LEAST_CHANGE_LOG, CHANGED_NOISE * float(np.median(seen)) if seen.size else 0.0)
    return np.asarray(soft > least, np.uint8)


def _patches(change: np.ndarray) -> list[Changed]:
    """What changed, as large as a card and of a card's shape."""
    return _patches_of(_changed(change), SPECKS_AND_GAPS_MM)


def _patches_of(mask: np.ndarray, specks_and_gaps_mm: Sequence[tuple[int, int]]) -> list[Changed]:
    """The patches of a mask, without specks and over gaps as wide as the first; one that has no card's
    shape is tried again by the next: two cards that lie near one another."""
    found = []
    (speck, gap), *others = specks_and_gaps_mm
    closed = _morphed(_morphed(mask, cv2.MORPH_OPEN, speck), cv2.MORPH_CLOSE, gap)
    for contour in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
        patch = _patch_of(contour)
        if patch is None:
            continue
        if not patch.sides[0] and others:
            alone = cv2.drawContours(np.zeros_like(mask), [contour], -1, 1, cv2.FILLED)
            parts = _patches_of(mask & alone, others)
            if parts and all(part.sides[0] for part in parts):
                found += parts
                continue
        found.append(patch)
    return found


def _morphed(mask: np.ndarray, how: int, size_mm: int) -> np.ndarray:
    round_one = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size_mm, size_mm))
    return np.asarray(cv2.morphologyEx(mask, how, round_one))


def _patch_of(contour: np.ndarray) -> Changed | None:
    """What this contour encloses; without sides where that has no card's shape, None where it is too
    small for a card."""
    hull = cv2.convexHull(contour)
    (x, y), (wide, high), turn = cv2.minAreaRect(hull)
    if min(wide, high) < SMALLEST_MM / STEP_MM:
        return None
    area = cv2.contourArea(hull)
    solid, fill = cv2.contourArea(contour) / area, area / (wide * high)
    straight = fill >= LEAST_STRAIGHT
    is_round = abs(fill - ROUND_FILL) < ROUND_OFF and min(wide, high) > LEAST_ROUND * max(
        wide, high
    )
    sides = (wide, high) if wide <= high else (high, wide)
    shaped = solid >= LEAST_SOLID and (straight or is_round)
    if shaped and max(sides) <= (LARGEST_MM + SOFT_MM) / STEP_MM:
        return Changed((x, y), sides, turn if wide <= high else turn + 90, is_round)
    return Changed((x, y), (0.0, 0.0), 0.0, False)


def _of_one_size(patches: list[Changed]) -> list[Changed]:
    """The most that are of one size and shape, if they are enough."""
    best: list[Changed] = []
    for one in patches:
        alike = [
            other
            for other in patches
            if one.sides[0] > 0
            and other.round == one.round
            and all(
                abs(a - b) <= ALIKE_SHARE * a + ALIKE_MM
                for a, b in zip(one.sides, other.sides, strict=True)
            )
        ]
        best = max(best, alike, key=len)
    return best if len(best) >= max(FEWEST_CAME, len(patches) / 2) else []


def _measured(change: np.ndarray, patch: Changed) -> tuple[float, float]:
    """How wide and how high a patch is, pixels, where its change is half of what it is within."""
    wide, high = (round(side) + 2 * PAD_MM for side in patch.sides)
    turn = np.asarray(cv2.getRotationMatrix2D(patch.middle, patch.turn_deg, 1.0))
    turn[:, 2] += np.subtract((wide / 2 - 0.5, high / 2 - 0.5), patch.middle)
    upright = cv2.warpAffine(change, turn, (wide, high), flags=cv2.INTER_LINEAR)
    if patch.round:
        reach = wide // 2
        rays = cv2.warpPolar(
            upright, (reach, 180), (wide / 2 - 0.5, high / 2 - 0.5), reach, cv2.WARP_POLAR_LINEAR
        )
        across = 2 * (reach - 1 - _half_way(np.median(rays, axis=0)[::-1]))
        return across, across
    corner = PAD_MM + CORNER_MM
    sides = []
    for part in (upright[corner:-corner], upright[:, corner:-corner].T):
        line = part.mean(axis=0)
        sides.append(len(line) - 1 - _half_way(line) - _half_way(line[::-1]))
    return sides[0], sides[1]


def _half_way(line: np.ndarray) -> float:
    """Where a line that comes from beside a patch has half of its change, pixels from its beginning."""
    without = float(line[:CLOTH_MM].mean())
    within = float(np.median(line[PAD_MM + WITHIN_MM[0] : PAD_MM + WITHIN_MM[1]]))
    half = (without + within) / 2
    at = int(np.argmax(line >= half))
    if at == 0 or line[at] < half:
        return float(PAD_MM)
    return at - float((line[at] - half) / (line[at] - line[at - 1]))


def _edge_shown(look: LogColour, patch: Changed, outline: CardOutline) -> float:
    """How much of an edge shows about this patch, 0 to 1: steps across its outline."""
    if patch.round:
        turn = np.radians(np.arange(0, 360, 2))
        edge = np.stack([np.cos(turn), np.sin(turn)], -1) * outline.radius_mm
        out = np.stack([np.cos(turn), np.sin(turn)], -1)
    else:
        x, y = outline.width_mm / 2, outline.height_mm / 2
        along, up = np.linspace(-0.85, 0.85, 40), np.ones(40)
        edge = np.concatenate([
            np.stack([along * x, way * y * up], -1) for way in (-1, 1)
        ] + [np.stack([way * x * up, along * y], -1) for way in (-1, 1)])  # fmt: skip
        out = np.repeat(np.array([[0.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]]), 40, axis=0)
    angle = np.radians(patch.turn_deg)
    own = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    steps = []
    for part in look.channels:
        there = [
            _sampled(part, (edge + way * BOUNDARY_MM * out) @ own / STEP_MM + patch.middle)
            for way in (-1, 1)
        ]
        steps.append(np.abs(there[0] - there[1]))
    return float(np.minimum(np.max(steps, axis=0) / EDGE_LOG, 1).mean())


def _sampled(part: np.ndarray, at: np.ndarray) -> np.ndarray:
    x, y = at[None].astype(np.float32).transpose(2, 0, 1)
    seen = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen[0])
