"""Hands over the round's cards that took none: who points, lifts a card to look or hesitates is
whose turn it is.

Knows the stays of hands and where the cards were dealt.  Must not know whose hands they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.referee.observing.indexed_glimpse import Look
from companion.referee.observing.visits import NEAR_MM, Stay
from companion.referee.weighing.weigh import Departure
from companion.table.sighting import Point
from companion.table.zones import nearest_mm

MOST = 40
"""Stays kept: the last ones of a round."""

BEFORE_S, AFTER_S = 0.4, 0.3
"""A hand that was there so long before a card was read last, or after it was gone, may have taken
it."""

AFTER_DEAL_S = 0.3
"""A hand that came before then dealt."""


class Pointing:
    """The hands over the cards since the deal."""

    def __init__(self, began_s: float) -> None:
        self._began_s = began_s
        self._stays: dict[int, Stay] = {}

    def see(self, look: Look, spread: Sequence[Point]) -> None:
        """Take the hands of one look; `spread` are the places where the round's cards were dealt."""
        for stay in look.visits.now:
            if (
                stay.seen_s < look.t_s
                or stay.began_s < self._began_s + AFTER_DEAL_S
                or stay.number in self._stays
            ):
                continue
            if nearest_mm(stay.tip, spread) <= NEAR_MM:
                self._stays[stay.number] = stay
        while len(self._stays) > MOST:
            del self._stays[min(self._stays)]

    def idle(self, row: Sequence[Departure]) -> tuple[tuple[float, float], ...]:
        """When each hand came that can have taken no card of the `row`, and from where."""
        return tuple(
            (stay.began_s, stay.from_deg)
            for stay in self._stays.values()
            if stay.from_deg is not None
            and not any(
                d.low_s - BEFORE_S <= stay.seen_s and stay.began_s <= d.high_s + AFTER_S
                for d in row
            )
        )
