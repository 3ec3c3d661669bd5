"""Is this place bare? The light-corrected picture of a disc and the ring round it, against the
ground and against the card.

Knows discs, ground and light; decides nothing by itself: `judge` weighs these measures.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATION
from companion.vision.frame.fitting import fast_median, quadratic_basis, ridge_fit
from companion.vision.frame.illumination import Illumination
from companion.vision.frame.log_colour import (
    DARK_OFFSET_GREY,
    LogColour,
    SensorNoise,
    as_shown,
    brightest_channel,
    brightness_change,
    grey_level,
    log_colour_of,
    relit,
    saturated_pixels,
)
from companion.vision.frame.raster import Raster
from companion.vision.places.ground import GroundPatch

RING_MM = 9.5
"""The disc and so much round it must be bare: wider together than a forearm."""

GRID_MM = 2.0
"""Every second millimetre is compared: a quarter of the work, and no card or departure more was
lost (tests/benchmarks/places.py, at raster_mm 1 and 2)."""

LARGEST_SHIFT_MM = 2.5
"""So far the picture may lie off the ground and still be aligned."""

OFF_COLOUR_LOG = 0.15
"""A pixel of another colour is off by more, log units; chosen."""

UNLIKE_LOG = 0.16
"""A pixel unlike the ground is off by more in brightness, light left in, log units; chosen."""

UNLIKE_COLOUR_LOG = 0.10
"""The same in colour."""
UNSATURATED_LOG = float(np.log(SATURATION.table_light_grey + DARK_OFFSET_GREY))
"""Ground whose brightest channel should be darker than this and is saturated lies under a
reflection."""

LARGEST_VEIL = 0.5
"""A veil of light over a place (a sheen, a lens against the window) lifts its dark by so many times
`DARK_OFFSET_GREY` at most."""

SPILL_SHARE = 0.8
"""Softened after it saturated, an edge is darker than one softened before: by so much of what its
bright side lost at most (checked cloth, over-exposed by a third: tests/benchmarks/places_hours.py).
"""

CLEARLY_OFF_LOG = 0.25
"""Log units of colour beyond all noise from which a place need not be measured to be no table: the
full test gives up at 0.15."""

CLEARLY_OFF_SHARE = 0.6
"""...if so large a share of its pixels is off: the full test gives up at one in thirty."""

SATURATED_STIFFNESS = 0.02
"""So far a pixel that is saturated keeps the fitted light from bending: what the others say is no
word about it."""


@dataclass(frozen=True, slots=True)
class PlacePatch:
    """What the picture shows at a place: pixels (n, n, 3) uint8, their logs, what is in view, and
    where in the fine raster."""

    bgr: np.ndarray
    colour: LogColour
    inside: np.ndarray
    rows: slice
    columns: slice


@dataclass(frozen=True, slots=True)
class Bareness:
    """How unlike the ground a place is, all over the mask."""

    residual_log: float
    """What is left of the brightness when light, shift and noise are taken out (rms)."""
    off_colour_share: float
    """Share of pixels of another colour."""
    cast_log: float
    """By how much the colour of the whole place is off."""
    darkest_log: float
    """The fitted light against the whole table's, at its darkest."""
    brightest_log: float
    """The same at its brightest."""
    noise_log: float
    """The sensor's noise here."""
    saturated_share: float
    """Share of pixels that are saturated."""
    shift: tuple[float, float] = (0.0, 0.0)
    """How far the picture lies off the ground, grid steps along x and y: what is left of a bump."""
    reflected_share: float = 0.0
    """Share of pixels saturated though the table's light would not saturate the ground there."""


_FARTHEST = np.array(
    [LARGEST_SHIFT_MM / GRID_MM, LARGEST_SHIFT_MM / GRID_MM, LARGEST_VEIL], np.float32
)


