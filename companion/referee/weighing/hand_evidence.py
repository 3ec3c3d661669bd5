"""Whose hands were they? How well the hands that took the cards, and those that took none, fit a
hypothesis.

Knows hand visits, seats and departures. Must not know places, glimpses or points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from companion.referee.departure import Departure, HandVisit
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.seating import Seating


@dataclass(frozen=True, slots=True)
class HandModel:
    """What hands tell.

    `reaches_power`: however often one hand reached in during its visit, it testifies as so many hands
    to this power, for its reaches err in part alike (one person, one chair), in part each for itself
    (the arm lies otherwise over every card). Out of view, 716 simulated rounds: 12.0 % were not sure
    enough with one direction a visit, 10.8 % at .5, 10.3 % at .75, 9.8 % at 1. The others were chosen.
    """

    reaches_power: float = 0.75
    points_share: float = 0.5
    """A hand that comes over the cards and takes none is the guesser's, who points, lifts or hesitates;"""
    moves_share: float = 0.3
    """or the Daydreamer's, who puts right what lies there; else anybody's."""
    amid_claim: float = 0.5
    """While one person takes the rest, such a hand is so much rarer than while people guess."""
    elsewhere_share: float = 0.4
    """Share of tables that lay a wrong card anywhere but before the Daydreamer."""
    exits: int = 3
    """However many cards of a claim were seen to go to one side, they testify as so many hands."""


HAND_MODEL = HandModel()

Reach = tuple[int, float]
"""Which leaver's hand it was (from 0), and from where it came, in degrees."""


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """The reaches of the hands that took the leavers, with their weights, and to which side each leaver
    was seen to go (None: not seen)."""

    reaches: tuple[tuple[Reach, float], ...]
    exits_deg: tuple[float | None, ...]

    @classmethod
    def of(cls, row: Sequence[Departure]) -> HandEvidence:
        """The hands of this order of departures."""
        return cls(
            tuple(weighted_reaches([d.visit for d in row])),
            tuple(d.outside.exit_deg for d in row),
        )


def weighted_reaches(visits: Sequence[HandVisit | None]) -> list[tuple[Reach, float]]:
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
        (reach, len(of_one) ** (HAND_MODEL.reaches_power - 1.0))
        for of_one in found.values()
        for reach in of_one
    ]


def log_hands(hypothesis: Hypothesis, hands: HandEvidence, context: RoundContext) -> float:
    """How well the hands' directions fit: the movers' of wrong cards, and the taker's."""
    seating, wrong = context.seating, hypothesis.wrong_count
    if seating is None:
        return 0.0
    moved = sum(
        seating.log_moved_aside(i, deg) * weight for (i, deg), weight in hands.reaches if i < wrong
    )
    laid = sum(
        seating.log_likelihood(deg, seating.daydreamer, HAND_MODEL.elsewhere_share)
        for deg in hands.exits_deg[:wrong]
    )
    if not hypothesis.rest_is_taken:
        return moved + laid
    taken = [(deg, weight) for (i, deg), weight in hands.reaches if i >= wrong]
    exits = [deg for deg in hands.exits_deg[wrong:] if deg is not None][: HAND_MODEL.exits]
    told = taken + [(deg, 1.0) for deg in exits]
    taker = context.taker(hypothesis, seating)
    fit = seating.log_fit([deg for deg, _ in told], taker, weights=[n for _, n in told])
    return moved + laid + fit


def log_idle_hands(
    hypothesis: Hypothesis, row: Sequence[Departure], context: RoundContext
) -> float:
    """How well the hands that took nothing fit: whose turn was it then, or was somebody taking the
    rest?"""
    seating, total = context.seating, 0.0
    if seating is None:
        return total
    for at_s, from_deg in context.idle_hands:
        gone = sum(d.high_s <= at_s for d in row)
        guessing = gone <= hypothesis.wrong_count and gone < context.attempts
        if guessing:
            total += log_pointed(seating, from_deg, seating.spectator(gone))
        elif gone < context.cards:
            total += log_pointed(seating, from_deg, context.taker(hypothesis, seating))
            total += 0.0 if hypothesis.stage == "lifted" else log(HAND_MODEL.amid_claim)
    return total


def log_pointed(seating: Seating, from_deg: float, seat: int) -> float:
    """How well a hand that came from there and took nothing fits its being `seat`'s turn."""
    guesser = HAND_MODEL.points_share * exp(seating.log_likelihood(from_deg, seat))
    daydreamer = HAND_MODEL.moves_share * exp(seating.log_likelihood(from_deg, seating.daydreamer))
    return log(guesser + daydreamer + 1.0 - HAND_MODEL.points_share - HAND_MODEL.moves_share)
