"""Rasterising the real PDF with an independent program, and measuring what is on it in millimetres."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pypdfium2
import zxingcpp

from card_printables.marker import MarkerPlace
from card_printables.order import Order
from card_printables.print_job import pdf

DPI = 300
PX = DPI / 25.4


@cache
def whole_deck() -> bytes:
    """The 80 cards on A4 with their backs, drawn once for all tests."""
    return pdf(Order())


def page_grey(document: pypdfium2.PdfDocument, number: int, dpi: float = DPI) -> np.ndarray:
    """Page `number` (from 1) as grey pixels; pixel (0, 0) has the paper's corner at its own corner."""
    bitmap = document[number - 1].render(scale=dpi / 72, grayscale=True)
    return bitmap.to_numpy().reshape(bitmap.height, -1)[:, : bitmap.width].copy()


def codes_on(grey: np.ndarray) -> list[tuple[bytes, tuple[float, float]]]:
    """Every QR code on the page and the middle of it in mm."""
    found = zxingcpp.read_barcodes(
        grey, formats=zxingcpp.BarcodeFormat.QRCodeModel2, try_downscale=False
    )
    spots = []
    for code in found:
        p = code.position
        corners = np.array(
            [(q.x, q.y) for q in (p.top_left, p.top_right, p.bottom_right, p.bottom_left)], float
        )
        spots.append((code.bytes, tuple((corners.mean(0) + 0.5) / PX)))
    return spots


def dark_box_mm(
    grey: np.ndarray, centre_mm: tuple[float, float], reach_mm: float
) -> tuple[float, float, float, float]:
    """Left, top, right, bottom in mm of the black ink within a square window, edges found between
    pixels."""
    x0, y0 = (round((c - reach_mm) * PX) for c in centre_mm)
    x1, y1 = (round((c + reach_mm) * PX) for c in centre_mm)
    part = grey[y0:y1, x0:x1].astype(float)
    edges = []
    for axis, start in ((0, x0), (1, y0)):
        profile = 255 - part.min(axis=axis)
        dark = np.flatnonzero(profile > 60)
        first, last = dark[0], dark[-1]
        edges.append(
            (
                (start + first + 1 - profile[first] / 255) / PX,
                (start + last + profile[last] / 255) / PX,
            )
        )
    return edges[0][0], edges[1][0], edges[0][1], edges[1][1]


def ring_radius_mm(grey: np.ndarray, centre_mm: tuple[float, float], near_mm: float) -> float:
    """Radius of the thin line that runs round `centre_mm` somewhere within 1.5 mm of `near_mm`."""
    finer = 16
    turns = np.radians(np.arange(100, 440, 0.25) + 90)
    radii = np.arange((near_mm - 1.5) * PX * finer, (near_mm + 1.5) * PX * finer, 4) / finer
    x = (centre_mm[0] * PX - 0.5 + np.outer(radii, np.cos(turns))).astype(np.float32)
    y = (centre_mm[1] * PX - 0.5 + np.outer(radii, np.sin(turns))).astype(np.float32)
    rays = cv2.remap(grey, x, y, cv2.INTER_LINEAR).astype(np.float32)
    smooth = cv2.blur(rays, (1, 25))
    edge = np.abs(rays - smooth).mean(1)
    best = int(np.argmax(edge[20:-20])) + 20
    around = edge[best - 4 : best + 5] - edge.min()
    return float((radii[best - 4 : best + 5] * around).sum() / around.sum() / PX)


def code_centre_mm(
    disc_mm: tuple[float, float], place: MarkerPlace | None = None
) -> tuple[float, float]:
    """Where the code of a disc lying at `disc_mm` of the page has its middle."""
    shift = (place or MarkerPlace()).centre_mm
    return (disc_mm[0] + shift[0], disc_mm[1] + shift[1])
