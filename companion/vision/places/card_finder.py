"""Cards of a known outline anywhere on the table: discs as `disc_finder` has them, rectangles by their
four straight edges alone; no marker, no empty table needed.

Knows the rectified picture and the card's sides; knows no cards, no backs. As rims of discs are found, so
are these: an edge is a line of steps across it, and at twice the angle a step up and a step down are the
same. All turns are tried.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import watched_bounds_mm
from companion.vision.places.disc_finder import (
    DISC_STEP_MM,
    RIM_WIDTH_MM,
    BareLook,
    Bounds,
    FoundDisc,
    RimSteps,
    find_discs,
    rim_steps,
    seen_from_above,
)

COARSER = 2
"""Cards are looked for on a raster so much coarser, and then put right on the fine one."""

TURN_STEP_DEG = 5.0
"""Turns are tried so far apart first, then `FINE_TURNS_DEG` about the best."""

FINE_TURNS_DEG = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
FINE_PX = 2
TURNS_TRIED = 3
"""So many turns are tried at one place."""

LEAST_COARSE_SHARE = 0.28
LEAST_EDGE_SHARE = 0.42
"""Share that must show of the two sides that show least: what lies beside a card, in the corner of a token
or between two planks has two sides, seldom three."""

CLEAR_SHARE = 0.75
"""What shows so much is a card, and nothing else is looked for there."""

NEXT_PX = 2
"""Else so many coarse pixels on."""

CORNER_MM = 4.0
"""So much of an edge at either end is left out: corners are rounded."""

BEYOND_MM = (3.0, 16.0)
BEYOND_COSTS = 0.7
"""A card's edge ends at its corners, and a check's or a plank's goes on: what shows of it so far beyond a
corner counts against it."""

MOST_FOUND = 40
MOST_TRIED = 150
"""A checked cloth is full of rectangles: the clearest are enough."""

APART_SHARE = 0.6
"""No two cards' middles lie nearer than so much of the shorter side, and none on a clearer card."""


def find_cards(
    image_bgr: np.ndarray,
    plane: PicturePlane,
    outline: CardOutline,
    within_mm: Bounds | None = None,
    bare: BareLook | None = None,
) -> list[FoundDisc]:
    """What has this outline in the picture (H, W, 3) uint8, the clearest first, as `find_discs` finds
    discs."""
    if outline.round:
        return find_discs(image_bgr, plane, outline.radius_mm, within_mm, bare)
    bounds = within_mm or watched_bounds_mm(plane)
    look, inside, raster = seen_from_above(image_bgr, plane, bounds)
    before = seen_from_above(bare.image_bgr, bare.plane, bounds)[0] if bare is not None else None
    steps = rim_steps(look, before)
    return [
        FoundDisc(raster.point_at(row, column), share, turn)
        for row, column, turn, share in _peaks(steps, inside, outline)
    ]


def _peaks(
    steps: RimSteps, inside: np.ndarray, outline: CardOutline
) -> list[tuple[float, float, float, float]]:
    """Row, column, turn and share of each card, the clearest first."""
    by_turn = _coarse_shares(steps.coarser(COARSER), outline)
    shows = by_turn.max(0)
    found: list[tuple[float, float, float, float]] = []
    for _ in range(MOST_TRIED):
        row, column = (int(i) for i in np.unravel_index(int(np.argmax(shows)), shows.shape))
        if shows[row, column] < LEAST_COARSE_SHARE or len(found) == MOST_FOUND:
            break
        middle = (COARSER - 1) / 2
        at = (round(COARSER * row + middle), round(COARSER * column + middle))
        clear = 0.0
        for turn in _likely_turns(by_turn[:, row, column]):
            fine = _refined(steps, outline, at, turn)
            clear = max(clear, fine[3])
            if fine[3] >= LEAST_EDGE_SHARE and _is_whole(inside, outline, fine):
                found.append(fine)
            if clear >= CLEAR_SHARE:
                _take_away(shows, outline, fine)
                break
        if clear < CLEAR_SHARE:
            cv2.circle(shows, (column, row), NEXT_PX, 0.0, -1)
    return _apart(found, outline)


def _likely_turns(shares: np.ndarray) -> list[float]:
    """The turns at which most shows, none beside another, the likeliest first."""
    peaks = (shares >= np.roll(shares, 1)) & (shares >= np.roll(shares, -1))
    peaks &= shares >= LEAST_COARSE_SHARE
    at = np.flatnonzero(peaks)
    return [float(turn * TURN_STEP_DEG) for turn in at[np.argsort(-shares[at])][:TURNS_TRIED]]


def _apart(
    found: list[tuple[float, float, float, float]], outline: CardOutline
) -> list[tuple[float, float, float, float]]:
    """Those of which none's middle lies on a clearer one, or near its middle; the clearest first."""
    kept: list[tuple[float, float, float, float]] = []
    for one in sorted(found, key=lambda one: -one[3]):
        if all(_lies_off(one, other, outline) for other in kept):
            kept.append(one)
    return kept


