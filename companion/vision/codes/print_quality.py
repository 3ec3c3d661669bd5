"""How well a card is printed: the likeness of its code to what it should be, measured the same way
at every size.

The reader stops as soon as it is sure; this looks longer, from several poses and blurs, at a copy
of the code brought to one size, so that two prints can be compared. Knows pixels and words; knows
no deck.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from card_printables.deck import word_for, words
from card_printables.marker import MODULES
from companion.vision.codes.detection import Corners, Reading
from companion.vision.codes.pose import (
    FINEST_PX_PER_MODULE,
    TRACKED_SPREAD,
    poses_of_corners,
    refine_poses,
)
from companion.vision.codes.word_templates import word_scores
from companion.vision.frame.image_pyramid import ImagePyramid

SIDE_PX = 0.97 * FINEST_PX_PER_MODULE * MODULES
"""Side that each code is brought to: as large as is sampled without halving."""

AROUND_SHARE = 0.35
"""Picture kept round the code, in its sides: the quiet zone and the light on it."""

STARTS = 4
"""Poses that are tried: of 40 sound codes one start alone leaves five in a wrong pose, four leave
none."""

JITTER_SHARE = 0.03
"""How far their corners are moved, in sides; chosen."""

TRIED_BLURS_MODULES = (0.4, 0.6)
"""Blurs of the template that are tried."""

REFINE_STEPS = 5
"""Steps to the best pose; chosen."""


def print_quality(
    grey: np.ndarray, reading: Reading, skip: Collection[int] = ()
) -> dict[int, float]:
    """The likeness -1..1 of every card read in `grey` ((H, W) uint8) but those in `skip`; sound
    prints reach 0.9 and more with two pixels a module, 15 ms a card."""
    return {
        card: _likeness(grey, found.corners_px, words().index(word_for(card, str(found.deck))))
        for card, found in reading.cards.items()
        if card not in skip
    }


def _likeness(grey: np.ndarray, corners: Corners, word: int) -> float:
    picture, points = _at_one_size(grey, np.array(corners, float))
    moved = np.random.default_rng(0).normal(0.0, JITTER_SHARE * SIDE_PX, (STARTS, 4, 2))
    moved[0] = 0.0
    pyramid, which = ImagePyramid(picture), np.full(STARTS, word)
    best = -1.0
    for blur in TRIED_BLURS_MODULES:
        _, patches = refine_poses(
            pyramid, poses_of_corners(points + moved), which, blur, TRACKED_SPREAD, REFINE_STEPS
        )
        best = max(best, float(word_scores(patches, blur)[1][:, word].max()))
    return best


def _at_one_size(grey: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The code cut out and scaled to `SIDE_PX`, and its corners (4, 2) there."""
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    low = np.maximum(np.floor(corners.min(axis=0) - AROUND_SHARE * side).astype(int), 0)
    high = np.minimum(
        np.ceil(corners.max(axis=0) + AROUND_SHARE * side).astype(int), grey.shape[::-1]
    )
    cropped_to = grey[low[1] : high[1], low[0] : high[0]]
    factor = SIDE_PX / side
    scaled = cv2.resize(
        cropped_to,
        None,
        fx=factor,
        fy=factor,
        interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC,
    )
    true = np.array(scaled.shape[::-1]) / cropped_to.shape[::-1]
    return scaled, (corners - low + 0.5) * true - 0.5
