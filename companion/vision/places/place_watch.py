"""The place report: what each frame shows where a card lay.

Knows the picture, the plane, which markers were read and where cards last lay; says marker, table,
moving, back, other or unknown for each place, and finds hands on the way. Knows nothing of the
game: a state is what is seen, never what it means. One rule stands above all: "table" is said only
when the disc and its ring equal the bare table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from companion.table.sighting import Hand, PlaceState, Point
from companion.vision.frame.hands import find_hands
from companion.vision.frame.illumination import Light
from companion.vision.frame.log_light import logs
from companion.vision.frame.motion_gate import SHRINK, Box, Motion, MotionGate
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster, bounds_mm, prepare, shrink_factor
from companion.vision.frame.sharpness import Sharpness
from companion.vision.places import backs as backing
from companion.vision.places.backs import Back
from companion.vision.places.ground import Ground
from companion.vision.places.judge import SAME_PLACE_MM, Judge
from companion.vision.places.place_context import Scene, Spot, near

COARSE = 3
"""Fine pixels along a coarse cell."""

MOVED_MM = 2.0
"""A place whose centre jumps by more is another place: what was remembered of it is dropped."""

STALE_S = 20.0
"""So long the ground is not learnt where a card lay that nobody asks for any more and that was not
seen to leave."""

KEEP_OFF_MM = 6.0
PATCH_EVERY_S, PATCHES = 0.4, 2
"""A card's own picture is taken so often, and of so many cards in one look: the longest waiting
first."""

SELDOM_S = 0.3
"""Looks so far apart have time for all cards."""

LONGEST_S = 1.0
"""A still table is looked at anew after so long at the latest."""

WAITING_S = 0.12
"""...and after so long while some place is not settled."""

TRAY_MOVED_MM = 4.0
HANDLED = 0.1
"""Share of a card's disc that a hand must cover to have touched it."""

SETTLED = (PlaceState.MARKER, PlaceState.TABLE, PlaceState.BACK)


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame says of all places: `states` by card, hands in view, whether the picture can
    be trusted at all (`why` not: "blurred", "dark"), the changed regions in px, whether nothing
    moved, and the table's light."""

    states: dict[int, PlaceState]
    hands: list[Hand] = field(default_factory=list)
    usable: bool = True
    why: str = ""
    moving_px: tuple[Box, ...] = ()
    still: bool = False
    light: Light = field(default_factory=Light)


