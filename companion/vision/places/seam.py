"""Does a place go over into the bare table round it without a seam? The judgement where the table
itself was never seen.

Knows a patch wider than the disc and which of its pixels are proven table; knows nothing of cards.
A card, a cup or a back has a rim, another colour or another grain; a table goes on. All of it must
agree before anything is called table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.frame.fitting import fast_median, ridge_fit
from companion.vision.frame.log_colour import LogColour

SEAM_REACH_MM = 72.0
"""From a place's middle, as far as the table round it is compared."""

SECTORS = 12
"""Of the ring round a place: table must show in most of them."""

RIM_SECTORS = 24
"""Of a circle along which a rim is looked for."""


@dataclass(frozen=True, slots=True)
class SeamThresholds:
    """When a place continues the table round it: all of it must agree. Chosen on films of seed 3,
    four tables, so that no lying card passed (`tests/benchmarks/places.py --no-empty`). "Log" are
    natural logarithms of brightness or colour."""

    least_ring_share: float = 0.40
    """Share of the ring that must be proven table."""
    fewest_sectors: int = 8
    """Sectors of the ring, of `SECTORS`, in which table must show."""
    colour_log: float = 0.05
    """By so much the middle colour may be off, beside the ring's own spread."""
    colour_spread_log: float = 0.10
    """A pixel farther off than this, beside spread and noise, is odd."""
    largest_odd_share: float = 0.02
    """Share of odd pixels."""
    brightness_log: float = 0.05
    """By so much percentiles of brightness may be off."""
    outstanding_log: float = 0.06
    """What stands out so much of the ring's own slope is a thing on the table: left out."""
    rim_log: float = 0.018
    """A step so large along the disc's edge, beside usual steps, is a rim."""
    rim_factor: float = 1.6
    """Times the usual step that is forgiven."""
    grain_log: float = 0.012
    """Added to both grains before they are compared."""
    largest_grain_ratio: float = 1.7
    """Between the grain inside and outside."""


SEAM_THRESHOLDS = SeamThresholds()


