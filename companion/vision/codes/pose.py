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
from companion.vision.codes.saturated_patch import evened
from companion.vision.codes.word_templates import (
    CENTRES,
    GRID,
    SAMPLES,
    blur_rows,
    render,
    signs,
    softener,
    without_light,
)

FINEST = 1.9
"""Most pixels a module that are sampled as they are; above, a halved picture is used: no detail is
skipped, and the slope towards the right pose reaches farther."""

LINEAR = (np.arange(256, dtype=np.float32) / 255) ** 2.2 * 255
"""Light of a grey value. Lens and pixels blur light, not grey values; in grey values dark modules
would look too small."""

_HALF = MODULES / 2
_GRID_X, _GRID_Y = (axis.ravel() for axis in np.meshgrid(CENTRES, CENTRES))
_GRID = np.stack([_GRID_X, _GRID_Y, np.ones(SAMPLES)])
_X, _Y = (_GRID_X - _HALF) / _HALF, (_GRID_Y - _HALF) / _HALF
_FLOW_X = np.stack([np.ones(SAMPLES), 0 * _X, _X, -_Y, _X, _Y, _X * _X, _X * _Y], axis=1).astype(
    np.float32
)
_FLOW_Y = np.stack([0 * _X, np.ones(SAMPLES), _Y, _X, -_Y, _X, _X * _Y, _Y * _Y], axis=1).astype(
    np.float32
)
_CORNERS = np.array(
    [[0, 0, 1], [MODULES, 0, 1], [MODULES, MODULES, 1], [0, MODULES, 1]], dtype=float
).T
_TO_UNIT = np.array([[1 / _HALF, 0, -1], [0, 1 / _HALF, -1], [0, 0, 1]])
_FROM_UNIT = np.linalg.inv(_TO_UNIT)


class Levels:
    """A grey picture and its halves, made when first asked for."""

    def __init__(self, grey: np.ndarray) -> None:
        """Hold `grey` (H, W) uint8."""
        self._levels = [grey]

    def at(self, level: int) -> np.ndarray:
        """The picture halved `level` times by area averaging, or as often as its size allows."""
        while len(self._levels) <= level:
            last = self._levels[-1]
            height, width = last.shape[0] // 2, last.shape[1] // 2
            if min(height, width) < MODULES:
                return last
            self._levels.append(
                cv2.resize(
                    last[: 2 * height, : 2 * width], (width, height), interpolation=cv2.INTER_AREA
                )
            )
        return self._levels[level]


def corners_of(poses: np.ndarray) -> np.ndarray:
    """The code's outer corners in px, (M, 4, 2)."""
    points = poses @ _CORNERS
    corners: np.ndarray = (points[:, :2] / points[:, 2:]).transpose(0, 2, 1)
    return corners


def pose_of(corners_px: np.ndarray) -> np.ndarray:
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
        magnification: np.ndarray = np.fmin(np.fmax(np.sqrt(np.abs(area / depth**3)), 1e-3), 1e4)
        return magnification


def levels_for(poses: np.ndarray) -> np.ndarray:
    """How often the picture is halved for each pose, (M,) int: codes are sampled at FINEST px a
    module or less."""
    return np.clip(np.ceil(np.log2(px_per_module(poses) / FINEST)), 0, 6).astype(int)


def sample(levels: Levels, poses: np.ndarray, wanted: np.ndarray | None = None) -> np.ndarray:
    """Light at module centres: (M, SAMPLES) float32, 0..255; beyond the picture its edge is
    repeated."""
    return sample_at(levels, poses, _GRID, wanted)


def sample_at(
    levels: Levels, poses: np.ndarray, grid: np.ndarray, wanted: np.ndarray | None = None
) -> np.ndarray:
    """Light at the code's points `grid` (3, S), homogeneous, in modules: (M, S) float32, 0..255.

    `wanted` (M,) are the levels of the picture to sample (see `levels_for`), if they are known
    already.
    """
    points = poses @ grid
    with np.errstate(all="ignore"):
        xy = (points[:, :2] / points[:, 2:]).astype(np.float32)
    np.fmin(np.fmax(xy, np.float32(-1e4), out=xy), np.float32(3e4), out=xy)
    wanted = levels_for(poses) if wanted is None else wanted
    if len(wanted) and (wanted == wanted[0]).all():
        return _sampled(levels, xy, int(wanted[0]))
    out = np.empty((len(poses), grid.shape[1]), np.float32)
    for level in np.unique(wanted):
        rows = wanted == level
        out[rows] = _sampled(levels, xy[rows], int(level))
    return out


