"""A place on the table seen straight from above, out of the camera's picture.

Knows the plane and pixels. Must not know cards.
"""

from __future__ import annotations

import cv2
import numpy as np

from companion.table.sighting import Point
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.polar_field import PATCH_STEP_MM, patch_size

LATTICE = 9
"""The plane is asked at so many points along a side and filled in between: a lens bends a patch by
less than 0.1 px from that."""


def cut_patch(
    image_bgr: np.ndarray, plane: PicturePlane, centre_mm: Point, reach_mm: float
) -> tuple[np.ndarray, np.ndarray]:
    """The patch about this place for a card of this half width, (n, n, 3) uint8 at
    `PATCH_STEP_MM`, and what of it the picture holds, (n, n) bool."""
    size = patch_size(reach_mm)
    return turned_patch(image_bgr, plane, centre_mm, 0.0, (size, size))


def turned_patch(
    image_bgr: np.ndarray,
    plane: PicturePlane,
    centre_mm: Point,
    heading_deg: float,
    size_px: tuple[int, int],
) -> tuple[np.ndarray, np.ndarray]:
    """The same, turned so that what lies with this heading is upright, as wide and high as `size_px`."""
    half = [(size // 2) * PATCH_STEP_MM for size in size_px]
    x, y = np.meshgrid(*(np.linspace(-reach, reach, LATTICE) for reach in half))
    turn = np.radians(heading_deg)
    mm = np.stack([x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)], -1)
    px = np.asarray(plane.to_px(mm.reshape(-1, 2) + np.array(centre_mm)), np.float64)
    px = np.nan_to_num(px, nan=-1e4, posinf=-1e4, neginf=-1e4).reshape(LATTICE, LATTICE, 2)
    column, row = np.meshgrid(
        *(np.linspace(0, LATTICE - 1, size, dtype=np.float32) for size in size_px)
    )
    maps = cv2.remap(px.astype(np.float32), column, row, cv2.INTER_LINEAR)
    height, width = image_bgr.shape[:2]
    inside = (maps > 1).all(-1) & (maps[..., 0] < width - 2) & (maps[..., 1] < height - 2)
    # The part of the picture that holds the patch, shrunk to about one pixel a patch pixel.
    low = np.clip(np.floor(px.min((0, 1))).astype(int) - 3, 0, (width - 8, height - 8))
    high = np.clip(np.ceil(px.max((0, 1))).astype(int) + 4, low + 8, (width, height))
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    across = np.linalg.norm(px[LATTICE // 2, -1] - px[LATTICE // 2, 0])
    along = np.linalg.norm(px[-1, LATTICE // 2] - px[0, LATTICE // 2])
    pixels = float(size_px[0] * size_px[1]) ** 0.5
    shrink = int(np.clip(max(float(across * along), 1.0) ** 0.5 / pixels + 0.35, 1, 8))
    if shrink > 1 and min(part.shape[:2]) >= shrink:
        rows, columns = part.shape[0] // shrink, part.shape[1] // shrink
        part = cv2.resize(
            part[: rows * shrink, : columns * shrink], (columns, rows), interpolation=cv2.INTER_AREA
        )
    else:
        shrink = 1
    maps = (maps - low.astype(np.float32) + np.float32(0.5)) / np.float32(shrink) - np.float32(0.5)
    seen = cv2.remap(
        part, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return seen, inside
