"""A second look at the tags, with what the first one told about the lens: how far it bends each of their sides.

Knows tags and a plane; must not know where either came from.  A side's own bend is the noisiest thing about it; the lens
bends all sides by one rule, so one fit over all of them tells it better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.edges import followed_part
from calibration.errors import PlaneNotSeen
from calibration.plane import Plane, fit_plane
from calibration.tags import SeenTag, sharpened


def straightened(grey: np.ndarray, tags: Sequence[SeenTag], plane: Plane | None = None) -> list[SeenTag]:
    """The tags of (H, W) uint8 with corners found anew, the sides bent as `plane` (default: their own) says.

    Tags that show no plane, or whose sides cannot be followed, come back as they are.
    """
    plane = plane or _own_plane(tags, (grey.shape[1], grey.shape[0]))
    if plane is None or not tags:
        return list(tags)
    return sharpened(grey, list(tags), _sags_px(np.array([tag.corners_px for tag in tags]), plane))


def _own_plane(tags: Sequence[SeenTag], size_px: tuple[int, int]) -> Plane | None:
    corners: Mapping[int, np.ndarray] = {tag.id: tag.corners_px for tag in reversed(tags)}
    try:
        return fit_plane(corners, size_px)
    except PlaneNotSeen:
        return None


def _sags_px(corners_px: np.ndarray, plane: Plane) -> np.ndarray:
    """How far (px, outwards positive) the ends of each side's followed part lie beyond its middle: (t, 4)."""
    corners_mm = plane.to_mm(corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    seen = plane.to_px(followed_part(corners_mm).reshape(-1, 2)).reshape(-1, 4, 3, 2)
    chord = np.roll(corners_px, -1, axis=1) - corners_px
    along = chord / np.maximum(np.linalg.norm(chord, axis=2, keepdims=True), 1e-6)
    outwards = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    off = (seen * outwards[:, :, None]).sum(axis=-1)
    return np.asarray((off[..., 0] + off[..., 2]) / 2 - off[..., 1])
