"""Places on the disc: where a body may float, and how large it may be there.

Knows the disc, the marker's plate and the margins; knows no light.  Unit: the disc's radius.
"""

from __future__ import annotations

import numpy as np

from card_printables.marker import DISC_MM, MarkerPlace

RADIUS_MM = DISC_MM / 2

REACH = 0.865
"""Bodies end here: 5.7 mm of sky inside the rim, so that scissors and drift never cut a cloud."""

_PLACE = MarkerPlace()
PLATE_HALF = _PLACE.plate_mm / 2 / RADIUS_MM
PLATE_TOP = (_PLACE.centre_mm[1] - _PLACE.plate_mm / 2) / RADIUS_MM
PLATE_GAP = 0.05
"""Sky between a body and the marker's white plate: 2.1 mm."""

FOOT = 0.56
"""Nothing hangs lower than this beside the plate: the small type stands there."""


def room(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """How far each point is inside the room for bodies, same shape as x and y, in disc radii;
    negative is outside."""
    beside = np.maximum(np.abs(x) - PLATE_HALF - PLATE_GAP, PLATE_TOP - PLATE_GAP - y)
    room: np.ndarray = np.minimum(np.minimum(REACH - np.hypot(x, y), beside), FOOT - y)
    return room


def _turned(spheres: np.ndarray, turn_deg: float) -> np.ndarray:
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    turned = spheres.copy()
    turned[:, :2] = spheres[:, :2] @ np.array([[cos, -sin], [sin, cos]])
    turned[:, :3] -= (turned[:, :3].min(0) + turned[:, :3].max(0)) / 2
    return turned


_SHIFTS = np.stack(
    np.meshgrid(np.linspace(-0.2, 0.2, 11), np.linspace(-0.45, 0.15, 25)), axis=-1
).reshape(-1, 2)


def _fit(spheres: np.ndarray, size: float, swell: float) -> tuple[float, float] | None:
    x = spheres[:, 0, None] * size + _SHIFTS[:, 0]
    y = spheres[:, 1, None] * size + _SHIFTS[:, 1]
    fits = _SHIFTS[(room(x, y) - spheres[:, 3, None] * size * (1 + swell)).min(0) >= 0]
    if not len(fits):
        return None
    right, down = fits[np.argmin(np.abs(fits[:, 0]) + np.abs(fits[:, 1] + 0.15))]
    return float(right), float(down)


def settled(spheres: np.ndarray, swell: float, largest: float) -> np.ndarray:
    """The spheres (N, 4) leant, moved and scaled to the largest body inside the room, `swell` of
    each radius to spare."""
    leant = [_turned(spheres, turn) for turn in (0, 14, -14, 28, -28, 42, -42)]
    for size in np.arange(largest, 0.4, -0.02):
        for body in leant:
            place = _fit(body, size, swell)
            if place is not None:
                return np.asarray(body * size + np.array([*place, 0.0, 0.0]))
    return np.asarray(leant[0] * 0.4 + np.array([0.0, -0.25, 0.0, 0.0]))
