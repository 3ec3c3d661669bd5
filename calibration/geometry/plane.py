"""The table plane: pixels <-> millimetres of the table frame, with one lens number.

Knows the table frame (stated in card_printables.token) and how one camera sees it; must not know
cards' meaning.

One look at the tokens is enough: they are squares of known printed size, laid by eye at unknown
places and turns. `fit_plane` finds the camera and all of their places together. Pixel (0, 0) is the
centre of the top-left pixel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.geometry.layout import (
    Place,
    Point,
    Polygon,
    bodies_of,
    middle_of,
    settled,
    tray_of,
)
from calibration.geometry.optics import Optics, distort, undistort
from calibration.geometry.solve import Body, Solution, solve
from card_printables.token import TOKEN_NAMES

__all__ = [
    "Place",
    "Plane",
    "PlaneNotSeen",
    "Polygon",
    "fit_plane",
    "plane_from_markers",
    "plane_of_bodies",
]


_WORST_RMS_MM = 15.0
"""A misfit that no curled or wrongly printed piece makes (6 per cent off in scale gives 1 mm):
these are no tags of one table."""


@dataclass(frozen=True, slots=True)
class Plane:
    """How one still camera sees one table.

    `matrix` (3, 3) maps table mm to undistorted px about `centre_px`; `lens` is the one lens number
    (distorted = undistorted (1 + lens r^2 + bend r^4), r in half-diagonals, `bend` near lens^2);
    `focal_px` is only roughly known when the camera looks straight down. `eye_mm` is the camera's
    place in the table frame (z negative: above the table). `places` holds every piece ever seen,
    `seen` those of this look. `middle_mm` is what the tokens enclose, or the whole view while fewer
    than three of them have been seen (`middle_from_tokens` tells). `rms_mm` is the misfit of the
    tags' corners on the table.
    """

    width_px: int
    height_px: int
    matrix: np.ndarray
    lens: float
    bend: float
    centre_px: Point
    focal_px: float
    eye_mm: tuple[float, float, float]
    rms_mm: float
    places: Mapping[str, Place] = field(default_factory=dict)
    seen: frozenset[str] = frozenset()
    middle_mm: Polygon | None = None
    middle_from_tokens: bool = False

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the pictures this plane is for."""
        return self.width_px, self.height_px

    @property
    def tokens_mm(self) -> dict[str, Point]:
        """Centre of every token ever seen (or inferred as a parallelogram's fourth corner), by its
        printed name."""
        return {name: (p.x_mm, p.y_mm) for name, p in self.places.items() if name in TOKEN_NAMES}

    @property
    def tray_mm(self) -> Polygon | None:
        """The tray sheet's four corners in mm, top-left first as printed; None while it has never
        been seen."""
        return tray_of(self.places)

    @property
    def optics(self) -> Optics:
        """The camera's inside as this look found it: a start for the next fit."""
        return Optics(self.focal_px, self.lens, self.bend, self.centre_px)

    @property
    def _radius_px(self) -> float:
        return float(np.hypot(self.width_px, self.height_px)) / 2

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Table places (N, 2) mm of picture points (N, 2) px; NaN for points at or above the
        table's horizon."""
        centred = undistort(
            np.asarray(points_px, float).reshape(-1, 2), self.optics, self._radius_px
        )
        rays = np.column_stack([centred, np.ones(len(centred))]) @ np.linalg.inv(self.matrix).T
        depth = np.where(rays[:, 2:] > 1e-9, rays[:, 2:], np.nan)
        return np.asarray(rays[:, :2] / depth)

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Picture points (N, 2) px of table places (N, 2) mm, also outside the picture; NaN behind
        the camera."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        rays = np.column_stack([points, np.ones(len(points))]) @ self.matrix.T
        centred = rays[:, :2] / np.where(rays[:, 2:] > 1e-9, rays[:, 2:], np.nan)
        pixels: np.ndarray = distort(centred, self.optics, self._radius_px) + np.asarray(
            self.centre_px
        )
        return pixels

    def px_per_mm(self, point_mm: Sequence[float] | np.ndarray) -> float:
        """Pixels per millimetre at a table place, in the direction that has fewest; NaN where it
        cannot be seen."""
        return float(self.px_per_mm_at(np.asarray(point_mm, float).reshape(1, 2))[0])

    def px_per_mm_at(self, points_mm: np.ndarray) -> np.ndarray:
        """`px_per_mm` for many places: (N, 2) mm -> (N,) px per mm, weakest direction."""
        slopes = self.slopes_at(points_mm)
        whole = (slopes**2).sum(axis=(1, 2))
        twist = slopes[:, 0, 0] * slopes[:, 1, 1] - slopes[:, 0, 1] * slopes[:, 1, 0]
        return np.asarray(
            np.sqrt(np.maximum(whole / 2 - np.sqrt(np.maximum(whole**2 / 4 - twist**2, 0)), 0))
        )

    def slopes_at(self, points_mm: np.ndarray) -> np.ndarray:
        """How picture points move with table places: (N, 2) mm -> (N, 2, 2) px per mm, rows x and y
        px."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        steps = np.array([[0.5, 0], [0, 0.5]])
        return np.stack([self.to_px(points + s) - self.to_px(points - s) for s in steps], axis=2)

    def tilt_deg(self, point_mm: Sequence[float]) -> float:
        """The angle at which the camera sees a table place: 0 straight from above, 90 from the
        table's edge."""
        x, y, z = self.eye_mm
        return float(np.degrees(np.arctan2(np.hypot(x - point_mm[0], y - point_mm[1]), abs(z))))

    def distance_mm(self, point_mm: Sequence[float]) -> float:
        """The way from the camera to a table place; as sure as the focal length is."""
        x, y, z = self.eye_mm
        return float(np.sqrt((x - point_mm[0]) ** 2 + (y - point_mm[1]) ** 2 + z**2))


