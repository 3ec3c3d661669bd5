"""Small pictures of cards with known truth, for the reader's tests: the benchmark's renderer, told
what to draw."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from card_printables.deck import Word, back_word, word_for
from card_printables.marker import FORMER_BACK_SYMBOL_MM, MODULES, SYMBOL_MM, modules
from tests.benchmarks.scenes.reader_scenes import CONDITIONS, View, corners_of, develop, face, lay

WIDTH, HEIGHT = 960, 540
LIT = (0.55, 0.9)
"""A lit room: what a test says of a condition must not hang on how dark its seed is."""


@dataclass(frozen=True, slots=True)
class Disc:
    """A card to draw: its code's modules (None: no code), centre mm, turn, side of the code."""

    ink: np.ndarray | None
    centre_mm: tuple[float, float]
    turn_deg: float = 0.0
    symbol_mm: float = SYMBOL_MM


def card(number: int, x: float, y: float, turn: float = 0.0, deck: str = "CM1") -> Disc:
    """A card of a deck, its disc's centre at x, y mm from the picture's middle."""
    return Disc(modules(word_for(number, deck)), (x, y), turn)


def back(x: float, y: float, turn: float = 0.0, former: bool = False) -> Disc:
    """A card lying face down, as backs are printed now or with the `former` large code (its mark
    drawn where a face has its code, which the reader does not mind)."""
    return Disc(modules(back_word()), (x, y), turn, FORMER_BACK_SYMBOL_MM if former else SYMBOL_MM)


def view(px_per_module: float, tilt_deg: float = 25.0) -> View:
    """A camera that shows the table's middle at so many pixels a module."""
    focal = 0.8 * WIDTH
    distance = focal * np.sqrt(np.cos(np.radians(tilt_deg))) * SYMBOL_MM / MODULES / px_per_module
    return View((WIDTH, HEIGHT), focal, tilt_deg, distance, -0.05)


def photograph(
    seen: View,
    discs: list[Disc],
    condition: str = "good",
    seed: int = 7,
    cloth: np.ndarray | None = None,
) -> np.ndarray:
    """The grey picture (HEIGHT, WIDTH) uint8 of the discs on a wooden-brown table, or on `cloth`
    (linear light)."""
    rng = np.random.default_rng(seed)
    light = (
        np.full((HEIGHT, WIDTH, 3), (0.06, 0.14, 0.22), np.float32)
        if cloth is None
        else cloth.copy()
    )
    for disc in discs:
        lay(light, seen, face(rng, disc.ink, disc.symbol_mm), disc.centre_mm, disc.turn_deg)
    lit = replace(CONDITIONS[condition], light=LIT)
    picture = develop(rng, light, lit, np.zeros((HEIGHT, WIDTH), np.float32))
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)


def corners(seen: View, disc: Disc) -> np.ndarray:
    """The true corners (4, 2) px of the disc's code."""
    return corners_of(seen, disc.centre_mm, disc.turn_deg)


def word_ink(word: Word) -> np.ndarray:
    """A word's modules."""
    return modules(word)
