"""Likeness: how much two bodies look alike in outline, and the choice of throws that keeps them
apart.

Knows outlines only. The measure: both outlines are laid on their centres of mass and brought to the
same area; then the shared area over the joined area, the largest over 24 turns (every 15 degrees: a
disc has no up) and their mirror images. 1 is the same shape. Of the 3160 pairs of the published
deck the median is 0.58 and the worst pair is cards 36 and 80 with 0.73; of all 4851 pairs it is 41
and 95, also 0.73 (`python -m card_printables.workshop.paint_clouds --likeness`).
"""

from __future__ import annotations

import cv2
import numpy as np

from card_printables.workshop.painting import painting

SIDE = 56
TURNS = 24
AREA = 560.0
"""Pixels of an outline once it is brought to size, of SIDE x SIDE."""


def outline(card: int, throw: int | None = None, grid: int = 90) -> np.ndarray:
    """The body's outline without its billows, (grid', grid'') uint8, 255 inside."""
    depth = painting.body(card, grid, throw).depth
    return np.asarray((depth.max(axis=0) > 0) * np.uint8(255))


def _brought(shape: np.ndarray, turn_deg: float, mirrored: bool) -> np.ndarray:
    moments = cv2.moments(shape, binaryImage=True)
    size = np.sqrt(AREA / moments["m00"])
    cos, sin = size * np.cos(np.radians(turn_deg)), size * np.sin(np.radians(turn_deg))
    matrix = np.array([[-cos if mirrored else cos, -sin, 0], [-sin if mirrored else sin, cos, 0]])
    centre = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
    matrix[:, 2] = SIDE / 2 - matrix[:, :2] @ centre
    return np.asarray(cv2.warpAffine(shape, matrix, (SIDE, SIDE)) > 127, np.float32).ravel()


def poses(shape: np.ndarray) -> np.ndarray:
    """An outline in all turns and their mirror images, (2 TURNS, SIDE * SIDE) float32; the first is
    as it stands."""
    return np.stack(
        [
            _brought(shape, 360 / TURNS * k, mirrored)
            for mirrored in (False, True)
            for k in range(TURNS)
        ]
    )


def likenesses(one: np.ndarray, others: np.ndarray) -> np.ndarray:
    """How like `one` outline's poses (P, S) are to each of the `others` as they stand (M, S): (M,)
    0 to 1."""
    shared = one @ others.T
    joined = one.sum(1)[:, None] + others.sum(1)[None] - shared
    return np.asarray((shared / joined).max(axis=0))


def worst_pairs(cards: list[int]) -> list[tuple[float, int, int]]:
    """The likeness of every pair of `cards`, most alike first: (likeness, card, card)."""
    every = [poses(outline(card)) for card in cards]
    standing = np.stack([p[0] for p in every])
    pairs = []
    for index, card in enumerate(cards[:-1]):
        found = likenesses(every[index], standing[index + 1 :])
        pairs += [
            (float(value), card, other)
            for value, other in zip(found, cards[index + 1 :], strict=True)
        ]
    return sorted(pairs, reverse=True)


def _plainness(shape: np.ndarray, grid: int) -> float:
    """What speaks against an outline whatever the others are: stout, small, in pieces, or as even
    as an emblem."""
    area = np.count_nonzero(shape)
    hull = cv2.convexHull(np.argwhere(shape > 0).astype(np.float32))
    stout = area / max(cv2.contourArea(hull), 1.0)
    small = max(0.0, 0.25 - area / (0.785 * (grid * 85 / 91) ** 2))
    pieces = cv2.connectedComponents(shape)[0] - 2
    every = poses(shape)
    even = float(likenesses(every[TURNS:], every[:1])[0])
    return max(0.0, stout - 0.62) + 2.0 * small + 0.3 * pieces + 0.4 * max(0.0, even - 0.75)


def _cast(card: int, tries: int, refused: set[tuple[int, int]], taken: np.ndarray) -> int:
    best = (9.0, 0)
    for throw in range(tries):
        if (card, throw) not in refused:
            shape = outline(card, throw)
            alike = float(likenesses(poses(shape), taken).max()) if len(taken) else 0.0
            best = min(best, (alike + _plainness(shape, 90), throw))
    return best[1]


def choose(
    cards: list[int], tries: int, refused: set[tuple[int, int]], kept: dict[int, int]
) -> dict[int, int]:
    """For each of `cards` the throw least like all `kept` ones and those before it, and neither
    plain nor small.

    Returns kept and chosen throws together, by card; the (card, throw) pairs in `refused` are never
    taken.
    """
    chosen = dict(kept)
    taken = [_brought(outline(card, throw), 0.0, False) for card, throw in kept.items()]
    for card in cards:
        chosen[card] = _cast(card, tries, refused, np.array(taken))
        taken.append(_brought(outline(card, chosen[card]), 0.0, False))
    return dict(sorted(chosen.items()))
