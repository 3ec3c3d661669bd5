"""Where exactly a code lies: samples of a picture on a code's grid, and poses refined against a
known word.

Knows pictures and homographies. A pose is a 3x3 homography from modules (0..21, the printed code's
own axes) to pixels; poses come in batches (M, 3, 3) and everything here works on the whole batch at
once.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from card_printables.marker import MODULES
from companion.vision.codes.saturation import equalised_patches
from companion.vision.codes.word_templates import (
    PATCH_SAMPLES,
    PATCH_SIDE,
    SAMPLE_CENTRES,
    axis_blur,
    blur_matrix,
    render_templates,
    template_inks,
    without_illumination,
)
from companion.vision.frame.image_pyramid import ImagePyramid

FINEST_PX_PER_MODULE = 1.9
"""Most pixels a module that are sampled as they are; above, a halved picture is used: no detail is
skipped, and the slope towards the right pose reaches farther."""

LINEAR_LIGHT = (np.arange(256, dtype=np.float32) / 255) ** 2.2 * 255
"""Light of a grey value. Lens and pixels blur light, not grey values; in grey values dark modules
would look too small."""

FOUND_SPREAD = np.array([1.5, 1.5, 0.5, 1.0, 0.4, 0.4, 0.15, 0.15])
"""How far a pose may be off where the localiser found a code on a known plane: shift x and y, size,
turn, stretch, shear, two leans, in modules at the code's edge; chosen, as the two others are."""

TRACKED_SPREAD = np.array([1.5, 1.5, 0.4, 1.0, 0.4, 0.4, 0.2, 0.2])
"""How far a code that was refined before may have shifted, grown, turned, bent."""

LOOSE_SPREAD = np.array([2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.5])
"""How far a pose may be off where the plane is unknown."""

_HALF = MODULES / 2
_GRID_X, _GRID_Y = (axis.ravel() for axis in np.meshgrid(SAMPLE_CENTRES, SAMPLE_CENTRES))
_GRID = np.stack([_GRID_X, _GRID_Y, np.ones(PATCH_SAMPLES)])
_X, _Y = (_GRID_X - _HALF) / _HALF, (_GRID_Y - _HALF) / _HALF
_FLOW_X = np.stack(
    [np.ones(PATCH_SAMPLES), 0 * _X, _X, -_Y, _X, _Y, _X * _X, _X * _Y], axis=1
).astype(np.float32)
_FLOW_Y = np.stack(
    [0 * _X, np.ones(PATCH_SAMPLES), _Y, _X, -_Y, _X, _X * _Y, _Y * _Y], axis=1
).astype(np.float32)
_CORNERS = np.array(
    [[0, 0, 1], [MODULES, 0, 1], [MODULES, MODULES, 1], [0, MODULES, 1]], dtype=float
).T
_TO_UNIT = np.array([[1 / _HALF, 0, -1], [0, 1 / _HALF, -1], [0, 0, 1]])
_FROM_UNIT = np.linalg.inv(_TO_UNIT)


def corners_of_poses(poses: np.ndarray) -> np.ndarray:
    """The code's outer corners in px, (M, 4, 2)."""
    points = poses @ _CORNERS
    return np.asarray((points[:, :2] / points[:, 2:]).transpose(0, 2, 1))


def poses_of_corners(corners_px: np.ndarray) -> np.ndarray:
    """The poses (M, 3, 3) of corners (M, 4, 2)."""
    square = _CORNERS[:2].T.astype(np.float32)
    poses = [
        cv2.getPerspectiveTransform(square, np.asarray(corners, np.float32))
        for corners in corners_px
    ]
    return np.array(poses, float).reshape(-1, 3, 3)


