"""The independent second reader: zxing-cpp, asked for QR codes of model 2 only.

Knows pictures and raw bytes. Its corners are whole pixels of the finder patterns' outer edges, good
enough to start `pose.refine` from; it reads mirrored codes without saying so, which is why `reader`
looks at the modules again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import zxingcpp

from card_printables.deck import Word, word_of

LONGEST = 64
"""Payload bytes that are kept of a foreign code."""


@dataclass(frozen=True, slots=True)
class Read:
    """One QR code: its raw payload, its four corners (4, 2) px, clockwise from the code's top-left,
    and its mask when it is of our prints' kind (version 1, level H); another program may write our
    words with another mask."""

    payload: bytes
    corners_px: np.ndarray
    mask: int | None = None

    @property
    def word(self) -> Word | None:
        """The word of ours that was printed; None for everything else, our words in another print
        included."""
        word = word_of(self.payload)
        return word if word is not None and word.mask == self.mask else None


def read_codes(grey: np.ndarray, enlarge: int = 1) -> list[Read]:
    """Every model-2 QR code that zxing-cpp reads in `grey` (H, W) uint8, enlarged by a whole factor
    first if asked.

    Downscaling and inverting are off: neither finds our codes, both cost time
    (`tests/benchmarks/reader.py`).
    """
    if min(grey.shape[:2]) < 10:
        return []
    picture = np.ascontiguousarray(grey)
    if enlarge > 1:
        picture = cv2.resize(picture, None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_CUBIC)
    codes = zxingcpp.read_barcodes(
        picture,
        formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2),
        try_downscale=False,
        try_invert=False,
    )
    return [
        Read(bytes(code.bytes), _corners(code.position) / enlarge - 0.5, _mask(code))
        for code in codes
        if code.valid
    ]


def read_near(grey: np.ndarray, corners_px: np.ndarray) -> list[Read]:
    """What is read in a cut-out round `corners_px` (4, 2), three times enlarged where the code is
    small.

    A light and sure second opinion: about a fifth of a millisecond; four times would read less
    (reference measurements).
    """
    side = float(np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1).max())
    left, top = np.maximum(np.floor(corners_px.min(axis=0) - side / 4), 0).astype(int)
    right, bottom = np.ceil(corners_px.max(axis=0) + side / 4).astype(int) + 1
    enlarge = int(np.clip(130 // max(side, 1), 1, 3))
    reads = read_codes(grey[top:bottom, left:right], enlarge)
    return [replace(read, corners_px=read.corners_px + np.array([left, top])) for read in reads]


def _mask(code: zxingcpp.Barcode) -> int | None:
    told: Any = code.extra
    return (
        int(told.get("DataMask", -1))
        if (told.get("Version"), told.get("ECLevel")) == ("1", "H")
        else None
    )


def _corners(position: zxingcpp.Position) -> np.ndarray:
    points = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return np.array([[p.x, p.y] for p in points], dtype=float)
