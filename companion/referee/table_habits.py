"""What the referee has learnt of this table: how it sets aside, how fast it plays, where people
sit."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.game.events import Handling
from companion.referee.departure import Departure
from companion.referee.weighing.hand_evidence import weighted_reaches
from companion.referee.weighing.pace import Pace
from companion.referee.weighing.picture_evidence import pictured_unread
from companion.referee.weighing.seating import Seating
from companion.referee.weighing.tray_silence import TrayReading


@dataclass(frozen=True, slots=True)
class LearningModel:
    """From which rounds and how fast a table's habits are learnt; chosen.

    Only from rounds stated surer than `learn_above`, and times only from departures known to `narrow_s`.
    Evidence of the ways of setting aside is kept to `most_cards`, so that a table may change its ways. A
    card was turned over above `surely_down_share`, and not below `surely_up_share`; one never seen in a
    tray that was in plain view for `plain_view_s` was set aside elsewhere. Cards may be turned over in
    their places at a table that did so with more than `turns_over_share`. A taker's many hands count to
    this power (`taker_power`) and `most_exits` of the cards seen to go to that side count at all: they
    tell of one chair, less than so many people's.
    """

    learn_above: float = 0.95
    narrow_s: float = 1.5
    most_cards: float = 60.0
    surely_down_share: float = 0.8
    surely_up_share: float = 0.2
    plain_view_s: float = 3.0
    turns_over_share: float = 0.1
    taker_power: float = -0.3
    most_exits: int = 3
    rounds_kept: int = 100
    """For a fit; no evening has more."""


LEARNING_MODEL = LearningModel()


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

    def learn_cards(self, tray: float, away: float, down: float) -> HandlingHabit:
        """This habit after a round in which so many cards were set aside each way."""
        total = self.tray + self.away + self.down
        keep = min(1.0, LEARNING_MODEL.most_cards / (total + 1e-9))
        return replace(
            self,
            tray=self.tray * keep + tray,
            away=self.away * keep + away,
            down=self.down * keep + down,
        )


HABIT_TOLD: dict[Handling, HandlingHabit] = {
    "tray": HandlingHabit(20.0, 0.05, 0.02),
    "away": HandlingHabit(0.3, 20.0, 0.1),
    "face-down": HandlingHabit(0.1, 0.1, 20.0),
}
"""What was told at set-up weighs 20 cards. Against finding it out this is worth six rounds in a hundred
with a tray in an evening of three rounds, two out of view, three face down (180 rowdy rounds each)."""

HABIT_UNTOLD = HandlingHabit(12.0, 0.3, 0.1)
HABIT_UNTOLD_GERMAN = HandlingHabit(4.0, 0.3, 4.0)
"""What is expected where nothing was told; the German rules turn cards over in their places."""


def habit_at_first(handling: Handling, edition: str) -> HandlingHabit:
    """What to expect before the first card."""
    if handling == "auto":
        return HABIT_UNTOLD_GERMAN if edition == "de" else HABIT_UNTOLD
    return HABIT_TOLD[handling]


USES_TRAY_SHARE = 0.8
"""A table that sets aside in the tray so often did so with a wrong card that nobody saw anywhere."""


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over and settled: its departures in order, of which the first `wrong_count` were wrong
    guesses."""

    row: tuple[Departure, ...]
    wrong_count: int
    attempts: int
    began_s: float

    def gaps(self) -> tuple[list[float], list[float]]:
        """Times known narrowly: before the guesses, and between the cards of the claim."""
        thought, grabbed = list[float](), list[float]()
        before_low = self.began_s
        before_high = self.began_s
        for i, departure in enumerate(self.row):
            low, high = departure.low_s - before_high, departure.high_s - before_low
            guessed = i < self.wrong_count or (
                i == self.wrong_count and self.wrong_count < self.attempts
            )
            if high - low < LEARNING_MODEL.narrow_s and guessed:
                thought.append(max(0.0, (low + high) / 2))
            elif high - low < LEARNING_MODEL.narrow_s and i > self.wrong_count:
                grabbed.append(max(0.0, (low + high) / 2))
            before_low, before_high = departure.low_s, departure.high_s
        return thought, grabbed


