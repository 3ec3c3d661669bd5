"""Sticker sheets, measured on the rasterised PDF against the label geometry."""

from __future__ import annotations

import math

import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_printables.deck import word_for
from card_printables.marker import DISC_MM, MarkerPlace
from card_printables.order import CannotPrint, Order
from card_printables.pages.paper import PAPERS_MM
from card_printables.pages.sticker import (
    SCISSORS,
    custom_sheet,
    drop_mm,
    filled,
    label_sheets,
    sheet_named,
    symbol_on,
)
from card_printables.print_job import pages, pdf
from tests.support.printed_pages import codes_on, dark_box_mm, page_grey

NAMES = (SCISSORS, *label_sheets())


@pytest.mark.parametrize("name", NAMES)
def test_every_code_sits_at_its_place_of_the_label(name: str) -> None:
    """On every sheet all codes read back, and code and label geometry agree within 0.2 mm."""
    document = pypdfium2.PdfDocument(pdf(Order(kind="stickers", sheet=name)))
    sheet = sheet_named(name, None, "a4")
    symbol = symbol_on(sheet, None)
    read = []
    for number, lot in enumerate(filled(range(1, 81), sheet, 1), 2):
        page = page_grey(document, number)
        read += [payload for payload, _ in codes_on(page)]
        for card, (x, middle) in (lot[0], lot[len(lot) // 2], lot[-1]):
            y = middle + drop_mm(sheet, symbol)
            box = dark_box_mm(page, (x, y), symbol / 2 + 0.5)
            assert box == pytest.approx(
                (x - symbol / 2, y - symbol / 2, x + symbol / 2, y + symbol / 2), abs=0.2
            ), card
    assert sorted(read) == sorted(word_for(card).payload for card in range(1, 81))


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_decks_codes_fit_one_sheet_of_plain_paper(paper: str) -> None:
    """80 stickers of the usual size, labels edge to edge: the first page and one sheet."""
    assert len(pages(Order(kind="stickers", paper=paper))) == 2
    sheet = sheet_named(SCISSORS, None, paper)
    assert sheet.pitch_mm == (sheet.side_mm, sheet.side_mm)


@given(
    side=st.floats(11, 90),
    symbol=st.one_of(st.none(), st.floats(6, 40)),
    shape=st.sampled_from(["", "round"]),
    disc=st.sampled_from([60.0, 85.0, 110.0]),
)
def test_no_label_of_any_size_loses_its_code(
    side: float, symbol: float | None, shape: str, disc: float
) -> None:
    """Whatever sheet a person measures: the code lies on the label and in the marker's place of the
    card, or it is refused."""
    try:
        sheet = custom_sheet(f"{side:.2f}{shape} 1x1 5,5 95,95", "a4")
        assert sheet is not None
        size = symbol_on(sheet, symbol, disc)
    except CannotPrint:
        return
    drop = drop_mm(sheet, size, disc)
    foot = drop + size / 2
    half = sheet.side_mm / 2
    assert (math.hypot(size / 2, foot) if sheet.round else foot) <= half
    assert size / 2 < half


@pytest.mark.parametrize("name", label_sheets())
def test_every_label_of_the_table_lies_on_its_paper(name: str) -> None:
    """No typing error in the table: labels do not overlap and end within the sheet."""
    sheet = label_sheets()[name]
    width, height = PAPERS_MM[sheet.paper]
    half = sheet.side_mm / 2
    assert all(
        half - 0.01 <= x <= width - half + 0.01 and half - 0.01 <= y <= height - half + 0.01
        for x, y in sheet.places
    )
    assert min(sheet.pitch_mm) >= sheet.side_mm - 0.01


@pytest.mark.parametrize("name", NAMES)
def test_a_label_at_the_markers_place_stays_on_the_card(name: str) -> None:
    """Stuck where the picture says, no label reaches over the card's edge."""
    sheet = sheet_named(name, None, "a4")
    symbol = symbol_on(sheet, None)
    y = MarkerPlace(DISC_MM, symbol).centre_mm[1] - drop_mm(sheet, symbol)
    half = sheet.side_mm / 2
    reach = y + half if sheet.round else (half**2 + (y + half) ** 2) ** 0.5
    assert reach <= DISC_MM / 2


def test_a_partly_used_sheet_is_begun_at_any_label() -> None:
    """Starting at label 65 of 66 puts two on the first sheet and the third on the next sheet's
    first label."""
    sheet = label_sheets()["rayfilm-5003"]
    first, second = filled((4, 5, 6), sheet, 65)
    assert first == ((4, sheet.places[64]), (5, sheet.places[65]))
    assert second == ((6, sheet.places[0]),)


def test_a_custom_sheet_is_said_in_one_line() -> None:
    """Side, columns x rows, first label, pitch; the same as the table's row."""
    custom = custom_sheet("25.4 6x11 16.05,8.8 30.5,25.4", "a4")
    assert custom is not None
    assert custom.places == label_sheets()["rayfilm-5003"].places
    round_one = custom_sheet("25round 7x10 8.5,10 28,28", "a4")
    assert round_one is not None
    assert round_one.round


@pytest.mark.parametrize(
    ("order", "word"),
    [
        (Order(kind="stickers", sheet="nosuch"), "rayfilm-5003"),
        (Order(kind="stickers", sheet="hama-50452", start=67), "1 to 66"),
        (Order(kind="stickers", sheet="hama-50452", start=0), "1 to 66"),
        (Order(kind="stickers", sheet="endisch-20", symbol_mm=18), "at most 14 mm"),
        (Order(kind="stickers", sheet="40 6x11 16,8 40,40"), "do not fit"),
        (Order(kind="stickers", sheet="60 3x4 10,10 62,62"), "too large"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_what_can(order: Order, word: str) -> None:
    """Unknown sheet, label outside the sheet, code larger than the label: one sentence that says
    what to choose."""
    with pytest.raises(CannotPrint, match=word):
        pdf(order)


def test_a_correction_that_pushes_codes_off_the_paper_is_refused() -> None:
    """Scaled up by a tenth the outer labels of a full sheet leave the paper: said, not printed
    without them; a usual correction passes."""
    with pytest.raises(CannotPrint, match="codes would lie off the paper"):
        pdf(Order(kind="stickers", sheet="rayfilm-5003", measured_mm=(91.0, 91.0)))
    assert pdf(
        Order(
            kind="stickers",
            sheet="rayfilm-5003",
            cards=(1, 2),
            measured_mm=(98.5, 99.0),
            shift_mm=(0.5, -1.0),
        )
    )
