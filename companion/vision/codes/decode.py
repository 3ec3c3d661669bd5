"""From rough poses to named cards: the mean word pulls each pose straight, the best words compete,
the winner is judged.

Knows patches, poses and words; knows no deck, no table. All poses of a picture go through together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from card_printables.marker import MODULES
from companion.vision.codes.pose import FINEST, Levels, px_per_module, refine
from companion.vision.codes.saturated_patch import burnt
from companion.vision.codes.word_templates import GRID, MEAN, SAMPLES, SIGMAS, bank, parts, shared

BLUR_PX = 0.85
"""Blur of an ordinary picture as a Gaussian, its pixels' own size counted."""

ALIKE = 1.5
"""Poses whose blurs differ by no more than this factor go through together, at the middle one: half
the rounds."""

SOFT = 1.0
"""Modules by which a rough pose's patch is blurred to begin with: finder patterns a module or two
off still pull."""

DOUBT = 0.3
"""A lead below this at a place that is partly burnt out is worth another look."""

RIVALS, CLEAR = 2, 0.25
"""Words that compete for a place, and the lead from which the best one goes on alone."""

FIRST_ROUNDS, NOTHING = 2, 0.1
"""After so many rounds a place that shows so little of what all words share is dropped. Of 131
places whose card was named none showed less than 0.17; of 271 others four in five did (typical and
hard, 1 and 1.25 px a module, seeds 4100-4132)."""

OTHER_SIZES = (0.93, 1.07)
"""Sizes from which an unnamed place is tried again: of 23 cards in another program's pictures of
curled, bled, glossy prints that were found but not named these two named 9."""

HOPELESS_COMMON = 0.25
HOPELESS_OWN = 0.3
"""A place that shows neither so much of what all words share nor of any word is not looked at
further."""

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
    """Places with their best word, arrays of length M: `poses` (M, 3, 3), `word` an index into
    `known_deck.signs`.

    `own` is the likeness in the part in which words differ, `common` in the rest, `margin` the lead
    over the next word.
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
    nearest: np.ndarray = np.array(SIGMAS)[
        np.abs(np.log(BLUR_PX / seen[:, None] / np.array(SIGMAS))).argmin(axis=1)
    ]
    return nearest


def name(
    levels: Levels, poses: np.ndarray, spread: np.ndarray, straighten: int = 4, compete: int = 4
) -> Named:
    """The best word at each pose (M, 3, 3), with the pose refined within `spread` (see
    `pose.refine`).

    Places that are partly burnt out and have no name yet get a second look with their contrast made
    even.
    """
    named, glared = _look(levels, poses, spread, straighten, compete, False)
    doubtful = np.flatnonzero(glared & (named.margin < DOUBT))
    if len(doubtful):
        again, _ = _look(levels, poses[doubtful], spread, straighten + 2, compete, True)
        better = again.margin > named.margin[doubtful]
        for field in Named.__slots__:
            getattr(named, field)[doubtful[better]] = getattr(again, field)[better]
    return named


def name_again(
    levels: Levels, poses: np.ndarray, spread: np.ndarray, named: Named, rows: np.ndarray
) -> None:
    """Try rows `rows` of `named` once more from `poses` (M, 3, 3) a little larger and smaller; what
    leads by more is kept.

    Bleeding ink and curled paper put the first step of the refinement on the wrong side of the
    right size.
    """
    for size in OTHER_SIZES if len(rows) else ():
        grow = np.array(
            [[size, 0, (1 - size) * MODULES / 2], [0, size, (1 - size) * MODULES / 2], [0, 0, 1]]
        )
        again = name(levels, poses[rows] @ grow, spread)
        better = again.margin > named.margin[rows]
        for field in Named.__slots__:
            getattr(named, field)[rows[better]] = getattr(again, field)[better]


def _look(
    levels: Levels, poses: np.ndarray, spread: np.ndarray, straighten: int, compete: int, even: bool
) -> tuple[Named, np.ndarray]:
    """The names at `poses`, and which of them are partly burnt out."""
    many = len(poses)
    none = (np.full(many, fill) for fill in (-1, -1.0, -1.0, -1.0))
    named, glared = Named(poses.copy(), *none), np.zeros(many, bool)
    if not many:
        return named, glared
    suited = sigmas_for(poses)
    middle = float(np.sort(suited)[many // 2])
    mean = np.full(many, MEAN)
    soft, patches = refine(levels, poses, mean, middle, spread, FIRST_ROUNDS, SOFT, even)
    glared[:] = burnt(patches)
    left = np.flatnonzero(
        shared(_quarters(patches), middle)[0].reshape(many, 4).max(axis=1) > NOTHING
    )
    if not len(left):
        return named, glared
    soft, _ = refine(
        levels, soft[left], mean[left], middle, spread, straighten - FIRST_ROUNDS, SOFT, even
    )
    named.poses[left], patches = refine(levels, soft, mean[left], middle, spread, 2, 0.0, even)
    glared[left] = burnt(patches)
    for rows, sigma in _together(left, suited):
        _name_rows(levels, named, rows, patches[np.isin(left, rows)], sigma, spread, compete, even)
    return named, glared


def _together(rows: np.ndarray, suited: np.ndarray) -> list[tuple[np.ndarray, float]]:
    """The rows that can go through together, and the blur for them."""
    if not len(rows):
        return []
    own = suited[rows]
    if own.max() <= ALIKE * own.min():
        return [(rows, float(np.sort(own)[len(own) // 2]))]
    return [(rows[own == sigma], float(sigma)) for sigma in np.unique(own)]


def _quarters(patches: np.ndarray) -> np.ndarray:
    """Each patch (M, SAMPLES) at its four quarter turns, (4 * M, SAMPLES)."""
    square = patches.reshape(-1, GRID, GRID)
    return np.stack([np.rot90(square, k, axes=(1, 2)) for k in range(4)], axis=1).reshape(
        -1, SAMPLES
    )


def _scores(patches: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Likeness of each patch to what all words share at its four quarter turns, (M, 4), and to
    every word's own part at the two likeliest of them, (M, 4 * MEAN); -1 at the others."""
    common, rest = shared(_quarters(patches), sigma)
    common, rest = common.reshape(-1, 4), rest.reshape(len(patches), 4, SAMPLES)
    likely = np.argpartition(-common, 1, axis=1)[:, :2]
    scores = np.full((len(patches), 4, MEAN), -1.0, np.float32)
    rows = np.arange(len(patches))[:, None]
    scores[rows, likely] = rest[rows, likely] @ bank(sigma).own.T
    return common, scores.reshape(len(patches), -1)


