"""What a living room does, row by row: the incidents that the referee and the scorekeeper answer,
each under its number."""

from __future__ import annotations

from companion.evening.player_commands import perform_command
from companion.game.change import Changes, correct_round
from companion.game.events import CardSetAside, RoundVoided
from companion.game.log import Retraction
from companion.game.rules import Refusal
from companion.table.sighting import Hand, PlaceState
from tests.support.scorekept import BARE, FIRST, NAMES, SECOND, THIRD, Evening

ONE_ASIDE = (10, 20, None, 40, 50)


def at_tray() -> Evening:
    """Five cards lie beside a tray in view."""
    return Evening("tray", tray=True).lie(6, FIRST)


def finished(evening: Evening, aside: tuple[int, ...]) -> bool:
    """The rest is taken: true when exactly these were wrong guesses."""
    evening.lie(3, BARE, aside)
    return (evening.round.ending, evening.round.set_aside) == ("claimed", aside)


def test_incident_1_a_hand_rests_over_cards() -> None:
    """Four seconds of a hand over three cards decide nothing; the round goes on as it was."""
    evening = at_tray().lie(
        4,
        FIRST,
        shown=dict.fromkeys((10, 20, 30), PlaceState.MOVING),
        hands=(Hand((150.0, 200.0), 90.0),),
    )
    assert evening.round.guesses == ()
    assert finished(evening.lie(4, FIRST).lie(5, ONE_ASIDE, [30]), (30,))


def test_incident_2_a_cup_stands_on_a_card() -> None:
    """The covered card counts as lying, and is named after a while."""
    evening = at_tray().lie(8, FIRST, shown={20: PlaceState.OTHER})
    assert evening.round.guesses == ()
    assert ("covered", {"card": 20}) in evening.said
    assert finished(evening.lie(3, FIRST).lie(5, ONE_ASIDE, [30]), (30,))


def test_incident_7_cards_are_nudged_and_scattered() -> None:
    """All cards slide six centimetres: nobody guessed, and their new places are followed."""
    evening = at_tray().lie(4, FIRST, moved_mm=(40.0, 45.0))
    assert evening.round.guesses == ()
    assert finished(evening.lie(5, ONE_ASIDE, [30], moved_mm=(40.0, 45.0)), (30,))


def test_incident_8_a_card_is_lifted_and_put_back() -> None:
    """A card that is away for two seconds and comes back was no guess, and leaves none in the log's
    ledger."""
    evening = at_tray().lie(2, ONE_ASIDE).lie(4, FIRST)
    assert evening.round.guesses == ()
    assert finished(evening, ())


def test_incident_9_a_card_set_aside_comes_back() -> None:
    """The guess is taken back, with both versions in the log."""
    evening = at_tray().lie(4, ONE_ASIDE, [30])
    assert evening.round.set_aside == (30,)
    evening.lie(4, FIRST)
    assert evening.round.guesses == ()
    assert any(isinstance(entry.event, Retraction) for entry in evening.keeper.log.entries)
    assert finished(evening, ())


def test_incident_10_a_claim_in_several_grabs() -> None:
    """The right card first, two seconds later two more, then the rest: with a tray in view one
    claim of five."""
    evening = at_tray().lie(2, ONE_ASIDE).lie(1.5, (None, 20, None, None, 50))
    assert finished(evening, ())


def test_incident_10_asks_where_the_picture_cannot_tell() -> None:
    """The same with nothing in view: a question with both stories, and no point entered."""
    evening = Evening().asked()
    assert evening.keeper.book.question is not None
    assert {option.wrong_count for option in evening.keeper.book.question.question.options} == {
        0,
        1,
    }
    assert sum(evening.keeper.ledger.totals) == 0


def test_incident_11_the_middle_is_swept_into_a_pile() -> None:
    """Only the topmost card is read for a second, then the pile goes: one claim."""
    evening = at_tray().lie(1, FIRST, shown=dict.fromkeys((20, 30, 40, 50), PlaceState.MOVING))
    assert finished(evening, ())


def test_footage_that_ends_with_one_place_unclear_is_decided() -> None:
    """All but one place are bare, the last shows something: still open while people play, claimed
    when the film is over; with two such places nobody knows."""
    for unclear, ending in (((50,), "claimed"), ((40, 50), "open")):
        evening = (
            at_tray()
            .lie(5, ONE_ASIDE, [30])
            .lie(3, BARE, [30], shown=dict.fromkeys(unclear, PlaceState.OTHER))
        )
        assert evening.round.ending == "open"
        evening.keeper.finish(evening.t_s)
        assert (evening.round.ending, evening.round.set_aside) == (ending, (30,))


