"""What is seen of one card that left: to which side it went, how long the tray and its place showed
that it is not there.

Knows readings outside the middle, the tray's being in view, and the bare place. Must not know
whether the card was a wrong guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, hypot

from companion.referee.observing.indexed_glimpse import Look
from companion.table.resting import Rest
from companion.table.sighting import PlaceState, Point
from companion.table.zones import distance_mm, nearest_mm

NOWHERE: Point = (1e6, 1e6)
"""The place of a card that was never read in the middle."""

LONG_AGO_S = 600.0
"""A card that was not there when the watching began may have left so long before."""

LOST_S = 1.8
"""An open tray in which nothing is read for so long may have been left again by the card that lay
there (half a second of it passes after the middle is empty); where the card's place is not known
either, nothing else would tell."""

EDGE_MM, RESTS_S = 10.0, 0.08
"""At rest: read twice within so many mm over so long; a flying card is read once, or twice further
apart."""

FLOWN_MM = 200.0
"""A card read outside says to which side it went when it was so far from the middle of the deal."""

CARRIED_MM, PILE_MM = 60.0, 30.0
"""A card read at rest so far from its place was carried there, not nudged; cards so near one
another lie in one pile, for discs side by side are 85 mm apart and a card pushed over another's
marker 30 to 45 mm."""

TRAY_WATCHED_S = 10.0
"""Later than this the tray may have been emptied: not seeing the card there says no more."""


DOUBT_S, DOUBT_BACK_S, DOUBT_TRAY_S = 0.8, 0.4, 0.2
"""A hand laid something on a bare place, which lay there so long and went again: perhaps the card,
never read; the same where a named back no longer shows, or the card no longer in the tray."""

ARM_MM, HEAP_MM = 200.0, 60.0
"""A hand so near may have laid something there; a card read so near is what lies there."""

BRIEF_S, GLANCE_S = 0.6, 0.15
"""So long the eye may take a card whose marker it cannot read for the bare table; errors come in
bursts of 0.4 s. Nobody takes a card and lays another thing in its place within the second time (the
look that told of its leaving not counted)."""


class Flight:
    """To which side of the table a card went."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """It is back: nothing is known."""
        self._east = self._north = 0.0

    def read(self, point: Point, spread: Sequence[Point]) -> None:
        """It was read outside at `point`; the cards were dealt at `spread`."""
        count = max(1, len(spread))
        self._east += point[0] - sum(p[0] for p in spread) / count
        self._north -= point[1] - sum(p[1] for p in spread) / count

    @property
    def to_deg(self) -> float | None:
        """The side, in degrees from the table's -y axis, clockwise; None when it was not seen far
        enough outside."""
        return (
            degrees(atan2(self._east, self._north))
            if hypot(self._east, self._north) > FLOWN_MM
            else None
        )


class Carried:
    """From where a card was carried to the place where it lies now, and whether that is a pile of
    taken ones."""

    def __init__(self) -> None:
        self.home: Point | None = None
        self.read_s = self.since_s = 0.0
        self._pile: Point | None = None

    def come(self, t_s: float, point: Point, home: Point, read_s: float) -> None:
        """It came to rest at `point` at `t_s`; before that it was read last at `read_s`, in its
        place `home`."""
        if distance_mm(point, home) > CARRIED_MM:
            self.home, self.read_s, self.since_s = home, read_s, t_s
        self._pile = None

    def pile(self, point: Point) -> None:
        """It lies in a pile of taken cards at `point`."""
        self._pile = point

    def in_pile(self, point: Point) -> bool:
        """True when a reading at `point` is one of the pile in which it lies."""
        return self._pile is not None and distance_mm(point, self._pile) <= PILE_MM


class Edge:
    """Where a card was read at rest outside the middle and the tray."""

    def __init__(self, card: int) -> None:
        self._rest = Rest(card, EDGE_MM)
        self.at_mm: Point | None = None

    def forget(self) -> None:
        """It is back."""
        self._rest.forget()
        self.at_mm = None

    def read(self, t_s: float, point: Point) -> bool:
        """Take one reading there; True when it rests."""
        self._rest.read(t_s, point, forget_s=3.0)
        rests = self._rest.rests(2, RESTS_S)
        self.at_mm = point if rests else self.at_mm
        return rests

    @property
    def since_s(self) -> float:
        """Since when it has been read where it was read last."""
        return self._rest.since_s


class TrayClock:
    """For how long the tray has been in plain view since a card left, and surely not emptied
    meanwhile."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The card is back."""
        self.watched_s = self.awaited_s = 0.0

    def see(self, look: Look, dt_s: float) -> None:
        """Take one look: time counts once the cards known to be in the tray are read there again
        (the Lookout may empty the tray before the middle, and an empty tray is no witness)."""
        if look.tray_open and self.watched_s < TRAY_WATCHED_S:
            self.awaited_s += dt_s
        if look.tray_read:
            self.watched_s, self.awaited_s = self.watched_s + self.awaited_s, 0.0


