"""The printed test sheet in pictures: the whole lens from tilted views, or a metric table from
places it was slid to.

Knows the sheet's board and pictures; must not know files or the game.  Neither is needed to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import cv2
import numpy as np

from calibration.cameras.grey import grey_of
from calibration.geometry.fit import plane_of_bodies
from calibration.geometry.plane import Plane
from calibration.geometry.solve import Body
from calibration.lens.halves import FEWEST_VIEWS, SheetView, calibrate_lens, residual_picture
from card_printables.pages.lens_target import board

MOST_VIEWS = 60
"""Pictures looked at: chosen, a minute's work."""

FEWEST_CORNERS = 16
"""Of 70: fewer say little about a view."""

PLENTY = 60
"""With so many a view needs no second look."""

FEWEST_PLACES = 5
"""Places a slid sheet must have lain at; a sheet bowed by 3 mm leaves up to 13 mm with
three, 2 mm with six (simulated)."""

SAME_PLACE = 0.04
"""Of the picture's width: the sheet lies where it lay in another picture."""

KNOWN_MM = 2.0
"""Two halves of the places that agree to this anywhere between them: the table is known; no zone of
the table needs it truer."""


def view_of(image: np.ndarray) -> SheetView | None:
    """The test sheet in (H, W, 3) or (H, W) uint8 as a view; None when too little of it is seen."""
    grey = grey_of(image)
    corners, ids = _found(grey, 1)
    if len(ids) < PLENTY and max(grey.shape) < 2600:
        more_corners, more_ids = _found(grey, 2)
        corners, ids = (more_corners, more_ids) if len(more_ids) > len(ids) else (corners, ids)
    return SheetView(_corners_mm()[ids], corners) if len(ids) >= FEWEST_CORNERS else None


def _found(grey: np.ndarray, grown: int) -> tuple[np.ndarray, np.ndarray]:
    """The board's corners (n, 2) px and their numbers (n,), looked for in the picture grown so many
    times: its markers have 7 modules on 16 mm, at 1 px a mm the detector loses half of them."""
    large = (
        grey
        if grown == 1
        else cv2.resize(grey, None, fx=grown, fy=grown, interpolation=cv2.INTER_CUBIC)
    )
    corners, ids, _, _ = _detector().detectBoard(large)
    if ids is None:
        return np.empty((0, 2)), np.empty(0, int)
    return (np.asarray(corners, float).reshape(-1, 2) + 0.5) / grown - 0.5, np.ravel(ids).astype(
        int
    )


@cache
def _detector() -> cv2.aruco.CharucoDetector:
    return cv2.aruco.CharucoDetector(board())


@cache
def _corners_mm() -> np.ndarray:
    return np.asarray(board().getChessboardCorners(), float).reshape(-1, 3)[:, :2]


def different(views: Sequence[SheetView], width_px: int) -> list[SheetView]:
    """The views without those that show the sheet where (and as) an earlier one does."""
    kept: list[SheetView] = []
    for view in views:
        if all(not _alike(view, other, SAME_PLACE * width_px) for other in kept):
            kept.append(view)
    return kept


def _alike(one: SheetView, other: SheetView, limit_px: float) -> bool:
    moved = moved_px(one, other)
    return moved is not None and moved < limit_px


def moved_px(one: SheetView, other: SheetView) -> float | None:
    """How far (median, px) the sheet's points moved from one view to the other; None when they
    share too few to tell."""
    known = {
        (float(p[0]), float(p[1])): q
        for p, q in zip(one.points_mm.round(1), one.points_px, strict=True)
    }
    gaps = [
        float(np.linalg.norm(known[key] - q))
        for p, q in zip(other.points_mm.round(1), other.points_px, strict=True)
        if (key := (float(p[0]), float(p[1]))) in known
    ]
    return float(np.median(gaps)) if len(gaps) > FEWEST_CORNERS // 2 else None


def lens_report(images: Sequence[np.ndarray]) -> tuple[dict[str, Any], np.ndarray]:
    """The lens from views of the sheet, as plain JSON with `accepted` and `says`, and the picture
    of its residuals."""
    size, seen = _seen(images)
    views = different(seen, size[0])
    told: dict[str, Any] = {
        "pictures": len(images),
        "with_sheet": len(seen),
        "views": len(views),
        "camera": {"width": size[0], "height": size[1]},
        "accepted": False,
    }
    if len(views) < FEWEST_VIEWS:
        more = FEWEST_VIEWS - len(views)
        return told | {
            "says": f"{len(views)} different views of the test sheet are too few: show it {more} more times, near, "
            "tilted both ways, and in every corner."
        }, _blank(size)
    report = calibrate_lens(views, size)
    told |= {
        "accepted": report.accepted,
        "says": report.says,
        "matrix": report.matrix.tolist(),
        "distortion": [float(k) for k in report.distortion],
        "rms_px": round(report.rms_px, 3),
        "halves_differ_px": _finite(report.halves_differ_px),
        "halves_typical_px": _finite(report.halves_typical_px),
    }
    return told, residual_picture(report.residuals_px, size)


