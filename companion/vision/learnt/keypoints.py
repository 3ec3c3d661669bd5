"""A second description of a picture, made another way: corners and blobs with their surroundings.

Knows grey pixels of rectified patches. Must not know fields, names or tables. What the field says is
confirmed where several of these lie where they must; few in a picture say nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.learnt.field_match import FieldPose
from companion.vision.learnt.polar_field import PATCH_STEP_MM

UPRIGHT = FieldPose(0.0, 0.0, 0.0)
MOST = 90
"""Keypoints of one look, the strongest."""

NEAR_MM = 3.0
TURNED_DEG = 25.0
LARGER = 1.7
CLOSER = 0.85
"""A keypoint confirms a card when it is so much nearer (in its surroundings) to one of the card's,
within `NEAR_MM`, `TURNED_DEG` and `LARGER` of where that must lie, than to any of other cards."""

UNLIKE = 0.6
"""The nearest of many foreign keypoints is so far away at most; stands for the cohort of a small
deck."""

COHORT = 500
"""So many keypoints of all cards stand for "any"."""


@dataclass(frozen=True, slots=True)
class Keypoints:
    """Keypoints about a patch's middle: `at_mm` (N, 2), `turn_deg` and `size_mm` (N,), and their
    surroundings (N, 128) float32 of length 1."""

    at_mm: np.ndarray
    turn_deg: np.ndarray
    size_mm: np.ndarray
    words: np.ndarray


KEPT_OFF_RIM_MM = 3.0
"""So much of a card's edge has no keypoints."""


def find_keypoints(bgr: np.ndarray, outline: CardOutline, pose: FieldPose = UPRIGHT) -> Keypoints:
    """The strongest keypoints on the card in a patch (n, n, 3) uint8 BGR at `PATCH_STEP_MM`, where it lies
    about so."""
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    middle = len(grey) // 2
    mask = np.zeros(grey.shape, np.uint8)
    if outline.round:
        reach = round((outline.radius_mm - KEPT_OFF_RIM_MM) / PATCH_STEP_MM)
        cv2.circle(mask, (middle, middle), reach, 255, -1)
    else:
        centre = (middle + pose.x_mm / PATCH_STEP_MM, middle + pose.y_mm / PATCH_STEP_MM)
        sides = [
            (mm - 2 * KEPT_OFF_RIM_MM) / PATCH_STEP_MM
            for mm in (outline.width_mm, outline.height_mm)
        ]
        corners = cv2.boxPoints((centre, sides, pose.turn_deg))
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255)
    sift = cv2.SIFT.create(MOST, 3, 0.012, 12, 1.3)
    points, words = sift.detectAndCompute(grey, mask)
    if words is None or not len(points):
        return Keypoints(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 128), np.float32))
    at = (np.array([p.pt for p in points]) - middle) * PATCH_STEP_MM
    turn = np.array([p.angle for p in points])
    size = np.array([p.size for p in points]) * PATCH_STEP_MM
    rooted = np.sqrt(words / np.maximum(words.sum(1, keepdims=True), 1e-6))
    return Keypoints(at, turn, size, rooted.astype(np.float32))


@dataclass(frozen=True, slots=True)
class Confirmation:
    """How many keypoints confirm a card at a pose, and by how much they lie apart from where the card
    has them, mm (the median; a twin has them elsewhere)."""

    spots: int = 0
    stray_mm: float = NEAR_MM


class KeypointDeck:
    """The keypoints of a deck's cards."""

    def __init__(self, looks: Sequence[Sequence[Keypoints]]) -> None:
        self._cards = [
            Keypoints(
                *(
                    np.concatenate([getattr(look, part) for look in card])
                    for part in ("at_mm", "turn_deg", "size_mm", "words")
                )
            )
            for card in looks
        ]
        words = np.concatenate([card.words for card in self._cards])
        owner = np.repeat(np.arange(len(looks)), [len(card.words) for card in self._cards])
        pick = np.random.default_rng(0).permutation(len(words))[:COHORT]
        self._cohort = words[pick]
        self._cohort_owner = owner[pick]

    def rivals(self, seen: Keypoints) -> np.ndarray:
        """How unlike each of a place's keypoints is to each of the cohort, (N, cohort)."""
        if not len(seen.words) or not len(self._cohort):
            return np.full((len(seen.words), 1), 2.0, np.float32)
        # OpenCV's product: numpy's takes every core for one so small.
        nothing = np.zeros((0, 0), np.float32)
        alike = cv2.gemm(seen.words, self._cohort, 1.0, nothing, 0.0, flags=cv2.GEMM_2_T)
        return np.asarray(2 - 2 * alike)

    def confirm(
        self, seen: Keypoints, rivals: np.ndarray, row: int, pose: FieldPose
    ) -> Confirmation:
        """What a place's keypoints say of this card in this pose; `rivals` as `rivals` says."""
        card = self._cards[row]
        if not len(seen.words) or not len(card.words):
            return Confirmation()
        turn = np.radians(pose.turn_deg)
        cos, sin = np.cos(turn), np.sin(turn)
        must = card.at_mm @ np.array([[cos, sin], [-sin, cos]]) + (pose.x_mm, pose.y_mm)
        off_x, off_y = (seen.at_mm[:, None, axis] - must[None, :, axis] for axis in (0, 1))
        which, its = np.nonzero(off_x * off_x + off_y * off_y < NEAR_MM**2)
        off = (seen.turn_deg[which] - card.turn_deg[its] - pose.turn_deg + 180) % 360 - 180
        larger = np.abs(np.log(seen.size_mm[which] / card.size_mm[its]))
        fits = (np.abs(off) < TURNED_DEG) & (larger < np.log(LARGER))
        which, its = which[fits], its[fits]
        own = np.full(len(seen.words), 4.0)
        unlike = 2 - 2 * np.einsum("ij,ij->i", seen.words[which], card.words[its])
        np.minimum.at(own, which, unlike)
        others = self._cohort_owner != row
        rival = np.full(len(own), UNLIKE)
        if rivals.shape[1] == len(others) and others.any():
            rival = np.minimum(rivals[:, others].min(1), UNLIKE)
        good = own < CLOSER**2 * rival
        # Several keypoints at one spot say one thing.
        spots = len({(round(x / 2), round(y / 2)) for x, y in seen.at_mm[good]})
        if spots < 3:
            return Confirmation(spots)
        fine = good[which] & (unlike <= own[which] + 1e-6)
        stray = seen.at_mm[which[fine]] - must[its[fine]]
        stray = stray - np.median(stray, axis=0)
        return Confirmation(spots, float(np.median(np.hypot(stray[:, 0], stray[:, 1]))))
