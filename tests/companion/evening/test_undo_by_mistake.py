"""An Undo that nobody meant, and its Redo a moment later: the evening goes on as if neither had been."""

from __future__ import annotations

from typing import Any

import pytest

from companion.evening.book import FilmTime
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes, correct_round, insert_round
from companion.game.events import EveningBegun, RoundDealt
from companion.practice.witness import Witness
from tests.support.kept_evening import NAMES, KeptEvening
from tests.support.played_outage import Evening, table, told
from tests.support.tablet_states import asked


class Mistaken(Evening):
    """At each of these times somebody does what was not meant, and takes it back `LATER_S` later: Undo
    and Redo."""

    does, takes_back = "undo", "redo"

    LATER_S = 2.5
    at_s: tuple[float, ...] = ()
    done = 0
    undone_s: float | None = None

    def _look(self, witness: Witness, t_s: float) -> None:
        super()._look(witness, t_s)
        if self.done < len(self.at_s) and t_s >= self.at_s[self.done]:
            self._tap_by_mistake(t_s)

    def do(self, t_s: float) -> None:
        self.tap(t_s, self.does)

    def _tap_by_mistake(self, t_s: float) -> None:
        if self.undone_s is None:
            self.do(t_s)
            self.undone_s = t_s
        elif t_s >= self.undone_s + self.LATER_S:
            self.tap(t_s, self.takes_back)
            self.undone_s = None
            self.done += 1


@pytest.mark.parametrize("seed", range(61, 67))
@pytest.mark.parametrize("players", [3, 5])
def test_an_undo_that_is_redone_costs_no_round(seed: int, players: int) -> None:
    """Just after a deal, in the middle of the guesses, and while the last card is being taken: every
    round is exact, and nobody is asked."""
    script = table(seed, players)
    first, second, third, _ = script.truth.rounds
    evening = Mistaken(script, (0.0, 0.0))
    evening.at_s = (
        first.dealt_s + 2,
        (second.dealt_s + second.ended_s) / 2,
        third.guesses[-1].at_s - 1,
    )
    assert not evening.play().book.pending_questions
    assert evening.done == 3
    assert told(evening) == ["exact"] * 4


@pytest.mark.parametrize("seed", [62, 64, 67])
def test_an_ending_that_was_undone_is_asked_about(seed: int) -> None:
    """Nobody redoes it: who took the clouds is asked, and the next round is entered as it is played."""
    script = table(seed, 3)
    evening = Mistaken(script, (0.0, 0.0))
    evening.LATER_S = 1e9
    evening.at_s = (script.truth.rounds[2].ended_s + 4,)
    evening.play()
    assert told(evening) == ["exact", "exact", "asked", "exact"]


class Corrected(Mistaken):
    """At each of these times somebody corrects the round that is `back` before the newest, or says that
    one was played before the newest, and takes it back with Undo."""

    LATER_S = 1.0
    takes_back = "undo"
    back = 0
    inserts = False

    def do(self, t_s: float) -> None:
        keeper = self.keeper
        number = max(1, len(keeper.ledger.rounds) - self.back)
        round_ = keeper.ledger.rounds[number - 1]
        right = ((None, True),)
        changes = (
            insert_round(number, right, (None,) * keeper.ledger.draw)
            if self.inserts
            else correct_round(keeper.log, number, right)
        )
        if isinstance(changes, Changes) and changes.empty:  # somebody was right at once
            wrong = next(card for card in round_.known_cards if card is not None)
            changes = correct_round(keeper.log, number, ((wrong, False), *right))
        assert isinstance(keeper.change(changes, t_s), tuple)


@pytest.mark.parametrize("seed", range(61, 65))
@pytest.mark.parametrize(("back", "inserts"), [(0, False), (1, False), (0, True)])
def test_a_correction_that_is_undone_costs_no_round(seed: int, back: int, inserts: bool) -> None:
    """Of the round that lies or of the one before, or a round put in between: the camera goes on as if
    nobody had said anything."""
    script = table(seed, 5)
    _, second, third, last = script.truth.rounds
    evening = Corrected(script, (0.0, 0.0))
    evening.back, evening.inserts = back, inserts
    evening.at_s = (second.ended_s + 4, third.guesses[-1].at_s - 1, last.dealt_s + 2)
    assert not evening.play().book.pending_questions
    assert evening.done == 3
    assert told(evening) == ["exact"] * 4


