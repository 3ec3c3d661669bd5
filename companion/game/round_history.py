"""Every version of one round, line by line: what was entered, by whom, and what was taken back.
Pure; for screens."""

from __future__ import annotations

from typing import Any

from companion.game.events import (
    CardSetAside,
    CloudNamed,
    CloudsClaimed,
    LookoutTook,
    QuestionAsked,
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
    asked = {entry.number for entry in log.as_now if isinstance(entry.event, QuestionAsked)}
    return [
        _line(entry, what, entry.number not in alive)
        for entry in log.history(round_number)
        if (what := _what(entry, asked)) is not None
    ]


def _what(entry: Entry, asked: set[int]) -> str | None:
    """What was done with it; None where no line tells of it. Of a question (`asked` has their numbers)
    nothing is taken back: a person answered it, or it has settled itself."""
    if isinstance(entry.event, Retraction) and asked.issuperset(entry.event.numbers):
        return "answer" if entry.source == "person" else None
    return WHAT.get(type(entry.event))


def _line(entry: Entry, what: str, gone: bool) -> dict[str, Any]:
    event = entry.event
    return {
        "number": entry.number,
        "at_s": round(entry.at_s, 1),
        "source": entry.source,
        "author": entry.author,
        "what": what,
        "attempt": event.attempt if isinstance(event, CardSetAside | CloudsClaimed) else None,
        "card": event.card if isinstance(event, CardSetAside | CloudsClaimed) else None,
        "gone": gone,
    }
