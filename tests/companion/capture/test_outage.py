"""The camera is away for a while: people's taps count, the table is taken as it is found, and
nothing is lost in silence."""

from __future__ import annotations

import math

import pytest

from companion.practice.witness import Witness
from tests.support.played_outage import Evening, table, told


@pytest.mark.parametrize(("seed", "players"), [(41, 8), (44, 5), (45, 6)])
def test_a_round_kept_by_touch_while_the_camera_was_away_is_no_other_round(
    seed: int, players: int
) -> None:
    """Its deal and all its guesses were tapped: no later round is taken for it, none is invented,
    and nobody is asked."""
    script = table(seed, players)
    line = script.truth.rounds[1]
    evening = Evening(script, (line.dealt_s - 0.8, line.ended_s + 3), touch=True)
    assert not evening.play().book.pending_questions
    assert told(evening) == ["exact"] * 4
    assert len(evening.keeper.ledger.rounds) == 4


@pytest.mark.parametrize(("seed", "players"), [(42, 3), (43, 4), (45, 6)])
def test_the_camera_takes_up_a_round_that_was_begun_by_touch(seed: int, players: int) -> None:
    """It comes back when one wrong guess has been tapped and goes on from there: every line is
    exact, nobody is asked."""
    script = table(seed, players)
    line = script.truth.rounds[1]
    evening = Evening(script, (line.dealt_s - 4, line.guesses[0].at_s + 3), touch=True)
    assert not evening.play().book.pending_questions
    assert told(evening) == ["exact"] * 4


@pytest.mark.parametrize(("seed", "players"), [(42, 3), (46, 7), (49, 4)])
def test_the_next_deal_is_not_taken_for_a_round_that_nobody_ended(seed: int, players: int) -> None:
    """Tapped up to the last guess, which nobody tapped when the camera was back: the next deal is a
    round of its own, and people are asked about the one before."""
    script = table(seed, players)
    line = script.truth.rounds[1]
    evening = Evening(script, (line.dealt_s - 4, line.guesses[-1].at_s), touch=True)
    assert evening.play().book.pending_questions[2].question.asks == "missed_round"
    assert told(evening) == ["exact", "asked", "exact", "exact"]


@pytest.mark.parametrize("clock_s", [-3.15e8, -3600.0, 3600.0])
@pytest.mark.parametrize(("seed", "players"), [(42, 3), (43, 4), (45, 6)])
def test_a_clock_that_is_set_meanwhile_hides_no_round(
    seed: int, players: int, clock_s: float
) -> None:
    """While a round is kept by touch the computer learns the time, and the camera is back when the next
    one lies: set back by an hour, it was taken for the one that was tapped as long as it lay."""
    script = table(seed, players)
    tapped, following = script.truth.rounds[1:3]
    away_s = (tapped.dealt_s - 0.8, following.dealt_s + 0.5)
    evening = Evening(script, away_s, touch=True, clock_s=clock_s)
    evening.play()
    assert told(evening) == ["exact"] * 4


@pytest.mark.parametrize(("seed", "players"), [(42, 3), (47, 8), (48, 3)])
def test_a_round_that_nobody_saw_nor_tapped_is_asked_about(seed: int, players: int) -> None:
    """It was dealt and taken while the camera was away: its place is kept, so every later round has
    the right roles."""
    script = table(seed, players)
    line = script.truth.rounds[1]
    evening = Evening(script, (line.dealt_s - 4, line.ended_s + 4))
    evening.play()
    assert told(evening) == ["exact", "asked", "exact", "exact"]


@pytest.mark.parametrize(("seed", "players"), [(44, 5), (46, 7), (48, 3)])
def test_an_empty_tray_says_nothing_when_nobody_looked(seed: int, players: int) -> None:
    """Wrong guesses, claim and clearing up went by unseen: the round is asked about, not entered as
    claimed at once."""
    script = table(seed, players)
    line = script.truth.rounds[1]
    evening = Evening(script, (line.guesses[0].at_s - 2, line.ended_s + 8))
    evening.play()
    assert told(evening)[:2] == ["exact", "asked"]


def test_no_picture_is_shown_while_a_round_is_asked_about() -> None:
    """All its cards have gone, so the next ones may be drawn and looked at, though nobody has
    answered yet."""
    line = (script := table(48, 3)).truth.rounds[1]
    shown: list[bool] = []

    class Watched(Evening):
        def _look(self, *what) -> None:
            super()._look(*what)
            now = self.keeper.ledger.open_round
            if now is not None and now.number in self.keeper.book.pending_questions:
                shown.append(self.keeper.nothing_secret)

    Watched(script, (line.guesses[0].at_s - 2, line.ended_s + 8)).play()
    assert shown
    assert not any(shown)


