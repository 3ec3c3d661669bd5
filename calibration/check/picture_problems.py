"""What is wrong with the picture itself: too dark, hazy, soft, smeared, glared at, shaken,
flickering.

Knows grey pixels, what the tags show of light, and the plane; must not know advice or the game.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.cameras.saturation import SATURATED_GREY
from calibration.check.problem import Problem, where_of
from calibration.geometry.plane import Plane
from calibration.tags.illumination import TagLight

DIM_CONTRAST = 80.0
"""Grey levels between black and white print below which a room is dim (chosen: a camera
in a lit room gives 100 to 180)."""

SOFT_PX = 1.4
"""Median edge blur that is called soft; from 0.7 to 1.2 px of blur
readers need a whole pixel a module more (tests/benchmarks/read_curve.py)."""

HAZE_SHARE = 0.2
"""TagLight of black print as a share of white's; print and a clean lens give 0.02 to 0.1, a
breathed-on one 0.3."""

SMEAR_TIMES = 1.7
"""One token so many times softer than the sharpest: there is a finger's print on that part of the
lens."""
_SMEAR_FROM_PX = 1.3

_GLARE_SHARE = 0.002
"""Burnt-out share of the middle that is called a glare: a disc of 3 cm on a table of 70 by 45 cm.
"""

SHAKY_PX = 1.0
"""Corners that jump by so much from frame to frame (1080p): the camera shakes. Still ones show 0.05
to 0.1."""

FLICKER_SHARE = 0.05
"""Change of brightness from frame to frame that is called flicker (chosen)."""


def picture_problems(grey: np.ndarray, lights: Sequence[TagLight], plane: Plane) -> list[Problem]:
    """What the light and the lens do to (H, W) uint8; the worst of each kind only."""
    if not lights:
        return []
    return _dim(lights) + (_soft(lights) or _dirty(lights, plane)) + _glare(grey, lights, plane)


def burnt_out(grey: np.ndarray, lights: Sequence[TagLight]) -> np.ndarray:
    """Where a lamp's glare burns the picture out, (H, W) bool: brighter than white paper, not only
    a white cloth."""
    white = max((one.white for one in lights), default=200.0)
    if white >= SATURATED_GREY - 2:
        return np.zeros(grey.shape, bool)
    spots = (grey >= SATURATED_GREY).astype(np.uint8)
    side = max(3, grey.shape[1] // 320) | 1
    return cv2.morphologyEx(spots, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)).astype(bool)


def unsteady(jitter_px: float, flicker: float, width_px: int) -> list[Problem]:
    """What only several pictures show: shaking and flicker."""
    found = []
    if jitter_px > SHAKY_PX * max(1.0, width_px / 1920):
        found.append(
            Problem(
                "shaky",
                "The camera shakes: put it on something firm.",
                params={"px": round(jitter_px, 1)},
            )
        )
    if flicker > FLICKER_SHARE:
        percent = round(100 * flicker)
        found.append(
            Problem(
                "flicker",
                f"The light flickers ({percent} %): choose 50 or 60 Hz as your mains has, or "
                "another lamp.",
                params={"percent": percent},
            )
        )
    return found


def _dim(lights: Sequence[TagLight]) -> list[Problem]:
    contrast = float(np.median([one.contrast for one in lights]))
    if contrast >= DIM_CONTRAST:
        return []
    return [
        Problem(
            "dim",
            f"The table is dark (contrast {contrast:.0f} of 255): switch on a light.",
            params={"contrast": round(contrast)},
        )
    ]


def _soft(lights: Sequence[TagLight]) -> list[Problem]:
    blur = float(np.median([one.blur_px for one in lights]))
    if blur <= SOFT_PX:
        return []
    return [
        Problem(
            "soft",
            f"The picture is soft ({blur:.1f} px): wipe the lens, let the camera focus on the table.",
            params={"blur_px": round(blur, 1)},
        )
    ]


def _dirty(lights: Sequence[TagLight], plane: Plane) -> list[Problem]:
    haze = float(
        np.median([((max(one.black, 1.0)) / max(one.white, 1.0)) ** 2.2 for one in lights])
    )
    if haze > HAZE_SHARE:
        return [
            Problem(
                "dirty",
                f"The lens is hazy (black shows {100 * haze:.0f} % of white): wipe it, and keep lamps "
                "from shining into it.",
                params={"percent": round(100 * haze)},
            )
        ]
    worst = max(lights, key=lambda one: one.blur_px)
    if len(lights) > 2 and worst.blur_px > max(
        _SMEAR_FROM_PX, SMEAR_TIMES * float(np.median([one.blur_px for one in lights]))
    ):
        where = where_of(plane.size_px, worst.at_px)
        return [Problem("dirty", f"The lens is smeared {where}: wipe it.", params={"where": where})]
    return []


def _glare(grey: np.ndarray, lights: Sequence[TagLight], plane: Plane) -> list[Problem]:
    if plane.middle_mm is None:
        return []
    rim = np.nan_to_num(plane.to_px(np.array(plane.middle_mm)), nan=0.0)
    middle = cv2.fillConvexPoly(
        np.zeros(grey.shape, np.uint8), np.clip(rim, -1e5, 1e5).astype(np.int32), 1
    ).astype(bool)
    spots = burnt_out(grey, lights) & middle
    share = spots.sum() / max(int(middle.sum()), 1)
    if share < _GLARE_SHARE:
        return []
    _, _, about, centres = cv2.connectedComponentsWithStats(spots.astype(np.uint8))
    x, y = centres[1 + int(about[1:, cv2.CC_STAT_AREA].argmax())]
    where = where_of(plane.size_px, (float(x), float(y)))
    return [
        Problem(
            "glare",
            f"Lamp glare {where}: turn the lamp away or tilt the camera a little.",
            params={"where": where, "percent": round(100 * float(share), 1)},
        )
    ]
