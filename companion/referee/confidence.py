"""From a posterior to a measured rate, and when to enter or to ask.

The share of rounds that were right at a stated posterior, by what testified; measured with
`tests/benchmarks/referee.py --calibrate`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

Testimony = Literal["tray", "down", "away"]
"""What testifies to a card's being set aside: a tray in view, cards face down in their places, or nothing but time and
hands."""

ENTER: dict[Testimony, float] = {"tray": 0.85, "down": 0.95, "away": 0.90}
"""Posterior at which a round is entered: below it more than one in a hundred was wrong (the table below)."""

SHYEST = 0.995
"""Nothing is stated surer than this: the simulator is not a living room."""

# Share right at a posterior, of rounds of the first choreography (six an evening, all tempers, people answering).  Out of
# view, 1,792 rounds (seeds 3,000,000 to 3,002,099): .5-.6 43 %, .6-.8 95 %, .8-.9 91 %, .9-.95 98 %, .95-.98 99.4 %, .98-.99
# 98.6 %, above .99 all of 1,236.  Tray, 1,800 rounds (seeds 4,000,000 on): above .93 all.  Below .5 there are too few.
KNOTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
_RATES: dict[Testimony, tuple[float, ...]] = {
    "tray": (0.50, 0.70, 0.85, 0.92, 0.98, 0.99, 0.995),
    "down": (0.50, 0.70, 0.85, 0.92, 0.98, 0.99, 0.995),
    "away": (0.45, 0.60, 0.90, 0.92, 0.985, 0.99, 0.995),
}


def testimony(ways: Sequence[float]) -> Testimony:
    """What testifies at a table that sets aside in these shares: to the tray, away, face down."""
    tray, _, down = ways
    return "down" if down > 0.3 else "tray" if tray > 0.5 else "away"


def rate(posterior: float, told_by: Testimony) -> float:
    """The measured share of rounds that are right at this posterior, by what testified."""
    return _RATES[told_by][bisect_right(KNOTS, posterior)]


def enters(posterior: float, told_by: Testimony) -> bool:
    """True when a round may be entered at this posterior."""
    return posterior >= ENTER[told_by]
