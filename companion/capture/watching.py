"""The watching thread: camera frames in, glimpses out, and what the camera is doing just now.

Owns one camera and one eye. A camera that stops is said, tried again, and never blocks anything;
nothing is ever told from a stale frame. Footage and the practice table are paced to their own time,
live cameras pace themselves.
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
from companion.capture.view import View
from companion.errors import CompanionError
from companion.table.lasting_notices import Lasting
from companion.table.sighting import (
    Attention,
    Glimpse,
    PlaceState,
    Point,
    Polygon,
    RawGlimpse,
    Sighting,
)
from companion.vision.eye import Eye

AGAIN_S = 1.0
"""Pause before a stopped camera is tried again."""

SEEN_S = 1.2
"""A card read within so long counts as seen; longer than a hand takes over it would flicker."""

READ_S = 0.3
"""A card read within so long is being read just now."""

PILE_S = 3.0
"""A spread pile is counted over so long: a marker under a finger shows a moment later."""

LATE_S = 0.5
"""A paced source that is this far behind its own time goes on from there; frames are never skipped,
only late."""

BAD_FRAMES = 10
"""So many frames in a row on which something broke count as a stopped camera."""


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
    """Watches the table through one camera until stopped."""

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
        aimed: Callable[[Plane | None, float], bool] | None = None,
    ) -> None:
        """Watch `camera` with `eye`; `aimed` gets the table's plane and the time since the first
        frame until it returns True."""
        self.camera, self.eye = camera, eye
        self.practice, self.paced, self.speed = practice, paced, speed
        self.on = True
        self.state = "searching"
        self._frame: Frame | None = None
        self.ended = threading.Event()
        self._clock, self._record_glimpse, self._aimed = clock, record_glimpse, aimed
        self._first_s: float | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._sightings: dict[int, tuple[Sighting, float]] = {}
        self._latest: Glimpse | None = None
        self._lasting, self._news = Lasting(), tuple[str, ...]()
        self._codes_px: list[np.ndarray] = []
        self._table: Polygon | None = None
        self._times: list[float] = []
        self._bad_frames = 0
        self._ahead_of: float | None = None
        self.trouble = ""
        self.may_keep: Callable[[], bool] = lambda: True

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

    def _run(self, session: ScoreSession) -> None:
        changed = session.camera_changed
        while not self._stop.is_set():
            if not self.on:
                self._rest(changed)
                continue
            try:
                frame = self.camera.read()
                if frame is None:
                    self._end(session)
                    break
                self._pace(frame)
                self._watch(frame, session)
            except (CompanionError, CalibrationError, OSError) as error:
                self._stopped(str(error), changed)
            except (
                Exception
            ) as error:  # one bad frame or one mistake of ours must not end the watching
                self._bad_frames += 1
                if self._bad_frames == 1:
                    traceback.print_exc()
                if self._bad_frames >= BAD_FRAMES:
                    self._stopped(f"{type(error).__name__}: {error}", changed)
            else:
                self._bad_frames = 0
                self._say("live", changed)
        self.ended.set()
        if not self._stop.is_set():
            self._say("ended", changed)

    def _end(self, session: ScoreSession) -> None:
        if self._latest is not None:
            session.finish_footage(self._latest.t_s, self._clock() - self._latest.t_s)

    def _rest(self, changed: Callable[[], None]) -> None:
        """Switched off by a person: the device is let go, nobody is filmed."""
        if self.state != "off":
            self._frame = None
            self._say("off", changed)
            rest = getattr(self.camera, "rest", None)
            if rest is not None:
                rest()
        self._ahead_of = None
        self._stop.wait(0.2)

    def _stopped(self, why: str, changed: Callable[[], None]) -> None:
        if self._stop.is_set():
            return
        self.trouble, self._frame = why, None
        self._say("stopped", changed)
        self._stop.wait(AGAIN_S)

    def _pace(self, frame: Frame) -> None:
        """Wait until this frame is due, counted from the first one after a pause; one that is late
        is not waited for."""
        if not self.paced:
            return
        due_s, now_s = frame.t_s / self.speed, time.monotonic()
        if self._ahead_of is None or now_s + self._ahead_of - due_s > LATE_S:
            self._ahead_of = due_s - now_s
        ahead = due_s - (now_s + self._ahead_of)
        if ahead > 0:
            self._stop.wait(min(ahead, 5.0))

    def _watch(self, frame: Frame, session: ScoreSession) -> None:
        glimpse = session.draw_curtain(self.eye.read_frame(frame, session.attention).raw)
        self._frame = frame
        self._remember(glimpse)
        self._first_s = frame.t_s if self._first_s is None else self._first_s
        if self._aimed is not None and self._aimed(
            self.eye.plane_tracker.plane, frame.t_s - self._first_s
        ):
            self._aimed = None
        if self._record_glimpse is not None:
            # no picture of cards that are looked at in secret
            kept = session.curtain_open and self.may_keep()
            self._record_glimpse(glimpse, frame.image if kept else None)
        session.observe_glimpse(glimpse, self._clock() - frame.t_s)

    def _remember(self, glimpse: Glimpse) -> None:
        self._latest, self._news = glimpse, self._lasting.news(glimpse.all_notices, glimpse.t_s)
        self._codes_px = [
            np.array(corners, float)
            for corners in self.eye.memory.last_corners(glimpse.t_s, READ_S).values()
        ]
        for sighting in glimpse.sightings:
            self._sightings[sighting.card] = (sighting, glimpse.t_s)
        if len(self._sightings) > 100:
            oldest = min(self._sightings, key=lambda card: self._sightings[card][1])
            del self._sightings[oldest]
        if glimpse.table is not None:
            self._table = glimpse.table.middle
        self._times = [*self._times[-19:], time.monotonic()]

    def _say(self, state: str, changed: Callable[[], None]) -> None:
        if state != self.state:
            self.state = state
            changed()

    def in_view(self) -> frozenset[int]:
        """The cards read in the last seconds, wherever they lie."""
        latest = self._latest
        if latest is None:
            return frozenset()
        return frozenset(
            c for c, (_, at_s) in list(self._sightings.items()) if latest.t_s - at_s < PILE_S
        )

    def codes_px(self) -> list[np.ndarray]:
        """The corners (4, 2) px of the cards' codes being read just now; which cards is nobody's
        business."""
        return self._codes_px

    def granted(self) -> dict[str, Any]:
        """The camera's name, what it granted of its mode, and the frames a second that are really
        looked at."""
        return {
            "name": self.camera.name,
            "fps": self._fps(),
            "mode": dict(getattr(self.camera, "mode", None) or {}),
        }

    def view(self, secret: bool, result_read: bool) -> View:
        """What the screens show of the camera; its eye is shown closed while cards are looked at in
        secret."""
        latest = self._latest
        awake = "practice" if self.practice else "live"
        shown = self.state if self.state != "live" else "closed" if secret else awake
        if shown in ("stopped", "searching") and getattr(self.camera, "waiting", False):
            shown = "waiting"  # for a phone that is to be the camera
        camera: dict[str, Any] = {
            "state": "off" if shown == "ended" else shown,
            "notices": list(self._news),
            "tokens": len(self.eye.plane_tracker.plane.tokens_mm)
            if self.eye.plane_tracker.plane
            else 0,
            "fps": self._fps(),
            "name": self.camera.name,
        }
        if shown == "stopped":
            camera["notices"] = ["stopped"]
        if self.state != "live":  # what was seen before says nothing about now
            camera["fps"], latest = 0.0, None
        places: dict[int, tuple[Point, float]] = {
            c: (s.centre_mm, s.heading_deg) for c, (s, _) in self._sightings.items()
        }
        unnamed = latest.unnamed if latest else 0
        return View(
            places, self._seen(latest), unnamed, self._table, camera, self.practice, result_read
        )

    def _seen(self, latest: Glimpse | None) -> frozenset[int]:
        if latest is None:
            return frozenset()
        lying = {r.card for r in latest.places if r.state is PlaceState.MARKER}
        return frozenset(
            lying | {c for c, (_, at_s) in self._sightings.items() if latest.t_s - at_s < SEEN_S}
        )

    def _fps(self) -> float:
        if len(self._times) < 2 or self._times[-1] - self._times[0] <= 0:
            return 0.0
        return float(round((len(self._times) - 1) / (self._times[-1] - self._times[0])))
