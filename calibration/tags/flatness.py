"""Does a printed token lie flat? How far its paper rises, told by the way its tag's sides are seen
to bend.

Knows a tag's sides in one picture and the plane of the other pieces; must not know problems or
advice.

Paper that rises by h is seen shifted away from the camera's foot by h times the slant of the view.
Straight from above nothing is seen of it; nothing is wrong then either. The tag's four sides are
compared with straight ones that may be shifted, turned and scaled; what a bowed sheet or a lifted
edge would add is fitted to the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from calibration.geometry.plane import Plane
from calibration.tags.edges import side_points
from calibration.tags.model import pattern_of
from card_printables.token import TAG_MODULES, TOKEN_MM, TOKEN_TAG_MM, Piece

RISES_MM = 2.0
"""A token that rises by more does not lie flat; flat ones show up to 1.0, whatever the lens and the
tilt, and what is found is right to half a millimetre (photographed tokens of 2 to 5 mm)."""

_MOST_MM = 15.0
"""Paper of 8 cm that rises by more stands up like a tent; what seems to is of another size."""

_EXPLAINS = 0.45
"""Share of the misfit (root) that a rise must leave at most; noise and lens are explained by no
shape of paper."""

_LEAST_MM = 0.05
"""Misfit of the sides below which nothing is worth explaining."""

TENT_MM = 8
"""Paper that rises by so much or more has sides too bent for its tag to be found (of photographed
tokens of 8 mm, half)."""

_MODULE_PX = TOKEN_TAG_MM / TAG_MODULES
_ABOUT_MM = 90.0
"""How far round its place a token that is not found is looked for: laid by eye it may be 40 mm from
a parallelogram's corner."""
_TURNS_DEG = range(-24, 25, 6)
_LIKE_IT = 0.5
"""Likeness to its print of a token that bows by 8 to 12 mm: 0.6 to 0.85; of cloths and of covered
ones below 0.4, of one under the edge of a card or a hand up to 0.8."""

_CELLS = 4
_CELL_MOVES_PX = 7
_CELL_LIKE_IT = 0.6
"""Likeness of the least alike of 4 by 4 parts of the print, each a few mm from where it should be
(rendered pictures at 1280 px): of bowed tokens 0.73 to 0.79, of ones that something covers in part
0.04 to 0.48."""


_MARGIN_MM = np.linspace(1.5, 4.0, 3)
"""How far beyond the black square its white margin is looked at; it is 10 mm wide."""
_BOWED_MARGIN_MM = np.linspace(1.5, 8.0, 6)
"""The same of a token bowed so far that its edges stand some millimetres off: white somewhere here."""
_MARGIN_ALONG = np.linspace(-0.9, 0.9, 16)
_BOWED_ALONG = np.linspace(-1.0, 1.0, 21)
"""The same of a token bowed so far, up to its corners: a finger hides three of these and more."""
_MARGIN_WHITE = 0.75
"""Of the way from the tag's black to its brightest side's margin: darker than this a side's margin is
covered (skin 0.6; a lamp from one side leaves 0.9 and more)."""


@dataclass(frozen=True, slots=True)
class Rise:
    """The likeliest rise of a token: its greatest height in mm, the sides' misfit (rms mm) if flat,
    and with the rise."""

    height_mm: float
    flat_rms_mm: float
    risen_rms_mm: float

    @property
    def curled(self) -> bool:
        """True when the paper rises by more than `RISES_MM` (but not absurdly), and that explains
        what is seen."""
        worth = self.flat_rms_mm > _LEAST_MM and self.risen_rms_mm < _EXPLAINS * self.flat_rms_mm
        return worth and RISES_MM < self.height_mm < _MOST_MM


def rise_of(grey: np.ndarray, corners_px: np.ndarray, others: Plane) -> Rise | None:
    """How far the token whose tag has these corners (4, 2) px in (H, W) uint8 rises above the plane
    of the `others`.

    None when its sides cannot be followed.
    """
    px = side_points(grey, corners_px)
    if px is None:
        return None
    seen = others.to_mm(px.reshape(-1, 2))
    if not np.isfinite(seen).all():
        return None
    own, turn = _own_frame(seen, others.to_mm(corners_px))
    away = _slant(seen, others) @ turn
    return _best(own.reshape(4, -1, 2), away.reshape(4, -1, 2))


