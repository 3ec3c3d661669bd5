"""The pages of a print job, in order: cover, sheets, backs; tokens and tray.

Knows what is where on which page; knows neither PDF nor pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from card_printables.artwork import lettering, pictogram, pieces
from card_printables.artwork.ink import (
    GREY,
    NIGHT,
    Design,
    Disc,
    Line,
    Mark,
    Point,
    Words,
    rectangle,
)
from card_printables.marker import SYMBOL_MM, MarkerPlace
from card_printables.order import CannotPrint, Order
from card_printables.pages import lens_target, ruler, sticker, texts
from card_printables.pages.cover import (
    PRODUCT,
    cover,
    cover_back,
    paragraph,
    steps_table,
    turning,
)
from card_printables.pages.paper import PAPERS_MM, Page, Placed
from card_printables.pages.sheet import CUT_BLEED_MM, Lying, is_duplex, sheets
from card_printables.token import TOKEN_MM, TOKENS, TRAY

_BACK_BLEED_MM = 4.0
"""A back reaches this far over the cut: a duplex drift of 3 mm still leaves no white."""


MOST_RUNS = 4
"""More runs of numbers are no title (chosen)."""


def _strokes(centre: Point, disc_mm: float) -> tuple[Line, ...]:
    """Four strokes outside the disc that point at its middle."""
    radius = disc_mm / 2
    strokes = []
    for turn in (45, 135, 225, 315):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        near, far = radius + CUT_BLEED_MM + 1.0, radius + CUT_BLEED_MM + 5.0
        strokes.append(
            Line(tuple((centre[0] + c * r, centre[1] + s * r) for r in (near, far)), NIGHT, 0.15)
        )
    return tuple(strokes)


def _label(lines: Sequence[str], paper_mm: tuple[float, float]) -> list[Mark]:
    """Small print in the sheet's bottom-left corner, outside every disc."""
    return [
        Words(line, (7.0, paper_mm[1] - 6.5 - 3.4 * (len(lines) - 1 - k)), 2.8, GREY)
        for k, line in enumerate(lines)
    ]


def _face(order: Order, card: int) -> Design:
    """The face with its cut line."""
    design = pieces.face(card, order.deck, order.disc_mm, order.symbol_mm or SYMBOL_MM)
    return replace(design, marks=(*design.marks, *pieces.face_cut(card, order.disc_mm)))


def _back(order: Order) -> Design:
    symbol = order.symbol_mm or SYMBOL_MM
    return pieces.drawn_back(order.back_drawing, order.disc_mm, symbol, _BACK_BLEED_MM)


def _paper_name(order: Order) -> str:
    return "A4" if order.paper == "a4" else order.paper.title()


def _numbers(cards: Sequence[int]) -> str:
    """Which cards are on a page: "1–6, 9", and where that would be long "1 … 80"."""
    starts = [at for at, card in enumerate(cards) if at == 0 or card != cards[at - 1] + 1]
    if len(starts) > MOST_RUNS:
        return f"{cards[0]} … {cards[-1]}"
    runs = [cards[at:end] for at, end in pairwise([*starts, len(cards)])]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def _front(order: Order, lot: Sequence[Lying], number: int, count: int) -> Page:
    paper = PAPERS_MM[order.paper]
    items: list[Mark | Placed] = []
    if order.backs == "fold":
        items.append(
            Line(
                ((paper[0] / 2, 6.0), (paper[0] / 2, paper[1] - 6.0)), GREY, 0.2, False, (2.0, 1.5)
            )
        )
        design = _back(order)
        back = replace(design, marks=(*design.marks, *pieces.back_cut(order.disc_mm)))
        backs_mm = [lying.back_mm for lying in lot if lying.back_mm]
        items += [Placed("back-folded", back, at, CUT_BLEED_MM) for at in backs_mm]
        items += [stroke for at in backs_mm for stroke in _strokes(at, order.disc_mm)]
    items += [
        Placed(f"face-{lying.card:02d}", _face(order, lying.card), lying.face_mm, CUT_BLEED_MM)
        for lying in lot
    ]
    items += [stroke for lying in lot for stroke in _strokes(lying.face_mm, order.disc_mm)]
    cards = _numbers([lying.card for lying in lot])
    items += _label((PRODUCT, f"{order.deck}: {cards}", f"{number} / {count}  ·  100 %"), paper)
    return Page(texts.said(texts.CARDS, order.language, cards=cards), *paper, tuple(items))