def _sampled(levels: Levels, xy: np.ndarray, level: int) -> np.ndarray:
    """Light at px (M, 2, S) of the whole picture, taken from its level `level`."""
    picture = levels.at(level)
    if level:
        shrink = np.float32(2.0 ** round(np.log2(levels.at(0).shape[1] / picture.shape[1])))
        xy = (xy + np.float32(0.5)) / shrink - np.float32(0.5)
    grey = cv2.remap(picture, xy[:, 0], xy[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.LUT(grey, LINEAR)


def _looked_at(levels: Levels, poses: np.ndarray, wanted: np.ndarray, even: bool) -> np.ndarray:
    patches = sample(levels, poses, wanted)
    return evened(patches) if even else patches


def _slopes(which: np.ndarray, sigma: float, soft: float) -> np.ndarray:
    """How words change under the eight motions: (M, SAMPLES, 8) float32, light projected out."""
    mix, slope = (softener(soft) @ a.astype(np.float32) for a in blur_rows(sigma))
    ink = signs()[which]
    along_x = -(mix @ ink @ slope.T).reshape(len(which), SAMPLES, 1)
    along_y = -(slope @ ink @ mix.T).reshape(len(which), SAMPLES, 1)
    moves = along_x * _FLOW_X + along_y * _FLOW_Y
    flat = without_light(moves.transpose(0, 2, 1).reshape(-1, SAMPLES), sigma)
    return flat.reshape(len(which), 8, SAMPLES).transpose(0, 2, 1)


Template = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@lru_cache(maxsize=1024)
def _template(which: int, sigma: float, soft: float) -> Template:
    """One word's look (SAMPLES,), its `_slopes`, the look's energy and the slopes' products (8, 8);
    23 kB, kept: a table shows the same words in every frame."""
    one = np.array([which])
    look, moves = without_light(render(one, sigma, soft), sigma)[0], _slopes(one, sigma, soft)[0]
    return look, moves, np.asarray((look * look).sum()), moves.T @ moves


def _templates(which: np.ndarray, sigma: float, soft: float) -> Template:
    """The same of words `which` (M,), stacked."""
    parts = [_template(int(word), float(sigma), float(soft)) for word in which]
    if not parts:
        return np.zeros((0, SAMPLES)), np.zeros((0, SAMPLES, 8)), np.zeros(0), np.zeros((0, 8, 8))
    looks, moves, energy, normal = (np.stack(part) for part in zip(*parts, strict=True))
    return looks, moves, energy, normal


def _moved(poses: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Poses after the eight small motions `by` (M, 8), in modules at the code's edge."""
    tx, ty, grow, turn, stretch, shear, lean_x, lean_y = (by / _HALF).T
    step = np.zeros((len(by), 3, 3))
    step[:, 0, 0], step[:, 0, 1], step[:, 0, 2] = 1 + grow + stretch, shear - turn, tx
    step[:, 1, 0], step[:, 1, 1], step[:, 1, 2] = shear + turn, 1 + grow - stretch, ty
    step[:, 2, 0], step[:, 2, 1], step[:, 2, 2] = -lean_x, -lean_y, 1
    stepped: np.ndarray = poses @ (_FROM_UNIT @ step @ _TO_UNIT)
    return stepped


def _softened(patches: np.ndarray, soft: float) -> np.ndarray:
    if soft <= 0:
        return patches
    blur = softener(soft)
    blurred: np.ndarray = (blur @ patches.reshape(-1, GRID, GRID) @ blur.T).reshape(-1, SAMPLES)
    return blurred


def refine(
    levels: Levels, poses: np.ndarray, which: np.ndarray, sigma: float, spread: np.ndarray, rounds: int = 5, soft: float = 0.0,
    even: bool = False,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Poses that fit words `which` best near the given ones, and their last patches: ((M, 3, 3),
    (M, SAMPLES)).

    `spread` (8,) is how far each motion (shift x and y, size, turn, stretch, shear, two leans) may
    be off, in modules at the code's edge: a prior, so that a blurred code does not fold up. Word
    and picture are blurred by `soft` modules more before they are compared, which pulls from
    farther away. `even` evens out the patches' contrast (see `glare`).
    """
    one = which[:1] if len(which) and (which == which[0]).all() else which
    looks, moves, energy, normal = _templates(one, sigma, soft)
    total = np.zeros((len(poses), 8))
    wanted = levels_for(poses)
    patches = _looked_at(levels, poses, wanted, even)
    for _ in range(rounds):
        flat = without_light(_softened(patches, soft), sigma)
        gain = np.maximum((flat * looks).sum(axis=1) / energy, 1.0)
        error = flat / gain[:, None] - looks
        ridge = 2 * (error * error).mean(axis=1)[:, None] / spread**2
        slope = error @ moves[0] if len(moves) == 1 else (error[:, None, :] @ moves)[:, 0]
        pull = -slope - ridge * total
        step = np.linalg.solve(normal + ridge[:, :, None] * np.eye(8), pull[:, :, None])[:, :, 0]
        step = np.clip(step, -1.5, 1.5)
        total += step
        poses = _moved(poses, step)
        patches = _looked_at(levels, poses, wanted, even)
    return poses, patches
