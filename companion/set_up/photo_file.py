"""A photo's file from somebody's phone, opened in bounds: whatever its header says, no more memory is
taken than a large photo needs.

Knows pictures; decides nothing about what they show.
"""

from __future__ import annotations

import io
import warnings

import numpy as np
from PIL import Image, ImageOps

from calibration.cameras.picture_file import jpeg_size

LARGEST_PHOTO = 32_000_000
LARGEST_WHOLE = 16_000_000
"""Pixels of a photo that are still opened: of an ordinary JPEG, and of one that must be taken in whole
however small it is wanted (PNG, WebP, progressive JPEG: 4600 by 3450, 100 MB). The page shrinks what
phones take to 3200 across."""

ENOUGH_PX = 3000
"""A larger photo is shrunk until its longer side is this long: 80 cards in it still have 3 pixels a
module."""


class BadPhoto(ValueError):
    """Raised when bytes are no picture that can be read."""


def opened_photo(data: bytes) -> np.ndarray:
    """The photo as (H, W, 3) uint8 BGR, at most `ENOUGH_PX` long; a JPEG is decoded small at once.

    Pillow decodes, line by line into the size that it was told: a file that tells two sizes gets no
    more memory than the first one, and nothing is written to the terminal.

    Raises:
        BadPhoto: it is no JPEG, PNG or WebP, too large a one, or one that would take minutes.
        MemoryError: there is less memory than it takes; not the photo's fault.
    """
    try:
        with (
            warnings.catch_warnings(),
            Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP")) as photo,
        ):
            warnings.simplefilter("ignore")
            _refuse_costly(photo, data)
            shrink = min(1.0, ENOUGH_PX / max(photo.size))
            photo.draft("RGB", (int(photo.size[0] * shrink), int(photo.size[1] * shrink)))
            plain = photo if photo.mode in ("RGB", "L") else photo.convert("RGB")
            plain.thumbnail((ENOUGH_PX, ENOUGH_PX), Image.Resampling.BOX)
            ImageOps.exif_transpose(plain, in_place=True)
            upright = plain if plain.mode == "RGB" else plain.convert("RGB")
            return np.ascontiguousarray(np.asarray(upright)[:, :, ::-1])
    except (BadPhoto, MemoryError):
        raise
    except Exception as error:  # Pillow raises many kinds for bytes that are no picture
        raise BadPhoto("no picture") from error


def _refuse_costly(photo: Image.Image, data: bytes) -> None:
    if photo.format == "JPEG" and jpeg_size(data) is None:
        raise BadPhoto("no picture")
    whole = photo.format != "JPEG" or photo.info.get("progressive")
    if photo.size[0] * photo.size[1] > (LARGEST_WHOLE if whole else LARGEST_PHOTO):
        raise BadPhoto("too large")
