"""The index of the evenings: what pages, statistics and tables need of each, ready to be found.

A SQLite file beside the journal, made of nothing but it: where it is missing, older or not ours it is
made anew, and where the folder cannot be written it is kept in memory. It reads the journal without
writing a byte of it, also while another process keeps an evening there.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from companion.errors import JournalTrouble
from companion.findings.played import (
    PlayedEvening,
    played_evening,
    rounds_from_lists,
    to_lists,
)
from companion.game.event_json import entry_from_dict
from companion.game.log import Log, in_time
from companion.journal.acts import Act, read_acts
from companion.journal.people_signs import person_key
from companion.journal.side import check_sum
from companion.journal.store import (
    APPLICATION_ID,
    BROKEN,
    FILE,
    MIGRATIONS,
    clear_beside,
    in_one,
    read_only,
    said,
    unread,
)
from companion.journal.two_copies import is_name
from companion.years.calling import written_names

T = TypeVar("T")

INDEX = "years.sqlite3"
MADE_FOR = 9
"""Raised when what is kept of an evening changes: the index is then made anew."""

AT_ONCE = 10
"""So many evenings are taken in under one lock: a page waits for no more (chosen)."""

_UNREAD = "unread-"
"""What an evening that cannot be read is called, with its number."""

_TABLES = """
CREATE TABLE evening (
    number INTEGER PRIMARY KEY, changed_s REAL NOT NULL, id TEXT NOT NULL, began_s REAL NOT NULL,
    ended_s REAL NOT NULL, year INTEGER NOT NULL, names TEXT NOT NULL, totals TEXT NOT NULL,
    rounds INTEGER NOT NULL, over INTEGER NOT NULL, facts TEXT NOT NULL, sky TEXT NOT NULL,
    learnt_deck TEXT NOT NULL, written TEXT NOT NULL, played_s REAL NOT NULL
);
CREATE TABLE played (number INTEGER PRIMARY KEY, told TEXT NOT NULL, sum TEXT NOT NULL);
CREATE INDEX by_time ON evening (began_s);
CREATE INDEX by_id ON evening (id);
CREATE TABLE seat (
    evening INTEGER NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL, share REAL NOT NULL, began INTEGER NOT NULL,
    PRIMARY KEY (evening, key)
) WITHOUT ROWID;
CREATE INDEX by_key ON seat (key, evening);
"""

_WHOLE = """
SELECT played.sum, evening.*, told, (
    SELECT group_concat(key || ' ' || name || ' ' || share || ' ' || began, char(10)) FROM seat
    WHERE seat.evening = evening.number
) FROM evening LEFT JOIN played USING (number)
"""
"""Everything that is kept of an evening, behind its check sum."""

_LINE = "number, id, began_s, ended_s, names, totals, rounds, over, sky, learnt_deck, played_s"
"""What is read of an evening for its `IndexedEvening`."""


@dataclass(frozen=True, slots=True)
class IndexedEvening:
    """One line of the book: an evening without its rounds. Names as they were written."""

    number: int
    id: str
    began_s: float
    ended_s: float
    names: tuple[str, ...]
    totals: tuple[int, ...]
    rounds: int
    """Those that were finished."""
    over: bool
    sky: tuple[tuple[int | None, int], ...]
    """The clouds that somebody won, one or two a round: each card with its round."""
    learnt_deck: str
    """The learnt deck that the cards' numbers belong to; empty for printed cards."""
    played_s: float


@dataclass(frozen=True, slots=True)
class Begun:
    """Who begins how often: the games whose first round a person sat at, those that they began, how many
    would have been fair, and when they began last (0: never)."""

    games: int
    begun: int
    fair: float
    last_s: float


