"""Adding likelihoods that are kept as logarithms."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, log


def log_sum(values: Sequence[float]) -> float:
    """Log of the sum of the exponentials; minus infinity for none."""
    top = max(values, default=-inf)
    return top if top == -inf else top + log(sum(exp(value - top) for value in values))