@pytest.mark.parametrize(("seed", "players"), [(45, 6), (44, 5), (47, 8)])
@pytest.mark.parametrize("at_once", [True, False])
def test_two_rounds_that_nobody_saw_are_asked_about_as_two(
    seed: int, players: int, at_once: bool
) -> None:
    """Both went by while the camera was away: the question offers it, and answered, at once or at the
    end, the round after them has its own roles and points; undo takes the answer back as a whole."""
    script = table(seed, players)
    _, first, second, last = script.truth.rounds

    class Answering(Evening):
        def answer(self, t_s: float) -> None:
            question = self.keeper.book.pending_questions[2].question
            assert [o.key for o in question.options][1] == "missed_played_two"
            self.tap(t_s, "answer", question=question.id, option="missed_played_two")

        def _look(self, witness: Witness, t_s: float) -> None:
            super()._look(witness, t_s)
            if at_once and t_s > last.dealt_s + 4 and 2 in self.keeper.book.pending_questions:
                self.answer(t_s)

    evening = Answering(script, (first.dealt_s - 4, second.ended_s + 4))
    evening.play()
    if not at_once:
        evening.answer(script.duration_s)
    rounds = evening.keeper.ledger.rounds
    assert [one.voided for one in rounds] == [None, "out", "out", None]
    assert told(evening)[3] == "exact"
    if not at_once:
        evening.tap(script.duration_s + 1, "undo")
        assert len(evening.keeper.ledger.rounds) == 3
        assert 2 in evening.keeper.book.pending_questions


def test_a_short_absence_holds_one_round_at_most() -> None:
    """Nobody is asked about two rounds where only one had the time."""
    line = (script := table(42, 3)).truth.rounds[1]
    evening = Evening(script, (line.dealt_s - 4, line.ended_s + 4))
    question = evening.play().book.pending_questions[2].question
    assert [option.key for option in question.options] == ["missed_played", "missed_returned"]


def test_a_pause_hides_no_round() -> None:
    """An hour of dinner between two rounds: nobody is asked whether one was played."""
    script = table(44, 5)
    evening = Evening(script, (0.0, 0.0), dinner_s=script.truth.rounds[0].ended_s + 4)
    assert not evening.play().book.pending_questions
    assert told(evening) == ["exact"] * 4


@pytest.mark.parametrize("seed", [42, 47, 48])
def test_a_round_played_while_the_companion_was_off_is_asked_about(seed: int) -> None:
    """It ended before the deal and was started again after the claim: the round's place is kept, and
    every later one has the right roles."""
    script = table(seed, 5)
    line = script.truth.rounds[1]
    evening = Evening(script, (line.dealt_s - 4, line.ended_s + 4), restarted=True)
    evening.play()
    assert told(evening) == ["exact", "asked", "exact", "exact"]


@pytest.mark.parametrize(("seed", "parts"), [(42, (0.1, 0.7)), (47, (0.4, 0.95)), (48, (0.1, 0.4))])
def test_a_restart_asks_no_more_than_a_camera_that_was_away(
    seed: int, parts: tuple[float, ...]
) -> None:
    """Wherever in a round the companion is off for a moment, the table is taken as it is found."""
    script = table(seed, 4)
    for part in parts:
        line = script.truth.rounds[2]
        off_s = line.dealt_s + part * (line.ended_s - line.dealt_s)
        away = Evening(script, (off_s, off_s + 8))
        restarted = Evening(script, (off_s, off_s + 8), restarted=True)
        away.play()
        restarted.play()
        assert "wrong" not in told(restarted)
        assert told(restarted).count("asked") <= told(away).count("asked") + 1
        dates_s = [e.at_s for e in restarted.keeper.log.entries]
        assert min(dates_s) == 0.0


WRONG_NOTES = {
    "none": (-math.inf, 0.0),
    "of the future": (1e12, 0.0),
    "before the epoch": (-1e12, 0.0),
    "the clock an hour back": (None, -3600.0),
    "the clock an hour on": (None, 3600.0),
    "the clock ten years back, no note": (-math.inf, -3.15e8),
}


@pytest.mark.parametrize("wrong", WRONG_NOTES)
def test_a_wrong_note_of_the_last_look_hides_no_round(wrong: str) -> None:
    """A round was played while the companion was off: whatever note or clock say, its place is kept."""
    script = table(42, 5)
    line = script.truth.rounds[1]
    note_s, clock_s = WRONG_NOTES[wrong]
    evening = Evening(script, (line.dealt_s - 4, line.ended_s + 4), restarted=True)
    evening.note_s, evening.clock_s = note_s, clock_s
    evening.play()
    assert told(evening) == ["exact", "asked", "exact", "exact"]


@pytest.mark.parametrize("wrong", WRONG_NOTES)
@pytest.mark.parametrize("part", [0.1, 0.4, 1.3])
def test_a_wrong_note_of_the_last_look_costs_a_question_at_most(wrong: str, part: float) -> None:
    """Off for a moment in a round or after it: one question at most, and where it is whether a round went
    by, the evening is as it was played once they say no."""
    script = table(47, 4)
    line = script.truth.rounds[1]
    off_s = line.dealt_s + part * (line.ended_s - line.dealt_s)
    note_s, clock_s = WRONG_NOTES[wrong]
    evening = Evening(script, (off_s, off_s + 5), restarted=True)
    evening.note_s, evening.clock_s = note_s, clock_s
    evening.play()
    asked = [one.question for one in evening.keeper.book.pending_questions.values()]
    assert len(asked) <= 1
    if "missed_round" in [question.asks for question in asked]:
        evening.tap(script.duration_s, "answer", question=asked[0].id, option="missed_returned")
        ledger = evening.keeper.ledger
        kept = [ledger.gains(one) for one in ledger.rounds if one.ending != "void"]
        assert kept == [line.gains(4) for line in script.truth.rounds]
    else:
        assert "wrong" not in told(evening)