class YearsIndex:
    """All evenings of one folder, to be found and counted. Thread-safe; a context manager."""

    def __init__(self, folder: Path) -> None:
        """Opens the index of `folder`, or makes an empty one; `refresh` fills it.

        Raises:
            JournalTrouble: there is no journal, or it is a newer companion's or another program's.
        """
        if not (folder / FILE).is_file():
            raise JournalTrouble(f"There is no evening in {folder}: choose the folder with --data.")
        self.folder = folder
        self._mutex = threading.RLock()
        self._taking_in = threading.Lock()
        self._given_up = threading.Event()
        self._seen_version: int | None = None
        self._people: dict[tuple[int, ...], list[tuple[str, int]]] = {}
        self._in_memory = False
        self._db = self._opened()

    def _or_in_memory(self, work: Callable[[], T]) -> T:
        """What `work` returns; where the disk does not take what it writes, the index goes on in memory,
        with what it has: a full disk must not close the book."""
        try:
            return work()
        except JournalTrouble:
            with self._mutex:
                if not self._in_memory:
                    self._go_on_in_memory()
            return work()

    def _go_on_in_memory(self) -> None:
        memory = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            self._db.backup(memory)
            _prepare(memory)
            attach_journal(memory, self.folder)
        except sqlite3.Error as error:
            memory.close()
            raise said(error, self.folder) from error
        except BaseException:
            memory.close()
            raise
        self._db.close()
        self._db = memory
        self._in_memory = True
        self._seen_version = None

    def _opened(self) -> sqlite3.Connection:
        db = _prepared(self.folder / INDEX)
        try:
            attach_journal(db, self.folder)
        except BaseException:
            db.close()
            raise
        return db

    def __enter__(self) -> YearsIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        with self._mutex:
            self._db.close()

    def let_go_while(self, work: Callable[[], object]) -> None:
        """Do this while the journal is not open here. Raises sqlite3.Error or JournalTrouble where it cannot
        be let go or opened again."""
        with self._mutex:
            self._db.execute("DETACH journal")
            work()
            self._seen_version = None
            attach_journal(self._db, self.folder)

    # --- keeping up with the journal

    def stale(self) -> list[int]:
        """The evenings that are not in the index as they are now."""
        return self._or_in_memory(self._stale)

    def _stale(self) -> list[int]:
        with self._reading():
            version = self._db.execute("PRAGMA journal.data_version").fetchone()[0]
            if version == self._seen_version:
                return []
            self._people = {}
            if self._db.execute(
                "SELECT 1 FROM evening WHERE number NOT IN (SELECT evening FROM journal.evenings) LIMIT 1"
            ).fetchone():
                in_one(self._db, self._leave_out_gone)
            rows = self._db.execute(
                "SELECT j.evening FROM journal.evenings j LEFT JOIN evening e ON e.number = j.evening "
                "WHERE e.changed_s IS NOT j.changed_s ORDER BY j.evening DESC"
            )
            stale = [row[0] for row in rows]
            if not stale:
                self._seen_version = version
            return stale

    def _leave_out_gone(self) -> None:
        for table, number in (("evening", "number"), ("seat", "evening"), ("played", "number")):
            self._db.execute(
                f"DELETE FROM {table} WHERE {number} NOT IN (SELECT evening FROM journal.evenings)"
            )

    def refresh(self, waited_for: Callable[[], bool] = lambda: False) -> int:
        """Take in every evening that is new or changed, or as many as can be until somebody waits for that to
        end; how many there were. One thread does so at a time: whoever comes meanwhile waits, and finds what
        is left."""
        return self._or_in_memory(lambda: self._refresh(waited_for))

    def give_up(self) -> None:
        """The companion ends: nothing more is taken in."""
        self._given_up.set()

    @property
    def gave_up(self) -> bool:
        """Whether nothing more is taken in."""
        return self._given_up.is_set()

    def _refresh(self, waited_for: Callable[[], bool]) -> int:
        with self._taking_in:
            stale = self.stale()
            for at in range(0, len(stale), AT_ONCE):
                if at and waited_for():
                    break
                with self._reading():
                    self._db.execute("BEGIN IMMEDIATE")
                    for number in stale[at : at + AT_ONCE]:
                        if not self._given_up.is_set():
                            self._take_in(number)
                    self._db.execute("COMMIT")
            return len(stale)

    def _take_in(self, number: int) -> None:
        line = self._db.execute(
            "SELECT changed_s, began_s, players FROM journal.evenings WHERE evening = ?", (number,)
        ).fetchone()
        if line is None:
            return
        changed_s, began_s, players = line
        written: Sequence[str] = _names(players)
        try:
            log = self.log(number)
            one = played_evening(log)
            written = written_names(log)
        except (ValueError, RecursionError, JournalTrouble):
            # a newer companion's, or damaged: shown, not counted
            at_s = in_time(began_s)
            one = PlayedEvening(
                f"{_UNREAD}{number}", at_s, at_s, tuple(written), (), (), False, 0, "en", 0, 0, ()
            )
        self._db.execute(
            "INSERT OR REPLACE INTO evening VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                changed_s,
                one.id,
                one.began_s,
                one.ended_s,
                datetime.fromtimestamp(one.began_s).year,
                json.dumps(one.names),
                json.dumps(one.totals),
                len(one.finished),
                int(one.over),
                json.dumps(
                    [one.deck_size, one.edition, one.questions, one.corrections, one.missing]
                ),
                json.dumps(_sky(one), separators=(",", ":")),
                one.learnt_deck,
                json.dumps(sorted({person_key(name) for name in written})),
                one.played_s,
            ),
        )
        self._db.execute(
            "INSERT OR REPLACE INTO played VALUES (?, ?, '')",
            (number, json.dumps(to_lists(one), separators=(",", ":"))),
        )
        self._db.execute("DELETE FROM seat WHERE evening = ?", (number,))
        self._db.executemany(
            "INSERT OR IGNORE INTO seat VALUES (?, ?, ?, ?, ?)",
            [
                (number, person_key(name), name, *_beginning(one, seat))
                for seat, name in enumerate(one.names)
            ],
        )
        _, *whole = self._db.execute(f"{_WHOLE} WHERE number = ?", (number,)).fetchone()
        self._db.execute("UPDATE played SET sum = ? WHERE number = ?", (_sum(whole), number))

    # --- reading

    def raw(self, number: int) -> list[bytes]:
        """The entries of one evening as the journal holds them, text or not; none where there is none."""
        with self._reading():
            rows = self._db.execute(
                "SELECT CAST(entry AS BLOB) FROM journal.entries WHERE evening = ? ORDER BY number",
                (number,),
            ).fetchall()
        return [row[0] for row in rows]

    def texts(self, number: int) -> list[str]:
        """The entries of one evening, each as the JSON that the journal holds. Raises JournalTrouble where
        there is none, or one that is no text."""
        raw = self.raw(number)
        if not raw:
            raise JournalTrouble(
                f"There is no evening {number} in {self.folder}: choose one of those listed."
            )
        try:
            return [entry.decode("utf-8") for entry in raw]
        except UnicodeDecodeError as error:
            raise JournalTrouble(
                f"Evening {number} is damaged in {self.folder / FILE}: start the companion, it mends what it can; "
                "an evening that stays so needs a newer companion, and `companion backup` keeps it as it is."
            ) from error

    def log(self, number: int) -> Log:
        """The log of one evening. Raises JournalTrouble where there is none, UnknownEvent where a
        newer companion wrote it."""
        return Log().append(*(entry_from_dict(json.loads(text)) for text in self.texts(number)))

    def acts(self) -> tuple[Act, ...]:
        """What people did to the book, as the journal has it now."""
        with self._reading():
            return read_acts(self._db, "journal")

    def find(
        self,
        *,
        keys: Iterable[str] | None = None,
        year: int | None = None,
        only: Iterable[int] | None = None,
        without: Iterable[int] = (),
        after: int = 0,
        count: int = 24,
    ) -> tuple[list[IndexedEvening], int]:
        """Evenings of which a round was finished, the newest first, `count` of them behind the first
        `after`: those where a name written like one of `keys` played, of one `year`, `only` these
        numbers, `without` those; and how many there are in all."""
        told = ["rounds > 0", "number NOT IN (SELECT value FROM json_each(?))"]
        given: list[Any] = [json.dumps(list(without))]
        if keys is not None:
            told.append(
                "number IN (SELECT evening FROM seat WHERE key IN (SELECT value FROM json_each(?)))"
            )
            given.append(json.dumps(list(keys)))
        if year is not None:
            told.append("year IN (SELECT value FROM json_each(?))")  # of any length
            given.append(json.dumps([year]))
        if only is not None:
            told.append("number IN (SELECT value FROM json_each(?))")
            given.append(json.dumps(list(only)))
        where = " AND ".join(told)
        with self._reading():
            total = self._db.execute(
                f"SELECT count(*) FROM evening WHERE {where}", given
            ).fetchone()[0]
            rows = self._db.execute(
                f"SELECT {_LINE} FROM evening WHERE {where} ORDER BY began_s DESC, number DESC LIMIT ? OFFSET ?",
                [*given, count, after],
            ).fetchall()
        return [_indexed(row) for row in rows], total

    def line(self, number: int) -> IndexedEvening | None:
        """One evening without its rounds; None where there is none."""
        with self._reading():
            row = self._db.execute(
                f"SELECT {_LINE} FROM evening WHERE number = ?",
                (number,),
            ).fetchone()
        return None if row is None else _indexed(row)

    def years(self, without: Iterable[int] = ()) -> list[tuple[int, int]]:
        """Each year with how many evenings, the newest first."""
        with self._reading():
            return self._db.execute(
                "SELECT year, count(*) FROM evening WHERE rounds > 0 AND number NOT IN (SELECT value FROM json_each(?)) "
                "GROUP BY year ORDER BY year DESC",
                (json.dumps(list(without)),),
            ).fetchall()

    def mark(self) -> tuple[int, float]:
        """What is another as soon as any evening is."""
        with self._reading():
            number, changed_s = self._db.execute(
                "SELECT count(*), total(changed_s) FROM evening"
            ).fetchone()
        return number, changed_s

    def between_s(self, without: Iterable[int] = ()) -> tuple[float, float]:
        """When the first and the last of the evenings began of which a round was finished."""
        with self._reading():
            first, last = self._db.execute(
                "SELECT min(began_s), max(began_s) FROM evening WHERE rounds > 0 AND number NOT IN (SELECT value FROM json_each(?))",
                (json.dumps(list(without)),),
            ).fetchone()
        return (0.0, 0.0) if first is None else (first, last)

    def people(self, without: Iterable[int] = ()) -> list[tuple[str, int]]:
        """Every name as it was last written, with at how many evenings, the most frequent first."""
        hidden = tuple(sorted(without))
        with self._reading():
            if hidden not in self._people:
                rows = self._db.execute(
                    "SELECT name, count(*) AS often, max(number) FROM seat JOIN evening ON number = seat.evening "
                    "WHERE rounds > 0 AND number NOT IN (SELECT value FROM json_each(?)) "
                    "GROUP BY key ORDER BY often DESC, key",
                    (json.dumps(hidden),),
                )
                self._people = {hidden: [(name, often) for name, often, _ in rows]}
            return self._people[hidden]

    def together(self, one: Iterable[str], other: Iterable[str]) -> bool:
        """True where names written like these two sat at one table."""
        with self._reading():
            return (
                self._db.execute(
                    "SELECT 1 FROM seat a JOIN seat b USING (evening) WHERE a.key IN (SELECT value FROM json_each(?)) "
                    "AND b.key IN (SELECT value FROM json_each(?)) AND a.key != b.key LIMIT 1",
                    (json.dumps(list(one)), json.dumps(list(other))),
                ).fetchone()
                is not None
            )

    def begun(self, keys: Iterable[str], without: Iterable[int] = ()) -> Begun:
        """How often a person whose name was written like one of `keys` sat down at a game's first round,
        how often they began it, and how often that would have been fair."""
        with self._reading():
            row = self._db.execute(
                "SELECT count(*), total(began), total(share), max(began * began_s) FROM seat "
                "JOIN evening ON number = evening WHERE share > 0 "
                "AND key IN (SELECT value FROM json_each(?)) "
                "AND number NOT IN (SELECT value FROM json_each(?))",
                (json.dumps(list(keys)), json.dumps(list(without))),
            ).fetchone()
        return Begun(row[0], int(row[1]), row[2], row[3] or 0.0)

    def near(
        self, from_s: float, to_s: float, without: Iterable[int], most: int
    ) -> list[IndexedEvening]:
        """Evenings that began between two moments, the oldest first, `most` of them."""
        with self._reading():
            rows = self._db.execute(
                f"SELECT {_LINE} FROM evening WHERE began_s BETWEEN ? AND ? AND rounds > 0 "
                "AND number NOT IN (SELECT value FROM json_each(?)) ORDER BY began_s, number LIMIT ?",
                (from_s, to_s, json.dumps(list(without)), most),
            ).fetchall()
        return [_indexed(row) for row in rows]

    def with_deck(self, deck: str) -> list[int]:
        """The evenings that were played with this learnt deck."""
        with self._reading():
            rows = self._db.execute("SELECT number FROM evening WHERE learnt_deck = ?", (deck,))
            return [number for (number,) in rows]

    def with_keys(self, keys: Iterable[str]) -> list[int]:
        """The evenings in which a name written like one of these stands: also of who was to sit down and did
        not."""
        with self._reading():
            rows = self._db.execute(
                "SELECT DISTINCT number FROM evening, json_each(evening.written) AS one "
                "WHERE one.value IN (SELECT value FROM json_each(?)) ORDER BY number",
                (json.dumps(list(keys)),),
            ).fetchall()
        return [row[0] for row in rows]

    def ids(self) -> dict[str, int]:
        """The number of every evening by what it is called everywhere."""
        with self._reading():
            return dict(self._db.execute("SELECT id, number FROM evening").fetchall())

    def counted(self, without: Iterable[int] = (), only: Iterable[int] | None = None) -> list[int]:
        """The evenings (all, or `only` these) that stand in the book, and those that cannot be read: not
        one that was undone, nor one that ended before its first round did."""
        with self._reading():
            rows = self._db.execute(
                f"SELECT number FROM evening WHERE rounds > 0 OR id LIKE '{_UNREAD}%'"
            ).fetchall()
        stand = {number for (number,) in rows}
        return [one for one in self._numbers(frozenset(without), only) if one in stand]

    def taken_back(self) -> set[int]:
        """The evenings whose beginning was undone, or that ended before their first round did."""
        with self._reading():
            rows = self._db.execute(
                "SELECT number FROM evening WHERE rounds = 0 AND (over = 1 OR names = '[]') "
                f"AND id NOT LIKE '{_UNREAD}%'"
            )
            return {number for (number,) in rows}

    def unread(self) -> list[int]:
        """The evenings that are damaged or a newer companion's: shown, not counted."""
        with self._reading():
            rows = self._db.execute(
                f"SELECT number FROM evening WHERE id LIKE '{_UNREAD}%' ORDER BY number"
            )
            return [number for (number,) in rows]

    def played(
        self, without: Iterable[int] = (), only: Iterable[int] | None = None
    ) -> Iterator[tuple[int, PlayedEvening]]:
        """Evenings with their rounds, the oldest first, read a few at a time."""
        numbers = self._numbers(frozenset(without), only)
        for at in range(0, len(numbers), AT_ONCE):
            with self._reading():
                rows = self._db.execute(
                    "SELECT number, id, began_s, ended_s, names, totals, over, facts, told, learnt_deck "
                    "FROM evening JOIN played USING (number) WHERE number IN (SELECT value FROM json_each(?)) "
                    "ORDER BY began_s, number",
                    (json.dumps(numbers[at : at + AT_ONCE]),),
                ).fetchall()
            for row in rows:
                yield row[0], _played(row)

    def most_seats(self, numbers: Iterable[int]) -> int:
        """How many seats the largest of these evenings had."""
        with self._reading():
            (most,) = self._db.execute(
                "SELECT max(json_array_length(names)) FROM evening "
                "WHERE number IN (SELECT value FROM json_each(?))",
                (json.dumps(list(numbers)),),
            ).fetchone()
        return most or 0

    def _numbers(self, without: frozenset[int], only: Iterable[int] | None) -> list[int]:
        with self._reading():
            rows = self._db.execute(
                "SELECT number FROM evening ORDER BY began_s, number"
            ).fetchall()
        wanted = None if only is None else set(only)
        return [
            number
            for (number,) in rows
            if number not in without and (wanted is None or number in wanted)
        ]

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        with self._mutex:
            try:
                yield
            except sqlite3.Error as error:
                with contextlib.suppress(sqlite3.Error):  # closed: it could not be made anew
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                if code not in BROKEN or self._in_memory:
                    raise said(error, self.folder) from error
                self._begin_anew()
                raise JournalTrouble(
                    "What the book of evenings keeps beside the journal was damaged; it is made anew out "
                    "of it: do it again."
                ) from error

    def _begin_anew(self) -> None:
        """A damaged index holds nothing that is not in the journal."""
        self._db.close()
        with contextlib.suppress(OSError):
            (self.folder / INDEX).unlink()
        self._db = self._opened()
        self._seen_version = None
        self._people = {}


