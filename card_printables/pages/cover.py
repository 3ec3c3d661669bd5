"""The first page of a print job: what to do, in pictures and in the language ordered, large, and what
to measure.

Knows places on the page; the words are in `texts`, the pictures in `pictogram`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from card_printables.artwork import lettering, pictogram
from card_printables.artwork.ink import GREY, NIGHT, Design, Disc, Mark, Point, Words, scaled
from card_printables.order import Order
from card_printables.pages import ruler, texts
from card_printables.pages.paper import PAPERS_MM, Page, Placed
from card_printables.pages.texts import Say

PRODUCT = "Cloud Mine Companion"
Step = tuple[Callable[[], tuple[Mark, ...]], Say]

_DRAWING_MM = 27.0
"""Height of a row in which the drawings have their full size; lower rows get smaller ones."""

_LARGEST_OUTLINE_MM = 92.0
"""Larger discs would run into the rulers; they are not drawn on the cover."""


def moved(marks: Sequence[Mark], by_mm: Point, scale: float = 1.0) -> tuple[Mark | Placed, ...]:
    """The marks as a piece lying with its middle at `by_mm` of the page, drawn `scale` times as
    large."""
    piece = Design(
        40.0, 40.0, False, tuple(mark if scale == 1 else scaled(mark, scale) for mark in marks)
    )
    return (Placed(f"drawing-{by_mm[0]:.1f}-{by_mm[1]:.1f}", piece, by_mm),)


def paragraph(text: str, at_mm: Point, room_mm: float, size_mm: float) -> tuple[Mark, ...]:
    """The text in lines under each other, the first baseline at `at_mm`."""
    lines = lettering.wrapped(text, size_mm, room_mm)
    return tuple(
        Words(line, (at_mm[0], at_mm[1] + k * size_mm * 1.24), size_mm, NIGHT)
        for k, line in enumerate(lines)
    )


def steps_table(
    steps: Sequence[Step],
    language: str,
    corner_mm: Point,
    width_mm: float,
    row_mm: float,
    size_mm: float = 5.4,
) -> list[Mark | Placed]:
    """One row a step from `corner_mm`, the top left: its picture, then what to do in letters of
    `size_mm`."""
    scale = min(1.0, row_mm / _DRAWING_MM)
    picture = 38.0 * scale
    items: list[Mark | Placed] = []
    for count, (drawing, say) in enumerate(steps):
        middle = corner_mm[1] + (count + 0.5) * row_mm
        items += moved(drawing(), (corner_mm[0] + 18 * scale, middle), scale)
        text, room = texts.said(say, language), width_mm - picture - 5
        lines = len(lettering.wrapped(text, size_mm, room))
        first = middle - (lines - 1) * 0.62 * size_mm + 0.3 * size_mm
        items += paragraph(text, (corner_mm[0] + picture + 5, first), room, size_mm)
    return items


def _titles(title: str, subtitle: str, width_mm: float) -> list[Mark | Placed]:
    return [
        Words(title, (width_mm / 2, 19.0), 8.5, NIGHT, 0, 0.0, True),
        Words(subtitle, (width_mm / 2, 25.5), 4.0, GREY, 0),
    ]


def _measures(
    paper_mm: tuple[float, float], disc_mm: float, on_disc: Sequence[Mark], language: str
) -> list[Mark | Placed]:
    """Both rulers, the square, and the outline of a disc to lay a card on, with what is drawn on
    it; they fill the page's lower part."""
    foot = paper_mm[1] - 26.0
    across = (paper_mm[0] - 100) / 2
    items: list[Mark | Placed] = [
        *ruler.ruler((across, foot)),
        *ruler.ruler((paper_mm[0] - 30, foot - 106), down=True),
    ]
    items += ruler.square((20.0, foot - 96))
    centre = (paper_mm[0] / 2 + 15, foot - 55)
    if disc_mm > _LARGEST_OUTLINE_MM:
        return items
    items.append(Placed("life-size", Design(disc_mm, disc_mm, True, tuple(on_disc)), centre))
    items.append(Disc(centre, disc_mm / 2, NIGHT, 0.15))
    items.append(Words(f"{disc_mm:g} mm", (centre[0], centre[1] - 14), 7.0, GREY, 0, 0.0, True))
    here = texts.said(texts.DISC_HERE, language)
    items += [
        Words(line, (centre[0], centre[1] - 6 + 5.6 * k), 4.4, GREY, 0)
        for k, line in enumerate(lettering.wrapped(here, 4.4, 0.8 * disc_mm))
    ]
    return items


def turning(backs: str) -> Step:
    """The step that says how the backs come about."""
    if backs == "long":
        return (lambda: pictogram.turn_over(True), texts.TURN_LONG)
    if backs == "short":
        return (lambda: pictogram.turn_over(False), texts.TURN_SHORT)
    return (
        (pictogram.fold_over, texts.FOLD)
        if backs == "fold"
        else (pictogram.one_side, texts.ONE_SIDE)
    )


def cover(order: Order, subtitle: str, steps: Sequence[Step], on_disc: Sequence[Mark] = ()) -> Page:
    """Title, steps, rulers, crosses; `on_disc` is drawn on the life-size disc."""
    paper = PAPERS_MM[order.paper]
    items = _titles(PRODUCT, subtitle, paper[0])
    room = paper[1] - 134.0 - 30.0
    row = min(27.0, room / len(steps))
    items += steps_table(steps, order.language, (15.0, 31.0), paper[0] - 30.0, row)
    crosses = texts.said(texts.CROSSES, order.language)
    items.append(Words(crosses, (paper[0] / 2, paper[1] - 15.0), 3.6, GREY, 0))
    items += _measures(paper, order.disc_mm, on_disc, order.language)
    items += ruler.corner_crosses(paper)
    return Page(texts.said(texts.READ_FIRST, order.language), *paper, tuple(items))


def cover_back(order: Order) -> Page:
    """Graduated crosses that meet the cover's, held to the light, when the duplex unit is true."""
    paper = PAPERS_MM[order.paper]
    items: list[Mark | Placed] = [*ruler.corner_crosses(paper, graduated=True)]
    words = texts.said(texts.BACK_CROSSES, order.language)
    items += paragraph(words, (paper[0] / 2 - 60, paper[1] / 2 - 12), 120, 6.0)
    title = texts.said(texts.BACK_OF_FIRST, order.language)
    return Page(title, *paper, tuple(items), is_back=True)
