"""Where in the picture a code of ours may lie: candidates, many and cheap, by what is known of the
table's plane.

Knows the rectified picture (see `rectification`) and what all words share, no single word. Three
sieves: fine dark detail that fills a code's disc evenly; a common template of what all words share,
at every turn; the best of those, apart from each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.vision.codes import saturation
from companion.vision.codes.fine_detail import detail_density, many_ways_share
from companion.vision.codes.rectification import LARGEST_AREA_PX, Rectification
from companion.vision.codes.word_templates import MEAN_WORD, template_inks


@dataclass(frozen=True, slots=True)
class CodeCandidates:
    """Candidates in rectified pixels, best first: `points` (N, 2) float, `turns` (N,) radians,
    `scores` (N,) correlation with what all words share, `ranks` (N,) the same weighed by fine
    detail: a cloth's check has a code's outline but none."""

    points: np.ndarray
    turns: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray


CELL_MODULES = 3.0
"""Modules between the places that are looked at closely."""

TAKEN_RADIUS_MODULES = 9.0
"""Modules round the middle of a known code in which no other is looked for."""


RIM_MODULES = 8.0
"""Modules from the rectified picture's edge within which no whole code has its middle; a cloth's
pattern looks like one there."""


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """How many places are looked at closely (more in a rectified picture beyond `LARGEST_AREA_PX`),
    how many at most come out, and how much of a common template they must show."""

    compared: int
    most: int
    least_score: float


CARD_SEARCH = SearchEffort(260, 28, 0.36)
"""Of codes at 1.25 px a module in typical pictures 97 % are among the first 100 by density, under
reflections 92 % among the first 300; of those 99 % show 0.40 of the common template and are among
the first 25, which only checked cloths fill."""

BACK_SEARCH = SearchEffort(120, 12, 0.45)
"""Of former prints: their back's mark is large and there is but one word for it."""

SATURATED_SEARCH = SearchEffort(150, 6, 0.38)
"""Of each part under a reflection. A code there is among the first 5, nine in ten show 0.52 of the
common template."""

KEPT_SHARE = 0.6
"""Share of the places that go on from a first look with a few soft common templates. All of them
would find 3 more of 1,138 crowded codes, 0.4 two fewer (frames of seeds 3000-3015 of
`tests/benchmarks/reader_views.py`)."""

ALWAYS_KEPT = 40
"""So few places all go on; chosen."""

NO_CANDIDATES = CodeCandidates(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0))

DENSITY_TILE_CELLS = 5
"""Cells along a tile."""

KEPT_A_TILE = 6
"""Only the densest so many cells of a tile count: a token's tag, dense all over, does not crowd out
the cards."""


