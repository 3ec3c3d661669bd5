"""What a camera shows just now, as one value for the scoreboard. Knows millimetres and card numbers;
must not know the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.table.sighting import Point, Polygon


@dataclass(frozen=True, slots=True)
class View:
    """What the camera believes just now: where cards lie (centre mm, heading), which of them it
    sees, how many nameless cards lie face up, the middle's outline, and the camera's own state."""

    places: Mapping[int, tuple[Point, float]] = field(default_factory=dict)
    seen: frozenset[int] = frozenset()
    unnamed: int = 0
    middle: Polygon | None = None
    camera: Mapping[str, Any] = field(default_factory=dict)
    practice: bool = False
    result_read: bool = False
    """True once the last result has been shown long enough, so that the next round's roles may be
    shown."""
