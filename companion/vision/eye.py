"""The eye: a frame in, a `FrameResult` out.  The one object that a session needs of all that sees.

Composes plane tracker, motion gate, reader of codes and place report. Knows no
rules and keeps no secret: what it reads is raw, for the dealing room (`companion/dealing`) alone
while people play.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.cameras.grey import checked_grey
from calibration.cameras.jpeg_frame import JpegFrame
from calibration.cameras.picture_file import LIMITS
from calibration.cameras.port import Frame
from calibration.geometry.plane import Plane
from card_printables.deck import DECKS
from card_printables.marker import SYMBOL_MM, MarkerPlace
from companion.table.sighting import Attention, Glimpse, PlaceReport, RawGlimpse, TableView
from companion.vision.card_outline import CardOutline
from companion.vision.card_reader import CardReader
from companion.vision.codes.detection import Expected, Reading
from companion.vision.codes.printed_size import PrintedSizeWatch, of_printed_size
from companion.vision.codes.reader import Reader
from companion.vision.codes.zxing_reader import SecondReader
from companion.vision.frame.faint_change import FaintChange
from companion.vision.frame.frozen_frame import FrozenFrameCheck
from companion.vision.frame.idle_policy import IdlePolicy, Unfinished
from companion.vision.frame.motion_gate import Motion
from companion.vision.frame.table_plane import PlaneTracker
from companion.vision.locate import centre_of_back, locate_all, middle_px
from companion.vision.markers_plane import MarkersPlane
from companion.vision.pictures.picture_watch import PictureWatch
from companion.vision.places.back_lesson import BackLesson, learn_lone_back
from companion.vision.places.backs import Back
from companion.vision.places.memory import BackMemory, PlaceMemory
from companion.vision.places.place_watch import PlaceWatch
from companion.vision.search_plan import SearchPlan
from companion.vision.second_reader.zxing import decode

SHORTEST_FRAME_PX = 64
"""A picture's shorter side is no less."""

BUMP_REST_S = 0.6
"""After a bump nothing is decided for so long: people straighten things, the picture settles."""

EXPECTED_WITHIN_S = 3.0
"""A card read so lately, or not yet seen gone, is looked for first where it lay; chosen."""

NOTHING_GONE = Attention()


@dataclass(frozen=True, slots=True)
class FrameResult:
    """What one frame shows, nothing withheld, with the plane it stands on (None: not known)."""

    raw: RawGlimpse
    plane: Plane | None

    @classmethod
    def of(cls, glimpse: Glimpse, plane: Plane | None) -> FrameResult:
        """The result that this unveiled glimpse is."""
        return cls(RawGlimpse(glimpse), plane)

    @property
    def glimpse(self) -> Glimpse:
        """What the frame shows, nothing withheld: for `companion read`, calibration and the deck
        check, never during a game."""
        return self.raw.uncurtained


@dataclass(frozen=True, slots=True)
class _LastLook:
    """The last whole look, and the cards that were out of the game then."""

    result: FrameResult
    gone_cards: frozenset[int]


