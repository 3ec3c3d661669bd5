"""What is wrong with the set-up, by name: a short key and a sentence with what to do.

Knows pictures, tags and planes; must not know the game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import cv2
import numpy as np

from calibration.cameras.grey import grey_of
from calibration.cameras.saturation import SATURATION
from calibration.check.misprints import misprints, side_mm
from calibration.check.picture_problems import (
    blur_where_nothing_is_found,
    glares,
    is_unclear,
    picture_problems,
    sides_unsure,
    soft_by,
    softness,
    too_bright,
    too_dark,
)
from calibration.check.problem import Problem, burnt_out_at, burnt_out_white, hidden, spoken
from calibration.geometry.plane import Plane
from calibration.tags.find import TOKEN_TAGS, SeenTag, find_tags
from calibration.tags.flatness import margin_covered, margin_px
from calibration.tags.illumination import TagLight
from card_printables.marker import SYMBOL_MM
from card_printables.token import PIECES, TOKEN_MM, TOKEN_NAMES, TOKEN_TAG_MM, TOKENS, TRAY, Piece

_OF_WHOLE_TOKENS = ("curled", "wrong-scale", "token-hidden", "token-unread")
"""What is told of a token by where its sides are seen: something that lies over one moves it, a few
pixels on paper that lies flat and has its size. A lamp mirrored on it does the same."""
_BY_SIDES = ("curled", "wrong-scale")
"""What is told of a token by how long its sides are: a smear makes them longer or shorter."""

_DARK_GREY = 50
"""Where no token is found and all but a hundredth of the picture is darker, a light is missing (chosen)."""
_TRAY_BEYOND_SHARE = 0.1
"""Of the tray: as much of it beyond the picture is told (chosen: half a card lies there)."""

_SPECK_PX = 3
"""White spots of fewer pixels across are noise."""
_GLINT_SHARE = 0.001
"""Of a token's paper: a lamp that burns out so much of it may bend its sides. Lamps of 16 mm across
with soft edges made flat tokens look bowed (rendered ones, of which 0.001 to 0.006 was burnt out)."""
_BURNT_SHARE = 0.02
"""Of a token's paper: burnt out so far, light hides its pattern, whatever else does."""
_BURNT_ABOUT = 0.75
"""Half a side, in tokens, of where the light on a token that is not found is looked for: laid by eye
the tokens' places are off by 12 mm each, the fourth corner of three by 24 mm."""


def problems_without_plane(image: np.ndarray) -> list[Problem]:
    """Why no token is seen in (H, W, 3) or (H, W) uint8: mirrored, dark, burnt out, blank, or simply
    not there."""
    if set(find_tags(np.ascontiguousarray(image[:, ::-1]))) & TOKEN_TAGS:
        return [
            Problem(
                "mirrored",
                "The picture is mirrored: switch off mirroring in the camera's own settings.",
            )
        ]
    level, spread = float(np.mean(image)), float(np.std(image))
    if level < 12 or float(np.percentile(image, 99)) < _DARK_GREY:
        return [Problem("dark", "The picture is too dark: uncover the lens or switch on a light.")]
    if float(np.median(image)) >= SATURATION.pixel_grey:
        return [burnt_out_white()]
    if spread < 6:
        return [Problem("blank", "The picture shows nothing at all: is this the right camera?")]
    blur_px = blur_where_nothing_is_found(grey_of(image))
    if blur_px is not None:
        return [soft_by(blur_px)]
    return [
        Problem(
            "no-tokens",
            "No token is found: is this the camera that looks at the table? Choose another, or lay the "
            "four corner tokens flat where it sees them whole.",
        )
    ]