def table_report(images: Sequence[np.ndarray]) -> tuple[dict[str, Any], np.ndarray]:
    """The metric table from a sheet slid to several places under a still camera, as plain JSON, and
    its residuals."""
    size, seen = _seen(images)
    views = different(seen, size[0])
    told: dict[str, Any] = {
        "pictures": len(images),
        "with_sheet": len(seen),
        "places": len(views),
        "camera": {"width": size[0], "height": size[1]},
        "accepted": False,
    }
    if len(views) < FEWEST_PLACES:
        return told | {
            "says": f"The sheet lay at {len(views)} places: slide it to {FEWEST_PLACES - len(views)} more, "
            "six all over the table are best."
        }, _blank(size)
    plane, residuals = plane_of_views(views, size)
    off = _halves_differ_mm(views, size)
    accepted = off <= KNOWN_MM
    says = (
        f"The table is known to {max(off, 0.1):.1f} mm."
        if accepted
        else f"The table is not known: two halves of the places differ by {off:.0f} mm. "
        "Lay the sheet flat and keep the camera still."
    )
    told |= {
        "accepted": accepted,
        "says": says,
        "halves_differ_mm": _finite(off),
        "rms_mm": round(plane.rms_mm, 3),
        "lens": round(plane.lens, 5),
        "bend": round(plane.bend, 5),
        "focal_px": round(plane.focal_px, 1),
        "centre_px": [round(c, 2) for c in plane.centre_px],
        "matrix": plane.matrix.tolist(),
    }
    return told, residual_picture(residuals, size)


def plane_of_views(
    views: Sequence[SheetView], size_px: tuple[int, int]
) -> tuple[Plane, np.ndarray]:
    """The plane on which the sheet lay in all views (frame: the sheet's own in the first),
    residuals (n, 4): x, y, dx, dy.

    Raises PlaneNotSeen when the views cannot lie on one table under one still camera.
    """
    views = [_outermost_first(view) for view in views]
    bodies = [
        Body(
            view.points_mm, view.points_px, (0.0, 0.0, 0.0), (1e-3, 1e-3, 1e-6) if i == 0 else None
        )
        for i, view in enumerate(views)
    ]
    return plane_of_bodies(bodies, size_px)


def _outermost_first(view: SheetView) -> SheetView:
    """The same view with its four outermost points first, going round: a start for the solution, as
    a tag's corners are."""
    x, y = view.points_mm.T
    ring = [
        int((x + y).argmin()),
        int((x - y).argmax()),
        int((x + y).argmax()),
        int((x - y).argmin()),
    ]
    order = ring + [i for i in range(len(x)) if i not in ring]
    return SheetView(view.points_mm[order], view.points_px[order])


def _halves_differ_mm(views: Sequence[SheetView], size_px: tuple[int, int]) -> float:
    """How far apart (mm, worst over what the sheets covered) two halves of the places put the same
    pixels, after the best common shift and turn: where the frame lies is no error."""
    grid = np.concatenate([view.points_px for view in views])
    one, other = (plane_of_views(views[k::2], size_px)[0].to_mm(grid) for k in (0, 1))
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        return float("inf")
    a, b = ((p - p.mean(axis=0)) @ np.array([1, 1j]) for p in (one, other))
    turn = np.vdot(a, b)
    return float(np.abs(b - turn / max(abs(turn), 1e-9) * a).max())


def _seen(images: Sequence[np.ndarray]) -> tuple[tuple[int, int], list[SheetView]]:
    """The pictures' size (the first's; others are left out) and the views in them."""
    size = (images[0].shape[1], images[0].shape[0]) if images else (1, 1)
    found = [view_of(image) for image in images if (image.shape[1], image.shape[0]) == size]
    return size, [view for view in found if view is not None]


def _blank(size: tuple[int, int]) -> np.ndarray:
    return np.full((size[1], size[0], 3), 255, np.uint8)


def _finite(value: float) -> float | None:
    return round(value, 2) if np.isfinite(value) else None
