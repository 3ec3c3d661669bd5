"""Decoders that hang, die and stumble, importable by the second reader's child process.

What goes wrong is said by the picture itself: its first pixel.
"""

from __future__ import annotations

import os
import time

from companion.vision.second_reader.zxing import RawCode, decode

HANGS = 251
DIES = 252
RAISES = 253


def decode_by_first_pixel(picture: memoryview) -> list[RawCode]:
    """As zxing-cpp, but for pictures that begin with one of the values above."""
    first = memoryview(picture)[0, 0]
    if first == HANGS:
        time.sleep(3600)
    if first == DIES:
        os.abort()
    if first == RAISES:
        raise MemoryError
    return decode(picture)


_asked = 0


def decode_for_a_while(picture: memoryview) -> list[RawCode]:
    """As zxing-cpp four times, then hang or die, each as often."""
    global _asked
    _asked += 1
    if _asked > 4:
        if os.getpid() % 2:
            time.sleep(3600)
        os.abort()
    return decode(picture)


def decode_badly(picture: memoryview) -> list[RawCode]:
    """Die on every picture."""
    os._exit(11)


class Unloadable:
    """A decoder whose library cannot be loaded: it does not even arrive in the child."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """What the child is told to load."""
        return __import__, ("a_library_that_is_not_installed",)

    def __call__(self, picture: memoryview) -> list[RawCode]:
        """Never called."""
        raise AssertionError
