"""The table's light as a whole: one smooth surface of brightness over the raster, and a colour
cast.

Knows brightness against the ground, cell by cell, some of it hidden by things; knows nothing of
what the things are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.vision.frame.fitting import fast_median, histogram_mode, ridge_fit
from companion.vision.frame.log_colour import SATURATED_LOG

REACHES_LOG = (0.4, 0.2, 0.12)
"""Round by round, what is farther from the smooth light than this (log units) is taken for a thing,
not for the table."""

SLOPING_REACHES_LOG = (0.8, *REACHES_LOG)
"""The same from the middle of all brightness on: under a lamp at the side no brightness is common,
and a cup's own is."""

FIELD_RIDGE = 1e-3
"""Holds the light's slopes and bends near zero, a cell; chosen."""

AGREES_LOG = 0.12
"""A cell within so much (log units) agrees with a light: of two the one with more such cells is
taken; chosen."""

EXACT_LOG = 0.05
"""The same where a reflection must not pass for a brighter lamp: it burns out a patch, and the rest
stays as it was."""

FEWEST_LIT_CELLS = 200
"""Cells that a light is fitted to, at least."""


@dataclass(frozen=True, slots=True)
class Illumination:
    """The table's light now against the ground's, log units: `gain` in the middle, `field` over the
    coarse raster (smooth: lamps and windows), the colour cast, and the `share` of the known table
    that fits."""

    gain: float = 0.0
    blue: float = 0.0
    red: float = 0.0
    share: float = 0.0
    field: np.ndarray | None = None

    def gain_at(self, row: float, column: float) -> float:
        """The brightness against the ground's at a coarse cell."""
        if self.field is None:
            return self.gain
        h, w = self.field.shape
        return float(self.field[min(h - 1, max(0, int(row))), min(w - 1, max(0, int(column)))])


def fit_illumination(
    basis: np.ndarray, brighter: np.ndarray, where: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The smooth light (h, w) that explains most of the known table, and which of every third cell
    agree with it (bool).

    `basis` (h, w, 6), `brighter` (h, w) log brightness against the ground, `where` (h, w) bool:
    known and in view."""
    few, values = where[::3, ::3], brighter[::3, ::3]
    if np.count_nonzero(few) < 40:
        return np.full_like(brighter, histogram_mode(brighter[where])), np.ones_like(few)
    columns, values = basis[::3, ::3][few], values[few]
    starts = ((histogram_mode(values), REACHES_LOG), (fast_median(values), SLOPING_REACHES_LOG))
    fits = [_closing_in(columns, values, middle, reaches) for middle, reaches in starts]
    weights = max(
        fits,
        key=lambda weights: int(np.count_nonzero(np.abs(values - columns @ weights) < AGREES_LOG)),
    )
    field = basis @ weights
    near = few & (np.abs(brighter - field)[::3, ::3] < AGREES_LOG)
    return field, near if np.count_nonzero(near) >= 20 else few


def fit_saturated_illumination(
    basis: np.ndarray,
    brighter: np.ndarray,
    where: np.ndarray,
    saturated: np.ndarray,
    top: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """`fit_illumination` where some cells are `saturated` out (bool): such a cell says only that it
    is no darker than it shows.

    `top` (h, w): the log brightness of the brightest channel of the ground there.
    """
    clear, saturated = where & ~saturated, where & saturated
    found = fit_illumination(basis, brighter, where)
    if np.count_nonzero(saturated) < 0.02 * np.count_nonzero(where):
        return found
    fits = [found]
    for start in (
        (found, fit_illumination(basis, brighter, clear))
        if np.count_nonzero(clear) >= FEWEST_LIT_CELLS
        else (found,)
    ):
        for _ in range(2):
            use = clear | saturated & (top + start[0] < SATURATED_LOG)
            start = (
                fit_illumination(basis, brighter, use)
                if np.count_nonzero(use) >= FEWEST_LIT_CELLS
                else start
            )
        fits.append(start)

    def agree(field: np.ndarray) -> int:
        near = np.abs(brighter - field) < EXACT_LOG
        return int(
            np.count_nonzero(near & clear | saturated & (top + field > SATURATED_LOG - EXACT_LOG))
        )

    field, near = max(fits, key=lambda fit: agree(fit[0]))
    told = near & ~saturated[::3, ::3]
    return field, told if np.count_nonzero(told) >= 20 else near


def _closing_in(
    columns: np.ndarray, values: np.ndarray, middle: float, reaches: tuple[float, ...]
) -> np.ndarray:
    """The weights (6,) of the smooth light found from an even one of brightness `middle`, reach by
    reach."""
    weights = np.array([middle, 0, 0, 0, 0, 0], np.float32)
    ridge = np.array([0, *[FIELD_RIDGE] * 5], np.float32) * len(values)
    for reach in reaches:
        good = np.abs(values - columns @ weights) < reach
        if np.count_nonzero(good) < 40:
            break
        weights = ridge_fit(columns[good], values[good] - middle, ridge)
        weights[0] += middle
    return weights