class PlaceWatch:
    """Watches the places of one table; hand it every frame, oldest first."""

    def __init__(
        self, disc_mm: float = 85.0, raster_mm: float = 2.0, backs: Sequence[Back] = ()
    ) -> None:
        self.disc_mm, self.raster_mm = disc_mm, raster_mm
        own = backing.printed_back()
        self.backs: list[Back] = [*backs, *([own] if own is not None else [])]
        self.gate, self._sharp = MotionGate(), Sharpness()
        self._judge: Judge | None = None
        self._shrink = 1
        self._size: tuple[int, ...] = ()
        self._spots: dict[int, Spot] = {}
        self._last: Look | None = None
        self._looked_s = -1e9
        self._tray: np.ndarray | None = None

    @property
    def ground(self) -> Ground | None:
        """The table as learnt so far; None before the first look."""
        return self._judge.ground if self._judge else None

    @property
    def settled(self) -> bool:
        """True when the last look was trusted and left no place in doubt."""
        last = self._last
        return last is not None and last.usable and all(s in SETTLED for s in last.states.values())

    @property
    def learning(self) -> bool:
        """True while some part of the table is being learnt."""
        return self.ground is None or self.ground.waiting

    def learn_back(
        self, image_bgr: np.ndarray, plane: PicturePlane, centre_mm: Point, name: str = "learnt"
    ) -> Back:
        """Learn the back of the card that lies face down at this place; it is known from now on."""
        back = backing.learn_back(image_bgr, plane, centre_mm, name)
        self.know_back(back)
        return back

    def begin(self) -> None:
        """Forget the table: what was known of it stood on another plane."""
        self._judge, self._last, self._tray, self._spots = None, None, None, {}

    def know_back(self, back: Back | None) -> None:
        """Know this back beside our printed one, instead of all learnt before; None: only our
        printed one."""
        printed = [known for known in self.backs if known.name == backing.PRINTED]
        self.backs = [*([back] if back is not None else []), *printed]

    def look(
        self,
        image_bgr: np.ndarray,
        plane: PicturePlane,
        t_s: float,
        read: Mapping[int, tuple[Point, float]],
        places: Mapping[int, Point],
        backs_mm: Sequence[Point] = (),
        motion: Motion | None = None,
    ) -> Look:
        """The state of every place in `places` (card to centre in mm) in this frame (H, W, 3) uint8
        BGR.

        `read`: the markers read in this frame, card to (centre in mm, heading in degrees).
        `backs_mm`: printed back marks read. `motion`: what `self.gate.look(image)` said, if it was
        asked already. Never raises for a bad picture: it is then not usable, and every place whose
        marker was not read is unknown.
        """
        motion = motion or self.gate.look(image_bgr)
        if self._last is not None and self._nothing_new(motion, t_s, read, places):
            return self._again(self._last)
        judge = self._ready(image_bgr, plane)
        ground = judge.ground
        seen = logs(ground.coarse.sample(motion.small, slice(None), slice(None)))
        stable_s = ground.watch(seen, t_s, motion.noise)
        lit, foreign = ground.compare(seen, motion.noise)
        why = self._sharp.judge(image_bgr, plane, bool(read))
        self._follow(places, read, t_s)
        lying = self._lying(places, read)
        picture = prepare(image_bgr, self._shrink)
        scene = Scene(
            picture, self._shrink, plane, t_s, lit, stable_s, read, backs_mm, lying, not why
        )
        states = self._states(places, scene, judge)
        cards = self._discs(ground.coarse, [*lying.values(), *backs_mm], 4.0)
        hands, covered, reaching = find_hands(foreign, stable_s, cards, ground.coarse)
        self._note_hands(reaching, judge, t_s)
        if not why:
            feared = [
                spot.centre_mm
                for spot in self._spots.values()
                if spot.state is not PlaceState.TABLE
            ]
            keep_off = self._discs(
                ground.coarse, [*lying.values(), *backs_mm, *feared], KEEP_OFF_MM
            )
            ground.learn(picture, stable_s, foreign, keep_off | covered, t_s, lit)
        self._last, self._looked_s = (
            Look(states, hands, not why, why, motion.boxes_px, motion.still, lit),
            t_s,
        )
        return self._last

    def _states(
        self, places: Mapping[int, Point], scene: Scene, judge: Judge
    ) -> dict[int, PlaceState]:
        out = {card: judge.state(card, self._spots[card], scene, self.backs) for card in places}
        due = [
            (self._spots[card].own_s, card)
            for card in places
            if scene.usable
            and card in scene.read
            and near(scene.read[card][0], self._spots[card].centre_mm, 2.5)
            and scene.t_s - self._spots[card].own_s > PATCH_EVERY_S
        ]
        for _, card in sorted(due)[: PATCHES if scene.t_s - self._looked_s < SELDOM_S else None]:
            judge.remember(card, self._spots[card], scene)
        return out

    def _note_hands(self, reaching: np.ndarray, judge: Judge, t_s: float) -> None:
        for spot in self._spots.values() if reaching.any() else ():
            box, disc = judge.ground.coarse.disc_part(spot.centre_mm, self.disc_mm / 2)
            if np.count_nonzero(reaching[box][disc]) >= max(1.0, HANDLED * np.count_nonzero(disc)):
                spot.handled_s = t_s

    def _nothing_new(
        self, motion: Motion, t_s: float, read: Mapping[int, Any], places: Mapping[int, Point]
    ) -> bool:
        """Whether the last look still holds: nothing moved, nothing is being learnt or waited for,
        no place is new."""
        last, ground = self._last, self.ground
        if last is None or ground is None or ground.waiting or not motion.still or not last.usable:
            return False
        age = t_s - self._looked_s
        if not 0 <= age <= LONGEST_S or set(last.states) != set(places):
            return False
        if age > WAITING_S and any(state not in SETTLED for state in last.states.values()):
            return False
        if any(card in self._spots and self._spots[card].own_s < 0 for card in read):
            return False
        if any(
            self._spots[card].bare_looks and last.states[card] is not PlaceState.TABLE
            for card in places
        ):
            return False
        return all(
            near(self._spots[card].centre_mm, centre, 1.0)
            and (card not in read or last.states[card] is PlaceState.MARKER)
            for card, centre in places.items()
        )

    def _again(self, last: Look) -> Look:
        return Look(last.states, last.hands, last.usable, last.why, (), True, last.light)

    def _ready(self, image: np.ndarray, plane: PicturePlane) -> Judge:
        """Rasters aimed at this plane; all is begun anew when the picture's size changes."""
        if self._judge is None or self._size != image.shape:
            self._size = image.shape
            bounds = bounds_mm(plane)
            coarse = Raster(bounds, COARSE * self.raster_mm)
            fine = Raster((*bounds[:2], *coarse.point(coarse.height, coarse.width)), self.raster_mm)
            self._judge = Judge(self.disc_mm, Ground(fine, coarse))
            self._shrink = shrink_factor(plane, bounds, self.raster_mm)
        ground = self._judge.ground
        ground.fine.aim(plane, self._shrink)
        ground.coarse.aim(plane, SHRINK)
        self._follow_tray(ground, plane)
        return self._judge

    def _follow_tray(self, ground: Ground, plane: Any) -> None:
        """A tray that was moved leaves two stretches of ground that are no longer known."""
        tray = getattr(plane, "tray_mm", None)
        if tray is None:
            return
        corners = np.asarray(tray, dtype=np.float64).reshape(-1, 2)
        if self._tray is not None and np.abs(corners - self._tray).max() <= TRAY_MOVED_MM:
            return
        for polygon in (self._tray, corners) if self._tray is not None else ():
            ground.forget(ground.coarse.box(polygon.min(axis=0) - 5, polygon.max(axis=0) + 5))
        self._tray = corners

    def _follow(
        self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]], t_s: float
    ) -> None:
        """Keep one spot a place; spots nobody asks for stay until the card is known to be
        elsewhere, or for a while."""
        for card, centre in places.items():
            spot = self._spots.get(card)
            if spot is None or not near(spot.centre_mm, centre, MOVED_MM):
                spot = self._spots[card] = Spot(centre, t_s)
            spot.centre_mm, spot.since_s = centre, t_s
        for card in [c for c in self._spots if c not in places]:
            spot = self._spots[card]
            elsewhere = card in read and not near(read[card][0], spot.centre_mm, SAME_PLACE_MM)
            if spot.state is PlaceState.TABLE or elsewhere or t_s - spot.since_s > STALE_S:
                del self._spots[card]

    def _lying(
        self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]]
    ) -> dict[int, Point]:
        """Where cards lie as far as is known: read now, or at a place that was not yet seen bare."""
        lying = {}
        for card, centre in places.items():
            away = card in read and not near(read[card][0], centre, SAME_PLACE_MM)
            if not away and self._spots[card].state is not PlaceState.TABLE:
                lying[card] = centre
        lying.update({card: centre for card, (centre, _) in read.items()})
        return lying

    def _discs(self, raster: Raster, centres: Sequence[Point], wider_mm: float) -> np.ndarray:
        cells = np.zeros((raster.height, raster.width), dtype=bool)
        for centre in centres:
            box, disc = raster.disc_part(centre, self.disc_mm / 2 + wider_mm)
            cells[box] |= disc
        return cells
