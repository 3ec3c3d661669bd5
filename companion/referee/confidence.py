"""From a posterior to a measured rate, and when to enter or to ask.

The share of rounds that were right at a stated posterior, by what testified; measured with
`tests/benchmarks/referee.py --calibrate`.
"""

from __future__ import annotations

from bisect import bisect_right

ENTER_TRAY = 0.93
ENTER_AWAY = 0.90
"""Posterior at which a round is entered: below it more than one in a hundred was wrong (the table below)."""

SHYEST = 0.995
"""Nothing is stated surer than this: the simulator is not a living room."""

# Share right at a posterior, of rounds of the first choreography (six an evening, all tempers, people answering).  Out of
# view, 1,792 rounds (seeds 3,000,000 to 3,002,099): .5-.6 43 %, .6-.8 95 %, .8-.9 91 %, .9-.95 98 %, .95-.98 99.4 %, .98-.99
# 98.6 %, above .99 all of 1,236.  Tray, 1,800 rounds (seeds 4,000,000 on): above .93 all.  Below .5 there are too few.
_KNOTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
_TRAY = (0.50, 0.70, 0.85, 0.92, 0.98, 0.99, 0.995)
_AWAY = (0.45, 0.60, 0.90, 0.92, 0.985, 0.99, 0.995)


def rate(posterior: float, tray: bool) -> float:
    """The measured share of rounds that are right at this posterior, where a tray (or named backs) testified or not."""
    return (_TRAY if tray else _AWAY)[bisect_right(_KNOTS, posterior)]


def enters(posterior: float, tray: bool) -> bool:
    """True when a round may be entered at this posterior."""
    return posterior >= (ENTER_TRAY if tray else ENTER_AWAY)