def problems_of(
    image: np.ndarray,
    tags: Mapping[int, np.ndarray],
    every: Sequence[SeenTag],
    lights: Sequence[TagLight],
    plane: Plane,
    codes_px: Sequence[np.ndarray] = (),
    symbol_mm: float = SYMBOL_MM,
) -> list[Problem]:
    """Everything that is wrong with a table seen in (H, W, 3) or (H, W) uint8; `every` tag found,
    two of one id included, and the corners (4, 2) px of cards' codes of `symbol_mm` that were read.

    A picture that is too soft is said to be soft: what would be told of sizes, of bent paper and of
    tokens that are not found has that one cause. So it is of a picture that is burnt out or too dark."""
    grey = grey_of(image)
    doubled = _doubled(every, plane)
    wrong = too_bright(grey, lights, plane, codes_px, symbol_mm) or too_dark(lights)
    if wrong:
        return [*doubled, *_swapped(plane), *wrong]
    if is_unclear(lights, tags):
        return [*doubled, softness(lights), *glares(grey, lights, plane, codes_px)]
    prints = (
        [] if doubled else misprints(image, grey, tags, every, lights, plane, codes_px, symbol_mm)
    )
    cut = {tag.id for tag in every if tag.trimmed}
    burnt = _burnt_shares(grey, tags, lights, plane)
    prints = [
        found for one in prints for found in _of_whole_tokens(one, grey, tags, plane, cut, burnt)
    ]
    if sides_unsure(lights):
        prints = [one for one in prints if one.key not in _BY_SIDES]
    told = {problem.piece for problem in prints if problem.key in _OF_WHOLE_TOKENS}
    missing = [problem for problem in _missing(plane) if problem.piece not in told]
    missing += _tray_beyond(plane)
    return _by_light(doubled + missing + _swapped(plane) + prints, burnt) + picture_problems(
        grey, lights, plane, codes_px
    )


def _doubled(every: Sequence[SeenTag], plane: Plane) -> list[Problem]:
    """Two tags of one id, both about as large as printed: a pattern of the cloth may look like one,
    but not in its size."""
    sizes = {tag.id: tag.size_mm for piece in PIECES for tag in piece.tags}
    ids = [tag.id for tag in every if 0.6 < side_mm(plane, tag.corners_px) / sizes[tag.id] < 1.6]
    if len(set(ids)) == len(ids):
        return []
    return [
        Problem(
            "two-sets", "Two tokens of one kind are in view: take the second set off the table."
        )
    ]


def _of_whole_tokens(
    problem: Problem,
    grey: np.ndarray,
    tags: Mapping[int, np.ndarray],
    plane: Plane,
    cut: Collection[int],
    burnt: Mapping[str, float],
) -> list[Problem]:
    """A token whose white margin is not seen all round is cut off by the picture's edge, or covered,
    and one that is `burnt` out in part (share of its paper) is not seen whole: whether it lies flat,
    and of what size it was printed, cannot be told. Those whose margin was `cut` off (tag ids) are
    measured by their pattern."""
    token = next((one for one in TOKENS if one.name == problem.piece), None)
    if problem.key not in _OF_WHOLE_TOKENS or token is None:
        return [problem]
    corners = tags.get(token.tags[0].id)
    if burnt.get(token.name, 0.0) >= _GLINT_SHARE:
        return [hidden(token.name)]
    if corners is None:
        square = _square_px(plane, token.name, TOKEN_MM / 2)
        beyond = [] if square is None else _sides_beyond(square, plane.size_px)
        return [_outside(side, token.name) for side in beyond] or [problem]
    if token.tags[0].id in cut:
        return [problem]
    if not margin_covered(grey, corners):
        return [problem]
    beyond = _sides_beyond(margin_px(corners).reshape(-1, 2), plane.size_px)
    return [_outside(side, token.name) for side in beyond] or [hidden(token.name)]


def _sides_beyond(px: np.ndarray, size_px: tuple[int, int]) -> list[str]:
    """Sides of the picture beyond which some of these points (n, 2) px lie."""
    (left, top), (right, bottom) = px.min(axis=0), px.max(axis=0)
    beyond = {
        "left": left < 0,
        "right": right > size_px[0] - 1,
        "top": top < 0,
        "bottom": bottom > size_px[1] - 1,
    }
    return [side for side, is_out in beyond.items() if is_out]


def _outside(side: str, name: str) -> Problem:
    return Problem(
        "outside",
        f"The {side} edge of the table is outside the picture ({spoken(name)}): move the camera back or "
        "turn it.",
        side,
    )


def _tray_beyond(plane: Plane) -> list[Problem]:
    """A tray that is partly out of the picture: cards that are laid there are not seen."""
    if plane.tray_mm is None:
        return []
    tl, tr, br, bl = np.array(plane.tray_mm)
    u, v = (g.ravel()[:, None] for g in np.meshgrid(*2 * (np.linspace(0.05, 0.95, 10),)))
    cells = plane.to_px((1 - v) * ((1 - u) * tl + u * tr) + v * ((1 - u) * bl + u * br))
    inside = ((cells >= 0) & (cells < plane.size_px)).all(axis=1)
    if inside.mean() > 1 - _TRAY_BEYOND_SHARE or not np.isfinite(cells).all():
        return []
    counts = {side: int(off.sum()) for side, off in _cells_beyond(cells, plane.size_px).items()}
    return [_outside(max(counts, key=lambda side: counts[side]), TRAY.name)]


