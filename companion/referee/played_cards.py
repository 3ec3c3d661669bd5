"""Which cards have been played: those of finished rounds are gone, those of a void round may come
back.

Knows card numbers and rounds.  Must not know places or people.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.table.sighting import FIRST_STAND_IN, Glimpse

RETURNED_S = 4.0
"""Cards of a void round count as fresh once they have been out of sight so long: first they are
picked up."""


class PlayedCards:
    """The cards of the evening so far."""

    def __init__(self, numbers: Iterable[int], gone: Iterable[int] = ()) -> None:
        self.numbers = frozenset(numbers)
        self.gone = set(gone)
        self.rounds: dict[int, tuple[int, ...]] = {}
        self._returning: dict[int, float] = {}

    def finish_round(self, number: int, cards: tuple[int, ...]) -> None:
        """Round `number` is over: its cards cannot come back."""
        self.gone.update(cards)
        self.rounds[number] = cards

    def give_back(self, number: int, t_s: float) -> None:
        """Round `number` is void and its cards go back into the deck."""
        cards = self.rounds.get(number, ())
        self.gone.difference_update(cards)
        self._returning.update(dict.fromkeys(cards, t_s))

    def notice_returned(self, glimpse: Glimpse) -> None:
        """Notice when cards of a void round have been picked up."""
        for sighting in glimpse.sightings:
            if sighting.card in self._returning:
                self._returning[sighting.card] = glimpse.t_s
        back = [
            card for card, seen_s in self._returning.items() if glimpse.t_s - seen_s > RETURNED_S
        ]
        for card in back:
            del self._returning[card]

    def is_in_deck(self, card: int) -> bool:
        """True for a card of the deck that can be dealt now; one without a name is one of them."""
        known = card in self.numbers or card >= FIRST_STAND_IN
        return known and card not in self.gone and card not in self._returning
