"""The season: people over many evenings, by rating with its uncertainty, by clouds won and clouds found.

Ratings follow the Plackett-Luce model of Weng and Lin (2011, "A Bayesian approximation method for
online ranking"), as openskill computes it: an evening is one game, its order that of the clouds won.
Pure; knows ledgers, no database.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from companion.game.ledger import Ledger

SURE_BY = 2.0
"""An uncertainty is told as so many standard deviations: 95 of 100."""


@dataclass(frozen=True, slots=True)
class PersonsEvening:
    """One person's part in an evening: `key` is who it is, `clouds` how many were won, `found` how
    many right guesses were made."""

    key: str
    name: str
    clouds: int
    found: int


@dataclass(frozen=True, slots=True)
class EveningResult:
    """A finished evening of one table, as the fold of its entries has it."""

    ended_s: float
    people: tuple[PersonsEvening, ...]


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A person's season; `rating` is the mean, `unsure` how far it may be off."""

    key: str
    name: str
    evenings: int
    clouds: int
    found: int
    rating: float
    unsure: float


def result_of(
    table: str, ended_s: float, ledger: Ledger, names: Mapping[str, str]
) -> EveningResult | None:
    """What a finished evening comes to; None while it is played, or where nothing was. A name that
    people show is the same person at every table; a pseudonym is one at its own table only."""
    if not ledger.over or not any(round_.voided is None for round_ in ledger.finished):
        return None
    found = Counter(round_.claimer for round_ in ledger.finished)
    return EveningResult(
        ended_s,
        tuple(
            PersonsEvening(
                f"name:{names[player.name].casefold()}"
                if player.name in names
                else f"{table}:{player.name}",
                names.get(player.name, player.name),
                player.cards,
                found[player.seat],
            )
            for player in ledger.players
            if player.seat in ledger.sat
        ),
    )


def season(results: Iterable[EveningResult]) -> list[SeasonLine]:
    """Everybody's season, the surest good ones first: by what the rating is at least."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    ratings: dict[str, tuple[float, float]] = {}
    names: dict[str, str] = {}
    sums: dict[str, list[int]] = {}
    for result in sorted(results, key=lambda one: one.ended_s):
        people = list({person.key: person for person in result.people}.values())
        for person in people:
            names[person.key] = person.name
            so_far = sums.setdefault(person.key, [0, 0, 0])
            for at, more in enumerate((1, person.clouds, person.found)):
                so_far[at] += more
        if len(people) < 2:
            continue
        teams = [
            [model.rating(mu=ratings[person.key][0], sigma=ratings[person.key][1])]
            if person.key in ratings
            else [model.rating()]
            for person in people
        ]
        ranked = model.rate(teams, scores=[float(person.clouds) for person in people])
        for person, (rated,) in zip(people, ranked, strict=True):
            ratings[person.key] = rated.mu, rated.sigma
    unknown = model.rating()
    lines = [
        SeasonLine(
            key,
            names[key],
            sums[key][0],
            sums[key][1],
            sums[key][2],
            round(ratings.get(key, (unknown.mu, unknown.sigma))[0], 2),
            round(SURE_BY * ratings.get(key, (unknown.mu, unknown.sigma))[1], 2),
        )
        for key in names
    ]
    return sorted(lines, key=lambda line: (line.unsure - line.rating, line.name))


def who_met(results: Iterable[EveningResult]) -> Counter[frozenset[str]]:
    """How often each two people sat together."""
    met: Counter[frozenset[str]] = Counter()
    for result in results:
        keys = sorted({person.key for person in result.people})
        met.update(frozenset(pair) for pair in combinations(keys, 2))
    return met
