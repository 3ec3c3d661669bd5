"""What is wrong with the set-up, by name: a short key and a sentence with what to do.

Knows pictures, tags and planes; must not know the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from calibration.flatness import rise_of
from calibration.light import Light
from calibration.plane import Plane, PlaneNotSeen, fit_plane
from calibration.problem import Problem, spoken
from calibration.seeing import BURNT, picture_problems
from calibration.tags import TOKEN_TAGS, SeenTag, find_tags
from card_printables.token import PIECES, TOKEN_MM, TOKEN_NAMES, TOKENS, Piece

SCALE_OFF = 0.02
"""Pieces whose sizes disagree by more were not all printed at 100 per cent (or one is shown on a screen)."""


SCREEN_SCALE = 0.12
"""Further from its printed size than "fit to page" makes it (3 to 6 per cent): it is shown on a screen, or enlarged."""
SCREEN_LIGHT = 1.6
"""Times the light of the other tokens' paper: a screen shines.  A leaning room lamp gives up to 1.3."""

ODD_FOCAL_MM = 0.2
"""Three pieces that agree only through a strange lens agree less: so much for a focal length e times what webcams have."""

DOUBTFUL_MM = 0.12
"""Misfit below which every piece has its size: photographed sets show 0.02 to 0.1, one token of 97 per cent 0.2."""


def problems_without_plane(image: np.ndarray) -> list[Problem]:
    """Why no token is seen in (H, W, 3) or (H, W) uint8: mirrored, dark, blank, or simply not there."""
    if set(find_tags(np.ascontiguousarray(image[:, ::-1]))) & TOKEN_TAGS:
        return [Problem("mirrored", "The picture is mirrored: switch off mirroring in the camera's own settings.")]
    level, spread = float(np.mean(image)), float(np.std(image))
    if level < 12:
        return [Problem("dark", "The picture is black: uncover the lens or switch on a light.")]
    if spread < 6:
        return [Problem("blank", "The picture shows nothing at all: is this the right camera?")]
    return [Problem("no-tokens", "No token is in view: is this the camera that looks at the table? Choose another, or lay the "
                                 "four corner tokens flat where it sees them.")]


def problems_of(grey: np.ndarray, tags: Mapping[int, np.ndarray], every: Sequence[SeenTag], lights: Sequence[Light],
                plane: Plane) -> list[Problem]:
    """Everything that is wrong with a table seen in (H, W) uint8; `every` tag found, two of one id included."""
    misfits = _screens(lights, tags) or _misfit(grey, tags, plane)
    return _doubled(every, plane) + _missing(grey, plane) + _swapped(plane) + misfits + picture_problems(grey, lights, plane)


def _doubled(every: Sequence[SeenTag], plane: Plane) -> list[Problem]:
    """Two tags of one id, both about as large as printed: a pattern of the cloth may look like one, but not in its size."""
    sizes = {tag.id: tag.size_mm for piece in PIECES for tag in piece.tags}
    ids = [tag.id for tag in every if 0.6 < _side_mm(plane, tag.corners_px) / sizes[tag.id] < 1.6]
    if len(set(ids)) == len(ids):
        return []
    return [Problem("two-sets", "Two tokens of one kind are in view: take the second set off the table.")]


def _missing(grey: np.ndarray, plane: Plane) -> list[Problem]:
    """Tokens that are not seen, with the reason that the picture gives: out of it, glared over, or just covered."""
    found: list[Problem] = []
    for name in TOKEN_NAMES:
        if name in plane.seen:
            continue
        sides = _cut(plane, name)
        if sides:
            found += [Problem("outside", f"The {side} edge of the table is outside the picture ({spoken(name)}): move the "
                                         "camera back or turn it.", side) for side in sides]
        elif _burnt(grey, plane, name):
            found.append(Problem("glare", f"Lamp glare on the {spoken(name)}: turn the lamp away or tilt the camera a little.",
                                 params={"where": spoken(name).replace(" token", "")}))
        else:
            says = f"The {spoken(name)} is not seen: uncover it, or move the camera back a little."
            found.append(Problem("token-hidden", says, name))
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
    out = {"left": x < reach[0], "right": x > w - 1 - reach[0], "top": y < reach[1], "bottom": y > h - 1 - reach[1]}
    return [side for side, is_out in out.items() if is_out]


def _burnt(grey: np.ndarray, plane: Plane, name: str) -> bool:
    corners = _token_px(plane, name)
    if corners is None:
        return False
    mask = cv2.fillConvexPoly(np.zeros(grey.shape, np.uint8), corners.astype(np.int32), 1).astype(bool)
    return bool(mask.any() and (grey[mask] >= BURNT).mean() > 0.3)


