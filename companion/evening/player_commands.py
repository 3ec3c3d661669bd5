"""What people can ask for, as changes to the log. Pure translation: a command dict in, entries or a
Refusal out."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from card_printables.deck import LARGEST
from companion.evening.questions import ANSWERED, accept_missed
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes, correct_round, insert_round, redo, rematch, undo
from companion.game.events import (
    EDITIONS,
    HANDLINGS,
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    DeckCounted,
    EveningBegun,
    EveningEnded,
    EveningPaused,
    EveningResumed,
    PlayersChanged,
    RoundAwaited,
    RoundDealt,
    RoundVoided,
)
from companion.game.log import Entry
from companion.game.rules import Refusal

Asked = dict[str, Any]

LONGEST_NAME = 40

_JOINING = frozenset(("\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))))
"""Unseen characters that Persian names, families of emoji and flags need. Of the others some turn
the direction of everything after them, and some make two names that look the same."""


def perform_command(asked: Asked, keeper: Scorekeeper, at_s: float) -> tuple[Entry, ...] | Refusal:
    """Enter what was asked; a Refusal when it cannot be or is not understood."""
    if not keeper.ledger.begun:
        return Refusal("no_evening")
    if asked["do"] == "accept_count":
        return keeper.accept_count(at_s)
    make = _CHANGES.get(asked["do"])
    if make is None:
        return Refusal("unknown_command", {"do": str(asked["do"])[:40]})
    try:
        changes = make(asked, keeper)
    except (KeyError, TypeError, ValueError, IndexError):
        return Refusal("command_shape", {"do": asked["do"]})
    return keeper.change(changes, at_s, asked.get("author"))


def begin_evening(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    """The first entry of a new evening; a Refusal for players that cannot be."""
    if keeper.ledger.begun and not keeper.ledger.over and keeper.ledger.rounds:
        return Refusal("evening_begun")
    if asked["do"] == "rematch":
        return Changes((rematch(keeper.ledger),)) if keeper.ledger.begun else Refusal("no_evening")
    try:
        players = tuple(_name(name) for name in _list(asked["players"]))
        begun = EveningBegun(
            players,
            _int(asked["daydreamer"]),
            _one_of(asked.get("edition", "en"), EDITIONS),
            _int(asked.get("deck_size", 80)),
            _one_of(asked.get("handling", "auto"), HANDLINGS),
        )
    except (KeyError, TypeError, ValueError):
        return Refusal("command_shape", {"do": "begin"})
    return Changes((begun,))


def _name(value: Any) -> str:
    name = _text(value)
    if len(name) > LONGEST_NAME:
        raise ValueError(value)
    return name


def _text(value: Any) -> str:
    """What people wrote, as one line: without control characters (a terminal would obey them) and
    unseen ones; empty when nothing of it can be seen."""
    if not isinstance(value, str):
        raise ValueError(value)
    seen = [c for c in value if c in _JOINING or unicodedata.category(c) != "Cf"]
    kept = "".join(" " if unicodedata.category(c) == "Cc" else c for c in seen)
    return (
        " ".join(kept.split()) if any(c not in _JOINING and not c.isspace() for c in kept) else ""
    )


def _dict(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(value)
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise ValueError(value)
    return list(value)


def _int(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(value)
    return value


def _card(value: Any) -> int | None:
    if value is not None and not 1 <= _int(value) <= LARGEST:
        raise ValueError(value)
    return None if value is None else _int(value)


def _bool(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(value)
    return value


def _one_of(value: Any, allowed: tuple[Any, ...]) -> Any:
    if value not in allowed:
        raise ValueError(value)
    return value


def _laid(asked: Asked, keeper: Scorekeeper) -> Changes:
    told = asked.get("cards")
    cards = tuple(_card(card) for card in _list(told)) if told else (None,) * keeper.ledger.draw
    return Changes((RoundDealt(keeper.ledger.next_number, cards),))


def _guess(
    event: type[CardSetAside] | type[CloudsClaimed],
) -> Callable[[Asked, Scorekeeper], Changes | Refusal]:
    def make(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
        now = keeper.ledger.open_round
        if now is None or now.attempt is None:
            return Refusal("no_round")
        return Changes((event(now.number, now.attempt, _card(asked.get("card"))),))

    return make


def _answer(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    pending = keeper.question
    if pending is None or pending.question.id != asked["question"]:
        return Refusal("question_gone")
    options = pending.question.options
    at = asked["option"]
    option = (
        options[_int(at)] if not isinstance(at, str) else next(o for o in options if o.key == at)
    )
    if option.ending == "void":
        return accept_missed(keeper.log, pending, option)
    guesses: list[tuple[int | None, bool]] = [(card, False) for card in option.set_aside]
    guesses += [(None, True)] if option.ending == "claimed" else []
    said = correct_round(keeper.log, pending.round, tuple(guesses), tuple(pending.ruling.dealt))
    return (
        Changes((), (pending.entry,), ANSWERED)
        if isinstance(said, Changes) and said.empty
        else said
    )


def _undo(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    return undo(keeper.log)


def _redo(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    return redo(keeper.log)


def _guesses(asked: Asked) -> tuple[tuple[int | None, bool], ...]:
    return tuple(
        (_card(guess.get("card")), _bool(guess["right"]))
        for guess in map(_dict, _list(asked["guesses"]))
    )


def _cards(asked: Asked) -> tuple[int | None, ...] | None:
    told = asked.get("cards")
    return None if told is None else tuple(_card(card) for card in _list(told))


def _correct(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    return correct_round(keeper.log, _int(asked["round"]), _guesses(asked), _cards(asked))


def _insert(asked: Asked, keeper: Scorekeeper) -> Changes:
    """A round that was played and never entered; without its cards, as many unknown ones as a deal
    has."""
    return insert_round(
        _int(asked["round"]), _guesses(asked), _cards(asked) or (None,) * keeper.ledger.draw
    )


def _missing(asked: Asked, keeper: Scorekeeper) -> Changes:
    """Cards that are not in the box tonight, by number or, as null, without one."""
    return Changes((CardsMissing(tuple(_card(card) for card in _list(asked["cards"]))),))


def _void(asked: Asked, keeper: Scorekeeper) -> Changes:
    return Changes(
        (RoundVoided(_int(asked["round"]), _one_of(asked["cards"], ("out", "back")) == "back"),)
    )


def _cloud(asked: Asked, keeper: Scorekeeper) -> Changes:
    number = asked.get("round")
    now = keeper.ledger.open_round
    default = now.number if now else keeper.ledger.next_number
    return Changes(
        (CloudNamed(default if number is None else _int(number), _text(asked["words"])[:200]),)
    )


def _players(asked: Asked, keeper: Scorekeeper) -> Changes:
    players = tuple(_name(name) for name in _list(asked["players"]))
    back = tuple(_name(name) for name in _list(asked.get("dealt_back", ())))
    named = asked.get("daydreamer")
    daydreamer = players[_int(named)] if named is not None else None
    return Changes((PlayersChanged(keeper.ledger.next_number, players, daydreamer, back),))


def _deck(asked: Asked, keeper: Scorekeeper) -> Changes:
    return Changes((DeckCounted(_int(asked["size"])),))


def _next(asked: Asked, keeper: Scorekeeper) -> Changes | Refusal:
    if keeper.ledger.phase != "result":
        return Changes()
    return Changes((RoundAwaited(keeper.ledger.next_number),))


_CHANGES: dict[str, Callable[[Asked, Scorekeeper], Changes | Refusal]] = {
    "laid": _laid,
    "set_aside": _guess(CardSetAside),
    "wrong": _guess(CardSetAside),  # as screens of before still say it
    "right": _guess(CloudsClaimed),
    "answer": _answer,
    "undo": _undo,
    "redo": _redo,
    "correct": _correct,
    "insert": _insert,
    "missing": _missing,
    "void": _void,
    "name": _cloud,
    "players": _players,
    "deck": _deck,
    "pause": lambda asked, keeper: Changes((EveningPaused(),)),
    "resume": lambda asked, keeper: Changes((EveningResumed(),)),
    "end": lambda asked, keeper: Changes((EveningEnded(),)),
    "next": _next,
}
