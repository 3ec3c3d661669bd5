"""Evenings as one table for people and spreadsheets (CSV), and that table read again.

Pure: from evenings to lines and back. One line a round; what each column says stands in this room's
README. A cell that a spreadsheet would run is made plain text, as in the ledger's own table. Who
entered a guess, its time and its versions are not in it: `json_file` has everything.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from companion.errors import BadInput
from companion.findings.played import PlayedEvening, PlayedRound, played_evening
from companion.game.events import (
    EDITIONS,
    Card,
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    EveningBegun,
    EveningEnded,
    Event,
    PlayersChanged,
    RoundDealt,
    RoundVoided,
)
from companion.game.fold import apply_entry
from companion.game.ledger import Ledger
from companion.game.log import LAST_S, Entry, Log
from companion.game.rules import Refusal
from companion.journal.export import FORMULA, cell

MARK = "\ufeff"
"""At the front, or spreadsheets take the letters for another alphabet's."""

STORY = (
    "evening",
    "began",
    "place",
    "edition",
    "deck",
    "missing",
    "seated",
    "first_daydreamer",
    "over",
    "rounds",
    "round",
    "circle",
    "cards",
    "guesses",
    "ending",
    "name",
    "corrected",
    "dealt",
    "ended",
)
"""The columns before `player_1`, `gain_1`, `player_2`, ..."""

LEARNT_DECK = "learnt_deck"
"""The last column; a table of before there was one is read as well."""

LEAST_SEATS = 8
"""There are columns for so many seats, or more where an evening had more."""

LONGEST_NAME = 200
"""Letters of a name, a place or a cloud's name; nobody's is longer."""


def rows(
    evenings: Iterable[tuple[PlayedEvening, str]], seats: int = LEAST_SEATS
) -> Iterator[list[str]]:
    """The table: its head, then a line for each round of each evening with its place (an evening
    without rounds has one line)."""
    columns = [column for at in range(1, seats + 1) for column in (f"player_{at}", f"gain_{at}")]
    yield [*STORY, *columns, LEARNT_DECK]
    for evening, place in evenings:
        about = [
            evening.id,
            written_time(evening.began_s),
            cell(place),
            evening.edition,
            str(evening.deck_size),
            _cards(evening.missing),
            str(_seated_at_first(evening)),
            str(evening.rounds[0].daydreamer + 1) if evening.rounds else "1",
            "yes" if evening.over else "",
            str(len(evening.rounds)),
        ]
        names = [*map(cell, evening.names), *[""] * (seats - len(evening.names))]
        for one in evening.rounds or (None,):
            gains = one.gains if one else ()
            told = _told(one) if one else [""] * (len(STORY) - len(about))
            line = [*about, *told]
            for seat in range(seats):
                line.append(names[seat])
                line.append(str(gains[seat]) if seat < len(gains) else "")
            yield [*line, cell(evening.learnt_deck)]


def _told(one: PlayedRound) -> list[str]:
    return [
        str(one.number),
        " ".join(str(seat + 1) for seat in one.circle),
        _cards(one.cards),
        " ".join(
            f"{seat + 1}:{_card(card)}:{'right' if right else 'wrong'}"
            for seat, card, right in one.guesses
        ),
        "void-back" if one.returned else one.ending,
        cell(one.name or ""),
        "yes" if one.corrected else "",
        written_time(one.began_s),
        "" if one.ended_s is None else written_time(one.ended_s),
    ]


def _seated_at_first(evening: PlayedEvening) -> int:
    return len(evening.rounds[0].circle) if evening.rounds else len(evening.names)


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(map(_card, cards))


def _card(card: Card) -> str:
    return "?" if card is None else str(card)


def written_time(at_s: float) -> str:
    """A moment as spreadsheets and machines read it: UTC, to the millisecond."""
    told = datetime.fromtimestamp(round(at_s * 1000) / 1000, UTC)
    return told.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


# --- and back


def logs(lines: Iterable[str]) -> Iterator[tuple[Log, str]]:
    """The evenings of such a table, each as a log that adds up to it, with its place.

    Raises:
        BadInput: it is no such table, or a round in it cannot be.
    """
    reader = csv.reader(lines)
    try:
        head = [name.removeprefix(MARK) for name in next(reader, [])]
        if not set(STORY) <= set(head) or "player_1" not in head:
            raise BadInput("it has not the columns that `companion export` writes")
        together: list[dict[str, str]] = []
        for number, values in enumerate(reader, 2):
            if len(values) != len(head):
                raise BadInput(f"line {number} has {len(values)} cells instead of {len(head)}")
            line = {name: _plain(value) for name, value in zip(head, values, strict=True)}
            if together and line["evening"] != together[0]["evening"]:
                yield _log(together), together[0]["place"]
                together = []
            together.append(line)
        if together:
            yield _log(together), together[0]["place"]
    except csv.Error as error:
        raise BadInput(f"it is no table ({error})") from error


def _plain(value: str) -> str:
    return value[1:] if value[:1] == "'" and value[1:].lstrip(" ").startswith(FORMULA) else value