def _swapped(plane: Plane) -> list[Problem]:
    seen = [plane.tokens_mm[name] for name in TOKEN_NAMES if name in plane.seen]
    if len(seen) < 4:
        return []
    sides = np.roll(seen, -1, axis=0) - np.array(seen)
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(sides, np.roll(sides, -1, axis=0), strict=True)]
    if min(turns) > 0:
        return []
    return [Problem("swapped", "The tokens lie in each other's corners: lay them as their names say, going round.")]


def _misfit(grey: np.ndarray, tags: Mapping[int, np.ndarray], plane: Plane) -> list[Problem]:
    """The piece that does not fit the others: not flat, or not of its printed size.

    Where the pieces disagree, the odd one is that without which the rest agree best (it bends the plane under all of them,
    so that others may look odd); where they agree, only paper that bows without moving its corners is left to be found."""
    if len(plane.seen) < 3:
        return []
    rests = [(piece, rest) for piece in PIECES if piece.name in plane.seen and (rest := _without(tags, plane, piece)) is not None]
    if plane.rms_mm < DOUBTFUL_MM or not rests:
        return _curled(grey, tags, rests)
    odd = min(rests, key=lambda one: one[1].rms_mm + ODD_FOCAL_MM * abs(np.log(one[1].focal_px / (0.75 * max(plane.size_px)))))
    return _curled(grey, tags, [odd]) or _size(tags, plane, *odd)


def _size(tags: Mapping[int, np.ndarray], plane: Plane, piece: Piece, rest: Plane) -> list[Problem]:
    """This piece, left out, makes the others fit much better, and on their plane it is too small or too large."""
    ratio = float(np.median([_side_mm(rest, tags[t.id]) / t.size_mm for t in piece.tags if t.id in tags]))
    if abs(ratio - 1) < SCALE_OFF or rest.rms_mm > 0.7 * plane.rms_mm:
        return []
    if abs(ratio - 1) > SCREEN_SCALE:
        return [_on_a_screen(piece.name, ratio)]
    return [Problem("wrong-scale", f"The {spoken(piece.name)} has not the printed size of the others ({100 * ratio:.0f} %): "
                                   "print all at 100 %, not fitted to the page.", piece.name, {"percent": round(100 * ratio)})]


def _on_a_screen(piece: str, ratio: float) -> Problem:
    return Problem("screen", f"The {spoken(piece)} is shown on a screen or enlarged ({100 * ratio:.0f} % of its size): lay a "
                             "printed one.", piece, {"percent": round(100 * ratio)})


def _screens(lights: Sequence[Light], tags: Mapping[int, np.ndarray]) -> list[Problem]:
    """A token that shines: its white has far more light than every other's."""
    names = {t.tags[0].id: t.name for t in TOKENS}
    glow = [(one.white / 255) ** 2.2 for one in lights]
    if len(glow) < 3:
        return []
    order = np.argsort(glow)
    if glow[order[-1]] < SCREEN_LIGHT * glow[order[-2]]:
        return []
    at = np.array(lights[int(order[-1])].at_px)
    nearest = min((i for i in tags if i in names), key=lambda i: float(np.linalg.norm(tags[i].mean(axis=0) - at)), default=None)
    if nearest is None or np.linalg.norm(tags[nearest].mean(axis=0) - at) > 3:
        return []
    return [Problem("screen", f"The {spoken(names[nearest])} shines as a screen does: lay a printed one.", names[nearest],
                    {"percent": 100})]


def _without(tags: Mapping[int, np.ndarray], plane: Plane, piece: Piece) -> Plane | None:
    own = {tag.id for tag in piece.tags}
    try:
        return fit_plane({i: c for i, c in tags.items() if i not in own}, plane.size_px)
    except PlaneNotSeen:
        return None


def _side_mm(plane: Plane, corners_px: np.ndarray) -> float:
    corners = plane.to_mm(corners_px)
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())


def _curled(grey: np.ndarray, tags: Mapping[int, np.ndarray], rests: Sequence[tuple[Piece, Plane]]) -> list[Problem]:
    """Of these tokens the one that rises most, if one does not lie flat."""
    rises = [(rise.height_mm, piece) for piece, rest in rests if piece in TOKENS
             and (rise := rise_of(grey, tags[piece.tags[0].id], rest)) is not None and rise.curled]
    if not rises:
        return []
    height, piece = max(rises, key=lambda one: one[0])
    says = f"The {spoken(piece.name)} does not lie flat (it rises by about {height:.0f} mm): lay a book on it for a while."
    return [Problem("curled", says, piece.name, {"mm": round(height)})]


def grey_of(image: np.ndarray) -> np.ndarray:
    """(H, W) uint8 of a colour or grey picture."""
    return image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
