"""Any picture as plain grey, or a plain no.

Knows pixels; must not know where a picture came from or what it shows.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.cameras.picture_file import LIMITS


def grey_of(image: np.ndarray) -> np.ndarray:
    """The grey (H, W) uint8 of a camera's picture, (H, W, 3) uint8 BGR or grey already."""
    return image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


def checked_grey(image: np.ndarray) -> np.ndarray | None:
    """The grey (H, W) uint8 of what should be a picture, or None when it is none.

    Takes grey, BGR or BGRA; 8 or 16 bits, or floats (0..1 or 0..255; what is not finite counts as
    black).
    """
    if not isinstance(image, np.ndarray) or image.ndim not in (2, 3) or image.size == 0:
        return None
    if not LIMITS.takes(*image.shape[1::-1]) or image.dtype.kind not in "uif?":
        return None
    if image.ndim == 3 and image.shape[2] not in (1, 3, 4):
        return None
    picture = np.ascontiguousarray(image if image.dtype == np.uint8 else _eight_bits(image))
    if picture.ndim == 3 and picture.shape[2] == 1:
        return np.ascontiguousarray(picture[:, :, 0])
    if picture.ndim == 3 and picture.shape[2] == 4:
        return cv2.cvtColor(picture, cv2.COLOR_BGRA2GRAY)
    return grey_of(picture)


def _eight_bits(image: np.ndarray) -> np.ndarray:
    if image.dtype == bool:
        return image.astype(np.uint8) * np.uint8(255)
    if image.dtype == np.uint16:
        return (image >> 8).astype(np.uint8)
    finite = np.nan_to_num(image.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    unit = image.dtype.kind == "f" and float(finite.max()) <= 1.0
    levels: np.ndarray = np.clip(finite * (255.0 if unit else 1.0), 0, 255).astype(np.uint8)
    return levels
