"""An order's pages as they will look, small: how many there are, and one of them as a picture.

Knows pages and pixels; knows no screen. A server makes them in a process
of its own with limits: a page may take hundreds of megabytes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2

from card_printables.order import Order
from card_printables.output.pixels import page_bgr
from card_printables.output.png_files import pieces
from card_printables.pages.paper import Page
from card_printables.print_job import check_all, pages

PREVIEW_DPI = 60
"""An A4 page is 496 x 702 dots then: enough to see what lies where, 0.1 to 0.6 s to draw (one core,
cold pictures)."""


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
    return len(_pages(order))


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
