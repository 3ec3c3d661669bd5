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
    d = np.hypot(centred[..., :1], centred[..., 1:]) / radius_px + 1e-12
    edge = _edge(optics)
    r = np.minimum(d, edge)
    lens, bend = optics.lens, optics.bend
    for _ in range(_MOST_STEPS if r.size else 0):
        square = r * r
        slope = 1 + square * (3 * lens + 5 * bend * square)
        off = r * (1 + square * (lens + bend * square)) - d
        after = np.minimum(np.maximum(r - off / np.maximum(slope, _LEAST_SLOPE), 0.0), edge)
        change, r = after - r, after
        if max(change.max(), -change.min()) < _CONVERGED:
            break
    beyond = np.maximum(d - _bent(r, optics), 0.0) / _LEAST_SLOPE if np.isfinite(edge) else 0.0
    return np.asarray(centred * ((r + beyond) / d))


def distort(centred: np.ndarray, optics: Optics, radius_px: float) -> np.ndarray:
    """The inverse of `undistort`, still about the principal point."""
    u = np.hypot(centred[..., :1], centred[..., 1:]) / radius_px + 1e-12
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
    square = r * r
    return np.asarray(r * (1 + square * (optics.lens + optics.bend * square)))


@lru_cache(maxsize=32)
def _edge(optics: Optics) -> float:
    """The radius from which the lens' formula stretches by less than `_LEAST_SLOPE`; infinite if
    nowhere."""
    roots = np.roots([5 * optics.bend, 3 * optics.lens, 1.0 - _LEAST_SLOPE])
    real = [float(z.real) for z in roots if abs(z.imag) < 1e-9 and z.real > 0]
    return float(min(real, default=float("inf")) ** 0.5)