def px_per_module(poses: np.ndarray) -> np.ndarray:
    """The geometric mean of pixels a module at the code's middle, (M,); at least a thousandth, also
    of no pose at all."""
    depth = poses[:, 2, 0] * _HALF + poses[:, 2, 1] * _HALF + poses[:, 2, 2]
    (a, b, c), (d, e, f), (g, h, i) = (row.T for row in poses.transpose(1, 0, 2))
    with np.errstate(all="ignore"):
        area = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        return np.asarray(np.fmin(np.fmax(np.sqrt(np.abs(area / depth**3)), 1e-3), 1e4))


def pyramid_levels_for(poses: np.ndarray) -> np.ndarray:
    """How often the picture is halved for each pose, (M,) int: codes are sampled at FINEST px a
    module or less."""
    return np.clip(np.ceil(np.log2(px_per_module(poses) / FINEST_PX_PER_MODULE)), 0, 6).astype(int)


def sample_patches(
    pyramid: ImagePyramid, poses: np.ndarray, levels: np.ndarray | None = None
) -> np.ndarray:
    """Light at module centres: (M, PATCH_SAMPLES) float32, 0..255; beyond the picture its edge is
    repeated."""
    return sample_points(pyramid, poses, _GRID, levels)


def sample_points(
    pyramid: ImagePyramid, poses: np.ndarray, grid: np.ndarray, levels: np.ndarray | None = None
) -> np.ndarray:
    """Light at the code's points `grid` (3, S), homogeneous, in modules: (M, S) float32, 0..255.

    `levels` (M,) are the levels of the picture to sample (see `pyramid_levels_for`), if they are
    known already.
    """
    points = poses @ grid
    with np.errstate(all="ignore"):
        xy = (points[:, :2] / points[:, 2:]).astype(np.float32)
    np.fmin(np.fmax(xy, np.float32(-1e4), out=xy), np.float32(3e4), out=xy)
    levels = pyramid_levels_for(poses) if levels is None else levels
    if len(levels) and (levels == levels[0]).all():
        return _sampled(pyramid, xy, int(levels[0]))
    out = np.empty((len(poses), grid.shape[1]), np.float32)
    for level in np.unique(levels):
        rows = levels == level
        out[rows] = _sampled(pyramid, xy[rows], int(level))
    return out


