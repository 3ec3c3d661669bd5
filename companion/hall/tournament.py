"""A tournament: who checked in, heats at drawn tables, points, and the final table.

A heat is one evening at every table; its results are the fold of what the tables sent. Pure: knows
results of evenings; no database, no clock, no chance.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from companion.errors import CompanionError
from companion.game.words import one_line
from companion.hall.arriving import MOST_NAME
from companion.hall.season import EveningResult
from companion.outbox.told import pseudonym_for

MOST_MARKS = 2
"""Marks on one letter; a tower of them would cover the lines above."""

FULL = 100
"""Points for being ahead of everybody at the table; a table gives 50 a head, whatever its size."""

BYE = Fraction(FULL, 2)
"""What a bye gives: what a heat gives on average."""


class TournamentRefusal(CompanionError):
    """Raised for what cannot be done now; `reason` is a key of the page's words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Participant:
    """Who checked in, by a phone (`token_hash`) or written down by the host; `gone` who left."""

    id: int
    name: str
    gone: bool = False
    token_hash: str | None = None


@dataclass(frozen=True, slots=True)
class ResultVersion:
    """A participant's result in a heat as it was told `by` "table" or "host"."""

    clouds: int
    found: int
    by: str = "table"


@dataclass(frozen=True, slots=True)
class Seated:
    """A participant at a table of a heat: every version that was kept, the newest last, and what the
    table's entries say `now`. `by_seat`: the table calls nobody so, it was told by the place. `closed`:
    the heat is, and what was not kept by then is only told."""

    id: int
    name: str
    versions: tuple[ResultVersion, ...] = ()
    now: ResultVersion | None = None
    by_seat: bool = False
    closed: bool = False

    @property
    def result(self) -> ResultVersion | None:
        """What counts: the newest version, else what the table says before the heat is closed."""
        if self.versions:
            return self.versions[-1]
        return None if self.closed else self.now

    @property
    def counts_by_seat(self) -> bool:
        """True where what counts is the table's and was told by the place; a host's word is by name."""
        return self.by_seat and self.result is not None and self.result.by == "table"

    @property
    def otherwise(self) -> bool:
        """True where the table says something that nobody has looked at yet."""
        told = [version for version in self.versions if version.by == "table"]
        waits = bool(self.versions) or self.closed
        return waits and self.now is not None and self.now not in told


@dataclass(frozen=True, slots=True)
class HeatTable:
    """A table of a heat: its `state` is "waiting", "playing", "reported", "unclear" where the people it
    reports are not those who were drawn, or "early" where by its clock it was over before the draw."""

    id: str
    number: int
    state: str
    people: tuple[Seated, ...]

    @property
    def points(self) -> dict[int, Fraction]:
        """What each one of the table has of this heat."""
        told = {one.id: one.result.clouds for one in self.people if one.result is not None}
        return points_of(told)


@dataclass(frozen=True, slots=True)
class Heat:
    """One evening of everybody, `drawn_s` seconds since 1970: tables, and who has a bye."""

    number: int
    closed: bool
    tables: tuple[HeatTable, ...]
    byes: tuple[int, ...] = ()
    drawn_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament as it stands. `code` lets phones check in; None while none may."""

    id: int
    name: str
    ended: bool
    code: str | None
    people: tuple[Participant, ...]
    heats: tuple[Heat, ...]

    @property
    def open_heat(self) -> Heat | None:
        """The heat that is played."""
        return self.heats[-1] if self.heats and not self.heats[-1].closed else None


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """A participant's line in the table; equal ones share a place. `heats` with a result, `byes`."""

    place: int
    id: int
    name: str
    points: Fraction
    clouds: int
    found: int
    heats: int
    byes: int
    gone: bool


def clean_name(text: object) -> str:
    """A name as the hall keeps it. Raises TournamentRefusal for none, and for one that is too long."""
    if not isinstance(text, str):
        raise TournamentRefusal("name_none")
    if len(text) > 50 * MOST_NAME:
        raise TournamentRefusal("name_long")
    kept: list[str] = []
    marks = 0
    for letter in unicodedata.normalize("NFC", one_line(text)):
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    name = one_line("".join(kept))
    if not name:
        raise TournamentRefusal("name_none")
    if len(name) > MOST_NAME:
        raise TournamentRefusal("name_long")
    return name


