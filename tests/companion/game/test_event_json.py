"""Events as plain dicts: every kind there and back, and clear words for what this release does not
know."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from companion.game import events
from companion.game.event_json import (
    KINDS,
    UnknownEvent,
    entry_from_dict,
    entry_to_dict,
    event_from_dict,
    event_to_dict,
)
from companion.game.events import CardSetAside, EveningBegun, PlayersChanged, RoundDealt
from companion.game.log import Entry, Retraction

SAMPLE = {"round": 2, "attempt": 3, "card": None, "cards": (1, None), "players": ("Ida", "Bo", "Čeněk"), "daydreamer": 1,
          "words": "camel", "cards_return": True, "size": 79, "numbers": (4, 5), "reason": "undo",
          "asks": "who_took", "edition": "de", "handling": "tray"}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_back_as_it_was(kind: str) -> None:
    """To JSON and back an event of every kind is equal, with its kind's name in the dict."""
    cls = KINDS[kind]
    given = {field.name: SAMPLE[field.name] for field in fields(cls) if field.name in SAMPLE}
    if cls is PlayersChanged:
        given |= {"daydreamer": "Bo", "dealt_back": ("Zoe",)}
    event = cls(**given)
    data = json.loads(json.dumps(event_to_dict(event)))
    assert data["kind"] == kind
    assert event_from_dict(data) == event


def test_every_event_has_a_kind() -> None:
    """No event class of the game can be forgotten on the wire."""
    named = {
        cls
        for cls in vars(events).values()
        if isinstance(cls, type) and cls.__module__ == events.__name__
    }
    assert named | {Retraction} == set(KINDS.values())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "card-eaten"}, "unknown kind 'card-eaten'"),
        ({"kind": None}, "unknown kind None"),
        ({"v": 2}, "version 2; this release understands up to 1"),
        ({"v": None}, "without a version"),
        ({"v": True}, "without a version"),
        ({"colour": "blue"}, "unknown field 'colour'"),
        ({"round": "one"}, "'round' cannot be 'one'"),
        ({"round": True}, "'round' cannot be True"),
        ({"card": 1.5}, "'card' cannot be 1.5"),
    ],
)
def test_what_is_not_understood_is_said(change: dict[str, object], words: str) -> None:
    """Another kind, a newer version, a strange field or value: an UnknownEvent that names it."""
    with pytest.raises(UnknownEvent, match=words):
        event_from_dict(event_to_dict(CardSetAside(1, 1, 3)) | change)


def test_a_lacking_field_is_said() -> None:
    """A field without a default must be there; one with a default may be missing, as older releases
    wrote it."""
    data = event_to_dict(EveningBegun(("A", "B", "C"), 0))
    assert event_from_dict(
        {key: value for key, value in data.items() if key != "handling"}
    ) == EveningBegun(("A", "B", "C"), 0)
    with pytest.raises(UnknownEvent, match="lacks 'players'"):
        event_from_dict({key: value for key, value in data.items() if key != "players"})
    with pytest.raises(UnknownEvent, match="'edition' cannot be 'fr'"):
        event_from_dict(data | {"edition": "fr"})


def test_an_entry_comes_back_with_everything() -> None:
    """Number, time, source, author, confidence, evidence and batch survive."""
    entry = Entry(
        7, 12.5, "camera", RoundDealt(2, (1, 2, 3)), "Ida", 0.98, {"from_s": 1.0, "cards": [3]}, 6
    )
    assert entry_from_dict(json.loads(json.dumps(entry_to_dict(entry)))) == entry


@pytest.mark.parametrize("data", [{}, {"event": 3}, [], {"event": {}, "number": "1"}])
def test_what_is_no_entry_is_said(data: object) -> None:
    """Anything else than an entry's dict is an UnknownEvent, not a crash."""
    with pytest.raises(UnknownEvent):
        entry_from_dict(data)
