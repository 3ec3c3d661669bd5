"""Questions that wait for a person, kept in the log: asked there, read from there, so that no
restart forgets one.

Knows the log and the referee's words.  Must not know glimpses, clocks or screens.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, cast

from companion.game.change import Changes
from companion.game.events import (
    CardSetAside,
    QuestionAsked,
    RoundDealt,
    RoundInserted,
    RoundVoided,
    Scoring,
)
from companion.game.ledger import Ledger
from companion.game.log import ANSWERED, Entry, Log, Retraction
from companion.game.rules import Ending, Round
from companion.referee.constraints import PersonConstraints
from companion.referee.ruling import (
    PLAYED,
    PLAYED_TWO,
    RETURNED,
    Evidence,
    Option,
    Question,
    Ruling,
)

"""Why a person's answer takes a question back."""


@dataclass(frozen=True, slots=True)
class PendingQuestion:
    """A question that waits for a person: of which round, what it asks, what was taken for the time
    being (None while the round is open), and the `entry` that asked."""

    round: int
    question: Question
    ruling: Ruling
    taken: Option | None = None
    entry: int = 0


def asked_with(ruling: Ruling, why: dict[str, object]) -> dict[str, object]:
    """The evidence of an entry that asks this ruling's question: all that is needed to read it
    again."""
    return why | {
        "question": _question_to_dict(ruling.question) if ruling.question else None,
        "dealt": list(ruling.dealt),
    }


def _question_to_dict(question: Question) -> dict[str, object]:
    """The question as the log keeps it; there an option's `wrong_count` is called `w`."""
    kept = asdict(question)
    kept["options"] = [
        {"w" if name == "wrong_count" else name: value for name, value in option.items()}
        for option in kept["options"]
    ]
    return kept


def read_pending_questions(log: Log, ledger: Ledger) -> dict[int, PendingQuestion]:
    """The questions of the log that wait for a person, by round: the last of each round, unless a
    person has had a word about the round since."""
    asked = {e.round or 0: e for e in log.effective if isinstance(e.event, QuestionAsked)}
    found = {}
    for number, entry in asked.items():
        if number <= len(ledger.rounds) and not _answered(log, number, entry):
            pending = _read(entry, ledger.rounds[number - 1])
            if pending is not None:
                found[number] = pending
    return found


def _answered(log: Log, number: int, asked: Entry) -> bool:
    """True when a person entered or took back anything of the round after it was asked; what was
    entered since and taken back again is nothing."""
    said = [entry for entry in log.live if entry.number > asked.number and entry.source == "person"]
    touched = [
        log.entry(n)
        for e in said
        if isinstance(e.event, Retraction)
        for n in e.event.numbers
        if 0 < n < asked.number
    ]
    return any(
        entry.round == number and isinstance(entry.event, Scoring) for entry in (*said, *touched)
    )


def _read(entry: Entry, round_: Round) -> PendingQuestion | None:
    """The question as the entry holds it; None where it is not whole."""
    kept: dict[str, Any] = entry.evidence or {}
    try:
        told = kept["question"]
        options = tuple(_option(option) for option in told["options"])
        best = options[0]
        question = Question(str(told["id"]), str(told["asks"]), options, float(told["at_s"]))
        evidence = Evidence(
            float(kept["from_s"]),
            float(kept["to_s"]),
            tuple(card for card in _cards(kept["cards"]) if card is not None),
            str(kept["why"]),
        )
        dealt = _cards(kept["dealt"])
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        return None
    ruling = Ruling(
        round_.number, dealt, best.set_aside, best.ending, None, entry.confidence, "asked", evidence, question
    )  # fmt: skip
    return PendingQuestion(round_.number, question, ruling, _taken(options, round_), entry.number)


def _option(told: dict[str, Any]) -> Option:
    return Option(
        str(told["key"]),
        int(told["w"]),
        _cards(told["set_aside"]),
        cast("Ending", str(told["ending"])),
        float(told["probability"]),
    )


def _cards(told: Any) -> tuple[int | None, ...]:
    """Raises TypeError for what holds anything but cards."""
    cards = tuple(told)
    if any(card is not None and type(card) is not int for card in cards):
        raise TypeError(told)
    return cards


def _taken(options: tuple[Option, ...], round_: Round) -> Option | None:
    """The answer that the round's entries say already."""
    if round_.ending == "open":
        return None
    key = {"out": PLAYED, "back": RETURNED}.get(round_.voided or "")
    same = [
        o
        for o in options
        if o.key == key
        or (o.ending == round_.ending != "void" and o.wrong_count == round_.wrong_count)
    ]
    return same[0] if same else None


def accept_missed(log: Log, pending: PendingQuestion, option: Option) -> Changes:
    """A person says what became of a round that nobody saw: it was played (and may be filled in), it
    and another one were, or its cards were picked up again and the same roles tried anew."""
    if option.key == PLAYED:
        return Changes((), (pending.entry,), ANSWERED)
    if option.key == PLAYED_TWO:
        second = pending.round + 1
        unknown = (None,) * len(pending.ruling.dealt)
        return Changes(
            (
                RoundInserted(second),
                RoundDealt(second, unknown),
                RoundVoided(second, cards_return=False),
            ),
            (pending.entry,),
            ANSWERED,
        )
    void = [
        e.number
        for e in log.effective
        if e.round == pending.round and isinstance(e.event, RoundVoided)
    ]
    return Changes(
        (RoundVoided(pending.round, cards_return=True, roles_pass=False),),
        (*void, pending.entry),
        ANSWERED,
    )


def constraints_of(log: Log, now: Round) -> PersonConstraints:
    """What people said of the open round so far: the guesses up to their last one, and the cards
    that were none."""
    said = [at for at, guess in enumerate(now.guesses, 1) if guess.source == "person"]
    pinned = now.set_aside[: max(said, default=0)]
    taken = [
        old.event for entry, olds in log.retractions() if entry.source == "person" for old in olds
    ]
    denied = {
        e.card
        for e in taken
        if isinstance(e, CardSetAside) and e.round == now.number and e.card is not None
    }
    return PersonConstraints(pinned, None, frozenset(denied - set(now.set_aside)))