def test_incident_12_a_card_taken_before_all_lie() -> None:
    """It is said once the cards lie fewer; put back, the round begins with all of them."""
    evening = (
        Evening("tray", tray=True).lie(2, (10, 20, 30, 40, None)).lie(5, (10, 20, None, 40, None))
    )
    assert "early" in dict(evening.said)
    evening.lie(3, FIRST)
    assert set(evening.round.cards) == set(FIRST)
    assert "early" not in dict(evening.said)


def test_incident_12_a_card_taken_before_all_lie_is_played_so() -> None:
    """It went to the tray and stays there while the last card is laid: the round has all five, and
    it is the first guess."""
    evening = (
        Evening("tray", tray=True)
        .lie(2, (10, 20, 30, 40, None))
        .lie(1.5, (10, 20, None, 40, None), [30])
    )
    evening.lie(6, ONE_ASIDE, [30])
    assert (set(evening.round.cards), evening.round.set_aside) == (set(FIRST), (30,))
    assert finished(evening, (30,))


def test_incident_12_a_card_taken_before_all_lie_is_put_right_by_hand() -> None:
    """It is gone for good; people tap: what lies there is the round, and the camera keeps it on."""
    evening = (
        Evening("tray", tray=True).lie(2, (10, 20, 30, 40, None)).lie(5, (10, 20, None, 40, None))
    )
    assert not isinstance(
        perform_command({"do": "accept_count"}, evening.keeper, evening.t_s), Refusal
    )
    evening.lie(2, (10, 20, None, 40, None))
    assert set(evening.round.cards) == {10, 20, 40}
    evening.lie(3, BARE)
    assert evening.round.ending == "claimed"


def test_incident_13_too_few_cards_are_said_and_accepted() -> None:
    """Four instead of five: said before any guess; by a tap it is a house rule."""
    evening = Evening("tray", tray=True).lie(6, FIRST[:4])
    assert ("expected_seen", {"expected": 5, "seen": 4}) in evening.said
    assert not isinstance(
        perform_command({"do": "accept_count"}, evening.keeper, evening.t_s), Refusal
    )
    evening.lie(2, FIRST[:4])
    assert set(evening.round.cards) == set(FIRST[:4])


def test_incident_13_one_too_many_is_taken_back() -> None:
    """Six instead of five: said; one is taken back while a first guess is made at once, and the
    five others are the round."""
    evening = Evening("tray", tray=True).lie(5, (10, 20, 30, 40, 50, 60))
    assert ("expected_seen", {"expected": 5, "seen": 6}) in evening.said
    evening.lie(0.5, FIRST).lie(6, ONE_ASIDE, [30])
    assert (set(evening.round.cards), evening.round.set_aside) == (set(FIRST), (30,))


def test_incident_13_a_deal_taken_back_and_not_found_again_is_asked_about() -> None:
    """One too many is read late and the deal taken back; the cards go before they could be counted
    anew: a round may have gone by unseen, and that is said."""
    evening = Evening("tray", tray=True).lie(2, FIRST)
    assert evening.keeper.ledger.open_round is not None
    evening.lie(0.6, (*FIRST, 60))
    assert evening.keeper.ledger.open_round is None
    evening.lie(5, BARE)
    assert "missed_round" in dict(evening.said)


def test_incident_14_a_card_already_won_lies_there_again() -> None:
    """It is named and belongs to no deal: nobody's points move."""
    evening = at_tray().lie(3, BARE).lie(4, BARE).lie(6, SECOND).lie(3, BARE).lie(4, BARE)
    totals = evening.keeper.ledger.totals
    evening.lie(6, (10, *THIRD[:4]))
    assert ("already_won", {"card": 10}) in evening.said
    assert evening.keeper.ledger.totals == totals
    assert len(evening.keeper.ledger.rounds) == 2


def test_incident_16_won_piles_lie_face_up_at_the_edge() -> None:
    """Cards of a finished round, read beside the middle all through the next one, are nobody's
    guess."""
    pile = {10: (300.0, 640.0), 20: (310.0, 645.0)}
    evening = at_tray().lie(5, ONE_ASIDE, [30]).lie(4, BARE, [30])
    evening.lie(6, SECOND, elsewhere=pile).lie(5, (11, 21, None, 41, 51), [31], elsewhere=pile)
    assert evening.round.set_aside == (31,)
    assert ("already_won", {"card": 10}) not in evening.said
    evening.lie(3, BARE, [31], elsewhere=pile)
    assert (evening.round.ending, evening.round.wrong_count) == ("claimed", 1)


def test_incident_16_the_pile_just_claimed_lies_in_the_middle_of_the_view() -> None:
    """All are put down on one heap where another card lay a hand's width away: claimed at once, the
    cards below it first read there, too, and the heap that stays in view reopens nothing."""
    heap = (190.0, 330.0)
    evening = Evening().lie(6, FIRST)
    for left in range(4, -1, -1):
        rest = tuple(card if at < left else None for at, card in enumerate(FIRST))
        below = dict.fromkeys(FIRST[left + 1 :], PlaceState.OTHER)
        evening.lie(0.6, rest, shown=below).lie(
            0.7, rest, elsewhere={FIRST[left]: heap}, shown=below
        )
    evening.lie(1.5, BARE, elsewhere={10: heap}, shown=below)
    assert (evening.round.ending, evening.round.guesses[0].right) == ("claimed", True)
    entries = len(evening.keeper.log.entries)
    evening.lie(8, BARE, elsewhere={10: heap}, shown=below)
    assert len(evening.keeper.log.entries) == entries


