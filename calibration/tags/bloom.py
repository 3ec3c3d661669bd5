"""How far white grows over black in a picture, measured on the printed tags themselves.

Knows the tags' black border (one module of eight) and grey pixels; must not know millimetres or
tables.

A lens blurs light, a camera then lifts the dark tones: every white-black edge moves into the black,
by up to 1.2 px with an ordinary webcam's blur. A tag then looks too small, and a table 70 cm wide 1
to 2 % too large. How far depends on blur, tone curve and sharpening, so it is not assumed but
measured: the border is thinner than the tag's size promises.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.tags.edges import edge_window_px
from card_printables.token import TAG_MODULES

_ENOUGH = 12
"""Border profiles from which a tag's own measure counts half; a tag has 20 to 40 (4 sides, white
inner modules)."""

_SMALLEST_MODULE_PX = 2.6
"""Below this the border's two edges blur into one."""

_DEPTHS = np.linspace(1.5, -0.7, 45) / TAG_MODULES
"""Where a profile is sampled, from the inner module's centre outwards over the border, in tag
sides."""


def blooms_px(grey: np.ndarray, tags_px: list[np.ndarray]) -> np.ndarray:
    """For each tag (4, 2) px, sharpened but not yet corrected, how far each of its sides must move
    outwards: (n,) px.

    A tag too small or too covered to measure gets the picture's own value; 0.0 when no tag can be
    measured.
    """
    measured = [_profiles_bloom(grey, corners) for corners in tags_px]
    good = [m for m in measured if len(m) >= 4]
    if not good:
        return np.zeros(len(tags_px))
    common = float(np.median([np.median(m) for m in good]))
    own = [float(np.median(m)) if len(m) >= 4 else common for m in measured]
    share = [len(m) / (len(m) + _ENOUGH) if len(m) >= 4 else 0.0 for m in measured]
    return np.array([s * o + (1 - s) * common for s, o in zip(share, own, strict=True)])


def grown(corners_px: np.ndarray, by_px: float) -> np.ndarray:
    """The quadrilateral (4, 2) px with each side moved outwards by `by_px`."""
    along = np.roll(corners_px, -1, axis=0) - corners_px
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    outwards = np.column_stack([along[:, 1], -along[:, 0]])
    moved = []
    for i in range(4):
        normals = np.array([outwards[i - 1], outwards[i]])
        moved.append(corners_px[i] + np.linalg.solve(normals, [by_px, by_px]))
    return np.array(moved)


def _profiles_bloom(grey: np.ndarray, corners_px: np.ndarray) -> np.ndarray:
    """One bloom estimate (px) for each place where the border parts two whites."""
    places = _places(corners_px)
    step_px = np.linalg.norm(places[:, -1] - places[:, 0], axis=1) / (_DEPTHS[0] - _DEPTHS[-1])
    if np.median(step_px) / TAG_MODULES < _SMALLEST_MODULE_PX:
        return np.empty(0)
    maps = places.astype(np.float32)
    light = cv2.remap(
        grey, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(float)
    border = light[:, np.abs(_DEPTHS - 0.5 / TAG_MODULES) < 0.15 / TAG_MODULES].mean(axis=1)
    inside, outside = light[:, :4].mean(axis=1), light[:, -8:-3].max(axis=1)
    rise = outside - border
    good = (rise > 25) & (inside - border > 0.7 * rise) & (inside - border < 1.4 * rise)
    window = edge_window_px(step_px) / step_px
    thickness = _edge(light, window, rising=False) - _edge(light, window, rising=True)
    # Edges shrink the tag itself, too: an eighth of 2 b is already in its size, so 2 b - b / 4 is
    # what the border lacks.
    return np.asarray(((1 / TAG_MODULES - thickness) * step_px / (2 - 2 / TAG_MODULES))[good])


def _places(corners_px: np.ndarray) -> np.ndarray:
    """Sample points (profiles, depths, 2) px across the border, three to each inner module of each
    side."""
    inner = np.arange(1, TAG_MODULES - 1)
    along = ((inner[:, None] + np.array([0.3, 0.5, 0.7])) / TAG_MODULES).ravel()
    top = np.stack(np.broadcast_arrays(along[:, None], _DEPTHS[None, :]), axis=-1)
    sides = [top]
    for _ in range(3):
        sides.append(np.stack([1 - sides[-1][..., 1], sides[-1][..., 0]], axis=-1))
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    homography = cv2.getPerspectiveTransform(unit, corners_px.astype(np.float32))
    flat = np.concatenate(sides).reshape(-1, 1, 2)
    return cv2.perspectiveTransform(flat, homography).reshape(-1, len(_DEPTHS), 2)


def _edge(light: np.ndarray, window: np.ndarray, rising: bool) -> np.ndarray:
    """Depth of the border's outer (rising, going outwards) or inner edge in each profile, in tag
    sides."""
    climb = light[:, 2:] - light[:, :-2]
    depth = _DEPTHS[1:-1]
    half = 0.5 / TAG_MODULES
    climb = np.maximum(climb if rising else -climb, 0) * (
        (depth < half) if rising else (depth > half)
    )
    near = np.abs(depth[None, :] - depth[climb.argmax(axis=1)][:, None]) <= window[:, None]
    weight = np.where(near, climb, 0) ** 1.5 + 1e-9
    return np.asarray((weight * depth).sum(axis=1) / weight.sum(axis=1))