def _backs(order: Order, lot: Sequence[Lying], number: int, count: int) -> Page:
    paper = PAPERS_MM[order.paper]
    piece = _back(order)
    items: list[Mark | Placed] = [
        Placed("back", piece, lying.back_mm, _BACK_BLEED_MM) for lying in lot if lying.back_mm
    ]
    items += _label((PRODUCT, f"{order.deck}", f"{number} / {count}"), paper)
    title = texts.said(
        texts.BACKS_OF, order.language, cards=_numbers([lying.card for lying in lot])
    )
    return Page(title, *paper, tuple(items), is_back=True)


def _lots(order: Order) -> list[tuple[Lying, ...]]:
    """What lies on each sheet of cards; CannotPrint where fold-over backs were asked for and the
    discs are too large for two side by side."""
    lots = list(sheets(order.cards, order.disc_mm, PAPERS_MM[order.paper], order.backs))
    if not lots:
        raise CannotPrint(
            f"discs of {order.disc_mm:g} mm leave no room for a back beside them: choose --backs long, short or none"
        )
    return lots


def card_page_count(order: Order) -> int:
    """How many `card_pages` there are, without drawing one: as many sheets and a cover, each with its
    back where both sides are printed.

    Raises:
        CannotPrint: as `card_pages` does.
    """
    return (1 + len(_lots(order))) * (2 if is_duplex(order.backs) else 1)


def card_pages(order: Order) -> tuple[Page, ...]:
    """Cover and card sheets, with the backs the order asks for.

    Raises:
        CannotPrint: fold-over backs were asked for and the discs are too large for two side by
        side.
    """
    lots = _lots(order)
    subtitle = texts.said(
        texts.ONE_DISC if len(order.cards) == 1 else texts.DISCS,
        order.language,
        deck=order.deck,
        n=len(order.cards),
        mm=f"{order.disc_mm:g}",
        paper=_paper_name(order),
    )
    steps = (
        (pictogram.full_size, texts.FULL_SIZE),
        (pictogram.measure, texts.MEASURE),
        turning(order.backs),
        (pictogram.matte, texts.MATTE),
        (pictogram.cut, texts.CUT),
    )
    pages = [cover(order, subtitle, steps)]
    if is_duplex(order.backs):
        pages.append(cover_back(order))
    for number, lot in enumerate(lots, 1):
        pages.append(_front(order, lot, number, len(lots)))
        if is_duplex(order.backs):
            pages.append(_backs(order, lot, number, len(lots)))
    return tuple(pages)


def _token_square(top_mm: float, language: str) -> list[Mark | Placed]:
    """The 50 mm square with the sentence about full size inside."""
    words = texts.said(texts.FULL_SIZE, language)
    return [*ruler.square((12.0, top_mm)), *paragraph(words, (16.0, top_mm + 9.0), 42, 4.2)]


_TOKEN_STEPS = (
    (pictogram.emblems, texts.EMBLEMS),
    (pictogram.fold_tray, texts.FOLD_TRAY),
    (pictogram.lay_tokens, texts.LAY_TOKENS),
    (pictogram.use_tray, texts.USE_TRAY),
)