def _log(lines: list[dict[str, str]]) -> Log:
    evening = lines[0]["evening"][:40]
    try:
        events = list(_events(lines))
    except (ValueError, KeyError, IndexError, OverflowError) as error:
        raise BadInput(f"evening {evening} cannot be read ({error})") from error
    ledger = Ledger()
    entries: list[Entry] = []
    for at_s, event in events:
        number = len(entries) + 1
        entry = Entry(number, at_s, "person", event, batch=number)
        after = apply_entry(ledger, entry)
        if isinstance(after, Refusal):
            raise BadInput(f"evening {evening} has a round that cannot be ({after.reason})")
        ledger = after
        entries.append(entry)
    log = Log(tuple(entries))
    _check_told(evening, lines, log)
    return log


def _check_told(evening: str, lines: list[dict[str, str]], log: Log) -> None:
    """Whether each line says of its round what the rules made of it: who guessed, how it ended, who
    gained how many clouds.

    Raises:
        BadInput: one says something else.
    """
    told = [line for line in lines if line["round"]]
    for line, one in zip(told, _with_seats_of(_names(lines[0]), played_evening(log)), strict=False):
        made = dict(zip(STORY[-len(_told(one)) :], _told(one), strict=True))
        made |= {f"gain_{seat}": str(gain) for seat, gain in enumerate(one.gains, 1)}
        for column in ("guesses", "ending", *(name for name in line if name.startswith("gain_"))):
            if line[column].split() != made.get(column, "").split():
                raise BadInput(
                    f"evening {evening} has a round that cannot be "
                    f"(round {line['round'][:9]}, {column}: {line[column][:40]!r})"
                )


def _with_seats_of(names: list[str], evening: PlayedEvening) -> Iterator[PlayedRound]:
    """The rounds with everybody on the seat that the table tells: of those who came together it may have
    told them in another order, and somebody who played no round."""
    seats = [names.index(name) for name in evening.names]
    for one in evening.rounds:
        gained = dict(zip(seats, one.gains, strict=True))
        yield replace(
            one,
            guesses=tuple((seats[seat], card, right) for seat, card, right in one.guesses),
            gains=tuple(gained.get(seat, 0) for seat in range(len(names))),
        )


def _events(lines: list[dict[str, str]]) -> Iterator[tuple[float, Event]]:
    """The events that make these rounds, each with its time; also who came and left between them."""
    first = lines[0]
    if int(first["rounds"]) != sum(bool(line["round"]) for line in lines):
        raise ValueError("rounds of it are missing")
    began_s = _time(first["began"])
    names = _names(first)
    edition = next((one for one in EDITIONS if one == first["edition"]), None)
    if edition is None:
        raise ValueError(f"an edition {first['edition'][:20]!r}")
    circle = [int(seat) - 1 for seat in lines[0]["circle"].split()] or list(range(len(names)))
    at_first = sorted(circle)
    daydreamer = int(first["first_daydreamer"]) - 1
    seated = tuple(names[seat] for seat in at_first)
    first_at = at_first.index(daydreamer)
    learnt_deck = _text(first.get(LEARNT_DECK, ""))
    yield (
        began_s,
        EveningBegun(seated, first_at, edition, int(first["deck"]), learnt_deck=learnt_deck),
    )
    if first["missing"]:
        yield began_s, CardsMissing(_cards_of(first["missing"]))
    around = at_first
    next_daydreamer = daydreamer
    for line in lines:
        if not line["round"]:
            continue
        number = int(line["round"])
        circle = [int(seat) - 1 for seat in line["circle"].split()]
        at_s = _time(line["dealt"])
        if _from_least(circle) != _from_least(around) or circle[0] != next_daydreamer:
            around = circle
            told = tuple(names[seat] for seat in _from_least(circle))
            yield at_s, PlayersChanged(number, told, names[circle[0]])
        yield from _round(line, number, at_s)
        next_daydreamer = circle[-1]
    if first["over"]:  # in the middle of a round, too
        last = lines[-1]
        yield _time(last["ended"] or last["dealt"] or first["began"]), EveningEnded()


def _from_least(circle: list[int]) -> list[int]:
    at = circle.index(min(circle))
    return circle[at:] + circle[:at]


def _round(line: dict[str, str], number: int, at_s: float) -> Iterator[tuple[float, Event]]:
    ended_s = _time(line["ended"]) if line["ended"] else at_s
    yield at_s, RoundDealt(number, _cards_of(line["cards"]))
    if line["name"]:
        yield at_s, CloudNamed(number, _text(line["name"]))
    for attempt, told in enumerate(line["guesses"].split(), 1):
        _seat, card, verdict = told.split(":")
        if verdict not in ("right", "wrong"):
            raise ValueError(f"a guess that is {verdict[:20]!r}")
        kind = CloudsClaimed if verdict == "right" else CardSetAside
        yield ended_s, kind(number, attempt, _card_of(card))
    if line["ending"] in ("void", "void-back"):
        yield ended_s, RoundVoided(number, cards_return=line["ending"] == "void-back")


def _names(line: dict[str, str]) -> list[str]:
    names: list[str] = []
    while name := line.get(f"player_{len(names) + 1}", ""):
        names.append(_text(name))
    return names


def _text(text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise ValueError(f"a name of {len(text)} letters")
    return text


def _cards_of(text: str) -> tuple[Card, ...]:
    return tuple(map(_card_of, text.split()))


def _card_of(text: str) -> Card:
    return None if text == "?" else int(text)


def _time(text: str) -> float:
    at_s = datetime.fromisoformat(text).timestamp()
    if not 0 <= at_s <= LAST_S:
        raise ValueError(f"a time that cannot be, {text[:40]}")
    return at_s
