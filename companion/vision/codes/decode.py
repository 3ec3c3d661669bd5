"""From rough poses to named cards: the mean word pulls each pose straight, the best words compete,
the winner is judged.

Knows patches, poses and words; knows no deck, no table. All poses of a picture go through together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from card_printables.marker import MODULES
from companion.vision.codes.pose import (
    FINEST_PX_PER_MODULE,
    px_per_module,
    refine_poses,
)
from companion.vision.codes.saturation import partly_saturated
from companion.vision.codes.word_templates import (
    MEAN_WORD,
    PATCH_SAMPLES,
    PATCH_SIDE,
    TEMPLATE_BLURS_MODULES,
    common_score,
    template_bank,
    word_scores,
)
from companion.vision.frame.image_pyramid import ImagePyramid

ORDINARY_BLUR_PX = 0.85
"""Blur of an ordinary picture as a Gaussian, its pixels' own size counted."""

SAME_BLUR_FACTOR = 1.5
"""Poses whose blurs differ by no more than this factor go through together, at the middle one: half
the rounds."""

FIRST_BLUR_MODULES = 1.0
"""Modules by which a rough pose's patch is blurred to begin with: finder patterns a module or two
off still pull."""

DOUBTFUL_LEAD = 0.3
"""A lead below this at a place that is partly saturated is worth another look."""

RIVALS_A_PLACE = 2
"""Words that compete for a place; chosen."""

CLEAR_LEAD = 0.25
"""The lead from which the best one goes on alone; chosen."""

FIRST_STEPS = 2
"""Steps of a pose after which a place is looked at again."""

NO_CODE_COMMON = 0.1
"""A place that then shows so little of what all words share is dropped. Of 131 places whose card
was named none showed less than 0.17; of 271 others four in five did (typical and hard, 1 and 1.25
px a module, seeds 4100-4132)."""

OTHER_SIZES = (0.93, 1.07)
"""Sizes from which an unnamed place is tried again: of 23 cards in another program's pictures of
curled, bled, glossy prints that were found but not named these two named 9."""

HOPELESS_COMMON_SCORE = 0.25
"""A place that shows neither so much of what all words share, nor `HOPELESS_OWN_SCORE`, is not
looked at further; chosen."""
HOPELESS_OWN_SCORE = 0.3
"""The same of any word's own part."""

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
class BestWords:
    """Places with their best word, arrays of length M: `poses` (M, 3, 3), `word` an index into
    `word_templates.template_inks`.

    `own` is the likeness in the part in which words differ, `common` in the rest, `lead` the lead
    over the next word.
    """

    poses: np.ndarray
    word: np.ndarray
    own: np.ndarray
    common: np.ndarray
    lead: np.ndarray


def template_blurs_for(poses: np.ndarray) -> np.ndarray:
    """The template blur that suits each pose, (M,) out of `TEMPLATE_BLURS_MODULES`."""
    scale = np.maximum(px_per_module(poses), 0.3)
    seen = scale / 2.0 ** np.maximum(np.ceil(np.log2(scale / FINEST_PX_PER_MODULE)), 0)
    return np.asarray(
        np.array(TEMPLATE_BLURS_MODULES)[
            np.abs(
                np.log(ORDINARY_BLUR_PX / seen[:, None] / np.array(TEMPLATE_BLURS_MODULES))
            ).argmin(axis=1)
        ]
    )


def name_codes(
    pyramid: ImagePyramid,
    poses: np.ndarray,
    spread: np.ndarray,
    mean_word_steps: int = 4,
    rival_steps: int = 4,
) -> BestWords:
    """The best word at each pose (M, 3, 3), with the pose refined within `spread` (see
    `pose.refine_poses`).

    Places that are partly saturated and have no name yet get a second look with their contrast
    equalised.
    """
    plain = _Refinement(pyramid, spread, equalised=False)
    best_words, saturated = _name_once(plain, poses, mean_word_steps, rival_steps)
    doubtful = np.flatnonzero(saturated & (best_words.lead < DOUBTFUL_LEAD))
    if len(doubtful):
        equalised = _Refinement(pyramid, spread, equalised=True)
        again, _ = _name_once(equalised, poses[doubtful], mean_word_steps + 2, rival_steps)
        better = again.lead > best_words.lead[doubtful]
        for field in BestWords.__slots__:
            getattr(best_words, field)[doubtful[better]] = getattr(again, field)[better]
    return best_words


