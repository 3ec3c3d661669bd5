"""Cards too faint for one picture: named when several pictures agree on them at one place.

A far or dark marker is often the likeliest of all words by too small a lead. Noise gives another
word in the next picture, a card the same one. Knows hints and time; knows no pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from companion.vision.codes.detection import Box, Expected

LOOKS, SPAN_S = 4, 0.4
"""So many pictures over so long must agree. Of 6,177 well-aligned foreign codes one picture alone
gave 2 hints, of 3,481 cards one under a wrong number (the leads of
`tests/benchmarks/reader_aligned.py`, seeds from 910000)."""

SAME = 0.2
"""A hint is the same when its code lies within so many of its own sides."""

FORGET_S = 6.0
"""A hint not seen for so long is forgotten: three searches of the whole picture."""

TRIES = 12
"""So many pictures are searched again round a hint, whether they show it or not; then the whole
search must do."""

AROUND = 1.0
"""Sides round a code that are searched again."""


@dataclass(slots=True)
class _Hint:
    at: Expected
    first_s: float
    seen_s: float
    looks: int = 1
    tries: int = 0

    @property
    def believed(self) -> bool:
        return self.looks >= LOOKS and self.seen_s - self.first_s >= SPAN_S


class Hints:
    """What faint cards the last pictures agreed on."""

    def __init__(self) -> None:
        self._hints: list[_Hint] = []

    @property
    def expected(self) -> tuple[Expected, ...]:
        """The cards on which enough pictures agree: to be confirmed like cards that lay there a
        moment ago."""
        return tuple(hint.at for hint in self._hints if hint.believed)

    @property
    def pending(self) -> bool:
        """True while another picture is wanted of some place."""
        return any(hint.believed or hint.tries < TRIES for hint in self._hints)

    def boxes(self) -> tuple[Box, ...]:
        """Where the next picture should be searched again (left, top, right, bottom px); each call
        is one try."""
        doubtful = [hint for hint in self._hints if not hint.believed and hint.tries < TRIES]
        for hint in doubtful:
            hint.tries += 1
        return tuple(_around(hint.at) for hint in doubtful)

    def see(self, hints: Sequence[Expected], read: frozenset[int], t_s: float) -> None:
        """Take the hints of one picture; `read` are the cards that were read in it. Two names for
        one place are none."""
        kept = [
            hint
            for hint in self._hints
            if 0 <= t_s - hint.seen_s < FORGET_S and hint.at.card not in read
        ]
        for new in hints:
            here = [hint for hint in kept if _same_place(hint.at, new)]
            agreed = next((hint for hint in here if hint.at.card == new.card), None)
            kept = [
                hint
                for hint in kept
                if hint is agreed or (hint not in here and hint.at.card != new.card)
            ]
            if agreed is None:
                kept.append(_Hint(new, t_s, t_s))
            else:
                agreed.at, agreed.seen_s, agreed.looks = new, t_s, agreed.looks + 1
        self._hints = kept


def _side(code: Expected) -> float:
    return dist(code.corners_px[0], code.corners_px[1])


def _middle(code: Expected) -> tuple[float, float]:
    return sum(x for x, _ in code.corners_px) / 4, sum(y for _, y in code.corners_px) / 4


def _same_place(one: Expected, other: Expected) -> bool:
    return dist(_middle(one), _middle(other)) < SAME * _side(one)


def _around(code: Expected) -> Box:
    reach = AROUND * _side(code)
    xs, ys = [x for x, _ in code.corners_px], [y for _, y in code.corners_px]
    return (min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)