class DiscGrid:
    """The pixels of a disc of `disc_mm` and its ring, on a square grid round a place."""

    def __init__(self, disc_mm: float, raster: Raster) -> None:
        self.radius_mm = disc_mm / 2
        self.step = max(1, round(GRID_MM / raster.step_mm))
        spacing = self.step * raster.step_mm
        self.reach = int((self.radius_mm + RING_MM) // spacing)
        offsets = np.arange(-self.reach, self.reach + 1) * spacing
        self.x, self.y = np.meshgrid(offsets.astype(np.float32), offsets.astype(np.float32))
        self.r = np.hypot(self.x, self.y)
        self.all = self.r <= self.radius_mm + RING_MM
        self.disc = self.r <= self.radius_mm
        self.inner = self.r <= self.radius_mm - 1.5
        scale = self.radius_mm + RING_MM
        self._basis = quadratic_basis(self.x.ravel() / scale, self.y.ravel() / scale).reshape(
            *self.x.shape, 6
        )

    def cut_patch(
        self, picture: np.ndarray, raster: Raster, centre_mm: tuple[float, float], wider: int = 0
    ) -> PlacePatch | None:
        """The patch at a place out of the shrunk picture, `wider` by so many grid steps on every
        side; None when the raster does not hold all of it."""
        row, column = raster.cell_at(centre_mm)
        half = (self.reach + wider) * self.step
        top, left, bottom, right = row - half, column - half, row + half + 1, column + half + 1
        if top < 0 or left < 0 or bottom > raster.height or right > raster.width:
            return None
        rows, columns = slice(top, bottom, self.step), slice(left, right, self.step)
        bgr = raster.sample_picture(picture, rows, columns)
        return PlacePatch(bgr, log_colour_of(bgr), raster.inside[rows, columns], rows, columns)

    def shifted_patch(
        self, patch: PlacePatch, picture: np.ndarray, raster: Raster, shift: tuple[float, float]
    ) -> PlacePatch:
        """The same patch taken `shift` grid steps farther along x and y."""
        bgr = raster.sample_picture(
            picture, patch.rows, patch.columns, (shift[0] * self.step, shift[1] * self.step)
        )
        return PlacePatch(bgr, log_colour_of(bgr), patch.inside, patch.rows, patch.columns)

    def pixels_away_from(
        self, centre_mm: tuple[float, float], others_mm: list[tuple[float, float]], radius_mm: float
    ) -> np.ndarray:
        """True for the pixels farther than `radius_mm` from every other centre."""
        free = self.all.copy()
        for x, y in others_mm:
            dx, dy = x - centre_mm[0], y - centre_mm[1]
            if np.hypot(dx, dy) < self.radius_mm + RING_MM + radius_mm:
                free &= np.hypot(self.x - dx, self.y - dy) > radius_mm
        return free

    def measure_bareness(
        self,
        patch: PlacePatch,
        ground: GroundPatch,
        mask: np.ndarray,
        illumination: Illumination,
        gain: float,
        noise: SensorNoise,
    ) -> Bareness:
        """How unlike the ground the masked pixels are, after light, a shift of up to 2.5 mm and
        noise are taken out; `gain`: the table's light at this place."""
        at = np.flatnonzero(mask)
        base = ground.colour.brightness.ravel().take(at)
        seen = LogColour(*(part.ravel().take(at) for part in patch.colour.channels))
        expected = LogColour(
            relit(base, gain),
            ground.colour.blue.ravel().take(at) + illumination.blue,
            ground.colour.red.ravel().take(at) + illumination.red,
        )
        told = _told_by_unsaturated(patch.bgr, seen, expected, at, mask)
        weights, lamp, rest = self._lamp(ground, at, mask, told.change, told.clear)
        low = ground.low.ravel().take(at) - base
        high = ground.high.ravel().take(at) - base
        bent = None
        if told.saturated_share:
            cut, bent = _cut_off(expected, lamp, seen)
            rest = rest + np.where(told.mute, cut, 0)
            low = low - SPILL_SHARE * _beside(np.maximum(cut, 0), at, mask)
        beyond = np.maximum(np.maximum(low - rest, rest - high), 0)
        grain = noise.sigma_log(float(grey_level(fast_median(seen.brightness))))
        off, cast = _off_colour(
            patch.colour,
            ground.colour,
            at,
            mask.shape[1],
            weights[6:8],
            illumination,
            max(OFF_COLOUR_LOG, 6 * grain),
            bent,
        )
        telling = max(int(np.count_nonzero(~told.mute)), len(at) // 10, 1)
        return Bareness(
            residual_log=float(np.sqrt(max(0.0, float(beyond @ beyond) / telling - grain * grain))),
            off_colour_share=off,
            cast_log=cast,
            darkest_log=float(lamp.min()),
            brightest_log=float(lamp.max()),
            noise_log=grain,
            saturated_share=told.saturated_share,
            shift=(float(weights[6]), float(weights[7])),
            reflected_share=told.reflected_share,
        )

    def _lamp(
        self,
        ground: GroundPatch,
        at: np.ndarray,
        mask: np.ndarray,
        change: np.ndarray,
        clear: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What explains the pixels' `change` (N,) best: weights (9,), the smooth light (N,) among
        it, and the rest (N,); `clear`: the pixels that are believed, their places among the N."""
        base = ground.colour.brightness.ravel()
        slopes = np.stack(_slopes(base, at, mask.shape[1]), axis=1)
        veil = DARK_OFFSET_GREY * np.exp(-base.take(at))
        columns = np.concatenate(
            [self._basis.reshape(-1, 6).take(at, axis=0), slopes, (veil - veil.mean())[:, None]],
            axis=1,
        )
        weights = np.zeros(9, np.float32)
        if len(clear) >= max(30, len(at) // 20):
            ridge = np.full(9, 1e-4, np.float32)
            ridge[1:6] += SATURATED_STIFFNESS * (len(at) - len(clear))
            ridge[6:8] += len(clear) * (1e-5 + 0.02 * float(slopes.var(axis=0).sum()))
            ridge[8] += len(clear) * 1e-4
            weights = ridge_fit(columns[clear], change[clear], ridge)
            held = np.clip(weights[6:], -_FARTHEST, _FARTHEST)
            if (held != weights[6:]).any():  # what these may not explain must not bend the light
                weights[:6] = ridge_fit(
                    columns[clear, :6], change[clear] - columns[clear, 6:] @ held, ridge[:6]
                )
                weights[6:] = held
        return weights, columns[:, :6] @ weights[:6], change - columns @ weights

    def pixels_unlike_ground(
        self, patch: PlacePatch, ground: GroundPatch, illumination: Illumination, gain: float
    ) -> np.ndarray:
        """The pixels of the patch that look unlike the ground or whose ground is not known, bool;
        smooth light left in."""
        seen, base = patch.colour, ground.colour
        shown = as_shown(
            LogColour(
                relit(base.brightness, gain),
                base.blue + illumination.blue,
                base.red + illumination.red,
            ),
            seen,
        )
        brighter = np.abs(seen.brightness - shown.brightness) > UNLIKE_LOG
        colour = (
            np.maximum(np.abs(seen.blue - shown.blue), np.abs(seen.red - shown.red))
            > UNLIKE_COLOUR_LOG
        )
        unlike: np.ndarray = brighter | colour | ~ground.known
        return unlike

    def far_off_colour(
        self,
        patch: PlacePatch,
        ground: GroundPatch,
        mask: np.ndarray,
        illumination: Illumination,
        noise: SensorNoise,
    ) -> bool:
        """Whether most of the masked pixels have so clearly another colour than the ground that no
        light and no shift makes them equal; looks at every fourth pixel, at a tenth of the cost of
        `measure_bareness`."""
        few = (slice(None, None, 2), slice(None, None, 2))
        told = mask[few] & ~saturated_pixels(patch.bgr[few])
        if not told.any():
            return False
        limit = CLEARLY_OFF_LOG + 6 * noise.sigma_log(
            float(grey_level(fast_median(patch.colour.brightness[few])))
        )
        worst = np.maximum(
            np.abs(patch.colour.blue[few] - ground.colour.blue[few] - illumination.blue),
            np.abs(patch.colour.red[few] - ground.colour.red[few] - illumination.red),
        )
        return bool(
            np.count_nonzero(told & (worst > limit))
            > CLEARLY_OFF_SHARE * np.count_nonzero(mask[few])
        )

    def compare_with_card(
        self, patch: PlacePatch, own: LogColour, mask: np.ndarray
    ) -> tuple[float, float]:
        """Against the card's own last picture: log residual after smooth light is taken out, and
        the correlation."""
        a, b = patch.colour.brightness[mask], own.brightness[mask]
        if a.size < 30:
            return 9.0, 0.0
        columns = self._basis[mask]
        rest = a - b
        rest = rest - columns @ ridge_fit(columns, rest, np.full(6, 1e-4, np.float32))
        colour = 0.5 * (
            np.abs(patch.colour.blue[mask] - own.blue[mask]).mean()
            + np.abs(patch.colour.red[mask] - own.red[mask]).mean()
        )
        da, db = a - a.mean(), b - b.mean()
        scale = float(np.sqrt((da @ da) * (db @ db)))
        return float(np.sqrt(np.mean(rest * rest)) + 0.3 * colour), float(
            da @ db
        ) / scale if scale > 1e-9 else 0.0


@dataclass(frozen=True, slots=True)
class _Told:
    """What N pixels tell of the light: by how much each is brighter than expected (N,), which of
    them are believed (their places among the N), which have no channel left (N,), and the shares
    that are saturated, and saturated by a reflection."""

    change: np.ndarray
    clear: np.ndarray
    mute: np.ndarray
    saturated_share: float
    reflected_share: float


def _told_by_unsaturated(
    bgr: np.ndarray, seen: LogColour, expected: LogColour, at: np.ndarray, mask: np.ndarray
) -> _Told:
    """What the pixels `at` of the patch `bgr` tell of the light by the channels that are not
    saturated."""
    channels = bgr.reshape(-1, 3).take(at, axis=0) >= SATURATION.pixel_grey
    saturated = np.asarray(channels.any(axis=1))
    if not saturated.any():
        change = seen.brightness - expected.brightness
        return _Told(change, np.arange(len(at)), saturated, 0.0, 0.0)
    change, mute = brightness_change(seen, expected, ~channels)
    reflected = saturated & (brightest_channel(expected) < UNSATURATED_LOG)
    clear = _truly_lit(channels, at, mask)
    return _Told(change, clear, mute, float(saturated.mean()), float(reflected.mean()))


def _cut_off(
    expected: LogColour, lamp: np.ndarray, seen: LogColour
) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """What saturation takes from the brightness of N pixels that are `expected`, lit by `lamp` (N,)
    besides, and by how much it bends their blue and red."""
    lit = LogColour(expected.brightness + lamp, expected.blue, expected.red)
    shown = as_shown(lit, seen)
    bent = (shown.blue - lit.blue, shown.red - lit.red)
    return lit.brightness - shown.brightness, bent


def _beside(values: np.ndarray, at: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The largest of the values (N,) of the pixels `at` of a patch in the 3 by 3 pixels round each."""
    whole = np.zeros(mask.shape, np.float32)
    whole.ravel()[at] = values
    return cv2.dilate(whole, np.ones((3, 3), np.uint8)).ravel().take(at)


def _truly_lit(saturated_channels: np.ndarray, at: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Which of the N pixels `at` tell the light truly: none of their channels stands beside one
    that is `saturated_channels` (N, 3); where there are too few such pixels, those with a channel
    left of their own. An edge is softened from saturated light."""
    beside = (
        np.stack(
            [_beside(saturated_channels[:, k].astype(np.float32), at, mask) for k in range(3)],
            axis=1,
        )
        > 0
    )
    for spoilt in (
        (beside & ~saturated_channels).any(axis=1) | saturated_channels.all(axis=1),
        saturated_channels.all(axis=1),
    ):
        clear = np.flatnonzero(~spoilt)
        if len(clear) >= max(30, len(at) // 10):
            break
    return clear


def _slopes(values: np.ndarray, at: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The slopes along x and y of a flattened patch `width` wide at its pixels `at`; half of them
    at the patch's edge."""
    last = len(values) - 1
    right, left = values.take(np.minimum(at + 1, last)), values.take(np.maximum(at - 1, 0))
    below, above = (
        values.take(np.where(at + width > last, at, at + width)),
        values.take(np.where(at < width, at, at - width)),
    )
    return (right - left) / 2, (below - above) / 2


def _off_colour(
    seen: LogColour,
    base: LogColour,
    at: np.ndarray,
    width: int,
    shift: np.ndarray,
    illumination: Illumination,
    limit: float,
    bent: tuple[np.ndarray, np.ndarray] | None,
) -> tuple[float, float]:
    """The share of the pixels `at` whose colour is off by more than `limit`, a millimetre of slack
    at edges, and by how much the place's colour is off as a whole; `bent`: what saturation changes
    of `u` and `v`."""
    cast = 0.0
    worst = np.zeros(len(at), np.float32)
    for k, (now, before, lamp) in enumerate(
        ((seen.blue, base.blue, illumination.blue), (seen.red, base.red, illumination.red))
    ):
        flat = before.ravel()
        gx, gy = _slopes(flat, at, width)
        change = (
            now.ravel().take(at)
            - flat.take(at)
            - lamp
            - gx * shift[0]
            - gy * shift[1]
            - (bent[k] if bent else 0)
        )
        np.maximum(worst, np.abs(change) - 0.5 * (np.abs(gx) + np.abs(gy)), out=worst)
        cast = max(cast, abs(fast_median(change)))
    return float(np.count_nonzero(worst > limit) / max(1, len(at))), cast
