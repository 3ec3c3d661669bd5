"""The middle of the table: the part in which the cards of a round lie.

Knows the tokens' places and the view of the camera; must not know the game.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from calibration.geometry.place import PiecePlace, Polygon
from calibration.geometry.plane import Plane
from card_printables.token import TOKEN_MM, TOKEN_NAMES

MIDDLE_MARGIN_MM = TOKEN_MM / 4
"""The middle reaches this far beyond the tokens' centres: a disc laid on the line between two
tokens still lies in it, one that lies beside the tokens' outer edges does not."""


def middle_of(places: Mapping[str, PiecePlace], view: Plane) -> tuple[Polygon | None, bool]:
    """The middle, and whether the tokens give it: the quadrilateral of their centres pulled
    outwards by `MIDDLE_MARGIN_MM`; with fewer than three tokens seen, the table that the picture
    shows."""
    seen = [name for name in TOKEN_NAMES if name in places and not places[name].inferred]
    if len(seen) < 3:
        return _whole_view(view), False
    centres = np.array([(places[n].x_mm, places[n].y_mm) for n in TOKEN_NAMES if n in places])
    inside = centres.mean(axis=0)
    order = np.argsort(np.arctan2(*(centres - inside).T[::-1]), kind="stable")
    return _offset(centres[order], MIDDLE_MARGIN_MM), True


def _offset(polygon: np.ndarray, margin: float) -> Polygon:
    """A convex polygon (clockwise as the camera sees it) with every side moved outwards by
    `margin`."""
    corners = []
    for i, corner in enumerate(polygon):
        into, out = (
            _unit(polygon[j] - polygon[k]) for j, k in ((i, i - 1), ((i + 1) % len(polygon), i))
        )
        normals = np.array([(into[1], -into[0]), (out[1], -out[0])])
        if abs(np.linalg.det(normals)) < 0.2:
            corners.append(corner + margin * _unit(normals.sum(axis=0)))
        else:
            corners.append(corner + np.linalg.solve(normals, [margin, margin]))
    return tuple((float(x), float(y)) for x, y in corners)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / max(float(np.hypot(*vector)), 1e-9)


def _whole_view(view: Plane) -> Polygon | None:
    """The table in the picture, its rim walked once; parts at the horizon are left out."""
    w, h = view.width_px - 1, view.height_px - 1
    rim = [(w * t, 0) for t in (0, 0.5)] + [(w, h * t) for t in (0, 0.5)]
    rim += [(w * t, h) for t in (1, 0.5)] + [(0, h * t) for t in (1, 0.5)]
    places = view.to_mm(np.array(rim, float))
    near = np.isfinite(places).all(axis=1) & (np.abs(places).max(axis=1) < 5000)
    return tuple((float(x), float(y)) for x, y in places[near]) if near.sum() >= 3 else None
