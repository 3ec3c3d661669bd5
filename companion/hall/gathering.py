"""The one writer of entries: what many tables send at a time is stored in one transaction.

An entry is stored once. One that is known already is answered like a new one; another one under a
known number is refused and kept for the host; a gap is refused with the number the hall has. What
is answered is on the disk. Knows SQL and entries; must not know HTTP, nor what entries mean.
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from companion.errors import HallAway, HallTrouble
from companion.game.event_json import entry_to_dict
from companion.game.log import Entry
from companion.hall.arriving import Batch, same_json
from companion.hall.database import Database

MOST_GATHERED = 400
"""Letters in one transaction."""

MOST_REFUSED = 100
"""Refused entries kept of one table: enough to see what happened."""

HEADS_KEPT = 200_000
"""So many evenings' highest numbers are remembered; others are asked for again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a letter: `have` is the highest number the hall holds of that evening."""

    status: str
    """"stored", "gap" or "other"."""
    have: int
    number: int | None = None
    """The number under which another entry is known."""


Key = tuple[str, int]
OnStored = Callable[[str, Batch], None]


class Gatherer:
    """Takes letters from any thread; a thread of its own stores them."""

    def __init__(
        self, database: Database, on_stored: OnStored, is_in: Callable[[str], bool]
    ) -> None:
        self._database = database
        self._on_stored = on_stored
        self._is_in = is_in
        self._letters: queue.SimpleQueue[tuple[str, Batch, Future[Answer]] | None] = (
            queue.SimpleQueue()
        )
        self._heads: dict[Key, int] = {}
        self.stored = 0
        self.repeated = 0
        self.refused = 0
        self.transactions = 0
        self._thread = threading.Thread(target=self._run, name="hall-gatherer", daemon=True)

    def start(self) -> None:
        """Begin to store."""
        self._thread.start()

    def stop(self) -> None:
        """Store what has come, and end."""
        if self._thread.is_alive():
            self._letters.put(None)
            self._thread.join(10)
        self._database.close()

    def store(self, table: str, batch: Batch, patience_s: float = 20.0) -> Answer:
        """Store this letter, and say what became of it once it is on the disk.

        Raises:
            HallAway: the database is not there, or another hall's; the table may send the same again.
            HallTrouble: it refused this letter, or the table was sent away while it waited.
        """
        answer: Future[Answer] = Future()
        self._letters.put((table, batch, answer))
        try:
            return answer.result(patience_s)
        except TimeoutError:
            raise HallAway("The hall's database is slow: the table sends it again.") from None

    def _run(self) -> None:
        while (letter := self._letters.get()) is not None:
            letters = [letter]
            while len(letters) < MOST_GATHERED and not self._letters.empty():
                more = self._letters.get()
                if more is None:
                    self._letters.put(None)
                    break
                letters.append(more)
            self._store_all(letters)

    def _store_all(self, letters: list[tuple[str, Batch, Future[Answer]]]) -> None:
        try:
            answers = self._in_one([(table, batch) for table, batch, _ in letters])
        except Exception as error:
            for table, batch, _ in letters:
                self._heads.pop((table, batch.evening), None)  # whether it was stored is unknown
            if len(letters) > 1 and not isinstance(error, HallAway):
                for one in letters:  # one of them is poison: it spoils nobody's but its own
                    self._store_all([one])
                return
            for _, _, waits in letters:
                waits.set_exception(error)
            return
        for (table, batch, waits), answer in zip(letters, answers, strict=True):
            waits.set_result(answer)
            if answer.status == "stored":
                self._on_stored(table, batch)

    def _in_one(self, letters: list[tuple[str, Batch]]) -> list[Answer]:
        """The answers to these letters, all stored in one transaction."""
        with self._database.transaction() as cursor:
            heads = self._find_heads(cursor, {(table, batch.evening) for table, batch in letters})
            known = _known_entries(cursor, letters, heads)
            pending: dict[tuple[str, int, int], Entry] = {}
            refused: list[tuple[str, int, Entry]] = []
            answers = []
            for table, batch in letters:
                key = table, batch.evening
                answer = _judge(key, batch, heads[key], known)
                if answer.status == "other":
                    refused.append((*key, batch.entries[(answer.number or 0) - batch.first]))
                if answer.status == "stored":
                    for entry in batch.entries:
                        if entry.number > heads[key]:
                            pending[(*key, entry.number)] = entry
                            known[(*key, entry.number)] = entry_to_dict(entry)
                    heads[key] = answer.have
                answers.append(answer)
            _insert(cursor, pending)
            _keep_refused(cursor, refused)
            if not all(self._is_in(table) for table, _ in letters):
                raise HallTrouble("This table was sent away.")
        self._heads.update(heads)
        self.transactions += 1
        self.stored += len(pending)
        self.refused += len(refused)
        self.repeated += sum(
            len(batch.entries)
            for (_, batch), answer in zip(letters, answers, strict=True)
            if answer.status == "stored"
        ) - len(pending)
        return answers

    def _find_heads(self, cursor: Any, keys: set[Key]) -> dict[Key, int]:
        if len(self._heads) > HEADS_KEPT:
            self._heads.clear()
        asked = sorted(key for key in keys if key not in self._heads)
        heads = {key: self._heads.get(key, 0) for key in keys}
        if asked:
            cursor.execute(
                "select table_id, evening, max(number) from entry join unnest(%s::text[], %s::int[]) "
                "as asked(table_id, evening) using (table_id, evening) group by table_id, evening",
                ([table for table, _ in asked], [evening for _, evening in asked]),
            )
            heads |= {(table, evening): have for table, evening, have in cursor.fetchall()}
        return heads


