"""What names a card at a place, witness by witness."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.learnt.deck import LearntCard, LearntDeck, look_px
from companion.vision.learnt.recognise import RECOGNISE_RULE, Recogniser

DISC_MM = 80.0

TONES_ALONE = replace(
    RECOGNISE_RULE,
    lead_says=0.0,
    tone_lead_says=0.0,
    tone_gain_says=1.1,
    tone_gain=(-1.0, 1.0),
    keypoint_says=0.0,
    rival_says=0.0,
)
"""A name by how well a card's tones fit, and by nothing else that could outweigh where it lies."""


def test_a_picture_that_fits_only_beside_the_rim_has_no_name() -> None:
    """The rim says where a card's middle is: what must be pulled 4 mm aside to fit is another picture."""
    looks = [_painted(seed) for seed in range(4)]
    known = Recogniser(
        LearntDeck("box", DISC_MM, tuple(LearntCard((look,)) for look in looks)), TONES_ALONE
    )
    for aside_px, named in ((0, True), (1, True), (5, False)):
        seen = known.view_of(looks[2])
        moved = np.roll(seen.bgr, aside_px, axis=1)
        found = known.recognise(known.view(moved))
        assert found.card == 3
        assert found.sure is named


def _painted(seed: int) -> np.ndarray:
    """A look of soft coloured blobs."""
    small = np.random.default_rng(seed).integers(40, 215, (6, 6, 3)).astype(np.uint8)
    wide = look_px(DISC_MM)
    return cv2.resize(small, (wide, wide), interpolation=cv2.INTER_CUBIC)
