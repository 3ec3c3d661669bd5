"""Frames from one process to another through shared memory: one writer, one reader, nobody waits
for the other.

Knows bytes; knows no camera. The writer may be killed at any moment: the reader never gets half a
frame.
"""

from __future__ import annotations

import math
import struct
import zlib
from dataclasses import dataclass
from multiprocessing.heap import BufferWrapper

import numpy as np

from calibration.cameras.jpeg_frame import SHRINK

SLOTS = 3
LARGEST_BYTES = 4096 * 2304 * 3
BLACK = 0
"""The check of a picture in which nothing is brighter than `BLACK_LEVEL`."""

BLACK_LEVEL = 12
"""Of 255: a covered lens with its noise stays below; the darkest room in which a marker can be read
is far above."""

_COUNTER = struct.Struct("<QQ")  # newest number, 1 once the writer is awake
_HEADER = struct.Struct(
    "<QIIII"
)  # number, width, height, check, bytes of the JPEG (0: the pixels themselves)
_SAID_AT, _SAID_BYTES = 192, 600
_MODE_AT, _MODE_BYTES = 800, 220
_PACE = struct.Struct("<f")
_PACE_AT = 1020
_PIXELS_AT = 1024


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture (H, W, 3) uint8, its number from 1, and a check that differs when the picture
    differs.

    Where it is still coded, `jpeg` are its bytes, `size_px` its width and height, and `image` shows
    it at an eighth."""

    image: np.ndarray
    number: int
    check: int
    jpeg: bytes = b""
    size_px: tuple[int, int] = (0, 0)


def check_of(image: np.ndarray) -> int:
    """A number that two pictures share only when they are the same; `BLACK` for a black one."""
    rows = np.ascontiguousarray(image[:: max(1, image.shape[0] // 90)])
    return _checked(rows, rows.tobytes())


def _checked(rows: np.ndarray, data: bytes) -> int:
    return BLACK if rows.max() < BLACK_LEVEL else zlib.crc32(data) or 1


class Ring:
    """The shared memory, seen from either side; handed to a spawned process it is the same memory
    there.

    The memory has no name: the system takes it back when the last process that sees it is gone,
    however that ended.
    """

    def __init__(self) -> None:
        self._memory: BufferWrapper | None = BufferWrapper(_PIXELS_AT + SLOTS * LARGEST_BYTES)
        self.clear()

    def destroy(self) -> None:
        """Give the memory back; twice is fine."""
        self._memory = None

    # --- the writer

    def wake(self) -> None:
        """Say that the writer is about to open its camera."""
        _COUNTER.pack_into(self._bytes, 0, 0, 1)

    def put_image(self, image: np.ndarray, number: int) -> bool:
        """Write one picture into its slot and then move the counter; False when it is too large to
        be sent."""
        if image.nbytes > LARGEST_BYTES:
            return False
        at = number % SLOTS
        flat = np.ascontiguousarray(image).reshape(-1)
        np.frombuffer(self._bytes, np.uint8, image.nbytes, _pixels(at))[:] = flat
        self._head(at, number, (image.shape[1], image.shape[0]), check_of(image), 0)
        return True

    def put_coded(
        self, jpeg: bytes, size_px: tuple[int, int], small: np.ndarray, number: int
    ) -> bool:
        """The same for a picture that is still coded, with `small` (H // 8, W // 8, 3) uint8, what
        it shows at an eighth."""
        if len(jpeg) + small.nbytes > LARGEST_BYTES:
            return False
        at, pixels = number % SLOTS, np.ascontiguousarray(small)
        np.frombuffer(self._bytes, np.uint8, len(jpeg), _pixels(at))[:] = np.frombuffer(
            jpeg, np.uint8
        )
        np.frombuffer(self._bytes, np.uint8, small.nbytes, _pixels(at) + len(jpeg))[:] = (
            pixels.reshape(-1)
        )
        self._head(at, number, size_px, _checked(pixels, jpeg), len(jpeg))
        return True

    def _head(self, at: int, number: int, size_px: tuple[int, int], check: int, coded: int) -> None:
        _HEADER.pack_into(self._bytes, _header(at), number, *size_px, check, coded)
        _COUNTER.pack_into(self._bytes, 0, number, 1)

    @property
    def every_s(self) -> float:
        """At most one picture in so many seconds is wanted."""
        return float(_PACE.unpack_from(self._bytes, _PACE_AT)[0])

    def say(self, sentence: str) -> None:
        """Leave a last sentence for the reader: why the writer ends."""
        data = sentence.encode("utf-8")[: _SAID_BYTES - 2]
        struct.pack_into(f"<H{len(data)}s", self._bytes, _SAID_AT, len(data), data)

    def tell_mode(self, text: str) -> None:
        """Let the reader know in which mode the camera works (at most 220 bytes)."""
        data = text.encode("utf-8")[:_MODE_BYTES]
        struct.pack_into(f"<H{len(data)}s", self._bytes, _MODE_AT, len(data), data)

    # --- the reader

    def clear(self) -> None:
        """Forget everything, before a new writer starts."""
        self._bytes[:_PIXELS_AT] = bytes(_PIXELS_AT)

    def ask_for_every(self, every_s: float) -> None:
        """Let the writer know how often a picture is wanted; `clear` forgets it."""
        _PACE.pack_into(self._bytes, _PACE_AT, every_s)

    @property
    def awake(self) -> bool:
        """True once the writer has loaded its libraries."""
        return bool(_COUNTER.unpack_from(self._bytes, 0)[1])

    @property
    def said(self) -> str:
        """The writer's last sentence, or nothing."""
        (length,) = struct.unpack_from("<H", self._bytes, _SAID_AT)
        return bytes(self._bytes[_SAID_AT + 2 : _SAID_AT + 2 + length]).decode("utf-8", "ignore")

    @property
    def mode(self) -> str:
        """The writer's camera mode, or nothing."""
        (length,) = struct.unpack_from("<H", self._bytes, _MODE_AT)
        return bytes(self._bytes[_MODE_AT + 2 : _MODE_AT + 2 + min(length, _MODE_BYTES)]).decode(
            "utf-8", "ignore"
        )

    def newest_shot(self, seen: int) -> Shot | None:
        """The newest picture after number `seen`; None when there is none, or it was written over
        while being copied."""
        number = self._newest()
        if number == seen:
            return None
        at = number % SLOTS
        named, width, height, check, coded = _HEADER.unpack_from(self._bytes, _header(at))
        shape = (height // SHRINK, width // SHRINK, 3) if coded else (height, width, 3)
        size = coded + math.prod(shape)
        if named != number or not 0 < size <= LARGEST_BYTES:
            return None
        flat = np.frombuffer(self._bytes, np.uint8, size, _pixels(at)).copy()
        if (
            self._newest() - number >= SLOTS - 1
        ):  # the writer has come round: it may be writing into this very slot
            return None
        return Shot(
            flat[coded:].reshape(shape), number, check, flat[:coded].tobytes(), (width, height)
        )

    def _newest(self) -> int:
        return int(_COUNTER.unpack_from(self._bytes, 0)[0])

    @property
    def _bytes(self) -> memoryview:
        if self._memory is None:
            raise ValueError("this ring was destroyed")
        view: memoryview = self._memory.create_memoryview()
        return view


def _header(slot: int) -> int:
    return 64 + slot * _HEADER.size


def _pixels(slot: int) -> int:
    return _PIXELS_AT + slot * LARGEST_BYTES
