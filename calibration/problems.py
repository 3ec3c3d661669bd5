"""What is wrong with the set-up, by name: a short key and a sentence with what to do.

Knows pictures, tags and planes; must not know the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.layout import tag_corners_mm
from calibration.moved import on_table
from calibration.plane import Plane, PlaneNotSeen, fit_plane
from calibration.tags import TOKEN_TAGS, SeenTag, find_tags
from card_printables.token import PIECES, TOKEN_NAMES, Piece

CURLED_MM = 0.8
"""Corners of a tag this far from flat (rms): a token bowed by 3 mm; flat ones show 0.05 to 0.3 (benchmark)."""

SCALE_OFF = 0.02
"""Pieces whose sizes disagree by more were not all printed at 100 per cent (or one is shown on a screen)."""


DOUBTFUL_MM = 0.12
"""Misfit below which every piece has its size: photographed sets show 0.02 to 0.1, one token of 97 per cent 0.2."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a stable `key`, a sentence for people, and which piece it is about."""

    key: str
    says: str
    piece: str | None = None

    def told(self) -> dict[str, str | None]:
        """As plain JSON."""
        return {"key": self.key, "says": self.says, "piece": self.piece}


def spoken(piece: str) -> str:
    """A piece's name as people say it."""
    return piece.replace("token-", "").replace("-", " ") + (" token" if piece.startswith("token-") else "")


def problems_without_plane(image: np.ndarray) -> list[Problem]:
    """Why no token is seen in (H, W, 3) or (H, W) uint8: mirrored, dark, blank, or simply not there."""
    if set(find_tags(np.ascontiguousarray(image[:, ::-1]))) & TOKEN_TAGS:
        return [Problem("mirrored", "The picture is mirrored: switch off mirroring in the camera's own settings.")]
    level, spread = float(np.mean(image)), float(np.std(image))
    if level < 12:
        return [Problem("dark", "The picture is black: uncover the lens or switch on a light.")]
    if spread < 6:
        return [Problem("blank", "The picture shows nothing at all: is this the right camera?")]
    return [Problem("no-tokens", "No token is in view: lay the four corner tokens flat where the camera sees them, "
                                 "or choose the camera that looks at the table.")]


def problems_of(tags: Mapping[int, np.ndarray], every: Sequence[SeenTag], plane: Plane) -> list[Problem]:
    """Everything that is wrong with a table that was seen; `every` tag found, two of one id included."""
    misfits = _sizes(tags, plane) or _curled(tags, plane)
    return _doubled(every) + _missing(plane) + _swapped(plane) + misfits + _outside(plane)


def _doubled(every: Sequence[SeenTag]) -> list[Problem]:
    ids = [tag.id for tag in every]
    if len(set(ids)) == len(ids):
        return []
    return [Problem("two-sets", "Two tokens of one kind are in view: take the second set off the table.")]


def _missing(plane: Plane) -> list[Problem]:
    hidden = [name for name in TOKEN_NAMES if name not in plane.seen]
    return [Problem("token-hidden", f"The {spoken(name)} is not seen: uncover it, or move the camera back a little.", name)
            for name in hidden]


def _swapped(plane: Plane) -> list[Problem]:
    seen = [plane.tokens_mm[name] for name in TOKEN_NAMES if name in plane.seen]
    if len(seen) < 4:
        return []
    sides = np.roll(seen, -1, axis=0) - np.array(seen)
    turns = [a[0] * b[1] - a[1] * b[0] for a, b in zip(sides, np.roll(sides, -1, axis=0), strict=True)]
    if min(turns) > 0:
        return []
    return [Problem("swapped", "The tokens lie in each other's corners: lay them as their names say, going round.")]


def _sizes(tags: Mapping[int, np.ndarray], plane: Plane) -> list[Problem]:
    """The piece that has not its printed size: left out, the others fit much better, and on their plane it is too small
    or too large.  (All together fit a little of everything: the perspective bends to it.)"""
    if len(plane.seen) < 3 or plane.rms_mm < DOUBTFUL_MM:
        return []
    tried = [(_without(tags, plane, piece), piece) for piece in PIECES if piece.name in plane.seen]
    fits = [(rest, piece) for rest, piece in tried if rest is not None]
    if not fits:
        return []
    rest, piece = min(fits, key=lambda fit: fit[0].rms_mm)
    ratio = float(np.median([_side_mm(rest, tags[t.id]) / t.size_mm for t in piece.tags if t.id in tags]))
    if abs(ratio - 1) < SCALE_OFF or rest.rms_mm > 0.7 * plane.rms_mm:
        return []
    return [Problem("wrong-scale", f"The {spoken(piece.name)} has not the printed size of the others ({100 * ratio:.0f} %): "
                                   "print all at 100 %, and do not show one on a screen.", piece.name)]


def _without(tags: Mapping[int, np.ndarray], plane: Plane, piece: Piece) -> Plane | None:
    own = {tag.id for tag in piece.tags}
    try:
        return fit_plane({i: c for i, c in tags.items() if i not in own}, plane.size_px)
    except PlaneNotSeen:
        return None


def _side_mm(plane: Plane, corners_px: np.ndarray) -> float:
    corners = plane.to_mm(corners_px)
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())


def _curled(tags: Mapping[int, np.ndarray], plane: Plane) -> list[Problem]:
    found = []
    for piece in PIECES:
        mine = [tag for tag in piece.tags if tag.id in tags]
        if not mine or piece.name not in plane.places:
            continue
        expected = [on_table(tag_corners_mm(t.centre_mm, t.size_mm), plane.places[piece.name]) for t in mine]
        seen = plane.to_mm(np.concatenate([tags[t.id] for t in mine]))
        off = float(np.sqrt(((np.concatenate(expected) - seen) ** 2).sum(axis=1).mean()))
        if off > CURLED_MM:
            says = f"The {spoken(piece.name)} does not lie flat: lay a book on it for a while."
            found.append(Problem("curled", says, piece.name))
    return found


def _outside(plane: Plane) -> list[Problem]:
    """Sides of the middle that the picture cuts."""
    if not plane.middle_from_tokens:
        return []
    corners = plane.to_px(np.array([plane.tokens_mm[name] for name in TOKEN_NAMES]))
    w, h = plane.size_px
    cut = {"left": corners[:, 0].min() < 0, "right": corners[:, 0].max() > w - 1,
           "top": corners[:, 1].min() < 0, "bottom": corners[:, 1].max() > h - 1}
    return [Problem("outside", f"The {side} edge of the table is outside the picture: move the camera back or turn it.", side)
            for side, is_cut in cut.items() if is_cut]


def grey_of(image: np.ndarray) -> np.ndarray:
    """(H, W) uint8 of a colour or grey picture."""
    return image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


