"""The table frame: four corner tokens and the set-aside tray.

Knows which tag is printed on which piece, how large, and where on the piece. States the table
frame, once:

    Origin: the centre of the top-left token.  x runs towards the top-right token's centre, y
    towards the side of the
    bottom tokens, at a right angle to x.  Millimetres.  Seen from the camera's side x is right and
    y is down,
    z (never used) points into the table.  "Top" is the side of the table that the tokens call top;
    people lay them out
    as the tokens say, in any rectangle, by eye.

The middle of the table is what the four tokens enclose, without the tray. The tray may lie inside
or outside.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

TAG_FAMILY = "DICT_APRILTAG_36h11"
"""OpenCV's name of the tags: 36 bits at Hamming distance 11, so that wood, clouds and QR codes are
not taken for one."""

TAG_MODULES = 8
"""Modules along a tag, its black border counted."""


@dataclass(frozen=True, slots=True)
class Tag:
    """One printed tag on a piece: `id` in the family, side `size_mm` (black border's outer edge),
    `centre_mm` from the piece's centre (x right, y down as the piece is printed)."""

    id: int
    size_mm: float
    centre_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """A printed piece of the table set: its name (also its file name), trim size in mm (width,
    height), its tags."""

    name: str
    width_mm: float
    height_mm: float
    tags: tuple[Tag, ...]


TOKEN_MM = 80.0
TOKEN_TAG_MM = 60.0
TRAY_WIDTH_MM = 262.0
TRAY_HEIGHT_MM = 190.0
TRAY_TAG_MM = 24.0
TRAY_TAG_INSET_MM = 3.5

TOKEN_NAMES = ("token-top-left", "token-top-right", "token-bottom-right", "token-bottom-left")

TOKENS = tuple(
    Piece(name, TOKEN_MM, TOKEN_MM, (Tag(100 + i, TOKEN_TAG_MM, (0.0, 0.0)),))
    for i, name in enumerate(TOKEN_NAMES)
)
"""The four tokens in the order top-left, top-right, bottom-right, bottom-left; each has its tag in
its middle."""


def _tray_tags() -> tuple[Tag, ...]:
    x = TRAY_WIDTH_MM / 2 - TRAY_TAG_INSET_MM - TRAY_TAG_MM / 2
    y = TRAY_HEIGHT_MM / 2 - TRAY_TAG_INSET_MM - TRAY_TAG_MM / 2
    places = ((-x, -y), (x, -y), (x, y), (-x, y))
    return tuple(Tag(110 + i, TRAY_TAG_MM, place) for i, place in enumerate(places))


TRAY = Piece("tray", TRAY_WIDTH_MM, TRAY_HEIGHT_MM, _tray_tags())
"""The set-aside tray: one home-printer page (fits A4 and Letter), a tag in each corner; six discs
fit side by side."""

TRAY_PLACES_MM = (
    (-43.0, -50.0),
    (43.0, -50.0),
    (43.0, 50.0),
    (-43.0, 50.0),
    (-86.0, 0.0),
    (86.0, 0.0),
)
"""Where six cards lie on the tray and cover none of its tags, from its centre, in the order in which its
moons grow and wane: four apart, then two at the sides, over the rims of their neighbours."""

PIECES = (*TOKENS, TRAY)


@cache
def tag_cells(tag_id: int) -> np.ndarray:
    """The modules of a tag, border counted, (8, 8) bool, True is dark."""
    # Here, because nobody needs OpenCV who only asks where a tag lies.
    import cv2

    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG_FAMILY))
    dark = np.asarray(cv2.aruco.generateImageMarker(family, tag_id, TAG_MODULES) < 128)
    cells = dark.reshape(TAG_MODULES, TAG_MODULES)
    cells.setflags(write=False)
    return cells
