"""The card sheets as they leave the printer: rasterised by another program, read back and measured."""

from __future__ import annotations

import numpy as np
import pypdfium2
import pytest

from card_printables.artwork.ink import Words
from card_printables.deck import back_word, word_for
from card_printables.marker import FORMER_BACK_SYMBOL_MM, SYMBOL_MM, BackPlace, MarkerPlace
from card_printables.order import Order
from card_printables.pages.paper import PAPERS_MM
from card_printables.pages.sheet import BACKS, page_of
from card_printables.print_job import pages, pdf
from tests.support.printed_pages import (
    code_centre_mm,
    codes_on,
    dark_box_mm,
    page_grey,
    ring_radius_mm,
    whole_deck,
)

A_FEW = (7, 12, 40, 41, 42, 43, 44)


def _document(order: Order) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(pdf(order))


def test_every_card_of_the_whole_deck_is_read_where_page_of_says() -> None:
    """All 80 codes of the A4 deck read back at 300 dpi, each once, on its page, in its place."""
    document = pypdfium2.PdfDocument(whole_deck())
    cards = tuple(range(1, 81))
    want = {card: page_of(card, cards, 85, PAPERS_MM["a4"], "long") for card in cards}
    read = []
    for number in sorted({place[0] for place in want.values() if place}):
        for payload, spot in codes_on(page_grey(document, number)):
            card = next(c for c in cards if word_for(c).payload == payload)
            read.append(card)
            assert want[card][0] == number
            assert spot == pytest.approx(code_centre_mm(want[card][1]), abs=0.3)
    assert sorted(read) == list(cards)


def test_the_whole_deck_stays_small() -> None:
    """80 cards with their backs are under 15 MB."""
    assert len(whole_deck()) < 15e6


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("backs", BACKS)
def test_each_way_of_backs_prints_every_chosen_card_and_a_back_for_each(
    paper: str, backs: str
) -> None:
    """Chosen cards read back on both papers, and duplex and fold-over sheets carry as many backs as
    faces."""
    document = _document(Order(paper=paper, backs=backs, cards=A_FEW))
    read = [
        payload
        for number in range(2, len(document) + 1)
        for payload, _ in codes_on(page_grey(document, number, 200))
    ]
    faces = sorted(payload for payload in read if payload != back_word().payload)
    assert faces == sorted(word_for(card).payload for card in A_FEW)
    assert read.count(back_word().payload) == (0 if backs == "none" else len(A_FEW))


def test_codes_are_exact_to_a_tenth_of_a_millimetre() -> None:
    """The printed code's four sides lie within 0.1 mm of where the marker's place says."""
    cards = A_FEW[:6]
    page = page_grey(_document(Order(cards=cards)), 3)
    for card in cards:
        number, disc = page_of(card, cards, 85, PAPERS_MM["a4"], "long")
        assert number == 3
        x, y = code_centre_mm(disc)
        box = dark_box_mm(page, (x, y), 10.5)
        assert box == pytest.approx((x - 9, y - 9, x + 9, y + 9), abs=0.1)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_cut_line_is_a_disc_of_85_mm(paper: str) -> None:
    """The line to cut along has a diameter of 85.0 +- 0.2 mm round the disc's centre."""
    page = page_grey(_document(Order(paper=paper, cards=(1, 2, 80))), 3)
    for card in (1, 2, 80):
        _, disc = page_of(card, (1, 2, 80), 85, PAPERS_MM[paper], "long")
        assert 2 * ring_radius_mm(page, disc, 42.5) == pytest.approx(85.0, abs=0.2)


@pytest.mark.parametrize(
    ("drawing", "above", "side"),
    [("moon", -BackPlace().centre_mm[1], SYMBOL_MM), ("square", 0.0, FORMER_BACK_SYMBOL_MM)],
)
def test_backs_of_a_long_edge_duplex_lie_behind_their_faces(
    drawing: str, above: float, side: float
) -> None:
    """Seen through the paper, every back's code is in its place on its disc, also on a sheet that
    is not full, and with the backs of decks printed before."""
    document = _document(Order(cards=(1, 2, 3), back_drawing=drawing))
    back = page_grey(document, 4)
    for card in (1, 2, 3):
        _, (x, y) = page_of(card, (1, 2, 3), 85, PAPERS_MM["a4"], "long")
        behind = (210.0 - x, y - above)
        box = dark_box_mm(back, behind, side / 2 + 1)
        assert ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) == pytest.approx(behind, abs=0.1)


