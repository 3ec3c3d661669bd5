"""Corners of a dark square to a few hundredths of a pixel, from the places where its four sides turn bright.

Knows grey pixels and straight (or slightly bent) sides; must not know tags, tables or lenses.

Each side is sampled across at many places; where the brightness climbs fastest is a point of the side.  A curve
through a side's points crosses its neighbour's in the corner.  Blur rounds the corner itself but not the sides, so
this has no blur bias, unlike a corner search.  A long side may bend (lenses bend straight lines by 0.1 px over 100 px).
"""

from __future__ import annotations

import cv2
import numpy as np

_INSET = 0.12
"""Share of a side left out at each end: blur rounds the last pixels (blur 1.3 px: tests/test_calibration_tags)."""

_BENDS_FROM_PX = 45.0
"""A side shorter than this is fitted as a straight line: its bend is below 0.03 px with the strongest lens in the benchmark."""


def refine_corners(grey: np.ndarray, corners_px: np.ndarray) -> np.ndarray | None:
    """The corners (4, 2) float px of a dark square on light ground, sharpened from a guess good to about 2 px.

    `grey` is (H, W) uint8.  None when a side cannot be followed: covered, out of the picture, too weak.
    """
    sides = [_side(grey, corners_px[i], corners_px[(i + 1) % 4]) for i in range(4)]
    if any(side is None for side in sides):
        return None
    refined = np.array([_crossing(sides[i - 1], sides[i], corners_px[i]) for i in range(4)])  # type: ignore[arg-type]
    length = np.linalg.norm(np.roll(corners_px, -1, axis=0) - corners_px, axis=1).mean()
    return refined if np.abs(refined - corners_px).max() < max(3.0, 0.06 * length) else None


_Side = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Start point, unit vector along, unit vector across (outwards), and the curve's coefficients (offset over way along)."""


def _side(grey: np.ndarray, start: np.ndarray, end: np.ndarray) -> _Side | None:
    along = end - start
    length = float(np.hypot(*along))
    if length < 6:
        return None
    along = along / length
    across = np.array([along[1], -along[0]])
    reach = float(np.clip(length * 0.06, 2.5, 6.0))
    way = np.linspace(_INSET * length, (1 - _INSET) * length, int(np.clip(length * 0.8, 8, 80)))
    offset, climb = _steepest(_profiles(grey, start, along, across, way, reach), reach)
    good = np.isfinite(offset) & (climb > 0.35 * np.nanmedian(climb)) & (climb > 2.0)
    if good.sum() < max(5, 0.4 * len(way)):
        return None
    curve = _robust_curve(way[good], offset[good], 2 if length > _BENDS_FROM_PX else 1)
    return None if curve is None else (start, along, across, curve)


def _profiles(grey: np.ndarray, start: np.ndarray, along: np.ndarray, across: np.ndarray,
              way: np.ndarray, reach: float) -> np.ndarray:
    """Brightness across the side, one row a sample place, at half-pixel steps from inside to outside."""
    steps = np.arange(-reach - 1, reach + 1.01, 0.5)
    points = start + way[:, None, None] * along + steps[None, :, None] * across
    maps = points.astype(np.float32)
    return cv2.remap(grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _steepest(profiles: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Where each profile climbs fastest: (offset px, climb) per row; the centroid of the climb about its peak."""
    climb = np.maximum(profiles[:, 2:] - profiles[:, :-2], 0)
    steps = np.arange(-reach - 0.5, reach + 0.51, 0.5)[: climb.shape[1]]
    smooth = climb[:, :-2] + 2 * climb[:, 1:-1] + climb[:, 2:]
    peak = smooth.argmax(axis=1) + 1
    near = np.abs(np.arange(climb.shape[1])[None, :] - peak[:, None]) <= 4
    weight = np.where(near, climb, 0) ** 1.5 + 1e-9
    return (weight * steps).sum(axis=1) / weight.sum(axis=1), climb.max(axis=1)


def _robust_curve(way: np.ndarray, offset: np.ndarray, degree: int) -> np.ndarray | None:
    middle = (way.min() + way.max()) / 2
    half = (way.max() - way.min()) / 2
    basis = np.vander((way - middle) / half, degree + 1)
    weight = np.ones(len(way))
    for _ in range(4):
        curve = np.linalg.lstsq(basis * weight[:, None], offset * weight, rcond=None)[0]
        off = np.abs(offset - basis @ curve)
        scale = max(0.04, 1.5 * float(np.median(off)))
        weight = 1 / (1 + (off / (2 * scale)) ** 2)
    if np.median(off) > 0.8:
        return None
    return np.concatenate([[middle, half], curve])


def _tangent(side: _Side, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A point of the side beside `point`, and the side's direction there."""
    start, along, across, curve = side
    middle, half, coefficients = curve[0], curve[1], curve[2:]
    way = float((point - start) @ along)
    z = (way - middle) / half
    slope = float(np.polyval(np.polyder(coefficients), z)) / half
    return start + way * along + float(np.polyval(coefficients, z)) * across, along + slope * across


def _crossing(one: _Side, other: _Side, guess: np.ndarray) -> np.ndarray:
    point = guess.astype(float)
    for _ in range(3):
        (p, d), (q, e) = _tangent(one, point), _tangent(other, point)
        turn = d[0] * e[1] - d[1] * e[0]
        if abs(turn) < 1e-3:
            return np.array([np.inf, np.inf])
        point = p + d * (((q - p)[0] * e[1] - (q - p)[1] * e[0]) / turn)
    return point