def _densest_cells(dense: np.ndarray, pitch: float, many: int) -> np.ndarray:
    """The `many` densest cells' middles in rectified pixels (N, 2) int, not too many from any one
    tile."""
    step = max(1, round(CELL_MODULES * pitch / 2))
    rows, columns = (
        dense.shape[0] // step // DENSITY_TILE_CELLS,
        dense.shape[1] // step // DENSITY_TILE_CELLS,
    )
    if not rows or not columns:
        return np.zeros((0, 2), int)
    highest = cv2.dilate(dense, np.ones((step, step), np.uint8), anchor=(0, 0))[::step, ::step]
    blocks = highest[: rows * DENSITY_TILE_CELLS, : columns * DENSITY_TILE_CELLS].reshape(
        rows, DENSITY_TILE_CELLS, columns, DENSITY_TILE_CELLS
    )
    across = blocks.max(axis=1)
    highest_of = np.maximum.reduce([across[:, :, k] for k in range(DENSITY_TILE_CELLS)]).ravel()
    few = min(many, len(highest_of))  # no other tile holds one of the `many` densest cells
    chosen = np.argpartition(-highest_of, few - 1)[:few]
    tiles = blocks.transpose(0, 2, 1, 3)[chosen // columns, chosen % columns].reshape(
        few, DENSITY_TILE_CELLS * DENSITY_TILE_CELLS
    )
    inner = np.argpartition(-tiles, KEPT_A_TILE, axis=1)[:, :KEPT_A_TILE]
    height = np.take_along_axis(tiles, inner, axis=1).ravel()
    many = min(many, len(height))
    best = np.argpartition(-height, many - 1)[:many]
    best = best[height[best] > 0]
    tile_row, tile_column = np.divmod(chosen[best // KEPT_A_TILE], columns)
    row, column = np.divmod(inner.ravel()[best], DENSITY_TILE_CELLS)
    cell = np.stack(
        [tile_column * DENSITY_TILE_CELLS + column, tile_row * DENSITY_TILE_CELLS + row], 1
    )
    return np.round((cell * step + step / 2) * 2 - 0.5).astype(int)


CROWDED_SHARE = 0.6
"""Where even the last of the densest places has so large a share of the first one's detail the
cloth itself is full of it."""


def _densest_places(dense: np.ndarray, pitch: float, many: int) -> tuple[np.ndarray, np.ndarray]:
    """The `many` densest cells' middles in rectified pixels (N, 2) int, and how dense it is there,
    (N,)."""
    places = _densest_cells(dense, pitch, many)
    half = np.minimum(places // 2, np.array(dense.shape)[::-1] - 1)
    return places, cv2.dilate(dense, np.ones((5, 5), np.uint8))[half[:, 1], half[:, 0]]


TEMPLATE_TURNS = 60
"""Turns at which what all words share is looked for: every six degrees; chosen."""


@dataclass(frozen=True, slots=True)
class CommonTemplates:
    """What all words share, at every turn and four shifts, on the samples of a patch; see
    `common_templates`."""

    offsets: np.ndarray
    templates: np.ndarray
    masks: np.ndarray
    shifts: np.ndarray
    coarse: np.ndarray
    disc: np.ndarray


@cache
def common_templates(pitch: float) -> CommonTemplates:
    """Unit-length common templates for a rectified picture of `pitch` px a module.

    `offsets` (S, 2) int px; `templates` (4 * TURNS, S), zero mean on the plate; `masks` (TURNS, S):
    the plate at every turn of a quarter and every shift; `shifts` (4, 2) px. The order of
    `templates` is shift by shift, turn by turn. `coarse` (TURNS / 2, S): the mean of the four
    shifts at every other turn; `disc` (S,): what lies on the plate at any turn.
    """
    reach = int(np.ceil(17.5 * pitch))
    dx, dy = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    keep = ((dx + dy) % 2 == 0) & (np.hypot(dx, dy) <= 17 * pitch)
    offsets = np.stack([dx[keep], dy[keep]], 1)
    shifts = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)]) * (CELL_MODULES / 4) * pitch
    shape = common_picture()
    templates, masks = [], []
    for shift in shifts:
        at = (offsets - shift) / pitch
        for k in range(TEMPLATE_TURNS):
            turn = 2 * np.pi * k / TEMPLATE_TURNS
            u = (at[:, 0] * np.cos(turn) + at[:, 1] * np.sin(turn)).astype(np.float32)[None]
            v = (at[:, 1] * np.cos(turn) - at[:, 0] * np.sin(turn)).astype(np.float32)[None]
            plate = ((np.abs(u) <= 12.5) & (np.abs(v) <= 12.5))[0]
            template = (
                cv2.remap(
                    shape,
                    (u + 16) * SAMPLES_A_MODULE - 0.5,
                    (v + 16) * SAMPLES_A_MODULE - 0.5,
                    cv2.INTER_LINEAR,
                )[0]
                * plate
            )
            template = (template - template.sum() / plate.sum()) * plate
            templates.append(template / np.linalg.norm(template))
            if k < TEMPLATE_TURNS // 4:
                masks.append(plate)
    sharp = np.array(templates, np.float32)
    coarse = sharp.reshape(4, TEMPLATE_TURNS, -1).mean(axis=0)[::2]
    coarse /= np.linalg.norm(coarse, axis=1, keepdims=True)
    disc = (np.hypot(*offsets.T) <= 12.5 * pitch).astype(np.float32)
    return CommonTemplates(offsets, sharp, np.array(masks, np.float32), shifts, coarse, disc)


