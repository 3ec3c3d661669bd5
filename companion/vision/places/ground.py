"""The ground: what the table looks like where nothing lies, learnt from the stream by itself.

Knows rasters, light and time (as numbers handed in); knows nothing of cards beyond the "keep off"
mask it is given. Two rasters: a coarse one, on which stillness is watched in every look, and a fine
one, which is what is compared with. The ground is learnt tile by tile, the tray's print and
everything else that always lies there included.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame.fitting import fast_median, quadratic_basis
from companion.vision.frame.illumination import Illumination, fit_saturated_illumination
from companion.vision.frame.log_colour import (
    SATURATED_LOG,
    LogColour,
    SensorNoise,
    as_shown,
    brightest_channel,
    log_colour_of,
    relit,
    saturated_pixels,
    undamped,
)
from companion.vision.frame.raster import Raster
from companion.vision.places.stillness import StillnessWatch, rounding_log
from companion.vision.places.tile_grid import FineBox, TileGrid
from companion.vision.places.tile_samples import TileSamples

FIRST_LEARNT_S = 0.5
"""A tile never seen before is learnt after so long without a change."""

LEARNT_ANEW_S = 4.0
"""A known tile that looks otherwise now is learnt anew after so long: a cup put down is no table
yet."""

TAKEN_BACK_S = 0.4
"""A tile that looks as it did before the last change is taken back after so long: the cup was
lifted."""

LATELY_RESTED_S = 1.5
"""Unknown ground that has lately come to rest is worth every frame; what never rests is not."""

FLICKERING_TILES = 4
"""So many known tiles that look otherwise are worth no hurry: a token's edges flicker about the
threshold for ever."""

REFRESH_EVERY_S = 3.0
"""So often known ground that fits follows the picture; this and the next two were chosen."""

REFRESH_WEIGHT = 0.15
"""By so much of the difference."""

REFRESH_REACH_LOG = 0.12
"""Where the difference is less than this."""

FITS_LOG = 0.07
"""Log units of brightness within which a coarse cell looks like the ground, widened by noise and
rounding; this and the next were chosen."""

FITS_COLOUR_LOG = 0.08
"""The same of colour."""

FEWEST_KNOWN_CELLS = 100
"""Known coarse cells from which the table's light is told."""


@dataclass(frozen=True, slots=True)
class GroundPatch:
    """The ground under some fine pixels: its colour, its brightness's envelope a millimetre round
    (`low`, `high`), and where it is known."""

    colour: LogColour
    low: np.ndarray
    high: np.ndarray
    known: np.ndarray


def _dark(raster: Raster) -> LogColour:
    return LogColour(*np.zeros((3, raster.height, raster.width), np.float32))


class _Layer:
    """One look of the ground on both rasters: brightness and colour, which cells are known, and
    since when."""

    def __init__(self, grid: TileGrid) -> None:
        shape = (grid.coarse.height, grid.coarse.width)
        self.fine = _dark(grid.fine)
        self.coarse = _dark(grid.coarse)
        self.known = np.zeros(shape, dtype=bool)
        self.learnt_s = np.full(shape, np.inf, np.float32)

    def copy_cells(self, other: _Layer, cells: np.ndarray, pixels: np.ndarray) -> None:
        """Take over these coarse cells and their fine pixels (bool) of another layer."""
        for mine, its in zip(self.fine.channels, other.fine.channels, strict=True):
            mine[pixels] = its[pixels]
        for mine, its in zip(self.coarse.channels, other.coarse.channels, strict=True):
            mine[cells] = its[cells]
        self.known[cells] = other.known[cells]
        self.learnt_s[cells] = other.learnt_s[cells]

    def swap_looks(self, other: _Layer, cells: np.ndarray, pixels: np.ndarray) -> None:
        """Exchange the looks of these coarse cells and fine pixels (bool), known in both layers."""
        for mine, its in zip(self.fine.channels, other.fine.channels, strict=True):
            mine[pixels], its[pixels] = its[pixels], mine[pixels]
        for mine, its in zip(self.coarse.channels, other.coarse.channels, strict=True):
            mine[cells], its[cells] = its[cells], mine[cells]
        mine, its = self.learnt_s, other.learnt_s
        mine[cells], its[cells] = its[cells], mine[cells]


