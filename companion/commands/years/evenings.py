"""Lists the evenings that are kept, the newest first."""

from __future__ import annotations

import argparse
import json
from datetime import datetime
from typing import Any

from companion.commands.years.folders import add_folder, open_index
from companion.game.words import one_line
from companion.years.index import IndexedEvening, YearsIndex
from companion.years.persons import Persons, fold_acts
from companion.years.tables import written_time


def configure(parser: argparse.ArgumentParser) -> None:
    """Which of them."""
    parser.add_argument("--player", metavar="NAME", help="only where this person played")
    parser.add_argument("--year", type=int, help="only of this year")
    parser.add_argument("--place", help="only at this place")
    parser.add_argument("--json", action="store_true", help="as JSON")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """One line an evening."""
    with open_index(args) as index:
        persons = fold_acts(index.acts())
        found = _found(args, index, persons)
    if args.json:
        print(json.dumps([_told(one, persons) for one in found], ensure_ascii=False, indent=1))
        return 0
    for one in found:
        day = datetime.fromtimestamp(one.began_s).strftime("%Y-%m-%d %H:%M")
        who = ", ".join(
            f"{name} {total}"
            for name, total in zip(_shown_names(one, persons), one.totals, strict=False)
        )
        place = one_line(persons.places.get(one.number, ""))
        rest = [
            f"{one.rounds} {'round' if one.rounds == 1 else 'rounds'}",
            *([place] if place else []),
            *([] if one.over else ["not over"]),
        ]
        print(f"{one.number:>5}  {day}  {who}  ({', '.join(rest)})")
    if not found:
        print("no evening")
    return 0


def _found(args: argparse.Namespace, index: YearsIndex, persons: Persons) -> list[IndexedEvening]:
    only = None
    if args.place is not None:
        wanted = args.place.casefold()
        only = [number for number, place in persons.places.items() if place.casefold() == wanted]
    keys = None if args.player is None else persons.keys_of(args.player)
    found, _ = index.find(keys=keys, year=args.year, only=only, without=persons.deleted, count=-1)
    return found


def _shown_names(one: IndexedEvening, persons: Persons) -> list[str]:
    """Who played, as a terminal may have it."""
    return [one_line(name) for name in persons.names(one.names)]


def _told(one: IndexedEvening, persons: Persons) -> dict[str, Any]:
    return {
        "number": one.number,
        "id": one.id,
        "began": written_time(one.began_s),
        "ended": written_time(one.ended_s),
        "place": one_line(persons.places.get(one.number, "")),
        "players": _shown_names(one, persons),
        "totals": list(one.totals),
        "rounds": one.rounds,
        "over": one.over,
    }
