"""How large the codes on this table were really printed: measured on the table where they are read
at any size.

Knows readings and a plane. A deck printed with another marker size than was told, or scaled by the
printer, is read by zxing-cpp and by the blind search alone; told its true size the reader sees it
all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from companion.vision.codes.detection import Detection, Reading
from companion.vision.frame.plane_mapping import PlaneMapping

FEWEST_AGREEING = 2
"""So many different codes must agree: one alone may be a stranger's, or lie on a pile."""

AGREE_SHARE = 0.05
"""Their sides differ by no more than this share from each other's middle."""

OTHER_SIZE_SHARE = 0.06
"""A size off by less than this share is the printed one: corners and the plane are that exact
(`acceptance.LARGEST_BEND_SHARE`)."""


LYING_SIDE_SHARES = (0.8, 1.25)
"""Sides of codes that lie on the table, as shares of the printed side: prints of 95 to 105 % and a
plane that is a little off stay well inside. A card held 15 cm over the table, 75 cm under the
camera, is at the upper end."""

SIZE_LOOKS = 4
"""So many looks in a row must measure the same other size before the deck is taken to be printed at
it; chosen."""

SIZE_SPREAD_FACTOR = 1.04
"""The largest of them is less than this times the smallest; chosen."""

SEARCH_ANY_SIZE_EVERY_S = 6.0
"""While no card was ever read, codes of other sizes are looked for this often: it takes a third of
a second, on a small computer three."""

LOOKS_AT_THE_SAME = 3
"""...and so often while nothing moves: a first picture may be soft or dark, but a table that was looked
at three times shows nothing new."""

MEASURE_AGAIN_S = 0.7
"""The same once another size was measured."""


def of_printed_size(
    detections: Iterable[Detection], plane: PlaneMapping, printed_mm: float
) -> list[Detection]:
    """Those whose codes have the printed size on the table: a card held up, or its picture on a
    screen, has another."""
    every = list(detections)
    shares = _sides_mm(every, plane) / printed_mm
    low, high = LYING_SIDE_SHARES
    return [d for d, share in zip(every, shares, strict=True) if low <= share <= high]


def printed_size_mm(reading: Reading, plane: PlaneMapping, told_mm: float) -> float | None:
    """The side of the codes in mm where it is not the one told; None where it is, or where too few
    codes say so."""
    return _other_size_mm(_card_sides_mm(reading, plane), told_mm)


def _other_size_mm(sides: np.ndarray, told_mm: float) -> float | None:
    other = sides[_is_other(sides, told_mm)]
    if len(other) < FEWEST_AGREEING or len(other) <= len(sides) / 2:
        return None
    middle = float(np.median(other))
    agreeing = np.abs(other / middle - 1) <= AGREE_SHARE
    return (
        round(middle, 2)
        if np.count_nonzero(agreeing) >= max(FEWEST_AGREEING, 0.7 * len(other))
        else None
    )


def any_other_size(reading: Reading, plane: PlaneMapping, told_mm: float) -> bool:
    """Whether any card read is of another size than was told."""
    return bool(_is_other(_card_sides_mm(reading, plane), told_mm).any())


def _is_other(sides: np.ndarray, told_mm: float) -> np.ndarray:
    return np.asarray(np.abs(sides / told_mm - 1) > OTHER_SIZE_SHARE)


class PrintedSizeWatch:
    """Takes the deck for one printed at another size than was told, once look after look measures
    it so."""

    def __init__(self) -> None:
        self._measured_mm: list[float] = []
        self._told_size_read = False
        self._searched_s = -1e9
        self._searched_still = 0

    def measure_size(
        self,
        reading: Reading,
        plane: PlaneMapping,
        told_mm: float,
        search_any_size: Callable[[], Reading],
        t_s: float,
        still: bool,
    ) -> float | None:
        """The side of the codes in mm once it is certain that it is not the one told, else None.

        While no card was ever read, `search_any_size` is asked now and then; not again and again while
        all is `still`, as in every picture since the last call. Called for every picture in which
        anything moved.
        """
        if not still:
            self._searched_still = 0
        if not reading.cards:
            every_s = SEARCH_ANY_SIZE_EVERY_S if not self._measured_mm else MEASURE_AGAIN_S
            if self._told_size_read or 0 <= t_s - self._searched_s < every_s:
                return None
            if not self._measured_mm and self._searched_still >= LOOKS_AT_THE_SAME:
                return None
            self._searched_s = t_s
            self._searched_still += 1
            reading = search_any_size()
        sides = _card_sides_mm(reading, plane)
        size_mm = _other_size_mm(sides, told_mm)
        if size_mm is None:
            self._told_size_read |= bool(reading.cards) and not _is_other(sides, told_mm).any()
            self._measured_mm = []
            return None
        self._measured_mm = [*self._measured_mm, size_mm][-SIZE_LOOKS:]
        low, high = min(self._measured_mm), max(self._measured_mm)
        if len(self._measured_mm) < SIZE_LOOKS or high >= SIZE_SPREAD_FACTOR * low:
            return None
        size_mm = float(np.median(self._measured_mm))
        self._measured_mm = []
        return size_mm


def _card_sides_mm(reading: Reading, plane: PlaneMapping) -> np.ndarray:
    """The sides of the cards' codes on the table, (N,) mm; those that lie on it."""
    sides = _sides_mm([d for d in reading.detections if not d.is_back], plane)
    finite: np.ndarray = sides[np.isfinite(sides)]
    return finite


def _sides_mm(detections: Sequence[Detection], plane: PlaneMapping) -> np.ndarray:
    """The mean side of each code on the table, (N,) mm; not finite beyond the horizon."""
    corners = np.array([d.corners_px for d in detections], float)
    mm = np.asarray(plane.to_mm(corners.reshape(-1, 2)), float).reshape(-1, 4, 2)
    return np.asarray(np.linalg.norm(mm - np.roll(mm, 1, axis=1), axis=2).mean(axis=1))
