"""Every legal course of a round: which cards were guessed wrong, in which order, and how it ended.

Knows counts only: cards are positions 0..n-1 of the deal. The running referee needs none of this: to it a
round is one integer, how many guesses were wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from companion.game.rules import Refusal, Round
from companion.game.seats import attempts


@dataclass(frozen=True, slots=True)
class LegalCourse:
    """One course: the `set_aside` positions in guessing order, then a right guess at `claimed` or
    the Lookout takes all."""

    set_aside: tuple[int, ...]
    ending: Literal["claimed", "lookout"]
    claimed: int | None = None

    @property
    def wrong_count(self) -> int:
        """How many guesses were wrong: with the ending, all that the score depends on."""
        return len(self.set_aside)


def legal_courses(cards: int) -> Iterator[LegalCourse]:
    """Every legal course of a round with `cards` cards that ended, once each: fewest wrong guesses
    first."""
    for wrong in range(attempts(cards)):
        for *aside, claimed in permutations(range(cards), wrong + 1):
            yield LegalCourse(tuple(aside), "claimed", claimed)
    for aside_all in permutations(range(cards), attempts(cards)):
        yield LegalCourse(aside_all, "lookout")


def play_course(round_: Round, course: LegalCourse) -> Round | Refusal:
    """The round after the whole course, or the first Refusal on the way."""
    steps = [(False, at) for at in course.set_aside]
    if course.claimed is not None:
        steps.append((True, course.claimed))
    position: Round | Refusal = round_
    for right, at in steps:
        if isinstance(position, Refusal):
            break
        position = position.guess(right, round_.cards[at])
    return position
