"""Pages as PDF: the one module that knows reportlab.

Knows points, fonts and the PDF format; decides nothing about what lies where. The same pages give
the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO
from typing import Any

import cv2
from reportlab import rl_config
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from card_printables.artwork import clouds
from card_printables.artwork.ink import (
    Area,
    Art,
    Design,
    Disc,
    Line,
    Mark,
    Modules,
    Photo,
    Point,
    Rgb,
    Words,
)
from card_printables.artwork.lettering import font_path
from card_printables.order import Progress
from card_printables.pages.paper import Page, Placed

POINT_MM = 25.4 / 72
ART_DPI = 300
"""Dots an inch of the pictures: as many as a photo printer shows."""

JPEG_QUALITY = 88
ONE_SIDED = "Simplex"
LONG_EDGE = "DuplexFlipLongEdge"
SHORT_EDGE = "DuplexFlipShortEdge"
"""What the print dialogue is asked to begin with."""

_FONTS = {False: "CloudText", True: "CloudBold"}


def _pt(length_mm: float) -> float:
    return length_mm / POINT_MM


def _colour(canvas: Canvas, ink: Rgb) -> None:
    red, green, blue = (channel / 255 for channel in ink)
    canvas.setFillColorRGB(red, green, blue)
    canvas.setStrokeColorRGB(red, green, blue)


def _path(canvas: Canvas, points_mm: Sequence[Point], closed: bool) -> Any:
    path = canvas.beginPath()
    path.moveTo(_pt(points_mm[0][0]), -_pt(points_mm[0][1]))
    for x, y in points_mm[1:]:
        path.lineTo(_pt(x), -_pt(y))
    if closed:
        path.close()
    return path


def _pen(canvas: Canvas, width_mm: float, dash_mm: tuple[float, float] | None) -> None:
    canvas.setLineWidth(_pt(width_mm))
    canvas.setLineCap(0 if dash_mm else 1)
    canvas.setLineJoin(1)
    canvas.setDash(*([_pt(part) for part in dash_mm] if dash_mm else []))


def _modules(canvas: Canvas, mark: Modules) -> None:
    """All dark runs as one path, so that no seam shows between rows."""
    count = mark.cells.shape[0]
    step = _pt(mark.side_mm) / count
    left, top = (
        _pt(mark.centre_mm[0] - mark.side_mm / 2),
        -_pt(mark.centre_mm[1] - mark.side_mm / 2),
    )
    path = canvas.beginPath()
    for row in range(count):
        column = 0
        while column < count:
            run = 0
            while column + run < count and mark.cells[row, column + run]:
                run += 1
            if run:
                path.rect(left + column * step, top - (row + 1) * step, run * step, step)
            column += run + 1
    canvas.setFillColorRGB(0, 0, 0)
    canvas.drawPath(path, stroke=0, fill=1)


def _words(canvas: Canvas, mark: Words) -> None:
    font, size = _FONTS[mark.bold], _pt(mark.size_mm)
    _colour(canvas, mark.ink)
    canvas.setFont(font, size)
    canvas.saveState()
    canvas.translate(_pt(mark.at_mm[0]), -_pt(mark.at_mm[1]))
    if mark.turn_deg:
        canvas.rotate(-mark.turn_deg)
    back = pdfmetrics.stringWidth(mark.text, font, size) * (mark.align + 1) / 2
    canvas.drawString(-back, 0, mark.text)
    canvas.restoreState()


def _art(canvas: Canvas, mark: Art) -> None:
    picture = clouds.picture(mark.card, round(mark.side_mm / 25.4 * ART_DPI))
    jpeg = BytesIO(
        cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()
    )
    side = _pt(mark.side_mm)
    canvas.drawImage(ImageReader(jpeg), -side / 2, -side / 2, side, side)


def _photo(canvas: Canvas, mark: Photo) -> None:
    width, height = _pt(mark.width_mm), _pt(mark.height_mm)
    x, y = _pt(mark.centre_mm[0]), -_pt(mark.centre_mm[1])
    canvas.drawImage(ImageReader(BytesIO(mark.jpeg)), x - width / 2, y - height / 2, width, height)


def _put(canvas: Canvas, mark: Mark) -> None:
    match mark:
        case Area():
            _colour(canvas, mark.ink)
            canvas.drawPath(_path(canvas, mark.points_mm, True), stroke=0, fill=1)
        case Line():
            _colour(canvas, mark.ink)
            _pen(canvas, mark.width_mm, mark.dash_mm)
            canvas.drawPath(_path(canvas, mark.points_mm, mark.closed), stroke=1, fill=0)
        case Disc():
            _colour(canvas, mark.ink)
            _pen(canvas, mark.line_mm or 0, mark.dash_mm)
            x, y = mark.centre_mm
            filled = mark.line_mm is None
            canvas.circle(
                _pt(x), -_pt(y), _pt(mark.radius_mm), stroke=int(not filled), fill=int(filled)
            )
        case Words():
            _words(canvas, mark)
        case Modules():
            _modules(canvas, mark)
        case Art():
            _art(canvas, mark)
        case Photo():
            _photo(canvas, mark)


def _clip(canvas: Canvas, design: Design, bleed_mm: float) -> None:
    path = canvas.beginPath()
    width, height = _pt(design.width_mm + 2 * bleed_mm), _pt(design.height_mm + 2 * bleed_mm)
    if design.round:
        path.circle(0, 0, width / 2)
    else:
        path.rect(-width / 2, -height / 2, width, height)
    canvas.clipPath(path, stroke=0, fill=0)


def _form(canvas: Canvas, piece: Placed) -> None:
    """Draw the piece once, under its name; pages then only say where it lies."""
    reach = _pt(max(piece.design.width_mm, piece.design.height_mm) / 2 + piece.bleed_mm)
    canvas.beginForm(piece.name, -reach, -reach, reach, reach)
    canvas.saveState()
    _clip(canvas, piece.design, piece.bleed_mm)
    for mark in piece.design.marks:
        _put(canvas, mark)
    canvas.restoreState()
    canvas.endForm()


@cache
def _register_fonts() -> None:
    """Once: a font registered anew while another thread draws would lose that page's letters."""
    for bold, name in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, font_path(bold)))


