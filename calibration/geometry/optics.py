"""The lens as numbers: how far a ray lands from where a pinhole would put it, both ways.

Knows one camera's inside; must not know tables or pictures. distorted = undistorted (1 + lens r^2 +
bend r^4), r the undistorted distance from the principal point in half-diagonals of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np


@dataclass(frozen=True, slots=True)
class Optics:
    """The camera's inside: focal length px, lens number and its companion `bend`, principal point
    px."""

    focal_px: float
    lens: float
    bend: float
    centre_px: tuple[float, float]


def undistort(points_px: np.ndarray, optics: Optics, radius_px: float) -> np.ndarray:
    """Undistorted points (n, 2) px about the principal point, from picture points (n, 2) px; finite
    everywhere."""
    centred = np.asarray(points_px, float) - np.asarray(optics.centre_px)
    d = np.sqrt((centred**2).sum(axis=-1, keepdims=True)) / radius_px + 1e-12
    edge = _edge(optics)
    r = np.minimum(d, edge)
    for _ in range(_MOST_STEPS):
        before = r
        step = (_bent(r, optics) - d) / np.maximum(_slope(r, optics), _LEAST_SLOPE)
        r = np.minimum(np.maximum(r - step, 0.0), edge)
        if r.size == 0 or np.abs(r - before).max() < _CONVERGED:
            break
    beyond = np.maximum(d - _bent(r, optics), 0.0) / _LEAST_SLOPE if np.isfinite(edge) else 0.0
    return np.asarray(centred * ((r + beyond) / d))


def distort(centred: np.ndarray, optics: Optics, radius_px: float) -> np.ndarray:
    """The inverse of `undistort`, still about the principal point."""
    u = np.sqrt((centred**2).sum(axis=-1, keepdims=True)) / radius_px + 1e-12
    r = np.minimum(u, _edge(optics))
    return np.asarray(centred * ((_bent(r, optics) + _LEAST_SLOPE * (u - r)) / u))


_LEAST_SLOPE = 0.2
"""A barrel lens' formula would fold the picture's far corners back; from where it stretches by less
it goes on straight."""


_MOST_STEPS = 12
_CONVERGED = 1e-13
"""A Newton step in half-diagonals that changes nothing any more: 1e-10 px; most points are there
after three or four."""


def _bent(r: np.ndarray, optics: Optics) -> np.ndarray:
    return r * (1 + optics.lens * r**2 + optics.bend * r**4)


def _slope(r: np.ndarray, optics: Optics) -> np.ndarray:
    return 1 + 3 * optics.lens * r**2 + 5 * optics.bend * r**4


@lru_cache(maxsize=32)
def _edge(optics: Optics) -> float:
    """The radius from which the lens' formula stretches by less than `_LEAST_SLOPE`; infinite if
    nowhere."""
    roots = np.roots([5 * optics.bend, 3 * optics.lens, 1.0 - _LEAST_SLOPE])
    real = [float(z.real) for z in roots if abs(z.imag) < 1e-9 and z.real > 0]
    return float(min(real, default=float("inf")) ** 0.5)
