"""What was found out: every number equals an independent count, what was put in comes out, and what is
chance is called chance."""

from __future__ import annotations

import math
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.findings.claims import FEWEST, GUESTS, Findings, findings
from companion.findings.counted import Counted, count
from companion.findings.guessing_model import Cell, fit, logistic
from companion.findings.intervals import holm, median, two_sided, wilson
from companion.findings.pictured import told_findings
from companion.findings.played import PlayedEvening, played_evening, rounds_from_lists, to_lists
from companion.game.event_json import entry_to_dict
from companion.game.log import Log
from tests.support.years.generated import NONE, PEOPLE, Tendencies, evenings
from tests.support.years.season import season


def counted_of(logs: list[Log]) -> Counted:
    told = [played_evening(log) for log in logs]
    return count(told, lambda name: name, lambda at_s: 2020, (told[0].began_s, told[-1].began_s))


def recount(logs: list[Log]) -> dict[str, Counter[Any]]:
    """The same numbers from the entries' JSON and the rules of the game, written down once more: no
    line of the product counts here. Nobody joins or leaves, nothing is taken back."""
    told: dict[str, Counter[Any]] = {
        name: Counter()
        for name in ("right", "guesses", "found", "named", "took", "lookout", "points", "lay", "fooled", "won")
    }  # fmt: skip
    for log in logs:
        entries = [entry_to_dict(entry)["event"] for entry in log.entries]
        names = entries[0]["players"]
        n, dreamer = len(names), entries[0]["daydreamer"]
        piles: Counter[str] = Counter()
        rounds: dict[int, list[dict[str, Any]]] = {}
        for event in entries:
            if event["kind"] in ("round-dealt", "card-set-aside", "clouds-claimed"):
                rounds.setdefault(event["round"], []).append(event)
        for number in sorted(rounds):
            deal, *guesses = rounds[number]
            watching = [names[(dreamer + step) % n] for step in range(1, n - 1)]
            looking, lying = names[(dreamer - 1) % n], list(deal["cards"])
            found = guesses and guesses[-1]["kind"] == "clouds-claimed"
            if not found and len(guesses) < len(lying) - 2:
                continue  # broken off
            for turn, event in enumerate(guesses):
                who = watching[turn % len(watching)]
                told["guesses"][who] += 1
                if event["kind"] == "clouds-claimed":
                    told["right"][who] += 1
                    piles[who] += len(lying)
                    piles[names[dreamer]] += turn
                else:
                    told["lay"].update(lying)
                    told["fooled"][event["card"]] += 1
                    lying.remove(event["card"])
            told["named"][names[dreamer]] += 1
            told["lookout"][looking] += 1
            if found:
                told["found"][names[dreamer]] += 1
            else:
                told["took"][looking] += 1
                piles[looking] += len(deal["cards"])
            dreamer = (dreamer - 1) % n
        told["points"].update(piles)
        for name in names:
            told["won"][name] += piles[name] == max(piles.values())
    return told


@pytest.mark.parametrize("which", ["season", "generated"])
def test_every_number_equals_an_independent_count(which: str) -> None:
    """Guesses, roles, points, wins and clouds, to the last point, of forty evenings of the practice
    table and of generated ones."""
    logs = list(season()) if which == "season" else evenings(60, 11)
    ours, theirs = counted_of(logs), recount(logs)
    assert ours.rounds == sum(theirs["named"].values())
    for name, mine in ours.people.items():
        assert (mine.right, mine.guesses) == (theirs["right"][name], theirs["guesses"][name])
        assert (mine.found, mine.named) == (theirs["found"][name], theirs["named"][name])
        assert (mine.took, mine.lookout) == (theirs["took"][name], theirs["lookout"][name])
        assert sum(mine.points.values()) == theirs["points"][name]
        assert mine.won == theirs["won"][name]
    for (_deck, card), one in ours.clouds.items():
        assert (one.fooled, one.lay) == (theirs["fooled"][card], theirs["lay"][card])
    assert sum(of for _, of in ours.cells.values()) == sum(theirs["guesses"].values())
    assert sum(rounds for rounds, _ in ours.lookouts.values()) == ours.rounds


def found(logs: list[Log]) -> Findings:
    return findings(counted_of(logs))


