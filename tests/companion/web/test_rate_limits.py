"""How fast one device may change an evening."""

from __future__ import annotations

from flask import Flask

from companion.web.guards.rate_limits import BEYOND, LONG_EVENING, RESTS, ActLimits
from tests.support.companion_web_client import enter, evening, send
from tests.support.kept_evening import KeptEvening

__all__ = ["evening"]


def test_one_device_does_not_stop_the_evening_again_and_again(
    app: Flask, evening: KeptEvening
) -> None:
    """So many pauses and their ends at once, then it is told to wait; what others tap counts, and it may play
    on itself."""
    restless, other = enter(app), enter(app)
    statuses = [
        send(restless, evening, do, id=f"restless-{i}-{do}").status_code
        for i in range(40)
        for do in ("pause", "resume")
    ]
    taken = statuses.count(200)
    assert RESTS.at_once <= taken < RESTS.at_once + 10, statuses
    assert set(statuses[-20:]) <= {200, 429}
    told = send(restless, evening, "pause", id="restless-at-last")
    assert (told.status_code, told.get_json()["reason"]) == (429, "too_many_taps")
    if evening.board["phase"] == "paused":
        assert send(other, evening, "resume", id="other-resumes").status_code == 200
    assert send(other, evening, "set_aside", id="other-plays-on").status_code == 200
    assert send(restless, evening, "set_aside", id="restless-plays").status_code == 200


def test_an_evening_longer_than_any_grows_slowly() -> None:
    """Beyond so many entries each device enters one a second; before it as many as it likes."""
    limits = ActLimits()
    assert all(limits.may("a", "name", LONG_EVENING - 1, 0.0) for _ in range(1000))
    now = [limits.may("a", "name", LONG_EVENING, 0.0) for _ in range(100)]
    assert sum(now) == BEYOND.at_once
    later = [limits.may("a", "name", LONG_EVENING, 10.0) for _ in range(100)]
    assert sum(later) == 10 * BEYOND.a_second
    assert limits.may("b", "name", LONG_EVENING, 10.0)
