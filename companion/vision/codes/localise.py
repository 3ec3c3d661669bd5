"""Where in the picture a code of ours may lie: candidates, many and cheap, by what is known of the
table's plane.

Knows the flat picture (see `flat`) and what all words share, no single word. Three sieves: fine
dark detail that fills a code's disc evenly; a stencil of what all words share, at every turn; the
best of those, apart from each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.vision.codes import saturated_area as burnt
from companion.vision.codes.fine_detail import density, oneway
from companion.vision.codes.rectified import LARGEST, Flat
from companion.vision.codes.word_templates import MEAN, signs


@dataclass(frozen=True, slots=True)
class Spots:
    """Candidates in flat pixels, best first: `points` (N, 2) float, `turns` (N,) radians, `scores`
    (N,) correlation with what all words share, `ranks` (N,) the same weighed by fine detail: a
    cloth's check has a code's outline but none."""

    points: np.ndarray
    turns: np.ndarray
    scores: np.ndarray
    ranks: np.ndarray


CELL = 3.0
"""Modules between the places that are looked at closely."""

TAKEN = 9.0
"""Modules round the middle of a known code in which no other is looked for."""


RIM = 8.0
"""Modules from the flat picture's edge within which no whole code has its middle; a cloth's pattern
looks like one there."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How many places are looked at closely (more in a flat picture beyond LARGEST), how many at
    most come out, and how much of a stencil they must show."""

    close: int
    many: int
    least: float


CARDS = Effort(260, 28, 0.36)
"""Of codes at 1.25 px a module in typical pictures 97 % are among the first 100 by density, under
glare 92 % among the first 300; of those 99 % show 0.40 of the stencil and are among the first 25,
which only checked cloths fill."""

BACKS = Effort(120, 12, 0.45)
"""The back's mark is large and there is but one word for it."""

BURNT = Effort(150, 6, 0.38)
"""Of each part under a reflection. A code there is among the first 5, nine in ten show 0.52 of the
stencil."""

CLOSER, MANY = 0.6, 40
"""Share of the places that go on from a first look with a few soft stencils, if they are more than
a few. All of them would find 3 more of 1,138 crowded codes, 0.4 two fewer (frames of seeds
3000-3015 of `tests/benchmarks/reader_views.py`)."""

NOWHERE = Spots(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros(0))

TILE, PER_TILE = 5, 6
"""Of so many cells squared only the densest so many count: a token's tag, dense all over, does not
crowd out the cards."""