class Eye:
    """Looks at one table through one camera; hand it every frame, oldest first.

    Many attributes: one for each of those who look, and the last result.
    """

    def __init__(
        self,
        numbers: Iterable[int] = range(1, 81),
        deck: str = DECKS[0],
        symbol_mm: float = SYMBOL_MM,
        disc_mm: float = 85.0,
        second_reader: SecondReader = decode,
        reader: CardReader | None = None,
        outline: CardOutline | None = None,
    ) -> None:
        """`reader`: who reads the cards, instead of the reader of codes that the rest describes;
        `outline`: the cards', None for discs of `disc_mm`."""
        self.outline = outline or CardOutline.disc(disc_mm)
        disc_mm = 2 * self.outline.radius_mm
        self.place = MarkerPlace(disc_mm, symbol_mm)
        self.reader: CardReader = reader or Reader(numbers, deck, symbol_mm, second_reader)
        self.watch = PlaceWatch(disc_mm, reach_mm=self.outline.reach_mm)
        self.reader.know_backs(lambda: self.watch.backs)
        self.plane_tracker = PlaneTracker()
        self.memory = PlaceMemory()
        self._pictures = PictureWatch(self.place)
        self._backs = BackMemory()
        self._frozen_check = FrozenFrameCheck()
        self._idle = IdlePolicy()
        self._faint = FaintChange()
        self._search = SearchPlan()
        self._markers_plane = MarkersPlane()
        self._printed_size = PrintedSizeWatch()
        self._last: _LastLook | None = None
        self.resting = False
        """True where the last look stood for the newest frame."""

    def read_frame(self, frame: Frame, attention: Attention = NOTHING_GONE) -> FrameResult:
        """What this frame shows, nothing withheld; `attention` says what is worth looking for."""
        self.resting = False
        if _is_odd(frame):
            odd = Glimpse(frame.t_s, usable=False, notices=("odd_picture",))
            return FrameResult.of(odd, None)
        why_frozen, motion = self._observe_change(frame)
        self._faint.add_picture(motion.small)
        if self._frozen_check.frozen:
            stale = Glimpse(frame.t_s, usable=False, notices=(why_frozen,) if why_frozen else ())
            return FrameResult.of(stale, self.plane_tracker.plane)
        gone, last = attention.gone_cards, self._last
        same_game = last is not None and gone == last.gone_cards
        if last and same_game and self._last_stands(motion, frame.t_s, attention.deal_size > 0):
            self.resting = True
            return self._repeat(last, frame.t_s)
        result = self._look_closely(frame, motion, gone)
        unfinished = self._unfinished(result, attention.deal_size)
        self._idle.note_result(motion, frame.t_s, unfinished)
        self._faint.note_look()
        self._last = _LastLook(result, gone)
        return result

    def learn_back(self, image: np.ndarray) -> BackLesson:
        """Look once at the card that lies face down in `image` (H, W, 3) uint8 BGR; a back learnt
        is not yet known.

        May be called while another thread looks at frames: it touches nothing of theirs.
        """
        reader = self.reader.for_size(self.reader.symbol_mm)
        plane = self.plane_tracker.plane or self._markers_plane.plane
        return learn_lone_back(image, plane, reader, self.place, self.outline)

    def know_back(self, back: Back | None) -> None:
        """Know this learnt back from now on, instead of the one learnt before; None: no learnt
        back."""
        self.watch.know_back(back)

    def _observe_change(self, frame: Frame) -> tuple[str, Motion]:
        """Whether the camera hangs, and what moved: all that is asked of every picture."""
        gate, frozen = self.watch.gate, self._frozen_check
        if isinstance(frame, JpegFrame):
            width, height = frame.size_px
            why = frozen.observe_jpeg(frame.jpeg, frame.t_s)
            return why, gate.detect_motion_in_small(frame.small, (height, width, 3))
        why = frozen.observe_picture(frame.image, frame.t_s)
        return why, gate.detect_motion(frame.image)

    def _last_stands(self, motion: Motion, t_s: float, played: bool) -> bool:
        return self._idle.last_result_stands(
            motion, t_s, lambda: self._faint.changed, played=played
        )

    def _repeat(self, last: _LastLook, t_s: float) -> FrameResult:
        """The last look said again of a picture in which nothing moved."""
        result = last.result
        self.memory.observe_sightings(result.glimpse.sightings, t_s)
        result = FrameResult.of(replace(result.glimpse, t_s=t_s), result.plane)
        self._last = replace(last, result=result)
        return result

    def _unfinished(self, result: FrameResult, deal_size: int) -> Unfinished:
        """What a whole look left open."""
        glimpse = result.glimpse
        cards = frozenset(s.card for s in glimpse.sightings)
        unsure = result.plane is None or not glimpse.usable or bool(glimpse.hands)
        busy = unsure or not self.plane_tracker.settled or self._search.vote.pending
        busy = busy or self._pictures.busy or self.reader.busy
        missing = 0 < len(cards) < deal_size
        shows = (cards, tuple((p.card, p.state) for p in glimpse.places), glimpse.notices)
        return Unfinished(
            busy or "bumped" in glimpse.notices,
            missing or not self.watch.settled,
            shows,
            self.watch.learning,
        )

    def _look_closely(self, frame: Frame, motion: Motion, gone: frozenset[int]) -> FrameResult:
        grey = checked_grey(frame.image)
        assert grey is not None
        plane = self.plane_tracker.track_plane(grey, frame.t_s)
        frame, grey = _held_still(frame, grey, self.plane_tracker.sway_px)
        self._search.note_motion(motion.boxes_px, frame.t_s)
        self.memory.forget_cards(gone, frame.t_s)
        reading = self._read_cards(frame.image, grey, plane or self._markers_plane.plane, frame.t_s)
        if self.plane_tracker.mirrored and not reading.cards:
            mirrored = Glimpse(frame.t_s, usable=False, notices=("mirrored",))
            return FrameResult.of(mirrored, plane)
        if plane is not None:
            self._follow_printed_size(reading, plane, frame.image, grey, frame.t_s, motion.still)
        else:
            plane = self._follow_markers(reading, grey)
        if plane is None:
            self._markers_plane.keep_picture(frame.image, motion, frame.t_s)
            unplaced = Glimpse(frame.t_s, usable=True, notices=_notices(reading, False))
            return FrameResult.of(unplaced, None)
        return self._report_table(frame, reading, plane, motion, gone)

    def _read_cards(
        self, image: np.ndarray, grey: np.ndarray, plane: Plane | None, t_s: float
    ) -> Reading:
        lying = self.memory.last_corners(t_s, EXPECTED_WITHIN_S)
        expected = [Expected(card, corners) for card, corners in lying.items()]  # type: ignore[arg-type]
        where = self._search.boxes_to_search(t_s)
        expected += self._search.vote.agreed
        patient = plane is None and where is None
        reading = self.reader.read_cards(image, grey, plane, expected, where, patient)
        self._search.vote.observe_faint(reading.faint, frozenset(reading.cards), t_s)
        return reading

    def _follow_printed_size(
        self,
        reading: Reading,
        plane: Plane,
        image: np.ndarray,
        grey: np.ndarray,
        t_s: float,
        still: bool,
    ) -> None:
        """Read on at the size the deck was printed at, where that is not the one told."""
        size_mm = self._printed_size.measure_size(
            reading,
            plane,
            self.place.symbol_mm,
            lambda: self.reader.read_cards(image, grey, patient=True),
            t_s,
            still,
        )
        if size_mm is not None:
            self.place = MarkerPlace(self.place.disc_mm, size_mm)
            self.reader = self.reader.for_size(size_mm)
            self.reader.know_backs(lambda: self.watch.backs)
            self.memory = PlaceMemory()
            self._pictures = PictureWatch(self.place)
            self._search.search_all_next()

    def _follow_markers(self, reading: Reading, grey: np.ndarray) -> Plane | None:
        """Without tokens: the plane from the cards' own markers; what is remembered of places began
        on another plane, so it begins anew with each."""
        markers, size_px = self._markers_plane, (grey.shape[1], grey.shape[0])
        if markers.follow_markers(reading, size_px, self.place.symbol_mm):
            self.memory = PlaceMemory()
            markers.teach_places(self.watch)
        return markers.plane

    def _report_table(
        self,
        frame: Frame,
        reading: Reading,
        plane: Plane,
        motion: Motion,
        gone: frozenset[int],
    ) -> FrameResult:
        """Where cards and backs lie, and what each place shows, in millimetres of the table."""
        t_s, symbol_mm, tracker = frame.t_s, self.place.symbol_mm, self.plane_tracker
        lying = of_printed_size(reading.cards.values(), plane, symbol_mm)
        sightings = locate_all(lying, plane, self.place)
        read_backs = [(centre_of_back(d, plane, self.place), middle_px(d)) for d in reading.backs]
        backs = self._backs.observe_backs(read_backs, motion.boxes_px, t_s)
        self.memory.observe_sightings(sightings, t_s)
        places = self.memory.places
        read = {s.card: (s.centre_mm, s.heading_deg) for s in sightings}
        shaken = tracker.stirring or t_s - tracker.bumped_at_s < BUMP_REST_S
        result = self.watch.report_places(
            frame.image, plane, t_s, read, places, backs, motion, not shaken
        )
        self.memory.note_states(result.states, t_s)
        usable, hands = result.usable and not shaken, tuple(result.hands)
        told = self._pictures.observe_frame(
            frame.image,
            plane,
            t_s,
            sightings,
            result.states,
            hands,
            result.tray if usable else None,
            gone,
        )
        notices = _notices(reading, shaken and not tracker.stirring)
        fault = result.why
        if fault == "blurred":
            fault = self.watch.sharpness.fault_of(
                frame.image, None if tracker.out_of_sight else plane
            )
        notices += (fault,) if fault else ()
        notices += tuple(f"picture_differs:{card}" for card in self._pictures.contradicted(t_s))
        reports = tuple(PlaceReport(card, places[card], s) for card, s in result.states.items())
        table = TableView(plane.middle_mm, plane.tray_mm)
        glimpse = Glimpse(
            t_s,
            sightings,
            reports,
            backs,
            hands,
            table,
            usable,
            0,
            notices,
            tray=result.tray,
            pictures=told,
            names=reading.names,
        )
        return FrameResult.of(glimpse, plane)


