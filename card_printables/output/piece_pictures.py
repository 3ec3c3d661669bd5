"""The printed pieces as pictures: what a camera sees lying there, without the camera.

Knows pieces and dots an inch; knows no files and no cameras.
"""

from __future__ import annotations

import numpy as np

from card_printables.artwork import pieces
from card_printables.deck import DECKS
from card_printables.marker import DISC_MM, SYMBOL_MM
from card_printables.order import BACK_DRAWINGS, LANGUAGES
from card_printables.output import pixels
from card_printables.token import Piece


def face_rgba(
    card: int,
    deck: str = DECKS[0],
    disc_mm: float = DISC_MM,
    symbol_mm: float = SYMBOL_MM,
    dpi: float = 300,
    bleed_mm: float = 0,
) -> np.ndarray:
    """The face of `card` as printed, (N, N, 4) uint8 BGRA, N = round((disc + 2 bleed) / 25.4 *
    dpi); transparent outside.

    Raises:
        ValueError: no such card or deck, or the code does not fit the disc.
    """
    return pixels.paint(pieces.face(card, deck, disc_mm, symbol_mm), dpi, bleed_mm)


def back_rgba(
    disc_mm: float = DISC_MM,
    symbol_mm: float = SYMBOL_MM,
    dpi: float = 300,
    bleed_mm: float = 0,
    drawing: str = BACK_DRAWINGS[0],
) -> np.ndarray:
    """The back of every card, (N, N, 4) uint8 BGRA; transparent outside the disc; `drawing` is one
    of `BACK_DRAWINGS`.

    Raises:
        ValueError: the code does not fit the disc.
    """
    return pixels.paint(pieces.drawn_back(drawing, disc_mm, symbol_mm), dpi, bleed_mm)


def token_rgba(piece: Piece, dpi: float = 300, language: str = LANGUAGES[0]) -> np.ndarray:
    """A corner token at trim size, (H, W, 4) uint8 BGRA, opaque."""
    return pixels.paint(pieces.token(piece, language), dpi)


def tray_rgba(dpi: float = 300) -> np.ndarray:
    """The set-aside tray at trim size, (H, W, 4) uint8 BGRA, opaque."""
    return pixels.paint(pieces.tray(), dpi)
