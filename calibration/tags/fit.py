"""A printed tag's corners from its whole picture: every edge of its pattern, bright-dark and
dark-bright alike.

Knows grey pixels, the tags' patterns and the lens; must not know millimetres, tables or which tag
is where.

Light that blurs, a tone curve that lifts the dark and ink that spreads all move the edges between
black and white, by up to a pixel; looked at from outside a tag is then too small or too large, and
a table 70 cm wide by 2 to 4 mm. But they move the edges of white and of black modules against each
other. So the picture of the known pattern is predicted, with blur, tone curve and sharpening as
unknowns beside the corners, and fitted to the pixels: at a tilt of 40 degrees corners are right to
0.06 px (tests/calibration/tags/test_fit.py). The white about the tag is needed: cut along its black
border it is not fitted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.geometry.optics import Optics, distort, undistort
from calibration.tags.model import GUESS, SPREAD, first_look, pattern_of, predicted
from card_printables.token import TAG_MODULES

_MOST_PIXELS_OF_A_TAG = 3000
"""So many pixels of a tag are enough; one of 55 px has no more."""

_EVENLY = np.array([0.7548776662, 0.5698402910])
"""Takes a share of the pixels evenly and in no rows (powers of the plastic number)."""

MARGIN_MODULES = 0.75
"""So much of the white margin is looked at, which is 1.3 modules wide."""
CUT_MODULES = -0.45
"""So much of the border is left out of a tag that was cut along it: what scissors take is less."""

_SMALLEST_SIDE_PX = 22.0
"""Below this a module has less than 3 px, and blur and pattern cannot be told apart."""

_FARTHEST = 0.35
"""Modules by which a corner may move from where its sides cross: more is another tag or a covered
one."""

_CORNER_PX = 1.5
"""Nearer to where four modules meet the prediction is only nearly right, for a picture seen aslant
is blurred aslant."""

_WORST_RMS = 0.10
"""Misfit, as a share of white minus black, above which the picture is not this tag's: bent, covered
or smeared."""

_MOST_STEPS = 12
_STILL_PX = 0.002
"""Gauss-Newton ends after so many steps, or when no corner moves by more."""
_CORNERS = 8
"""Unknowns that are corners: x and y of four."""


@dataclass(frozen=True, slots=True, eq=False)
class _Pixels:
    """A tag's pixels: places freed of the lens (n, 2), levels 0 to 1 (n,), how far each can be
    trusted (n,), and its word."""

    at: np.ndarray
    level: np.ndarray
    trust: np.ndarray
    word: np.ndarray


def fit_tag(
    grey: np.ndarray,
    tag_id: int,
    corners_px: np.ndarray,
    optics: Optics,
    margin: float = MARGIN_MODULES,
) -> np.ndarray | None:
    """The corners (4, 2) float px of this tag in (H, W) uint8, from corners that are right to a
    third of a module.

    `margin` tells how many modules beyond its black border are looked at; `CUT_MODULES` leaves border and
    paper's edge out. None when the tag is too small, partly covered, or does not look as it should:
    then the given corners are the best.
    """
    side = float(np.linalg.norm(np.roll(corners_px, -1, axis=0) - corners_px, axis=1).min())
    if not side >= _SMALLEST_SIDE_PX:
        return None
    radius = float(np.hypot(*grey.shape)) / 2
    start = undistort(corners_px, optics, radius)
    pixels = _pixels(grey, tag_id, corners_px, start, optics, margin)
    try:
        found = None if pixels is None else _descend(pixels, start)
    except np.linalg.LinAlgError:
        return None
    if found is None or not np.abs(found - start).max() < _FARTHEST * side / TAG_MODULES:
        return None
    return np.asarray(distort(found, optics, radius) + np.asarray(optics.centre_px))


def _pixels(
    grey: np.ndarray,
    tag_id: int,
    corners_px: np.ndarray,
    start: np.ndarray,
    optics: Optics,
    margin: float,
) -> _Pixels | None:
    """The pixels of the tag and of a little white about it; None where the picture's border cuts
    them."""
    centre = corners_px.mean(axis=0)
    outline = centre + (corners_px - centre) * (1 + 2 * margin / TAG_MODULES)
    low, high = (
        np.floor(outline.min(axis=0)).astype(int),
        np.ceil(outline.max(axis=0)).astype(int) + 1,
    )
    if (low < 0).any() or high[0] > grey.shape[1] or high[1] > grey.shape[0]:
        return None
    px = np.stack(
        np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1])), axis=-1
    ).reshape(-1, 2)
    px = px[(px @ _EVENLY) % 1 < _MOST_PIXELS_OF_A_TAG / len(px)]
    at = undistort(px, optics, float(np.hypot(*grey.shape)) / 2)
    u, v, by_u, by_v = on_tag = _on_tag(_maps(start[None])[0], at)
    near = (np.minimum(u, v) > -margin) & (np.maximum(u, v) < TAG_MODULES + margin)
    if near.sum() < 200 or not np.isfinite(on_tag).all():
        return None
    from_corner = (
        np.maximum(np.abs(u - np.rint(u)) / by_u, np.abs(v - np.rint(v)) / by_v) / _CORNER_PX
    )
    level = grey[px[near, 1], px[near, 0]].astype(float) / 255
    return _Pixels(at[near], level, np.minimum(from_corner[near], 1.0) ** 4, pattern_of(tag_id))


def _maps(corners: np.ndarray) -> np.ndarray:
    """Maps (k, 3, 3) of corners (k, 4, 2) onto a square of 8 modules."""
    u, v = TAG_MODULES * np.array([0.0, 1, 1, 0]), TAG_MODULES * np.array([0.0, 0, 1, 1])
    x, y = corners[..., 0], corners[..., 1]
    one, no = np.ones_like(x), np.zeros_like(x)
    upper = np.stack([x, y, one, no, no, no, -u * x, -u * y], axis=-1)
    lower = np.stack([no, no, no, x, y, one, -v * x, -v * y], axis=-1)
    right = np.broadcast_to(np.concatenate([u, v])[:, None], (len(corners), 8, 1))
    rows = np.linalg.solve(np.concatenate([upper, lower], axis=1), right)[..., 0]
    return np.concatenate([rows, np.ones((len(corners), 1))], axis=1).reshape(-1, 3, 3)


def _on_tag(mapped: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Where points (n, 2) lie on the tag, in modules, and how fast that changes from pixel to
    pixel: u, v, by_u, by_v (4, n)."""
    x, y, w = mapped @ np.column_stack([at, np.ones(len(at))]).T
    u, v = x / w, y / w
    along = [
        row[:2, None] - place * mapped[2, :2, None]
        for row, place in zip(mapped[:2], (u, v), strict=True)
    ]
    return np.stack([u, v, *(np.hypot(*slope) / np.abs(w) for slope in along)])


