"""What judging a place works on: a spot, with what is remembered of one card's place, and a scene,
one frame made ready.

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


def within_mm(a: Point, b: Point, reach_mm: float) -> bool:
    """Whether two table points are within `reach_mm` of each other."""
    return float(np.hypot(a[0] - b[0], a[1] - b[1])) <= reach_mm


@dataclass(slots=True)
class PlaceRecord:
    """What is remembered of one card's place."""

    centre_mm: Point
    since_s: float
    own: LogColour | None = None
    own_s: float = -1e9
    read_s: float = -1e9
    itself_s: float = -1e9
    """When the card itself was last seen, by its marker, its picture or its back."""
    handled_s: float = -1e9
    """When a hand was last over it."""
    contrast: float = 0.0
    contrast_s: float = -1e9
    """How unlike its ground the card's own picture is, and when that was measured."""
    back_mm: Point | None = None
    searched_s: float = -1e9
    judged_s: float = -1e9
    """When the place was last compared with the ground."""
    bare_since_s: float = 0.0
    bare_looks: int = 0
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
