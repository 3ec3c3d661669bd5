"""A second look at the tags, with what the first one told about the lens: how far it bends each of their sides.

Knows tags and a plane; must not know where either came from.  A side's own bend is the noisiest thing about it; the lens
bends all sides by one rule, so one fit over all of them tells it better.  With the lens known a tag's whole picture can be
predicted, too, and its corners come from all of its edges (see `tag_fit`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.edges import followed_part
from calibration.errors import PlaneNotSeen
from calibration.plane import Plane, fit_plane
from calibration.tag_fit import fit_tag
from calibration.tags import SeenTag, find_all_tags, sharpened


def straightened(grey: np.ndarray, tags: Sequence[SeenTag], plane: Plane | None = None) -> list[SeenTag]:
    """The tags of (H, W) uint8 with corners found anew, bent as the lens of `plane` (default: their own) bends them.

    A tag that is partly covered or small gets them from its sides alone; tags that show no plane come back as they are.
    """
    plane = plane or _own_plane(tags, (grey.shape[1], grey.shape[0]))
    if plane is None or not tags:
        return list(tags)
    straight = sharpened(grey, list(tags), _sags_px(np.array([tag.corners_px for tag in tags]), plane))
    fitted = [fit_tag(grey, tag.id, tag.corners_px, plane.optics) for tag in straight]
    return [tag if corners is None else SeenTag(tag.id, corners) for tag, corners in zip(straight, fitted, strict=True)]


def seen_tags(grey: np.ndarray, plane: Plane | None = None) -> dict[int, np.ndarray]:
    """The table set's tags in (H, W) uint8 as well as one look can tell: id -> corners (4, 2) px, of two the larger one's."""
    return {tag.id: tag.corners_px for tag in reversed(straightened(grey, find_all_tags(grey), plane))}


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
