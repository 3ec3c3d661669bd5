"""When nobody looked: the last long pause between two looks, in which anything may have happened.

Knows times only. What people tapped meanwhile shortens it: they were there and said what there was
to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf


class LongPause:
    """Follows the looks at the table; pauses of more than `longest_s` hide what people do."""

    def __init__(self, longest_s: float) -> None:
        self._longest_s = longest_s
        self._looked_s: float | None = None
        self.from_s = 0.0
        self.to_s = 0.0
        """The last pause; equal to its beginning while there was none."""

    def note_look(self, t_s: float) -> float:
        """Take the time of a look; how long nobody had looked before it, 0.0 for no longer than
        usual."""
        before_s, self._looked_s = self._looked_s, t_s
        if before_s is None or t_s - before_s <= self._longest_s:
            return 0.0
        self.from_s = before_s
        self.to_s = t_s
        return t_s - before_s

    def note_person(self, t_s: float | None) -> None:
        """A person said how things stand at `t_s`: nothing before that is hidden. None: nobody
        plays until the next look."""
        if self._looked_s is not None:
            self._looked_s = max(self._looked_s, t_s) if t_s is not None else None

    def count_hidden(self, between_s: Iterable[tuple[float, float]]) -> int:
        """How many of these, each somewhen between two times, may have happened in the last pause."""
        return (
            sum(low_s < self.to_s and high_s > self.from_s for low_s, high_s in between_s)
            if self.to_s > self.from_s
            else 0
        )


@dataclass(frozen=True, slots=True)
class RoundTimes:
    """How long a round takes at least, in seconds. `round_s` and `between_s` were measured: the
    fastest of 240 rounds of the practice table took 15.2 s from its first card, and 29.3 s from the
    end of the one before to its own. `away_s` was chosen."""

    away_s: float = 4.0
    """A longer pause between two looks hides what people did meanwhile; the picture hunts, hangs or
    is covered for less."""
    round_s: float = 15.0
    """From its first card to its end a round takes as long at least."""
    between_s: float = 13.0
    """And so much longer from the end of the one before, or until the next one lies."""


ROUND_TIMES = RoundTimes()


class UnwatchedTime:
    """For how long, since the last deal, nobody looked while a next round may have been played."""

    def __init__(self) -> None:
        self.pause = LongPause(ROUND_TIMES.away_s)
        self.away_s = 0.0
        self._next_s = -inf

    def note_look(self, t_s: float, playing: bool) -> bool:
        """Take a look at `t_s`; True when nobody had looked for long before it. While a round is
        `playing`, what happens while nobody looks is that round's."""
        pause_s = self.pause.note_look(t_s)
        if playing:
            self._next_s = t_s + ROUND_TIMES.between_s
            return False
        if pause_s:
            self.away_s += max(0.0, t_s - max(self.pause.from_s, self._next_s))
        return pause_s > 0.0

    def note_person(self, t_s: float | None) -> None:
        """A person spoke of a round at `t_s`: the next one is not dealt at once. None: nobody plays
        until the next look."""
        self.pause.note_person(t_s)
        self._next_s = self._next_s if t_s is None else t_s + ROUND_TIMES.between_s

    def most_rounds(self, before_s: float, laid_in_sight: bool) -> int:
        """How many whole rounds had time to go by unseen before the deal that lies now;
        `before_s`: for how long nobody looked while the round before it was played to its end;
        `laid_in_sight`: its cards were laid after the last pause."""
        hidden_s = self.away_s + max(0.0, before_s - ROUND_TIMES.between_s)
        after_first_s = (
            hidden_s - ROUND_TIMES.round_s - (0.0 if laid_in_sight else ROUND_TIMES.between_s)
        )
        if after_first_s < 0:
            return 0
        return 1 + int(after_first_s // (ROUND_TIMES.between_s + ROUND_TIMES.round_s))

    def forget_unwatched(self) -> None:
        """Another deal is waited for."""
        self.away_s = 0.0