def _new_canvas(target: BytesIO, title: str, subject: str, sides: str, language: str) -> Canvas:
    _register_fonts()
    rl_config.useA85 = 0
    canvas = Canvas(
        target, invariant=1, pageCompression=1, lang=language, initialFontName=_FONTS[False]
    )
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", sides)
    canvas.setTitle(title)
    canvas.setSubject(subject)
    canvas.setAuthor("Cloud Mine Companion")
    canvas.setCreator("companion print")
    canvas.setKeywords("Cloud Mine, print at 100 %, no scaling")
    return canvas


def _page(
    canvas: Canvas, page: Page, scale: tuple[float, float], shift_mm: tuple[float, float]
) -> None:
    canvas.setPageSize((_pt(page.width_mm), _pt(page.height_mm)))
    canvas.bookmarkPage(page.title)
    canvas.addOutlineEntry(page.title, page.title)
    half = (_pt(page.width_mm) / 2, _pt(page.height_mm) / 2)
    canvas.translate(half[0] + _pt(shift_mm[0]), half[1] - _pt(shift_mm[1]))
    canvas.scale(*scale)
    canvas.translate(-half[0], half[1])
    for item in page.items:
        if isinstance(item, Placed):
            canvas.saveState()
            canvas.translate(_pt(item.at_mm[0]), -_pt(item.at_mm[1]))
            canvas.doForm(item.name)
            canvas.restoreState()
        else:
            _put(canvas, item)
    canvas.showPage()


def pdf_bytes(
    pages: Sequence[Page],
    title: str,
    subject: str,
    measured_mm: tuple[float, float] = (100.0, 100.0),
    shift_mm: tuple[float, float] = (0.0, 0.0),
    back_shift_mm: tuple[float, float] = (0.0, 0.0),
    sides: str = ONE_SIDED,
    progress: Progress | None = None,
    language: str = "en",
) -> bytes:
    """The pages as one PDF file: vector codes, embedded fonts, no scaling when printed, the same
    bytes each time.

    `measured_mm` is what the 100 mm rulers (across, down) measured on paper from this printer;
    `shift_mm` moves every front, `back_shift_mm` every back, x right and y down as that side is
    read. `sides` is what the print dialogue offers, `language` that of the words.
    """
    target = BytesIO()
    canvas = _new_canvas(target, title, subject, sides, language)
    pieces = {item.name: item for page in pages for item in page.items if isinstance(item, Placed)}
    for count, piece in enumerate(pieces.values(), 1):
        _form(canvas, piece)
        if progress:
            progress(count, len(pieces))
    scale = (100 / measured_mm[0], 100 / measured_mm[1])
    for page in pages:
        _page(canvas, page, scale, back_shift_mm if page.is_back else shift_mm)
    canvas.save()
    return target.getvalue()
