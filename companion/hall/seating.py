"""Who sits with whom next: tables of three to eight on which as few as can be have sat together.

Pure but for chance, which is drawn from a seed: the same seed draws the same tables.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.game.seats import FEWEST_PLAYERS, MOST_PLAYERS

TRIES = 6
"""Beginnings by chance; the best end counts."""

MOST_SWAPS = 400


@dataclass(frozen=True, slots=True)
class SeatDraw:
    """The drawn tables, who has a bye, and how many pairs sit together that have before."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    again: int


def table_sizes(
    people: int, wanted: int, tables: int | None = None, exact: bool = False
) -> tuple[int, ...]:
    """Sizes of three to eight that hold all of them, as even as can be, near `wanted`; () for fewer
    than three. Of so many `tables` at most, or where each has `exact`ly as many: who has no place
    then has a bye."""
    if people < FEWEST_PLAYERS or tables == 0:
        return ()
    wanted = min(max(wanted, FEWEST_PLAYERS), MOST_PLAYERS)
    tables = people if tables is None else tables
    if exact:
        return (wanted,) * min(people // wanted, tables)
    fewest, most = -(-people // MOST_PLAYERS), people // FEWEST_PLAYERS
    if tables < fewest:
        return (MOST_PLAYERS,) * tables
    number = min(max(round(people / wanted), fewest), most, tables)
    return tuple(people // number + (at < people % number) for at in range(number))


def draw_seating(
    people: Sequence[str],
    met: Mapping[frozenset[str], int],
    seed: int,
    wanted: int = 5,
    *,
    tables: int | None = None,
    exact: bool = False,
    byes_had: Mapping[str, int] | None = None,
) -> SeatDraw:
    """Tables for these people, sized as `table_sizes` says. `met` says how often two have sat together;
    who has no place is drawn among those who had the fewest byes."""
    sizes = table_sizes(len(people), wanted, tables, exact)
    if not sizes:
        return SeatDraw((), tuple(people), 0)
    rng = random.Random(seed)
    had = byes_had or {}
    by_chance = sorted(rng.sample(list(people), len(people)), key=lambda one: had.get(one, 0))
    byes = by_chance[: len(people) - sum(sizes)]
    people = [one for one in people if one not in byes]
    best: list[list[str]] = []
    least = -1
    for _ in range(TRIES):
        drawn = _improved(_by_chance(people, sizes, rng), met, rng)
        cost = sum(_cost(table, met) for table in drawn)
        if least < 0 or cost < least:
            best, least = drawn, cost
        if least == 0:
            break
    again = sum(
        met.get(frozenset((one, other)), 0) > 0
        for table in best
        for at, one in enumerate(table)
        for other in table[at + 1 :]
    )
    return SeatDraw(tuple(map(tuple, best)), tuple(byes), again)


def _by_chance(people: Sequence[str], sizes: Sequence[int], rng: random.Random) -> list[list[str]]:
    left = list(people)
    rng.shuffle(left)
    return [[left.pop() for _ in range(size)] for size in sizes]


def _improved(
    tables: list[list[str]], met: Mapping[frozenset[str], int], rng: random.Random
) -> list[list[str]]:
    """The tables after every exchange of two people that helps."""
    places = [(table, seat) for table, row in enumerate(tables) for seat in range(len(row))]
    for _ in range(MOST_SWAPS):
        helped = False
        rng.shuffle(places)
        for table, seat in places:
            mine = tables[table][seat]
            if not _burden(mine, tables[table], met):
                continue
            for other_table, other_seat in places:
                if other_table == table:
                    continue
                if _gain(tables, (table, seat), (other_table, other_seat), met) > 0:
                    yours = tables[other_table][other_seat]
                    tables[table][seat] = yours
                    tables[other_table][other_seat] = mine
                    helped = True
                    break
        if not helped:
            break
    return tables


def _gain(
    tables: list[list[str]],
    one: tuple[int, int],
    other: tuple[int, int],
    met: Mapping[frozenset[str], int],
) -> int:
    here, there = tables[one[0]], tables[other[0]]
    mine, yours = here[one[1]], there[other[1]]
    rest_here = [person for person in here if person != mine]
    rest_there = [person for person in there if person != yours]
    before = _burden(mine, rest_here, met) + _burden(yours, rest_there, met)
    return before - _burden(yours, rest_here, met) - _burden(mine, rest_there, met)


def _burden(person: str, others: Sequence[str], met: Mapping[frozenset[str], int]) -> int:
    return sum(met.get(frozenset((person, one)), 0) ** 2 for one in others if one != person)


def _cost(table: Sequence[str], met: Mapping[frozenset[str], int]) -> int:
    return sum(_burden(person, table, met) for person in table)
