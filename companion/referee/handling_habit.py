"""How this table sets a wrong card aside: on the tray, out of view, or face down in its place.

Starts from what was chosen at set-up (or from what lies on the table) and is fed by every finished
round.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Handling = Literal["auto", "tray", "away", "face-down"]

MOST = 60.0
"""Evidence is kept to so many cards, so that a table may change its ways."""


@dataclass(frozen=True, slots=True)
class Habit:
    """Weights of the three ways, in cards seen."""

    tray: float
    away: float
    down: float

    def shares(self, tray_in_view: bool) -> tuple[float, float, float]:
        """Probabilities of tray, away, face down; without a tray in view a tray counts as away."""
        tray, away = (self.tray, self.away) if tray_in_view else (0.0, self.away + self.tray)
        total = tray + away + self.down
        return tray / total, away / total, self.down / total

    def learn(self, tray: float, away: float, down: float) -> Habit:
        """This habit after a round in which so many cards were set aside each way."""
        total = self.tray + self.away + self.down
        keep = min(1.0, MOST / (total + 1e-9))
        return replace(
            self,
            tray=self.tray * keep + tray,
            away=self.away * keep + away,
            down=self.down * keep + down,
        )


def habit_at_first(handling: Handling, edition: str) -> Habit:
    """What to expect before the first card: told at set-up it weighs 20 cards
    (`reference/referee.md` 3b)."""
    if handling == "auto":
        return Habit(4.0, 0.3, 4.0) if edition == "de" else Habit(12.0, 0.3, 0.1)
    told = {
        "tray": Habit(20.0, 0.05, 0.02),
        "away": Habit(0.3, 20.0, 0.1),
        "face-down": Habit(0.1, 0.1, 20.0),
    }
    return told[handling]
