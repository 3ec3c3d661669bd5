"""Webcams and network cameras as frames, in their best mode, with the mode they really granted.

Knows camera drivers through OpenCV; must not know tables or the game. Reading may block for as long
as a driver likes: whoever cannot wait reads in a process of its own.
"""

from __future__ import annotations

import contextlib
import os
import platform
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from calibration.cameras.auto_controls import ControlLock
from calibration.cameras.device import DeviceReader
from calibration.cameras.jpeg_frame import JpegFrame
from calibration.cameras.mains_frequency import set_mains, usual_hz
from calibration.cameras.network import open_jpegs
from calibration.cameras.picture_file import LIMITS
from calibration.cameras.port import Frame
from calibration.cameras.slower import EARLY_SHARE
from calibration.errors import CameraStopped

MODES = ((1920, 1080), (1280, 720))
"""Modes asked for, the best first. 4K costs twice the work, and webcams that offer it are seldom
sharper."""

MISSES = 30
"""Empty reads in a row (a driver that wakes up gives some) before a camera counts as stopped."""

SLOWEST_FPS = 8.0
"""A mode that really gives fewer frames a second is not the best one: cards are taken within a
second."""
_TIMED_FRAMES = 6

STREAM_FORMATS = (
    *("rtsp", "sdp", "rtp", "mpegts", "mpeg", "h264", "hevc", "mpegvideo", "m4v", "mjpeg", "mpjpeg"),
    *("image2pipe", "jpeg_pipe", "mov", "mp4", "matroska", "webm", "flv", "live_flv", "asf", "avi", "ogg"),
)  # fmt: skip
"""What a network camera may send, by FFmpeg's names of its demuxers. A playlist (HLS, DASH, concat) is
none of it: its films would be fetched from wherever it says."""


@dataclass(frozen=True, slots=True)
class CameraName:
    """A camera of this machine: the number it opens by, and its maker's name."""

    number: int
    name: str

    def __str__(self) -> str:
        return f"{self.number}  {self.name}"


@dataclass(frozen=True, slots=True)
class Mode:
    """What a camera granted: size, frames a second as they really come (0 while that is not known),
    pixel format, what could be locked, and the mains' frequency it was told (0: it takes none)."""

    width_px: int
    height_px: int
    fps: float
    fourcc: str
    locked: tuple[str, ...] = ()
    mains_hz: int = 0


def list_cameras() -> list[CameraName]:
    """The cameras of this machine, lowest number first; empty when there are none."""
    if platform.system() == "Linux":
        return _linux_cameras()
    with contextlib.suppress(ImportError):
        from cv2_enumerate_cameras import enumerate_cameras

        return [CameraName(c.index, c.name) for c in enumerate_cameras(_backend())]
    return [CameraName(number, f"camera {number}") for number in range(2) if _opens(number)]


def open_webcam(source: str) -> Webcam:
    """The webcam of this number or name, in its best mode.

    Raises:
        CameraStopped: there is no such camera, or it gives no picture.
    """
    return Webcam(source)


def open_stream(url: str) -> Webcam:
    """The network camera at this address (http, https, rtsp).

    Raises:
        CameraStopped: it does not answer or gives no picture.
    """
    return Webcam(url)


