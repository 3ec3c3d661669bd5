"""A camera as numbers: where it stands, how its lens bends, what its sensor and its JPEG do to a
picture.

Knows pixels and millimetres of a camera that somebody made up; knows nothing of real cameras, cards
or the game.

Conventions: the table frame of `card_printables.token` (x right, y down, millimetres); heights
above the table are positive. Picture coordinates: (0, 0) is the centre of the top-left pixel. The
lens bends a ray at radius r (in units of the focal length) out to `r * (1 + k1 r^2 + k2 r^4)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

Point = tuple[float, float]

_NEWTON_STEPS = 8
_NEAREST_MM = 1.0


@dataclass(frozen=True, slots=True)
class CameraModel:
    """A camera, its pose and its faults.

    `aim_mm` is the place on the table in the picture's centre, `distance_mm` the way to it,
    `tilt_deg` the axis' angle from straight down, `azimuth_deg` the direction on the table that is
    up in the picture (from -y, clockwise), `roll_deg` the turn about the axis. `vignette` is the
    light lost in the corners (share), `lean` how much brighter the picture's right and bottom are
    than its centre (share), `tint_bgr` what white balance left over, `exposure` the linear value of
    white paper (1 burns out), `noise` sigma in grey levels, `sharpening` the webcam's unsharp mask
    (0 to about 1.5), `jpeg_quality` None for raw pictures, `chroma_halved` 4:2:0.
    """

    width_px: int = 1920
    height_px: int = 1080
    focal_px: float = 1500.0
    aim_mm: Point = (0.0, 0.0)
    distance_mm: float = 700.0
    tilt_deg: float = 0.0
    azimuth_deg: float = 0.0
    roll_deg: float = 0.0
    k1: float = 0.0
    k2: float = 0.0
    blur_px: float = 0.5
    motion_px: Point = (0.0, 0.0)
    noise: float = 3.0
    vignette: float = 0.15
    lean: Point = (0.0, 0.0)
    tint_bgr: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 0.78
    sharpening: float = 0.3
    gamma: float = 2.2
    jpeg_quality: int | None = 88
    chroma_halved: bool = True

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of the picture."""
        return self.width_px, self.height_px

    @property
    def position_mm(self) -> tuple[float, float, float]:
        """Where the lens is: x, y on the table and the height above it."""
        tilt = np.deg2rad(self.tilt_deg)
        up = self._up()
        x, y = np.asarray(self.aim_mm) - up * self.distance_mm * np.sin(tilt)
        return float(x), float(y), float(self.distance_mm * np.cos(tilt))

    def to_px(self, points_mm: np.ndarray, height_mm: float = 0.0) -> np.ndarray:
        """Exact pixels (N, 2) float64 of the points (N, 2) mm that lie `height_mm` above the table;
        nan behind the lens."""
        points = np.atleast_2d(np.asarray(points_mm, dtype=np.float64))
        x, y, lens_mm = self.position_mm
        away = np.column_stack(
            [points[:, 0] - x, points[:, 1] - y, np.full(len(points), lens_mm - height_mm)]
        )
        rays = away @ self._axes().T
        depth = np.where(rays[:, 2] > _NEAREST_MM, rays[:, 2], np.nan)
        pixels: np.ndarray = (
            self._bend(rays[:, :2] / depth[:, None]) * self.focal_px + self._centre_px()
        )
        return pixels

    def to_mm(self, points_px: np.ndarray, height_mm: float = 0.0) -> np.ndarray:
        """Exact table points (N, 2) mm, on the plane `height_mm` above the table, of the pixels (N,
        2); nan above the horizon."""
        points = np.atleast_2d(np.asarray(points_px, dtype=np.float64))
        flat = self._unbend((points - self._centre_px()) / self.focal_px)
        rays = np.column_stack([flat, np.ones(len(flat))]) @ self._axes()
        x, y, lens_mm = self.position_mm
        down = np.where(rays[:, 2] > 1e-6, rays[:, 2], np.nan)
        points_mm: np.ndarray = np.array([x, y]) + rays[:, :2] / down[:, None] * (
            lens_mm - height_mm
        )
        return points_mm

    def px_per_mm(self, point_mm: Point) -> float:
        """Pixels a millimetre at a table point, in the direction where they are fewest."""
        x, y = point_mm
        around = self.to_px(np.array([[x - 0.5, y], [x + 0.5, y], [x, y - 0.5], [x, y + 0.5]]))
        jacobian = np.column_stack([around[1] - around[0], around[3] - around[2]])
        return float(np.linalg.svd(jacobian, compute_uv=False)[-1])

    def corners_mm(self) -> np.ndarray:
        """The table points (4, 2) mm in the picture's corners TL, TR, BR, BL."""
        w, h = self.width_px - 1, self.height_px - 1
        return self.to_mm(np.array([[0, 0], [w, 0], [w, h], [0, h]]))

    def sees(self, points_mm: np.ndarray, margin_px: float = 0.0) -> bool:
        """True when every point (N, 2) mm lies in the picture, at least `margin_px` from its
        border."""
        px = self.to_px(points_mm)
        high = np.array(self.size_px) - 1 - margin_px
        return bool(np.all(np.isfinite(px)) and np.all(px >= margin_px) and np.all(px <= high))

    def framing(self, points_mm: np.ndarray, margin_px: float = 12.0) -> CameraModel:
        """The same camera moved along its axis, and aimed, so that it just sees all points (N, 2)
        mm."""
        points = np.asarray(points_mm, dtype=np.float64)
        aimed = replace(self, aim_mm=_point((points.min(0) + points.max(0)) / 2))
        for _ in range(4):
            aimed = _nearest(aimed, points, margin_px)
            px = aimed.to_px(points)
            middle = (px.min(0) + px.max(0)) / 2
            aimed = replace(aimed, aim_mm=_point(aimed.to_mm(middle[None])[0]))
        return _nearest(aimed, points, margin_px)

    def _up(self) -> np.ndarray:
        azimuth = np.deg2rad(self.azimuth_deg)
        return np.array([np.sin(azimuth), -np.cos(azimuth)])

    def _centre_px(self) -> np.ndarray:
        return np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2])

    def _axes(self) -> np.ndarray:
        """Rows: the picture's right, down and forward as directions of the table frame, (3, 3)."""
        tilt, up = np.deg2rad(self.tilt_deg), self._up()
        forward = np.array([*(up * np.sin(tilt)), np.cos(tilt)])
        right = np.array([-up[1], up[0], 0.0])
        down = np.cross(forward, right)
        roll = np.deg2rad(self.roll_deg)
        turned = np.cos(roll) * right + np.sin(roll) * down
        return np.stack([turned, np.cross(forward, turned), forward])

    def _bend(self, flat: np.ndarray) -> np.ndarray:
        r2 = np.minimum((flat**2).sum(axis=1, keepdims=True), _turning_point(self.k1, self.k2))
        bent: np.ndarray = flat * (1 + self.k1 * r2 + self.k2 * r2**2)
        return bent

    def _unbend(self, bent: np.ndarray) -> np.ndarray:
        """Undo `_bend` by Newton's method on the radius."""
        target = np.linalg.norm(bent, axis=1)
        r = target.copy()
        for _ in range(_NEWTON_STEPS):
            value = r * (1 + self.k1 * r**2 + self.k2 * r**4) - target
            r -= value / np.maximum(1 + 3 * self.k1 * r**2 + 5 * self.k2 * r**4, 0.05)
        straight: np.ndarray = bent * (r / np.maximum(target, 1e-12))[:, None]
        return straight


def _turning_point(k1: float, k2: float) -> float:
    """The squared radius where the polynomial would fold back into the picture: beyond it the bend
    stays what it is there."""
    if abs(k2) < 1e-12:
        return -1 / (3 * k1) if k1 < 0 else np.inf
    inside = 9 * k1**2 - 20 * k2
    roots = [(-3 * k1 + sign * inside**0.5) / (10 * k2) for sign in (-1, 1)] if inside >= 0 else []
    return min((root for root in roots if root > 0), default=np.inf)


def _point(values: np.ndarray) -> Point:
    return float(values[0]), float(values[1])


def _nearest(camera: CameraModel, points: np.ndarray, margin_px: float) -> CameraModel:
    """The least distance at which the camera, aimed as it is, sees all points."""
    near, far = 50.0, 20_000.0
    for _ in range(40):
        middle = (near * far) ** 0.5
        near, far = (
            (near, middle)
            if replace(camera, distance_mm=middle).sees(points, margin_px)
            else (middle, far)
        )
    return replace(camera, distance_mm=far)
