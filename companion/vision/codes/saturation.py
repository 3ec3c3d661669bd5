"""Codes under a lamp's reflection: where light saturates the picture, and that part equalised.

Where the light saturates, white cannot grow whiter: the modules of a code stay in place but their
contrast fades towards the lamp. Equalised, what faded counts like the rest, and what is gone counts
for nothing. Knows the rectified picture and patches; knows no words.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATION
from companion.vision.codes.word_templates import PATCH_SAMPLES, PATCH_SIDE, SAMPLE_CENTRES

AREA_SHRINK = 8
"""The saturated areas are looked for in a picture so many times smaller."""

AREA_SHARE = 0.1
"""Share of a shrunk pixel that must be saturated."""

AREA_REACH_MODULES = 14.0
"""From a saturated area, in which a code's middle may lie."""

AREA_WINDOW_MODULES = 17.0
"""The window by which light and contrast are measured: most of a code."""

AREA_LEAST_CONTRAST_GREY = 12.0
"""Contrast that is never amplified further: noise and paper."""

AREA_CONTRAST_GREY = 45.0
"""Contrast of the equalised picture, as a code in plain light has it."""

SEARCHED_AGAIN_SHARE = 0.12
"""Share of the rectified picture that is searched a second time at most, small areas first: a lamp
saturates a patch, not a table."""

PARTLY_SATURATED_SHARE = 0.03
"""A patch with so large a share of saturated samples is worth a second look, equalised."""

PATCH_WINDOW_MODULES = 2.5
"""Round a sample, by whose light and contrast it is measured."""

PATCH_LEAST_CONTRAST_SHARE = 0.1
"""Share of a patch's strong contrast that is never amplified further: there is noise but no code.
"""

_ROWS = np.exp(
    -0.5 * ((SAMPLE_CENTRES[:, None] - SAMPLE_CENTRES[None, :]) / PATCH_WINDOW_MODULES) ** 2
)
_NEAR = (_ROWS / _ROWS.sum(axis=1, keepdims=True)).astype(np.float32)


def saturated_boxes(laid: np.ndarray, pitch: float) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom) rectified px in which codes may lie under a reflection;
    `laid` (H, W) uint8."""
    saturated = cv2.threshold(laid, SATURATION.searched_grey - 1, 255, cv2.THRESH_BINARY)[1]
    small = cv2.resize(
        saturated, None, fx=1 / AREA_SHRINK, fy=1 / AREA_SHRINK, interpolation=cv2.INTER_AREA
    )
    near = cv2.threshold(small, AREA_SHARE * 255, 1, cv2.THRESH_BINARY)[1]
    if not near.any():
        return []
    side = 2 * round(AREA_REACH_MODULES * pitch / AREA_SHRINK) + 1
    near = cv2.dilate(near, np.ones((side, side), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(near)
    left = SEARCHED_AGAIN_SHARE * near.size
    boxes = []
    for x, y, width, height, _ in sorted(stats[1:].tolist(), key=lambda box: box[2] * box[3]):
        left -= width * height
        if left < 0:
            break
        boxes.append(
            (
                x * AREA_SHRINK,
                y * AREA_SHRINK,
                (x + width) * AREA_SHRINK,
                (y + height) * AREA_SHRINK,
            )
        )
    return boxes


def equalised_picture(smooth: np.ndarray, pitch: float) -> np.ndarray:
    """A piece of the blurred rectified picture ((H, W) uint8) with light and contrast equalised,
    same shape and type."""
    window = (2 * round(AREA_WINDOW_MODULES * pitch / 2) + 1,) * 2
    detail = smooth.astype(np.float32)
    detail -= cv2.blur(detail, window)
    contrast = cv2.blur(detail * detail, window)
    return np.asarray(
        np.clip(
            128 + detail * (AREA_CONTRAST_GREY / np.sqrt(contrast + AREA_LEAST_CONTRAST_GREY**2)),
            0,
            255,
        ).astype(np.uint8)
    )


def partly_saturated(patches: np.ndarray) -> np.ndarray:
    """Which patches (M, PATCH_SAMPLES) are partly saturated, (M,) bool."""
    return np.asarray(
        (patches >= SATURATION.code_sample_light).mean(axis=1) > PARTLY_SATURATED_SHARE
    )


def equalised_patches(patches: np.ndarray) -> np.ndarray:
    """The patches (M, PATCH_SAMPLES) float32 with the light and contrast round each sample taken
    out."""
    light = patches.reshape(-1, PATCH_SIDE, PATCH_SIDE)
    detail = light - _NEAR @ light @ _NEAR.T
    contrast = np.maximum(_NEAR @ (detail * detail) @ _NEAR.T, 0).reshape(-1, PATCH_SAMPLES)
    strong = np.partition(contrast, PATCH_SAMPLES * 4 // 5, axis=1)[:, PATCH_SAMPLES * 4 // 5, None]
    return np.asarray(
        100
        * detail.reshape(-1, PATCH_SAMPLES)
        / np.sqrt(contrast + PATCH_LEAST_CONTRAST_SHARE**2 * strong + 1)
    )
