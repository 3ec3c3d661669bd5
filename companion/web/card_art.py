"""Our own picture of a card, as screens get it."""

from __future__ import annotations

import cv2
import numpy as np

from card_printables.artwork.clouds import picture
from card_printables.deck import LARGEST

ART_PX = 320
WEBP_QUALITY = 82
"""Chosen by eye: a cloud shows no blocks on a tablet, and weighs 3 to 5 kB."""

JPEG_QUALITY = 92
"""Chosen by eye, on paper."""


def look_webp(look: np.ndarray) -> bytes:
    """A learnt card's look (h, w, 3) uint8 BGR as WebP, `ART_PX` wide."""
    size = (ART_PX, round(ART_PX * look.shape[0] / look.shape[1]))
    wide = cv2.resize(look, size, interpolation=cv2.INTER_CUBIC)
    _, data = cv2.imencode(".webp", wide, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    return bytes(data)


def look_jpeg(look: np.ndarray) -> bytes:
    """A learnt card's look (h, w, 3) uint8 BGR as JPEG, as large as it was learnt."""
    _, data = cv2.imencode(".jpg", look, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    return bytes(data)


def card_webp(card: int) -> bytes:
    """The picture of a card as WebP, `ART_PX` wide.

    Raises:
        ValueError: there is no such card.
    """
    if not 1 <= card <= LARGEST:
        raise ValueError(f"there is no card {card}")
    done, data = cv2.imencode(
        ".webp", picture(card, ART_PX), [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY]
    )
    return bytes(data) if done else b""
