"""Any picture as plain grey, or a plain no."""

from __future__ import annotations

import cv2
import numpy as np

MOST_PIXELS = 60_000_000
"""Larger pictures are refused: no camera of a table makes them, and they would eat the memory."""


def grey_of(image: np.ndarray) -> np.ndarray | None:
    """The picture as (H, W) uint8 grey, or None when it is no picture.

    Takes grey, BGR or BGRA; 8 or 16 bits, or floats (0..1 or 0..255; what is not finite counts as
    black).
    """
    if not isinstance(image, np.ndarray) or image.ndim not in (2, 3) or image.size == 0:
        return None
    if image.shape[0] * image.shape[1] > MOST_PIXELS or image.dtype.kind not in "uif?":
        return None
    if image.ndim == 3 and image.shape[2] not in (1, 3, 4):
        return None
    picture = np.ascontiguousarray(image if image.dtype == np.uint8 else _eight_bits(image))
    if picture.ndim == 2:
        return picture
    if picture.shape[2] == 1:
        return np.ascontiguousarray(picture[:, :, 0])
    return cv2.cvtColor(
        picture, cv2.COLOR_BGR2GRAY if picture.shape[2] == 3 else cv2.COLOR_BGRA2GRAY
    )


def _eight_bits(image: np.ndarray) -> np.ndarray:
    if image.dtype == bool:
        return image.astype(np.uint8) * np.uint8(255)
    if image.dtype == np.uint16:
        return (image >> 8).astype(np.uint8)
    finite = np.nan_to_num(image.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    unit = image.dtype.kind == "f" and float(finite.max()) <= 1.0
    levels: np.ndarray = np.clip(finite * (255.0 if unit else 1.0), 0, 255).astype(np.uint8)
    return levels
