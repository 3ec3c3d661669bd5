"""Painting a design as pixels: exact where a camera measures, smooth where people look.

Knows pixels; knows no PDF and no file names. Pixel (0, 0) is the centre of the top-left pixel; the
piece's centre is the picture's centre and one millimetre is dpi / 25.4 pixels, also where the side
was rounded to whole pixels.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from card_printables.artwork import clouds
from card_printables.artwork.ink import (
    BLACK,
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
from card_printables.pages.paper import Page, Placed

MM_PER_INCH = 25.4
_FINER = 4
_SHIFT = 4
_LARGE = 3_000_000
"""Pixels from which an outline is smoothed by OpenCV alone: four times finer, the tray would take
gigabytes."""
_ROWS = 256

WORDS_KEPT = 512
"""Lines and letters of type that are kept once drawn: those of a deck's page with its letters around
the rim, and no memory for every size that somebody thinks of."""


def side_px(size_mm: float, dpi: float) -> int:
    """The whole number of pixels nearest to `size_mm`."""
    return max(1, round(size_mm / MM_PER_INCH * dpi))


class Canvas:
    """A picture being painted: `image` (H, W, 3) uint8 BGR, white paper at first."""

    def __init__(
        self, width_mm: float, height_mm: float, dpi: float, thinnest_px: float = 0.0
    ) -> None:
        self.thinnest_px = thinnest_px
        self.scale = dpi / MM_PER_INCH
        self.image = np.full((side_px(height_mm, dpi), side_px(width_mm, dpi), 3), 255, np.uint8)
        self.middle = np.array([(self.image.shape[1] - 1) / 2, (self.image.shape[0] - 1) / 2])

    def px(self, points_mm: tuple[Point, ...]) -> np.ndarray:
        """Pixel coordinates (N, 2) float64 of points in the piece's frame."""
        pixels: np.ndarray = (
            np.array(points_mm, np.float64).reshape(-1, 2) * self.scale + self.middle
        )
        return pixels

    def pen_px(self, width_mm: float) -> float:
        """Width of a line, never thinner than this canvas shows."""
        return max(width_mm * self.scale, self.thinnest_px)

    def paint_cover(self, cover: np.ndarray, left: int, top: int, ink: Rgb) -> None:
        """Paint `ink` where `cover` (h, w) float 0..1 says, with its first pixel at (left, top);
        what lies outside is cut off."""
        height, width = self.image.shape[:2]
        x0, y0, x1, y1 = (
            max(left, 0),
            max(top, 0),
            min(left + cover.shape[1], width),
            min(top + cover.shape[0], height),
        )
        if x1 <= x0 or y1 <= y0:
            return
        colour = np.array(ink[::-1], np.float32)
        for first in range(y0, y1, _ROWS):
            last = min(first + _ROWS, y1)
            share = cover[first - top : last - top, x0 - left : x1 - left, None].astype(np.float32)
            part = self.image[first:last, x0:x1]
            part[:] = np.rint(part * (1 - share) + colour * share).astype(np.uint8)

    def window(self, points_px: np.ndarray, margin_px: float) -> tuple[int, int, int, int]:
        """Left, top, width, height of the pixels round some points, cut to the picture."""
        height, width = self.image.shape[:2]
        low = np.floor(points_px.min(0) - margin_px - 1).astype(int)
        high = np.ceil(points_px.max(0) + margin_px + 2).astype(int)
        left, top = max(int(low[0]), 0), max(int(low[1]), 0)
        return (
            left,
            top,
            max(min(int(high[0]), width) - left, 0),
            max(min(int(high[1]), height) - top, 0),
        )


def _smooth(
    canvas: Canvas, points_px: np.ndarray, ink: Rgb, line_px: float | None, closed: bool
) -> None:
    left, top, width, height = canvas.window(points_px, (line_px or 0) / 2)
    if width == 0 or height == 0:
        return
    finer = _FINER if width * height < _LARGE else 1
    fine = np.zeros((height * finer, width * finer), np.uint8)
    at = np.rint(((points_px - (left, top) + 0.5) * finer - 0.5) * 2**_SHIFT).astype(np.int32)
    edge = cv2.LINE_8 if finer > 1 else cv2.LINE_AA
    if line_px is None:
        cv2.fillPoly(fine, [at], 255, edge, _SHIFT)
    else:
        cv2.polylines(fine, [at], closed, 255, max(1, round(line_px * finer)), edge, _SHIFT)
    cover = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    canvas.paint_cover(cover, left, top, ink)


