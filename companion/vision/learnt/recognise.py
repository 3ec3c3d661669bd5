"""Which cards of a learnt deck lie at these places? One joint answer: each card once, each place once.

Three descriptions are asked: the field (`field_match`) says which card and how it lies, the tones
(`tones`) how well that card explains what is there, and the keypoints (`keypoints`) confirm it or do not. Knows patches of pictures; must not know tables or time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, log

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.learnt.deck import LOOK_STEP_MM, LearntDeck
from companion.vision.learnt.field_match import REFINED_BY, FieldDeck, FieldMatch, FieldPose
from companion.vision.learnt.keypoints import NEAR_MM, KeypointDeck, find_keypoints
from companion.vision.learnt.polar_field import (
    PATCH_STEP_MM,
    TURNS,
    FieldPatch,
    field_patch,
    patch_size,
)
from companion.vision.learnt.tones import EVERY, RANKED_BY_EVERY, ToneDeck, TonePatch, tone_patch


@dataclass(frozen=True, slots=True)
class RecogniseRule:
    """How much is enough for a name: fitted on the benchmark's renderer, to decks, tables and lights of
    another seed than those of its page."""

    centres_mm: float = 2.5
    """The middle of a disc found by its rim is off by so much and little more."""
    ranked: int = 14
    by_field: int = 4
    by_tones: int = 4
    """Of so many of the likeliest cards those that are likeliest by the field, and so many of the others
    by their tones, are pulled into place."""
    tone_weight: float = 0.3
    """What tones say, beside the evidence of the field."""
    shown_costs: float = 0.09
    """The part that looks like the card is chosen to fit, so it says so much less."""
    least_own: float = 0.09
    """Less evidence of the field than this names nothing."""
    lead_says: float = 3.55
    tone_lead_says: float = 0.775
    tone_gain_says: float = 0.11
    keypoint_says: float = 0.167
    rival_says: float = 0.317
    """What a lead of the field, one of the tones, their gain over one colour, a keypoint that confirms
    the card, and one that confirms another, are worth; together 1 names a card. What tones say counts by
    how well they fit at all: a foreign disc may be badly like one card and worse like all others. Fitted
    by logistic regression to views of which the answer was known, in hard light, each also with the true
    card taken out of the deck. 1 was an eighth above the worst of such at first. It is a fifth higher since:
    of some 780 cards that the same hand painted for another box, two in five of them mirror images of the deck's
    own, seven were named, the six that were looked at by 1.15 at most. `tests/benchmarks/fits/deck_names.py`
    makes the same fit; it was written afterwards and run in small only."""
    aside_costs: float = 0.21
    aside_from_mm: float = 1.5
    most_aside_mm: float = 4.5
    """The rim says where the middle lies: what looks like a card only so far beside it is another picture,
    pulled to where it is most alike (of the same fit)."""
    fits_from: float = -5.0
    fits_wholly: float = -2.0
    least_fit: float = 0.15
    most_lead: float = 0.2
    """More says no more, so that the field alone names nothing: of a picture that shares one spot with a
    card all the rest passes for covered."""
    least_tone_lead: float = 0.05
    """Tones that speak for another card, or for none, name nothing."""
    tone_lead: tuple[float, float] = (-0.5, 1.5)
    tone_gain: tuple[float, float] = (-1.0, 0.6)
    most_keypoints: int = 4
    """More of each says no more: one of them alone names a card only where the field does."""
    still_there: float = 0.18
    """Evidence by which a card that was named here still lies here."""

    def may_tell(self, says: float) -> bool:
        """Whether keypoints can still decide what speaks so much for a card without them."""
        most = self.most_keypoints
        short = 1.0 - says
        return -most * self.rival_says < short <= most * self.keypoint_says


RECOGNISE_RULE = RecogniseRule()


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A place's patch about a told middle, (n, n, 3) uint8 BGR at `PATCH_STEP_MM`, its field and its
    tones; `inside` (n, n) bool: what of it the picture holds, None for all."""

    bgr: np.ndarray
    field: FieldPatch
    tones: TonePatch
    inside: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class CardFound:
    """A card at a place: its number, where it lies from the patch's middle (mm) and how turned; the
    evidence of the field for it and its lead over every other card; by how much better its tones fit than
    every other card's, and than one colour, and how well at all (0 is best); how many keypoints confirm it, and by how much they lie apart
    from where they must; and whether it is `sure`."""

    card: int
    pose: FieldPose
    evidence: float
    lead: float
    tone_lead: float
    tone_gain: float
    tone_fit: float
    keypoints: int
    stray_mm: float
    sure: bool

    @property
    def worth(self) -> float:
        """By which two places that both claim a card are compared."""
        return self.evidence + self.lead + 0.3 * self.tone_lead + 0.05 * self.keypoints


