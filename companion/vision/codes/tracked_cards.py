"""Confirming cards where they lay a moment ago: the word is known, so the picture need only agree
with it.

Knows patches, poses and words. A known word needs less evidence than an unknown one, which is what
carries a card through reflections and motion blur; but it must still be the best of all words
there.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.codes.decode import FIRST_BLUR_MODULES, BestWords, template_blurs_for
from companion.vision.codes.pose import TRACKED_SPREAD, refine_poses, sample_points
from companion.vision.codes.saturation import partly_saturated
from companion.vision.codes.word_templates import (
    PATCH_SIDE,
    SAMPLE_CENTRES,
    render_templates,
    word_scores,
)
from companion.vision.frame.image_pyramid import ImagePyramid

SURE_OWN_SCORE = 0.45
"""Likeness from which a pose refined from the old place is taken as it is; below it the
neighbourhood is searched."""

SURE_LEAD = 0.18
"""The same for the lead over other words."""

SEARCH_REACH_MODULES = 6
"""Modules to each side that are searched."""

LEANS_DEG = (-5.0, 0.0, 5.0)
"""Turns from its old place at which a card is searched nearby; chosen."""

_WIDE = np.arange(PATCH_SIDE + 2 * SEARCH_REACH_MODULES) + SAMPLE_CENTRES[0] - SEARCH_REACH_MODULES
_HALF = 10.5


def confirm_tracked(pyramid: ImagePyramid, poses: np.ndarray, which: np.ndarray) -> BestWords:
    """Poses (M, 3, 3) of the words `which` (M,) as this picture has them; `word` is -1 where
    another word fits better.

    `own` is the likeness of the expected word and `lead` its lead over all others.
    """
    suited = template_blurs_for(poses)
    fields = [
        np.array(a)
        for a in (
            poses,
            which,
            np.full(len(which), -1.0),
            np.zeros(len(which)),
            np.full(len(which), -1.0),
        )
    ]
    for sigma in np.unique(suited):
        rows = np.flatnonzero(suited == sigma)
        best_words, saturated = _scored_at(pyramid, poses[rows], which[rows], float(sigma))
        weak = np.flatnonzero((best_words.own < SURE_OWN_SCORE) | (best_words.lead < SURE_LEAD))
        if len(weak):
            moved = _moved_to_best_nearby(
                pyramid, poses[rows[weak]], which[rows[weak]], float(sigma)
            )
            again, _ = _scored_at(pyramid, moved, which[rows[weak]], float(sigma))
            _improve(best_words, weak, again, again.own > best_words.own[weak])
        dim = np.flatnonzero(saturated & (best_words.lead < SURE_LEAD))
        if len(dim):
            again, _ = _scored_at(
                pyramid, poses[rows[dim]], which[rows[dim]], float(sigma), equalised=True
            )
            _improve(best_words, dim, again, again.lead > best_words.lead[dim])
        for whole, part in zip(fields, _fields(best_words), strict=True):
            whole[rows] = part
    return BestWords(*fields)


def _fields(best_words: BestWords) -> list[np.ndarray]:
    return [best_words.poses, best_words.word, best_words.own, best_words.common, best_words.lead]


def _improve(best_words: BestWords, rows: np.ndarray, again: BestWords, better: np.ndarray) -> None:
    for old, new in zip(_fields(best_words), _fields(again), strict=True):
        old[rows[better]] = new[better]


def _scored_at(
    pyramid: ImagePyramid,
    poses: np.ndarray,
    which: np.ndarray,
    sigma: float,
    equalised: bool = False,
) -> tuple[BestWords, np.ndarray]:
    """How well the words fit at the poses refined, and which places are partly saturated."""
    if equalised:
        poses, _ = refine_poses(
            pyramid, poses, which, sigma, TRACKED_SPREAD, 3, FIRST_BLUR_MODULES, equalised
        )
    poses, patches = refine_poses(pyramid, poses, which, sigma, TRACKED_SPREAD, 4, 0.0, equalised)
    common, scores = word_scores(patches, sigma)
    rows = np.arange(len(which))
    own = scores[rows, which].copy()
    scores[rows, which] = -1
    lead = own - scores.max(axis=1)
    return BestWords(poses, np.where(lead > 0, which, -1), own, common, lead), partly_saturated(
        patches
    )


def _moved_to_best_nearby(
    pyramid: ImagePyramid, poses: np.ndarray, which: np.ndarray, sigma: float
) -> np.ndarray:
    """The poses moved to where their word fits best within REACH modules and a few degrees."""
    templates = render_templates(which, sigma).reshape(-1, PATCH_SIDE, PATCH_SIDE)
    moved = poses.copy()
    best = np.full(len(poses), -1.0)
    x, y = (axis.ravel() for axis in np.meshgrid(_WIDE, _WIDE))
    grid = np.stack([x, y, np.ones(x.size)])
    for lean in LEANS_DEG:
        turned = poses @ _turn(lean)
        wide = sample_points(pyramid, turned, grid).reshape(len(poses), len(_WIDE), len(_WIDE))
        for i, (patch, template) in enumerate(zip(wide, templates, strict=True)):
            fit = cv2.matchTemplate(patch, template, cv2.TM_CCOEFF_NORMED)
            _, score, _, (dx, dy) = cv2.minMaxLoc(fit)
            if score > best[i]:
                best[i] = score
                moved[i] = turned[i] @ np.array(
                    [
                        [1, 0, dx - SEARCH_REACH_MODULES],
                        [0, 1, dy - SEARCH_REACH_MODULES],
                        [0, 0, 1.0],
                    ]
                )
    return moved


def _turn(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(
        [[c, -s, _HALF - c * _HALF + s * _HALF], [s, c, _HALF - s * _HALF - c * _HALF], [0, 0, 1]]
    )