STRONG = Tendencies(
    guesses={"Livia": 1.3}, readable={"Ida": 1.3}, reads={("Tomáš", "Mia"): 2.2}, fooling={17: 6.0}
)
FEW = PEOPLE[:7]


def test_what_was_put_in_comes_out_and_nothing_else() -> None:
    """A good guesser, one who is easily read, a pair and a cloud that fools are said, and nobody else
    is charged for any of it."""
    claimed = {
        (one.kind, one.about) for one in found(evenings(260, 3, STRONG, FEW)).claims if one.claimed
    }
    assert claimed == {
        ("guesses", ("Livia",)),
        ("read", ("Ida",)),
        ("reads", ("Tomáš", "Mia")),
        ("cloud", ("", "17")),
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_of_chance_alone_nothing_is_said(seed: int) -> None:
    """Where nothing was put in nothing is claimed, of a hundred comparisons and more."""
    told = found(evenings(90, seed, NONE, FEW))
    assert len(told.claims) > 60
    assert not [one for one in told.claims if one.claimed]


def test_of_too_few_rounds_nothing_is_said() -> None:
    """One evening has no claim, however one-sided; each comparison has its cases."""
    told = found(evenings(1, 3, STRONG, FEW))
    assert not [one for one in told.claims if one.claimed or one.cases < FEWEST]
    empty = count([], str, int, (0.0, 0.0))
    assert findings(empty).claims == ()
    assert told_findings(empty, findings(empty), {}, [])["people"] == []


def test_guests_are_one_crowd() -> None:
    """Beyond forty people the rare ones are counted together and never claimed about."""
    chance = Random(4)
    logs = []
    for at in range(30):
        crowd = tuple(f"Guest {chance.randrange(400)} {i}" for i in range(5))
        logs += evenings(1, at, NONE, (*crowd, "Ada", "Ben"))
    told = found(logs)
    assert any(GUESTS in pair for pair in told.guessed)
    assert not any(GUESTS in one.about for one in told.claims)


def test_the_model_finds_the_odds_that_made_the_guesses() -> None:
    """Guesses drawn from known odds give those odds back, within their error."""
    truth = {"A": 0.0, "B": 0.8, "C": -0.8}
    cells = [
        Cell(6, lying, who, dreamer, 0.0, round(4000 * logistic(-1 + by + 0.3 * (6 - lying))), 4000)
        for who, by in truth.items()
        for dreamer in truth
        if who != dreamer
        for lying in (6, 5, 4, 3)
    ]
    model = fit(cells)
    middle = model.values["guesses", "A"]
    for who, by in truth.items():
        assert model.values["guesses", who] - middle == pytest.approx(by, abs=0.02)
    assert model.variance({("guesses", "B"): 1.0, ("guesses", "A"): -1.0}) < 0.02**2
    for cell in cells:
        assert model.chance(cell) == pytest.approx(cell.right / cell.count, abs=0.005)


def test_shares_have_wilsons_interval() -> None:
    """Known values; nothing counted says nothing; never outside 0 to 1."""
    low, high = wilson(8, 10)
    assert (low, high) == (pytest.approx(0.4902, abs=1e-4), pytest.approx(0.9433, abs=1e-4))
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 5)[0] == 0.0
    assert wilson(5, 5)[1] == 1.0
    assert two_sided(1.959964) == pytest.approx(0.05, abs=1e-6)
    assert (median([]), median([3, 1]), median([5, 1, 2])) == (0.0, 2.0, 2)


def test_holm_lets_through_what_stands_out_of_all() -> None:
    """The textbook example; the first that does not pass stops the rest."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == [True, False, False, True]
    assert holm([0.04]) == [True]
    assert holm([0.06, 0.05]) == [False, False]
    assert holm([]) == []


def test_an_evening_is_kept_in_lists_and_read_again() -> None:
    """Every round of the season goes to the index's short lists and back."""
    for log in season()[:12]:
        one = played_evening(log)
        assert rounds_from_lists(to_lists(one)) == one.rounds
        assert isinstance(one, PlayedEvening)
        for round_ in one.rounds:
            assert math.isfinite(round_.began_s)
            assert sum(round_.gains) in (0, len(round_.cards))