def _own_frame(seen: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The points in the token's own frame (mm from its centre, x as printed), and the turn (2, 2)
    that brings them there."""
    way = corners[1] - corners[0] + corners[2] - corners[3]
    x = way / np.linalg.norm(way)
    turn = np.column_stack([x, [-x[1], x[0]]])
    return (seen - corners.mean(axis=0)) @ turn, turn


def _slant(seen: np.ndarray, plane: Plane) -> np.ndarray:
    """Shift in mm for each mm of height at these places (n, 2): away from the camera's foot."""
    return np.asarray((seen - np.array(plane.eye_mm[:2])) / max(abs(plane.eye_mm[2]), 1.0))


def _best(sides: np.ndarray, away: np.ndarray) -> Rise:
    """The shape of paper that explains the sides (4, n, 2) mm best."""
    normals = np.array([(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)])
    off = (np.einsum("snk,sk->sn", sides, normals) - TOKEN_TAG_MM / 2).ravel()
    n = np.repeat(normals, sides.shape[1], axis=0)
    points = sides.reshape(-1, 2)
    push = (away.reshape(-1, 2) * n).sum(axis=1)
    rigid = np.column_stack(
        [n[:, 0], n[:, 1], n[:, 1] * points[:, 0] - n[:, 0] * points[:, 1], np.ones(len(n))]
    )
    flat = _rms(off, rigid)[1]
    tried = []
    for shape in _shapes(points):
        found, rms = _rms(off, np.column_stack([rigid, shape * push]))
        tried.append((rms, abs(float(found[-1]))))
    risen, height = min(tried)
    return Rise(height, flat, risen)


def _shapes(points: np.ndarray) -> list[np.ndarray]:
    """Heights (greatest 1) of paper at these places of its own frame: bowed along x or y, one of
    four edges lifted."""
    u = points / (TOKEN_MM / 2)
    bowed = [1 - u[:, k] ** 2 for k in (0, 1)]
    lifted = [np.maximum(sign * u[:, k], 0) ** 2 for k in (0, 1) for sign in (1, -1)]
    return bowed + lifted


def _rms(off: np.ndarray, basis: np.ndarray) -> tuple[np.ndarray, float]:
    found = np.linalg.lstsq(basis, off, rcond=None)[0]
    return found, float(np.sqrt(np.mean((off - basis @ found) ** 2)))


def margin_px(corners_px: np.ndarray, bowed: bool = False) -> np.ndarray:
    """Where a token's white margin is to be seen just beyond the sides of its tag with these corners
    (4, 2) px: (4, n, 2) px, from the upper side on, as the print has it."""
    h = TOKEN_TAG_MM / 2
    tag = np.array([(-h, -h), (h, -h), (h, h), (-h, h)], np.float32)
    to_px = cv2.getPerspectiveTransform(tag, np.asarray(corners_px, np.float32))
    along, out = (
        a.ravel()
        for a in np.meshgrid(
            (_BOWED_ALONG if bowed else _MARGIN_ALONG) * h,
            h + (_BOWED_MARGIN_MM if bowed else _MARGIN_MM),
        )
    )
    upper = np.column_stack([along, -out])
    sides = [upper @ np.array([[c, s], [-s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return np.asarray(
        cv2.perspectiveTransform(np.array(sides, np.float32), to_px.astype(np.float32))
    )


def margin_covered(grey: np.ndarray, corners_px: np.ndarray, bowed: bool = False) -> bool:
    """True when something lies over the white margin of a token whose tag has these corners (4, 2) px
    in (H, W) uint8, up to its black or over it: what its sides show then is not paper's edge.
    `bowed`: its black may stand some millimetres off, and white is looked for all along each side."""
    px = margin_px(corners_px, bowed).reshape(-1, 2)
    height, width = grey.shape
    inside = ((px >= 0) & (px <= (width - 1, height - 1))).all(axis=1)
    at = np.clip(px.round().astype(int), 0, (width - 1, height - 1))
    light = np.where(inside, grey[at[:, 1], at[:, 0]], np.nan)
    if np.isnan(light.reshape(4, -1)).all(axis=1).any():
        return True
    if bowed:  # some white at each place along a side, of three places at two
        best = np.nan_to_num(light, nan=0.0).reshape(4, -1, len(_BOWED_ALONG)).max(axis=1)
        sides = np.median(np.lib.stride_tricks.sliding_window_view(best, 3, axis=1), axis=2)
    else:
        sides = np.nanpercentile(light.reshape(4, -1), 25, axis=1)
    left, top = np.maximum(np.floor(corners_px.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(corners_px.max(axis=0)).astype(int)
    black = float(np.percentile(grey[top : bottom + 1, left : right + 1], 5))
    return bool(sides.min() - black < _MARGIN_WHITE * (sides.max() - black))


def pattern_there(grey: np.ndarray, plane: Plane, token: Piece) -> bool:
    """True when this token, whose tag is not found, is seen in (H, W) uint8 near where it should
    lie: bowed, not covered, also not in part."""
    place = plane.tokens_mm.get(token.name)
    if place is None:
        return False
    table = _flattened(grey, plane, place)
    if table is None:
        return False
    print_px = cv2.resize(
        255 - 255 * pattern_of(token.tags[0].id),
        None,
        fx=_MODULE_PX,
        fy=_MODULE_PX,
        interpolation=cv2.INTER_AREA,
    )
    print_px = cv2.copyMakeBorder(
        print_px.astype(np.uint8), 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=255
    )
    side = print_px.shape[0]
    turned = [
        cv2.warpAffine(
            print_px,
            cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), turn, 1.0),
            (side, side),
            borderMode=cv2.BORDER_REPLICATE,
        )
        for turn in _TURNS_DEG
    ]
    likeness = [
        cv2.minMaxLoc(cv2.matchTemplate(table, one, cv2.TM_CCOEFF_NORMED)) for one in turned
    ]
    best = max(range(len(turned)), key=lambda at: likeness[at][1])
    _, like_it, _, corner_px = likeness[best]
    if like_it <= _LIKE_IT or not _whole(table, turned[best], (corner_px[0], corner_px[1])):
        return False
    middle = np.array(corner_px) + (side - 1) / 2
    return not margin_covered(table, middle + _turned_tag(_TURNS_DEG[best]), bowed=True)


def _turned_tag(turn_deg: float) -> np.ndarray:
    """The corners (4, 2) of a tag in its own frame, mm, turned as `cv2.warpAffine` turns a print."""
    h, turn = TOKEN_TAG_MM / 2, np.radians(turn_deg)
    corners = np.array([(-h, -h), (h, -h), (h, h), (-h, h)])
    away = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.asarray(corners @ away)


def _whole(table: np.ndarray, print_px: np.ndarray, corner_px: tuple[int, int]) -> bool:
    """True when every part of the print (n, n) uint8 is seen near its place from `corner_px` (x, y)
    of the table (m, m) uint8: bowed paper moves each part a little, a hand or a card hides some."""
    bounds = np.linspace(0, print_px.shape[0], _CELLS + 1).astype(int)
    for top, bottom in pairwise(bounds):
        for left, right in pairwise(bounds):
            x, y = corner_px[0] + left, corner_px[1] + top
            near = table[
                max(y - _CELL_MOVES_PX, 0) : corner_px[1] + bottom + _CELL_MOVES_PX,
                max(x - _CELL_MOVES_PX, 0) : corner_px[0] + right + _CELL_MOVES_PX,
            ]
            part = print_px[top:bottom, left:right]
            if cv2.matchTemplate(near, part, cv2.TM_CCOEFF_NORMED).max() < _CELL_LIKE_IT:
                return False
    return True


def _flattened(grey: np.ndarray, plane: Plane, place: Sequence[float]) -> np.ndarray | None:
    """The table round a place, (n, n) uint8, a pixel a millimetre; None when most of it is out of
    the picture."""
    steps = np.arange(-_ABOUT_MM, _ABOUT_MM + 1)
    x, y = np.meshgrid(steps + place[0], steps + place[1])
    px = (
        plane.to_px(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2).astype(np.float32)
    )
    inside = (px > 0).all(axis=-1) & (px < np.array(plane.size_px, np.float32)).all(axis=-1)
    if inside.mean() < 0.5:
        return None
    return cv2.remap(grey, px[..., 0], px[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
