"""A kept evening as plain JSON: what `companion score`, `replay` and `practice --fast` write and
compare."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from companion.evening.questions import PendingQuestion
from companion.evening.scorekeeper import Scorekeeper
from companion.game.rules import Guess, Round
from companion.referee.ruling import PLAYED, PLAYED_TWO, Option

_UNSEEN = {PLAYED: "a round was played unseen", PLAYED_TWO: "two rounds were played unseen"}


def report(keeper: Scorekeeper, notices: dict[str, float]) -> dict[str, Any]:
    """The whole evening: players, rounds with guesses and gains, questions, totals, warnings."""
    ledger = keeper.ledger
    questions = [*keeper.book.past_questions, *keeper.book.pending_questions.values()]
    return {
        "players": list(ledger.names),
        "edition": ledger.edition,
        "rounds": [_round(keeper, round_, questions) for round_ in ledger.rounds],
        "totals": dict(zip(ledger.names, ledger.totals, strict=True)),
        "warnings": [
            f"{key} at {at_s:.1f} s"
            for key, at_s in sorted(notices.items(), key=lambda item: item[1])
        ],
    }


def not_counted(told: dict[str, Any], footage: str) -> Iterator[str]:
    """Where people may have told more than this `footage` shows, by its report: a sentence each."""
    if told["rounds"] and told["rounds"][-1]["ending"] == "open":
        yield f"{footage} ends in the middle of a round: that round is not in these piles"
    asked = [str(one["round"]) for one in told["rounds"] if one["questions"]]
    if asked:
        yield (
            f"round {', '.join(asked)} of {footage} was asked about, and nobody answers here: the likelier answer counts"
        )


def warn_of(told: dict[str, Any], sentences: Iterable[str]) -> None:
    """Say these on standard error, and in the report."""
    for sentence in sentences:
        told["warnings"].append(sentence)
        print(sentence, file=sys.stderr)


def _round(keeper: Scorekeeper, round_: Round, questions: list[PendingQuestion]) -> dict[str, Any]:
    names = keeper.ledger.names
    gains = keeper.ledger.gains(round_)
    return {
        "round": round_.number,
        "daydreamer": names[round_.daydreamer],
        "lookout": names[round_.lookout],
        "cards": sorted(card for card in round_.known_cards if card is not None),
        "guesses": [_guess(guess, names) for guess in round_.guesses],
        "ending": round_.ending,
        "gains": {names[seat]: gains[seat] for seat in round_.circle},
        "questions": [
            _question(s, round_, names)
            for s in questions
            if s.round == round_.number and s.taken is not None
        ],
    }


def _guess(guess: Guess, names: tuple[str, ...]) -> dict[str, Any]:
    return {
        "spectator": names[guess.seat],
        "card": guess.card,
        "right": guess.right,
        "at_s": round(guess.at_s, 2),
        "confidence": round(guess.confidence, 4),
    }


def sentence(option: Option, round_: Round, names: tuple[str, ...]) -> str:
    """One answer as a short English sentence."""
    if option.ending == "void":
        return _UNSEEN.get(option.key, "cards were laid and picked up again")
    if option.ending == "lookout":
        return f"{names[round_.lookout]} took all {len(round_.cards)}: nobody found it"
    order = [names[round_.spectators[i % len(round_.spectators)]] for i in range(round_.attempts)]
    took = f"{order[min(option.wrong_count, len(order) - 1)]} took {len(round_.cards) - option.wrong_count}"
    return (
        took
        if option.wrong_count == 0
        else f"{took}, {option.wrong_count} set aside for {names[round_.daydreamer]}"
    )


def _question(pending: PendingQuestion, round_: Round, names: tuple[str, ...]) -> dict[str, Any]:
    options = [sentence(option, round_, names) for option in pending.question.options]
    taken = (
        pending.question.options.index(pending.taken)
        if pending.taken in pending.question.options
        else None
    )
    return {
        "at_s": round(pending.question.at_s, 2),
        "asks": pending.question.asks,
        "options": options,
        "taken": None if taken is None else options[taken],
    }
