"""The scorekeeper across restarts and unseen rounds: questions and people's words are in the log,
and so survive."""

from __future__ import annotations

from typing import Any

import pytest

from companion.capture.view import View
from companion.commands.shared.score_report import report
from companion.evening.player_commands import perform_command
from companion.evening.scoreboard import ledger_board
from companion.game.change import Changes
from companion.game.events import CardSetAside, EveningBegun, RoundDealt, RoundVoided
from companion.game.rules import Refusal
from tests.support.game_evening import Told
from tests.support.scorekept import BARE, FIRST, NAMES, SECOND, THIRD, Evening


def test_an_open_question_survives_a_restart() -> None:
    """The same question with the same two answers stands after the process began anew, and its
    answer is entered."""
    evening = Evening().asked()
    before = evening.keeper.book.question
    evening.restart()
    assert evening.keeper.book.question == before
    assert not isinstance(evening.answer(0), Refusal)
    told = evening.keeper.ledger.rounds[0]
    assert (told.ending, told.wrong_count) == (
        before.question.options[0].ending,
        before.question.options[0].wrong_count,
    )
    assert evening.restart().keeper.book.question is None


def test_a_question_waits_while_the_table_plays_on_after_a_restart() -> None:
    """The next round lies: the old question keeps its likelier answer for the time being, and is
    answered later."""
    evening = Evening().asked().restart().lie(3, BARE).lie(6, SECOND)
    ledger, pending = evening.keeper.ledger, evening.keeper.book.question
    assert [round_.ending for round_ in ledger.rounds] == ["claimed", "open"]
    assert pending is not None
    assert pending.taken == pending.question.options[0]
    evening.answer(1)
    assert evening.keeper.book.question is None
    assert evening.keeper.ledger.rounds[0].wrong_count == pending.question.options[1].wrong_count


def test_a_new_question_is_asked_before_one_that_was_put_off() -> None:
    """Two rounds in doubt: people remember the last one; once it is answered the older question
    comes back."""
    evening = (
        Evening().asked().lie(3, BARE).lie(6, SECOND).lie(2, (11, 21, None, 41, 51)).lie(5, BARE)
    )
    assert evening.keeper.book.question is not None
    assert evening.keeper.book.question.round == 2
    evening.answer(0)
    assert evening.keeper.book.question.round == 1


def test_answering_what_was_taken_already_settles_the_question() -> None:
    """The answer that stands in the ledger is confirmed: no entry changes, the question goes, an
    undo brings it back."""
    evening = Evening().asked().lie(3, BARE).lie(6, SECOND)
    before = evening.keeper.ledger.totals
    evening.answer(0)
    assert evening.keeper.book.question is None
    assert evening.keeper.ledger.totals == before
    assert not any(round_.corrected for round_ in evening.keeper.ledger.rounds)
    evening.keeper.undo(evening.t_s)
    assert evening.keeper.book.question is not None


@pytest.mark.parametrize("after", [False, True])
def test_one_undo_takes_an_answer_back_whole(after: bool) -> None:
    """An answer that enters two guesses at once, at the table and after the next round lies there: one
    undo brings the guesses and the question back."""
    evening = Evening().asked()
    if after:
        evening.lie(3, BARE).lie(6, SECOND)
    before = evening.keeper.ledger.rounds
    asked = evening.keeper.book.question
    evening.answer(1)
    assert evening.keeper.book.question is None
    assert evening.keeper.ledger.rounds != before
    evening.keeper.undo(evening.t_s)
    assert evening.keeper.book.question == asked
    assert evening.keeper.ledger.rounds == before


def test_a_persons_words_survive_a_restart() -> None:
    """One guess told by a tap, one said to be none: after a restart the referee holds to both."""
    evening = Evening("tray", tray=True).lie(6, FIRST).lie(4, (10, 20, None, 40, 50), [30])
    taken = [
        entry.number
        for entry in evening.keeper.log.effective
        if isinstance(entry.event, CardSetAside)
    ]
    evening.keeper.change(Changes((), tuple(taken)), evening.t_s)
    evening.keeper.change(Changes((CardSetAside(1, 1, 10),)), evening.t_s)
    evening.restart().lie(5, (None, 20, None, 40, 50), [30])
    assert evening.keeper.ledger.rounds[0].set_aside == (10,)
    evening.lie(5, BARE, [30])
    assert evening.keeper.ledger.rounds[0].set_aside == (10,)


def test_a_guess_the_camera_saw_is_not_pinned_by_a_restart() -> None:
    """A card lay aside when the power went and comes back to the middle afterwards: its guess is
    taken back."""
    evening = Evening("tray", tray=True).lie(6, FIRST).lie(4, (10, 20, None, 40, 50), [30])
    assert evening.keeper.ledger.rounds[0].set_aside == (30,)
    evening.restart().lie(3, (10, 20, None, 40, 50), [30]).lie(4, FIRST)
    assert evening.keeper.ledger.rounds[0].set_aside == ()


def cleared_in_a_pause() -> Evening:
    """A round lies at a table with a tray; an hour's pause, after which all of it is bare."""
    evening = Evening("tray", tray=True).lie(6, FIRST)
    perform_command({"do": "pause"}, evening.keeper, evening.t_s)
    evening.lie(5, FIRST)
    evening.t_s += 3600.0
    evening.lie(5, BARE)
    perform_command({"do": "resume"}, evening.keeper, evening.t_s)
    return evening.lie(6, BARE)


