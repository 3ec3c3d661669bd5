"""What may be said about people and clouds, and what is chance.

Method. Guesses are explained by one logistic model (`guessing_model`): what lies, who guesses, whose cloud it
is, how late in the years. Pairs that stand out (who reads whom) are found one after another by their
residuals and then are parameters of their own, so that they are not charged to either of the two. An
effect is held against the **middle person's** (the median), not the average: one strong guesser does not make
everybody else a weak one. Lookouts are compared with what the model expects of the very guesses their
rounds could have had; clouds with how often each would be pointed at among those that lay, again
against the middle cloud.

A claim needs three things: enough cases (`FEWEST`), an effect beyond what matters (`MARGIN_ODDS`,
`MARGIN_RATE`: the test is against that margin, not against zero), and a place among those that Holm's
procedure lets through at 5 % for all comparisons made together. Everything else is "within chance".

Pure.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from companion.findings.counted import EPOCHS, Counted
from companion.findings.guessing_model import Cell, Fitted, Key, fit, keys, logistic
from companion.findings.intervals import holm, median, two_sided

FEWEST = 30
"""Cases below which nothing is claimed, whatever they say."""

MARGIN_ODDS = 0.12
"""Log odds that do not matter: some three of a hundred guesses. Chosen."""

MARGIN_RATE = 0.12
"""Share by which a cloud may be pointed at more or less often than the middle cloud. Chosen."""

MARGIN_LOOKOUT = 0.02
"""Share of rounds by which a Lookout's luck may differ. Chosen."""

MOST_PEOPLE = 40
"""People with parameters of their own, those with most guesses; all others together are the guests."""

MOST_PAIRS = 12
GUESTS = "guests"


@dataclass(frozen=True, slots=True)
class Tendency:
    """One comparison of many: of what kind (guesses, read, reads, lookout, cloud, years), about whom or what,
    how large (log odds, share or factor), out of how many cases, and whether it may be said."""

    kind: str
    about: tuple[str, ...]
    effect: float
    cases: int
    chance: float
    claimed: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """Every comparison that was made, with the model behind it."""

    claims: tuple[Tendency, ...]
    model: Fitted
    guessed: dict[tuple[str, str], tuple[int, int]]
    """For each (guesser, Daydreamer): how many guesses were right, of how many."""

    def of(self, kind: str, *about: str) -> Tendency | None:
        """One comparison; None where there were too few cases to make it."""
        return next((one for one in self.claims if (one.kind, one.about) == (kind, about)), None)


def findings(counted: Counted) -> Findings:
    """What these counts say, each comparison with whether it may be claimed."""
    often = sorted(counted.people, key=lambda one: -counted.people[one].guesses)
    known = frozenset(often[:MOST_PEOPLE]) - {GUESTS}
    cells = _cells(counted, known)
    model = _with_pairs(cells)
    made = [
        *_of_people(counted, model, known, "guesses"),
        *_of_people(counted, model, known, "read"),
        *_of_pairs(cells, model),
        *_of_lookouts(counted, model, known),
        *_of_clouds(counted),
        *_of_years(model, cells),
    ]
    may = holm([one.chance for one in made])
    claims = tuple(
        Tendency(one.kind, one.about, one.effect, one.cases, one.chance, yes)
        for one, yes in zip(made, may, strict=True)
    )
    guessed: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for cell in cells:
        pair = guessed[cell.guesser, cell.daydreamer]
        pair[0] += cell.right
        pair[1] += cell.count
    return Findings(claims, model, {pair: (a, b) for pair, (a, b) in guessed.items()})


def _cells(counted: Counted, known: frozenset[str]) -> list[Cell]:
    year = counted.years_long / EPOCHS
    guesses = sum(of for _, of in counted.cells.values())
    middle = sum(key[4] * of for key, (_, of) in counted.cells.items()) / max(1, guesses)
    gathered: dict[tuple[int, int, str, str, float], list[int]] = defaultdict(lambda: [0, 0])
    for (dealt, lying, guesser, daydreamer, epoch), (right, of) in counted.cells.items():
        one = gathered[
            dealt,
            lying,
            guesser if guesser in known else GUESTS,
            daydreamer if daydreamer in known else GUESTS,
            (epoch - middle) * year,
        ]
        one[0] += right
        one[1] += of
    return [Cell(*key, right, of) for key, (right, of) in gathered.items()]


def _beyond(effect: float, margin: float, deviation: float) -> float:
    """How probable so large an effect is where the true one is just within the margin."""
    if deviation <= 0:
        return 1.0
    return two_sided(max(0.0, abs(effect) - margin) / deviation)


def _with_pairs(cells: list[Cell]) -> Fitted:
    """The model with a parameter for each pair that stands out, found one after another."""
    pairs: frozenset[tuple[str, str]] = frozenset()
    together = _without_years(cells)
    model = fit(together)
    while len(pairs) < MOST_PAIRS:
        worst, least = None, 0.01
        seen = _residuals(together, model)
        for pair, (miss, variance, cases) in seen.items():
            if pair in pairs or GUESTS in pair or cases < FEWEST or variance <= 0:
                continue
            chance = two_sided(miss / math.sqrt(variance)) * len(seen)
            if chance < least:
                worst, least = pair, chance
        if worst is None:
            break
        pairs |= {worst}
        model = fit(together, pairs)
    return fit(cells, pairs)


