"""Discs of the cards' size anywhere on the table, by their rims alone: no marker, no empty table
needed.

Knows the rectified picture and the disc's radius; knows no cards, no backs. A rim is a ring of
steps, each pointing to or from the middle; at twice the angle a step towards and a step away are
the same, and steps of a cloth cancel out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.frame.log_colour import LogColour, log_colour_of
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster, shrink_factor, shrunk_picture, watched_bounds_mm

DISC_STEP_MM = 2.0
"""About so much of the table is a pixel of the map of rims."""

RIM_WIDTH_MM = 2.5
"""A rim lies within so much of the radius: print, plane and raster are each off by less than a
millimetre."""

FULL_STEP_LOG = 0.045
"""A step (log units of brightness or colour over two pixels) that counts in full; softer ones count
by their share."""

LEAST_RIM_SHARE = 0.42
"""Share of a rim that must show. In 28 rooms every card face down showed 0.49 or more; what is no
disc 0.34 at most, on checked cloths 0.61, where discs show 0.72 or more (seeds 41010-41023 of
`tests/benchmarks/backs.py`)."""

SOFTENED_PX = 1.5
FAINT_STEP_LOG = 0.02
"""What changed since the table was bare, softened so much, is known so well that steps of this size
count in full: a pale card on a table as pale has no others. Chosen; what it is worth stands with its command
in `companion/vision/learnt/README.md`."""

MOST_FAINT_SHARE = 0.48
"""A faint rim is never taken for a clear one: a shadow's edge is faint, too."""

APART_RADII = 1.2
"""No two discs lie nearer than so many radii to each other."""


@dataclass(frozen=True, slots=True)
class FoundDisc:
    """A card's middle in mm and the share 0..1 of its rim that shows; of a rectangle also how it is
    turned, 0 to 180 degrees: along its shorter side."""

    centre_mm: tuple[float, float]
    rim: float
    turn_deg: float = 0.0


Bounds = tuple[float, float, float, float]
Peak = tuple[float, float, float]
"""Row, column, and the share of the rim that shows."""


@dataclass(frozen=True, slots=True)
class BareLook:
    """The table before anything lay there: the picture (H, W, 3) uint8 and the plane it was seen on."""

    image_bgr: np.ndarray
    plane: PicturePlane


def find_discs(
    image_bgr: np.ndarray,
    plane: PicturePlane,
    radius_mm: float,
    within_mm: Bounds | None = None,
    bare: BareLook | None = None,
) -> list[FoundDisc]:
    """The discs of this radius in the picture (H, W, 3) uint8, the clearest first; those cut by its
    border are left out. `within_mm`: only those wholly in this part of the table. Where the `bare` table
    is known, rims are also looked for in what is not as it was: a checked cloth hides no disc then, and
    faint rims show, which count for less (`MOST_FAINT_SHARE`)."""
    bounds, radius = within_mm or watched_bounds_mm(plane), radius_mm / DISC_STEP_MM
    look, inside, raster = seen_from_above(image_bgr, plane, bounds)
    clear, faint = _rims(rim_steps(look), inside, radius), None
    if bare is not None:
        before = seen_from_above(bare.image_bgr, bare.plane, bounds)[0]
        clear = np.maximum(clear, _rims(rim_steps(look, before), inside, radius))
        faint = _rims(rim_steps(_changed(look, before), full_log=FAINT_STEP_LOG), inside, radius)
    peaks = _peaks(clear, radius)
    if faint is not None:
        peaks += [
            (row, column, min(rim, MOST_FAINT_SHARE))
            for row, column, rim in _peaks(faint, radius, peaks)
        ]
    return [FoundDisc(raster.point_at(row, column), rim) for row, column, rim in peaks]


def _changed(look: LogColour, before: LogColour) -> LogColour:
    """What is not as it was, softened."""
    return LogColour(
        *(
            cv2.GaussianBlur(now - was, (0, 0), SOFTENED_PX)
            for now, was in zip(look.channels, before.channels, strict=True)
        )
    )


def seen_from_above(
    image_bgr: np.ndarray, plane: PicturePlane, bounds: Bounds
) -> tuple[LogColour, np.ndarray, Raster]:
    """This part of the table seen from above: its look, what of it the picture holds, and the raster."""
    raster, shrink = Raster(bounds, DISC_STEP_MM), shrink_factor(plane, bounds, DISC_STEP_MM)
    raster.follow_plane(plane, shrink)
    seen = raster.sample_picture(shrunk_picture(image_bgr, shrink), slice(None), slice(None))
    return log_colour_of(seen), raster.inside, raster


