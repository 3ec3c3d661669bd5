"""Heavy work is done in a process with limits: it answers, it fails in words, and what it took comes
back."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion import limited_process
from companion.limited_process import LimitedProcess, TooMuch, WorkEnded, WorkLimits
from tests.support.victims import hungry_work


@pytest.fixture
def apart() -> Iterator[LimitedProcess]:
    process = LimitedProcess("test", WorkLimits(memory_mb=100, silence_s=0.5, idle_s=0.3, works=3))
    yield process
    process.stop()


def test_work_is_done_elsewhere_and_answers_or_fails_as_it_would_here(
    apart: LimitedProcess,
) -> None:
    """Its result, its exception, how far it is; in one process until that was used often enough."""
    first = apart.do(hungry_work.process_id)
    with pytest.raises(ValueError, match="no picture"):
        apart.do(hungry_work.refuse)
    steps: list[tuple[int, int]] = []
    told = apart.do(hungry_work.in_steps, 8, progress=lambda done, of: steps.append((done, of)))
    assert (told, steps) == ("ready", [(step, 8) for step in range(1, 9)])
    assert apart.do(hungry_work.process_id) != first


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a limit of memory")
def test_work_that_takes_too_much_memory_fails_and_the_next_is_done(apart: LimitedProcess) -> None:
    """Sixty megabytes are fine, a gigabyte is not; afterwards all is as before."""
    assert apart.do(hungry_work.eat, 60) == 60
    with pytest.raises(TooMuch):
        apart.do(hungry_work.eat, 1000)
    assert apart.do(hungry_work.eat, 60) == 60


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a limit of memory")
def test_libraries_that_say_in_their_own_way_that_they_got_no_memory_are_understood(
    apart: LimitedProcess,
) -> None:
    """OpenCV's error was one of the server's, and its process went on with what was left; a photo that
    finds no memory is not called one that is none."""
    first = apart.do(hungry_work.process_id)
    with pytest.raises(TooMuch):
        apart.do(hungry_work.eat_in_opencv, 30_000)
    assert apart.do(hungry_work.process_id) != first
    assert apart.do(hungry_work.eat_in_opencv, 30) == 900
    grey = cv2.imencode(".png", np.zeros((3900, 3900), np.uint8))[1].tobytes()
    with pytest.raises(cv2.error):
        apart.do(hungry_work.eat_in_opencv, -1)
    narrow = LimitedProcess("narrow", WorkLimits(memory_mb=4))
    with pytest.raises(TooMuch):
        narrow.do(hungry_work.open_photo, grey)
    narrow.stop()


def test_work_that_never_ends_or_dies_is_given_up(apart: LimitedProcess) -> None:
    """Within its limit of time; the next work gets another process."""
    first = apart.do(hungry_work.process_id)
    began_s = time.monotonic()
    with pytest.raises(TooMuch):
        apart.do(hungry_work.sleep, 60)
    assert time.monotonic() - began_s < 5
    with pytest.raises(WorkEnded):
        apart.do(hungry_work.die)
    assert apart.do(hungry_work.process_id) != first


@pytest.mark.skipif(sys.platform == "win32", reason="no process can be told to stand still there")
def test_a_process_that_stands_still_is_given_up(apart: LimitedProcess) -> None:
    """Before it has taken a work too large for the pipe, and in the middle of telling a result as large:
    whoever waited held the turn of all others for ever."""
    os.kill(apart.do(hungry_work.process_id), signal.SIGSTOP)
    with pytest.raises(TooMuch):
        apart.do(len, bytes(3_000_000))
    assert apart.do(len, bytes(3_000_000)) == 3_000_000
    with pytest.raises(TooMuch):
        apart.do(hungry_work.stand_still_telling)
    assert apart.do(hungry_work.eat, 1) == 1


def test_where_no_process_can_be_started_it_is_too_much(
    apart: LimitedProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In words, and the next work is done as soon as one can."""

    def refuse(_: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    with monkeypatch.context() as full:
        full.setattr(limited_process, "start_child", refuse)
        for _ in range(2):
            with pytest.raises(TooMuch):
                apart.do(hungry_work.process_id)
        apart.give_up()
    assert apart.do(hungry_work.eat, 1) == 1


def test_a_process_that_is_not_used_goes(apart: LimitedProcess) -> None:
    """After a while without work there is none, and its memory is the system's again."""
    apart.do(hungry_work.process_id)
    child = apart._child
    assert child is not None
    for _ in range(100):
        if apart._child is None:
            return
        time.sleep(0.1)
    raise AssertionError(child)


def test_however_often_it_is_used_one_thread_waits_for_it_to_be_idle() -> None:
    """Each work had a thread of its own that waited half a minute: thirty beside the server's."""
    often = LimitedProcess("often", WorkLimits(works=3))
    for _ in range(7):
        often.do(hungry_work.process_id)
    often.stop()
    assert [thread.name for thread in threading.enumerate()].count("often: idle") == 1


def test_work_that_nobody_waits_for_is_given_up(apart: LimitedProcess) -> None:
    """At once, also while its process still loads; the next work is done."""
    for _ in range(2):
        given_up, began_s = threading.Event(), time.monotonic()

        def give_up_soon(until: threading.Event = given_up) -> None:
            while not until.wait(
                0.1
            ):  # on a starved machine the first time may come before the work
                apart.give_up()

        giving_up = threading.Thread(target=give_up_soon)
        giving_up.start()
        with pytest.raises(TooMuch):
            apart.do(hungry_work.in_steps, 600, progress=lambda done, of: None)
        given_up.set()
        giving_up.join()
        assert time.monotonic() - began_s < 5
    apart.do(hungry_work.process_id)


def test_a_process_given_up_while_it_is_idle_is_replaced(apart: LimitedProcess) -> None:
    """The next work does not fail because another evening ended."""
    first = apart.do(hungry_work.process_id)
    apart.give_up()
    assert apart._child is not None
    apart._child.join(5)
    assert apart.do(hungry_work.process_id) != first


def test_a_process_that_is_only_being_begun_can_be_given_up(apart: LimitedProcess) -> None:
    """The evening may end in just that moment."""
    apart._child = multiprocessing.get_context("spawn").Process(target=hungry_work.process_id)
    apart.give_up()
    apart._child = None


def test_the_end_of_the_evening_ends_work_under_way(apart: LimitedProcess) -> None:
    """Who waits for it is told at once, and nothing new begins."""
    apart.do(hungry_work.process_id)
    threading.Timer(0.2, apart.stop).start()
    began_s = time.monotonic()
    with pytest.raises(TooMuch):
        apart.do(hungry_work.in_steps, 600, progress=lambda done, of: None)
    assert time.monotonic() - began_s < 5
    with pytest.raises(TooMuch):
        apart.do(hungry_work.process_id)