def _judge(key: Key, batch: Batch, head: int, known: dict[tuple[str, int, int], Any]) -> Answer:
    """What becomes of a letter of a table whose evening the hall has up to `head`."""
    if batch.first > head + 1:
        return Answer("gap", head)
    for entry in batch.entries:
        if entry.number <= head and not same_json(
            known.get((*key, entry.number)), entry_to_dict(entry)
        ):
            return Answer("other", head, entry.number)
    return Answer("stored", max(head, batch.entries[-1].number))


def _known_entries(
    cursor: Any, letters: list[tuple[str, Batch]], heads: dict[Key, int]
) -> dict[tuple[str, int, int], Any]:
    """What the database holds under the numbers that came again."""
    again = sorted(
        {
            (table, batch.evening, entry.number)
            for table, batch in letters
            for entry in batch.entries
            if entry.number <= heads[table, batch.evening]
        }
    )
    if not again:
        return {}
    cursor.execute(
        "select table_id, evening, number, entry from entry join "
        "unnest(%s::text[], %s::int[], %s::int[]) as asked(table_id, evening, number) "
        "using (table_id, evening, number)",
        tuple(list(column) for column in zip(*again, strict=True)),
    )
    return {(table, evening, number): entry for table, evening, number, entry in cursor.fetchall()}


def _insert(cursor: Any, pending: dict[tuple[str, int, int], Entry]) -> None:
    if pending:
        tables, evenings, numbers = (list(column) for column in zip(*pending, strict=True))
        cursor.execute(
            "insert into entry (table_id, evening, number, entry) "
            "select * from unnest(%s::text[], %s::int[], %s::int[], %s::jsonb[]) "
            "on conflict do nothing",
            (tables, evenings, numbers, [as_text(entry) for entry in pending.values()]),
        )


def _keep_refused(cursor: Any, refused: list[tuple[str, int, Entry]]) -> None:
    for table, evening, entry in refused:
        cursor.execute(
            "insert into refused_entry (table_id, evening, number, entry) "
            "select %s, %s, %s, %s::jsonb where "
            "(select count(*) from refused_entry where table_id = %s) < %s",
            (table, evening, entry.number, as_text(entry), table, MOST_REFUSED),
        )


def as_text(entry: Entry) -> str:
    """The entry as the database takes it."""
    return json.dumps(entry_to_dict(entry), separators=(",", ":"))
