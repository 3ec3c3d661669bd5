"""A hall for tests: a PostgreSQL of its own, its app, tables let in, and evenings that were played."""

from __future__ import annotations

import json
import os
import random
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.errors import BadInput
from companion.game.change import undo
from companion.game.event_json import entry_to_dict
from companion.game.events import CloudsClaimed, EveningBegun, RoundAwaited, RoundDealt
from companion.game.log import Entry, Log
from companion.hall.app import create_hall_app, open_hall
from companion.hall.context import Hall
from companion.hall.database import driver
from companion.hall.embedded import EmbeddedPostgres
from companion.hall.tables import HallTable
from companion.outbox.told import told_entry
from tests.support.game_evening import NAMES, Told

HOME = "http://localhost"
JSON = {"Origin": HOME, "Content-Type": "application/json"}


@lru_cache(maxsize=64)
def played_log(seed: int, rounds: int = 6, corrected: bool = True) -> Log:
    """An evening of three to eight, some rounds of it: guesses, a claim or none, now and then
    something undone, or a round corrected."""
    rng = random.Random(seed)
    players = rng.randint(3, 8)
    told = Told()
    told.enter(EveningBegun(NAMES[:players], rng.randrange(players), "en", 80))
    for _ in range(rounds):
        if told.ledger.over:
            break
        number = told.ledger.next_number
        told.enter(RoundAwaited(number))
        cards = told.next_cards()
        told.play(cards, rng.randint(0, len(cards) - 2), source=rng.choice(("camera", "person")))
        if corrected and rng.random() < 0.25:
            told.change(undo(told.log))
            open_round = told.ledger.open_round
            if open_round is None:
                told.enter(RoundDealt(told.ledger.next_number, told.next_cards()))
            elif open_round.attempt is not None:
                told.enter(CloudsClaimed(open_round.number, open_round.attempt))
            while (now := told.ledger.open_round) is not None and now.attempt is not None:
                told.enter(CloudsClaimed(now.number, now.attempt))
    return told.log


def as_letters(entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    """The entries as a table tells them to a hall, under the names they have."""
    return [entry_to_dict(told_entry(entry, lambda name: name)) for entry in entries]


@dataclass(frozen=True, slots=True)
class TableAtHall:
    """A table that was let in, and a client that is it."""

    table: HallTable
    token: str
    client: FlaskClient

    def post(self, path: str, told: Any) -> Any:
        """The hall's answer to a letter."""
        return self.client.post(path, data=json.dumps(told), headers=JSON)

    def send(
        self, entries: list[dict[str, Any]], evening: int = 1, camera: str | None = "live"
    ) -> Any:
        """The hall's answer to these entries."""
        letter = {"evening": evening, "entries": entries, "camera": camera}
        return self.post("/api/table/entries", letter)


@contextmanager
def hall_on(url: str) -> Iterator[tuple[Hall, Flask]]:
    """A hall that runs on this database."""
    shared = open_hall(url, wait_s=0.5)
    shared.start()
    try:
        yield shared, create_hall_app(shared)
    finally:
        shared.stop_work()


def let_in(shared: Hall, app: Flask) -> TableAtHall:
    """A table that has just been let in."""
    code = shared.register.invite(1, 5)
    client = app.test_client()
    asked = {"code": code, "table": secrets.token_hex(16), "name": ""}
    answer = client.post("/api/table/join", data=json.dumps(asked), headers=JSON)
    assert answer.status_code == 200, answer.json
    client.set_cookie(answer.json["cookie"], answer.json["token"])
    table = shared.register.numbered(answer.json["number"])
    assert table is not None
    return TableAtHall(table, answer.json["token"], client)


def started(folder: Path, programs: Path | None = None) -> EmbeddedPostgres:
    """A server in this folder, of these programs; skips where there is none."""
    try:
        driver()
        own = EmbeddedPostgres(folder, programs)
        own.start()
    except BadInput as trouble:
        if os.environ.get("COMPANION_REQUIRE_POSTGRES"):
            raise
        pytest.skip(f"no PostgreSQL: {trouble}")
    return own


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """A folder that also the user whom PostgreSQL runs as can reach; pytest's own are root's alone."""
    with tempfile.TemporaryDirectory(prefix="hall-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
