"""Corners of dark squares to a few hundredths of a pixel, from the places where their sides turn
bright.

Knows grey pixels and straight (or slightly bent) sides; must not know tags, tables or lenses.

Each side is sampled across at many places; where the brightness climbs fastest is a point of the
side. A curve through a side's points crosses its neighbour's in the corner. Blur rounds the corner
itself but not the sides, so this has no blur bias, unlike a corner search. A long side may bend
(lenses bend straight lines by 0.1 px over 100 px).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

_INSET = 0.12
"""Share of a side left out at each end: blur rounds the last pixels (blur 1.3 px:
tests/calibration/tags/test_find.py)."""

_BENDS_FROM_PX = 45.0
"""A side shorter than this is fitted as a straight line: its bend is below 0.03 px with the
strongest lens in the benchmark."""

_SAMPLES = 48
_STEPS = np.linspace(-1.0, 1.0, 25)
"""Where a profile is sampled, in shares of its reach to either side."""

_WEAKEST_CLIMB = 2.0
"""Grey levels between two steps below which there is no side: twice the noise of a webcam at dusk.
"""


@dataclass(frozen=True, slots=True)
class _Sides:
    """Sides as curves, s of them: `start` and unit vectors `along` and `across` (outwards), all (s,
    2) px; the way's middle and half length (s,), and the curve's coefficients (s, 3): offset = a +
    b z + c z^2, z from -1 to 1."""

    start: np.ndarray
    along: np.ndarray
    across: np.ndarray
    middle: np.ndarray
    half: np.ndarray
    curve: np.ndarray


def refine_corners(
    grey: np.ndarray, corners_px: np.ndarray, sags_px: np.ndarray | None = None
) -> np.ndarray:
    """The corners (t, 4, 2) float px of dark squares on light ground, sharpened from guesses good
    to about 2 px.

    `grey` is (H, W) uint8. A square of which a side cannot be followed (covered, out of the
    picture, too weak) is NaN. `sags_px` (t, 4) tells how far the lens bends each side inwards
    between the ends of its followed part, where that is known: corners are then half as noisy, for
    a side's bend need not be guessed from the side itself.
    """
    guess = np.asarray(corners_px, float).reshape(-1, 4, 2)
    if not len(guess):
        return guess
    sides = _fitted(grey, guess, sags_px)
    refined = _crossings(sides, guess)
    length = np.linalg.norm(np.roll(guess, -1, axis=1) - guess, axis=2).mean(axis=1)
    far = np.abs(refined - guess).max(axis=(1, 2)) > np.maximum(3.0, 0.06 * length)
    refined[far | (length < 6)] = np.nan
    return refined


def side_points(grey: np.ndarray, corners_px: np.ndarray, count: int = 21) -> np.ndarray | None:
    """Points (4, count, 2) px along the four sides of one dark square (4, 2) px, as bent as they
    are seen.

    The first side runs from the first corner to the second.  None where a side cannot be followed.
    """
    sides = _fitted(grey, np.asarray(corners_px, float).reshape(1, 4, 2))
    z = np.linspace(-1, 1, count)
    a, b, c = (part[:, None] for part in sides.curve.T)
    way = sides.middle[:, None] + z * sides.half[:, None]
    offset = (a + b * z + c * z**2)[..., None]
    points = (
        sides.start[:, None]
        + way[..., None] * sides.along[:, None]
        + offset * sides.across[:, None]
    )
    return points if np.isfinite(points).all() else None


def followed_part(corners_px: np.ndarray) -> np.ndarray:
    """Start, middle and end of the followed part of each side, (t, 4, 3, 2), in the units of the
    corners (t, 4, 2)."""
    start, end = corners_px[:, :, None], np.roll(corners_px, -1, axis=1)[:, :, None]
    return np.asarray(start + np.array([_INSET, 0.5, 1 - _INSET])[:, None] * (end - start))


def _fitted(grey: np.ndarray, corners: np.ndarray, sags_px: np.ndarray | None = None) -> _Sides:
    start = corners.reshape(-1, 2)
    chord = np.roll(corners, -1, axis=1).reshape(-1, 2) - start
    length = np.maximum(np.linalg.norm(chord, axis=1), 1e-6)
    along = chord / length[:, None]
    across = np.column_stack([along[:, 1], -along[:, 0]])
    way = np.linspace(_INSET, 1 - _INSET, _SAMPLES) * length[:, None]
    reach = np.clip(length * 0.06, 2.5, 6.0) + 1
    points = start[:, None] + way[..., None] * along[:, None]
    offset, climb = _steepest(_profiles(grey, points, across, reach), reach, edge_window_px(length))
    known = None if sags_px is None else np.asarray(sags_px, float).ravel()
    curve = _curves(offset, climb, length > _BENDS_FROM_PX, known)
    return _Sides(start, along, across, length / 2, length * (0.5 - _INSET), curve)


def _profiles(
    grey: np.ndarray, points: np.ndarray, across: np.ndarray, reach: np.ndarray
) -> np.ndarray:
    """Brightness (s, samples, steps) across each side, from inside to outside."""
    steps = _STEPS * reach[:, None]
    at = points[:, :, None] + steps[:, None, :, None] * across[:, None, None]
    flat = at.reshape(-1, len(_STEPS), 2).astype(np.float32)
    light = cv2.remap(
        grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return light.reshape(at.shape[:3]).astype(np.float32)


def edge_window_px(length_px: np.ndarray) -> np.ndarray:
    """How far about its steepest point an edge's centre of climb is taken, for squares with sides
    of these lengths (px): wide enough for a blurred 4K picture, narrow enough to leave noise and
    the next module out."""
    return np.maximum(2.1, 0.03 * length_px)


def _steepest(
    light: np.ndarray, reach: np.ndarray, window: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where each profile climbs fastest: offset px and climb, (s, samples) each; the climb's
    centroid about its peak."""
    climb = np.maximum(light[..., 2:] - light[..., :-2], 0)
    smooth = climb[..., :-2] + 2 * climb[..., 1:-1] + climb[..., 2:]
    peak = smooth.argmax(axis=-1) + 1
    near_px = np.abs(np.arange(climb.shape[-1]) - peak[..., None]) * (reach / 12)[:, None, None]
    weight = np.where(near_px <= window[:, None, None], climb, 0)
    weight = weight * np.sqrt(weight) + 1e-9
    offset = (weight @ _STEPS[1:-1]) / weight.sum(axis=-1) * reach[:, None]
    return offset, climb.max(axis=-1)


