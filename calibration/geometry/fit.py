"""From one look at the tokens to the plane: camera, lens and the pieces' places, found together.

Knows tags' corners in one picture; must not know how they were found, nor cards' meaning. One look
is enough: the tokens are squares of known printed size, laid by eye at unknown places and turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.geometry.layout import bodies_of, in_table_frame
from calibration.geometry.middle import middle_of
from calibration.geometry.optics import Optics
from calibration.geometry.piece_match import unmoved_pieces
from calibration.geometry.place import PiecePlace
from calibration.geometry.plane import Plane
from calibration.geometry.solve import Body, Solution, solve

_WORST_RMS_MM = 15.0
"""A misfit that no curled or wrongly printed piece makes (6 per cent off in scale gives 1 mm):
these are no tags of one table."""


def fit_plane(
    tags: Mapping[int, np.ndarray], size_px: tuple[int, int], previous: Plane | None = None
) -> Plane:
    """The plane from one look: `tags` maps tag id to corners (4, 2) px as `find_tags` gives,
    `size_px` is (width, height).

    With `previous` (same camera, same table) hidden pieces keep their remembered places, the frame
    stays the same even if a token was moved, and the lens is only refined. Without it, one hidden
    token is put where it makes a parallelogram; with fewer the frame is laid as well as can be told
    (see `layout.in_table_frame`).

    Raises:
        PlaneNotSeen: no tag of the set is in `tags`, or they cannot lie on one table; the message
        says what to do.
    """
    if previous is not None and previous.size_px != tuple(size_px):
        previous = None
    tags = {i: c for i, c in tags.items() if _is_square(np.asarray(c, float).reshape(4, 2))} or tags
    remembered = _remembered(tags, previous)
    names, bodies = bodies_of(tags, remembered)
    if not bodies:
        raise PlaneNotSeen(
            "No token is found: lay the four corner tokens flat where the camera sees them."
        )
    solution = _solved(bodies, size_px, previous.optics if previous else None)
    layout = in_table_frame(
        names, solution, previous.places if previous and remembered else None, size_px
    )
    return _plane(
        size_px, layout.solution_matrix, solution, layout.eye_mm, layout.places, frozenset(names)
    )


def plane_from_markers(
    corners_px: Sequence[np.ndarray], symbol_mm: float, size_px: tuple[int, int]
) -> Plane:
    """The plane of a table without tokens, from the cards' own square markers of known size.

    `corners_px` holds one (4, 2) array a marker in the printed order. The frame's origin is what
    the picture's centre shows, x runs to the right of the picture, and the middle is the whole
    view. The more markers, the truer.

    Raises:
        PlaneNotSeen: no marker is given, or they cannot lie on one table.
    """
    if not len(corners_px):
        raise PlaneNotSeen(
            "Neither tokens nor cards are in view: lay the corner tokens or some cards on the table."
        )
    h = symbol_mm / 2
    square = np.array([(-h, -h), (h, -h), (h, h), (-h, h)])
    bodies = [Body(square, np.asarray(corners, float).reshape(4, 2)) for corners in corners_px]
    solution = _solved(bodies, size_px, None)
    layout = in_table_frame([""] * len(bodies), solution, None, size_px)
    return _plane(size_px, layout.solution_matrix, solution, layout.eye_mm, {}, frozenset())


def plane_of_bodies(bodies: Sequence[Body], size_px: tuple[int, int]) -> tuple[Plane, np.ndarray]:
    """The plane on which printed bodies of known size lie, in the frame of the body whose place is
    known; and the residuals (n, 4): x, y, dx, dy px.

    Raises:
        PlaneNotSeen: the bodies cannot lie on one table.
    """
    solution = _solved(list(bodies), size_px, None)
    plane = _plane(size_px, solution.matrix, solution, solution.eye_mm, {}, frozenset())
    return plane, np.column_stack([solution.points_px, -solution.residuals_px])


def _solved(bodies: list[Body], size_px: tuple[int, int], optics: Optics | None) -> Solution:
    try:
        with np.errstate(all="ignore"):
            solution = (
                solve(bodies, size_px, optics)
                if all(_is_square(body.points_px) for body in bodies)
                else None
            )
    except (np.linalg.LinAlgError, ArithmeticError):
        solution = None
    if solution is None or not np.isfinite(solution.matrix).all() or not np.isfinite(solution.cost):
        raise PlaneNotSeen(
            "The tokens in view cannot lie on one table: lay them flat, each piece only once."
        )
    return solution


def _is_square(points_px: np.ndarray) -> bool:
    """True when the body's first four points go round as a tag's corners do, clockwise, and are not
    all one point."""
    sides = np.roll(points_px[:4], -1, axis=0) - points_px[:4]
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    return bool(np.isfinite(points_px).all() and (turns > 1.0).all())


def _remembered(tags: Mapping[int, np.ndarray], previous: Plane | None) -> dict[str, PiecePlace]:
    """The places of `previous` that still hold: pieces that were moved since are left out."""
    if previous is None:
        return {}
    return {name: previous.places[name] for name in unmoved_pieces(tags, previous)}


def _plane(
    size_px: tuple[int, int],
    matrix: np.ndarray,
    solution: Solution,
    eye: tuple[float, float, float],
    places: dict[str, PiecePlace],
    seen: frozenset[str],
) -> Plane:
    width, height = size_px
    optics = solution.optics
    bare = Plane(
        width, height, matrix, optics.lens, optics.bend, optics.centre_px, optics.focal_px, eye, 0.0
    )
    rms_mm = _rms_mm(solution, bare)
    if not rms_mm < _WORST_RMS_MM:
        raise PlaneNotSeen(
            "The tokens in view cannot lie on one table: lay them flat, each piece only once."
        )
    middle, from_tokens = middle_of(places, bare)
    return replace(
        bare,
        rms_mm=rms_mm,
        places=places,
        seen=seen,
        middle_mm=middle,
        middle_from_tokens=from_tokens,
    )


def _rms_mm(solution: Solution, plane: Plane) -> float:
    """Misfit of the well-seen corners on the table, each turned into mm by the scale where it lies."""
    seen = solution.points_px + solution.residuals_px
    off = (plane.to_mm(solution.points_px) - plane.to_mm(seen))[solution.clear]
    return float(np.sqrt(np.nanmean((off**2).sum(axis=1))))
