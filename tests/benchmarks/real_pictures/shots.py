"""Photographs and frames of films under a folder, grey."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

PICTURES = {".png", ".jpg", ".jpeg", ".bmp"}
FILMS = {".mp4", ".avi", ".mjpeg", ".mov"}
LARGEST_PX = 2000
"""Larger photographs are made smaller: no camera of ours has more across, but 4K ones."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A photograph or a frame of a film: where it came from, and its grey picture (H, W) uint8."""

    name: str
    folder: str
    grey: np.ndarray


def shots(folder: Path, every: int) -> Iterator[Shot]:
    """All photographs under `folder`, and each `every`-th frame of the films."""
    for path in sorted(folder.rglob("*")):
        kind = path.suffix.lower()
        inside = path.relative_to(folder).as_posix()
        if kind in PICTURES:
            grey = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
            if grey is not None:
                yield Shot(inside, inside, _of_usual_size(grey))
        elif kind in FILMS:
            film, number = cv2.VideoCapture(str(path)), 0
            while True:
                there, image = film.read()
                if not there:
                    break
                if number % every == 0:
                    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
                    yield Shot(f"{inside}#{number}", inside, _of_usual_size(grey))
                number += 1


def _of_usual_size(grey: np.ndarray) -> np.ndarray:
    shrink = LARGEST_PX / max(grey.shape)
    return resized(grey, shrink) if shrink < 1 else grey


def resized(grey: np.ndarray, scale: float) -> np.ndarray:
    if scale == 1:
        return grey
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return cv2.resize(grey, None, fx=scale, fy=scale, interpolation=way)
