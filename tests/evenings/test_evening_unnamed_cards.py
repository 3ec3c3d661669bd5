"""Cards that lie there without a name: the round is kept by counts and places all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.evening.loop import keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun
from companion.practice.faults import NO_FAULTS
from companion.practice.script import Script, write_script
from companion.practice.witness import Witness, moments_of
from companion.table.sighting import FIRST_STAND_IN, Attention, Glimpse, RawGlimpse

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
        return None if raw is None else RawGlimpse(_unnamed(raw.uncurtained, nameless))

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
