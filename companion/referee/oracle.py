"""The plain rules, as an oracle where the tray is in view: what rested in the tray was a wrong guess.

They are as good as the weighing there (`reference/referee.md` 4: 99.8 %); where the two differ, the referee asks.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.referee.weigh import Departure

SPEAKS_AT = 0.8
"""The oracle speaks where a table sets aside on the tray at least so surely."""


def plain_w(departures: Sequence[Departure], attempts: int, tray_share: float) -> int | None:
    """How many wrong guesses the plain rules count, or None where they have no say (no tray, another habit).

    Cards that left before one that rests in the tray were wrong too: a claim would have taken that one.
    """
    if tray_share < SPEAKS_AT:
        return None
    return min(attempts, max((i + 1 for i, d in enumerate(departures) if d.tray >= 2 or d.pinned), default=0))
