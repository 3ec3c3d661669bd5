"""One usable glimpse, sorted by card: what the watches of a round look at.

Knows zones and hands.  Must not know what happened before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.referee.observing.belief import Observation
from companion.referee.observing.hand_visits import HandVisits
from companion.table.sighting import (
    Glimpse,
    Hand,
    PictureSays,
    PlaceReport,
    PlaceState,
    Point,
    TableView,
    TrayReport,
)
from companion.table.zones import Zone, distance_mm, inside, nearest_mm, outline_mm, zone_of

REPORT_MM = 45.0
"""A report from further away is about another place."""

HAND_MM = 150.0
"""A hand so near may hide a marker."""

BACK_MM = 25.0
"""A back so near lies in the place."""

AT_TRAY_MM = 60.0
"""Fingers hold a card some 20 mm from its centre, which lies up to 25 mm beside the tray, and a tip
is known to a finger's breadth."""

LONGEST_STEP_S = 1.0
"""A longer pause between two glimpses counts as so long."""


@dataclass(frozen=True, slots=True)
class IndexedGlimpse:
    """One usable glimpse, sorted by card; `tray_open`: the tray is in view, no hand is over it and
    it is not being cleared; `tray_read`: the round's cards in the tray are read there, or it has
    none; `in_play`: some card of the round still lies; `pictured`: the cards told by their pictures,
    their codes unread, and where."""

    t_s: float
    dt_s: float
    readings: Mapping[int, Sequence[Point]]
    places: Mapping[int, PlaceReport]
    backs: Sequence[Point]
    hands: Sequence[Hand]
    table: TableView | None
    tray_open: bool
    visits: HandVisits
    named_backs: bool = False
    in_play: bool = True
    tray_read: bool = True
    tray: TrayReport | None = None
    pictured: Mapping[int, Point] = field(default_factory=dict)

    @property
    def tips(self) -> Sequence[Point]:
        """Where fingertips are."""
        return [hand.tip_mm for hand in self.hands]

    @property
    def has_tray(self) -> bool:
        """True when a tray lies on the table."""
        return self.table is not None and self.table.tray is not None

    @property
    def hand_in_tray(self) -> bool:
        """True when a hand is over the tray."""
        return any(zone_of(tip, self.table) is Zone.TRAY for tip in self.tips)

    @property
    def hands_at_tray(self) -> Sequence[Hand]:
        """The hands whose fingertips are over the tray or so near that they may lay a card on its
        edge."""
        tray = self.table.tray if self.table is not None else None
        return [
            hand
            for hand in self.hands
            if tray is not None
            and (inside(hand.tip_mm, tray) or outline_mm(hand.tip_mm, tray) <= AT_TRAY_MM)
        ]

    def reads_near(self, place: Point, within_mm: float) -> bool:
        """True when a card is read so near this `place`."""
        return any(
            distance_mm(point, place) <= within_mm
            for points in self.readings.values()
            for point in points
        )

    def report_of(self, card: int, place: Point) -> PlaceReport | None:
        """What the eye says of this card's `place`; its word about another one, where the card
        rests since, is none."""
        report = self.places.get(card)
        return (
            report
            if report is not None and distance_mm(report.centre_mm, place) <= REPORT_MM
            else None
        )

    def observation_of(self, card: int, place: Point) -> Observation | None:
        """What this glimpse shows of this card's `place`; None where a hand may hide it and the eye
        says nothing."""
        if self.backs and nearest_mm(place, self.backs) <= BACK_MM:
            return Observation.BACK
        known = self.report_of(card, place)
        if known is not None and known.state is not PlaceState.UNKNOWN:
            return Observation(known.state.value)
        return Observation.UNREAD if nearest_mm(place, self.tips) > HAND_MM else None


def index_glimpse(
    glimpse: Glimpse, dt_s: float, table: TableView | None, visits: HandVisits, named_backs: bool
) -> IndexedGlimpse:
    """`glimpse` sorted by card; `table` is the latest view of the table known; `named_backs`: the
    eye can tell a back."""
    readings: dict[int, list[Point]] = {}
    for sighting in glimpse.sightings:
        readings.setdefault(sighting.card, []).append(sighting.centre_mm)
    tray = table.tray if table is not None else None
    is_open = tray is not None and all(
        zone_of(hand.tip_mm, table) is not Zone.TRAY for hand in glimpse.hands
    )
    places = {report.card: report for report in glimpse.places}
    return IndexedGlimpse(
        glimpse.t_s,
        dt_s,
        readings,
        places,
        glimpse.backs_mm,
        glimpse.hands,
        table,
        is_open,
        visits,
        named_backs,
        tray=glimpse.tray,
        pictured={
            told.card: told.centre_mm
            for told in glimpse.pictures
            if told.card is not None and told.says is PictureSays.NAMED
        },
    )


class GlimpseIndexer:
    """Sorts glimpses by card, and keeps what one glimpse alone does not say: the table as it was seen
    last, the hands of the last seconds, whether the eye knows card backs."""

    def __init__(self) -> None:
        self.now_s: float | None = None
        self.table: TableView | None = None
        self._visits = HandVisits()
        self._backs_named = False

    def take_in(self, glimpse: Glimpse) -> float | None:
        """Take the next glimpse: the seconds since the one before (a longer pause counts as
        `LONGEST_STEP_S`); None for one that says nothing, unusable or out of order."""
        if not glimpse.usable or (self.now_s is not None and glimpse.t_s <= self.now_s):
            return None
        dt_s = 0.0 if self.now_s is None else min(glimpse.t_s - self.now_s, LONGEST_STEP_S)
        self.now_s = glimpse.t_s
        self.table = glimpse.table or self.table
        self._visits.gather_hands(glimpse.t_s, glimpse.hands)
        return dt_s

    def index(self, glimpse: Glimpse, dt_s: float) -> IndexedGlimpse:
        """A glimpse that was taken in, now or a moment ago, sorted by card."""
        if glimpse.backs_mm or any(report.state is PlaceState.BACK for report in glimpse.places):
            self._backs_named = True
        return index_glimpse(glimpse, dt_s, self.table, self._visits, self._backs_named)