def _sampled(pyramid: ImagePyramid, xy: np.ndarray, level: int) -> np.ndarray:
    """Light at px (M, 2, S) of the whole picture, taken from its level `level`."""
    picture = pyramid.level(level)
    if level:
        shrink = np.float32(2.0 ** round(np.log2(pyramid.level(0).shape[1] / picture.shape[1])))
        xy = (xy + np.float32(0.5)) / shrink - np.float32(0.5)
    grey = cv2.remap(picture, xy[:, 0], xy[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.LUT(grey, LINEAR_LIGHT)


def _sampled_patches(
    pyramid: ImagePyramid, poses: np.ndarray, levels: np.ndarray, equalised: bool
) -> np.ndarray:
    patches = sample_patches(pyramid, poses, levels)
    return equalised_patches(patches) if equalised else patches


def _slopes(which: np.ndarray, sigma: float, soft: float) -> np.ndarray:
    """How words change under the eight motions: (M, PATCH_SAMPLES, 8) float32, light projected out."""
    mix, slope = (blur_matrix(soft) @ a.astype(np.float32) for a in axis_blur(sigma))
    ink = template_inks()[which]
    along_x = -(mix @ ink @ slope.T).reshape(len(which), PATCH_SAMPLES, 1)
    along_y = -(slope @ ink @ mix.T).reshape(len(which), PATCH_SAMPLES, 1)
    moves = along_x * _FLOW_X + along_y * _FLOW_Y
    flat = without_illumination(moves.transpose(0, 2, 1).reshape(-1, PATCH_SAMPLES), sigma)
    return flat.reshape(len(which), 8, PATCH_SAMPLES).transpose(0, 2, 1)


Template = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@lru_cache(maxsize=1024)
def _template(which: int, sigma: float, soft: float) -> Template:
    """One word's look (PATCH_SAMPLES,), its `_slopes`, the look's energy and the slopes' products
    (8, 8); 23 kB, kept: a table shows the same words in every frame."""
    one = np.array([which])
    look, moves = (
        without_illumination(render_templates(one, sigma, soft), sigma)[0],
        _slopes(one, sigma, soft)[0],
    )
    return look, moves, np.asarray((look * look).sum()), moves.T @ moves


def _templates(which: np.ndarray, sigma: float, soft: float) -> Template:
    """The same of words `which` (M,), stacked."""
    templates = [_template(int(word), float(sigma), float(soft)) for word in which]
    if not templates:
        return (
            np.zeros((0, PATCH_SAMPLES)),
            np.zeros((0, PATCH_SAMPLES, 8)),
            np.zeros(0),
            np.zeros((0, 8, 8)),
        )
    templates_seen, moves, energy, normal = (
        np.stack(part) for part in zip(*templates, strict=True)
    )
    return templates_seen, moves, energy, normal


def _moved(poses: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Poses after the eight small motions `by` (M, 8), in modules at the code's edge."""
    tx, ty, grow, turn, stretch, shear, lean_x, lean_y = (by / _HALF).T
    step = np.zeros((len(by), 3, 3))
    step[:, 0, 0], step[:, 0, 1], step[:, 0, 2] = 1 + grow + stretch, shear - turn, tx
    step[:, 1, 0], step[:, 1, 1], step[:, 1, 2] = shear + turn, 1 + grow - stretch, ty
    step[:, 2, 0], step[:, 2, 1], step[:, 2, 2] = -lean_x, -lean_y, 1
    return np.asarray(poses @ (_FROM_UNIT @ step @ _TO_UNIT))


def _softened(patches: np.ndarray, soft: float) -> np.ndarray:
    if soft <= 0:
        return patches
    blur = blur_matrix(soft)
    return np.asarray(
        (blur @ patches.reshape(-1, PATCH_SIDE, PATCH_SIDE) @ blur.T).reshape(-1, PATCH_SAMPLES)
    )


def refine_poses(
    pyramid: ImagePyramid,
    poses: np.ndarray,
    which: np.ndarray,
    sigma: float,
    spread: np.ndarray,
    steps: int = 5,
    soft: float = 0.0,
    equalised: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Poses that fit words `which` best near the given ones, and their last patches: ((M, 3, 3),
    (M, PATCH_SAMPLES)).

    `spread` (8,) is how far each motion (shift x and y, size, turn, stretch, shear, two leans) may
    be off, in modules at the code's edge: a prior, so that a blurred code does not fold up. Word
    and picture are blurred by `soft` modules more before they are compared, which pulls from
    farther away. `equalised` evens out the patches' contrast (see `saturation`).
    """
    one = which[:1] if len(which) and (which == which[0]).all() else which
    templates_seen, moves, energy, normal = _templates(one, sigma, soft)
    total = np.zeros((len(poses), 8))
    levels = pyramid_levels_for(poses)
    patches = _sampled_patches(pyramid, poses, levels, equalised)
    for _ in range(steps):
        flat = without_illumination(_softened(patches, soft), sigma)
        gain = np.maximum((flat * templates_seen).sum(axis=1) / energy, 1.0)
        error = flat / gain[:, None] - templates_seen
        ridge = 2 * (error * error).mean(axis=1)[:, None] / spread**2
        slope = error @ moves[0] if len(moves) == 1 else (error[:, None, :] @ moves)[:, 0]
        pull = -slope - ridge * total
        step = np.linalg.solve(normal + ridge[:, :, None] * np.eye(8), pull[:, :, None])[:, :, 0]
        step = np.clip(step, -1.5, 1.5)
        total += step
        poses = _moved(poses, step)
        patches = _sampled_patches(pyramid, poses, levels, equalised)
    return poses, patches
