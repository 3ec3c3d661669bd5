"""What to draw on the camera's picture: the middle, the tray, the tokens, and a rim on which the
seats lie.

Knows the plane; must not know screens. Everything is told in shares of the picture's width and
height.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from calibration.check.readability import MapCell
from calibration.geometry.place import outline_mm
from calibration.geometry.plane import Plane
from card_printables.token import TOKENS

_ALONG = np.linspace(0, 1, 8, endpoint=False)
_RIM_STEPS = 36
_RIM_SPARE = 1.1
"""The seats lie a tenth outside the middle."""

_COLOURS = {"green": (90, 190, 70), "amber": (40, 170, 250), "red": (60, 60, 235)}
_INK = (48, 27, 20)


def outlines(plane: Plane) -> dict[str, Any]:
    """`middle`, `tray`, `tokens` as closed lines and `rim` as 36 points clockwise from the
    picture's bottom, all [x, y] in shares of the picture; null for what is not known."""
    tokens = [_told(plane, _square(plane, name)) for name in plane.seen if name in plane.tokens_mm]
    return {
        "middle": _told(plane, plane.middle_mm),
        "tray": _told(plane, plane.tray_mm),
        "tokens": tokens,
        "rim": _rim(plane),
    }


def _square(plane: Plane, name: str) -> list[tuple[float, float]]:
    return list(outline_mm(next(t for t in TOKENS if t.name == name), plane.places[name]))


def _told(
    plane: Plane, polygon_mm: Sequence[tuple[float, float]] | None
) -> list[list[float]] | None:
    """A closed line in shares of the picture, its sides bent as the lens bends them."""
    if polygon_mm is None:
        return None
    corners = np.array(polygon_mm)
    line = (
        corners[:, None] + _ALONG[:, None] * (np.roll(corners, -1, axis=0) - corners)[:, None]
    ).reshape(-1, 2)
    return _shares(plane, plane.to_px(line))


def _shares(plane: Plane, px: np.ndarray) -> list[list[float]]:
    known = px[np.isfinite(px).all(axis=1)]
    return [
        [round(float(x) / plane.width_px, 4), round(float(y) / plane.height_px, 4)]
        for x, y in known
    ]


def _rim(plane: Plane) -> list[list[float]] | None:
    """An oval about the middle as the picture shows it, clockwise from its bottom."""
    if plane.middle_mm is None:
        return None
    px = plane.to_px(np.array(plane.middle_mm))
    px = px[np.isfinite(px).all(axis=1)]
    if len(px) < 3:
        return None
    centre, reach = (px.max(axis=0) + px.min(axis=0)) / 2, np.ptp(px, axis=0) / 2 * _RIM_SPARE
    angle = np.linspace(0, 2 * np.pi, _RIM_STEPS, endpoint=False)
    return _shares(plane, centre + reach * np.column_stack([-np.sin(angle), np.cos(angle)]))


def drawn(image: np.ndarray, plane: Plane | None, spots: Sequence[MapCell]) -> np.ndarray:
    """A copy of the picture (H, W, 3) uint8 with middle, tray and tokens outlined, and every place
    marked: a green disc where cards read, an amber ring where they read now and then, a red cross
    where they do not."""
    picture = image.copy() if image.ndim == 3 else cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    width = max(2, picture.shape[1] // 640)
    if plane is not None:
        told = outlines(plane)
        for line in (told["middle"], told["tray"], *told["tokens"]):
            if line:
                px = (np.array(line) * [plane.width_px, plane.height_px]).astype(np.int32)
                cv2.polylines(picture, [px], True, _INK, width + 2, cv2.LINE_AA)
                cv2.polylines(picture, [px], True, (255, 255, 255), width, cv2.LINE_AA)
    for spot in spots:
        _mark(picture, spot, 5 * width)
    return picture


def _mark(picture: np.ndarray, spot: MapCell, size: int) -> None:
    x, y, colour = round(spot.x_px), round(spot.y_px), _COLOURS[spot.verdict]
    for ink, line in ((_INK, size // 2 + 2), (colour, size // 2)):
        if spot.verdict == "green":
            cv2.circle(picture, (x, y), size - (ink is colour) * 2, ink, -1, cv2.LINE_AA)
        elif spot.verdict == "amber":
            cv2.circle(picture, (x, y), size, ink, line, cv2.LINE_AA)
        else:
            cv2.line(picture, (x - size, y - size), (x + size, y + size), ink, line, cv2.LINE_AA)
            cv2.line(picture, (x - size, y + size), (x + size, y - size), ink, line, cv2.LINE_AA)
