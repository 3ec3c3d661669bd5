"""What people did to the book of evenings (renamed, merged, forgot, deleted, took back), in order.

It only grows, like an evening's log; what an act means is not known here. Kept in the journal's
database, and once more whole in `acts.json` beside it, from which a rebuilt database takes it.
"""

from __future__ import annotations

import contextlib
import json
import math
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from card_printables.files import move_aside, read_regular, write_beside_then_replace
from companion.journal.store import in_one, said

BESIDE = "acts.json"


@dataclass(frozen=True, slots=True)
class Act:
    """One line: what was done (`what["do"]` says its kind), when, and from which device."""

    number: int
    at_s: float
    author: str | None
    what: dict[str, Any]


class ActLog:
    """The acts of one data folder. Shares the journal's connection and its lock."""

    def __init__(
        self, db: sqlite3.Connection, mutex: RLock, folder: Path, clock: Callable[[], float]
    ) -> None:
        self._db = db
        self._mutex = mutex
        self._folder = folder
        self._clock = clock
        self._acts = read_acts(db)
        self.set_aside: str | None = None
        """The name that an `acts.json` was given of which not all can be understood."""
        if not self._acts:
            kept, whole = _beside(folder)
            if not whole:
                self.set_aside = move_aside(folder / BESIDE)
            if kept:
                self._write(lambda: self._insert(kept))

    @property
    def acts(self) -> tuple[Act, ...]:
        """Every act, the oldest first."""
        return self._acts

    def append(self, what: dict[str, Any], author: str | None) -> Act:
        """Store one more act. Raises JournalTrouble when the disk refuses; then nothing was done."""
        return self.append_all([what], author)[0]

    def append_all(self, told: Sequence[dict[str, Any]], author: str | None) -> tuple[Act, ...]:
        """Store these acts, all or none. Raises JournalTrouble like `append`."""
        with self._mutex:
            try:
                acts = in_one(self._db, lambda: self.insert(told, author))
            except sqlite3.Error as error:
                raise said(error, self._folder) from error
            self.follow(acts)
            return acts

    def insert(self, told: Sequence[dict[str, Any]], author: str | None) -> tuple[Act, ...]:
        """Add these acts to the transaction under way; `follow` them once it is done."""
        first = self._acts[-1].number + 1 if self._acts else 1
        now_s = self._clock()
        acts = tuple(Act(number, now_s, author, what) for number, what in enumerate(told, first))
        self._insert(acts)
        return acts

    def follow(self, acts: tuple[Act, ...]) -> None:
        """These were stored. The copy beside follows; where the disk does not take it the next act
        writes it, for what is stored is not refused."""
        self._acts += acts
        with contextlib.suppress(OSError):
            self._copy_beside()

    def blank(self, number: int, what: dict[str, Any]) -> None:
        """Say the act with this number in other words: only to take a forgotten name out of it."""
        with self._mutex:
            self._write(
                lambda: self._db.execute(
                    "UPDATE acts SET act = ? WHERE number = ?", (json.dumps(what), number)
                )
            )

    def _insert(self, acts: tuple[Act, ...]) -> None:
        rows = [(one.number, one.at_s, one.author, json.dumps(one.what)) for one in acts]
        self._db.executemany("INSERT INTO acts VALUES (?, ?, ?, ?)", rows)

    def _write(self, work: Callable[[], object]) -> None:
        try:
            in_one(self._db, work)
            self._acts = read_acts(self._db)
            self._copy_beside()
        except (OSError, sqlite3.Error) as error:
            raise said(error, self._folder) from error

    def _copy_beside(self) -> None:
        told = [[one.number, one.at_s, one.author, one.what] for one in self._acts]
        write_beside_then_replace(self._folder / BESIDE, json.dumps(told).encode())


def read_acts(db: sqlite3.Connection, journal: str = "main") -> tuple[Act, ...]:
    """The acts in a journal's database, by the name under which `db` reads it; none where an older
    companion wrote it last."""
    if not db.execute(f"SELECT 1 FROM {journal}.sqlite_schema WHERE name = 'acts'").fetchone():
        return ()
    rows = db.execute(f"SELECT number, at_s, author, act FROM {journal}.acts ORDER BY number")
    return tuple(Act(row[0], row[1], row[2], json.loads(row[3])) for row in rows)


def _beside(folder: Path) -> tuple[tuple[Act, ...], bool]:
    """What `acts.json` holds that can be understood, and whether that is all of it."""
    try:
        rows = json.loads(read_regular(folder / BESIDE).decode("utf-8"))
    except FileNotFoundError:
        return (), True
    except (OSError, ValueError, RecursionError):
        return (), False
    if not isinstance(rows, list):
        return (), False
    acts: dict[int, Act] = {}
    for row in rows:
        if (act := _act(row)) is not None:
            acts.setdefault(act.number, act)
    return tuple(acts[number] for number in sorted(acts)), len(acts) == len(rows)


_NUMBERED = {"delete": ("evening",), "place": ("evening",), "undo": ("act",)}
"""The numbers an act must name."""

MOST_ACTS = 1_000_000_000


def _act(row: Any) -> Act | None:
    """None for a row that is no act."""
    if not isinstance(row, list) or len(row) != 4:
        return None
    number, at_s, author, what = row
    if type(number) is not int or not 0 < number <= MOST_ACTS or type(at_s) not in (int, float):
        return None
    if not 0 <= at_s < math.inf or not isinstance(author, str | None) or not isinstance(what, dict):
        return None
    named = _NUMBERED.get(str(what.get("do")), ())
    if any(type(what.get(name)) is not int or not 0 < what[name] <= MOST_ACTS for name in named):
        return None
    return Act(number, float(at_s), author, what)
