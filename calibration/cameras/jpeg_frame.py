"""A picture that came as JPEG and is still coded: small at once, whole when somebody needs it.

Knows JPEG bytes; must not know cameras or tables. Most pictures of a table show what the last one
showed, and to see that an eighth of the size is enough: it takes half the time, or less, of
decoding the whole picture.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.cameras.port import Frame

SHRINK = 8
"""JPEG blocks are 8 by 8 pixels: their means are there before anything else of them is worked out.
"""

_AS_IT_IS = cv2.IMREAD_IGNORE_ORIENTATION


def shrunk(jpeg: bytes) -> np.ndarray | None:
    """The picture at an eighth of its size, (H // 8, W // 8, 3) uint8 BGR, each pixel the mean of a
    block; None when it cannot be decoded."""
    return _decoded(jpeg, cv2.IMREAD_REDUCED_COLOR_8 | _AS_IT_IS)


def _decoded(jpeg: bytes, how: int) -> np.ndarray | None:
    try:
        return cv2.imdecode(np.frombuffer(jpeg, np.uint8), how)
    except cv2.error:
        return None


class JpegFrame(Frame):
    """A frame whose picture is decoded when `image` is first asked for; `small` is its picture at
    an eighth."""

    __slots__ = ("_small", "_whole", "jpeg", "size_px")

    jpeg: bytes
    size_px: tuple[int, int]
    _small: np.ndarray
    _whole: np.ndarray | None

    def __init__(
        self, jpeg: bytes, size_px: tuple[int, int], small: np.ndarray, t_s: float, number: int
    ) -> None:
        """Take a JPEG of `size_px` (width, height) and what `shrunk` makes of it."""
        small = small[: size_px[1] // SHRINK, : size_px[0] // SHRINK]
        values = {
            "t_s": t_s,
            "number": number,
            "jpeg": jpeg,
            "size_px": size_px,
            "_small": small,
            "_whole": None,
        }
        for name, value in values.items():  # a frame is frozen
            object.__setattr__(self, name, value)

    @property
    def small(self) -> np.ndarray:
        """The picture at an eighth of its size, (H // 8, W // 8, 3) uint8 BGR."""
        return self._small

    @property
    def decoded(self) -> bool:
        """Whether the whole picture was decoded already."""
        return self._whole is not None

    @property
    def image(self) -> np.ndarray:
        """The whole picture, (H, W, 3) uint8 BGR; the small one made large where it cannot be
        decoded as a whole."""
        whole = self._whole
        if whole is None:
            whole = _decoded(self.jpeg, cv2.IMREAD_COLOR | _AS_IT_IS)
            if whole is None or whole.shape[1::-1] != self.size_px:
                whole = cv2.resize(self._small, self.size_px, interpolation=cv2.INTER_LINEAR)
            object.__setattr__(self, "_whole", whole)
        return whole


def frame_of_jpeg(
    jpeg: bytes, size_px: tuple[int, int], t_s: float, number: int
) -> JpegFrame | None:
    """The frame of a JPEG whose header says `size_px` (width, height); None when it cannot be
    decoded."""
    small = shrunk(jpeg)
    if (
        small is None
        or small.shape[0] < size_px[1] // SHRINK
        or small.shape[1] < size_px[0] // SHRINK
    ):
        return None
    return JpegFrame(jpeg, size_px, small, t_s, number)
