"""Card backs: learnt in one look, recognised at any turn, kept as JSON.

Knows the disc and a plane; knows nothing of card numbers. A back is a small polar picture:
brightness and colour by radius and angle, so that turning the card is a shift along one axis,
searched over all turns at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np

from card_printables.marker import DISC_MM
from card_printables.order import BACK_DRAWINGS
from card_printables.output.piece_pictures import back_rgba
from companion.vision.frame.fitting import ridge_fit
from companion.vision.frame.log_colour import LogColour, log_colour_of
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import shrink_factor, shrunk_picture, watched_bounds_mm

PRINTED = "printed"
"""The name of our own printed backs."""

BACK_STEP_MM = 2.0
"""About so much of the table is a pixel of the pictures in which backs are learnt and looked for.
"""

RADII_MM = np.arange(3.0, 39.1, 3.0)
"""Radii of a polar picture: the disc but its rim."""

POLAR_TURNS = 96
"""Angles of a polar picture: a step is 3.75 degrees."""

SAME_COLOUR_LOG = 0.12
"""Colour of a pixel that agrees is off by less, log units; chosen."""

PLAIN_AGREEMENT_SHARE = 0.85
"""Share of the disc's area that must have the back's colour: 147 of 147 backs above, 0 of 415
faces."""

SAME_BRIGHTNESS_LOG = 0.30
"""The same of its brightness, after smooth light; chosen."""

PICTURE_CORRELATION = 0.45
"""For a back with a picture on it: the correlation at the best turn. In 70 rooms of any light and
slant 4 of 198 backs fell short (dark, with fine print); of 264 faces and bare places none was taken
for one (`tests/benchmarks/backs.py`, seeds 41000-41013)."""

PICTURE_TOGETHER = 1.0
"""The same of its sum with the share that agrees."""

PICTURE_CONTRAST_LOG = 0.06
"""A back whose log brightness varies by more than this has a picture on it, which must then agree
too."""

_JSON_KEYS = ("l", "u", "v")
"""Brightness, blue and red in the file of a learnt back."""

_PRINT_DPI = 100

_ANGLES = np.arange(POLAR_TURNS) * 2 * np.pi / POLAR_TURNS
_WEIGHT = np.broadcast_to(
    (RADII_MM / RADII_MM.sum() / POLAR_TURNS)[:, None], (len(RADII_MM), POLAR_TURNS)
)
_WEIGHT_ROOT = np.sqrt(_WEIGHT)
_PUBLISHED_MM = np.stack(
    [RADII_MM[:, None] * np.sin(_ANGLES), -RADII_MM[:, None] * np.cos(_ANGLES)], axis=-1
).reshape(-1, 2)
"""The points of a polar picture about a published card's middle, radius by radius."""


@dataclass(frozen=True, slots=True)
class Back:
    """One kind of card back: log brightness and colour (l, u, v), each (13, 96) float32, radius by
    angle; `free_log` is the colour cast (log units) that is forgiven because it was not learnt
    under this table's light."""

    name: str
    colour: LogColour
    free_log: float = 0.05

    def to_json(self) -> dict[str, Any]:
        """Plain JSON of this back, rounded to what a camera can see."""
        parts = {
            key: np.round(part, 3).tolist()
            for key, part in zip(_JSON_KEYS, self.colour.channels, strict=True)
        }
        return {"name": self.name, "free": self.free_log, **parts}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Back:
        """The back that `to_json` wrote.

        Raises:
            ValueError: the data is not a back; the message says what is wrong.
        """
        shape = (len(RADII_MM), POLAR_TURNS)
        parts = [np.asarray(data.get(k), dtype=np.float32) for k in _JSON_KEYS]
        if any(p.shape != shape or not np.isfinite(p).all() for p in parts):
            raise ValueError(
                f"a back holds three tables of {shape[0]} by {shape[1]} numbers: l, u and v"
            )
        return Back(
            str(data.get("name", "learnt")), LogColour(*parts), float(data.get("free", 0.05))
        )


BACK_RIM_MM = 2.0
"""So much of the edge of a card smaller than the published ones is left out."""

PUBLISHED_RADIUS_MM = DISC_MM / 2


