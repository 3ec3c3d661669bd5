"""Skies: the fall of colour, the sun's glow, and what ice and haze draw on it.

Knows the whole square picture; knows nothing of the body that will float before it.
"""

from __future__ import annotations

import cv2
import numpy as np

from card_printables.workshop.painting.hour import Hour, bgr


def _noise(
    rng: np.random.Generator,
    side: int,
    cells: tuple[int, int],
    octaves: int = 5,
    fall: float = 0.55,
) -> np.ndarray:
    total = np.zeros((side, side), np.float32)
    for octave in range(octaves):
        wide, high = (max(2, round(c * 2**octave)) for c in cells)
        grid = rng.uniform(-1, 1, (high + 3, wide + 3)).astype(np.float32)
        large = cv2.resize(
            grid,
            (side * (wide + 3) // wide + 1, side * (high + 3) // high + 1),
            interpolation=cv2.INTER_CUBIC,
        )
        total += np.float32(fall**octave) * large[:side, :side]
    return total


def _warped(picture: np.ndarray, turn: float, sway: np.ndarray) -> np.ndarray:
    side = len(picture)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) - np.float32(side / 2)
    cos, sin = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    across = y + sway * np.float32(side)
    return cv2.remap(picture, cos * x - sin * across + side / 2, sin * x + cos * across + side / 2, cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REFLECT)  # fmt: skip


def _step(value: np.ndarray, low: float, high: float) -> np.ndarray:
    share = np.clip((value - low) / (high - low), 0, 1)
    return np.asarray(share * share * (3 - 2 * share), np.float32)


def _streaks(rng: np.random.Generator, side: int) -> np.ndarray:
    fibre = _noise(rng, side, (2, 14), 5, 0.6)
    where = _step(_noise(rng, side, (2, 3), 4), -0.15, 1.0)
    return _warped(
        where * _step(fibre, -0.5, 1.6),
        float(rng.uniform(-0.5, 0.5)),
        0.05 * _noise(rng, side, (2, 2), 3),
    )


def _ripples(rng: np.random.Generator, side: int) -> np.ndarray:
    cells = _noise(rng, side, (20, 34), 4, 0.62)
    where = _step(_noise(rng, side, (2, 2), 4), -0.1, 1.2)
    drawn = where * _step(cells, -0.5, 1.5) * 0.85
    return _warped(drawn, float(rng.uniform(-0.6, 0.6)), 0.06 * _noise(rng, side, (2, 2), 3))


def _banks(rng: np.random.Generator, side: int) -> np.ndarray:
    bank = _step(_noise(rng, side, (2, 6), 6, 0.58), 0.15, 1.1)
    return _warped(bank, float(rng.uniform(-0.15, 0.15)), 0.02 * _noise(rng, side, (3, 3), 3)) * 0.8


def _veil(rng: np.random.Generator, side: int) -> np.ndarray:
    return _step(_noise(rng, side, (2, 3), 6, 0.52), -0.9, 1.5) * 0.55


_ICE = (_streaks, _banks, _ripples, _veil)


def sky(rng: np.random.Generator, side: int, hour: Hour, kind: int) -> np.ndarray:
    """The sky of an hour with ice of one of four kinds, (side, side, 3) float32 BGR 0 to 1 as the
    screen shows it."""
    y, x = np.mgrid[0:side, 0:side].astype(np.float32) / np.float32(side / 2) - 1
    tilt = float(rng.uniform(-0.14, 0.14))
    fall = np.clip((y + tilt * x + 1) / 2 + 0.03 * _noise(rng, side, (2, 3), 2), 0, 1)[..., None]
    top, middle, foot = (bgr(c) for c in (hour.top, hour.middle, hour.foot))
    upper, lower = np.clip(fall / 0.6, 0, 1), np.clip((fall - 0.6) / 0.4, 0, 1)
    air = top + (middle - top) * upper + (foot - middle) * lower
    sun = bgr(hour.sun)
    far = np.hypot(x - 1.3 * hour.sun_at[0], y - 1.1 * hour.sun_at[1])
    glow = np.exp(-(far**2) / 0.9)[..., None] * (0.34 if hour.sun_at[2] < 0 else 0.2)
    air = air + (sun - air) * glow
    ice = _ICE[kind % len(_ICE)](rng, side)[..., None] * float(rng.uniform(0.45, 0.75))
    pale = np.clip(0.55 * sun + 0.45 * np.clip(air * 1.25, 0, 1), 0, 1)
    return np.asarray(air + (pale - air) * ice, np.float32)
