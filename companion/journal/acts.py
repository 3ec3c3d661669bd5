"""What people did to the book of evenings (renamed, merged, forgot, deleted, took back), in order.

It only grows, like an evening's log; what an act means is not known here, only what it must say. Kept in
the journal's database, and once more whole in `acts.json` beside it, each act with a check sum: from
there a rebuilt database takes them, and one that was damaged those that it holds no longer as they were.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any

from card_printables.files import move_aside, read_regular, write_beside_then_replace
from companion.journal.side import check_sum
from companion.journal.store import empty_log, in_one, said

BESIDE = "acts.json"

GO_ON = "go_on"

SHAPES: Mapping[str, Mapping[str, type]] = {
    "rename": {"person": str, "name": str},
    "merge": {"person": str, "into": str},
    "forget": {"person": str},
    "delete": {"evening": int},
    "place": {"evening": int, "place": str},
    "undo": {"act": int},
    GO_ON: {"evening": int},
}
"""What can be done to the book, and what each must say."""

NAMING = ("rename", "merge", "forget")
"""Of these only the kind is left once the person is forgotten."""

MOST_ACTS = 1_000_000_000
"""No act, and no evening that one names, has a greater number."""


@dataclass(frozen=True, slots=True)
class Act:
    """One line: what was done (`what["do"]` says its kind), when, and from which device."""

    number: int
    at_s: float
    author: str | None
    what: dict[str, Any]


def is_understood(what: Mapping[str, Any]) -> bool:
    """True where an act says all that its kind must say; a blanked one does not, nor one of a kind that
    is not known here."""
    shape = SHAPES.get(str(what.get("do")))
    return shape is not None and all(
        type(what.get(name)) is kind and (kind is str or 0 < what[name] <= MOST_ACTS)
        for name, kind in shape.items()
    )


def act_from(number: Any, at_s: Any, author: Any, what: Any) -> Act | None:
    """The act that was read there, in a database, in `acts.json` or in a stranger's backup; None where it
    is none. One of a kind that is not known here may be a newer companion's: it stays, and counts for
    nothing."""
    if type(number) is not int or not 0 < number <= MOST_ACTS or type(at_s) not in (int, float):
        return None
    if (
        not abs(at_s) <= sys.float_info.max
        or not isinstance(author, str | None)
        or not isinstance(what, dict)
    ):
        return None
    do = what.get("do")
    if not isinstance(do, str):
        return None
    if do in SHAPES and not is_understood(what) and not _is_blank(what):
        return None
    return Act(number, float(at_s), author, what) if _can_be_written([author, what]) else None


def _is_blank(what: dict[str, Any]) -> bool:
    return what["do"] in NAMING and len(what) == 1


def _can_be_written(told: Any) -> bool:
    """False for halves of characters and numbers that are none: no page and no file takes them."""
    try:
        json.dumps(told, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return False
    return True


class ActLog:
    """The acts of one data folder. Shares the journal's connection and its lock."""

    def __init__(
        self,
        db: sqlite3.Connection,
        mutex: RLock,
        folder: Path,
        clock: Callable[[], float],
        check_in_place: Callable[[], None],
        keep_copy: Callable[[], object],
    ) -> None:
        """What was damaged in the database is taken from `acts.json`, or left out; `notices` says so.

        `check_in_place` raises JournalTrouble where the database was taken away; `keep_copy` keeps it as
        it is, before it is mended.
        """
        self._db = db
        self._mutex = mutex
        self._check_in_place = check_in_place
        self._folder = folder
        self._clock = clock
        self.notices: tuple[str, ...] = ()
        """What was found and could not be believed, as sentences."""
        self._behind = False
        acts, odd = acts_and_odd(db)
        self._acts = acts
        copy = _read_beside(folder)
        if odd or copy != _written(acts):
            self._compare(odd, copy, keep_copy)

    def _compare(self, odd: list[int], copy: bytes | None, keep_copy: Callable[[], object]) -> None:
        """Believe the act whose check sum holds, else the database's, and let both have it. No row is ever
        taken out: an act that the copy alone has was lost with the end of the database's log."""
        rows = {act.number: act for act in self._acts}
        beside, whole = _acts_in(copy)
        if not whole:
            name = move_aside(self._folder / BESIDE)
            self.notices += (f"Not all of acts.json could be understood: it is kept as {name}.",)
        corrected = {
            number: act
            for number, (act, has_sum) in beside.items()
            if has_sum and number in rows and not _tell_the_same(act, rows[number])
        }
        missing = {number: told for number, told in beside.items() if number not in rows}
        came_back = {
            number: act for number, (act, has_sum) in missing.items() if has_sum or odd or not rows
        }
        if odd or corrected:
            keep_copy()
        if odd or corrected or came_back:
            self._replace(odd, [*corrected.values(), *came_back.values()])
        self.notices += tuple(
            _sentences(
                sorted({*corrected, *(came_back if odd or rows else ())}),
                sorted({*odd} - {*beside}),
            )
        )
        if came_back or not missing or not whole:
            self._copy_beside()

    def _replace(self, gone: list[int], acts: Sequence[Act]) -> None:
        numbers = [(number,) for number in (*gone, *(act.number for act in acts))]

        def work() -> None:
            self._db.executemany("DELETE FROM acts WHERE number = ?", numbers)
            self._insert(acts)

        try:
            in_one(self._db, work)
        except sqlite3.Error as error:
            raise said(error, self._folder) from error
        self._acts = read_acts(self._db)

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
            self._check_in_place()
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
        """These were stored. The copy beside follows; where the disk does not take it `catch_up` does,
        for what is stored is not refused."""
        self._acts += acts
        self._copy_beside()

    def catch_up(self) -> None:
        """Write the copy beside where the disk did not take it before."""
        with self._mutex:
            if self._behind:
                self._copy_beside()

    def blank(self, told: dict[int, dict[str, Any]]) -> None:
        """Say the acts with these numbers in other words, all or none, and leave nothing of the old ones
        in the file: only to take a forgotten name out of them, or a deleted evening. Raises
        JournalTrouble when the disk refuses."""
        rows = [(json.dumps(what), number) for number, what in told.items()]
        with self._mutex:
            self._db.execute("PRAGMA secure_delete = ON")
            self._write(
                lambda: self._db.executemany("UPDATE acts SET act = ? WHERE number = ?", rows)
            )

    def _insert(self, acts: Sequence[Act]) -> None:
        rows = [(one.number, one.at_s, one.author, json.dumps(one.what)) for one in acts]
        self._db.executemany("INSERT INTO acts VALUES (?, ?, ?, ?)", rows)

    def _write(self, work: Callable[[], object]) -> None:
        self._check_in_place()
        try:
            in_one(self._db, work)
            empty_log(self._db)
            self._acts = read_acts(self._db)
        except sqlite3.Error as error:
            raise said(error, self._folder) from error
        self._copy_beside()

    def _copy_beside(self) -> None:
        at = self._folder / BESIDE
        self._behind = False
        try:  # what stands in the database stands: the copy follows once the disk takes it
            if not self._acts and not at.exists():
                return
            if at.is_dir():
                move_aside(at)
            write_beside_then_replace(at, _written(self._acts))
        except OSError:
            self._behind = True


