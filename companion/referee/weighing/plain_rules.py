"""The plain rules, as an oracle where the tray is in view: what rested in the tray was a wrong
guess.

They are as good as the weighing there (99.8 % of 6,003 simulated rounds exact, to the weighing's
99.5 %), and err elsewhere; so where the two differ, the referee asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from companion.referee.departure import AT_REST, Departure
from companion.referee.weighing.picture_evidence import pictured_unread
from companion.referee.weighing.tray_silence import PLAIN_TRAY, TrayHides

READ_ONCE = 1

SPEAKS_AT_SHARE = 0.8
"""The oracle speaks where a table sets aside on the tray at least so surely."""


TRAY_HIDDEN_S = 0.5
"""A card beside whose leaving the tray was not in view for so long may lie there unread: the
Lookout empties it at once."""


def plain_range(
    departures: Sequence[Departure],
    attempts: int,
    tray_share: float,
    hides: TrayHides = PLAIN_TRAY,
) -> tuple[int, int, int] | None:
    """The fewest and the most wrong guesses that the plain rules allow, and the most that they
    cannot exclude; None where they have no say (no tray habit).

    Cards that left before one that rests in the tray were wrong too: a claim would have taken that
    one. The most counts a card that was read in the tray only once as well, and one after whose
    leaving something came there or whose picture was told there, or that fingertips may have brought
    to a part of the tray out of the picture; not excluded are those after it that
    nobody could have seen there, that the tray may hide, or that fingertips may have slid under all
    that lay there.
    """
    if tray_share < SPEAKS_AT_SHARE:
        return None
    most = _last_aside(departures, attempts, READ_ONCE)
    after = enumerate(departures[most:], start=most)
    blind = list(takewhile(lambda item: _may_lie_unread(*item, hides), after))
    return _last_aside(departures, attempts, AT_REST), most, min(attempts, most + len(blind))


def _may_lie_unread(turn: int, departure: Departure, hides: TrayHides) -> bool:
    tray = departure.tray
    under_all = turn > 0 and tray.picture.reached and not tray.level
    return tray.watched_s < TRAY_HIDDEN_S or under_all or hides.may_hide(turn, tray.picture)


def _last_aside(departures: Sequence[Departure], attempts: int, level: int) -> int:
    return min(
        attempts,
        max(
            (
                i + 1
                for i, d in enumerate(departures)
                if d.tray.level >= level
                or d.named_wrong
                or (level == READ_ONCE and _came_unread(d))
            ),
            default=0,
        ),
    )


def _came_unread(departure: Departure) -> bool:
    return (
        departure.tray.picture.came
        or departure.tray.picture.brought_beyond
        or pictured_unread(departure.tray)
    )