def view_of_patch(
    outline: CardOutline, bgr: np.ndarray, inside: np.ndarray | None = None
) -> PlaceView:
    """A patch (n, n, 3) uint8 BGR in which a card of this outline may lie, ready to be asked about;
    `inside` (n, n) bool: what of it the picture holds."""
    field = field_patch(bgr, outline.radius_mm, inside)
    return PlaceView(bgr, field, tone_patch(bgr), inside)


class Recogniser:
    """Knows the cards of one learnt deck."""

    def __init__(self, deck: LearntDeck, rule: RecogniseRule = RECOGNISE_RULE) -> None:
        self.deck = deck
        self.outline = deck.outline
        self.reach_mm = deck.outline.reach_mm
        self._rule = rule
        step = rule.centres_mm
        self._centres = np.array([(x, y) for x in (-step, 0, step) for y in (-step, 0, step)])
        views = [[self.view_of(look) for look in card.looks] for card in deck.cards]
        self._field = FieldDeck([[view.field for view in card] for card in views], self.outline)
        self._tones = ToneDeck(
            [[(view.tones, view.field.sure) for view in card] for card in views], self.outline
        )
        self._keypoints = KeypointDeck(
            [[find_keypoints(view.bgr, self.outline) for view in card] for card in views]
        )

    def view_of(self, look: np.ndarray) -> PlaceView:
        """A stored look as if it lay there."""
        return self.view(_widened(look, self.reach_mm))

    def view(self, bgr: np.ndarray, inside: np.ndarray | None = None) -> PlaceView:
        """As `view_of_patch`, of this deck's cards."""
        return view_of_patch(self.outline, bgr, inside)

    def merged_views(self, views: Sequence[PlaceView]) -> PlaceView:
        """Several views of one place as one: the middle of what they show at each pixel, so that what
        passes by in one of them, and much of the noise, is gone."""
        bgr = np.median([view.bgr for view in views], axis=0).astype(np.uint8)
        inside = [view.inside for view in views if view.inside is not None]
        return self.view(bgr, np.all(inside, axis=0) if inside else None)

    def recognise(self, view: PlaceView, with_keypoints: bool = False) -> CardFound:
        """The likeliest card at a place, and whether it is `sure`. Keypoints are only looked for where
        they may tell, or with `with_keypoints`."""
        rows, poses = self._likeliest(view)
        matches = self._field.refine(view.field, rows, poses)
        *fits, plain = self._explain(view, rows, _poses_of(matches))
        evidence = np.array([self._score(match) for match in matches])
        order = np.argsort(-(evidence + self._rule.tone_weight * np.array(fits)))
        best, others = int(order[0]), order[1:]
        lead, tone_lead = 1.0, 1.0
        if len(others):
            lead = float(evidence[best] - evidence[others].max())
            tone_lead = float(fits[best] - max(fits[at] for at in others))
        found = CardFound(
            matches[best].row + 1,
            matches[best].pose,
            float(evidence[best]),
            lead,
            tone_lead,
            float(fits[best] - plain),
            float(fits[best]),
            0,
            NEAR_MM,
            False,
        )
        says = self._says(found)
        if with_keypoints or self._rule.may_tell(says):
            found, rivals = self._confirmed(view, found, [matches[at] for at in order])
            says = self._says(found) - self._rule.rival_says * min(
                rivals, self._rule.most_keypoints
            )
        sure = (
            found.evidence >= self._rule.least_own
            and found.tone_lead >= self._rule.least_tone_lead
            and says >= 1.0
        )
        return replace(found, sure=sure)

    def _confirmed(
        self, view: PlaceView, found: CardFound, matches: Sequence[FieldMatch]
    ) -> tuple[CardFound, int]:
        """What the keypoints say of it, the first of these, and how many say another of them."""
        seen = find_keypoints(view.bgr, self.outline, found.pose)
        rivals = self._keypoints.rivals(seen)
        said = [self._keypoints.confirm(seen, rivals, m.row, m.pose) for m in matches]
        found = replace(found, keypoints=said[0].spots, stray_mm=said[0].stray_mm)
        return found, max((other.spots for other in said[1:]), default=0)

    def _likeliest(self, view: PlaceView) -> tuple[np.ndarray, np.ndarray]:
        """The cards (P,) that are looked at closely, and their rough poses (P, 3): the likeliest by the
        field, and of those after them the ones whose tones fit best."""
        rule = self._rule
        likeness, turn = self._field.rank(view.field, self._centres)
        rows = np.argsort(-likeness.max(1))[: rule.ranked]
        at = likeness[rows].argmax(1)
        poses = np.column_stack([self._centres[at], turn[rows, at] * (360 / TURNS)])
        if len(rows) <= rule.by_field:
            return rows, poses
        fits = self._explain(view, rows, poses, RANKED_BY_EVERY)[rule.by_field : len(rows)]
        kept = np.r_[: rule.by_field, rule.by_field + np.argsort(-fits)[: rule.by_tones]]
        return rows[kept], poses[kept]

    def _explain(
        self, view: PlaceView, rows: np.ndarray, poses: np.ndarray, every: int = EVERY
    ) -> np.ndarray:
        return self._tones.explain(view.tones, view.field.sure, rows, poses, every)

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

    def _says(self, found: CardFound) -> float:
        """What all that speaks for a card is worth."""
        rule = self._rule
        fit = _within(
            (found.tone_fit - rule.fits_from) / (rule.fits_wholly - rule.fits_from), (0.0, 1.0)
        )
        tones = rule.tone_lead_says * _within(found.tone_lead, rule.tone_lead) * max(
            fit, rule.least_fit
        ) + rule.tone_gain_says * fit * _within(found.tone_gain, rule.tone_gain)
        aside = hypot(found.pose.x_mm, found.pose.y_mm)
        beside = (rule.aside_from_mm, rule.most_aside_mm)
        return (
            rule.lead_says * min(found.lead, rule.most_lead)
            + tones
            + rule.keypoint_says * min(found.keypoints, rule.most_keypoints)
            - rule.aside_costs * (_within(aside, beside) - rule.aside_from_mm)
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


def _within(value: float, bounds: tuple[float, float]) -> float:
    return min(max(value, bounds[0]), bounds[1])


def _widened(look: np.ndarray, reach_mm: float) -> np.ndarray:
    """A stored look as a patch."""
    assert LOOK_STEP_MM == PATCH_STEP_MM
    high, wide = ((patch_size(reach_mm) - side) // 2 for side in look.shape[:2])
    return cv2.copyMakeBorder(look, high, high, wide, wide, cv2.BORDER_REPLICATE)


def _poses_of(matches: Sequence[FieldMatch]) -> np.ndarray:
    return np.array([(m.pose.x_mm, m.pose.y_mm, m.pose.turn_deg) for m in matches])
