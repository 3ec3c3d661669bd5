"""Short keys for people: what they should know about the table just now.  Pure."""

from __future__ import annotations

from collections.abc import Iterable

from companion.dealing.deal_watch import DealWatch
from companion.referee.open_round import OpenRound
from companion.referee.ruling import Message
from companion.table.resting import REST_REACH, Rest
from companion.table.sighting import Glimpse, TableView
from companion.table.zones import Zone, zone_of

COVERED_S = 4.0
"""A card under something is named once it has been so for so long."""

STRAY_READINGS = 5
STRAY_S = 1.0
"""A card that cannot be here is named once it has been read so often over so long in one place;"""

STRAY_KEPT_S = 3.0
"""and for as long after it was seen last."""


def messages_before_deal(deal: DealWatch) -> list[Message]:
    """Before a deal: the wrong number of cards, a card taken before all lay, a round that came and
    went unrecognised."""
    notes = []
    if deal.unexpected_count:
        notes.append(Message("expected_seen", (("expected", deal.expected), ("seen", deal.count))))
    if deal.taken_early:
        notes.append(Message("early"))
    if deal.missed:
        notes.append(Message("missed_round"))
    return notes


def messages_during_round(round_: OpenRound) -> list[Message]:
    """During a round: cards that something lies on."""
    covered = [watch.card for watch in round_.watch.cards.values() if watch.covered_s > COVERED_S]
    return [Message("covered", (("card", card),)) for card in covered]


class StrayCards:
    """Cards that lie in the middle although their round is over, or that were laid into a running
    round."""

    def __init__(self) -> None:
        self._rests: dict[int, Rest] = {}

    def watch_strays(self, glimpse: Glimpse, table: TableView | None, cards: Iterable[int]) -> None:
        """Take one glimpse; `cards` are those that do not belong in the middle now."""
        wanted = frozenset(cards)
        for sighting in glimpse.sightings:
            if sighting.card in wanted and zone_of(sighting.centre_mm, table) is Zone.MIDDLE:
                rest = self._rests.setdefault(
                    sighting.card, Rest(sighting.card, REST_REACH.stray_mm)
                )
                rest.add_reading(glimpse.t_s, sighting.centre_mm, STRAY_KEPT_S)
        late = [
            card for card, rest in self._rests.items() if glimpse.t_s - rest.seen_s > STRAY_KEPT_S
        ]
        for card in late:
            del self._rests[card]

    def messages(self) -> list[Message]:
        """One for each that lies there."""
        lying = sorted(
            card for card, rest in self._rests.items() if rest.rests(STRAY_READINGS, STRAY_S)
        )
        return [Message("already_won", (("card", card),)) for card in lying]
