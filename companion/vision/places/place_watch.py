"""The place report: what each frame shows where a card lay.

Knows the picture, the plane, which markers were read and where cards last lay; says marker, table,
moving, back, other or unknown for each place, and finds hands on the way. Knows nothing of the
game: a state is what is seen, never what it means. One rule stands above all: "table" is said only
when the disc and its ring equal the bare table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from companion.table.sighting import Hand, PlaceState, Point, TrayReport
from companion.vision.frame.hands import find_hands
from companion.vision.frame.illumination import Illumination
from companion.vision.frame.log_colour import log_colour_of
from companion.vision.frame.motion_gate import SHRINK, Motion, MotionGate
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.frame.raster import Raster, shrink_factor, shrunk_picture, watched_bounds_mm
from companion.vision.frame.sharpness import Sharpness
from companion.vision.places.backs import PRINTED, Back, learn_back, printed_backs
from companion.vision.places.ground import Ground
from companion.vision.places.judge import PlaceJudge
from companion.vision.places.place_context import PlaceContext, within_mm
from companion.vision.places.place_records import PlaceRecords
from companion.vision.places.place_thresholds import PLACE_THRESHOLDS, PlaceThresholds
from companion.vision.places.tray_watch import TrayWatch

COARSE_RATIO = 3
"""Fine pixels along a coarse cell."""

KEEP_OFF_MM = 6.0
"""The ground is not learnt so near to a disc; chosen."""

CARD_RIM_MM = 4.0
"""A known card hides its disc and so much round it from the search for hands; chosen."""

OWN_PICTURES_A_LOOK = 2
"""Of so many cards their own picture is taken in one look."""

SELDOM_S = 0.3
"""Looks so far apart have time for all cards."""

RESULT_STANDS_S = 1.0
"""A still table is looked at anew after so long at the latest."""

UNSETTLED_STANDS_S = 0.12
"""...and after so long while some place is not settled."""

TRAY_MOVED_MM = 4.0
"""A tray that jumps by more was moved; chosen."""

SETTLED = (PlaceState.MARKER, PlaceState.TABLE, PlaceState.BACK)
"""States in which nothing is in doubt."""


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """What one frame says of all places: `states` by card, hands in view, whether the picture can
    be trusted at all (`why` not: "blurred", "dark"), whether nothing moved, the table's light, and
    what the tray's picture says."""

    states: dict[int, PlaceState]
    hands: list[Hand] = field(default_factory=list)
    usable: bool = True
    why: str = ""
    still: bool = False
    illumination: Illumination = field(default_factory=Illumination)
    tray: TrayReport | None = None


