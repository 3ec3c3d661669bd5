"""An order's pages as they will look, small: how many there are, and one of them as a picture.

Knows pages and pixels; knows no screen. A server makes them in a process
of its own with limits: a page may take hundreds of megabytes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2

from card_printables.order import Order, check
from card_printables.output.pixels import page_bgr
from card_printables.output.png_files import pieces
from card_printables.pages.paper import Page
from card_printables.pages.sequence import card_page_count
from card_printables.print_job import check_all, pages

PREVIEW_DPI = 60
"""An A4 page is 496 x 702 dots then: enough to see what lies where, 0.1 to 0.6 s to draw (one core,
cold pictures)."""


_NO_CORRECTION = ((100.0, 100.0), (0.0, 0.0), (0.0, 0.0))


@lru_cache(maxsize=2)
def _pages(order: Order) -> tuple[Page, ...]:
    return pages(order)


def count_pages(order: Order) -> int:
    """Pages of the PDF, or files of the PNG order.

    Raises:
        CannotPrint: the order cannot be printed.
    """
    if order.format == "png":
        check_all(order)
        return sum(1 for _ in pieces(order))
    if is_counted_undrawn(order):
        check(order)
        return card_page_count(order)
    return len(_pages(order))


def is_counted_undrawn(order: Order) -> bool:
    """True where `count_pages` draws nothing: cards whose codes no correction can push off the paper.
    Drawing all faces takes a second or more, and the process that does it as long to begin."""
    straight = (order.measured_mm, order.shift_mm, order.back_shift_mm) == _NO_CORRECTION
    return (order.kind, order.format) == ("cards", "pdf") and straight


def preview_png(order: Order, number: int) -> bytes | None:
    """Page `number` (from 1) as a PNG file of `PREVIEW_DPI`; None when there is no such page.

    Raises:
        CannotPrint: the order cannot be printed.
    """
    if not 1 <= number <= count_pages(order):
        return None
    if order.format == "png":
        image = list(pieces(replace(order, dpi=PREVIEW_DPI)))[number - 1][1]()
    else:
        image = page_bgr(_pages(order)[number - 1], PREVIEW_DPI)
    done, data = cv2.imencode(".png", image)
    return data.tobytes() if done else b""
