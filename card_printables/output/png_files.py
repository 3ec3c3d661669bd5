"""PNG files: one piece a file, at trim size, its dots an inch inside.

Knows file names and the PNG format; knows no PDF.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from card_printables.marker import SYMBOL_MM
from card_printables.order import CannotPrint, Order, Progress
from card_printables.output import piece_pictures, pixels
from card_printables.output.pixels import MM_PER_INCH
from card_printables.pages import lens_target, sticker
from card_printables.token import TOKENS, TRAY

_HEADER_BYTES = 33
"""The PNG signature and its IHDR chunk; pHYs may follow at once."""


def png_bytes(bgra: np.ndarray, dpi: float) -> bytes:
    """The picture as a PNG file that says its dots an inch; the same picture gives the same bytes."""
    done, data = cv2.imencode(".png", bgra, [cv2.IMWRITE_PNG_COMPRESSION, 2])
    if not done:
        raise CannotPrint("the picture could not be written as PNG: choose a lower --dpi")
    plain = data.tobytes()
    dots = round(dpi / MM_PER_INCH * 1000)
    chunk = b"pHYs" + struct.pack(">IIB", dots, dots, 1)
    sized = struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return plain[:_HEADER_BYTES] + sized + plain[_HEADER_BYTES:]


def pieces(order: Order) -> Iterator[tuple[str, Callable[[], np.ndarray]]]:
    """File name and painter of every piece of the order, cards or table."""
    if order.kind == "table":
        for piece in TOKENS:
            yield (
                f"{piece.name}.png",
                partial(piece_pictures.token_rgba, piece, order.dpi, order.language),
            )
        yield f"{TRAY.name}.png", partial(piece_pictures.tray_rgba, order.dpi)
        return
    if order.kind == "test-sheet":
        yield "test-sheet.png", partial(pixels.paint, lens_target.design(), order.dpi)
        return
    if order.kind == "stickers":
        sheet = sticker.sheet_named(order.sheet, order.symbol_mm, order.paper)
        symbol = sticker.symbol_on(sheet, order.symbol_mm, order.disc_mm)
        for card in order.cards:
            yield (
                f"sticker-{card:02d}.png",
                partial(
                    pixels.paint,
                    sticker.label(card, order.deck, sheet, symbol, order.disc_mm),
                    order.dpi,
                ),
            )
        return
    sizes = (order.deck, order.disc_mm, order.symbol_mm or SYMBOL_MM, order.dpi, order.bleed_mm)
    for card in order.cards:
        yield f"card-{card:02d}.png", partial(piece_pictures.face_rgba, card, *sizes)
    yield (
        "back.png",
        partial(
            piece_pictures.back_rgba,
            order.disc_mm,
            order.symbol_mm or SYMBOL_MM,
            order.dpi,
            order.bleed_mm,
            order.back_drawing,
        ),
    )


def write_pngs(order: Order, folder: Path, progress: Progress | None = None) -> list[Path]:
    """Write every piece of the order into `folder`, which exists; files of the same names are
    written anew."""
    todo = list(pieces(order))
    written = []
    for count, (name, paint) in enumerate(todo, 1):
        path = folder / name
        path.write_bytes(png_bytes(paint(), order.dpi))
        written.append(path)
        if progress:
            progress(count, len(todo))
    return written


def zip_bytes(order: Order, progress: Progress | None = None) -> bytes:
    """Every piece of the order in one ZIP archive; the same order gives the same bytes."""
    todo = list(pieces(order))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for count, (name, paint) in enumerate(todo, 1):
            archive.writestr(zipfile.ZipInfo(name), png_bytes(paint(), order.dpi))
            if progress:
                progress(count, len(todo))
    return target.getvalue()
