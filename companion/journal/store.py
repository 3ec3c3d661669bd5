"""The journal's SQLite file: one writer, one version, and errors in words.

Knows tables, versions and the disk; knows no rules of the game. WAL with synchronous FULL: what was
committed survives the power going. A file of a newer release, or one that is not ours, is never
written to.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from card_printables.files import move_aside
from companion.errors import JournalTrouble
from companion.journal.wal_end import acts_behind

T = TypeVar("T")

FILE = "journal.sqlite3"
BESIDE_IT = ("-wal", "-shm", "-journal")
"""How the files end that SQLite keeps beside its own."""

APPLICATION_ID = 0x434D434A
"""Marks the file as a journal of this product ("CMCJ"), so that no other database is taken for one.
"""

MIGRATIONS = (
    """
    CREATE TABLE evenings (
        evening INTEGER PRIMARY KEY, began_s REAL NOT NULL, changed_s REAL NOT NULL, players TEXT NOT NULL,
        totals TEXT NOT NULL, rounds INTEGER NOT NULL, over INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE entries (
        evening INTEGER NOT NULL REFERENCES evenings, number INTEGER NOT NULL, kind TEXT NOT NULL, entry TEXT NOT NULL,
        PRIMARY KEY (evening, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE commands (command TEXT PRIMARY KEY, evening INTEGER NOT NULL, answer TEXT NOT NULL) STRICT;
    """,
    """
    ALTER TABLE evenings ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE acts (number INTEGER PRIMARY KEY, at_s REAL NOT NULL, author TEXT, act TEXT NOT NULL) STRICT;
    """,
)
"""One script a version, applied in order; a released script is never edited, only followed by
another."""

BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
"""The second where there is no room for the 32 kB that SQLite shares with readers, at the start."""


class Broken(Exception):
    """Raised when the file is no database or a damaged one; the journal is then rebuilt from the
    side log."""


class Lock:
    """The right to write in one folder: held by one process at a time and freed by the system when
    it dies.

    It is an exclusive transaction on an empty SQLite file, because that works alike on every system
    SQLite knows.
    """

    def __init__(self, folder: Path, name: str = "journal") -> None:
        """Takes the lock, the file `name`.lock.  Raises JournalTrouble when another companion holds it."""
        self._folder = folder
        self._at = folder / f"{name}.lock"
        self._owner = folder / f"{name}.owner"
        self.set_aside: str | None = None
        """The name that a lock which is none was given, out of the way."""
        self._taken_over = False
        if os.path.lexists(self._at) and not self._at.is_file():
            self.set_aside = move_aside(self._at)
        self._take()
        # Only a note for whoever asks who writes here; the lock does not rest on it.
        with contextlib.suppress(OSError):
            if self._owner.exists() and not self._owner.is_file():  # a pipe would make us wait
                return
            self._owner.write_text(f"{os.getpid()}\n", encoding="ascii")

    def _take(self) -> None:
        try:
            self._db = _locked(self._at)
        except sqlite3.DatabaseError as error:
            code = error.sqlite_errorcode & 0xFF
            if code == sqlite3.SQLITE_BUSY:
                raise JournalTrouble(_taken(self._folder, self._owner)) from None
            if code not in BROKEN:
                raise
            # who held it would have made us wait: nobody does
            self.set_aside = move_aside(self._at)
            self._db = _locked(self._at)
        self._stamp: tuple[int, int] | None = _stamp(self._at)

    def check(self) -> None:
        """Takes the lock again where its file was removed or replaced. Raises JournalTrouble where another
        companion holds the one that lies there now, and from then on: what is known here is old. In a folder
        that was taken away it is still held."""
        if self._stamp is not None and _stamp(self._at) == self._stamp:
            return
        if not self._taken_over:
            self._check_folder()
            self._db.close()
            self._stamp = None  # held no more
            try:
                self._take()
                return
            except JournalTrouble:
                self._taken_over = True
            except (OSError, sqlite3.Error) as error:
                raise said(error, self._folder) from error
        raise JournalTrouble(_written_by_two(self._folder))

    def _check_folder(self) -> None:
        try:
            self._folder.stat()
        except FileNotFoundError as error:
            raise JournalTrouble(
                f"{self._folder} was taken away, and nothing is kept: put it back where it was, or stop the "
                "companion and start it again."
            ) from error
        except OSError as error:
            raise said(error, self._folder) from error

    @property
    def notice(self) -> str | None:
        """A sentence about what lay in its place and was no lock; None where nothing did."""
        if self.set_aside is None:
            return None
        return f"{self._at.name} was no lock of ours: it is kept as {self.set_aside}."

    def release(self) -> None:
        """Gives the folder free."""
        with contextlib.suppress(OSError):
            self._owner.unlink(missing_ok=True)
        self._db.close()


def _locked(at: Path) -> sqlite3.Connection:
    clear_beside(at)
    db = sqlite3.connect(at, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        db.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error:
        db.close()
        raise
    return db


def _taken(folder: Path, owner: Path) -> str:
    try:
        who = f" (process {int(owner.read_text(encoding='ascii'))})" if owner.is_file() else ""
    except (OSError, ValueError):
        who = ""
    return f"Another companion{who} keeps what is in {folder}: stop it first, or choose another folder with --data."


def _written_by_two(folder: Path) -> str:
    return f"Another companion keeps what is in {folder} since its lock was removed: stop both, and start one."


def said(error: Exception, folder: Path) -> JournalTrouble:
    """The trouble in words for an error of SQLite or of the disk: what happened and what to do."""
    whole_code = getattr(error, "sqlite_errorcode", 0)
    code = whole_code & 0xFF
    if whole_code in FULL or getattr(error, "errno", 0) == errno.ENOSPC:
        return JournalTrouble(
            f"The disk with {folder} is full: nothing was half-saved; free some space and do it again."
        )
    if isinstance(error, Moved):
        return JournalTrouble(
            f"{folder / FILE} was taken away while the companion holds it open, and nothing is kept: put it "
            "back where it was, or stop the companion and start it again."
        )
    if isinstance(error, FileExistsError | NotADirectoryError):
        return JournalTrouble(
            f"{folder} is no folder, or lies in none: move away what stands there, or choose another with --data."
        )
    if code in (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    ) or (isinstance(error, OSError) and error.errno != errno.EIO):
        if (file := _forbidden(folder)) is not None and may(folder, os.W_OK | os.X_OK):
            return JournalTrouble(
                f"{file} may not be read and written: allow it to this user, or choose another folder with --data."
            )
        return JournalTrouble(
            f"The folder {folder} cannot be written to: allow it, or choose another folder with --data."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalTrouble(
            f"Another program holds {folder / FILE} open: close it and do it again."
        )
    if code == sqlite3.SQLITE_CONSTRAINT:  # an entry or an act of this number is there already
        return JournalTrouble(_written_by_two(folder))
    why = getattr(error, "strerror", None) or error
    return JournalTrouble(
        f"The evening could not be saved in {folder} ({why}): nothing was half-saved; do it again."
    )


def _forbidden(folder: Path) -> Path | None:
    """The first of the journal's files that is there and may not be read and written, if any."""
    names = (FILE, *(f"{FILE}{tail}" for tail in BESIDE_IT), "journal.lock")
    files = (folder / name for name in names)
    return next(
        (file for file in files if may(file, os.F_OK) and not may(file, os.R_OK | os.W_OK)), None
    )


KEPT_BESIDE = ("acts.json", "devices.json", "hall.json", "people.json")
"""What others of the companion keep in the folder."""


def require_allowed(folder: Path) -> None:
    """Raises JournalTrouble where a file beside the journal may not be read, as after one start as another
    user: taken for damaged it would be put aside, and every device be out."""
    for name in KEPT_BESIDE:
        file = folder / name
        if may(file, os.F_OK) and not may(file, os.R_OK):
            raise JournalTrouble(
                f"{file} may not be read: allow it to this user, or choose another folder with --data."
            )


def may(path: Path, way: int) -> bool:
    """Whether this process may use the path this way (`os.R_OK`, `os.W_OK`, `os.X_OK`)."""
    return os.access(path, way, effective_ids=os.access in os.supports_effective_ids)


def trouble_with(folder: Path) -> JournalTrouble | None:
    """Why a companion would refuse to begin an evening in this folder, as far as looking tells; None
    where nothing is known against it. What a start mends by itself is no trouble."""
    if _forbidden(folder) is not None:
        return said(PermissionError(), folder)
    if not (folder / FILE).is_file():
        return None
    try:
        with contextlib.closing(sqlite3.connect(read_only(folder / FILE), uri=True)) as db:
            _refuse_others(db, folder)
    except JournalTrouble as trouble:
        return trouble
    except sqlite3.Error:
        return None
    return None


def holds_evenings(folder: Path) -> bool:
    """True where the folder's database tells of an evening, or cannot be asked."""
    if not (folder / FILE).exists():
        return False
    try:
        with contextlib.closing(sqlite3.connect(read_only(folder / FILE), uri=True)) as db:
            return db.execute("SELECT 1 FROM evenings LIMIT 1").fetchone() is not None
    except sqlite3.Error:
        return True


def unread(file: Path, error: Exception) -> str:
    """In words, without a point: this database could not be read, and what to do."""
    allowed = "start the companion once, it mends what it can"
    forbidden = "allow it to this user, or choose another folder with --data"
    return f"{file} cannot be read ({error}): {allowed if may(file, os.R_OK) else forbidden}"


class Moved(OSError):
    """Raised when the file that is held open is no longer the one in the folder: what SQLite writes
    then is in no folder, and gone when it is closed."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """The journal's file as it was when it was opened."""

    path: Path
    device: int
    inode: int

    @classmethod
    def at(cls, folder: Path) -> OpenFile:
        """The file as it lies in the folder now. Raises OSError."""
        found = (folder / FILE).stat()
        return cls(folder / FILE, found.st_dev, found.st_ino)

    def check(self) -> None:
        """Raises Moved where the file was taken away, or another one put in its place."""
        try:
            found = self.path.stat()
        except FileNotFoundError as error:
            raise Moved(str(error)) from error
        if (found.st_dev, found.st_ino) != (self.device, self.inode):
            raise Moved(str(self.path))


class LogInReach:
    """Sees to it that the write-ahead log lies beside the file: what a writer holds open is whole also
    when its log was taken away, but nobody else can read it."""

    def __init__(self, db: sqlite3.Connection, folder: Path) -> None:
        self._db = db
        self._file = folder / FILE
        self._log = folder / f"{FILE}-wal"
        self._known = _stamp(self._log)

    @property
    def lost(self) -> bool:
        """Whether it was taken away, and another one can be begun: not where something else lies in its
        place, or the file is cut."""
        if _stamp(self._log) == self._known:
            return False
        with contextlib.suppress(OSError):
            return bool(self._file.stat().st_size) and (
                not self._log.exists() or self._log.is_file()
            )
        return False

    def mend(self) -> None:
        """Carry all that the lost log holds into the file, and begin another one. Where anybody has the
        file open that waits: the writer goes on with what it holds open."""
        if not self.lost:
            return
        with contextlib.suppress(OSError, sqlite3.Error):
            if self._known is not None:
                self._db.execute("PRAGMA journal_mode = DELETE")
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute(
                    "SELECT 1 FROM evenings LIMIT 1"
                ).fetchone()  # makes the log's file
            self._known = _stamp(self._log)


def _stamp(file: Path) -> tuple[int, int] | None:
    """Which file lies at this path, if one does: its disk and its number there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def connect(folder: Path) -> sqlite3.Connection:
    """The journal's database, made or brought up to date.

    Raises Broken for a damaged file, JournalTrouble for one of a newer release or of another
    program; sqlite3.Error otherwise.
    """
    if _is_no_file(folder / FILE):
        raise Broken("it is no file")
    clear_beside(folder / FILE)
    db = sqlite3.connect(folder / FILE, timeout=5, isolation_level=None, check_same_thread=False)
    try:
        _check(db, folder)
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "fullfsync = ON",
            "foreign_keys = ON",
        ):
            db.execute(f"PRAGMA {pragma}")
        _migrate(db)
    except (
        UnicodeDecodeError
    ) as error:  # SQLite tells of a damaged table in the table's own letters
        db.close()
        raise Broken("its tables are damaged") from error
    except sqlite3.DatabaseError as error:
        db.close()
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # none: undecoded letters
        if code & 0xFF in (*BROKEN, sqlite3.SQLITE_ERROR):
            raise Broken(str(error)) from error
        raise
    except JournalTrouble:
        db.close()
        raise
    return db


def require_readable(folder: Path) -> None:
    """Raises JournalTrouble where the disk does not give the database's bytes, whatever they say: who takes
    that for damage puts a good file aside."""
    file = folder / FILE
    try:
        if file.is_file():
            with file.open("rb") as bytes_of_it:
                while bytes_of_it.read(1 << 20):
                    pass
    except OSError as error:
        raise JournalTrouble(
            f"{file} cannot be read ({error.strerror or error}), and nothing was changed: start again. Where that "
            "stays so its disk fails: copy the folder to another one, and choose that with --data."
        ) from error


def _is_no_file(path: Path) -> bool:
    """True where something stands there that is no file, or a link that leads to itself."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError as error:
        return error.errno == errno.ELOOP


def clear_beside(file: Path) -> None:
    """See to it that nothing but files stands where SQLite keeps what belongs to this database: it would
    wait for a pipe for ever, and takes a folder for a disk that refuses. What does is moved aside."""
    for tail in BESIDE_IT:
        beside = file.with_name(f"{file.name}{tail}")
        if _is_no_file(beside):
            kept = move_aside(beside)
            logging.getLogger(__name__).warning("%s is no file; it is now %s", beside.name, kept)


def _refuse_others(db: sqlite3.Connection, folder: Path) -> tuple[int, int]:
    """The version of our own database and how many tables it has. Raises JournalTrouble for one of a
    newer release or of another program."""
    version, tables = (
        _number(db, "user_version"),
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0],
    )
    if tables and _number(db, "application_id") != APPLICATION_ID:
        raise JournalTrouble(
            f"{folder / FILE} belongs to another program: choose another folder with --data."
        )
    if version > len(MIGRATIONS):
        raise JournalTrouble(
            f"{folder / FILE} was written by a newer companion (version {version}, this one knows {len(MIGRATIONS)}): "
            "update the companion, or choose another folder with --data; nothing was changed."
        )
    return version, tables


def _check(db: sqlite3.Connection, folder: Path) -> None:
    version, tables = _refuse_others(db, folder)
    if tables and (fault := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise Broken(fault)
    with contextlib.closing(sqlite3.connect(":memory:")) as ours:
        for script in MIGRATIONS[:version]:
            ours.executescript(script)
        if not _columns(ours) <= _columns(db):  # SQLite checks its pages, not the names in them
            raise Broken("its tables are not as a companion makes them")


def _columns(db: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Every table's columns: (table, column, type)."""
    return set(
        db.execute(
            "SELECT told.name, of.name, of.type FROM sqlite_schema told, pragma_table_info(told.name) of "
            "WHERE told.type = 'table'"
        )
    )


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


def _migrate(db: sqlite3.Connection) -> None:
    for version in range(_number(db, "user_version"), len(MIGRATIONS)):
        script = f"PRAGMA application_id = {APPLICATION_ID}; {MIGRATIONS[version]} PRAGMA user_version = {version + 1};"
        in_one(db, partial(_run, db, script))


def _run(db: sqlite3.Connection, script: str) -> None:
    for line in filter(str.strip, script.split(";")):
        db.execute(line)


def read_only(file: Path) -> str:
    """The address by which SQLite only reads this file: also one that was closed cleanly in a folder
    where nobody may write, where SQLite cannot make the files it shares with a writer."""
    beside = file.with_name(f"{file.name}-wal")
    alone = not os.access(file.parent, os.W_OK) and not beside.exists()
    return f"file:{quote(os.fsencode(file.absolute()))}?mode=ro" + ("&immutable=1" if alone else "")


def in_one(db: sqlite3.Connection, work: Callable[[], T]) -> T:
    """What `work` returns, its writes in ONE transaction: all of them are stored, or none."""
    db.execute("BEGIN IMMEDIATE")
    whole = False
    try:
        done = work()
        whole = True
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        if whole:
            _write_over_refused(db)
        raise
    return done


def _write_over_refused(db: sqlite3.Connection) -> None:
    """Where a commit failed though all of it was written, say as the disk could not sync it, it lies behind
    the end of the write-ahead log, and the next start would believe it. What is written over it changes
    nothing, and waits for no sync: at the log's beginning SQLite writes no act before its head was synced. No
    page goes from the log into the file meanwhile, which would need one."""
    with contextlib.suppress(sqlite3.Error):
        file = db.execute("PRAGMA database_list").fetchone()[2]
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as over:
            over.execute("PRAGMA wal_autocheckpoint = 0")
            over.execute("PRAGMA synchronous = OFF")
            over.execute(f"PRAGMA user_version = {_number(over, 'user_version')}")


def empty_log(db: sqlite3.Connection) -> bool:
    """Carry all that the write-ahead log holds into the file, and leave nothing in it; whether that is done.
    Where another program reads just then, a backup onto a slow stick say, it is not: the table waits for none.
    Raises sqlite3.Error where the disk refuses."""
    waits_ms = _number(db, "busy_timeout")
    db.execute("PRAGMA busy_timeout = 0")
    try:
        return not db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    finally:
        db.execute(f"PRAGMA busy_timeout = {waits_ms}")


def _broken(folder: Path) -> Path:
    at = next(
        number
        for number in range(1, 10_000)
        if not os.path.lexists(folder / f"{FILE}.broken-{number}")
    )
    return folder / f"{FILE}.broken-{at}"


def set_aside(folder: Path) -> Path:
    """Moves a damaged database out of the way, keeping every byte of it, and returns its new path."""
    kept = _broken(folder)
    for tail in ("-wal", "-shm", ""):
        if os.path.lexists(folder / f"{FILE}{tail}"):
            (folder / f"{FILE}{tail}").replace(f"{kept}{tail}")
    return kept


def unread_acts(db: sqlite3.Connection, folder: Path) -> int:
    """How many acts the write-ahead log holds behind what could be read of it."""
    try:
        _, frames, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return acts_behind(folder / f"{FILE}-wal", _number(db, "page_size"), max(0, frames))
    except sqlite3.Error:  # whoever reads it next says what is wrong
        return 0


def copy_aside(db: sqlite3.Connection, folder: Path, *, with_wal: bool = False) -> Path:
    """Keeps a copy of the database as it is, before it is mended, and returns its path; `with_wal`:
    its write-ahead log beside it. Raises JournalTrouble when the disk refuses."""
    kept = _broken(folder)
    try:
        with contextlib.closing(sqlite3.connect(kept)) as copy:
            db.backup(copy)
        if with_wal:
            shutil.copyfile(folder / f"{FILE}-wal", f"{kept}-wal")
    except (OSError, sqlite3.Error) as error:
        raise said(error, folder) from error
    return kept


def remove_files(paths: Iterable[Path], folder: Path) -> None:
    """Take these away, those that are files. Raises JournalTrouble where the disk refuses."""
    try:
        for path in paths:
            if path.is_file():
                path.unlink()
    except OSError as error:
        raise said(error, folder) from error
