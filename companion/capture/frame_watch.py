"""What the watching does with one frame: the eye reads it, the session keeps the score of it, and
what was seen of the table is kept for whoever asks.

Knows one eye, frames and glimpses. Must not know cameras, what they do when they stop, or threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

import numpy as np

from calibration.cameras.port import Frame
from calibration.geometry.plane import Plane
from companion.capture.last_seen import LastSeen
from companion.capture.look_pace import LookPace
from companion.capture.table_area import table_only
from companion.table.lasting_notices import Lasting
from companion.table.sighting import Attention, Glimpse, RawGlimpse
from companion.vision.eye import Eye

READ_S = 0.3
"""A card read within so long is being read just now (chosen)."""

PILE_S = 3.0
"""A spread pile is counted over so long: a marker under a finger shows a moment later."""


TakePicture = Callable[[], np.ndarray | None]
"""Makes what may be kept of a picture (H, W, 3) uint8 BGR: the table alone; None for nothing."""

RecordGlimpse = Callable[[Glimpse, TakePicture], None]
"""Keeps a glimpse, and its picture when asked to."""


KeepStill = Callable[[Glimpse, np.ndarray, Plane | None, float], None]
"""May keep a small picture of a frame in which a round lies face up: the glimpse, the picture, the
table's plane, and when that was by the wall clock."""


def _nothing() -> None:
    """No picture: cards are looked at in secret."""


class ScoreSession(Protocol):
    """Who keeps the score of what is watched: asked before each frame, told after it, in the
    watching thread. Offsets are from frame time to the wall clock."""

    @property
    def attention(self) -> Attention:
        """What is worth looking for in the next frame."""

    @property
    def curtain_open(self) -> bool:
        """True while a round lies face up: only then is a picture kept."""

    @property
    def is_played(self) -> bool:
        """True while an evening is played: begun, neither over nor paused."""

    def draw_curtain(self, raw: RawGlimpse) -> Glimpse:
        """What everyone may see of what the eye has read."""

    def observe_glimpse(self, glimpse: Glimpse, offset_s: float) -> None:
        """Keep the score by one glimpse."""

    def finish_footage(self, t_s: float, offset_s: float) -> None:
        """The footage has ended at `t_s`."""

    def camera_changed(self) -> None:
        """The camera's state is another one."""


class FrameWatch:
    """Follows the table frame by frame.

    One thread calls `watch_frame`; everything else may be asked by any thread: what is shared is
    replaced as a whole (`last_seen`, the frame).
    """

    def __init__(
        self,
        eye: Eye,
        clock: Callable[[], float],
        record_glimpse: RecordGlimpse | None = None,
        on_plane: Callable[[Plane | None, float], bool] | None = None,
    ) -> None:
        """`on_plane` gets the table's plane and the time since the first frame until it returns
        True."""
        self.eye = eye
        self.last_seen = LastSeen()
        self.may_keep: Callable[[], bool] = lambda: True
        """Whether a picture may be recorded just now."""
        self.keep_stills: tuple[KeepStill, ...] = ()
        """Who may keep a small picture of a frame."""
        self._clock = clock
        self._frame: Frame | None = None
        self._record_glimpse = record_glimpse
        self._on_plane = on_plane
        self._lasting = Lasting()
        self._pace = LookPace()

    @property
    def picture(self) -> np.ndarray | None:
        """The newest picture, (H, W, 3) uint8 BGR; None while there is none."""
        frame = self._frame
        return frame.image if frame is not None else None

    @picture.setter
    def picture(self, image: np.ndarray | None) -> None:
        self._frame = Frame(image, 0.0, 0) if image is not None else None

    @property
    def plane(self) -> Plane | None:
        """The table's plane; None while it is not known."""
        return self.eye.plane_tracker.plane

    def watch_frame(self, frame: Frame, session: ScoreSession) -> float:
        """Read this frame, and let `session` keep the score of it; in how many seconds the next one is
        wanted."""
        began_s = time.perf_counter()
        result = self.eye.read_frame(frame, session.attention)
        glimpse = session.draw_curtain(result.raw)
        self._frame = frame
        corners = self.eye.memory.last_corners(glimpse.t_s, READ_S).values()
        self.last_seen = self.last_seen.with_glimpse(
            glimpse,
            self._lasting.news(glimpse.all_notices, glimpse.t_s),
            [np.array(points, float) for points in corners],
            time.monotonic(),
            self.eye.plane_tracker.out_of_sight,
        )
        self._tell_of_plane(frame.t_s - self.last_seen.first_s)
        if self._record_glimpse is not None:
            # no picture of cards that are looked at in secret
            kept = session.curtain_open and self.may_keep()
            self._record_glimpse(
                glimpse, (lambda: table_only(frame.image, result.plane)) if kept else _nothing
            )
        now_s = self._clock()
        for keep in self.keep_stills if session.curtain_open else ():
            keep(glimpse, frame.image, result.plane, now_s)
        session.observe_glimpse(glimpse, now_s - frame.t_s)
        took_s = time.perf_counter() - began_s
        return self._pace.after_look(took_s, self.eye.resting, session.is_played)

    def finish_footage(self, session: ScoreSession) -> None:
        """The footage has ended."""
        latest = self.last_seen.glimpse
        if latest is not None:
            session.finish_footage(latest.t_s, self._clock() - latest.t_s)

    def _tell_of_plane(self, since_first_s: float) -> None:
        if self._on_plane is not None and self._on_plane(self.plane, since_first_s):
            self._on_plane = None

    def in_view(self) -> frozenset[int] | None:
        """The cards read in the last seconds, wherever they lie; None while there is neither a card
        nor the table in view."""
        seen = self.last_seen
        return seen.cards_read_within(PILE_S) or (frozenset() if seen.sees_table else None)

    def codes_px(self) -> list[np.ndarray]:
        """The corners (4, 2) px of the cards' codes being read just now; which cards is nobody's
        business."""
        return list(self.last_seen.codes_px)
