"""Each evening's two copies, compared once in the life of a journal: before anything is read of it.

The start proves what goes on tonight and what the list of evenings cannot tell, the reading of an
evening proves that one, and `Journal.prove_rest` all others after the start. What differs is mended
and told in a sentence; the database as it was is kept. The journal holds its lock around all of it.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.errors import JournalTrouble
from companion.game.fold import fold
from companion.game.log import Entry, Log
from companion.journal.mending import mend_gaps
from companion.journal.rows import Row, evenings_with_rows, read_rows, store_entries
from companion.journal.side import FOLDER, NewerText, SideLog
from companion.journal.store import FILE, copy_aside, in_one
from companion.journal.two_copies import Believed, believed, is_understood, says_the_same

_HEADS = (
    "SELECT evening, began_s, changed_s, CAST(players AS BLOB), CAST(totals AS BLOB) FROM evenings"
)

MENDED_LATER_S = 0.001
"""A mended evening is dated so much later: who has read it before reads it again."""


@dataclass(slots=True)
class Proving:
    """Which evenings were compared, and what came of it."""

    db: sqlite3.Connection
    side: SideLog
    say: Callable[[str], None]
    """Told what was found, in a sentence."""
    kept: Path | None = None
    """The copy of the database as it was before the first mending."""
    _proven: set[int] = field(default_factory=set)
    _without_lines: bool = False
    """Whether the folder came without any lines, as a restored one does: there were none to be damaged."""

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self.side.folder

    def begin(self) -> None:
        """Prove what cannot wait: our newest evening, each of which the list of evenings tells nothing, or
        nothing that can be, and each of which it tells alone. Raises JournalTrouble."""
        self._without_lines = not os.path.lexists(self.folder / FOLDER)
        of_others = self.db.execute("SELECT evening FROM evenings WHERE imported")
        self.side.imported |= {number for (number,) in of_others}
        heads = {row[0]: row for row in self.db.execute(_HEADS)}
        odd = {number for number, row in heads.items() if not is_understood(*row[1:])}
        with_rows = evenings_with_rows(self.db)
        only_lines = self.side.numbers() - with_rows - set(heads)
        unequal = with_rows ^ set(heads)
        newest = self.db.execute(
            "SELECT evening FROM evenings ORDER BY imported, evening DESC LIMIT 1"
        ).fetchone()
        for evening in sorted({*odd, *unequal, *only_lines, *(newest or ())}):
            self.prove(evening)
        for evening in sorted(only_lines if heads else ()):
            if self._head(evening) is not None:
                self.say(
                    f"Evening {evening} was missing in the database; it came back from the lines beside it."
                )

    def note_written(self, evening: int) -> None:
        """Both copies of this evening were written just now."""
        self._proven.add(evening)

    def prove(self, evening: int) -> None:
        """Compare the evening's copies, unless that was done, and mend what differs.

        Raises:
            JournalTrouble: it is a newer companion's, or its database could not be kept as it was.
            sqlite3.Error: the database cannot be read or written.
        """
        if evening in self._proven:
            return
        head = self._head(evening)
        rows, data = read_rows(self.db, evening), self.side.read(evening)
        if head is None or not is_understood(*head[1:]) or not says_the_same(rows, data):
            try:
                told = believed(evening, rows, data)
            except NewerText as error:
                raise newer_trouble(self.folder, evening, error) from error
            self._settle(evening, head, rows, told)
        self._proven.add(evening)

    def _head(self, evening: int) -> tuple[Any, ...] | None:
        found: tuple[Any, ...] | None = self.db.execute(
            f"{_HEADS} WHERE evening = ?", (evening,)
        ).fetchone()
        return found

    def _settle(
        self, evening: int, head: tuple[Any, ...] | None, rows: list[Row], told: Believed
    ) -> None:
        """Let both copies have what is believed, and say what was found. An import that was stopped
        before it had written any lines of an evening has damaged none."""
        if head is None and not rows and not told.entries:
            return  # a file of somebody else's
        head_odd = head is not None and not is_understood(*head[1:])
        if head is None and told.imported:
            self.side.imported.add(evening)
        whole = told.entries + (mend_gaps(Log(told.entries)) if told.lost and told.entries else ())
        began_s = told.began_s if head is None or head_odd else float(head[1])
        alone = head is not None and not whole
        if told.spoilt or head_odd or alone:
            self._keep_copy()
        if told.spoilt or head is None or head_odd or alone or len(whole) > len(rows):
            changed_s = None if head is None or head_odd else float(head[2]) + MENDED_LATER_S
            self._rewrite(evening, whole, began_s, changed_s)
        if alone:
            self.say(
                f"Evening {evening} stood in the list of evenings without any entry: it is left out."
            )
        if not whole:
            return
        for sentence in _sentences(evening, rows, told, head_odd):
            self.say(sentence)
        last_act = next(at for at, entry in enumerate(whole) if entry.batch == whole[-1].batch)
        never_had = self._without_lines or (evening in self.side.imported and not told.in_lines)
        is_cut = told.in_lines + len(told.unproven) < last_act
        if rows and not never_had and is_cut and not fold(Log(whole)).ledger.over:
            self.say(
                f"The lines beside evening {evening} were damaged: they held {told.in_lines} of its {len(whole)} entries, "
                "and are written anew. Look the ledger's end over."
            )
        self.side.catch_up(evening, whole, began_s)

    def _rewrite(
        self, evening: int, whole: tuple[Entry, ...], began_s: float, changed_s: float | None
    ) -> None:
        def work() -> None:
            self.db.execute("DELETE FROM entries WHERE evening = ?", (evening,))
            if not whole:
                self.db.execute("DELETE FROM evenings WHERE evening = ?", (evening,))
                return
            at_s = whole[-1].at_s if changed_s is None else changed_s
            store_entries(self.db, evening, began_s, at_s, fold(Log(whole)).ledger, whole)
            imported = evening in self.side.imported
            self.db.execute(
                "UPDATE evenings SET began_s = ?, imported = ? WHERE evening = ?",
                (began_s, imported, evening),
            )

        in_one(self.db, work)

    def _keep_copy(self) -> None:
        if self.kept is None:
            self.kept = copy_aside(self.db, self.folder)


def newer_trouble(folder: Path, evening: int, error: Exception) -> JournalTrouble:
    """What is said of an evening that a newer companion wrote."""
    return JournalTrouble(
        f"Evening {evening} in {folder / FILE} holds {error}: update the companion; nothing was changed."
    )


def _sentences(evening: int, rows: list[Row], told: Believed, head_odd: bool) -> Iterator[str]:
    """What people are told of the mending; an evening that only the lines had comes back in silence."""
    if told.corrected:
        yield (
            f"Evening {evening}: the database was damaged in the entries {_listed(told.corrected)}; the lines "
            "beside it, whose check sums hold, were believed. Look the ledger over."
        )
    if told.lost:
        yield (
            f"Evening {evening}: of the entries {_listed(told.lost)} only damaged lines are left; "
            "all others that reached the disk are kept, and a round that misses one is void or has unknown cards. Look the ledger over."
        )
    if told.came_back and rows and not told.lost:
        yield (
            f"Evening {evening}: the database had lost its last {len(told.came_back)} entries; they came back from "
            "the lines beside it. Look the ledger's end over."
        )
    if told.unproven:
        yield (
            f"Evening {evening}: the lines beside it are damaged in the entries {_listed(told.unproven)}; the "
            "database was believed, which nothing proves there. Look the ledger over."
        )
    if told.differing:
        yield (
            f"Evening {evening}: the lines beside it say something else in the entries {_listed(told.differing)}; "
            "the database was believed, and the lines as they were are kept. Look the ledger over."
        )
    if head_odd and not told.corrected and not told.lost:
        yield (
            f"Evening {evening}: its players or totals could not be understood in the database; they were "
            "counted anew from its entries."
        )


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, sorted(numbers)))
