"""A backup: everything that is kept of evenings and people, in one file; and put back beside.

The database is copied by SQLite itself while a game may go on, so that the copy is of one moment.
What lets devices in (codes, certificates) is not in it. Putting back never writes over anything.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from card_printables.files import (
    LARGEST_WHOLE,
    carry_names_to_disk,
    carry_to_disk,
    give_name,
    is_running,
    opened_zip,
    pack,
    read_regular,
)
from companion.errors import BadInput, JournalTrouble
from companion.game.event_json import entry_from_dict
from companion.journal.acts import BESIDE, acts_and_odd
from companion.journal.data_folder import KEPT_FREE
from companion.journal.people_signs import FILE as PEOPLE
from companion.journal.round_pictures import (
    LARGEST_PICTURE,
    PICTURES,
    RoundPictures,
    is_picture,
)
from companion.journal.store import APPLICATION_ID, FILE, MIGRATIONS, Lock, read_only, unread

BACKUP_FORMAT = "cloud-mine-companion/backup"
VERSION = 2
"""2: pictures of rounds may lie in it; one without them is written as 1, for companions of before."""

CONTENTS = "backup.json"
UNREAD_ACTS = "unread acts"
"""Under which name it is told how many acts on the book are none that can be understood."""

UNPACKED = ".restoring-"
UNFINISHED = ".backing-up-"
LEFT_ALONE_S = 86_400.0

LARGEST = 4_000_000_000
"""Bytes of one file in a backup; more is no evenings."""

MOST_NUMBER = 1_000_000
LONGEST_ENTRY = 1_000_000
"""What numbers and entries of a journal stay far below; behind the greatest number there is room for all
evenings and acts to come (`acts.MOST_ACTS`, `strict_json.LONGEST_NUMBER`)."""

MOST_EVENINGS = 100_000
MOST_ACTS = 100_000
LARGEST_AT_ONCE = 16_000_000
LARGEST_ROW = 4 * LONGEST_ENTRY
"""Of what is in memory together, nobody's come near: how many evenings and acts, the bytes of one evening's
entries or of all acts, and of a row. A small zip unpacks to far more."""


def back_up(folder: Path, to: Path) -> dict[str, int]:
    """Write a backup of `folder` to the new file `to`; how many evenings and entries it holds. The name
    is given once the whole of it was written and read again: no stop leaves half a backup under it.

    Raises:
        BadInput: there is nothing to back up, or the file is there already or cannot be written.
    """
    if not (folder / FILE).is_file():
        raise BadInput(f"there is no evening in {folder}: choose the folder with --data")
    if os.path.lexists(to):
        raise BadInput(f"{to} is there already: choose another file")
    try:
        _sweep_up(to.parent)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=to.parent) as apart:
            made = Path(apart) / "backup.zip"
            counted = _write_backup(folder, Path(apart), made)
            with tempfile.TemporaryDirectory(dir=apart) as again:
                _unpacked(made, Path(again), our_own=True)
            give_name(made, to)
    except FileExistsError as error:
        raise BadInput(f"{to} is there already: choose another file") from error
    except OSError as error:
        raise BadInput(
            f"{to} cannot be written ({error.strerror or error}): free some space, or choose another file"
        ) from error
    return counted


def _write_backup(folder: Path, apart: Path, made: Path) -> dict[str, int]:
    copy = apart / FILE
    _copy(folder / FILE, copy)
    counted = _counted(copy, our_own=True)
    pictures = [
        f"{PICTURES}/{file.parent.name}/{file.name}" for file in RoundPictures(folder).files()
    ]
    beside = [name for name in (PEOPLE, BESIDE, *pictures) if _copied(folder, name, apart)]
    files = {name: apart / name for name in (FILE, *beside)}
    told = {
        "format": BACKUP_FORMAT,
        "version": VERSION if any(map(is_picture, files)) else 1,
        **counted,
        "files": {name: _sum(path) for name, path in files.items()},
    }
    with zipfile.ZipFile(made, "x", zipfile.ZIP_DEFLATED, allowZip64=True) as packed:
        pack(packed, CONTENTS, json.dumps(told, indent=1))
        for name, path in files.items():
            pack(packed, name, path)
    carry_to_disk(made)
    return counted


def _copied(folder: Path, name: str, apart: Path) -> bool:
    """Take a copy of this file as it is now: somebody may change or delete it meanwhile. False where it
    cannot be read, or is larger than what a backup may hold. Raises OSError where the copy cannot be
    written."""
    most = _largest(name)
    try:
        data = read_regular(folder / name, most + 1)
    except OSError:
        return False
    if len(data) > most:
        return False
    (apart / name).parent.mkdir(parents=True, exist_ok=True)
    (apart / name).write_bytes(data)
    return True


def _copy(source: Path, copy: Path) -> None:
    try:
        reading = sqlite3.connect(read_only(source), uri=True)
        writing = sqlite3.connect(copy)
        with contextlib.closing(reading), contextlib.closing(writing):
            reading.backup(writing)
            writing.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
            raise BadInput(
                f"the disk with {copy.parent.parent} is full: free some space"
            ) from error
        raise BadInput(unread(source, error)) from error
    except UnicodeDecodeError as error:  # what SQLite says of a damaged table
        raise BadInput(unread(source, error)) from error


def _counted(database: Path, our_own: bool) -> dict[str, int]:
    """How many evenings, of which a round was laid, and entries a copied database holds.

    Raises:
        BadInput: it is damaged, another program's or a newer companion's; one that is not `our_own`
            also where no companion makes such.
    """
    try:
        with contextlib.closing(sqlite3.connect(read_only(database), uri=True)) as db:
            if not our_own:
                db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_ROW)
            version = db.execute("PRAGMA user_version").fetchone()[0]
            ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
            if ours and version > len(MIGRATIONS):
                raise BadInput("a newer companion wrote it: update this one")
            if not ours or db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise BadInput("the database in it is damaged")
            if not our_own:
                _check_made_by_us(db, version)
                _check_size(db)
            evenings = db.execute("SELECT count(*) FROM evenings WHERE rounds").fetchone()[0]
            entries = db.execute("SELECT count(*) FROM entries").fetchone()[0]
    except sqlite3.Error as error:
        raise BadInput("the database in it is damaged") from error
    return {"evenings": evenings, "entries": entries}


_TOO_STRANGE = (
    f"SELECT 1 FROM evenings WHERE evening NOT BETWEEN 1 AND {MOST_NUMBER}",
    "SELECT 1 FROM evenings WHERE evening NOT IN (SELECT evening FROM entries)",
    f"SELECT 1 FROM entries WHERE number NOT BETWEEN 1 AND {MOST_NUMBER} OR length(entry) > {LONGEST_ENTRY}",
)

_TOO_LARGE = (
    f"SELECT 1 FROM evenings LIMIT 1 OFFSET {MOST_EVENINGS}",
    "SELECT 1 FROM evenings WHERE length(CAST(players AS BLOB)) + length(CAST(totals AS BLOB)) "
    f"> {LONGEST_ENTRY} LIMIT 1",
    "SELECT 1 FROM entries GROUP BY evening HAVING sum(length(CAST(entry AS BLOB))) "
    f"> {LARGEST_AT_ONCE} LIMIT 1",
    "SELECT 1 FROM (SELECT count(*) AS number, sum(length(CAST(act AS BLOB)) "
    "+ coalesce(length(CAST(author AS BLOB)), 0)) AS bytes FROM acts) "
    f"WHERE number > {MOST_ACTS} OR bytes > {LARGEST_AT_ONCE}",
)
"""The last of the acts, which a database of before has none of."""


def _check_made_by_us(db: sqlite3.Connection, version: int) -> None:
    """A stranger's database may hold what acts by itself (a trigger, a view without end), and numbers
    after which no other evening can begin. Raises BadInput."""
    with contextlib.closing(sqlite3.connect(":memory:")) as ours:
        for script in MIGRATIONS[: max(0, version)]:
            ours.executescript(script)
        strange = _shape(db) != _shape(ours)
    if strange or any(db.execute(query + " LIMIT 1").fetchone() for query in _TOO_STRANGE):
        raise BadInput("the database in it is none that a companion made: take another backup")


def _check_size(db: sqlite3.Connection) -> None:
    """What a stranger's database would put into memory together. Raises BadInput where it is more than
    anybody plays, or where an act has too great a number."""
    has_acts = any(name == "acts" for (name,) in db.execute("SELECT name FROM sqlite_master"))
    if any(db.execute(query).fetchone() for query in _TOO_LARGE[: None if has_acts else -1]):
        raise BadInput("it holds more than anybody plays: take another backup")
    if any(act.number > MOST_NUMBER for act in acts_and_odd(db)[0]):
        raise BadInput("the database in it is none that a companion made: take another backup")


def _shape(db: sqlite3.Connection) -> list[object]:
    """Everything that a database is made of beside its rows, how its letters are written, and whether it
    checks, compares or drops rows by itself."""
    told: list[object] = db.execute("PRAGMA encoding").fetchall()
    for kind, name, sql in db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name"):
        acts = [word in (sql or "").casefold() for word in ("check", "collate", "conflict")]
        told.append((kind, name, acts))
        if kind == "table":
            told += db.execute("SELECT * FROM pragma_table_xinfo(?)", (name,)).fetchall()
            told += db.execute("SELECT * FROM pragma_foreign_key_list(?)", (name,)).fetchall()
    return told


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check(backup: Path) -> dict[str, Any]:
    """What a backup says and holds, once every byte of it was read and believed.

    Raises:
        BadInput: it is none, damaged, or a newer companion's.
    """
    with tempfile.TemporaryDirectory(prefix=passing_prefix()) as apart:
        return _unpacked(backup, Path(apart))


def unread_entries(backup: Path) -> int:
    """How many entries of a backup are none that this companion understands. Raises BadInput like
    `check`."""
    with tempfile.TemporaryDirectory(prefix=passing_prefix()) as apart:
        _unpacked(backup, Path(apart))
        with contextlib.closing(sqlite3.connect(Path(apart) / FILE)) as db:
            db.text_factory = bytes
            return sum(not _is_entry(text) for (text,) in db.execute("SELECT entry FROM entries"))


def _is_entry(text: bytes) -> bool:
    try:
        entry_from_dict(json.loads(text))
    except (ValueError, RecursionError):
        return False
    return True


def restore(backup: Path, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Put a backup into `folder` where it holds no evenings, else into a new folder beside it: that
    folder, and what the backup says.

    Raises:
        BadInput: it cannot be believed or written; nothing was changed.
    """
    beside = (folder.with_name(f"{folder.name}-restored-{at}") for at in range(1, 10_000))
    to = folder if _is_free(folder) else next(path for path in beside if not path.exists())
    try:
        _sweep_up(_first_there(to))
        with tempfile.TemporaryDirectory(prefix=UNPACKED, dir=_first_there(to)) as apart:
            told = _unpacked(backup, Path(apart))
            to.mkdir(parents=True, exist_ok=to == folder)
            for name in told["files"]:
                carry_to_disk(Path(apart) / name)
            with _nobody_else(to):
                _move_in(Path(apart), to, told["files"])
    except OSError as error:
        raise BadInput(
            f"{to} cannot be written ({error.strerror or error}): choose another folder with --data"
        ) from error
    return to, told


