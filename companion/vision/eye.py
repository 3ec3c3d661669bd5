"""The eye: a frame in, a `FrameResult` out.  The one object that a session needs of all that sees.

Composes aim (table plane), gate (did anything move), reader (cards) and place report. Knows no
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
from calibration.errors import PlaneNotSeen
from calibration.geometry.fit import plane_from_markers
from calibration.geometry.plane import Plane
from card_printables.deck import DECKS
from card_printables.marker import SYMBOL_MM, MarkerPlace
from companion.table.sighting import Attention, Glimpse, PlaceReport, RawGlimpse, TableView
from companion.vision.codes.detection import Box, Expected, Reading
from companion.vision.codes.printed_size import any_other_size, has_printed_size, printed_size_mm
from companion.vision.codes.reader import Reader
from companion.vision.codes.temporal_vote import TemporalVote
from companion.vision.frame.frozen_frame import FrozenFrameCheck
from companion.vision.frame.idle_policy import IdlePolicy, Unfinished
from companion.vision.frame.motion_gate import Motion
from companion.vision.frame.pre_plane import PrePlaneBuffer
from companion.vision.frame.table_plane import PlaneTracker
from companion.vision.locate import centre_of_back, locate, middle_px
from companion.vision.places.back_lesson import BackLesson, learn_lone_back
from companion.vision.places.backs import Back
from companion.vision.places.memory import BackMemory, PlaceMemory
from companion.vision.places.place_watch import PlaceWatch

SMALLEST = 64
"""Pixels of the shorter side that a picture has at least."""

FULL_SEARCH_S = 2.0
"""The whole picture is searched this often, whatever moved; in between only where something did."""

SHARPEN_S = 0.7
"""So long after something moved a new card is still searched there: a picture settles after a hand
has left."""

BUMP_REST_S = 0.6
"""After a bump nothing is decided for so long: people straighten things, the picture settles."""

SIZE_LOOKS, SIZE_SPREAD = 4, 1.04
"""So many looks in a row must measure the same other size before the deck is taken to be printed at
it."""

BLIND_S = 6.0
"""While no card was ever read, codes of other sizes are looked for this often: it takes a third of
a second."""

NAMELESS = 4
"""Without tokens the plane comes from the cards' own markers, anew with each one more until so many
lie there."""


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


class Eye:
    """Looks at one table through one camera; hand it every frame, oldest first."""

    def __init__(
        self,
        numbers: Iterable[int] = range(1, 81),
        deck: str = DECKS[0],
        symbol_mm: float = SYMBOL_MM,
        disc_mm: float = 85.0,
    ) -> None:
        self.place = MarkerPlace(disc_mm, symbol_mm)
        self.reader = Reader(numbers, deck, symbol_mm)
        self.watch = PlaceWatch(disc_mm)
        self.plane_tracker = PlaneTracker()
        self.frozen_check, self.idle = FrozenFrameCheck(), IdlePolicy()
        self._attention = NOTHING_GONE
        self.memory, self.backs, self.vote = PlaceMemory(), BackMemory(), TemporalVote()
        self.pre_plane = PrePlaneBuffer()
        self._markers_plane: Plane | None = None
        self._markers_count = 0
        self._moved: list[tuple[float, Box]] = []
        self._searched_s = -1e9
        self._last: FrameResult | None = None
        self._sizes_mm: list[float] = []
        self._any_read, self._blind_s = False, -1e9

    def read_frame(self, frame: Frame, attention: Attention = NOTHING_GONE) -> FrameResult:
        """What this frame shows, nothing withheld; `attention` says what is worth looking for."""
        if _odd(frame):
            odd = Glimpse(frame.t_s, usable=False, notices=("odd_picture",))
            return FrameResult.of(odd, None)
        frozen, motion = self._glance(frame)
        if self.frozen_check.frozen:
            stale = Glimpse(frame.t_s, usable=False, notices=(frozen,) if frozen else ())
            return FrameResult.of(stale, self.plane_tracker.plane)
        same_cards = attention.gone_cards == self._attention.gone_cards
        self._attention = attention
        if (
            self._last is not None
            and same_cards
            and self.idle.last_result_stands(motion, frame.t_s)
        ):
            return self._again(self._last, frame.t_s)
        result = self._whole_look(frame, motion, attention.gone_cards)
        self.idle.note_result(motion, frame.t_s, self._left_open(result))
        return self._keep(result)

    def _glance(self, frame: Frame) -> tuple[str, Motion]:
        """Whether the camera hangs, and what moved: all that is asked of every picture."""
        if isinstance(frame, JpegFrame):
            width, height = frame.size_px
            return self.frozen_check.observe_jpeg(
                frame.jpeg, frame.t_s
            ), self.watch.gate.detect_motion_in_small(frame.small, (height, width, 3))
        return self.frozen_check.observe_picture(
            frame.image, frame.t_s
        ), self.watch.gate.detect_motion(frame.image)

    def _again(self, last: FrameResult, t_s: float) -> FrameResult:
        """The last look said again of a picture in which nothing moved."""
        self.memory.observe_sightings(last.glimpse.sightings, t_s)
        return self._keep(FrameResult.of(replace(last.glimpse, t_s=t_s), last.plane))

    def _left_open(self, look: FrameResult) -> Unfinished:
        glimpse = look.glimpse
        cards = {s.card for s in glimpse.sightings}
        unsure = look.plane is None or not glimpse.usable or bool(glimpse.hands)
        busy = unsure or not self.plane_tracker.settled or self.vote.pending
        missing = 0 < len(cards) < self._attention.deal_size
        shows = (
            frozenset(cards),
            tuple((p.card, p.state) for p in glimpse.places),
            glimpse.notices,
        )
        return Unfinished(
            busy or "bumped" in glimpse.notices,
            missing or not self.watch.settled,
            shows,
            self.watch.learning,
        )

    def _whole_look(self, frame: Frame, motion: Motion, gone: frozenset[int]) -> FrameResult:
        grey = checked_grey(frame.image)
        assert grey is not None
        plane = self.plane_tracker.track_plane(grey, frame.t_s)
        frame, grey = _held_still(frame, grey, self.plane_tracker.sway_px)
        self._moved += [(frame.t_s, box) for box in motion.boxes_px]
        self.memory.forget_cards(gone, frame.t_s)
        reading = self._read(grey, plane or self._markers_plane, frame.t_s)
        self._follow_size(reading, plane, grey, frame.t_s)
        plane = plane or self._plane_of_markers(reading, grey)
        if plane is None:
            self.pre_plane.keep_picture(frame.image, motion, frame.t_s)
            unplaced = Glimpse(frame.t_s, usable=True, notices=_notices(reading, False))
            return FrameResult.of(unplaced, None)
        return self._report(frame, reading, plane, motion)

    def learn_back(self, image: np.ndarray) -> BackLesson:
        """Look once at the card that lies face down in `image` (H, W, 3) uint8 BGR; a back learnt
        is not yet known.

        May be called while another thread looks at frames: it touches nothing of theirs.
        """
        reader = Reader(self.reader.numbers, self.reader.deck, self.reader.symbol_mm)
        return learn_lone_back(
            image, self.plane_tracker.plane or self._markers_plane, reader, self.place
        )

    def know_back(self, back: Back | None) -> None:
        """Know this learnt back from now on, instead of the one learnt before; None: no learnt
        back."""
        self.watch.know_back(back)

    def _keep(self, look: FrameResult) -> FrameResult:
        self._last = look
        return look

    def _read(self, grey: np.ndarray, plane: Plane | None, t_s: float) -> Reading:
        expected = [
            Expected(card, corners)  # type: ignore[arg-type]
            for card, corners in self.memory.last_corners(t_s, 3.0).items()
        ]
        where = self._where_to_search(t_s)
        expected += self.vote.agreed
        reading = self.reader.read_codes(
            grey, plane, expected, where, patient=plane is None and where is None
        )
        self.vote.observe_faint(reading.faint, frozenset(reading.cards), t_s)
        return reading

    def _follow_size(
        self, reading: Reading, plane: Plane | None, grey: np.ndarray, t_s: float
    ) -> None:
        """Take the deck for one printed at another size than was told, once look after look
        measures it so."""
        told_mm = self.place.symbol_mm
        if plane is None:
            return
        if not reading.cards:
            if self._any_read or 0 <= t_s - self._blind_s < (
                BLIND_S if not self._sizes_mm else SHARPEN_S
            ):
                return
            self._blind_s = t_s
            reading = self.reader.read_codes(grey, patient=True)
        size_mm = printed_size_mm(reading, plane, told_mm)
        if size_mm is None:
            self._any_read |= bool(reading.cards) and not any_other_size(reading, plane, told_mm)
            self._sizes_mm = []
            return
        self._sizes_mm = [*self._sizes_mm, size_mm][-SIZE_LOOKS:]
        if len(self._sizes_mm) == SIZE_LOOKS and max(self._sizes_mm) < SIZE_SPREAD * min(
            self._sizes_mm
        ):
            size_mm = float(np.median(self._sizes_mm))
            self.place = MarkerPlace(self.place.disc_mm, size_mm)
            self.reader = Reader(self.reader.numbers, self.reader.deck, size_mm)
            self.memory, self._sizes_mm, self._searched_s = PlaceMemory(), [], -1e9

    def _where_to_search(self, t_s: float) -> tuple[Box, ...] | None:
        """Boxes in px where new cards may have come to lie; None for everywhere, now and then."""
        self._moved = [(at_s, box) for at_s, box in self._moved if 0 <= t_s - at_s < SHARPEN_S]
        if t_s - self._searched_s >= FULL_SEARCH_S or t_s < self._searched_s:
            self._searched_s = t_s
            return None
        return tuple(dict.fromkeys(box for _, box in self._moved)) + self.vote.boxes_to_search()

    def _plane_of_markers(self, reading: Reading, grey: np.ndarray) -> Plane | None:
        """Without tokens: the plane from the cards' own markers, made anew as more of them come
        into view."""
        corners = [np.asarray(d.corners_px, float) for d in reading.detections if not d.is_back]
        size = (grey.shape[1], grey.shape[0])
        if self._markers_plane is not None and self._markers_plane.size_px != size:
            self._markers_plane, self._markers_count, self.pre_plane = None, 0, PrePlaneBuffer()
        if len(corners) > self._markers_count and self._markers_count < NAMELESS:
            try:
                self._markers_plane = plane_from_markers(corners, self.place.symbol_mm, size)
                self._markers_count = len(corners)
                self.memory = PlaceMemory()
                self.pre_plane.teach_places(self.watch, self._markers_plane)
                if self._markers_count >= NAMELESS:
                    self.pre_plane.drop_pictures()
            except PlaneNotSeen:
                pass
        return self._markers_plane

    def _report(self, frame: Frame, reading: Reading, plane: Plane, motion: Motion) -> FrameResult:
        lying = [
            d for d in reading.cards.values() if has_printed_size(d, plane, self.place.symbol_mm)
        ]
        sightings = tuple(locate(d, plane, self.place) for d in lying)
        read_backs = [(centre_of_back(d, plane), middle_px(d)) for d in reading.backs]
        backs = self.backs.observe_backs(read_backs, motion.boxes_px, frame.t_s)
        self.memory.observe_sightings(sightings, frame.t_s)
        places = self.memory.places
        read = {s.card: (s.centre_mm, s.heading_deg) for s in sightings}
        look = self.watch.report_places(frame.image, plane, frame.t_s, read, places, backs, motion)
        self.memory.note_states(look.states, frame.t_s)
        shaken = (
            self.plane_tracker.stirring or frame.t_s - self.plane_tracker.bumped_at_s < BUMP_REST_S
        )
        notices = _notices(reading, shaken and not self.plane_tracker.stirring) + (
            (look.why,) if look.why else ()
        )
        reports = tuple(
            PlaceReport(card, places[card], state) for card, state in look.states.items()
        )
        table = TableView(plane.middle_mm, plane.tray_mm)
        usable = look.usable and not shaken
        glimpse = Glimpse(
            frame.t_s, sightings, reports, backs, tuple(look.hands), table, usable, 0, notices
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


def _odd(frame: Frame) -> bool:
    """Whether this is no picture that a camera of a table makes."""
    if isinstance(frame, JpegFrame):
        return min(frame.size_px) < SMALLEST
    image = frame.image
    if (
        not isinstance(image, np.ndarray)
        or image.ndim != 3
        or image.dtype != np.uint8
        or image.shape[2] not in (1, 3, 4)
    ):
        return True
    rows, columns = image.shape[:2]
    return bool(min(rows, columns) < SMALLEST or rows * columns > LIMITS.searched_px)


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