def _name_rows(
    levels: Levels, named: Named, rows: np.ndarray, patches: np.ndarray, sigma: float, spread: np.ndarray, compete: int,
    even: bool,
) -> None:  # fmt: skip
    """Compare the patches of rows `rows` with all words at all turns, and let the likeliest
    compete; written into `named`."""
    common, scores = _scores(patches, sigma)
    named.own[rows], named.common[rows] = scores.max(axis=1), common.max(axis=1)
    likely = np.flatnonzero(
        (named.common[rows] > HOPELESS_COMMON) | (named.own[rows] > HOPELESS_OWN)
    )
    if not len(likely):
        return
    best = np.argpartition(-scores[likely], RIVALS, axis=1)[:, :RIVALS]
    height = np.take_along_axis(scores[likely], best, axis=1)
    running = height > height.max(axis=1, keepdims=True) - CLEAR
    at, _ = np.nonzero(running)
    _compete(levels, named, rows[likely][at], best[running], sigma, spread, compete, even)


def _compete(
    levels: Levels, named: Named, rows: np.ndarray, rivals: np.ndarray, sigma: float, spread: np.ndarray, rounds: int,
    even: bool,
) -> None:  # fmt: skip
    """Refine the rivals (N,), turn and word in one index, of rows `rows` (N,), one or more of each
    row together, and write the best of each into its row of `named`."""
    turns, which = np.divmod(rivals, MEAN)
    poses, patches = refine(
        levels, named.poses[rows] @ _QUARTERS[turns], which, sigma, spread, rounds, 0.0, even
    )
    common, scores = parts(patches, sigma)
    every = np.arange(len(rows))
    best = scores.argmax(axis=1)
    own = scores[every, best]
    scores[every, best] = -1
    margin = own - scores.max(axis=1)
    order = np.lexsort((-own, rows))
    winner = order[np.unique(rows[order], return_index=True)[1]]
    rows = rows[winner]
    named.poses[rows], named.word[rows] = poses[winner], best[winner]
    named.own[rows], named.common[rows], named.margin[rows] = (
        own[winner],
        common[winner],
        margin[winner],
    )
