"""In which order may the cards have left?  Under an arm or unread for seconds, one of them may have left before others.

Knows departures and their intervals.  Must not know points, people or habits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from math import log

from companion.referee.weigh import Departure

WIDE_S = 1.0
"""A card whose leaving is known better keeps its place: the others' intervals are about half a second wide."""

MOVED, MOST = 3, 16
"""At most so many cards are tried elsewhere, at most so many orders weighed."""

SHORTEST_S = 0.05

Order = tuple[float, tuple[Departure, ...]]
"""The log of an order's share, and the departures with their intervals cut to fit it."""


def possible_orders(row: Sequence[Departure]) -> list[Order]:
    """The orders that the intervals of `row` (sorted) allow, the likeliest first; their shares add up to 1 or less."""
    orders: list[Order] = [(0.0, tuple(row))]
    wide = sorted((d for d in row if d.high_s - d.low_s > WIDE_S), key=lambda d: d.low_s - d.high_s)
    for departure in wide[:MOVED]:
        orders = [moved for order in orders for moved in _places(order, departure.card)]
        orders = sorted(orders, key=lambda order: -order[0])[:MOST]
    return orders


def _places(order: Order, card: int) -> list[Order]:
    """`order` with `card` at every place that its interval reaches."""
    share, row = order
    this = next(d for d in row if d.card == card)
    others = [d for d in row if d.card != card]
    bounds = [this.low_s, *accumulate(((d.low_s + d.high_s) / 2 for d in others), max), this.high_s]
    found = []
    for at in range(len(others) + 1):
        low = this.low_s if at == 0 else max(this.low_s, bounds[at])
        high = min(this.high_s, bounds[at + 1])
        if high - low > SHORTEST_S:
            part = log((high - low) / (this.high_s - this.low_s))
            found.append((share + part, (*others[:at], replace(this, low_s=low, high_s=high), *others[at:])))
    return found or [order]
