"""The pages of a print job, in order: cover, sheets, backs; tokens and tray.

Knows what is where on which page; knows neither PDF nor pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from card_printables.artwork import pictogram, pieces
from card_printables.artwork.ink import (
    GREY,
    NIGHT,
    WHITE,
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
from card_printables.pages.cover import PRODUCT, cover, cover_back, moved, paragraph, turning
from card_printables.pages.paper import PAPERS_MM, Page, Placed
from card_printables.pages.sheet import CUT_BLEED_MM, Lying, is_duplex, sheets
from card_printables.token import TOKEN_MM, TOKENS, TRAY

_BACK_BLEED_MM = 4.0
"""A back reaches this far over the cut: a duplex drift of 3 mm still leaves no white."""


def _cut_line(centre: Point, disc_mm: float) -> tuple[Mark, ...]:
    """The cut: white with dark dashes, so that it is seen on every sky; four strokes outside point
    at the middle."""
    radius = disc_mm / 2
    strokes = []
    for turn in (45, 135, 225, 315):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        near, far = radius + CUT_BLEED_MM + 1.0, radius + CUT_BLEED_MM + 5.0
        strokes.append(
            Line(tuple((centre[0] + c * r, centre[1] + s * r) for r in (near, far)), NIGHT, 0.15)
        )
    return (
        Disc(centre, radius, WHITE, 0.15),
        Disc(centre, radius, NIGHT, 0.12, (1.2, 1.2)),
        *strokes,
    )


def _label(lines: Sequence[str], paper_mm: tuple[float, float]) -> list[Mark]:
    """Small print in the sheet's bottom-left corner, outside every disc."""
    return [
        Words(line, (7.0, paper_mm[1] - 6.5 - 3.4 * (len(lines) - 1 - k)), 2.8, GREY)
        for k, line in enumerate(lines)
    ]


def _face(order: Order, card: int) -> Design:
    return pieces.face(card, order.deck, order.disc_mm, order.symbol_mm or SYMBOL_MM)


def _front(order: Order, lot: Sequence[Lying], number: int, count: int) -> Page:
    paper = PAPERS_MM[order.paper]
    back = Placed("back", pieces.back(order.disc_mm, _BACK_BLEED_MM), (0.0, 0.0), _BACK_BLEED_MM)
    items: list[Mark | Placed] = []
    if order.backs == "fold":
        items.append(
            Line(
                ((paper[0] / 2, 6.0), (paper[0] / 2, paper[1] - 6.0)), GREY, 0.2, False, (2.0, 1.5)
            )
        )
        items += [
            Placed("back-folded", back.design, lying.back_mm, CUT_BLEED_MM)
            for lying in lot
            if lying.back_mm
        ]
        items += [
            mark
            for lying in lot
            if lying.back_mm
            for mark in _cut_line(lying.back_mm, order.disc_mm)
        ]
    items += [
        Placed(f"face-{lying.card:02d}", _face(order, lying.card), lying.face_mm, CUT_BLEED_MM)
        for lying in lot
    ]
    items += [mark for lying in lot for mark in _cut_line(lying.face_mm, order.disc_mm)]
    cards = f"{lot[0].card}–{lot[-1].card}" if len(lot) > 1 else f"{lot[0].card}"
    items += _label((PRODUCT, f"{order.deck}: {cards}", f"{number} / {count}  ·  100 %"), paper)
    return Page(f"Cards {cards}", *paper, tuple(items))


def _backs(order: Order, lot: Sequence[Lying], number: int, count: int) -> Page:
    paper = PAPERS_MM[order.paper]
    piece = pieces.back(order.disc_mm, _BACK_BLEED_MM)
    items: list[Mark | Placed] = [
        Placed("back", piece, lying.back_mm, _BACK_BLEED_MM) for lying in lot if lying.back_mm
    ]
    items += _label((PRODUCT, f"{order.deck}", f"{number} / {count}"), paper)
    cards = f"{lot[0].card}–{lot[-1].card}" if len(lot) > 1 else f"{lot[0].card}"
    return Page(f"Backs of {cards}", *paper, tuple(items), is_back=True)


