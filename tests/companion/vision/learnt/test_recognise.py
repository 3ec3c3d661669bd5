"""What names a card at a place, witness by witness."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.card_outline import CardOutline
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_size
from companion.vision.learnt.polar_field import field_patch
from companion.vision.learnt.recognise import RECOGNISE_RULE, Recogniser

DISC_MM = 80.0
OUTLINE = CardOutline.disc(DISC_MM)

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
        LearntDeck("box", OUTLINE, tuple(LearntCard((look,)) for look in looks)), TONES_ALONE
    )
    for aside_px, named in ((0, True), (1, True), (5, False)):
        seen = known.view_of(looks[2])
        moved = np.roll(seen.bgr, aside_px, axis=1)
        found = known.recognise(known.view(moved))
        assert found.card == 3
        assert found.sure is named


def test_steps_of_colour_have_nothing_of_a_lamps_gloss() -> None:
    """A mirrored lamp adds the same light to all colours: on a dim card that it does not burn out the
    steps of the colours stay as they were (ratios of colours would be alike by 0.87)."""
    look = (_painted(7) * 0.25).astype(np.uint8)
    y, x = np.mgrid[: len(look), : len(look)] - len(look) / 2
    gloss = 0.4 * np.exp(-0.5 * ((x - 10) ** 2 + y**2) / 12**2)[..., None]
    glossy = (255 * ((look / 255.0) ** 2.2 + gloss).clip(0, 1) ** (1 / 2.2)).astype(np.uint8)
    bare, lit = field_patch(look, DISC_MM / 2), field_patch(glossy, DISC_MM / 2)
    told = lit.sure > 0
    assert told.mean() > 0.9
    colours = np.s_[..., 4:]
    alike = np.corrcoef(bare.steps[told][colours].ravel(), lit.steps[told][colours].ravel())[0, 1]
    assert alike > 0.92


def test_no_witness_names_a_card_alone() -> None:
    """Neither the field's lead, nor the tones, nor keypoints are enough without another of them."""
    rule = RECOGNISE_RULE
    assert rule.lead_says * rule.most_lead < 1
    assert rule.keypoint_says * rule.most_keypoints < 1
    assert rule.least_tone_lead > 0


@pytest.mark.parametrize("outline", [OUTLINE, CardOutline.rectangle(60.0, 90.0)], ids=str)
def test_a_card_of_one_colour_leaves_the_others_their_names(outline: CardOutline) -> None:
    """It has no picture to be told by, and is like nothing; numbers that are none named no card at all."""
    width, height = look_size(outline)
    looks = [
        *(_painted(seed, outline) for seed in range(4)),
        np.full((height, width, 3), 128, np.uint8),
    ]
    known = Recogniser(LearntDeck("box", outline, tuple(LearntCard((look,)) for look in looks)))
    found = [known.recognise(known.view_of(look)) for look in looks]
    assert [one.card for one in found if one.sure] == [1, 2, 3, 4]
    assert all(np.isfinite([one.evidence, one.lead]).all() for one in found)


def _painted(seed: int, outline: CardOutline = OUTLINE) -> np.ndarray:
    """A look of soft coloured blobs."""
    small = np.random.default_rng(seed).integers(40, 215, (6, 6, 3)).astype(np.uint8)
    return cv2.resize(small, look_size(outline), interpolation=cv2.INTER_CUBIC)
