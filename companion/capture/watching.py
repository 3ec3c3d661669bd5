"""The watching thread: camera frames in, glimpses out, and what the camera is doing just now.

Owns one camera and one eye. A camera that stops is said, tried again, and never blocks anything;
nothing is ever told from a stale frame. What was seen is a value (`last_seen`), what screens show of
it a function (`view`), the pace of footage a thing of its own (`pacing`).
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from calibration.cameras.port import Camera, Frame
from calibration.errors import CalibrationError
from calibration.geometry.plane import Plane
from companion.capture.last_seen import LastSeen
from companion.capture.pacing import Pacer
from companion.capture.view import CameraState, View, view_of
from companion.errors import CompanionError
from companion.table.lasting_notices import Lasting
from companion.table.sighting import Attention, Glimpse, RawGlimpse
from companion.vision.eye import Eye

TRY_AGAIN_S = 1.0
"""Pause before a stopped camera is tried again (chosen)."""

OFF_S = 0.2
"""While it is switched off, so often it is asked whether it is on again."""

READ_S = 0.3
"""A card read within so long is being read just now (chosen)."""

PILE_S = 3.0
"""A spread pile is counted over so long: a marker under a finger shows a moment later."""

BAD_FRAMES = 10
"""So many frames in a row on which something broke count as a stopped camera (chosen)."""


class ScoreSession(Protocol):
    """Who keeps the score of what is watched: asked before each frame, told after it, in the
    watching thread. Offsets are from frame time to the wall clock."""

    @property
    def attention(self) -> Attention:
        """What is worth looking for in the next frame."""

    @property
    def curtain_open(self) -> bool:
        """True while a round lies face up: only then is a picture kept."""

    def draw_curtain(self, raw: RawGlimpse) -> Glimpse:
        """What everyone may see of what the eye has read."""

    def observe_glimpse(self, glimpse: Glimpse, offset_s: float) -> None:
        """Keep the score by one glimpse."""

    def finish_footage(self, t_s: float, offset_s: float) -> None:
        """The footage has ended at `t_s`."""

    def camera_changed(self) -> None:
        """The camera's state is another one."""


