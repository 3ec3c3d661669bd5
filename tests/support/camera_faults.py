"""Cameras with faults, importable by a capturing child process, for the capture tests.

The source is a folder: `mode` says what the camera does just now, and each opening leaves a line in
`opened`. A `picture.npy` is what it shows, with a sensor's noise, else all is noise; a `number` is the
one it has just now among this machine's cameras, by which it is then looked for.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from calibration.cameras import webcam
from calibration.cameras.port import Frame
from calibration.errors import CameraStopped

FRAME_S = 0.04
TABLE_FRAME_S = 0.12
"""Of a whole picture less often: somebody reads it."""

NAME = "Test camera"


class FaultyCamera:
    """Gives noisy little pictures whose top-left pixel counts the openings, as long as its mode is
    `well`."""

    name = "faulty"

    def __init__(self, folder: str) -> None:
        """Open, unless the mode forbids it."""
        self._folder = Path(folder)
        self._rng = np.random.default_rng(os.getpid())
        with (self._folder / "opened").open("a", encoding="ascii") as file:
            file.write(f"{os.getpid()}\n")
        self._number = 0
        self._last: np.ndarray | None = None
        shown = self._folder / "picture.npy"
        self._shown = np.load(shown) if shown.exists() else None
        if self._mode == "unplugged":
            raise CameraStopped("camera 3 does not open: close programs that use it")

    @property
    def _mode(self) -> str:
        return (self._folder / "mode").read_text(encoding="ascii").strip()

    def read(self) -> Frame | None:
        """The next picture, or the fault of the moment."""
        frame_s = FRAME_S if self._shown is None else TABLE_FRAME_S
        time.sleep(frame_s)
        self._number += 1
        return Frame(self._picture(self._mode), self._number * frame_s, self._number)

    def _picture(self, mode: str) -> np.ndarray:
        if mode == "block":
            time.sleep(3600)
        if mode in ("crash", "unplugged"):
            os._exit(9) if mode == "crash" else self._fail()
        if mode == "black":
            return self._rng.integers(0, 5, (48, 64, 3), np.uint8)
        if mode == "odd":
            return np.zeros((0, 0, 3), np.uint8)
        if mode == "stuck":  # however often it is opened
            return np.random.default_rng(7).integers(40, 200, (48, 64, 3), np.uint8)
        if mode != "frozen" or self._last is None:
            self._last = self._living()
        return self._last

    def _living(self) -> np.ndarray:
        if self._shown is None:
            return self._rng.integers(40, 200, (48, 64, 3), np.uint8)
        picture = self._shown.copy()
        picture[::4] ^= self._rng.integers(0, 2, picture[::4].shape, np.uint8)
        return picture

    def _fail(self) -> None:
        raise CameraStopped("camera 3 gives no pictures any more: check its cable")

    def close(self) -> None:
        """Nothing to let go of."""


def switch(folder: Path, mode: str) -> None:
    """Let the camera of this folder do something else, all at once."""
    (folder / "mode.new").write_text(mode, encoding="ascii")
    (folder / "mode.new").replace(folder / "mode")


def open_faulty(folder: str) -> FaultyCamera:
    """The camera whose faults stand in this folder. Raises CameraStopped where it is not found."""
    number = Path(folder) / "number"
    if number.exists():
        there = int(number.read_text(encoding="ascii"))
        others = [webcam.CameraName(n, f"Another camera {n}") for n in range(4) if n != there]
        webcam.list_cameras = lambda: [*others, webcam.CameraName(there, NAME)]
        if webcam._number_of(NAME.lower()) != there:
            raise CameraStopped(f"camera {there} is another one")
    return FaultyCamera(folder)
