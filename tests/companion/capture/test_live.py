"""A live camera may hang, freeze, go black, crash or be unplugged: it is said within 3 s and never
stops the evening."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.cameras.port import Frame
from companion.capture import live
from companion.capture.live import (
    OPENING_S,
    OPENING_TRIES_S,
    POLL_S,
    SILENCE_S,
    LiveCamera,
    OpeningPatience,
)
from companion.capture.ring import BLACK, SLOTS, Ring, check_of
from companion.capture.watching import Watching
from companion.errors import CameraTrouble
from companion.evening.session import Session
from companion.journal import Journal
from companion.table.sighting import Attention, Glimpse
from companion.vision.eye import FrameResult
from companion.vision.places.memory import PlaceMemory
from tests.support.camera_faults import open_faulty, switch

FAULTS = ["block", "frozen", "black", "crash", "unplugged", "odd"]
SHOWS = {"frozen": "still", "black": "black"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The switchboard of a camera that is well."""
    switch(tmp_path, "well")
    return tmp_path


@pytest.fixture
def camera(folder: Path) -> Iterator[LiveCamera]:
    """A live camera over the faulty one."""
    camera = LiveCamera(open_faulty, str(folder), "test camera", silence_s=0.7)
    yield camera
    camera.close()


def until(true: Callable[[], Any], timeout_s: float = 30.0) -> None:
    """Wait until `true()` is; fails after `timeout_s`."""
    start = time.monotonic()
    while not true():
        assert time.monotonic() - start < timeout_s, "it never came"
        time.sleep(0.02)


def gone(process: int | None) -> bool:
    """True when there is no such process any more."""
    try:
        os.kill(process or 0, 0)
    except ProcessLookupError:
        return True
    return False


def drain(camera: LiveCamera) -> None:
    """Read until the camera complains."""
    while camera.read() is not None:
        pass


def test_every_fault_is_told_and_the_camera_comes_back_by_itself(
    camera: LiveCamera, folder: Path
) -> None:
    """Each fault raises CameraTrouble, its child is gone, and once the fault is over the next read
    gives new pictures."""
    assert camera.read() is not None
    for fault in FAULTS:
        child = camera.child_id
        switch(folder, fault)
        with pytest.raises(CameraTrouble, match="camera") as told:
            drain(camera)
        assert told.value.shows == SHOWS.get(fault, ""), fault
        assert gone(child), fault
        switch(folder, "well")
        frame = camera.read()
        assert frame is not None
        assert frame.image.max() > 30, fault
    assert len((folder / "opened").read_text().split()) == len(FAULTS) + 1


def test_one_that_shows_the_same_picture_after_it_was_opened_anew_is_not_back(
    camera: LiveCamera, folder: Path
) -> None:
    """A network camera that repeats its last picture for ever, whoever asks: that picture was told as the
    table again and again, once each time it was opened."""
    switch(folder, "stuck")
    assert camera.read() is not None
    for _ in range(3):
        with pytest.raises(CameraTrouble, match="the same picture") as told:
            camera.read()
        assert told.value.shows == "still"
    switch(folder, "well")
    assert camera.read() is not None


def test_a_camera_that_does_not_open_says_its_own_sentence(
    camera: LiveCamera, folder: Path
) -> None:
    """The child's reason reaches the person, without a traceback."""
    switch(folder, "unplugged")
    with pytest.raises(CameraTrouble, match="camera 3 does not open"):
        camera.open()


def test_people_wait_less_than_three_seconds_for_the_word() -> None:
    """A live camera's silence is noticed within 3 s, the time between two looks counted in."""
    assert SILENCE_S + 10 * POLL_S < 3.0


def test_one_that_hangs_while_it_is_opened_anew_gets_another_process_soon() -> None:
    """A camera that never opened yet has all the time; one that was lost has what it took before several
    times over, then more, and no try is the last one that is short."""
    patience = OpeningPatience()
    assert patience.now_s == OPENING_S
    patience.note_opened(0.3)
    tried = []
    for _ in range(2 * len(OPENING_TRIES_S)):
        tried.append(patience.now_s)
        patience.note_hung()
    assert tried == [*OPENING_TRIES_S, *OPENING_TRIES_S]
    assert OPENING_TRIES_S[0] < SILENCE_S
    patience.note_opened(2.0)
    assert patience.now_s == 6.0
    patience.note_opened(60.0)
    assert patience.now_s == OPENING_S


