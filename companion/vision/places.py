"""The place report: what each frame shows where a card lay.

Knows the picture, the plane, which markers were read and where cards last lay; decides marker, table, moving, back,
other or unknown for each place, and finds hands on the way.  Knows nothing of the game: a state is what is seen, never
what it means.  One rule stands above all: "table" is said only when the disc and its ring equal the bare table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.table.sighting import Hand, PlaceState, Point
from companion.vision import backs as backing
from companion.vision.backs import Back
from companion.vision.bare import Bareness, Disc, Patch
from companion.vision.gate import Box, Motion, MotionGate
from companion.vision.ground import Ground, Light
from companion.vision.hands import find_hands
from companion.vision.light import Look3, level, logs
from companion.vision.raster import PlaneLike, Raster, bounds_mm, prepare, shrink_factor
from companion.vision.seam import OUTER_MM, Seam
from companion.vision.sharpness import Sharpness

COARSE_MM = 6.0
SAME_PLACE_MM = 25.0
"""A marker read within so much of a place is the card lying there."""

NEIGHBOUR_MM = 5.5
"""A known neighbour hides its disc and so much round it: its drop shadow counts (reference, pitfall 1)."""

RESIDUAL = 0.016
OTHER_COLOUR = 0.03
DARKER, BRIGHTER = -0.6, 0.2
NOISIEST = 0.09
BURNT = 0.30
UNLIKE_WHEN_BURNT = 0.09
OWN_RESIDUAL, OWN_CORRELATION = 0.08, 0.75
TWICE = 2.0
CONTRAST = 0.030
"""A card whose ground differs from it by less than this residual tells nothing: that ground is a picture of the card."""

BARE_LOOKS, BARE_S = 2, 0.12
"""So many bare looks, so far apart, before "table" is said: a card in flight is bare for one."""

MOVING_S, MOVING_SHARE = 0.35, 0.08
BACK_REACH_MM = 26.0
"""A card turned over where it lies may end up so far from where it lay."""

BACK_STEPS_MM = ((0.0, 0.0), (2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0))
DISC_SEEN, RING_SEEN = 0.35, 0.25
PATCH_EVERY_S = 0.4
SEAM_S, SEAM_KNOWN_S = 0.5, 1.5
"""So long a place must have been still before it is judged by its surroundings: unknown ground, ground that fits no more."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame says of all places: `states` by card, hands in view, whether the picture can be trusted at all (`why`
    says what is wrong: "blurred", "dark", ""), the changed regions in px, whether nothing moved, and the light."""

    states: dict[int, PlaceState]
    hands: list[Hand] = field(default_factory=list)
    usable: bool = True
    why: str = ""
    moving_px: tuple[Box, ...] = ()
    still: bool = False
    light: Light = field(default_factory=Light)


@dataclass(slots=True)
class _Place:
    """What is remembered of one card's place."""

    centre_mm: Point
    own: Look3 | None = None
    own_s: float = -1e9
    back_mm: Point | None = None
    bare_since_s: float | None = None
    bare_looks: int = 0
    state: PlaceState = PlaceState.UNKNOWN


@dataclass(frozen=True, slots=True)
class _Scene:
    """One frame, made ready: shared by all places."""

    picture: np.ndarray
    shrink: int
    plane: Any
    t_s: float
    light: Light
    stable_s: np.ndarray
    read: Mapping[int, tuple[Point, float]]
    backs_mm: Sequence[Point]
    lying: dict[int, Point]


