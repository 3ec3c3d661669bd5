"""What was counted and what may be claimed, as the plain values that a page draws.

Pure. Every number goes with how many cases it rests on; its word is "more", "less", "chance" (the
difference is within chance) or "few" (too few cases to say anything).
"""

from __future__ import annotations

from typing import Any

from companion.findings.claims import FEWEST, Findings
from companion.findings.counted import Counted, PersonCount
from companion.findings.intervals import wilson

MOST_SHOWN = 12
"""People of one page: those who were there most often."""

MOST_MATRIX = 8
MOST_CLOUDS = 6
MOST_CLOSE = 3


def told_findings(
    counted: Counted,
    found: Findings,
    names: dict[str, tuple[str, int]],
    numbers: list[int],
) -> dict[str, Any]:
    """Everything the page shows. `names` has name and sign by id, `numbers` those of the evenings in
    the order in which they were counted."""
    often = sorted(
        (one for one in counted.people if one in names),
        key=lambda one: (-counted.people[one].evenings, names[one][0]),
    )
    shown = often[:MOST_SHOWN]
    return {
        "evenings": counted.evenings,
        "rounds": counted.rounds,
        "fewest": FEWEST,
        "people": [_person(one, counted, found, names) for one in shown],
        "matrix": _matrix(shown[:MOST_MATRIX], found, names),
        "roles": _roles(counted),
        "years": _years(counted),
        "trend": _word(found, "years"),
        "clouds": _clouds(counted, found),
        "closest": [
            {"number": numbers[at], "lead": lead}
            for lead, at in sorted(counted.closest)[:MOST_CLOSE]
            if at < len(numbers)
        ],
    }


def _word(found: Findings, kind: str, *about: str) -> str:
    claim = found.of(kind, *about)
    if claim is None:
        return "few"
    if not claim.claimed:
        return "chance"
    return "more" if claim.effect > (1 if kind == "cloud" else 0) else "less"


def _share(hits: int, of: int, word: str) -> dict[str, Any]:
    low, high = wilson(hits, of)
    return {"hits": hits, "of": of, "low": low, "high": high, "word": word}


def _person(
    key: str, counted: Counted, found: Findings, names: dict[str, tuple[str, int]]
) -> dict[str, Any]:
    mine = counted.people[key]
    name, sign = names[key]
    return {
        "name": name,
        "sign": sign,
        "evenings": mine.evenings,
        "won": mine.won,
        "streak": mine.longest_streak,
        "guess": _share(mine.right, mine.guesses, _word(found, "guesses", key)),
        "read": _share(mine.found, mine.named, _word(found, "read", key)),
        "lookout": _share(mine.took, mine.lookout, _word(found, "lookout", key)),
        "fair": _fair(key, mine, counted),
    }


def _fair(key: str, mine: PersonCount, counted: Counted) -> dict[str, Any]:
    """Clouds a round beside what the same chairs paid everybody: above 0 is more."""
    rounds = sum(mine.rounds.values())
    paid = sum(
        often * counted.role_points[size, role] / counted.role_rounds[size, role]
        for (person, size, role), often in counted.role_by.items()
        if person == key
    )
    gained = sum(mine.points.values())
    return {"rounds": rounds, "beside": (gained - paid) / rounds if rounds else 0.0}


def _matrix(shown: list[str], found: Findings, names: dict[str, tuple[str, int]]) -> dict[str, Any]:
    """Who (rows) found the clouds of whom (columns)."""
    cells = [
        [
            None
            if guesser == daydreamer
            else _share(
                *found.guessed.get((guesser, daydreamer), (0, 0)),
                _word(found, "reads", guesser, daydreamer),
            )
            for daydreamer in shown
        ]
        for guesser in shown
    ]
    return {"people": [{"name": names[o][0], "sign": names[o][1]} for o in shown], "cells": cells}


def _roles(counted: Counted) -> dict[str, Any]:
    """What each chair pays at the table size that was played most."""
    sizes: dict[int, int] = {}
    for (size, role), rounds in counted.role_rounds.items():
        if role == "daydreamer":
            sizes[size] = rounds
    if not sizes:
        return {"size": 0, "rounds": 0, "chairs": []}
    size = max(sizes, key=lambda one: (sizes[one], one))
    roles = ["daydreamer", *(f"spectator {n}" for n in range(1, size - 1)), "lookout"]
    chairs = [
        {
            "role": role.split()[0],
            "place": int(role.split()[1]) if " " in role else 0,
            "clouds": counted.role_points[size, role] / counted.role_rounds[size, role],
        }
        for role in roles
        if counted.role_rounds[size, role]
    ]
    return {"size": size, "rounds": sizes[size], "chairs": chairs}


def _years(counted: Counted) -> list[dict[str, Any]]:
    return [
        {
            "year": year,
            "evenings": one.evenings,
            "rounds": one.rounds,
            "found": _share(one.found, one.rounds, "chance"),
            "guesses": one.guesses / one.rounds if one.rounds else 0.0,
            "minutes": one.seconds / one.timed / 60 if one.timed else None,
        }
        for year, one in sorted(counted.years.items())
    ]


def _clouds(counted: Counted, found: Findings) -> dict[str, Any]:
    """The clouds that are pointed at by mistake most often and least often, with how much more often
    than the middle one; how many there are to compare."""
    told = sorted((one for one in found.claims if one.kind == "cloud"), key=lambda one: -one.effect)

    def shown(claims: list[Any]) -> list[dict[str, Any]]:
        return [
            {
                "deck": one.about[0] or None,
                "card": int(one.about[1]),
                "factor": one.effect,
                "lay": one.cases,
                "fooled": counted.clouds[one.about[0], int(one.about[1])].fooled,
                "word": _word(found, "cloud", *one.about),
            }
            for one in claims
        ]

    half = min(MOST_CLOUDS, len(told) // 2)
    return {
        "compared": len(told),
        "fool": shown(told[:half]),
        "never": shown(told[::-1][:half]),
    }
