"""The pictures on the faces: one cloud picture for each card number.

Knows the painted files in `art/`; knows nothing of how they were painted (the workshop does that), of
codes, sheets or cameras. The picture is square, as wide as a disc and its bleed on both sides
(`ART_BLEED_MM`), and the same bytes at every call.

No two outlines are alike: turned, mirrored and brought to one size, the most alike pair of the
published deck shares 0.73 of its joined area (36 and 80; the measure is in `painting.likeness`).
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import cv2
import numpy as np


@lru_cache(maxsize=1)  # 3.5 MB: a card is drawn several times in a row, and then not again
def _original(card: int) -> np.ndarray:
    painted = files("card_printables.artwork") / "art" / f"card-{card:02d}.webp"
    if not painted.is_file():
        raise ValueError(f"there is no picture for card {card}: cards are 1 to 99")
    image = cv2.imdecode(np.frombuffer(painted.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(
            f"the picture of card {card} is damaged; paint it anew: python -m card_printables.workshop.paint_clouds {card}"
        )
    image.setflags(write=False)
    return image


def picture(card: int, size_px: int) -> np.ndarray:
    """The cloud of `card`, (size_px, size_px, 3) uint8 BGR, the caller's own copy; the same number
    gives the same picture.

    Raises:
        ValueError: no card has that number, or its file is damaged.
    """
    original = _original(card)
    way = cv2.INTER_AREA if size_px < len(original) else cv2.INTER_CUBIC
    return np.array(cv2.resize(original, (size_px, size_px), interpolation=way))
