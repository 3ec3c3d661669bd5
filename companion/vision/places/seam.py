"""Does a place go over into the bare table round it without a seam? The judgement where the table
itself was never seen.

Knows a patch wider than the disc and which of its pixels are proven table; knows nothing of cards.
A card, a cup or a back has a rim, another colour or another grain; a table goes on. All of it must
agree before anything is called table.
"""

from __future__ import annotations

import numpy as np

from companion.vision.frame import log_light as light
from companion.vision.frame.log_light import Look3

OUTER_MM = 72.0
RING_SHARE = 0.40
SECTORS, SECTORS_SEEN = 12, 8
COLOUR = 0.05
COLOUR_SPREAD = 0.10
ODD_SHARE = 0.02
BRIGHT = 0.05
OUTSTANDING = 0.06
RIM = 0.018
RIM_FACTOR = 1.6
GRAIN = 0.012
GRAIN_RATIO = 1.7
"""Chosen on films of seed 3, four tables, so that no lying card passed (tests/benchmarks/places.py
--no-empty)."""


class Seam:
    """The geometry of a disc of `radius_mm` in a square patch with `spacing_mm` between pixels,
    `reach` pixels each way."""

    def __init__(self, radius_mm: float, spacing_mm: float, reach: int) -> None:
        offsets = np.arange(-reach, reach + 1, dtype=np.float32) * spacing_mm
        self.x, self.y = np.meshgrid(offsets, offsets)
        self.r = np.hypot(self.x, self.y)
        self.radius_mm = radius_mm
        self.ring = (self.r > radius_mm + 3.0) & (self.r <= OUTER_MM)
        self.inner = self.r <= radius_mm - 1.5
        angle = np.arctan2(self.y, self.x)
        self.sector = np.minimum(((angle + np.pi) / (2 * np.pi) * SECTORS).astype(int), SECTORS - 1)
        self.fine_sector = np.minimum(((angle + np.pi) / (2 * np.pi) * 24).astype(int), 23)

    def goes_on(self, look: Look3, table: np.ndarray, seen: np.ndarray, noise: float) -> bool:
        """Whether the inside continues the table round it; `table`: pixels proven bare, `seen`:
        pixels that may be judged (in view, no other card), both bool like the patch; `noise` in log
        units."""
        ring, inside = self.ring & table, self.inner & seen
        if np.count_nonzero(inside) < 0.9 * np.count_nonzero(self.inner) or not self._surrounded(
            ring
        ):
            return False
        level, ring = self._flattened(look.l, ring)
        return (
            self._same_colour(look, ring, inside, noise)
            and self._same_brightness(level, ring, inside, noise)
            and self._same_grain(look.l, ring, inside, noise)
            and self._no_rim(level, seen)
        )

    def _surrounded(self, ring: np.ndarray) -> bool:
        if np.count_nonzero(ring) < RING_SHARE * np.count_nonzero(self.ring):
            return False
        have = np.bincount(self.sector[ring], minlength=SECTORS)
        full = np.bincount(self.sector[self.ring], minlength=SECTORS)
        return int(np.count_nonzero(have > 0.25 * full)) >= SECTORS_SEEN

    def _flattened(self, log: np.ndarray, ring: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The patch less the ring's own slope, and the ring less what stands out of it: a token, a
        print, a pen."""
        columns = np.stack([np.ones_like(self.x), self.x / OUTER_MM, self.y / OUTER_MM], axis=-1)
        flat = log - light.median(log[ring])
        for _ in range(3):
            off = np.abs(flat - light.median(flat[ring]))
            plain = ring & (off < OUTSTANDING + 3 * light.median(off[ring]))
            weights = light.fit(columns[plain], log[plain], np.full(3, 1e-3, np.float32))
            flat = log - columns @ weights
        return flat, plain

    def _same_colour(self, look: Look3, ring: np.ndarray, inside: np.ndarray, noise: float) -> bool:
        for part in (look.u, look.v):
            middle = light.median(part[ring])
            spread = light.median(np.abs(part[ring] - middle))
            if abs(light.median(part[inside]) - middle) > COLOUR + spread:
                return False
            if (
                float(
                    (np.abs(part[inside] - middle) > COLOUR_SPREAD + 4 * spread + 4 * noise).mean()
                )
                > ODD_SHARE
            ):
                return False
        return True

    def _same_brightness(
        self, flat: np.ndarray, ring: np.ndarray, inside: np.ndarray, noise: float
    ) -> bool:
        at = (3, 20, 50, 80, 97)
        out, within = np.percentile(flat[ring], at), np.percentile(flat[inside], at)
        allowed = BRIGHT + 0.5 * float(out[3] - out[1]) + 2 * noise
        return bool(np.abs(out - within).max() < allowed)

    def _same_grain(
        self, log: np.ndarray, ring: np.ndarray, inside: np.ndarray, noise: float
    ) -> bool:
        steps = np.abs(np.diff(log, axis=1, append=log[:, -1:])) + np.abs(
            np.diff(log, axis=0, append=log[-1:])
        )
        a, b = float(steps[ring].mean()), float(steps[inside].mean())
        floor = GRAIN + noise
        return (b + floor) < GRAIN_RATIO * (a + floor) and (a + floor) < GRAIN_RATIO * (b + floor)

    def _no_rim(self, flat: np.ndarray, where: np.ndarray) -> bool:
        rim = self._steps(flat, where, self.radius_mm)
        usual = np.concatenate(
            [self._steps(flat, where, self.radius_mm + d) for d in (-12.0, 9.0, 15.0)]
        )
        if len(rim) < 14 or len(usual) < 20:
            return False
        typical = 1.2 * light.median(np.abs(usual))
        return (
            float(np.sqrt(np.mean(rim * rim))) < RIM + RIM_FACTOR * typical
            and abs(float(rim.mean())) < RIM + typical
        )

    def _steps(self, flat: np.ndarray, where: np.ndarray, radius: float) -> np.ndarray:
        """How much brighter it is just inside than just outside a circle, in each of 24 sectors
        that can be seen."""
        inner = where & (self.r > radius - 5) & (self.r <= radius - 1)
        outer = where & (self.r > radius + 3) & (self.r <= radius + 7)
        have_in, have_out = (np.bincount(self.fine_sector[m], minlength=24) for m in (inner, outer))
        sum_in = np.bincount(self.fine_sector[inner], weights=flat[inner], minlength=24)
        sum_out = np.bincount(self.fine_sector[outer], weights=flat[outer], minlength=24)
        good = (have_in >= 3) & (have_out >= 3)
        return sum_in[good] / have_in[good] - sum_out[good] / have_out[good]
