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
from companion.vision.frame.illumination import Illumination
from companion.vision.frame.log_colour import log_colour_of
from companion.vision.frame.motion_gate import SHRINK, Box, Motion, MotionGate
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster, shrink_factor, shrunk_picture, watched_bounds_mm
from companion.vision.frame.sharpness import Sharpness
from companion.vision.places.backs import PRINTED, Back, learn_back, printed_back
from companion.vision.places.ground import Ground
from companion.vision.places.judge import SAME_PLACE_MM, PlaceJudge
from companion.vision.places.place_context import PlaceContext, PlaceRecord, within_mm

COARSE_RATIO = 3
"""Fine pixels along a coarse cell."""

SAME_RECORD_MM = 2.0
"""A place whose centre jumps by more is another place: what was remembered of it is dropped."""

KEPT_RECORD_S = 20.0
"""So long the ground is not learnt where a card lay that nobody asks for any more and that was not
seen to leave."""

KEEP_OFF_MM = 6.0
OWN_PICTURE_EVERY_S, OWN_PICTURES_A_LOOK = 0.4, 2
"""A card's own picture is taken so often, and of so many cards in one look: the longest waiting
first."""

SELDOM_S = 0.3
"""Looks so far apart have time for all cards."""

RESULT_STANDS_S = 1.0
"""A still table is looked at anew after so long at the latest."""

UNSETTLED_STANDS_S = 0.12
"""...and after so long while some place is not settled."""

TRAY_MOVED_MM = 4.0
HANDLED_SHARE = 0.1
"""Share of a card's disc that a hand must cover to have touched it."""

SETTLED = (PlaceState.MARKER, PlaceState.TABLE, PlaceState.BACK)


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """What one frame says of all places: `states` by card, hands in view, whether the picture can
    be trusted at all (`why` not: "blurred", "dark"), the changed regions in px, whether nothing
    moved, and the table's light."""

    states: dict[int, PlaceState]
    hands: list[Hand] = field(default_factory=list)
    usable: bool = True
    why: str = ""
    moving_px: tuple[Box, ...] = ()
    still: bool = False
    illumination: Illumination = field(default_factory=Illumination)


