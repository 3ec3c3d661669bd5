"""A book of which every evening has been read: with many new ones it says that they are still being read."""

from __future__ import annotations

import time

from companion.years.book import BookOfEvenings, StillReading
from companion.years.index import YearsIndex


def settled(book: BookOfEvenings, within_s: float = 600.0) -> YearsIndex:
    """The book's index with every evening in it. AssertionError where that takes longer."""
    until_s = time.monotonic() + within_s
    while time.monotonic() < until_s:
        try:
            return book.settled_index()
        except StillReading:
            time.sleep(0.02)
    raise AssertionError("the evenings are still being read")
