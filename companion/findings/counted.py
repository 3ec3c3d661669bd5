"""What can simply be counted of many evenings: guesses, roles, clouds, streaks, pace, by person.

Pure; one walk over the evenings. Nothing is claimed here: `claims` says what is beyond chance.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from companion.findings.played import PlayedEvening, PlayedRound

LONGEST_ROUND_S = 1800.0
"""A round that took longer had a dinner in it, and is no measure of pace."""

YEAR_S = 365.25 * 86_400

EPOCHS = 8
"""The whole time is cut into so many equal parts, to see whether guesses became better."""


@dataclass(slots=True)
class PersonCount:
    """What one person did, as numbers. `points` and `rounds` by role: daydreamer, lookout, and the
    Spectator's place in the order of guessing (spectator 1, spectator 2, ...)."""

    evenings: int = 0
    won: int = 0
    streak: int = 0
    longest_streak: int = 0
    guesses: int = 0
    right: int = 0
    found: int = 0
    named: int = 0
    lookout: int = 0
    took: int = 0
    points: Counter[str] = field(default_factory=Counter)
    rounds: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class YearCount:
    """One year: how many evenings, rounds and minutes, how many of the rounds were found, with how many
    guesses."""

    evenings: int = 0
    rounds: int = 0
    found: int = 0
    guesses: int = 0
    timed: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class CloudCount:
    """One cloud: how often it lay when somebody guessed wrong, how often it was the one, how often that
    would be by chance with its variance, and how often it is known to have been the right one."""

    lay: int = 0
    fooled: int = 0
    expected: float = 0.0
    variance: float = 0.0
    found: int = 0


Cloud = tuple[str, int]
"""The learnt deck that a cloud's number belongs to (empty: printed), and the number."""

GuessCell = tuple[int, int, str, str, int]
"""Cards dealt, cards lying, guesser, Daydreamer, and which of the `EPOCHS`."""


@dataclass(slots=True)
class Counted:
    """Everything that was counted. People are told by the ids that `who` gave for their names."""

    evenings: int = 0
    rounds: int = 0
    people: dict[str, PersonCount] = field(default_factory=lambda: defaultdict(PersonCount))
    years: dict[int, YearCount] = field(default_factory=lambda: defaultdict(YearCount))
    clouds: dict[Cloud, CloudCount] = field(default_factory=lambda: defaultdict(CloudCount))
    cells: dict[GuessCell, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    lookouts: dict[tuple[str, str, tuple[tuple[int, int, str], ...]], list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0, 0])
    )
    """For each Lookout, Daydreamer and order of guesses (dealt, lying, guesser): rounds, and those that
    nobody found."""
    role_points: Counter[tuple[int, str]] = field(default_factory=Counter)
    role_rounds: Counter[tuple[int, str]] = field(default_factory=Counter)
    role_by: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    """How often a person had a role at a table of so many."""
    closest: list[tuple[float, int]] = field(default_factory=list)
    """The closest evenings: by how much the first led the second, a share of all clouds; the place of
    the evening among all."""
    years_long: float = 0.0
    """From the first evening to the last."""


def count(
    evenings: Iterable[PlayedEvening],
    who: Callable[[str], str],
    year_of: Callable[[float], int],
    between_s: tuple[float, float],
) -> Counted:
    """Everything of these evenings, the oldest first, which began `between_s`. `who` has the person's
    id of each written name, `year_of` the year of a moment where the table stands."""
    first_s, last_s = between_s
    told = Counted(years_long=(last_s - first_s) / YEAR_S)
    for at, evening in enumerate(evenings):
        ids = [who(name) for name in evening.names]
        _count_evening(told, at, evening, ids, year_of(evening.began_s))
        share = (evening.began_s - first_s) / max(1.0, last_s - first_s)
        epoch = max(0, min(EPOCHS - 1, int(share * EPOCHS)))
        for one in evening.rounds:
            if one.ending in ("claimed", "lookout"):
                year = year_of(evening.began_s)
                _count_round(told, one, ids, epoch, year, evening.learnt_deck)
    return told


def _count_evening(
    told: Counted, at: int, evening: PlayedEvening, ids: list[str], year: int
) -> None:
    told.evenings += 1
    told.years[year].evenings += 1
    for seat, person in enumerate(ids):
        mine = told.people[person]
        mine.evenings += 1
        if seat in evening.winners:
            mine.won += 1
            mine.streak += 1
            mine.longest_streak = max(mine.longest_streak, mine.streak)
        else:
            mine.streak = 0
    if evening.over and any(evening.totals) and len(evening.totals) > 1:
        first, second = sorted(evening.totals, reverse=True)[:2]
        all_of = sum(evening.totals)
        told.closest.append(((first - second) / all_of, at))
        if len(told.closest) > 64:
            told.closest = sorted(told.closest)[:16]


def _count_round(
    told: Counted, one: PlayedRound, ids: list[str], epoch: int, year: int, deck: str
) -> None:
    told.rounds += 1
    by_year = told.years[year]
    by_year.rounds += 1
    daydreamer, lookout = ids[one.daydreamer], ids[one.lookout]
    found = one.ending == "claimed"
    by_year.found += found
    by_year.guesses += len(one.guesses)
    if one.lasted_s is not None and 0 < one.lasted_s <= LONGEST_ROUND_S:
        by_year.timed += 1
        by_year.seconds += one.lasted_s
    named, looking = told.people[daydreamer], told.people[lookout]
    named.named += 1
    named.found += found
    looking.lookout += 1
    looking.took += not found
    lying = set(one.cards)
    for attempt, (seat, card, right) in enumerate(one.guesses):
        left = len(one.cards) - attempt
        guesser = told.people[ids[seat]]
        guesser.guesses += 1
        guesser.right += right
        cell = told.cells[len(one.cards), left, ids[seat], daydreamer, epoch]
        cell[0] += right
        cell[1] += 1
        _count_cloud(told, deck, lying, left, card, right)
        lying.discard(card)
    _count_lookout(told, one, ids, found)
    size = len(one.circle)
    roles = ["daydreamer", *(f"spectator {n}" for n in range(1, size - 1)), "lookout"]
    for seat, role in zip(one.circle, roles, strict=True):
        gain = one.gains[seat]
        person = told.people[ids[seat]]
        person.points[role] += gain
        person.rounds[role] += 1
        told.role_points[size, role] += gain
        told.role_rounds[size, role] += 1
        told.role_by[ids[seat], size, role] += 1


def _count_cloud(
    told: Counted, deck: str, lying: set[int | None], left: int, card: int | None, right: bool
) -> None:
    """Where every cloud that lies is known by its number, and the guess as well."""
    if card is None or None in lying:
        return
    if right:
        told.clouds[deck, card].found += 1
        return
    for one in lying:
        if one is not None:
            cloud = told.clouds[deck, one]
            cloud.lay += 1
            cloud.expected += 1 / left
            cloud.variance += (1 - 1 / left) / left
            cloud.fooled += one == card


def _count_lookout(told: Counted, one: PlayedRound, ids: list[str], found: bool) -> None:
    """The guesses that this round could have had, in order, whether or not they were made."""
    dealt = len(one.cards)
    spectators = one.circle[1:-1]
    if not spectators or dealt < 3:
        return
    order = tuple(
        (dealt, dealt - at, ids[spectators[at % len(spectators)]]) for at in range(dealt - 2)
    )
    cell = told.lookouts[ids[one.lookout], ids[one.daydreamer], order]
    cell[0] += 1
    cell[1] += not found
