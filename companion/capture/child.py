"""What runs in the child process of a live camera: open it, publish every frame, end with a
sentence.

Knows one camera and one ring; imports as little as it can, because a process that is started again
must be quick.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
from collections.abc import Callable
from multiprocessing.connection import Connection

import cv2
import numpy as np

from calibration.cameras.jpeg_frame import JpegFrame
from calibration.cameras.port import Camera, Frame
from calibration.cameras.saturation import SATURATION
from calibration.cameras.webcam import Webcam
from companion.capture.ring import Ring
from companion.child_process import live_as_child

Opener = Callable[[str], Camera]

TORN_ROWS = 4
"""So many rows of one colour at the foot were never received, unless they are black bars or a
burnt-out cloth."""

BLACK_BAR_GREY = 8
"""As dark as this a black bar is, for coded black is not quite 0; chosen."""

MODE_EVERY = 15
"""Frames between two looks at what the camera granted: its frame rate and locks settle in the first
seconds."""


def capture(opener: Opener, source: str, ring: Ring, begin: Connection) -> None:
    """Once told to `begin`, publish the camera's frames until it ends, fails or the parent is gone.
    Prints nothing: the ring has the reason."""
    live_as_child()
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.dup2(
        os.open(os.devnull, os.O_WRONLY), 2
    )  # the JPEG decoder grumbles there about every damaged picture
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    begin.recv()
    ring.wake()
    try:
        _publish(opener(source), ring)
        ring.say("the camera gives no more pictures: check its cable, or play on by touch")
    except Exception as error:
        ring.say(str(error) or type(error).__name__)
    finally:
        with contextlib.suppress(Exception):
            os._exit(0)  # a driver that hangs in its own clean-up would keep the device for ever


def _publish(camera: Camera, ring: Ring) -> None:
    number = 0
    while (frame := _next_frame(camera, ring)) is not None:
        if _sent(frame, ring, number + 1):
            number += 1
        if number % MODE_EVERY == 0:
            ring.tell_mode(_mode_of(camera))


def _next_frame(camera: Camera, ring: Ring) -> Frame | None:
    if isinstance(camera, Webcam):
        camera.every_s = ring.every_s
    return camera.read()


def _sent(frame: Frame, ring: Ring, number: int) -> bool:
    """Whether this frame is a whole picture and went out; one that is still coded is decoded only
    where it looks torn."""
    if isinstance(frame, JpegFrame):
        torn = _torn(frame.small[-1:]) and _torn(frame.image)
        return not torn and ring.put_coded(frame.jpeg, frame.size_px, frame.small, number)
    image = frame.image
    whole = (
        image.ndim == 3
        and image.shape[2] == 3
        and image.dtype == "uint8"
        and image.size
        and not _torn(image)
    )
    return bool(whole) and ring.put_image(image, number)


def _torn(image: np.ndarray) -> bool:
    """True for the picture of a stream that broke off: what did not arrive is filled with one
    colour, down to the last row. No living picture has that; black bars and burnt-out cloths may.
    """
    tail = image[-TORN_ROWS:]
    filled = bool((tail == tail[0, 0]).all())
    return filled and not bool(
        (tail[0, 0] <= BLACK_BAR_GREY).all() or (tail[0, 0] >= SATURATION.cloth_grey).all()
    )


def _mode_of(camera: Camera) -> str:
    """The mode a webcam granted, as JSON; nothing for cameras that have none."""
    mode = getattr(camera, "mode", None)
    return (
        json.dumps(dataclasses.asdict(mode))
        if dataclasses.is_dataclass(mode) and not isinstance(mode, type)
        else ""
    )