def _places(dense: np.ndarray, pitch: float, many: int) -> np.ndarray:
    """The `many` densest cells' middles in flat pixels (N, 2) int, not too many from any one tile."""
    step = max(1, round(CELL * pitch / 2))
    rows, columns = dense.shape[0] // step // TILE, dense.shape[1] // step // TILE
    if not rows or not columns:
        return np.zeros((0, 2), int)
    highest = cv2.dilate(dense, np.ones((step, step), np.uint8), anchor=(0, 0))[::step, ::step]
    blocks = highest[: rows * TILE, : columns * TILE].reshape(rows, TILE, columns, TILE)
    across = blocks.max(axis=1)
    highest_of = np.maximum.reduce([across[:, :, k] for k in range(TILE)]).ravel()
    few = min(many, len(highest_of))  # no other tile holds one of the `many` densest cells
    chosen = np.argpartition(-highest_of, few - 1)[:few]
    tiles = blocks.transpose(0, 2, 1, 3)[chosen // columns, chosen % columns].reshape(
        few, TILE * TILE
    )
    inner = np.argpartition(-tiles, PER_TILE, axis=1)[:, :PER_TILE]
    height = np.take_along_axis(tiles, inner, axis=1).ravel()
    many = min(many, len(height))
    best = np.argpartition(-height, many - 1)[:many]
    best = best[height[best] > 0]
    tile_row, tile_column = np.divmod(chosen[best // PER_TILE], columns)
    row, column = np.divmod(inner.ravel()[best], TILE)
    cell = np.stack([tile_column * TILE + column, tile_row * TILE + row], 1)
    return np.round((cell * step + step / 2) * 2 - 0.5).astype(int)


CROWDED = 0.6
"""Where even the last of the densest places has so large a share of the first one's detail the
cloth itself is full of it."""


def _densest(dense: np.ndarray, pitch: float, many: int) -> tuple[np.ndarray, np.ndarray]:
    """The `many` densest cells' middles in flat pixels (N, 2) int, and how dense it is there, (N,)."""
    places = _places(dense, pitch, many)
    half = np.minimum(places // 2, np.array(dense.shape)[::-1] - 1)
    return places, cv2.dilate(dense, np.ones((5, 5), np.uint8))[half[:, 1], half[:, 0]]


TURNS = 60


@dataclass(frozen=True, slots=True)
class Stencils:
    """What all words share, at every turn and four shifts, on the samples of a patch; see
    `stencils`."""

    offsets: np.ndarray
    looks: np.ndarray
    masks: np.ndarray
    shifts: np.ndarray
    rough: np.ndarray
    disc: np.ndarray


@cache
def stencils(pitch: float) -> Stencils:
    """Unit-length stencils for a flat picture of `pitch` px a module.

    `offsets` (S, 2) int px; `looks` (4 * TURNS, S), zero mean on the plate; `masks` (TURNS, S): the
    plate at every turn of a quarter and every shift; `shifts` (4, 2) px. The order of `looks` is
    shift by shift, turn by turn. `rough` (TURNS / 2, S): the mean of the four shifts at every other
    turn; `disc` (S,): what lies on the plate at any turn.
    """
    reach = int(np.ceil(17.5 * pitch))
    dx, dy = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    keep = ((dx + dy) % 2 == 0) & (np.hypot(dx, dy) <= 17 * pitch)
    offsets = np.stack([dx[keep], dy[keep]], 1)
    shifts = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)]) * (CELL / 4) * pitch
    shape = common_picture()
    looks, masks = [], []
    for shift in shifts:
        at = (offsets - shift) / pitch
        for k in range(TURNS):
            turn = 2 * np.pi * k / TURNS
            u = (at[:, 0] * np.cos(turn) + at[:, 1] * np.sin(turn)).astype(np.float32)[None]
            v = (at[:, 1] * np.cos(turn) - at[:, 0] * np.sin(turn)).astype(np.float32)[None]
            plate = ((np.abs(u) <= 12.5) & (np.abs(v) <= 12.5))[0]
            look = (
                cv2.remap(shape, (u + 16) * FINE - 0.5, (v + 16) * FINE - 0.5, cv2.INTER_LINEAR)[0]
                * plate
            )
            look = (look - look.sum() / plate.sum()) * plate
            looks.append(look / np.linalg.norm(look))
            if k < TURNS // 4:
                masks.append(plate)
    sharp = np.array(looks, np.float32)
    rough = sharp.reshape(4, TURNS, -1).mean(axis=0)[::2]
    rough /= np.linalg.norm(rough, axis=1, keepdims=True)
    disc = (np.hypot(*offsets.T) <= 12.5 * pitch).astype(np.float32)
    return Stencils(offsets, sharp, np.array(masks, np.float32), shifts, rough, disc)


FINE = 8


@cache
def common_picture() -> np.ndarray:
    """The mean of all words, blurred by most of a module, FINE samples a module, 32 modules wide,
    middle in the middle."""
    ink = np.pad(signs()[MEAN], 6)[:32, :32]
    big = cv2.resize(
        np.pad(ink, ((0, 1), (0, 1)))[:32, :32],
        None,
        fx=FINE,
        fy=FINE,
        interpolation=cv2.INTER_NEAREST,
    )
    middle = cv2.warpAffine(
        big, np.array([[1, 0, -0.5 * FINE], [0, 1, -0.5 * FINE]]), big.shape[::-1]
    )
    return -cv2.GaussianBlur(middle, (0, 0), 0.7 * FINE)


def search(
    flat: Flat,
    laid: np.ndarray,
    allowed: np.ndarray | None = None,
    taken_mm: np.ndarray | None = None,
    effort: Effort = CARDS,
) -> Spots:
    """The places most like a code of ours in the flat picture `laid`, best first, no two within six
    modules.

    `allowed` (M, 4) are boxes in flat px outside which nothing is looked for; `taken_mm` (N, 2) are
    the middles of codes that are known already.
    """
    smooth = cv2.GaussianBlur(laid, (0, 0), 0.5 * flat.pitch)
    taken = np.zeros((0, 2)) if taken_mm is None else flat.at(taken_mm)
    return _look(smooth, flat.pitch, allowed, taken, effort)


def search_burnt(
    flat: Flat,
    laid: np.ndarray,
    allowed: np.ndarray | None = None,
    taken_mm: np.ndarray | None = None,
    effort: Effort = BURNT,
) -> Spots:
    """The same round the burnt-out parts of `laid`, with the contrast made even; the best of each
    part first."""
    taken = np.zeros((0, 2)) if taken_mm is None else flat.at(taken_mm)
    pieces = []
    for left, top, right, bottom in burnt.parts(laid, flat.pitch):
        corner = np.array([left, top])
        within = None if allowed is None else allowed - np.tile(corner, 2)
        smooth = cv2.GaussianBlur(laid[top:bottom, left:right], (0, 0), 0.5 * flat.pitch)
        spots = _look(burnt.evened(smooth, flat.pitch), flat.pitch, within, taken - corner, effort)
        pieces.append((spots.points + corner, spots.turns, spots.scores, spots.ranks))
    return (
        Spots(*(np.concatenate(column) for column in zip(*pieces, strict=True)))
        if pieces
        else NOWHERE
    )


