"""One print job from order to files: the door that the command line and the print page share.

Knows where files go; draws nothing itself.

    from pathlib import Path
    from card_printables.print_job import write
    from card_printables.order import Order
    write(Order(kind="cards", paper="a4", disc_mm=85.0, out=Path("deck.pdf")))
"""

from __future__ import annotations

from pathlib import Path

from card_printables.files import write_beside_then_replace
from card_printables.marker import SYMBOL_MM
from card_printables.order import CannotPrint, Order, Progress, check
from card_printables.output.pdf import LONG_EDGE, ONE_SIDED, SHORT_EDGE, pdf_bytes
from card_printables.output.png_files import write_pngs, zip_bytes
from card_printables.pages.code_margins import refuse_lost_codes
from card_printables.pages.cover import PRODUCT
from card_printables.pages.paper import Page
from card_printables.pages.sequence import (
    card_pages,
    lens_pages,
    ruler_pages,
    sticker_pages,
    table_pages,
)
from card_printables.pages.sticker import sheet_named, symbol_on

_BUILDERS = {
    "cards": card_pages,
    "table": table_pages,
    "stickers": sticker_pages,
    "test-sheet": lens_pages,
    "ruler": ruler_pages,
}
_TWO_SIDED = ("cards", "ruler")


def pages(order: Order) -> tuple[Page, ...]:
    """The pages of the order, ready to be drawn or shown.

    Raises:
        CannotPrint: the order cannot be printed.
    """
    check(order)
    built = _BUILDERS[order.kind](order)
    refuse_lost_codes(built, order)
    return built


def pdf(order: Order, progress: Progress | None = None) -> bytes:
    """The order as one PDF file.

    Raises:
        CannotPrint: the order cannot be printed.
    """
    title = f"{PRODUCT}: {order.kind}"
    sides = (
        {"long": LONG_EDGE, "short": SHORT_EDGE}.get(order.backs, ONE_SIDED)
        if order.kind in _TWO_SIDED
        else ONE_SIDED
    )
    correction = (order.measured_mm, order.shift_mm, order.back_shift_mm)
    return pdf_bytes(
        pages(order), title, _subject(order), *correction, sides, progress, order.language
    )


def _subject(order: Order) -> str:
    """What is in the file, for the reader's list of properties."""
    if order.kind == "cards":
        symbol = order.symbol_mm or SYMBOL_MM
        return f"{order.deck}, discs of {order.disc_mm:g} mm, markers of {symbol:g} mm, {order.paper.upper()}"
    if order.kind == "stickers":
        sheet = sheet_named(order.sheet, order.symbol_mm, order.paper)
        return f"{order.deck}, markers of {symbol_on(sheet, order.symbol_mm):g} mm, {sheet.maker}, {sheet.paper.upper()}"
    return order.paper.upper()


def check_all(order: Order) -> None:
    """Pass when the order can be printed in its format.

    Raises:
        CannotPrint: it cannot; the sentence says why and what to choose.
    """
    check(order)
    if order.format == "png" and order.kind == "ruler":
        raise CannotPrint("the printer's test page is for paper: print it as --format pdf")


def png_zip(order: Order, progress: Progress | None = None) -> bytes:
    """The order's PNG files in one ZIP archive, the same bytes each time.

    Raises:
        CannotPrint: the order cannot be printed.
    """
    check_all(order)
    return zip_bytes(order, progress)


def default_out(order: Order) -> Path:
    """Where an order goes that does not say: a PDF or a folder in the working folder, overwritten
    by the next one."""
    return Path(f"cloud-mine-{order.kind}" + (".pdf" if order.format == "pdf" else ""))


def write(order: Order, progress: Progress | None = None) -> list[Path]:
    """Draw the order and write its files; the paths written.

    Raises:
        CannotPrint: the order cannot be printed or the place cannot be written; nothing was
        overwritten before the check.
    """
    check_all(order)
    target = order.out or default_out(order)
    try:
        if order.format == "png":
            target.mkdir(parents=True, exist_ok=True)
            return write_pngs(order, target, progress)
        return [_write_pdf(order, target, progress)]
    except FileNotFoundError as trouble:
        if target.parent.is_dir():
            raise CannotPrint(f"{target} cannot be written: choose another --out") from trouble
        raise CannotPrint(
            f"there is no folder {target.parent}: make it first or choose another --out"
        ) from trouble
    except OSError as trouble:
        raise CannotPrint(
            f"cannot write {target} ({trouble.strerror or trouble}): choose another --out"
        ) from trouble


def _write_pdf(order: Order, target: Path, progress: Progress | None) -> Path:
    if target.is_dir():
        target = target / default_out(order).name
    if not target.parent.is_dir():
        raise FileNotFoundError(target.parent)
    if target.exists() and target.read_bytes()[:5] != b"%PDF-":
        raise CannotPrint(
            f"{target} is there and is no PDF, so it is left alone: choose another --out"
        )
    data = pdf(order, progress)
    write_beside_then_replace(target, data)
    return target
