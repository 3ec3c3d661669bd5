"""Stickers for cards that people own: label sheets, which label carries which card, and what is on
a label.

Knows label geometry in millimetres; knows no PDF and no pixels. Stickers go on faces, at
`MarkerPlace`, never on backs.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from card_printables.artwork.ink import (
    GREY,
    Area,
    Design,
    Mark,
    Modules,
    Point,
    Rgb,
    Words,
    rectangle,
)
from card_printables.deck import word_for
from card_printables.marker import (
    DISC_MM,
    MODULES,
    QUIET_MODULES,
    SMALLEST_SYMBOL_MM,
    SYMBOL_MM,
    MarkerPlace,
    modules,
)
from card_printables.order import CannotPrint
from card_printables.pages.paper import PAPERS_MM
from card_printables.pages.sheet import EDGE_MM

DRIFT_MM = 1.0
"""A label sheet may lie this far aside in the printer: the code and two white modules stay on the
label."""

LEAST_QUIET = 2.0
"""White modules that the readers need round a code; small print stays out of them."""

SCISSORS_QUIET = 3.79
"""White modules round the codes on plain paper: 24.5 mm from one usual code to the next, 8 across on
A4. Nearer, zxing-cpp mixes up the finders of neighbours (of 80 on a 300 dpi page it reads 66 with 3
modules, 71 with 3.5, all with these)."""

RIM_SPARE_MM = 0.5
"""Card left free between a label and the card's edge."""

PALE: Rgb = (0xC4, 0xCC, 0xDD)
"""Ink of lines so near a code that a darker one would be read with it."""