@dataclass(frozen=True, slots=True)
class RimSteps:
    """What may be a card's edge: of each pixel how much of a full step it is, and twice its angle, (h, w)
    float32 each."""

    weight: np.ndarray
    twice_cos: np.ndarray
    twice_sin: np.ndarray

    def across(self, turn_deg: float) -> np.ndarray:
        """How much of each step goes along this direction, negative across it."""
        twice = 2 * np.radians(turn_deg)
        return np.asarray(
            self.twice_cos * np.float32(np.cos(twice)) + self.twice_sin * np.float32(np.sin(twice))
        )

    def coarser(self, ratio: int) -> RimSteps:
        """The same on a raster so much coarser."""
        height, width = (side // ratio for side in self.weight.shape)
        return RimSteps(
            *(
                cv2.resize(
                    part[: ratio * height, : ratio * width],
                    (width, height),
                    interpolation=cv2.INTER_AREA,
                )
                for part in (self.weight, self.twice_cos, self.twice_sin)
            )
        )

    def cut(self, row: int, column: int, reach: int) -> RimSteps:
        """The square about a pixel, 0 beyond the border."""
        return RimSteps(
            *(
                _cut(part, row, column, reach)
                for part in (self.weight, self.twice_cos, self.twice_sin)
            )
        )


def _cut(part: np.ndarray, row: int, column: int, reach: int) -> np.ndarray:
    square = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    top, left = max(0, row - reach), max(0, column - reach)
    there = part[top : row + reach + 1, left : column + reach + 1]
    down, right = top - (row - reach), left - (column - reach)
    square[down : down + there.shape[0], right : right + there.shape[1]] = there
    return square


def rim_steps(
    look: LogColour, before: LogColour | None = None, full_log: float = FULL_STEP_LOG
) -> RimSteps:
    """The steps of a look from above, of which those of `full_log` count in full; those that were there
    `before` are none."""
    weight, twice_cos, twice_sin = np.zeros((3, *look.brightness.shape), np.float32)
    for at, part in enumerate(look.channels):
        dx, dy = cv2.Scharr(part, -1, 1, 0) / 16, cv2.Scharr(part, -1, 0, 1) / 16
        steep = np.hypot(dx, dy)
        safe = np.maximum(steep, 1e-6) ** 2
        share = np.minimum(steep / full_log, 1)
        if before is not None:
            was = before.channels[at]
            along = dx * cv2.Scharr(was, -1, 1, 0) + dy * cv2.Scharr(was, -1, 0, 1)
            share *= np.clip(1 - along / 16 / safe, 0, 1)
        more = share > weight
        weight = np.where(more, share, weight)
        twice_cos = np.where(more, share * (dx * dx - dy * dy) / safe, twice_cos)
        twice_sin = np.where(more, share * 2 * dx * dy / safe, twice_sin)
    return RimSteps(weight, twice_cos, twice_sin)


def _rims(steps: RimSteps, inside: np.ndarray, radius: float) -> np.ndarray:
    """How much of a rim of these steps shows round each pixel, float32; 0 where the disc would not lie in
    view."""
    cos, sin, lies = _kernels(radius)
    rim = cv2.filter2D(steps.twice_cos, cv2.CV_32F, cos) + cv2.filter2D(
        steps.twice_sin, cv2.CV_32F, sin
    )
    held = cv2.erode(inside.astype(np.uint8), lies, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.where(held > 0, rim, 0).astype(np.float32)


def _kernels(radius: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    reach = int(np.ceil(radius + RIM_WIDTH_MM / DISC_STEP_MM)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
    away = np.hypot(x, y)
    ring = np.exp(-0.5 * ((away - radius) / (0.5 * RIM_WIDTH_MM / DISC_STEP_MM)) ** 2)
    ring /= ring.sum()
    safe = np.maximum(away, 1e-6) ** 2
    return ring * (x * x - y * y) / safe, ring * 2 * x * y / safe, (away <= radius).astype(np.uint8)


def _peaks(rim: np.ndarray, radius: float, known: Sequence[Peak] = ()) -> list[Peak]:
    """The peaks of a map of rims, the clearest first; none near those that are `known`."""
    left = rim.copy()
    found: list[Peak] = []
    for row, column, _ in known:
        cv2.circle(left, (round(column), round(row)), round(APART_RADII * radius), 0.0, -1)
    while True:
        row, column = (int(i) for i in np.unravel_index(int(np.argmax(left)), left.shape))
        if left[row, column] < LEAST_RIM_SHARE:
            return found
        found.append((*_between(rim, row, column), float(left[row, column])))
        cv2.circle(left, (column, row), round(APART_RADII * radius), 0.0, -1)


def _between(rim: np.ndarray, row: int, column: int) -> tuple[float, float]:
    """The peak's place to a fraction of a pixel, by a parabola through its neighbours."""
    place = []
    for line, at in ((rim[:, column], row), (rim[row], column)):
        if not 0 < at < len(line) - 1:
            place.append(float(at))
            continue
        below, top, above = (float(v) for v in line[at - 1 : at + 2])
        bend = below - 2 * top + above
        place.append(at + (0.5 * (below - above) / bend if bend < 0 else 0.0))
    return place[0], place[1]
