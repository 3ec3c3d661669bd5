"""Locks and mains: a camera is locked once it has settled, let go when the room has changed, and
told its mains."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.cameras.auto_controls import ControlLock
from calibration.cameras.mains_frequency import set_mains, usual_hz


def _said(
    levels: list[float], lock: ControlLock, from_s: float = 0.0, fps: float = 10.0
) -> list[tuple[float, str]]:
    told = [
        (from_s + i / fps, lock.after_picture(level, from_s + i / fps))
        for i, level in enumerate(levels)
    ]
    return [(t_s, what) for t_s, what in told if what]


def test_a_camera_is_locked_once_its_brightness_rests() -> None:
    """Three seconds of hunting, then rest: locked a second later, not before."""
    said = _said([100 + 15 * (i % 7) for i in range(30)] + [120.0] * 30, ControlLock())
    assert [what for _, what in said] == ["lock"]
    assert 3.5 < said[0][0] < 4.5


def test_a_restless_room_is_locked_in_the_end() -> None:
    """People walk about: after six seconds it is locked all the same."""
    said = _said([100 + 20 * (i % 5) for i in range(80)], ControlLock())
    assert said[0] == (6.0, "lock")


def test_a_hand_does_not_unlock_but_dusk_does() -> None:
    """A second of a dark sleeve is nothing; a lamp that stays off lets the camera adjust itself and
    lock again."""
    lock = ControlLock()
    assert [w for _, w in _said([120.0] * 40, lock)] == ["lock"]
    assert _said([60.0] * 10 + [120.0] * 30, lock, 4.0) == []
    assert [w for _, w in _said([50.0] * 30 + [110.0] * 40, lock, 8.0)] == ["free", "lock"]


def test_a_beating_light_asks_for_the_other_mains_once() -> None:
    """Brightness that goes up and down while all is locked."""
    lock = ControlLock()
    beat = [120.0 + 14 * (-1) ** (i // 2) for i in range(200)]
    assert [w for _, w in _said([120.0] * 40, lock)] == ["lock"]
    assert [w for _, w in _said(beat, lock, 4.0)] == ["mains"]


@pytest.mark.parametrize(
    ("zone", "hz"),
    [
        ("Europe/Prague", 50),
        ("America/New_York", 60),
        ("America/Argentina/Salta", 50),
        ("Asia/Seoul", 60),
        ("Australia/Sydney", 50),
        ("", 50),
    ],
)
def test_the_mains_follow_the_time_zone(zone: str, hz: int) -> None:
    """50 Hz in Europe, 60 in most of America."""
    assert usual_hz(zone) == hz


def test_a_camera_that_takes_no_mains_is_no_error() -> None:
    """There is no such device: 0, and the game goes on."""
    assert not Path("/dev/video97").exists()
    assert set_mains(97, 50) == 0