class TableHabits:
    """Habit, pace and seating, fed by every finished round."""

    def __init__(self, players: int, handling: Handling, edition: str, daydreamer: int = 0) -> None:
        self.handling = habit_at_first(handling, edition)
        self.pace = Pace()
        self.seating = Seating(players, daydreamer)
        self.tray_reading = TrayReading()
        self.finished: deque[FinishedRound] = deque(maxlen=LEARNING_MODEL.rounds_kept)
        self._edition = edition
        self._told = handling

    @property
    def turns_over(self) -> bool:
        """True when cards may be turned face down in their place."""
        return (
            self._edition == "de" or self.handling.shares(True)[2] > LEARNING_MODEL.turns_over_share
        )

    def expect_rules(self, handling: Handling, edition: str) -> None:
        """Wrong cards are handled so: where that is news, what was learnt of them is void."""
        if (handling, edition) != (self._told, self._edition):
            self.handling = habit_at_first(handling, edition)
            self._told = handling
            self._edition = edition

    def seat_anew(self, players: int) -> None:
        """Another number of players sits down: where they sit is not known yet."""
        self.seating = Seating(players, self.seating.daydreamer % players)

    def learn_round(
        self,
        row: Sequence[Departure],
        wrong_count: int,
        attempts: int,
        began_s: float,
        sure: float,
        piled: bool = False,
    ) -> None:
        """Take in a finished round: its departures in order, of which the first `wrong_count` were wrong
        guesses; `piled`: cards in the tray lay over one another."""
        if sure < LEARNING_MODEL.learn_above or not row:
            return
        tray = sum(1 for d in row[:wrong_count] if d.rests_in_tray)
        down = sum(
            1 for d in row[:wrong_count] if d.place.face_down > LEARNING_MODEL.surely_down_share
        )
        away = sum(
            1
            for d in row[:wrong_count]
            if d.tray.level == 0
            and d.place.face_down < LEARNING_MODEL.surely_up_share
            and d.tray.watched_s > LEARNING_MODEL.plain_view_s
            and not d.tray.picture.came
            and not d.tray.picture.brought_beyond
            and not pictured_unread(d.tray)
            and not (tray and piled)
        )
        self.handling = self.handling.learn_cards(tray, away, down)
        self._learn_tray(row[:wrong_count], piled)
        self.finished.append(FinishedRound(tuple(row), wrong_count, attempts, began_s))
        thought, grabbed = self.finished[-1].gaps()
        for gap in thought:
            self.pace = self.pace.learn_thinking(gap)
        for gap in grabbed:
            self.pace = self.pace.learn_grab(gap)
        self._learn_hands(row, wrong_count, attempts)

    def _learn_tray(self, aside: Sequence[Departure], piled: bool) -> None:
        """How many of the cards that surely came to the tray were read there."""
        uses_tray = (
            any(d.rests_in_tray for d in aside) or self.handling.shares(True)[0] > USES_TRAY_SHARE
        )
        for turn, departure in enumerate(aside):
            read = departure.rests_in_tray
            came = departure.tray.picture.came or pictured_unread(departure.tray)
            picture = departure.tray.picture
            if uses_tray and picture.cut_off and (read or came or picture.brought_beyond):
                self.tray_reading = self.tray_reading.learn_part(read or came)
            if read or came or (uses_tray and piled and not picture.cut_off):
                self.tray_reading = self.tray_reading.learn_card(read, turn == 0, piled)

    def _learn_hands(self, row: Sequence[Departure], wrong_count: int, attempts: int) -> None:
        reached = weighted_reaches([d.visit for d in row])
        for (turn, from_deg), _ in reached:
            if turn < wrong_count:
                self.seating.learn_mover(turn, from_deg)
        taker = (
            self.seating.lookout if wrong_count >= attempts else self.seating.spectator(wrong_count)
        )
        taken = [(from_deg, weight) for (turn, from_deg), weight in reached if turn >= wrong_count]
        for from_deg, weight in taken:
            self.seating.learn_direction_error(taker, from_deg)
            self.seating.learn_direction(
                taker, from_deg, weight * len(taken) ** LEARNING_MODEL.taker_power
            )
        exits = [d.outside.exit_deg for d in row[wrong_count:] if d.outside.exit_deg is not None][
            : LEARNING_MODEL.most_exits
        ]
        for to_deg in exits:
            self.seating.learn_direction(taker, to_deg)