def _held_still(
    frame: Frame, grey: np.ndarray, off_px: tuple[float, float]
) -> tuple[Frame, np.ndarray]:
    """A swaying camera's picture moved back by whole pixels, which keeps it as sharp as it was."""
    x, y = round(off_px[0]), round(off_px[1])
    if not x and not y:
        return frame, grey
    back = np.array([[1, 0, -x], [0, 1, -y]], np.float32)
    image, flat = (
        cv2.warpAffine(
            a, back, a.shape[1::-1], flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
        )
        for a in (frame.image, grey)
    )
    return Frame(image, frame.t_s, frame.number), flat


def _is_odd(frame: Frame) -> bool:
    """Whether this is no picture that a camera of a table makes."""
    if isinstance(frame, JpegFrame):
        return min(frame.size_px) < SHORTEST_FRAME_PX or not LIMITS.takes(*frame.size_px)
    image = frame.image
    if (
        not isinstance(image, np.ndarray)
        or image.ndim != 3
        or image.dtype != np.uint8
        or image.shape[2] not in (1, 3, 4)
    ):
        return True
    rows, columns = image.shape[:2]
    return min(rows, columns) < SHORTEST_FRAME_PX or not LIMITS.takes(columns, rows)


def _notices(reading: Reading, bumped: bool) -> tuple[str, ...]:
    keys = [
        f"twice:{card}"
        for conflict in reading.conflicts
        if conflict.why == "twice"
        for card in conflict.cards
    ]
    keys += ["readers_differ"] if any(c.why == "readers" for c in reading.conflicts) else []
    keys += ["foreign"] if reading.foreign else []
    keys += ["mirrored"] if reading.mirrored else []
    keys += ["bumped"] if bumped else []
    return tuple(dict.fromkeys(keys))
