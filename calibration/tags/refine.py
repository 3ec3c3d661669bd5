"""A second look at the tags, with what the first one told about the lens: how far it bends each of
their sides.

Knows tags and a plane; must not know where either came from. A side's own bend is the noisiest
thing about it; the lens bends all sides by one rule, so one fit over all of them tells it better.
With the lens known a tag's whole picture can be predicted, too, and its corners come from all of
its edges (see `tags.fit`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane
from calibration.tags.edges import followed_part
from calibration.tags.find import TOKEN_TAGS, SeenTag, find_all_tags, sharpened_tags
from calibration.tags.fit import CUT_MODULES, fit_tag
from calibration.tags.illumination import side_of, tag_light_inside
from card_printables.token import TAG_MODULES, tag_cells

CUT_DIFFERS_SHARE = 0.004
"""Whole tags fitted with and without their margin differ by up to 0.25 % in size (blur to 1.8 px,
noise to 7, motion to 2 px); those cut along their border by 0.4 to 0.8 % and one cut 1 mm into it
by 1 to 1.5 %, on a white cloth; on others the fit with the margin fails."""

_RIM_MODULES = 0.6
_CLOTH_MODULES = 2.0
"""Modules beyond the border where paper should be, and where it has ended (at 1.33). Where both are
seen, a fit without the margin is spared: 20 ms a token."""
_PALE_SHARE = 0.8
"""Paper's least level, as a share of the way from the black modules' to the white ones': a veil over the
lens brightens paper and cloth alike."""


def refined_tags(
    grey: np.ndarray, tags: Sequence[SeenTag], plane: Plane | None = None
) -> list[SeenTag]:
    """The tags of (H, W) uint8 with corners found anew, bent as the lens of `plane` (default: their
    own) bends them.

    A tag that is partly covered or small gets them from its sides alone; tags that show no plane
    come back as they are.
    """
    plane = plane or _own_plane(tags, (grey.shape[1], grey.shape[0]))
    if plane is None or not tags:
        return list(tags)
    straight = sharpened_tags(
        grey, list(tags), _sags_px(np.array([tag.corners_px for tag in tags]), plane)
    )
    return [_fitted(grey, tag, plane) for tag in straight]


def _fitted(grey: np.ndarray, tag: SeenTag, plane: Plane) -> SeenTag:
    """The tag with corners from its whole pattern; from its inside where its white margin or part
    of its border was cut away."""
    dark = tag_cells(tag.id)
    whole = fit_tag(grey, tag.id, tag.corners_px, plane.optics)
    if whole is not None and (tag.id not in TOKEN_TAGS or _has_rim(grey, whole, dark)):
        return SeenTag(tag.id, whole)
    inside = fit_tag(grey, tag.id, tag.corners_px, plane.optics, CUT_MODULES)
    if inside is None or (whole is None and not _rimless(grey, inside, dark)):
        return tag if whole is None else SeenTag(tag.id, whole)
    if whole is None:
        return SeenTag(tag.id, inside, trimmed=True)
    larger = side_of(whole) / side_of(inside) - 1
    if abs(larger) < CUT_DIFFERS_SHARE:
        return SeenTag(tag.id, whole)
    return SeenTag(
        tag.id, inside, trimmed=larger < -2 * CUT_DIFFERS_SHARE or _rimless(grey, inside, dark)
    )


def _has_rim(grey: np.ndarray, corners_px: np.ndarray, dark: np.ndarray) -> bool:
    """True when white paper is seen all round a tag with these corners (4, 2) px and `dark` modules
    (8, 8) bool in (H, W) uint8, and where it ends."""
    rim, cloth = (
        np.median(_beyond(grey, corners_px, dark, modules), axis=1)
        for modules in (_RIM_MODULES, _CLOTH_MODULES)
    )
    return bool((rim >= _PALE_SHARE).all() and (cloth < _PALE_SHARE).all())


def _rimless(grey: np.ndarray, corners_px: np.ndarray, dark: np.ndarray) -> bool:
    """True when no side of a tag with these corners (4, 2) px has white paper all along beyond it
    in (H, W) uint8."""
    beyond = _beyond(grey, corners_px, dark, _RIM_MODULES)
    return bool((np.percentile(beyond, 25, axis=1) < _PALE_SHARE).all())


def _beyond(
    grey: np.ndarray, corners_px: np.ndarray, dark: np.ndarray, modules: float
) -> np.ndarray:
    """Levels (4, n) so many modules beyond each side of a tag: 0 its black's, 1 its white's."""
    centre = corners_px.mean(axis=0)
    outside = (centre + (corners_px - centre) * (1 + 2 * modules / TAG_MODULES)).astype(np.float32)
    share = np.linspace(0.15, 0.85, 15, dtype=np.float32)[:, None]
    along = outside[:, None] + share * (np.roll(outside, -1, axis=0) - outside)[:, None]
    levels = cv2.remap(
        grey, along[..., 0], along[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    light = tag_light_inside(grey, corners_px, dark)
    black, white = (light.black, light.white) if light else (0.0, 255.0)
    return (levels.astype(float) - black) / max(white - black, 1.0)


def seen_tags(grey: np.ndarray, plane: Plane | None = None) -> dict[int, np.ndarray]:
    """The table set's tags in (H, W) uint8 as well as one look can tell: id -> corners (4, 2) px,
    of two the larger one's."""
    return {
        tag.id: tag.corners_px for tag in reversed(refined_tags(grey, find_all_tags(grey), plane))
    }


def _own_plane(tags: Sequence[SeenTag], size_px: tuple[int, int]) -> Plane | None:
    corners: Mapping[int, np.ndarray] = {tag.id: tag.corners_px for tag in reversed(tags)}
    try:
        return fit_plane(corners, size_px)
    except PlaneNotSeen:
        return None


def _sags_px(corners_px: np.ndarray, plane: Plane) -> np.ndarray:
    """How far (px, outwards positive) the ends of each side's followed part lie beyond its middle:
    (t, 4)."""
    corners_mm = plane.to_mm(corners_px.reshape(-1, 2)).reshape(-1, 4, 2)
    seen = plane.to_px(followed_part(corners_mm).reshape(-1, 2)).reshape(-1, 4, 3, 2)
    chord = np.roll(corners_px, -1, axis=1) - corners_px
    along = chord / np.maximum(np.linalg.norm(chord, axis=2, keepdims=True), 1e-6)
    outwards = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    off = (seen * outwards[:, :, None]).sum(axis=-1)
    return np.asarray((off[..., 0] + off[..., 2]) / 2 - off[..., 1])
