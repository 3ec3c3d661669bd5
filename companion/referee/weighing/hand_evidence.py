"""Whose hands were they? How well the hands that took the cards, and those that took none, fit a
telling.

Knows visits, seats and departures.  Must not know places, glimpses or points.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from companion.referee.observing.visits import Visit
from companion.referee.weighing.seating import Seating

REACHES = 0.75
"""However often one hand reached in during its visit, it testifies as so many hands to this power:
its reaches err in part alike (one person, one chair), in part each for itself (the arm lies
otherwise over every card). Out of view, 716 rounds: 12.0 % were not sure enough with one direction
a visit, 10.8 % at .5, 10.3 % at .75, 9.8 % at 1."""

POINTS, MOVES = 0.5, 0.3
"""Whose hand it is that comes over the cards and takes none: the guesser's, who points, lifts or
hesitates; the Daydreamer's, who puts right what lies there; else anybody's."""

AMID_CLAIM = 0.5
"""While one person takes the rest, a hand that takes nothing is so much rarer than while people
guess."""

Reach = tuple[int, float]
"""Which leaver's hand it was (from 0), and from where it came, in degrees."""


def reaches(visits: Sequence[Visit | None]) -> list[tuple[Reach, float]]:
    """The hands that took the leavers, each reach of a visit on its own, with its weight; a visit
    in which no reach showed its direction counts once, with the first leaver that it took."""
    found: dict[int, list[Reach]] = {}
    whole: dict[int, Reach] = {}
    for i, visit in enumerate(visits):
        if visit is None:
            continue
        if visit.reach_deg is not None:
            found.setdefault(visit.number, []).append((i, visit.reach_deg))
        elif visit.from_deg is not None:
            whole.setdefault(visit.number, (i, visit.from_deg))
    rest = [(reach, 1.0) for number, reach in whole.items() if number not in found]
    return rest + [
        (reach, len(of_one) ** (REACHES - 1.0)) for of_one in found.values() for reach in of_one
    ]


def log_pointed(seating: Seating, from_deg: float, seat: int) -> float:
    """How well a hand that came from there and took nothing fits its being `seat`'s turn."""
    guesser = POINTS * exp(seating.log_likelihood(from_deg, seat))
    daydreamer = MOVES * exp(seating.log_likelihood(from_deg, seating.dealer))
    return log(guesser + daydreamer + 1.0 - POINTS - MOVES)
