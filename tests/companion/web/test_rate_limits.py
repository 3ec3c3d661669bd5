"""How fast one device may change an evening."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from companion.web.guards.rate_limits import (
    BEYOND,
    BOOK_ACTS,
    BOOK_ACTS_OF_ALL,
    LONG_EVENING,
    RESTS,
    ActLimits,
)
from tests.support.companion_web_client import HOME, enter, evening, send
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


def test_one_device_fills_the_book_no_faster_than_a_person_writes(app: Flask) -> None:
    """So many acts at once, then it is told to wait; what another does to the book counts."""
    greedy, other = enter(app), enter(app)

    def place(client: FlaskClient, name: str) -> tuple[int, str | None]:
        asked = {"do": "place", "evening": 1, "place": name}
        answer = client.post("/api/book", json=asked, headers={"Origin": HOME})
        return answer.status_code, answer.get_json().get("reason")

    answers = [place(greedy, f"P{i}") for i in range(int(BOOK_ACTS.at_once) + 20)]
    assert answers[0] != (429, "too_many_taps")
    assert BOOK_ACTS.at_once <= sum(status != 429 for status, _ in answers) < len(answers)
    assert answers[-1] == (429, "too_many_taps")
    assert place(other, "Home")[0] == answers[0][0]


def test_devices_that_let_in_each_other_fill_the_book_no_faster() -> None:
    """All together have a limit as well."""
    limits = ActLimits()
    may = [limits.may_in_book(f"device-{i}", 0.0) for i in range(1000)]
    assert sum(may) == BOOK_ACTS_OF_ALL.at_once
