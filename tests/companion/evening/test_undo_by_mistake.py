"""An Undo that nobody meant, and its Redo a moment later: the evening goes on as if neither had been."""

from __future__ import annotations

import pytest

from companion.practice.witness import Witness
from tests.support.played_outage import Evening, table, told


class Mistaken(Evening):
    """At each of these times somebody taps Undo, and Redo `LATER_S` later."""

    LATER_S = 2.5
    at_s: tuple[float, ...] = ()
    done = 0
    undone_s: float | None = None

    def _look(self, witness: Witness, t_s: float) -> None:
        super()._look(witness, t_s)
        if self.done < len(self.at_s) and t_s >= self.at_s[self.done]:
            self._tap_by_mistake(t_s)

    def _tap_by_mistake(self, t_s: float) -> None:
        if self.undone_s is None:
            self.tap(t_s, "undo")
            self.undone_s = t_s
        elif t_s >= self.undone_s + self.LATER_S:
            self.tap(t_s, "redo")
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
