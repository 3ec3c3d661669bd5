"""The JPEG quality that pictures and MJPEG films were stored with, read from their own tables."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np

TABLE = b"\xff\xdb"
"""The marker that stands before quantisation tables."""


def qualities(path: Path) -> list[int]:
    """The quality 1 to 100, as libjpeg counts it, of the largest picture in a JPEG or of each frame
    of an MJPEG film: whose luma table is nearest."""
    data = path.read_bytes()
    found = [_nearest(table) for table in _luma_tables(data)]
    is_film = path.suffix.lower() == ".mjpeg"
    return found if is_film else found[-1:]


def _luma_tables(data: bytes) -> list[np.ndarray]:
    tables = []
    at = data.find(TABLE)
    while at >= 0:
        first = at + 4
        if len(data) > first + 64 and data[first] == 0:
            tables.append(np.frombuffer(data[first + 1 : first + 65], np.uint8).astype(float))
        at = data.find(TABLE, at + 2)
    return tables


def _nearest(table: np.ndarray) -> int:
    return min(_usual(), key=lambda quality: float(np.abs(_usual()[quality] - table).mean()))


@cache
def _usual() -> dict[int, np.ndarray]:
    """libjpeg's luma table at each quality, asked of OpenCV's encoder."""
    usual = {}
    for quality in range(1, 101):
        options = [cv2.IMWRITE_JPEG_QUALITY, quality]
        coded = cv2.imencode(".jpg", np.zeros((8, 8), np.uint8), options)[1]
        usual[quality] = _luma_tables(coded.tobytes())[0]
    return usual