def attach_journal(db: sqlite3.Connection, folder: Path) -> None:
    """Let `db` read the journal of `folder` as `journal`.

    Raises:
        JournalTrouble: it is none, another program's, or a newer companion's.
    """
    file = folder / FILE
    try:
        db.execute("ATTACH ? AS journal", (read_only(file),))
        version = db.execute("PRAGMA journal.user_version").fetchone()[0]
        if db.execute("PRAGMA journal.application_id").fetchone()[0] != APPLICATION_ID:
            raise JournalTrouble(
                f"{file} belongs to another program: choose another folder with --data."
            )
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise JournalTrouble(f"{unread(file, error)}.") from error
    if version > len(MIGRATIONS):
        raise JournalTrouble(
            f"{file} was written by a newer companion (version {version}, this one knows {len(MIGRATIONS)}): "
            "update the companion; nothing was changed."
        )


def _prepared(file: Path) -> sqlite3.Connection:
    """The index's own file, made anew where it is none of ours; in memory where it cannot be."""
    address = f"file:{quote(os.fsencode(file.absolute()))}"
    for at in (address, address, ":memory:"):
        db = None
        try:
            if at == address:
                clear_beside(file)
            db = sqlite3.connect(
                at, timeout=5, isolation_level=None, check_same_thread=False, uri=True
            )
            _prepare(db)
            if _is_whole(db):
                return db
            broken = True
        except sqlite3.Error as error:
            code = getattr(
                error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT
            )  # none: undecoded letters
            broken = code & 0xFF in (*BROKEN, sqlite3.SQLITE_ERROR)
        if db is not None:
            db.close()
        if broken:
            with contextlib.suppress(OSError):
                file.unlink()
    raise AssertionError("memory can always be written")