def _without_years(cells: list[Cell]) -> list[Cell]:
    """The same guesses, whenever they were made: fewer cells, where the years do not matter."""
    told: dict[tuple[int, int, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for cell in cells:
        one = told[cell.dealt, cell.lying, cell.guesser, cell.daydreamer]
        one[0] += cell.right
        one[1] += cell.count
    return [
        Cell(dealt, lying, guesser, daydreamer, 0.0, right, count)
        for (dealt, lying, guesser, daydreamer), (right, count) in told.items()
    ]


def _residuals(cells: list[Cell], model: Fitted) -> dict[tuple[str, str], tuple[float, float, int]]:
    told: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for cell in cells:
        chance = model.chance(cell)
        one = told[cell.guesser, cell.daydreamer]
        one[0] += cell.right - cell.count * chance
        one[1] += cell.count * chance * (1 - chance)
        one[2] += cell.count
    return {pair: (miss, variance, round(cases)) for pair, (miss, variance, cases) in told.items()}


def _of_people(counted: Counted, model: Fitted, known: frozenset[str], kind: str) -> list[Tendency]:
    """How well each guesses, or how easily each is read, beside the middle person."""
    cases = {
        one: counted.people[one].guesses if kind == "guesses" else counted.people[one].named
        for one in known
    }
    enough = [one for one in known if cases[one] >= FEWEST and (kind, one) in model.order]
    if len(enough) < 3:
        return []
    middle = median([model.values[kind, one] for one in enough])
    made = []
    for person in sorted(enough):
        effect = model.values[kind, person] - middle
        others: dict[Key, float] = {
            (kind, one): -1 / (len(enough) - 1) for one in enough if one != person
        }
        deviation = math.sqrt(max(0.0, model.variance({(kind, person): 1.0, **others})))
        chance = _beyond(effect, MARGIN_ODDS, deviation)
        made.append(Tendency(kind, (person,), effect, cases[person], chance))
    return made


def _of_pairs(cells: list[Cell], model: Fitted) -> list[Tendency]:
    """Who reads whom better or worse than the two of them explain."""
    made = []
    for pair, (miss, variance, cases) in sorted(_residuals(cells, model).items()):
        if GUESTS in pair or cases < FEWEST or variance <= 0:
            continue
        key: Key = ("pair", *pair)
        if key in model.order:
            effect, deviation = model.values[key], math.sqrt(model.variance({key: 1.0}))
        else:
            effect, deviation = miss / variance, 1 / math.sqrt(variance)
        made.append(Tendency("reads", pair, effect, cases, _beyond(effect, MARGIN_ODDS, deviation)))
    return made


def _of_lookouts(counted: Counted, model: Fitted, known: frozenset[str]) -> list[Tendency]:
    """How often each Lookout took all beside what the guesses of their rounds would let expect."""
    told: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0, 0.0])
    for (lookout, daydreamer, order), (rounds, nobody_found) in counted.lookouts.items():
        if lookout not in known:
            continue
        nobody = 1.0
        dreamer = daydreamer if daydreamer in known else GUESTS
        for dealt, lying, guesser in order:
            cell = Cell(dealt, lying, guesser if guesser in known else GUESTS, dreamer, 0.0, 0, 0)
            odds = sum(model.values.get(key, 0.0) * by for key, by in keys(cell, model.pairs))
            nobody *= 1 - logistic(odds)
        one = told[lookout]
        one[0] += nobody_found
        one[1] += rounds * nobody
        one[2] += rounds * nobody * (1 - nobody)
        one[3] += rounds
    made = []
    for person, (took, expected, variance, of) in sorted(told.items()):
        if of >= FEWEST and variance > 0:
            effect = (took - expected) / of
            chance = _beyond(effect, MARGIN_LOOKOUT, math.sqrt(variance) / of)
            made.append(Tendency("lookout", (person,), effect, round(of), chance))
    return made


def _of_clouds(counted: Counted) -> list[Tendency]:
    """How much more often than the middle cloud each was pointed at by mistake, as a factor."""
    enough = {
        cloud: one
        for cloud, one in counted.clouds.items()
        if one.lay >= FEWEST and one.expected > 5
    }
    if len(enough) < 5:
        return []
    middle = median([one.fooled / one.expected for one in enough.values()])
    if middle <= 0:
        return []
    made = []
    for (deck, number), one in sorted(enough.items()):
        factor = one.fooled / (one.expected * middle)
        deviation = math.sqrt(one.variance) / one.expected
        chance = _beyond(factor - 1, MARGIN_RATE, deviation)
        made.append(Tendency("cloud", (deck, str(number)), factor, one.lay, chance))
    return made


def _of_years(model: Fitted, cells: list[Cell]) -> list[Tendency]:
    """Whether guesses became better over the years, in log odds a year."""
    span = max((one.year for one in cells), default=0.0) - min(
        (one.year for one in cells), default=0.0
    )
    if span < 1 or ("years",) not in model.order:
        return []
    effect = model.values["years",]
    deviation = math.sqrt(model.variance({("years",): 1.0}))
    cases = sum(one.count for one in cells)
    return [Tendency("years", (), effect, cases, _beyond(effect, MARGIN_ODDS / span, deviation))]
