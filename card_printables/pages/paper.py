"""Paper: the two sizes that home printers take, and what a page is.

Knows sheets of paper and places on them in millimetres; knows no PDF.
The page frame: origin at the sheet's top-left corner, x right, y down, as the printed side is read.
"""

from __future__ import annotations

from dataclasses import dataclass

from card_printables.artwork.ink import Design, Mark, Point

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height, upright."""

PRINTER_MARGIN_MM = 5.0
"""What a home printer may leave white at the paper's edge; nothing that matters is nearer."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece lying on a page: `name` says which (equal names are equal designs), its centre, and
    the bleed that is painted."""

    name: str
    design: Design
    at_mm: Point
    bleed_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a sheet: its name in the reader's list, its size, what is on it in the order of
    painting. `is_back` tells the printed back of a sheet, which has a correction of its own."""

    title: str
    width_mm: float
    height_mm: float
    items: tuple[Mark | Placed, ...]
    is_back: bool = False