def _lies_off(
    one: tuple[float, float, float, float],
    other: tuple[float, float, float, float],
    outline: CardOutline,
) -> bool:
    down, right = (DISC_STEP_MM * (a - b) for a, b in zip(one[:2], other[:2], strict=True))
    cos, sin = np.cos(np.radians(other[2])), np.sin(np.radians(other[2]))
    within = outline.edge_mm(np.array(right * cos + down * sin), np.array(down * cos - right * sin))
    return bool(within < 0) and np.hypot(down, right) > APART_SHARE * outline.width_mm


def _coarse_shares(steps: RimSteps, outline: CardOutline) -> np.ndarray:
    """How much shows of the two sides that show least, about each pixel at each turn, (turns, h, w)."""
    step_mm = COARSER * DISC_STEP_MM
    half_wide, half_high = outline.width_mm / 2, outline.height_mm / 2
    shares = []
    for turn in np.arange(0.0, 180.0, TURN_STEP_DEG):
        across = steps.across(float(turn))
        long = along_lines(across, turn + 90, 2 * (half_high - CORNER_MM), step_mm)
        short = along_lines(-across, turn, 2 * (half_wide - CORNER_MM), step_mm)
        one, other = beside(long, turn, half_wide / step_mm)
        third, fourth = beside(short, turn + 90, half_high / step_mm)
        less, more = np.minimum(one, other), np.maximum(one, other)
        less_too, more_too = np.minimum(third, fourth), np.maximum(third, fourth)
        least = np.minimum(less, less_too)
        next_least = np.minimum(np.maximum(less, less_too), np.minimum(more, more_too))
        shares.append(0.5 * (np.maximum(least, 0) + next_least))
    return np.stack(shares)


def along_lines(across: np.ndarray, turn_deg: float, long_mm: float, step_mm: float) -> np.ndarray:
    """Steps (h, w) of a raster averaged along lines so long with this turn."""
    reach = int(long_mm / 2 / step_mm) + 2
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32) * step_mm
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    along, off = x * cos + y * sin, y * cos - x * sin
    line = np.exp(-0.5 * (off / (0.5 * step_mm)) ** 2)
    line = line * _between(along, -long_mm / 2, long_mm / 2, step_mm)
    return cv2.filter2D(across, cv2.CV_32F, np.asarray(line / line.sum(), np.float32))


