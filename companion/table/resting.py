"""Where one card rests: its readings, kept as long as they stay in one place.

Knows sightings over time.  Knows nothing of rounds, zones' meaning or who plays.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.sighting import Point
from companion.table.zones import distance_mm


@dataclass(frozen=True, slots=True)
class RestReach:
    """How far apart two readings of one card may be and still be a card that has not moved.

    The reader's own scatter on a still table is about 1 mm (`companion.practice.witness` has it so);
    all of these were chosen above it, each by what may move the card where it is asked.
    """

    still_mm: float = 8.0
    """In the middle, while its place is asked about: a nudge is further."""
    outside_mm: float = 10.0
    """In the tray, or laid down elsewhere: cards that slide on a pile."""
    stray_mm: float = 12.0
    """Where it should not lie: only to tell it from one that is carried past."""
    dealt_mm: float = 15.0
    """While cards are dealt: people push the row together. A printed back that lies still, too."""


REST_REACH = RestReach()


@dataclass(frozen=True, slots=True)
class Placement:
    """A card that rests: where, since when, when last read, and how often."""

    card: int
    centre_mm: Point
    since_s: float
    seen_s: float
    readings: int


@dataclass(slots=True)
class Rest:
    """The readings of one card that lie within `reach_mm` of each other; a reading elsewhere starts
    again."""

    card: int
    reach_mm: float
    centre_mm: Point = (0.0, 0.0)
    since_s: float = 0.0
    seen_s: float = 0.0
    readings: int = 0

    def add_reading(self, t_s: float, centre_mm: Point, forget_s: float = 20.0) -> None:
        """Take one reading; the track starts again when it is elsewhere or the last one is older
        than `forget_s`."""
        fresh = (
            not self.readings
            or t_s - self.seen_s > forget_s
            or distance_mm(centre_mm, self.centre_mm) > self.reach_mm
        )
        if fresh:
            self.since_s = t_s
            self.readings = 0
        self.centre_mm = centre_mm
        self.seen_s = t_s
        self.readings += 1

    def forget_readings(self) -> None:
        """Drop all readings."""
        self.readings = 0

    @property
    def span_s(self) -> float:
        """Seconds between the first and the last reading here."""
        return self.seen_s - self.since_s if self.readings else 0.0

    def rests(self, readings: int, span_s: float) -> bool:
        """True when it was read at least so often over at least so long without moving."""
        return self.readings >= readings and self.span_s >= span_s - 1e-6

    def placement(self) -> Placement:
        """These readings as a value."""
        return Placement(self.card, self.centre_mm, self.since_s, self.seen_s, self.readings)