def card_pages(order: Order) -> tuple[Page, ...]:
    """Cover and card sheets, with the backs the order asks for.

    Raises:
        CannotPrint: fold-over backs were asked for and the discs are too large for two side by
        side.
    """
    paper = PAPERS_MM[order.paper]
    lots = list(sheets(order.cards, order.disc_mm, paper, order.backs))
    if not lots:
        raise CannotPrint(
            f"discs of {order.disc_mm:g} mm leave no room for a back beside them: choose --backs long, short or none"
        )
    subtitle = (
        f"{order.deck}  ·  {len(order.cards)} × {order.disc_mm:g} mm  ·  {order.paper.upper()}"
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


def _token_square(top_mm: float) -> list[Mark | Placed]:
    """The 50 mm square with the sentence about full size inside."""
    items: list[Mark | Placed] = [*ruler.square((16.0, top_mm))]
    y = top_mm + 7.0
    for text in texts.FULL_SIZE:
        lines = paragraph(text, (20.0, y), 43, 2.8)
        items += lines
        y += len(lines) * 3.47 + 3.0
    return items


_TOKEN_STEPS = (
    (pictogram.emblems, texts.EMBLEMS),
    (pictogram.fold_tray, texts.FOLD_TRAY),
    (pictogram.lay_tokens, texts.LAY_TOKENS),
    (pictogram.use_tray, texts.USE_TRAY),
)


def _token_steps(top_mm: float, width_mm: float) -> list[Mark | Placed]:
    """What to do with tokens and tray: four pictures, the languages under each."""
    left, size = 72.0, 2.6
    step = (width_mm - left - 8.0) / len(_TOKEN_STEPS)
    items: list[Mark | Placed] = []
    for column, (drawing, say) in enumerate(_TOKEN_STEPS):
        x = left + column * step
        items += moved(drawing(), (x + step / 2 - 1.5, top_mm + 10.5), 0.8)
        y = top_mm + 26.0
        for text in say:
            lines = paragraph(text, (x, y), step - 3.5, size)
            items += lines
            y += len(lines) * size * 1.24 + 1.8
    return items


def _tokens(order: Order) -> Page:
    paper = PAPERS_MM[order.paper]
    gap, top = 4.0, 10.0
    items: list[Mark | Placed] = []
    reach = (TOKEN_MM + gap) / 2
    middle = (paper[0] / 2, top + TOKEN_MM + gap / 2)
    for piece, (sx, sy) in zip(TOKENS, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        at = (middle[0] + sx * reach, middle[1] + sy * reach)
        items.append(Placed(piece.name, pieces.token(piece), at))
        items.append(Line(rectangle(at, TOKEN_MM, TOKEN_MM), GREY, 0.12, True))
    below = middle[1] + TOKEN_MM + gap / 2 + (paper[1] - 279.4) / 3 + 5
    items += [*_token_square(below), *_token_steps(below, paper[0])]
    items += ruler.ruler((paper[0] / 2 - 50, paper[1] - 9.0))
    return Page("Corner tokens", *paper, tuple(items))


def _tray(order: Order) -> Page:
    height, width = PAPERS_MM[order.paper]
    at = (width / 2, height / 2)
    items: list[Mark | Placed] = [Placed(TRAY.name, pieces.tray(), at)]
    items.append(Line(rectangle(at, TRAY.width_mm, TRAY.height_mm), GREY, 0.12, True))
    items.append(Words(f"{PRODUCT}  ·  100 %", (width / 2, height - 5.2), 2.6, GREY, 0))
    return Page("Set-aside tray", width, height, tuple(items))


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
    return Page(f"Stickers {lot[0][0]}–{lot[-1][0]}", *PAPERS_MM[sheet.paper], tuple(items))


def sticker_pages(order: Order) -> tuple[Page, ...]:
    """Cover (plain paper) with the place on the face in life size, then the sheets of labels.

    Raises:
        CannotPrint: no such sheet, no such label to start at, or the code is larger than the label.
    """
    sheet = sticker.sheet_named(order.sheet, order.symbol_mm, order.paper)
    symbol = sticker.symbol_on(sheet, order.symbol_mm, order.disc_mm)
    subtitle = f"{order.deck}  ·  {len(order.cards)} × {symbol:g} mm  ·  {sheet.maker}"
    steps = (
        (pictogram.full_size, texts.FULL_SIZE),
        (pictogram.cut, texts.CUT_SQUARES)
        if sheet.name == sticker.SCISSORS
        else (pictogram.first_page, texts.PLAIN_FIRST),
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
    items += [
        Words(text, (paper[0] / 2, below + 6.5 + 4.2 * k), 2.9, NIGHT, 0)
        for k, text in enumerate(texts.TEST_SHEET)
    ]
    size = f"{lens_target.COLUMNS} × {lens_target.ROWS}  ·  {lens_target.SQUARE_MM:g} mm / {lens_target.MARKER_MM:g} mm"
    items.append(Words(f"{PRODUCT}  ·  {size}", (paper[0] / 2, below + 19.5), 2.9, GREY, 0))
    return (Page("Lens test sheet", *paper, tuple(items)),)


def ruler_pages(order: Order) -> tuple[Page, ...]:
    """The printer's test page, and its back for duplex."""
    steps = (
        (pictogram.full_size, texts.FULL_SIZE),
        (pictogram.measure, texts.MEASURE),
        turning(order.backs),
    )
    front = cover(order, order.paper.upper(), steps)
    return (front, cover_back(order)) if is_duplex(order.backs) else (front,)
