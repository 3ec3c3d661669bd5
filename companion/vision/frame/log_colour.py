"""Light taken apart: logarithms of brightness and colour, sensor noise, and the smooth light on a
patch.

Knows that exposure and lamps multiply, so that in logarithms they add; knows nothing of cards.
`brightness` is the mean log brightness of the three channels, `u` and `v` its colour: log blue and
log red, less log green.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATION
from companion.vision.frame.fitting import fast_median

DARK_OFFSET_GREY = 10.0
"""Grey levels added before the logarithm, to tame the dark; chosen on films, kept."""

LOGARITHM = np.log(np.arange(256, dtype=np.float32) + DARK_OFFSET_GREY)
"""The logarithm of each grey value, tamed, float32."""

SATURATED_LOG = float(np.log(SATURATION.raster_sample_grey + DARK_OFFSET_GREY))
"""A channel of so much log brightness is saturated, in part at least: a sample may
mix pixels, each of which counts from `SATURATION.pixel_grey` on."""

LARGEST_LOSS_LOG = 0.2
"""By so much a light that saturated channels may have been brighter than is known; chosen."""

BRIGHTEST_LOG = np.float32(np.log(255 + DARK_OFFSET_GREY))
"""The brightest that a camera can show."""

DEFAULT_NOISE_GREY = 1.0
"""Grey levels of noise of a rectified pixel, until it has been measured."""


@dataclass(frozen=True, slots=True)
class LogColour:
    """Brightness and colour of the same pixels: three float32 arrays of one shape, natural
    logarithms."""

    brightness: np.ndarray
    blue: np.ndarray
    red: np.ndarray

    @property
    def channels(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Brightness, blue, red."""
        return self.brightness, self.blue, self.red

    def pixels(self, index: Any) -> LogColour:
        """The same for the pixels `index` chooses (any numpy index)."""
        return LogColour(self.brightness[index], self.blue[index], self.red[index])


def log_colour_of(bgr: np.ndarray) -> LogColour:
    """Brightness and colour of (..., 3) uint8 or float BGR pixels, in natural logarithms."""
    channels = (
        LOGARITHM[bgr] if bgr.dtype == np.uint8 else np.log(bgr + np.float32(DARK_OFFSET_GREY))
    )
    blue, green, red = channels[..., 0], channels[..., 1], channels[..., 2]
    return LogColour((blue + green + red) / 3, blue - green, red - green)


def saturated_pixels(bgr: np.ndarray) -> np.ndarray:
    """True where a channel of (..., 3) uint8 pixels is saturated, so that nothing can be told
    there."""
    over = bgr >= SATURATION.pixel_grey
    return np.asarray(over[..., 0] | over[..., 1] | over[..., 2])  # a tenth of `any`'s time


def relit(brightness: np.ndarray, gain: np.ndarray | np.floating | float) -> np.ndarray:
    """The log brightness of what has log brightness `brightness`, in a light brighter by the factor
    e^gain: dark things, tamed by `DARK_OFFSET_GREY`, change by less. `relit(relit(l, gain), -gain)` is
    `brightness`."""
    if np.abs(gain).max(initial=0.0) < 0.01:
        return np.asarray(brightness + gain)
    return np.asarray(
        np.log(
            np.maximum(np.exp(brightness) - np.float32(DARK_OFFSET_GREY), 0) * np.exp(gain)
            + np.float32(DARK_OFFSET_GREY)
        )
    )


def undamped(brightness: np.ndarray) -> np.ndarray:
    """Log brightness without what tames the dark: light alone moves all of it by the same."""
    return np.asarray(np.log(np.maximum(grey_level(brightness), 0) + 1))


def brightest_channel(colour: LogColour) -> np.ndarray:
    """The log brightness of each pixel's brightest channel: the one that saturates first."""
    return np.asarray(
        colour.brightness
        + np.maximum(
            np.maximum(2 * colour.blue - colour.red, 2 * colour.red - colour.blue),
            -(colour.blue + colour.red),
        )
        / 3
    )


def as_shown(colour: LogColour, seen: LogColour) -> LogColour:
    """What a camera shows of this look: no channel brighter than it can show. Where it has `seen`
    channels saturated, the light may have been brighter than `colour` has it, by `LARGEST_LOSS_LOG`
    at most: nobody can tell by how much."""
    green, now = (
        colour.brightness - (colour.blue + colour.red) / 3,
        seen.brightness - (seen.blue + seen.red) / 3,
    )
    blue, red = green + colour.blue, green + colour.red
    channels = ((blue, now + seen.blue), (green, now), (red, now + seen.red))
    short = [np.where(there > SATURATED_LOG, there - here, 0) for here, there in channels]
    more = np.clip(np.maximum(np.maximum(short[0], short[1]), short[2]), 0, LARGEST_LOSS_LOG)
    blue, green, red = (np.minimum(part + more, BRIGHTEST_LOG) for part in (blue, green, red))
    return LogColour((blue + green + red) / 3, blue - green, red - green)


def brightness_change(
    seen: LogColour, colour: LogColour, alive: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """By how much each of N pixels is brighter than `colour` has it, told by those of its channels
    that are `alive` (N, 3) bool, blue green red: not saturated; and which pixels have none (bool):
    there it is told by all three."""
    mute = np.asarray(~alive.any(axis=1))
    told = alive | mute[:, None]
    brightness, u, v = (
        seen.brightness - colour.brightness,
        seen.blue - colour.blue,
        seen.red - colour.red,
    )
    green = brightness - (u + v) / 3
    total = green * told.sum(axis=1) + u * told[:, 0] + v * told[:, 2]
    return (total / told.sum(axis=1)).astype(np.float32), mute


def grey_level(brightness: np.ndarray | float) -> np.ndarray:
    """The grey level that has this log brightness."""
    return np.exp(brightness) - DARK_OFFSET_GREY


class SensorNoise:
    """Sensor noise by brightness, learnt from two pictures of the same still thing."""

    BINS = 8

    def __init__(self) -> None:
        self._sigma = np.full(self.BINS, DEFAULT_NOISE_GREY, dtype=np.float32)
        self.measured = False

    def learn_noise(self, one: np.ndarray, other: np.ndarray) -> None:
        """Two samples (N, 3) uint8 of the same still pixels: take their difference as noise, bin by
        brightness."""
        grey = one.mean(axis=1, dtype=np.float32)
        change = grey - other.mean(axis=1, dtype=np.float32)
        change -= fast_median(change)
        which = np.minimum((grey * self.BINS / 256).astype(int), self.BINS - 1)
        for k in range(self.BINS):
            part = np.abs(change[which == k])
            if part.size >= 200:
                sigma = float(np.clip(1.25 * part.mean() / np.sqrt(2), 0.1, 8.0))
                self._sigma[k] = sigma if not self.measured else 0.8 * self._sigma[k] + 0.2 * sigma
        self.measured = True

    def sigma_grey(self, at_level: float) -> float:
        """Standard deviation in grey levels of a pixel's mean of the three channels, at this grey
        level."""
        return float(self._sigma[int(np.clip(at_level * self.BINS / 256, 0, self.BINS - 1))])

    def sigma_log(self, at_level: float) -> float:
        """The same in log units."""
        return self.sigma_grey(at_level) / (max(0.0, at_level) + DARK_OFFSET_GREY)


def softened_picture(image: np.ndarray) -> np.ndarray:
    """The picture softened by 3x3 pixels, same shape and type."""
    return cv2.blur(image, (3, 3))
