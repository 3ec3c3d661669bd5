"""The results of all evenings a hall has, folded once each and kept.

Knows the database and the floor; the season itself is `season`'s.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from companion.game.event_json import entry_from_dict
from companion.hall.database import Database
from companion.hall.floor import Floor
from companion.hall.season import EveningResult, result_of
from companion.hall.standing import stand
from companion.hall.tables import TableRegister

FRESH_S = 10.0
"""A season is made again at most so often."""


class SeasonBook:
    """All results, of the tables that count. Thread-safe; whoever asks first makes it for the rest."""

    def __init__(self, database: Database, register: TableRegister, floor: Floor) -> None:
        self._database = database
        self._register = register
        self._floor = floor
        self._lock = threading.Lock()
        self._made_s = float("-inf")
        self._kept: dict[tuple[str, int], tuple[int, EveningResult | None]] = {}
        self._results: list[EveningResult] = []

    def results(self) -> list[EveningResult]:
        """Every finished evening of the tables that count. Raises HallTrouble."""
        with self._lock:
            if time.monotonic() - self._made_s > FRESH_S:
                self._results = self._made()
                self._made_s = time.monotonic()
            return self._results

    def finished_after(self, table_id: str, evening: int) -> list[tuple[int, EveningResult]]:
        """The finished evenings of a table after that one, each with its number; when they ended is told
        by the table's clock, put back by as much as it was seen to be ahead: no entry arrives before it
        was made. A clock that is behind looks like entries that were long under way. Raises HallTrouble.
        """
        with self._lock:
            heads = self._database.rows(
                "select evening, max(number), "
                "max((entry ->> 'at_s')::float8 - extract(epoch from arrived_at)::float8) "
                "from entry where table_id = %s and evening > %s group by evening order by evening",
                table_id,
                evening,
            )
            ahead_s = max([0.0, *(ahead_s for _, _, ahead_s in heads)])
            results = [
                (number, self._kept_result(table_id, number, have)) for number, have, _ in heads
            ]
            return [
                (number, replace(result, ended_s=result.ended_s - ahead_s))
                for number, result in results
                if result is not None
            ]

    def forget(self, table_id: str) -> None:
        """Something about this table changed: look at its evenings again. Nobody else's are folded anew,
        however often one table changes its names."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == table_id]:
                del self._kept[key]
            self._made_s = float("-inf")

    def close(self) -> None:
        """Let the connection go."""
        with self._lock:
            self._database.close()

    def _made(self) -> list[EveningResult]:
        heads = self._database.rows(
            "select table_id, evening, max(number) from entry group by table_id, evening"
        )
        found = []
        for table_id, evening, have in heads:
            table = self._register.table(table_id)
            if table is None or table.revoked or not table.counts:
                continue
            result = self._kept_result(table_id, evening, have)
            if result is not None:
                found.append(result)
        return found

    def _kept_result(self, table_id: str, evening: int, have: int) -> EveningResult | None:
        key = table_id, evening
        if key not in self._kept or self._kept[key][0] != have:
            self._kept[key] = have, self._result(table_id, evening, have)
        return self._kept[key][1]

    def _result(self, table_id: str, evening: int, have: int) -> EveningResult | None:
        standing = self._floor.standing(table_id)
        if standing is None or (standing.evening, standing.have) != (evening, have):
            rows = self._database.rows(
                "select entry from entry where table_id = %s and evening = %s order by number",
                table_id,
                evening,
            )
            standing = stand(evening, tuple(entry_from_dict(row[0]) for row in rows))
        if standing.misfit is not None:
            return None
        names = self._floor.names_of(table_id)
        return result_of(table_id, standing.changed_s, standing.ledger, names)
