"""zxing-cpp's reading of one picture, as plain values.

Loads zxing-cpp when it is first asked, and neither numpy nor OpenCV: a process that is started again
for it must be quick.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import zxingcpp


class RawCode(NamedTuple):
    """One QR code: its payload, its corners in whole pixels, clockwise from the code's top-left, and
    its mask when it is of our prints' kind (version 1, level H)."""

    payload: bytes
    corners_px: tuple[tuple[int, int], ...]
    mask: int | None


Decode = Callable[["memoryview | np.ndarray"], list[RawCode]]
"""Reads a grey picture (H, W) uint8, contiguous."""


def decode(picture: memoryview | np.ndarray) -> list[RawCode]:
    """Every model-2 QR code that zxing-cpp reads in `picture` (H, W) uint8, contiguous.

    Downscaling and inverting are off: neither finds our codes, both cost time
    (`tests/benchmarks/reader.py`).
    """
    import zxingcpp

    codes = zxingcpp.read_barcodes(
        picture,
        formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2),
        try_downscale=False,
        try_invert=False,
    )
    return [
        RawCode(bytes(code.bytes), _corners(code.position), _mask(code))
        for code in codes
        if code.valid
    ]


def _mask(code: zxingcpp.Barcode) -> int | None:
    told: Any = code.extra
    return (
        int(told.get("DataMask", -1))
        if (told.get("Version"), told.get("ECLevel")) == ("1", "H")
        else None
    )


def _corners(position: zxingcpp.Position) -> tuple[tuple[int, int], ...]:
    points = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return tuple((point.x, point.y) for point in points)
