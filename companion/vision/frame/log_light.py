"""Light taken apart: logarithms of brightness and colour, sensor noise, and the smooth light on a
patch.

Knows that exposure and lamps multiply, so that in logarithms they add; knows nothing of cards. `l`
is the mean log brightness of the three channels, `u` and `v` its colour: log blue and log red, less
log green.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATED_GREY

DARK_OFFSET = 10.0
"""Grey levels added before the logarithm, to tame the dark (reference measurements; kept)."""

LOGARITHM = np.log(np.arange(256, dtype=np.float32) + DARK_OFFSET)
BURNT_OUT = float(np.log(246 + DARK_OFFSET))
"""A channel of so much log brightness is burnt out, in part at least."""

BRIGHTER = 0.2
BRIGHTEST = np.float32(np.log(255 + DARK_OFFSET))

MODE_BINS = 250
DEFAULT_NOISE = 1.0
"""Grey levels of noise of a rectified pixel, until it has been measured."""


@dataclass(frozen=True, slots=True)
class Look3:
    """Brightness and colour of the same pixels: three float32 arrays of one shape, natural
    logarithms."""

    l: np.ndarray  # noqa: E741 - the name of the quantity everywhere in these modules
    u: np.ndarray
    v: np.ndarray

    def at(self, index: Any) -> Look3:
        """The same for the pixels `index` chooses (any numpy index)."""
        return Look3(self.l[index], self.u[index], self.v[index])


def logs(bgr: np.ndarray) -> Look3:
    """Brightness and colour of (..., 3) uint8 or float BGR pixels, in natural logarithms."""
    channels = LOGARITHM[bgr] if bgr.dtype == np.uint8 else np.log(bgr + np.float32(DARK_OFFSET))
    blue, green, red = channels[..., 0], channels[..., 1], channels[..., 2]
    return Look3((blue + green + red) / 3, blue - green, red - green)


def burnt(bgr: np.ndarray) -> np.ndarray:
    """True where a channel of (..., 3) uint8 pixels is burnt out, so that nothing can be told
    there."""
    return np.asarray((bgr >= SATURATED_GREY).any(axis=-1))


def lit_up(l: np.ndarray, gain: np.ndarray | np.floating | float) -> np.ndarray:  # noqa: E741
    """The log brightness of what has log brightness `l`, in a light brighter by the factor e^gain:
    dark things, tamed by `DARK_OFFSET`, change by less. `lit_up(lit_up(l, gain), -gain)` is `l`."""
    if np.abs(gain).max(initial=0.0) < 0.01:
        return np.asarray(l + gain)
    lit: np.ndarray = np.log(
        np.maximum(np.exp(l) - np.float32(DARK_OFFSET), 0) * np.exp(gain) + np.float32(DARK_OFFSET)
    )
    return lit


def untamed(l: np.ndarray) -> np.ndarray:  # noqa: E741
    """Log brightness without what tames the dark: light alone moves all of it by the same."""
    levels: np.ndarray = np.log(np.maximum(level(l), 0) + 1)
    return levels


def brightest(look: Look3) -> np.ndarray:
    """The log brightness of each pixel's brightest channel: the one that burns out first."""
    brightest: np.ndarray = (
        look.l
        + np.maximum(np.maximum(2 * look.u - look.v, 2 * look.v - look.u), -(look.u + look.v)) / 3
    )
    return brightest


def shown(look: Look3, seen: Look3) -> Look3:
    """What a camera shows of this look: no channel brighter than it can show. Where it has `seen`
    channels burnt out, the light may have been brighter than `look` has it, by `BRIGHTER` at most:
    nobody can tell by how much."""
    green, now = look.l - (look.u + look.v) / 3, seen.l - (seen.u + seen.v) / 3
    blue, red = green + look.u, green + look.v
    burnt = ((blue, now + seen.u), (green, now), (red, now + seen.v))
    short = [np.where(there > BURNT_OUT, there - here, 0) for here, there in burnt]
    more = np.clip(np.maximum(np.maximum(short[0], short[1]), short[2]), 0, BRIGHTER)
    blue, green, red = (np.minimum(part + more, BRIGHTEST) for part in (blue, green, red))
    return Look3((blue + green + red) / 3, blue - green, red - green)