def polar_colours(
    picture: np.ndarray,
    shrink: float,
    plane: PicturePlane,
    centre_mm: tuple[float, float],
    radius_mm: float = PUBLISHED_RADIUS_MM,
) -> LogColour:
    """The disc at a place by radius and angle, (13, 96) each, out of a picture shrunk by `shrink`;
    `radius_mm`: of the largest disc that a card holds."""
    return polar_colours_at(picture, shrink, plane, [centre_mm], radius_mm).pixels(0)


def polar_colours_at(
    picture: np.ndarray,
    shrink: float,
    plane: PicturePlane,
    centres_mm: Sequence[tuple[float, float]],
    radius_mm: float = PUBLISHED_RADIUS_MM,
) -> LogColour:
    """`polar_colours` of N places at once, (N, 13, 96) each."""
    smaller = min(1.0, (radius_mm - BACK_RIM_MM) / float(RADII_MM[-1]))
    points = np.asarray(centres_mm, float)[:, None] + smaller * _PUBLISHED_MM
    px = np.asarray(plane.to_px(points.reshape(-1, 2)), dtype=np.float32)
    x, y = ((px + 0.5) / shrink - 0.5).reshape(-1, POLAR_TURNS, 2).transpose(2, 0, 1)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return log_colour_of(seen.reshape(-1, len(RADII_MM), POLAR_TURNS, 3))


def learn_back(
    image_bgr: np.ndarray,
    plane: PicturePlane,
    centre_mm: tuple[float, float],
    name: str = "learnt",
    radius_mm: float = PUBLISHED_RADIUS_MM,
) -> Back:
    """The back that lies face down at this place of the picture: one look is enough.

    The picture is shrunk as it will be when backs are looked for: fine print is as soft then as it
    was learnt.
    """
    picture, shrink = softened_for_places(image_bgr, plane)
    return Back(name, polar_colours(picture, shrink, plane, centre_mm, radius_mm))


def softened_for_places(image_bgr: np.ndarray, plane: PicturePlane) -> tuple[np.ndarray, int]:
    """The picture as places are judged in it, and by how much it is shrunk."""
    shrink = shrink_factor(plane, watched_bounds_mm(plane), BACK_STEP_MM)
    return shrunk_picture(image_bgr, shrink), shrink


@cache
def printed_backs() -> tuple[Back, ...]:
    """The product's own printed backs: as they are printed now, and as they were before."""
    return tuple(_of_print(back_rgba(drawing=drawing, dpi=_PRINT_DPI)) for drawing in BACK_DRAWINGS)


def _of_print(art: np.ndarray) -> Back:
    """The polar picture of a printed back, (N, N, 4) uint8 BGRA of `_PRINT_DPI`."""
    dpi = _PRINT_DPI
    half, scale = (art.shape[0] - 1) / 2, dpi / 25.4
    x = (half + scale * RADII_MM[:, None] * np.sin(_ANGLES)[None, :]).astype(np.float32)
    y = (half - scale * RADII_MM[:, None] * np.cos(_ANGLES)[None, :]).astype(np.float32)
    soft = cv2.GaussianBlur(np.ascontiguousarray(art[..., :3]), (0, 0), 0.6 * scale)
    return Back(PRINTED, log_colour_of(cv2.remap(soft, x, y, cv2.INTER_LINEAR)), 0.20)


def _centred(part: np.ndarray) -> np.ndarray:
    """Polar pictures (..., 13, 96) about their mean, weighed so that all of a disc counts alike."""
    mean = (part * _WEIGHT).sum(axis=(-2, -1), keepdims=True)
    weighted: np.ndarray = (part - mean) * _WEIGHT_ROOT
    return weighted


