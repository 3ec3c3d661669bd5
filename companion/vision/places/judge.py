"""What one place shows in one frame: weighs the measures of `bare`, `backs` and `seam` into a
place's state.

Knows what was remembered of the place and the frame's context; knows nothing of streams or of the
game. The order of the questions: the card itself, its back, the bare table, something moving, the
table's seamless continuation, something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.table.sighting import PlaceState, Point
from companion.vision.frame.fitting import fast_median
from companion.vision.frame.log_colour import grey_level, saturated_pixels
from companion.vision.places.backs import Back
from companion.vision.places.bare import RING_MM, Bareness, DiscGrid, PlacePatch
from companion.vision.places.face_down import BACK_REACH_MM, FaceDownSearch
from companion.vision.places.ground import Ground
from companion.vision.places.place_context import (
    NOT_BARE,
    SAME_PLACE_MM,
    PlaceContext,
    PlaceRecord,
    within_mm,
)
from companion.vision.places.place_thresholds import PLACE_THRESHOLDS, PlaceThresholds
from companion.vision.places.seam import SEAM_REACH_MM, SeamTest

NEIGHBOUR_MM = 5.5
"""A known neighbour hides its disc and so much round it: its drop shadow counts."""

APART_MM = 75.0
"""Cards farther apart than this lie side by side; nearer ones overlap, and one hides the other."""

HIDDEN_MM = 45.0
"""A card this near under one that is read may have been pushed under it: its place is never called
table."""

FAR_FROM_GROUND = Bareness(9.0, 1.0, 9.0, 0.0, 0.0, 0.0, 0.0)
"""What is not the table's colour at all, told without measuring more."""

JUDGEMENT_STANDS_S = {PlaceState.TABLE: 0.6, PlaceState.BACK: 0.3, PlaceState.OTHER: 0.3}
"""So long what was said of a place stands while nothing changes there; chosen."""