def _descend(pixels: _Pixels, start: np.ndarray) -> np.ndarray | None:
    """The corners whose picture is nearest to the pixels', by Gauss-Newton; None when it does not
    come near."""
    here = np.concatenate([start.ravel(), first_look(pixels.level)])
    guess, hold = np.zeros(len(here)), np.zeros(len(here))
    guess[_CORNERS : _CORNERS + 3], hold[_CORNERS : _CORNERS + 3] = GUESS, 1 / np.array(SPREAD) ** 2
    for _ in range(_MOST_STEPS):
        off, slopes = _system(pixels, here)
        spread = max(1.5 * float(np.median(np.abs(off))), 0.004)
        weight = pixels.trust / (1 + (off / (3 * spread)) ** 2)
        normal = (slopes * weight) @ slopes.T / spread**2 + np.diag(hold)
        normal += 1e-3 * np.diag(np.diag(normal))
        step = np.linalg.solve(
            normal, -((slopes * weight) @ off / spread**2 + hold * (here - guess))
        )
        step[_CORNERS:] = np.clip(step[_CORNERS:], -0.4, 0.4)
        here = here + step
        here[_CORNERS + 3 : _CORNERS + 5] = np.maximum(here[_CORNERS + 3 : _CORNERS + 5], 1e-4)
        if np.abs(step[:_CORNERS]).max() < _STILL_PX:
            break
    contrast = float(np.ptp(np.percentile(pixels.level, (5, 95))))
    fits = float(np.sqrt(np.mean((pixels.trust * off) ** 2))) < _WORST_RMS * contrast
    return here[:_CORNERS].reshape(4, 2) if fits else None


def _system(pixels: _Pixels, here: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Residuals (n,) of the predicted levels and their slopes (15, n) by every unknown."""
    corners, step = here[:_CORNERS].reshape(4, 2), 1e-4
    nudged = corners + step * np.vstack([np.zeros((1, 8)), np.eye(8)]).reshape(9, 4, 2)
    maps = _maps(nudged)
    on_tag = _on_tag(maps[0], pixels.at)
    levels, slopes = predicted(pixels.word, on_tag, here[_CORNERS:])
    x, y, w = np.moveaxis(maps[1:] @ np.column_stack([pixels.at, np.ones(len(pixels.at))]).T, 1, 0)
    by_corners = ((x / w - on_tag[0]) * slopes[0] + (y / w - on_tag[1]) * slopes[1]) / step
    return levels - pixels.level, np.vstack([by_corners, slopes[2:]])