class PlaceWatch:
    """Watches the places of one table; hand it every frame, oldest first."""

    def __init__(self, disc_mm: float = 85.0, raster_mm: float = 2.0, backs: Sequence[Back] = ()) -> None:
        self.disc_mm, self.raster_mm = disc_mm, raster_mm
        self.backs: list[Back] = list(backs)
        own = backing.printed_back()
        if own is not None:
            self.backs.append(own)
        self.gate, self._sharp = MotionGate(), Sharpness()
        self._ground: Ground | None = None
        self._disc: Disc | None = None
        self._seam: Seam | None = None
        self._shrink, self._wider = 1, 0
        self._size: tuple[int, ...] = ()
        self._places: dict[int, _Place] = {}
        self._last: Look | None = None
        self._learnt_s = -1e9
        self._tray: np.ndarray | None = None

    @property
    def ground(self) -> Ground | None:
        """The table as learnt so far; None before the first look."""
        return self._ground

    def learn_back(self, image_bgr: np.ndarray, plane: PlaneLike, centre_mm: Point, name: str = "learnt") -> Back:
        """Learn the back of the card that lies face down at this place; it is known from now on."""
        back = backing.learn_back(image_bgr, plane, centre_mm, name)
        self.backs = [b for b in self.backs if b.name != name] + [back]
        return back

    def look(
        self,
        image_bgr: np.ndarray,
        plane: PlaneLike,
        t_s: float,
        read: Mapping[int, tuple[Point, float]],
        places: Mapping[int, Point],
        backs_mm: Sequence[Point] = (),
        motion: Motion | None = None,
    ) -> Look:
        """The state of every place in `places` (card to centre in mm) in this frame (H, W, 3) uint8 BGR.

        `read`: the markers read in this frame, card to (centre in mm, heading in degrees).  `backs_mm`: printed back marks
        read.  `motion`: what `self.gate.look(image)` said, if it was asked already.  Never raises for a bad picture: it
        is then not usable, and every place whose marker was not read is unknown.
        """
        motion = motion or self.gate.look(image_bgr)
        if self._nothing_new(motion, t_s, read, places) and self._last is not None:
            return self._again(self._last)
        ground, disc = self._ready(image_bgr, plane)
        seen = logs(ground.coarse.sample(motion.small, slice(None), slice(None)))
        stable_s = ground.watch(seen, t_s, motion.noise)
        lit, foreign = ground.compare(seen, motion.noise)
        why = self._sharp.judge(image_bgr, plane)
        self._follow(places, read)
        lying = self._lying(places, read)
        picture = prepare(image_bgr, self._shrink)
        scene = _Scene(picture, self._shrink, plane, t_s, lit, stable_s, read, backs_mm, lying)
        states = {card: self._state(card, scene, ground, disc, why) for card in places}
        cards = self._cells(ground.coarse, [*lying.values(), *backs_mm], self.disc_mm / 2 + 4)
        hands, covered = find_hands(foreign, stable_s, cards, ground.coarse)
        if not why:
            keep_off = self._cells(ground.coarse, [*lying.values(), *backs_mm], self.disc_mm / 2 + 6) | covered
            ground.learn(picture, stable_s, foreign, keep_off, t_s, lit)
        self._last = Look(states, hands, not why, why, motion.boxes_px, motion.still, lit)
        self._learnt_s = t_s
        return self._last

    def _nothing_new(self, motion: Motion, t_s: float, read: Mapping[int, Any], places: Mapping[int, Point]) -> bool:
        """Whether the last look still holds: nothing moved, nothing is being learnt or waited for, no place is new."""
        last = self._last
        if last is None or self._ground is None or self._ground.waiting or not motion.still:
            return False
        if not 0 <= t_s - self._learnt_s <= 1.0:
            return False
        if set(last.states) != set(places) or not last.usable:
            return False
        for card, centre in places.items():
            place = self._places.get(card)
            if place is None or np.hypot(place.centre_mm[0] - centre[0], place.centre_mm[1] - centre[1]) > 1.0:
                return False
            settled = last.states[card] in (PlaceState.MARKER, PlaceState.TABLE, PlaceState.BACK)
            if not settled and t_s - self._learnt_s > 0.15:
                return False
            if card in read and last.states[card] is not PlaceState.MARKER:
                return False
        return True

    def _again(self, last: Look) -> Look:
        return Look(last.states, last.hands, last.usable, last.why, (), True, last.light)

    def _ready(self, image: np.ndarray, plane: PlaneLike) -> tuple[Ground, Disc]:
        """Rasters aimed at this plane; all is begun anew when the picture's size changes."""
        if self._ground is None or self._disc is None or self._size != image.shape:
            self._size = image.shape
            bounds = bounds_mm(plane)
            coarse = Raster(bounds, COARSE_MM)
            fine = Raster((*bounds[:2], *coarse.point(coarse.height, coarse.width)), self.raster_mm)
            self._ground, self._disc = Ground(fine, coarse), Disc(self.disc_mm, fine)
            self._shrink = shrink_factor(plane, bounds, self.raster_mm)
            spacing = self._disc.step * self.raster_mm
            self._wider = max(0, int(OUTER_MM / spacing) - self._disc.reach)
            self._seam = Seam(self._disc.radius_mm, spacing, self._disc.reach + self._wider)
        ground = self._ground
        ground.fine.aim(plane, self._shrink)
        ground.coarse.aim(plane, 8.0)
        self._follow_tray(ground, plane)
        return ground, self._disc

    def _follow_tray(self, ground: Ground, plane: Any) -> None:
        """A tray that was moved leaves two stretches of ground that are no longer known."""
        tray = getattr(plane, "tray_mm", None)
        if not tray:
            return
        corners = np.asarray(tray, dtype=np.float64).reshape(-1, 2)
        if self._tray is not None and np.abs(corners - self._tray).max() > 4.0:
            for polygon in (self._tray, corners):
                low, high = polygon.min(axis=0) - 5, polygon.max(axis=0) + 5
                cells = np.zeros_like(ground.known)
                (r0, c0), (r1, c1) = ground.coarse.index(tuple(low)), ground.coarse.index(tuple(high))
                cells[max(0, r0) : max(0, r1), max(0, c0) : max(0, c1)] = True
                ground.forget(cells)
            self._tray = corners
        elif self._tray is None:
            self._tray = corners

    def _follow(self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]]) -> None:
        for card, centre in places.items():
            known = self._places.get(card)
            if known is None or not _near(known.centre_mm, centre, 2.0):
                self._places[card] = _Place(centre)
            else:
                known.centre_mm = centre
        for card in [c for c in self._places if c not in places]:
            place = self._places[card]
            gone = place.state is PlaceState.TABLE or (card in read and not _near(read[card][0], place.centre_mm, SAME_PLACE_MM))
            if gone:
                del self._places[card]

    def _lying(self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]]) -> dict[int, Point]:
        """Where cards are known or must be feared to lie: read now, or at a place not yet seen bare."""
        lying = {card: p.centre_mm for card, p in self._places.items() if p.state is not PlaceState.TABLE}
        for card, centre in places.items():
            if card in read and not _near(read[card][0], centre, SAME_PLACE_MM):
                lying.pop(card, None)
        lying.update({card: centre for card, (centre, _) in read.items()})
        return lying

    def _cells(self, raster: Raster, centres: Sequence[Point], radius_mm: float) -> np.ndarray:
        cells = np.zeros((raster.height, raster.width), dtype=bool)
        k = int(radius_mm / raster.step_mm) + 1
        for centre in centres:
            row, column = raster.index(centre)
            r0, r1 = max(0, row - k), min(raster.height, row + k + 1)
            c0, c1 = max(0, column - k), min(raster.width, column + k + 1)
            if r0 < r1 and c0 < c1:
                y, x = np.ogrid[r0 - row : r1 - row, c0 - column : c1 - column]
                cells[r0:r1, c0:c1] |= x * x + y * y <= (radius_mm / raster.step_mm) ** 2
        return cells

    def _state(self, card: int, scene: _Scene, ground: Ground, disc: Disc, why: str) -> PlaceState:
        place = self._places[card]
        place.state = self._decide(card, place, scene, ground, disc, why)
        if place.state is not PlaceState.TABLE and not place.bare_looks:
            place.bare_since_s = None
        return place.state

    def _decide(self, card: int, place: _Place, scene: _Scene, ground: Ground, disc: Disc, why: str) -> PlaceState:
        centre = place.centre_mm
        here = card in scene.read and _near(scene.read[card][0], centre, SAME_PLACE_MM)
        if here:
            place.bare_looks = 0
            if not why and scene.t_s - place.own_s > PATCH_EVERY_S and _near(scene.read[card][0], centre, 2.5):
                self._remember(card, place, scene, ground, disc)
            return PlaceState.MARKER
        marks = [back for back in scene.backs_mm if _near(back, centre, BACK_REACH_MM)]
        if marks:
            place.bare_looks, place.back_mm = 0, marks[0]
            return PlaceState.BACK
        patch = None if why else disc.cut(scene.picture, ground.fine, centre)
        if patch is None:
            place.bare_looks = 0
            return PlaceState.UNKNOWN
        return self._compare(card, place, patch, scene, ground, disc)

    def _compare(self, card: int, place: _Place, patch: Patch, scene: _Scene, ground: Ground, disc: Disc) -> PlaceState:
        others = [c for other, c in scene.lying.items() if other != card]
        mask = disc.away_from(place.centre_mm, others, self.disc_mm / 2 + NEIGHBOUR_MM) & patch.inside
        on_disc = mask & disc.inner
        share = np.count_nonzero(on_disc) / np.count_nonzero(disc.inner)
        if share < DISC_SEEN:
            place.bare_looks = 0
            return PlaceState.UNKNOWN
        unlike, alike = disc.unlike(patch, place.own, on_disc) if place.own is not None else (9.0, 0.0)
        base = ground.patch(patch.rows, patch.columns)
        told = base.known & mask
        known = np.count_nonzero(told & disc.inner) >= 0.95 * np.count_nonzero(on_disc) and self._ring(told, disc) >= RING_SEEN
        verdict = disc.bareness(patch, base, told, scene.light, _gain(place, scene, ground), ground.noise) if known else None
        if alike > OWN_CORRELATION and unlike < OWN_RESIDUAL and (verdict is None or verdict.r > RESIDUAL):
            place.bare_looks = 0
            return PlaceState.MARKER
        if verdict is not None and self._is_bare(verdict, unlike, place.own is not None):
            return self._bare(place, scene.t_s)
        moves = self._moves(place, scene, ground, disc)
        if share > 0.75 and self._shows_back(place, scene, ground, disc, others, moves):
            place.bare_looks = 0
            return PlaceState.BACK
        if moves:
            place.bare_looks = 0
            return PlaceState.MOVING
        if self._goes_on(place, scene, ground, disc, others, unlike, verdict is not None):
            return self._bare(place, scene.t_s)
        place.bare_looks = 0
        if verdict is None or verdict.noise >= NOISIEST or (verdict.burnt >= BURNT and unlike < UNLIKE_WHEN_BURNT):
            return PlaceState.UNKNOWN
        return PlaceState.OTHER

    def _goes_on(
        self, place: _Place, scene: _Scene, ground: Ground, disc: Disc, others: list[Point], unlike: float, known: bool
    ) -> bool:
        """Whether the place, whose ground is not known or is known no more, continues the bare table round it."""
        cells = self._cells(ground.coarse, [place.centre_mm], disc.radius_mm)
        if place.own is None or unlike < UNLIKE_WHEN_BURNT or not cells.any():
            return False
        if float(scene.stable_s[cells].min()) < (SEAM_KNOWN_S if known else SEAM_S):
            return False
        patch = disc.cut(scene.picture, ground.fine, place.centre_mm, self._wider)
        if patch is None or self._seam is None:
            return False
        seen, spacing, middle = patch.inside.copy(), disc.step * ground.fine.step_mm, disc.reach + self._wider
        y, x = np.ogrid[-middle : middle + 1, -middle : middle + 1]
        for ox, oy in others:
            seen &= np.hypot(x * spacing - (ox - place.centre_mm[0]), y * spacing - (oy - place.centre_mm[1])) > disc.radius_mm + 3
        base = ground.patch(patch.rows, patch.columns)
        table = seen & ~disc.foreign(patch, base, scene.light, _gain(place, scene, ground))
        return self._seam.goes_on(patch.look, table, seen, ground.noise.log(float(level(np.median(patch.look.l)))))

    def _ring(self, told: np.ndarray, disc: Disc) -> float:
        ring = disc.all & ~disc.disc
        return np.count_nonzero(told & ring) / np.count_nonzero(ring)

    def _is_bare(self, seen: Bareness, unlike: float, has_own: bool) -> bool:
        """The full test: residual, colour, light, noise, burnt-out, and far closer to the table than to the card."""
        if seen.r >= RESIDUAL or seen.chroma >= OTHER_COLOUR or seen.noise >= NOISIEST:
            return False
        if seen.low < DARKER or seen.high > BRIGHTER:
            return False
        if seen.burnt >= BURNT and not (has_own and unlike > UNLIKE_WHEN_BURNT):
            return False
        return not has_own or unlike > TWICE * seen.r

    def _bare(self, place: _Place, t_s: float) -> PlaceState:
        if not place.bare_looks or place.bare_since_s is None:
            place.bare_since_s = t_s
        place.bare_looks += 1
        if place.state is PlaceState.TABLE or (place.bare_looks >= BARE_LOOKS and t_s - place.bare_since_s >= BARE_S):
            return PlaceState.TABLE
        return PlaceState.MOVING if place.state is PlaceState.MOVING else PlaceState.UNKNOWN

    def _shows_back(
        self, place: _Place, scene: _Scene, ground: Ground, disc: Disc, others: list[Point], moves: bool
    ) -> bool:
        """Whether a card lies face down at or near the place: where it lay before, else where a disc shows."""
        if not self.backs or (moves and place.back_mm is None):
            return False
        if place.back_mm is not None and self._back_at(place.back_mm, scene):
            return True
        place.back_mm = None
        if moves:
            return False
        centre = self._disc_near(place, scene, ground, disc, others)
        for dx, dy in BACK_STEPS_MM:
            spot = (centre[0] + dx, centre[1] + dy)
            if self._back_at(spot, scene):
                place.back_mm = spot
                return True
        return False

    def _back_at(self, spot: Point, scene: _Scene) -> bool:
        seen = backing.polar(scene.picture, scene.shrink, scene.plane, spot)
        return any(backing.is_back(back, seen, scene.light.blue, scene.light.red) for back in self.backs)

    def _disc_near(self, place: _Place, scene: _Scene, ground: Ground, disc: Disc, others: list[Point]) -> Point:
        """The centre of the disc that lies at or near a place, by what differs from the ground; else the place itself."""
        centre = place.centre_mm
        spacing = disc.step * ground.fine.step_mm
        wider = int(BACK_REACH_MM / spacing)
        patch = disc.cut(scene.picture, ground.fine, centre, wider)
        if patch is None:
            return centre
        unlike = disc.foreign(patch, ground.patch(patch.rows, patch.columns), scene.light, _gain(place, scene, ground))
        middle = disc.reach + wider
        y, x = np.ogrid[-middle : middle + 1, -middle : middle + 1]
        for ox, oy in others:
            unlike &= np.hypot(x * spacing - (ox - centre[0]), y * spacing - (oy - centre[1])) > disc.radius_mm
        found = backing.disc_centre(unlike, disc.radius_mm / spacing)
        if found is None:
            return centre
        return centre[0] + (found[1] - middle) * spacing, centre[1] + (found[0] - middle) * spacing

    def _moves(self, place: _Place, scene: _Scene, ground: Ground, disc: Disc) -> bool:
        cells = self._cells(ground.coarse, [place.centre_mm], disc.radius_mm)
        total = int(np.count_nonzero(cells))
        return total > 0 and int(np.count_nonzero(scene.stable_s[cells] < MOVING_S)) >= MOVING_SHARE * total

    def _remember(self, card: int, place: _Place, scene: _Scene, ground: Ground, disc: Disc) -> None:
        """Keep the card's own picture where it was read uncovered, and distrust a ground that looks the same."""
        patch = disc.cut(scene.picture, ground.fine, place.centre_mm)
        if patch is None or not patch.inside[disc.disc].all():
            return
        others = [c for other, c in scene.lying.items() if other != card]
        mask = disc.away_from(place.centre_mm, others, self.disc_mm / 2)
        if not mask[disc.disc].all() or self._moves(place, scene, ground, disc):
            return
        place.own, place.own_s = patch.look, scene.t_s
        base = ground.patch(patch.rows, patch.columns)
        told = base.known & disc.disc
        enough = np.count_nonzero(told) > 0.5 * np.count_nonzero(disc.disc)
        if enough and disc.bareness(patch, base, told, scene.light, _gain(place, scene, ground), ground.noise).r < CONTRAST:
            ground.forget(self._cells(ground.coarse, [place.centre_mm], self.disc_mm / 2))


def _gain(place: _Place, scene: _Scene, ground: Ground) -> float:
    return scene.light.at(*ground.coarse.index(place.centre_mm))


def _near(a: Point, b: Point, reach_mm: float) -> bool:
    return float(np.hypot(a[0] - b[0], a[1] - b[1])) <= reach_mm