def _look(
    smooth: np.ndarray, pitch: float, allowed: np.ndarray | None, taken: np.ndarray, effort: Effort
) -> Spots:
    """The three sieves on a blurred flat picture; `taken` (N, 2) are flat px of codes known
    already."""
    dense = density(smooth, pitch)
    rim = round(RIM * pitch / 2)
    dense[:rim], dense[-rim:], dense[:, :rim], dense[:, -rim:] = 0, 0, 0, 0
    if allowed is not None:
        dense = dense * _inside(allowed / 2, dense.shape)
    for x, y in taken / 2:
        cv2.circle(dense, (round(x), round(y)), round(TAKEN * pitch / 2), 0.0, -1)
    many = round(effort.close * max(1.0, smooth.size / LARGEST))
    places, detail = _densest(dense, pitch, many)
    if (
        len(places) == many
        and np.partition(detail, many // 20)[many // 20] > CROWDED * detail.max()
    ):
        places, detail = _densest(dense * oneway(smooth, pitch), pitch, many)
    if not len(places):
        return NOWHERE
    return _close_look(smooth, places, detail, pitch, effort)


def _inside(boxes: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    mask = np.zeros(shape, np.float32)
    for left, top, right, bottom in boxes:
        mask[
            max(0, int(top)) : max(0, int(bottom) + 1), max(0, int(left)) : max(0, int(right) + 1)
        ] = 1
    return mask


def _close_look(
    smooth: np.ndarray, places: np.ndarray, detail: np.ndarray, pitch: float, effort: Effort
) -> Spots:
    """The stencils at every place that shows something of them at a first, coarse look."""
    kit = stencils(round(pitch, 3))
    edge = int(np.abs(kit.offsets).max())
    wide = cv2.copyMakeBorder(smooth, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    start = (places[:, 1] + edge) * wide.shape[1] + places[:, 0] + edge
    index = start[:, None] + (kit.offsets[:, 1] * wide.shape[1] + kit.offsets[:, 0])
    patches = wide.ravel().take(index).astype(np.float32)
    patches -= patches.mean(axis=1, keepdims=True)
    many = round(len(places) * CLOSER)
    if many > MANY:
        rank = _coarsely(patches, kit) * np.sqrt(detail)
        kept = np.argpartition(-rank, many)[:many]
        patches, places, detail = patches[kept], places[kept], detail[kept]
    best, scores = _stencilled(patches, kit)
    shift, turn = np.divmod(best, TURNS)
    spots = Spots(
        places + kit.shifts[shift], turn * (2 * np.pi / TURNS), scores, scores * np.sqrt(detail)
    )
    return _apart(spots, 6 * pitch, effort)


def _coarsely(patches: np.ndarray, kit: Stencils) -> np.ndarray:
    """How much of the softest stencils patches (N, S) show at best, (N,): half the turns, no shift."""
    energy = (
        (patches * patches) @ kit.disc
        - (patches @ kit.disc) ** 2 / kit.disc.sum()
        + 4.0 * kit.disc.sum()
    )
    return np.asarray((patches @ kit.rough.T).max(axis=1) / np.sqrt(energy))


def _stencilled(patches: np.ndarray, kit: Stencils) -> tuple[np.ndarray, np.ndarray]:
    """Which stencil each patch (N, S) is most like, (N,), and how much, (N,)."""
    count = kit.masks.sum(1)
    energy = (patches * patches) @ kit.masks.T - (patches @ kit.masks.T) ** 2 / count
    energy = energy.reshape(-1, 4, 1, TURNS // 4) + 4.0 * count.reshape(4, 1, -1)
    alike = (patches @ kit.looks.T).reshape(-1, 4, 4, TURNS // 4) / np.sqrt(energy)
    alike = alike.reshape(len(patches), -1)
    best = alike.argmax(1)
    return best, alike[np.arange(len(best)), best]


def _apart(spots: Spots, distance: float, effort: Effort) -> Spots:
    """The best of the spots, none within `distance` of a better one."""
    left = np.where(spots.scores < effort.least, -1, spots.ranks)
    kept: list[int] = []
    while len(kept) < effort.many:
        best = int(left.argmax())
        if left[best] < 0:
            break
        kept.append(best)
        left[((spots.points - spots.points[best]) ** 2).sum(axis=1) < distance**2] = -1
    return Spots(spots.points[kept], spots.turns[kept], spots.scores[kept], spots.ranks[kept])