def read_acts(db: sqlite3.Connection, journal: str = "main") -> tuple[Act, ...]:
    """The acts in a journal's database, by the name under which `db` reads it, without what is none; none
    where an older companion wrote it last."""
    return acts_and_odd(db, journal)[0]


def acts_and_odd(
    db: sqlite3.Connection, journal: str = "main"
) -> tuple[tuple[Act, ...], list[int]]:
    """The same, and the numbers of the rows that are no acts."""
    if not db.execute(f"SELECT 1 FROM {journal}.sqlite_schema WHERE name = 'acts'").fetchone():
        return (), []
    rows = db.execute(
        f"SELECT number, at_s, CAST(author AS BLOB), CAST(act AS BLOB) FROM {journal}.acts ORDER BY number"
    )
    read = [(row[0], _act_in(*row)) for row in rows]
    acts = tuple(act for _, act in read if act is not None)
    return acts, [number for number, act in read if act is None]


def _act_in(number: Any, at_s: Any, author: Any, told: Any) -> Act | None:
    try:
        author = None if author is None else author.decode("utf-8")
        return act_from(number, at_s, author, json.loads(told.decode("utf-8")))
    except (ValueError, AttributeError, RecursionError):
        return None


# --- the copy beside


def _written(acts: Sequence[Act]) -> bytes:
    """The copy of these acts, as the file holds it."""
    return json.dumps([_line(act) for act in acts]).encode()


def _line(act: Act) -> list[Any]:
    told = [act.number, act.at_s, act.author, act.what]
    return [*told, check_sum(json.dumps(told).encode())]


def _read_beside(folder: Path) -> bytes | None:
    """The copy as it lies there, one without acts where there is none; None where it cannot be read."""
    try:
        return read_regular(folder / BESIDE)
    except FileNotFoundError:
        return _written(())
    except OSError:
        return None


def _acts_in(copy: bytes | None) -> tuple[dict[int, tuple[Act, bool]], bool]:
    """The acts of the copy that can be believed, each with whether it has a sum (those of before have
    none), and whether that is all of it."""
    try:
        rows = json.loads(copy.decode("utf-8")) if copy is not None else None
    except (ValueError, RecursionError):
        return {}, False
    if not isinstance(rows, list):
        return {}, False
    acts: dict[int, tuple[Act, bool]] = {}
    for row in rows:
        if isinstance(row, list) and len(row) in (4, 5) and (act := act_from(*row[:4])) is not None:
            if len(row) == 5 and row != _line(act):
                continue
            acts.setdefault(act.number, (act, len(row) == 5))
    return acts, len(acts) == len(rows)


def _tell_the_same(line: Act, row: Act) -> bool:
    """True also where only one of them was blanked or settled yet: the copy follows the database."""
    if _is_blank(line.what) or _is_blank(row.what):
        return bool(line.what["do"] == row.what["do"])
    told = [one.what | {"settled": True} for one in (line, row)]
    return told[0] == told[1] and (line.at_s, line.author) == (row.at_s, row.author)


def _sentences(corrected: list[int], lost: list[int]) -> list[str]:
    told = []
    if corrected:
        told.append(
            "What people did to the book of evenings was damaged in the database (the acts "
            f"{', '.join(map(str, corrected))}): acts.json was believed. Look the book over."
        )
    if lost:
        told.append(
            f"Of what people did to the book of evenings the acts {', '.join(map(str, lost))} could not be "
            "understood: they are left out. Look the book over."
        )
    return told
