"""A phone or tablet as the camera: pictures that a browser sends, as a `Camera` like any other.

`PhoneCamera` is the plug, `PhoneCameraLease` says which device may send. Knows JPEG bytes and time; knows
nothing of HTTP or the game. The newest picture is the one that counts: what the reader could not
take in time is dropped, never queued.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2

from calibration.cameras.jpeg_frame import JpegFrame, frame_of_jpeg
from calibration.cameras.network import NARROWEST_PX
from calibration.cameras.picture_file import LIMITS, jpeg_size
from calibration.cameras.port import Frame
from companion.capture.live import SILENCE_S
from companion.errors import CameraTrouble

GONE_S = 60.0
"""A phone that sent nothing for so long is not coming back by itself: the table's own camera
watches again, or a phone is waited for."""

FASTEST_MS = 80
"""Twelve pictures a second are more than the referee needs."""

WORK_WEIGHT = 0.2
"""So much the newest picture counts in the running mean of the reader's work (chosen)."""

BEGAN_S = time.monotonic()
"""All phones of one run, and the webcam that comes back, share this clock: time never goes back
when another takes over."""


class ReadingPace:
    """How long the reader works at a picture: so often a new one is wanted."""

    def __init__(self) -> None:
        self._given_s = 0.0
        self._work_s = 0.0

    def note_given(self) -> None:
        """A picture was handed to the reader."""
        self._given_s = time.monotonic()

    def note_asked(self) -> None:
        """The reader asks for the next one; asked again because none came, it was not at work."""
        given_s, self._given_s = self._given_s, 0.0
        if given_s:
            self._work_s += WORK_WEIGHT * (time.monotonic() - given_s - self._work_s)

    @property
    def every_ms(self) -> int:
        """How often pictures are wanted: as fast as they are read, never faster than `FASTEST_MS`."""
        return max(FASTEST_MS, round(1000 * self._work_s))


class SameSize:
    """Gives every picture in the size of the largest one so far, so that a smaller one to save the
    network moves nothing on the table; a larger one, of the next phone say, begins anew, and so does
    another shape."""

    def __init__(self) -> None:
        self._size: tuple[int, int] | None = None

    def resized(self, frame: JpegFrame) -> Frame:
        """The frame in the size of the largest one."""
        size = frame.size_px
        if self._size is None or size[0] > self._size[0] or _other_shape(size, self._size):
            self._size = size
        if size == self._size:
            return frame
        image = cv2.resize(frame.image, self._size, interpolation=cv2.INTER_CUBIC)
        return Frame(image, frame.t_s, frame.number)


def _other_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return abs(one[0] / one[1] - other[0] / other[1]) > 0.02


