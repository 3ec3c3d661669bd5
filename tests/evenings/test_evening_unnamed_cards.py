"""Cards that lie there without a name: the round is kept by counts and places all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.commands import practice
from companion.evening.loop import keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun, Handling
from companion.practice.faults import NO_FAULTS
from companion.practice.script import Script, write_script
from companion.practice.witness import Witness, moments_of
from companion.table.sighting import FIRST_STAND_IN, Attention, Glimpse, RawGlimpse
from tests.benchmarks.scenes.evening_played import cups_as_cards

FPS = 5.0


@pytest.mark.parametrize("nameless", [3, 1], ids=["every third card", "every card"])
def test_a_round_with_cards_that_nobody_knows_is_kept(nameless: int) -> None:
    """Who gets how many is exact; what has no name has none in the ledger either, and nothing is
    asked."""
    script = write_script(5, "en", 3, 21, "calm", faults=NO_FAULTS)
    keeper = _kept(script, nameless)
    assert not keeper.book.pending_questions
    assert len(keeper.ledger.finished) == 3
    for round_, truth in zip(keeper.ledger.finished, script.truth.rounds, strict=True):
        assert keeper.ledger.gains(round_) == truth.gains(5)
        named = {card for card in truth.cards if card % nameless}
        assert {card for card in round_.known_cards if card is not None} == named
        assert len(round_.cards) == len(truth.cards)
        assert [guess.right for guess in round_.guesses] == [g.right for g in truth.guesses]


def test_the_practice_table_tells_cards_without_a_name_from_wrong_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong guess whose card has no name is printed as such, and the ledgers agree; with other cards
    in its stead they differ."""
    script = write_script(5, "en", 3, 21, "calm", faults=NO_FAULTS)
    keeper = _kept(script, 3)
    assert practice._print_rounds(keeper, script.truth, 0) == 3
    assert practice._verdict(keeper, script.truth) == 0
    told = capsys.readouterr().out
    assert "not --" in told
    assert "3 exact (" in told
    assert "without a name), 0 asked, 0 wrong" in told
    other = write_script(5, "en", 3, 22, "calm", faults=NO_FAULTS)
    assert practice._verdict(keeper, other.truth) == 1


@pytest.mark.parametrize("handling", ["tray", "away", "face-down"])
def test_a_cup_between_the_cards_makes_no_point_wrong(handling: Handling) -> None:
    """Cups are put between the cards, before deals and in rounds, and look like cards that nobody
    knows: every round has its points, or is asked about."""
    asked = finished = cups = 0
    for seed in (101, 102, 104):
        faults = replace(NO_FAULTS, cup_stays=0.15)
        script = write_script(5, "en", 5, seed, handling=handling, faults=faults)
        keeper = _kept(script, 20)
        cups += sum(name == "cup_stays" for _, name in script.incidents)
        asked += len(keeper.book.pending_questions)
        for round_ in keeper.ledger.finished:
            if round_.number in keeper.book.pending_questions:
                continue
            truth = script.truth.rounds[round_.number - 1]
            finished += 1
            assert keeper.ledger.gains(round_) == truth.gains(5), (seed, round_.number)
    assert cups >= 3
    assert finished >= 11
    assert asked <= 3


def _kept(script: Script, nameless: int) -> Scorekeeper:
    keeper = Scorekeeper()
    truth = script.truth
    begun = EveningBegun(
        truth.players, truth.daydreamer, truth.edition, len(truth.deck), truth.handling
    )
    keeper.change(Changes((begun,)), 0.0)
    said = moments_of(Witness(script, 2), FPS)

    def source(attention: Attention) -> RawGlimpse | None:
        raw = said(attention)
        if raw is None:
            return None
        seen = _unnamed(raw.uncurtained, nameless)
        return RawGlimpse(
            replace(seen, sightings=(*seen.sightings, *cups_as_cards(script, seen.t_s)))
        )

    for _ in keep_score(source, keeper):
        pass
    return keeper


def _unnamed(glimpse: Glimpse, nameless: int) -> Glimpse:
    """The same with stand-in numbers for every `nameless`th card."""

    def stand_in(card: int) -> int:
        return card if card % nameless else FIRST_STAND_IN + card

    return replace(
        glimpse,
        sightings=tuple(replace(s, card=stand_in(s.card)) for s in glimpse.sightings),
        places=tuple(replace(p, card=stand_in(p.card)) for p in glimpse.places),
    )
