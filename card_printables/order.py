"""What is to be printed: every choice a person can make, checked before anything is drawn.

Knows options and their limits; knows no pixels, no PDF, no files but the place to write to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from card_printables.deck import DECKS, LARGEST, PUBLISHED_SIZE
from card_printables.marker import (
    ART_BLEED_MM,
    DISC_MM,
    SMALLEST_SYMBOL_MM,
    SYMBOL_MM,
    largest_symbol_mm,
)

Progress = Callable[[int, int], None]
"""Called with how many pieces are done and how many there are."""

PRINT_KINDS = ("cards", "table", "stickers", "test-sheet", "ruler")
BACK_DRAWINGS = ("moon", "square")
"""What is drawn on the backs: a moon that carries the code; or the large code on a white square of
decks printed before, whose lost cards must not be told by their backs."""

LANGUAGES = ("en", "de", "cs")
"""Languages of what the sheets say."""

SMALLEST_DISC_MM = 40.0
LARGEST_DISC_MM = 120.0
"""Chosen: smaller discs hold no code that a camera reads, larger ones fit no home printer twice."""

SMALLEST_DPI = 36
LARGEST_DPI = 600
"""Chosen: coarser pictures show no code, finer ones fill the memory (the tray is 6200 by 4500)."""


class CannotPrint(ValueError):
    """Raised when an order cannot be printed; the text is one sentence for a person and says what
    to choose instead."""


@dataclass(frozen=True, slots=True)
class Order:
    """One print job. `symbol_mm` None means the usual 18 mm (on labels: at most what fits). `cards`
    in the order they are laid out; `out` None means the default name in the working folder."""

    kind: str = "cards"
    paper: str = "a4"
    format: str = "pdf"
    dpi: int = 300
    disc_mm: float = DISC_MM
    symbol_mm: float | None = None
    deck: str = DECKS[0]
    cards: tuple[int, ...] = tuple(range(1, PUBLISHED_SIZE + 1))
    backs: str = "long"
    back_drawing: str = BACK_DRAWINGS[0]
    language: str = LANGUAGES[0]
    bleed_mm: float = 0.0
    measured_mm: tuple[float, float] = (100.0, 100.0)
    shift_mm: tuple[float, float] = (0.0, 0.0)
    back_shift_mm: tuple[float, float] = (0.0, 0.0)
    sheet: str = "scissors"
    start: int = 1
    out: Path | None = None


def cards_from(text: str) -> tuple[int, ...]:
    """The card numbers that "7,12,40-44" names, in that order, each once.

    Raises:
        CannotPrint: it is empty, not of that form, or names a card that no deck has.
    """
    numbers: list[int] = []
    for part in text.replace(" ", "").split(","):
        match = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", part)
        if match is None:
            raise CannotPrint(f"cannot read the card numbers {text!r}: write them like 7,12,40-44")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise CannotPrint(f"the card numbers {part} run backwards: write {last}-{first}")
        if not 1 <= first <= last <= LARGEST:
            raise CannotPrint(f"there are no cards {part}: cards are 1 to {LARGEST}")
        numbers += range(first, last + 1)
    return tuple(dict.fromkeys(numbers))


def _check_sizes(order: Order) -> None:
    if not SMALLEST_DISC_MM <= order.disc_mm <= LARGEST_DISC_MM:
        raise CannotPrint(
            f"a disc of {order.disc_mm:g} mm cannot be printed: choose {SMALLEST_DISC_MM:g} to {LARGEST_DISC_MM:g} mm"
        )
    largest = largest_symbol_mm(order.disc_mm)
    symbol = SYMBOL_MM if order.symbol_mm is None else order.symbol_mm
    if not SMALLEST_SYMBOL_MM <= symbol <= largest:
        raise CannotPrint(
            f"a marker of {symbol:g} mm does not fit a disc of {order.disc_mm:g} mm: "
            f"choose {SMALLEST_SYMBOL_MM:g} to {largest:g} mm"
        )
    if not SMALLEST_DPI <= order.dpi <= LARGEST_DPI:
        raise CannotPrint(
            f"{order.dpi} dots an inch cannot be drawn: choose {SMALLEST_DPI} to {LARGEST_DPI}"
        )
    if not 0 <= order.bleed_mm <= ART_BLEED_MM:
        raise CannotPrint(
            f"a bleed of {order.bleed_mm:g} mm cannot be drawn: choose 0 to {ART_BLEED_MM:g} mm"
        )
    if order.bleed_mm and (order.kind, order.format) != ("cards", "png"):
        raise CannotPrint(
            "a bleed is for the cards as PNG files (sheets have their own): choose cards and --format png"
        )


def _check_correction(order: Order) -> None:
    if not all(90 <= length <= 110 for length in order.measured_mm):
        raise CannotPrint(
            "the measured ruler must be between 90 and 110 mm: beyond that, look for 'fit to page' in the print dialogue"
        )
    if not all(abs(shift) <= 10 for shift in (*order.shift_mm, *order.back_shift_mm)):
        raise CannotPrint(
            "a shift of more than 10 mm cannot be corrected: look for the paper size in the print dialogue"
        )


_USED_BY: Mapping[str, tuple[Callable[[Order], object], tuple[str, ...]]] = {
    "diameter": (lambda o: o.disc_mm, ("cards", "stickers")),
    "marker size": (lambda o: o.symbol_mm, ("cards", "stickers")),
    "deck": (lambda o: o.deck, ("cards", "stickers")),
    "choice of cards": (lambda o: o.cards, ("cards", "stickers")),
    "label sheet": (lambda o: o.sheet, ("stickers",)),
    "first label": (lambda o: o.start, ("stickers",)),
    "backs": (lambda o: o.backs, ("cards", "ruler")),
    "drawing of the backs": (lambda o: o.back_drawing, ("cards",)),
}  # fmt: skip
"""Choices that only some kinds of print have a use for: where an order keeps each, and those kinds.
"""


def left_aside(order: Order) -> tuple[str, ...]:
    """The choices of an order that its kind of print has no use for, one sentence each."""
    plain = Order(kind=order.kind)
    idle = [
        (name, kinds)
        for name, (of, kinds) in _USED_BY.items()
        if order.kind not in kinds and of(order) != of(plain)
    ]
    said = [
        f"the {name} was left aside: only {' and '.join(kinds)} have a use for it"
        for name, kinds in idle
    ]
    if order.kind == "stickers" and order.sheet != plain.sheet and order.paper != plain.paper:
        said.append("the paper was left aside: a label sheet has its own")
    return tuple(said)


def check(order: Order) -> None:
    """Pass when the order can be printed.

    Raises:
        CannotPrint: it cannot; the sentence says why and what to choose.
    """
    if order.kind not in PRINT_KINDS:
        raise CannotPrint(f"there is no {order.kind!r} to print: choose {', '.join(PRINT_KINDS)}")
    if not order.cards:
        raise CannotPrint(
            "no card was chosen, so there is no page to print: name some, like --cards 1-80"
        )
    if order.deck not in DECKS:
        raise CannotPrint(f"there is no deck {order.deck!r}: choose {', '.join(DECKS)}")
    if order.back_drawing not in BACK_DRAWINGS:
        raise CannotPrint(
            f"there is no back {order.back_drawing!r}: choose {', '.join(BACK_DRAWINGS)}"
        )
    if order.language not in LANGUAGES:
        raise CannotPrint(
            f"the sheets do not speak {order.language!r}: choose {', '.join(LANGUAGES)}"
        )
    if any(not 1 <= card <= LARGEST for card in order.cards):
        raise CannotPrint(f"cards are 1 to {LARGEST}")
    _check_sizes(order)
    _check_correction(order)
