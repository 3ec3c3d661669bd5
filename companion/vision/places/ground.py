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

from companion.vision.frame import log_light as light
from companion.vision.frame.illumination import Light, fit_lit
from companion.vision.frame.log_light import Look3
from companion.vision.frame.raster import Raster

TILE = 2
"""Coarse cells along a tile."""

FIRST_S = 0.5
"""A tile never seen before is learnt after so long without a change."""

AGAIN_S = 4.0
"""A known tile that looks otherwise now is learnt anew after so long: a cup put down is no table
yet."""

BACK_AGAIN_S = 0.4
"""A tile that looks as it did before the last change is taken back after so long: the cup was
lifted."""

HURRY_S = 1.5
"""Unknown ground that has lately come to rest is worth every frame; what never rests is not."""

FLICKER = 4
"""So many known tiles that look otherwise are worth no hurry: a token's edges flicker about the
threshold for ever."""

SAMPLES = 4
REFRESH_S = 3.0
REFRESH_WEIGHT = 0.15
CHANGE = 0.05
FITS = 0.07
COLOUR = 0.08
"""Log units on the coarse raster; widened by the noise of a cell, and by `STEP`."""

STEP = 1.2
"""Grey levels that rounding alone may change a cell by: a tenth in logarithms where a token is
black, enough to see a hand resting there for ever
(tests/companion/vision/places/test_place_watch.py)."""


@dataclass(frozen=True, slots=True)
class GroundPatch:
    """The ground under some fine pixels: brightness with its envelope a millimetre round, colour,
    and where it is known."""

    look: Look3
    low: np.ndarray
    high: np.ndarray
    known: np.ndarray


def _zeros(raster: Raster) -> np.ndarray:
    return np.zeros((raster.height, raster.width), np.float32)


class _Layer:
    """Brightness and colour on both rasters, and which is known."""

    def __init__(self, fine: Raster, coarse: Raster) -> None:
        self.l, self.u, self.v = _zeros(fine), _zeros(fine), _zeros(fine)
        self.cl, self.cu, self.cv = _zeros(coarse), _zeros(coarse), _zeros(coarse)
        self.known = np.zeros((coarse.height, coarse.width), dtype=bool)
        self.learnt_s = np.full((coarse.height, coarse.width), np.inf, np.float32)


