"""Every version of one round, line by line: what was entered, by whom, and what was taken back.
Pure; for screens."""

from __future__ import annotations

from typing import Any

from companion.game.events import (
    CardSetAside,
    CloudNamed,
    CloudsClaimed,
    LookoutTook,
    RoundDealt,
    RoundInserted,
    RoundVoided,
)
from companion.game.log import Entry, Log, Retraction

WHAT: dict[type, str] = {
    RoundInserted: "inserted",
    RoundDealt: "laid",
    CardSetAside: "set_aside",
    CloudsClaimed: "right",
    LookoutTook: "lookout",
    RoundVoided: "void",
    CloudNamed: "name",
    Retraction: "back",
}


def history_of(log: Log, round_number: int) -> list[dict[str, Any]]:
    """The entries that touched this round, oldest first, as plain values; `gone` marks those that
    no longer count."""
    alive = {entry.number for entry in log.live}
    return [
        _line(entry, entry.number not in alive)
        for entry in log.history(round_number)
        if type(entry.event) in WHAT
    ]


def _line(entry: Entry, gone: bool) -> dict[str, Any]:
    event = entry.event
    return {
        "number": entry.number,
        "at_s": round(entry.at_s, 1),
        "source": entry.source,
        "author": entry.author,
        "what": WHAT[type(event)],
        "attempt": event.attempt if isinstance(event, CardSetAside | CloudsClaimed) else None,
        "card": event.card if isinstance(event, CardSetAside | CloudsClaimed) else None,
        "gone": gone,
    }
