"""Pictures as bytes for screens: the table as JPEG, our own cloud pictures as WebP. Knows no game
and no server."""

from __future__ import annotations

import cv2
import numpy as np

ART_PX = 320


def card_webp(card: int) -> bytes:
    """Our own picture of a card as WebP.

    Raises:
        ValueError: there is no such card.
    """
    from card_printables.artwork.clouds import picture
    from card_printables.deck import LARGEST

    if not 1 <= card <= LARGEST:
        raise ValueError(f"there is no card {card}")
    done, data = cv2.imencode(".webp", picture(card, ART_PX), [cv2.IMWRITE_WEBP_QUALITY, 82])
    return bytes(data) if done else b""


def encode_jpeg(image: np.ndarray | None, max_width: int, quality: int = 78) -> bytes | None:
    """The picture (H, W, 3) uint8 BGR as JPEG, at most `max_width` px wide; None for no picture."""
    if image is None:
        return None
    height, width = image.shape[:2]
    if width > max_width:
        image = cv2.resize(
            image, (max_width, round(height * max_width / width)), interpolation=cv2.INTER_AREA
        )
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data) if done else None
