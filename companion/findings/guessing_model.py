"""How probable a guess is right, by what the table is and who takes part: a logistic model.

log odds(right) = how many clouds lie, and how many were dealt
                + how well the Spectator guesses + how easily the Daydreamer is read
                + what this Spectator has with this Daydreamer (only for pairs that stand out)
                + how far in the years it was

Why a model, and not the bare shares: who often guesses when three clouds are left is right more often
than who guesses first, and who sits beside an easily read Daydreamer as well; the chairs rotate, but
guests come and go. Fitted by Newton's method with a weak pull to zero (a normal prior of deviation
`PRIOR`), so that whoever guessed three times stands in the middle and not at an end. Guesses with the same
ingredients are counted together, so that years of evenings are some thousand cells.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

PRIOR = 1.5
"""Deviation of the prior of each effect, in log odds: hardly anybody's is greater. Chosen."""

STEPS = 12

Key = tuple[str, ...]
"""The name of one parameter: ("lying", "6 of 6"), ("guesses", id), ("read", id), ("pair", id, id) or ("years",)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Guesses with the same ingredients: how many of how many were right; `year` counts from the middle
    of the evenings."""

    dealt: int
    lying: int
    guesser: str
    daydreamer: str
    year: float
    right: int
    count: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """The model: each parameter, and the covariance of them all (rows and columns as in `order`)."""

    values: dict[Key, float]
    order: dict[Key, int]
    covariance: tuple[tuple[float, ...], ...]
    pairs: frozenset[tuple[str, str]]

    def chance(self, cell: Cell) -> float:
        """How probable a guess of this cell is right."""
        return logistic(sum(self.values.get(key, 0.0) * by for key, by in keys(cell, self.pairs)))

    def variance(self, weights: dict[Key, float]) -> float:
        """The variance of a weighted sum of parameters."""
        rows = [(self.order[key], weight) for key, weight in weights.items() if key in self.order]
        return sum(a * b * self.covariance[i][j] for i, a in rows for j, b in rows)


def logistic(odds: float) -> float:
    """The probability of these log odds."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def keys(cell: Cell, pairs: frozenset[tuple[str, str]]) -> list[tuple[Key, float]]:
    """The parameters that make a cell's log odds, each with its factor."""
    told: list[tuple[Key, float]] = [
        (("lying", f"{cell.lying} of {cell.dealt}"), 1.0),
        (("guesses", cell.guesser), 1.0),
        (("read", cell.daydreamer), 1.0),
        (("years",), cell.year),
    ]
    if (cell.guesser, cell.daydreamer) in pairs:
        told.append((("pair", cell.guesser, cell.daydreamer), 1.0))
    return told


def fit(cells: Iterable[Cell], pairs: frozenset[tuple[str, str]] = frozenset()) -> Fitted:
    """The parameters under which these guesses are most probable, with the prior."""
    told = [(cell, keys(cell, pairs)) for cell in cells]
    order: dict[Key, int] = {}
    for _, parts in told:
        for key, _ in parts:
            order.setdefault(key, len(order))
    rows = [
        ([(order[key], by) for key, by in parts], cell.right, cell.count) for cell, parts in told
    ]
    prior = [0.0 if key[0] == "lying" else 1 / PRIOR**2 for key in order]
    prior = [one or 1e-4 for one in prior]
    values = [0.0] * len(order)
    curve: list[list[float]] = []
    for _ in range(STEPS):
        slope, curve = _slope_and_curve(rows, values, prior)
        step = [one[0] for one in _solved(curve, [[one] for one in slope])]
        values = [value + max(-2.0, min(2.0, by)) for value, by in zip(values, step, strict=True)]
        if max(map(abs, step), default=0.0) < 1e-7:
            break
    size = len(order)
    unit = [[1.0 if row == column else 0.0 for column in range(size)] for row in range(size)]
    covariance = tuple(map(tuple, _solved(curve, unit))) if size else ()
    return Fitted({key: values[at] for key, at in order.items()}, order, covariance, pairs)


def _slope_and_curve(
    rows: list[tuple[list[tuple[int, float]], int, int]], values: list[float], prior: list[float]
) -> tuple[list[float], list[list[float]]]:
    """How the log likelihood falls off at these values, and how it bends (without its sign)."""
    slope = [-one * value for one, value in zip(prior, values, strict=True)]
    curve = [[0.0] * len(values) for _ in values]
    for at, one in enumerate(prior):
        curve[at][at] = one
    for parts, right, count in rows:
        chance = logistic(sum(values[at] * by for at, by in parts))
        miss, weight = right - count * chance, count * chance * (1 - chance)
        for at, by in parts:
            slope[at] += miss * by
            row = curve[at]
            for other, factor in parts:
                row[other] += weight * by * factor
    return slope, curve


def _solved(matrix: list[list[float]], right: list[list[float]]) -> list[list[float]]:
    """The solution of matrix x = right, by elimination; the matrix is symmetric and positive."""
    rows = [[*left, *told] for left, told in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = rows[at]
        over = 1 / pivot[at]
        pivot[at:] = [value * over for value in pivot[at:]]
        for other in range(size):
            factor = rows[other][at]
            if other != at and factor:
                row = rows[other]
                row[at:] = [a - factor * b for a, b in zip(row[at:], pivot[at:], strict=True)]
    return [row[size:] for row in rows]
