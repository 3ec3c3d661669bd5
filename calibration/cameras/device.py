"""What an open camera device gives, still coded where it can be had so.

Knows devices as OpenCV shows them; must not know tables. A webcam's driver is asked for its JPEGs
as they come from the camera; one that gives something else instead, or JPEGs that break, is asked
to decode by itself again.
"""

from __future__ import annotations

import platform
import time
from typing import Any

import cv2
import numpy as np

from calibration.cameras.jpeg_frame import frame_of_jpeg
from calibration.cameras.network import NARROWEST_PX, JpegStream, decoded_within_limits
from calibration.cameras.picture_file import LIMITS, size_of
from calibration.cameras.port import Frame

BAD_JPEGS_IN_A_ROW = 3
"""So many JPEGs in a row that cannot be decoded, and the driver decodes by itself again."""


class DeviceReader:
    """Takes the pictures of one open device."""

    def __init__(self, device: Any, is_webcam: bool) -> None:
        self._device = device
        self._as_jpeg = is_webcam and _gives_jpegs(device)
        self._bad_jpegs = 0
        self.let_go = 0
        """Pictures that came before they were due."""

    def next_frame(self, began_s: float, number: int, due_s: float = 0.0) -> Frame | None:
        """The first picture from `due_s` on as frame `number`, timed from `began_s` (both
        monotonic); None when the device gave none this time. Those that come earlier are let go
        undecoded."""
        while time.monotonic() < due_s:
            if not self._let_one_go():
                return None
        if isinstance(self._device, JpegStream):
            jpeg = self._device.read_jpeg()
            return _framed(jpeg, time.monotonic() - began_s, number) if jpeg is not None else None
        ok, image = self._device.read()
        if not ok or image is None or not image.size:
            return None
        t_s = time.monotonic() - began_s
        return (
            self._of_jpeg(image, t_s, number)
            if self._as_jpeg
            else Frame(_colour(image), t_s, number)
        )

    def _let_one_go(self) -> bool:
        came = (
            self._device.read_jpeg() is not None
            if isinstance(self._device, JpegStream)
            else bool(self._device.grab())
        )
        self.let_go += came
        return came

    def _of_jpeg(self, image: np.ndarray, t_s: float, number: int) -> Frame | None:
        jpeg = jpeg_in(image)
        frame = _framed(jpeg, t_s, number) if jpeg is not None else None
        self._bad_jpegs = 0 if frame is not None else self._bad_jpegs + 1
        if jpeg is None or self._bad_jpegs >= BAD_JPEGS_IN_A_ROW:
            self._as_jpeg = False
            self._device.set(cv2.CAP_PROP_CONVERT_RGB, 1.0)
        return frame


def jpeg_in(image: np.ndarray) -> bytes | None:
    """The JPEG that a driver gave as a row of bytes, without what it padded it with; None for
    anything else."""
    if image.dtype != np.uint8 or image.size != max(image.shape):
        return None
    data = image.tobytes()
    end = data.rfind(b"\xff\xd9")
    return data[: end + 2] if data[:3] == b"\xff\xd8\xff" and end > 0 else None


def _gives_jpegs(device: Any) -> bool:
    """Whether the driver gives its pictures as they come from the camera, asked for here."""
    if platform.system() != "Linux" or int(
        device.get(cv2.CAP_PROP_FOURCC)
    ) != cv2.VideoWriter.fourcc(*"MJPG"):
        return False
    return bool(device.set(cv2.CAP_PROP_CONVERT_RGB, 0.0))


def _framed(jpeg: bytes, t_s: float, number: int) -> Frame | None:
    """The frame of a JPEG; None for one of a few pixels. One that is larger than a frame may be is decoded
    smaller at once."""
    size_px = size_of(jpeg)
    if size_px is None or min(size_px) < NARROWEST_PX:
        return None
    if size_px[0] * size_px[1] <= LIMITS.streamed_px:
        return frame_of_jpeg(jpeg, size_px, t_s, number)
    image = decoded_within_limits(jpeg)
    return Frame(image, t_s, number) if image is not None else None


def _colour(image: np.ndarray) -> np.ndarray:
    return (
        image
        if image.ndim == 3 and image.shape[2] == 3
        else cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    )
