"""Evenings as a file for another companion (JSON): every entry, taken back or not; and read again.

One evening a line, so that ten thousand of them are written and read without ever being in memory
together. A name is written as the person is called now; a forgotten one is "somebody".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from companion.errors import BadInput
from companion.game.event_json import VERSION, UnknownEvent, entry_from_dict
from companion.game.events import CloudNamed, EveningBegun, PlayersChanged
from companion.game.fold import fold
from companion.game.log import Log
from companion.years.calling import author_for, is_somebody
from companion.years.persons import Persons
from companion.years.tables import LONGEST_NAME

EVENINGS_FORMAT = "cloud-mine-companion/evenings"
ONE = "cloud-mine-companion/evening"
"""What the ledger's own button writes: a single evening."""

LARGEST_AT_ONCE = 16_000_000
"""Letters of a file that is not one evening a line: a hundred evenings and more; what they say takes up
to twenty times as much memory."""


def lines(evenings: Iterable[tuple[str, str, list[str]]], persons: Persons) -> Iterator[str]:
    """The file, a line at a time, of evenings as (id, place, the entries as the journal's JSON)."""
    yield f'{{"format": "{EVENINGS_FORMAT}", "version": {VERSION}, "evenings": [\n'
    first = True
    for key, place, entries in evenings:
        about = json.dumps({"id": key, "place": place}, ensure_ascii=False)[:-1]
        told = ",".join(renamed(entries, persons))
        yield f'{"" if first else ","}{about}, "entries": [{told}]}}\n'
        first = False
    yield "]}\n"


def can_be_written(entries: list[str]) -> bool:
    """False where one of them is no JSON of ours: it would spoil the whole file."""
    told = loaded(f"[{','.join(entries)}]")
    return (
        isinstance(told, list)
        and len(told) == len(entries)
        and all(isinstance(entry, dict) for entry in told)
    )


def renamed(entries: list[str], persons: Persons) -> list[str]:
    """The entries with everybody's name of now."""
    changes = [text for text in entries if '"players-changed"' in text]
    written = dict.fromkeys(name for text in (entries[0], *changes) for name in _players(text))
    now = dict(zip(written, persons.names(written), strict=True))
    if all(name == to for name, to in now.items()):
        return entries
    forgotten = [json.dumps(name) for name in written if is_somebody(now[name])]
    return [
        _renamed(text, now)
        if at == 0 or '"players-changed"' in text or any(name in text for name in forgotten)
        else text
        for at, text in enumerate(entries)
    ]


def _players(text: str) -> list[str]:
    event = json.loads(text).get("event")
    players = event.get("players") if isinstance(event, dict) else None
    return [name for name in players if isinstance(name, str)] if isinstance(players, list) else []


def _renamed(text: str, now: dict[str, str]) -> str:
    entry = json.loads(text)
    if isinstance(entry.get("author"), str):
        entry["author"] = author_for(entry["author"], now)
    event = entry.get("event")
    if not isinstance(event, dict):
        return json.dumps(entry, separators=(",", ":"))
    for name in ("players", "dealt_back"):
        if isinstance(event.get(name), list):
            event[name] = [
                now.get(one, one) if isinstance(one, str) else one for one in event[name]
            ]
    if isinstance(event.get("daydreamer"), str):
        event["daydreamer"] = now.get(event["daydreamer"], event["daydreamer"])
    return json.dumps(entry, separators=(",", ":"))


# --- and back


def logs(file: Iterable[str]) -> Iterator[tuple[Log, str]]:
    """The evenings of such a file, each with its place.

    Raises:
        BadInput: it is none, a newer companion's, or an evening in it cannot be.
    """
    source = iter(file)
    head = next(source, "")
    if len(head) > LARGEST_AT_ONCE:
        raise BadInput("it is larger than any evening")
    told = loaded(head.rstrip().removesuffix("[") + "[]}" if head.rstrip().endswith("[") else "")
    if isinstance(told, dict) and told.get("format") == EVENINGS_FORMAT:
        _check_version(told)
        yield from _line_by_line(source)
        return
    text = head
    for line in source:
        text += line
        if len(text) > LARGEST_AT_ONCE:
            raise BadInput("it is too large and not as `companion export` writes it")
    whole = loaded(text)
    if not isinstance(whole, dict) or whole.get("format") not in (EVENINGS_FORMAT, ONE):
        raise BadInput("it is no export of a companion")
    _check_version(whole)
    evenings = [whole] if whole["format"] == ONE else whole.get("evenings")
    if not isinstance(evenings, list):
        raise BadInput("it holds no evenings")
    for at, one in enumerate(evenings, 1):
        yield read_evening(one, at)


def _line_by_line(source: Iterator[str]) -> Iterator[tuple[Log, str]]:
    ended = False
    for at, line in enumerate(source, 1):
        text = line.strip().removeprefix(",")
        if ended and text:
            raise BadInput("something stands behind its end")
        if text == "]}":
            ended = True
        elif text:
            yield read_evening(loaded(text), at)
    if not ended:
        raise BadInput("its end is missing: it was not copied whole")


def loaded(text: str) -> Any:
    """The JSON value of a text; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _check_version(told: dict[str, Any]) -> None:
    version = told.get("version")
    if type(version) is not int or version < 1:
        raise BadInput("it has no version")
    if version > VERSION:
        raise BadInput(f"a newer companion wrote it (version {version}): update this one")


def read_evening(told: Any, at: int) -> tuple[Log, str]:
    """One evening and its place; it is the `at`-th of its file.

    Raises:
        BadInput: it is none, or its entries cannot be.
    """
    if not isinstance(told, dict) or not isinstance(told.get("entries"), list):
        raise BadInput(f"its evening {at} cannot be read")
    try:
        log = Log().append(*map(entry_from_dict, told["entries"]))
    except (UnknownEvent, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise BadInput(f"its evening {at} cannot be ({str(error)[:120]})") from error
    if not log.entries or not isinstance(log.entries[0].event, EveningBegun):
        raise BadInput(f"its evening {at} does not begin")
    _check(log, at)
    misfit = fold(log).misfit
    if misfit is not None:
        raise BadInput(
            f"entry {misfit.entry.number} of its evening {at} cannot be ({misfit.refusal.reason})"
        )
    place = told.get("place")
    return log, place[:LONGEST_NAME] if isinstance(place, str) else ""


def _check(log: Log, at: int) -> None:
    """What no rule looks at: texts and how long they are."""
    for entry in log.entries:
        event = entry.event
        texts = [entry.author or ""]
        if isinstance(event, EveningBegun | PlayersChanged):
            texts += event.players
        if isinstance(event, EveningBegun):
            texts.append(event.learnt_deck)
        if isinstance(event, CloudNamed):
            texts.append(event.words)
        longest = max(map(len, texts))
        if longest > LONGEST_NAME:
            raise BadInput(f"its evening {at} has a name of {longest} letters")
