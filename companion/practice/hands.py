"""Hands: a forearm with a hand at its end, seen from above, modelled as soft round limbs in relief
and lit from one side.

Knows anatomy in millimetres and colours; knows nothing of cameras or cards.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from companion.practice.acting.people import Arm

HAND_SHAPES = ("point", "grip", "flat")
WIDTH_MM, LENGTH_MM = 200.0, 1080.0
_PX_PER_MM = 1.6
_LEFT_MM, _TOP_MM = -85.0, -20.0
_WRIST_MM = 232.0
"""Where a sleeve ends, measured from the fingertips."""

Limb = tuple[float, float, float, float, float, float]
"""From (x, y) with radius to (x, y) with radius, mm; the tip of the pointing or middle finger is at
(0, 0), the arm below."""

_PALM: tuple[Limb, ...] = (
    (-11, 86, 11, -1, 168, 15),
    (5, 84, 12, 7, 172, 17),
    (22, 88, 12, 15, 172, 16),
    (37, 97, 10, 21, 170, 14),
    (-25, 126, 13, -3, 164, 17),
    (8, 150, 19, 10, 186, 16),
)
_ARM: tuple[Limb, ...] = (
    (9, 176, 22, 15, 330, 36),
    (16, 330, 36, 26, 640, 42),
    (26, 640, 42, 40, 1060, 47),
)
_FINGERS: dict[str, tuple[Limb, ...]] = {
    "point": (
        (0, 8, 7.5, -4, 45, 8.5),
        (-4, 45, 8.5, -12, 88, 10),
        (4, 62, 10, 5, 88, 11),
        (21, 68, 10, 22, 92, 11),
        (36, 79, 9, 37, 98, 10),
        (-30, 92, 8.5, -26, 128, 11),
    ),
    "grip": (
        (-15, 12, 7.5, -15, 50, 8.5),
        (-15, 50, 8.5, -12, 88, 10),
        (0, 3, 7.5, 2, 48, 9),
        (2, 48, 9, 5, 86, 11),
        (17, 10, 7.5, 20, 50, 8.5),
        (20, 50, 8.5, 22, 90, 10.5),
        (32, 27, 6.5, 37, 60, 7.5),
        (37, 60, 7.5, 37, 98, 9),
        (-42, 66, 8.5, -38, 100, 10),
        (-38, 100, 10, -25, 132, 13),
    ),
    "flat": (
        (-25, 14, 7.5, -20, 50, 8.5),
        (-20, 50, 8.5, -12, 88, 10),
        (0, 2, 7.5, 2, 46, 9),
        (2, 46, 9, 5, 86, 11),
        (27, 9, 7.5, 25, 50, 8.5),
        (25, 50, 8.5, 22, 90, 10.5),
        (51, 30, 6.5, 45, 62, 7.5),
        (45, 62, 7.5, 37, 98, 9),
        (-64, 84, 8.5, -50, 108, 10),
        (-50, 108, 10, -24, 136, 13),
    ),
}
_NAILS = {
    "point": ((0, 6),),
    "grip": ((-15, 10), (0, 1), (17, 8), (32, 25)),
    "flat": ((-25, 12), (0, 0), (27, 7), (51, 28)),
}


@lru_cache(maxsize=64)
def hand_rgba(arm: Arm, shape: str) -> np.ndarray:
    """The arm with its hand in `shape`, (H, W, 4) uint8 BGRA; `WIDTH_MM` of a grown-up's hand
    across, fingers up.

    Raises:
        KeyError: there is no such shape (see `HAND_SHAPES`).
    """
    hand = _relief((*_PALM, *_FINGERS[shape]), 2.2)
    body = _melted(hand, _relief(_ARM, 3.0) * 0.82, 4.0)
    colours, cover = _lit(body, np.array(arm.skin, np.float32), 0.5), _edge(body)
    _paint_nails(colours, shape)
    if arm.sleeve is not None:
        colours, cover = _with_sleeve(colours, cover, arm.sleeve)
    image = np.dstack([np.clip(colours, 0, 255), cover * 255]).astype(np.uint8)
    return np.ascontiguousarray(image[:, ::-1]) if arm.left else image


def tip_offset_mm(arm: Arm) -> tuple[float, float]:
    """From the fingertip to the image's centre, in the printed orientation, at this arm's size."""
    x, y = _LEFT_MM + WIDTH_MM / 2, _TOP_MM + LENGTH_MM / 2
    return (-x if arm.left else x) * arm.size, y * arm.size


def _grid() -> tuple[np.ndarray, np.ndarray]:
    xs = _LEFT_MM + (np.arange(round(WIDTH_MM * _PX_PER_MM), dtype=np.float32) + 0.5) / _PX_PER_MM
    ys = _TOP_MM + (np.arange(round(LENGTH_MM * _PX_PER_MM), dtype=np.float32) + 0.5) / _PX_PER_MM
    return xs[None, :], ys[:, None]


def _relief(limbs: tuple[Limb, ...], blend_mm: float) -> np.ndarray:
    """Height over the table's plane (H, W) float32 mm of round limbs that melt into one another; 0
    outside."""
    total = np.zeros((round(LENGTH_MM * _PX_PER_MM), round(WIDTH_MM * _PX_PER_MM)), np.float32)
    for limb in limbs:
        total = _melted(total, _limb(limb), blend_mm)
    return cv2.GaussianBlur(total, (0, 0), 0.9 * _PX_PER_MM)


def _melted(one: np.ndarray, other: np.ndarray, blend_mm: float) -> np.ndarray:
    """The higher of two reliefs, rounded where they are about equally high."""
    both = np.logaddexp(one / blend_mm, other / blend_mm) * blend_mm
    return np.where((one > 0) & (other > 0), both, np.maximum(one, other)).astype(np.float32)


def _limb(limb: Limb) -> np.ndarray:
    x0, y0, r0, x1, y1, r1 = limb
    xs, ys = _grid()
    dx, dy = x1 - x0, y1 - y0
    along = np.clip(((xs - x0) * dx + (ys - y0) * dy) / (dx * dx + dy * dy), 0, 1)
    radius = r0 + along * (r1 - r0)
    away2 = (xs - x0 - along * dx) ** 2 + (ys - y0 - along * dy) ** 2
    return np.sqrt(np.maximum(radius**2 - away2, 0)).astype(np.float32)


def _edge(relief: np.ndarray) -> np.ndarray:
    """Cover 0..1 (H, W): soft over about a millimetre where the relief begins."""
    return np.clip((relief - 2.2) / 3.2, 0, 1)


def _lit(relief: np.ndarray, colour: np.ndarray, gloss: float) -> np.ndarray:
    """Colours (H, W, 3) float32 of a relief lit from the top left, darker and redder where it turns
    away."""
    slope_x, slope_y = (
        cv2.Sobel(relief, cv2.CV_32F, 1, 0) / 8 * _PX_PER_MM,
        cv2.Sobel(relief, cv2.CV_32F, 0, 1) / 8 * _PX_PER_MM,
    )
    steep = 1 / np.sqrt(1 + 0.55 * (slope_x**2 + slope_y**2))
    light = steep * (0.94 - 0.16 * slope_x - 0.12 * slope_y)
    mottle = cv2.resize(
        np.random.default_rng(7).standard_normal((54, 10)).astype(np.float32),
        relief.shape[::-1],
        interpolation=cv2.INTER_CUBIC,
    )
    light = np.clip(light, 0.32, 1.16) * (1 + 0.02 * mottle)
    shade = np.stack([light ** (1.0 + gloss * warm) for warm in (0.5, 0.32, 0.0)], axis=-1)
    shaded: np.ndarray = shade * colour
    return shaded


def _paint_nails(colours: np.ndarray, shape: str) -> None:
    overlay = colours.copy()
    for x, y in _NAILS[shape]:
        centre = (round((x - _LEFT_MM) * _PX_PER_MM), round((y + 1 - _TOP_MM) * _PX_PER_MM))
        tone = colours[min(centre[1] + 12, colours.shape[0] - 1), centre[0]]
        light = tuple(float(v) for v in np.minimum(tone * (1.16, 1.1, 1.06) + 8, 250))
        cv2.ellipse(
            overlay,
            centre,
            (round(4.3 * _PX_PER_MM), round(5.6 * _PX_PER_MM)),
            0,
            0,
            360,
            light,
            -1,
            cv2.LINE_AA,
        )
    colours[...] = colours * 0.45 + overlay * 0.55


def _with_sleeve(
    colours: np.ndarray, cover: np.ndarray, cloth: tuple[int, int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """Pull a sleeve with a cuff and soft folds over the arm."""
    xs, ys = _grid()
    relief = _relief(
        (
            (12, _WRIST_MM + 26, 37, 17, 340, 45),
            (17, 340, 45, 28, 640, 52),
            (28, 640, 52, 42, 1070, 58),
        ),
        4.0,
    )
    rng = np.random.default_rng(11)
    folds = cv2.resize(
        rng.standard_normal((44, 4)).astype(np.float32),
        relief.shape[::-1],
        interpolation=cv2.INTER_CUBIC,
    )
    weave = rng.standard_normal(relief.shape).astype(np.float32) * 0.035
    lit = _lit(relief + folds * 1.6 * (relief > 0), np.array(cloth, np.float32), 0.1) * (
        1 + weave[..., None]
    )
    hem = np.exp(-((ys - _WRIST_MM - 12) ** 2) / 6) * 0.3
    lit = lit * (1 - hem[..., None])
    worn = _edge(relief) * np.clip((ys - _WRIST_MM - 0.004 * (xs - 12) ** 2) * 1.2, 0, 1)
    shadow = 1 - 0.4 * np.clip(1 - np.abs(ys - _WRIST_MM) / 7, 0, 1) * (1 - worn)
    mixed = colours * shadow[..., None] * (1 - worn[..., None]) + lit * worn[..., None]
    return mixed, np.maximum(cover * (ys < _WRIST_MM + 40), worn)