class PlaceWatch:
    """Watches the places of one table; hand it every frame, oldest first."""

    def __init__(
        self,
        disc_mm: float = 85.0,
        raster_mm: float = 2.0,
        backs: Sequence[Back] = (),
        thresholds: PlaceThresholds = PLACE_THRESHOLDS,
        reach_mm: float | None = None,
    ) -> None:
        """Cards hold a disc of `disc_mm`, by which places are judged, and reach `reach_mm` from their
        middle; None for discs."""
        self.disc_mm = disc_mm
        self.reach_mm = disc_mm / 2 if reach_mm is None else reach_mm
        self.raster_mm = raster_mm
        self.backs: list[Back] = [*backs, *printed_backs()]
        self.gate = MotionGate()
        self._thresholds = thresholds
        self.sharpness = Sharpness()
        self._table: _WatchedTable | None = None
        self._records = PlaceRecords(disc_mm)
        self._last: PlaceResult | None = None
        self._looked_s = -1e9

    @property
    def ground(self) -> Ground | None:
        """The table as learnt so far; None before the first look."""
        return self._table.ground if self._table else None

    @property
    def settled(self) -> bool:
        """True when the last look was trusted and left no place in doubt."""
        last = self._last
        if last is None or not last.usable or self._tray_settles:
            return False
        return all(s in SETTLED for s in last.states.values())

    @property
    def _tray_settles(self) -> bool:
        return self._table is not None and self._table.tray.settling

    @property
    def learning(self) -> bool:
        """True while some part of the table is being learnt."""
        return self.ground is None or self.ground.waiting

    def learn_back(
        self, image_bgr: np.ndarray, plane: PicturePlane, centre_mm: Point, name: str = "learnt"
    ) -> Back:
        """Learn the back of the card that lies face down at this place; it is known from now on."""
        back = learn_back(image_bgr, plane, centre_mm, name, self.disc_mm / 2)
        self.know_back(back)
        return back

    def know_back(self, back: Back | None) -> None:
        """Know this back beside our printed ones, instead of all learnt before; None: only our
        printed one."""
        printed = [known for known in self.backs if known.name == PRINTED]
        self.backs = [*([back] if back is not None else []), *printed]

    def forget_table(self) -> None:
        """Forget the table: what was known of it stood on another plane."""
        self._table = None
        self._records = PlaceRecords(self.disc_mm)
        self._last = None

    def report_places(
        self,
        image_bgr: np.ndarray,
        plane: PicturePlane,
        t_s: float,
        read: Mapping[int, tuple[Point, float]],
        places: Mapping[int, Point],
        backs_mm: Sequence[Point] = (),
        motion: Motion | None = None,
        steady: bool = True,
    ) -> PlaceResult:
        """The state of every place in `places` (card to centre in mm) in this frame (H, W, 3) uint8
        BGR.

        `read`: the markers read in this frame, card to (centre in mm, heading in degrees).
        `backs_mm`: printed back marks read. `motion`: what `self.gate.detect_motion(image)` said,
        if it was asked already. `steady` is False while the camera or the table swings: what the tray
        looks like then is no picture of it. Never raises for a bad picture: it is then not usable, and every
        place whose marker was not read is unknown.
        """
        motion = motion or self.gate.detect_motion(image_bgr)
        if self._last is not None and self._nothing_new(motion, t_s, read, places):
            return replace(self._last, still=True)
        table = self._table_for(image_bgr, plane)
        ground, records = table.ground, self._records
        seen = log_colour_of(ground.coarse.sample_picture(motion.small, slice(None), slice(None)))
        stable_s = ground.observe_cells(seen, t_s, motion.noise)
        illumination, unlike = ground.compare_cells(seen, motion.noise)
        why = self.sharpness.judge_sharpness(image_bgr, plane, bool(read))
        records.follow_places(places, read, t_s)
        lying = records.lying(places, read)
        picture = shrunk_picture(image_bgr, table.shrink)
        context = PlaceContext(
            picture,
            table.shrink,
            plane,
            t_s,
            illumination,
            stable_s,
            read,
            backs_mm,
            lying,
            not why,
        )
        states = self._judge_places(places, context, table.judge)
        lie = [*lying.values(), *backs_mm]
        cards = disc_cells(ground.coarse, lie, self.reach_mm + CARD_RIM_MM)
        hands, covered, reaching = find_hands(unlike, stable_s, cards, ground.coarse)
        records.note_hands(reaching, ground.coarse, t_s)
        if not why:
            lie += records.not_bare()
            keep_off = disc_cells(ground.coarse, lie, self.reach_mm + KEEP_OFF_MM) | covered
            ground.learn_ground(picture, stable_s, unlike, keep_off, t_s, illumination)
        self._looked_s = t_s
        tray = table.tray.observe_tray(
            picture,
            table.shrink,
            plane,
            t_s,
            hands,
            steady and not why,
            [point for point, _ in read.values()],
        )
        self._last = PlaceResult(states, hands, not why, why, motion.still, illumination, tray)
        return self._last

    def _judge_places(
        self, places: Mapping[int, Point], context: PlaceContext, judge: PlaceJudge
    ) -> dict[int, PlaceState]:
        records = self._records.by_card
        states = {
            card: judge.judge_place(card, records[card], context, self.backs) for card in places
        }
        waiting = self._records.waiting_for_own_picture(places, context) if context.usable else []
        seldom = context.t_s - self._looked_s >= SELDOM_S
        for card in waiting if seldom else waiting[:OWN_PICTURES_A_LOOK]:
            judge.keep_own_picture(card, records[card], context)
        return states

    def _nothing_new(
        self, motion: Motion, t_s: float, read: Mapping[int, Any], places: Mapping[int, Point]
    ) -> bool:
        """Whether the last look still holds: nothing moved, nothing is being learnt or waited for,
        no place is new."""
        last, records = self._last, self._records.by_card
        if last is None or self.learning or not motion.still or not last.usable:
            return False
        age_s = t_s - self._looked_s
        if not 0 <= age_s <= RESULT_STANDS_S or set(last.states) != set(places):
            return False
        if age_s > UNSETTLED_STANDS_S and any(s not in SETTLED for s in last.states.values()):
            return False
        if age_s > UNSETTLED_STANDS_S and self._tray_settles:
            return False
        if any(card in records and records[card].own.taken_s < 0 for card in read):
            return False
        states = last.states
        if any(records[c].bare.looks and states[c] is not PlaceState.TABLE for c in places):
            return False
        return all(
            within_mm(records[card].centre_mm, centre, 1.0)
            and (card not in read or states[card] is PlaceState.MARKER)
            for card, centre in places.items()
        )

    def _table_for(self, image: np.ndarray, plane: PicturePlane) -> _WatchedTable:
        """The table aimed at this plane; begun anew when the picture's size changes."""
        if self._table is None or self._table.shape != image.shape:
            self._table = _WatchedTable(
                image.shape,
                plane,
                self.disc_mm,
                self.raster_mm,
                self._thresholds,
                self.reach_mm <= self.disc_mm / 2,
            )
        self._table.follow_plane(plane)
        return self._table