class Watching:
    """Watches the table through one camera until stopped.

    One thread watches (`_run` and what it calls); every public method and attribute may be used by
    any thread. What is shared is replaced as a whole (`last_seen`, the frame) or a single flag.

    Many attributes: it joins camera, eye, session and thread, and those are nine of them.
    """

    def __init__(
        self,
        camera: Camera,
        eye: Eye,
        *,
        practice: bool = False,
        paced: bool = False,
        speed: float = 1.0,
        clock: Callable[[], float] = time.time,
        record_glimpse: Callable[[Glimpse, np.ndarray | None], None] | None = None,
        on_plane: Callable[[Plane | None, float], bool] | None = None,
    ) -> None:
        """Watch `camera` with `eye`; `on_plane` gets the table's plane and the time since the first
        frame until it returns True."""
        self.camera = camera
        self.eye = eye
        self.practice = practice
        self.on = True
        self.state = "searching"
        self.trouble = ""
        self.last_seen = LastSeen()
        self.ended = threading.Event()
        self.may_keep: Callable[[], bool] = lambda: True
        self._frame: Frame | None = None
        self._clock = clock
        self._record_glimpse = record_glimpse
        self._on_plane = on_plane
        self._lasting = Lasting()
        self._bad_frames = 0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._pacer = Pacer(speed, self._stop) if paced else None

    @property
    def picture(self) -> np.ndarray | None:
        """The newest picture, (H, W, 3) uint8 BGR; None while there is none."""
        frame = self._frame
        return frame.image if frame is not None else None

    @picture.setter
    def picture(self, image: np.ndarray | None) -> None:
        self._frame = Frame(image, 0.0, 0) if image is not None else None

    @property
    def playing(self) -> bool:
        """True while the camera keeps the score: it is on and gives pictures."""
        return self.on and self.state == "live"

    def start(self, session: ScoreSession) -> None:
        """Begin to watch, in a thread of its own; `session` keeps the score of it."""
        self._thread = threading.Thread(
            target=self._run, args=(session,), name="watching", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the thread and let go of the camera."""
        self._stop.set()
        interrupt = getattr(self.camera, "interrupt", None)
        if interrupt is not None:
            interrupt()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(5.0)
        self.camera.close()

    def wait(self, timeout_s: float | None = None) -> bool:
        """True once the footage has ended."""
        return self.ended.wait(timeout_s)

    # --- the watching thread

    def _run(self, session: ScoreSession) -> None:
        while not self._stop.is_set():
            if not self.on:
                self._stay_off(session)
                continue
            try:
                frame = self.camera.read()
                if frame is None:
                    self._finish_footage(session)
                    break
                if self._pacer is not None:
                    self._pacer.wait_until_due(frame)
                self._watch_frame(frame, session)
            except (CompanionError, CalibrationError, OSError) as error:
                self._stay_stopped(str(error), session)
            except Exception as error:  # one bad frame, or a mistake of ours, must not end it
                self._count_bad_frame(error, session)
            else:
                self._bad_frames = 0
                self._enter_state("live", session)
        self.ended.set()
        if not self._stop.is_set():
            self._enter_state("ended", session)

    def _watch_frame(self, frame: Frame, session: ScoreSession) -> None:
        glimpse = session.draw_curtain(self.eye.read_frame(frame, session.attention).raw)
        self._frame = frame
        corners = self.eye.memory.last_corners(glimpse.t_s, READ_S).values()
        self.last_seen = self.last_seen.with_glimpse(
            glimpse,
            self._lasting.news(glimpse.all_notices, glimpse.t_s),
            [np.array(points, float) for points in corners],
            time.monotonic(),
        )
        self._tell_of_plane(frame.t_s - self.last_seen.first_s)
        if self._record_glimpse is not None:
            # no picture of cards that are looked at in secret
            kept = session.curtain_open and self.may_keep()
            self._record_glimpse(glimpse, frame.image if kept else None)
        session.observe_glimpse(glimpse, self._clock() - frame.t_s)

    def _tell_of_plane(self, since_first_s: float) -> None:
        if self._on_plane is None:
            return
        if self._on_plane(self.eye.plane_tracker.plane, since_first_s):
            self._on_plane = None

    def _finish_footage(self, session: ScoreSession) -> None:
        latest = self.last_seen.glimpse
        if latest is not None:
            session.finish_footage(latest.t_s, self._clock() - latest.t_s)

    def _stay_off(self, session: ScoreSession) -> None:
        """Switched off by a person: the device is let go, nobody is filmed."""
        if self.state != "off":
            self._frame = None
            self._enter_state("off", session)
            rest = getattr(self.camera, "rest", None)
            if rest is not None:
                rest()
        if self._pacer is not None:
            self._pacer.start_anew()
        self._stop.wait(OFF_S)

    def _stay_stopped(self, why: str, session: ScoreSession) -> None:
        """The camera stopped: say so, and let some time pass before it is tried again."""
        if self._stop.is_set():
            return
        self.trouble = why
        self._frame = None
        self._enter_state("stopped", session)
        self._stop.wait(TRY_AGAIN_S)

    def _count_bad_frame(self, error: Exception, session: ScoreSession) -> None:
        """Something broke on a frame: told once, and after many in a row shown as a stopped
        camera."""
        self._bad_frames += 1
        if self._bad_frames == 1:
            traceback.print_exc()
        if self._bad_frames >= BAD_FRAMES:
            self._stay_stopped(f"{type(error).__name__}: {error}", session)

    def _enter_state(self, state: str, session: ScoreSession) -> None:
        if state != self.state:
            self.state = state
            session.camera_changed()

    # --- what others ask

    def in_view(self) -> frozenset[int]:
        """The cards read in the last seconds, wherever they lie."""
        return self.last_seen.cards_read_within(PILE_S)

    def codes_px(self) -> list[np.ndarray]:
        """The corners (4, 2) px of the cards' codes being read just now; which cards is nobody's
        business."""
        return list(self.last_seen.codes_px)

    def granted(self) -> dict[str, Any]:
        """The camera's name, what it granted of its mode, and the frames a second that are really
        looked at."""
        return {
            "name": self.camera.name,
            "fps": self.last_seen.frames_per_s,
            "mode": dict(getattr(self.camera, "mode", None) or {}),
        }

    def view(self, secret: bool, result_read: bool) -> View:
        """What the screens show of the camera; its eye is shown closed while cards are looked at in
        secret."""
        plane = self.eye.plane_tracker.plane
        camera = CameraState(
            self.state,
            self.camera.name,
            len(plane.tokens_mm) if plane else 0,
            waiting=bool(getattr(self.camera, "waiting", False)),
            practice=self.practice,
            secret=secret,
        )
        return view_of(self.last_seen, camera, result_read)
