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
    soft_by,
    softness,
)
from calibration.check.problem import Problem, hidden, spoken
from calibration.geometry.plane import Plane
from calibration.tags.find import TOKEN_TAGS, SeenTag, find_tags
from calibration.tags.flatness import margin_covered, margin_px
from calibration.tags.illumination import TagLight
from card_printables.marker import SYMBOL_MM
from card_printables.token import PIECES, TOKEN_MM, TOKEN_NAMES, TOKENS

_OF_WHOLE_TOKENS = ("curled", "wrong-scale", "token-hidden")
"""What is told of a token by where its sides are seen: something that lies over one moves it, a few
pixels on paper that lies flat and has its size."""


def problems_without_plane(image: np.ndarray) -> list[Problem]:
    """Why no token is seen in (H, W, 3) or (H, W) uint8: mirrored, dark, blank, or simply not
    there."""
    if set(find_tags(np.ascontiguousarray(image[:, ::-1]))) & TOKEN_TAGS:
        return [
            Problem(
                "mirrored",
                "The picture is mirrored: switch off mirroring in the camera's own settings.",
            )
        ]
    level, spread = float(np.mean(image)), float(np.std(image))
    if level < 12:
        return [Problem("dark", "The picture is black: uncover the lens or switch on a light.")]
    if spread < 6:
        return [Problem("blank", "The picture shows nothing at all: is this the right camera?")]
    blur_px = blur_where_nothing_is_found(grey_of(image))
    if blur_px is not None:
        return [soft_by(blur_px)]
    return [
        Problem(
            "no-tokens",
            "No token is in view: is this the camera that looks at the table? Choose another, or lay the "
            "four corner tokens flat where it sees them.",
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
    tokens that are not found has that one cause."""
    grey = grey_of(image)
    doubled = _doubled(every, plane)
    if is_unclear(lights, tags):
        return [*doubled, softness(lights), *glares(grey, lights, plane, codes_px)]
    prints = (
        [] if doubled else misprints(image, grey, tags, every, lights, plane, codes_px, symbol_mm)
    )
    cut = {tag.id for tag in every if tag.trimmed}
    prints = [found for one in prints for found in _of_whole_tokens(one, grey, tags, plane, cut)]
    curled = {problem.piece for problem in prints if problem.key == "curled"}
    missing = [
        problem
        for problem in _missing(grey, plane)
        if problem.key != "token-hidden" or problem.piece not in curled
    ]
    return (
        doubled
        + missing
        + _swapped(plane)
        + prints
        + picture_problems(grey, lights, plane, codes_px)
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
) -> list[Problem]:
    """A token whose white margin is not seen all round is cut off by the picture's edge, or covered:
    whether it lies flat, and of what size it was printed, cannot be told. Those whose margin was `cut`
    off (tag ids) are measured by their pattern."""
    token = next((one for one in TOKENS if one.name == problem.piece), None)
    corners = tags.get(token.tags[0].id) if token is not None else None
    if problem.key not in _OF_WHOLE_TOKENS or token is None or corners is None:
        return [problem]
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


def _missing(grey: np.ndarray, plane: Plane) -> list[Problem]:
    """Tokens that are not seen, with the reason that the picture gives: out of it, glared over, or
    just covered."""
    found: list[Problem] = []
    for name in TOKEN_NAMES:
        if name in plane.seen:
            continue
        sides = _cut(plane, name)
        if sides:
            found += [_outside(side, name) for side in sides]
        elif _burnt(grey, plane, name):
            found.append(
                Problem(
                    "glare",
                    f"Lamp glare on the {spoken(name)}: turn the lamp away or tilt the camera a little.",
                    params={"where": spoken(name).replace(" token", "")},
                )
            )
        else:
            found.append(hidden(name))
    return list({(p.key, p.piece): p for p in found}.values())


def _token_px(plane: Plane, name: str) -> np.ndarray | None:
    """The corners (4, 2) px where a token that is not seen should be; None when nobody can tell."""
    place = plane.tokens_mm.get(name)
    if place is None:
        return None
    h = TOKEN_MM / 2
    corners = plane.to_px(np.array(place) + np.array([(-h, -h), (h, -h), (h, h), (-h, h)]))
    return corners if np.isfinite(corners).all() else None


def _cut(plane: Plane, name: str) -> list[str]:
    """Sides of the picture beyond which (a good part of) this token should lie."""
    corners = _token_px(plane, name)
    if corners is None:
        return []
    (w, h), (x, y) = plane.size_px, corners.mean(axis=0)
    reach = 0.25 * np.ptp(corners, axis=0)
    out = {
        "left": x < reach[0],
        "right": x > w - 1 - reach[0],
        "top": y < reach[1],
        "bottom": y > h - 1 - reach[1],
    }
    return [side for side, is_out in out.items() if is_out]


def _burnt(grey: np.ndarray, plane: Plane, name: str) -> bool:
    corners = _token_px(plane, name)
    if corners is None:
        return False
    mask = cv2.fillConvexPoly(np.zeros(grey.shape, np.uint8), corners.astype(np.int32), 1).astype(
        bool
    )
    return bool(mask.any() and (grey[mask] >= SATURATION.pixel_grey).mean() > 0.3)


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