class PhoneCamera:
    """Gives the pictures that were put in; `waiting` until the first one came, and again once its
    device has left or sent nothing for `GONE_S`. One thread reads, any may put."""

    def __init__(
        self, name: str = "", silence_s: float = SILENCE_S, gone: Callable[[], None] | None = None
    ) -> None:
        """`gone` is told, each time a `read` fails, once nothing came for `GONE_S`."""
        self.name = name
        self.waiting = True
        self._silence_s = silence_s
        self._gone = gone
        self._sent_s = time.monotonic()
        self._changed = threading.Condition()
        self._newest: tuple[bytes, float] | None = None
        self._heard_s = time.monotonic()
        self._stopped = False
        self._number = 0
        self._size = SameSize()
        self._pace = ReadingPace()

    def put_picture(self, jpeg: bytes) -> bool:
        """Take one picture as the newest; False for what is no JPEG of a sensible size."""
        size = jpeg_size(jpeg)
        if size is None or min(size) < NARROWEST_PX or size[0] * size[1] > LIMITS.sent_px:
            return False
        if not LIMITS.takes(*size):
            return False
        with self._changed:
            self._newest = (jpeg, time.monotonic())
            self._sent_s = self._newest[1]
            self._changed.notify_all()
        return True

    @property
    def every_ms(self) -> int:
        """How often pictures are wanted."""
        return self._pace.every_ms

    def read(self) -> Frame | None:
        """The newest picture not yet given, (H, W, 3) uint8 BGR; waits for it.

        Raises:
            CameraTrouble: nothing came for `SILENCE_S`, or `interrupt` was called; call again to
            try anew.
        """
        self._pace.note_asked()
        while True:
            jpeg, at_s = self._next()
            frame = frame_of_jpeg(jpeg, jpeg_size(jpeg) or (0, 0), at_s - BEGAN_S, self._number)
            if frame is not None:
                self._number += 1
                self._pace.note_given()
                return self._size.resized(frame)

    def _next(self) -> tuple[bytes, float]:
        with self._changed:
            came = self._changed.wait_for(
                lambda: self._newest is not None or self._stopped, self._patience()
            )
            newest, self._newest = self._newest, None
            self.waiting = newest is None and (self.waiting or self._is_gone())
        if newest is None or self._stopped or not came:
            # asked again: a short wait is enough
            self._heard_s = time.monotonic() - self._silence_s + 0.5
            if self._gone is not None and not self._stopped and self._is_gone():
                self._gone()
            raise CameraTrouble(
                "no device sends pictures: open the camera page on a phone or tablet, or play on by touch"
            )
        self._heard_s = newest[1]
        return newest

    def _is_gone(self) -> bool:
        return time.monotonic() - self._sent_s > GONE_S

    def _patience(self) -> float:
        return max(0.1, self._heard_s + self._silence_s - time.monotonic())

    def wait_for_device(self) -> None:
        """Its device has left: what it sent last is not read any more, and the next one is waited for."""
        with self._changed:
            self.waiting, self._newest = True, None

    def interrupt(self) -> None:
        """Let a `read` that waits come back at once; this camera is not read any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def close(self) -> None:
        """Let go; twice is fine."""
        self.interrupt()


@dataclass(slots=True)
class _Holder:
    """The device that is the camera now."""

    key: str
    camera: PhoneCamera


class PhoneCameraLease:
    """Which device is the camera: one at a time, the last one that asked.  Thread-safe."""

    def __init__(
        self,
        begin: Callable[[PhoneCamera], None],
        waiting: PhoneCamera | None = None,
        back: Callable[[], None] | None = None,
    ) -> None:
        """`begin` lets a camera watch the table instead of the one before; `waiting` already does
        and has no device yet; `back` lets the table's own camera watch again, where there is one.
        """
        self._begin = begin
        self._back = back
        self._waiting = waiting
        self._lock = threading.Lock()
        self._holder: _Holder | None = None

    @property
    def holder_key(self) -> str | None:
        """The key of the device that is the camera, or None."""
        return self._holder.key if self._holder else None

    def take_over(self, key: str, name: str) -> None:
        """Make this device the camera; another one that was is told at its next picture."""
        with self._lock:
            if self._holder is not None and self._holder.key == key:
                return
            camera, self._waiting = self._waiting, None
            if camera is not None:
                camera.name = name
            else:
                camera = (
                    PhoneCamera(name, gone=lambda: self._gone(key))
                    if self._back is not None
                    else PhoneCamera(name)
                )
                self._begin(camera)
            self._holder = _Holder(key, camera)

    def hand_on_picture(self, key: str, jpeg: bytes) -> PhoneCamera | None:
        """Hand on a picture of the device that is the camera; None when it is not that device (any
        more).

        Raises:
            ValueError: this is no JPEG of a sensible size.
        """
        holder = self._holder
        if holder is None or holder.key != key:
            return None
        if not holder.camera.put_picture(jpeg):
            raise ValueError("no picture")
        return holder.camera

    def give_back(self, key: str) -> None:
        """This device is the camera no longer: the table's own one watches again, or what it was
        waits for the next."""
        with self._lock:
            if self._holder is None or self._holder.key != key:
                return
            left, self._holder = self._holder.camera, None
            if self._back is not None:
                self._back()
            else:
                left.wait_for_device()
                self._waiting = left

    def _gone(self, key: str) -> None:
        """As if it had left; in a thread of its own, because the one that noticed is about to be
        stopped."""
        threading.Thread(target=self.give_back, args=(key,), name="phone-gone", daemon=True).start()
