"""Where cards were last seen lying still: the places that every frame is asked about; and the backs
in view.

Knows sightings, time and where the picture moved; knows no pictures and no game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from companion.table.resting import REST_REACH, Rest
from companion.table.sighting import PlaceState, Point, Sighting

REST_ELSEWHERE_S = 0.4
"""A card that has a place and is read elsewhere must rest there so long before that is its place:
pushed over another card on its way out of the middle it pauses for two frames, and its old place is
the one that people left bare."""

FORGET_READING_S = 1.5
"""A reading so old starts no rest; chosen."""

FORGET_BARE_S = 12.0
"""A place seen bare for so long is no longer asked about: the referee has long heard of it."""

BACK_STAYS_S = 6.0
"""A back that was read stays in view so long while nothing moves there: three whole searches may
miss it."""

Box = tuple[int, int, int, int]


@dataclass(slots=True)
class _Memory:
    centre_mm: Point
    seen_s: float
    corners_px: tuple[Point, ...]
    candidate: Rest
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

    def last_corners(self, t_s: float, within_s: float) -> dict[int, tuple[Point, ...]]:
        """The marker corners of the cards read in the last `within_s` or not yet seen gone."""
        return {
            c: m.corners_px
            for c, m in self._cards.items()
            if t_s - m.seen_s <= within_s or m.bare_since_s is None
        }

    def observe_sightings(self, sightings: tuple[Sighting, ...], t_s: float) -> None:
        """Take the readings of one frame: a card rests once it was read twice at the same place."""
        for s in sightings:
            known = self._cards.get(s.card)
            if known is None:
                known = self._cards[s.card] = _Memory(
                    s.centre_mm, t_s, s.corners_px, Rest(s.card, REST_REACH.still_mm)
                )
                known.candidate.add_reading(t_s, s.centre_mm)
            else:
                self._read_again(known, s, t_s)
            known.seen_s = t_s
            known.corners_px = s.corners_px

    def _read_again(self, known: _Memory, s: Sighting, t_s: float) -> None:
        if known.rests and _near(known.centre_mm, s.centre_mm):
            known.candidate.forget_readings()
        else:
            known.candidate.add_reading(t_s, s.centre_mm, FORGET_READING_S)
            if not known.candidate.rests(2, REST_ELSEWHERE_S if known.rests else 0.0):
                return
        known.centre_mm = s.centre_mm
        known.rests = True
        known.bare_since_s = None

    def note_states(self, states: Mapping[int, PlaceState], t_s: float) -> None:
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

    def forget_cards(self, cards: frozenset[int], t_s: float) -> None:
        """Let go of cards that are out of the game, unless they were read just now."""
        for card in [c for c in self._cards if c in cards and t_s - self._cards[c].seen_s > 1.0]:
            del self._cards[card]


@dataclass(frozen=True, slots=True)
class _Back:
    centre_mm: Point
    at_px: Point
    seen_s: float


class BackMemory:
    """The card backs in view: the reader looks where something moved, and the others still lie
    where they lay."""

    def __init__(self) -> None:
        self._backs: list[_Back] = []

    def observe_backs(
        self, read: Sequence[tuple[Point, Point]], moved: Sequence[Box], t_s: float
    ) -> tuple[Point, ...]:
        """The centres in mm of all backs that lie in view: `read` now, (centre mm, middle px) each,
        and those read lately where nothing `moved` since (boxes in px)."""
        kept = [
            back
            for back in self._backs
            if 0 <= t_s - back.seen_s < BACK_STAYS_S
            and not any(_inside(back.at_px, box) for box in moved)
            and not any(_near(back.centre_mm, centre, REST_REACH.dealt_mm) for centre, _ in read)
        ]
        self._backs = [*kept, *(_Back(centre, at, t_s) for centre, at in read)]
        return tuple(back.centre_mm for back in self._backs)


def _inside(at: Point, box: Box) -> bool:
    return box[0] <= at[0] < box[2] and box[1] <= at[1] < box[3]


def _near(one: Point, other: Point, reach_mm: float = REST_REACH.still_mm) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) <= reach_mm
