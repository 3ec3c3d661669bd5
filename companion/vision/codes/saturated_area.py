"""Where a lamp's reflection burns out part of the flat picture, and that part with its contrast
made even.

Knows flat pictures (see `flat`), no words. Used by `localise` for a second search: under a
reflection a code keeps its shape but loses contrast towards the lamp, so that nothing of it stands
out until the contrast is made even.
"""

from __future__ import annotations

import cv2
import numpy as np

BURNT = 235
"""Grey from which white can hardly grow whiter. Of glared codes that the decoder can read 98 % have
such a patch within REACH modules; of 74 glared codes that the plain search lost, the even one found
46 (seeds 3000-3011)."""

COARSE = 8
"""The burnt parts are looked for in a picture so many times smaller."""

PART = 0.1
"""Share of a coarse pixel that must be burnt."""

REACH = 14.0
"""Modules from a burnt part in which a code's middle may lie."""

LIGHT = 17.0
"""Modules of the window by which light and contrast are measured: most of a code."""

FLOOR = 12.0
"""Grey levels of contrast that are never amplified further: noise and paper."""

STRENGTH = 45.0
"""Contrast of the even picture, as a code in plain light has it."""

MOST = 0.12
"""Share of the flat picture that is searched a second time at most, small parts first: a lamp burns
a patch, not a table."""


def parts(laid: np.ndarray, pitch: float) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom) flat px in which codes may lie under a reflection; `laid`
    (H, W) uint8."""
    burnt = cv2.threshold(laid, BURNT - 1, 255, cv2.THRESH_BINARY)[1]
    small = cv2.resize(burnt, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
    near = cv2.threshold(small, PART * 255, 1, cv2.THRESH_BINARY)[1]
    if not near.any():
        return []
    side = 2 * round(REACH * pitch / COARSE) + 1
    near = cv2.dilate(near, np.ones((side, side), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    left = MOST * near.size
    boxes = []
    for x, y, width, height, _ in sorted(stats[1:].tolist(), key=lambda box: box[2] * box[3]):
        left -= width * height
        if left < 0:
            break
        boxes.append((x * COARSE, y * COARSE, (x + width) * COARSE, (y + height) * COARSE))
    return boxes


def evened(smooth: np.ndarray, pitch: float) -> np.ndarray:
    """A piece of the blurred flat picture ((H, W) uint8) with light and contrast made even, same
    shape and type."""
    window = (2 * round(LIGHT * pitch / 2) + 1,) * 2
    detail = smooth.astype(np.float32)
    detail -= cv2.blur(detail, window)
    contrast = cv2.blur(detail * detail, window)
    evened: np.ndarray = np.clip(
        128 + detail * (STRENGTH / np.sqrt(contrast + FLOOR**2)), 0, 255
    ).astype(np.uint8)
    return evened