def _is_whole(db: sqlite3.Connection) -> bool:
    """Whether everything in it is as it was written: SQLite checks its pages, not what stands in them."""
    return db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok" and all(
        told == _sum(whole) for told, *whole in db.execute(_WHOLE)
    )


def _sum(whole: Sequence[Any]) -> str:
    return check_sum(repr(whole).encode())


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA secure_delete = ON")  # a forgotten name is in no free page either
    if db.execute("PRAGMA user_version").fetchone()[0] == MADE_FOR:
        db.execute("PRAGMA synchronous = OFF")  # made anew where the power takes it
        return
    db.execute("BEGIN IMMEDIATE")
    for table in ("evening", "seat", "played"):
        db.execute(f"DROP TABLE IF EXISTS {table}")
    for line in filter(str.strip, _TABLES.split(";")):
        db.execute(line)
    db.execute(f"PRAGMA user_version = {MADE_FOR}")
    db.execute("COMMIT")
    db.execute("PRAGMA synchronous = OFF")


def _beginning(evening: PlayedEvening, seat: int) -> tuple[float, int]:
    """Of the first round: which share of the beginning was this seat's (0: not there yet), and whether
    it began."""
    if not evening.finished or seat not in evening.finished[0].circle:
        return 0.0, 0
    first = evening.finished[0]
    return 1 / len(first.circle), int(first.daydreamer == seat)


