"""How large the codes on this table were really printed: measured on the table where they are read
at any size.

Knows readings and a plane; changes nothing. A deck printed with another marker size than was told,
or scaled by the printer, is read by zxing-cpp and by the blind search alone; told its true size the
reader sees it all.
"""

from __future__ import annotations

import numpy as np

from companion.vision.codes.detection import Detection, Reading
from companion.vision.frame.plane_mapping import PlaneMapping

FEWEST_CODES = 2
"""So many different codes must agree: one alone may be a stranger's, or lie on a pile."""

AGREE_SHARE = 0.05
"""Their sides differ by no more than this share from each other's middle."""

OTHER_SIZE_SHARE = 0.06
"""A size off by less than this share is the printed one: corners and the plane are that exact
(`reader.BENT`)."""


LYING_SIDE_SHARES = (0.8, 1.25)
"""Sides of codes that lie on the table, as shares of the printed side: prints of 95 to 105 % and a
plane that is a little off stay well inside. A card held 15 cm over the table, 75 cm under the
camera, is at the upper end."""


def has_printed_size(detection: Detection, plane: PlaneMapping, printed_mm: float) -> bool:
    """Whether a card's code has the printed size on the table: a card held up, or its picture on a
    screen, has another."""
    sides = _sides_mm(Reading((detection,)), plane)
    return bool(
        sides.size and LYING_SIDE_SHARES[0] <= sides[0] / printed_mm <= LYING_SIDE_SHARES[1]
    )


def printed_size_mm(reading: Reading, plane: PlaneMapping, told_mm: float) -> float | None:
    """The side of the codes in mm where it is not the one told; None where it is, or where too few
    codes say so."""
    sides = _sides_mm(reading, plane)
    other = sides[np.abs(sides / told_mm - 1) > OTHER_SIZE_SHARE]
    if len(other) < FEWEST_CODES or len(other) <= len(sides) / 2:
        return None
    middle = float(np.median(other))
    agreeing = np.abs(other / middle - 1) <= AGREE_SHARE
    return (
        round(middle, 2)
        if np.count_nonzero(agreeing) >= max(FEWEST_CODES, 0.7 * len(other))
        else None
    )


def any_other_size(reading: Reading, plane: PlaneMapping, told_mm: float) -> bool:
    """Whether any card read is of another size than was told."""
    return bool((np.abs(_sides_mm(reading, plane) / told_mm - 1) > OTHER_SIZE_SHARE).any())


def _sides_mm(reading: Reading, plane: PlaneMapping) -> np.ndarray:
    """The sides of the cards' codes on the table, (N,) mm."""
    corners = np.array([d.corners_px for d in reading.detections if not d.is_back], float)
    mm = np.asarray(plane.to_mm(corners.reshape(-1, 2)), float).reshape(-1, 4, 2)
    sides = np.linalg.norm(mm - np.roll(mm, 1, axis=1), axis=2).mean(axis=1)
    finite: np.ndarray = sides[np.isfinite(sides)]
    return finite