def _tokens(order: Order) -> Page:
    paper = PAPERS_MM[order.paper]
    gap, top = 4.0, 10.0
    items: list[Mark | Placed] = []
    reach = (TOKEN_MM + gap) / 2
    middle = (paper[0] / 2, top + TOKEN_MM + gap / 2)
    for piece, (sx, sy) in zip(TOKENS, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        at = (middle[0] + sx * reach, middle[1] + sy * reach)
        items.append(Placed(piece.name, pieces.token(piece, order.language), at))
        items.append(Line(rectangle(at, TOKEN_MM, TOKEN_MM), GREY, 0.12, True))
    below = middle[1] + TOKEN_MM + gap / 2 + (paper[1] - 279.4) / 3 + 4
    row = (paper[1] - 18.5 - below) / len(_TOKEN_STEPS)
    width = paper[0] - 68.0 - 10.0
    items += _token_square(below + 2, order.language)
    items += steps_table(_TOKEN_STEPS, order.language, (68.0, below), width, row, 4.2)
    items += ruler.ruler((paper[0] / 2 - 50, paper[1] - 8.0))
    return Page(texts.said(texts.TOKENS, order.language), *paper, tuple(items))


def _tray(order: Order) -> Page:
    height, width = PAPERS_MM[order.paper]
    at = (width / 2, height / 2)
    items: list[Mark | Placed] = [Placed(TRAY.name, pieces.tray(), at)]
    items.append(Line(rectangle(at, TRAY.width_mm, TRAY.height_mm), GREY, 0.12, True))
    items.append(Words(f"{PRODUCT}  ·  100 %", (width / 2, height - 5.2), 2.6, GREY, 0))
    return Page(texts.said(texts.TRAY, order.language), width, height, tuple(items))


def table_pages(order: Order) -> tuple[Page, ...]:
    """Two pages: the tokens with the rulers and what to do, and the tray."""
    return (_tokens(order), _tray(order))


def _sticker_place(order: Order, sheet: sticker.LabelSheet, symbol_mm: float) -> tuple[Mark, ...]:
    """The label on the life-size disc of the cover, and where its code lies."""
    at = MarkerPlace(order.disc_mm, symbol_mm).centre_mm
    middle = (at[0], at[1] - sticker.drop_mm(sheet, symbol_mm, order.disc_mm))
    half = sheet.side_mm / 2
    edge = (
        Disc(middle, half, GREY, 0.3)
        if sheet.round
        else Line(rectangle(middle, 2 * half, 2 * half), GREY, 0.3, True)
    )
    return (*pictogram.code_idea(at, symbol_mm), edge)


def _label_page(
    order: Order, sheet: sticker.LabelSheet, lot: Sequence[tuple[int, Point]], symbol_mm: float
) -> Page:
    items: list[Mark | Placed] = [
        Placed(
            f"sticker-{card:02d}",
            sticker.label(card, order.deck, sheet, symbol_mm, order.disc_mm),
            at,
        )
        for card, at in lot
    ]
    if sheet.name == sticker.SCISSORS:
        items += [
            Line(rectangle(at, sheet.side_mm, sheet.side_mm), sticker.PALE, 0.12, True)
            for _, at in lot
        ]
    title = texts.said(texts.STICKERS, order.language, cards=_numbers([card for card, _ in lot]))
    return Page(title, *PAPERS_MM[sheet.paper], tuple(items))


def sticker_pages(order: Order) -> tuple[Page, ...]:
    """Cover (plain paper) with the place on the face in life size, then the sheets of labels.

    Raises:
        CannotPrint: no such sheet, no such label to start at, or the code is larger than the label.
    """
    sheet = sticker.sheet_named(order.sheet, order.symbol_mm, order.paper)
    symbol = sticker.symbol_on(sheet, order.symbol_mm, order.disc_mm)
    plain = sheet.name == sticker.SCISSORS
    subtitle = texts.said(
        texts.CODES,
        order.language,
        deck=order.deck,
        n=len(order.cards),
        mm=f"{symbol:g}",
        maker=texts.said(texts.PLAIN_PAPER, order.language) if plain else sheet.maker,
    )
    steps = (
        (pictogram.full_size, texts.FULL_SIZE),
        (pictogram.cut, texts.CUT_SQUARES) if plain else (pictogram.first_page, texts.PLAIN_FIRST),
        (pictogram.stick, texts.STICK),
        (pictogram.same_place, texts.SAME_PLACE),
        (pictogram.never_backs, texts.NEVER_BACKS),
    )
    first = cover(
        replace(order, paper=sheet.paper), subtitle, steps, _sticker_place(order, sheet, symbol)
    )
    lots = sticker.filled(order.cards, sheet, order.start)
    return (first, *(_label_page(order, sheet, lot, symbol) for lot in lots))


def lens_pages(order: Order) -> tuple[Page, ...]:
    """One page: the lens board with its sentence."""
    paper = PAPERS_MM[order.paper]
    piece = lens_target.design()
    items: list[Mark | Placed] = [Placed("board", piece, (paper[0] / 2, 8.0 + piece.height_mm / 2))]
    below = 8.0 + piece.height_mm
    words = lettering.wrapped(texts.said(texts.TEST_SHEET, order.language), 4.2, paper[0] - 34)
    items += [
        Words(text, (paper[0] / 2, below + 7.5 + 5.2 * k), 4.2, NIGHT, 0)
        for k, text in enumerate(words)
    ]
    size = f"{lens_target.COLUMNS} × {lens_target.ROWS}  ·  {lens_target.SQUARE_MM:g} mm / {lens_target.MARKER_MM:g} mm"
    items.append(Words(f"{PRODUCT}  ·  {size}", (paper[0] / 2, below + 19.5), 2.9, GREY, 0))
    return (Page(texts.said(texts.LENS_SHEET, order.language), *paper, tuple(items)),)


def ruler_pages(order: Order) -> tuple[Page, ...]:
    """The printer's test page, and its back for duplex."""
    steps = (
        (pictogram.full_size, texts.FULL_SIZE),
        (pictogram.measure, texts.MEASURE),
        turning(order.backs),
    )
    front = cover(order, _paper_name(order), steps)
    return (front, cover_back(order)) if is_duplex(order.backs) else (front,)
