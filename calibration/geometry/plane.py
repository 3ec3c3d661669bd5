"""The table plane: pixels <-> millimetres of the table frame, with one lens number.

Knows the table frame (stated in card_printables.token) and how one camera sees it; must not know
cards' meaning.

A value: `fit.fit_plane` finds it. Pixel (0, 0) is the centre of the top-left pixel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.geometry.optics import Optics, distort, undistort
from calibration.geometry.place import PiecePlace, Point, Polygon, outline_mm
from card_printables.token import TOKEN_NAMES, TRAY


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
    places: Mapping[str, PiecePlace] = field(default_factory=dict)
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

    def told_place(self, name: str) -> PiecePlace | None:
        """Where a piece lies; None where nobody can tell: what was inferred from fewer than three
        tokens is a guess."""
        place = self.places.get(name)
        return None if place and place.inferred and not self.middle_from_tokens else place

    @property
    def tray_mm(self) -> Polygon | None:
        """The tray sheet's four corners in mm, top-left first as printed; None while it has never
        been seen."""
        if TRAY.name not in self.places:
            return None
        return outline_mm(TRAY, self.places[TRAY.name])

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
        back = np.linalg.inv(self.matrix)
        rays = centred @ back[:, :2].T + back[:, 2]
        depth = np.where(rays[:, 2:] > 1e-9, rays[:, 2:], np.nan)
        return np.asarray(rays[:, :2] / depth)

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Picture points (N, 2) px of table places (N, 2) mm, also outside the picture; NaN behind
        the camera."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        rays = points @ self.matrix[:, :2].T + self.matrix[:, 2]
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
