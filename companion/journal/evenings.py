"""The journal: the evenings' logs on disk.

Knows one data folder with SQLite (`store`) and JSON lines beside it (`side`); knows no camera and
no screen. An act is stored whole or not at all, with the id of the command that asked for it: after
a kill the last act is usually stored but its answer never sent, and then the same id brings the
same answer and changes nothing.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from companion.errors import JournalTrouble
from companion.game.event_json import UnknownEvent, entry_from_dict, entry_to_dict, event_to_dict
from companion.game.events import EveningBegun
from companion.game.fold import fold
from companion.game.ledger import Ledger
from companion.game.log import Entry, Log
from companion.journal.mending import mend_gaps
from companion.journal.side import Kept, SideLog, read_from
from companion.journal.store import FILE, Broken, Lock, connect, in_one, said, set_aside

COMMANDS_KEPT_EVENINGS = 2
"""Answers are kept for this evening and the one before: a tablet that slept through a rematch still
gets its own."""


@dataclass(frozen=True, slots=True)
class Evening:
    """One line of the list of evenings; `totals` by seat, times in seconds since 1970."""

    number: int
    began_s: float
    changed_s: float
    players: tuple[str, ...]
    totals: tuple[int, ...]
    rounds: int
    over: bool


class Journal:
    """The one writer of a data folder. Safe to call from several threads; a context manager that
    closes itself."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        """Opens the folder, making it where needed, and goes on with its newest evening if that is
        not over.

        A damaged database is kept beside the new one and rebuilt from the side log (`kept` names
        it). Raises JournalTrouble when another companion writes here, the folder cannot be written,
        or a newer release wrote it.
        """
        self.folder = folder
        self.kept: Path | None = None
        self.notices: tuple[str, ...] = ()
        """What was found beside the evenings and could not be believed, as sentences."""
        self.evening: int | None = None
        self._clock = clock
        self._mutex = threading.RLock()
        self._log = Log()
        self._began_s = 0.0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = Lock(folder)
        except (OSError, sqlite3.Error) as error:
            raise said(error, folder) from error
        if self._lock.set_aside is not None:
            self.notices += (
                f"journal.lock was no lock of ours: it is kept as {self._lock.set_aside}.",
            )
        try:
            self._side = SideLog(folder)
            self._db = self._opened()
            self._go_on()
        except BaseException:
            self._lock.release()
            raise

    def _opened(self) -> sqlite3.Connection:
        try:
            return connect(self.folder)
        except Broken:
            self.kept = set_aside(self.folder)
            return connect(self.folder)
        except (OSError, sqlite3.Error) as error:
            raise said(error, self.folder) from error

    def _go_on(self) -> None:
        stored = self.evenings()
        for kept in read_from(self.folder, stored[-1].number if stored else 0):
            self._adopt(kept, {line.number for line in stored})
        newest = self.evenings()[-1:]
        if newest and not newest[0].over:
            self._say_behind(newest[0].number)
            self.resume(newest[0].number)

    def _say_behind(self, evening: int) -> None:
        """Say where the side log lacks more than the last act, which a stop may cost it: where both
        are damaged at their ends nobody knows what is lost, and people look."""
        log = self.read_evening(evening)
        held = next((kept for kept in read_from(self.folder, evening)), None)
        have = len(held.entries) if held is not None and held.evening == evening else 0
        last_act = next(
            (at for at, entry in enumerate(log.entries) if entry.batch == log.entries[-1].batch), 0
        )
        if have < last_act:
            self.notices += (
                f"The lines beside evening {evening} were damaged: they held {have} of its {len(log.entries)} entries, "
                "and are written anew. Look the ledger's end over.",
            )

    def _adopt(self, kept: Kept, stored: set[int]) -> None:
        """Takes over what only the side log still has: it was stored once, before the database was
        damaged or lost."""
        have = self.read_evening(kept.evening).entries if kept.evening in stored else ()
        lost = tuple(number for number in kept.lost if number > len(have))
        more = kept.entries[len(have) :]
        agrees = all(
            entry == known or entry.number in kept.lost
            for entry, known in zip(kept.entries, have, strict=False)
        )
        if agrees and more:
            whole = have + more
            mending = mend_gaps(Log(whole)) if lost else ()
            ledger = fold(Log(whole + mending)).ledger
            began_s = kept.began_s
            work = partial(_store, self._db, kept.evening, began_s, began_s, ledger, more + mending)
            in_one(self._db, work)
        if agrees and have and more and not lost:
            self.notices += (
                f"Evening {kept.evening}: the database had lost its last {len(more)} entries; they came back from "
                "the lines beside it. Look the ledger's end over.",
            )
        if agrees and lost:
            self.notices += (
                f"Evening {kept.evening}: of the entries {_listed(lost)} only damaged lines are left; "
                "all the others are kept, and a round that misses one is void or has unknown cards. Look the ledger over.",
            )

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the files and gives the folder free; a second call does nothing."""
        with self._mutex:
            self._db.close()
            self._lock.release()

    @property
    def log(self) -> Log:
        """The log of the current evening; empty before one began."""
        return self._log

    def evenings(self) -> tuple[Evening, ...]:
        """All evenings of the folder, oldest first."""
        rows = self._read(
            "SELECT evening, began_s, changed_s, players, totals, rounds, over FROM evenings ORDER BY evening"
        )
        return tuple(
            Evening(
                row[0],
                row[1],
                row[2],
                tuple(json.loads(row[3])),
                tuple(json.loads(row[4])),
                row[5],
                bool(row[6]),
            )
            for row in rows
        )

    def known_players(self) -> tuple[str, ...]:
        """The names of everyone who ever played, those of the newest evening first."""
        names = [name for evening in reversed(self.evenings()) for name in evening.players]
        return tuple(dict.fromkeys(names))

    def read_evening(self, evening: int) -> Log:
        """The log of one evening. Raises JournalTrouble when there is none or a newer release wrote
        it."""
        rows = self._read("SELECT entry FROM entries WHERE evening = ? ORDER BY number", evening)
        if not rows:
            raise JournalTrouble(
                f"There is no evening {evening} in {self.folder}: choose one of those listed."
            )
        try:
            return Log().append(*(entry_from_dict(json.loads(row[0])) for row in rows))
        except (UnknownEvent, ValueError) as error:
            raise JournalTrouble(
                f"Evening {evening} in {self.folder / FILE} holds {error}: update the companion; nothing was changed."
            ) from error

    def resume(self, evening: int) -> Log:
        """Makes this evening the current one and returns its log, exactly as it was left. Raises
        JournalTrouble like `read`."""
        with self._mutex:
            self._log = self.read_evening(evening)
            self.evening = evening
            self._began_s = next(line.began_s for line in self.evenings() if line.number == evening)
            self._side.catch_up(evening, self._log.entries, self._began_s)
            return self._log

    def answer_to(self, command_id: str) -> Any | None:
        """The stored answer to a command, or None when it is new."""
        rows = self._read("SELECT answer FROM commands WHERE command = ?", command_id)
        return json.loads(rows[0][0]) if rows else None

    def append(
        self,
        entries: tuple[Entry, ...],
        command_id: str | None = None,
        answer: Any = None,
        ledger: Ledger | None = None,
    ) -> Any:
        """Stores the entries, the command's id and its answer in one transaction, and returns the
        answer. `ledger` is what the log adds up to with the entries, where that is known already.

        A known id stores nothing and returns the answer it had. An entry of EveningBegun with
        number 1 begins a new evening. Raises JournalTrouble when the disk refuses: then nothing is
        stored and the same call may be made again; ValueError when the entries do not continue the
        log.
        """
        with self._mutex:
            if command_id is not None and (
                known := self._read("SELECT answer FROM commands WHERE command = ?", command_id)
            ):
                return json.loads(known[0][0])
            fresh = (
                bool(entries)
                and entries[0].number == 1
                and isinstance(entries[0].event, EveningBegun)
            )
            log = (Log() if fresh else self._log).append(*entries)
            if entries or command_id is not None:
                self._write(fresh, log, entries, command_id, answer, ledger)
            return answer

    def _write(
        self,
        fresh: bool,
        log: Log,
        entries: tuple[Entry, ...],
        command_id: str | None,
        answer: Any,
        ledger: Ledger | None,
    ) -> None:
        now_s = self._clock()
        evening = self.next_evening if fresh else self.evening or 0
        began_s = now_s if fresh else self._began_s
        if entries and not evening:
            raise ValueError("the first entry of an evening is its beginning")

        def work() -> None:
            if entries:
                _store(self._db, evening, began_s, now_s, ledger or fold(log).ledger, entries)
            if command_id is not None:
                self._db.execute(
                    "INSERT INTO commands VALUES (?, ?, ?)",
                    (command_id, evening, json.dumps(answer)),
                )
            if fresh:
                self._db.execute(
                    "DELETE FROM commands WHERE evening <= ?", (evening - COMMANDS_KEPT_EVENINGS,)
                )

        try:
            in_one(self._db, work)
        except sqlite3.Error as error:
            if not self._stored(evening, log, command_id):
                raise said(error, self.folder) from error
        if entries:
            self._log = log
            self.evening = evening
            self._began_s = began_s
            self._side.catch_up(evening, log.entries, began_s)

    def _stored(self, evening: int, log: Log, command_id: str | None) -> bool:
        """True when the act is in the file although the disk complained: then it counts."""
        last = self._read(
            "SELECT coalesce(max(number), 0) FROM entries WHERE evening = ?", evening
        )[0][0]
        known = command_id is None or self._read(
            "SELECT 1 FROM commands WHERE command = ?", command_id
        )
        return bool(known) and last == log.next_number - 1

    @property
    def next_evening(self) -> int:
        """The number the next new evening will get."""
        return int(self._read("SELECT coalesce(max(evening), 0) + 1 FROM evenings")[0][0])

    def _read(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._mutex:
            try:
                return self._db.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise said(error, self.folder) from error


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, sorted(numbers)))


def _store(
    db: sqlite3.Connection,
    evening: int,
    began_s: float,
    now_s: float,
    ledger: Ledger,
    entries: tuple[Entry, ...],
) -> None:
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
        "INSERT INTO evenings VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (evening) DO UPDATE SET changed_s = excluded.changed_s, "
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


def _text(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
