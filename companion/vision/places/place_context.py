"""What judging a place works on: the place's record, with what is remembered of one card's place,
and the place context, one frame made ready.

Knows values only; decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.table.sighting import PlaceState, Point
from companion.vision.frame.illumination import Illumination
from companion.vision.frame.log_colour import LogColour

SAME_PLACE_MM = 25.0
"""A marker read within so much of a place is the card lying there."""


def within_mm(a: Point, b: Point, reach_mm: float) -> bool:
    """Whether two table points are within `reach_mm` of each other."""
    return float(np.hypot(a[0] - b[0], a[1] - b[1])) <= reach_mm


@dataclass(frozen=True, slots=True)
class OwnPicture:
    """A card's own picture, as it lay at its place uncovered."""

    colour: LogColour | None = None
    taken_s: float = -1e9
    """When it was last to be taken; something over the card may have left it as it was."""
    contrast_log: float = 0.0
    """How unlike its ground it is, log units."""
    contrast_s: float = -1e9
    """When that was measured."""


@dataclass(frozen=True, slots=True)
class BareRun:
    """So many looks in a row in which a place was bare, and since when."""

    looks: int = 0
    since_s: float = 0.0

    def one_more(self, t_s: float) -> BareRun:
        """The run with one more look, at `t_s`."""
        return BareRun(self.looks + 1, self.since_s if self.looks else t_s)


NOT_BARE = BareRun()


@dataclass(slots=True)
class PlaceRecord:
    """What is remembered of one card's place."""

    centre_mm: Point
    asked_s: float
    """When somebody last asked for the place."""
    own: OwnPicture = OwnPicture()
    read_s: float = -1e9
    """When its marker was last read there."""
    itself_s: float = -1e9
    """When the card itself was last seen, by its marker, its picture or its back."""
    handled_s: float = -1e9
    """When a hand was last over it."""
    back_mm: Point | None = None
    """Where a card was seen lying face down."""
    searched_s: float = -1e9
    """When a back was last searched for."""
    judged_s: float = -1e9
    """When the place was last compared with the ground."""
    bare: BareRun = NOT_BARE
    state: PlaceState = PlaceState.UNKNOWN


@dataclass(frozen=True, slots=True)
class PlaceContext:
    """One frame, made ready: the shrunk picture, the plane, the light, stillness, what was read,
    and where cards lie."""

    picture: np.ndarray
    shrink: int
    plane: Any
    t_s: float
    illumination: Illumination
    stable_s: np.ndarray
    read: Mapping[int, tuple[Point, float]]
    backs_mm: Sequence[Point]
    lying: Mapping[int, Point]
    usable: bool
