"""Card sheets: which card lies where on which page.  Pure.

Knows millimetres on paper and the three ways to give cards a back; knows no PDF and no pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from card_printables.artwork.ink import Point
from card_printables.pages.paper import PRINTER_MARGIN_MM

CUT_BLEED_MM = 2.0
"""Picture beyond the cut on every side: room for scissors and for a back that the printer put 2 mm
aside."""

EDGE_MM = CUT_BLEED_MM + PRINTER_MARGIN_MM
"""Least distance of a cut from the paper's edge: the bleed, and the margin a printer cannot reach.
"""

BACKS = ("long", "short", "fold", "none")
"""Duplex turned over the long or the short edge; fold-over for printers that print one side; none.
"""


@dataclass(frozen=True, slots=True)
class Grid:
    """Places on a sheet: columns and rows of discs, `pitch_mm` apart, in the middle of the paper."""

    paper_mm: tuple[float, float]
    columns: int
    rows: int
    pitch_mm: float

    @property
    def places(self) -> tuple[Point, ...]:
        """Centres in the page frame, row by row."""
        x0 = self.paper_mm[0] / 2 - (self.columns - 1) * self.pitch_mm / 2
        y0 = self.paper_mm[1] / 2 - (self.rows - 1) * self.pitch_mm / 2
        return tuple(
            (x0 + column * self.pitch_mm, y0 + row * self.pitch_mm)
            for row in range(self.rows)
            for column in range(self.columns)
        )


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on a sheet: its number, where its face is, and where its back is as the back's side is
    read (None: no back)."""

    card: int
    face_mm: Point
    back_mm: Point | None


def grid_for(disc_mm: float, paper_mm: tuple[float, float]) -> Grid:
    """As many discs as fit the paper with their bleed; at least one."""
    pitch = disc_mm + 2 * CUT_BLEED_MM
    columns, rows = (
        max(1, int((length - 2 * EDGE_MM - disc_mm) / pitch) + 1) for length in paper_mm
    )
    return Grid(paper_mm, columns, rows, pitch)


def _back_of(place: Point, paper_mm: tuple[float, float], backs: str) -> Point | None:
    """Where the back is printed: mirrored in the edge the sheet turns over, or in the fold."""
    x, y = place
    if backs in ("long", "fold"):
        return (paper_mm[0] - x, y)
    return (x, paper_mm[1] - y) if backs == "short" else None


def sheets(
    cards: Sequence[int], disc_mm: float, paper_mm: tuple[float, float], backs: str
) -> Iterator[tuple[Lying, ...]]:
    """The cards of each sheet of paper, in order; none for fold-over when two columns do not fit."""
    grid = grid_for(disc_mm, paper_mm)
    places = grid.places
    if backs == "fold":
        places = tuple(place for place in places if place[0] < paper_mm[0] / 2 - disc_mm / 2)
    for first in range(0, len(cards) if places else 0, len(places) or 1):
        lot = cards[first : first + len(places)]
        yield tuple(
            Lying(card, place, _back_of(place, paper_mm, backs))
            for card, place in zip(lot, places, strict=False)
        )


def is_duplex(backs: str) -> bool:
    """True when every sheet has a printed back side of its own."""
    return backs in ("long", "short")


def page_of(
    card: int, cards: Sequence[int], disc_mm: float, paper_mm: tuple[float, float], backs: str
) -> tuple[int, Point] | None:
    """The page of the PDF, from 1, and the place on it where the face of `card` is printed; None
    when it is not printed."""
    sides = 2 if is_duplex(backs) else 1
    for count, sheet in enumerate(sheets(cards, disc_mm, paper_mm, backs)):
        for lying in sheet:
            if lying.card == card:
                return sides * (count + 1) + 1, lying.face_mm
    return None
