"""How sharp and how well lit the picture is, measured on the black and white of the printed tags.

Knows grey pixels and tag corners; must not know millimetres, cards or advice.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATION

_STEPS = np.linspace(-0.095, 0.14, 61)
"""Where a side is sampled across, in tag sides: from the black border (an eighth wide) to the white
margin (a sixth)."""

_OUTSIDE = slice(-16, None)
_PIXEL_SIGMA = 0.47
"""What a pixel's own area and the sampling between pixels add to an edge
(tests/calibration/check/test_report.py)."""

_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
"""Blur mixes light, not grey levels: measured on levels, a blur of 3 px looks like 2."""

USUAL_BLUR_PX = 0.8

FAINT_CONTRAST = 10.0
"""Grey levels between black and white print below which no edge can be measured."""


@dataclass(frozen=True, slots=True)
class TagLight:
    """What one tag shows: where (px), the edges' blur (sigma, px), black and white (0..255),
    burnt-out share of white, the grain of its white (sigma, grey levels between neighbouring
    samples), and the blur across its softer pair of sides: movement smears one way only."""

    at_px: tuple[float, float]
    blur_px: float
    black: float
    white: float
    saturated_share: float
    grain: float = 0.0
    softest_px: float = 0.0

    @property
    def contrast(self) -> float:
        """White minus black, 0..255."""
        return self.white - self.black


def tag_light(grey: np.ndarray, corners_px: np.ndarray) -> TagLight | None:
    """What the tag with these corners (4, 2) px shows of blur and light in (H, W) uint8; None if
    too small or covered."""
    sides = [_side_profile(grey, corners_px[i], corners_px[(i + 1) % 4]) for i in range(4)]
    known = [s for s in sides if s is not None]
    if len(known) < 3:
        return None
    profile = np.mean([p for p, _, _ in known], axis=0)
    black, white = float(profile[:24].min()), float(profile[_OUTSIDE].max())
    if white - black < FAINT_CONTRAST:
        return None
    sigma = float(np.median([s for _, s, _ in known]))
    softest = max(float(np.mean([s[1] for s in sides[i::2] if s is not None])) for i in (0, 1))
    centre = corners_px.mean(axis=0)
    return TagLight(
        (float(centre[0]), float(centre[1])),
        _without_pixel(sigma),
        black,
        white,
        _clipped(grey, corners_px),
        float(np.median([g for _, _, g in known])),
        _without_pixel(softest),
    )


def _without_pixel(sigma: float) -> float:
    """An edge's sigma in px, less what a pixel's own area adds."""
    return float(np.sqrt(max(sigma**2 - _PIXEL_SIGMA**2, 0.01)))


def tag_light_inside(grey: np.ndarray, corners_px: np.ndarray) -> TagLight | None:
    """What the modules alone of a tag in (H, W) uint8 show of light, its blur taken as a usual one;
    None if too small."""
    low, high = (
        np.floor(corners_px.min(axis=0)).astype(int),
        np.ceil(corners_px.max(axis=0)).astype(int) + 1,
    )
    patch = grey[max(low[1], 0) : high[1], max(low[0], 0) : high[0]]
    if patch.size < 16 * 16:
        return None
    black, white = (float(level) for level in np.percentile(patch, (10, 88)))
    x, y = corners_px.mean(axis=0)
    return TagLight((float(x), float(y)), USUAL_BLUR_PX, black, white, 0.0, 0.0, USUAL_BLUR_PX)


def _side_profile(
    grey: np.ndarray, start: np.ndarray, end: np.ndarray
) -> tuple[np.ndarray, float, float] | None:
    """The mean brightness across a side (inside to outside), and its edge's sigma in px (measured
    in linear light), its grain."""
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
    grain = float(np.diff(light[:, _OUTSIDE].astype(float), axis=0).std() / np.sqrt(2))
    return light.mean(axis=0), _edge_sigma(_LINEAR[light].mean(axis=0)) * length, grain


def _edge_sigma(light: np.ndarray) -> float:
    """Sigma (in `_STEPS`) of one rising edge: half of what lies between its 16th and 84th
    hundredth."""
    start = int(light[:30].argmin())
    low, high = float(light[start]), float(light[_OUTSIDE].max())
    share = np.maximum.accumulate((light[start:] - low) / max(high - low, 1e-6))
    return (
        float(np.interp(0.84, share, _STEPS[start:]) - np.interp(0.16, share, _STEPS[start:])) / 2
    )


def _clipped(grey: np.ndarray, corners_px: np.ndarray) -> float:
    """Share of the brighter half of the tag and its white margin that is burnt out."""
    centre = corners_px.mean(axis=0)
    outline = (centre + (corners_px - centre) * 1.25).astype(np.int32)
    left, top = np.maximum(outline.min(axis=0), 0)
    right, bottom = outline.max(axis=0) + 1
    patch = grey[top:bottom, left:right]
    mask = np.zeros(patch.shape, np.uint8)
    cv2.fillConvexPoly(mask, outline - [left, top], 255)
    values = patch[mask > 0]
    return float((values >= SATURATION.pixel_grey).mean()) * 2 if values.size else 0.0
