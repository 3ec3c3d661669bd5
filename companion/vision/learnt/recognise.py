"""Which cards of a learnt deck lie at these places? One joint answer: each card once, each place once.

Two descriptions made apart are asked: the field (`field_match`) says which card and how it lies, the
keypoints (`keypoints`) confirm it or do not. Knows patches of pictures; must not know tables or time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log

import cv2
import numpy as np

from companion.vision.learnt.deck import LOOK_STEP_MM, LearntDeck
from companion.vision.learnt.field_match import REFINED_BY, FieldDeck, FieldMatch, FieldPose
from companion.vision.learnt.keypoints import KeypointDeck, find_keypoints
from companion.vision.learnt.polar_field import (
    PATCH_STEP_MM,
    TURNS,
    FieldPatch,
    field_patch,
    patch_size,
)


@dataclass(frozen=True, slots=True)
class RecogniseRule:
    """How much is enough for a name. Chosen on a renderer that is not the benchmark's."""

    centres_mm: float = 2.5
    """The middle of a disc found by its rim is off by so much and little more."""
    refined: int = 4
    """So many of the likeliest cards are pulled into place."""
    shown_costs: float = 0.09
    """The part that looks like the card is chosen to fit, so it says so much less."""
    own: float = 0.30
    lead: float = 0.25
    """Evidence for the card, and its lead over every other one: enough without keypoints."""
    faint_own: float = 0.09
    faint_lead: float = 0.03
    faint_keypoints: int = 3
    """...or so much, and so many keypoints that confirm it, and none that say another."""
    some_own: float = 0.20
    some_lead: float = 0.12
    some_keypoints: int = 2
    clear_own: float = 0.25
    clear_lead: float = 0.15
    clear_share: float = 0.5
    """...or one keypoint where the lead is such a share of the evidence: foreign discs are like several
    cards at once."""
    rival_keypoints: float = 0.4
    """Another card may be confirmed by such a share of them at most."""
    still_there: float = 0.18
    """Evidence by which a card that was named here still lies here."""


RECOGNISE_RULE = RecogniseRule()


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place's patch about a told middle, (n, n, 3) uint8 BGR at `PATCH_STEP_MM`, and its field."""

    bgr: np.ndarray
    field: FieldPatch


@dataclass(frozen=True, slots=True)
class CardFound:
    """A card at a place: its number, where it lies from the patch's middle (mm) and how turned; the
    evidence for it, its lead over the next card, how many keypoints confirm it, and by how much they lie
    apart from where they must; and whether it is `sure`."""

    card: int
    pose: FieldPose
    evidence: float
    lead: float
    keypoints: int
    stray_mm: float
    sure: bool

    @property
    def worth(self) -> float:
        """By which two places that both claim a card are compared."""
        return self.evidence + self.lead + 0.05 * self.keypoints


