"""Where a card went that left its place: to which side, into which pile, to rest where.

Knows readings outside the card's place. Must not know whether the card was a wrong guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, degrees, hypot

from companion.table.resting import REST_REACH, Rest
from companion.table.sighting import Point
from companion.table.zones import distance_mm

NOWHERE: Point = (1e6, 1e6)
"""The place of a card that was never read in the middle."""

LONG_AGO_S = 600.0
"""A card that was not there when the watching began may have left so long before."""


@dataclass(frozen=True, slots=True)
class OffPlaceModel:
    """Lengths and times that tell rest from flight outside a card's place; they follow from the cards
    (discs of 85 mm, readings that scatter by 1 to 3 mm) and were chosen.

    At rest outside: two readings within `rests_mm` over `rests_s`, no more than `kept_s` apart; a flying
    card is read once, or twice further apart. A card read `exit_mm` from the middle of the deal says to
    which side it went. One read at rest `carried_mm` from its place was carried there, not nudged; cards
    within `pile_mm` of one another lie in one pile, for discs side by side are 85 mm apart and a card
    pushed over another's marker 30 to 45 mm.
    """

    rests_mm: float = REST_REACH.outside_mm
    rests_s: float = 0.08
    kept_s: float = 3.0
    exit_mm: float = 200.0
    carried_mm: float = 60.0
    pile_mm: float = 30.0


OFF_PLACE_MODEL = OffPlaceModel()


class ExitDirection:
    """To which side of the table a card went."""

    __slots__ = ("_east_mm", "_north_mm")

    def __init__(self) -> None:
        self.forget_exit()

    def forget_exit(self) -> None:
        """It is back: nothing is known."""
        self._east_mm = 0.0
        self._north_mm = 0.0

    def add_reading(self, point: Point, spread: Sequence[Point]) -> None:
        """It was read outside at `point`; the cards were dealt at `spread`."""
        count = max(1, len(spread))
        self._east_mm += point[0] - sum(p[0] for p in spread) / count
        self._north_mm -= point[1] - sum(p[1] for p in spread) / count

    @property
    def to_deg(self) -> float | None:
        """The side, in degrees from the table's -y axis, clockwise; None when it was not seen far
        enough outside."""
        if hypot(self._east_mm, self._north_mm) <= OFF_PLACE_MODEL.exit_mm:
            return None
        return degrees(atan2(self._east_mm, self._north_mm))


class Relocation:
    """From where a card was carried to the place where it lies now, and whether that is a pile of
    taken ones."""

    __slots__ = ("_pile", "home", "read_s", "since_s")

    def __init__(self) -> None:
        self.home: Point | None = None
        self.read_s = 0.0
        self.since_s = 0.0
        self._pile: Point | None = None

    def note_rest(self, t_s: float, point: Point, home: Point, read_s: float) -> None:
        """It came to rest at `point` at `t_s`; before that it was read last at `read_s`, in its
        place `home`."""
        if distance_mm(point, home) > OFF_PLACE_MODEL.carried_mm:
            self.home = home
            self.read_s = read_s
            self.since_s = t_s
        self._pile = None

    def note_pile(self, point: Point) -> None:
        """It lies in a pile of taken cards at `point`."""
        self._pile = point

    def in_pile(self, point: Point) -> bool:
        """True when a reading at `point` is one of the pile in which it lies."""
        return self._pile is not None and distance_mm(point, self._pile) <= OFF_PLACE_MODEL.pile_mm


class RestOutside:
    """Where a card was read at rest outside the middle and the tray."""

    __slots__ = ("_rest", "at_mm")

    def __init__(self, card: int) -> None:
        self._rest = Rest(card, OFF_PLACE_MODEL.rests_mm)
        self.at_mm: Point | None = None

    def forget_rest(self) -> None:
        """It is back."""
        self._rest.forget_readings()
        self.at_mm = None

    def read_outside(self, t_s: float, point: Point) -> bool:
        """Take one reading there; True when it rests."""
        self._rest.add_reading(t_s, point, forget_s=OFF_PLACE_MODEL.kept_s)
        rests = self._rest.rests(2, OFF_PLACE_MODEL.rests_s)
        self.at_mm = point if rests else self.at_mm
        return rests

    @property
    def since_s(self) -> float:
        """Since when it has been read where it was read last."""
        return self._rest.since_s
