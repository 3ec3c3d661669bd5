"""The lesson that teaches a box's own back: one card lies face down under the camera, one look is
enough.

Knows pictures, the plane and the reader; keeps nothing and asks nobody. What cannot be learnt is
said with a reason, and a back that would also be seen in the bare table is not taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.cameras.grey import checked_grey
from calibration.geometry.plane import Plane
from card_printables.marker import MarkerPlace
from companion.table.sighting import Point
from companion.vision.card_outline import CardOutline
from companion.vision.card_reader import CardReader
from companion.vision.frame.log_colour import grey_level, saturated_pixels
from companion.vision.locate import centre_of_back, locate
from companion.vision.places import backs
from companion.vision.places.backs import Back
from companion.vision.places.card_finder import find_cards
from companion.vision.places.disc_finder import FoundDisc

LEARNT_NAME = "learnt"
"""There is one learnt back at a time; the next lesson replaces it."""

SAME_DISC_MM = 30.0
"""A disc whose middle is so near to that of a read card is this card."""

TOKEN_RIM_MM = 65.0
"""A corner token shows up to 0.73 of a rim itself: it is as wide as a disc."""

CLEARER_RIM_SHARE = 0.08
"""A disc whose rim shows so much more than every other one is the card; a plate or a mat beside it
is not."""

DARK_BACK_GREY = 12.0
"""Mean grey below which a back's colours drown in noise; chosen."""

LARGEST_SATURATED_SHARE = 0.25
"""Share of its pixels that may be saturated; chosen."""

TRIED_EVERY_MM = 70.0
"""The bare table is tried at places so far apart; chosen."""

AWAY_FROM_DISCS_MM = 95.0
"""...and so far from any disc."""

LARGEST_LIKE_TABLE_SHARE = 0.1
"""Share of them that may pass for the back; chosen."""


@dataclass(frozen=True, slots=True)
class BackLesson:
    """What came of a lesson: the `back`, or None and `why`; where the card lay, if one was found.

    `why` is "" or a key: "no_picture", "no_table" (the tokens are not in view), "no_card" (no disc
    shows), "many_cards", "face_up" (the disc is a card whose marker is read), "printed" (our own
    printed back: known without a lesson), "too_dark", "too_bright", "like_table" (the bare table
    would be taken for this back).
    """

    back: Back | None
    why: str = ""
    centre_mm: Point | None = None


def learn_lone_back(
    image_bgr: np.ndarray | None,
    plane: Plane | None,
    reader: CardReader,
    place: MarkerPlace,
    outline: CardOutline | None = None,
) -> BackLesson:
    """Learn the back of the one card that lies face down in the picture (H, W, 3) uint8 BGR,
    anywhere on the table; `outline`: the cards', None for discs as `place` has them."""
    outline = outline or CardOutline.disc(place.disc_mm)
    if image_bgr is None or image_bgr.ndim != 3 or (grey := checked_grey(image_bgr)) is None:
        return BackLesson(None, "no_picture")
    if plane is None:
        return BackLesson(None, "no_table")
    reading = reader.read_cards(image_bgr, grey, plane)
    things = find_cards(image_bgr, plane, outline)
    if reading.backs:
        return BackLesson(None, "printed", centre_of_back(reading.backs[0], plane, place))
    shown = [locate(d, plane, place).centre_mm for d in reading.detections]
    tokens = list(plane.tokens_mm.values())
    down = [
        t
        for t in things
        if _away(t.centre_mm, shown, SAME_DISC_MM) and _away(t.centre_mm, tokens, TOKEN_RIM_MM)
    ]
    if not down:
        return BackLesson(None, "face_up" if shown else "no_card", shown[0] if shown else None)
    if len(down) > 1 and down[1].rim > down[0].rim - CLEARER_RIM_SHARE:
        return BackLesson(None, "many_cards")
    return _learnt(
        image_bgr, plane, down[0], [thing.centre_mm for thing in things] + shown + tokens, outline
    )


def _away(point: Point, others: list[Point], reach_mm: float) -> bool:
    return all(math.dist(point, other) > reach_mm for other in others)


def _learnt(
    image_bgr: np.ndarray,
    plane: Plane,
    card: FoundDisc,
    things: list[Point],
    outline: CardOutline,
) -> BackLesson:
    radius = outline.radius_mm
    back = backs.learn_back(image_bgr, plane, card.centre_mm, LEARNT_NAME, radius)
    if float(grey_level(back.colour.brightness).mean()) < DARK_BACK_GREY:
        return BackLesson(None, "too_dark", card.centre_mm)
    if _saturated_share(image_bgr, plane, card.centre_mm, radius) > LARGEST_SATURATED_SHARE:
        return BackLesson(None, "too_bright", card.centre_mm)
    bare = _bare_places(plane, things)
    picture, shrink = backs.softened_for_places(image_bgr, plane)
    passes = sum(
        backs.is_back(back, backs.polar_colours(picture, shrink, plane, at, radius)) for at in bare
    )
    if passes > LARGEST_LIKE_TABLE_SHARE * len(bare):
        return BackLesson(None, "like_table", card.centre_mm)
    return BackLesson(back, "", card.centre_mm)


def _saturated_share(
    image_bgr: np.ndarray, plane: Plane, centre_mm: Point, radius_mm: float
) -> float:
    """The share of the disc's pixels that are saturated."""
    rim = np.radians(np.arange(0, 360, 10))
    reach = min(float(backs.RADII_MM[-1]), radius_mm - backs.BACK_RIM_MM)
    edge = plane.to_px(np.stack([np.cos(rim), np.sin(rim)], 1) * reach + centre_mm)
    inside = np.zeros(image_bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(edge).astype(np.int32), 1)
    pixels = image_bgr[inside > 0]
    return float(saturated_pixels(pixels).mean()) if len(pixels) else 1.0


def _bare_places(plane: Plane, things: list[Point]) -> list[Point]:
    """Places all over the picture at which no disc lies, their discs wholly in view."""
    u, v = np.meshgrid(
        np.linspace(0, plane.width_px - 1, 5), np.linspace(0, plane.height_px - 1, 5)
    )
    seen = plane.to_mm(np.stack([u.ravel(), v.ravel()], 1))
    seen = seen[np.isfinite(seen).all(1)]
    low, high = seen.min(0), seen.max(0)
    x, y = np.meshgrid(
        np.arange(low[0], high[0], TRIED_EVERY_MM), np.arange(low[1], high[1], TRIED_EVERY_MM)
    )
    grid = np.stack([x.ravel(), y.ravel()], 1)
    held = np.ones(len(grid), bool)
    for dx, dy in ((-45, 0), (45, 0), (0, -45), (0, 45)):
        px = plane.to_px(grid + np.array([dx, dy]))
        held &= ((px > 0) & (px < (plane.width_px, plane.height_px))).all(1)
    points = [(float(a), float(b)) for a, b in grid[held]]
    return [at for at in points if _away(at, things, AWAY_FROM_DISCS_MM)]
