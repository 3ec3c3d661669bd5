"""Confirming cards where they lay a moment ago: the word is known, so the picture need only agree
with it.

Knows patches, poses and words. A known word needs less evidence than an unknown one, which is what
carries a card through glare and motion blur; but it must still be the best of all words there.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.codes.decode import SOFT, Named, sigmas_for
from companion.vision.codes.pose import Levels, refine, sample_at
from companion.vision.codes.saturated_patch import burnt
from companion.vision.codes.word_templates import CENTRES, GRID, parts, render

SPREAD = np.array([1.5, 1.5, 0.4, 1.0, 0.4, 0.4, 0.2, 0.2])
"""How far a code that was refined before may have shifted, grown, turned, bent; modules at its
edge."""

SURE = 0.45
"""Likeness from which a pose refined from the old place is taken as it is; below it the
neighbourhood is searched."""

LEAD = 0.18
"""The same for the lead over other words."""

REACH = 6
"""Modules to each side that are searched."""

LEANS_DEG = (-5.0, 0.0, 5.0)

_WIDE = np.arange(GRID + 2 * REACH) + CENTRES[0] - REACH
_HALF = 10.5


def confirm(levels: Levels, poses: np.ndarray, which: np.ndarray) -> Named:
    """Poses (M, 3, 3) of the words `which` (M,) as this picture has them; `word` is -1 where
    another word fits better.

    `own` is the likeness of the expected word and `margin` its lead over all others.
    """
    suited = sigmas_for(poses)
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
        named, glared = _judged(levels, poses[rows], which[rows], float(sigma))
        weak = np.flatnonzero((named.own < SURE) | (named.margin < LEAD))
        if len(weak):
            moved = _nearby(levels, poses[rows[weak]], which[rows[weak]], float(sigma))
            again, _ = _judged(levels, moved, which[rows[weak]], float(sigma))
            _improve(named, weak, again, again.own > named.own[weak])
        dim = np.flatnonzero(glared & (named.margin < LEAD))
        if len(dim):
            again, _ = _judged(levels, poses[rows[dim]], which[rows[dim]], float(sigma), even=True)
            _improve(named, dim, again, again.margin > named.margin[dim])
        for whole, part in zip(fields, _fields(named), strict=True):
            whole[rows] = part
    return Named(*fields)


def _fields(named: Named) -> list[np.ndarray]:
    return [named.poses, named.word, named.own, named.common, named.margin]


def _improve(named: Named, rows: np.ndarray, again: Named, better: np.ndarray) -> None:
    for old, new in zip(_fields(named), _fields(again), strict=True):
        old[rows[better]] = new[better]


def _judged(
    levels: Levels, poses: np.ndarray, which: np.ndarray, sigma: float, even: bool = False
) -> tuple[Named, np.ndarray]:
    """How well the words fit at the poses refined, and which places are partly burnt out."""
    if even:
        poses, _ = refine(levels, poses, which, sigma, SPREAD, 3, SOFT, even)
    poses, patches = refine(levels, poses, which, sigma, SPREAD, 4, 0.0, even)
    common, scores = parts(patches, sigma)
    rows = np.arange(len(which))
    own = scores[rows, which].copy()
    scores[rows, which] = -1
    margin = own - scores.max(axis=1)
    return Named(poses, np.where(margin > 0, which, -1), own, common, margin), burnt(patches)


def _nearby(levels: Levels, poses: np.ndarray, which: np.ndarray, sigma: float) -> np.ndarray:
    """The poses moved to where their word fits best within REACH modules and a few degrees."""
    looks = render(which, sigma).reshape(-1, GRID, GRID)
    moved = poses.copy()
    best = np.full(len(poses), -1.0)
    x, y = (axis.ravel() for axis in np.meshgrid(_WIDE, _WIDE))
    grid = np.stack([x, y, np.ones(x.size)])
    for lean in LEANS_DEG:
        turned = poses @ _turn(lean)
        wide = sample_at(levels, turned, grid).reshape(len(poses), len(_WIDE), len(_WIDE))
        for i, (patch, look) in enumerate(zip(wide, looks, strict=True)):
            fit = cv2.matchTemplate(patch, look, cv2.TM_CCOEFF_NORMED)
            _, score, _, (dx, dy) = cv2.minMaxLoc(fit)
            if score > best[i]:
                best[i] = score
                moved[i] = turned[i] @ np.array(
                    [[1, 0, dx - REACH], [0, 1, dy - REACH], [0, 0, 1.0]]
                )
    return moved


def _turn(degrees: float) -> np.ndarray:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array(
        [[c, -s, _HALF - c * _HALF + s * _HALF], [s, c, _HALF - s * _HALF - c * _HALF], [0, 0, 1]]
    )
