"""What is made of printed images before they are photographed: linear light at the sizes in use,
and soft shadows.

Knows images and millimetres; knows no camera and no table.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

PAPER_GAMMA = 2.2
"""Printed colours are taken as sRGB with a plain power of 2.2; its error is below one grey level
above level 20."""

SHADOW_PX_PER_MM = 0.7

PRINTS = 160
"""Reduced prints and shadows kept: some forty sheets lie or move at once, each at two or three
sizes and heights. A whole deck's would be two gigabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """What was made of an image, which is kept beside it, so that its id stays its own."""

    image: np.ndarray
    made: np.ndarray


@dataclass(slots=True)
class Prints:
    """The sheets' images in linear light at the sizes in use, so that no print is reduced twice."""

    _held: OrderedDict[tuple[object, ...], _Kept] = field(default_factory=OrderedDict)

    def at_scale(self, image: np.ndarray, shrink: float) -> np.ndarray:
        """`image` as premultiplied linear BGRA (h, w, 4) float32, reduced by area to about `shrink`
        times its size."""
        step = min(0, int(np.floor(4 * np.log2(max(shrink, 1e-3)) + 0.5)))
        return self._kept(image, (step,), lambda: _reduced(_linear(image), 2.0 ** (step / 4)))

    def shadow(
        self, image: np.ndarray, width_mm: float, depth_mm: float, height_mm: float
    ) -> tuple[np.ndarray, float]:
        """The shadow (h, w) float32 at `SHADOW_PX_PER_MM` of a sheet held `height_mm` above the
        table, and the margin in mm that it needs round the sheet."""
        spread_mm = 0.9 + 0.22 * height_mm
        margin_mm = 3 * spread_mm
        what = (width_mm, round(spread_mm, 1))
        return self._kept(
            image, what, lambda: _soft_mask(image, (width_mm, depth_mm), spread_mm, margin_mm)
        ), margin_mm

    def _kept(
        self, image: np.ndarray, what: tuple[object, ...], make: Callable[[], np.ndarray]
    ) -> np.ndarray:
        """What was made of `image` before, or now; the longest unused is let go."""
        key = (id(image), *what)
        if key not in self._held:
            self._held[key] = _Kept(image, make())
        self._held.move_to_end(key)
        while len(self._held) > PRINTS:
            self._held.popitem(last=False)
        return self._held[key].made


def _linear(image: np.ndarray) -> np.ndarray:
    curve = ((np.arange(256) / 255) ** PAPER_GAMMA).astype(np.float32)
    light = cv2.LUT(np.ascontiguousarray(image[..., :3]), curve)
    if image.shape[2] == 3:
        return np.dstack([light, np.ones(image.shape[:2], np.float32)])
    alpha = image[..., 3:].astype(np.float32) / 255
    return np.dstack([light * alpha, alpha])


def _reduced(image: np.ndarray, factor: float) -> np.ndarray:
    if factor >= 1:
        return image
    size = max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA)


def _soft_mask(
    image: np.ndarray, size_mm: tuple[float, float], spread_mm: float, margin_mm: float
) -> np.ndarray:
    scale = SHADOW_PX_PER_MM
    size = max(2, round(size_mm[0] * scale)), max(2, round(size_mm[1] * scale))
    solid = image[..., 3] if image.shape[2] == 4 else np.full(image.shape[:2], 255, np.uint8)
    small = cv2.resize(solid, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    pad = round(margin_mm * scale)
    return cv2.GaussianBlur(
        cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT),
        (0, 0),
        spread_mm * scale,
    )