class _Envelope:
    """The least and the greatest brightness a millimetre round each fine pixel, and which fine
    pixels are known (uint8)."""

    def __init__(self, fine: Raster) -> None:
        self._reach = min(1.0, 1.0 / fine.step_mm)
        self.low = np.zeros((fine.height, fine.width), np.float32)
        self.high = np.zeros((fine.height, fine.width), np.float32)
        self.known = np.zeros((fine.height, fine.width), np.uint8)

    def follow_brightness(self, brightness: np.ndarray, box: FineBox) -> None:
        """Measure anew where the brightness (height, width) changed."""
        top, left = max(0, box.top - 1), max(0, box.left - 1)
        bottom, right = (
            min(self.low.shape[0], box.bottom + 1),
            min(self.low.shape[1], box.right + 1),
        )
        at = np.s_[top:bottom, left:right]
        part, known = brightness[at], self.known[at]
        kernel = np.ones((3, 3), np.uint8)
        least = cv2.erode(np.where(known, part, np.float32(9)), kernel)
        greatest = cv2.dilate(np.where(known, part, np.float32(-9)), kernel)
        self.low[at] = part + self._reach * (least - part)
        self.high[at] = part + self._reach * (greatest - part)


class Ground:
    """The table's own look, on a fine and a coarse raster over the same part of the table."""

    def __init__(self, fine: Raster, coarse: Raster) -> None:
        self.fine = fine
        self.coarse = coarse
        self.noise = SensorNoise()
        self.waiting = False
        """True while a closer look would help: tiles are being learnt, or were lately found
        unknown."""
        self._grid = TileGrid(fine, coarse)
        self._stillness = StillnessWatch((coarse.height, coarse.width))
        self._samples = TileSamples(self._grid)
        self._now = _Layer(self._grid)
        self._before = _Layer(self._grid)
        self._envelope = _Envelope(fine)
        self._basis = _light_basis(coarse)
        self._refreshed_s = -1e9

    @property
    def known(self) -> np.ndarray:
        """Coarse cells whose ground is known, bool."""
        return self._now.known

    def observe_cells(self, seen: LogColour, t_s: float, cell_noise_grey: float) -> np.ndarray:
        """Note what changed; returns for how many seconds each coarse cell has looked the same,
        float32."""
        return self._stillness.observe_cells(seen, t_s, cell_noise_grey)

    def compare_cells(
        self, seen: LogColour, cell_noise_grey: float
    ) -> tuple[Illumination, np.ndarray]:
        """The table's light now, and the coarse cells that do not look like the ground (False where
        it is not known)."""
        where = self._now.known & self.coarse.inside
        if np.count_nonzero(where) < FEWEST_KNOWN_CELLS:
            return Illumination(), np.zeros_like(where)
        ground = self._now.coarse
        saturated, top = brightest_channel(seen) > SATURATED_LOG, brightest_channel(ground)
        brighter = undamped(seen.brightness) - undamped(ground.brightness)
        field, near = fit_saturated_illumination(self._basis, brighter, where, saturated, top)
        few = np.s_[::3, ::3]
        blue = fast_median((seen.blue[few] - ground.blue[few])[near])
        red = fast_median((seen.red[few] - ground.red[few])[near])
        spread = rounding_log(seen, 4 * cell_noise_grey)
        lit = LogColour(relit(ground.brightness, field), ground.blue + blue, ground.red + red)
        shown = as_shown(lit, seen)
        off_colour = np.maximum(np.abs(seen.blue - shown.blue), np.abs(seen.red - shown.red))
        unlike = np.abs(seen.brightness - shown.brightness) > FITS_LOG + spread
        unlike |= off_colour > FITS_COLOUR_LOG + 1.5 * spread
        unlike &= where
        share = 1 - float(np.count_nonzero(unlike)) / np.count_nonzero(where)
        middle = float(field[field.shape[0] // 2, field.shape[1] // 2])
        return Illumination(middle, blue, red, share, field), unlike

    def learn_ground(
        self,
        picture: np.ndarray,
        stable_s: np.ndarray,
        unlike: np.ndarray,
        keep_off: np.ndarray,
        t_s: float,
        illumination: Illumination,
    ) -> None:
        """Learn tiles that have been still and free; `picture` is the shrunk picture, `unlike` the
        coarse cells that do not look like the ground, `keep_off` coarse cells never to learn."""
        grid, inside = self._grid, self.coarse.inside
        free, outside = inside & ~keep_off, ~inside
        still = grid.tiles_with_all(free & (stable_s >= FIRST_LEARNT_S * 0.5) | outside)
        unknown = grid.tiles_with_any(free & ~self.known)
        other = grid.tiles_with_any(unlike & free)
        settled = grid.tiles_with_all((stable_s >= LEARNT_ANEW_S - 0.5) | outside)
        self._take_back(still & other & ~unknown, stable_s, illumination)
        wanted = still & (unknown | (other & settled))
        hurry = grid.tiles_with_any(free & (stable_s < LATELY_RESTED_S))
        many = int(np.count_nonzero(wanted)) > FLICKERING_TILES
        self.waiting = bool((wanted & unknown).any()) or many or bool((unknown & hurry).any())
        self._samples.drop_samples(~wanted)
        if wanted.any():
            self._samples.add_sample(picture, wanted, self.noise)
            rested = grid.tiles_with_all((stable_s >= FIRST_LEARNT_S) | outside)
            ready = wanted & self._samples.enough & rested
            if ready.any():
                self._commit(ready, illumination, unknown, t_s)
        elif t_s - self._refreshed_s > REFRESH_EVERY_S:
            self._refreshed_s = t_s
            fitting = grid.tiles_with_all(free & self.known & ~unlike & (stable_s > 1.0))
            if fitting.any():
                self._refresh(picture, fitting, illumination)

    def forget_ground(self, cells: np.ndarray) -> None:
        """The ground of these coarse cells (bool) is no longer trusted and will be learnt anew."""
        self._now.known[cells] = False
        self._envelope.known[self._grid.fine_pixels_of(cells)] = 0

    def ground_patch(self, rows: slice, columns: slice) -> GroundPatch:
        """The ground at fine rows and columns (slices with steps allowed)."""
        at, envelope = (rows, columns), self._envelope
        known = envelope.known[at] > 0
        return GroundPatch(self._now.fine.pixels(at), envelope.low[at], envelope.high[at], known)

    def known_since(self, rows: slice, columns: slice, t_s: float) -> np.ndarray:
        """Fine pixels (slices with steps allowed) whose ground was learnt at `t_s` or before, bool."""
        parts = (np.arange(part.start, part.stop, part.step) for part in (rows, columns))
        at = np.ix_(*(part // self._grid.ratio for part in parts))
        now = self._now
        row, column = (
            np.minimum(part, size - 1) for part, size in zip(at, now.known.shape, strict=True)
        )
        return np.asarray(now.known[row, column] & (now.learnt_s[row, column] <= t_s))

    def _commit(
        self, ready: np.ndarray, illumination: Illumination, unknown: np.ndarray, t_s: float
    ) -> None:
        """The mean of their samples, less today's light, is the ground of the ready tiles now."""
        grid, now = self._grid, self._now
        again = ready & ~unknown
        if again.any():
            cells = grid.cells_of(again)
            self._before.copy_cells(now, cells, grid.fine_pixels_of(cells))
        box = grid.fine_box_of(ready)
        cells = grid.cells_of(ready) & self.coarse.inside
        mask = grid.fine_pixels_of(cells)[box.slices]
        new = _unlit(
            log_colour_of(self._samples.mean_in(box)), illumination, self._gain(illumination, box)
        )
        for kept, value in zip(now.fine.channels, new.channels, strict=True):
            kept[box.slices][mask] = value[mask]
        reference = self._stillness.reference
        if reference is not None:
            new = _unlit(reference, illumination, _field(illumination))
            for kept, value in zip(now.coarse.channels, new.channels, strict=True):
                kept[cells] = value[cells]
        now.known |= cells
        now.learnt_s[cells] = t_s
        self._envelope.known[box.slices][mask] = 1
        self._samples.drop_samples(ready)
        self._envelope.follow_brightness(now.fine.brightness, box)

    def _take_back(
        self, tiles: np.ndarray, stable_s: np.ndarray, illumination: Illumination
    ) -> None:
        """Where the picture looks as it did before the last change, that older ground is the ground
        again."""
        old, seen = self._before, self._stillness.reference
        if seen is None or not (tiles.any() and old.known.any()):
            return
        lit = relit(old.coarse.brightness, _field(illumination))
        blue = np.abs(seen.blue - old.coarse.blue - illumination.blue)
        red = np.abs(seen.red - old.coarse.red - illumination.red)
        fits = old.known & (np.abs(seen.brightness - lit) < FITS_LOG) & (stable_s >= TAKEN_BACK_S)
        fits &= np.maximum(blue, red) < FITS_COLOUR_LOG
        back = tiles & self._grid.tiles_with_all(fits)
        if not back.any():
            return
        cells = self._grid.cells_of(back)
        self._now.swap_looks(old, cells, self._grid.fine_pixels_of(cells))
        self._envelope.follow_brightness(self._now.fine.brightness, self._grid.fine_box_of(back))

    def _refresh(self, picture: np.ndarray, tiles: np.ndarray, illumination: Illumination) -> None:
        """Let known ground follow what it slowly becomes."""
        box = self._grid.fine_box_of(tiles)
        sample = self.fine.sample_picture(picture, *box.slices)
        mask = self._grid.fine_pixels_of(self._grid.cells_of(tiles))[box.slices]
        mask &= ~saturated_pixels(sample)
        new = _unlit(log_colour_of(sample), illumination, self._gain(illumination, box))
        for kept, value in zip(self._now.fine.channels, new.channels, strict=True):
            part = kept[box.slices]
            change = value - part
            follows = mask & (np.abs(change) < REFRESH_REACH_LOG)
            part += REFRESH_WEIGHT * np.where(follows, change, 0)
        self._envelope.follow_brightness(self._now.fine.brightness, box)

    def _gain(self, illumination: Illumination, box: FineBox) -> np.ndarray:
        """The light over a box of fine pixels (whole cells from its top left on), float32."""
        height, width = box.bottom - box.top, box.right - box.left
        if illumination.field is None:
            return np.zeros((height, width), np.float32)
        k = self._grid.ratio
        part = illumination.field[
            box.top // k : -(-box.bottom // k), box.left // k : -(-box.right // k)
        ]
        size = (part.shape[1] * k, part.shape[0] * k)
        return cv2.resize(part, size, interpolation=cv2.INTER_LINEAR)[:height, :width]


def _light_basis(coarse: Raster) -> np.ndarray:
    """The six smooth lights over the coarse raster, (height, width, 6) float32."""
    y, x = np.mgrid[-1 : 1 : coarse.height * 1j, -1 : 1 : coarse.width * 1j].astype(np.float32)
    return quadratic_basis(x.ravel(), y.ravel()).reshape(coarse.height, coarse.width, 6)


def _field(illumination: Illumination) -> np.ndarray | np.floating:
    return illumination.field if illumination.field is not None else np.float32(0)


def _unlit(
    colour: LogColour, illumination: Illumination, gain: np.ndarray | np.floating
) -> LogColour:
    """The colour as it would be in the ground's own light."""
    return LogColour(
        relit(colour.brightness, -gain),
        colour.blue - illumination.blue,
        colour.red - illumination.red,
    )
