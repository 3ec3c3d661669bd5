"""The expert's full lens calibration, judged by what tells good from useless: two halves of the
views, compared.

Knows corner sets of a flat target (points mm and px, view by view); must not know how the target is
found or printed. A small residual proves nothing: lazy views (all facing, all in the middle) fit to
0.06 px and are wrong by 50. So the views are split in two, each half is calibrated, and the worst
disagreement over the picture is the verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

FEWEST_VIEWS = 8
"""Four views a half are the least that fix a lens at all."""

KNOWN_PX = 1.0
"""Halves that agree to this anywhere in the picture: the lens is known."""

_FLAGS = cv2.CALIB_FIX_K3
"""A third radial number is noise for webcams: lazy views (facing, all in the middle) were off by
up to 463 px with it, by 16 without (12 simulated calibrations)."""


@dataclass(frozen=True, slots=True)
class SheetView:
    """One view of the target: its points (n, 2) mm on the flat sheet and (n, 2) px in the picture."""

    points_mm: np.ndarray
    points_px: np.ndarray


@dataclass(frozen=True, slots=True)
class LensReport:
    """The result: camera `matrix` (3, 3), `distortion` (5,), the two halves' worst and typical
    difference in px over the picture, the residual (px, for the picture of residuals only),
    residuals as (n, 4): x, y, dx, dy px; and the verdict."""

    matrix: np.ndarray
    distortion: np.ndarray
    halves_differ_px: float
    halves_typical_px: float
    rms_px: float
    residuals_px: np.ndarray
    accepted: bool
    says: str


def calibrate_lens(views: Sequence[SheetView], size_px: tuple[int, int]) -> LensReport:
    """The lens from views of a flat target; `accepted` only when two halves of the views agree to
    `KNOWN_PX`.

    Raises:
        ValueError: fewer than `FEWEST_VIEWS` views; the message says how many more.
    """
    if len(views) < FEWEST_VIEWS:
        raise ValueError(
            f"{len(views)} views are too few: show the sheet {FEWEST_VIEWS - len(views)} more times, tilted"
        )
    whole = _calibrated(views, size_px)
    halves = [_calibrated(views[k::2], size_px) for k in (0, 1)]
    off = _difference(halves[0][1:3], halves[1][1:3], size_px)
    accepted = bool(np.isfinite(off).all() and off.max() <= KNOWN_PX)
    rms, matrix, distortion, residuals = whole
    worst = float(off.max()) if np.isfinite(off).all() else float("inf")
    return LensReport(
        matrix,
        distortion,
        worst,
        float(np.median(off)),
        rms,
        residuals,
        accepted,
        _verdict(accepted, worst),
    )


def _verdict(accepted: bool, worst: float) -> str:
    if accepted:
        return f"The lens is known to {max(worst, 0.1):.1f} px."
    return (
        f"The lens is not known: two halves of the views differ by {worst:.0f} px. Show the sheet nearer, tilted 30 to 45 "
        "degrees both ways, and in every corner; lay it on something flat."
    )


_Found = tuple[float, np.ndarray, np.ndarray, np.ndarray]


def _calibrated(views: Sequence[SheetView], size_px: tuple[int, int]) -> _Found:
    solid = [
        np.column_stack([v.points_mm, np.zeros(len(v.points_mm))]).astype(np.float32) for v in views
    ]
    flat = [np.asarray(v.points_px, np.float32).reshape(-1, 1, 2) for v in views]
    rms, matrix, distortion, turns, shifts = cv2.calibrateCamera(
        solid, flat, size_px, None, None, flags=_FLAGS
    )
    rows = []
    for points, seen, turn, shift in zip(solid, flat, turns, shifts, strict=True):
        expected = cv2.projectPoints(points, turn, shift, matrix, distortion)[0].reshape(-1, 2)
        rows.append(np.column_stack([seen.reshape(-1, 2), seen.reshape(-1, 2) - expected]))
    return float(rms), np.asarray(matrix), np.ravel(distortion)[:5], np.concatenate(rows)


def _difference(
    one: tuple[np.ndarray, np.ndarray],
    other: tuple[np.ndarray, np.ndarray],
    size_px: tuple[int, int],
) -> np.ndarray:
    """How far apart (px) the two lenses put the same rays over the picture, after the best common
    turn of the camera: a turn is no lens error, it goes into the pose."""
    x, y = np.meshgrid(np.linspace(0, size_px[0] - 1, 17), np.linspace(0, size_px[1] - 1, 11))
    grid = np.column_stack([x.ravel(), y.ravel()])
    rays_a, rays_b = (_rays(grid, matrix, distortion) for matrix, distortion in (one, other))
    if not (np.isfinite(rays_a).all() and np.isfinite(rays_b).all()):
        return np.array([np.inf])
    u, _, vt = np.linalg.svd(rays_b.T @ rays_a)
    turn = u @ np.diag([1, 1, np.linalg.det(u @ vt)]) @ vt
    seen = cv2.projectPoints(
        (rays_a @ turn.T).astype(np.float64), np.zeros(3), np.zeros(3), other[0], other[1]
    )[0]
    return np.asarray(np.linalg.norm(seen.reshape(-1, 2) - grid, axis=1))


def _rays(points_px: np.ndarray, matrix: np.ndarray, distortion: np.ndarray) -> np.ndarray:
    flat = cv2.undistortPoints(points_px.reshape(-1, 1, 2), matrix, distortion).reshape(-1, 2)
    rays = np.column_stack([flat, np.ones(len(flat))])
    return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))


def residual_picture(
    residuals_px: np.ndarray, size_px: tuple[int, int], magnify: float = 60.0
) -> np.ndarray:
    """Residuals (n, 4) x, y, dx, dy px as arrows over an empty picture, (H, W, 3) uint8; a good fit
    has no pattern."""
    picture = np.full((size_px[1], size_px[0], 3), 255, np.uint8)
    for x, y, dx, dy in residuals_px:
        start = (round(float(x)), round(float(y)))
        cv2.arrowedLine(
            picture,
            start,
            (round(x + magnify * dx), round(y + magnify * dy)),
            (160, 70, 20),
            1,
            cv2.LINE_AA,
        )
    return picture
