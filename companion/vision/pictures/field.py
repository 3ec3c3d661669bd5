"""A picture without its light: which way and how clearly brightness and colour change, pixel by pixel.

Knows rectified pixels and logarithms; knows nothing of cards. Lamps and exposure multiply, so that
they vanish from the steps of logarithms; what a step's size still tells of contrast and blur is
damped, so that a pale edge counts nearly as much as a strong one.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame.log_colour import log_colour_of, saturated_pixels


@dataclass(frozen=True, slots=True)
class FieldModel:
    """How steps are taken. Chosen by `python -m tests.benchmarks.pictures` on its seeds from 100."""

    softens_mm: float = 1.4
    """Detail finer than this is left out: a code's modules, grain, noise."""
    brightness_step: float = 0.025
    """A step of log brightness from one raster pixel to the next that counts half; smaller ones are
    noise."""
    colour_step: float = 0.02
    """The same for log blue and log red, less log green."""


FIELD_MODEL = FieldModel()


def light_free_field(bgr: np.ndarray, soft_px: float) -> np.ndarray:
    """The steps of brightness, blue and red in a rectified picture (h, w, 3) uint8, (h, w, 3)
    complex64: real along x, imaginary along y, none longer than 1. `soft_px`: the Gaussian that
    takes fine detail off first, in pixels."""
    look = log_colour_of(bgr)
    planes = []
    for channel, least in zip(
        look.channels,
        (FIELD_MODEL.brightness_step, FIELD_MODEL.colour_step, FIELD_MODEL.colour_step),
        strict=True,
    ):
        soft = cv2.GaussianBlur(channel, (0, 0), soft_px)
        x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
        y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
        size = np.sqrt(x * x + y * y + least * least)
        planes.append((x + 1j * y) / size)
    return np.stack(planes, axis=-1).astype(np.complex64)


def burnt_out_pixels(bgr: np.ndarray) -> np.ndarray:
    """Where a step cannot be told, for the pixel or one beside it is saturated, (h, w) bool."""
    burnt = saturated_pixels(bgr).astype(np.uint8)
    return np.asarray(cv2.dilate(burnt, np.ones((3, 3), np.uint8)) > 0)
