"""A round that was dealt before the watching began: the table is taken as it is found.

Knows what the log says of the round.  Must not know how it came to say so.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.referee.constraints import PersonConstraints
from companion.referee.observing.off_place import LONG_AGO_S, NOWHERE
from companion.referee.open_round import OpenRound
from companion.table.sighting import Glimpse
from companion.table.zones import Zone, zone_of

LIES = 0.6
"""Probability that a card which lay when the watching stopped still lies when it goes on."""


@dataclass(frozen=True, slots=True)
class ResumedRound:
    """The cards of a round, those that were `set_aside` by then, and what people said of it."""

    dealt: tuple[int, ...]
    set_aside: tuple[int | None, ...] = ()
    word: PersonConstraints = field(default_factory=PersonConstraints)

    def open(self, number: int, glimpse: Glimpse, turns_over: bool) -> OpenRound:
        """The round as this first glimpse finds it: the cards not set aside may lie anywhere by
        now."""
        in_middle = (
            s for s in glimpse.sightings if zone_of(s.centre_mm, glimpse.table) is Zone.MIDDLE
        )
        seen = {s.card: s.centre_mm for s in in_middle if s.card not in self.set_aside}
        places = {card: seen.get(card, NOWHERE) for card in self.dealt}
        round_ = OpenRound(number, places, glimpse.t_s, (), turns_over, LIES)
        round_.constraints = self.word
        round_.accepted = True  # dealt long ago: no card that is read now was laid with it
        before_s = glimpse.t_s - LONG_AGO_S - 1.0  # before any other that is not there any more
        round_.start_aside(self.set_aside, before_s, before_s, in_tray=True)
        return round_