class Webcam:
    """One open camera; frames are timed from when it was opened."""

    def __init__(self, source: str | int) -> None:
        """Open a camera by number, by (part of) its name, or by address. Raises CameraStopped as
        `open_webcam` tells."""
        text = str(source)
        is_address = "://" in text
        self.name = _without_secret(text) if is_address else _named(text)
        self._device = _opened_stream(text) if is_address else _opened(_number_of(text))
        self._webcam_number = None if is_address else _number_of(text)
        self._began_s = time.monotonic()
        self._number = 0
        self._locked: tuple[str, ...] = ()
        self._control_lock = ControlLock()
        self._times: list[tuple[int, float]] = []
        self._next_due_s = 0.0
        self.every_s = 0.0
        """At most one picture in so many seconds is given, once the camera has settled; the others
        are let go undecoded."""
        self._pictures = DeviceReader(self._device, self._webcam_number is not None)
        self._mains_hz = (
            set_mains(self._webcam_number, usual_hz()) if self._webcam_number is not None else 0
        )
        try:
            self.read()
            self._speed_up()
        except CameraStopped:
            self.close()
            advice = (
                "look whether its app shows one"
                if is_address
                else "close other programs that use it, plug it in again"
            )
            raise CameraStopped(f"{self.name} opens but gives no picture: {advice}") from None

    def _speed_up(self) -> None:
        """Take the next smaller mode when the best one turns out to be slow (raw pictures over a
        slow cable)."""
        if self._webcam_number is None:
            return
        for _ in range(_TIMED_FRAMES):
            self.read()
        if 0 < self.mode.fps < SLOWEST_FPS and self.mode.width_px > MODES[-1][0]:
            self._device.set(cv2.CAP_PROP_FRAME_WIDTH, MODES[-1][0])
            self._device.set(cv2.CAP_PROP_FRAME_HEIGHT, MODES[-1][1])
            self._times = []

    @property
    def mode(self) -> Mode:
        """The mode the camera granted, read back."""
        get = self._device.get
        code = int(get(cv2.CAP_PROP_FOURCC))
        fourcc = "".join(chr((code >> 8 * i) & 0xFF) for i in range(4)) if code > 0 else ""
        return Mode(
            int(get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(get(cv2.CAP_PROP_FRAME_HEIGHT)),
            self._real_fps,
            fourcc,
            self._locked,
            self._mains_hz,
        )

    @property
    def _real_fps(self) -> float:
        """Frames a second as they came; what drivers say is what they were asked for."""
        if len(self._times) < 3:
            return 0.0
        (first, began_s), (last, ended_s) = self._times[0], self._times[-1]
        return round((last - first) / (ended_s - began_s), 1) if ended_s > began_s else 0.0

    def read(self) -> Frame:
        """The next picture; waits for it.

        Raises:
            CameraStopped: the camera gives no more pictures.
        """
        for _ in range(MISSES):
            due_s = self._next_due_s if self._control_lock.at_rest else 0.0
            frame = self._pictures.next_frame(self._began_s, self._number, due_s)
            if frame is not None:
                self._number += 1
                self._next_due_s = time.monotonic() + self.every_s * (1 - EARLY_SHARE)
                came = self._number + self._pictures.let_go
                self._times = [*self._times[-29:], (came, frame.t_s)]
                sample = frame.small if isinstance(frame, JpegFrame) else frame.image[::16, ::16]
                self._set_controls(
                    self._control_lock.after_picture(float(sample.mean()), frame.t_s)
                )
                return frame
            time.sleep(0.03)
        raise CameraStopped(
            f"{self.name} gives no pictures any more: check its cable, or choose another camera"
        )

    def settle_and_lock(self) -> Mode:
        """Read until exposure, focus and white balance have settled and are locked (6 s at most);
        the mode read back.

        A webcam that is simply read locks itself in the same way, and lets go when the room's light
        has changed."""
        while not self._control_lock.locked:
            self.read()
        return self.mode

    def _set_controls(self, what: str) -> None:
        if what in ("lock", "free"):
            self._set_locks(what == "lock")
        elif what == "mains" and self._webcam_number is not None and self._mains_hz:
            self._mains_hz = set_mains(self._webcam_number, 110 - self._mains_hz)

    def _set_locks(self, lock: bool) -> None:
        """Lock what the camera lets lock, or let everything adjust itself again."""
        linux = platform.system() == "Linux"
        by_hand, by_itself = (1.0, 3.0) if linux else (0.25, 0.75)
        wanted = {
            "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0, 1.0),
            "white balance": (cv2.CAP_PROP_AUTO_WB, 0.0, 1.0),
            "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, by_hand, by_itself),
        }
        if self._webcam_number is None:  # a network camera takes no orders
            return
        taken = tuple(
            name
            for name, (prop, shut, free) in wanted.items()
            if self._device.set(prop, shut if lock else free)
            and self._device.get(prop) == (shut if lock else free)
        )
        self._locked = taken if lock else ()

    def close(self) -> None:
        """Let go of the camera; twice is fine."""
        self._device.release()


def _backend() -> int:
    return {"Linux": cv2.CAP_V4L2, "Darwin": cv2.CAP_AVFOUNDATION, "Windows": cv2.CAP_MSMF}.get(
        platform.system(), cv2.CAP_ANY
    )


def _opened(number: int) -> Any:
    """The device in its best mode: pixel format before size, else drivers fall back to raw pictures
    at 5 a second."""
    device = _quietly(number, _backend())
    if not device.isOpened():
        device.release()
        is_missing = platform.system() == "Linux" and not Path(f"/dev/video{number}").exists()
        raise CameraStopped(
            f"there is no camera {number}: `companion doctor` lists the cameras"
            if is_missing
            else f"camera {number} does not open: close programs that use it; `companion doctor` lists the cameras"
        )
    device.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
    for width, height in MODES:
        device.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        if int(device.get(cv2.CAP_PROP_FRAME_WIDTH)) >= width:
            break
    device.set(cv2.CAP_PROP_FPS, 30)
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return device


def _quietly(source: str | int, backend: int) -> Any:
    """The device, open or not; what is wrong with it is said in our own words."""
    loud = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        return cv2.VideoCapture(source, backend)
    finally:
        cv2.utils.logging.setLogLevel(loud)


def _opened_stream(url: str) -> Any:
    jpegs = open_jpegs(url) if url.partition("://")[0].lower() in ("http", "https") else None
    if jpegs is not None:
        return jpegs
    os.environ.setdefault(
        "OPENCV_FFMPEG_CAPTURE_OPTIONS",
        f"rtsp_transport;tcp|format_whitelist;{','.join(STREAM_FORMATS)}",
    )
    device = _quietly(url, cv2.CAP_FFMPEG)
    if not device.isOpened():
        device.release()
        raise CameraStopped(
            f"the camera at {_without_secret(url)} does not answer: check its address and the network"
        )
    width, height = (
        int(device.get(prop)) for prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
    )
    if width * height > LIMITS.streamed_px:
        device.release()
        raise CameraStopped(
            f"the camera at {_without_secret(url)} sends {width} x {height} pixels: "
            "choose at most 3840 x 2160 in its settings"
        )
    device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return device


def _without_secret(url: str) -> str:
    """The address without a name and password in it."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"


def _linux_cameras() -> list[CameraName]:
    found = []
    for folder in sorted(
        Path("/sys/class/video4linux").glob("video*"), key=lambda p: int(p.name[5:] or 0)
    ):
        with contextlib.suppress(OSError, ValueError):
            # A webcam shows several nodes; the first gives pictures, the others only data about
            # them.
            if int((folder / "index").read_text()) == 0:
                found.append(
                    CameraName(int(folder.name[5:]), (folder / "name").read_text().strip())
                )
    return found


def _opens(number: int) -> bool:
    device = _quietly(number, _backend())
    ok = bool(device.isOpened())
    device.release()
    return ok


def _number_of(text: str) -> int:
    if text.isdigit():
        return int(text)
    match = next((c for c in list_cameras() if text.casefold() in c.name.casefold()), None)
    if match is None:
        raise CameraStopped(
            f"there is no camera called {text!r}: `companion doctor` lists the cameras"
        )
    return match.number


def _named(text: str) -> str:
    match = next((c for c in list_cameras() if str(c.number) == text), None)
    return match.name if match else text if not text.isdigit() else f"camera {text}"
