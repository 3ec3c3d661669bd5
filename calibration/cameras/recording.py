"""Recorded footage and single pictures as frames: a film, a folder of pictures, one picture.

Knows films and folders; trusts none of them: a film that promises frames of gigabytes is refused.
"""

from __future__ import annotations

import os

os.environ.setdefault(
    "OPENCV_FFMPEG_LOGLEVEL", "-8"
)  # what is wrong with a film is said in our own words

from pathlib import Path

import cv2
import numpy as np

from calibration.cameras.picture_file import LIMITS, PICTURES, read_image
from calibration.cameras.port import Frame
from calibration.errors import BadPicture

FALLBACK_FPS = 10.0
"""For folders of pictures and films that do not tell their own time."""


class Recording:
    """Footage as a camera: `read` gives its frames in order, timed by the file's own clock."""

    def __init__(self, path: str | Path) -> None:
        """Open a film, a folder of pictures (in name order, 10 a second) or one picture.

        Raises:
            BadPicture: there is nothing there that can be read.
        """
        self.name = Path(path).name
        self._path = Path(path)
        self._number = 0
        self._last_s = -1.0
        self._pictures: list[Path] = []
        self._film: cv2.VideoCapture | None = None
        self.frames: int | None = None
        self.length_s: float | None = None
        """How long a film says that it is; None where it does not."""
        if not self._path.exists():
            raise BadPicture(f"{path} does not exist: check the file's name")
        if not self._path.is_dir() and not self._path.is_file():
            raise BadPicture(f"{path} is no file: give a film, a folder of pictures or one picture")
        if self._path.is_dir():
            self._open_folder()
        elif self._path.suffix.lower() in PICTURES:
            self._pictures = [self._path]
            self.frames = 1
        else:
            self._open_film()

    def _open_folder(self) -> None:
        self._pictures = sorted(p for p in self._path.iterdir() if p.suffix.lower() in PICTURES)
        self.frames = len(self._pictures)
        if not self._pictures:
            raise BadPicture(
                f"the folder {self._path} holds no .jpg or .png pictures: give another one"
            )

    def _open_film(self) -> None:
        loud = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
        film = cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        cv2.utils.logging.setLogLevel(loud)
        if not film.isOpened():
            raise BadPicture(
                f"{self._path} cannot be opened as a film: give a file that a video player shows"
            )
        self._refuse_large(
            int(film.get(cv2.CAP_PROP_FRAME_WIDTH)), int(film.get(cv2.CAP_PROP_FRAME_HEIGHT))
        )
        count = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
        self._film = film
        self.frames = count if count > 0 else None
        fps = film.get(cv2.CAP_PROP_FPS)
        self.length_s = count / fps if count > 0 and fps > 0 else None
        self._fps = fps if 0.1 < fps < 1000 else FALLBACK_FPS

    def _refuse_large(self, width: int, height: int) -> None:
        if width * height > LIMITS.filmed_px:
            raise BadPicture(
                f"{self._path} has frames of {width} x {height} pixels: give a film of at most 8192 x 4608"
            )

    def read(self) -> Frame | None:
        """The next frame, or None at the end; damaged pictures of a folder are passed over.

        Raises:
            BadPicture: the only picture is damaged, or a frame is larger than any camera's.
        """
        if self._film is None:
            return self._next_picture()
        ok, image = self._film.read()
        if not ok or image is None:
            return None
        self._refuse_large(image.shape[1], image.shape[0])
        return self._timed(image, self._film.get(cv2.CAP_PROP_POS_MSEC) / 1000.0, 1.0 / self._fps)

    @property
    def read_s(self) -> float:
        """The time of the last frame that was given; below 0 before the first."""
        return self._last_s

    @property
    def frames_read(self) -> int:
        """How many of `frames` have been given or passed over."""
        return self._number

    def _next_picture(self) -> Frame | None:
        while self._number < len(self._pictures):
            path = self._pictures[self._number]
            try:
                return self._timed(
                    read_image(path), self._number / FALLBACK_FPS, 1.0 / FALLBACK_FPS
                )
            except BadPicture:
                if len(self._pictures) == 1:
                    raise
                self._number += 1
        return None

    def _timed(self, image: np.ndarray, told_s: float, step_s: float) -> Frame:
        """The frame at the file's own time; where that stands still or jumps back, one step after
        the last."""
        sound = np.isfinite(told_s) and told_s > self._last_s
        t_s = float(told_s) if sound else self._last_s + step_s
        if self._number == 0:
            t_s = max(0.0, float(told_s)) if np.isfinite(told_s) else 0.0
        frame = Frame(image, t_s, self._number)
        self._last_s = t_s
        self._number += 1
        return frame

    def close(self) -> None:
        """Let go of the file."""
        if self._film is not None:
            self._film.release()
