"""How fast one device, and all together, may change an evening; and how fast devices come in."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from calibration.check.sentences import LANGUAGES
from companion.web import Door, Rule, create_app
from companion.web.guards.access import ENTERS, TooManyCame
from companion.web.guards.rate_limits import (
    BEYOND,
    BOOK_ACTS,
    FIRST,
    LONG_EVENING,
    NEW,
    RESTS,
    ActLimits,
    RateLimit,
    SharedLimit,
    SharedLimiter,
)
from companion.web.views.page_files import page_words
from tests.support.companion_web_client import HOME, enter, evening, send
from tests.support.kept_evening import KeptEvening, played

__all__ = ["evening"]
NO_FIRST = RateLimit(at_once=0, a_second=0)


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
    assert RESTS.each.at_once <= taken < RESTS.each.at_once + 10, statuses
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
    assert sum(now) == BEYOND.each.at_once
    later = [limits.may("a", "name", LONG_EVENING, 10.0) for _ in range(100)]
    assert sum(later) == 10 * BEYOND.each.a_second
    assert limits.may("b", "name", LONG_EVENING, 10.0)


def test_one_device_fills_the_book_no_faster_than_a_person_writes(app: Flask) -> None:
    """So many acts at once, then it is told to wait; what another does to the book counts."""
    greedy, other = enter(app), enter(app)

    def place(client: FlaskClient, name: str) -> tuple[int, str | None]:
        asked = {"do": "place", "evening": 1, "place": name}
        answer = client.post("/api/book", json=asked, headers={"Origin": HOME})
        return answer.status_code, answer.get_json().get("reason")

    answers = [place(greedy, f"P{i}") for i in range(int(BOOK_ACTS.each.at_once) + 20)]
    assert answers[0] != (429, "too_many_taps")
    assert BOOK_ACTS.each.at_once <= sum(status != 429 for status, _ in answers) < len(answers)
    assert answers[-1] == (429, "too_many_taps")
    assert place(other, "Home")[0] == answers[0][0]


@pytest.mark.parametrize("what", ["pause", "begin", "rematch", "end", "beyond", "book", "go_on"])
def test_devices_that_let_in_each_other_get_no_further(what: str) -> None:
    """All together have a limit as well, of which those who used up their own take nothing."""
    limits = ActLimits()
    limit = {"pause": RESTS, "beyond": BEYOND, "book": BOOK_ACTS}.get(what, NEW)

    def may(device: str, now_s: float) -> bool:
        if what in ("book", "go_on"):
            return limits.may_in_book(device, what, now_s)
        return limits.may(device, what, LONG_EVENING if what == "beyond" else 10, now_s)

    assert sum(may("greedy", 0.0) for _ in range(1000)) == limit.each.at_once
    assert may("another", 0.0)
    new = sum(may(f"device-{i % 40}", 0.0) for i in range(4000))
    assert new == limit.of_all.at_once - limit.each.at_once - 1 + 40 * FIRST.at_once
    later = sum(may(f"device-{i % 40}", 100.0) for i in range(4000))
    assert later == min(limit.of_all.at_once, int(100 * limit.of_all.a_second))
    assert may("an honest one", 100.0)


def test_several_in_concert_keep_nobody_else_from_beginning_an_evening(
    app: Flask, evening: KeptEvening
) -> None:
    """Two devices that begin and end evenings use up what all have together."""
    concert, honest = (enter(app), enter(app)), enter(app)
    players = {"players": ["Ada", "Ben", "Cleo"], "daydreamer": 0}
    statuses = [
        send(concert[i % 2], evening, do, id=f"concert-{i}-{do}", **more).status_code
        for i in range(40)
        for do, more in (("end", {}), ("begin", players))
    ]
    assert statuses[-1] == 429
    for turn in range(2):
        do, more = ("end", {}) if evening.board["phase"] == "laying" else ("begin", players)
        assert send(honest, evening, do, id=f"honest-{turn}", **more).status_code == 200


def test_who_used_up_its_own_takes_nothing_of_what_is_everybodys() -> None:
    """However often it asks."""
    limiter = SharedLimiter(SharedLimit(RateLimit(2, 0.0), RateLimit(3, 0.0)), NO_FIRST)
    assert sum(limiter.may("greedy", 0.0) for _ in range(1000)) == 2
    assert limiter.may("another", 0.0)
    assert not limiter.may("a third", 0.0)


def test_evenings_are_begun_and_ended_only_so_often(app: Flask, evening: KeptEvening) -> None:
    """Hundreds stood in the book for all years, and nobody else's taps came through."""
    restless, other = enter(app), enter(app)
    players = {"players": ["Ada", "Ben", "Cleo"], "daydreamer": 0}
    statuses = [
        send(restless, evening, do, id=f"restless-{i}-{do}", **more).status_code
        for i in range(30)
        for do, more in (("end", {}), ("begin", players))
    ]
    assert statuses[:2] == [200, 200]
    assert NEW.each.at_once <= statuses.count(200) < NEW.each.at_once + 5
    assert statuses[-1] == 429
    do, more = ("begin", players) if evening.board["phase"] != "laying" else ("end", {})
    assert send(other, evening, do, id="other-may-still", **more).status_code == 200


def test_a_device_that_lets_in_others_lets_in_only_so_many() -> None:
    """Eight players with two screens each and a dozen guests come at once; then one in ten seconds. Who
    is too fast is told so in all languages, and comes in later by the same code; the host's own code
    always lets in."""
    clock = [0.0]
    door = Door(now=lambda: clock[0])
    app = create_app(played().session, door)

    def scanned(code: str) -> TestResponse:
        return app.test_client().get(f"/in/{code}")

    host = app.test_client()
    host.get(f"/in/{door.invite()}")

    def invited() -> str:
        asked = host.post("/api/invite", json={"role": "control"}, headers={"Origin": HOME})
        return str(asked.get_json()["address"]).rsplit("/", 1)[1]

    codes = [invited() for _ in range(int(ENTERS.at_once) + 20)]
    statuses = [scanned(code).status_code for code in codes]
    assert statuses == [303] * int(ENTERS.at_once) + [429] * 20
    told = scanned(codes[-1])
    words = told.get_data(as_text=True)
    for language in LANGUAGES:
        assert page_words(language)["door.many"] in words
        assert page_words(language)["door.many_how"] in words
    assert scanned("made-up").status_code == 403
    assert scanned(door.invite()).status_code == 303
    clock[0] = 10.0
    assert scanned(codes[-1]).status_code == 303
    assert scanned(codes[-2]).status_code == 429
    clock[0] = 70.0
    assert scanned(codes[-2]).status_code == 303


def test_how_fast_devices_come_in_is_handed_in() -> None:
    """A hall hangs up all its boards at once."""
    door = Door(enters=RateLimit(at_once=200, a_second=1))
    code = door.invite(Rule.WATCH, uses=300, minutes=30)
    assert all(door.enter(code, "TV") for _ in range(200))
    with pytest.raises(TooManyCame):
        door.enter(code, "TV")


def test_what_is_refused_because_all_is_used_up_costs_nobody_their_own() -> None:
    """Once everybody's comes back, who tried meanwhile may at once."""
    limiter = SharedLimiter(SharedLimit(RateLimit(2, 0.01), RateLimit(2, 1)), NO_FIRST)
    assert [limiter.may("greedy", 0.0) for _ in range(3)] == [True, True, False]
    assert not any(limiter.may("honest", 0.0) for _ in range(10))
    assert limiter.may("honest", 1.0)
