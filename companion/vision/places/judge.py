"""What one place shows in one frame: weighs the measures of `bare`, `backs` and `seam` into a
place's state.

Knows what was remembered of the place and the frame's scene; knows nothing of streams or of the
game. The order of the questions: the card itself, its back, the bare table, something moving, the
table's seamless continuation, something else.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.table.sighting import PlaceState, Point
from companion.vision.frame.fitting import fast_median
from companion.vision.frame.log_colour import grey_level, saturated_pixels
from companion.vision.places.backs import Back
from companion.vision.places.bare import RING_MM, Bareness, DiscGrid, PlacePatch
from companion.vision.places.face_down import BACK_REACH_MM, FaceDownSearch
from companion.vision.places.ground import Ground
from companion.vision.places.place_context import PlaceContext, PlaceRecord, within_mm
from companion.vision.places.seam import SEAM_REACH_MM, SeamTest

SAME_PLACE_MM = 25.0
"""A marker read within so much of a place is the card lying there."""

NEIGHBOUR_MM = 5.5
"""A known neighbour hides its disc and so much round it: its drop shadow counts (reference, pitfall
1)."""

APART_MM = 75.0
"""Cards farther apart than this lie side by side; nearer ones overlap, and one hides the other."""

HIDDEN_MM = 45.0
"""A card this near under one that is read may have been pushed under it: its place is never called
table."""

RESIDUAL = 0.016
OTHER_COLOUR = 0.03
CAST = 0.06
DARKER, BRIGHTER = -0.35, 0.2
NOISIEST = 0.09
BURNT = 0.30
UNLIKE_WHEN_BURNT = 0.09
OWN_RESIDUAL, OWN_CORRELATION = 0.08, 0.75
UNLIKE_AT_ALL, UNALIKE = 0.035, 0.5
TWICE = 2.0
EASED, FAR_TWICE = 0.024, 10.0
"""The thresholds of the reference measurements, kept after the films of tests/benchmarks/places.py:
of the places seen bare and clear 95 in 100 stay under 0.008, no lying card came under 0.04 unless a
plain sheet hid it, disc and ring. On burnt-out cloth, whose edges no camera draws as the light made
them, a little more is forgiven where a hand has just been and the card itself is ten times as
unlike (checked cloth over-exposed: 0.017; places_hours.py, seed 92501). Such sheets are stopped by
`CAST` and by the limits of light (tests/benchmarks/places_many.py)."""

PLAIN_CONTRAST = 0.1
"""A card this unlike its ground that looks like itself needs no second question."""

ALMOST, LEAST_SHIFT = 0.12, 0.15
"""Where the table almost fits and lies off by so many grid steps (2 mm) at least, it is aligned and
compared once more."""

FAR_FROM_GROUND = Bareness(9.0, 1.0, 9.0, 0.0, 0.0, 0.0, 0.0)
"""What is not the table's colour at all, told without measuring more."""

FAR_OFF, MOSTLY = 0.4, 0.7
"""What is so unlike the table, or of another colour for the most part, no shift makes alike."""

HANDLED_S = 0.5
"""A card may show for so long after the last look at the hand that takes it."""

JUST_NOW_S = 1.5
"""A burnt-out place is not called bare later than so after the hand: by then it was said, or it
cannot be told."""

CONTRAST = 0.030
"""A card whose ground differs from it by less than this residual tells nothing: that ground is a
picture of the card."""

CONTRAST_EVERY_S = 1.5

BARE_LOOKS, BARE_S = 2, 0.12
"""So many bare looks, so far apart, before "table" is said: a card in flight is bare for one."""

MOVING_S, MOVING_SHARE = 0.35, 0.08

LASTS_S = {PlaceState.TABLE: 0.6, PlaceState.BACK: 0.3, PlaceState.OTHER: 0.3}
"""So long what was said of a place holds while nothing changes there."""

DISC_SEEN, RING_SEEN, BACK_SEEN = 0.35, 0.25, 0.75
SEAM_S, SEAM_KNOWN_S = 0.4, 1.5
"""So long still before a place is judged by its surroundings: where its ground is unknown, where it
fits no more."""


