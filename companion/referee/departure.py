"""A card that left its place: the value that observing hands to weighing.

Knows millimetres, seconds and degrees of one card. Must not know the round it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.table.sighting import WHOLE_SHARE, Point

AT_REST = 2
"""The tray level from which a card lies there; below it, it was read in passing at most."""

SURELY_DOWN_SHARE = 0.9
"""So surely face down in its place, a card counts as seen set aside."""


@dataclass(frozen=True, slots=True)
class HandVisit:
    """The hand that was there when a card left: the visit's own number, where the hand came from, and
    where from while it was over the card's place (degrees from the table's -y axis, clockwise)."""

    number: int
    from_deg: float | None
    reach_deg: float | None = None


@dataclass(frozen=True, slots=True)
class TrayPicture:
    """What the tray, watched as a picture, says of one card that left: `came`: something came there
    after it and before the next; `still_s`: for how long the picture was seen unchanged since;
    `known`: whether it was watched at all; `visited`: something moved over it soon after, an arm
    that only crosses it perhaps; `reached`: a hand's fingertips did; `passing`: on the straight way
    from the card's place home, as of one who sits behind the tray; `hands_seen`: a hand was seen
    to take the card, so that one which brought it to the tray would have been seen as well; `in_view`:
    the share of the tray that the picture holds; `lay_until_s`: until when it
    lay there for certain, for what came covers bare tray and none was bared or out of view by then
    (0: not known)."""

    came: bool = False
    still_s: float = 0.0
    known: bool = False
    visited: bool = False
    reached: bool = False
    passing: bool = False
    hands_seen: bool = True
    in_view: float = 1.0
    lay_until_s: float = 0.0

    @property
    def cut_off(self) -> bool:
        """True where the picture does not hold the whole tray."""
        return self.in_view < WHOLE_SHARE

    @property
    def brought_beyond(self) -> bool:
        """True for a card that may lie where the picture does not hold the tray: fingertips were
        there."""
        return self.cut_off and self.reached


NOT_WATCHED = TrayPicture()
"""The tray was not watched as a picture."""


@dataclass(frozen=True, slots=True)
class TrayEvidence:
    """What the tray tells of one card that left.

    `level`: 0 never read there, 1 read once in passing, 2 at rest, 3 at rest for half a second or
    more. `watched_s`: how long the tray was in plain view since the card left; `watched_before_s`: and
    how long before that, since the card was last read in its place. `lifted_off`: what it covered in
    the tray is read again. `came_s`: when it was first read there, and for how long the tray had been
    in plain view without it by then. `picture`: what the tray's picture says, the card read or not. `pictured_s`: since when the
    card's own picture was told there, its code unread (None: never). `unread_s`: for how long the open
    tray has not shown it since it was read there, though no card came after it.
    """

    level: int = 0
    watched_s: float = 0.0
    watched_before_s: float = 0.0
    lifted_off: bool = False
    came_s: tuple[float, float] = (0.0, 0.0)
    picture: TrayPicture = NOT_WATCHED
    pictured_s: float | None = None
    unread_s: float = 0.0

    @property
    def rests(self) -> bool:
        """True when it was read at rest there."""
        return self.level >= AT_REST


@dataclass(frozen=True, slots=True)
class PlaceEvidence:
    """What the place that a card left tells.

    `face_down`: 0 to 1, how surely the card lay there face down. `bare_s`: how long the bare place was
    in plain view since. `back_s`: for how long a card's back was seen there. `again_s`: between which
    times the card left again, if it came back unread.
    """

    face_down: float = 0.0
    bare_s: float = 0.0
    back_s: float = 0.0
    again_s: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class OutsideEvidence:
    """Where a card was read at rest outside the middle and the tray (`rest_mm`), and to which side of
    the table it was seen to go (`exit_deg`, from the table's -y axis, clockwise)."""

    rest_mm: Point | None = None
    exit_deg: float | None = None


NO_TRAY = TrayEvidence()
NO_PLACE = PlaceEvidence()
NO_OUTSIDE = OutsideEvidence()


@dataclass(frozen=True, slots=True)
class Departure:
    """A card that left between two times, what testifies how, and what people said of it.

    `firm` is False where nothing but its not being read says that it left. `named_wrong`: a person
    said that it was a wrong guess; `denied`: that it was none.
    """

    card: int
    low_s: float
    high_s: float
    firm: bool = True
    tray: TrayEvidence = NO_TRAY
    place: PlaceEvidence = NO_PLACE
    outside: OutsideEvidence = NO_OUTSIDE
    visit: HandVisit | None = None
    named_wrong: bool = False
    denied: bool = False

    @property
    def rests_in_tray(self) -> bool:
        """True when it was read at rest in the tray."""
        return self.tray.rests

    @property
    def known_aside(self) -> bool:
        """True when it was seen set aside, or a person said so."""
        return self.rests_in_tray or self.place.face_down > SURELY_DOWN_SHARE or self.named_wrong


def in_order(departures: Sequence[Departure]) -> tuple[Departure, ...]:
    """The departures as they happened; a card known to be set aside goes before a neighbour whose
    interval overlaps."""
    row = sorted(departures, key=lambda d: (d.high_s, d.low_s, d.card))
    for end in range(1, len(row)):
        at = end
        while (
            at
            and row[at].known_aside
            and not row[at - 1].known_aside
            and row[at].low_s < row[at - 1].high_s
        ):
            row[at - 1], row[at] = row[at], row[at - 1]
            at -= 1
    return tuple(row)