def _best_turns(back: LogColour, seen: LogColour) -> tuple[np.ndarray, np.ndarray]:
    """The turns (steps of 3.75 degrees) at which a back agrees best with each of N polar pictures,
    and the correlations there, (N,) each."""
    product, left, right = np.zeros(POLAR_TURNS // 2 + 1, np.complex128), 0.0, 0.0
    for a, b, scale in (
        (back.brightness, seen.brightness, 1.0),
        (back.blue, seen.blue, 1.5),
        (back.red, seen.red, 1.5),
    ):
        a, b = scale * _centred(a), scale * _centred(b)
        product = product + (np.conj(np.fft.rfft(a)) * np.fft.rfft(b)).sum(axis=-2)
        left, right = left + (a * a).sum(), right + (b * b).sum(axis=(-2, -1))
    by_turn = np.fft.irfft(product, POLAR_TURNS)
    best = by_turn.argmax(axis=-1)
    alike = np.take_along_axis(by_turn, best[:, None], axis=-1)[:, 0]
    return best, alike / np.maximum(1e-9, np.sqrt(left * right))


def _best_turn(back: LogColour, seen: LogColour) -> tuple[int, float]:
    """`_best_turns` of one polar picture."""
    turns, alike = _best_turns(back, seen.pixels(None))
    return int(turns[0]), float(alike[0])


def _agreement(back: Back, seen: LogColour, turn: int, blue: float, red: float) -> float:
    """Share of the disc's area whose colour and brightness agree at this turn."""
    du = seen.blue - np.roll(back.colour.blue, turn, axis=1) - blue
    dv = seen.red - np.roll(back.colour.red, turn, axis=1) - red
    du -= np.clip(np.median(du), -back.free_log, back.free_log)
    dv -= np.clip(np.median(dv), -back.free_log, back.free_log)
    dl = seen.brightness - np.roll(back.colour.brightness, turn, axis=1)
    x, y = (
        RADII_MM[:, None] * np.sin(_ANGLES)[None, :] / 40,
        -RADII_MM[:, None] * np.cos(_ANGLES)[None, :] / 40,
    )
    columns = np.stack([np.ones(dl.size), x.ravel(), y.ravel()], axis=1).astype(np.float32)
    dl = dl - (columns @ ridge_fit(columns, dl.ravel(), np.full(3, 1e-3, np.float32))).reshape(
        dl.shape
    )
    good = (
        (np.abs(du) < SAME_COLOUR_LOG)
        & (np.abs(dv) < SAME_COLOUR_LOG)
        & (np.abs(dl) < SAME_BRIGHTNESS_LOG)
    )
    return float(_WEIGHT[good].sum())


def disc_centre(unlike: np.ndarray, radius: float) -> tuple[float, float] | None:
    """Row and column where a disc of this radius (in pixels of the map) fits best into a map of
    what is unlike the ground, (h, w) 0..1, whose middle is where it is expected; None where nothing
    disc-like lies."""
    size = int(radius * 1.3) * 2 + 1
    y, x = np.mgrid[:size, :size] - size // 2
    away = np.hypot(x, y)
    kernel = np.where(away <= radius, 1.0, np.where(away <= radius * 1.2, -1.0, 0.0)).astype(
        np.float32
    )
    fits = cv2.filter2D(unlike.astype(np.float32), -1, kernel, borderType=cv2.BORDER_CONSTANT)
    row, column = np.unravel_index(int(np.argmax(fits)), fits.shape)
    if fits[row, column] < 0.6 * np.count_nonzero(kernel > 0):
        return None
    within_mm = fits[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    if within_mm.shape != (3, 3):
        return float(row), float(column)
    weight = (
        np.maximum(within_mm - within_mm.min(), 1e-6)
        / np.maximum(within_mm - within_mm.min(), 1e-6).sum()
    )
    return float(row + weight[2].sum() - weight[0].sum()), float(
        column + weight[:, 2].sum() - weight[:, 0].sum()
    )


def best_correlations(back: Back, seen: LogColour) -> np.ndarray:
    """How alike each of the polar pictures `seen` (N, 13, 96) and this back are at their best turn,
    (N,), -1 to 1."""
    return _best_turns(back.colour, seen)[1]


def is_back(back: Back, seen: LogColour, blue: float = 0.0, red: float = 0.0) -> bool:
    """Whether the polar picture `seen` shows this back, at any turn; `blue`, `red`: the light's
    colour against the learnt one."""
    return back_score(back, seen, blue, red) > 1.0


def back_score(back: Back, seen: LogColour, blue: float = 0.0, red: float = 0.0) -> float:
    """How near the polar picture `seen` comes to being this back: above 1 it is taken for it."""
    turn, alike = _best_turn(back.colour, seen)
    has_picture = (
        float(np.sqrt((_centred(back.colour.brightness) ** 2).sum())) > PICTURE_CONTRAST_LOG
    )
    if has_picture and alike <= PICTURE_CORRELATION:
        return alike / PICTURE_CORRELATION
    agreement = _agreement(back, seen, turn, blue, red)
    return (
        min(alike / PICTURE_CORRELATION, (alike + agreement) / PICTURE_TOGETHER)
        if has_picture
        else agreement / PLAIN_AGREEMENT_SHARE
    )