def _cells_beyond(px: np.ndarray, size_px: tuple[int, int]) -> dict[str, np.ndarray]:
    """Of points (n, 2) px those beyond each side of the picture, (n,) bool."""
    return {
        "left": px[:, 0] < 0,
        "right": px[:, 0] >= size_px[0],
        "top": px[:, 1] < 0,
        "bottom": px[:, 1] >= size_px[1],
    }


def _missing(plane: Plane) -> list[Problem]:
    """Tokens that are not seen: where the others tell that one's place is out of the picture, that;
    else only that it is not seen."""
    found: list[Problem] = []
    for name in TOKEN_NAMES:
        if name not in plane.seen:
            sides = _out_of_picture(plane, name)
            found += [_outside(side, name) for side in sides] or [hidden(name)]
    return found


def _square_px(plane: Plane, name: str, half_mm: float) -> np.ndarray | None:
    """The corners (4, 2) px of a square about the place where a token that is not seen should lie;
    None when nobody can tell."""
    place = plane.told_place(name)
    if place is None:
        return None
    h = half_mm
    square = np.array([(-h, -h), (h, -h), (h, h), (-h, h)])
    corners = plane.to_px(np.array((place.x_mm, place.y_mm)) + square)
    return corners if np.isfinite(corners).all() else None


def _out_of_picture(plane: Plane, name: str) -> list[str]:
    """Sides of the picture beyond which this token's middle should lie: laid by eye, it would have to
    lie more than half a token from there to be whole in the picture."""
    place = plane.told_place(name)
    if place is None:
        return []
    middle = plane.to_px(np.array((place.x_mm, place.y_mm)))
    return _sides_beyond(middle, plane.size_px) if np.isfinite(middle).all() else []


def _by_light(problems: Sequence[Problem], burnt: Mapping[str, float]) -> list[Problem]:
    """Where one token alone is not wholly seen and its paper is `burnt` out (share), that is said. Of
    several it is said together that they are not seen."""
    unseen = [problem.piece for problem in problems if problem.key == "token-hidden"]
    if len(unseen) != 1 or burnt.get(unseen[0] or "", 0.0) < _BURNT_SHARE:
        return list(problems)
    return [
        burnt_out_at(unseen[0] or "") if problem.key == "token-hidden" else problem
        for problem in problems
    ]


def _burnt_shares(
    grey: np.ndarray,
    tags: Mapping[int, np.ndarray],
    lights: Sequence[TagLight],
    plane: Plane,
) -> dict[str, float]:
    """How much of the paper of each token, as a share of it, is burnt out in (H, W) uint8, for those
    of which it is known where they should lie. None where white paper burns out everywhere."""
    if float(np.median([one.white for one in lights] or [255])) >= SATURATION.white_paper_grey:
        return {}
    spots = cv2.morphologyEx(
        (grey >= SATURATION.pixel_grey).astype(np.uint8),
        cv2.MORPH_OPEN,
        np.ones((_SPECK_PX, _SPECK_PX), np.uint8),
    )
    return {token.name: _burnt_share(spots, tags, plane, token) for token in TOKENS}


def _burnt_share(
    spots: np.ndarray, tags: Mapping[int, np.ndarray], plane: Plane, token: Piece
) -> float:
    corners, reach = tags.get(token.tags[0].id), 1.0
    if corners is not None:
        centre = corners.mean(axis=0)
        about = centre + TOKEN_MM / TOKEN_TAG_MM * (corners - centre)
    else:
        reach = 2 * _BURNT_ABOUT
        about = _square_px(plane, token.name, reach * TOKEN_MM / 2)
    if about is None:
        return 0.0
    square = np.clip(about, -1e5, 1e5).astype(np.float32)
    mask = cv2.fillConvexPoly(np.zeros(spots.shape, np.uint8), square.astype(np.int32), 1)
    area = float(cv2.contourArea(square)) / reach**2
    return float((spots & mask).sum()) / max(area, 1.0)


def _swapped(plane: Plane) -> list[Problem]:
    seen = [plane.tokens_mm[name] for name in TOKEN_NAMES if name in plane.seen]
    if len(seen) < 4:
        return []
    sides = np.roll(seen, -1, axis=0) - np.array(seen)
    turns = [
        a[0] * b[1] - a[1] * b[0] for a, b in zip(sides, np.roll(sides, -1, axis=0), strict=True)
    ]
    if min(turns) > 0:
        return []
    return [
        Problem(
            "swapped",
            "The tokens lie in each other's corners: lay them as their names say, going round.",
        )
    ]
