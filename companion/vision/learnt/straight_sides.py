"""How large are the rectangular cards that lie here, all of one size?

Knows the rectified picture and the plane. Must not know cards or lessons. Two pairs of parallel edges
about one middle, square to each other, are looked for at all turns and sizes at once, coarsely; the best
sizes are tried closely, and the sides then measured across the cards that were found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.frame.log_colour import log_colour_of
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import watched_bounds_mm
from companion.vision.learnt.deck import LARGEST_MM, SMALLEST_MM
from companion.vision.learnt.patches import turned_patch
from companion.vision.learnt.polar_field import PATCH_STEP_MM
from companion.vision.learnt.roundness import FULL_STEP_LOG
from companion.vision.places.card_finder import COARSER, along_lines, beside
from companion.vision.places.disc_finder import (
    DISC_STEP_MM,
    FoundDisc,
    RimSteps,
    rim_steps,
    seen_from_above,
)

SIDE_STEP_MM = 4.0
TURN_STEP_DEG = 6.0
EDGE_MM = 32.0
"""So much of each edge, about its middle, tells a size."""

TOKEN_MM = 62.0
"""A corner token has straight edges itself."""

LEAST_COARSE_SHARE = 0.4
LEAST_COARSE_SUM = 4.0
TRIED = 6
"""So many sizes are tried closely, none beside another."""

LEAST_SHARE = 0.55
"""What shows less of an edge may be a cloth's checks,"""

LEAST_CLEAR = 0.15
"""and less of all cards together is no lay."""

OFF_SIDE_MM = 5.0
"""So far off the sides are measured anew."""


def clear_share(cards: Sequence[FoundDisc], outline: CardOutline) -> float:
    """How clearly cards of this outline show, all together: the larger of two that fit as well is the
    card, the smaller one something printed on it."""
    size = np.sqrt(outline.width_mm * outline.height_mm)
    return float(sum(max(0.0, card.rim - LEAST_SHARE) ** 2 for card in cards) * np.sqrt(size))


def measure_rectangle(
    image: np.ndarray,
    plane: PicturePlane,
    find: Callable[[CardOutline], list[FoundDisc]],
) -> CardOutline | None:
    """The sides of the rectangular cards in the picture (H, W, 3) uint8 BGR; None where none lie there.
    `find` says where cards of an outline lie."""
    look, _, raster = seen_from_above(image, plane, watched_bounds_mm(plane))
    steps = rim_steps(look).coarser(COARSER)
    for token in getattr(plane, "tokens_mm", {}).values():
        row, column = (round(at / COARSER) for at in raster.cell_at(token))
        reach = round(TOKEN_MM / (COARSER * DISC_STEP_MM))
        for part in (steps.weight, steps.twice_cos, steps.twice_sin):
            cv2.circle(part, (column, row), reach, 0.0, -1)
    sizes = _likely_sizes(steps)
    best: tuple[float, CardOutline, list[FoundDisc]] | None = None
    for outline in sizes:
        cards = find(outline)
        clear = clear_share(cards, outline)
        if clear >= LEAST_CLEAR and (best is None or clear > best[0]):
            best = (clear, outline, cards)
    if best is None:
        return None
    outline = best[1]
    for _ in range(2):
        cards = find(outline)
        if not cards:
            return None
        sides = np.array([_measured(image, plane, card, outline) for card in cards])
        outline = CardOutline.rectangle(*(float(side) for side in np.median(sides, axis=0)))
    return outline


