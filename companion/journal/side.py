"""The side log: every entry once more as a JSON line, one file an evening, readable without SQLite.

It is written after the database and only caught up with it, so it never holds an entry the database
does not; when the database is damaged it rebuilds the evenings. A line the power cut in two is
dropped and written again.

Each line ends with a check sum of its own, and carries how the evening began and whether it came from
another companion. A line that cannot be
believed costs its entry alone: what follows keeps its number. Lines of before, without a sum, are
read where they stand in their place.
"""

from __future__ import annotations

import errno
import json
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from card_printables.files import read_regular
from companion.game.event_json import UnknownEvent, entry_from_dict, entry_to_dict
from companion.game.log import Entry, Retraction
from companion.journal.mending import LOST
from companion.journal.store import may, remove_files

FOLDER = "evenings"


def can_be_written(folder: Path) -> bool:
    """False where the folder of the lines is there and takes no files from us."""
    at = folder / FOLDER
    return not os.path.lexists(at) or (at.is_dir() and may(at, os.R_OK | os.W_OK | os.X_OK))


@dataclass(slots=True)
class SideLog:
    """The JSON lines beside one journal."""

    folder: Path
    imported: set[int] = field(default_factory=set)
    """The evenings that came from another companion; their lines say so."""
    behind: bool = False
    """True while the disk refuses lines of what the database has: it stands there once."""
    _written: dict[int, int] = field(default_factory=dict)

    def path(self, evening: int) -> Path:
        """The file of one evening."""
        return self.folder / FOLDER / f"{evening:04d}.jsonl"

    def read(self, evening: int) -> bytes:
        """The bytes of an evening's file; none where it cannot be read."""
        try:
            return read_regular(self.path(evening))
        except OSError:
            return b""

    def numbers(self) -> set[int]:
        """The evenings that have a file."""
        try:
            names = [path.name for path in (self.folder / FOLDER).iterdir()]
        except OSError:
            return set()
        stems = (name.removesuffix(".jsonl") for name in names if name.endswith(".jsonl"))
        return {int(stem) for stem in stems if stem.isascii() and stem.isdecimal()}

    def catch_up(self, evening: int, entries: tuple[Entry, ...], began_s: float) -> None:
        """Writes the entries the file lacks; where the disk refuses it is `behind`, and the next call
        tries again."""
        try:
            self._catch_up(evening, entries, began_s)
        except OSError:
            self._written.pop(evening, None)
            self.behind = True
        else:
            self.behind = False

    def remove(self, evening: int) -> None:
        """Take an evening's file away, and the copies of it that were kept as they were damaged. Raises
        JournalTrouble where the disk refuses."""
        self._written.pop(evening, None)
        path = self.path(evening)
        remove_files([path, *path.parent.glob(f"{path.name}.kept-*")], self.folder)

    def _catch_up(self, evening: int, entries: tuple[Entry, ...], began_s: float) -> None:
        path = self.path(evening)
        path.parent.mkdir(exist_ok=True)
        if evening not in self._written:
            self._written[evening] = _mended(path, entries)
        fresh = [
            _line(evening, began_s, entries[0], entry, evening in self.imported)
            for entry in entries[self._written[evening] :]
        ]
        if path.exists() and not path.is_file():
            raise OSError(errno.EINVAL, "it is no file", str(path))  # a pipe would never be opened
        with path.open("a", encoding="ascii", newline="\n") as file:
            file.write("".join(fresh))
        self._written[evening] = len(entries)


def _mended(path: Path, entries: tuple[Entry, ...]) -> int:
    """How many of the entries the file holds, after cutting off what is torn, foreign or ahead of
    the database."""
    if not path.exists():
        return 0
    good, end = 0, 0
    for entry, length in _lines(path):
        if good >= len(entries) or entry != _as_read(entries[good]):
            break
        good, end = good + 1, end + length
    if end < path.stat().st_size:
        if _whole_lines_after(path, end):
            _keep_copy(path)
        os.truncate(path, end)
    return good


def _as_read(entry: Entry) -> Entry:
    return entry_from_dict(json.loads(json.dumps(entry_to_dict(entry))))


def _whole_lines_after(path: Path, end: int) -> bool:
    return b"\n" in read_regular(path)[end:]


def _keep_copy(path: Path) -> None:
    at = next(
        number
        for number in range(1, 10_000)
        if not path.with_suffix(f".jsonl.kept-{number}").exists()
    )
    path.with_suffix(f".jsonl.kept-{at}").write_bytes(read_regular(path))


def _lines(path: Path) -> Iterator[tuple[Entry, int]]:
    for line in read_regular(path).splitlines(keepends=True):
        try:
            record = _record(line)
        except NewerText:
            return
        if record is None:
            return
        yield entry_from_dict(record["entry"]), len(line)


def _line(evening: int, began_s: float, first: Entry, entry: Entry, imported: bool) -> str:
    record = {
        "evening": evening,
        "began_s": began_s,
        **({"imported": True} if imported else {}),
        "first": entry_to_dict(first) if entry is not first else None,
        "entry": entry_to_dict(entry),
    }
    told = json.dumps(record, separators=(",", ":"))[:-1]
    return f"{told}{sum_of(told.encode()).decode()}\n"