def test_backs_of_a_short_edge_duplex_are_mirrored_up_and_down() -> None:
    """With one card, the back lies at the sheet's other end."""
    document = _document(Order(cards=(5,), backs="short"))
    _, (x, y) = page_of(5, (5,), 85, PAPERS_MM["a4"], "short")
    [(payload, spot)] = codes_on(page_grey(document, 4))
    assert payload == back_word().payload
    assert spot == pytest.approx((x, 297.0 - y + BackPlace().centre_mm[1]), abs=0.3)


def test_the_correction_stretches_the_paper_truth_and_moves_it() -> None:
    """A printer whose rulers measured 98 mm gets everything 100/98 as large; a shift moves fronts
    only."""
    document = _document(Order(cards=(1,), measured_mm=(98.0, 98.0), shift_mm=(2.0, -1.0)))
    number, disc = page_of(1, (1,), 85, PAPERS_MM["a4"], "long")
    x, y = code_centre_mm(disc)
    x, y = 105 + (x - 105) / 0.98 + 2.0, 148.5 + (y - 148.5) / 0.98 - 1.0
    box = dark_box_mm(page_grey(document, number), (x, y), 10.5)
    assert box == pytest.approx((x - 9 / 0.98, y - 9 / 0.98, x + 9 / 0.98, y + 9 / 0.98), abs=0.1)
    [(_, spot)] = codes_on(page_grey(document, number + 1))
    moon = disc[1] + BackPlace().centre_mm[1]
    assert spot == pytest.approx(
        (105 + (210 - disc[0] - 105) / 0.98, 148.5 + (moon - 148.5) / 0.98), abs=0.3
    )


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_page_one_has_a_ruler_of_100_mm_and_a_square_of_50(paper: str) -> None:
    """The square's lines are 50 mm apart and the ruler's end marks 100 mm apart, within 0.1 mm."""
    cover = page_grey(_document(Order(paper=paper, cards=(1,))), 1)
    width, height = PAPERS_MM[paper]
    foot = height - 26
    square = dark_box_mm(cover, (20 + 25, foot - 96 + 25), 27)
    assert (square[2] - square[0], square[3] - square[1]) == pytest.approx((50.15, 50.15), abs=0.1)
    band = cover[round((foot - 1.5) * 300 / 25.4), :]
    strokes = [x for x in range(len(band)) if band[x] < 170]
    middle = [x * 25.4 / 300 for x in strokes if abs(x * 25.4 / 300 - width / 2) < 51]
    assert middle[-1] - middle[0] == pytest.approx(100.0, abs=0.2)


def test_the_file_says_no_scaling_has_bookmarks_and_its_fonts() -> None:
    """PrintScaling is None, each page is in the reader's list, and both fonts are embedded."""
    data = pdf(Order(cards=(1, 2)))
    assert b"/PrintScaling /None" in data
    assert b"/Duplex /DuplexFlipLongEdge" in data
    document = pypdfium2.PdfDocument(data)
    titles = [mark.get_title() for mark in document.get_toc()]
    assert titles == ["Read this first", "Back of the first page", "Cards 1–2", "Backs of 1–2"]
    assert data.count(b"/FontFile2") == data.count(b"/Type /Font ") == 2
    assert b"CM1" in document.get_metadata_value("Subject").encode()


@pytest.mark.parametrize(
    ("cards", "said"),
    [((7, 80), "7, 80"), ((1, 2, 3, 9), "1–3, 9"), ((5,), "5"), ((1, 3, 5, 7, 9), "1 … 9")],
)
def test_a_sheet_is_called_by_the_cards_on_it(cards: tuple[int, ...], said: str) -> None:
    """Two cards far apart were called by all that lie between."""
    document = pypdfium2.PdfDocument(pdf(Order(cards=cards)))
    titles = [mark.get_title() for mark in document.get_toc()]
    assert titles[2:] == [f"Cards {said}", f"Backs of {said}"]


