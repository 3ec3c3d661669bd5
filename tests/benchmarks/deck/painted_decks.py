"""Decks painted in manners that the reader was not tuned on, and discs that belong to no deck.

Each face is square, linear light, `FACE_PX_PER_MM`, the same for the same name and number.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from card_printables.artwork.clouds import picture
from card_printables.marker import ART_BLEED_MM, DISC_MM
from companion.vision.card_outline import CardOutline
from tests.benchmarks.scenes.reader_scenes import FACE_PX_PER_MM, GAMMA, _noise, cloud

SIZE = round(DISC_MM * FACE_PX_PER_MM)
SMALL = 320
MANNERS = ("clouds", "photographs", "flat", "lines", "dark", "plain", "twins", "framed")
TWINS = 20
CARDS = 80


@lru_cache(maxsize=200)
def painted_face(manner: str, card: int) -> np.ndarray:
    """The face of a card of a deck in this manner, (n, n, 3) float32."""
    return _painted(manner, card)


def _painted(manner: str, card: int) -> np.ndarray:
    if manner in ("clouds", "twins"):
        bent = manner == "twins" and card > CARDS - TWINS
        art = _our_art(card - (CARDS - TWINS) if bent else card)
        return _linear(_bent(art, card) if bent else art)
    rng = np.random.default_rng([MANNERS.index(manner), card])
    paint = {
        "photographs": _photograph,
        "flat": _flat,
        "lines": _lines,
        "dark": _dark,
        "plain": _plain,
        "framed": _framed,
    }
    return _linear(cv2.resize(paint[manner](rng), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC))


def unseen_face(manner: str, rng: np.random.Generator) -> tuple[np.ndarray, bool]:
    """A disc that is not of the deck in this manner, and whether it is a card that the same hand painted
    for another box, as half of them are; the others are a card of another manner, a painted cloud with
    words, a coaster or a plate."""
    kind = int(rng.integers(6))
    if kind < 3:
        return _of_another_box(manner, rng), True
    if kind == 3:
        other = str(rng.choice([m for m in MANNERS if m != manner]))
        return _of_another_box(other, rng), False
    if kind == 4:
        return _linear(cv2.resize(cloud(rng), (SIZE, SIZE))), False
    return _linear(cv2.resize(_coaster(rng, int(rng.integers(2))), (SIZE, SIZE))), False


def _of_another_box(manner: str, rng: np.random.Generator) -> np.ndarray:
    """A card in this manner that no learnt deck has; of our clouds, of which there are 99, one of the
    last 19 or any of them in a mirror."""
    if manner not in ("clouds", "twins"):
        return _painted(manner, int(rng.integers(CARDS + 1, 1_000_000)))
    if rng.random() < 0.5:
        return _linear(_our_art(int(rng.integers(CARDS + 1, 100))))
    return np.ascontiguousarray(_linear(_our_art(int(rng.integers(1, 100))))[:, ::-1])


def face_of(face: np.ndarray, outline: CardOutline) -> np.ndarray:
    """A square face as the face of cards with this outline: of a rectangle as much as it holds when it is
    as high."""
    if outline.round:
        return face
    high, wide = (round(mm * FACE_PX_PER_MM) for mm in (outline.height_mm, outline.width_mm))
    whole = cv2.resize(face, (high, high), interpolation=cv2.INTER_AREA)
    left = (high - wide) // 2
    return np.ascontiguousarray(whole[:, left : left + wide])


@lru_cache(maxsize=200)
def foreign_face(number: int) -> np.ndarray:
    """A disc of no learnt deck: other clouds of our art, painted clouds with words, coasters, plates."""
    rng = np.random.default_rng([77, number])
    kind = number % 4
    if kind == 0:
        return _linear(_our_art(81 + number // 4 % 19))
    if kind == 1:
        return _linear(cv2.resize(cloud(rng), (SIZE, SIZE)))
    image = _coaster(rng, kind - 2)
    return _linear(cv2.resize(image, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC))


def _coaster(rng: np.random.Generator, kind: int) -> np.ndarray:
    """A coaster or plate: rings, or some broad lines."""
    image = np.full((SMALL, SMALL, 3), rng.uniform(0.1, 0.95, 3), np.float32)
    if kind == 0:
        for radius in sorted(rng.uniform(20, 160, int(rng.integers(1, 5))), reverse=True):
            cv2.circle(
                image, (SMALL // 2, SMALL // 2), int(radius), rng.uniform(0, 1, 3).tolist(), -1
            )
    else:
        for _ in range(int(rng.integers(2, 12))):
            a, b = rng.integers(0, SMALL, (2, 2)).tolist()
            cv2.line(image, a, b, rng.uniform(0, 1, 3).tolist(), int(rng.integers(2, 30)))
    return image


def _our_art(card: int) -> np.ndarray:
    wide = round((DISC_MM + 2 * ART_BLEED_MM) * FACE_PX_PER_MM)
    edge = (wide - SIZE) // 2
    return picture(card, wide)[edge : edge + SIZE, edge : edge + SIZE].astype(np.float32) / 255


def _linear(art: np.ndarray) -> np.ndarray:
    return np.asarray(np.clip(art, 0, 1) ** GAMMA, np.float32)


def _bent(art: np.ndarray, card: int) -> np.ndarray:
    """The same picture with its outlines moved by 2 to 3 mm."""
    rng = np.random.default_rng([5, card])
    y, x = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    move = [
        cv2.resize(
            rng.normal(0, 1, (5, 5)).astype(np.float32), (SIZE, SIZE), interpolation=cv2.INTER_CUBIC
        )
        * np.float32(2.5 * FACE_PX_PER_MM)
        for _ in range(2)
    ]
    return cv2.remap(art, x + move[0], y + move[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)


def _photograph(rng: np.random.Generator) -> np.ndarray:
    """A landscape: sky, hills one behind another, water or a field, grain of leaves."""
    y = np.linspace(0, 1, SMALL, dtype=np.float32)[:, None, None]
    image = rng.uniform(0.4, 0.95, 3) * (1 - y) + rng.uniform(0.5, 1.0, 3) * y
    image = np.repeat(image.astype(np.float32), SMALL, 1) + 0.03 * _noise(rng, SMALL, 5)[..., None]
    for depth in range(int(rng.integers(2, 6))):
        line = np.cumsum(rng.normal(0, 1.5, SMALL))
        line = cv2.GaussianBlur(line.astype(np.float32)[None], (0, 0), 4 + 6 / (depth + 1))[0]
        height = SMALL * (0.35 + 0.12 * depth) + line - line.mean()
        below = np.arange(SMALL)[:, None] > height[None]
        grain = 1 + 0.25 * _noise(rng, SMALL, 6)
        tone = rng.uniform(0.08, 0.6, 3) * grain[..., None]
        image = np.where(below[..., None], tone, image)
    return image.astype(np.float32)


def _framed(rng: np.random.Generator) -> np.ndarray:
    """A photograph or a plain picture with what all cards of its box share: an ornament along the rim, and
    a panel with lines of print."""
    image = _photograph(rng) if rng.random() < 0.5 else _plain(rng)
    middle = SMALL / 2
    y, x = np.mgrid[:SMALL, :SMALL] - middle
    far, angle = np.hypot(x, y) / middle, np.arctan2(y, x)
    panel = (np.abs(x) < 0.72 * middle) & (y > 0.24 * middle) & (y < 0.72 * middle)
    image[panel] = 0.85
    for line in range(4):
        at = (round((0.2 + 0.05 * line) * SMALL), round((0.66 + 0.05 * line) * SMALL))
        cv2.line(image, at, (SMALL - at[0], at[1]), (0.05, 0.05, 0.05), SMALL // 80)
    ornament = np.stack([0.25 + 0.2 * np.sin(24 * angle), 0.35 + 0.2 * np.sin(24 * angle)], -1)
    image[far > 0.74] = np.dstack([ornament, np.full_like(far, 0.1)])[far > 0.74]
    image[(far > 0.72) & (far < 0.75)] = 0.9
    return image


def _flat(rng: np.random.Generator) -> np.ndarray:
    """A flat drawing: a few large shapes in even colours."""
    image = np.full((SMALL, SMALL, 3), rng.uniform(0.3, 1.0, 3), np.float32)
    for _ in range(int(rng.integers(4, 9))):
        colour = rng.uniform(0.05, 1.0, 3).tolist()
        at = rng.integers(40, SMALL - 40, 2).tolist()
        if rng.random() < 0.5:
            axes = rng.integers(15, 80, 2).tolist()
            cv2.ellipse(image, at, axes, float(rng.uniform(0, 180)), 0, 360, colour, -1)
        else:
            cv2.fillPoly(
                image, [(np.array(at) + rng.integers(-80, 80, (4, 2))).astype(np.int32)], colour
            )
    return image


def _lines(rng: np.random.Generator) -> np.ndarray:
    """Line art: dark strokes on light paper."""
    image = np.full((SMALL, SMALL, 3), rng.uniform(0.85, 0.98), np.float32)
    ink = (rng.uniform(0.02, 0.25) * np.ones(3)).tolist()
    for _ in range(int(rng.integers(8, 20))):
        points = np.cumsum(rng.normal(0, 14, (12, 2)), 0) + rng.uniform(60, SMALL - 60, 2)
        cv2.polylines(
            image, [points.astype(np.int32)], bool(rng.random() < 0.3), ink, int(rng.integers(2, 5))
        )
    return image


def _dark(rng: np.random.Generator) -> np.ndarray:
    """A night scene: dim shapes, a few lights."""
    image = 0.25 * _photograph(rng) + 0.02
    for _ in range(int(rng.integers(2, 8))):
        at = rng.integers(30, SMALL - 30, 2).tolist()
        cv2.circle(image, at, int(rng.integers(3, 12)), rng.uniform(0.4, 1.0, 3).tolist(), -1)
    return cv2.GaussianBlur(image, (0, 0), 1.5)


def _plain(rng: np.random.Generator) -> np.ndarray:
    """Hardly any texture: a soft wash and two or three soft patches."""
    y, x = np.mgrid[-1 : 1 : SMALL * 1j, -1 : 1 : SMALL * 1j]
    image = rng.uniform(0.45, 0.8, 3) + 0.08 * (x * rng.normal() + y * rng.normal())[..., None]
    for _ in range(int(rng.integers(2, 4))):
        at, wide = rng.uniform(-0.6, 0.6, 2), rng.uniform(0.15, 0.4, 2)
        blob = np.exp(-((((x - at[0]) / wide[0]) ** 2 + ((y - at[1]) / wide[1]) ** 2) ** 2))
        image = image + blob[..., None] * rng.uniform(-0.3, 0.3, 3)
    return image.astype(np.float32)