def check_sum(told: bytes) -> str:
    """The sum that a line or a row ends with: eight hexadecimal digits."""
    return f"{zlib.crc32(told):08x}"


SUM = b',"sum":"'
"""What stands before the sum of a line."""


def sum_of(told: bytes) -> bytes:
    """How a line ends that tells this: its sum, and what closes it."""
    return SUM + check_sum(told).encode() + b'"}'


_PLAIN = {"evening", "began_s", "entry"}
"""All that a line of before held, without a sum."""


class NewerText(Exception):
    """Raised for what is whole by its check sum and yet not understood: a newer release wrote it."""


def _record(line: bytes) -> dict[str, Any] | None:
    """What a whole line holds; None where it cannot be believed. Raises NewerText."""
    if not line.endswith(b"\n"):
        return None
    told = line[:at] if (at := line.rfind(SUM)) >= 0 else None
    try:
        record = json.loads(line)
        entry_from_dict(record["entry"])
        float(record["began_s"])
    except UnknownEvent as error:
        if told is not None and line[at:] == sum_of(told) + b"\n":
            raise NewerText(str(error)) from error
        return None
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    if told is None:
        return record if set(record) == _PLAIN else None
    return record if record.get("sum") == check_sum(told) and set(record) >= _PLAIN else None


@dataclass(frozen=True, slots=True)
class Kept:
    """One evening as the side log holds it. In place of the entries `lost` (their numbers) stand ones
    that say nothing, so that every other keeps its number."""

    evening: int
    began_s: float
    entries: tuple[Entry, ...]
    lost: tuple[int, ...] = ()
    imported: bool = False
    """It came from another companion."""


def read_from(folder: Path, evening: int) -> Iterator[Kept]:
    """The side log's evenings from this number on, oldest first, each without the lines that cannot be
    believed. Raises NewerText; PermissionError where the folder or one of them may not be read."""
    try:
        paths = sorted((folder / FOLDER).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    for path in paths:
        numbered = path.suffix == ".jsonl" and path.stem.isascii() and path.stem.isdecimal()
        if not numbered or int(path.stem) < evening or not path.is_file():
            continue
        try:
            data = read_regular(path)
        except PermissionError:
            raise
        except OSError:
            continue
        kept = kept_lines(int(path.stem), data)
        if kept is not None:
            yield kept


_BETWEEN = re.compile(rb'(?<=\})[^\n](?=\{"evening":)')
"""Where one line's end was damaged, so that two lines stand in one."""


def kept_lines(evening: int, data: bytes) -> Kept | None:
    """What a side file of this evening holds, without the lines that cannot be believed; None where
    none can. Raises NewerText."""
    records, damaged_after = _records(evening, data)
    if not records:
        return None
    last = max(records)
    any_one = records[last]
    entries: list[Entry] = []
    lost = list(range(last + 1, last + 1 + damaged_after))
    for number in range(1, last + 1):
        if number in records:
            entries.append(entry_from_dict(records[number]["entry"]))
        elif number == 1 and any_one.get("first"):
            entries.append(entry_from_dict(any_one["first"]))
        else:
            lost.append(number)
            at_s = entries[-1].at_s if entries else float(any_one["began_s"])
            entries.append(Entry(number, at_s, "rule", Retraction((), LOST), batch=number))
    imported = any("sum" in one and one.get("imported") is True for one in records.values())
    began_s = float(any_one["began_s"])
    return Kept(evening, began_s, tuple(entries), tuple(sorted(lost)), imported)


def _records(evening: int, data: bytes) -> tuple[dict[int, dict[str, Any]], int]:
    """The lines that can be believed, by their numbers, and how many damaged ones follow the last."""
    records: dict[int, dict[str, Any]] = {}
    damaged_after = 0
    for at, line in enumerate(_BETWEEN.sub(b"\n", data).splitlines(keepends=True), 1):
        record = _record(line)
        if record is None or not _in_place(record, evening, at):
            damaged_after += 1
            continue
        records[record["entry"]["number"]] = record
        damaged_after = 0
    return records, damaged_after


def summed_lines(data: bytes, evening: int) -> dict[int, Entry]:
    """The entries of a side file of this evening whose check sums hold, by number. Raises NewerText."""
    records = {n: one for n, one in _records(evening, data)[0].items() if "sum" in one}
    entries = {number: entry_from_dict(one["entry"]) for number, one in records.items()}
    any_one = next(iter(records.values()), None)
    if any_one is not None and any_one.get("first"):
        entries.setdefault(1, entry_from_dict(any_one["first"]))
    return entries


def _in_place(record: dict[str, Any], evening: int, at: int) -> bool:
    """True for a line of this evening; without a sum only where its number is its place."""
    number, told = record["entry"]["number"], record["evening"]
    return bool(told == evening and (number >= 1 if "sum" in record else number == at))
