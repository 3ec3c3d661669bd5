"""The board: what stands on it, who sees what, and that it is whole again after anything."""

from __future__ import annotations

import copy
import json
import threading
import time
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.events import (
    CardSetAside,
    EveningBegun,
    EveningEnded,
    QuestionAsked,
    RoundDealt,
)
from companion.hall.context import Hall
from companion.hall.floor import SILENT_S, BoardPage
from companion.hall.standing import stand, window_of
from companion.hall.tables import HallTable
from companion.hall.views.board import page_messages
from companion.outbox.sender import BEAT_S
from companion.web.guards.access import Rule
from companion.web.stream import Streams
from tests.support.game_evening import NAMES, Told
from tests.support.hall.tables import JSON, as_letters, hall_on, let_in, played_log


def screen(app: Flask, shared: Hall, role: Rule = Rule.WATCH) -> FlaskClient:
    client = app.test_client()
    assert client.get(f"/in/{shared.door.invite(role)}").status_code == 303
    return client


def board(client: FlaskClient) -> dict[int, dict[str, Any]]:
    return {one["table"]: one for one in client.get("/api/board").json["tables"]}


def wait_for(client: FlaskClient, number: int, so: Any) -> dict[str, Any]:
    until_s = time.monotonic() + 10
    while time.monotonic() < until_s:
        found = board(client).get(number)
        if found is not None and so(found):
            return found
        time.sleep(0.02)
    raise AssertionError(board(client))


def test_a_game_that_ended_in_the_middle_of_a_round_has_no_turn_and_no_such_round() -> None:
    """One round was played, the next lay open when the table stopped."""
    told = Told()
    told.enter(EveningBegun(NAMES[:5], 0))
    told.play((None,) * 5, 0)
    told.enter(RoundDealt(2, (None,) * 5))
    window = window_of(stand(1, told.log.entries), {})
    assert (window["round"], [one["turn"] for one in window["players"]].count(True)) == (2, 1)
    told.enter(EveningEnded())
    window = window_of(stand(1, told.log.entries), {})
    assert (window["phase"], window["round"], window["of"]) == ("over", 1, 1)
    assert not any(one["turn"] or one["role"] for one in window["players"])


def test_a_table_stands_on_the_board_as_its_own_ledger_says(url: str) -> None:
    """Seats, clouds, roles, round and leader come from the product's fold; a correction arrives like
    anything else; after a restart the board is folded from the database again."""
    log = played_log(5, 8)
    letters = as_letters(log.entries)
    with hall_on(url) as (shared, app):
        table, client = let_in(shared, app), screen(app, shared)
        for at in range(0, len(letters), 7):
            assert table.send(letters[at : at + 7]).status_code == 200
        from companion.game.fold import fold

        ledger = fold(log).ledger
        so = wait_for(client, 1, lambda one: one["round"] == ledger.current_number)
        wait_for(
            client,
            1,
            lambda one: [p["cards"] for p in one["players"]] == [p.cards for p in ledger.players],
        )
        assert so["of"] == ledger.of
        assert table.post("/api/table/names", {"names": {"Ada": "Adelheid"}}).json == {"names": 1}
        named = wait_for(client, 1, lambda one: one["players"][0]["name"] == "Adelheid")
        leaders = [p["cards"] for p in named["players"] if p["leads"]]
        assert set(leaders) == {max(ledger.totals)}
    with hall_on(url) as (shared, app):
        again = wait_for(screen(app, shared), 1, lambda one: True)
        assert again["players"] == named["players"]


def test_a_stream_begins_with_everything_and_goes_on_with_what_changed(url: str) -> None:
    """Whole at first, then single tables; one that fell far behind gets the whole again."""
    with hall_on(url) as (shared, app):
        tables = [let_in(shared, app) for _ in range(3)]
        client = screen(app, shared)
        for table in tables:
            table.send(as_letters(played_log(7, 2).entries))
        wait_for(client, 3, lambda one: True)
        ended = threading.Event()
        stream = page_messages(shared.streams, "k", ended, shared.floor.page(1), beat_s=5)
        first = json.loads(next(stream).partition(b"\ndata: ")[2])
        assert first["whole"]
        assert [one["table"] for one in first["tables"]] == [1, 2, 3]
        tables[1].send(as_letters(played_log(7, 2).entries)[:1], evening=2)
        second = json.loads(next(stream).partition(b"\ndata: ")[2])
        assert [one["table"] for one in second["tables"]] == [2]
        page = shared.floor.page(1)
        for _ in range(200):
            page.publish([], [])
        assert b'"whole":true' in next(stream)
        ended.set()


def test_a_screen_that_was_sent_away_is_told_no_more() -> None:
    """What changes between the sending away and the stream's end is not told to it."""
    streams, page = Streams(), BoardPage()
    ended = streams.enter("k:1")
    assert ended is not None
    told = page_messages(streams, "k:1", ended, page, beat_s=5)
    next(told)

    def send_away() -> None:
        streams.end("k")
        page.publish([], [])

    threading.Timer(0.2, send_away).start()
    assert list(told) == [b"event: closed\ndata: 1\n\n"]


