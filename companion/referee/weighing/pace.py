"""How long people take: before a guess, between two grabs of one claim, before the Lookout collects.

Knows time distributions only. Nobody's times were measured at a real table: these were chosen, and
varied in the simulator: a wrong tempo costs questions, not points (`README.md`). The thinking time
and the share of quick grabs move towards the group at the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import erfc, exp, log, sqrt

SHORTEST_S = 0.12
"""No gap is known better than this: one frame at 8 a second."""


@dataclass(frozen=True, slots=True)
class TimeMixture:
    """A mixture of log-normal times, each (share, median_s, spread of the logarithm), over a thin floor
    for anything else."""

    parts: tuple[tuple[float, float, float], ...]
    floor_per_s: float = 0.0003
    never_share: float = 0.002
    """Whatever time has passed, so large a share takes longer."""

    def share_within(self, t_s: float) -> float:
        """Share of times shorter than `t_s`."""
        if t_s <= 1e-9:
            return 0.0
        return sum(
            share * 0.5 * erfc(-(log(t_s / median) / spread) / sqrt(2))
            for share, median, spread in self.parts
        )

    def log_density(self, low_s: float, high_s: float) -> float:
        """Log of the mean density between two times; a narrow interval is widened, a negative one
        starts at zero."""
        low, high = max(0.0, low_s), max(0.0, high_s)
        if high - low < SHORTEST_S:
            middle = max(SHORTEST_S / 2, (low + high) / 2)
            low, high = middle - SHORTEST_S / 2, middle + SHORTEST_S / 2
        mass = self.share_within(high) - self.share_within(low)
        return log(mass / (high - low) + self.floor_per_s)

    def log_longer(self, t_s: float) -> float:
        """Log of the share of times longer than `t_s`."""
        return log(max(1.0 - self.share_within(t_s), self.never_share))


@dataclass(frozen=True, slots=True)
class PaceModel:
    """What is known of people's times before a table was watched, all chosen.

    Thinking: most guesses take a median of 4.5 s, one in twenty comes quickly after the last. Within a
    claim quick grabs and slow ones mix; `steady_share` of the claims are taken card by card at one slow
    pace (without it a claim of 8 cards, each carried away in 2.2 s, weighed 6 % as six guesses and a
    Lookout's collecting). `at_once_share` of the Lookouts take the two cards left over at once, for
    nobody has to look whether the first of them was right. `think_weight`, `spread_weight` and
    `grab_weight`: so many gaps is this worth against those seen at the table; at most `most_gaps` and
    `most_grabs` seen ones are kept, so that a table may change.
    """

    think: tuple[float, float, float] = (0.93, 4.5, 0.85)
    quick: tuple[float, float, float] = (0.05, 0.9, 0.45)
    fast_grab: tuple[float, float, float] = (0.6, 0.4, 0.55)
    slow_grab: tuple[float, float, float] = (0.4, 1.4, 0.7)
    collect: tuple[float, float, float] = (1.0, 2.5, 0.8)
    lift: tuple[float, float, float] = (1.0, 2.5, 0.7)
    steady_share: float = 0.25
    at_once_share: float = 0.8
    think_weight: float = 4.0
    spread_weight: float = 6.0
    spread: float = 0.75
    grab_weight: float = 12.0
    most_gaps: float = 40.0
    most_grabs: float = 60.0
    shortest_think_s: float = 0.5
    longest_think_s: float = 60.0
    largest_square: float = 2.0


PACE_MODEL = PaceModel()


@dataclass(frozen=True, slots=True)
class Pace:
    """The times of one table: their distributions, and what they were learnt from (the mean of the
    logarithms of thinking times with its weight, their squares with their count, fast and slow grabs
    counted)."""

    think: TimeMixture = TimeMixture((PACE_MODEL.think, PACE_MODEL.quick))
    grab: TimeMixture = TimeMixture((PACE_MODEL.fast_grab, PACE_MODEL.slow_grab))
    collect: TimeMixture = TimeMixture((PACE_MODEL.collect,))
    lift: TimeMixture = TimeMixture((PACE_MODEL.lift,))
    think_mean: float = log(PACE_MODEL.think[1])
    think_weight: float = PACE_MODEL.think_weight
    think_square: float = PACE_MODEL.spread_weight * PACE_MODEL.spread**2
    think_count: float = PACE_MODEL.spread_weight
    fast: float = PACE_MODEL.fast_grab[0] * PACE_MODEL.grab_weight
    slow: float = PACE_MODEL.slow_grab[0] * PACE_MODEL.grab_weight

    def rhythms(self) -> tuple[tuple[float, TimeMixture], ...]:
        """The times between two grabs of one claim, by the claim's rhythm: (share, times), mixed
        first."""
        slow = replace(self.grab, parts=((1.0, *self.grab.parts[1][1:]),))
        return (1.0 - PACE_MODEL.steady_share, self.grab), (PACE_MODEL.steady_share, slow)

    def collecting(self) -> TimeMixture:
        """The times between the two cards that the Lookout takes in the end."""
        fast, slow = self.grab.parts
        at_once = PACE_MODEL.at_once_share
        return replace(self.grab, parts=((at_once, *fast[1:]), (1.0 - at_once, *slow[1:])))

    def learn_thinking(self, gap_s: float) -> Pace:
        """This pace after one more surely known thinking time."""
        gap = log(min(max(gap_s, PACE_MODEL.shortest_think_s), PACE_MODEL.longest_think_s))
        weight = min(self.think_weight + 1.0, PACE_MODEL.most_gaps)
        off = gap - self.think_mean
        mean = self.think_mean + off / weight
        keep = PACE_MODEL.most_gaps / max(PACE_MODEL.most_gaps, self.think_count + 1.0)
        error = min(off * off, PACE_MODEL.largest_square) * (weight - 1.0) / weight
        square = (self.think_square + error) * keep
        count = (self.think_count + 1.0) * keep
        spread = sqrt(square / count * (1.0 + 1.0 / weight))
        return replace(
            self,
            think=TimeMixture(((PACE_MODEL.think[0], exp(mean), spread), PACE_MODEL.quick)),
            think_mean=mean,
            think_weight=weight,
            think_square=square,
            think_count=count,
        )

    def learn_grab(self, gap_s: float) -> Pace:
        """This pace after one more surely known gap within a claim."""
        gap = max(gap_s, SHORTEST_S)
        fast, slow = (_normal(log(gap / median), spread) for _, median, spread in self.grab.parts)
        share = self.fast * fast / (self.fast * fast + self.slow * slow + 1e-12)
        keep = PACE_MODEL.most_grabs / max(PACE_MODEL.most_grabs, self.fast + self.slow + 1.0)
        fast = (self.fast + share) * keep
        slow = (self.slow + 1.0 - share) * keep
        part = fast / (fast + slow)
        parts = ((part, *self.grab.parts[0][1:]), (1.0 - part, *self.grab.parts[1][1:]))
        return replace(self, grab=replace(self.grab, parts=parts), fast=fast, slow=slow)


def _normal(off: float, spread: float) -> float:
    """Height of a normal density, but for a constant factor."""
    return exp(-0.5 * (off / spread) ** 2) / spread
