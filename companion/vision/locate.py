"""From pixels to the table: where a read marker puts its disc, in millimetres.

Knows the plane and the marker's place on the disc; knows nothing of the game.
"""

from __future__ import annotations

import math

import numpy as np

from card_printables.marker import MarkerPlace
from companion.table.sighting import Point, Sighting
from companion.vision.codes.detection import Detection
from companion.vision.frame.plane_mapping import PlaneMapping


def locate(detection: Detection, plane: PlaneMapping, place: MarkerPlace) -> Sighting:
    """The sighting of a card detection: the disc's centre and heading follow from the marker's four
    corners.

    The four corners in mm are fitted by a turn and a shift (least squares), so one bad corner moves
    the centre little.
    """
    corners = np.asarray(plane.to_mm(np.asarray(detection.corners_px, float).reshape(4, 2)), float)
    printed = np.asarray(place.corners_mm, float)
    marker = np.asarray(place.centre_mm, float)
    seen, flat = corners - corners.mean(axis=0), printed - printed.mean(axis=0)
    turn = math.atan2(
        float(np.sum(flat[:, 0] * seen[:, 1] - flat[:, 1] * seen[:, 0])), float(np.sum(flat * seen))
    )
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = corners.mean(axis=0)
    centre = (
        float(x - (cos * marker[0] - sin * marker[1])),
        float(y - (sin * marker[0] + cos * marker[1])),
    )
    corners_px = tuple(
        (float(px), float(py)) for px, py in np.asarray(detection.corners_px, float).reshape(4, 2)
    )
    return Sighting(
        detection.card or 0, centre, math.degrees(turn) % 360.0, corners_px, float(detection.score)
    )


def centre_of_back(detection: Detection, plane: PlaneMapping) -> Point:
    """The disc's centre of a card lying face down: its mark is centred."""
    x, y = np.asarray(
        plane.to_mm(np.asarray(detection.corners_px, float).reshape(4, 2)), float
    ).mean(axis=0)
    return (float(x), float(y))


def middle_px(detection: Detection) -> Point:
    """The middle of a detection in the picture, px."""
    x, y = np.asarray(detection.corners_px, float).reshape(4, 2).mean(axis=0)
    return (float(x), float(y))