class PlaceJudge:
    """Judges places against one ground."""

    def __init__(self, disc_mm: float, ground: Ground) -> None:
        self.ground, self.disc = ground, DiscGrid(disc_mm, ground.fine)
        self._spacing = self.disc.step * ground.fine.step_mm
        self._wider = max(0, int(SEAM_REACH_MM / self._spacing) - self.disc.reach)
        self._face_down = FaceDownSearch(self.disc, ground)
        self._seam = SeamTest(self.disc.radius_mm, self._spacing, self.disc.reach + self._wider)

    def judge_place(
        self, card: int, record: PlaceRecord, context: PlaceContext, backs: Sequence[Back]
    ) -> PlaceState:
        """The place's state in this frame; the spot's memory is brought up to date."""
        if self._as_before(card, record, context):
            return record.state
        looks = record.bare_looks
        record.state = self._decide(card, record, context, backs)
        if record.state in (PlaceState.MARKER, PlaceState.BACK):
            record.itself_s = context.t_s
        if record.bare_looks == looks:
            record.bare_looks = 0
        return record.state

    def keep_own_picture(self, card: int, record: PlaceRecord, context: PlaceContext) -> None:
        """Keep the card's own picture where it was read uncovered, and distrust a ground that looks
        the same."""
        disc, ground = self.disc, self.ground
        patch = disc.cut_patch(context.picture, ground.fine, record.centre_mm)
        if self._moves(record, context):
            return
        record.own_s = context.t_s
        others = [centre for other, centre in context.lying.items() if other != card]
        if patch is None or not patch.inside[disc.disc].all():
            return
        if not disc.pixels_away_from(record.centre_mm, others, disc.radius_mm)[disc.disc].all():
            return
        record.own = patch.colour
        if 0 <= context.t_s - record.contrast_s < CONTRAST_EVERY_S:
            return
        base = ground.ground_patch(patch.rows, patch.columns)
        told = base.known & disc.disc
        if np.count_nonzero(told) < 0.5 * np.count_nonzero(disc.disc):
            return
        record.contrast_s = context.t_s
        record.contrast = disc.measure_bareness(
            patch, base, told, context.illumination, self._gain(record, context), ground.noise
        ).r
        if record.contrast < CONTRAST:
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
        age, lasts_s = context.t_s - record.judged_s, LASTS_S.get(record.state, 0.0)
        if (
            not 0 < age < lasts_s
            or not context.usable
            or (record.bare_looks and record.state is not PlaceState.TABLE)
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
        disc, others, record.judged_s = self.disc, self._others(card, record, context), context.t_s
        mask = (
            disc.pixels_away_from(record.centre_mm, others, disc.radius_mm + NEIGHBOUR_MM)
            & patch.inside
        )
        on_disc = mask & disc.inner
        share = np.count_nonzero(on_disc) / np.count_nonzero(disc.inner)
        if share < DISC_SEEN:
            return PlaceState.UNKNOWN
        unlike, alike = (
            disc.compare_with_card(patch, record.own, on_disc)
            if record.own is not None
            else (9.0, 0.0)
        )
        itself = alike > OWN_CORRELATION and unlike < OWN_RESIDUAL
        if itself and record.contrast > PLAIN_CONTRAST:
            return PlaceState.MARKER
        seen = self._bareness(record, patch, mask, context)
        if itself and (seen is None or seen.r > RESIDUAL):
            return PlaceState.MARKER
        if seen is not None and self._is_bare(seen, unlike, record, context.t_s):
            return self._bare(record, context.t_s)
        moves = self._moves(record, context)
        if (
            share > BACK_SEEN
            and backs
            and self._face_down.shows_back(record, context, others, moves, backs)
        ):
            return PlaceState.BACK
        if moves:
            return PlaceState.MOVING
        other = record.own is not None and unlike > UNLIKE_AT_ALL and alike < UNALIKE
        if other and self._goes_on(record, context, others, seen is not None):
            return self._bare(record, context.t_s)
        untold = (
            seen is None
            or seen.noise >= NOISIEST
            or (seen.burnt >= BURNT and unlike < UNLIKE_WHEN_BURNT)
        )
        return PlaceState.UNKNOWN if untold else PlaceState.OTHER

    def _bareness(
        self, record: PlaceRecord, patch: PlacePatch, mask: np.ndarray, context: PlaceContext
    ) -> Bareness | None:
        """How bare the place is; None where too little of its ground is known."""
        disc, base = self.disc, self.ground.ground_patch(patch.rows, patch.columns)
        told = base.known & mask
        ring = disc.all & ~disc.disc
        little = np.count_nonzero(told & disc.inner) < 0.95 * np.count_nonzero(mask & disc.inner)
        if little or np.count_nonzero(told & ring) < RING_SEEN * np.count_nonzero(ring):
            return None
        if disc.far_off_colour(patch, base, told, context.illumination, self.ground.noise):
            return FAR_FROM_GROUND
        gain = self._gain(record, context)
        seen = disc.measure_bareness(
            patch, base, told, context.illumination, gain, self.ground.noise
        )
        near_miss = (
            seen.r < FAR_OFF
            and seen.chroma < MOSTLY
            and (RESIDUAL <= seen.r < ALMOST or seen.chroma >= OTHER_COLOUR)
        )
        if not near_miss or max(np.abs(seen.shift)) < LEAST_SHIFT:
            return seen
        aligned = disc.shifted_patch(
            patch, context.picture, self.ground.fine, (-seen.shift[0], -seen.shift[1])
        )
        again = disc.measure_bareness(
            aligned, base, told, context.illumination, gain, self.ground.noise
        )
        return min(seen, again, key=lambda one: one.r / RESIDUAL + one.chroma / OTHER_COLOUR)

    def _is_bare(self, seen: Bareness, unlike: float, record: PlaceRecord, t_s: float) -> bool:
        """The full test: residual, colour, light, noise, burnt-out, and far closer to the table
        than to the card.

        Where a place is burnt out a card under a reflection is as white as the cloth; but no
        reflection takes a card away, so a hand must have been over it since it was last seen."""
        has_own = record.own is not None
        eased = seen.burnt >= BURNT and unlike > FAR_TWICE * seen.r and self._taken(record, t_s)
        if (
            seen.r >= (EASED if eased and has_own else RESIDUAL)
            or seen.chroma >= OTHER_COLOUR
            or seen.noise >= NOISIEST
        ):
            return False
        if seen.low < DARKER or seen.high > BRIGHTER or seen.cast > CAST + seen.noise:
            return False
        if (
            seen.glared >= BURNT
        ):  # a lamp's reflection makes a card as white as a white cloth beside it
            return False
        told = seen.burnt < BURNT or (
            has_own and unlike > UNLIKE_WHEN_BURNT and self._taken(record, t_s)
        )
        return told and (not has_own or unlike > TWICE * seen.r)

    def _taken(self, record: PlaceRecord, t_s: float) -> bool:
        """Whether a hand may have taken the card: it was over the place since the card was last
        seen, and just now."""
        just_now = (
            t_s - record.handled_s <= JUST_NOW_S
            or record.state is PlaceState.TABLE
            or record.bare_looks > 0
        )
        return just_now and record.handled_s >= record.itself_s - HANDLED_S

    def _bare(self, record: PlaceRecord, t_s: float) -> PlaceState:
        if not record.bare_looks:
            record.bare_since_s = t_s
        record.bare_looks += 1
        if record.state is PlaceState.TABLE or (
            record.bare_looks >= BARE_LOOKS and t_s - record.bare_since_s >= BARE_S
        ):
            return PlaceState.TABLE
        return PlaceState.MOVING if record.state is PlaceState.MOVING else PlaceState.UNKNOWN

    def _gain(self, record: PlaceRecord, context: PlaceContext) -> float:
        return context.illumination.gain_at(*self.ground.coarse.cell_at(record.centre_mm))

    def _moves(self, record: PlaceRecord, context: PlaceContext) -> bool:
        changed = self._stable(record, context, self.disc.radius_mm) < MOVING_S
        return changed.size > 0 and float(changed.mean()) >= MOVING_SHARE

    def _stable(self, record: PlaceRecord, context: PlaceContext, radius_mm: float) -> np.ndarray:
        """For how many seconds each coarse cell round the place has looked the same, (N,) float32."""
        box, disc = self.ground.coarse.disc_box(record.centre_mm, radius_mm)
        stable_s: np.ndarray = context.stable_s[box][disc]
        return stable_s

    def _goes_on(
        self, record: PlaceRecord, context: PlaceContext, others: list[Point], known: bool
    ) -> bool:
        """Whether the place, whose ground is not known or is known no more, continues the bare
        table round it.

        Only ground counts that was learnt before the card was last read there: what was learnt
        since may be a sheet that lies over card and table alike.
        """
        still = self._stable(record, context, self.disc.radius_mm)
        if still.size == 0 or float(still.min()) < (SEAM_KNOWN_S if known else SEAM_S):
            return False
        wide = self._face_down.surroundings(record, context, others, self._wider)
        if wide is None:
            return False
        patch, free = wide
        if (
            float(saturated_pixels(patch.bgr)[free & (self._seam.inner | self._seam.ring)].mean())
            >= BURNT
        ):
            return False
        base = self.ground.ground_patch(patch.rows, patch.columns)
        table = free & ~self.disc.pixels_unlike_ground(
            patch, base, context.illumination, self._gain(record, context)
        )
        table &= self.ground.known_since(patch.rows, patch.columns, record.read_s)
        grain = self.ground.noise.sigma_log(float(grey_level(fast_median(patch.colour.brightness))))
        return self._seam.table_continues(patch.colour, table, free, grain)
