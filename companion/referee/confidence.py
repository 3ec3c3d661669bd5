"""From a posterior to a measured rate, and when to enter or to ask.

The share of rounds that were right at a stated posterior, by what testified; measured with
`tests/benchmarks/referee.py --calibrate`.
"""

from __future__ import annotations

from bisect import bisect_right

ENTER_TRAY = 0.91
ENTER_AWAY = 0.90
"""Posterior at which a round is entered: below it more than one in a hundred was wrong (the table below)."""

SHYEST = 0.995
"""Nothing is stated surer than this: the simulator is not a living room."""

# Share right at a posterior, of rounds played by the first choreography (seeds 1 to 150 and 1,000,000 to 1,000,110).
# Out of view: .5-.7 64-76 % of 64 rounds, .7-.8 73-91 % of 74, .8-.9 90-97 % of 153, .9-.95 all of 129, above 99-100 %
# of 684.  Tray: .88-.9 14 of 16 (so not entered), above .9 all of 1,900.  Below .5 there are too few; the value is a guess.
_KNOTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
_TRAY = (0.55, 0.75, 0.85, 0.93, 0.98, 0.99, 0.995)
_AWAY = (0.50, 0.70, 0.82, 0.93, 0.99, 0.995, 0.995)


def rate(posterior: float, tray: bool) -> float:
    """The measured share of rounds that are right at this posterior, where a tray (or named backs) testified or not."""
    return (_TRAY if tray else _AWAY)[bisect_right(_KNOTS, posterior)]


def enters(posterior: float, tray: bool) -> bool:
    """True when a round may be entered at this posterior."""
    return posterior >= (ENTER_TRAY if tray else ENTER_AWAY)
