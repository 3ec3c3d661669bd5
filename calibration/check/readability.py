"""Can a card lying there be read? For places all over the table: pixels a module, blur, contrast, a
predicted chance.

Knows planes, light and the marker's size; must not know the reader that will do the reading: its
rate is a curve measured with the reader (tests/benchmarks/fits/read_curve.py) and kept here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.geometry.plane import Plane
from calibration.tags.illumination import FAINT_CONTRAST, TagLight
from card_printables.marker import MODULES, SYMBOL_MM
from card_printables.token import TOKEN_NAMES

GREEN_CHANCE = 0.99
RED_CHANCE = 0.70
_COLUMNS = 9
_ROWS = 5
"""Places of the map across and down the middle."""


@dataclass(frozen=True, slots=True)
class ReadCurve:
    """The reader's rate, fitted to 4,200 cards as `python -m tests.benchmarks.fits.read_curve --seed 101`
    did, in pictures of eight kinds of cameras (webcams, harsh, raw, moving, dusk, bright, a phone's
    smoothing, enlarged sensors).

    Half of the cards are read at 0.53 px a module with a perfect lens (`half_px`), at 0.78 px for
    each pixel of blur (`blur_costs`), and at two thirds more in the dark (`dim_costs`). Both first
    ones are kept 2 % higher: in pictures by another renderer, whose noise is not smoothed, fewer of
    the weak places read (15 tables). `worse_of_both` is the power by which pixels and blur join,
    `steepness` that of the rate. `burnt_costs`, by the square of the exposure's logarithm, came later,
    with burnt-out pictures as a ninth kind: `--seed 101 --tables 270` fits 0.36, and 0.42 is kept, for of
    the burnt-out cards held out that were given a chance of 0.9 a third were read. `noise_costs` is px a
    module at which half are read where print's contrast is the noise's sigma: of 1.3 px a module 9 of 12
    cards were read at 4.4 sigmas of contrast in pictures by one renderer that is not kept here, 10 of 18
    at 7.6 and none at 5.6 by another, coarser one; the first is kept, for both a place that may be missed
    is none that reads at once. tests/benchmarks/set_up.py prints predicted and measured rates with
    fresh seeds.
    """

    steepness: float = 10.7
    half_px: float = 0.54
    blur_costs: float = 0.80
    worse_of_both: float = 8.6
    dim_costs: float = 0.66
    burnt_costs: float = 0.42
    noise_costs: float = 5.0


CURVE = ReadCurve()

CONTRAST_WANTED = 80.0
GLARE_FREE_SHARE = 0.04
"""Share of a marker that a lamp may burn out."""
GLARE_COSTS = 84.0
"""How fast the rate's logit falls beyond that share: a tenth burnt out is red."""

NOISE_TIMES = 2.5
"""Contrast, in sigmas of the picture's noise, below which nothing is promised: in three pictures of a dark
room by a renderer that is not kept here 0 of 12 cards were read at 2.1 sigmas, five at 2.8, ten at 3.8
(tests/calibration/check/test_darkness.py holds the first)."""

EDGE_PX = 4.0
"""A marker nearer to the picture's border is cut."""


@dataclass(frozen=True, slots=True)
class MapCell:
    """One place of the table: where (mm, and px), what a marker there gets, the predicted chance
    that one frame reads it."""

    x_mm: float
    y_mm: float
    x_px: float
    y_px: float
    px_per_module: float
    blur_px: float
    contrast: float
    exposure: float
    tilt_deg: float
    read_chance: float
    glare: float = 0.0

    @property
    def verdict(self) -> str:
        """green: reads at once; amber: reads now and then, held still; red: keep it by touch."""
        return (
            "green"
            if self.read_chance >= GREEN_CHANCE
            else "amber"
            if self.read_chance >= RED_CHANCE
            else "red"
        )

    @property
    def is_hidden(self) -> bool:
        """No card can be read there: a lamp burns it out, or it is too dark to see an edge."""
        return self.glare > GLARE_FREE_SHARE or self.contrast < FAINT_CONTRAST


def read_chance(
    px_per_module: float,
    blur_px: float,
    contrast: float = 120.0,
    glare: float = 0.0,
    exposure: float = 1.0,
    noise: float = 0.0,
) -> float:
    """The chance, 0 to 1, that one frame reads a marker with so many pixels a module in the weakest
    direction; none where print is too faint to measure an edge on, or drowns in `noise` (sigma, grey
    levels). `exposure` is how many times the light that burns out white paper falls there: white spreads
    into black."""
    if contrast < max(FAINT_CONTRAST, NOISE_TIMES * noise):
        return 0.0
    dim = max(0.0, CONTRAST_WANTED - contrast) / CONTRAST_WANTED
    burnt = np.log(max(exposure, 1.0)) ** 2
    in_light_px = _half_px(blur_px) * (1 + CURVE.dim_costs * dim) * (1 + CURVE.burnt_costs * burnt)
    needed = _worse_of(in_light_px, CURVE.noise_costs * noise / contrast)
    spare = CURVE.steepness * np.log(max(px_per_module, 1e-3) / needed) - GLARE_COSTS * max(
        0.0, glare - GLARE_FREE_SHARE
    )
    return float(1 / (1 + np.exp(-np.clip(spare, -40, 40))))