def _names(players: str) -> tuple[str, ...]:
    try:
        return tuple(name for name in json.loads(players) if is_name(name))
    except (ValueError, TypeError, RecursionError):
        return ()


def _sky(evening: PlayedEvening) -> list[tuple[int | None, int]]:
    """Of each round that was won the card that was guessed right, else the first that lay there."""
    sky = []
    for one in evening.rounds:
        if one.ending not in ("claimed", "lookout"):
            continue
        right = next((card for _, card, is_right in one.guesses if is_right), None)
        wrong = {card for _, card, is_right in one.guesses if not is_right}
        lying = next((card for card in one.cards if card is not None and card not in wrong), None)
        sky.append((right if right is not None else lying, one.number))
    return sky


def _indexed(row: tuple[Any, ...]) -> IndexedEvening:
    number, key, began_s, ended_s, names, totals, rounds, over, sky, learnt_deck, played_s = row
    return IndexedEvening(
        number,
        key,
        began_s,
        ended_s,
        tuple(json.loads(names)),
        tuple(json.loads(totals)),
        rounds,
        bool(over),
        tuple((card, at) for card, at in json.loads(sky)),
        learnt_deck,
        played_s,
    )


def _played(row: tuple[Any, ...]) -> PlayedEvening:
    _, key, began_s, ended_s, names, totals, over, facts, rounds, learnt_deck = row
    deck_size, edition, questions, corrections, missing = json.loads(facts)
    return PlayedEvening(
        key,
        began_s,
        ended_s,
        tuple(json.loads(names)),
        tuple(json.loads(totals)),
        rounds_from_lists(json.loads(rounds)),
        bool(over),
        deck_size,
        edition,
        questions,
        corrections,
        tuple(missing),
        learnt_deck,
    )
