"""Evenings that invented people play by the real rules, with tendencies that are known.

Quick: events are made straight from the rules of a round, an evening in a millisecond or two. Who is
good at guessing, who is easy to read, whom somebody reads and which cloud fools people is given; all
else is chance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from random import Random

from companion.game.events import (
    CardSetAside,
    CloudNamed,
    CloudsClaimed,
    EveningBegun,
    Event,
    LookoutTook,
    RoundAwaited,
    RoundDealt,
)
from companion.game.log import Entry, Log
from companion.game.rules import Refusal, deal_round
from companion.game.seats import deal_size, right_of

PEOPLE = (
    "Livia",
    "Tomáš",
    "Ida",
    "Oskar",
    "Mia",
    "Ben",
    "Anna",
    "Opa Karel",
    "Wolfgang-Amadeus",
    "Jo",
    "Přemysl",
    "Zoë",
)
WORDS = ("a door left open", "shy elephant", "grandmother's slipper", "camel waiting", "two geese")
NIGHT_S = 1_600_000_000.0
"""The first of the generated evenings."""
BETWEEN_S = 2.9 * 86_400.0


@dataclass(frozen=True)
class Tendencies:
    """What is put in, each as a change of the log odds of a right guess; `fooling` has how much
    more often a cloud is pointed at by mistake."""

    guesses: dict[str, float] = field(default_factory=dict)
    readable: dict[str, float] = field(default_factory=dict)
    reads: dict[tuple[str, str], float] = field(default_factory=dict)
    fooling: dict[int, float] = field(default_factory=dict)
    yearly: float = 0.0
    base: float = 0.35
    """How much better than chance everybody is."""


NONE = Tendencies()


def evening(
    chance: Random,
    names: tuple[str, ...],
    at_s: float,
    tendencies: Tendencies = NONE,
    rounds: int | None = None,
) -> Log:
    """One evening from the deck's first card to its last, or `rounds` of it."""
    seats = len(names)
    circle = tuple(range(seats))
    deck = list(range(1, 81))
    chance.shuffle(deck)
    daydreamer = chance.randrange(seats)
    events: list[tuple[float, Event]] = [(at_s, EveningBegun(names, daydreamer, "en", 80))]
    number = 0
    while len(deck) >= deal_size(seats) and number != rounds:
        number += 1
        cards = tuple(deck.pop() for _ in range(deal_size(seats)))
        at_s += chance.uniform(25, 70)
        events.append((at_s, RoundDealt(number, cards)))
        if chance.random() < 0.3:
            events.append((at_s + 1, CloudNamed(number, chance.choice(WORDS))))
        told = deal_round(number, daydreamer, circle, cards)
        assert not isinstance(told, Refusal)
        chosen = chance.choice(cards)
        while told.turn is not None:
            at_s += chance.uniform(8, 40)
            attempt = len(told.guesses) + 1
            right = chance.random() < _chance(
                tendencies, names[told.turn], names[daydreamer], len(told.lying), at_s
            )
            if right:
                events.append((at_s, CloudsClaimed(number, attempt, chosen)))
                card = chosen
            else:
                wrong = [one for one in told.lying if one != chosen and one is not None]
                weights = [tendencies.fooling.get(one, 1.0) for one in wrong]
                card = chance.choices(wrong, weights)[0]
                events.append((at_s, CardSetAside(number, attempt, card)))
            after = told.guess(right, card)
            assert not isinstance(after, Refusal)
            told = after
        if told.ending == "lookout":
            events.append((at_s + 2, LookoutTook(number)))
        events.append((at_s + 5, RoundAwaited(number + 1)))
        daydreamer = right_of(daydreamer, circle)
    return Log(
        tuple(
            Entry(at, when, "person", event, batch=at) for at, (when, event) in enumerate(events, 1)
        )
    )


def _chance(
    tendencies: Tendencies, guesser: str, daydreamer: str, lying: int, at_s: float
) -> float:
    odds = math.log(1 / (lying - 1)) + tendencies.base
    odds += tendencies.guesses.get(guesser, 0.0)
    odds += tendencies.readable.get(daydreamer, 0.0)
    odds += tendencies.reads.get((guesser, daydreamer), 0.0)
    odds += tendencies.yearly * (at_s - NIGHT_S) / (365.25 * 86_400)
    return 1 / (1 + math.exp(-odds))


def evenings(
    count: int, seed: int, tendencies: Tendencies = NONE, people: tuple[str, ...] = PEOPLE
) -> list[Log]:
    """So many evenings over the years; who comes, and who sits where, is another each time."""
    return [one_of(at, seed, tendencies, people) for at in range(count)]


def one_of(at: int, seed: int, tendencies: Tendencies, people: tuple[str, ...] = PEOPLE) -> Log:
    """The `at`-th of these evenings."""
    chance = Random(f"{seed}/{at}")
    names = tuple(chance.sample(people, chance.choice((3, 4, 4, 5, 5, 6, 7))))
    return evening(chance, names, NIGHT_S + at * BETWEEN_S + chance.uniform(0, 9000), tendencies)


def shifted(log: Log, seconds: float) -> Log:
    """The same evening at another time."""
    return Log(tuple(replace(entry, at_s=entry.at_s + seconds) for entry in log.entries))
