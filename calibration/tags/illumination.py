"""How sharp and how well lit the picture is, measured on the black and white of the printed tags.

Knows grey pixels and tag corners; must not know millimetres, cards or advice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATION

_STEPS = np.linspace(-0.095, 0.14, 61)
"""Where a side is sampled across, in tag sides: from the black border (an eighth wide) to the white
margin (a sixth)."""

_OUTSIDE = slice(-16, None)
_ONE_SIDE_TIMES = 1.5
"""A side so many times softer than the one across the token is no lens and no movement, which soften
both: a shadow ends there, or something lies over the paper."""
_CLEAR_SHARE = 0.0175
"""Of a side's length: the sigma of an edge that is clear; softer ones are too uncertain to be compared."""
_PIXEL_SIGMA = 0.47
"""What a pixel's own area and the sampling between pixels add to an edge
(tests/calibration/check/test_report.py)."""

_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
"""Blur mixes light, not grey levels: measured on levels, a blur of 3 px looks like 2."""

USUAL_BLUR_PX = 0.8

_NOISE_PX = 1.5
"""What differs from its surroundings of so many pixels is noise, or fine texture."""

_PAPER_TIMES = 1.25
"""The paper of a tag beside it: a token's ends at 1.33 of its tag's side."""

_PATCH_PX = 128
"""Side of a tag's modules laid straight, to measure how much of them is white."""
_SPREADS = np.linspace(-0.5, 2.0, 251)
"""How far white may have spread into black, in modules."""
_EXPOSURES = np.exp(np.linspace(1e-3, np.log(30.0), 400))
"""Of which a clipped edge may be, in units of the light at which white paper just burns out."""

_READ_MODULES = 0.4
"""Blur of so much of a module lets no tag be recognised: what is softer on one that was is no blur, but
a table brighter than the paper, seen beyond it."""

FAINT_CONTRAST = 10.0
"""Grey levels between black and white print below which no edge can be measured."""


@dataclass(frozen=True, slots=True)
class TagLight:
    """What one tag shows: where (px), the edges' blur (sigma, px, over both pairs of sides the root of
    the mean square: the same however a smear lies to them; of a pair whose sides
    differ much the clearer one, for the lens and movement soften both), black and white (0..255), the blur across its
    softer pair alone (movement smears one way only), and its `exposure`: how many
    times the light that burns out white paper fell on it, 1 where it is not burnt out."""

    at_px: tuple[float, float]
    blur_px: float
    black: float
    white: float
    softest_px: float
    exposure: float = 1.0

    @property
    def contrast(self) -> float:
        """White minus black, 0..255."""
        return self.white - self.black


def tag_light(grey: np.ndarray, corners_px: np.ndarray, dark: np.ndarray) -> TagLight | None:
    """What the tag with these corners (4, 2) px and `dark` modules (8, 8) bool shows of blur and
    light in (H, W) uint8; None if too small or covered."""
    sides = [_side_profile(grey, corners_px[i], corners_px[(i + 1) % 4]) for i in range(4)]
    known = [s for s in sides if s is not None]
    if len(known) < 3:
        return None
    profile = np.mean([p for p, _ in known], axis=0)
    black, white = float(profile[:24].min()), float(profile[_OUTSIDE].max())
    if white - black < FAINT_CONTRAST:
        return None
    side_px = side_of(corners_px)
    pairs = [_pair_sigma([s[1] for s in sides[i::2] if s is not None], side_px) for i in (0, 1)]
    sigma = float(np.sqrt(np.mean(np.square(pairs))))
    if sigma > _READ_MODULES * side_px / len(dark):
        return tag_light_inside(grey, corners_px, dark)
    centre = corners_px.mean(axis=0)
    exposure, narrowed = 1.0, 1.0
    if white >= SATURATION.white_paper_grey:
        light = (_LINEAR[round(black)] + _LINEAR[round(white)]) / 2
        middle = 255 * float(light) ** (1 / 2.2)
        exposure, narrowed = _clipped_edge(white_spread_px(grey, corners_px, dark, middle) / sigma)
    return TagLight(
        (float(centre[0]), float(centre[1])),
        _without_pixel(sigma / narrowed),
        black,
        white,
        _without_pixel(max(pairs) / narrowed),
        exposure,
    )


def _pair_sigma(sigmas: Sequence[float], side_px: float) -> float:
    """The blur's sigma across two sides that face one another, or the one of them that is seen."""
    clear = min(sigmas)
    if clear < _CLEAR_SHARE * side_px and max(sigmas) > _ONE_SIDE_TIMES * clear:
        return clear
    return float(np.mean(sigmas))


