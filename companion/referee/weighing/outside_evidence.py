"""Which cards were read at rest outside the middle and the tray, and where: the taken ones where piles
lie face up, the wrong ones where those do.

Knows places at rest and when the next card left. Must not know whose piles they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma

from companion.referee.departure import Departure
from companion.referee.weighing.hypothesis import Hypothesis
from companion.table.sighting import Point
from companion.table.zones import distance_mm


@dataclass(frozen=True, slots=True)
class OutsideModel:
    """How cards lie outside; chosen on simulated evenings with piles face up at the table's edge (two
    tables in five there).

    A taker's cards lie together (`one_pile_mm`) and never in two places (`two_piles_mm`); each breach
    weighs `log_against`. `seen` and `unseen` are the weights, in cards, of what is expected before any
    card was seen there: at one table in five cards that somebody took are seen, each where the others
    were. A card on which the next is laid within `alone_s` may never be read: it takes a second to
    arrive and to be read twice.
    """

    one_pile_mm: float = 100.0
    two_piles_mm: float = 250.0
    log_against: float = -3.0
    seen: float = 0.2
    unseen: float = 0.8
    alone_s: float = 1.5


OUTSIDE_MODEL = OutsideModel()


@dataclass(frozen=True, slots=True)
class OutsideRests:
    """For each leaver where it was read at rest outside (None: it was not), and whether it was seen
    there (None: that says nothing of it)."""

    places_mm: tuple[Point | None, ...]
    seen: tuple[bool | None, ...]

    @classmethod
    def of(cls, row: Sequence[Departure], now_s: float) -> OutsideRests:
        """The rests of this order of departures."""
        at_rest = [None if d.known_aside else d.outside.rest_mm is not None for d in row]
        return cls(
            tuple(d.outside.rest_mm for d in row),
            tuple(seen_outside(at_rest, [(d.low_s, d.high_s) for d in row], now_s)),
        )


def log_outside(hypothesis: Hypothesis, rests: OutsideRests) -> float:
    """How well the places outside fit: one claim makes one pile, the wrong ones go elsewhere, and each
    kind is seen there as the others of its kind are."""
    wrong = hypothesis.wrong_count
    taken = [place for place in rests.places_mm[wrong:] if place is not None]
    torn = any(distance_mm(a, b) > OUTSIDE_MODEL.two_piles_mm for a in taken for b in taken)
    mixed = share_a_pile(rests.places_mm[:wrong], taken)
    return OUTSIDE_MODEL.log_against * (mixed + torn) + log_seen_outside(rests.seen, wrong)


def mixed_piles(row: Sequence[Departure], wrong_count: int) -> bool:
    """True when one of the first `wrong_count` cards and one of the others were read at rest in one
    place outside the middle."""
    places = [d.outside.rest_mm for d in row]
    return share_a_pile(places[:wrong_count], places[wrong_count:])


def share_a_pile(wrong: Sequence[Point | None], taken: Sequence[Point | None]) -> bool:
    """True when a place of the one lies within a pile's width of one of the other."""
    return any(
        distance_mm(a, b) < OUTSIDE_MODEL.one_pile_mm
        for a in wrong
        if a is not None
        for b in taken
        if b is not None
    )


def seen_outside(
    at_rest: Sequence[bool | None], left_s: Sequence[tuple[float, float]], now_s: float
) -> list[bool | None]:
    """Which leavers were seen outside, `at_rest` there; None for one that the next, which left
    (between these times) soon after, may have covered."""
    alone_s = [
        after[0] - this[1]
        for this, after in zip(left_s, [*left_s[1:], (now_s, now_s)], strict=True)
    ]
    return [
        rests if rests or alone >= OUTSIDE_MODEL.alone_s else None
        for rests, alone in zip(at_rest, alone_s, strict=True)
    ]


def log_seen_outside(seen: Sequence[bool | None], wrong_count: int) -> float:
    """Log chance that just these leavers were `seen` at rest outside (None: it says nothing of this
    one), when the first `wrong_count` were wrong guesses and the others taken by one person."""
    return _log_alike(seen[:wrong_count]) + _log_alike(seen[wrong_count:])


def _log_alike(seen: Sequence[bool | None]) -> float:
    """Log chance of these under one share that is not known (beta-binomial)."""
    known = [one for one in seen if one is not None]
    count, hits = len(known), sum(known)
    return (
        lgamma(OUTSIDE_MODEL.seen + hits)
        + lgamma(OUTSIDE_MODEL.unseen + count - hits)
        - lgamma(OUTSIDE_MODEL.seen + OUTSIDE_MODEL.unseen + count)
        - lgamma(OUTSIDE_MODEL.seen)
        - lgamma(OUTSIDE_MODEL.unseen)
    )
