"""Pictures as bytes that nobody vouches for: how large they say they are, and their pixels.

Knows the JPEG and PNG formats; trusts no file: a picture's header is read before its pixels, so that
a small file cannot ask for gigabytes, and only JPEG and PNG are taken, by their first bytes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(100_000_000))

import contextlib
import re
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.errors import BadPicture
from card_printables.files import read_regular


@dataclass(frozen=True, slots=True)
class PictureLimits:
    """How many pixels a picture may have, by what is done with it; all chosen, none measured.

    A picture file is read up to `file_bytes` and decoded up to `decoded_px`; the reader searches up to `searched_px`, what is
    larger, or longer than `searched_side_px` (OpenCV warps nothing of 32,767), is halved first or refused; a phone may send `sent_px`; a film's frame may have `filmed_px`
    (8192 by 4608, no camera films larger); a network camera's frame, which may have as many, is halved while
    it is decoded until it has no more than `streamed_px` (4096 by 2304). A 4K frame has 8 million.
    """

    file_bytes: int = 400_000_000
    decoded_px: int = 100_000_000
    searched_px: int = 60_000_000
    searched_side_px: int = 32_000
    sent_px: int = 16_000_000
    filmed_px: int = 8192 * 4608
    streamed_px: int = 4096 * 2304

    def takes(self, width: int, height: int) -> bool:
        """Whether the reader searches a picture of this size."""
        return width * height <= self.searched_px and max(width, height) <= self.searched_side_px


LIMITS = PictureLimits()

PICTURES = (".jpg", ".jpeg", ".png")
"""Endings of picture files."""


JPEG_MARK = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
JPEG_ENDS = 0xD9
JPEG_NO_LENGTH = 0x01
"""The JPEG format's marks, but for those that only say where to begin again; the end; and the one that
tells no length."""

MOST_MARKS = 100
"""Of scans and tables in one JPEG from its first pixels on. A camera's has one, a progressive one some
forty at most; each scan sends the decoder over the whole picture once more, and 30 bytes are enough for one."""


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a JPEG claims, read without decoding it; None for anything else, for one that
    tells two sizes, and for one of so many scans that decoding it would take minutes."""
    if data[:3] != b"\xff\xd8\xff":
        return None
    at = 2
    size: tuple[int, int] | None = None
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker in (0xFF, 0x01) or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            if size is not None:
                return None
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            size = width, height
        if marker == 0xDA:  # the pixels
            return size if _has_few_marks(data, at) else None
        at += 2 + struct.unpack(">H", data[at + 2 : at + 4])[0]
    return size


def _has_few_marks(data: bytes, at: int) -> bool:
    """Whether the JPEG ends within `MOST_MARKS` marks of the first scan's, which stands at `at`."""
    for _ in range(MOST_MARKS):
        mark = JPEG_MARK.search(data, at)
        if mark is None or data[mark.end() - 1] == JPEG_ENDS:
            return True
        at = mark.end()
        if data[at - 1] != JPEG_NO_LENGTH:
            at += int.from_bytes(data[at : at + 2], "big")
    return False


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header says, or None when it is neither JPEG nor PNG."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    return jpeg_size(data)


def decode_image(data: bytes, name: str = "the picture") -> np.ndarray:
    """The picture in `data` as (H, W, 3) uint8 BGR.

    Raises:
        BadPicture: it is not a JPEG or PNG, too large, or damaged.
    """
    size = size_of(data)
    if size is None:
        raise BadPicture(f"{name} is no JPEG or PNG picture: give a .jpg or .png file")
    if not 0 < size[0] * size[1] <= LIMITS.decoded_px:
        raise BadPicture(
            f"{name} says it is {size[0]} x {size[1]} pixels: give a picture of at most 100 million pixels"
        )
    if (
        data[:1] == b"\x89" and b"IEND" not in data[-64:]
    ):  # half a file; the decoder would grumble in its own words
        raise BadPicture(f"{name} is damaged: give another picture")
    try:
        with _grumbling_unheard():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise BadPicture(f"{name} is damaged: give another picture")
    return image


_terminal = threading.Lock()


@contextlib.contextmanager
def _grumbling_unheard() -> Iterator[None]:
    """Inside, nothing reaches the terminal's errors: the decoders complain there in words of their own,
    past Python; what is to be said is said as `BadPicture`."""
    with _terminal:
        try:
            kept = os.dup(2)
        except OSError:  # a process without a terminal
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(nowhere)


def read_image(path: str | Path) -> np.ndarray:
    """The picture in a file as (H, W, 3) uint8 BGR.

    Raises:
        BadPicture: there is no such file, it cannot be read, or it is no picture.
    """
    try:
        data = read_regular(Path(path), LIMITS.file_bytes + 1)
    except OSError as error:
        raise BadPicture(
            f"{path} cannot be read ({error.strerror}): check the file's name"
        ) from error
    if len(data) > LIMITS.file_bytes:
        raise BadPicture(f"{path} is larger than any picture: give a .jpg or .png file")
    return decode_image(data, str(path))


def write_image(path: str | Path, image: np.ndarray) -> None:
    """Write a picture (H, W, 3) uint8 BGR to a .png or .jpg file.

    Raises:
        BadPicture: the name has another ending, or the file cannot be written.
    """
    ending = Path(path).suffix.lower()
    if ending not in PICTURES:
        raise BadPicture(f"{path} is no name for a picture: let it end in .png or .jpg")
    try:
        Path(path).write_bytes(cv2.imencode(ending, image)[1].tobytes())
    except OSError as error:
        raise BadPicture(
            f"{path} cannot be written ({error.strerror}): give another file with --picture"
        ) from error
