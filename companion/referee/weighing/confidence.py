"""From a posterior to a measured rate, and when to enter or to ask.

The share of rounds that were right at a stated posterior, by what testified; measured with
`tests/benchmarks/referee.py --evening 6 --rounds 1002 --seed 14000000 --tempers ordinary,rowdy
--calibrate`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

Testimony = Literal["tray", "down", "away"]
"""What testifies to a card's being set aside: a tray in view, cards face down in their places, or
nothing but time and hands."""

ENTER: dict[Testimony, float] = {"tray": 0.85, "down": 0.95, "away": 0.92}
"""Posterior at which a round is entered: below it more than one in twenty was wrong, or nobody
knows (the table below)."""

UNSEATED = 0.95
"""The same out of view while nobody's side of the table is known: nothing but time tells, and each
table has its own."""

SHYEST = 0.995
"""Nothing is stated surer than this: the simulator is not a living room."""

# Share of rounds whose likelier telling was right, by posterior: six rounds an evening, ordinary
# and rowdy, 2,004 rounds a setting (fresh seeds, 14,000,000 to 14,000,166).  Out of view: below .5
# 0 of 4, .5-.7 34 of 56, .7-.8 41 of 45, .8-.9 78 of 83, .9-.95 120 of 121, .95-.98 163 of 164,
# above .98 1,520 of 1,524.  Tray: below .7 0 of 2, .85-.98 all, above .98 all but one.  Cards face
# down have too few below .95 to tell, so they are entered from there on.  Out of view at rowdy
# tables since then (1,296 rounds, seeds from 17,000,000, 19,000,002 and 19,500,000): .7-.8 27 of
# 31, .8-.85 24 of 26, .85-.9 39 of 41, above .9 all 1,125; and out of view, ordinary and rowdy, on
# 2,016 more (seeds from 33,000,000): .85-.9 51 of 52, .9-.93 51 of 52, above .93 all.  With each
# reach of a hand and idle hands weighed, 4,032 more out of view (seeds from 45,000,000 and
# 49,000,000): .8-.85 55 of 57, .85-.9 78 of 84, .9-.93 73 of 74, .93-.95 118 of 121, .95-.97 160 of
# 161, .97-.98 131 of 131, .98-.99 287 of 287, .99-.995 313 of 314, .995-.999 641 of 642, above .999
# all 2,005. 2,016 more on the same build (from 50,000,000): .9-.93 43 of 43, .93-.95 55 of 56,
# above .95 all 1,733. From .92 on both goals are about met: one question in ten rounds, one wrong
# round in a thousand.  From .9 on there were two questions fewer in a hundred rounds, and 2 of the
# 169 rounds between .9 and .93 were wrong.
KNOTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
_RATES: dict[Testimony, tuple[float, ...]] = {
    "tray": (0.50, 0.70, 0.85, 0.92, 0.98, 0.99, 0.995),
    "down": (0.50, 0.70, 0.85, 0.92, 0.98, 0.99, 0.995),
    "away": (0.40, 0.60, 0.87, 0.93, 0.98, 0.985, 0.995),
}


def testimony(ways: Sequence[float]) -> Testimony:
    """What testifies at a table that sets aside in these shares: to the tray, away, face down."""
    tray, _, down = ways
    return "down" if down > 0.3 else "tray" if tray > 0.5 else "away"


def rate(posterior: float, told_by: Testimony) -> float:
    """The measured share of rounds that are right at this posterior, by what testified."""
    return _RATES[told_by][bisect_right(KNOTS, posterior)]


def enters(posterior: float, told_by: Testimony, seats_known: bool = True) -> bool:
    """True when a round may be entered at this posterior."""
    return posterior >= (ENTER[told_by] if seats_known or told_by != "away" else UNSEATED)
