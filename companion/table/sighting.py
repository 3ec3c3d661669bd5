"""What one frame says: the values that flow from the eye to the referee.

Pure values in table millimetres (the frame stated in `card_printables.token`); no pictures, no
clock. A `Glimpse` is the recorded, replayable unit: one JSON line a frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

FIRST_STAND_IN = 1000
"""From this number on a card's number stands for a card that lies there without a name: it holds for the
evening, and no ledger ever has it."""


def is_stand_in(number: int) -> bool:
    """Whether this is no card's own number."""
    return number >= FIRST_STAND_IN


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


REVEALED = "revealed"
"""The key that recordings and screens have for a glimpse that comes with a deal."""

ONE_UNREAD = "card_unread"
"""The key beside it where one card of the deal was never read."""

AFTER_MISSED_ROUND = "missed_round"
"""The key beside it where nearly a whole deal of other cards has come and gone before."""


@dataclass(frozen=True, slots=True)
class DealtCard:
    """One card of a deal: where it came to rest, for how long it had not been read when the deal
    was found, and whether it had left by then (when it left is not known)."""

    card: int
    place_mm: Point
    unread_s: float = 0.0
    had_left: bool = False


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of a round, found lying face up together: in the order in which they came to rest.

    Made once, by the dealing room (`companion/dealing`), and handed on with the glimpse that
    reveals it. `one_unread`: all but one lay long and then began to leave, and the missing one was
    never read. `after_missed_round`: nearly a whole deal of other cards came and went before these,
    so a round was played that nobody saw whole.
    """

    cards: tuple[DealtCard, ...]
    one_unread: bool = False
    after_missed_round: bool = False

    def of_cards(self, wanted: Callable[[int], bool]) -> Deal | None:
        """The same deal with only the cards that are `wanted`; None where none is."""
        cards = tuple(dealt for dealt in self.cards if wanted(dealt.card))
        return replace(self, cards=cards) if cards else None

    @property
    def places_mm(self) -> dict[int, Point]:
        """Where each card came to rest."""
        return {dealt.card: dealt.place_mm for dealt in self.cards}

    @property
    def unread_s(self) -> dict[int, float]:
        """For how long each card had not been read when the deal was found."""
        return {dealt.card: dealt.unread_s for dealt in self.cards}

    @property
    def had_left(self) -> tuple[int, ...]:
        """The cards that had left already when the deal was found."""
        return tuple(dealt.card for dealt in self.cards if dealt.had_left)

    @property
    def notices(self) -> tuple[str, ...]:
        """The keys that recordings and screens have for this deal."""
        one_unread = (ONE_UNREAD,) if self.one_unread else ()
        missed = (AFTER_MISSED_ROUND,) if self.after_missed_round else ()
        return (REVEALED, *one_unread, *missed)


WHOLE_SHARE = 0.95
"""A tray of which the picture holds so much is not cut off."""


@dataclass(frozen=True, slots=True)
class TrayReport:
    """What the tray looks like, whether or not what lies in it can be read: `in_view`: the share of
    it that the picture holds; `quiet`: nothing moves there, and no hand hides it; `version`: a
    number that differs from look to look when the quiet picture does; `covered_mm2`: on how much
    of it something lies."""

    in_view: float
    quiet: bool
    version: int
    covered_mm2: float

    @property
    def whole(self) -> bool:
        """True where the picture holds all of it."""
        return self.in_view >= WHOLE_SHARE


class PictureSays(StrEnum):
    """What the picture on a disc says whose code cannot be read."""

    NAMED = "named"
    """It is this card."""
    OURS = "ours"
    """It is one of this round's cards, not told which."""
    OTHER = "other"
    """It is not the card that lay here."""


@dataclass(frozen=True, slots=True)
class PictureReport:
    """What the picture on a disc says whose code cannot be read: `card` is None where it says
    `OURS`, and with `OTHER` the card that it is not. `evidence`: how surely (0.30 may name a card)."""

    says: PictureSays
    card: int | None
    centre_mm: Point
    heading_deg: float
    evidence: float


@dataclass(frozen=True, slots=True)
class Glimpse:
    """All that one frame says, as everyone but the eye and the dealing room may see it.

    `usable` is False when the picture cannot be trusted (blur, dark, bump, no plane): then it holds
    no evidence. `unnamed` counts cards lying face up in the middle whose numbers are still withheld
    (the curtain). `notices` are short stable keys of things people should know ("mirrored",
    "twice:17", "foreign", "bumped", ...). `deal` is there on the one glimpse that lifts the
    curtain: it holds a sighting of every card of the deal. `tray` is None where no tray lies in view,
    where nothing is known of it yet, and in recordings made before it was watched. `pictures` are of
    discs that lie still where this round's cards may, and whose codes are not read. `names`: the cards
    that stand-in numbers turned out to be (stand-in, card), in every glimpse from then on.
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
    deal: Deal | None = None
    tray: TrayReport | None = None
    pictures: tuple[PictureReport, ...] = ()
    names: tuple[tuple[int, int], ...] = ()

    @property
    def all_notices(self) -> tuple[str, ...]:
        """The eye's notices, and those of the deal that this glimpse reveals."""
        return self.notices + (self.deal.notices if self.deal is not None else ())


@dataclass(frozen=True, slots=True)
class RawGlimpse:
    """All that the eye read in one frame, nothing withheld: a type of its own, so that it cannot
    reach a screen, a recording or the referee by mistake. In a game only the dealing room
    (`companion/dealing`) opens it."""

    uncurtained: Glimpse = field(repr=False)


@dataclass(frozen=True, slots=True)
class Attention:
    """What the referee knows that the eye and the curtain must: how many cards the open or next deal
    has (0 while nobody plays), which cards finished rounds have used up, and which are of the round
    that lies open."""

    deal_size: int = 0
    gone_cards: frozenset[int] = frozenset()
    round_cards: frozenset[int] = frozenset()
