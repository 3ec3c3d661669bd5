"""How long people take: before a guess, between two grabs of one claim, before the Lookout
collects.

Knows time distributions only. Their origin: `reference/referee.md` 3b and 5 (people's times there
are guesses; a wrong tempo costs questions, not points). `Pace.learn` moves the thinking time
towards the group at the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import erfc, exp, log, sqrt

SHORTEST_S = 0.12
"""No gap is known better than this: one frame at 8 a second."""


@dataclass(frozen=True, slots=True)
class Times:
    """A mixture of log-normal times, each (share, median_s, spread), over a thin floor for anything
    else."""

    parts: tuple[tuple[float, float, float], ...]
    floor_per_s: float = 0.0003

    def before(self, t_s: float) -> float:
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
        return log((self.before(high) - self.before(low)) / (high - low) + self.floor_per_s)

    def log_longer(self, t_s: float) -> float:
        """Log of the share of times longer than `t_s`."""
        return log(max(1.0 - self.before(t_s), 0.002))


STEADY = 0.25
"""Share of claims that are taken card by card, at one slow pace; in the others quick and slow grabs
mix. Without it a claim of 8 cards, each carried away in 2.2 s, weighed 6 % as six guesses and a
Lookout's collecting."""

AT_ONCE = 0.8
"""Share of Lookouts who take the two cards left over at once: nobody has to look whether the first
of them was right."""

THINK_WEIGHT, SPREAD_WEIGHT, GRAB_WEIGHT = 4.0, 6.0, 12.0
"""So many gaps is what is known beforehand worth."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The times of one table."""

    think: Times = Times(((0.93, 4.5, 0.85), (0.05, 0.9, 0.45)))
    grab: Times = Times(((0.6, 0.4, 0.55), (0.4, 1.4, 0.7)))
    collect: Times = Times(((1.0, 2.5, 0.8),))
    lift: Times = Times(((1.0, 2.5, 0.7),))
    think_mean: float = log(4.5)
    think_weight: float = THINK_WEIGHT
    think_square: float = SPREAD_WEIGHT * 0.75**2
    think_count: float = SPREAD_WEIGHT
    fast: float = 0.6 * GRAB_WEIGHT
    slow: float = 0.4 * GRAB_WEIGHT

    def rhythms(self) -> tuple[tuple[float, Times], ...]:
        """The times between two grabs of one claim, by the claim's rhythm: (share, times), mixed
        first."""
        slow = replace(self.grab, parts=((1.0, *self.grab.parts[1][1:]),))
        return (1.0 - STEADY, self.grab), (STEADY, slow)

    def collecting(self) -> Times:
        """The times between the two cards that the Lookout takes in the end."""
        fast, slow = self.grab.parts
        return replace(self.grab, parts=((AT_ONCE, *fast[1:]), (1.0 - AT_ONCE, *slow[1:])))

    def learn(self, gap_s: float) -> Pace:
        """This pace after one more surely known thinking time."""
        gap = log(min(max(gap_s, 0.5), 60.0))
        weight = min(self.think_weight + 1.0, 40.0)
        off = gap - self.think_mean
        mean = self.think_mean + off / weight
        keep = 40.0 / max(40.0, self.think_count + 1.0)
        square = (self.think_square + min(off * off, 2.0) * (weight - 1.0) / weight) * keep
        count = (self.think_count + 1.0) * keep
        spread = sqrt(square / count * (1.0 + 1.0 / weight))
        think = Times(((0.93, exp(mean), spread), (0.05, 0.9, 0.45)))
        return replace(
            self,
            think=think,
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
        keep = 60.0 / max(60.0, self.fast + self.slow + 1.0)
        fast, slow = (self.fast + share) * keep, (self.slow + 1.0 - share) * keep
        part = fast / (fast + slow)
        parts = ((part, *self.grab.parts[0][1:]), (1.0 - part, *self.grab.parts[1][1:]))
        return replace(self, grab=replace(self.grab, parts=parts), fast=fast, slow=slow)


def _normal(off: float, spread: float) -> float:
    return exp(-0.5 * (off / spread) ** 2) / spread
