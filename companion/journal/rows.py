"""An evening's rows in the database: its entries, and the line of the list of evenings over them."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from companion.game.event_json import entry_to_dict, event_to_dict
from companion.game.ledger import Ledger
from companion.game.log import Entry

Row = tuple[int, bytes]
"""An entry's number and its text as the database has it."""


def store_entries(
    db: sqlite3.Connection,
    evening: int,
    began_s: float,
    now_s: float,
    ledger: Ledger,
    entries: tuple[Entry, ...],
) -> None:
    """Put these entries behind the evening's, and what the whole log adds up to over them; within the
    caller's transaction."""
    line = (
        evening,
        began_s,
        now_s,
        _text(ledger.names),
        _text(ledger.totals),
        len(ledger.rounds),
        int(ledger.over),
    )
    db.execute(
        "INSERT INTO evenings (evening, began_s, changed_s, players, totals, rounds, over) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (evening) DO UPDATE SET changed_s = excluded.changed_s, "
        "players = excluded.players, totals = excluded.totals, rounds = excluded.rounds, over = excluded.over",
        line,
    )
    db.executemany(
        "INSERT INTO entries VALUES (?, ?, ?, ?)",
        [
            (evening, entry.number, event_to_dict(entry.event)["kind"], _text(entry_to_dict(entry)))
            for entry in entries
        ],
    )


def read_rows(db: sqlite3.Connection, evening: int) -> list[Row]:
    """The entries of one evening as they stand there, whatever the disk made of them."""
    return db.execute(
        "SELECT number, CAST(entry AS BLOB) FROM entries WHERE evening = ? ORDER BY number",
        (evening,),
    ).fetchall()


def evenings_with_rows(db: sqlite3.Connection) -> set[int]:
    """The numbers under which there is any entry; each is looked up, not read."""
    found = db.execute(
        "WITH RECURSIVE one(evening) AS (SELECT min(evening) FROM entries UNION ALL "
        "SELECT (SELECT min(entries.evening) FROM entries WHERE entries.evening > one.evening) FROM one "
        "WHERE one.evening IS NOT NULL) SELECT evening FROM one WHERE evening IS NOT NULL"
    )
    return {number for (number,) in found}


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
