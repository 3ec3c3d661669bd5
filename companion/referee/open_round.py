"""The open round: what is known of it from its deal until the next one lies.

Knows one round: its cards as they are watched, what people said, how far it is and what was ruled
last. Decides nothing (`decision.py`). Must not know other rounds' points, nor what a glimpse costs to
make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from companion.game.rules import Ending
from companion.game.seats import attempts
from companion.referee.constraints import PersonConstraints
from companion.referee.observing.off_place import LONG_AGO_S, NOWHERE
from companion.referee.observing.round_watch import RoundWatch
from companion.referee.ruling import Ruling
from companion.table.sighting import Glimpse, Point
from companion.table.zones import Zone, zone_of

QUICK_S = 3.0
"""A deal in which some cards already rest in the tray began about so long before it was recognised.
"""

SHORTEST_LATE_S = 1.5
LONGEST_LATE_S = 20.0
"""A card that had left when its deal was recognised did so between these times before: the others
lay alone so long at least, and longer than the last nobody remembers (`companion.dealing`)."""

MISDEALT_S = 6.0
"""A fresh card that is read within so long of the deal was dealt with it."""

STILL_LIES_SHARE = 0.6
"""Probability that a card which lay when the watching stopped still lies when it goes on."""

RoundStage = Literal["playing", "entered", "asked", "closed"]


@dataclass(frozen=True, slots=True)
class DealtRound:
    """How a round was dealt.

    `places`: where its cards lay, in the order in which they were laid. `in_tray`: those that rested in
    the tray already, and `left`: those that had left the middle, when the deal was recognised (a single
    one was the first; of several nobody knows the order). `unread_s`: for how long each card had not
    been read by then. `unread`: so many cards were dealt besides these, and what became of them only
    people know. `accepted`: the number of cards is people's word.
    """

    places: Mapping[int, Point]
    in_tray: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    unread_s: Mapping[int, float] = field(default_factory=dict)
    unread: int = 0
    accepted: bool = False

    @property
    def late_share(self) -> float:
        """Share of the cards that had left, in an order that nobody knows."""
        return len(self.left) / len(self.places) if len(self.left) > 1 else 0.0

    @property
    def attempts(self) -> int:
        """How many wrong guesses the round can hold."""
        return max(0, attempts(len(self.places))) + self.unread


class OpenRound:
    """One round from its deal until the next one lies."""

    def __init__(self, number: int, deal: DealtRound, watch: RoundWatch, began_s: float) -> None:
        self.number = number
        self.deal = deal
        self.watch = watch
        self.began_s = began_s
        self.stage: RoundStage = "playing"
        self.constraints = PersonConstraints()
        self.why = "swept"
        """Why the next ruling is as it is: the `why` of its evidence."""
        self.entered_wrong_count: int | None = None
        self.said: Ruling | None = None
        """The last ruling that was said."""

    @property
    def cards(self) -> tuple[int, ...]:
        """The dealt cards in the order in which they were laid."""
        return tuple(self.watch.cards)

    @property
    def dealt(self) -> tuple[int | None, ...]:
        """The same with None for each card that was dealt but never read."""
        return self.cards + (None,) * self.deal.unread

    @property
    def attempts(self) -> int:
        """How many wrong guesses the round can hold."""
        return self.deal.attempts

    @property
    def is_open(self) -> bool:
        """True until the round is entered or a person said how it ended."""
        return self.stage in ("playing", "asked")

    def may_be_misdealt(self, now_s: float) -> bool:
        """True while a card that comes to lie beside these may have been dealt with them: one too
        many, read late."""
        fresh = now_s - self.began_s < MISDEALT_S and self.stage == "playing"
        told = self.deal.accepted or self.deal.unread or self.why == "person"
        return fresh and not told and not self.constraints.set_aside

    def constrain(
        self, set_aside: Sequence[int | None] | None, ending: Ending | None
    ) -> tuple[int | None, ...]:
        """Hold to a person's word; what was shown as wrong until now and is not named any more was no
        guess. The cards that are wrong by that word."""
        shown = self.said.set_aside if self.said is not None else ()
        told = tuple(shown if set_aside is None else set_aside)
        denied = {
            card for card in shown if card is not None and card not in told and None not in told
        }
        self.constraints = PersonConstraints(
            told, ending, self.constraints.denied | denied - set(told)
        )
        self.why = "person"
        return told


def begin_round(number: int, deal: DealtRound, t_s: float, turns_over: bool) -> OpenRound:
    """The round whose deal was recognised at `t_s`."""
    began_s = t_s - (QUICK_S if deal.in_tray else 0.0)
    watch = RoundWatch(deal.places, began_s, deal.in_tray, turns_over)
    watch.start_aside(deal.in_tray, began_s, t_s, in_tray=True)
    for card, seconds in deal.unread_s.items():
        watch.cards[card].not_read_since(t_s - seconds)
    watch.start_aside(deal.left, t_s - LONGEST_LATE_S, t_s - SHORTEST_LATE_S)
    return OpenRound(number, deal, watch, began_s)


@dataclass(frozen=True, slots=True)
class ResumedRound:
    """A round that was dealt before the watching began: its cards, those that were `set_aside` by
    then, and what people said of it. The table is taken as it is found."""

    dealt: tuple[int, ...]
    set_aside: tuple[int | None, ...] = ()
    constraints: PersonConstraints = field(default_factory=PersonConstraints)

    def take_up(self, number: int, glimpse: Glimpse, turns_over: bool) -> OpenRound:
        """The round as this first glimpse finds it: the cards not set aside may lie anywhere by
        now."""
        in_middle = (
            s for s in glimpse.sightings if zone_of(s.centre_mm, glimpse.table) is Zone.MIDDLE
        )
        seen = {s.card: s.centre_mm for s in in_middle if s.card not in self.set_aside}
        places = {card: seen.get(card, NOWHERE) for card in self.dealt}
        # it was dealt long ago: no card that is read now was laid with it
        deal = DealtRound(places, accepted=True)
        watch = RoundWatch(places, glimpse.t_s, (), turns_over, STILL_LIES_SHARE)
        round_ = OpenRound(number, deal, watch, glimpse.t_s)
        round_.constraints = self.constraints
        before_s = glimpse.t_s - LONG_AGO_S - 1.0  # before any other that is not there any more
        watch.start_aside(self.set_aside, before_s, before_s, in_tray=True)
        return round_