def beside(edges: np.ndarray, turn_deg: float, off_px: float) -> tuple[np.ndarray, np.ndarray]:
    """What lies so far from each pixel in this direction, and in the opposite one, (h, w) each."""
    height, width = edges.shape
    x, y = (off_px * float(part(np.radians(turn_deg))) for part in (np.cos, np.sin))
    there, back = (
        cv2.warpAffine(
            edges,
            np.array([[1, 0, way * x], [0, 1, way * y]]),
            (width, height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        )
        for way in (1, -1)
    )
    return there, back


def _refined(
    steps: RimSteps, outline: CardOutline, at: tuple[int, int], turn: float
) -> tuple[float, float, float, float]:
    """The best place and turn about a coarse one, by parabolas."""
    reach = len(_kernels(outline, 0.0, DISC_STEP_MM)[0]) // 2 + FINE_PX + 1
    part = steps.cut(*at, reach)
    shares = np.stack(
        [
            cv2.matchTemplate(
                part.across(turn + off), _whole_kernel(outline, (turn + off) % 180), cv2.TM_CCORR
            )
            for off in FINE_TURNS_DEG
        ]
    )
    best = shares[:, 1:-1, 1:-1]
    t, y, x = (int(i) for i in np.unravel_index(int(np.argmax(best)), best.shape))
    down = _top_of(shares[t, y : y + 3, x + 1])
    right = _top_of(shares[t, y + 1, x : x + 3])
    fine = FINE_TURNS_DEG[t]
    if 0 < t < len(shares) - 1:
        fine += _top_of(best[t - 1 : t + 2, y, x]) * (FINE_TURNS_DEG[1] - FINE_TURNS_DEG[0])
    row, column = at[0] + y - FINE_PX + down, at[1] + x - FINE_PX + right
    turned = turn + FINE_TURNS_DEG[t]
    sides, beyond = _side_kernels(outline, turned % 180)
    across = part.across(turned)[y + 1 : y + 1 + len(beyond), x + 1 : x + 1 + len(beyond)]
    shown = np.sort([float(np.clip((across * side).sum(), 0, 1)) for side in sides])
    costs = BEYOND_COSTS * max(0.0, float((across * beyond).sum()))
    return row, column, (turn + fine) % 180, float(shown[:2].mean()) - costs


def _top_of(three: np.ndarray) -> float:
    below, top, above = (float(v) for v in three)
    bend = below - 2 * top + above
    return float(np.clip(0.5 * (below - above) / bend, -0.5, 0.5)) if bend < 0 else 0.0


def _is_whole(
    inside: np.ndarray, outline: CardOutline, at: tuple[float, float, float, float]
) -> bool:
    """Whether the picture holds all of a card."""
    corners = _corners(outline, at)
    columns, rows = np.round(corners).astype(int).T
    height, width = inside.shape
    if (
        (rows < 0).any()
        or (columns < 0).any()
        or (rows >= height).any()
        or (columns >= width).any()
    ):
        return False
    return bool(inside[rows, columns].all())


def _corners(outline: CardOutline, at: tuple[float, float, float, float]) -> np.ndarray:
    """A card's corners as (4, 2) columns and rows."""
    row, column, turn, _ = at
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    x, y = outline.width_mm / 2 / DISC_STEP_MM, outline.height_mm / 2 / DISC_STEP_MM
    own = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
    return np.asarray(own @ np.array([[cos, sin], [-sin, cos]]) + (column, row))


def _take_away(
    shows: np.ndarray, outline: CardOutline, at: tuple[float, float, float, float]
) -> None:
    """No other card's middle lies on this one, or near it."""
    corners = (_corners(outline, at) + 0.5) / COARSER - 0.5
    cv2.fillConvexPoly(shows, np.round(corners).astype(np.int32), 0.0)
    middle = (int(at[1] / COARSER), int(at[0] / COARSER))
    reach = APART_SHARE * outline.width_mm / DISC_STEP_MM / COARSER
    cv2.circle(shows, middle, round(reach), 0.0, -1)


@lru_cache(maxsize=400)
def _kernels(
    outline: CardOutline, turn_deg: float, step_mm: float
) -> tuple[np.ndarray, np.ndarray]:
    """Where the edges of a card with this turn lie about its middle on a raster, the long ones, whose
    steps go along `turn_deg`, and the short ones, negative; what lies beyond the corners the other way."""
    across, along = (np.abs(off) for off in _frame(outline, turn_deg, step_mm))
    half_wide, half_high = outline.width_mm / 2, outline.height_mm / 2
    return (
        _edges(across - half_wide, along, half_high, step_mm),
        -_edges(along - half_high, across, half_wide, step_mm),
    )


def _frame(outline: CardOutline, turn_deg: float, step_mm: float) -> tuple[np.ndarray, np.ndarray]:
    """Pixels about a card's middle in its own frame, mm: along its short sides, along its long ones."""
    reach = int(np.ceil((outline.reach_mm + RIM_WIDTH_MM + BEYOND_MM[1]) / step_mm)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32) * step_mm
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return x * cos + y * sin, y * cos - x * sin


def _edges(off_mm: np.ndarray, along: np.ndarray, half_mm: float, step_mm: float) -> np.ndarray:
    """Two parallel edges: the weights of pixels so far off the nearer one, and so far along it."""
    side, beyond = _line(off_mm, along, half_mm, step_mm)
    return np.asarray(side / side.sum() - BEYOND_COSTS * beyond / beyond.sum(), np.float32)


def _line(
    off_mm: np.ndarray, along: np.ndarray, half_mm: float, step_mm: float
) -> tuple[np.ndarray, np.ndarray]:
    """The pixels of an edge so long to either side, and those beyond its ends."""
    line = np.exp(-0.5 * (off_mm / (0.5 * max(RIM_WIDTH_MM, step_mm))) ** 2)
    side = line * _between(along, -half_mm, half_mm - CORNER_MM, step_mm)
    beyond = line * _between(along, half_mm + BEYOND_MM[0], half_mm + BEYOND_MM[1], step_mm)
    return side, beyond


@lru_cache(maxsize=400)
def _whole_kernel(outline: CardOutline, turn_deg: float) -> np.ndarray:
    """Both pairs of edges on the fine raster."""
    long, short = _kernels(outline, turn_deg, DISC_STEP_MM)
    return np.asarray(long + short)


@lru_cache(maxsize=400)
def _side_kernels(outline: CardOutline, turn_deg: float) -> tuple[list[np.ndarray], np.ndarray]:
    """The weights of each of the four sides on the fine raster, and of all that lies beyond the corners."""
    across, along = _frame(outline, turn_deg, DISC_STEP_MM)
    half_wide, half_high = outline.width_mm / 2, outline.height_mm / 2
    sides, beyond = [], np.zeros(across.shape)
    for sign, off, other, half, far in (
        (1, across, along, half_high, half_wide),
        (-1, along, across, half_wide, half_high),
    ):
        for way in (1, -1):
            side, ends = _line(way * off - far, np.abs(other), half, DISC_STEP_MM)
            sides.append(np.asarray(sign * side / side.sum(), np.float32))
            beyond += sign * ends / ends.sum() / 4
    return sides, np.asarray(beyond, np.float32)


def _between(value: np.ndarray, low: float, high: float, step_mm: float) -> np.ndarray:
    """1 between these bounds, 0 beside them, softly."""
    return np.asarray(np.clip(np.minimum(high - value, value - low) / step_mm + 0.5, 0, 1))
