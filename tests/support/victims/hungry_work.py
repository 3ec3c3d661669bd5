"""Works for a process with limits: one that answers, and some that do what it must survive."""

from __future__ import annotations

import gc
import os
import signal
import struct
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

import cv2
import numpy as np

from companion.set_up.photo_file import opened_photo


def process_id() -> int:
    """Where it is done."""
    return os.getpid()


def eat(megabytes: int) -> int:
    """Take so much memory and write to all of it."""
    return int(np.ones((megabytes, 1 << 20), np.uint8).sum() >> 20)


def eat_in_opencv(side_px: int) -> int:
    """Have OpenCV take a picture of so many pixels each way; how many there are."""
    return int(cv2.resize(np.ones((2, 2), np.uint8), (side_px, side_px)).sum())


def open_photo(photo: bytes) -> tuple[int, ...]:
    """How large it is, when opened."""
    return opened_photo(photo).shape


def sleep(seconds: float) -> None:
    """Never get ready."""
    time.sleep(seconds)


def stand_still_telling() -> None:
    """Be stopped in the middle of telling the result: its length is told, and no more."""
    (tells,) = (one for one in gc.get_objects() if isinstance(one, Connection) and one.writable)
    os.write(tells.fileno(), struct.pack("!i", 1_000_000))
    os.kill(os.getpid(), signal.SIGSTOP)


def die() -> None:
    """End as by a decoder's fault."""
    os.abort()


def refuse() -> None:
    """Fail with a sentence."""
    raise ValueError("no picture")


def in_steps(steps: int, progress: Callable[[int, int], None]) -> str:
    """Tell how far it is."""
    for step in range(steps):
        time.sleep(0.1)
        progress(step + 1, steps)
    return "ready"