class BarePlace:
    """The place of a card that left: for how long it was seen bare or with a back in it, and
    whether the card may have come back unread.

    Nothing comes or goes without a hand: between two hands something lies there all the time or
    never, and what is seen more rarely is the eye's error.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The card is back."""
        self.watched_s = self.back_s = 0.0
        self._touched = self._near = False
        self.trust()

    def trust(self) -> None:
        """It is known to be elsewhere: what lay there was not the card."""
        self._reached_s: float | None = None
        self._lay_s: tuple[float, float] | None = None
        self._went_s: tuple[float, float] | None = None
        self._filled_s = self._bare_s = 0.0
        self.again_s: tuple[float, float] | None = None

    @property
    def brief(self) -> bool:
        """True when it was seen bare only for a moment and nobody has reached there since; or for a
        glance, too short to lay anything there, and no hand is there now."""
        return not self._near and self.watched_s < (GLANCE_S if self._touched else BRIEF_S)

    def see(
        self,
        look: Look,
        dt_s: float,
        place: Point,
        state: PlaceState,
        back_seen: bool,
        off_tray: bool | None,
    ) -> None:
        """Take one look at the `place`, which shows `state`; `back_seen`: the card lay there face
        down; `off_tray`: it lay in the tray and may not any more (None: it never lay there)."""
        self._near = nearest_mm(place, look.tips) <= ARM_MM or state is PlaceState.MOVING
        self._touched = self._touched or self._near
        if state is PlaceState.BACK:
            self._filled_s, self._lay_s = 0.0, None
        if self._near and (self.watched_s > 0 or back_seen):
            self._reached_s = look.t_s
            self._filled_s = self._bare_s = 0.0
        elif self._reached_s is not None:
            least_s = DOUBT_S if off_tray is None else DOUBT_TRAY_S
            self._count(
                look, dt_s, place, state, min(least_s, DOUBT_BACK_S) if back_seen else least_s
            )
        self._tell(look, state, off_tray)
        self.watched_s += dt_s if state is PlaceState.TABLE else 0.0
        self.back_s += dt_s if state is PlaceState.BACK else 0.0

    def _count(
        self, look: Look, dt_s: float, place: Point, state: PlaceState, least_s: float
    ) -> None:
        """Since the last hand something was seen to lie there, and nothing else, for so long;
        unless it is another card."""
        if state is PlaceState.OTHER and look.in_play and not look.reads_near(place, HEAP_MM):
            self._filled_s += dt_s
            if self._filled_s > max(least_s, self._bare_s):
                self._lay_s = (self._reached_s or 0.0, look.t_s)
        elif state is PlaceState.TABLE:
            self._bare_s += dt_s

    def _tell(self, look: Look, state: PlaceState, off_tray: bool | None) -> None:
        """Put together between which times the card left again, if it lay there."""
        if self._lay_s is not None and (state is PlaceState.TABLE or not look.in_play):
            self._went_s = (self._lay_s[1], look.t_s)
        if off_tray is not None and self._bare_s > self._filled_s > 0:
            self._lay_s = self._went_s = self.again_s = (
                None  # what lay there was none, and the card was seen in the tray
            )
        if off_tray:
            self.again_s = self._went_s or (
                (self._lay_s[0], look.t_s) if self._lay_s is not None else self.again_s
            )
        elif off_tray is None:
            self.again_s = self._went_s
        self._lay_s = None if state is PlaceState.TABLE else self._lay_s
