"""Evenings as they were played, as plain values: what statistics, tables and pictures are made of.

Pure: from a log. Only what counts in the end is in them; who entered it, and how often it was
corrected, is told as two numbers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from companion.game.events import Card, EveningBegun, QuestionAsked
from companion.game.fold import fold
from companion.game.log import Entry, Log
from companion.game.rules import Ending, Round

LONGEST_STRETCH_S = 900.0
"""From a deal to its round's end, or from that to the next deal, nobody plays longer (chosen): dinner, or the
week until the evening is gone on with, is no play."""

Told = tuple[int, Card, bool]
"""One guess: the seat, the card where it is known, and whether it was right."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """One round by seat numbers; `circle` is clockwise from the Daydreamer, the Lookout last."""

    number: int
    circle: tuple[int, ...]
    cards: tuple[Card, ...]
    guesses: tuple[Told, ...]
    ending: Ending
    returned: bool
    """Of a void round: its cards went back into the deck."""
    gains: tuple[int, ...]
    name: str | None
    corrected: bool
    began_s: float
    ended_s: float | None

    @property
    def daydreamer(self) -> int:
        """Who named the cloud."""
        return self.circle[0]

    @property
    def lookout(self) -> int:
        """Who gets all when nobody finds it."""
        return self.circle[-1]

    @property
    def claimer(self) -> int | None:
        """Who found the cloud; None where nobody did."""
        return self.guesses[-1][0] if self.ending == "claimed" else None

    @property
    def lasted_s(self) -> float | None:
        """From the deal to the end; None where it was not told."""
        return None if self.ended_s is None else self.ended_s - self.began_s


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """One evening: names and totals by seat, times in seconds since 1970. Who was to come for a round that
    was never dealt is not in it."""

    id: str
    began_s: float
    ended_s: float
    names: tuple[str, ...]
    totals: tuple[int, ...]
    rounds: tuple[PlayedRound, ...]
    over: bool
    deck_size: int
    edition: str
    questions: int
    corrections: int
    missing: tuple[Card, ...]
    learnt_deck: str = ""
    """The learnt deck that the cards' numbers belong to; empty for printed cards."""

    @property
    def played_s(self) -> float:
        """For how long it was played: a break, in which nothing was told, counts `LONGEST_STRETCH_S` at most."""
        moments = [self.began_s]
        for one in self.rounds:
            moments += [one.began_s, one.began_s if one.ended_s is None else one.ended_s]
        steps = (after - before for before, after in pairwise(sorted(moments)))
        return sum(min(step, LONGEST_STRETCH_S) for step in steps)

    @property
    def finished(self) -> tuple[PlayedRound, ...]:
        """The rounds that ended, void ones included: all but one in whose middle the table stopped."""
        return tuple(one for one in self.rounds if one.ending != "open")

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with most clouds; nobody where no round was won."""
        most = max(self.totals, default=0)
        return tuple(seat for seat, total in enumerate(self.totals) if total == most and most)


def evening_id(entries: tuple[Entry, ...]) -> str:
    """What is the same for one evening on every machine it is taken to: made of its first entry
    without any name, so that a rename or a forgetting does not change it."""
    first = entries[0]
    begun = first.event
    assert isinstance(begun, EveningBegun)
    told = (round(first.at_s * 1000), len(begun.players), begun.daydreamer)
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def played_evening(log: Log) -> PlayedEvening:
    """The evening that a log tells. Raises ValueError for a log that begins with no evening."""
    if not log.entries or not isinstance(log.entries[0].event, EveningBegun):
        raise ValueError("the first entry of an evening is its beginning")
    ledger = fold(log).ledger
    people = len(ledger.sat) or len(ledger.names)  # who sat in no round has the last seats
    rounds = tuple(_played(round_, ledger.gains(round_)[:people]) for round_ in ledger.rounds)
    return PlayedEvening(
        evening_id(log.entries),
        log.entries[0].at_s,
        max([one.ended_s or one.began_s for one in rounds], default=log.entries[-1].at_s),
        ledger.names[:people],
        ledger.totals[:people],
        rounds,
        ledger.over,
        ledger.deck_size,
        ledger.edition,
        sum(isinstance(entry.event, QuestionAsked) for entry in log.entries),
        sum(round_.corrected for round_ in ledger.rounds),
        ledger.missing,
        ledger.learnt_deck,
    )


def _played(round_: Round, gains: tuple[int, ...]) -> PlayedRound:
    return PlayedRound(
        round_.number,
        round_.circle,
        round_.known_cards,
        tuple((guess.seat, guess.card, guess.right) for guess in round_.guesses),
        round_.ending,
        round_.voided == "back",
        gains,
        round_.name,
        round_.corrected,
        round_.dealt_at_s,
        round_.ended_at_s,
    )


def to_lists(evening: PlayedEvening) -> list[Any]:
    """The rounds as short lists, for a file; `rounds_from_lists` reads them again."""
    return [
        [
            one.number,
            one.circle,
            one.cards,
            one.guesses,
            one.ending,
            one.returned,
            one.gains,
            one.name,
            one.corrected,
            one.began_s,
            one.ended_s,
        ]
        for one in evening.rounds
    ]


def rounds_from_lists(lists: list[Any]) -> tuple[PlayedRound, ...]:
    """The rounds that `to_lists` wrote."""
    return tuple(
        PlayedRound(
            number,
            tuple(circle),
            tuple(cards),
            tuple((seat, card, right) for seat, card, right in guesses),
            ending,
            returned,
            tuple(gains),
            name,
            corrected,
            began_s,
            ended_s,
        )
        for (
            number,
            circle,
            cards,
            guesses,
            ending,
            returned,
            gains,
            name,
            corrected,
            began_s,
            ended_s,
        ) in lists
    )
