"""One whole picture, nothing known before: all cards in it, with the corner tokens or without.

Knows the reader and planes; knows no time, no game.
"""

from __future__ import annotations

import numpy as np

from calibration.cameras.grey import checked_grey
from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import fit_plane, plane_from_markers
from calibration.geometry.plane import Plane
from calibration.tags.find import find_tags
from companion.vision.codes.detection import Expected, Reading
from companion.vision.codes.printed_size import any_other_size, printed_size_mm
from companion.vision.codes.reader import Reader

MOST_ROUNDS = 3
"""Without tokens each look finds more cards, and more cards give a truer plane; eighty of them take
two or three."""


def read_cards(image: np.ndarray, reader: Reader) -> tuple[Reading, Plane | None]:
    """Everything readable in one picture (H, W, 3) uint8, and the table plane when tokens are in
    it.

    Without tokens a first look at the cards themselves gives the scale for better ones, until no
    more are found. With them a deck that was printed at another size than the reader was told is
    noticed, and read at its own.
    """
    grey = checked_grey(image)
    if grey is None:
        return Reading(), None
    plane = _plane(grey)
    if plane is not None:
        return _read_on(plane, grey, reader), plane
    reading = reader.read_codes(grey, patient=True)
    for _ in range(MOST_ROUNDS if reading.cards else 0):
        known = [Expected(card, found.corners_px) for card, found in reading.cards.items()]
        again = reader.read_codes(grey, _plane_of_markers(reading, grey, reader.symbol_mm), known)
        if len(again.cards) <= len(reading.cards):
            break
        reading = again
    return reading, None


def _read_on(plane: Plane, grey: np.ndarray, reader: Reader) -> Reading:
    """The cards on a known plane, at the size told or at the one they were printed at."""
    reading = reader.read_codes(grey, plane)
    seen = reading
    if not reading.cards or any_other_size(reading, plane, reader.symbol_mm):
        blind = reader.read_codes(grey, patient=True)
        seen = blind if len(blind.cards) > len(reading.cards) else reading
    size_mm = printed_size_mm(seen, plane, reader.symbol_mm)
    if size_mm is None:
        return seen
    again = reader.for_size(size_mm).read_codes(grey, plane)
    return again if len(again.cards) >= len(seen.cards) else seen


def plane_of_tokens(image: np.ndarray) -> Plane | None:
    """The table plane that the corner tokens in a picture (H, W, 3) uint8 give; None without them."""
    grey = checked_grey(image)
    return _plane(grey) if grey is not None else None


def _plane(grey: np.ndarray) -> Plane | None:
    try:
        return fit_plane(find_tags(grey), (grey.shape[1], grey.shape[0]))
    except PlaneNotSeen:
        return None


def _plane_of_markers(reading: Reading, grey: np.ndarray, symbol_mm: float) -> Plane | None:
    corners = [np.asarray(d.corners_px, float) for d in reading.detections if not d.is_back]
    try:
        return plane_from_markers(corners, symbol_mm, (grey.shape[1], grey.shape[0]))
    except PlaneNotSeen:
        return None
