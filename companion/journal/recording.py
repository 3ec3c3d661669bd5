"""A recorded evening: a folder with `glimpses.jsonl` (one line a frame), as `companion play --record
DIR` writes it, and as `replay`, `score` and `fit` read it again.

What is recorded has been behind the curtain: only a `Glimpse` can be, never what the eye has read.
Knows the disk and the line of a glimpse; must not know what a recording is for.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadInput
from companion.table.glimpse_json import glimpse_from_dict, glimpse_to_dict
from companion.table.sighting import Glimpse

LINES = "glimpses.jsonl"


class Recorder:
    """Writes glimpses as they come; pictures too when asked, as JPEG beside them."""

    def __init__(self, folder: Path, pictures: bool = False) -> None:
        """Begin a new recording in `folder`.

        Raises:
            BadInput: it cannot be written, or it holds a recording already.
        """
        if folder.exists() and not folder.is_dir():
            raise BadInput(f"{folder} is a file: choose a folder with --record")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / LINES).open("x", encoding="utf-8", buffering=1)
        except FileExistsError as error:
            raise BadInput(
                f"{folder} holds a recording already: choose another folder with --record"
            ) from error
        except OSError as error:
            raise BadInput(
                f"{folder} cannot be written ({error.strerror}): choose another folder with --record"
            ) from error
        self._folder = folder
        self._pictures = pictures
        self._count = 0

    def record_glimpse(self, glimpse: Glimpse, image: np.ndarray | None) -> None:
        """Keep one glimpse, and its picture (None while cards are looked at in secret) when
        pictures were asked for.

        A full disk ends the recording, not the evening.
        """
        if self._file.closed:
            return
        try:
            self._file.write(json.dumps(glimpse_to_dict(glimpse), separators=(",", ":")) + "\n")
            self._count += 1
            if self._pictures and image is not None:
                self._keep_picture(image)
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.close()
            print(
                f"the recording in {self._folder} ends here ({error.strerror or error}); the evening goes on",
                file=sys.stderr,
            )

    def _keep_picture(self, image: np.ndarray) -> None:
        done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 85])
        if done:
            (self._folder / f"{self._count:07d}.jpg").write_bytes(data.tobytes())

    def close(self) -> None:
        """Close the file; what was recorded stays."""
        with contextlib.suppress(OSError):
            self._file.close()


def read_recording(path: str | Path) -> Iterator[Glimpse]:
    """The glimpses of a recording, in order; a half-written last line (the power went) is left out.

    Raises:
        BadInput: there is no such recording, or a line in it is damaged.
    """
    source = Path(path)
    source = source / LINES if source.is_dir() else source
    try:
        with source.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.endswith("\n"):
                    yield _read_line(line, number, source)
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{source} is no recording: give the folder that `companion play --record` wrote"
        ) from error


def _read_line(line: str, number: int, source: Path) -> Glimpse:
    try:
        return glimpse_from_dict(json.loads(line))
    except (ValueError, TypeError, RecursionError) as error:
        raise BadInput(
            f"line {number} of {source} is damaged ({error}): remove it and try again"
        ) from error
