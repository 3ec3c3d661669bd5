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
from companion.vision.frame.log_light import burnt, level, median
from companion.vision.places.backs import Back
from companion.vision.places.bare import RING_MM, Bareness, Disc, Patch
from companion.vision.places.face_down import BACK_REACH_MM, FaceDown
from companion.vision.places.ground import Ground
from companion.vision.places.place_context import Scene, Spot, near
from companion.vision.places.seam import OUTER_MM, Seam

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

FOREIGN = Bareness(9.0, 1.0, 9.0, 0.0, 0.0, 0.0, 0.0)
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


class Judge:
    """Judges places against one ground."""

    def __init__(self, disc_mm: float, ground: Ground) -> None:
        self.ground, self.disc = ground, Disc(disc_mm, ground.fine)
        self._spacing = self.disc.step * ground.fine.step_mm
        self._wider = max(0, int(OUTER_MM / self._spacing) - self.disc.reach)
        self._face_down = FaceDown(self.disc, ground)
        self._seam = Seam(self.disc.radius_mm, self._spacing, self.disc.reach + self._wider)

    def state(self, card: int, spot: Spot, scene: Scene, backs: Sequence[Back]) -> PlaceState:
        """The place's state in this frame; the spot's memory is brought up to date."""
        if self._as_before(card, spot, scene):
            return spot.state
        looks = spot.bare_looks
        spot.state = self._decide(card, spot, scene, backs)
        if spot.state in (PlaceState.MARKER, PlaceState.BACK):
            spot.itself_s = scene.t_s
        if spot.bare_looks == looks:
            spot.bare_looks = 0
        return spot.state

    def remember(self, card: int, spot: Spot, scene: Scene) -> None:
        """Keep the card's own picture where it was read uncovered, and distrust a ground that looks
        the same."""
        disc, ground = self.disc, self.ground
        patch = disc.cut(scene.picture, ground.fine, spot.centre_mm)
        if self._moves(spot, scene):
            return
        spot.own_s = scene.t_s
        others = [centre for other, centre in scene.lying.items() if other != card]
        if patch is None or not patch.inside[disc.disc].all():
            return
        if not disc.away_from(spot.centre_mm, others, disc.radius_mm)[disc.disc].all():
            return
        spot.own = patch.look
        if 0 <= scene.t_s - spot.contrast_s < CONTRAST_EVERY_S:
            return
        base = ground.patch(patch.rows, patch.columns)
        told = base.known & disc.disc
        if np.count_nonzero(told) < 0.5 * np.count_nonzero(disc.disc):
            return
        spot.contrast_s = scene.t_s
        spot.contrast = disc.bareness(
            patch, base, told, scene.light, self._gain(spot, scene), ground.noise
        ).r
        if spot.contrast < CONTRAST:
            ground.forget(ground.coarse.disc(spot.centre_mm, disc.radius_mm))

    def _decide(self, card: int, spot: Spot, scene: Scene, backs: Sequence[Back]) -> PlaceState:
        if card in scene.read and near(scene.read[card][0], spot.centre_mm, SAME_PLACE_MM):
            spot.read_s = scene.t_s
            return PlaceState.MARKER
        marks = [mark for mark in scene.backs_mm if near(mark, spot.centre_mm, BACK_REACH_MM)]
        if marks:
            spot.back_mm = marks[0]
            return PlaceState.BACK
        over = any(
            near(at, spot.centre_mm, HIDDEN_MM)
            for other, (at, _) in scene.read.items()
            if other != card
        )
        patch = (
            self.disc.cut(scene.picture, self.ground.fine, spot.centre_mm)
            if scene.usable and not over
            else None
        )
        return (
            PlaceState.UNKNOWN if patch is None else self._compare(card, spot, patch, scene, backs)
        )

    def _as_before(self, card: int, spot: Spot, scene: Scene) -> bool:
        """Whether nothing changed about a place lately compared, so that it need not be compared
        again yet."""
        age, lasts_s = scene.t_s - spot.judged_s, LASTS_S.get(spot.state, 0.0)
        if (
            not 0 < age < lasts_s
            or not scene.usable
            or (spot.bare_looks and spot.state is not PlaceState.TABLE)
        ):
            return False
        if card in scene.read or any(
            near(mark, spot.centre_mm, BACK_REACH_MM) for mark in scene.backs_mm
        ):
            return False
        return (
            float(self._stable(spot, scene, self.disc.radius_mm + RING_MM).min(initial=9.0)) > age
        )

    def _others(self, card: int, spot: Spot, scene: Scene) -> list[Point]:
        """Cards that hide part of the disc or its ring: those beside it, and those over it that are
        read in this frame."""
        rest = ((other, centre) for other, centre in scene.lying.items() if other != card)
        return [
            centre
            for other, centre in rest
            if other in scene.read or not near(centre, spot.centre_mm, APART_MM)
        ]

    def _compare(
        self, card: int, spot: Spot, patch: Patch, scene: Scene, backs: Sequence[Back]
    ) -> PlaceState:
        disc, others, spot.judged_s = self.disc, self._others(card, spot, scene), scene.t_s
        mask = disc.away_from(spot.centre_mm, others, disc.radius_mm + NEIGHBOUR_MM) & patch.inside
        on_disc = mask & disc.inner
        share = np.count_nonzero(on_disc) / np.count_nonzero(disc.inner)
        if share < DISC_SEEN:
            return PlaceState.UNKNOWN
        unlike, alike = (
            disc.unlike(patch, spot.own, on_disc) if spot.own is not None else (9.0, 0.0)
        )
        itself = alike > OWN_CORRELATION and unlike < OWN_RESIDUAL
        if itself and spot.contrast > PLAIN_CONTRAST:
            return PlaceState.MARKER
        seen = self._bareness(spot, patch, mask, scene)
        if itself and (seen is None or seen.r > RESIDUAL):
            return PlaceState.MARKER
        if seen is not None and self._is_bare(seen, unlike, spot, scene.t_s):
            return self._bare(spot, scene.t_s)
        moves = self._moves(spot, scene)
        if (
            share > BACK_SEEN
            and backs
            and self._face_down.shows_back(spot, scene, others, moves, backs)
        ):
            return PlaceState.BACK
        if moves:
            return PlaceState.MOVING
        other = spot.own is not None and unlike > UNLIKE_AT_ALL and alike < UNALIKE
        if other and self._goes_on(spot, scene, others, seen is not None):
            return self._bare(spot, scene.t_s)
        untold = (
            seen is None
            or seen.noise >= NOISIEST
            or (seen.burnt >= BURNT and unlike < UNLIKE_WHEN_BURNT)
        )
        return PlaceState.UNKNOWN if untold else PlaceState.OTHER

    def _bareness(
        self, spot: Spot, patch: Patch, mask: np.ndarray, scene: Scene
    ) -> Bareness | None:
        """How bare the place is; None where too little of its ground is known."""
        disc, base = self.disc, self.ground.patch(patch.rows, patch.columns)
        told = base.known & mask
        ring = disc.all & ~disc.disc
        little = np.count_nonzero(told & disc.inner) < 0.95 * np.count_nonzero(mask & disc.inner)
        if little or np.count_nonzero(told & ring) < RING_SEEN * np.count_nonzero(ring):
            return None
        if disc.far_off(patch, base, told, scene.light, self.ground.noise):
            return FOREIGN
        gain = self._gain(spot, scene)
        seen = disc.bareness(patch, base, told, scene.light, gain, self.ground.noise)
        near_miss = (
            seen.r < FAR_OFF
            and seen.chroma < MOSTLY
            and (RESIDUAL <= seen.r < ALMOST or seen.chroma >= OTHER_COLOUR)
        )
        if not near_miss or max(np.abs(seen.shift)) < LEAST_SHIFT:
            return seen
        aligned = disc.moved(
            patch, scene.picture, self.ground.fine, (-seen.shift[0], -seen.shift[1])
        )
        again = disc.bareness(aligned, base, told, scene.light, gain, self.ground.noise)
        return min(seen, again, key=lambda one: one.r / RESIDUAL + one.chroma / OTHER_COLOUR)

    def _is_bare(self, seen: Bareness, unlike: float, spot: Spot, t_s: float) -> bool:
        """The full test: residual, colour, light, noise, burnt-out, and far closer to the table
        than to the card.

        Where a place is burnt out a card under a reflection is as white as the cloth; but no
        reflection takes a card away, so a hand must have been over it since it was last seen."""
        has_own = spot.own is not None
        eased = seen.burnt >= BURNT and unlike > FAR_TWICE * seen.r and self._taken(spot, t_s)
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
            has_own and unlike > UNLIKE_WHEN_BURNT and self._taken(spot, t_s)
        )
        return told and (not has_own or unlike > TWICE * seen.r)

    def _taken(self, spot: Spot, t_s: float) -> bool:
        """Whether a hand may have taken the card: it was over the place since the card was last
        seen, and just now."""
        just_now = (
            t_s - spot.handled_s <= JUST_NOW_S
            or spot.state is PlaceState.TABLE
            or spot.bare_looks > 0
        )
        return just_now and spot.handled_s >= spot.itself_s - HANDLED_S

    def _bare(self, spot: Spot, t_s: float) -> PlaceState:
        if not spot.bare_looks:
            spot.bare_since_s = t_s
        spot.bare_looks += 1
        if spot.state is PlaceState.TABLE or (
            spot.bare_looks >= BARE_LOOKS and t_s - spot.bare_since_s >= BARE_S
        ):
            return PlaceState.TABLE
        return PlaceState.MOVING if spot.state is PlaceState.MOVING else PlaceState.UNKNOWN

    def _gain(self, spot: Spot, scene: Scene) -> float:
        return scene.light.at(*self.ground.coarse.index(spot.centre_mm))

    def _moves(self, spot: Spot, scene: Scene) -> bool:
        changed = self._stable(spot, scene, self.disc.radius_mm) < MOVING_S
        return changed.size > 0 and float(changed.mean()) >= MOVING_SHARE

    def _stable(self, spot: Spot, scene: Scene, radius_mm: float) -> np.ndarray:
        """For how many seconds each coarse cell round the place has looked the same, (N,) float32."""
        box, disc = self.ground.coarse.disc_part(spot.centre_mm, radius_mm)
        stable_s: np.ndarray = scene.stable_s[box][disc]
        return stable_s

    def _goes_on(self, spot: Spot, scene: Scene, others: list[Point], known: bool) -> bool:
        """Whether the place, whose ground is not known or is known no more, continues the bare
        table round it.

        Only ground counts that was learnt before the card was last read there: what was learnt
        since may be a sheet that lies over card and table alike.
        """
        still = self._stable(spot, scene, self.disc.radius_mm)
        if still.size == 0 or float(still.min()) < (SEAM_KNOWN_S if known else SEAM_S):
            return False
        wide = self._face_down.surroundings(spot, scene, others, self._wider)
        if wide is None:
            return False
        patch, free = wide
        if float(burnt(patch.bgr)[free & (self._seam.inner | self._seam.ring)].mean()) >= BURNT:
            return False
        base = self.ground.patch(patch.rows, patch.columns)
        table = free & ~self.disc.foreign(patch, base, scene.light, self._gain(spot, scene))
        table &= self.ground.known_since(patch.rows, patch.columns, spot.read_s)
        grain = self.ground.noise.log(float(level(median(patch.look.l))))
        return self._seam.goes_on(patch.look, table, free, grain)