SCISSORS = "scissors"
"""The sheet that is plain paper with cut lines."""


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """A sheet of labels: `side_mm` of a square or the diameter of a round label, the first label's
    edge, and the pitch."""

    name: str
    maker: str
    paper: str
    side_mm: float
    round: bool
    columns: int
    rows: int
    first_mm: Point
    pitch_mm: Point

    @property
    def count(self) -> int:
        """Labels on one sheet."""
        return self.columns * self.rows

    @property
    def places(self) -> tuple[Point, ...]:
        """Centres of the labels in the page frame, row by row."""
        half = self.side_mm / 2
        return tuple(
            (
                self.first_mm[0] + half + column * self.pitch_mm[0],
                self.first_mm[1] + half + row * self.pitch_mm[1],
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @property
    def largest_symbol_mm(self) -> float:
        """The largest code that stays on the label, white round it, also when the sheet lies
        `DRIFT_MM` aside."""
        room = self.side_mm / 2 - DRIFT_MM
        on_round = room / math.hypot(0.5, 0.5 + LEAST_QUIET / MODULES)
        on_square = 2 * room / (1 + 2 * QUIET_MODULES / MODULES)
        side = on_round if self.round else on_square
        return math.floor(side * 10 + 1e-6) / 10


@cache
def label_sheets() -> dict[str, LabelSheet]:
    """The label sheets of `labels.toml` by name."""
    table = tomllib.loads((files("card_printables") / "labels.toml").read_text(encoding="utf-8"))
    return {
        name: LabelSheet(
            name,
            row["maker"],
            row["paper"],
            row["side"],
            row.get("round", False),
            row["columns"],
            row["rows"],
            tuple(row["first"]),
            tuple(row["pitch"]),
        )
        for name, row in table.items()
    }


def scissors_sheet(symbol_mm: float, paper: str) -> LabelSheet:
    """Plain paper: labels edge to edge, their cut lines shared, so that a deck's 80 usual codes fit
    one A4 sheet."""
    side = symbol_mm * (1 + 2 * SCISSORS_QUIET / MODULES)
    columns, rows = (int((length - 2 * EDGE_MM) / side) for length in PAPERS_MM[paper])
    first = tuple(
        (length - n * side) / 2 for length, n in zip(PAPERS_MM[paper], (columns, rows), strict=True)
    )
    return LabelSheet(
        SCISSORS,
        "plain paper",
        paper,
        side,
        False,
        columns,
        rows,
        (first[0], first[1]),
        (side, side),
    )


_NUMBER = r"(\d+(?:\.\d+)?)"
_CUSTOM = re.compile(rf"{_NUMBER}(round)? (\d+)x(\d+) {_NUMBER},{_NUMBER} {_NUMBER},{_NUMBER}")


def custom_sheet(text: str, paper: str) -> LabelSheet | None:
    """The sheet that "25.4 6x11 16.05,8.8 30.5,25.4" describes: side, columns x rows, first label,
    pitch; None when it is no such text. "25round ..." is a round label.

    Raises:
        CannotPrint: the labels lie outside the paper, overlap, or are too small for a code.
    """
    match = _CUSTOM.fullmatch(" ".join(text.split()))
    if match is None:
        return None
    side, x0, y0, dx, dy = (float(match[k]) for k in (1, 5, 6, 7, 8))
    columns, rows = int(match[3]), int(match[4])
    sheet = LabelSheet(
        "custom", "custom labels", paper, side, bool(match[2]), columns, rows, (x0, y0), (dx, dy)
    )
    ends = (x0 + (columns - 1) * dx + side, y0 + (rows - 1) * dy + side)
    if columns * rows == 0 or any(
        end > length + 0.01 for end, length in zip(ends, PAPERS_MM[paper], strict=True)
    ):
        raise CannotPrint(
            f"labels {text!r} do not fit {paper} paper: they end at {ends[0]:g} × {ends[1]:g} mm"
        )
    if (columns > 1 and dx < side - 0.01) or (rows > 1 and dy < side - 0.01):
        raise CannotPrint(
            f"labels {text!r} overlap: the pitch is from one label's edge to the next one's, at least {side:g} mm"
        )
    if sheet.largest_symbol_mm < SMALLEST_SYMBOL_MM:
        raise CannotPrint(
            f"a label of {side:g} mm is too small for a marker of {SMALLEST_SYMBOL_MM:g} mm: choose larger labels"
        )
    return sheet


def sheet_named(name: str, symbol_mm: float | None, paper: str) -> LabelSheet:
    """The label sheet of that name, of a custom geometry, or plain paper.

    Raises:
        CannotPrint: there is no such sheet; the sentence lists them.
    """
    if name == SCISSORS:
        return scissors_sheet(symbol_mm or SYMBOL_MM, paper)
    sheet = label_sheets().get(name) or custom_sheet(name, paper)
    if sheet is None:
        known = ", ".join((SCISSORS, *label_sheets()))
        raise CannotPrint(
            f'there is no label sheet {name!r}: choose {known}, or measure yours: "25.4 6x11 16.05,8.8 30.5,25.4"'
        )
    return sheet


def symbol_on(sheet: LabelSheet, wanted_mm: float | None, disc_mm: float = DISC_MM) -> float:
    """Side of the code on these labels: the wanted one, else the usual 18 mm or the largest that
    fits.

    Raises:
        CannotPrint: the wanted code does not fit the label, or the label does not fit the card with
        its code in its place.
    """
    largest = sheet.largest_symbol_mm if sheet.name != SCISSORS else wanted_mm or SYMBOL_MM
    if wanted_mm is not None and wanted_mm > largest:
        raise CannotPrint(
            f"a marker of {wanted_mm:g} mm does not fit a label of {sheet.side_mm:g} mm: choose at most {largest:g} mm"
        )
    symbol = wanted_mm or min(SYMBOL_MM, largest)
    if not _holds(sheet, symbol, drop_mm(sheet, symbol, disc_mm)):
        raise CannotPrint(
            f"a label of {sheet.side_mm:g} mm is too large for a card of {disc_mm:g} mm: its code would not lie in its place, "
            "so choose smaller labels"
        )
    return symbol


def _holds(sheet: LabelSheet, symbol_mm: float, drop: float) -> bool:
    """Whether a code printed `drop` below the label's middle stays on it with the white that
    readers need at its foot."""
    foot = drop + symbol_mm * (0.5 + LEAST_QUIET / MODULES)
    return (math.hypot(symbol_mm / 2, foot) if sheet.round else foot) <= sheet.side_mm / 2 + 1e-6


def drop_mm(sheet: LabelSheet, symbol_mm: float, disc_mm: float = DISC_MM) -> float:
    """How far below the label's middle its code is printed, so that a large label with its code at
    the marker's place does not reach over the card's edge; 0 for labels that fit as they are."""
    half, reach = sheet.side_mm / 2, disc_mm / 2 - RIM_SPARE_MM
    lowest = reach - half if sheet.round else math.sqrt(max(reach**2 - half**2, 0.0)) - half
    return max(0.0, MarkerPlace(disc_mm, symbol_mm).centre_mm[1] - lowest)


def _small_print(card: int, deck: str, sheet: LabelSheet, symbol_mm: float, drop: float) -> Mark:
    """Deck and number below the code where there is room beside the white it needs, else a bar that
    says "foot"."""
    white_from = drop + symbol_mm / 2 + LEAST_QUIET * symbol_mm / MODULES
    room = sheet.side_mm / 2 - 0.7 - white_from
    if room < 0.9:
        at = max(white_from + 0.2, sheet.side_mm / 2 - 0.9)
        return Area(rectangle((0.0, at), symbol_mm / 3, 0.4), PALE)
    size = min(2.6, room / 0.7)
    return Words(f"{deck} · {card}", (0.0, white_from + 0.68 * size), size, GREY, 0)


def label(
    card: int, deck: str, sheet: LabelSheet, symbol_mm: float, disc_mm: float = DISC_MM
) -> Design:
    """What is on one label: the code, and small print at its foot; white paper else."""
    drop = drop_mm(sheet, symbol_mm, disc_mm)
    code = Modules(modules(word_for(card, deck)), (0.0, drop), symbol_mm)
    return Design(
        sheet.side_mm,
        sheet.side_mm,
        sheet.round,
        (_small_print(card, deck, sheet, symbol_mm, drop), code),
    )


def filled(
    cards: Sequence[int], sheet: LabelSheet, start: int
) -> Iterator[tuple[tuple[int, Point], ...]]:
    """Card and place of every label, one tuple a sheet; the first sheet is used from label `start`
    on, counted from 1.

    Raises:
        CannotPrint: the sheet has no label of that number.
    """
    if not 1 <= start <= sheet.count:
        raise CannotPrint(
            f"a sheet of {sheet.maker} has labels 1 to {sheet.count}: --start {start} is not one of them"
        )
    first, rest = cards[: sheet.count - start + 1], cards[sheet.count - start + 1 :]
    yield tuple(zip(first, sheet.places[start - 1 :], strict=False))
    for k in range(0, len(rest), sheet.count):
        yield tuple(zip(rest[k : k + sheet.count], sheet.places, strict=False))
