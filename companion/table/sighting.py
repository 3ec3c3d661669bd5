"""What one frame says: the values that flow from the eye to the referee.

Pure values in table millimetres (the frame stated in `card_printables.token`); no pictures, no
clock. A `Glimpse` is the recorded, replayable unit: one JSON line a frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Point = tuple[float, float]
Polygon = tuple[Point, ...]


class PlaceState(StrEnum):
    """What a frame shows where a card was last seen lying."""

    MARKER = "marker"
    """The card itself: its marker was read there, or its own picture matches."""
    TABLE = "table"
    """The bare table (or the bare tray): nothing lies there."""
    MOVING = "moving"
    """Something moves over it: a hand, a sleeve."""
    BACK = "back"
    """A card lies there face down."""
    OTHER = "other"
    """Something else lies or rests there."""
    UNKNOWN = "unknown"
    """The picture cannot tell: blurred, too dark, burnt out, outside the view, table never seen
    there."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card read in this frame: its number, the disc's centre, the printed "up" as an angle from
    the table's -y axis (clockwise as the camera sees it), the marker's corners in the picture, and
    the reader's score 0..1."""

    card: int
    centre_mm: Point
    heading_deg: float
    corners_px: Polygon
    score: float


@dataclass(frozen=True, slots=True)
class PlaceReport:
    """What this frame shows at the place where `card` was last seen lying still."""

    card: int
    centre_mm: Point
    state: PlaceState


@dataclass(frozen=True, slots=True)
class Hand:
    """Something moving that reaches into the view: its tip, and the direction it comes from
    (degrees from the table's -y axis, clockwise as the camera sees it; None when it cannot be
    told)."""

    tip_mm: Point
    from_deg: float | None


@dataclass(frozen=True, slots=True)
class TableView:
    """Which part of the table is which: the middle and the tray as polygons in mm; None when not
    known."""

    middle: Polygon | None
    tray: Polygon | None


@dataclass(frozen=True, slots=True)
class Glimpse:
    """All that one frame says.

    `usable` is False when the picture cannot be trusted (blur, dark, bump, no plane): then it holds
    no evidence. `unnamed` counts cards lying face up in the middle whose numbers the reader still
    keeps to itself (the curtain). `notices` are short stable keys of things people should know
    ("mirrored", "twice:17", "foreign", "bumped", ...). `unread_s` comes with a deal just revealed:
    for how many seconds each of its cards had not been read by then.
    """

    t_s: float
    sightings: tuple[Sighting, ...] = ()
    places: tuple[PlaceReport, ...] = ()
    backs_mm: tuple[Point, ...] = ()
    hands: tuple[Hand, ...] = ()
    table: TableView | None = None
    usable: bool = True
    unnamed: int = 0
    notices: tuple[str, ...] = ()
    unread_s: tuple[tuple[int, float], ...] = ()
