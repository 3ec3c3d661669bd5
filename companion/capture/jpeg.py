"""A picture as the bytes of a JPEG, for screens. Knows no camera, no game and no server."""

from __future__ import annotations

import cv2
import numpy as np


def encode_jpeg(image: np.ndarray | None, max_width_px: int, quality: int = 78) -> bytes | None:
    """The picture (H, W, 3) uint8 BGR as JPEG, at most `max_width_px` wide; None for no picture."""
    if image is None:
        return None
    height, width = image.shape[:2]
    if width > max_width_px:
        size = (max_width_px, round(height * max_width_px / width))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data) if done else None
