"""Where cards were last seen lying still: the places that every frame is asked about.

Knows sightings and time; knows no pictures and no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot

from companion.table.sighting import PlaceState, Point, Sighting

REST_MM = 8.0
"""Two readings within so much of each other are a card at rest; one alone may be a card in flight."""

FORGET_BARE_S = 12.0
"""A place seen bare for so long is no longer asked about: the referee has long heard of it."""


@dataclass(slots=True)
class _Memory:
    centre_mm: Point
    seen_s: float
    corners_px: tuple[Point, ...]
    candidate_mm: Point | None = None
    rests: bool = False
    bare_since_s: float | None = None


class PlaceMemory:
    """Card number -> where it last lay still."""

    def __init__(self) -> None:
        self._cards: dict[int, _Memory] = {}

    @property
    def places(self) -> dict[int, Point]:
        """Centres in mm of all cards that were seen at rest and not forgotten."""
        return {card: m.centre_mm for card, m in self._cards.items() if m.rests}

    def corners(self, t_s: float, within_s: float) -> dict[int, tuple[Point, ...]]:
        """The marker corners of the cards read in the last `within_s` or not yet seen gone."""
        return {c: m.corners_px for c, m in self._cards.items() if t_s - m.seen_s <= within_s or m.bare_since_s is None}

    def see(self, sightings: tuple[Sighting, ...], t_s: float) -> None:
        """Take the readings of one frame: a card rests once it was read twice at the same place."""
        for s in sightings:
            known = self._cards.get(s.card)
            if known is None:
                self._cards[s.card] = _Memory(s.centre_mm, t_s, s.corners_px, s.centre_mm)
                continue
            here = _near(known.centre_mm, s.centre_mm)
            if here or _near(known.candidate_mm, s.centre_mm):
                known.centre_mm, known.rests, known.corners_px = s.centre_mm, True, s.corners_px
                known.candidate_mm, known.bare_since_s = s.centre_mm, None
            else:
                known.candidate_mm = s.centre_mm
            known.seen_s = t_s

    def mark(self, states: Mapping[int, PlaceState], t_s: float) -> None:
        """Note which places are bare; those bare for long are forgotten."""
        for card, state in states.items():
            known = self._cards.get(card)
            if known is None:
                continue
            if state is not PlaceState.TABLE:
                known.bare_since_s = None
            elif known.bare_since_s is None:
                known.bare_since_s = t_s
            elif t_s - known.bare_since_s > FORGET_BARE_S:
                del self._cards[card]

    def forget(self, cards: frozenset[int], t_s: float) -> None:
        """Let go of cards that are out of the game, unless they were read just now."""
        for card in [c for c in self._cards if c in cards and t_s - self._cards[c].seen_s > 1.0]:
            del self._cards[card]


def _near(one: Point | None, other: Point) -> bool:
    return one is not None and hypot(one[0] - other[0], one[1] - other[1]) <= REST_MM
