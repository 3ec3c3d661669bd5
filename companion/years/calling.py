"""The log of an evening with its people called otherwise: for screens, and when one is forgotten.

Pure. Entries, numbers, times and points stay; only the names in them are others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from companion.game.events import EveningBegun, PlayersChanged
from companion.game.log import Entry, Log
from companion.years.persons import SOMEBODY, Persons

_SOMEBODY = re.compile(rf"{SOMEBODY}( \d+)?")


def is_somebody(name: str) -> bool:
    """True for what a forgotten person is called."""
    return _SOMEBODY.fullmatch(name) is not None


def written_names(log: Log) -> tuple[str, ...]:
    """Every name in a log, in the order they came, as it was written first."""
    names: dict[str, None] = {}
    for entry in log.entries:
        if isinstance(entry.event, EveningBegun | PlayersChanged):
            names.update(dict.fromkeys(entry.event.players))
    return tuple(names)


def called_now(log: Log, persons: Persons) -> Log:
    """The log with everybody's name of now."""
    written = written_names(log)
    return with_names(log, dict(zip(written, persons.names(written), strict=True)))


def with_names(log: Log, names: Mapping[str, str]) -> Log:
    """The log in which each name of `names` is another."""
    if all(old == new for old, new in names.items()):
        return log
    return Log(tuple(_with_names(entry, names) for entry in log.entries))


def author_for(author: str | None, names: Mapping[str, str]) -> str | None:
    """Whose device it was: somebody's, where it bears the name of who is forgotten."""
    now = names.get(author or "", "")
    return now if is_somebody(now) else author


def _with_names(entry: Entry, names: Mapping[str, str]) -> Entry:
    entry = replace(entry, author=author_for(entry.author, names))
    event = entry.event
    if isinstance(event, EveningBegun):
        return replace(entry, event=replace(event, players=_all(event.players, names)))
    if isinstance(event, PlayersChanged):
        changed = replace(
            event,
            players=_all(event.players, names),
            dealt_back=_all(event.dealt_back, names),
            daydreamer=event.daydreamer and names.get(event.daydreamer, event.daydreamer),
        )
        return replace(entry, event=changed)
    return entry


def _all(written: tuple[str, ...], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(name, name) for name in written)
