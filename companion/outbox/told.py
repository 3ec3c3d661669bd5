"""An entry as it may leave the home: pseudonyms for people, and nothing in anybody's own words.

Pure. The same entry is told in the same way each time, whatever is decided about names: a hall keeps
them apart from the entries, and a name can be taken back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from companion.game.change import CORRECTED
from companion.game.events import CloudNamed, EveningBegun, PlayersChanged
from companion.game.log import REDO, UNDO, Entry, Retraction
from companion.game.reconcile import REREAD
from companion.journal.mending import LOST

KINDS_OF_CLOUD = (
    "Cirrus",
    "Cumulus",
    "Stratus",
    "Nimbus",
    "Altus",
    "Fractus",
    "Pileus",
    "Arcus",
    "Velum",
    "Virga",
)

UNTOLD = "…"
"""Stands for a cloud's name: people's own words stay at home."""

OWN_REASONS = frozenset((UNDO, REDO, CORRECTED, REREAD, LOST, "answered"))
"""Reasons that are words of the program's own; any other stays at home."""


def pseudonym_for(name: str, salt: str, taken: Mapping[str, str]) -> str:
    """What a hall calls this person: a kind of cloud and a number, unlike all in `taken`."""
    for attempt in range(10_000):
        digest = hashlib.sha256(f"{salt}/{attempt}/{same_person(name)}".encode()).digest()
        number = 100 + int.from_bytes(digest[1:5], "big") % 900
        told = f"{KINDS_OF_CLOUD[digest[0] % len(KINDS_OF_CLOUD)]} {number}"
        if told not in taken.values():
            return told
    raise AssertionError("more people than pseudonyms")


def same_person(name: str) -> str:
    """By what a person is known again: the ledger compares names so."""
    return name.strip().casefold()


def names_in(entry: Entry) -> Iterator[str]:
    """Every name that the entry holds."""
    event = entry.event
    if isinstance(event, EveningBegun):
        yield from event.players
    elif isinstance(event, PlayersChanged):
        yield from (*event.players, *event.dealt_back)
        if event.daydreamer is not None:
            yield event.daydreamer


def told_entry(entry: Entry, pseudonym_of: Callable[[str], str]) -> Entry:
    """The entry as a hall gets it."""
    event = entry.event
    if isinstance(event, EveningBegun):
        event = replace(event, players=tuple(map(pseudonym_of, event.players)), learnt_deck="")
    elif isinstance(event, PlayersChanged):
        event = replace(
            event,
            players=tuple(map(pseudonym_of, event.players)),
            daydreamer=None if event.daydreamer is None else pseudonym_of(event.daydreamer),
            dealt_back=tuple(map(pseudonym_of, event.dealt_back)),
        )
    elif isinstance(event, CloudNamed):
        event = replace(event, words=UNTOLD)
    elif isinstance(event, Retraction) and event.reason not in OWN_REASONS:
        event = replace(event, reason=CORRECTED)
    return replace(entry, event=event, author=None, evidence=None)
