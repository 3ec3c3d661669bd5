"""The shape of each command, declared once: what it must say, what it may say, and of which kind.

From the one table `SHAPES` come the check (`read_command`), the refusal that names the field, and
the lines of the room's README (`shape_lines`). Pure; knows no evening: what is possible now is the
game's to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from card_printables.deck import LARGEST
from companion.game.events import EDITIONS, HANDLINGS
from companion.game.rules import Refusal
from companion.game.words import one_line

Asked = dict[str, Any]

LONGEST_NAME = 40
LONGEST_WORDS = 200
MOST_IN_A_LIST = 200
"""More than any deal, any box and any round's guesses."""

HIGHEST_ROUND = 9_999
"""Rounds count from 1; no deck of 999 cards has more."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: how it is told to people, and the reading of it (ValueError for another)."""

    says: str
    read: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """What one command must say and what it may say, by field. A field that may be said and is null
    counts as not said; unknown fields are not read."""

    must: Mapping[str, Kind] = field(default_factory=dict)
    may: Mapping[str, Kind] = field(default_factory=dict)


def read_command(asked: Asked) -> Asked | Refusal:
    """The fields that the command's shape names, read; a Refusal that names the first wrong one."""
    shape = SHAPES[asked["do"]]
    told: Asked = {}
    for name, kind in (*shape.must.items(), *shape.may.items()):
        value = asked.get(name)
        if value is None and name in shape.may:
            continue
        try:
            told[name] = kind.read(value)
        except ValueError:
            return Refusal("command_shape", {"do": asked["do"], "field": name})
    return told


def shape_lines() -> list[str]:
    """One line of a table a command, for the README: what it must say, and what it may say."""
    return [
        f"| `{do}` | {_fields(shape.must)} | {_fields(shape.may)} |" for do, shape in SHAPES.items()
    ]


def _fields(kinds: Mapping[str, Kind]) -> str:
    return ", ".join(f"`{name}` {kind.says}" for name, kind in kinds.items())


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(value)
    return one_line(value)


def _name(value: Any) -> str:
    name = _text(value)
    if len(name) > LONGEST_NAME:
        raise ValueError(value)
    return name


def _whole(lowest: int, highest: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if type(value) is not int or not lowest <= value <= highest:
            raise ValueError(value)
        return value

    return read


def _card(value: Any) -> int | None:
    return None if value is None else _whole(1, LARGEST)(value)


def _guess(value: Any) -> tuple[int | None, bool]:
    if not isinstance(value, dict) or type(value.get("right")) is not bool:
        raise ValueError(value)
    return _card(value.get("card")), value["right"]


def _option(value: Any) -> int | str:
    return value if isinstance(value, str) else _whole(0, MOST_IN_A_LIST)(value)


def _switch(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(value)
    return value


def _list_of(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) > MOST_IN_A_LIST:
            raise ValueError(value)
        return tuple(read(one) for one in value)

    return read_all


def _one_of(*allowed: str) -> Kind:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise ValueError(value)
        return value

    return Kind(f"({', '.join(allowed)})", read)


NAMES = Kind("(names)", _list_of(_name))
SEAT = Kind("(seat, from 0)", _whole(0, MOST_IN_A_LIST))
CARD = Kind("(card or null)", _card)
CARDS = Kind("(cards)", _list_of(_card))
GUESSES = Kind("(guesses)", _list_of(_guess))
ROUND = Kind("(number)", _whole(1, HIGHEST_ROUND))
SIGNS = Kind("(numbers, 0 to 7)", _list_of(_whole(0, 7)))
SIZE = Kind("(number)", _whole(0, 10**9))
WORDS = Kind("(text)", lambda value: _text(value)[:LONGEST_WORDS])
KEY = Kind("(its id)", _text)
OPTION = Kind("(place or key)", _option)
SWITCH = Kind("(true or false)", _switch)


SHAPES: Mapping[str, Shape] = MappingProxyType({
    "begin": Shape(
        {"players": NAMES, "daydreamer": SEAT},
        {
            "edition": _one_of(*EDITIONS),
            "deck_size": SIZE,
            "handling": _one_of(*HANDLINGS),
            "signs": SIGNS,
        },
    ),
    "rematch": Shape({}, {"daydreamer": SEAT}),
    "laid": Shape({}, {"cards": CARDS}),
    "set_aside": Shape({}, {"card": CARD}),
    "wrong": Shape({}, {"card": CARD}),
    "right": Shape({}, {"card": CARD}),
    "answer": Shape({"question": KEY, "option": OPTION}),
    "accept_count": Shape(),
    "next": Shape(),
    "name": Shape({"words": WORDS}, {"round": ROUND, "instead_of": WORDS}),
    "correct": Shape(
        {"round": ROUND, "guesses": GUESSES}, {"cards": CARDS, "instead_of": GUESSES}
    ),
    "insert": Shape({"round": ROUND, "guesses": GUESSES}, {"cards": CARDS}),
    "void": Shape({"round": ROUND, "cards": _one_of("out", "back")}),
    "undo": Shape(),
    "redo": Shape(),
    "players": Shape(
        {"players": NAMES}, {"daydreamer": SEAT, "dealt_back": NAMES, "instead_of": NAMES}
    ),
    "deck": Shape({"size": SIZE}),
    "rules": Shape({"edition": _one_of(*EDITIONS), "handling": _one_of(*HANDLINGS)}),
    "missing": Shape({"cards": CARDS}),
    "pause": Shape(),
    "resume": Shape(),
    "end": Shape(),
    "camera": Shape({}, {"on": SWITCH}),
    "learn_back": Shape(),
    "forget_back": Shape(),
})  # fmt: skip
"""Every command that the evening knows, with what it says."""
