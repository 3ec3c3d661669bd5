"""Puffs: spheres on spheres, and the grain that makes them billow.

Knows how cumulus grows on bones and how to fill a block of air with it; knows no light and no
colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from card_printables.workshop.painting.place import room

SPAN = 91.0 / 85.0
"""Half the picture's side in disc radii: disc and bleed."""

DEPTH = 0.5
"""The block of air reaches so far before and behind the picture's plane."""

TILE = (96, 192, 192)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of air: `depth` (D, H, W) float32 how deep each point lies inside the body, in disc
    radii, negative outside.

    Slice 0 is farthest from the eye; `corner` is the column and row of the block's corner in the
    whole picture's grid, whose cells have the side `cell`, in disc radii.
    """

    depth: np.ndarray
    corner: tuple[int, int]
    cell: float


def _children(
    rng: np.random.Generator, parents: np.ndarray, each: int, sizes: tuple[float, float]
) -> np.ndarray:
    count = len(parents) * each
    ways = rng.normal(0, 1, (count, 3)) * np.array([1.0, 1.0, 0.9]) + np.array([0.0, -0.3, 0.25])
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    owner = np.repeat(parents, each, axis=0)
    radii = owner[:, 3] * rng.uniform(*sizes, count)
    reach = owner[:, 3] * rng.uniform(0.78, 1.0, count) - 0.25 * radii
    return np.column_stack([owner[:, :3] + ways * reach[:, None], radii])


def _spread(spheres: np.ndarray, apart: float) -> np.ndarray:
    free = np.ones(len(spheres), bool)
    for index, sphere in enumerate(spheres):
        if free[index]:
            near = np.linalg.norm(spheres[index + 1 :, :3] - sphere[:3], axis=1) < apart * sphere[3]
            free[index + 1 :] &= ~near
    return np.asarray(spheres[free])


def _within(spheres: np.ndarray, skin: float) -> np.ndarray:
    spare = room(spheres[:, 0], spheres[:, 1]) - skin
    held = np.column_stack([spheres[:, :3], np.minimum(spheres[:, 3], spare)])
    return np.asarray(held[held[:, 3] > 0.012])


def grown(rng: np.random.Generator, bones: np.ndarray) -> np.ndarray:
    """Bones with two generations of puffs on them, (N, 4) spheres x, y, z, radius in disc radii,
    none outside the room.

    Some bodies grow few large puffs, some many small ones.
    """
    plump = float(rng.uniform(0.82, 1.18))
    first = _within(
        _children(rng, _spread(bones, 0.55 * plump), 5, (0.42 * plump, 0.78 * plump)), 0.03
    )
    second = _within(
        _children(rng, _spread(first[first[:, 3] > 0.035], 0.3), 5, (0.3, 0.62 * plump)), 0.02
    )
    return np.concatenate([_within(bones * np.array([1, 1, 1, 0.9]), 0.04), first, second])


def _stamp(block: np.ndarray, centre: np.ndarray, radius: float, skin: float) -> None:
    reach = radius + skin
    low = np.maximum(np.ceil(centre - reach).astype(int), 0)
    high = np.minimum(np.floor(centre + reach).astype(int) + 1, block.shape)
    if (high <= low).any():
        return
    z, y, x = (
        np.arange(a, b, dtype=np.float32) - np.float32(c)
        for a, b, c in zip(low, high, centre, strict=True)
    )
    away = np.sqrt((z * z)[:, None, None] + (y * y)[:, None] + x * x)
    part = block[low[0] : high[0], low[1] : high[1], low[2] : high[2]]
    np.maximum(part, np.float32(radius) - away, out=part)


def filled(spheres: np.ndarray, grid: int) -> Block:
    """The air filled with `spheres`, on a grid of `grid` cells along the picture's side, cut to the
    body and its skin."""
    cell = 2 * SPAN / grid
    skin = 0.06 / cell
    places = (
        np.column_stack([spheres[:, 2] + DEPTH, spheres[:, 1] + SPAN, spheres[:, 0] + SPAN]) / cell
        - 0.5
    )
    radii = spheres[:, 3] / cell
    low = np.maximum(np.floor((places - radii[:, None]).min(0) - skin).astype(int), 0)
    high = np.ceil((places + radii[:, None]).max(0) + skin).astype(int) + 1
    high = np.minimum(high, [round(2 * DEPTH / cell), grid, grid])
    block = np.full(high - low, -skin, np.float32)
    for place, radius in zip(places - low, radii, strict=True):
        _stamp(block, place, float(radius), skin)
    return Block(block * np.float32(cell), (int(low[2]), int(low[1])), cell)


@cache
def grain() -> np.ndarray:
    """A block of billows that joins itself on all sides, TILE in float32, about zero mean and unit
    spread.

    Round bumps with sharp creases in three sizes: each point is as high as the nearest seed is
    near.
    """
    rng = np.random.default_rng(77)
    pitch = 16
    coarse = np.full(TILE, -1.5, np.float32)
    counts = [side // pitch for side in TILE]
    for index in np.ndindex(*counts):
        centre = (np.array(index) + rng.uniform(0.0, 1.0, 3)) * pitch
        reach = np.arange(-pitch - 4, pitch + 5)
        axes = [(np.floor(c).astype(int) + reach) for c in centre]
        z, y, x = (
            ((a - c) / pitch).astype(np.float32) ** 2 for a, c in zip(axes, centre, strict=True)
        )
        where = np.ix_(*(a % side for a, side in zip(axes, TILE, strict=True)))
        coarse[where] = np.maximum(coarse[where], -(z[:, None, None] + y[:, None] + x))
    total = coarse.copy()
    for octave, weight in ((2, 0.42), (4, 0.2)):
        fine = np.tile(coarse[::octave, ::octave, ::octave], (octave, octave, octave))
        total += weight * np.roll(fine, (7 * octave, 31 * octave, 17), axis=(0, 1, 2))
    return np.asarray((total - total.mean()) / total.std(), np.float32)


def grain_slice(
    height: float, shape: tuple[int, int], zoom: float, shift: tuple[int, int]
) -> np.ndarray:
    """The grain at `height` (in its own cells), enlarged `zoom` times and repeated over `shape`
    pixels, float32."""
    tile = grain()
    below = int(np.floor(height))
    mix = np.float32(height - below)
    layer = tile[below % TILE[0]] * (1 - mix) + tile[(below + 1) % TILE[0]] * mix
    matrix = np.array([[1 / zoom, 0, shift[1]], [0, 1 / zoom, shift[0]]], np.float32)
    ways = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(layer, matrix, (shape[1], shape[0]), flags=ways, borderMode=cv2.BORDER_WRAP)
    )
