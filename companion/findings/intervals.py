"""Shares with their uncertainty, and what many looks at once do to it.

Pure arithmetic. A share of few cases says little, and whoever looks at a hundred shares sees a strange
one by chance alone; both are said here in numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Z95 = 1.959964
"""Standard deviations within which 95 of 100 chance results lie."""


def wilson(hits: int, of: int, z: float = Z95) -> tuple[float, float]:
    """The interval in which the true share lies (Wilson's score interval): for every count, also 0 of
    3, it stays between 0 and 1. (0, 1) where nothing was counted."""
    if of <= 0:
        return 0.0, 1.0
    share = hits / of
    middle = share + z * z / (2 * of)
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    below = 1 + z * z / of
    return max(0.0, (middle - spread) / below), min(1.0, (middle + spread) / below)


def two_sided(z: float) -> float:
    """How probable chance alone makes a result at least `z` standard deviations away, either way."""
    return math.erfc(abs(z) / math.sqrt(2))


def holm(chances: Sequence[float], level: float = 0.05) -> list[bool]:
    """Which of these results may be claimed together, so that with probability 1 - `level` no claim of
    all is false (Holm's step-down procedure). The k-th least probable must be below level / (m - k)."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    claimed = [False] * len(chances)
    for rank, at in enumerate(order):
        if chances[at] > level / (len(chances) - rank):
            break
        claimed[at] = True
    return claimed


def median(values: Sequence[float]) -> float:
    """The middle value; of an even number, the mean of the two in the middle. 0 where there is none."""
    if not values:
        return 0.0
    order = sorted(values)
    half = len(order) // 2
    return order[half] if len(order) % 2 else (order[half - 1] + order[half]) / 2
