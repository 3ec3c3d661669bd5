"""Who may write to a hall's database: one hall at a time, and nobody who was sent away while it waited."""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.commands import hall
from companion.errors import HallAway, HallTrouble, JournalTrouble
from companion.hall.database import Database, WritersLock
from companion.journal.store import Lock
from companion.web.guards.access import Rule
from tests.companion.hall.test_board import screen
from tests.support.hall.tables import JSON, as_letters, hall_on, let_in, played_log


def posted(client: FlaskClient, path: str, told: Any) -> int:
    """The status of the answer."""
    return client.post(path, data=json.dumps(told), headers=JSON).status_code


def lose_the_lock(server: Database) -> None:
    """The server lets the connection go on which a hall holds its lock."""
    server.rows(
        "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted"
    )


def test_a_hall_that_lost_its_lock_to_nobody_goes_on(url: str) -> None:
    """The database was started anew: the lock is taken again, and what was known still holds."""
    letters = as_letters(played_log(5).entries)
    server = Database(url, "test")
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        assert table.send(letters[:3]).status_code == 200
        lose_the_lock(server)
        with pytest.raises(HallAway):
            shared.lock.take()  # its connection is gone
        shared.hold()
        assert shared.trouble is None
        assert table.send(letters[3:5]).json["have"] == 5
        other = WritersLock(url)
        with pytest.raises(HallTrouble, match="Another hall writes"):
            other.take()
        other.release()
    server.close()


def test_a_hall_that_slept_while_another_began_asks_and_stores_nothing_more(url: str) -> None:
    """Its computer slept and another hall took over, sent its table away and ended: what it remembers is
    old. It refuses letters, names, tables and its host in words, for good, and holds nobody up."""
    letters = as_letters(played_log(5).entries)
    server = Database(url, "test")
    with hall_on(url) as (shared, app):
        table, host = let_in(shared, app), screen(app, shared, Rule.CONTROL)
        lose_the_lock(server)
        with hall_on(url) as (other, _):
            other.register.change(table.table.number, revoked=True)
            shared.hold()  # its connection is gone
            shared.hold()
            assert "Another hall" in str(shared.trouble)
        for _ in range(2):
            shared.hold()
            assert "stop this one" in str(shared.trouble)
            assert table.send(letters[:3]).status_code == 503
            assert table.post("/api/table/names", {"names": {}}).status_code == 503
            assert table.client.get("/api/table/progress").status_code == 503
            code = shared.register.invite(1, 5.0)
            joins = {"code": code, "table": "a" * 32, "name": "Two"}
            assert table.post("/api/table/join", joins).status_code == 503
            named = {"do": "name", "table": table.table.number, "name": "Again"}
            assert posted(host, "/api/host/tables", named) == 503
            assert posted(host, "/api/host/tournament", {"do": "begin", "name": "X"}) == 503
        assert server.rows("select name, revoked from hall_table") == [(table.table.name, True)]
        assert server.rows("select count(*) from tournament") == [(0,)]
        with hall_on(url) as (another, _):
            assert another.trouble is None
    server.close()


def test_a_term_does_not_come_again_with_a_backup(url: str) -> None:
    """The database was put back to what it held before this hall began, while it slept, and another one
    began on it: each had the backup's term and one more."""
    letters = as_letters(played_log(5).entries)
    server = Database(url, "test")
    with hall_on(url):
        pass
    ((backed_up,),) = server.rows("select term from hall_writer")
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        lose_the_lock(server)
        with server.transaction() as cursor:
            cursor.execute("update hall_writer set term = %s", (backed_up,))
        with hall_on(url):
            assert table.send(letters[:3]).status_code == 503
    server.close()


@contextmanager
def slow(server: Database, table: str) -> Iterator[None]:
    """Whoever asks for this table of the database waits until the end."""
    with server.transaction() as cursor:
        cursor.execute(f"lock table {table} in access exclusive mode")
        yield


def answer_of_one_sent_away(
    server: Database, waits_for: str, ask: Callable[[], int], send_away: Callable[[], object]
) -> int:
    """The status for who was sent away while the database was slow."""
    answers: list[int] = []
    thread = threading.Thread(target=lambda: answers.append(ask()))
    with slow(server, waits_for):
        thread.start()
        time.sleep(0.5)
        assert not answers
        send_away()
    thread.join(20)
    return answers[0]


@pytest.mark.parametrize(
    ("path", "told", "waits_for", "left"),
    [
        ("tables", {"do": "send_away", "table": 1}, "hall_table", "select revoked from hall_table"),
        ("tables", {"do": "name", "table": 1, "name": "X"}, "hall_table", "select name > '' from hall_table"),
        ("tournament", {"do": "begin", "name": "X"}, "tournament", "select count(*) > 0 from tournament"),
    ],
)  # fmt: skip
def test_what_a_host_asked_before_it_was_sent_away_is_not_done(
    url: str, path: str, told: dict[str, Any], waits_for: str, left: str
) -> None:
    """It waited for a slow database, and its device was sent away meanwhile."""
    server = Database(url, "test")
    with hall_on(url) as (shared, app):
        let_in(shared, app)
        host = screen(app, shared, Rule.CONTROL)
        (device,) = shared.door.devices
        status = answer_of_one_sent_away(
            server,
            waits_for,
            lambda: posted(host, f"/api/host/{path}", told),
            lambda: shared.door.revoke(device.key),
        )
        assert (status, server.rows(left)) == (401, [(False,)])
        assert posted(screen(app, shared, Rule.CONTROL), f"/api/host/{path}", told) == 200
    server.close()


@pytest.mark.parametrize("what", ["entries", "names"])
def test_what_a_table_sent_before_it_was_sent_away_is_not_kept(url: str, what: str) -> None:
    """Its letter waited for a slow database; those of other tables that waited with it are stored."""
    letters = as_letters(played_log(3).entries)
    server = Database(url, "test")
    waits_for = {"entries": "entry", "names": "person"}[what]
    told = {
        "entries": {"evening": 1, "entries": letters[:5], "camera": None},
        "names": {"names": {"Ada": "Real"}},
    }[what]
    with hall_on(url) as (shared, app):
        table, other = let_in(shared, app), let_in(shared, app)
        others: list[int] = []
        beside = threading.Thread(
            target=lambda: others.append(other.post(f"/api/table/{what}", told).status_code)
        )

        def send_away() -> None:
            beside.start()
            time.sleep(0.3)
            shared.register.change(table.table.number, revoked=True)

        def ask() -> int:
            return int(table.post(f"/api/table/{what}", told).status_code)

        assert answer_of_one_sent_away(server, waits_for, ask, send_away) == 401
        beside.join(20)
        assert others == [200]
        kept = server.rows(f"select distinct table_id from {waits_for}")
        assert kept == [(other.table.id,)]
    server.close()


def test_two_halls_keep_no_folder_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They have another database each and the same list of devices: who was sent away by the one came
    back in with the list that the other wrote."""
    parser = argparse.ArgumentParser()
    hall.configure(parser)
    away = ["--database", "postgresql://127.0.0.1:1/none", "--data", str(tmp_path), "--port", "0"]
    args = parser.parse_args(away)
    (tmp_path / "hall").mkdir()
    other = Lock(tmp_path / "hall", "hall")
    with pytest.raises(JournalTrouble, match="Another companion"):
        hall.run(args)
    other.release()
    (tmp_path / "hall" / "hall.lock").write_bytes(b"garbage" * 999)
    with pytest.raises(HallAway):
        hall.run(args)
    assert "hall.lock was no lock of ours" in capsys.readouterr().out
