"""The hall's PostgreSQL: connections, the schema and its versions, errors in words.

Knows psycopg and the numbered scripts of `sql/`; knows no entry and no table. A released script is
never edited, only followed by another. One hall writes to a database at a time: it holds a lock
there, which the server frees when the hall dies, and a term of its own, which says so also to one that
slept meanwhile (a fencing token, as Kleppmann calls it).
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.errors import BadInput, HallAway, HallTrouble
from companion.hall.patience import NO_ANSWER, Patience, Silence, patient_connection

NEEDED = (
    "the hall needs its own packages: in a clone start with `uv run --extra hall companion hall`; else install "
    "'cloud-mine-companion[hall]' the way you installed it (`uv tool install`, pipx, pip)"
)

SCRIPTS = Path(__file__).parent / "sql"

LOCK = 0x434D4348
"""The advisory lock of the one hall that writes to a database ("CMCH")."""

CONNECT_S = 5
STATEMENT_MS = 30_000
"""So long the database may think about one statement; a hall that hangs helps nobody."""
ANSWERS_S = STATEMENT_MS / 1000 + 5
"""So long the hall waits for one answer: a database that thinks too long says so before."""
PULSE_S = 5.0
"""And so long for whether it still has the right to write, which costs no thought: it is asked every few
seconds, and where no answer comes nobody waits any longer."""
NETWORK_MS = 10_000
"""What the other machine has not acknowledged after this is lost; it needs no answer to tell."""


def driver() -> Any:
    """The module psycopg. Raises BadInput where it is not installed."""
    try:
        import psycopg
    except ImportError:
        raise BadInput(NEEDED) from None
    return psycopg


def scripts() -> tuple[Path, ...]:
    """The schema's scripts in the order of their numbers."""
    return tuple(sorted(SCRIPTS.glob("[0-9][0-9][0-9]_*.sql")))


class AnotherTerm(HallAway):
    """Raised when another hall has begun to write since."""


