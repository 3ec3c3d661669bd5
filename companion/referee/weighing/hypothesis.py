"""What may have happened in a round, as far as points go: one integer, and how far the round is.

Given the order in which cards left the middle, the score is fixed by how many of the first leavers
were wrong guesses. So a round of N cards has N - 1 hypotheses when the middle is empty and at most
N + 1 before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.referee.weighing.pace import Pace
from companion.referee.weighing.seating import Seating
from companion.referee.weighing.tray_silence import PLAIN_TRAY, TrayHides

Stage = Literal["ended", "open", "taking", "lifted"]
"""The round ended with a taking of all the rest; it goes on; somebody is taking the rest just now;
or it goes on and the last leaver was only lifted and comes back."""

UNLIMITED = 99


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """The first `wrong_count` leavers were wrong guesses, and the round is at this stage."""

    wrong_count: int
    stage: Stage

    @property
    def rest_is_taken(self) -> bool:
        """True when every later leaver was taken by one person."""
        return self.stage in ("ended", "taking")


@dataclass(frozen=True, slots=True)
class RoundContext:
    """What the weighing needs besides the departures.

    `ways`: this table's shares of setting aside on the tray, out of view, and face down. `least` and
    `most`: bounds on the wrong count by a person's word. `idle_hands`: when hands came over the cards
    that took none, and from where, in degrees. `hides`: how likely the tray hides a card that came.
    """

    cards: int
    attempts: int
    began_s: float
    now_s: float
    pace: Pace
    seating: Seating | None
    ways: tuple[float, float, float]
    least: int = 0
    most: int = UNLIMITED
    idle_hands: tuple[tuple[float, float], ...] = ()
    hides: TrayHides = PLAIN_TRAY

    def lookout_takes(self, hypothesis: Hypothesis) -> bool:
        """True when every attempt was wrong, so that the rest goes to the Lookout."""
        return hypothesis.wrong_count >= self.attempts

    def taker(self, hypothesis: Hypothesis, seating: Seating) -> int:
        """The seat that takes the rest."""
        if self.lookout_takes(hypothesis):
            return seating.lookout
        return seating.spectator(hypothesis.wrong_count)