def fit_plane(
    tags: Mapping[int, np.ndarray], size_px: tuple[int, int], previous: Plane | None = None
) -> Plane:
    """The plane from one look: `tags` maps tag id to corners (4, 2) px as `find_tags` gives,
    `size_px` is (width, height).

    With `previous` (same camera, same table) hidden pieces keep their remembered places, the frame
    stays the same even if a token was moved, and the lens is only refined. Without it, one hidden
    token is put where it makes a parallelogram; with fewer the frame is laid as well as can be told
    (see `layout.settled`).

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
            "No token is in view: lay the four corner tokens flat where the camera sees them."
        )
    solution = _solved(bodies, size_px, previous.optics if previous else None)
    layout = settled(names, solution, previous.places if previous and remembered else None, size_px)
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
    layout = settled([""] * len(bodies), solution, None, size_px)
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


def _remembered(tags: Mapping[int, np.ndarray], previous: Plane | None) -> dict[str, Place]:
    """The places of `previous` that still hold: pieces that were moved since are left out."""
    if previous is None:
        return {}
    from calibration.geometry.piece_match import unmoved

    return {name: previous.places[name] for name in unmoved(tags, previous)}


def _plane(
    size_px: tuple[int, int],
    matrix: np.ndarray,
    solution: Solution,
    eye: tuple[float, float, float],
    places: dict[str, Place],
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
    return Plane(
        width,
        height,
        matrix,
        optics.lens,
        optics.bend,
        optics.centre_px,
        optics.focal_px,
        eye,
        rms_mm,
        places,
        seen,
        middle,
        from_tokens,
    )


def _rms_mm(solution: Solution, plane: Plane) -> float:
    """Misfit of the well-seen corners on the table, each turned into mm by the scale where it lies."""
    seen = solution.points_px + solution.residuals_px
    off = (plane.to_mm(solution.points_px) - plane.to_mm(seen))[solution.clear]
    return float(np.sqrt(np.nanmean((off**2).sum(axis=1))))