SAMPLES_A_MODULE = 8
"""Of the picture from which the common templates are drawn; chosen."""


@cache
def common_picture() -> np.ndarray:
    """The mean of all words, blurred by most of a module, FINE samples a module, 32 modules wide,
    middle in the middle."""
    ink = np.pad(template_inks()[MEAN_WORD], 6)[:32, :32]
    big = cv2.resize(
        np.pad(ink, ((0, 1), (0, 1)))[:32, :32],
        None,
        fx=SAMPLES_A_MODULE,
        fy=SAMPLES_A_MODULE,
        interpolation=cv2.INTER_NEAREST,
    )
    middle = cv2.warpAffine(
        big,
        np.array([[1, 0, -0.5 * SAMPLES_A_MODULE], [0, 1, -0.5 * SAMPLES_A_MODULE]]),
        big.shape[::-1],
    )
    return -cv2.GaussianBlur(middle, (0, 0), 0.7 * SAMPLES_A_MODULE)


def find_candidates(
    rectification: Rectification,
    rectified: np.ndarray,
    allowed: np.ndarray | None = None,
    taken_mm: np.ndarray | None = None,
    effort: SearchEffort = CARD_SEARCH,
) -> CodeCandidates:
    """The places most like a code of ours in the rectified picture `rectified`, best first, no two
    within six modules.

    `allowed` (M, 4) are boxes in rectified px outside which nothing is looked for; `taken_mm` (N,
    2) are the middles of codes that are known already.
    """
    smooth = cv2.GaussianBlur(rectified, (0, 0), 0.5 * rectification.pitch)
    taken = np.zeros((0, 2)) if taken_mm is None else rectification.rectified_px(taken_mm)
    return _sieve(smooth, rectification.pitch, allowed, taken, effort)


def find_saturated_candidates(
    rectification: Rectification,
    rectified: np.ndarray,
    allowed: np.ndarray | None = None,
    taken_mm: np.ndarray | None = None,
    effort: SearchEffort = SATURATED_SEARCH,
) -> CodeCandidates:
    """The same round the saturated parts of `rectified`, with the contrast equalised; the best of
    each part first."""
    taken = np.zeros((0, 2)) if taken_mm is None else rectification.rectified_px(taken_mm)
    pieces = []
    for left, top, right, bottom in saturation.saturated_boxes(rectified, rectification.pitch):
        corner = np.array([left, top])
        within = None if allowed is None else allowed - np.tile(corner, 2)
        smooth = cv2.GaussianBlur(
            rectified[top:bottom, left:right], (0, 0), 0.5 * rectification.pitch
        )
        candidates = _sieve(
            saturation.equalised_picture(smooth, rectification.pitch),
            rectification.pitch,
            within,
            taken - corner,
            effort,
        )
        pieces.append(
            (candidates.points + corner, candidates.turns, candidates.scores, candidates.ranks)
        )
    return (
        CodeCandidates(*(np.concatenate(column) for column in zip(*pieces, strict=True)))
        if pieces
        else NO_CANDIDATES
    )


