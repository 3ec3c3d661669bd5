"""From pixels to the table: where a read marker puts its disc, in millimetres.

Knows the plane and the marker's place on the disc; knows nothing of the game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from card_printables.marker import FORMER_BACK_SYMBOL_MM, BackPlace, MarkerPlace
from companion.table.sighting import Point, Sighting
from companion.vision.codes.detection import Detection
from companion.vision.frame.plane_mapping import PlaneMapping


def locate_all(
    detections: Sequence[Detection], plane: PlaneMapping, place: MarkerPlace
) -> tuple[Sighting, ...]:
    """The sightings of card detections: a disc's centre and heading follow from its marker's four
    corners.

    The four corners in mm are fitted by a turn and a shift (least squares), so one bad corner moves
    the centre little.
    """
    every_mm = _corners_mm(detections, plane)
    return tuple(
        _sighting(detection, corners_mm, place)
        for detection, corners_mm in zip(detections, every_mm, strict=True)
    )


def locate(detection: Detection, plane: PlaneMapping, place: MarkerPlace) -> Sighting:
    """`locate_all` of one detection."""
    return locate_all([detection], plane, place)[0]


def _sighting(detection: Detection, corners_mm: np.ndarray, place: MarkerPlace) -> Sighting:
    centre, turn = _disc_under(corners_mm, place.centre_mm)
    corners_px = tuple(
        (float(px), float(py)) for px, py in np.asarray(detection.corners_px, float).reshape(4, 2)
    )
    return Sighting(
        detection.card or 0, centre, math.degrees(turn) % 360.0, corners_px, float(detection.score)
    )


def centre_of_back(detection: Detection, plane: PlaneMapping, place: MarkerPlace) -> Point:
    """The disc's centre of a card lying face down, whose face has its code at `place`.

    Backs carry a code as large as the faces', near the rim; those of decks printed before, told by
    its size, a large one in the middle.
    """
    corners = _corners_mm([detection], plane)[0]
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    if abs(side - FORMER_BACK_SYMBOL_MM) < abs(side - place.symbol_mm):
        x, y = corners.mean(axis=0)
        return (float(x), float(y))
    return _disc_under(corners, BackPlace(place.disc_mm, place.symbol_mm).centre_mm)[0]


def _corners_mm(detections: Sequence[Detection], plane: PlaneMapping) -> np.ndarray:
    """The codes' corners on the table, (N, 4, 2) float mm."""
    corners_px = np.array([detection.corners_px for detection in detections], float)
    return np.asarray(plane.to_mm(corners_px.reshape(-1, 2)), float).reshape(-1, 4, 2)


def _disc_under(corners_mm: np.ndarray, code_mm: Point) -> tuple[Point, float]:
    """Centre and turn (radians) of the disc whose code, printed upright with its middle at
    `code_mm`, has these corners (4, 2)."""
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    x, y = corners_mm.mean(axis=0)
    seen = corners_mm - (x, y)
    turn = math.atan2(
        float(np.sum(square[:, 0] * seen[:, 1] - square[:, 1] * seen[:, 0])),
        float(np.sum(square * seen)),
    )
    cos, sin = math.cos(turn), math.sin(turn)
    return (
        float(x - (cos * code_mm[0] - sin * code_mm[1])),
        float(y - (sin * code_mm[0] + cos * code_mm[1])),
    ), turn


def middle_px(detection: Detection) -> Point:
    """The middle of a detection in the picture, px."""
    x, y = np.asarray(detection.corners_px, float).reshape(4, 2).mean(axis=0)
    return (float(x), float(y))
