"""What a printer's correction pushes off the paper: no code may go there unsaid.

Knows pages and millimetres; draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from card_printables.artwork.ink import Modules, Point
from card_printables.order import CannotPrint, Order
from card_printables.pages.paper import Page, Placed


def refuse_lost_codes(pages: tuple[Page, ...], order: Order) -> None:
    """Pass when every code stays on the paper with the order's correction.

    Raises:
        CannotPrint: some would be cut off; the sentence says how many.
    """
    lost = sum(_lost(page, order) for page in pages)
    if lost:
        raise CannotPrint(
            f"with this correction {lost} codes would lie off the paper: measure the rulers again, or choose another sheet"
        )


def _lost(page: Page, order: Order) -> int:
    shift = order.back_shift_mm if page.is_back else order.shift_mm
    size = (page.width_mm, page.height_mm)
    return sum(
        not _stays(centre, side, size, order.measured_mm, shift) for centre, side in _codes(page)
    )


def _codes(page: Page) -> Iterator[tuple[Point, float]]:
    """Centre and side of every code on the page, mm from its top left corner."""
    for item in page.items:
        if isinstance(item, Placed):
            for mark in item.design.marks:
                if isinstance(mark, Modules):
                    yield (
                        (item.at_mm[0] + mark.centre_mm[0], item.at_mm[1] + mark.centre_mm[1]),
                        mark.side_mm,
                    )
        elif isinstance(item, Modules):
            yield item.centre_mm, item.side_mm


def _stays(centre: Point, side: float, size: Point, measured: Point, shift: Point) -> bool:
    """Whether the code lies on paper of `size` once it is scaled about the page's middle and moved."""
    for at, whole, told, moved in zip(centre, size, measured, shift, strict=True):
        scale = 100 / told
        middle = whole / 2 + (at - whole / 2) * scale + moved
        if not scale * side / 2 <= middle <= whole - scale * side / 2:
            return False
    return True