def name_at_other_sizes(
    pyramid: ImagePyramid,
    poses: np.ndarray,
    spread: np.ndarray,
    best_words: BestWords,
    rows: np.ndarray,
) -> None:
    """Try rows `rows` of `best_words` once more from `poses` (M, 3, 3) a little larger and smaller;
    what leads by more is kept.

    Bleeding ink and curled paper put the first step of the refinement on the wrong side of the
    right size.
    """
    for size in OTHER_SIZES if len(rows) else ():
        grow = np.array(
            [[size, 0, (1 - size) * MODULES / 2], [0, size, (1 - size) * MODULES / 2], [0, 0, 1]]
        )
        again = name_codes(pyramid, poses[rows] @ grow, spread)
        better = again.lead > best_words.lead[rows]
        for field in BestWords.__slots__:
            getattr(best_words, field)[rows[better]] = getattr(again, field)[better]


@dataclass(frozen=True, slots=True)
class _Refinement:
    """In which picture poses are refined, within which `spread`, and whether the contrast of their
    patches is equalised."""

    pyramid: ImagePyramid
    spread: np.ndarray
    equalised: bool

    def refine(
        self,
        poses: np.ndarray,
        which: np.ndarray,
        sigma: float,
        steps: int,
        blur_modules: float = 0.0,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The poses (M, 3, 3) refined towards the words `which` (M,), and their patches
        (M, PATCH_SAMPLES)."""
        return refine_poses(
            self.pyramid, poses, which, sigma, self.spread, steps, blur_modules, self.equalised
        )


def _name_once(
    refinement: _Refinement, poses: np.ndarray, mean_word_steps: int, rival_steps: int
) -> tuple[BestWords, np.ndarray]:
    """The names at `poses`, and which of them are partly saturated: each pose is refined towards
    what all words share, those that show a code go on, and the likeliest words compete for them."""
    best_words = _unnamed(poses)
    if not len(poses):
        return best_words, np.zeros(0, bool)
    suited = template_blurs_for(poses)
    middle = float(np.sort(suited)[len(poses) // 2])
    mean = np.full(len(poses), MEAN_WORD)
    soft, patches = refinement.refine(poses, mean, middle, FIRST_STEPS, FIRST_BLUR_MODULES)
    saturated = partly_saturated(patches)
    left = _rows_with_a_code(patches, middle)
    if not len(left):
        return best_words, saturated
    more_steps = mean_word_steps - FIRST_STEPS
    soft, _ = refinement.refine(soft[left], mean[left], middle, more_steps, FIRST_BLUR_MODULES)
    best_words.poses[left], patches = refinement.refine(soft, mean[left], middle, steps=2)
    saturated[left] = partly_saturated(patches)
    for rows, sigma in _together(left, suited):
        _name_rows(refinement, best_words, rows, patches[np.isin(left, rows)], sigma, rival_steps)
    return best_words, saturated


def _unnamed(poses: np.ndarray) -> BestWords:
    """These places with no word yet."""
    none = (np.full(len(poses), fill) for fill in (-1, -1.0, -1.0, -1.0))
    return BestWords(poses.copy(), *none)


def _rows_with_a_code(patches: np.ndarray, sigma: float) -> np.ndarray:
    """The rows whose patches show what all words share, at one of the four quarter turns."""
    common = common_score(_quarter_turns(patches), sigma)[0].reshape(len(patches), 4)
    return np.flatnonzero(common.max(axis=1) > NO_CODE_COMMON)


def _together(rows: np.ndarray, suited: np.ndarray) -> list[tuple[np.ndarray, float]]:
    """The rows that can go through together, and the blur for them."""
    if not len(rows):
        return []
    own = suited[rows]
    if own.max() <= SAME_BLUR_FACTOR * own.min():
        return [(rows, float(np.sort(own)[len(own) // 2]))]
    return [(rows[own == sigma], float(sigma)) for sigma in np.unique(own)]


def _quarter_turns(patches: np.ndarray) -> np.ndarray:
    """Each patch (M, PATCH_SAMPLES) at its four quarter turns, (4 * M, PATCH_SAMPLES)."""
    square = patches.reshape(-1, PATCH_SIDE, PATCH_SIDE)
    return np.stack([np.rot90(square, k, axes=(1, 2)) for k in range(4)], axis=1).reshape(
        -1, PATCH_SAMPLES
    )


def _scores(patches: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Likeness of each patch to what all words share at its four quarter turns, (M, 4), and to
    every word's own part at the two likeliest of them, (M, 4 * MEAN); -1 at the others."""
    common, rest = common_score(_quarter_turns(patches), sigma)
    common, rest = common.reshape(-1, 4), rest.reshape(len(patches), 4, PATCH_SAMPLES)
    likely = np.argpartition(-common, 1, axis=1)[:, :2]
    scores = np.full((len(patches), 4, MEAN_WORD), -1.0, np.float32)
    rows = np.arange(len(patches))[:, None]
    scores[rows, likely] = rest[rows, likely] @ template_bank(sigma).own.T
    return common, scores.reshape(len(patches), -1)


def _name_rows(
    refinement: _Refinement,
    best_words: BestWords,
    rows: np.ndarray,
    patches: np.ndarray,
    sigma: float,
    rival_steps: int,
) -> None:
    """Compare the patches of rows `rows` with all words at all turns, and let the likeliest
    compete; written into `best_words`."""
    common, scores = _scores(patches, sigma)
    best_words.own[rows] = scores.max(axis=1)
    best_words.common[rows] = common.max(axis=1)
    likely = np.flatnonzero(
        (best_words.common[rows] > HOPELESS_COMMON_SCORE)
        | (best_words.own[rows] > HOPELESS_OWN_SCORE)
    )
    if not len(likely):
        return
    best = np.argpartition(-scores[likely], RIVALS_A_PLACE, axis=1)[:, :RIVALS_A_PLACE]
    height = np.take_along_axis(scores[likely], best, axis=1)
    running = height > height.max(axis=1, keepdims=True) - CLEAR_LEAD
    of_row, _ = np.nonzero(running)
    _let_rivals_compete(
        refinement, best_words, rows[likely][of_row], best[running], sigma, rival_steps
    )


def _let_rivals_compete(
    refinement: _Refinement,
    best_words: BestWords,
    rows: np.ndarray,
    rivals: np.ndarray,
    sigma: float,
    steps: int,
) -> None:
    """Refine the rivals (N,), turn and word in one index, of rows `rows` (N,), one or more of each
    row together, and write the best of each into its row of `best_words`."""
    turns, which = np.divmod(rivals, MEAN_WORD)
    poses, patches = refinement.refine(
        best_words.poses[rows] @ _QUARTERS[turns], which, sigma, steps
    )
    common, scores = word_scores(patches, sigma)
    every = np.arange(len(rows))
    best = scores.argmax(axis=1)
    own = scores[every, best]
    scores[every, best] = -1
    lead = own - scores.max(axis=1)
    order = np.lexsort((-own, rows))
    winner = order[np.unique(rows[order], return_index=True)[1]]
    rows = rows[winner]
    best_words.poses[rows] = poses[winner]
    best_words.word[rows] = best[winner]
    best_words.own[rows] = own[winner]
    best_words.common[rows] = common[winner]
    best_words.lead[rows] = lead[winner]
