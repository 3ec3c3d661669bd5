"""From a posterior to a measured rate, and when to enter or to ask.

The share of rounds that were right at a stated posterior, by what testified; measured with
`tests/benchmarks/referee.py --calibrate`.
"""

from __future__ import annotations

from bisect import bisect_right

ENTER_TRAY = 0.88
ENTER_AWAY = 0.90
"""Posterior at which a round is entered (`reference/referee.md` 3c)."""

SHYEST = 0.995
"""Nothing is stated surer than this: the simulator is not a living room."""

_KNOTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)
_TRAY = (0.60, 0.80, 0.90, 0.96, 0.98, 0.99, 0.995)
_AWAY = (0.60, 0.73, 0.93, 0.98, 0.99, 0.995, 0.995)


def rate(posterior: float, tray: bool) -> float:
    """The measured share of rounds that are right at this posterior, where a tray (or named backs) testified or not."""
    return (_TRAY if tray else _AWAY)[bisect_right(_KNOTS, posterior)]


def enters(posterior: float, tray: bool) -> bool:
    """True when a round may be entered at this posterior."""
    return posterior >= (ENTER_TRAY if tray else ENTER_AWAY)
