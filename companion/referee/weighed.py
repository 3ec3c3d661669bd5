"""A round after its weighing: every hypothesis with its probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.referee.departure import Departure
from companion.referee.weighing.confidence import Witness
from companion.referee.weighing.hypothesis import Hypothesis
from companion.referee.weighing.tray_silence import PLAIN_TRAY, TrayHides

SHOW_ABOVE = 0.8
"""A wrong guess is shown while the round is open above this (chosen: what is shown is free to change)."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The departures in their likeliest order, every hypothesis with its probability (none when a
    person's word excludes them all), what testifies at this table, and how likely its tray hides a card."""

    row: Sequence[Departure]
    shares: Mapping[Hypothesis, float]
    witness: Witness = "away"
    hides: TrayHides = PLAIN_TRAY

    @property
    def by_likelihood(self) -> list[Hypothesis]:
        """The hypotheses, the likeliest first."""
        return sorted(self.shares, key=lambda hypothesis: -self.shares[hypothesis])

    @property
    def best(self) -> Hypothesis | None:
        """The likeliest hypothesis, or None when there is none."""
        return max(self.shares, key=lambda hypothesis: self.shares[hypothesis], default=None)

    @property
    def surest_share(self) -> float:
        """The probability of the likeliest hypothesis; 0 when there is none."""
        return max(self.shares.values(), default=0.0)

    def shown_wrong_count(self, named: int) -> tuple[int, float]:
        """How many wrong guesses may be shown now, and how surely; `named`: so many people named, should
        their word exclude everything."""
        if not self.shares:
            return named, 1.0
        for wrong in range(max(h.wrong_count for h in self.shares), 0, -1):
            share = sum(p for h, p in self.shares.items() if h.wrong_count >= wrong)
            if share > SHOW_ABOVE:
                return wrong, share
        return 0, sum(p for h, p in self.shares.items() if h.wrong_count == 0)
