"""One look's joint solution: where the camera stands, its one lens number, and where every printed
body lies.

Knows known-size bodies on a plane and their points in one picture; must not know which body is
which token, nor frames of the table. The camera is a pinhole with square pixels and a lens:
distorted = undistorted (1 + lens r^2 + bend r^4), r the undistorted distance from the principal
point in half-diagonals. `lens` is the one number that is free; `bend` follows it (between a pure k1
and what k2 usually gives back) and may leave that only a little. With `lens` alone, or with u / (1
+ lens r^2), a strong barrel lens is 3 to 6 mm off at a tilt of 45 degrees
(tests/benchmarks/table_plane.py).

Everything is solved at once by Levenberg-Marquardt: the pose, the focal length, the principal point
(both held near what webcams and phones have), the lens number, and for each body its place and
turn. A plane seen from above hardly tells the focal length; it does not need to, for the priors
only fix what the plane's map does not depend on.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.geometry.optics import Optics, undistort


@dataclass(frozen=True, slots=True)
class CameraPriors:
    """What webcams and phones are like, and how far (one sigma) a camera may be from it.

    The focal length over the picture's long side is about 0.75 (60 to 80 degrees across: 0.6 to
    0.87), its logarithm known to 0.25. The lens number is 0 give or take 0.15 (k1 -0.25 at f 0.73 is
    -0.155 in half-diagonals). The optical axis misses the picture's centre by 0.005 of the long side
    (a webcam's by about 10 px at 1080p). `bend` is 0.7 lens^2, give or take a floor of 0.004 and
    0.15 |lens|: a pure k1 has 0, a division model 2 lens^2. From an earlier look of the same camera
    all is better known (`seen_...`). All chosen from makers' figures; only weighed against the noise
    of one found corner, 0.08 px at 1080p (tests/benchmarks/table_plane.py prints it).
    """

    focal_of_long_side: float = 0.75
    focal_sigma: float = 0.25
    lens_sigma: float = 0.15
    centre_sigma_of_long_side: float = 0.005
    bend_of_lens2: float = 0.7
    bend_sigma_floor: float = 0.004
    bend_sigma_of_lens: float = 0.15
    seen_focal_sigma: float = 0.03
    seen_lens_sigma: float = 0.02
    seen_centre_sigma_px: float = 2.0
    corner_sigma_px: float = 0.08


PRIORS = CameraPriors()

_CAMERA = 11
"""Unknowns that are the camera's; three for each body follow."""


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid printed body: its points (n, 2) mm in its own frame and in the picture (n, 2) px;
    what is known of its place (x mm, y mm, turn rad) in the plane, and how well (one sigma each;
    None: nothing); how many times as noisy as well-seen corners its points are."""

    points_mm: np.ndarray
    points_px: np.ndarray
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    place_sigma: tuple[float, float, float] | None = None
    noise: float = 1.0


@dataclass(frozen=True, slots=True)
class Solution:
    """The solved look: plane mm -> undistorted px homogeneous `matrix` (3, 3) about the principal
    point, the optics, each body's place (x mm, y mm, turn rad), the eye's place in plane mm, the
    points and residuals (n, 2) px, the cost, and which points (n,) are well seen."""

    matrix: np.ndarray
    optics: Optics
    places: tuple[tuple[float, float, float], ...]
    eye_mm: tuple[float, float, float]
    points_px: np.ndarray
    residuals_px: np.ndarray
    cost: float
    clear: np.ndarray


def solve(bodies: list[Body], size_px: tuple[int, int], optics: Optics | None = None) -> Solution:
    """The best joint solution for one look at these bodies; `size_px` is (width, height), `optics`
    from an earlier look.

    Several starting focal lengths and tilts are tried when nothing is known. Raises
    numpy.linalg.LinAlgError when the points are degenerate (all on a line).
    """
    problem = _Problem(_anchored(bodies), size_px, optics)
    starts = [optics.focal_px] if optics else [max(size_px) * f for f in (0.6, 0.85, 1.3)]
    tried = [_descend(problem, start, 8) for f in starts for start in problem.starts(f)]
    best = min(tried, key=lambda t: t[1])
    return problem.solution(*_descend(problem, best[0], 40))


def _anchored(bodies: list[Body]) -> list[Body]:
    """Someone must say where the origin is: the first body, if none is remembered."""
    if any(body.place_sigma for body in bodies):
        return bodies
    first = bodies[0]
    return [
        Body(first.points_mm, first.points_px, (0.0, 0.0, 0.0), (1e-3, 1e-3, 1e-6), first.noise),
        *bodies[1:],
    ]


class _Problem:
    """Residuals of all unknowns, many guesses at once: rows of `unknowns` are (rotation 3,
    translation 3, log focal, lens, principal point 2, bend, then x, y, turn of each body)."""

    def __init__(self, bodies: list[Body], size_px: tuple[int, int], optics: Optics | None) -> None:
        self.bodies = bodies
        self.long_px = float(max(size_px))
        self.radius_px = float(np.hypot(*size_px)) / 2
        self.points_mm = np.concatenate([b.points_mm for b in bodies])
        self.points_px = np.concatenate([b.points_px for b in bodies])
        self.owner = np.repeat(np.arange(len(bodies)), [len(b.points_mm) for b in bodies])
        noise = np.repeat([b.noise for b in bodies], [len(b.points_mm) for b in bodies])
        self.sigma_px = PRIORS.corner_sigma_px * max(1.0, self.long_px / 1920) * noise[:, None]
        self.clear = noise == noise.min()
        middle = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
        self.optics = optics or Optics(PRIORS.focal_of_long_side * self.long_px, 0.0, 0.0, middle)
        self.spread = (
            (PRIORS.seen_focal_sigma, PRIORS.seen_lens_sigma, PRIORS.seen_centre_sigma_px)
            if optics
            else (
                PRIORS.focal_sigma,
                PRIORS.lens_sigma,
                PRIORS.centre_sigma_of_long_side * self.long_px,
            )
        )
        self.known = [
            (i, np.array(b.place), np.array(b.place_sigma))
            for i, b in enumerate(bodies)
            if b.place_sigma
        ]

    def project(self, unknowns: np.ndarray) -> np.ndarray:
        """Picture points (k, n, 2) px for guesses (k, m)."""
        places = unknowns[:, _CAMERA:].reshape(len(unknowns), -1, 3)[:, self.owner]
        plane = _turned(self.points_mm, places[..., 2]) + places[..., :2]
        rotation = _rotations(unknowns[:, :3])
        seen = np.einsum("kij,knj->kni", rotation[:, :, :2], plane) + unknowns[:, None, 3:6]
        depth = np.maximum(seen[..., 2:], 1.0)
        centred = np.exp(unknowns[:, 6])[:, None, None] * seen[..., :2] / depth
        r2 = (centred**2).sum(axis=-1, keepdims=True) / self.radius_px**2
        grow = 1 + unknowns[:, 7, None, None] * r2 + unknowns[:, 10, None, None] * r2**2
        pixels: np.ndarray = centred * grow + unknowns[:, None, 8:10]
        return pixels

    def residuals(self, unknowns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Reprojection (k, 2n) and priors (k, p), both in sigmas."""
        off = (self.project(unknowns) - self.points_px) / self.sigma_px
        focal, lens, centre = self.spread
        priors = [
            (unknowns[:, 6:7] - np.log(self.optics.focal_px)) / focal,
            (unknowns[:, 7:8] - self.optics.lens) / lens,
            (unknowns[:, 8:10] - self.optics.centre_px) / centre,
            (unknowns[:, 10:11] - PRIORS.bend_of_lens2 * unknowns[:, 7:8] ** 2)
            / (PRIORS.bend_sigma_floor + PRIORS.bend_sigma_of_lens * np.abs(unknowns[:, 7:8])),
        ]
        for i, place, sigma in self.known:
            gap = unknowns[:, _CAMERA + 3 * i : _CAMERA + 3 * i + 3] - place
            gap[:, 2] = np.arctan2(np.sin(gap[:, 2]), np.cos(gap[:, 2]))
            priors.append(gap / sigma)
        return off.reshape(len(unknowns), -1), np.concatenate(priors, axis=1)

    def starts(self, focal_px: float) -> list[np.ndarray]:
        """First guesses: the tilt from how the bodies' sizes change over the picture, and none at
        all."""
        rays = undistort(self.points_px, self.optics, self.radius_px) / focal_px
        tilt = self._vanishing(rays)
        return [self._start(focal_px, rays, normal) for normal in (tilt, np.array([0.0, 0.0, 1.0]))]

    def _vanishing(self, rays: np.ndarray) -> np.ndarray:
        """The plane's normal: the cube root of a patch's picture area per table area is linear over
        the picture."""
        rows, sizes = [], []
        for i in range(len(self.bodies)):
            mine = np.flatnonzero(self.owner == i)
            for a, b, c in ((0, 1, 2), (1, 2, 3), (2, 3, 0), (3, 0, 1)):
                p, q = rays[mine[[a, b, c]]], self.points_mm[mine[[a, b, c]]]
                rows.append([*p.mean(axis=0), 1.0])
                sizes.append(np.cbrt(_doubled_area(p) / _doubled_area(q)))
        scale = float(np.mean(sizes))
        hold = 0.02 * np.sqrt(len(rows)) * np.eye(3)[:2]
        normal = np.linalg.lstsq(
            np.vstack([rows, hold]), np.append(np.array(sizes) / scale, [0.0, 0.0]), rcond=None
        )[0]
        return np.asarray(normal / np.linalg.norm(normal))

    def _start(self, focal_px: float, rays: np.ndarray, normal: np.ndarray) -> np.ndarray:
        frame = _frame_of(normal)
        homogeneous = np.column_stack([rays, np.ones(len(rays))])
        flat = (homogeneous / np.maximum(homogeneous @ normal, 0.05)[:, None]) @ frame[:, :2]
        mine = [self.owner == i for i in range(len(self.bodies))]
        distance = float(np.median([_spread(self.points_mm[m]) / _spread(flat[m]) for m in mine]))
        places = np.array([_placed(self.points_mm[m], flat[m] * distance) for m in mine])
        anchor = max(self.known, key=lambda k: len(self.bodies[k[0]].points_mm))
        return self._aligned(focal_px, frame, normal * distance, places, *anchor[:2])

    def _aligned(
        self,
        focal_px: float,
        frame: np.ndarray,
        foot: np.ndarray,
        places: np.ndarray,
        index: int,
        place: np.ndarray,
    ) -> np.ndarray:
        """Unknowns with the plane's axes laid so that the anchor body lies where it is known to
        lie."""
        turn = places[index, 2] - place[2]
        cos, sin = np.cos(turn), np.sin(turn)
        spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        origin = places[index, :2] - spin[:2, :2] @ place[:2]
        moved = np.column_stack([(places[:, :2] - origin) @ spin[:2, :2], places[:, 2] - turn])
        rotation = frame @ spin
        shift = foot + frame[:, :2] @ origin
        camera = [
            *cv2.Rodrigues(rotation)[0].ravel(),
            *shift,
            np.log(focal_px),
            self.optics.lens,
            *self.optics.centre_px,
            self.optics.bend,
        ]
        return np.concatenate([camera, moved.ravel()])

    def solution(self, unknowns: np.ndarray, cost: float) -> Solution:
        rotation, shift, focal = (
            _rotations(unknowns[None, :3])[0],
            unknowns[3:6],
            float(np.exp(unknowns[6])),
        )
        matrix = np.diag([focal, focal, 1.0]) @ np.column_stack([rotation[:, :2], shift])
        eye = -rotation.T @ shift
        optics = Optics(
            focal, float(unknowns[7]), float(unknowns[10]), (float(unknowns[8]), float(unknowns[9]))
        )
        places = tuple(
            (float(x), float(y), float(t)) for x, y, t in unknowns[_CAMERA:].reshape(-1, 3)
        )
        off = self.project(unknowns[None])[0] - self.points_px
        return Solution(
            matrix,
            optics,
            places,
            (float(eye[0]), float(eye[1]), float(eye[2])),
            self.points_px,
            off,
            cost,
            self.clear,
        )


def _descend(problem: _Problem, start: np.ndarray, steps: int) -> tuple[np.ndarray, float]:
    """Levenberg-Marquardt with Huber weights; the unknowns and their cost."""
    here, damping = start, 1e-3
    cost, system = _cost(problem, here), _system(problem, here)
    for _ in range(steps):
        normal, gradient = system
        scale = np.diag(normal) + 1e-12
        step = np.linalg.solve(normal + damping * np.diag(scale), -gradient)
        there = here + step
        new = _cost(problem, there)
        if new < cost:
            gain, here, cost, damping = cost - new, there, new, damping * 0.2
            if gain < 1e-7 * (1 + cost):
                break
            system = _system(problem, here)
        else:
            damping *= 8
            if damping > 1e8:
                break
    return here, cost


_HUBER_SIGMAS = 4.0
"""Sigmas from which a corner counts less: a curled tag or a half-covered one must not bend the
plane."""


def _cost(problem: _Problem, unknowns: np.ndarray) -> float:
    off, priors = problem.residuals(unknowns[None])
    size = np.abs(off)
    huber = np.where(size < _HUBER_SIGMAS, off**2, 2 * _HUBER_SIGMAS * size - _HUBER_SIGMAS**2)
    total = float(huber.sum() + (priors**2).sum())
    return total if np.isfinite(total) else np.inf


def _system(problem: _Problem, here: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Normal matrix and gradient, the derivatives taken by small steps of every unknown in one
    call."""
    camera = [1e-6] * 3 + [1e-3] * 3 + [1e-6] * 2 + [1e-3] * 2 + [1e-6]
    size = np.concatenate([camera, np.tile([1e-3, 1e-3, 1e-6], len(problem.bodies))])
    off, priors = problem.residuals(np.vstack([here, here + np.diag(size)]))
    both = np.concatenate([off, priors], axis=1)
    slopes = (both[1:] - both[0]) / size[:, None]
    weight = np.ones(both.shape[1])
    weight[: off.shape[1]] = np.minimum(1, _HUBER_SIGMAS / np.maximum(np.abs(off[0]), 1e-9))
    return (slopes * weight) @ slopes.T, (slopes * weight) @ both[0]


def _rotations(vectors: np.ndarray) -> np.ndarray:
    """Rotation matrices (k, 3, 3) of rotation vectors (k, 3)."""
    angle = np.linalg.norm(vectors, axis=1)[:, None, None] + 1e-12
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    rotation: np.ndarray = (
        np.eye(3) + np.sin(angle) / angle * cross + (1 - np.cos(angle)) / angle**2 * (cross @ cross)
    )
    return rotation


def _turned(points: np.ndarray, turns: np.ndarray) -> np.ndarray:
    cos, sin = np.cos(turns), np.sin(turns)
    return np.stack(
        [cos * points[:, 0] - sin * points[:, 1], sin * points[:, 0] + cos * points[:, 1]], axis=-1
    )


def _doubled_area(triangle: np.ndarray) -> float:
    (ax, ay), (bx, by) = triangle[1] - triangle[0], triangle[2] - triangle[0]
    return abs(float(ax * by - ay * bx)) + 1e-15


def _frame_of(normal: np.ndarray) -> np.ndarray:
    """A rotation (3, 3) whose third column is `normal` and whose first points right in the picture."""
    right = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    right /= np.linalg.norm(right)
    return np.column_stack([right, np.cross(normal, right), normal])


def _spread(points: np.ndarray) -> float:
    return float(np.linalg.norm(points - points.mean(axis=0)))


def _placed(points_mm: np.ndarray, flat: np.ndarray) -> tuple[float, float, float]:
    """PiecePlace (x, y, turn) that lays a body's own points best onto `flat`, without scaling."""
    a, b = points_mm - points_mm.mean(axis=0), flat - flat.mean(axis=0)
    turn = float(np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum()))
    x, y = flat.mean(axis=0) - _turned(points_mm.mean(axis=0)[None], np.array([turn]))[0]
    return float(x), float(y), turn