def brighter(seen: Look3, look: Look3, alive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """By how much each of N pixels is brighter than `look` has it, told by those of its channels
    that are `alive` (N, 3) bool, blue green red: not burnt out; and which pixels have none (bool):
    there it is told by all three."""
    mute = np.asarray(~alive.any(axis=1))
    told = alive | mute[:, None]
    l, u, v = seen.l - look.l, seen.u - look.u, seen.v - look.v  # noqa: E741
    green = l - (u + v) / 3
    total = green * told.sum(axis=1) + u * told[:, 0] + v * told[:, 2]
    return (total / told.sum(axis=1)).astype(np.float32), mute


def level(l: np.ndarray | float) -> np.ndarray:  # noqa: E741
    """The grey level that has this log brightness."""
    return np.exp(l) - DARK_OFFSET


def basis(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The six smooth lights on a patch, (N, 6) float32: a quadratic in x and y (both about -1 to
    1)."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)


def fit(columns: np.ndarray, values: np.ndarray, ridge: np.ndarray) -> np.ndarray:
    """The weights (K,) of the columns (N, K) that best explain values (N,); `ridge` (K,) holds each
    near zero."""
    normal = (columns.T @ columns).astype(np.float64)
    normal.flat[:: len(ridge) + 1] += ridge
    solved, weights = cv2.solve(
        normal, (columns.T @ values).astype(np.float64)[:, None], flags=cv2.DECOMP_CHOLESKY
    )
    return np.asarray(weights[:, 0], np.float32) if solved else np.zeros(len(ridge), np.float32)


def median(values: np.ndarray) -> float:
    """The middle value of an array with at least one (the upper of two); a fifth of the time that
    numpy's takes."""
    flat = values.ravel()
    return float(np.partition(flat, flat.size // 2)[flat.size // 2])


def mode(values: np.ndarray, low: float = -2.5, high: float = 2.5) -> float:
    """The most frequent value (histogram peak, then the median near it); 0.0 of nothing."""
    if values.size == 0:
        return 0.0
    width = (high - low) / MODE_BINS
    bins = ((values[(values >= low) & (values < high)] - low) / width).astype(int)
    smooth = np.convolve(
        np.bincount(bins, minlength=MODE_BINS), (1.0, 2.0, 3.0, 2.0, 1.0), mode="same"
    )
    peak = low + (int(np.argmax(smooth)) + 0.5) * width
    near = values[np.abs(values - peak) < 0.09]
    return median(near) if near.size else peak


class Noise:
    """Sensor noise by brightness, learnt from two pictures of the same still thing."""

    BINS = 8

    def __init__(self) -> None:
        self._sigma = np.full(self.BINS, DEFAULT_NOISE, dtype=np.float32)
        self.measured = False

    def learn(self, one: np.ndarray, other: np.ndarray) -> None:
        """Two samples (N, 3) uint8 of the same still pixels: take their difference as noise, bin by
        brightness."""
        grey = one.mean(axis=1, dtype=np.float32)
        change = grey - other.mean(axis=1, dtype=np.float32)
        change -= median(change)
        which = np.minimum((grey * self.BINS / 256).astype(int), self.BINS - 1)
        for k in range(self.BINS):
            part = np.abs(change[which == k])
            if part.size >= 200:
                sigma = float(np.clip(1.25 * part.mean() / np.sqrt(2), 0.1, 8.0))
                self._sigma[k] = sigma if not self.measured else 0.8 * self._sigma[k] + 0.2 * sigma
        self.measured = True

    def grey(self, at_level: float) -> float:
        """Standard deviation in grey levels of a pixel's mean of the three channels, at this grey
        level."""
        return float(self._sigma[int(np.clip(at_level * self.BINS / 256, 0, self.BINS - 1))])

    def log(self, at_level: float) -> float:
        """The same in log units."""
        return self.grey(at_level) / (max(0.0, at_level) + DARK_OFFSET)


def smooth(image: np.ndarray) -> np.ndarray:
    """The picture softened by 3x3 pixels, same shape and type."""
    return cv2.blur(image, (3, 3))