def test_the_sheets_say_what_to_do_in_the_one_language_asked_for() -> None:
    """The first page speaks German, or Czech, or English, and none of the others with it; so do the
    reader's list, the backs' page and the tokens; no option of a command line is on paper."""
    told = {"en": "actual size", "de": "tatsächliche Größe", "cs": "skutečná velikost"}
    for kind in ("cards", "stickers", "table", "ruler"):
        for language, words in told.items():
            document = _document(Order(kind=kind, cards=(1, 2), language=language))
            text = " ".join(page.get_textpage().get_text_bounded() for page in document)
            text = " ".join(text.split())
            assert words in text
            assert not any(other in text for other in told.values() if other != words)
            assert "--" not in text
    document = _document(Order(cards=(1, 2), language="de"))
    assert [mark.get_title() for mark in document.get_toc()][2:] == [
        "Karten 1–2",
        "Rückseiten von 1–2",
    ]


def test_what_to_do_is_said_in_large_letters() -> None:
    """What the first page says to do is set in letters of at least 4 mm, in every language."""
    for language in ("en", "de", "cs"):
        first = pages(Order(language=language))[0]
        steps = [item for item in first.items if isinstance(item, Words) and item.align == -1]
        assert len([words for words in steps if words.size_mm >= 4]) >= 7


def test_the_same_order_gives_the_same_bytes() -> None:
    """Nothing of the clock or of chance is in the file."""
    assert pdf(Order(cards=(7, 12))) == pdf(Order(cards=(7, 12)))


def test_codes_are_vectors_and_each_cloud_is_one_picture() -> None:
    """The only pictures in the file are the clouds; a code is drawn, not rasterised."""
    assert pdf(Order(cards=(7, 12, 40))).count(b"/Subtype /Image") == 3


def test_a_back_that_is_printed_three_millimetres_aside_leaves_no_white() -> None:
    """The indigo ground reaches 3.8 mm over the cut all round."""
    document = _document(Order(cards=(1,)))
    _, (x, y) = page_of(1, (1,), 85, PAPERS_MM["a4"], "long")
    back = page_grey(document, 4)
    for turn in np.radians(np.arange(0, 360, 5)):
        at = (210 - x + 46.3 * np.cos(turn), y + 46.3 * np.sin(turn))
        assert back[round(at[1] * 300 / 25.4), round(at[0] * 300 / 25.4)] < 150


def test_a_back_that_folds_over_lands_on_its_face() -> None:
    """On every fold-over sheet the backs are the faces' mirror images in the dashed middle line."""
    document = _document(Order(cards=(1, 2, 3), backs="fold"))
    spots = codes_on(page_grey(document, 2))
    backs = sorted(spot for payload, spot in spots if payload == back_word().payload)
    for card, (x, y) in zip((1, 2, 3), sorted(backs, key=lambda spot: spot[1]), strict=True):
        number, face = page_of(card, (1, 2, 3), 85, PAPERS_MM["a4"], "fold")
        assert number == 2
        assert (210 - x, y - BackPlace().centre_mm[1]) == pytest.approx(face, abs=0.3)


@pytest.mark.parametrize(("disc", "symbol"), [(60.0, 12.0), (100.0, 30.0)])
def test_other_discs_and_markers_are_printed_at_their_size(disc: float, symbol: float) -> None:
    """A box with other cards: disc, code and place follow the sizes that were asked for."""
    document = _document(Order(cards=(9,), disc_mm=disc, symbol_mm=symbol, backs="none"))
    number, at = page_of(9, (9,), disc, PAPERS_MM["a4"], "none")
    page = page_grey(document, number)
    x, y = code_centre_mm(at, MarkerPlace(disc, symbol))
    half = symbol / 2
    assert dark_box_mm(page, (x, y), half + 1) == pytest.approx(
        (x - half, y - half, x + half, y + half), abs=0.1
    )
    assert 2 * ring_radius_mm(page, at, disc / 2) == pytest.approx(disc, abs=0.2)