class Recogniser:
    """Knows the cards of one learnt deck."""

    def __init__(self, deck: LearntDeck, rule: RecogniseRule = RECOGNISE_RULE) -> None:
        self.deck = deck
        self.reach_mm = deck.disc_mm / 2
        self._rule = rule
        step = rule.centres_mm
        self._centres = np.array([(x, y) for x in (-step, 0, step) for y in (-step, 0, step)])
        views = [[self.view_of(look) for look in card.looks] for card in deck.cards]
        self._field = FieldDeck([[view.field for view in card] for card in views], self.reach_mm)
        self._keypoints = KeypointDeck(
            [[find_keypoints(view.bgr, self.reach_mm) for view in card] for card in views]
        )

    def view_of(self, look: np.ndarray) -> PlaceView:
        """A stored look as if it lay there."""
        return self.view(_widened(look, self.reach_mm))

    @staticmethod
    def view(bgr: np.ndarray, inside: np.ndarray | None = None) -> PlaceView:
        """A patch (n, n, 3) uint8 BGR, ready to be asked about; `inside` (n, n) bool: what of it the
        picture holds."""
        return PlaceView(bgr, field_patch(bgr, inside))

    def recognise(self, view: PlaceView) -> CardFound:
        """The likeliest card at a place, and whether it is `sure`."""
        rule = self._rule
        likeness, turn = self._field.rank(view.field, self._centres)
        rows = np.argsort(-likeness.max(1))[: rule.refined]
        at = likeness[rows].argmax(1)
        poses = np.column_stack([self._centres[at], turn[rows, at] * (360 / TURNS)])
        matches = sorted(self._field.refine(view.field, rows, poses), key=self._score, reverse=True)
        best, lead = matches[0], 1.0
        if len(matches) > 1:
            lead = self._score(best) - self._score(matches[1])
        seen = find_keypoints(view.bgr, self.reach_mm)
        rivals = self._keypoints.rivals(seen)
        said = [self._keypoints.confirm(seen, rivals, m.row, m.pose) for m in matches]
        found = CardFound(
            best.row + 1, best.pose, self._score(best), lead, said[0].spots, said[0].stray_mm, False
        )
        rival_keypoints = max((other.spots for other in said[1:]), default=0)
        return replace(found, sure=self._is_sure(found, rival_keypoints))

    def still_lies(self, view: PlaceView, card: int, pose: FieldPose) -> FieldPose | None:
        """Where this card lies now, if it still lies where it was named; None when it does not show
        there."""
        rows = np.array([card - 1])
        poses = np.array([[pose.x_mm, pose.y_mm, pose.turn_deg]])
        match = self._field.refine(view.field, rows, poses, REFINED_BY[1:])[0]
        return match.pose if self._score(match) >= self._rule.still_there else None

    def likeness_of(self, view: PlaceView) -> list[tuple[float, int]]:
        """How alike the place and each card are, -1 to 1, the likeliest first."""
        likeness, _ = self._field.rank(view.field, self._centres)
        best = likeness.max(1)
        return [(float(best[row]), int(row) + 1) for row in np.argsort(-best)]

    def _score(self, match: FieldMatch) -> float:
        return max(
            _evidence(match.likeness, match.free),
            _evidence(match.shown, match.share) - self._rule.shown_costs,
        )

    def _is_sure(self, found: CardFound, rival_keypoints: int) -> bool:
        rule = self._rule
        if rival_keypoints > rule.rival_keypoints * max(found.keypoints, 2):
            return False
        return (
            (found.evidence >= rule.own and found.lead >= rule.lead)
            or (
                found.evidence >= rule.some_own
                and found.lead >= rule.some_lead
                and found.keypoints >= rule.some_keypoints
            )
            or (
                found.evidence >= rule.clear_own
                and found.lead >= max(rule.clear_lead, rule.clear_share * found.evidence)
                and found.keypoints >= 1
            )
            or (
                found.evidence >= rule.faint_own
                and found.lead >= rule.faint_lead
                and found.keypoints >= rule.faint_keypoints
            )
        )


def each_card_once(found: Mapping[int, CardFound]) -> dict[int, CardFound]:
    """The sure ones of what was found, place by place: where two places claim a card, the one that
    is much surer has it, or neither."""
    kept: dict[int, CardFound] = {}
    for place, card in found.items():
        others = [o for at, o in found.items() if at != place and o.card == card.card]
        if card.sure and all(card.worth > 1.5 * other.worth for other in others):
            kept[place] = card
    return kept


def _evidence(likeness: float, share: float) -> float:
    likeness = min(max(likeness, 0.0), 0.995)
    return -share * log(1.0 - likeness * likeness)


def _widened(look: np.ndarray, reach_mm: float) -> np.ndarray:
    """A stored look as a patch."""
    assert LOOK_STEP_MM == PATCH_STEP_MM
    wide = (patch_size(reach_mm) - len(look)) // 2
    return cv2.copyMakeBorder(look, wide, wide, wide, wide, cv2.BORDER_REPLICATE)


def merged_views(views: Sequence[PlaceView]) -> PlaceView:
    """Several views of one place as one: what one of them cannot tell, another may."""
    sure = np.sum([view.field.sure for view in views], axis=0)
    steps = np.sum([v.field.steps * v.field.sure[..., None] for v in views], axis=0)
    field = FieldPatch(
        np.asarray(steps / np.maximum(sure, 1e-6)[..., None], np.float32),
        np.minimum(sure, 1.0).astype(np.float32),
    )
    bgr = np.mean([view.bgr for view in views], axis=0).astype(np.uint8)
    return PlaceView(bgr, field)
