"""The companion's own reader reads what the printer gets."""

from __future__ import annotations

import pypdfium2
import pytest

from card_printables.order import Order
from card_printables.pages.sticker import SCISSORS, label_sheets, sheet_named, symbol_on
from card_printables.print_job import pdf
from companion.vision.codes.reader import Reader
from tests.support.printed_pages import page_grey, whole_deck


def _cards_on(document: pypdfium2.PdfDocument, reader: Reader, pages: range) -> list[int | None]:
    return sorted(
        found.card or 0
        for number in pages
        for found in reader.read_codes(page_grey(document, number)).detections
    )


def test_the_whole_deck_is_read_from_its_sheets() -> None:
    """80 of 80 at 300 dpi and the default size, each once, nothing else."""
    document = pypdfium2.PdfDocument(whole_deck())
    assert _cards_on(document, Reader(), range(3, len(document) + 1, 2)) == list(range(1, 81))


@pytest.mark.parametrize("name", [SCISSORS, *label_sheets()])
def test_every_label_sheet_is_read(name: str) -> None:
    """A dozen cards on each kind of label, at the size that fits it, each once."""
    document = pypdfium2.PdfDocument(
        pdf(Order(kind="stickers", sheet=name, cards=tuple(range(30, 42))))
    )
    reader = Reader(symbol_mm=symbol_on(sheet_named(name, None, "a4"), None))
    assert _cards_on(document, reader, range(2, len(document) + 1)) == list(range(30, 42))