class Database:
    """One connection to the hall's database, opened again after it broke. Not for several threads
    at once: each has its own. Those of one hall share its `patience` and its `lock`, without which nothing
    is asked; `require` is called before anything is stored, and raises where it must not be."""

    def __init__(
        self,
        url: str,
        name: str,
        patience: Patience | None = None,
        answers_s: float = ANSWERS_S,
        lock: WritersLock | None = None,
        require: Callable[[], None] | None = None,
    ) -> None:
        self._psycopg = driver()
        self._patience = patience or Patience()
        self._connection = patient_connection(self._psycopg, self._patience, answers_s)
        self._url = url
        self._name = name
        self._lock = lock
        self._require = require
        self._open: Any = None

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        """A cursor whose work is stored whole or not at all.

        Raises:
            HallAway: the database cannot be reached or went away, whether the work was stored is
            then unknown; or another hall writes to it, and nothing was stored.
            HallTrouble: it refused the work.
        """
        try:
            if self._open is None or self._open.closed:
                self._open = self._connected()
            with self._open.transaction(), self._open.cursor() as cursor:
                if self._lock is not None:
                    self._lock.require_term(cursor)
                yield cursor
                if self._require is not None:
                    self._require()
            self._patience.heard()
        except (self._psycopg.DataError, self._psycopg.IntegrityError) as error:
            self.close()
            raise HallTrouble(f"The hall's database refused ({first_line(error)}).") from error
        except self._psycopg.Error as error:  # whatever else: the same may be asked again
            self.close()
            raise HallAway(
                f"The hall's database cannot be reached ({first_line(error)}): tables keep what "
                "they have and send it once it is back."
            ) from error

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What a question answers. Raises HallTrouble."""
        with self.transaction() as cursor:
            return list(cursor.execute(sql, values).fetchall())

    def _connected(self) -> Any:
        try:
            self._patience.require()
            return self._connection.connect(
                self._url,
                connect_timeout=CONNECT_S,
                tcp_user_timeout=NETWORK_MS,
                keepalives_idle=NETWORK_MS // 1000,
                keepalives_interval=2,
                keepalives_count=3,
                application_name=f"cloud-mine-hall {self._name}",
                client_encoding="UTF8",  # the server may have been made for another, or for none
                options=f"-c statement_timeout={STATEMENT_MS} -c timezone=UTC",
                autocommit=True,
            )
        except (Silence, self._psycopg.errors.ConnectionTimeout) as found:
            if not isinstance(found, Silence):
                self._patience.miss()
            raise self._psycopg.OperationalError(NO_ANSWER) from None

    def run_alone(self, sql: str) -> None:
        """A statement that no transaction may hold, on a connection of its own: `create database`."""
        connection = self._connected()
        try:
            connection.execute(sql)
        finally:
            connection.close()

    def close(self) -> None:
        """Let the connection go; the next transaction opens another."""
        if self._open is not None:
            self._open.close()
            self._open = None


class WritersLock:
    """The right to write to a database: held by one hall at a time, on a connection of its own, and for the
    term that it began. Thread-safe."""

    def __init__(self, url: str, patience: Patience | None = None) -> None:
        self._database = Database(url, "lock", patience, PULSE_S)
        self._asking = threading.Lock()
        self._term: str | None = None

    def take(self, wait_s: float = 0.0) -> None:
        """Take it, or see that it is still held, and that no other hall has begun since.

        Raises:
            HallTrouble: another hall holds it, or the database cannot be reached.
            HallAway: another hall has begun, and what this one knows is old, for good.
        """
        until_s = time.monotonic() + wait_s
        while not self._is_taken():
            if time.monotonic() > until_s:
                raise HallTrouble(
                    "Another hall writes to this database: stop it first, or choose another one "
                    "with --database."
                )
            time.sleep(0.1)

    def _is_taken(self) -> bool:
        with self._asking:
            try:
                with self._database.transaction() as cursor:
                    cursor.execute("select pg_try_advisory_lock(%s)", (LOCK,))
                    taken = bool(cursor.fetchone()[0])
                    if self._term is not None:
                        self.require_term(cursor)
                return taken
            except AnotherTerm:  # that of another hall, which may need the lock
                self._database.close()
                raise

    def begin_term(self) -> None:
        """Be the one that writes from now on: whoever did so before is refused. The term is random: one that
        is counted comes again where the database is put back to a backup. Raises HallTrouble."""
        term = secrets.token_hex(16)
        with self._asking, self._database.transaction() as cursor:
            cursor.execute("update hall_writer set term = %s", (term,))
        self._term = term

    def require_term(self, cursor: Any) -> None:
        """See that no other hall has begun, and let none begin before this transaction ends. Raises
        AnotherTerm."""
        cursor.execute("select 1 from hall_writer where term = %s for share", (self._term,))
        if cursor.fetchone() is None:
            raise AnotherTerm(
                "Another hall has begun to write to this database: stop this one, and start it again once "
                "the other has ended."
            )

    def release(self) -> None:
        """Let another hall write."""
        with self._asking:
            self._database.close()


def bring_forward(database: Database) -> int:
    """Make the schema or bring it to this release's version, and return that version.

    Raises:
        HallTrouble: the database was brought forward by a newer release, or cannot hold every name;
        nothing was changed.
    """
    with database.transaction() as cursor:
        require_all_letters(cursor)
        cursor.execute("select pg_advisory_xact_lock(%s)", (LOCK + 1,))
        cursor.execute(
            "create table if not exists hall_version "
            "(version integer primary key, name text not null, made_at timestamptz not null default now())"
        )
        have = version_of(cursor)
        known = scripts()
        if have > len(known):
            raise HallTrouble(
                f"The hall's database was brought forward by a newer companion (version {have}, this "
                f"one knows {len(known)}): update the companion; nothing was changed."
            )
        for number, script in enumerate(known[have:], have + 1):
            cursor.execute(script.read_text(encoding="utf-8"))
            cursor.execute(
                "insert into hall_version (version, name) values (%s, %s)", (number, script.stem)
            )
    return len(known)


def require_all_letters(cursor: Any) -> None:
    """See that the database can hold every letter. Raises HallTrouble."""
    cursor.execute("select current_setting('server_encoding')")
    (encoding,) = cursor.fetchone()
    if encoding != "UTF8":
        raise HallTrouble(
            f"The hall's database is made for {encoding}, which does not hold every name: make another "
            "one with `createdb --encoding UTF8 --template template0 NAME`; nothing was changed."
        )


def version_of(cursor: Any) -> int:
    """The version the schema has; 0 before it was made."""
    cursor.execute("select to_regclass('hall_version')")
    if cursor.fetchone()[0] is None:
        return 0
    cursor.execute("select coalesce(max(version), 0) from hall_version")
    return int(cursor.fetchone()[0])


def first_line(error: BaseException) -> str:
    """The first line of what an error says, without the password of an address that stands in it."""
    said = (str(error).strip() or type(error).__name__).splitlines()[0]
    return re.sub(r"(?<=://)[^\s@]*@", "...@", said)
