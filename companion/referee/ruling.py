"""What the referee says: rulings, questions and messages.  Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from companion.game.rules import Ending
from companion.table.sighting import is_stand_in

Status = Literal["tentative", "settled", "asked"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a ruling rests on: from when to when, which cards, and why (a short stable key: "swept",
    "tray", "forced", "person", "found_in_tray", "found_in_pile", "came_back", "surplus",
    "missed_round", "after_missed", "after_several_missed")."""

    from_s: float
    to_s: float
    cards: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class JudgedGuess:
    """One guess: the card (None for the right one, which is never told), when its card left, and
    how sure."""

    card: int | None
    right: bool
    at_s: float
    confidence: float


PLAYED, PLAYED_TWO, RETURNED = "missed_played", "missed_played_two", "missed_returned"
"""The answers about a round that nobody saw: it was played, it and another one were, or its cards
were picked up again."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question: `key` "claimed", "lookout", PLAYED, PLAYED_TWO or RETURNED, `wrong_count`
    wrong guesses before it, and its probability."""

    key: str
    wrong_count: int
    set_aside: tuple[int | None, ...]
    ending: Ending
    probability: float


@dataclass(frozen=True, slots=True)
class Question:
    """What the referee would ask: the two likeliest hypotheses, the likelier first."""

    id: str
    asks: str
    options: tuple[Option, ...]
    at_s: float


@dataclass(frozen=True, slots=True)
class Ruling:
    """The referee's whole belief about one round.

    `set_aside` in the order of the guesses; `claimed` stays None (the chosen card is nobody's
    business); `guesses` has the wrong ones in order and, when somebody was right, that one last.
    `confidence` is the measured rate at this `posterior`.
    """

    round: int
    dealt: tuple[int | None, ...]
    set_aside: tuple[int | None, ...]
    ending: Ending
    claimed: int | None
    confidence: float
    status: Status
    evidence: Evidence
    question: Question | None = None
    guesses: tuple[JudgedGuess, ...] = ()
    posterior: float = 1.0


@dataclass(frozen=True, slots=True)
class Message:
    """Something people should know: a short stable key and its numbers."""

    key: str
    params: tuple[tuple[str, int], ...] = ()


def without_stand_ins(ruling: Ruling, names: Mapping[int, int] | None = None) -> Ruling:
    """The ruling as it may be written down: a card that lies there without a name is None, or the card
    that it has turned out to be by `names`."""
    known = names or {}

    def named(cards: tuple[int | None, ...]) -> tuple[int | None, ...]:
        return tuple(
            known.get(card) if card is not None and is_stand_in(card) else card for card in cards
        )

    question = ruling.question
    if question is not None:
        options = tuple(replace(o, set_aside=named(o.set_aside)) for o in question.options)
        question = replace(question, options=options)
    cards = tuple(card for card in named(ruling.evidence.cards) if card is not None)
    return replace(
        ruling,
        dealt=named(ruling.dealt),
        set_aside=named(ruling.set_aside),
        evidence=replace(ruling.evidence, cards=cards),
        question=question,
    )
