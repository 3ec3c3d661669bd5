"""What a table sends, read like a stranger's letter: entries in order, or one sentence why not.

Pure: bytes in, a value out. What is accepted is exactly what a companion writes, field by field, so
that two ways to write one entry cannot exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError
from companion.game.event_json import UnknownEvent, entry_from_dict, entry_to_dict
from companion.game.events import CloudNamed, EveningBegun, PlayersChanged
from companion.game.log import Entry, Retraction
from companion.game.words import one_line
from companion.web.guards import strict_json

MOST_ENTRIES = 5_000
"""Entries of one evening; a long one of eight players, corrected throughout, has some hundred."""

MOST_EVENINGS = 100_000
MOST_NAME = 40
"""Letters of a name, here and on the board."""

MOST_NAMES = 400


class NotTaken(CompanionError):
    """Raised for a letter that is not taken; the text is one sentence for the people at that table."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive entries of one evening of a table; `state` is its camera's, or None."""

    evening: int
    entries: tuple[Entry, ...]
    state: str | None = None

    @property
    def first(self) -> int:
        """The number of the first entry."""
        return self.entries[0].number


CAMERA_STATES = frozenset(("live", "practice", "closed", "off", "stopped", "searching", "waiting"))


def read_batch(body: bytes) -> Batch:
    """The batch in this body.

    Raises:
        NotTaken: it is none, in one sentence.
    """
    told = _loads(body)
    if not isinstance(told, dict) or set(told) != {"evening", "entries", "camera"}:
        raise NotTaken("A letter to a hall has an evening, entries and a camera, and nothing else.")
    evening, entries, state = told["evening"], told["entries"], told["camera"]
    if type(evening) is not int or not 1 <= evening <= MOST_EVENINGS:
        raise NotTaken("An evening has a number from 1 on.")
    if state is not None and (not isinstance(state, str) or state not in CAMERA_STATES):
        raise NotTaken("A camera is in no such state.")
    if not isinstance(entries, list) or not entries:
        raise NotTaken("A letter to a hall holds at least one entry.")
    read = tuple(map(read_entry, entries))
    if any(entry.number != read[0].number + at for at, entry in enumerate(read)):
        raise NotTaken("The entries of a letter follow one another.")
    if read[-1].number > MOST_ENTRIES:
        raise NotTaken(f"An evening has at most {MOST_ENTRIES} entries.")
    return Batch(evening, read, state)


def _loads(body: bytes) -> Any:
    if b"\\u0000" in body:  # a database keeps no such letter
        raise NotTaken("This is no letter to a hall (nul).")
    try:
        return strict_json.loads(body)
    except strict_json.BadJson as error:
        raise NotTaken(f"This is no letter to a hall ({error}).") from error


def read_entry(told: Any) -> Entry:
    """One entry, exactly as a companion tells it to a hall. Raises NotTaken."""
    if not isinstance(told, dict):
        raise NotTaken("An entry is an object.")
    try:
        entry = entry_from_dict(told)
    except (UnknownEvent, ValueError, TypeError) as error:
        raise NotTaken(f"This hall does not know {str(error)[:120]}.") from error
    if not same_json(entry_to_dict(entry), told):
        raise NotTaken("An entry has its fields and no others.")
    if entry.author is not None or entry.evidence is not None:
        raise NotTaken("An entry comes to a hall without its author and without its evidence.")
    if entry.number < 1 or type(entry.batch) is not int or not 1 <= entry.batch <= entry.number:
        raise NotTaken("Entries are counted from 1.")
    if not 0 <= entry.confidence <= 1:
        raise NotTaken("A confidence lies between 0 and 1.")
    if entry.number == 1 and not isinstance(entry.event, EveningBegun):
        raise NotTaken("The first entry of an evening is its beginning.")
    if any(len(text) > MOST_NAME for text in _texts(entry)) or not _small(entry):
        raise NotTaken("An entry holds short names and small numbers.")
    return entry


def same_json(one: Any, other: Any) -> bool:
    """True for equal JSON values; 1 and true are two things, 1 and 1.0 one."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return (type(one) is type(other) and bool(one == other)) or (
        isinstance(one, float) and isinstance(other, int) and one == other
    )


def _texts(entry: Entry) -> tuple[str, ...]:
    event = entry.event
    if isinstance(event, EveningBegun):
        return (*event.players, event.learnt_deck)
    if isinstance(event, PlayersChanged):
        return (*event.players, *event.dealt_back, event.daydreamer or "")
    if isinstance(event, Retraction):
        return (event.reason,)
    return (event.words,) if isinstance(event, CloudNamed) else ()


MOST_ROUND = 1_000
MOST_CARD = 100_000
MOST_AT_ONCE = 400
"""Cards, players or numbers that one entry may name."""


def _small(entry: Entry) -> bool:
    event: Any = entry.event
    lists = [getattr(event, name, ()) for name in ("cards", "players", "numbers", "dealt_back")]
    numbers = [getattr(event, name, 0) for name in ("round", "attempt")]
    cards = [card for card in (*getattr(event, "cards", ()), getattr(event, "card", None)) if card]
    return (
        all(len(one) <= MOST_AT_ONCE for one in lists)
        and all(0 <= number <= MOST_ROUND for number in numbers)
        and all(0 < card <= MOST_CARD for card in cards)
    )


def read_names(body: bytes) -> dict[str, str]:
    """The names that a table shows in place of its pseudonyms. Raises NotTaken."""
    told = _loads(body)
    names = told.get("names") if isinstance(told, dict) else None
    if not isinstance(names, dict) or len(names) > MOST_NAMES:
        raise NotTaken("Names come as pseudonym and name.")
    for pseudonym, name in names.items():
        if not isinstance(name, str) or not one_line(name):
            raise NotTaken("A name is text.")
        if max(len(name), len(pseudonym)) > MOST_NAME:
            raise NotTaken(f"A name has at most {MOST_NAME} letters.")
    return {pseudonym: one_line(name) for pseudonym, name in names.items()}
