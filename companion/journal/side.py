"""The side log: every entry once more as a JSON line, one file an evening, readable without SQLite.

It is written after the database and only caught up with it, so it never holds an entry the database
does not; when the database is damaged it rebuilds the evenings. A line the power cut in two is
dropped and written again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.game.event_json import UnknownEvent, entry_from_dict, entry_to_dict
from companion.game.log import Entry

FOLDER = "evenings"


@dataclass(slots=True)
class SideLog:
    """The JSON lines beside one journal."""

    folder: Path
    _written: dict[int, int] = field(default_factory=dict)

    def path(self, evening: int) -> Path:
        """The file of one evening."""
        return self.folder / FOLDER / f"{evening:04d}.jsonl"

    def catch_up(self, evening: int, entries: tuple[Entry, ...], began_s: float) -> bool:
        """Writes the entries the file lacks; False when the disk refuses, and then the next call
        tries again."""
        try:
            self._catch_up(evening, entries, began_s)
        except OSError:
            self._written.pop(evening, None)
            return False
        return True

    def _catch_up(self, evening: int, entries: tuple[Entry, ...], began_s: float) -> None:
        path = self.path(evening)
        path.parent.mkdir(exist_ok=True)
        if evening not in self._written:
            self._written[evening] = _mended(path, entries)
        fresh = [
            json.dumps(
                {"evening": evening, "began_s": began_s, "entry": entry_to_dict(entry)},
                separators=(",", ":"),
            )
            + "\n"
            for entry in entries[self._written[evening] :]
        ]
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
    return b"\n" in path.read_bytes()[end:]


def _keep_copy(path: Path) -> None:
    at = next(
        number
        for number in range(1, 10_000)
        if not path.with_suffix(f".jsonl.kept-{number}").exists()
    )
    path.with_suffix(f".jsonl.kept-{at}").write_bytes(path.read_bytes())


def _lines(path: Path) -> Iterator[tuple[Entry, int]]:
    for line in path.read_bytes().splitlines(keepends=True):
        record = _record(line)
        if record is None:
            return
        yield entry_from_dict(record["entry"]), len(line)


def _record(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
        entry_from_dict(record["entry"])
    except (ValueError, KeyError, TypeError, UnknownEvent, RecursionError):
        return None
    return record if isinstance(record, dict) else None


@dataclass(frozen=True, slots=True)
class Kept:
    """One evening as the side log holds it."""

    evening: int
    began_s: float
    entries: tuple[Entry, ...]


def read_from(folder: Path, evening: int) -> Iterator[Kept]:
    """The side log's evenings from this number on, oldest first, each up to its first line that
    cannot be read."""
    for path in sorted((folder / FOLDER).glob("[0-9]*.jsonl")):
        if not path.stem.isdecimal() or int(path.stem) < evening or not path.is_file():
            continue
        entries = tuple(entry for entry, _ in _lines(path))
        straight = tuple(entry for number, entry in enumerate(entries, 1) if entry.number == number)
        if straight and (first := _record(path.read_bytes().splitlines(keepends=True)[0])):
            yield Kept(int(path.stem), float(first["began_s"]), straight)