def test_incident_16_a_heap_on_a_card_laid_anew_does_not_date_it_back() -> None:
    """A card changes its place and play goes on: three wrong guesses; then the last is pushed onto
    it and both are taken. It left with that one, not when it was moved."""
    there = (400.0, 350.0)
    evening = Evening().lie(6, FIRST)
    for gone in ((10,), (10, 30), (10, 30, 40), (10, 30, 40, 50)):
        rest = tuple(None if card in gone else card for card in FIRST)
        evening.lie(1, rest, elsewhere={10: there} if len(gone) > 1 else {}).lie(
            6, rest, elsewhere={10: there}
        )
    evening.lie(0.8, BARE, elsewhere={10: there, 20: there}).lie(4, BARE)
    assert (evening.round.ending, evening.round.set_aside) == ("lookout", (30, 40, 50))


def test_incident_16_the_pile_tells_that_a_card_taken_for_wrong_was_claimed() -> None:
    """A card laid down outside counts as wrong; seconds after the rest was taken a card of the
    claim lies on it: what was entered is in doubt and people are asked, and both answers hold."""
    there = (300.0, 640.0)
    evening = (
        Evening()
        .lie(6, FIRST)
        .lie(9, ONE_ASIDE, elsewhere={30: there})
        .lie(2, BARE, elsewhere={30: there})
    )
    assert evening.round.set_aside == (30,)
    assert evening.keeper.book.question is None
    evening.lie(1, BARE, elsewhere={10: there})
    assert evening.keeper.book.question is not None
    assert evening.keeper.book.question.ruling.evidence.why == "found_in_pile"
    assert {option.wrong_count for option in evening.keeper.book.question.question.options} == {
        0,
        1,
    }


def test_incident_17_set_aside_cards_lie_on_one_another() -> None:
    """Only the last card laid on the tray is read: those below stay set aside."""
    evening = (
        at_tray()
        .lie(5, ONE_ASIDE, [30])
        .lie(5, (10, None, None, 40, 50), [20])
        .lie(5, (None, None, None, 40, 50), [10])
    )
    assert evening.round.set_aside == (
        30,
        20,
    )  # a third would end the round: nothing is banked before the middle is empty
    evening.lie(3, BARE, [10])
    assert (evening.round.ending, evening.round.set_aside) == ("lookout", (30, 20, 10))


def test_incident_23_a_score_is_disputed() -> None:
    """A person changes a guess of a finished round: points and roles follow, the first version
    stays in the log, and what the camera sees of it afterwards changes nothing."""
    evening = at_tray().lie(5, ONE_ASIDE, [30])
    assert finished(evening, (30,))
    before = evening.keeper.log.entries
    evening.keeper.change(
        correct_round(evening.keeper.log, 1, ((30, False), (10, False), (None, True))),
        evening.t_s,
        "Ada",
    )
    assert evening.keeper.ledger.totals == (2, 0, 0, 3, 0)
    assert evening.keeper.log.entries[: len(before)] == before
    evening.lie(3, (10, None, None, None, None), [30]).lie(4, BARE, [30])
    assert evening.keeper.ledger.totals == (2, 0, 0, 3, 0)


def test_incident_24_a_round_is_spoiled() -> None:
    """Voided, its cards out: nobody gains, the roles pass, and its cards never make a deal again."""
    evening = at_tray().lie(4, ONE_ASIDE, [30])
    evening.keeper.change(Changes((RoundVoided(1, cards_return=False),)), evening.t_s)
    evening.lie(5, BARE).lie(6, FIRST)
    assert [round_.ending for round_ in evening.keeper.ledger.rounds] == ["void"]
    evening.lie(4, BARE).lie(6, SECOND)
    assert (NAMES[evening.round.daydreamer], sum(evening.keeper.ledger.totals)) == ("Eva", 0)


def test_incident_24_a_spoiled_round_is_dealt_again() -> None:
    """Voided, its cards shuffled back: the same cards may make the next deal once they have been
    picked up."""
    evening = at_tray()
    evening.keeper.change(Changes((CardSetAside(1, 1),)), evening.t_s)
    evening.keeper.change(Changes((RoundVoided(1, cards_return=True),)), evening.t_s)
    evening.lie(6, BARE).lie(6, FIRST)
    assert [round_.ending for round_ in evening.keeper.ledger.rounds] == ["void", "open"]
    assert evening.keeper.ledger.deck_left == 75