def _move_in(apart: Path, to: Path, files: Iterable[str]) -> None:
    """Give these files their places; where the disk refuses, none of them stays. Raises OSError."""
    moved: list[Path] = []
    try:
        for name in sorted(files, key=_comes_last):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            (apart / name).rename(to / name)
            moved.append(to / name)
        _carry_names_to_disk(to, files)
    except OSError:
        for file in reversed(moved):
            with contextlib.suppress(OSError):
                file.unlink()
                for home in file.relative_to(to).parents:
                    (to / home).rmdir()  # those that are empty now
        raise


def _carry_names_to_disk(to: Path, files: Iterable[str]) -> None:
    """Those of these files below `to`, of the folders that they lie in, and of `to`."""
    for home in {home for name in files for home in (to / name).parents if home.is_relative_to(to)}:
        carry_names_to_disk(home)
    carry_names_to_disk(to.parent)


def _comes_last(name: str) -> int:
    """The database after what means nothing without it, so that nobody takes half of a backup for all of
    it; what people did to the book stands in the database, too, and its copy would be believed without."""
    return (FILE, BESIDE).index(name) + 1 if name in (FILE, BESIDE) else 0


def _sweep_up(folder: Path) -> None:
    """Remove what a backup or a restore that was killed left behind; one under way is never a day old."""
    for prefix in (UNFINISHED, UNPACKED):
        for left in folder.glob(f"{prefix}*"):
            with contextlib.suppress(FileNotFoundError):  # whose work that was has just ended
                if left.stat().st_mtime < time.time() - LEFT_ALONE_S:
                    shutil.rmtree(left, ignore_errors=True)


