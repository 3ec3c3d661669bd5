"""In which order may the cards have left? Under an arm or unread for seconds, one of them may have
left before others.

Knows departures and their intervals.  Must not know points, people or habits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import log

from companion.referee.departure import Departure, in_order


@dataclass(frozen=True, slots=True)
class OrderModel:
    """Which orders are tried; chosen.

    A card whose leaving is known to `wide_s` keeps its place: the others' intervals are about half a
    second wide. At most `most_moved` cards are tried elsewhere, at most `most_orders` orders weighed,
    and no place in the order narrower than `shortest_s`.

    How likely a card came back unread where something lay on its bare place for a while and a hand had
    been there: `came_back`; where it was seen set aside, for there it has not been read again since:
    `came_back_from_aside`; where what lay beneath it in the tray is read again: `came_back_off_tray`.
    """

    wide_s: float = 1.0
    most_moved: int = 3
    most_orders: int = 16
    shortest_s: float = 0.05
    came_back: float = 0.2
    came_back_from_aside: float = 0.5
    came_back_off_tray: float = 0.95


ORDER_MODEL = OrderModel()

Order = tuple[float, tuple[Departure, ...]]
"""The log of an order's share, and the departures with their intervals cut to fit it."""


def possible_orders(row: Sequence[Departure]) -> list[Order]:
    """The orders that the intervals of `row` (sorted) allow, the likeliest first; their shares add
    up to 1 or less."""
    stories: list[Order] = [(0.0, tuple(row))]
    for departure in [d for d in row if _may_have_returned(d)][: ORDER_MODEL.most_moved]:
        stories = [told for story in stories for told in _returned(story, departure)]
    orders = [order for story in stories for order in _moved(story)]
    return sorted(orders, key=lambda order: -order[0])[: ORDER_MODEL.most_orders]


def _may_have_returned(departure: Departure) -> bool:
    """Something lay on its bare place for a while that may have been the card; not where the card was
    never read in the tray, and what came there after it lay there all that while."""
    again_s = departure.place.again_s
    if again_s is None:
        return False
    return departure.rests_in_tray or departure.tray.picture.lay_until_s < again_s[0]


def _returned(story: Order, departure: Departure) -> list[Order]:
    """The card left once; or it came back unread and left again, and nothing is known but when."""
    share, row = story
    low_s, high_s = departure.place.again_s or (departure.low_s, departure.high_s)
    again = Departure(
        departure.card, low_s, high_s, named_wrong=departure.named_wrong, denied=departure.denied
    )
    others = tuple(d for d in row if d.card != departure.card)
    back = (
        ORDER_MODEL.came_back_off_tray
        if departure.tray.lifted_off
        else ORDER_MODEL.came_back_from_aside
        if departure.known_aside
        else ORDER_MODEL.came_back
    )
    return [(share + log(1.0 - back), row), (share + log(back), in_order((*others, again)))]


def _moved(story: Order) -> list[Order]:
    """The story with each card long unread at every place that its interval reaches."""
    orders = [story]
    wide = sorted(
        (d for d in story[1] if d.high_s - d.low_s > ORDER_MODEL.wide_s),
        key=lambda d: d.low_s - d.high_s,
    )
    for departure in wide[: ORDER_MODEL.most_moved]:
        orders = [moved for order in orders for moved in _places(order, departure.card)]
        orders = sorted(orders, key=lambda order: -order[0])[: ORDER_MODEL.most_orders]
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
        if high - low > ORDER_MODEL.shortest_s:
            part = log((high - low) / (this.high_s - this.low_s))
            found.append((share + part, (*others[:at], _cut(this, low, high), *others[at:])))
    return found or [order]


def _cut(this: Departure, low_s: float, high_s: float) -> Departure:
    """The departure known to lie between these times: the sooner it left, the longer the tray was
    in view since."""
    share = (this.high_s - high_s) / (this.high_s - this.low_s)
    watched_s = this.tray.watched_s + share * this.tray.watched_before_s
    return replace(this, low_s=low_s, high_s=high_s, tray=replace(this.tray, watched_s=watched_s))
