"""The pictures on the faces: one cloud picture for each card number.

Knows how a sky looks; knows nothing of codes, sheets or cameras.  The picture is square, as wide as a disc and its
bleed on both sides (`BLEED_MM`), and the same bytes at every call.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

BLEED_MM = 3.0
"""How far the picture reaches over the disc's edge on every side."""

_SKIES = (((214, 150, 84), (240, 222, 190)), ((196, 130, 96), (206, 200, 240)), ((190, 168, 70), (232, 226, 196)),
          ((170, 104, 72), (176, 190, 246)), ((222, 170, 110), (246, 236, 214)))  # fmt: skip


def _billow(rng: np.random.Generator, side: int) -> np.ndarray:
    total = np.zeros((side, side), np.float32)
    for octave in range(6):
        grid = rng.standard_normal((4 * 2**octave, 4 * 2**octave)).astype(np.float32)
        total += np.abs(cv2.resize(grid, (side, side), interpolation=cv2.INTER_CUBIC)) * 0.55**octave
    return total


def _puffs(rng: np.random.Generator, side: int) -> np.ndarray:
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / side
    field = np.zeros((side, side), np.float32)
    at = np.array([0.5, 0.38])
    for _ in range(int(rng.integers(6, 11))):
        radius = rng.uniform(0.05, 0.13)
        field += np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (radius * radius))
        at = np.clip(at + rng.uniform(-0.13, 0.13, 2), [0.24, 0.22], [0.76, 0.54])
    return field


@lru_cache(maxsize=4)
def _original(card: int, side: int = 512) -> np.ndarray:
    rng = np.random.default_rng(8000 + card)
    top, foot = (np.array(c, np.float32) for c in _SKIES[card % len(_SKIES)])
    fall = np.linspace(0, 1, side, dtype=np.float32)[:, None, None]
    sky = np.broadcast_to(top + (foot - top) * fall, (side, side, 3)).copy()
    body = _puffs(rng, side) - 0.28 * _billow(rng, side)
    cover = cv2.GaussianBlur(np.clip(body * 3 - 0.3, 0, 1), (0, 0), 1.5)[..., None]
    relief = cv2.GaussianBlur(body, (0, 0), 4)
    light = np.clip(0.82 + 2.2 * (np.roll(relief, -5, 0) - relief) + 1.2 * (np.roll(relief, -4, 1) - relief), 0.55, 1.05)
    cloud = np.array([250, 246, 244], np.float32) * light[..., None]
    return np.clip(sky * (1 - cover) + cloud * cover, 0, 255).astype(np.uint8)


def picture(card: int, size_px: int) -> np.ndarray:
    """The cloud of `card`, (size_px, size_px, 3) uint8 BGR; the same number gives the same picture."""
    way = cv2.INTER_AREA if size_px < 512 else cv2.INTER_CUBIC
    return cv2.resize(_original(card), (size_px, size_px), interpolation=way)
