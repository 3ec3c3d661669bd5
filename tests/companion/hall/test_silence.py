"""A database that goes silent, frozen or with its packets lost, is noticed; the hall says so and can end."""

from __future__ import annotations

import contextlib
import http.cookiejar
import json
import os
import re
import select
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.hall.database import Database
from companion.hall.embedded import EmbeddedPostgres
from companion.hall.patience import Patience, Silence
from companion.web.guards.access import Rule
from tests.support.hall.tables import (
    as_letters,
    hall_on,
    let_in,
    played_log,
    reachable_folder,
    started,
)

ROOT = Path(__file__).parents[3]
LONG_S = 60.0
"""Nobody waits so long."""


class Wire:
    """A way to PostgreSQL's socket that can be made to pass nothing on."""

    def __init__(self, to: Path) -> None:
        self.silent = threading.Event()
        self._to = to
        self._closed = threading.Event()
        self._listens = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql://hall@127.0.0.1:{self._listens.getsockname()[1]}/postgres"
        """Where a hall finds the database."""
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        """Nobody comes in any more."""
        self._closed.set()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with self._listens:
            while not self._closed.is_set():
                if select.select([self._listens], [], [], 0.05)[0]:
                    here, _ = self._listens.accept()
                    passes = threading.Thread(target=self._pass_on, args=(here,))
                    self._threads.append(passes)
                    passes.start()

    def _pass_on(self, here: socket.socket) -> None:
        with here, socket.socket(socket.AF_UNIX) as there, contextlib.suppress(OSError):
            there.connect(str(self._to))
            while not self._closed.is_set():
                for one in select.select([here, there], [], [], 0.05)[0]:
                    if self.silent.is_set():
                        time.sleep(0.05)
                    elif data := one.recv(65_536):
                        (there if one is here else here).sendall(data)
                    else:
                        return


