"""The motion gate: did anything in the picture change since the last look, and where?

Knows pictures and noise; knows nothing of tables, cards or millimetres. Works on the picture at an
eighth of its size, so that a still table costs well under a millisecond. A change of the whole
picture's brightness, a flickering lamp and sensor noise are no motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame.fitting import fast_median

Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the full picture, x1 and y1 excluded."""

SHRINK = 8
"""The picture is compared at an eighth of its size."""

LEAST_CHANGE_GREY = 5.0
"""Grey levels a cell must change at least. A marker of 2 px/module that moves 2 px changes 27 cells
by more than 8, sensor noise of 5 levels changes none by more than 5 (held by
tests/companion/vision/frame/test_motion_gate.py)."""

NOISE_FACTOR = 7.0
"""A change is so many times the usual change of a still cell; chosen."""

FEWEST_CHANGED_CELLS = 2
"""So many cells must have changed: one alone is a hot pixel or a JPEG block."""

LARGEST_BAND_GREY = 8.0
"""Rows may differ together by so many grey levels: mains flicker under a rolling shutter."""


@dataclass(frozen=True, slots=True)
class Motion:
    """What moved: `still`, the changed regions in px of the full picture, the small picture (h, w,
    3) uint8, the cells that changed (h, w) bool, and the noise of one cell in grey levels."""

    still: bool
    boxes_px: tuple[Box, ...]
    small: np.ndarray
    changed: np.ndarray
    noise: float
    brightness: float = 0.0
    """Log brightness of the whole picture against the first one: what a lamp changes, though
    nothing moves."""


def shrink(image_bgr: np.ndarray) -> np.ndarray:
    """The picture at an eighth of its size, (H // 8, W // 8, 3) uint8, each cell the mean of its
    pixels."""
    h, w = image_bgr.shape[:2]
    whole = image_bgr[: h // SHRINK * SHRINK, : w // SHRINK * SHRINK]
    if min(h, w) < SHRINK:
        return image_bgr[:1, :1].copy()
    half = cv2.resize(
        whole, (whole.shape[1] // 2, whole.shape[0] // 2), interpolation=cv2.INTER_AREA
    )
    return cv2.resize(half, (w // SHRINK, h // SHRINK), interpolation=cv2.INTER_AREA)


def gain_of(now: np.ndarray, before: np.ndarray) -> float:
    """How many times brighter the whole picture is."""
    sample = before[::4, ::4]
    bright = sample > 20
    return fast_median(now[::4, ::4][bright] / sample[bright]) if bright.any() else 1.0


def difference_of(now: np.ndarray, before: np.ndarray, gain: float) -> np.ndarray:
    """Grey levels that each cell changed by, after the common gain and the row bands are taken out."""
    change = now - before * gain
    few = change[:, ::8]
    middle = few.shape[1] // 2
    bands = np.partition(few, middle, axis=1)[:, middle]
    return change - np.clip(bands, -LARGEST_BAND_GREY, LARGEST_BAND_GREY)[:, None]


def noise_of(change: np.ndarray) -> float:
    """The usual change of a still cell, grey levels: the standard deviation told by the middle one."""
    return 1.48 * fast_median(np.abs(change[::3, ::3]))


def _boxes(changed: np.ndarray, shape: tuple[int, ...]) -> tuple[Box, ...]:
    grown = cv2.dilate(changed.astype(np.uint8), np.ones((5, 5), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
    rows = [stats[i] for i in range(1, count)]
    height, width = shape[:2]
    return tuple(
        (
            int(x) * SHRINK,
            int(y) * SHRINK,
            min(width, int(x + w) * SHRINK),
            min(height, int(y + h) * SHRINK),
        )
        for x, y, w, h, _ in rows
    )


class MotionGate:
    """Compares each picture with the one before and with the last one that had moved, so that
    creeping counts too."""

    def __init__(self) -> None:
        self._before: np.ndarray | None = None
        self._anchor: np.ndarray | None = None
        self._noise_grey = 1.0
        self._brightness = 0.0

    def detect_motion(self, image_bgr: np.ndarray) -> Motion:
        """What changed since the last call; the first picture, and one of another size, has moved
        everywhere."""
        return self.detect_motion_in_small(shrink(image_bgr), image_bgr.shape)

    def detect_motion_in_small(self, small: np.ndarray, shape: tuple[int, ...]) -> Motion:
        """The same for a picture of `shape` (H, W, ...) that was shrunk already, (H // 8, W // 8,
        3) uint8."""
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        before, self._before = self._before, grey
        if before is None or self._anchor is None or before.shape != grey.shape:
            self._anchor = grey
            self._brightness = 0.0
            everywhere = np.ones(grey.shape, dtype=bool)
            return Motion(False, ((0, 0, shape[1], shape[0]),), small, everywhere, self._noise_grey)
        return self._compare(shape, small, grey, before, self._anchor)

    def _compare(
        self,
        shape: tuple[int, ...],
        small: np.ndarray,
        grey: np.ndarray,
        before: np.ndarray,
        anchor: np.ndarray,
    ) -> Motion:
        gain = gain_of(grey, before)
        step = difference_of(grey, before, gain)
        self._brightness += float(np.log(min(max(gain, 0.05), 20.0)))
        self._noise_grey = 0.8 * self._noise_grey + 0.2 * min(noise_of(step), 4.0)
        limit = max(LEAST_CHANGE_GREY, NOISE_FACTOR * self._noise_grey)
        changed = (np.abs(step) > limit) | (
            np.abs(difference_of(grey, anchor, gain_of(grey, anchor))) > limit
        )
        still = int(np.count_nonzero(changed)) < FEWEST_CHANGED_CELLS
        if not still:
            self._anchor = grey
        return Motion(
            still,
            () if still else _boxes(changed, shape),
            small,
            changed,
            self._noise_grey,
            self._brightness,
        )