def test_cards_cleared_away_in_a_pause_are_no_claim() -> None:
    """Nobody saw who took them: people are asked, and not at all once the same cards lie there again."""
    evening = cleared_in_a_pause()
    assert evening.round.ending == "open"
    assert evening.keeper.book.question is not None
    evening.lie(6, FIRST)
    assert evening.round.ending == "open"
    assert evening.keeper.book.question is None


def test_no_round_goes_by_in_a_pause_in_which_the_cards_were_cleared_away() -> None:
    """The next deal is the second round's, and the first alone is asked about."""
    evening = cleared_in_a_pause().lie(6, SECOND)
    assert len(evening.keeper.ledger.rounds) == 2
    assert sorted(evening.keeper.book.pending_questions) == [1]


def unseen() -> Evening:
    """A round, then one of which only four cards were ever read, then a third."""
    evening = (
        Evening("tray", tray=True)
        .lie(6, FIRST)
        .lie(4, (10, 20, None, 40, 50), [30])
        .lie(3, BARE, [30])
        .lie(4, BARE)
    )
    return evening.lie(5, (11, 21, 31, 41, None)).lie(5, BARE).lie(6, THIRD)


def test_a_round_nobody_saw_keeps_its_place_and_is_asked_about() -> None:
    """Four of five cards lay and went: the next round has the roles of the third, and people are
    asked what happened."""
    keeper = unseen().keeper
    assert [round_.ending for round_ in keeper.ledger.rounds] == ["claimed", "void", "open"]
    assert NAMES[keeper.ledger.rounds[2].daydreamer] == "Dan"
    assert keeper.book.question is not None
    assert keeper.book.question.question.asks == "missed_round"
    told = report(keeper, {})["rounds"][1]["questions"]
    assert told[0]["taken"] == "a round was played unseen"


def test_footage_that_ends_with_a_round_nobody_saw_says_so() -> None:
    """No further deal came to ask at: the ledger of a film has the empty round and its question all
    the same."""
    evening = (
        Evening("tray", tray=True)
        .lie(6, FIRST)
        .lie(3, BARE)
        .lie(4, BARE)
        .lie(5, (11, 21, 31, 41, None))
        .lie(5, BARE)
    )
    assert [round_.ending for round_ in evening.keeper.ledger.rounds] == ["claimed"]
    evening.keeper.finish(evening.t_s)
    told = report(evening.keeper, {})["rounds"]
    assert [len(line["questions"]) for line in told] == [0, 1]
    assert told[1]["questions"][0]["asks"] == "missed_round"


def test_a_round_nobody_saw_is_filled_in_by_hand() -> None:
    """It was played: the question goes, a person tells its guesses, and the third round goes on
    with its roles."""
    evening = unseen()
    evening.answer(0)
    assert evening.keeper.book.question is None
    fill = {
        "do": "correct",
        "round": 2,
        "guesses": [{"right": False}, {"right": True}],
        "cards": [None] * 5,
    }
    assert not isinstance(perform_command(fill, evening.keeper, evening.t_s), Refusal)
    evening.lie(4, (12, 22, None, 42, 52), [32]).lie(4, BARE, [32])
    assert [round_.ending for round_ in evening.keeper.ledger.rounds] == [
        "claimed",
        "claimed",
        "claimed",
    ]
    assert NAMES[evening.keeper.ledger.rounds[2].daydreamer] == "Dan"


def test_what_nobody_saw_waits_for_its_guesses_and_what_people_let_not_count_does_not() -> None:
    """What the camera missed is told as unseen, and what a person tells of with its end in one act."""
    told = Told()
    told.enter(EveningBegun(tuple(NAMES), 0, "en", 80))
    nameless = (None,) * len(NAMES)
    missed = Changes((RoundDealt(1, nameless), RoundVoided(1, cards_return=False)))
    told.change(missed, source="camera")
    told.change(Changes((RoundDealt(2, nameless), RoundVoided(2, cards_return=False))))
    assert _board_of(told)["last"]["text_key"] == "unseen"
    told.enter(RoundDealt(3, nameless), RoundVoided(3, cards_return=False))
    board = _board_of(told)
    assert [line["unseen"] for line in board["rounds"]] == [True, True, False]
    assert board["last"]["text_key"] == "void"


def _board_of(told: Told) -> dict[str, Any]:
    return ledger_board(told.ledger, 0, View(), tuple(range(len(NAMES))))


def test_cards_picked_up_again_cost_nobody_the_turn() -> None:
    """No round was played: its cards are back in the deck, and the same Daydreamer laid anew."""
    evening = unseen()
    evening.answer(1)
    evening.lie(4, (12, 22, None, 42, 52), [32]).lie(4, BARE, [32])
    rounds = evening.keeper.ledger.rounds
    assert NAMES[rounds[2].daydreamer] == NAMES[rounds[1].daydreamer] == "Eva"
    assert evening.keeper.ledger.deck_left == 70
    assert (rounds[2].ending, rounds[2].set_aside) == ("claimed", (32,))


def test_one_too_many_read_late_takes_the_deal_back() -> None:
    """Five of six cards were read and taken for the deal; the sixth shows, one is taken back: the
    true five are the round."""
    evening = (
        Evening("tray", tray=True).lie(2, (10, 20, 30, 40, 60)).lie(3, (10, 20, 30, 40, 60, 50))
    )
    assert evening.keeper.ledger.rounds == ()
    evening.lie(3, (10, 20, 30, 40, None, 50))
    assert set(evening.keeper.ledger.rounds[0].cards) == set(FIRST)
