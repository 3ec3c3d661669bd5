"""A question that a hand's leaving will answer is not asked before, and one that answered itself
leaves nothing on the screen."""

from __future__ import annotations

from companion.capture.view import View
from companion.evening.scoreboard import scoreboard
from companion.game.events import QuestionAsked
from companion.game.log import Retraction
from companion.table.sighting import Hand
from tests.support.scorekept import BARE, FIRST, Evening

OVER_TRAY = (Hand((740.0, 240.0), 90.0),)
OVER_MIDDLE = (Hand((150.0, 200.0), 90.0),)
ONE_GONE = (10, 20, None, 40, 50)


def last_card_under_a_hand(seconds: float) -> Evening:
    """A card is taken to the tray by a hand that stays over it, unread; the rest is taken, and
    the hand stays `seconds` more."""
    evening = Evening("tray", tray=True).lie(6, FIRST)
    evening.lie(4, ONE_GONE, hands=OVER_TRAY)
    return evening.lie(seconds, BARE, hands=OVER_TRAY)


def questions(evening: Evening) -> int:
    """How many questions the log holds, taken back or not."""
    return sum(isinstance(entry.event, QuestionAsked) for entry in evening.keeper.log.entries)


def test_no_question_while_a_hand_lies_over_the_tray() -> None:
    """Six seconds after the last card left, a hand still hides the tray: nobody is asked. It goes,
    the card under it is read, and the round is entered without a question ever."""
    evening = last_card_under_a_hand(6)
    assert evening.keeper.book.question is None
    evening.lie(3, BARE, [30])
    assert evening.round.set_aside == (30,)
    assert evening.round.ending == "claimed"
    assert questions(evening) == 0


def test_no_round_is_entered_while_a_hand_hides_what_may_contradict_it() -> None:
    """Half a second after the card that went under the hand the rest is taken: a claim, very likely,
    but the hand still hides the tray. Nothing is entered that would have to be taken back: the card
    is read there, and people are asked."""
    evening = Evening("tray", tray=True).lie(6, FIRST)
    evening.lie(0.6, ONE_GONE, hands=OVER_TRAY)
    for _ in range(12):
        evening.lie(0.5, BARE, hands=OVER_TRAY)
        assert evening.round.ending == "open"
    evening.lie(3, BARE, [30])
    assert evening.keeper.book.question is not None
    assert not evening.round.corrected


def test_a_question_waits_for_a_hand_over_the_middle() -> None:
    """Out of view two stories fit. While a hand lies where the cards lay nobody is asked; a moment
    after it is gone, they are."""
    evening = Evening().lie(6, FIRST).lie(2, ONE_GONE).lie(5, BARE, hands=OVER_MIDDLE)
    assert evening.keeper.book.question is None
    evening.lie(0.5, BARE)
    assert evening.keeper.book.question is None
    evening.lie(1.5, BARE)
    assert evening.keeper.book.question is not None


def test_no_question_is_lost_to_a_hand_that_stays() -> None:
    """A hand that lies over the tray for good does not keep the question from being asked."""
    assert last_card_under_a_hand(12).keeper.book.question is not None


def test_a_question_does_not_wait_at_a_table_without_hands() -> None:
    """Nothing hides anything: people are asked three seconds after the last card was seen gone."""
    evening = Evening().lie(6, FIRST).lie(2, ONE_GONE).lie(2.5, BARE)
    assert evening.keeper.book.question is None
    evening.lie(1.5, BARE)
    assert evening.keeper.book.question is not None


def test_a_question_that_answered_itself_leaves_no_trace_on_the_screen() -> None:
    """Asked, then the hand goes and the card is read: all that a screen shows is what it shows where
    nobody was ever asked; the log keeps the question and its withdrawal."""
    asked, never = last_card_under_a_hand(12), last_card_under_a_hand(5)
    assert questions(asked) == 1
    assert asked.keeper.book.question is not None
    for evening in (asked, never):
        evening.lie(4, BARE, [30])
    assert asked.keeper.book.question is None
    assert questions(asked) == 1
    assert questions(never) == 0
    assert any(isinstance(entry.event, Retraction) for entry in asked.keeper.log.entries)
    view = View(camera={"state": "watching"})
    shown, plain = (
        scoreboard(evening.keeper, 1, view, tuple(range(8))) for evening in (asked, never)
    )
    assert shown == plain
