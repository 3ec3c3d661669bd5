"""Cards too faint for one picture: named when several pictures agree on them at one place.

A far or dark marker is often the likeliest of all words by too small a lead. Noise gives another
word in the next picture, a card the same one. Knows faint cards and time; knows no pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from companion.vision.codes.detection import Box, Expected

AGREEING_SPAN_S = 0.4
"""So long at least lie between the first and the last picture that agree; chosen."""

AGREEING_PICTURES = 4
"""So many pictures must agree. Of 6,177 well-aligned foreign codes one picture alone
gave 2 of the leads asked here, of 3,481 cards one under a wrong number (the leads of
`tests/benchmarks/reader_aligned.py`, seeds from 910000)."""

SAME_PLACE_SIDES = 0.2
"""A faint card is the same when its code lies within so many of its own sides: 3.6 mm on paper for
a code of 18 mm. In sides rather than on the plane, because faint cards are followed also before a
plane is known, and where each card lies higher or lower than the plane has it."""

FORGET_VOTE_S = 6.0
"""A faint card not seen for so long is forgotten: three searches of the whole picture."""

MOST_TRIES = 12
"""So many pictures are searched again round a faint card, whether they show it or not; then the
whole search must do."""

SEARCHED_SIDES = 1.0
"""Sides round a code that are searched again."""


@dataclass(slots=True)
class _Vote:
    at: Expected
    first_s: float
    seen_s: float
    pictures: int = 1
    tries: int = 0

    @property
    def believed(self) -> bool:
        return self.pictures >= AGREEING_PICTURES and self.seen_s - self.first_s >= AGREEING_SPAN_S


class TemporalVote:
    """What faint cards the last pictures agreed on."""

    def __init__(self) -> None:
        self._votes: list[_Vote] = []

    @property
    def agreed(self) -> tuple[Expected, ...]:
        """The cards on which enough pictures agree: to be confirmed like cards that lay there a
        moment ago."""
        return tuple(vote.at for vote in self._votes if vote.believed)

    @property
    def pending(self) -> bool:
        """True while another picture is wanted of some place."""
        return any(vote.believed or vote.tries < MOST_TRIES for vote in self._votes)

    def boxes_to_search(self) -> tuple[Box, ...]:
        """Where the next picture should be searched again (left, top, right, bottom px); each call
        is one try."""
        undecided = [vote for vote in self._votes if not vote.believed and vote.tries < MOST_TRIES]
        for vote in undecided:
            vote.tries += 1
        return tuple(_around(vote.at) for vote in undecided)

    def observe_faint(self, faint: Sequence[Expected], read: frozenset[int], t_s: float) -> None:
        """Take the faint cards of one picture; `read` are the cards that were read in it. Two names
        for one place are none."""
        kept = [
            vote
            for vote in self._votes
            if 0 <= t_s - vote.seen_s < FORGET_VOTE_S and vote.at.card not in read
        ]
        for new in faint:
            here = [vote for vote in kept if _same_place(vote.at, new)]
            agreed = next((vote for vote in here if vote.at.card == new.card), None)
            kept = [
                vote
                for vote in kept
                if vote is agreed or (vote not in here and vote.at.card != new.card)
            ]
            if agreed is None:
                kept.append(_Vote(new, t_s, t_s))
            else:
                agreed.at = new
                agreed.seen_s = t_s
                agreed.pictures += 1
        self._votes = kept


def _side(code: Expected) -> float:
    return dist(code.corners_px[0], code.corners_px[1])


def _middle(code: Expected) -> tuple[float, float]:
    return sum(x for x, _ in code.corners_px) / 4, sum(y for _, y in code.corners_px) / 4


def _same_place(one: Expected, other: Expected) -> bool:
    return dist(_middle(one), _middle(other)) < SAME_PLACE_SIDES * _side(one)


def _around(code: Expected) -> Box:
    reach = SEARCHED_SIDES * _side(code)
    xs, ys = [x for x, _ in code.corners_px], [y for _, y in code.corners_px]
    return (min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)
