"""What the referee has learnt of this table: how it sets aside, how fast it plays, where people
sit."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.game.events import Handling
from companion.referee.weighing.hand_evidence import reaches
from companion.referee.weighing.pace import Pace
from companion.referee.weighing.seating import Seating
from companion.referee.weighing.weigh import Departure

KEPT = 100
"""FinishedRound rounds kept for a fit: no evening has more."""

LEARN_ABOVE = 0.95
NARROW_S = 1.5
"""A thinking time is learnt only from departures known so narrowly."""

TAKER_KEEPS, MOST_FLIGHTS = 0.3, 3
"""A taker's many hands, and the cards seen to go to that side, tell of one chair: they count for
less than so many people's."""

PLAIN_VIEW_S = 3.0
"""A card never seen in a tray that was in plain view for so long was set aside elsewhere."""


MOST = 60.0
"""Evidence is kept to so many cards, so that a table may change its ways."""


@dataclass(frozen=True, slots=True)
class HandlingHabit:
    """Weights of the three ways, in cards seen."""

    tray: float
    away: float
    down: float

    def shares(self, tray_in_view: bool) -> tuple[float, float, float]:
        """Probabilities of tray, away, face down; without a tray in view a tray counts as away."""
        tray, away = (self.tray, self.away) if tray_in_view else (0.0, self.away + self.tray)
        total = tray + away + self.down
        return tray / total, away / total, self.down / total

    def learn(self, tray: float, away: float, down: float) -> HandlingHabit:
        """This habit after a round in which so many cards were set aside each way."""
        total = self.tray + self.away + self.down
        keep = min(1.0, MOST / (total + 1e-9))
        return replace(
            self,
            tray=self.tray * keep + tray,
            away=self.away * keep + away,
            down=self.down * keep + down,
        )


def habit_at_first(handling: Handling, edition: str) -> HandlingHabit:
    """What to expect before the first card: told at set-up it weighs 20 cards
    (`reference/referee.md` 3b)."""
    if handling == "auto":
        return HandlingHabit(4.0, 0.3, 4.0) if edition == "de" else HandlingHabit(12.0, 0.3, 0.1)
    told = {
        "tray": HandlingHabit(20.0, 0.05, 0.02),
        "away": HandlingHabit(0.3, 20.0, 0.1),
        "face-down": HandlingHabit(0.1, 0.1, 20.0),
    }
    return told[handling]


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over and settled: its departures in order, of which the first `w` were wrong
    guesses."""

    row: tuple[Departure, ...]
    w: int
    attempts: int
    began_s: float

    def gaps(self) -> tuple[list[float], list[float]]:
        """Times known narrowly: before the guesses, and between the cards of the claim."""
        thought, grabbed = list[float](), list[float]()
        before_low = before_high = self.began_s
        for i, departure in enumerate(self.row):
            low, high = departure.low_s - before_high, departure.high_s - before_low
            if high - low < NARROW_S and (i < self.w or (i == self.w and self.w < self.attempts)):
                thought.append(max(0.0, (low + high) / 2))
            elif high - low < NARROW_S and i > self.w:
                grabbed.append(max(0.0, (low + high) / 2))
            before_low, before_high = departure.low_s, departure.high_s
        return thought, grabbed


class TableHabits:
    """Habit, pace and seating, fed by every finished round."""

    def __init__(self, players: int, handling: Handling, edition: str, dealer: int = 0) -> None:
        self.handling = habit_at_first(handling, edition)
        self.pace = Pace()
        self.seating = Seating(players, dealer)
        self.finished: deque[FinishedRound] = deque(maxlen=KEPT)
        self._edition = edition

    @property
    def turns_over(self) -> bool:
        """True when cards may be turned face down in their place."""
        return self._edition == "de" or self.handling.shares(True)[2] > 0.1

    def seat(self, players: int) -> None:
        """Another number of players sits down: where they sit is not known yet."""
        self.seating = Seating(players, self.seating.dealer % players)

    def learn(
        self, row: Sequence[Departure], w: int, attempts: int, began_s: float, sure: float
    ) -> None:
        """Take in a finished round: its departures in order, of which the first `w` were wrong
        guesses."""
        if sure < LEARN_ABOVE or not row:
            return
        tray = sum(1 for d in row[:w] if d.tray >= 2)
        down = sum(1 for d in row[:w] if d.down > 0.8)
        away = sum(
            1 for d in row[:w] if d.tray == 0 and d.down < 0.2 and d.tray_watched_s > PLAIN_VIEW_S
        )
        self.handling = self.handling.learn(tray, away, down)
        self.finished.append(FinishedRound(tuple(row), w, attempts, began_s))
        thought, grabbed = self.finished[-1].gaps()
        for gap in thought:
            self.pace = self.pace.learn(gap)
        for gap in grabbed:
            self.pace = self.pace.learn_grab(gap)
        self._learn_hands(row, w, attempts)

    def _learn_hands(self, row: Sequence[Departure], w: int, attempts: int) -> None:
        reached = reaches([d.visit for d in row])
        for (turn, from_deg), _ in reached:
            if turn < w:
                self.seating.learn_handed(turn, from_deg)
        taker = self.seating.lookout if w >= attempts else self.seating.spectator(w)
        taken = [(from_deg, weight) for (turn, from_deg), weight in reached if turn >= w]
        for from_deg, weight in taken:
            self.seating.learn_error(taker, from_deg)
            self.seating.learn(taker, from_deg, weight * len(taken) ** -TAKER_KEEPS)
        flown = [d.flown_deg for d in row[w:] if d.flown_deg is not None][:MOST_FLIGHTS]
        for to_deg in flown:
            self.seating.learn(taker, to_deg)