def _likely_sizes(steps: RimSteps) -> list[CardOutline]:
    """The sizes for which most shows, coarsely."""
    step = COARSER * DISC_STEP_MM
    sides = np.arange(SMALLEST_MM, LARGEST_MM + 1, SIDE_STEP_MM)
    shows = {
        pair: np.zeros(steps.weight.shape, np.float32)
        for pair in combinations_with_replacement(range(len(sides)), 2)
    }
    for turn in np.arange(0.0, 90.0, TURN_STEP_DEG):
        across = steps.across(float(turn))
        ups = _pairs(along_lines(across, turn + 90, EDGE_MM, step), turn, sides)
        downs = _pairs(along_lines(-across, turn, EDGE_MM, step), turn + 90, sides)
        for (one, other), best in shows.items():
            np.maximum(best, np.minimum(ups[one], downs[other]), out=best)
            if one != other:
                np.maximum(best, np.minimum(ups[other], downs[one]), out=best)
    found = []
    for (one, other), share in shows.items():
        outline = CardOutline.rectangle(float(sides[one]), float(sides[other]))
        found.append((_sum_of_peaks(share, outline), outline))
    likely: list[CardOutline] = []
    for clear, outline in sorted(found, key=lambda item: -item[0]):
        near = any(
            abs(outline.width_mm - other.width_mm) <= SIDE_STEP_MM
            and abs(outline.height_mm - other.height_mm) <= SIDE_STEP_MM
            for other in likely
        )
        if clear > LEAST_COARSE_SUM and not near and len(likely) < TRIED:
            likely.append(outline)
    return likely


def _pairs(edges: np.ndarray, turn_deg: float, sides: np.ndarray) -> list[np.ndarray]:
    """How much shows of two edges so far apart, in this direction, about each pixel."""
    step = COARSER * DISC_STEP_MM
    return [0.5 * np.add(*beside(edges, turn_deg, side / 2 / step)) for side in sides]


def _sum_of_peaks(share: np.ndarray, outline: CardOutline) -> float:
    """As `clear_share` sums what is found closely."""
    left, step = share.copy(), COARSER * DISC_STEP_MM
    total = 0.0
    while True:
        _, top, _, at = cv2.minMaxLoc(left)
        if top < LEAST_COARSE_SHARE:
            break
        total += (top - LEAST_COARSE_SHARE) ** 2
        cv2.circle(left, at, round(0.4 * (outline.width_mm + outline.height_mm) / step), 0.0, -1)
    return float(total * np.sqrt(outline.width_mm * outline.height_mm))


def _measured(
    image: np.ndarray, plane: PicturePlane, card: FoundDisc, outline: CardOutline
) -> tuple[float, float]:
    """How far its edges lie apart, by the steps summed along them."""
    width, height = (
        2 * int((side / 2 + OFF_SIDE_MM + 3) / PATCH_STEP_MM) + 1
        for side in (outline.width_mm, outline.height_mm)
    )
    patch, _ = turned_patch(image, plane, card.centre_mm, card.turn_deg, (width, height))
    look = log_colour_of(cv2.GaussianBlur(patch, (0, 0), 0.8))
    sides = []
    for axis, side, other in (
        (1, outline.width_mm, outline.height_mm),
        (0, outline.height_mm, outline.width_mm),
    ):
        steps = [
            np.abs(cv2.Scharr(part, -1, int(axis == 1), int(axis == 0)) / 16)
            for part in look.channels
        ]
        steep = np.minimum(np.max(steps, axis=0), FULL_STEP_LOG)
        middle, half = steep.shape[1 - axis] // 2, int((other / 2 - 6) / PATCH_STEP_MM)
        rows = steep if axis == 1 else steep.T
        line = rows[middle - half : middle + half + 1].mean(0)
        sides.append(_apart(line, side))
    return sides[0], sides[1]


def _apart(line: np.ndarray, side_mm: float) -> float:
    """The distance of the steepest place left from the steepest one right of the middle, near where a
    side so long has its ends, mm."""
    middle, ends = len(line) // 2, []
    for way in (-1, 1):
        off = np.arange((side_mm / 2 - OFF_SIDE_MM), (side_mm / 2 + OFF_SIDE_MM), 0.1)
        at = np.interp(middle + way * off / PATCH_STEP_MM, np.arange(len(line)), line)
        steep = np.maximum(at - 0.8 * at.max(), 0)
        ends.append(float((off * steep).sum() / max(steep.sum(), 1e-9)))
    return ends[0] + ends[1]