def test_where_no_process_can_be_started_it_is_said_and_tried_again(
    camera: LiveCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No traceback and no frozen evening; and who captures goes on where only the next one, which would
    stand by, is missing."""
    with monkeypatch.context() as full:
        full.setattr(live, "start_child", _no_process)
        for _ in range(2):
            with pytest.raises(CameraTrouble, match="starts no other process"):
                camera.read()
    assert camera.read() is not None
    monkeypatch.setattr(live, "start_child", _no_process)
    assert all(camera.read() is not None for _ in range(2 * live.STANDS_BY_AFTER))


def _no_process(_: object) -> None:
    raise BlockingIOError(11, "Resource temporarily unavailable")


def test_frames_are_new_and_go_forward(camera: LiveCamera) -> None:
    """No picture comes twice; numbers and times grow."""
    frames = [frame for frame in (camera.read() for _ in range(12)) if frame is not None]
    assert [frame.number for frame in frames] == list(range(12))
    assert all(a.t_s < b.t_s for a, b in itertools.pairwise(frames))
    assert len({frame.image.tobytes() for frame in frames}) == 12


def test_a_closed_camera_gets_a_fresh_plug_whose_time_goes_on(folder: Path) -> None:
    """After a phone took over and left, the same device is opened anew, and its time never goes
    back."""
    camera = LiveCamera(open_faulty, str(folder), "test camera").open()
    last = camera.read()
    camera.close()
    fresh = camera.again(camera._born_s - 5)
    try:
        first = fresh.read()
    finally:
        fresh.close()
    assert last is not None
    assert first is not None
    assert (fresh.name, first.image.shape) == ("test camera", last.image.shape)
    assert first.t_s > last.t_s + 5


def test_closing_leaves_no_process_and_no_memory(folder: Path) -> None:
    """After `close`, twice, the child is dead, the shared memory is given back, and a read says so."""
    camera = LiveCamera(open_faulty, str(folder), "test camera").open()
    child = camera.child_id
    camera.close()
    camera.close()
    assert gone(child)
    with pytest.raises(ValueError, match="destroyed"):
        camera._ring.newest_shot(0)
    with pytest.raises(CameraTrouble):
        camera.read()


def test_a_switched_off_camera_lets_go_of_its_device(camera: LiveCamera) -> None:
    """`rest` ends the child; the next read opens the camera again."""
    camera.open()
    child = camera.child_id
    camera.rest()
    assert gone(child)
    assert camera.read() is not None


def test_a_reader_never_gets_a_picture_that_is_being_written_over() -> None:
    """When the writer has come round while a picture was copied, the copy is thrown away."""
    ring = Ring()
    try:
        ring.put_image(np.full((8, 8, 3), 90, np.uint8), 1)
        shot = ring.newest_shot(0)
        assert shot is not None
        assert shot.image.max() == 90
        newest = iter([2, 2 + SLOTS - 1])
        ring.put_image(np.full((8, 8, 3), 120, np.uint8), 2)
        ring._newest = lambda: next(newest)
        assert ring.newest_shot(1) is None
    finally:
        ring.destroy()


def test_black_is_black_whatever_its_noise() -> None:
    """A covered lens is black though its pixels differ; a dim picture is not, and equal pictures
    have equal checks."""
    rng = np.random.default_rng(1)
    assert check_of(rng.integers(0, 6, (90, 90, 3), np.uint8)) == BLACK
    dim = rng.integers(0, 40, (90, 90, 3), np.uint8)
    assert check_of(dim) == check_of(dim.copy()) != BLACK


class CountingEye:
    """An eye that sees nothing but counts what it was shown."""

    class plane_tracker:
        """No tokens."""

        out_of_sight = False
        plane = None

    class watch:
        """No learnt back."""

        backs = ()

    reader = None
    resting = False

    def __init__(self) -> None:
        self.shown: list[bytes] = []
        self.memory = PlaceMemory()

    def read_frame(self, frame: Frame, attention: Attention) -> FrameResult:
        """Remember the picture, see nothing."""
        self.shown.append(frame.image.tobytes())
        return FrameResult.of(Glimpse(frame.t_s), None)


class Evening:
    """A session by touch with a live camera that watches it."""

    def __init__(self, folder: Path, camera: Any, eye: Any) -> None:
        self.session = Session(Journal(folder / "data"))
        self.watching = Watching(camera, eye)
        self.session.attach(self.watching)
        self.count = 0

    def start(self) -> None:
        """Begin to watch."""
        self.watching.start(self.session)

    def do(self, what: str, **more: Any) -> dict[str, Any]:
        """A tap that must be accepted."""
        self.count += 1
        asked = {
            "id": f"evening-{self.count:05d}",
            "version": self.session.version,
            "do": what,
            **more,
        }
        status, answer = self.session.command(asked)
        assert status == 200, answer
        board: dict[str, Any] = answer["scoreboard"]
        return board

    @property
    def shown(self) -> str:
        """The camera's state as the screens show it."""
        return str(self.session.scoreboard()["camera"]["state"])


def test_what_a_stopped_camera_shows_is_told_and_changes_with_it(
    folder: Path, camera: LiveCamera
) -> None:
    """Only black, then no picture at all, then it is well: the screens have each in turn."""
    evening = Evening(folder, camera, CountingEye())

    def told() -> tuple[str, str]:
        shown = evening.session.scoreboard()["camera"]
        return shown["state"], shown["shows"]

    evening.do("begin", players=["A", "B", "C"], daydreamer=0)
    evening.start()
    until(lambda: evening.session.camera.playing)
    assert told()[1] == ""
    switch(folder, "black")
    until(lambda: told() == ("stopped", "black"))
    switch(folder, "block")
    until(lambda: told() == ("stopped", ""))
    switch(folder, "well")
    until(lambda: evening.session.camera.playing)
    assert told()[1] == ""
    evening.session.close()


def test_the_game_goes_on_by_touch_while_the_camera_hangs(folder: Path, camera: LiveCamera) -> None:
    """A camera that blocks is shown as stopped in time, taps are taken meanwhile, no old picture is
    looked at or shown, and it is live again by itself."""
    eye = CountingEye()
    evening = Evening(folder, camera, eye)
    evening.do("begin", players=["A", "B", "C"], daydreamer=0)
    evening.start()
    evening.do("laid")
    until(lambda: evening.session.camera.playing)
    switch(folder, "block")
    until(lambda: evening.shown == "stopped")
    looked = len(eye.shown)
    board = evening.do("wrong")
    assert board["round"]["attempt"] == 2
    assert evening.session.camera.picture_jpeg(640) is None
    assert evening.do("right")["phase"] == "result"
    assert len(eye.shown) == looked
    switch(folder, "well")
    until(lambda: evening.session.camera.playing)
    assert len(set(eye.shown)) == len(eye.shown)
    evening.session.close()
    assert camera.child_id is None


def test_no_picture_is_shown_once_the_next_cards_may_be_looked_at(
    folder: Path, camera: LiveCamera
) -> None:
    """Neither before the deal, nor from the end of a round on, nor in a pause between rounds; while
    a round lies there is one."""
    evening = Evening(folder, camera, CountingEye())
    evening.do("begin", players=["A", "B", "C"], daydreamer=0)
    evening.start()
    until(lambda: evening.watching.frames.last_seen.glimpse is not None)
    acts = (("", False), ("laid", True), ("pause", True), ("resume", True), ("right", False), ("pause", False), ("resume", False),
            ("next", False), ("undo", True))  # fmt: skip
    for act, shown in acts:
        if act:
            evening.do(act)
        assert (evening.session.camera.picture_jpeg(640) is not None) == shown, act
        assert evening.watching.frames.may_keep() == shown, act
    evening.session.close()


def test_a_camera_switched_off_by_hand_is_off_until_it_is_switched_on(
    folder: Path, camera: LiveCamera
) -> None:
    """Off: the child is gone and nothing is filmed.  On: it watches again."""
    evening = Evening(folder, camera, CountingEye())
    evening.do("begin", players=["A", "B", "C"], daydreamer=0)
    evening.do("laid")
    evening.start()
    until(lambda: evening.session.camera.playing)
    evening.do("camera", on=False)
    until(lambda: evening.shown == "off")
    until(lambda: camera.child_id is None)
    evening.do("camera", on=True)
    until(lambda: evening.session.camera.playing)
    evening.session.close()


class Still:
    """A camera without a process: pictures as fast as they are wanted."""

    name = "still"

    def __init__(self) -> None:
        self._number = 0

    def read(self) -> Frame:
        """The next frame."""
        time.sleep(0.01)
        self._number += 1
        return Frame(np.zeros((8, 8, 3), np.uint8), self._number / 100, self._number)

    def close(self) -> None:
        """Nothing to let go of."""


class BrokenEye(CountingEye):
    """An eye that breaks on some frames."""

    broken = True

    def read_frame(self, frame: Frame, attention: Attention) -> FrameResult:
        """Break, or see nothing."""
        if self.broken:
            raise ZeroDivisionError("an odd frame")
        return super().read_frame(frame, attention)


def test_a_mistake_of_ours_does_not_end_the_watching(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """An eye that raises is told once, shown as a stopped camera, and watches again when it can."""
    eye = BrokenEye()
    evening = Evening(folder, Still(), eye)
    evening.do("begin", players=["A", "B", "C"], daydreamer=0)
    evening.do("laid")
    evening.start()
    until(lambda: evening.shown == "stopped")
    assert evening.do("wrong")["round"]["attempt"] == 2
    eye.broken = False
    until(lambda: evening.session.camera.playing)
    evening.session.close()
    assert capfd.readouterr().err.count("ZeroDivisionError: an odd frame") == 1