@pytest.fixture
def wire(url: str, postgres: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    """To an empty database; looked after more often than in a club."""
    monkeypatch.setattr("companion.hall.context.HOLDS_S", 0.2)
    monkeypatch.setattr("companion.hall.database.PULSE_S", 1.0)
    monkeypatch.setattr("companion.hall.patience.SILENT_S", 1.0)
    assert url
    way = Wire(postgres._sockets / ".s.PGSQL.5432")
    yield way
    way.close()


def test_pages_and_tables_are_told_that_the_database_does_not_answer(wire: Wire) -> None:
    """All that wait, one behind another, and who comes then; once it answers again the hall goes on, and
    each entry is there once."""
    letters = as_letters(played_log(3).entries)
    with hall_on(wire.url) as (shared, app):
        table = let_in(shared, app)
        host = app.test_client()
        host.get(f"/in/{shared.door.invite(Rule.CONTROL)}")
        assert table.send(letters[:3]).status_code == 200
        assert host.get("/api/tournament").status_code == 200
        shared.tournament._looked_s = float("-inf")
        wire.silent.set()

        told: list[tuple[int, str]] = []

        def ask() -> None:
            other = app.test_client()
            other.set_cookie("companion_device", host.get_cookie("companion_device").value)
            answer = other.get("/api/host/tournament")
            told.append((answer.status_code, str(answer.json)))

        pages = [threading.Thread(target=ask, daemon=True) for _ in range(12)]
        for page in pages:
            page.start()
        for page in pages:
            page.join(LONG_S)
        assert len(told) == len(pages)
        assert {status for status, _ in told} == {503}
        assert all("cannot be reached (it does not answer): tables keep" in why for _, why in told)
        assert "does not answer" in host.get("/api/host/tables").json["trouble"]
        assert table.send(letters[:6]).status_code == 503
        wire.silent.clear()
        until_s = time.monotonic() + LONG_S
        while table.send(letters).status_code != 200 and time.monotonic() < until_s:
            time.sleep(0.1)
        assert host.get("/api/host/tournament").status_code == 200
    database = Database(wire.url, "test")
    assert database.rows("select count(*) from entry") == [(len(letters),)]
    database.close()


def test_a_hall_whose_database_is_silent_stops(wire: Wire) -> None:
    """Also while a page waits; and another hall may write as soon as the server noticed."""
    with hall_on(wire.url) as (shared, app):
        host = app.test_client()
        host.get(f"/in/{shared.door.invite(Rule.CONTROL)}")
        wire.silent.set()
        waits = threading.Thread(target=host.get, args=("/api/tournament",), daemon=True)
        waits.start()
        ends = threading.Thread(target=shared.stop_work, daemon=True)
        ends.start()
        ends.join(LONG_S)
        assert not ends.is_alive()
        waits.join(LONG_S)
        assert not waits.is_alive()
        assert shared.patience.silent
    wire.silent.clear()


def test_a_frozen_database_of_its_own_lets_the_hall_end(tmp_path: Path) -> None:
    """As people start it. Its host's page is told, Ctrl-C ends it well and says what that means; the
    database ends by itself once it goes on."""
    with reachable_folder() as folder:
        with started(folder):
            pass  # skips where there is none
        said = tmp_path / "said.txt"
        with said.open("wb") as out:
            command = f"-m companion hall --embedded --host 127.0.0.1 --port 0 --data {folder}"
            process = subprocess.Popen(
                [sys.executable, *command.split()], cwd=ROOT, stdout=out, stderr=out
            )
        frozen: list[int] = []
        try:
            browser, base = _let_in(said)
            frozen = _freeze(folder / "hall" / "postgres" / "data" / "postmaster.pid")
            with pytest.raises(urllib.error.HTTPError) as told:
                browser.open(f"{base}/api/tournament", timeout=LONG_S)
            assert told.value.code == 503
            assert "does not answer" in json.loads(told.value.read())["reason"]
            process.send_signal(signal.SIGINT)
            assert process.wait(LONG_S) == 0
            assert "Good night. The database did not answer at the end" in said.read_text("utf-8")
            assert "Traceback" not in said.read_text("utf-8")
        finally:
            for pid in reversed(frozen):
                os.kill(pid, signal.SIGCONT)
            if process.poll() is None:
                process.kill()
                process.wait()
        until_s = time.monotonic() + LONG_S
        status = folder / "hall" / "postgres" / "data" / "postmaster.pid"
        while status.exists() and time.monotonic() < until_s:
            time.sleep(0.05)
        assert not status.exists()


def _let_in(said: Path) -> tuple[urllib.request.OpenerDirector, str]:
    jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    browser = urllib.request.build_opener(jar)
    until_s = time.monotonic() + LONG_S
    while time.monotonic() < until_s:
        if found := re.search(r"(http://\S+)/in/\S+", said.read_text("utf-8", "replace")):
            browser.open(found[0], timeout=LONG_S).read()
            return browser, found[1]
        time.sleep(0.05)
    raise AssertionError("it did not start")


def _freeze(status: Path) -> list[int]:
    """PostgreSQL and its own processes, all stopped."""
    parent = int(status.read_text("ascii").split()[0])
    children = Path(f"/proc/{parent}/task/{parent}/children")
    if not children.exists():
        pytest.skip("the system does not tell a process's children")
    os.kill(parent, signal.SIGSTOP)
    frozen = [parent, *map(int, children.read_text("ascii").split())]
    for pid in frozen[1:]:
        os.kill(pid, signal.SIGSTOP)
    return frozen


def test_what_has_come_is_taken_however_late() -> None:
    """A hall that was itself asleep finds the answer there; only where none is it gives up, and then so do
    the others."""
    clock = [0.0]
    patience = Patience(now=lambda: clock[0])
    here, there = socket.socketpair()

    def asked() -> Generator[Any, Any, Any]:
        clock[0] += 100.0
        assert (yield selectors.EVENT_READ) == selectors.EVENT_READ
        return here.recv(10)

    with here, there:
        there.sendall(b"told")
        assert patience.answer(asked(), here.fileno(), 5.0) == b"told"
        assert not patience.silent
        with pytest.raises(Silence):
            patience.answer(asked(), here.fileno(), -1.0)
        assert patience.silent
        clock[0] -= 100.0
        with pytest.raises(Silence):
            patience.answer(asked(), here.fileno(), 500.0)
    clock[0] += 10.0
    patience.require()
    patience.heard()
    assert not patience.silent
