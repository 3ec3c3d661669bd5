"""The watching thread: one camera, what it is doing just now, and what happens when it stops.

A camera that stops is said, tried again, and never blocks anything; nothing is ever told from a
stale frame. What is done with a frame is `frame_watch`'s, what was seen is a value (`last_seen`),
what screens show of it a function (`view`), the pace of footage a thing of its own (`pacing`).
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

from calibration.cameras.port import Camera, Frame
from calibration.errors import CalibrationError
from calibration.geometry.plane import Plane
from companion.capture.frame_watch import FrameWatch, RecordGlimpse, ScoreSession
from companion.capture.pacing import Pacer
from companion.capture.view import CameraState, View, view_of
from companion.errors import CompanionError
from companion.vision.eye import Eye
from companion.vision.places.backs import PRINTED

TRY_AGAIN_S = 1.0
"""From one try to open a stopped camera to the next (chosen), if that does not take as long itself; the
first try comes at once."""

OFF_S = 0.2
"""While it is switched off, so often it is asked whether it is on again."""

BAD_FRAMES = 10
"""So many frames in a row on which something broke count as a stopped camera (chosen)."""


def waits_for_device(camera: Camera) -> bool:
    """True for a phone's plug that no phone is at."""
    return bool(getattr(camera, "waiting", False))


class Watching:
    """Watches the table through one camera until stopped.

    One thread watches (`_run` and what it calls); every public method and attribute may be used by
    any thread. What is shared is a single flag, or replaced as a whole (`frames`).
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
        record_glimpse: RecordGlimpse | None = None,
        on_plane: Callable[[Plane | None, float], bool] | None = None,
    ) -> None:
        """Watch `camera` with `eye`. For `record_glimpse` and `on_plane` see `FrameWatch`."""
        self.camera = camera
        self.frames = FrameWatch(eye, clock, record_glimpse, on_plane)
        self.practice = practice
        self.on = True
        self.state = "searching"
        self._told = (
            "",
            False,
        )  # of a stopped camera: what it shows, and whether a phone is waited for
        self.ended = threading.Event()
        self._bad_frames = 0
        self._tried_s = 0.0
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._pacer = Pacer(speed, self._stop) if paced else None

    @property
    def eye(self) -> Eye:
        """The eye that reads the frames."""
        return self.frames.eye

    @property
    def playing(self) -> bool:
        """True while the camera keeps the score: it is on and gives pictures."""
        return self.on and self.state == "live"

    def start(
        self,
        session: ScoreSession,
        held: Callable[[], bool] | None = None,
        held_first: Callable[[], bool] | None = None,
    ) -> None:
        """Begin to watch, in a thread of its own; `session` keeps the score of it. While `held`, paced
        footage stays at the frame that is shown, the first one or a later one; while `held_first`, the
        first one is not even read."""
        if held is not None and self._pacer is not None:
            self._pacer.held = held
        if held_first is not None and self._pacer is not None:
            self._pacer.held_first = held_first
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
                    self.frames.finish_footage(session)
                    break
                if self._pacer is not None:
                    self._pacer.wait_until_due(frame)
                self._watch(frame, session)
            except (CompanionError, CalibrationError, OSError) as error:
                self._stay_stopped(getattr(error, "shows", ""), session)
            except Exception:  # one bad frame, or a mistake of ours, must not end it
                self._count_bad_frame(session)
            else:
                self._bad_frames = 0
                self._enter_state("live", session)
        try:
            if not self._stop.is_set():
                self._enter_state("ended", session)
        finally:
            self.ended.set()

    def _watch(self, frame: Frame, session: ScoreSession) -> None:
        """Look at this frame, and ask a live camera for no more than are wanted from now on."""
        every_s = self.frames.watch_frame(frame, session)
        look_every = getattr(self.camera, "look_every", None)
        if look_every is not None:
            look_every(every_s)

    def _stay_off(self, session: ScoreSession) -> None:
        """Switched off by a person: the device is let go, nobody is filmed."""
        if self.state != "off":
            self.frames.picture = None
            self._enter_state("off", session)
            rest = getattr(self.camera, "rest", None)
            if rest is not None:
                rest()
        if self._pacer is not None:
            self._pacer.start_anew()
        self._stop.wait(OFF_S)

    def _stay_stopped(self, shows: str, session: ScoreSession) -> None:
        """The camera stopped and `shows` that instead of the table, or a phone is waited for: say so;
        where it was tried again already, let some time pass."""
        if self._stop.is_set():
            return
        tried = self.state == "stopped"
        before, self._told = self._told, (shows, waits_for_device(self.camera))
        news = self._told != before
        self.frames.picture = None
        self._enter_state("stopped", session)
        if tried and news:
            session.camera_changed()
        if tried:
            self._stop.wait(max(0.0, self._tried_s + TRY_AGAIN_S - time.monotonic()))
        self._tried_s = time.monotonic()

    def _count_bad_frame(self, session: ScoreSession) -> None:
        """Something broke on a frame: told once, and after many in a row shown as a stopped
        camera."""
        self._bad_frames += 1
        if self._bad_frames == 1:
            traceback.print_exc()
        if self._bad_frames >= BAD_FRAMES:
            self._stay_stopped("", session)

    def _enter_state(self, state: str, session: ScoreSession) -> None:
        if state != self.state:
            self.state = state
            session.camera_changed()

    # --- what others ask

    def granted(self) -> dict[str, Any]:
        """The camera's name, what it granted of its mode, and the frames a second that are really
        looked at."""
        return {
            "name": self.camera.name,
            "fps": self.frames.last_seen.frames_per_s,
            "mode": dict(getattr(self.camera, "mode", None) or {}),
        }

    @property
    def back_known(self) -> bool:
        """True while the back of bought cards is known from a lesson."""
        return any(back.name != PRINTED for back in self.eye.watch.backs)

    def view(self, secret: bool, result_read: bool) -> View:
        """What the screens show of the camera; its eye is shown closed while cards are looked at in
        secret."""
        camera = CameraState(
            self.state,
            self.camera.name,
            waiting=waits_for_device(self.camera),
            practice=self.practice,
            secret=secret,
            sees_table=self.frames.last_seen.sees_table,
            shows=self._told[0],
        )
        return view_of(self.frames.last_seen, camera, result_read)