def disc_cover(shape: tuple[int, int], centre_px: Point, radius_px: float) -> np.ndarray:
    """How much of each pixel a disc covers, `shape` float32 0..1, its edge one pixel soft."""
    y = np.arange(shape[0], dtype=np.float32)[:, None] - np.float32(centre_px[1])
    x = np.arange(shape[1], dtype=np.float32)[None, :] - np.float32(centre_px[0])
    covered: np.ndarray = np.clip(radius_px + 0.5 - np.sqrt(x * x + y * y), 0, 1)
    return covered


def _disc(canvas: Canvas, mark: Disc) -> None:
    centre = canvas.px((mark.centre_mm,))[0]
    radius, half = (
        mark.radius_mm * canvas.scale,
        0.0 if mark.line_mm is None else canvas.pen_px(mark.line_mm) / 2,
    )
    left, top, width, height = canvas.window(centre[None], radius + half)
    at = (float(centre[0]) - left, float(centre[1]) - top)
    cover = disc_cover((height, width), at, radius + half)
    if mark.line_mm is not None:
        cover = cover - disc_cover((height, width), at, radius - half)
    canvas.paint_cover(cover, left, top, mark.ink)


def _overlap(count: int, modules: int, start_px: float, step_px: float) -> np.ndarray:
    """How much of pixel i module j covers along one axis, (count, modules); pixels are one wide,
    centred on whole numbers."""
    pixel = np.arange(count)[:, None] - 0.5
    first = start_px + step_px * np.arange(modules)[None, :]
    covered: np.ndarray = np.clip(
        np.minimum(pixel + 1, first + step_px) - np.maximum(pixel, first), 0, 1
    )
    return covered


def _modules(canvas: Canvas, mark: Modules) -> None:
    count = mark.cells.shape[0]
    start = canvas.px((mark.centre_mm,))[0] - mark.side_mm * canvas.scale / 2
    step = mark.side_mm * canvas.scale / count
    height, width = canvas.image.shape[:2]
    rows, columns = _overlap(height, count, start[1], step), _overlap(width, count, start[0], step)
    y, x = np.flatnonzero(rows.any(1)), np.flatnonzero(columns.any(1))
    cover = rows[y[0] : y[-1] + 1] @ mark.cells.astype(np.float64) @ columns[x[0] : x[-1] + 1].T
    canvas.paint_cover(cover, int(x[0]), int(y[0]), BLACK)