def test_only_the_host_sees_who_needs_help_and_may_send_a_table_away(url: str) -> None:
    """A screen that looks on gets no host's page; a table that is set aside leaves the board and may
    come back; one that is sent away sends no more."""
    letters = as_letters(played_log(8, 2).entries)
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        looker, host = screen(app, shared), screen(app, shared, Rule.CONTROL)
        table.send(letters[:6], camera="stopped")
        wait_for(looker, 1, lambda one: True)
        assert "help" not in board(looker)[1]
        assert looker.get("/api/host/tables").status_code == 403
        assert host.get("/api/host/tables").json["tables"][0]["help"] == "camera"

        def do(what: str, **more: Any) -> Any:
            return host.post(
                "/api/host/tables", data=json.dumps({"table": 1, "do": what, **more}), headers=JSON
            )

        assert do("name", name="  The \x1b\u202e corner ").json["tables"][0]["name"] == "The corner"
        wait_for(looker, 1, lambda one: one["name"] == "The corner")
        do("set_aside")
        until_s = time.monotonic() + 5
        while 1 in board(looker) and time.monotonic() < until_s:
            time.sleep(0.02)
        assert 1 not in board(looker)
        do("count")
        wait_for(looker, 1, lambda one: True)
        do("send_away")
        assert table.send(letters).status_code == 401
        assert do("knock").status_code == 400


def test_a_table_that_is_sent_away_while_another_screen_names_it_stays_away(url: str) -> None:
    """Whatever the other screen read of it before."""
    with hall_on(url) as (shared, app):
        let_in(shared, app)
        register = shared.register
        numbered = register.numbered
        others: list[threading.Thread] = []

        def sent_away_meanwhile(number: int) -> HallTable | None:
            read = numbered(number)
            if not others:
                others.append(threading.Thread(target=lambda: register.change(1, revoked=True)))
                others[0].start()
                others[0].join(0.5)
            return read

        register.numbered = sent_away_meanwhile
        register.change(1, name="corner")
        others[0].join(10)
        told = numbered(1)
        assert told is not None
        assert (told.name, told.revoked) == ("corner", True)


def test_the_host_is_told_why_a_table_needs_somebody(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question that is open for long, until somebody answers it; entries that do not add up; a table
    that fell silent in mid-evening, of which three beats did not come."""
    assert 3 * BEAT_S < SILENT_S < 4 * BEAT_S
    told = Told()
    told.enter(EveningBegun(NAMES[:3], 0, "en", 80), RoundDealt(1, (1, 2, 3, 4)))
    told.enter(QuestionAsked(1, "outcome"), source="camera")
    asked = len(told.log.entries)
    told.enter(CardSetAside(1, 1, 1))
    letters = as_letters(told.log.entries)
    with hall_on(url) as (shared, app):
        table, host = let_in(shared, app), screen(app, shared, Rule.CONTROL)

        def wanted() -> str | None:
            answer = host.get("/api/host/tables").json["tables"][0]["help"]
            assert answer is None or isinstance(answer, str)
            return answer

        def wait_until(why: str | None) -> None:
            until_s = time.monotonic() + 10
            while wanted() != why and time.monotonic() < until_s:
                time.sleep(0.02)
            assert wanted() == why

        assert table.send(letters[:asked]).status_code == 200
        wait_until("question")
        assert table.send(letters).status_code == 200
        wait_until(None)
        monkeypatch.setattr("companion.hall.floor.SILENT_S", -1.0)
        assert wanted() == "silent"
        strange = copy.deepcopy(letters[-1])
        strange["number"] = strange["batch"] = len(letters) + 1
        strange["event"]["attempt"] = 3
        assert table.send([strange]).status_code == 200
        wait_until("misfit")


def test_every_route_of_the_hall_has_its_rule(url: str) -> None:
    """A stranger gets nothing but the way in; a table nothing but its own letters; a screen none of
    the tables'."""
    with hall_on(url) as (shared, app):
        rules = shared.rules
        assert {rule.endpoint for rule in app.url_map.iter_rules()} == set(rules)
        table, host = let_in(shared, app), screen(app, shared, Rule.CONTROL)
        for rule in app.url_map.iter_rules():
            path = rule.rule.split("<")[0]
            method = "POST" if "POST" in (rule.methods or ()) else "GET"
            kind = rules[rule.endpoint]
            if kind is Rule.OPEN or "<" in rule.rule:
                continue
            stranger = app.test_client().open(path, method=method, headers=JSON, data="{}")
            assert stranger.status_code == 401, path
            mine = table.client.open(path, method=method, headers=JSON, data="{}")
            assert (mine.status_code == 403) == (kind is not Rule.TABLE), path
            if kind is Rule.TABLE:
                other = host.open(path, method=method, headers=JSON, data="{}")
                assert other.status_code == 403, path


def test_the_metrics_name_nobody(url: str) -> None:
    """Numbers in the form that Prometheus reads, each with its kind."""
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        table.send(as_letters(played_log(1, 1).entries))
        text = app.test_client().get("/metrics").text
        assert "companion_hall_tables 1\n" in text
        assert "companion_hall_database_up 1\n" in text
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        assert all(len(line.split()) == 2 and float(line.split()[1]) >= 0 for line in lines)
        assert "Ada" not in text
