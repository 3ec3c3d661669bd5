"""Which card lies where: the pure part of the card sheets."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_printables.pages.paper import PAPERS_MM, PRINTER_MARGIN_MM
from card_printables.pages.sheet import BACKS, CUT_BLEED_MM, grid_for, page_of, sheets

papers = st.sampled_from(sorted(PAPERS_MM.values()))


@given(disc=st.floats(40, 120), paper=papers)
def test_discs_with_their_bleed_neither_overlap_nor_leave_the_printable_paper(
    disc: float, paper: tuple[float, float]
) -> None:
    """Any allowed disc: bleed touches at most, and all of it lies where a home printer prints."""
    places = grid_for(disc, paper).places
    reach = disc / 2 + CUT_BLEED_MM
    for k, (x, y) in enumerate(places):
        assert min(x, y, paper[0] - x, paper[1] - y) >= reach + PRINTER_MARGIN_MM - 1e-6
        assert all(math.dist((x, y), other) >= 2 * reach - 1e-6 for other in places[:k])


@given(
    cards=st.lists(st.integers(1, 99), min_size=1, max_size=90, unique=True),
    paper=papers,
    backs=st.sampled_from(BACKS),
)
def test_every_card_lies_on_exactly_one_sheet(
    cards: list[int], paper: tuple[float, float], backs: str
) -> None:
    """No card is lost or doubled, in whatever order and however many are chosen."""
    laid = [lying.card for lot in sheets(cards, 85, paper, backs) for lying in lot]
    assert laid == cards


@given(card=st.integers(1, 80), paper=papers, backs=st.sampled_from(["long", "short"]))
def test_turning_the_sheet_twice_brings_a_back_home(
    card: int, paper: tuple[float, float], backs: str
) -> None:
    """The back's place, mirrored again, is the face's place."""
    lying = next(
        lying
        for lot in sheets(range(1, 81), 85, paper, backs)
        for lying in lot
        if lying.card == card
    )
    assert lying.back_mm is not None
    (x, y), (bx, by) = lying.face_mm, lying.back_mm
    home = (paper[0] - bx, by) if backs == "long" else (bx, paper[1] - by)
    assert home == pytest.approx((x, y))


@pytest.mark.parametrize(
    ("backs", "card", "page"), [("long", 1, 3), ("long", 7, 5), ("none", 80, 15), ("fold", 4, 3)]
)
def test_the_page_of_a_card_counts_cover_and_backs(backs: str, card: int, page: int) -> None:
    """Six discs a sheet (three when folded); a duplex file has a back after every page."""
    found = page_of(card, range(1, 81), 85, PAPERS_MM["a4"], backs)
    assert found is not None
    assert found[0] == page


def test_a_card_that_was_not_chosen_is_on_no_page() -> None:
    """Nothing is guessed for a card outside the selection."""
    assert page_of(9, (1, 2), 85, PAPERS_MM["a4"], "none") is None