class Ground:
    """The table's own look, on a fine and a coarse raster over the same part of the table."""

    def __init__(self, fine: Raster, coarse: Raster) -> None:
        self.fine, self.coarse = fine, coarse
        self.ratio = round(coarse.step_mm / fine.step_mm)
        self.noise = light.Noise()
        self._now, self._before = _Layer(fine, coarse), _Layer(fine, coarse)
        self._low, self._high = _zeros(fine), _zeros(fine)
        self.known_fine = np.zeros((fine.height, fine.width), np.uint8)
        y, x = np.mgrid[-1 : 1 : coarse.height * 1j, -1 : 1 : coarse.width * 1j].astype(np.float32)
        self._basis = light.basis(x.ravel(), y.ravel()).reshape(coarse.height, coarse.width, 6)
        self._ref: Look3 | None = None
        self._since = _zeros(coarse)
        self._sum = np.zeros((fine.height, fine.width, 3), np.float32)
        self._count = np.zeros((-(-coarse.height // TILE), -(-coarse.width // TILE)), np.int32)
        self._last: np.ndarray | None = None
        self._last_box: tuple[int, int, int, int] | None = None
        self._refreshed_s = -1e9
        self.waiting = False
        """True while a closer look would help: tiles are being learnt, or were lately found
        unknown."""

    @property
    def known(self) -> np.ndarray:
        """Coarse cells whose ground is known, bool."""
        return self._now.known

    def compare(self, seen: Look3, cell_noise: float) -> tuple[Light, np.ndarray]:
        """The table's light now, and the coarse cells that do not look like the ground (False where
        it is not known)."""
        where = self._now.known & self.coarse.inside
        if np.count_nonzero(where) < 100:
            return Light(), np.zeros_like(where)
        now = self._now
        burnt, top = (
            light.brightest(seen) > light.BURNT_OUT,
            light.brightest(Look3(now.cl, now.cu, now.cv)),
        )
        field, near = fit_lit(
            self._basis, light.untamed(seen.l) - light.untamed(now.cl), where, burnt, top
        )
        blue, red = (
            light.median((a[::3, ::3] - b[::3, ::3])[near])
            for a, b in ((seen.u, now.cu), (seen.v, now.cv))
        )
        spread = (4 * cell_noise + STEP) / (np.maximum(light.level(seen.l), 0) + light.DARK_OFFSET)
        shown = light.shown(Look3(light.lit_up(now.cl, field), now.cu + blue, now.cv + red), seen)
        off = (np.abs(seen.l - shown.l) > FITS + spread) | (
            np.maximum(np.abs(seen.u - shown.u), np.abs(seen.v - shown.v)) > COLOUR + 1.5 * spread
        )
        foreign = off & where
        share = 1 - float(np.count_nonzero(foreign)) / np.count_nonzero(where)
        return Light(
            float(field[field.shape[0] // 2, field.shape[1] // 2]), blue, red, share, field
        ), foreign

    def watch(self, seen: Look3, t_s: float, cell_noise: float) -> np.ndarray:
        """Note what changed; returns for how many seconds each coarse cell has looked the same,
        float32."""
        if self._ref is None:
            self._ref = Look3(seen.l.copy(), seen.u.copy(), seen.v.copy())
            self._since[:] = t_s
        ref = self._ref
        spread = (5 * cell_noise + STEP) / (np.maximum(light.level(seen.l), 0) + light.DARK_OFFSET)
        changed = (np.abs(seen.l - ref.l) > CHANGE + spread) | (
            np.maximum(np.abs(seen.u - ref.u), np.abs(seen.v - ref.v)) > CHANGE + 1.5 * spread
        )
        for kept, new in ((ref.l, seen.l), (ref.u, seen.u), (ref.v, seen.v)):
            kept += np.where(changed, 1.0, 0.2) * (new - kept)
        self._since[changed] = t_s
        return t_s - self._since

    def learn(
        self,
        picture: np.ndarray,
        stable_s: np.ndarray,
        foreign: np.ndarray,
        keep_off: np.ndarray,
        t_s: float,
        lit: Light,
    ) -> None:
        """Learn tiles that have been still and free; `picture` is the shrunk picture, `keep_off`
        coarse cells never to learn."""
        free = self.coarse.inside & ~keep_off
        outside = ~self.coarse.inside
        still = self._tiles(free & (stable_s >= FIRST_S * 0.5) | outside, all_cells=True)
        fresh = self._tiles(free & ~self.known, all_cells=False)
        other = self._tiles(foreign & free, all_cells=False)
        settled = self._tiles((stable_s >= AGAIN_S - 0.5) | outside, all_cells=True)
        self._take_back(still & other & ~fresh, stable_s, lit)
        wanted = still & (fresh | (other & settled))
        lately = bool((wanted & fresh).any()) or int(np.count_nonzero(wanted)) > FLICKER
        self.waiting = lately or bool(
            (fresh & self._tiles(free & (stable_s < HURRY_S), all_cells=False)).any()
        )
        self._count[~wanted] = 0
        if wanted.any():
            self._collect(picture, wanted)
            ready = (
                wanted
                & (self._count >= SAMPLES)
                & self._tiles((stable_s >= FIRST_S) | outside, all_cells=True)
            )
            if ready.any():
                self._commit(ready, lit, fresh, t_s)
        elif t_s - self._refreshed_s > REFRESH_S:
            self._refreshed_s = t_s
            self._refresh(
                picture,
                self._tiles(free & self.known & ~foreign & (stable_s > 1.0), all_cells=True),
                lit,
            )

    def forget(self, cells: np.ndarray) -> None:
        """The ground of these coarse cells (bool) is no longer trusted and will be learnt anew."""
        self._now.known[cells] = False
        self.known_fine[self._grow(cells)] = 0

    def patch(self, rows: slice, columns: slice) -> GroundPatch:
        """The ground at fine rows and columns (slices with steps allowed)."""
        now, at = self._now, (rows, columns)
        return GroundPatch(
            Look3(now.l[at], now.u[at], now.v[at]),
            self._low[at],
            self._high[at],
            self.known_fine[at] > 0,
        )

    def known_since(self, rows: slice, columns: slice, t_s: float) -> np.ndarray:
        """Fine pixels (slices with steps allowed) whose ground was learnt at `t_s` or before, bool."""
        at = np.ix_(
            *(np.arange(part.start, part.stop, part.step) // self.ratio for part in (rows, columns))
        )
        row, column = (
            np.minimum(part, size - 1) for part, size in zip(at, self._now.known.shape, strict=True)
        )
        return np.asarray(self._now.known[row, column] & (self._now.learnt_s[row, column] <= t_s))

    def _tiles(self, cells: np.ndarray, all_cells: bool) -> np.ndarray:
        h, w = self._count.shape
        padded = np.full((h * TILE, w * TILE), all_cells, dtype=bool)
        padded[: cells.shape[0], : cells.shape[1]] = cells
        blocks = padded.reshape(h, TILE, w, TILE)
        return np.asarray(blocks.all(axis=(1, 3)) if all_cells else blocks.any(axis=(1, 3)))

    def _cells(self, tiles: np.ndarray) -> np.ndarray:
        return tiles.repeat(TILE, axis=0).repeat(TILE, axis=1)[
            : self.coarse.height, : self.coarse.width
        ]

    def _grow(self, cells: np.ndarray) -> np.ndarray:
        size = (self.coarse.width * self.ratio, self.coarse.height * self.ratio)
        big = cv2.resize(cells.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
        out = np.zeros((self.fine.height, self.fine.width), dtype=bool)
        h, w = min(big.shape[0], out.shape[0]), min(big.shape[1], out.shape[1])
        out[:h, :w] = big[:h, :w] > 0
        return out

    def _box(self, tiles: np.ndarray) -> tuple[int, int, int, int]:
        rows, columns = np.flatnonzero(tiles.any(axis=1)), np.flatnonzero(tiles.any(axis=0))
        k = TILE * self.ratio
        bottom, right = (
            min(self.fine.height, (int(rows[-1]) + 1) * k),
            min(self.fine.width, (int(columns[-1]) + 1) * k),
        )
        return int(rows[0]) * k, bottom, int(columns[0]) * k, right

    def _collect(self, picture: np.ndarray, wanted: np.ndarray) -> None:
        r0, r1, c0, c1 = box = self._box(wanted)
        sample = self.fine.sample(picture, slice(r0, r1), slice(c0, c1))
        begun = self._grow(self._cells(wanted & (self._count == 0)))[r0:r1, c0:c1]
        total = self._sum[r0:r1, c0:c1]
        total[begun] = 0
        cv2.accumulate(sample, total)
        if self._last is not None and self._last_box == box:
            both = self._grow(self._cells(wanted & (self._count > 0)))[r0:r1, c0:c1]
            both[1::3] = False
            both[:, 1::3] = False
            if np.count_nonzero(both) > 3000:
                self.noise.learn(sample[both], self._last[both])
        self._last, self._last_box = sample, box
        self._count[wanted] += 1

    def _gain(self, lit: Light, r0: int, r1: int, c0: int, c1: int) -> np.ndarray:
        """The light over fine rows r0 to r1 and columns c0 to c1 (whole cells from r0, c0 on),
        float32."""
        if lit.field is None:
            return np.zeros((r1 - r0, c1 - c0), np.float32)
        k = self.ratio
        part = lit.field[r0 // k : -(-r1 // k), c0 // k : -(-c1 // k)]
        return cv2.resize(
            part, (part.shape[1] * k, part.shape[0] * k), interpolation=cv2.INTER_LINEAR
        )[: r1 - r0, : c1 - c0]

    def _commit(self, ready: np.ndarray, lit: Light, fresh: np.ndarray, t_s: float) -> None:
        again = ready & ~fresh
        if again.any():
            self._keep_before(again)
        r0, r1, c0, c1 = self._box(ready)
        cells = self._cells(ready) & self.coarse.inside
        mask = self._grow(cells)[r0:r1, c0:c1]
        counts = np.kron(
            np.maximum(self._count, 1), np.ones((TILE * self.ratio, TILE * self.ratio), np.float32)
        )[r0:r1, c0:c1]
        mean = self._sum[r0:r1, c0:c1] / counts[..., None]
        new, now, ref = light.logs(mean), self._now, self._ref
        gain = self._gain(lit, r0, r1, c0, c1)
        for kept, value in (
            (now.l, light.lit_up(new.l, -gain)),
            (now.u, new.u - lit.blue),
            (now.v, new.v - lit.red),
        ):
            kept[r0:r1, c0:c1][mask] = value[mask]
        if ref is not None:
            field = lit.field if lit.field is not None else np.float32(0)
            for kept, value in (
                (now.cl, light.lit_up(ref.l, -field)),
                (now.cu, ref.u - lit.blue),
                (now.cv, ref.v - lit.red),
            ):
                kept[cells] = value[cells]
        now.known |= cells
        now.learnt_s[cells] = t_s
        self.known_fine[r0:r1, c0:c1][mask] = 1
        self._count[ready] = 0
        self._envelope(r0, r1, c0, c1)

    def _keep_before(self, tiles: np.ndarray) -> None:
        cells, now, old = self._cells(tiles), self._now, self._before
        fine = self._grow(cells)
        for a, b in ((old.l, now.l), (old.u, now.u), (old.v, now.v)):
            a[fine] = b[fine]
        for a, b in ((old.cl, now.cl), (old.cu, now.cu), (old.cv, now.cv)):
            a[cells] = b[cells]
        old.known[cells], old.learnt_s[cells] = now.known[cells], now.learnt_s[cells]

    def _take_back(self, tiles: np.ndarray, stable_s: np.ndarray, lit: Light) -> None:
        """Where the picture looks as it did before the last change, that older ground is the ground
        again."""
        old, seen = self._before, self._ref
        if seen is None or not (tiles.any() and old.known.any()):
            return
        field = lit.field if lit.field is not None else np.float32(0)
        fits = (
            old.known
            & (np.abs(seen.l - light.lit_up(old.cl, field)) < FITS)
            & (stable_s >= BACK_AGAIN_S)
        )
        fits &= (
            np.maximum(np.abs(seen.u - old.cu - lit.blue), np.abs(seen.v - old.cv - lit.red))
            < COLOUR
        )
        back = tiles & self._tiles(fits, all_cells=True)
        if not back.any():
            return
        cells, now = self._cells(back), self._now
        fine = self._grow(cells)
        for name in ("l", "u", "v"):
            a, b = getattr(old, name), getattr(now, name)
            a[fine], b[fine] = b[fine], a[fine]
            ca, cb = getattr(old, "c" + name), getattr(now, "c" + name)
            ca[cells], cb[cells] = cb[cells], ca[cells]
        old.learnt_s[cells], now.learnt_s[cells] = now.learnt_s[cells], old.learnt_s[cells]
        self._envelope(*self._box(back))

    def _refresh(self, picture: np.ndarray, tiles: np.ndarray, lit: Light) -> None:
        if not tiles.any():
            return
        r0, r1, c0, c1 = self._box(tiles)
        mask = self._grow(self._cells(tiles))[r0:r1, c0:c1]
        sample, now = self.fine.sample(picture, slice(r0, r1), slice(c0, c1)), self._now
        new, mask = light.logs(sample), mask & ~light.burnt(sample)
        gain = self._gain(lit, r0, r1, c0, c1)
        for kept, value in (
            (now.l, light.lit_up(new.l, -gain)),
            (now.u, new.u - lit.blue),
            (now.v, new.v - lit.red),
        ):
            part = kept[r0:r1, c0:c1]
            change = value - part
            part += REFRESH_WEIGHT * np.where(mask & (np.abs(change) < 0.12), change, 0)
        self._envelope(r0, r1, c0, c1)

    def _envelope(self, r0: int, r1: int, c0: int, c1: int) -> None:
        top, left = max(0, r0 - 1), max(0, c0 - 1)
        bottom, right = min(self.fine.height, r1 + 1), min(self.fine.width, c1 + 1)
        part = self._now.l[top:bottom, left:right]
        known = self.known_fine[top:bottom, left:right]
        kernel = np.ones((3, 3), np.uint8)
        reach = min(1.0, 1.0 / self.fine.step_mm)
        for kept, value, spread in (
            (self._low, np.float32(9), cv2.erode),
            (self._high, np.float32(-9), cv2.dilate),
        ):
            extreme = spread(np.where(known, part, value), kernel)
            kept[top:bottom, left:right] = part + reach * (extreme - part)
