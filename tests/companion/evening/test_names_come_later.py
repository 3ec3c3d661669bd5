"""A card that lay there without a name gets it later: the round's deal and guesses are written anew,
and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import CardSetAside, EveningBegun
from companion.practice.faults import NO_FAULTS
from companion.practice.script import Script, write_script
from companion.practice.witness import Witness, moments_of
from companion.table.sighting import FIRST_STAND_IN, Glimpse, RawGlimpse

FPS = 5.0
NAMELESS = 3


def _begun(script: Script) -> Scorekeeper:
    keeper, truth = Scorekeeper(), script.truth
    begun = EveningBegun(
        truth.players, truth.daydreamer, truth.edition, len(truth.deck), truth.handling
    )
    keeper.change(Changes((begun,)), 0.0)
    return keeper


def _stand_in(card: int) -> int:
    return card if card % NAMELESS else FIRST_STAND_IN + card


def _unnamed(glimpse: Glimpse, names: dict[int, int]) -> Glimpse:
    """The same with stand-in numbers for every `NAMELESS`th card, and with what is known of them."""
    return replace(
        glimpse,
        sightings=tuple(replace(s, card=_stand_in(s.card)) for s in glimpse.sightings),
        places=tuple(replace(p, card=_stand_in(p.card)) for p in glimpse.places),
        names=tuple(names.items()),
    )


@pytest.mark.parametrize("named_in_round", [1, 2, 3])
def test_names_that_come_later_are_written_into_the_round(named_in_round: int) -> None:
    """Of the cards without a name in a round those get theirs of which it is told, whether the round
    lies open or is over; gains, guesses and the other rounds stay, and nothing is asked."""
    script = write_script(5, "en", 3, 29, "calm", faults=NO_FAULTS)
    keeper, truth = _begun(script), script.truth
    nameless = [card for card in truth.rounds[0].cards if not card % NAMELESS]
    names = {_stand_in(card): card for card in nameless}
    assert names
    said = moments_of(Witness(script, 2), FPS)
    while (raw := said(keeper.attention)) is not None:
        late = len(keeper.ledger.rounds) >= named_in_round
        glimpse = _unnamed(raw.uncurtained, names if late else {})
        keeper.observe_glimpse(keeper.draw_curtain(RawGlimpse(glimpse)))
    assert not keeper.book.pending_questions
    for round_, told in zip(keeper.ledger.finished, truth.rounds, strict=True):
        known = {card for card in round_.known_cards if card is not None}
        first = round_.number == 1
        assert known == {card for card in told.cards if card % NAMELESS or first}
        assert keeper.ledger.gains(round_) == told.gains(5)
        assert [guess.right for guess in round_.guesses] == [g.right for g in told.guesses]
    aside = tuple(guess.card for guess in truth.rounds[0].guesses if not guess.right)
    assert keeper.ledger.finished[0].set_aside == aside


def test_a_name_does_not_pass_the_curtain_before_its_round_lies_open() -> None:
    """What a stand-in turned out to be is as secret as any number."""
    script = write_script(5, "en", 1, 29, "calm", faults=NO_FAULTS)
    keeper = _begun(script)
    names = {_stand_in(c): c for c in script.truth.rounds[0].cards if not c % NAMELESS}
    said = moments_of(Witness(script, 2), FPS)
    passed = set[int]()
    while (raw := said(keeper.attention)) is not None:
        was_open = keeper.curtain_open
        glimpse = keeper.draw_curtain(RawGlimpse(_unnamed(raw.uncurtained, names)))
        if not was_open and not keeper.ledger.rounds:
            assert not glimpse.names
        passed |= dict(glimpse.names).keys()
        keeper.observe_glimpse(glimpse)
    assert passed == names.keys()


def test_a_name_that_another_round_has_is_none() -> None:
    """One card is not in two rounds: a look that says so is mistaken."""
    script = write_script(5, "en", 2, 29, "calm", faults=NO_FAULTS)
    keeper, truth = _begun(script), script.truth
    nameless = next(card for card in truth.rounds[1].cards if not card % NAMELESS)
    other = next(card for card in truth.rounds[0].cards if card % NAMELESS)
    said = moments_of(Witness(script, 2), FPS)
    while (raw := said(keeper.attention)) is not None:
        glimpse = _unnamed(raw.uncurtained, {_stand_in(nameless): other})
        keeper.observe_glimpse(keeper.draw_curtain(RawGlimpse(glimpse)))
    assert other not in keeper.ledger.finished[1].known_cards
    assert None in keeper.ledger.finished[1].known_cards


def test_a_correction_by_a_person_goes_before_a_name() -> None:
    """Who put a guess right by hand finds it so, whatever the camera learns afterwards."""
    script = write_script(5, "en", 2, 29, "calm", faults=NO_FAULTS)
    keeper, truth = _begun(script), script.truth
    names = {_stand_in(c): c for c in truth.rounds[0].cards if not c % NAMELESS}
    said = moments_of(Witness(script, 2), FPS)
    corrected = False
    while (raw := said(keeper.attention)) is not None:
        if len(keeper.ledger.finished) == 1 and not corrected:
            entry = next(
                e
                for e in keeper.log.effective
                if isinstance(e.event, CardSetAside) and e.event.round == 1
            )
            assert isinstance(entry.event, CardSetAside)
            other = next(
                c
                for c in truth.rounds[0].cards
                if c % NAMELESS and c not in keeper.ledger.finished[0].set_aside
            )
            keeper.change(
                Changes((CardSetAside(1, entry.event.attempt, other),), (entry.number,)),
                raw.uncurtained.t_s,
            )
            corrected = True
        glimpse = _unnamed(raw.uncurtained, names if corrected else {})
        keeper.observe_glimpse(keeper.draw_curtain(RawGlimpse(glimpse)))
    assert corrected
    assert other in keeper.ledger.finished[0].set_aside
