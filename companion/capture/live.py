"""A live camera kept at arm's length: capture runs in a child process that can be killed.

Device drivers block for ever, hand out the last frame for ever, or crash; so the reading happens in
a child (`child.capture`), the frames come through shared memory (`ring.Ring`), and silence, a
frozen picture or a black one is noticed here within `SILENCE_S`. A second child that has loaded its
libraries stands by, so that a camera which was lost is back as soon as it works again. Knows
processes and cameras; knows nothing of cards or the game.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from calibration.cameras.jpeg_frame import JpegFrame
from calibration.cameras.port import Frame
from calibration.cameras.slower import EARLY_SHARE
from companion.capture.child import Opener, capture
from companion.capture.ring import BLACK, Ring, Shot
from companion.child_process import end_child, start_child
from companion.errors import CameraTrouble

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext

SILENCE_S = 2.0
"""No new picture for this long counts as stopped; people are told within 3 s
(`tests/companion/capture/test_outage.py` holds it)."""

OPENING_S = 12.0
"""A slow driver may take this long to open (Media Foundation was seen at 8 s); it counts from when
the child is awake."""

OPENING_TRIES_S = (1.5, 1.5, 1.5, 6.0, 1.5, 1.5, 1.5, OPENING_S)
"""One that was lost and hangs while it is opened anew hangs for ever in that process: another one tries
after so long. Mostly soon, for it may work again by now; now and then it has all the time it may need."""

USUALLY_OPENS = 3.0
"""It is given so many times as long as it took the last time."""

WAKING_S = 30.0
"""A fresh process on a busy small computer may take this long to load its libraries."""

POLL_S = 0.005

STANDS_BY_AFTER = 8
"""Pictures of one child after which the next one is made ready: opening has enough to do."""


LOADED_ONCE = [
    "companion.capture.child",
    "calibration.cameras.webcam",
    "calibration.cameras.network",
]
"""What every capturing child needs."""

DOES = {
    "": "gives no new picture",
    "black": "gives only black",
    "still": "shows the same picture all the time",
}
"""What a camera without new pictures does, by what it shows."""


@dataclass(slots=True)
class Freshness:
    """Which pictures of one child are new, and since when none was. A real sensor's noise never
    repeats, so the very same picture twice is no news, and neither is a black one."""

    since_s: float = field(default_factory=time.monotonic)
    """When the last new picture came, or the child awoke, or was begun (monotonic)."""
    awake: bool = False
    number: int = 0
    check: int = -1
    shows: str = ""
    """What a camera without new pictures shows: one of `DOES`."""

    def note_awake(self) -> None:
        """The child has loaded its libraries: from now on the camera's opening counts."""
        if not self.awake:
            self.awake = True
            self.since_s = time.monotonic()

    def is_new(self, shot: Shot) -> bool:
        """Take note of this picture; True when it is news."""
        self.number = shot.number
        if shot.check == BLACK:
            self.shows = "black"
            return False
        if shot.check == self.check:
            self.shows = "still"
            return False
        self.check = shot.check
        self.since_s = time.monotonic()
        self.shows = ""
        return True

    def is_silent(self, silence_s: float, opening_s: float) -> bool:
        """True when nothing new came for too long: `silence_s` from a camera that gave pictures,
        `opening_s` from one that is being opened, longer from one whose process is being loaded."""
        patience_s = silence_s if self.number else opening_s if self.awake else WAKING_S
        return time.monotonic() - self.since_s > patience_s


@dataclass(slots=True)
class OpeningPatience:
    """How long a camera may take to give its first picture, from what it took before."""

    took_s: float | None = None
    """None: it never opened yet."""
    tries: int = 0

    @property
    def now_s(self) -> float:
        """For the try under way."""
        if self.took_s is None:
            return OPENING_S
        tried_s = OPENING_TRIES_S[self.tries % len(OPENING_TRIES_S)]
        return min(max(tried_s, USUALLY_OPENS * self.took_s), OPENING_S)

    def note_hung(self) -> None:
        """It gave nothing for so long."""
        self.tries += 1

    def note_opened(self, took_s: float) -> None:
        """It gave its first picture."""
        self.took_s = took_s
        self.tries = 0


def _context() -> SpawnContext | ForkServerContext:
    """How children come to be: on Linux as copies of one process that has the libraries and no camera,
    at once; elsewhere each loads them."""
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED_ONCE)
    return context


class CapturingChild:
    """A process that has its libraries and opens the camera when it is told to; 56 MB while it waits, on
    Linux most of them shared."""

    def __init__(self, opener: Opener, source: str, ring: Ring) -> None:
        context = _context()
        theirs, self._begin = context.Pipe(duplex=False)
        self.process = context.Process(
            target=capture, args=(opener, source, ring, theirs), daemon=True
        )
        try:
            start_child(self.process)
        except OSError:
            self._begin.close()
            raise
        finally:
            theirs.close()

    def begin(self) -> bool:
        """Let it open the camera; False when it is gone."""
        try:
            self._begin.send(True)
        except OSError:
            return False
        return self.process.is_alive()

    def end(self) -> None:
        """Kill it, whatever it is doing."""
        end_child(self.process, self._begin)


