"""Who is who over the years: what people said of names, evenings and places, folded.

Pure. The logs of the evenings keep the names that were written that night; this says whose they are
and what they are called now. What is taken back is left out, as if it had not been said.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from companion.journal.acts import NAMING, Act, is_understood
from companion.journal.people_signs import person_key

SOMEBODY = "somebody"
"""What a forgotten person is called in every file; screens say it in their language."""

_GUEST = re.compile(r"(guest|gast|host)( \d+)?", re.IGNORECASE)

WAY_BACK_S = 60.0
"""So long an act can be taken back; only then is anything taken off the disk."""


def is_guest(name: str) -> bool:
    """True for what screens call a guest without a name, in any of their languages: another person each
    time."""
    return _GUEST.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody over the years: `id` never changes, `name` may; None for who is forgotten."""

    id: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Persons:
    """Whose each written name is, which evenings are deleted, and where they were."""

    by_key: dict[str, Person] = field(default_factory=dict)
    deleted: frozenset[int] = frozenset()
    places: dict[int, str] = field(default_factory=dict)

    def person(self, written: str) -> Person:
        """Whose this name is."""
        key = person_key(written)
        return self.by_key.get(key) or Person(_id(key), written)

    def names(self, written: Iterable[str]) -> tuple[str, ...]:
        """What the people of one evening are called now, no two the same."""
        given: list[str] = []
        for one in written:
            name = self.person(one).name or SOMEBODY
            again = (f"{name} {number}" for number in range(2, len(given) + 3))
            given.append(name if name not in given else next(n for n in again if n not in given))
        return tuple(given)

    def twice(self, written: Iterable[str]) -> tuple[str, str] | None:
        """Two different names that are one person's; None where each has a person of their own."""
        seen: dict[str, str] = {}
        for name in written:
            other = seen.setdefault(self.person(name).id, name)
            if person_key(other) != person_key(name):
                return other, name
        return None

    def keys_of(self, name: str) -> frozenset[str]:
        """Every way the name of the person now called so was written."""
        wanted = person_key(name)
        keys = {key for key, one in self.by_key.items() if person_key(one.name or "") == wanted}
        return frozenset(keys | ({wanted} if wanted not in self.by_key else set()))


@functools.lru_cache(maxsize=4096)
def _id(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:16]


def undone(acts: Iterable[Act]) -> frozenset[int]:
    """The numbers of the acts that were taken back."""
    return frozenset(
        act.what["act"] for act in acts if act.what.get("do") == "undo" and is_understood(act.what)
    )


def fold_acts(acts: Iterable[Act]) -> Persons:
    """What the acts add up to; an act that is not understood counts for nothing."""
    told = list(acts)
    back = undone(told)
    by_key: dict[str, Person] = {}
    deleted: set[int] = set()
    places: dict[int, str] = {}
    for act in told:
        what = act.what
        if act.number in back or not is_understood(what):
            continue
        if what["do"] in NAMING:
            _say_of(by_key, what)
        elif what["do"] == "delete":
            deleted.add(what["evening"])
        elif what["do"] == "place":
            places[what["evening"]] = what["place"]
    return Persons(by_key, frozenset(deleted), {n: place for n, place in places.items() if place})


def _say_of(by_key: dict[str, Person], what: dict[str, Any]) -> None:
    now = Persons(by_key)
    keys = now.keys_of(what["person"]) | {person_key(what["person"])}
    person = now.person(what["person"])
    if what["do"] == "forget":
        after = Person(person.id, None)
    elif what["do"] == "rename":
        after = Person(person.id, what["name"])
        keys |= {person_key(what["name"])}
    else:
        after = now.person(what["into"])
        keys |= {person_key(what["into"])}
    for key in keys:
        by_key[key] = after
