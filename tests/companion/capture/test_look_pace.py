"""How often a live camera is looked at: by what moves, and by how quick the computer is."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from companion.capture.live import LiveCamera
from companion.capture.look_pace import (
    BUSY_SHARE,
    EVERY_S,
    RESTING_S,
    SLOWEST_S,
    UNPLAYED_S,
    LookPace,
)
from tests.support.camera_faults import open_faulty, switch
from tests.support.kept_evening import NAMES, KeptEvening


@pytest.mark.parametrize(
    ("took_s", "every_s"),
    [(0.01, EVERY_S), (0.05, EVERY_S), (0.09, 0.09 / BUSY_SHARE), (0.5, SLOWEST_S)],
)
def test_a_slow_computer_looks_less_often(took_s: float, every_s: float) -> None:
    """Ten times a second where a look leaves it air, fewer where it does not, four at the least."""
    pace = LookPace()
    for _ in range(100):
        wanted_s = pace.after_look(took_s, False, True)
    assert wanted_s == pytest.approx(every_s, rel=0.01)


def test_one_long_look_slows_nothing_down() -> None:
    """The first sight of a table takes long; the play after it does not wait for that."""
    pace = LookPace()
    for _ in range(20):
        pace.after_look(0.03, False, True)
    assert pace.after_look(0.3, False, True) == EVERY_S


def test_a_table_at_rest_is_looked_at_less_often_and_wakes_at_once() -> None:
    """What costs nothing tells nothing of the computer either: the next look is as soon as ever."""
    pace = LookPace()
    for _ in range(100):
        assert pace.after_look(0.002, True, True) == RESTING_S
    assert pace.after_look(0.03, False, True) == EVERY_S


def test_where_nobody_plays_a_table_at_rest_is_looked_at_once_a_second() -> None:
    """What moves there is followed as ever, for somebody may just be setting it up."""
    pace = LookPace()
    assert pace.after_look(0.002, True, False) == UNPLAYED_S
    assert pace.after_look(0.03, False, False) == EVERY_S


def test_nobody_plays_before_an_evening_while_it_is_paused_and_once_it_is_over() -> None:
    """Between its beginning and its end it is played, but for its pauses."""
    kept = KeptEvening(NAMES[:5])
    assert not kept.session.is_played
    kept.play(NAMES[:5], 0, phase="guessing")
    assert kept.session.is_played
    kept.do("pause")
    assert not kept.session.is_played
    kept.do("resume").do("end")
    assert not kept.session.is_played


def test_a_live_camera_gives_no_more_than_are_wanted(tmp_path: Path) -> None:
    """Its pictures are then so far apart."""
    switch(tmp_path, "well")
    camera = LiveCamera(open_faulty, str(tmp_path), "test camera")
    camera.look_every(0.3)
    try:
        times = [frame.t_s for _ in range(5) if (frame := camera.read()) is not None]
    finally:
        camera.close()
    assert min(b - a for a, b in itertools.pairwise(times)) > 0.2
