"""Decoders that hang, die and stumble, importable by the second reader's child process.

What goes wrong is said by the picture itself: its first pixel.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

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


@dataclass(slots=True)
class HangsAndDies:
    """Each time it is started it reads four pictures as zxing-cpp; then it hangs, the next time it
    dies, and so on in turn. Leaves a file in `folder` each time that it fails."""

    folder: Path
    asked: int = 0

    def __call__(self, picture: memoryview) -> list[RawCode]:
        """The codes of a picture (H, W) uint8."""
        self.asked += 1
        if self.asked > 4:
            failed = len(list(self.folder.iterdir()))
            (self.folder / str(failed)).touch()
            if failed % 2:
                os.abort()
            time.sleep(3600)
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
