"""How sharp and how bright print is: blur, paper and ink at the edges of black squares, which are
found by their outline. Nothing is read, so those that are too blurred to be read count as well."""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, sqrt

import cv2
import numpy as np

SMALLEST_PX = 24.0
"""Side of the smallest square; the ring of a finder pattern is a seventh of it."""

ROWS_A_SIDE = 13
"""Profiles across each side, over its middle three fifths; half of all must show an edge."""

STEP_PX = 1 / 8
PIXEL = round(1 / STEP_PX)
LEAST_CONTRAST = 20.0
MOST_OFF_PX = 1.5
"""An edge that is farther from the outline is another edge."""

BLURS_PX = np.linspace(0.05, 4.0, 800)
RISES = np.array([erf(0.5 / (blur * sqrt(2))) for blur in BLURS_PX])
"""What part of the way from ink to paper an edge of each blur climbs within its middle pixel."""


@dataclass(frozen=True, slots=True)
class PrintedEdge:
    """A black square's edge: the blur (sigma, px) that explains its slope, the pixel's own width and
    the sharpening with it, and the grey levels of paper and ink beside it."""

    blur_px: float
    white: float
    black: float


def printed_edges(grey: np.ndarray) -> list[PrintedEdge]:
    """The edges of all black squares on paper in a picture (H, W) uint8."""
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    named, _, others = finder.detectMarkers(grey)
    squares = [corners[0].astype(float) for corners in (*named, *others)]
    return [edge for square in squares if (edge := _edge(grey, square)) is not None]


def _edge(grey: np.ndarray, corners_px: np.ndarray) -> PrintedEdge | None:
    """The edge round a square (4, 2) px; None where it is small, cut off, or no ink on paper."""
    ends = np.roll(corners_px, -1, axis=0)
    side_px = float(np.linalg.norm(ends - corners_px, axis=1).min())
    if side_px < SMALLEST_PX:
        return None
    across = np.arange(-1, 1, STEP_PX / (min(side_px / 9, 8.0) + 1))
    profiles = _profiles(grey, corners_px, ends, across * (min(side_px / 9, 8.0) + 1))
    half = len(across) // 2
    black = profiles[:, :half].min(axis=1)
    white = np.median(profiles[:, -half // 2 :], axis=1)
    below = profiles < ((black + white) / 2)[:, None]
    crossed = len(across) - 1 - np.argmax(below[:, ::-1], axis=1)
    is_edge = (white - black > LEAST_CONTRAST) & (black < 0.6 * white)
    is_edge &= np.abs(crossed - half) * STEP_PX < MOST_OFF_PX
    if is_edge.sum() < 2 * ROWS_A_SIDE:
        return None
    profiles, white, black = profiles[is_edge], white[is_edge], black[is_edge]
    reach = round(2.5 * PIXEL)
    middle = int(np.median(crossed[is_edge]))
    near = profiles[:, max(middle - reach, 0) : middle + reach]
    climbed = (near[:, PIXEL:] - near[:, :-PIXEL]).max(axis=1) / (white - black)
    blur = float(BLURS_PX[np.argmin(np.abs(RISES - np.median(climbed)))])
    return PrintedEdge(blur, float(np.median(white)), float(np.median(black)))


def _profiles(
    grey: np.ndarray, starts_px: np.ndarray, ends_px: np.ndarray, across_px: np.ndarray
) -> np.ndarray:
    """Grey levels (rows, n) float along lines from inside to outside, across all four sides."""
    rows = []
    for start, end in zip(starts_px, ends_px, strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        out = np.array([along[1], -along[0]])
        out *= 1 if out @ ((start + end) / 2 - starts_px.mean(axis=0)) > 0 else -1
        shares = np.linspace(0.2, 0.8, ROWS_A_SIDE)
        rows += [start + (end - start) * share + across_px[:, None] * out for share in shares]
    at = np.array(rows, np.float32)
    return cv2.remap(
        grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    ).astype(float)
