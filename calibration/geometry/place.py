"""Where a printed piece lies on the table, and where that brings its tags and its rim.

Knows the pieces' printed sizes and the table frame stated in card_printables.token; must not know
pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from card_printables.token import Piece

Point = tuple[float, float]
Polygon = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class PiecePlace:
    """Where a piece lies in the table frame: its centre, and its printed x axis' turn from the
    table's x axis (degrees, clockwise as the camera sees it); `inferred` when it was never seen
    itself."""

    x_mm: float
    y_mm: float
    turn_deg: float
    inferred: bool = False


def tag_corners_mm(centre_mm: Point, size_mm: float) -> np.ndarray:
    """A tag's corners (4, 2) mm on its piece, in the printed order."""
    h = size_mm / 2
    corners_mm: np.ndarray = np.array([(-h, -h), (h, -h), (h, h), (-h, h)]) + np.asarray(centre_mm)
    return corners_mm


def on_table(points_mm: np.ndarray, place: PiecePlace) -> np.ndarray:
    """Points (n, 2) mm of a piece's own frame where they lie on the table when the piece lies at
    `place`."""
    turn = np.radians(place.turn_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(
        points_mm @ np.array([[cos, sin], [-sin, cos]]) + np.array([place.x_mm, place.y_mm])
    )


def outline_mm(piece: Piece, place: PiecePlace) -> Polygon:
    """The piece's four trim corners on the table, top-left first as printed."""
    w, h = piece.width_mm / 2, piece.height_mm / 2
    corners = on_table(np.array([(-w, -h), (w, -h), (w, h), (-w, h)]), place)
    return tuple((float(x), float(y)) for x, y in corners)
