"""A live camera kept at arm's length: capture runs in a child process that can be killed.

Device drivers block for ever, hand out the last frame for ever, or crash; so the reading happens in
a child (`child.capture`), the frames come through shared memory (`ring.Ring`), and silence, a
frozen picture or a black one is noticed here within `SILENCE_S`. Knows processes and cameras; knows
nothing of cards or the game.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from typing import Any

from calibration.cameras.jpeg_frame import JpegFrame
from calibration.cameras.port import Frame
from companion.capture.child import Opener, capture
from companion.capture.ring import BLACK, Ring, Shot
from companion.child_process import interrupts_blocked
from companion.errors import CameraTrouble

SILENCE_S = 2.5
"""No new picture for this long counts as stopped; people are told within 3 s
(`tests/companion/capture/test_outage.py` holds it)."""

OPENING_S = 12.0
"""A slow driver may take this long to open (Media Foundation was seen at 8 s); it counts from when
the child is awake."""

WAKING_S = 30.0
"""A fresh process on a busy small computer may take this long to load its libraries."""

POLL_S = 0.005


NOTHING_NEW = "gives no new picture"


@dataclass(slots=True)
class Freshness:
    """Which pictures of one child are new, and since when none was. A real sensor's noise never
    repeats, so the very same picture twice is no news, and neither is a black one."""

    since_s: float = field(default_factory=time.monotonic)
    """When the last new picture came, or the child awoke, or was begun (monotonic)."""
    awake: bool = False
    number: int = 0
    check: int = -1
    why: str = NOTHING_NEW
    """What a camera without new pictures does instead."""

    def note_awake(self) -> None:
        """The child has loaded its libraries: from now on the camera's opening counts."""
        if not self.awake:
            self.awake = True
            self.since_s = time.monotonic()

    def is_new(self, shot: Shot) -> bool:
        """Take note of this picture; True when it is news."""
        self.number = shot.number
        if shot.check == BLACK:
            self.why = "gives only black"
            return False
        if shot.check == self.check:
            self.why = "shows the same picture all the time"
            return False
        self.check = shot.check
        self.since_s = time.monotonic()
        self.why = NOTHING_NEW
        return True

    def is_silent(self, silence_s: float) -> bool:
        """True when nothing new came for too long: `silence_s` from a camera that gave pictures,
        longer from one that is being opened, or whose process is being loaded."""
        patience_s = silence_s if self.number else OPENING_S if self.awake else WAKING_S
        return time.monotonic() - self.since_s > patience_s


class LiveCamera:
    """A camera that cannot hang the evening: `read` gives the newest frame or raises
    `CameraTrouble` within seconds.

    After an error the next `read` opens the camera again in a new child; every setting is applied
    anew by the opener. `opener` must be importable (it runs in a spawned process) and takes
    `source`. One thread reads; any may `interrupt`.
    """

    def __init__(
        self, opener: Opener, source: str, name: str, silence_s: float = SILENCE_S
    ) -> None:
        self.name = name
        self._silence_s = silence_s
        self._opener = opener
        self._source = source
        self._ring = Ring()
        self._child: BaseProcess | None = None
        self._stopped = threading.Event()
        self._using = threading.Lock()
        self._born_s = time.monotonic()
        self._count = 0
        self._first: Frame | None = None
        self._freshness = Freshness()

    def open(self) -> LiveCamera:
        """The camera itself, once it has given its first picture.

        Raises:
            CameraTrouble: it does not open or gives no picture; the memory is given back.
        """
        try:
            self._first = self.read()
        except CameraTrouble:
            self.close()
            raise
        return self

    def read(self) -> Frame | None:
        """The newest frame not yet given.

        Raises:
            CameraTrouble: nothing new, the very same picture or a black one for `SILENCE_S`, or
            `interrupt` was called;
                call again to try anew.
        """
        with self._using:
            first, self._first = self._first, None
            if first is not None and not self._stopped.is_set():
                return first
            while not self._stopped.is_set():
                if self._child is None:
                    self._start()
                shot = self._new_shot()
                if shot is not None:
                    return self._framed(shot)
                self._raise_trouble()
                time.sleep(POLL_S)
        raise CameraTrouble(f"the camera {self.name} was switched off")

    def again(self, born_s: float) -> LiveCamera:
        """A fresh plug to the same device, for after this one was closed; its time counts from
        `born_s` (monotonic)."""
        fresh = LiveCamera(self._opener, self._source, self.name, self._silence_s)
        fresh._born_s = born_s
        return fresh

    def rest(self) -> None:
        """Let go of the device until the next `read`."""
        with self._using:
            self._stop()

    def interrupt(self) -> None:
        """Let a `read` that waits in another thread come back at once; this camera is not read any
        more."""
        self._stopped.set()

    def close(self) -> None:
        """Kill the child and give the memory back; twice is fine."""
        self._stopped.set()
        with self._using:
            self._stop()
            self._ring.destroy()

    @property
    def mode(self) -> dict[str, Any]:
        """What the camera granted (`calibration.cameras.webcam.Mode` as a dict); empty while that
        is not known."""
        try:
            told = json.loads(self._ring.mode or "{}")
        except ValueError:
            return {}
        return told if isinstance(told, dict) else {}

    @property
    def child_id(self) -> int | None:
        """The process number of the capturing child; None while there is none."""
        return self._child.pid if self._child is not None else None

    def _start(self) -> None:
        self._stop()
        self._ring.clear()
        self._freshness = Freshness()
        context = multiprocessing.get_context("spawn")
        self._child = context.Process(
            target=capture, args=(self._opener, self._source, self._ring), daemon=True
        )
        with interrupts_blocked():
            self._child.start()

    def _stop(self) -> None:
        child = self._child
        self._child = None
        if child is not None:
            child.kill()
            child.join(2.0)
            with contextlib.suppress(
                ValueError
            ):  # a process the kernel cannot end yet (stuck in a driver)
                child.close()

    def _new_shot(self) -> Shot | None:
        """The newest picture, if it is one that nobody has seen."""
        if self._ring.awake:
            self._freshness.note_awake()
        shot = self._ring.newest_shot(self._freshness.number)
        return shot if shot is not None and self._freshness.is_new(shot) else None

    def _framed(self, shot: Shot) -> Frame:
        self._count += 1
        t_s = self._freshness.since_s - self._born_s
        number = self._count - 1
        return (
            JpegFrame(shot.jpeg, shot.size_px, shot.image, t_s, number)
            if shot.jpeg
            else Frame(shot.image, t_s, number)
        )

    def _raise_trouble(self) -> None:
        if self._freshness.is_silent(self._silence_s):
            self._stop()
            raise CameraTrouble(
                f"the camera {self.name} {self._freshness.why}: check its cable and its lens, or play on by touch"
            )
        if self._child is not None and not self._child.is_alive():
            said = self._ring.said
            self._stop()
            raise CameraTrouble(
                said or f"the camera {self.name} stopped: check that it is plugged in and free"
            )