def _sieve(
    smooth: np.ndarray,
    pitch: float,
    allowed: np.ndarray | None,
    taken: np.ndarray,
    effort: SearchEffort,
) -> CodeCandidates:
    """The three sieves on a blurred rectified picture; `taken` (N, 2) are rectified px of codes
    known already."""
    dense = detail_density(smooth, pitch)
    rim = round(RIM_MODULES * pitch / 2)
    dense[:rim], dense[-rim:], dense[:, :rim], dense[:, -rim:] = 0, 0, 0, 0
    if allowed is not None:
        dense = dense * _inside(allowed / 2, dense.shape)
    for x, y in taken / 2:
        cv2.circle(dense, (round(x), round(y)), round(TAKEN_RADIUS_MODULES * pitch / 2), 0.0, -1)
    many = round(effort.compared * max(1.0, smooth.size / LARGEST_AREA_PX))
    places, detail = _densest_places(dense, pitch, many)
    if (
        len(places) == many
        and np.partition(detail, many // 20)[many // 20] > CROWDED_SHARE * detail.max()
    ):
        places, detail = _densest_places(dense * many_ways_share(smooth, pitch), pitch, many)
    if not len(places):
        return NO_CANDIDATES
    return _compare_closely(smooth, places, detail, pitch, effort)


def _inside(boxes: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    mask = np.zeros(shape, np.float32)
    for left, top, right, bottom in boxes:
        mask[
            max(0, int(top)) : max(0, int(bottom) + 1), max(0, int(left)) : max(0, int(right) + 1)
        ] = 1
    return mask


def _compare_closely(
    smooth: np.ndarray, places: np.ndarray, detail: np.ndarray, pitch: float, effort: SearchEffort
) -> CodeCandidates:
    """The common templates at every place that shows something of them at a first, coarse look."""
    common = common_templates(round(pitch, 3))
    edge = int(np.abs(common.offsets).max())
    wide = cv2.copyMakeBorder(smooth, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    start = (places[:, 1] + edge) * wide.shape[1] + places[:, 0] + edge
    index = start[:, None] + (common.offsets[:, 1] * wide.shape[1] + common.offsets[:, 0])
    patches = wide.ravel().take(index).astype(np.float32)
    patches -= patches.mean(axis=1, keepdims=True)
    many = round(len(places) * KEPT_SHARE)
    if many > ALWAYS_KEPT:
        rank = _coarse_scores(patches, common) * np.sqrt(detail)
        kept = np.argpartition(-rank, many)[:many]
        patches, places, detail = patches[kept], places[kept], detail[kept]
    best, scores = _best_templates(patches, common)
    shift, turn = np.divmod(best, TEMPLATE_TURNS)
    candidates = CodeCandidates(
        places + common.shifts[shift],
        turn * (2 * np.pi / TEMPLATE_TURNS),
        scores,
        scores * np.sqrt(detail),
    )
    return _apart(candidates, 6 * pitch, effort)


def _coarse_scores(patches: np.ndarray, common: CommonTemplates) -> np.ndarray:
    """How much of the softest common templates patches (N, S) show at best, (N,): half the turns,
    no shift."""
    energy = (
        (patches * patches) @ common.disc
        - (patches @ common.disc) ** 2 / common.disc.sum()
        + 4.0 * common.disc.sum()
    )
    return np.asarray((patches @ common.coarse.T).max(axis=1) / np.sqrt(energy))


def _best_templates(patches: np.ndarray, common: CommonTemplates) -> tuple[np.ndarray, np.ndarray]:
    """Which common template each patch (N, S) is most like, (N,), and how much, (N,)."""
    count = common.masks.sum(1)
    energy = (patches * patches) @ common.masks.T - (patches @ common.masks.T) ** 2 / count
    energy = energy.reshape(-1, 4, 1, TEMPLATE_TURNS // 4) + 4.0 * count.reshape(4, 1, -1)
    alike = (patches @ common.templates.T).reshape(-1, 4, 4, TEMPLATE_TURNS // 4) / np.sqrt(energy)
    alike = alike.reshape(len(patches), -1)
    best = alike.argmax(1)
    return best, alike[np.arange(len(best)), best]


def _apart(candidates: CodeCandidates, distance: float, effort: SearchEffort) -> CodeCandidates:
    """The best of the candidates, none within `distance` of a better one."""
    left = np.where(candidates.scores < effort.least_score, -1, candidates.ranks)
    kept: list[int] = []
    while len(kept) < effort.most:
        best = int(left.argmax())
        if left[best] < 0:
            break
        kept.append(best)
        left[((candidates.points - candidates.points[best]) ** 2).sum(axis=1) < distance**2] = -1
    return CodeCandidates(
        candidates.points[kept],
        candidates.turns[kept],
        candidates.scores[kept],
        candidates.ranks[kept],
    )
