"""A live camera kept at arm's length: capture runs in a child process that can be killed.

Device drivers block for ever, hand out the last frame for ever, or crash; so the reading happens in a child, the
frames come through shared memory, and silence or a frozen picture is noticed here within `SILENCE_S`.
Knows processes and cameras; knows nothing of cards or the game.
"""

from __future__ import annotations

import multiprocessing
import os
import struct
import time
import zlib
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from multiprocessing.shared_memory import SharedMemory

import numpy as np

from calibration.camera import Camera, Frame
from companion.errors import CameraTrouble

SILENCE_S = 2.5
"""No new picture for this long counts as stopped; people are told within 3 s (INCIDENTS row 20)."""

OPENING_S = 12.0
"""A slow driver may take this long to open (Media Foundation was seen at 8 s)."""

SLOTS = 3
LARGEST_BYTES = 4096 * 2304 * 3
HEADER = struct.Struct("<QIIdI")  # number, width, height, t_s, checksum

Opener = Callable[[str], Camera]


def _bytes(memory: SharedMemory) -> memoryview:
    if memory.buf is None:
        raise CameraTrouble("the camera is closed already: open it again")
    return memory.buf


def _header_at(slot: int) -> int:
    return 64 + slot * HEADER.size


def _pixels_at(slot: int) -> int:
    return 512 + slot * LARGEST_BYTES


def _publish(memory: SharedMemory, frame: Frame, number: int, t_s: float) -> None:
    """Write one frame into its slot and then move the counter, so a reader never sees half a frame."""
    image = np.ascontiguousarray(frame.image)
    height, width = image.shape[:2]
    slot = number % SLOTS
    start = _pixels_at(slot)
    np.frombuffer(_bytes(memory), np.uint8, image.nbytes, start)[:] = image.reshape(-1)
    check = zlib.crc32(image[:: max(1, height // 90)].tobytes())
    HEADER.pack_into(_bytes(memory), _header_at(slot), number, width, height, t_s, check)
    struct.pack_into("<Q", _bytes(memory), 0, number)


def _capture(opener: Opener, source: str, memory_name: str) -> None:
    """The child: open the camera, publish every frame, end when the camera or the parent is gone."""
    memory = SharedMemory(name=memory_name)
    parent = os.getppid()
    started = time.monotonic()
    camera = opener(source)
    number = 0
    while os.getppid() == parent:
        frame = camera.read()
        if frame is None:
            break
        if frame.image.nbytes > LARGEST_BYTES:
            continue
        number += 1
        _publish(memory, frame, number, time.monotonic() - started)


class LiveCamera:
    """A camera that cannot hang the evening: `read` gives the newest frame or raises `CameraTrouble` within seconds.

    After an error the next `read` kills the child and opens the camera again; every setting is applied anew by the
    opener.  `opener` must be importable (it runs in a spawned process) and takes `source`.
    """

    def __init__(self, opener: Opener, source: str, name: str) -> None:
        self.name = name
        self._opener, self._source = opener, source
        self._memory = SharedMemory(create=True, size=_pixels_at(SLOTS))
        self._child: BaseProcess | None = None
        self._seen = 0
        self._count = 0
        self._born = time.monotonic()
        self._last_check: int | None = None
        self._fresh_at = 0.0

    def read(self) -> Frame | None:
        """The newest frame not yet given.

        Raises:
            CameraTrouble: nothing new, or the very same picture, for `SILENCE_S`; call again to try anew.
        """
        if self._child is None or not self._child.is_alive():
            self._start()
        while True:
            frame = self._take()
            if frame is not None:
                return frame
            if time.monotonic() - self._fresh_at > (SILENCE_S if self._seen else OPENING_S):
                self._stop()
                raise CameraTrouble(f"the camera {self.name} gives no new picture: check its cable; play on by touch")
            if self._child is not None and not self._child.is_alive():
                self._stop()
                raise CameraTrouble(f"the camera {self.name} stopped or does not open: check that it is plugged in and free")
            time.sleep(0.005)

    def close(self) -> None:
        """Kill the child and give the memory back."""
        self._stop()
        try:
            self._memory.close()
            self._memory.unlink()
        except FileNotFoundError:
            pass

    def _start(self) -> None:
        self._stop()
        struct.pack_into("<Q", _bytes(self._memory), 0, 0)
        self._seen, self._last_check = 0, None
        context = multiprocessing.get_context("spawn")
        self._child = context.Process(target=_capture, args=(self._opener, self._source, self._memory.name), daemon=True)
        self._child.start()
        self._fresh_at = time.monotonic()

    def _stop(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.join(2.0)
            self._child = None

    def _take(self) -> Frame | None:
        (number,) = struct.unpack_from("<Q", _bytes(self._memory), 0)
        if number == self._seen:
            return None
        self._seen = number
        slot = number % SLOTS
        _, width, height, _, check = HEADER.unpack_from(_bytes(self._memory), _header_at(slot))
        if check == self._last_check:  # a real sensor's noise never repeats: the picture is frozen
            return None
        self._last_check, self._fresh_at = check, time.monotonic()
        flat = np.frombuffer(_bytes(self._memory), np.uint8, width * height * 3, _pixels_at(slot)).copy()
        self._count += 1
        return Frame(flat.reshape(height, width, 3), self._fresh_at - self._born, self._count - 1)