PASSING = "cloud-mine-companion-"


def passing_prefix() -> str:
    """How a folder of this process is called that lies for a moment among the system's passing files; what
    killed processes left there, evenings with names, is gone."""
    sweep_passing()
    return f"{PASSING}{os.getpid()}-"


def sweep_passing() -> None:
    """Remove what killed processes left among the system's passing files. On Windows nobody can be asked
    whether he lives."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        for left in Path(tempfile.gettempdir()).glob(f"{PASSING}*-*"):
            process = left.name.removeprefix(PASSING).partition("-")[0]
            if process.isascii() and process.isdecimal() and not is_running(int(process)):
                shutil.rmtree(left, ignore_errors=True)


def _is_free(folder: Path) -> bool:
    return not any(
        (folder / name).exists() for name in (FILE, PEOPLE, BESIDE, PICTURES, "evenings")
    )


@contextlib.contextmanager
def _nobody_else(folder: Path) -> Iterator[None]:
    """Inside, no companion begins an evening in this folder.

    Raises:
        BadInput: one has begun there.
    """
    try:
        lock = Lock(folder)
    except JournalTrouble as trouble:
        raise BadInput(str(trouble)) from trouble
    except sqlite3.Error as error:
        raise BadInput(
            f"{folder} cannot be written ({error}): choose another folder with --data"
        ) from error
    try:
        if not _is_free(folder):
            raise BadInput(f"an evening was begun in {folder} meanwhile: do it again")
        yield
    finally:
        lock.release()


def _first_there(folder: Path) -> Path:
    return next(path for path in (folder.parent, *folder.parents) if path.is_dir())


def _unpacked(backup: Path, to: Path, our_own: bool = False) -> dict[str, Any]:
    try:
        with opened_zip(backup) as packed:
            told = json.loads(packed.read(CONTENTS)) if _small(packed, CONTENTS) else None
            if not isinstance(told, dict) or told.get("format") != BACKUP_FORMAT:
                raise BadInput(
                    f"{backup} is no backup: give the file that `companion backup` wrote"
                )
            if type(told.get("version")) is not int or told["version"] > VERSION:
                raise BadInput(f"{backup} was written by a newer companion: update this one")
            files = told.get("files")
            if not isinstance(files, dict) or FILE not in files or not all(map(_is_ours, files)):
                raise BadInput(f"{backup} is damaged: it names files that are not evenings'")
            sizes = {name: packed.getinfo(name).file_size for name in files}
            for name, size in sizes.items():
                if size > (LARGEST if our_own else _largest(name)):
                    raise BadInput(f"{backup} is damaged: {name} is too large")
            if not our_own and sum(sizes.values()) > shutil.disk_usage(to).free - KEPT_FREE:
                raise BadInput(
                    f"{backup} does not fit on the disk with {to.parent}: free some space"
                )
            for name, wanted in files.items():
                packed.extract(name, to)
                if _sum(to / name) != wanted:
                    raise BadInput(f"{backup} is damaged: {name} is not as it was written")
            try:
                counted = _counted(to / FILE, our_own)
                return told | counted | {UNREAD_ACTS: _unread_acts(to / FILE)}
            except BadInput as error:
                raise BadInput(f"{backup}: {error}") from error
    except (
        zipfile.BadZipFile,
        zlib.error,
        KeyError,
        ValueError,
        EOFError,
        NotImplementedError,
        RuntimeError,
    ) as error:
        raise BadInput(
            f"{backup} is no backup, or damaged: give the file that `companion backup` wrote"
        ) from error
    except OSError as error:
        raise BadInput(f"{backup} cannot be read ({error.strerror or error})") from error


def _unread_acts(database: Path) -> int:
    try:
        with contextlib.closing(sqlite3.connect(read_only(database), uri=True)) as db:
            return len(acts_and_odd(db)[1])
    except sqlite3.Error as error:
        raise BadInput("the database in it is damaged") from error


def _is_ours(name: str) -> bool:
    """True for a name that a backup may hold; no other is ever written to the disk."""
    return name in (FILE, PEOPLE, BESIDE) or is_picture(name)


def _largest(name: str) -> int:
    if name == FILE:
        return LARGEST
    return LARGEST_PICTURE if name.startswith(f"{PICTURES}/") else LARGEST_WHOLE


def _small(packed: zipfile.ZipFile, name: str) -> bool:
    return packed.getinfo(name).file_size < 1_000_000