class SeamTest:
    """The geometry of a disc of `radius_mm` in a square patch with `spacing_mm` between pixels,
    `reach` pixels each way."""

    def __init__(self, radius_mm: float, spacing_mm: float, reach: int) -> None:
        offsets = np.arange(-reach, reach + 1, dtype=np.float32) * spacing_mm
        self.x, self.y = np.meshgrid(offsets, offsets)
        self.r = np.hypot(self.x, self.y)
        self.radius_mm = radius_mm
        self.ring = (self.r > radius_mm + 3.0) & (self.r <= SEAM_REACH_MM)
        self.inner = self.r <= radius_mm - 1.5
        angle = np.arctan2(self.y, self.x)
        self.sector = np.minimum(((angle + np.pi) / (2 * np.pi) * SECTORS).astype(int), SECTORS - 1)
        self.fine_sector = np.minimum(
            ((angle + np.pi) / (2 * np.pi) * RIM_SECTORS).astype(int), RIM_SECTORS - 1
        )

    def table_continues(
        self, colour: LogColour, table: np.ndarray, seen: np.ndarray, noise: float
    ) -> bool:
        """Whether the inside continues the table round it; `table`: pixels proven bare, `seen`:
        pixels that may be judged (in view, no other card), both bool like the patch; `noise` in log
        units."""
        ring, inside = self.ring & table, self.inner & seen
        if np.count_nonzero(inside) < 0.9 * np.count_nonzero(self.inner) or not self._surrounded(
            ring
        ):
            return False
        level, ring = self._flattened(colour.brightness, ring)
        return (
            self._same_colour(colour, ring, inside, noise)
            and self._same_brightness(level, ring, inside, noise)
            and self._same_grain(colour.brightness, ring, inside, noise)
            and self._no_rim(level, seen)
        )

    def _surrounded(self, ring: np.ndarray) -> bool:
        if np.count_nonzero(ring) < SEAM_THRESHOLDS.least_ring_share * np.count_nonzero(self.ring):
            return False
        have = np.bincount(self.sector[ring], minlength=SECTORS)
        full = np.bincount(self.sector[self.ring], minlength=SECTORS)
        return int(np.count_nonzero(have > 0.25 * full)) >= SEAM_THRESHOLDS.fewest_sectors

    def _flattened(self, log: np.ndarray, ring: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The patch less the ring's own slope, and the ring less what stands out of it: a token, a
        print, a pen."""
        columns = np.stack(
            [np.ones_like(self.x), self.x / SEAM_REACH_MM, self.y / SEAM_REACH_MM], axis=-1
        )
        flat = log - fast_median(log[ring])
        for _ in range(3):
            off = np.abs(flat - fast_median(flat[ring]))
            plain = ring & (off < SEAM_THRESHOLDS.outstanding_log + 3 * fast_median(off[ring]))
            weights = ridge_fit(columns[plain], log[plain], np.full(3, 1e-3, np.float32))
            flat = log - columns @ weights
        return flat, plain

    def _same_colour(
        self, colour: LogColour, ring: np.ndarray, inside: np.ndarray, noise: float
    ) -> bool:
        for part in (colour.blue, colour.red):
            middle = fast_median(part[ring])
            spread = fast_median(np.abs(part[ring] - middle))
            if abs(fast_median(part[inside]) - middle) > SEAM_THRESHOLDS.colour_log + spread:
                return False
            if (
                float(
                    (
                        np.abs(part[inside] - middle)
                        > SEAM_THRESHOLDS.colour_spread_log + 4 * spread + 4 * noise
                    ).mean()
                )
                > SEAM_THRESHOLDS.largest_odd_share
            ):
                return False
        return True

    def _same_brightness(
        self, flat: np.ndarray, ring: np.ndarray, inside: np.ndarray, noise: float
    ) -> bool:
        at = (3, 20, 50, 80, 97)
        out, within = np.percentile(flat[ring], at), np.percentile(flat[inside], at)
        allowed = SEAM_THRESHOLDS.brightness_log + 0.5 * float(out[3] - out[1]) + 2 * noise
        return bool(np.abs(out - within).max() < allowed)

    def _same_grain(
        self, log: np.ndarray, ring: np.ndarray, inside: np.ndarray, noise: float
    ) -> bool:
        steps = np.abs(np.diff(log, axis=1, append=log[:, -1:])) + np.abs(
            np.diff(log, axis=0, append=log[-1:])
        )
        a, b = float(steps[ring].mean()), float(steps[inside].mean())
        floor = SEAM_THRESHOLDS.grain_log + noise
        return (b + floor) < SEAM_THRESHOLDS.largest_grain_ratio * (a + floor) and (
            a + floor
        ) < SEAM_THRESHOLDS.largest_grain_ratio * (b + floor)

    def _no_rim(self, flat: np.ndarray, where: np.ndarray) -> bool:
        rim = self._steps(flat, where, self.radius_mm)
        usual = np.concatenate(
            [self._steps(flat, where, self.radius_mm + d) for d in (-12.0, 9.0, 15.0)]
        )
        if len(rim) < 14 or len(usual) < 20:
            return False
        typical = 1.2 * fast_median(np.abs(usual))
        return (
            float(np.sqrt(np.mean(rim * rim)))
            < SEAM_THRESHOLDS.rim_log + SEAM_THRESHOLDS.rim_factor * typical
            and abs(float(rim.mean())) < SEAM_THRESHOLDS.rim_log + typical
        )

    def _steps(self, flat: np.ndarray, where: np.ndarray, radius: float) -> np.ndarray:
        """How much brighter it is just inside than just outside a circle, in each of 24 sectors
        that can be seen."""
        inner = where & (self.r > radius - 5) & (self.r <= radius - 1)
        outer = where & (self.r > radius + 3) & (self.r <= radius + 7)
        have_in, have_out = (
            np.bincount(self.fine_sector[m], minlength=RIM_SECTORS) for m in (inner, outer)
        )
        sum_in = np.bincount(self.fine_sector[inner], weights=flat[inner], minlength=RIM_SECTORS)
        sum_out = np.bincount(self.fine_sector[outer], weights=flat[outer], minlength=RIM_SECTORS)
        good = (have_in >= 3) & (have_out >= 3)
        return sum_in[good] / have_in[good] - sum_out[good] / have_out[good]