def _curves(
    offset: np.ndarray, climb: np.ndarray, bends: np.ndarray, known: np.ndarray | None = None
) -> np.ndarray:
    """Robust curves (s, 3) through the offsets; NaN where fewer than two fifths of the samples make
    one. `known` (s,) fixes the third number, where it is finite."""
    z = np.linspace(-1, 1, _SAMPLES)
    if known is not None:
        fixed = np.nan_to_num(known)
        straight = _curves(offset - fixed[:, None] * z**2, climb, bends & ~np.isfinite(known))
        edges: np.ndarray = straight + np.column_stack([np.zeros((len(fixed), 2)), fixed])
        return edges
    basis = np.stack([np.ones_like(z), z, z**2])
    products = (basis[:, None] * basis).reshape(9, -1)
    usable = (climb > 0.35 * np.median(climb, axis=1, keepdims=True)) & (climb > _WEAKEST_CLIMB)
    stiff = np.diag([0.0, 0.0, 1.0]) * np.where(bends, 0.0, 1e9)[:, None, None] + np.eye(3) * 1e-9
    weight = usable.astype(float)
    for _ in range(4):
        normal = (weight @ products.T).reshape(-1, 3, 3) + stiff
        curve = np.linalg.solve(normal, ((weight * offset) @ basis.T)[..., None])[..., 0]
        off = np.where(usable, np.abs(offset - curve @ basis), np.nan)
        spread = np.maximum(_median(off), 0.027)[:, None]
        weight = np.where(usable, 1 / (1 + (off / (3 * spread)) ** 2), 0.0)
    bad = (usable.sum(axis=1) < 0.4 * _SAMPLES) | (spread[:, 0] > 0.8)
    return np.where(bad[:, None], np.nan, curve)


def _median(values: np.ndarray) -> np.ndarray:
    """Median of each row, NaNs left out; infinite for an empty row."""
    ordered = np.sort(values, axis=1)  # NaNs come last
    count = np.isfinite(ordered).sum(axis=1)
    rows = np.arange(len(ordered))
    middle = (ordered[rows, np.maximum(count - 1, 0) // 2] + ordered[rows, count // 2]) / 2
    return np.asarray(np.where(count > 0, middle, np.inf))


def _tangents(sides: _Sides, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each side the point beside `points` (s, 2), and the side's direction there."""
    way = ((points - sides.start) * sides.along).sum(axis=1)
    z = (way - sides.middle) / sides.half
    a, b, c = sides.curve.T
    beside = (
        sides.start + way[:, None] * sides.along + (a + b * z + c * z**2)[:, None] * sides.across
    )
    return beside, sides.along + ((b + 2 * c * z) / sides.half)[:, None] * sides.across


def _crossings(sides: _Sides, guess: np.ndarray) -> np.ndarray:
    """Where each side meets the one before it: (t, 4, 2) px."""
    before = np.roll(np.arange(guess.size // 2).reshape(-1, 4), 1, axis=1).ravel()
    earlier = _Sides(
        *(
            getattr(sides, name)[before]
            for name in ("start", "along", "across", "middle", "half", "curve")
        )
    )
    points = guess.reshape(-1, 2)
    for _ in range(3):
        (p, d), (q, e) = _tangents(earlier, points), _tangents(sides, points)
        turn = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
        gap = q - p
        way = (gap[:, 0] * e[:, 1] - gap[:, 1] * e[:, 0]) / np.where(
            np.abs(turn) < 1e-3, np.nan, turn
        )
        points = p + d * way[:, None]
    return points.reshape(-1, 4, 2)
