"""Events and entries as plain dicts, for a file or a tablet, and back.

Each dict says its `kind` and the version `v` it was written with. A kind or a version this release
does not know is an error in words, never a guess.
"""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from companion.game.events import (
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    DeckCounted,
    EveningBegun,
    EveningEnded,
    EveningPaused,
    EveningResumed,
    Event,
    LookoutTook,
    PlayersChanged,
    QuestionAsked,
    RoundAwaited,
    RoundDealt,
    RoundInserted,
    RoundVoided,
    RulesChosen,
    Source,
)
from companion.game.log import Entry, Retraction

VERSION = 1
"""Raised whenever an older release could misread what this one writes."""

KINDS: dict[str, type] = {
    "evening-begun": EveningBegun,
    "round-awaited": RoundAwaited,
    "round-dealt": RoundDealt,
    "card-set-aside": CardSetAside,
    "clouds-claimed": CloudsClaimed,
    "lookout-took": LookoutTook,
    "cloud-named": CloudNamed,
    "round-voided": RoundVoided,
    "round-inserted": RoundInserted,
    "question-asked": QuestionAsked,
    "players-changed": PlayersChanged,
    "deck-counted": DeckCounted,
    "rules-chosen": RulesChosen,
    "cards-missing": CardsMissing,
    "evening-paused": EveningPaused,
    "evening-resumed": EveningResumed,
    "evening-ended": EveningEnded,
    "retraction": Retraction,
}
_NAMES = {cls: kind for kind, cls in KINDS.items()}


class UnknownEvent(ValueError):
    """Raised when a stored event has a kind, a version or a field this release does not understand."""


_LATER = ("learnt_deck",)
"""Fields that events of version 1 got later: written only where they say something, so that what was
written before is written again as it was."""


def event_to_dict(event: Event | Retraction) -> dict[str, Any]:
    """The event as plain JSON values: its `kind`, its version `v` and its fields."""
    values = {field.name: _plain(getattr(event, field.name)) for field in fields(event)}
    told = {name: value for name, value in values.items() if value or name not in _LATER}
    return {"kind": _NAMES[type(event)], "v": VERSION} | told


def _plain(value: object) -> object:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def event_from_dict(data: dict[str, Any]) -> Event | Retraction:
    """The event that `event_to_dict` wrote. Raises UnknownEvent for another kind, a newer version
    or wrong fields."""
    cls = _class_of(data)
    hints, needed = _fields_of(cls)
    given = {name: value for name, value in data.items() if name not in ("kind", "v")}
    if strange := given.keys() - hints.keys():
        raise UnknownEvent(f"a {data['kind']!r} event has the unknown field {sorted(strange)[0]!r}")
    missing = [name for name in needed if name not in given]
    if missing:
        raise UnknownEvent(f"a {data['kind']!r} event lacks {missing[0]!r}")
    return cast(
        "Event | Retraction",
        cls(**{name: _typed(value, hints[name], name) for name, value in given.items()}),
    )


@cache
def _fields_of(cls: type) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The types of an event's fields, and which of them must be given. Years of evenings ask."""
    needed = (field.name for field in fields(cls) if field.default is MISSING)
    return get_type_hints(cls), tuple(needed)


def _class_of(data: dict[str, Any]) -> type:
    version, kind = data.get("v"), data.get("kind")
    if type(version) is not int or version < 1:
        raise UnknownEvent("an event without a version")
    if version > VERSION:
        raise UnknownEvent(
            f"an event of version {version}; this release understands up to {VERSION}"
        )
    if not isinstance(kind, str) or kind not in KINDS:
        raise UnknownEvent(f"an event of the unknown kind {kind!r}")
    return KINDS[kind]


def _typed(value: Any, hint: Any, name: str) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_typed(item, args[0], name) for item in value)
    if origin in (UnionType, Union) and any(_is_one(value, option) for option in args):
        return value
    if origin is Literal and value in args:
        return value
    if isinstance(hint, type) and _is_one(value, hint):
        return value
    raise UnknownEvent(f"the field {name!r} cannot be {value!r}")


def _is_one(value: object, cls: type) -> bool:
    return isinstance(value, cls) and not (cls is int and isinstance(value, bool))


def entry_to_dict(entry: Entry) -> dict[str, Any]:
    """The entry as plain JSON values; its event under `event`."""
    return {
        "number": entry.number,
        "batch": entry.batch,
        "at_s": entry.at_s,
        "source": entry.source,
        "author": entry.author,
        "confidence": entry.confidence,
        "evidence": entry.evidence,
        "event": event_to_dict(entry.event),
    }


def entry_from_dict(data: dict[str, Any]) -> Entry:
    """The entry that `entry_to_dict` wrote.  Raises UnknownEvent where it is not one."""
    if not isinstance(data, dict) or not isinstance(data.get("event"), dict):
        raise UnknownEvent("an entry without an event")
    number, source = data.get("number"), data.get("source")
    at_s, confidence = _finite(data.get("at_s")), _finite(data.get("confidence", 1.0))
    if type(number) is not int or at_s is None or source not in get_args(Source):
        raise UnknownEvent("an entry without a number, a time or a source")
    author, evidence, batch = data.get("author"), data.get("evidence"), data.get("batch", number)
    if (
        confidence is None
        or not isinstance(author, str | None)
        or not isinstance(evidence, dict | None)
        or type(batch) is not int
    ):
        raise UnknownEvent("an entry whose author, batch, evidence or confidence cannot be")
    return Entry(
        number,
        at_s,
        cast("Source", source),
        event_from_dict(data["event"]),
        author,
        confidence,
        evidence,
        batch,
    )


def _finite(value: object) -> float | None:
    try:
        told = float(value) if isinstance(value, int | float) else math.nan
    except OverflowError:
        return None
    return told if math.isfinite(told) else None
