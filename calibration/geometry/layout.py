"""Where the pieces lie in the table frame: from solved places to origin, axes and hidden tokens.

Knows the pieces of the table set and the frame stated in card_printables.token; must not know
pixels beyond tag corners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.geometry.place import PiecePlace, tag_corners_mm
from calibration.geometry.solve import Body, Solution
from card_printables.token import PIECES, TOKEN_NAMES

_PLACE_SIGMA = (0.4, 0.4, 0.004)
"""How well a remembered place holds (x mm, y mm, turn rad): 0.4 mm and a quarter degree, the error
of one look."""

CLEAR_SIDE_PX = 24.0
"""Tags with shorter sides are not fitted with their whole pattern (`tags.fit`): their sides are up
to 5 per cent off, a pixel."""

_SMALL_TAG_NOISE = 12.0
"""So many times as noisy as well-seen corners are those of shorter tags: weighed like the others, a
tray 18 px large bent the table under the tokens by 2 mm."""

_GUESSED_RATIO = 1.4
"""Width over depth of a middle of which only one side is known: what a table in a 16:9 view offers.
"""


@dataclass(frozen=True, slots=True)
class Layout:
    """A solution told in the table frame."""

    solution_matrix: np.ndarray
    eye_mm: tuple[float, float, float]
    places: dict[str, PiecePlace]


def bodies_of(
    tags: Mapping[int, np.ndarray], remembered: Mapping[str, PiecePlace]
) -> tuple[list[str], list[Body]]:
    """The pieces whose tags are in view, names and bodies; each with its remembered place if it has
    one."""
    names, bodies = [], []
    for piece in PIECES:
        ids = [tag for tag in piece.tags if tag.id in tags]
        if not ids:
            continue
        points_mm = np.concatenate([tag_corners_mm(tag.centre_mm, tag.size_mm) for tag in ids])
        points_px = np.concatenate([np.asarray(tags[tag.id], float).reshape(4, 2) for tag in ids])
        place = remembered.get(piece.name)
        known = (
            (place.x_mm, place.y_mm, float(np.radians(place.turn_deg)))
            if place
            else (0.0, 0.0, 0.0)
        )
        names.append(piece.name)
        bodies.append(
            Body(points_mm, points_px, known, _PLACE_SIGMA if place else None, _noise(points_px))
        )
    return names, bodies


def _noise(points_px: np.ndarray) -> float:
    """How many times as noisy the corners (4 n, 2) px of a piece's tags are: small ones bloom, and
    cannot be freed of that."""
    squares = points_px.reshape(-1, 4, 2)
    sides = np.linalg.norm(np.roll(squares, -1, axis=1) - squares, axis=2).mean(axis=1)
    return 1.0 if sides.min() >= CLEAR_SIDE_PX else _SMALL_TAG_NOISE


def in_table_frame(
    names: Sequence[str],
    solution: Solution,
    before: Mapping[str, PiecePlace] | None,
    size_px: tuple[int, int],
) -> Layout:
    """The solution in the table frame.

    With places from before, the frame is theirs already. Else: origin at the top-left token and x
    towards the top-right one, a single hidden token inferred as a parallelogram's corner. Two
    tokens: the rectangle they allow, its axes from their own turns. Fewer: the axis nearest to the
    picture's, origin at the piece (a token) or at what the picture's centre shows.
    """
    places = dict(zip(names, solution.places, strict=True)) if any(names) else {}
    if before:
        return Layout(
            solution.matrix,
            solution.eye_mm,
            dict(before) | {name: _named(p) for name, p in places.items()},
        )
    tokens = {name: np.array(p[:2]) for name, p in places.items() if name in TOKEN_NAMES}
    inferred = _inferred(tokens, [p[2] for n, p in places.items() if n in TOKEN_NAMES])
    origin, turn = _frame(tokens | inferred, solution, size_px, [p[2] for p in solution.places])
    return _told(solution, places, inferred, origin, turn)


def _told(
    solution: Solution,
    places: Mapping[str, tuple[float, float, float]],
    inferred: Mapping[str, np.ndarray],
    origin: np.ndarray,
    turn: float,
) -> Layout:
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    spin = np.array([[cos, -sin], [sin, cos]])
    shift = np.eye(3)
    shift[:2, :2], shift[:2, 2] = spin, origin
    moved = {
        name: _named((*((np.array(p[:2]) - origin) @ spin), p[2] - turn))
        for name, p in places.items()
    }
    for name, centre in inferred.items():
        x, y = (centre - origin) @ spin
        moved[name] = PiecePlace(float(x), float(y), 0.0, inferred=True)
    x, y = (np.array(solution.eye_mm[:2]) - origin) @ spin
    return Layout(solution.matrix @ shift, (float(x), float(y), solution.eye_mm[2]), moved)


def _named(place: Sequence[float]) -> PiecePlace:
    turn = (float(np.degrees(place[2])) + 180) % 360 - 180
    return PiecePlace(float(place[0]), float(place[1]), turn)


def _inferred(tokens: Mapping[str, np.ndarray], turns: Sequence[float]) -> dict[str, np.ndarray]:
    """Centres of tokens that were not seen, where that can be told: one of four, or two of four
    with a guess."""
    hidden = [name for name in TOKEN_NAMES if name not in tokens]
    if len(hidden) == 1:
        i = TOKEN_NAMES.index(hidden[0])
        before, after, across = (tokens[TOKEN_NAMES[(i + k) % 4]] for k in (3, 1, 2))
        return {hidden[0]: before + after - across}
    if len(hidden) != 2:
        return {}
    i, j = (k for k, name in enumerate(TOKEN_NAMES) if name in tokens)
    a, b = tokens[TOKEN_NAMES[i]], tokens[TOKEN_NAMES[j]]
    if j - i == 2:
        return _diagonal(i, a, b, turns)
    return _side(i, j, a, b)


def _diagonal(
    i: int, a: np.ndarray, b: np.ndarray, turns: Sequence[float]
) -> dict[str, np.ndarray]:
    """Two opposite tokens: the rectangle along their own turns (of the two axes, the one that makes
    i's corner fit)."""
    axis = _common_axis(turns)
    way = b - a
    for quarter in range(4):
        x = np.array([np.cos(axis + quarter * np.pi / 2), np.sin(axis + quarter * np.pi / 2)])
        y = np.array([-x[1], x[0]])
        if way @ y > 0 and (way @ x > 0) == (i == 0):
            corner = a + (way @ x) * x
            return {
                TOKEN_NAMES[(i + 1) % 4]: corner if i == 0 else b - (way @ x) * x,
                TOKEN_NAMES[(i + 3) % 4]: b - (way @ x) * x if i == 0 else corner,
            }
    return {}


def _side(i: int, j: int, a: np.ndarray, b: np.ndarray) -> dict[str, np.ndarray]:
    """Two neighbours: the other two at a right angle, as far away as tables usually allow."""
    first, second = (i, j) if j == i + 1 else (j, i)
    start, end = (a, b) if j == i + 1 else (b, a)
    way = end - start
    inward = np.array([-way[1], way[0]])
    inward *= (1 / _GUESSED_RATIO) if first in (0, 2) else _GUESSED_RATIO
    return {
        TOKEN_NAMES[(second + 1) % 4]: end + inward,
        TOKEN_NAMES[(first + 3) % 4]: start + inward,
    }


def _common_axis(turns: Sequence[float]) -> float:
    """The direction, up to quarter turns, that the pieces' own edges share."""
    return float(np.angle(np.exp(4j * np.asarray(turns)).sum()) / 4)


def _frame(
    tokens: Mapping[str, np.ndarray],
    solution: Solution,
    size_px: tuple[int, int],
    turns: Sequence[float],
) -> tuple[np.ndarray, float]:
    """Origin and direction of x in the solution's plane."""
    if TOKEN_NAMES[0] in tokens and TOKEN_NAMES[1] in tokens:
        way = tokens[TOKEN_NAMES[1]] - tokens[TOKEN_NAMES[0]]
        return tokens[TOKEN_NAMES[0]], float(np.arctan2(way[1], way[0]))
    axis = _common_axis(turns) if tokens or len(turns) == 1 else 0.0
    centre = next(iter(tokens.values())) if tokens else _seen_at_centre(solution, size_px)
    return centre, _rightmost(axis, centre, solution) if tokens or len(turns) == 1 else _rightwards(
        centre, solution
    )


def _seen_at_centre(solution: Solution, size_px: tuple[int, int]) -> np.ndarray:
    middle = np.array([(size_px[0] - 1) / 2, (size_px[1] - 1) / 2]) - np.asarray(
        solution.optics.centre_px
    )
    point = np.linalg.inv(solution.matrix) @ np.array([*middle, 1.0])
    return np.asarray(point[:2] / point[2])


def _rightmost(axis: float, centre: np.ndarray, solution: Solution) -> float:
    """Of the four quarter turns of an axis, the one that runs most to the right of the picture."""
    turn = _rightwards(centre, solution)
    return axis + round((turn - axis) / (np.pi / 2)) * np.pi / 2


def _rightwards(centre: np.ndarray, solution: Solution) -> float:
    """The direction in the plane that runs straight to the right of the picture."""
    points = (
        np.column_stack([centre + np.array([[0, 0], [1, 0], [0, 1]]), np.ones(3)])
        @ solution.matrix.T
    )
    px = points[:, :2] / points[:, 2:]
    slopes = np.column_stack([px[1] - px[0], px[2] - px[0]])
    way = np.linalg.solve(slopes, np.array([1.0, 0.0]))
    return float(np.arctan2(way[1], way[0]))
