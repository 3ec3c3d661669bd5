"""The test sheet for the lens: a ChArUco board, every size known.

Knows the board as printed, millimetres in the page frame turned to the board's middle; knows no
camera.
"""

from __future__ import annotations

import cv2
import numpy as np

from card_printables.artwork.ink import Design, Mark, Modules

COLUMNS = 8
ROWS = 11
"""Squares across and down."""

SQUARE_MM = 22.0
MARKER_MM = 16.0
DICTIONARY = "DICT_5X5_100"
"""Not the family of the tokens, so that board and table may be in one picture."""

_MARKER_MODULES = 7


def board() -> cv2.aruco.CharucoBoard:
    """The board as OpenCV knows it, its lengths in millimetres."""
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, words)


def _marker(number: int, centre_mm: tuple[float, float]) -> Modules:
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    image = cv2.aruco.generateImageMarker(words, number, _MARKER_MODULES).reshape(
        _MARKER_MODULES, _MARKER_MODULES
    )
    return Modules(np.asarray(image) < 128, centre_mm, MARKER_MM)


def design() -> Design:
    """The board as a piece of 176 by 242 mm: black squares, a numbered marker in each white one,
    row by row."""
    marks: list[Mark] = []
    number = 0
    solid = np.ones((1, 1), bool)
    for row in range(ROWS):
        for column in range(COLUMNS):
            centre = ((column + 0.5 - COLUMNS / 2) * SQUARE_MM, (row + 0.5 - ROWS / 2) * SQUARE_MM)
            if (row + column) % 2 == 0:
                marks.append(Modules(solid, centre, SQUARE_MM))
            else:
                marks.append(_marker(number, centre))
                number += 1
    return Design(COLUMNS * SQUARE_MM, ROWS * SQUARE_MM, False, tuple(marks))