@pytest.mark.parametrize("seed", [61, 64])
def test_a_correction_of_an_earlier_round_costs_no_other(seed: int) -> None:
    """It stands, and what lies there now is followed on."""
    script = table(seed, 5)
    evening = Corrected(script, (0.0, 0.0))
    evening.back, evening.LATER_S = 1, 1e9
    evening.at_s = (script.truth.rounds[2].guesses[-1].at_s - 1,)
    evening.play()
    assert evening.keeper.ledger.rounds[1].corrected
    assert [what for number, what in enumerate(told(evening), 1) if number != 2] == ["exact"] * 3


def _next_round_lies(evening: KeptEvening) -> dict[str, Any]:
    """The scoreboard once nobody did anything more and another round lies there."""
    seen = evening.session.keeper.ledger.seen
    cards = [card for card in range(20, 81) if card not in seen]
    return evening.lie(40).lie(8, *cards[: evening.session.keeper.ledger.draw]).board


@pytest.mark.parametrize("act", ["answer", "right"])
def test_an_answer_that_was_taken_back_leaves_the_question(act: str) -> None:
    """With the next cards it is as if nobody had answered: the likelier telling counts meanwhile, and both
    are offered. It was called unseen, and did not count."""
    evening = asked(KeptEvening(NAMES))
    question = evening.board["question"]
    evening.do(act, **({"question": question["id"], "option": 1} if act == "answer" else {}))
    evening.do("undo")
    board = _next_round_lies(evening)
    assert board["question"]["asks"] == "who_took"
    assert board["question"]["options"] == question["options"]
    assert board["rounds"][-2]["ending"] == "claimed"


def test_a_tap_that_was_taken_back_says_nothing() -> None:
    """Somebody tapped too early: what the camera then sees is entered, as if nobody had."""
    evening = KeptEvening(NAMES).play(phase="secret", handling="away").watched()
    evening.lie(6, *evening.fresh_cards).do("right").do("undo").lie(12)
    assert evening.board["rounds"][-1]["ending"] == "claimed"
    assert evening.board["question"] is None


def test_what_was_seen_and_taken_back_is_asked_about_and_not_called_unseen() -> None:
    """The camera saw who took the clouds, people took that back and played on: they are asked who it was,
    and what they took back is not entered again."""
    evening = KeptEvening(NAMES).play(phase="secret", handling="away").watched()
    evening.lie(6, *evening.fresh_cards).lie(12)
    first = evening.board["last"]["seat"]
    board = _next_round_lies(evening.do("undo"))
    assert board["question"]["asks"] == "who_took"
    assert first in {option["seat"] for option in board["question"]["options"]}
    assert board["rounds"][-2]["ending"] == "claimed"
    assert board["rounds"][-2]["gains"][first] == 0


def test_a_question_outlives_what_is_said_and_taken_back() -> None:
    """A round is put in before the one that is asked about, and taken out again: it is asked about
    still, and the next rounds are entered."""
    script = table(42, 5)
    line = script.truth.rounds[1]
    evening = Corrected(script, (line.dealt_s - 4, line.ended_s + 4))
    evening.back, evening.inserts = 1, True
    evening.at_s = (script.truth.rounds[2].dealt_s + 3,)
    evening.play()
    assert told(evening) == ["exact", "asked", "exact", "exact"]


def test_an_open_round_that_nobody_knows_more_of_is_asked_about() -> None:
    """The next deal is never refused for it."""
    keeper = Scorekeeper()
    names = ("Ada", "Ben", "Cleo", "Dan")
    keeper.change(Changes((EveningBegun(names, 0),)), 0.0)
    keeper.change(Changes((RoundDealt(1, (1, 2, 3, 4)),)), 1.0)
    keeper.book.settle_before(2, FilmTime(60.0, 0.0))
    assert list(keeper.book.pending_questions) == [1]
    assert keeper.ledger.open_round is None
