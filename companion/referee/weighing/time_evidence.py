"""What time alone tells: how long people thought, grabbed and collected, and how long nothing has
happened since.

Knows the intervals in which cards left and the table's pace. Must not know places, trays or hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from companion.referee.departure import Departure
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.log_sum import log_sum

Gap = tuple[float, float]
"""The shortest and the longest time between two leavings that their intervals allow, in seconds."""


@dataclass(frozen=True, slots=True)
class TimeEvidence:
    """For each leaver the log density of the gap before it: as thinking before a guess, as a grab
    within a claim (by the claim's rhythm, with the log of the rhythm's share), as the Lookout's
    collecting."""

    think: tuple[float, ...]
    grabs: tuple[tuple[float, tuple[float, ...]], ...]
    first_collected: tuple[float, ...]
    collected: float
    idle_s: float

    @classmethod
    def of(cls, row: Sequence[Departure], context: RoundContext) -> TimeEvidence:
        """The times of this order of departures."""
        pace, most = context.pace, context.attempts
        gaps = [gap_before(i, row, context.began_s) for i in range(len(row))]
        collecting = pace.collecting()
        return cls(
            tuple(pace.think.log_density(*gap) for gap in gaps),
            tuple(
                (log(share), tuple(times.log_density(*gap) for gap in gaps))
                for share, times in pace.rhythms()
            ),
            tuple(pace.collect.log_density(*gap) for gap in gaps[most : most + 1]),
            sum(collecting.log_density(*gap) for gap in gaps[most + 1 :]),
            context.now_s - row[-1].high_s,
        )


def gap_before(i: int, row: Sequence[Departure], began_s: float) -> Gap:
    """The time between the leaver before and this one; before the first one, since the deal."""
    this = row[i]
    if i == 0:
        return this.low_s - began_s, this.high_s - began_s
    return this.low_s - row[i - 1].high_s, this.high_s - row[i - 1].low_s


def log_time(hypothesis: Hypothesis, times: TimeEvidence, context: RoundContext) -> float:
    """How well the times between the leavings fit, and the time since the last one."""
    wrong, pace = hypothesis.wrong_count, context.pace
    total = sum(times.think[:wrong])
    if hypothesis.stage == "open":
        return total + pace.think.log_longer(times.idle_s)
    if hypothesis.stage == "lifted":
        return total + times.think[wrong] + pace.lift.log_longer(times.idle_s)
    if context.lookout_takes(hypothesis):
        total += times.first_collected[0] + times.collected
    else:
        claim = log_sum([share + sum(grabs[wrong + 1 :]) for share, grabs in times.grabs])
        total += times.think[wrong] + claim
    if hypothesis.stage == "taking":
        total += pace.grab.log_longer(times.idle_s)
    return total
