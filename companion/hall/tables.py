"""The tables that were let in: who sends this token, and what people call them.

A table is known by a random id that it made itself, and by a token that only it has; the database
keeps the token's digest. Knows SQL; must not know HTTP or the game.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

from companion.hall.database import Database

MOST_TABLES = 20_000


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table: its secret `id`, the `number` people call it by, its `name` or "", and what the host
    made of it."""

    id: str
    number: int
    name: str
    token_hash: str
    revoked: bool = False
    counts: bool = True


@dataclass(frozen=True, slots=True)
class TableCode:
    """A code that lets tables in: `uses` more of them, until `ends_s` (monotonic)."""

    digest: str
    uses: int
    ends_s: float


def digest_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class TableRegister:
    """All tables of a hall, in memory and in the database; codes are good until the hall stops."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.RLock()
        self._codes: dict[str, TableCode] = {}
        self._by_token: dict[str, HallTable] = {}
        self._by_id: dict[str, HallTable] = {}
        for row in database.rows(
            "select id, number, name, token_hash, revoked, counts from hall_table"
        ):
            self._know(HallTable(*row))

    def _know(self, table: HallTable) -> None:
        old = self._by_id.get(table.id)
        if old is not None:
            self._by_token.pop(old.token_hash, None)
        self._by_id[table.id] = table
        if not table.revoked:
            self._by_token[table.token_hash] = table

    @property
    def tables(self) -> list[HallTable]:
        """Every table, by number."""
        with self._lock:
            return sorted(self._by_id.values(), key=lambda table: table.number)

    def table(self, table_id: str) -> HallTable | None:
        """The table of this id."""
        return self._by_id.get(table_id)

    def is_in(self, table_id: str) -> bool:
        """False once this table was sent away."""
        table = self._by_id.get(table_id)
        return table is not None and not table.revoked

    def numbered(self, number: int) -> HallTable | None:
        """The table that people call by this number."""
        return next((table for table in self.tables if table.number == number), None)

    def holder_of(self, token: str | None) -> HallTable | None:
        """The table that holds this token; None for an unknown or a revoked one."""
        return self._by_token.get(digest_of(token)) if token else None

    def invite(self, uses: int, minutes: float) -> str:
        """A new code of 192 random bits for so many tables."""
        code = secrets.token_urlsafe(24)
        now_s = time.monotonic()
        with self._lock:
            self._codes = {key: one for key, one in self._codes.items() if one.ends_s > now_s}
            digest = digest_of(code)
            self._codes[digest] = TableCode(digest, uses, now_s + minutes * 60)
        return code

    def let_in(self, code: str, table_id: str, name: str) -> tuple[HallTable, str] | None:
        """The new table of this id, and its token; None for a code that is not good, or an id that is
        known: who has it already is not moved.

        Raises:
            HallTrouble: the database is not there; the code is as good as before.
        """
        with self._lock:
            found = self._codes.get(digest_of(code))
            if found is None or found.ends_s < time.monotonic() or table_id in self._by_id:
                return None
            if len(self._by_id) >= MOST_TABLES:
                return None
            token = secrets.token_urlsafe(32)
            row = self._write(
                "insert into hall_table (id, name, token_hash) values (%s, %s, %s) returning number",
                table_id,
                name,
                digest_of(token),
            )
            table = HallTable(table_id, row[0], name, digest_of(token))
            self._know(table)
            if found.uses > 1:
                self._codes[found.digest] = replace(found, uses=found.uses - 1)
            else:
                del self._codes[found.digest]
        return table, token

    def change(self, number: int, **changed: Any) -> HallTable | None:
        """The table after the host named it, sent it away (`revoked`) or set it aside (`counts`);
        None where there is no such table. Raises HallTrouble."""
        with self._lock:
            table = self.numbered(number)
            if table is None:
                return None
            new = replace(table, **changed)
            self._write(
                "update hall_table set name = %s, revoked = %s, counts = %s where id = %s returning 1",
                new.name,
                new.revoked,
                new.counts,
                new.id,
            )
            self._know(new)
        return new

    def close(self) -> None:
        """Let the connection go."""
        with self._lock:
            self._database.close()

    def _write(self, sql: str, *values: object) -> tuple[Any, ...]:
        with self._lock:
            return self._database.rows(sql, *values)[0]