class _WatchedTable:
    """What is known of the table in pictures of one size: its ground, the judge of its places, and
    its tray as a picture."""

    def __init__(
        self,
        shape: tuple[int, ...],
        plane: PicturePlane,
        disc_mm: float,
        raster_mm: float,
        thresholds: PlaceThresholds,
        is_round: bool,
    ) -> None:
        bounds = watched_bounds_mm(plane)
        coarse = Raster(bounds, COARSE_RATIO * raster_mm)
        fine = Raster((*bounds[:2], *coarse.point_at(coarse.height, coarse.width)), raster_mm)
        self.shape = shape
        self.shrink = shrink_factor(plane, bounds, raster_mm)
        self.ground = Ground(fine, coarse)
        self.judge = PlaceJudge(disc_mm, self.ground, thresholds, is_round)
        self.tray = TrayWatch()
        self._tray: np.ndarray | None = None

    def follow_plane(self, plane: PicturePlane) -> None:
        """Aim the rasters at this plane; a tray that was moved leaves two stretches of ground that
        are no longer known."""
        ground = self.ground
        ground.fine.follow_plane(plane, self.shrink)
        ground.coarse.follow_plane(plane, SHRINK)
        tray = getattr(plane, "tray_mm", None)
        if tray is None:
            return
        corners = np.asarray(tray, dtype=np.float64).reshape(-1, 2)
        before = self._tray
        if before is not None:
            if np.abs(corners - before).max() <= TRAY_MOVED_MM:
                return
            for polygon in (before, corners):
                low, high = polygon.min(axis=0) - 5, polygon.max(axis=0) + 5
                ground.forget_ground(ground.coarse.box_cells(low, high))
        self._tray = corners


def disc_cells(raster: Raster, centres_mm: Sequence[Point], radius_mm: float) -> np.ndarray:
    """The raster's pixels within a radius of any of the points, bool."""
    cells = np.zeros((raster.height, raster.width), dtype=bool)
    for centre in centres_mm:
        box, disc = raster.disc_box(centre, radius_mm)
        cells[box] |= disc
    return cells
