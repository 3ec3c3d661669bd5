"""What a camera shows of a printed tag: the blurred pattern, put through a tone curve and the
camera's own sharpening.

Knows the pattern's modules and light; must not know where in a picture, or on which table, a tag
lies.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from card_printables.token import TAG_MODULES, tag_cells

GUESS = (float(np.log(0.75)), float(np.log(1 / 2.2)), 0.3)
SPREAD = (1.0, 0.25, 0.5)
"""What cameras have of the first three, and how far they are from it: corners hold when they are
wrong by that much (power 1/1.8 to 1/2.6, sharpening 0 to 1: tests/calibration/tags/test_fit.py)."""

_SHARPEN_PX = 1.0
"""Radius of webcams' sharpening."""

_PHI = np.cumsum(np.exp(-(np.linspace(-5, 5, 4001) ** 2) / 2))
_PHI /= _PHI[-1]
_FAINTEST = 1e-6


@cache
def pattern_of(tag_id: int) -> np.ndarray:
    """The printed tag's modules (8, 8) float, its border included: 1 black, 0 white."""
    return tag_cells(tag_id).astype(float)


def first_look(levels: np.ndarray) -> np.ndarray:
    """A start for the unknowns (7,) of a tag whose pixels have these levels (n,), 0 to 1.

    They are, in order: the logarithm of the blur (px), the logarithm of the tone curve's power, the
    sharpening's amount, the linear light of black and of white, and how much brighter the tag is
    towards its right and its bottom."""
    dark, light = np.percentile(levels, (5, 95)) ** np.exp(-GUESS[1])
    return np.array([*GUESS, max(dark, 1e-4), max(light, 1e-3), 0.0, 0.0])


def predicted(word: np.ndarray, at: np.ndarray, look: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The levels (n,) of pixels and their slopes (9, n) by u, v and the seven of `look`.

    `at` (4, n) holds where the pixels lie on the tag, u and v in modules from its top-left corner,
    and how fast u and v change from pixel to pixel.
    """
    blur, sharp, half = float(np.exp(look[0])), float(look[2]), TAG_MODULES / 2
    towards = np.stack([at[0] / half - 1, at[1] / half - 1])
    lean = np.maximum(1 + look[5] * towards[0] + look[6] * towards[1], 0.05)
    wide = float(np.hypot(blur, _SHARPEN_PX))
    sharp_part, soft_part = (
        _shown(word, at, blur, look, lean, towards),
        _shown(word, at, wide, look, lean, towards),
    )
    soft_part[3] *= (blur / wide) ** 2
    mixed = (1 + sharp) * sharp_part - sharp * soft_part
    slopes = np.vstack([mixed[1:5], sharp_part[:1] - soft_part[:1], mixed[5:]])
    return np.minimum(mixed[0], 1.0), slopes


def _shown(
    word: np.ndarray,
    at: np.ndarray,
    blur: float,
    look: np.ndarray,
    lean: np.ndarray,
    towards: np.ndarray,
) -> np.ndarray:
    """Levels before sharpening and their slopes by u, v, log blur, log tone, black, white and the
    two leans: (9, n)."""
    black, white, tone = float(look[3]), float(look[4]), float(np.exp(look[1]))
    share, *by_place = _dark_share(word, at, blur)
    even = white + (black - white) * share
    light = np.maximum(even * lean, _FAINTEST)
    level = light**tone
    by_light = tone * level / light
    by_share = by_light * (black - white) * lean
    return np.stack(
        [
            level,
            *(by_share * slope for slope in by_place),
            level * np.log(light) * tone,
            by_light * share * lean,
            by_light * (1 - share) * lean,
            by_light * even * towards[0],
            by_light * even * towards[1],
        ]
    )


def _dark_share(word: np.ndarray, at: np.ndarray, blur: float) -> tuple[np.ndarray, ...]:
    """The share of black in the blurred pattern (n,), and its slopes by u, v and the blur's
    logarithm.

    Blurred along u and along v: exact along every side, nearly right where four modules meet."""
    u, by_u, blur_u = _shares(at[0], at[2] * blur)
    v, by_v, blur_v = _shares(at[1], at[3] * blur)
    rows = v @ word
    return (
        (rows * u).sum(axis=1),
        (rows * by_u).sum(axis=1),
        ((by_v @ word) * u).sum(axis=1),
        (rows * blur_u).sum(axis=1) + ((blur_v @ word) * u).sum(axis=1),
    )


def _shares(u: np.ndarray, width: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The share (n, 8) of each module in a blurred point, and its slopes by the place and by the
    blur's logarithm."""
    z = (u[:, None] - np.arange(TAG_MODULES + 1)) / width[:, None]
    step = _PHI.take(((z + 5) * 400 + 0.5).astype(np.intp), mode="clip")
    bell = np.exp(np.minimum(z * z, 60.0) * -0.5)
    bell *= 1 / np.sqrt(2 * np.pi)
    leaning = z * bell
    return (
        step[:, :-1] - step[:, 1:],
        (bell[:, :-1] - bell[:, 1:]) / width[:, None],
        leaning[:, 1:] - leaning[:, :-1],
    )
