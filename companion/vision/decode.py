"""From rough poses to named cards: the mean word pulls each pose straight, the best words compete, the winner is judged.

Knows patches, poses and words; knows no deck, no table.  All poses of a picture go through together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from card_printables.marker import MODULES
from companion.vision.glare import burnt
from companion.vision.known_deck import GRID, MEAN, SAMPLES, SIGMAS, parts
from companion.vision.pose import FINEST, Levels, px_per_module, refine

BLUR_PX = 0.85
"""Blur of an ordinary picture as a Gaussian, its pixels' own size counted."""

ALIKE = 1.5
"""Poses whose blurs differ by no more than this factor go through together, at the middle one: half the rounds."""

SOFT = 1.0
"""Modules by which a rough pose's patch is blurred to begin with: finder patterns a module or two off still pull."""

DOUBT = 0.3
"""A lead below this at a place that is partly burnt out is worth another look."""

RIVALS = 2
"""Words that compete for a place."""

HOPELESS_COMMON = 0.25
HOPELESS_OWN = 0.3
"""A place that shows neither so much of what all words share nor of any word is not looked at further."""

_QUARTERS = np.array(
    [
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, -1, MODULES], [1, 0, 0], [0, 0, 1]],
        [[-1, 0, MODULES], [0, -1, MODULES], [0, 0, 1]],
        [[0, 1, 0], [-1, 0, MODULES], [0, 0, 1]],
    ],
    dtype=float,
)
"""Quarter turns of a pose; the n-th goes with `np.rot90(patch, n)`."""


@dataclass(frozen=True, slots=True)
class Named:
    """Places with their best word, arrays of length M: `poses` (M, 3, 3), `word` an index into `known_deck.signs`.

    `own` is the likeness in the part in which words differ, `common` in the rest, `margin` the lead over the next word.
    """

    poses: np.ndarray
    word: np.ndarray
    own: np.ndarray
    common: np.ndarray
    margin: np.ndarray


def sigmas_for(poses: np.ndarray) -> np.ndarray:
    """The template blur that suits each pose, (M,) out of SIGMAS."""
    scale = np.maximum(px_per_module(poses), 0.3)
    seen = scale / 2.0 ** np.maximum(np.ceil(np.log2(scale / FINEST)), 0)
    return np.array(SIGMAS)[np.abs(np.log(BLUR_PX / seen[:, None] / np.array(SIGMAS))).argmin(axis=1)]


def name(levels: Levels, poses: np.ndarray, spread: np.ndarray, straighten: int = 4, compete: int = 4) -> Named:
    """The best word at each pose (M, 3, 3), with the pose refined within `spread` (see `pose.refine`)."""
    results = []
    suited = sigmas_for(poses)
    if len(suited) and suited.max() <= ALIKE * suited.min():
        suited[:] = np.sort(suited)[len(suited) // 2]
    for sigma in np.unique(suited):
        rows = np.flatnonzero(suited == sigma)
        results.append((rows, _name(levels, poses[rows], float(sigma), spread, straighten, compete)))
    if not results:
        return Named(poses, *(np.zeros(0, t) for t in (int, float, float, float)))
    order = np.argsort(np.concatenate([rows for rows, _ in results]))
    joined = (np.concatenate([getattr(r, f) for _, r in results])[order] for f in Named.__slots__)
    return Named(*joined)


def _name(levels: Levels, poses: np.ndarray, sigma: float, spread: np.ndarray, straighten: int, compete: int) -> Named:
    """The names, with a second look at places that are partly burnt out and have none yet."""
    named, glared = _look(levels, poses, sigma, spread, straighten, compete, False)
    doubtful = np.flatnonzero(glared & (named.margin < DOUBT))
    if len(doubtful):
        again, _ = _look(levels, poses[doubtful], sigma, spread, straighten + 2, compete, True)
        better = again.margin > named.margin[doubtful]
        for field in Named.__slots__:
            getattr(named, field)[doubtful[better]] = getattr(again, field)[better]
    return named


def _look(
    levels: Levels, poses: np.ndarray, sigma: float, spread: np.ndarray, straighten: int, compete: int, even: bool
) -> tuple[Named, np.ndarray]:
    """The names at `poses`, and which of them are partly burnt out."""
    many = len(poses)
    mean = np.full(many, MEAN)
    poses, _ = refine(levels, poses, mean, sigma, spread, straighten, SOFT, even)
    poses, patches = refine(levels, poses, mean, sigma, spread, 2, 0.0, even)
    glared = burnt(patches)
    turned = np.stack([np.rot90(patches.reshape(-1, GRID, GRID), k, axes=(1, 2)) for k in range(4)], axis=1)
    common, scores = parts(turned.reshape(-1, SAMPLES), sigma)
    common, scores = common.reshape(many, 4), scores.reshape(many, -1)
    named = Named(poses, np.full(many, -1), scores.max(axis=1), common.max(axis=1), np.full(many, -1.0))
    likely = np.flatnonzero((named.common > HOPELESS_COMMON) | (named.own > HOPELESS_OWN))
    if len(likely):
        rivals = np.argpartition(-scores[likely], RIVALS, axis=1)[:, :RIVALS]
        _compete(levels, named, likely, rivals, sigma, spread, compete, even)
    return named, glared


def _compete(
    levels: Levels, named: Named, rows: np.ndarray, rivals: np.ndarray, sigma: float, spread: np.ndarray, rounds: int,
    even: bool,
) -> None:  # fmt: skip
    """Refine each place's rivals (turn and word in one index) and write the best of them into rows `rows` of `named`."""
    turns, which = np.divmod(rivals.ravel(), MEAN)
    start = np.repeat(named.poses[rows], RIVALS, axis=0) @ _QUARTERS[turns]
    poses, patches = refine(levels, start, which, sigma, spread, rounds, 0.0, even)
    common, scores = parts(patches, sigma)
    best = scores.argmax(axis=1)
    own = scores[np.arange(len(best)), best]
    scores[np.arange(len(best)), best] = -1
    margin = own - scores.max(axis=1)
    winner = np.arange(len(rows)) * RIVALS + own.reshape(-1, RIVALS).argmax(axis=1)
    named.poses[rows], named.word[rows] = poses[winner], best[winner]
    named.own[rows], named.common[rows], named.margin[rows] = own[winner], common[winner], margin[winner]
