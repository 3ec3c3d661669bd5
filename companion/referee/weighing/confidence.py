"""From a posterior to a measured rate, and when a round may be entered.

A posterior is a score until it is held against what happened: `README.md` tells how the rates below
were counted. Knows posteriors only. Must not know rounds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Witness = Literal["tray", "down", "away"]
"""What testifies that a card was set aside: a tray in view, cards face down in their places, or
nothing but time and hands."""

POSTERIOR_KNOTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
"""Between two of these the rate counts as the same."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """For one witness: the posterior at which a round is entered, and the share of rounds that were
    right at each posterior (below the first knot, between two, above the last).

    Counted by `python -m tests.benchmarks.referee --evening 6 --rounds 1002 --tempers ordinary,rowdy
    --calibrate`, 2,004 rounds a setting and more; nothing is stated surer than 99.5 %, for the
    simulator is no living room. Below `enter_at` more than one round in twenty was wrong, or too few
    were seen to know.
    """

    enter_at: float
    rates: tuple[float, ...]


CALIBRATION: dict[Witness, Calibration] = {
    "tray": Calibration(0.85, (0.50, 0.70, 0.85, 0.92, 0.98, 0.99, 0.995)),
    "down": Calibration(0.95, (0.50, 0.70, 0.85, 0.92, 0.98, 0.99, 0.995)),
    "away": Calibration(0.92, (0.40, 0.60, 0.87, 0.93, 0.98, 0.985, 0.995)),
}

ENTER_UNSEATED_AT = 0.95
"""The same out of view while nobody's side of the table is known: nothing but time tells, and each
table has its own."""

MOSTLY_DOWN_SHARE = 0.3
MOSTLY_TRAY_SHARE = 0.5
"""A table's habit from which on a way of setting aside counts as its witness."""


def witness_of(ways: Sequence[float]) -> Witness:
    """What testifies at a table that sets aside in these shares: to the tray, away, face down."""
    tray, _, down = ways
    if down > MOSTLY_DOWN_SHARE:
        return "down"
    return "tray" if tray > MOSTLY_TRAY_SHARE else "away"


def measured_rate(posterior: float, witness: Witness) -> float:
    """The measured share of rounds that are right at this posterior, by what testified."""
    return CALIBRATION[witness].rates[bisect_right(POSTERIOR_KNOTS, posterior)]


def may_enter(posterior: float, witness: Witness, seats_known: bool = True) -> bool:
    """True when a round may be entered at this posterior."""
    if witness == "away" and not seats_known:
        return posterior >= ENTER_UNSEATED_AT
    return posterior >= CALIBRATION[witness].enter_at