@lru_cache(maxsize=WORDS_KEPT)
def _strip(text: str, bold: bool, em_px: int) -> tuple[np.ndarray, float, float]:
    """The words as coverage (h, w) uint8, with the start and the baseline in its pixels."""
    font = ImageFont.truetype(font_path(bold), em_px, layout_engine=ImageFont.Layout.BASIC)
    width = math.ceil(font.getlength(text)) + em_px
    image = Image.new("L", (width, em_px * 2))
    ImageDraw.Draw(image).text((em_px // 2, em_px * 1.4), text, fill=255, font=font, anchor="ls")
    return np.asarray(image), em_px // 2, em_px * 1.4


def _words(canvas: Canvas, mark: Words) -> None:
    em = max(6, round(mark.size_mm * canvas.scale * 2))
    strip, start, base = _strip(mark.text, mark.bold, em)
    length = strip.shape[1] - em
    anchor = start + length * (mark.align + 1) / 2
    shrink = mark.size_mm * canvas.scale / em
    turn = math.radians(mark.turn_deg)
    forth = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) * shrink
    at = canvas.px((mark.at_mm,))[0]
    shift = at - forth @ (anchor, base)
    corners = (
        np.array(
            [[0, 0], [strip.shape[1], 0], [strip.shape[1], strip.shape[0]], [0, strip.shape[0]]]
        )
        @ forth.T
        + shift
    )
    left, top, width, height = canvas.window(corners, 0)
    if width and height:
        matrix = np.hstack([forth, (shift - (left, top))[:, None]])
        cover = (
            cv2.warpAffine(strip, matrix, (width, height), flags=cv2.INTER_LINEAR).astype(
                np.float32
            )
            / 255
        )
        canvas.paint_cover(cover, left, top, mark.ink)


def _art(canvas: Canvas, mark: Art) -> None:
    side = max(1, round(mark.side_mm * canvas.scale))
    picture = clouds.picture(mark.card, side)
    height, width = canvas.image.shape[:2]
    shift = np.array([[1, 0, (width - side) / 2], [0, 1, (height - side) / 2]])
    canvas.image[:] = cv2.warpAffine(
        picture, shift, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def _photo(canvas: Canvas, mark: Photo) -> None:
    picture = cv2.imdecode(np.frombuffer(mark.jpeg, np.uint8), cv2.IMREAD_COLOR)
    half = mark.width_mm / 2, mark.height_mm / 2
    corner = (mark.centre_mm[0] - half[0], mark.centre_mm[1] - half[1])
    (left, top), (right, low) = canvas.px(
        (corner, (corner[0] + mark.width_mm, corner[1] + mark.height_mm))
    )
    height, width = canvas.image.shape[:2]
    x0, x1 = max(0, round(left)), min(width, round(right))
    y0, y1 = max(0, round(top)), min(height, round(low))
    if picture is None or x1 <= x0 or y1 <= y0:
        return
    size = (max(1, round(right) - round(left)), max(1, round(low) - round(top)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    x, y = x0 - round(left), y0 - round(top)
    canvas.image[y0:y1, x0:x1] = small[y : y + y1 - y0, x : x + x1 - x0]


def _put(canvas: Canvas, mark: Mark) -> None:
    match mark:
        case Area():
            _smooth(canvas, canvas.px(mark.points_mm), mark.ink, None, True)
        case Line():
            _smooth(
                canvas,
                canvas.px(mark.points_mm),
                mark.ink,
                canvas.pen_px(mark.width_mm),
                mark.closed,
            )
        case Disc():
            _disc(canvas, mark)
        case Words():
            _words(canvas, mark)
        case Modules():
            _modules(canvas, mark)
        case Art():
            _art(canvas, mark)
        case Photo():
            _photo(canvas, mark)


def paint(design: Design, dpi: float, bleed_mm: float = 0.0) -> np.ndarray:
    """The design as (H, W, 4) uint8 BGRA, at trim size plus `bleed_mm` on every side; transparent
    outside a round piece."""
    canvas = Canvas(design.width_mm + 2 * bleed_mm, design.height_mm + 2 * bleed_mm, dpi)
    for mark in design.marks:
        _put(canvas, mark)
    alpha = np.full(canvas.image.shape[:2], 255, np.uint8)
    if design.round:
        centre = (float(canvas.middle[0]), float(canvas.middle[1]))
        radius = (design.width_mm / 2 + bleed_mm) * canvas.scale
        alpha = np.rint(disc_cover(alpha.shape, centre, radius) * 255).astype(np.uint8)
    return np.dstack([canvas.image, alpha])


def page_bgr(page: Page, dpi: float) -> np.ndarray:
    """A page as it will look printed, (H, W, 3) uint8 BGR, for a preview; dashed lines are drawn
    whole."""
    canvas = Canvas(page.width_mm, page.height_mm, dpi, thinnest_px=1.0)
    for item in page.items:
        canvas.middle = np.array([-0.5, -0.5])
        if not isinstance(item, Placed):
            _put(canvas, item)
        elif item.design.round:
            piece = paint(item.design, dpi, item.bleed_mm)
            left, top = np.rint(canvas.px((item.at_mm,))[0] - (piece.shape[0] - 1) / 2).astype(int)
            _lay_over(canvas.image, piece, int(left), int(top))
        else:
            canvas.middle = canvas.px((item.at_mm,))[0]
            for mark in item.design.marks:
                _put(canvas, mark)
    return canvas.image


def _lay_over(image: np.ndarray, piece: np.ndarray, left: int, top: int) -> None:
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + piece.shape[1], image.shape[1]), min(top + piece.shape[0], image.shape[0])
    over = piece[y0 - top : y1 - top, x0 - left : x1 - left]
    under = image[y0:y1, x0:x1]
    share = over[..., 3:].astype(np.float32) / 255
    under[:] = np.rint(under * (1 - share) + over[..., :3] * share).astype(np.uint8)