class PlaceWatch:
    """Watches the places of one table; hand it every frame, oldest first."""

    def __init__(
        self, disc_mm: float = 85.0, raster_mm: float = 2.0, backs: Sequence[Back] = ()
    ) -> None:
        self.disc_mm, self.raster_mm = disc_mm, raster_mm
        own = printed_back()
        self.backs: list[Back] = [*backs, *([own] if own is not None else [])]
        self.gate, self._sharpness = MotionGate(), Sharpness()
        self._judge: PlaceJudge | None = None
        self._shrink = 1
        self._size: tuple[int, ...] = ()
        self._records: dict[int, PlaceRecord] = {}
        self._last: PlaceResult | None = None
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
        back = learn_back(image_bgr, plane, centre_mm, name)
        self.know_back(back)
        return back

    def forget_table(self) -> None:
        """Forget the table: what was known of it stood on another plane."""
        self._judge, self._last, self._tray, self._records = None, None, None, {}

    def know_back(self, back: Back | None) -> None:
        """Know this back beside our printed one, instead of all learnt before; None: only our
        printed one."""
        printed = [known for known in self.backs if known.name == PRINTED]
        self.backs = [*([back] if back is not None else []), *printed]

    def report_places(
        self,
        image_bgr: np.ndarray,
        plane: PicturePlane,
        t_s: float,
        read: Mapping[int, tuple[Point, float]],
        places: Mapping[int, Point],
        backs_mm: Sequence[Point] = (),
        motion: Motion | None = None,
    ) -> PlaceResult:
        """The state of every place in `places` (card to centre in mm) in this frame (H, W, 3) uint8
        BGR.

        `read`: the markers read in this frame, card to (centre in mm, heading in degrees).
        `backs_mm`: printed back marks read. `motion`: what `self.gate.detect_motion(image)` said, if it was
        asked already. Never raises for a bad picture: it is then not usable, and every place whose
        marker was not read is unknown.
        """
        motion = motion or self.gate.detect_motion(image_bgr)
        if self._last is not None and self._nothing_new(motion, t_s, read, places):
            return self._repeated(self._last)
        judge = self._judge_for(image_bgr, plane)
        ground = judge.ground
        seen = log_colour_of(ground.coarse.sample_picture(motion.small, slice(None), slice(None)))
        stable_s = ground.observe_cells(seen, t_s, motion.noise)
        illumination, unlike_ground = ground.compare_cells(seen, motion.noise)
        why = self._sharpness.judge_sharpness(image_bgr, plane, bool(read))
        self._follow_records(places, read, t_s)
        lying = self._lying(places, read)
        picture = shrunk_picture(image_bgr, self._shrink)
        context = PlaceContext(
            picture,
            self._shrink,
            plane,
            t_s,
            illumination,
            stable_s,
            read,
            backs_mm,
            lying,
            not why,
        )
        states = self._states(places, context, judge)
        cards = self._discs(ground.coarse, [*lying.values(), *backs_mm], 4.0)
        hands, covered, reaching = find_hands(unlike_ground, stable_s, cards, ground.coarse)
        self._note_hands(reaching, judge, t_s)
        if not why:
            feared = [
                record.centre_mm
                for record in self._records.values()
                if record.state is not PlaceState.TABLE
            ]
            keep_off = self._discs(
                ground.coarse, [*lying.values(), *backs_mm, *feared], KEEP_OFF_MM
            )
            ground.learn_ground(
                picture, stable_s, unlike_ground, keep_off | covered, t_s, illumination
            )
        self._last, self._looked_s = (
            PlaceResult(states, hands, not why, why, motion.boxes_px, motion.still, illumination),
            t_s,
        )
        return self._last

    def _states(
        self, places: Mapping[int, Point], context: PlaceContext, judge: PlaceJudge
    ) -> dict[int, PlaceState]:
        out = {
            card: judge.judge_place(card, self._records[card], context, self.backs)
            for card in places
        }
        due = [
            (self._records[card].own_s, card)
            for card in places
            if context.usable
            and card in context.read
            and within_mm(context.read[card][0], self._records[card].centre_mm, 2.5)
            and context.t_s - self._records[card].own_s > OWN_PICTURE_EVERY_S
        ]
        for _, card in sorted(due)[
            : OWN_PICTURES_A_LOOK if context.t_s - self._looked_s < SELDOM_S else None
        ]:
            judge.keep_own_picture(card, self._records[card], context)
        return out

    def _note_hands(self, reaching: np.ndarray, judge: PlaceJudge, t_s: float) -> None:
        for record in self._records.values() if reaching.any() else ():
            box, disc = judge.ground.coarse.disc_box(record.centre_mm, self.disc_mm / 2)
            if np.count_nonzero(reaching[box][disc]) >= max(
                1.0, HANDLED_SHARE * np.count_nonzero(disc)
            ):
                record.handled_s = t_s

    def _nothing_new(
        self, motion: Motion, t_s: float, read: Mapping[int, Any], places: Mapping[int, Point]
    ) -> bool:
        """Whether the last look still holds: nothing moved, nothing is being learnt or waited for,
        no place is new."""
        last, ground = self._last, self.ground
        if last is None or ground is None or ground.waiting or not motion.still or not last.usable:
            return False
        age = t_s - self._looked_s
        if not 0 <= age <= RESULT_STANDS_S or set(last.states) != set(places):
            return False
        if age > UNSETTLED_STANDS_S and any(state not in SETTLED for state in last.states.values()):
            return False
        if any(card in self._records and self._records[card].own_s < 0 for card in read):
            return False
        if any(
            self._records[card].bare_looks and last.states[card] is not PlaceState.TABLE
            for card in places
        ):
            return False
        return all(
            within_mm(self._records[card].centre_mm, centre, 1.0)
            and (card not in read or last.states[card] is PlaceState.MARKER)
            for card, centre in places.items()
        )

    def _repeated(self, last: PlaceResult) -> PlaceResult:
        return PlaceResult(
            last.states, last.hands, last.usable, last.why, (), True, last.illumination
        )

    def _judge_for(self, image: np.ndarray, plane: PicturePlane) -> PlaceJudge:
        """Rasters aimed at this plane; all is begun anew when the picture's size changes."""
        if self._judge is None or self._size != image.shape:
            self._size = image.shape
            bounds = watched_bounds_mm(plane)
            coarse = Raster(bounds, COARSE_RATIO * self.raster_mm)
            fine = Raster(
                (*bounds[:2], *coarse.point_at(coarse.height, coarse.width)), self.raster_mm
            )
            self._judge = PlaceJudge(self.disc_mm, Ground(fine, coarse))
            self._shrink = shrink_factor(plane, bounds, self.raster_mm)
        ground = self._judge.ground
        ground.fine.follow_plane(plane, self._shrink)
        ground.coarse.follow_plane(plane, SHRINK)
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
            ground.forget_ground(
                ground.coarse.box_cells(polygon.min(axis=0) - 5, polygon.max(axis=0) + 5)
            )
        self._tray = corners

    def _follow_records(
        self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]], t_s: float
    ) -> None:
        """Keep one spot a place; spots nobody asks for stay until the card is known to be
        elsewhere, or for a while."""
        for card, centre in places.items():
            record = self._records.get(card)
            if record is None or not within_mm(record.centre_mm, centre, SAME_RECORD_MM):
                record = self._records[card] = PlaceRecord(centre, t_s)
            record.centre_mm, record.since_s = centre, t_s
        for card in [c for c in self._records if c not in places]:
            record = self._records[card]
            elsewhere = card in read and not within_mm(
                read[card][0], record.centre_mm, SAME_PLACE_MM
            )
            if (
                record.state is PlaceState.TABLE
                or elsewhere
                or t_s - record.since_s > KEPT_RECORD_S
            ):
                del self._records[card]

    def _lying(
        self, places: Mapping[int, Point], read: Mapping[int, tuple[Point, float]]
    ) -> dict[int, Point]:
        """Where cards lie as far as is known: read now, or at a place that was not yet seen bare."""
        lying = {}
        for card, centre in places.items():
            away = card in read and not within_mm(read[card][0], centre, SAME_PLACE_MM)
            if not away and self._records[card].state is not PlaceState.TABLE:
                lying[card] = centre
        lying.update({card: centre for card, (centre, _) in read.items()})
        return lying

    def _discs(self, raster: Raster, centres: Sequence[Point], wider_mm: float) -> np.ndarray:
        cells = np.zeros((raster.height, raster.width), dtype=bool)
        for centre in centres:
            box, disc = raster.disc_box(centre, self.disc_mm / 2 + wider_mm)
            cells[box] |= disc
        return cells
