"""Which of the cards without a name are no cards: a cup or a coaster that somebody put between them.

Knows numbers, names, places and how long something has lain. Must not know pictures, nor what happens in a
round.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.dealing.laid_model import LAID_MODEL
from companion.table.resting import Placement
from companion.table.sighting import Point, is_stand_in
from companion.table.zones import nearest_mm


class OtherThings:
    """The stand-in numbers by which things go that are no cards of any deal.

    A name that is learnt later makes a card of such a thing again.
    """

    def __init__(self) -> None:
        self._numbers: set[int] = set()
        self._named: frozenset[int] = frozenset()
        self._among: frozenset[int] = frozenset()

    def learn_names(self, names: Iterable[tuple[int, int]]) -> None:
        """These stand-ins turned out to be cards, by (stand-in, card)."""
        self._named |= {stand_in for stand_in, _ in names}

    def without_name(self, cards: Iterable[int]) -> frozenset[int]:
        """Those of these cards that nobody knows."""
        return frozenset(c for c in cards if is_stand_in(c) and c not in self._named)

    def dealt_among(self, lying: Sequence[Placement]) -> frozenset[int]:
        """The cards without a name that came to lie after one that has one, and before another, in this deal
        or the last: nobody puts a cup between a dealer's hands."""
        return self._among | self._among_named(lying)

    def deal_ends(self, lying: Sequence[Placement]) -> None:
        """These were dealt: should one too many follow, it is still known which lay among the others."""
        self._among = self._among_named(lying)

    def _among_named(self, lying: Sequence[Placement]) -> frozenset[int]:
        nameless = self.without_name(placement.card for placement in lying)
        named_s = [placement.since_s for placement in lying if placement.card not in nameless]
        return frozenset(
            placement.card
            for placement in lying
            if placement.card in nameless
            and named_s
            and min(named_s) < placement.since_s < max(named_s)
        )

    def holds(self, card: int) -> bool:
        """Whether this one is no card."""
        return card in self._numbers and card not in self._named

    def add(self, cards: Iterable[int]) -> None:
        """These are no cards."""
        self._numbers.update(cards)

    def beside_round(
        self, lying: frozenset[int], steady_s: float, of_round: int, open_s: float
    ) -> frozenset[int]:
        """Of the fresh cards `lying`, for `steady_s` seconds, those that are none: a round lies open for
        `open_s` seconds, `of_round` of its cards in the middle. The next deal is laid once these are
        gone."""
        late = open_s >= LAID_MODEL.dealt_s or steady_s >= LAID_MODEL.beside_round_s
        return (
            self.without_name(lying)
            if late and of_round >= LAID_MODEL.beside_cards
            else frozenset()
        )

    def over_round(self, at_rest: Iterable[Placement], dealt_mm: Sequence[Point]) -> frozenset[int]:
        """Of the fresh cards `at_rest` those that lie half over a place of the open round, at `dealt_mm`:
        cards are dealt side by side, and a cup may hide one."""
        over = (
            placement.card
            for placement in at_rest
            if nearest_mm(placement.centre_mm, dealt_mm) < LAID_MODEL.over_mm
        )
        return self.without_name(over)

    def lying_alone(self, lying: frozenset[int], steady_s: float) -> frozenset[int]:
        """The one thing without a name that has lain alone between two rounds for longer than the
        first card of a deal does."""
        alone = len(lying) == 1 and steady_s >= LAID_MODEL.alone_s
        return self.without_name(lying) if alone else frozenset()