class CapturingChildren:
    """The child that captures, and the one that stands by to take its place."""

    def __init__(self, opener: Opener, source: str, ring: Ring) -> None:
        self.opener = opener
        self.source = source
        self.working: CapturingChild | None = None
        self._stands_by: CapturingChild | None = None
        self._ring = ring

    def begin(self) -> None:
        """Let the one that stands by capture, or a new one. Raises OSError where there is none."""
        self.end_working()
        self.working = self._stands_by
        self._stands_by = None
        if self.working is None or not self.working.begin():
            self.end_working()
            self.working = CapturingChild(self.opener, self.source, self._ring)
            self.working.begin()

    def make_ready(self) -> None:
        """Let one stand by, where the system gives a process: it can load its libraries now."""
        if self._stands_by is None:
            with contextlib.suppress(OSError):
                self._stands_by = CapturingChild(self.opener, self.source, self._ring)

    def end_working(self) -> None:
        """Kill the one that captures."""
        working = self.working
        self.working = None
        if working is not None:
            working.end()

    def end(self) -> None:
        """Kill both."""
        self.end_working()
        stands_by = self._stands_by
        self._stands_by = None
        if stands_by is not None:
            stands_by.end()


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
        self._ring = Ring()
        self._children = CapturingChildren(opener, source, self._ring)
        self._stopped = threading.Event()
        self._using = threading.Lock()
        self._born_s = time.monotonic()
        self._count = 0
        self._first: Frame | None = None
        self._freshness = Freshness()
        self._opening = OpeningPatience()
        self._every_s = 0.0

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
                if self._children.working is None:
                    self._start()
                shot = self._new_shot() if self._due() else None
                if shot is not None:
                    if shot.number > STANDS_BY_AFTER:
                        self._children.make_ready()
                    return self._framed(shot)
                self._raise_trouble()
                time.sleep(POLL_S)
        raise CameraTrouble(f"the camera {self.name} was switched off")

    def again(self, born_s: float) -> LiveCamera:
        """A fresh plug to the same device, for after this one was closed; its time counts from
        `born_s` (monotonic)."""
        fresh = LiveCamera(self._children.opener, self._children.source, self.name, self._silence_s)
        fresh._born_s = born_s
        fresh._opening = self._opening
        return fresh

    def look_every(self, every_s: float) -> None:
        """Give at most one picture in so many seconds from now on; for the thread that reads."""
        self._every_s = every_s
        self._ring.ask_for_every(every_s)

    def rest(self) -> None:
        """Let go of the device until the next `read`."""
        with self._using:
            self._children.end()

    def interrupt(self) -> None:
        """Let a `read` that waits in another thread come back at once; this camera is not read any
        more."""
        self._stopped.set()

    def close(self) -> None:
        """Kill the child and give the memory back; twice is fine."""
        self._stopped.set()
        with self._using:
            self._children.end()
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
        working = self._children.working
        return working.process.pid if working is not None else None

    def _start(self) -> None:
        self._children.end_working()
        self._ring.clear()
        self._ring.ask_for_every(self._every_s)
        # one that stood still and is opened anew may still show the very same
        self._freshness = Freshness(check=self._freshness.check)
        try:
            self._children.begin()
        except OSError as error:
            raise CameraTrouble(
                f"the camera {self.name} cannot be watched, for this computer starts no other process: close programs, or play on by touch"
            ) from error

    def _due(self) -> bool:
        since_s = time.monotonic() - self._freshness.since_s
        return not self._freshness.number or since_s >= self._every_s * (1 - EARLY_SHARE)

    def _new_shot(self) -> Shot | None:
        """The newest picture, if it is one that nobody has seen."""
        if self._ring.awake:
            self._freshness.note_awake()
        fresh = self._freshness
        before, since_s = fresh.number, fresh.since_s
        shot = self._ring.newest_shot(before)
        if shot is None or not fresh.is_new(shot):
            return None
        if not before:
            self._opening.note_opened(fresh.since_s - since_s)
        return shot

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
        working = self._children.working
        if self._freshness.is_silent(self._silence_s, self._opening.now_s):
            if not self._freshness.number:
                self._opening.note_hung()
            self._lose()
            shows = self._freshness.shows
            raise CameraTrouble(
                f"the camera {self.name} {DOES[shows]}: check its cable and its lens, or play on by touch",
                shows,
            )
        if working is not None and not working.process.is_alive():
            said = self._ring.said
            self._lose()
            raise CameraTrouble(
                said or f"the camera {self.name} stopped: check that it is plugged in and free"
            )

    def _lose(self) -> None:
        """End the child; until somebody reads again the next one can load its libraries."""
        self._children.end_working()
        self._children.make_ready()
