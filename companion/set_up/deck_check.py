"""The deck check while screens look on: one count that grows with every new picture of the running
camera or a photo.

Owns a reader of its own, so that it neither disturbs the eye that keeps the score nor learns from
it. Thread-safe; knows no HTTP and nothing of the game: who calls it sees to it that no round is
being played.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from calibration.cameras.grey import checked_grey
from companion.limited_process import done_here
from companion.set_up.deck_count import DeckCount, cards_lying
from companion.set_up.photo_file import opened_photo
from companion.vision.codes.detection import Reading
from companion.vision.codes.print_quality import print_quality
from companion.vision.codes.reader import Reader
from companion.vision.codes.whole_picture import read_cards


@dataclass(frozen=True, slots=True)
class SeenPicture:
    """What one picture shows: its codes, and how like the print each is to what it should be."""

    reading: Reading
    quality: dict[int, float]


def read_picture(image: np.ndarray, reader: Reader, sound: Collection[int]) -> SeenPicture:
    """What a picture (H, W, 3) uint8 shows; the print of cards known to be `sound` is not measured
    again."""
    reading, _ = read_cards(image, reader)
    grey = checked_grey(image)
    return SeenPicture(reading, print_quality(grey, reading, sound) if grey is not None else {})


def count_picture(
    count: DeckCount, image: np.ndarray, reader: Reader
) -> tuple[frozenset[int], int]:
    """Take what a picture (H, W, 3) uint8 shows into the count: the numbers that are new, and how
    many cards it shows."""
    seen = read_picture(image, reader, count.sound)
    return count.add_reading(seen.reading, seen.quality), cards_lying(seen.reading)


def read_photo(
    data: bytes, numbers: frozenset[int], deck: str, symbol_mm: float, sound: Collection[int]
) -> SeenPicture:
    """What a photo's file (JPEG, PNG, WebP) shows of this deck; may be done in another process.

    Raises:
        BadPhoto: it is no picture, or too large a one.
    """
    return read_picture(opened_photo(data), _reader(numbers, deck, symbol_mm), sound)


@lru_cache(maxsize=1)
def _reader(numbers: frozenset[int], deck: str, symbol_mm: float) -> Reader:
    return Reader(numbers, deck, symbol_mm)


Apart = Callable[..., SeenPicture]
"""Does a work with what it is given, here or in another process."""


class DeckCheck:
    """One deck being counted."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        self._last: np.ndarray | None = None
        self._count = DeckCount(self._reader.numbers)
        self._new: list[int] = []
        self._told = self._answer()

    def look_for(self, symbol_mm: float) -> None:
        """From now on the codes are `symbol_mm` large: the eye found out that they are; what was
        counted stays."""
        if symbol_mm != self._reader.symbol_mm:
            self._reader = self._reader.for_size(symbol_mm)

    def begin_anew(self) -> dict[str, Any]:
        """Forget all cards seen; the empty count."""
        with self._lock:
            self._count = DeckCount(self._reader.numbers)
            self._last = None
            self._new = []
            self._told = self._answer()
            return self._told

    def check_picture(self, image: np.ndarray | None) -> dict[str, Any]:
        """Tick off what `image` (H, W, 3) uint8 shows and tell the count; a picture seen before, or
        one that comes while another is being read, changes nothing."""
        if image is None or not self._lock.acquire(blocking=False):
            return self._told
        try:
            if image is not self._last:
                self._count_codes(image)
            return self._told
        finally:
            self._lock.release()

    def check_photo(self, data: bytes, apart: Apart = done_here) -> dict[str, Any]:
        """Tick off what a photo's file (JPEG, PNG, WebP) shows; tells the count and how many cards
        the photo showed. `apart` does what takes memory: here, or in a process of its own.

        Raises:
            BadPhoto: it is no picture, or too large a one.
        """
        with self._lock:
            reader, sound = self._reader, self._count.sound
        seen = apart(read_photo, data, reader.numbers, reader.deck, reader.symbol_mm, sound)
        with self._lock:
            self._last = None
            self._add_to_count(seen)
            return self._told | {"photo": cards_lying(seen.reading)}

    def _count_codes(self, image: np.ndarray) -> None:
        self._last = image
        self._add_to_count(read_picture(image, self._reader, self._count.sound))

    def _add_to_count(self, seen: SeenPicture) -> None:
        self._new = sorted(self._count.add_reading(seen.reading, seen.quality)) or self._new
        self._told = self._answer()

    def _answer(self) -> dict[str, Any]:
        return self._count.to_json() | {"new": list(self._new)}