class PlaceJudge:
    """Judges places against one ground."""

    def __init__(
        self,
        disc_mm: float,
        ground: Ground,
        thresholds: PlaceThresholds = PLACE_THRESHOLDS,
        is_round: bool = True,
    ) -> None:
        """Cards hold a disc of `disc_mm`, or are it."""
        self.ground = ground
        self.disc = DiscGrid(disc_mm, ground.fine)
        self.thresholds = thresholds
        self._spacing = self.disc.step * ground.fine.step_mm
        self._wider = max(0, int(SEAM_REACH_MM / self._spacing) - self.disc.reach)
        self._face_down = FaceDownSearch(self.disc, ground, is_round)
        self._seam = SeamTest(self.disc.radius_mm, self._spacing, self.disc.reach + self._wider)

    def judge_place(
        self, card: int, record: PlaceRecord, context: PlaceContext, backs: Sequence[Back]
    ) -> PlaceState:
        """The place's state in this frame; the record is brought up to date."""
        if self._as_before(card, record, context):
            return record.state
        before = record.bare
        record.state = self._decide(card, record, context, backs)
        if record.state in (PlaceState.MARKER, PlaceState.BACK):
            record.itself_s = context.t_s
        if record.bare is before:
            record.bare = NOT_BARE
        return record.state

    def keep_own_picture(self, card: int, record: PlaceRecord, context: PlaceContext) -> None:
        """Keep the card's own picture where it was read uncovered, and distrust a ground that looks
        the same."""
        disc, ground = self.disc, self.ground
        patch = disc.cut_patch(context.picture, ground.fine, record.centre_mm)
        if self._moves(record, context):
            return
        record.own = replace(record.own, taken_s=context.t_s)
        others = [centre for other, centre in context.lying.items() if other != card]
        if patch is None or not patch.inside[disc.disc].all():
            return
        if not disc.pixels_away_from(record.centre_mm, others, disc.radius_mm)[disc.disc].all():
            return
        record.own = replace(record.own, colour=patch.colour)
        if 0 <= context.t_s - record.own.contrast_s < self.thresholds.contrast_every_s:
            return
        base = ground.ground_patch(patch.rows, patch.columns)
        told = base.known & disc.disc
        if np.count_nonzero(told) < 0.5 * np.count_nonzero(disc.disc):
            return
        contrast_log = disc.measure_bareness(
            patch, base, told, context.illumination, self._gain(record, context), ground.noise
        ).residual_log
        record.own = replace(record.own, contrast_log=contrast_log, contrast_s=context.t_s)
        if contrast_log < self.thresholds.least_contrast_log:
            ground.forget_ground(ground.coarse.disc_cells(record.centre_mm, disc.radius_mm))

    def _decide(
        self, card: int, record: PlaceRecord, context: PlaceContext, backs: Sequence[Back]
    ) -> PlaceState:
        if card in context.read and within_mm(
            context.read[card][0], record.centre_mm, SAME_PLACE_MM
        ):
            record.read_s = context.t_s
            return PlaceState.MARKER
        marks = [
            mark for mark in context.backs_mm if within_mm(mark, record.centre_mm, BACK_REACH_MM)
        ]
        if marks:
            record.back_mm = marks[0]
            return PlaceState.BACK
        over = any(
            within_mm(at, record.centre_mm, HIDDEN_MM)
            for other, (at, _) in context.read.items()
            if other != card
        )
        patch = (
            self.disc.cut_patch(context.picture, self.ground.fine, record.centre_mm)
            if context.usable and not over
            else None
        )
        return (
            PlaceState.UNKNOWN
            if patch is None
            else self._compare(card, record, patch, context, backs)
        )

    def _as_before(self, card: int, record: PlaceRecord, context: PlaceContext) -> bool:
        """Whether nothing changed about a place lately compared, so that it need not be compared
        again yet."""
        age, lasts_s = context.t_s - record.judged_s, JUDGEMENT_STANDS_S.get(record.state, 0.0)
        if (
            not 0 < age < lasts_s
            or not context.usable
            or (record.bare.looks and record.state is not PlaceState.TABLE)
        ):
            return False
        if card in context.read or any(
            within_mm(mark, record.centre_mm, BACK_REACH_MM) for mark in context.backs_mm
        ):
            return False
        return (
            float(self._stable(record, context, self.disc.radius_mm + RING_MM).min(initial=9.0))
            > age
        )

    def _others(self, card: int, record: PlaceRecord, context: PlaceContext) -> list[Point]:
        """Cards that hide part of the disc or its ring: those beside it, and those over it that are
        read in this frame."""
        rest = ((other, centre) for other, centre in context.lying.items() if other != card)
        return [
            centre
            for other, centre in rest
            if other in context.read or not within_mm(centre, record.centre_mm, APART_MM)
        ]

    def _compare(
        self,
        card: int,
        record: PlaceRecord,
        patch: PlacePatch,
        context: PlaceContext,
        backs: Sequence[Back],
    ) -> PlaceState:
        limits, disc = self.thresholds, self.disc
        record.judged_s = context.t_s
        others = self._others(card, record, context)
        free = disc.pixels_away_from(record.centre_mm, others, disc.radius_mm + NEIGHBOUR_MM)
        mask = free & patch.inside
        on_disc = mask & disc.inner
        share = np.count_nonzero(on_disc) / np.count_nonzero(disc.inner)
        if share < limits.least_disc_share:
            return PlaceState.UNKNOWN
        unlike, alike = 9.0, 0.0
        if record.own.colour is not None:
            unlike, alike = disc.compare_with_card(patch, record.own.colour, on_disc)
        itself = alike > limits.own_correlation and unlike < limits.own_residual_log
        if itself and record.own.contrast_log > limits.plain_contrast_log:
            return PlaceState.MARKER
        seen = self._bareness(record, patch, mask, context)
        if itself and (seen is None or seen.residual_log > limits.bare_residual_log):
            return PlaceState.MARKER
        if seen is not None and self._is_bare(seen, unlike, record, context.t_s):
            return self._note_bare(record, context.t_s)
        moves = self._moves(record, context)
        whole = share > limits.least_back_share
        if whole and backs and self._face_down.shows_back(record, context, others, moves, backs):
            return PlaceState.BACK
        if moves:
            return PlaceState.MOVING
        not_itself = unlike > limits.other_residual_log and alike < limits.other_correlation
        other = record.own.colour is not None and not_itself
        if other and self._table_continues(record, context, others, seen is not None):
            return self._note_bare(record, context.t_s)
        if seen is None or seen.noise_log >= limits.noisiest_log:
            return PlaceState.UNKNOWN
        white = unlike < limits.unlike_card_when_saturated_log
        untold = seen.saturated_share >= limits.saturated_share and white
        return PlaceState.UNKNOWN if untold else PlaceState.OTHER

    def _bareness(
        self, record: PlaceRecord, patch: PlacePatch, mask: np.ndarray, context: PlaceContext
    ) -> Bareness | None:
        """How bare the place is; None where too little of its ground is known."""
        limits, disc, noise = self.thresholds, self.disc, self.ground.noise
        base = self.ground.ground_patch(patch.rows, patch.columns)
        told = base.known & mask
        ring = disc.all & ~disc.disc
        known, seen_disc = np.count_nonzero(told & disc.inner), np.count_nonzero(mask & disc.inner)
        if known < limits.least_known_share * seen_disc:
            return None
        if np.count_nonzero(told & ring) < limits.least_ring_share * np.count_nonzero(ring):
            return None
        if disc.far_off_colour(patch, base, told, context.illumination, noise):
            return FAR_FROM_GROUND
        gain = self._gain(record, context)
        seen = disc.measure_bareness(patch, base, told, context.illumination, gain, noise)
        if not self._nearly_missed(seen) or max(np.abs(seen.shift)) < limits.least_shift_steps:
            return seen
        shift = (-seen.shift[0], -seen.shift[1])
        aligned = disc.shifted_patch(patch, context.picture, self.ground.fine, shift)
        again = disc.measure_bareness(aligned, base, told, context.illumination, gain, noise)
        return min(seen, again, key=self._distance_from_bare)

    def _nearly_missed(self, seen: Bareness) -> bool:
        """Whether the table almost fits, so that aligning it may help."""
        limits = self.thresholds
        if seen.residual_log >= limits.hopeless_residual_log:
            return False
        if seen.off_colour_share >= limits.hopeless_off_colour_share:
            return False
        almost = limits.bare_residual_log <= seen.residual_log < limits.almost_residual_log
        return almost or seen.off_colour_share >= limits.largest_off_colour_share

    def _distance_from_bare(self, seen: Bareness) -> float:
        limits = self.thresholds
        return (
            seen.residual_log / limits.bare_residual_log
            + seen.off_colour_share / limits.largest_off_colour_share
        )

    def _is_bare(self, seen: Bareness, unlike: float, record: PlaceRecord, t_s: float) -> bool:
        """The full test: residual, colour, light, noise, saturation, and far closer to the table
        than to the card.

        Where a place is saturated a card under a reflection is as white as the cloth; but no
        reflection takes a card away, so a hand must have been over it since it was last seen.
        """
        limits, has_own = self.thresholds, record.own.colour is not None
        saturated = seen.saturated_share >= limits.saturated_share
        taken = saturated and self._taken(record, t_s)
        eased = taken and has_own and unlike > limits.eased_card_factor * seen.residual_log
        if seen.residual_log >= (limits.eased_residual_log if eased else limits.bare_residual_log):
            return False
        if seen.off_colour_share >= limits.largest_off_colour_share:
            return False
        if seen.noise_log >= limits.noisiest_log:
            return False
        if seen.darkest_log < limits.darkest_log or seen.brightest_log > limits.brightest_log:
            return False
        if seen.cast_log > limits.largest_cast_log + seen.noise_log:
            return False
        if seen.reflected_share >= limits.saturated_share:
            return False  # a reflection makes a card as white as a white cloth beside it
        white = unlike <= limits.unlike_card_when_saturated_log
        if saturated and not (has_own and not white and taken):
            return False
        return not has_own or unlike > limits.card_factor * seen.residual_log

    def _taken(self, record: PlaceRecord, t_s: float) -> bool:
        """Whether a hand may have taken the card: it was over the place since the card was last
        seen, and just now."""
        just_now = (
            t_s - record.handled_s <= self.thresholds.just_handled_s
            or record.state is PlaceState.TABLE
            or record.bare.looks > 0
        )
        return just_now and record.handled_s >= record.itself_s - self.thresholds.handled_s

    def _note_bare(self, record: PlaceRecord, t_s: float) -> PlaceState:
        record.bare = record.bare.one_more(t_s)
        if record.state is PlaceState.TABLE or (
            record.bare.looks >= self.thresholds.bare_looks
            and t_s - record.bare.since_s >= self.thresholds.bare_s
        ):
            return PlaceState.TABLE
        return PlaceState.MOVING if record.state is PlaceState.MOVING else PlaceState.UNKNOWN

    def _gain(self, record: PlaceRecord, context: PlaceContext) -> float:
        return context.illumination.gain_at(*self.ground.coarse.cell_at(record.centre_mm))

    def _moves(self, record: PlaceRecord, context: PlaceContext) -> bool:
        changed = self._stable(record, context, self.disc.radius_mm) < self.thresholds.moving_s
        return changed.size > 0 and float(changed.mean()) >= self.thresholds.moving_share

    def _stable(self, record: PlaceRecord, context: PlaceContext, radius_mm: float) -> np.ndarray:
        """For how many seconds each coarse cell round the place has looked the same, (N,) float32."""
        box, disc = self.ground.coarse.disc_box(record.centre_mm, radius_mm)
        stable_s: np.ndarray = context.stable_s[box][disc]
        return stable_s

    def _table_continues(
        self, record: PlaceRecord, context: PlaceContext, others: list[Point], known: bool
    ) -> bool:
        """Whether the place, whose ground is not known or is known no more, continues the bare
        table round it.

        Only ground counts that was learnt before the card was last read there: what was learnt
        since may be a sheet that lies over card and table alike.
        """
        still = self._stable(record, context, self.disc.radius_mm)
        if still.size == 0 or float(still.min()) < (
            self.thresholds.seam_known_s if known else self.thresholds.seam_unknown_s
        ):
            return False
        wide = self._face_down.surroundings(record, context, others, self._wider)
        if wide is None:
            return False
        patch, free = wide
        if (
            float(saturated_pixels(patch.bgr)[free & (self._seam.inner | self._seam.ring)].mean())
            >= self.thresholds.saturated_share
        ):
            return False
        base = self.ground.ground_patch(patch.rows, patch.columns)
        table = free & ~self.disc.pixels_unlike_ground(
            patch, base, context.illumination, self._gain(record, context)
        )
        table &= self.ground.known_since(patch.rows, patch.columns, record.read_s)
        grain = self.ground.noise.sigma_log(float(grey_level(fast_median(patch.colour.brightness))))
        return self._seam.table_continues(patch.colour, table, free, grain)