def px_needed(blur_px: float, chance: float = GREEN_CHANCE) -> float:
    """Pixels a module that give this chance at this blur: the inverse of `read_chance` in good
    light."""
    return float(_half_px(blur_px) * (chance / (1 - chance)) ** (1 / CURVE.steepness))


def _half_px(blur_px: float) -> float:
    """Pixels a module at which half the cards are read: limited by the pixels or by the blur,
    whichever is worse."""
    return _worse_of(CURVE.half_px, CURVE.blur_costs * max(blur_px, 0.0))


def _worse_of(one_px: float, another_px: float) -> float:
    k = CURVE.worse_of_both
    return float((one_px**k + another_px**k) ** (1 / k))


def map_places_mm(plane: Plane) -> np.ndarray:
    """Places (n, 2) mm evenly over the middle, and the tray's three places for discs; the whole
    view without tokens."""
    if plane.middle_from_tokens:
        quad = np.array([plane.tokens_mm[name] for name in TOKEN_NAMES])
        u, v = (
            g.ravel()[:, None]
            for g in np.meshgrid(np.linspace(0, 1, _COLUMNS), np.linspace(0, 1, _ROWS))
        )
        spots: np.ndarray = (
            (1 - u) * (1 - v) * quad[0]
            + u * (1 - v) * quad[1]
            + u * v * quad[2]
            + (1 - u) * v * quad[3]
        )
    else:
        x, y = np.meshgrid(
            np.linspace(0.06, 0.94, _COLUMNS) * plane.width_px,
            np.linspace(0.08, 0.92, _ROWS) * plane.height_px,
        )
        spots = plane.to_mm(np.column_stack([x.ravel(), y.ravel()]))
        spots = spots[np.isfinite(spots).all(axis=1)]
    if plane.tray_mm is None:
        return spots
    tl, tr, br, bl = np.array(plane.tray_mm)
    left, right = (tl + bl) / 2, (tr + br) / 2
    return np.vstack([spots, [left + t * (right - left) for t in (0.2, 0.5, 0.8)]])


def map_of(
    plane: Plane,
    lights: Sequence[TagLight],
    symbol_mm: float = SYMBOL_MM,
    burnt: np.ndarray | None = None,
    noise: float = 0.0,
) -> list[MapCell]:
    """The readability of places all over the table; blur and light between the tags are told from
    the nearest ones.

    `burnt` (H, W) bool marks where a lamp's glare hides whatever would lie there; `noise` is the
    picture's (sigma, grey levels).
    """
    places = map_places_mm(plane)
    pixels, scale = plane.to_px(places), plane.px_per_mm_at(places) * symbol_mm / MODULES
    spots = []
    for (x, y), (u, v), p in zip(places, pixels, scale, strict=True):
        blur, contrast, exposure = _light_at((u, v), lights)
        glare = _share_of(burnt, (u, v), p * MODULES)
        inside = (
            EDGE_PX <= u <= plane.width_px - EDGE_PX and EDGE_PX <= v <= plane.height_px - EDGE_PX
        )
        chance = (
            read_chance(p, blur, contrast, glare, exposure, noise)
            if inside and np.isfinite(p)
            else 0.0
        )
        spots.append(
            MapCell(
                float(x),
                float(y),
                float(u),
                float(v),
                float(p),
                blur,
                contrast,
                exposure,
                plane.tilt_deg((float(x), float(y))),
                chance,
                glare,
            )
        )
    return spots


def _share_of(burnt: np.ndarray | None, at_px: tuple[float, float], side_px: float) -> float:
    """Share of a square about a pixel, a marker with its rim wide, that is burnt out."""
    if burnt is None or not np.isfinite([*at_px, side_px]).all():
        return 0.0
    half = max(2, round(0.9 * float(side_px)))
    x, y = round(float(at_px[0])), round(float(at_px[1]))
    part = burnt[max(y - half, 0) : max(y + half + 1, 0), max(x - half, 0) : max(x + half + 1, 0)]
    return float(part.mean()) if part.size else 0.0


_USUAL_LIGHT = (0.8, 100.0, 1.0)


def _light_at(at_px: tuple[float, float], lights: Sequence[TagLight]) -> tuple[float, float, float]:
    """Blur, contrast and exposure at a pixel: the tags' own, weighed by nearness."""
    if not lights:
        return _USUAL_LIGHT
    weight = np.array(
        [
            1 / (np.hypot(at_px[0] - one.at_px[0], at_px[1] - one.at_px[1]) + 60) ** 2
            for one in lights
        ]
    )
    values = np.array([(one.blur_px, one.contrast, one.exposure) for one in lights])
    blur, contrast, exposure = weight @ values / weight.sum()
    return float(blur), float(contrast), float(exposure)