def known_by(name: str) -> str:
    """By what two names are the same: letters of any width and case."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def points_of(clouds: Mapping[int, int]) -> dict[int, Fraction]:
    """Points at one table by clouds: of a hundred the share of the others one is ahead of, who is
    equal for half. One alone has what a bye gives."""
    if len(clouds) < 2:
        return dict.fromkeys(clouds, BYE)
    return {
        one: Fraction(
            sum(FULL * (mine > other) + FULL // 2 * (mine == other) for other in clouds.values())
            - FULL // 2,  # oneself
            len(clouds) - 1,
        )
        for one, mine in clouds.items()
    }


def seated_results(
    drawn: Sequence[tuple[int, str]], result: EveningResult, table: str = ""
) -> dict[int, tuple[ResultVersion, bool]] | None:
    """Whose result is whose at the table with this id: by the name where the table shows it, by what
    that table calls whoever has this name where it does not, and the others by where they sit between
    those (then True). None where that does not come out: at another table than the drawn one, and
    where nobody is known: a circle has no first seat."""
    keys = _keys_of(drawn, table)
    names = Counter(known_by(name) for _, name in drawn)
    called = Counter(keys.get(known_by(person.name)) for person in result.people)
    places = {
        known_by(name): at for at, (_, name) in enumerate(drawn) if names[known_by(name)] == 1
    }
    if len(result.people) != len(drawn):
        return None
    sits: dict[int, int] = {}
    for at, person in enumerate(result.people):
        key = keys.get(known_by(person.name))
        if key in places and called[key] == 1:
            sits[places[key]] = at
    open_places = [at for at in range(len(drawn)) if at not in sits]
    if len(open_places) == 1:
        seats = set(range(len(drawn))) - set(sits.values())
        by_place = {open_places[0]: seats.pop()}
    elif open_places:
        turns = {(seat - place) % len(drawn) for place, seat in sits.items()}
        if len(turns) != 1:
            return None
        (turn,) = turns
        by_place = {place: (place + turn) % len(drawn) for place in open_places}
    else:
        by_place = {}
    return {
        drawn[place][0]: (
            ResultVersion(result.people[seat].clouds, result.people[seat].found),
            place in by_place,
        )
        for place, seat in (sits | by_place).items()
    }


def _keys_of(drawn: Sequence[tuple[int, str]], table: str) -> dict[str, str]:
    """All that a table may call the drawn people, by what they are known: their names, and their
    pseudonyms there but those that two of them might have."""
    told = [(known_by(pseudonym_for(name, table, {})), known_by(name)) for _, name in drawn]
    often = Counter(pseudonym for pseudonym, _ in told)
    pseudonyms = {pseudonym: key for pseudonym, key in told if often[pseudonym] == 1}
    return pseudonyms | {known_by(name): known_by(name) for _, name in drawn}


def who_sat_together(heats: Iterable[Heat]) -> Counter[frozenset[str]]:
    """How often each two participants were drawn to one table."""
    met: Counter[frozenset[str]] = Counter()
    for heat in heats:
        for table in heat.tables:
            ids = [str(person.id) for person in table.people]
            met.update(frozenset(pair) for pair in combinations(ids, 2))
    return met


def byes_had(heats: Iterable[Heat]) -> Counter[str]:
    """How many byes each participant had."""
    return Counter(str(one) for heat in heats for one in heat.byes)


def tournament_table(tournament: Tournament) -> list[TournamentLine]:
    """Everybody's line: by points, then clouds, then clouds found."""
    sums: dict[int, list[int]] = {one.id: [0, 0, 0] for one in tournament.people}
    byes: Counter[int] = Counter()
    points = {one.id: Fraction(0) for one in tournament.people}
    for heat in tournament.heats:
        byes.update(heat.byes)
        for idle in heat.byes:
            points[idle] += BYE
        for table in heat.tables:
            for who, won in table.points.items():
                points[who] += won
            for person in table.people:
                if person.result is not None:
                    more = (person.result.clouds, person.result.found, 1)
                    sums[person.id] = [a + b for a, b in zip(sums[person.id], more, strict=True)]
    worth = {one.id: (points[one.id], *sums[one.id][:2]) for one in tournament.people}
    ordered = sorted(tournament.people, key=lambda one: (*(-x for x in worth[one.id]), one.name))
    values = [worth[one.id] for one in ordered]
    lines = []
    for one in ordered:
        clouds, found, heats = sums[one.id]
        place = values.index(worth[one.id]) + 1
        lines.append(
            TournamentLine(
                place,
                one.id,
                one.name,
                points[one.id],
                clouds,
                found,
                heats,
                byes[one.id],
                one.gone,
            )
        )
    return lines
