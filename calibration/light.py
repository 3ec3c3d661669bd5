"""How sharp and how well lit the picture is, measured on the black and white of the printed tags.

Knows grey pixels and tag corners; must not know millimetres, cards or advice.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

_REACH_PX = 6.0
_STEPS = np.arange(-_REACH_PX, _REACH_PX + 0.01, 0.25)
_PIXEL_SIGMA = 0.65
"""What a pixel's own area, the sampling between pixels and the tone curve add to an edge: a picture photographed without
any blur shows 0.62 (tests/test_calibration_report)."""

_CLIPPED = 250


@dataclass(frozen=True, slots=True)
class Light:
    """What one tag shows: where (px), the edges' blur (sigma, px), black and white (0..255), burnt-out share of white."""

    at_px: tuple[float, float]
    blur_px: float
    black: float
    white: float
    clipped: float

    @property
    def contrast(self) -> float:
        """White minus black, 0..255."""
        return self.white - self.black


def light_of(grey: np.ndarray, corners_px: np.ndarray) -> Light | None:
    """What the tag with these corners (4, 2) px shows of blur and light in (H, W) uint8; None if too small or covered."""
    sides = [_side_profile(grey, corners_px[i], corners_px[(i + 1) % 4]) for i in range(4)]
    known = [s for s in sides if s is not None]
    if len(known) < 3:
        return None
    profile = np.mean([p for p, _ in known], axis=0)
    black, white = float(np.mean(profile[10:14])), float(np.max(profile[-16:]))
    if white - black < 10:
        return None
    slope = float(np.median([s for _, s in known]))
    sigma = (white - black) / (slope * np.sqrt(2 * np.pi))
    centre = corners_px.mean(axis=0)
    return Light((float(centre[0]), float(centre[1])), float(np.sqrt(max(sigma**2 - _PIXEL_SIGMA**2, 0.01))),
                 black, white, _clipped(grey, corners_px))


def _side_profile(grey: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, float] | None:
    """The mean brightness across a side (inside to outside), and its steepest slope, levels a px."""
    chord = end - start
    length = float(np.hypot(*chord))
    if length < 16:
        return None
    along = chord / length
    across = np.array([along[1], -along[0]])
    reach = min(1.0, 0.09 * length / _REACH_PX)
    way = np.linspace(0.2, 0.8, 16) * length
    points = start + way[:, None, None] * along + (_STEPS * reach)[None, :, None] * across
    maps = points.astype(np.float32)
    light = cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(float)
    slopes = (light[:, 4:] - light[:, :-4]) / (4 * 0.25 * reach)
    return light.mean(axis=0), float(np.median(slopes.max(axis=1)))


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
    return float((values >= _CLIPPED).mean()) * 2 if values.size else 0.0