def noise_of(grey: np.ndarray, tags: Iterable[np.ndarray] = ()) -> float:
    """The noise of (H, W) uint8 (sigma, grey levels): of the whole picture, or on the paper of these tags'
    corners (4, 2) px where that is less, for a table may have a texture, and small prints are all edges."""
    fine = grey.astype(np.float32)
    fine -= cv2.GaussianBlur(fine, (0, 0), _NOISE_PX)
    papers = np.zeros(grey.shape, np.uint8)
    for corners in tags:
        middle = corners.mean(axis=0)
        paper = (middle + _PAPER_TIMES * (corners - middle)).astype(np.int32)
        cv2.fillConvexPoly(papers, paper, 1)
    on_paper = fine[papers.astype(bool)]
    parts = (fine, on_paper) if on_paper.size else (fine,)
    return float(1.48 * min(np.median(np.abs(part)) for part in parts))


def white_spread_px(
    grey: np.ndarray, corners_px: np.ndarray, dark: np.ndarray, middle_grey: float
) -> float:
    """How far (px) a tag's white has spread into its black in (H, W) uint8, where white is what is
    brighter than `middle_grey`: by how much more of the modules is white than was printed.

    Its corners are where its border is seen to end, which white eats into as well."""
    modules = len(dark)
    side_px = side_of(corners_px)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * _PATCH_PX - 0.5
    straight = cv2.getPerspectiveTransform(square, corners_px.astype(np.float32))
    patch = cv2.warpPerspective(
        grey, straight, (_PATCH_PX, _PATCH_PX), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    edges = int((dark[:, 1:] != dark[:, :-1]).sum() + (dark[1:] != dark[:-1]).sum())
    shares = ((~dark).sum() + edges * _SPREADS) / (modules - 2 * _SPREADS) ** 2
    share = float((patch > middle_grey).mean())
    return float(np.interp(share, shares, _SPREADS)) * side_px / modules


def _clipped_edge(spread: float) -> tuple[float, float]:
    """The exposure of an edge whose white has spread by so many of its measured sigmas, and the
    share of its sigma that is seen: the rest is clipped with the white."""
    return (
        float(np.interp(spread, _CLIPPED_SPREADS, _EXPOSURES)),
        float(np.interp(spread, _CLIPPED_SPREADS, _CLIPPED_SIGMAS)),
    )


def _sigmas_from_edge(light: float) -> np.ndarray:
    """Where edges of `_EXPOSURES`, blurred by one sigma, show so much light (1 is burnt out), from
    where black and white meet, in sigmas towards the white."""
    return np.array([NormalDist().inv_cdf(light / exposure) for exposure in _EXPOSURES])


_CLIPPED_SIGMAS = (_sigmas_from_edge(0.84) - _sigmas_from_edge(0.16)) / 2
_CLIPPED_SPREADS = -_sigmas_from_edge(0.5) / _CLIPPED_SIGMAS


def _without_pixel(sigma: float) -> float:
    """An edge's sigma in px, less what a pixel's own area adds."""
    return float(np.sqrt(max(sigma**2 - _PIXEL_SIGMA**2, 0.01)))


def tag_light_inside(grey: np.ndarray, corners_px: np.ndarray, dark: np.ndarray) -> TagLight | None:
    """What the modules alone of a tag in (H, W) uint8 show of light, at the middle of each, its blur taken
    as a usual one; None if too small."""
    modules = len(dark)
    if side_of(corners_px) < 2 * modules:
        return None
    straight = cv2.getPerspectiveTransform(
        np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * modules - 0.5,
        corners_px.astype(np.float32),
    )
    patch = cv2.warpPerspective(
        grey, straight, (modules, modules), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    black, white = float(np.median(patch[dark])), float(np.median(patch[~dark]))
    x, y = corners_px.mean(axis=0)
    return TagLight((float(x), float(y)), USUAL_BLUR_PX, black, white, USUAL_BLUR_PX)


def side_of(corners_px: np.ndarray) -> float:
    """The mean side (px) of a square seen with these corners (4, 2) px."""
    return float(np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1).mean())


def _side_profile(
    grey: np.ndarray, start: np.ndarray, end: np.ndarray
) -> tuple[np.ndarray, float] | None:
    """The mean brightness across a side (inside to outside), and its edge's sigma in px (measured
    in linear light)."""
    chord = end - start
    length = float(np.hypot(*chord))
    if length < 16:
        return None
    along = chord / length
    across = np.array([along[1], -along[0]])
    way = np.linspace(0.2, 0.8, 24) * length
    points = start + way[:, None, None] * along + (_STEPS * length)[None, :, None] * across
    maps = points.astype(np.float32)
    light = cv2.remap(
        grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return light.mean(axis=0), _edge_sigma(_LINEAR[light].mean(axis=0)) * length


def _edge_sigma(light: np.ndarray) -> float:
    """Sigma (in `_STEPS`) of one rising edge: half of what lies between its 16th and 84th
    hundredth."""
    start = int(light[:30].argmin())
    low, high = float(light[start]), float(light[_OUTSIDE].max())
    share = np.maximum.accumulate((light[start:] - low) / max(high - low, 1e-6))
    return (
        float(np.interp(0.84, share, _STEPS[start:]) - np.interp(0.16, share, _STEPS[start:])) / 2
    )
