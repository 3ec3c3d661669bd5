"""The floor: how every table stands just now, for as many boards as look on.

A thread of its own folds what was stored; a board gets the whole of its page when it comes, and then
the tables that changed. Nothing here is the truth: after a restart it is folded again from the
database. Knows entries and windows; must not know HTTP.
"""

from __future__ import annotations

import itertools
import json
import logging
import queue
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from companion.errors import HallTrouble
from companion.game.event_json import entry_from_dict
from companion.hall.arriving import Batch
from companion.hall.database import Database
from companion.hall.standing import Standing, stand, window_of
from companion.hall.tables import HallTable, TableRegister

TABLES_A_PAGE = 200
"""A board shows so many tables; page 1 has the tables 1 to 200."""

GATHER_S = 0.05
"""Changes of so long go to the boards as one message."""

RECENT = 64
"""Messages kept for boards that are slow; who is further behind gets the whole page."""

WHOLE_AT_ONCE = 8
"""So many tables are folded whole between two looks at what has come: what is new goes first."""

SHARE = 20.0
"""A table whose log must be folded whole waits so many times as long as that took before the next
time: no table holds more than a twentieth of the thread."""

ASKS_S = 120.0
"""A question that is open so long needs somebody to come by (chosen)."""

SILENT_S = 200.0
"""And so does a table that says nothing for so long in mid-evening: three of its beats did not come (see
`BEAT_S` in `companion/outbox/sender.py`)."""


@dataclass(slots=True)
class BoardPage:
    """The tables of one page as boards know them."""

    changed: threading.Condition = field(default_factory=threading.Condition)
    version: int = 0
    windows: dict[int, dict[str, Any]] = field(default_factory=dict)
    recent: deque[bytes] = field(default_factory=lambda: deque(maxlen=RECENT))
    whole: bytes | None = None

    def publish(self, windows: list[dict[str, Any]], gone: list[int]) -> None:
        """Let every board know of these tables."""
        with self.changed:
            self.version += 1
            self.windows |= {window["table"]: window for window in windows}
            for number in gone:
                self.windows.pop(number, None)
            self.recent.append(message_of(self.version, {"tables": windows, "gone": gone}))
            self.whole = None
            self.changed.notify_all()

    def whole_message(self) -> tuple[bytes, int]:
        """All tables of the page, and its version."""
        with self.changed:
            if self.whole is None:
                tables = [self.windows[number] for number in sorted(self.windows)]
                self.whole = message_of(self.version, {"whole": True, "tables": tables})
            return self.whole, self.version

    def wait_for_change(self, seen: int, timeout_s: float) -> tuple[bytes | None, int]:
        """What changed after version `seen`, and the version then; (None, seen) after `timeout_s`."""
        with self.changed:
            if not self.changed.wait_for(lambda: self.version != seen, timeout_s):
                return None, seen
            behind = self.version - seen
            if not 0 < behind <= len(self.recent):
                return self.whole_message()
            return b"".join(list(self.recent)[-behind:]), self.version


def message_of(version: int, told: dict[str, Any]) -> bytes:
    """One message of the stream."""
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return f"id: {version}\ndata: {text}\n\n".encode()


class Floor:
    """All tables as they stand. Its thread folds; every public method may be called from any."""

    def __init__(self, database: Database, register: TableRegister) -> None:
        self._database = database
        self._register = register
        self._came: queue.SimpleQueue[tuple[str, Batch | None] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._pages: dict[int, BoardPage] = {}
        self._standings: dict[str, Standing] = {}
        self._heard: dict[str, tuple[float, str | None]] = {}
        self._names: dict[str, dict[str, str]] = {}
        self._late: dict[str, None] = {}
        """Tables that are to be folded whole, the longest waiting first."""
        self._not_before_s: dict[str, float] = {}
        self.lag_s = 0.0
        self._thread = threading.Thread(target=self._run, name="hall-floor", daemon=True)

    def start(self) -> None:
        """Fold what the database holds, the newest evening of each table, and then what comes."""
        for table_id, pseudonym, name in self._database.rows(
            "select table_id, pseudonym, name from person"
        ):
            self._names.setdefault(table_id, {})[pseudonym] = name
        for (table_id,) in self._database.rows("select distinct table_id from entry"):
            self._late[table_id] = None
        self._thread.start()

    def stop(self) -> None:
        """Stop folding."""
        if self._thread.is_alive():
            self._came.put(None)
            self._thread.join(5)
        self._database.close()

    def page(self, number: int) -> BoardPage:
        """The page of this number, from 1."""
        with self._lock:
            return self._pages.setdefault(number, BoardPage())

    def standing(self, table_id: str) -> Standing | None:
        """How a table stands, as far as it was folded."""
        return self._standings.get(table_id)

    def names_of(self, table_id: str) -> dict[str, str]:
        """The names that a table shows in place of its pseudonyms."""
        return self._names.get(table_id, {})

    def hear(self, table_id: str, state: str | None) -> None:
        """The table spoke; its camera is in this state."""
        self._heard[table_id] = time.monotonic(), state

    def take_batch(self, table_id: str, batch: Batch) -> None:
        """These entries were stored."""
        self._came.put((table_id, batch))

    def take_names(self, table_id: str, names: dict[str, str]) -> None:
        """The table shows these names from now on."""
        self._names[table_id] = names
        self._came.put((table_id, None))

    def look_again(self, table_id: str) -> None:
        """Something about this table changed: show it anew."""
        self._came.put((table_id, None))

    def window(self, table: HallTable, standing: Standing) -> dict[str, Any]:
        """What boards show of this table."""
        shown = window_of(standing, self.names_of(table.id))
        return {"table": table.number, "name": table.name, **shown}

    def help_wanted(self, table_id: str, wall_s: float) -> str | None:
        """Why somebody should come by: "question", "camera", "silent" or "misfit"; None where all
        is well. For the host only."""
        standing = self._standings.get(table_id)
        heard_s, state = self._heard.get(table_id, (None, None))
        if standing is None or standing.ledger.over:
            return None
        if standing.misfit is not None:
            return "misfit"
        if state == "stopped":
            return "camera"
        if standing.asked is not None and wall_s - standing.asked[1] > ASKS_S:
            return "question"
        if heard_s is not None and time.monotonic() - heard_s > SILENT_S:
            return "silent"
        return None

    @property
    def waiting(self) -> int:
        """Letters that were stored and not folded yet."""
        return self._came.qsize()

    def _run(self) -> None:
        while (came := self._next()) is not None:
            began_s = time.monotonic()
            changed: set[str] = set()
            for table_id, batch in came:
                self._try(changed, table_id, batch)
            for table_id in self._ready():
                self._late.pop(table_id)
                self._try(changed, table_id, None, whole=True)
            self._publish(changed)
            self.lag_s = time.monotonic() - began_s

    def _next(self) -> list[tuple[str, Batch | None]] | None:
        """What has come; None at the end. Waits a moment only, while tables are to be folded whole."""
        came: list[tuple[str, Batch | None]] = []
        try:
            first = self._came.get(timeout=GATHER_S / 10 if self._late else None)
            if first is None:
                return None
            came.append(first)
            until_s = time.monotonic() + GATHER_S
            while (left_s := until_s - time.monotonic()) > 0 and len(came) < RECENT * 8:
                more = self._came.get(timeout=left_s)
                if more is None:
                    self._came.put(None)
                    break
                came.append(more)
        except queue.Empty:
            pass
        return came

    def _ready(self) -> list[str]:
        now_s = time.monotonic()
        ready = (one for one in self._late if self._not_before_s.get(one, 0.0) <= now_s)
        return list(itertools.islice(ready, WHOLE_AT_ONCE))

    def _try(
        self, changed: set[str], table_id: str, batch: Batch | None, whole: bool = False
    ) -> None:
        try:
            if whole:
                self._fold_whole(table_id)
            elif batch is not None and not self._follow(table_id, batch):
                self._late[table_id] = None
                return
            changed.add(table_id)
        except HallTrouble:
            self._late[table_id] = None
            self._not_before_s[table_id] = time.monotonic() + 1.0
        except Exception:  # one table's log must not stop the others' boards
            logging.getLogger(__name__).exception("a table could not be folded")

    def _follow(self, table_id: str, batch: Batch) -> bool:
        """True where the table's standing follows these entries; False where its whole log is needed."""
        old = self._standings.get(table_id)
        if old is not None:
            if batch.evening < old.evening:
                return True
            if batch.evening == old.evening and (new := old.follow(batch.entries)) is not None:
                self._standings[table_id] = new
                return True
        if batch.first == 1 and (old is None or batch.evening > old.evening):
            self._standings[table_id] = stand(batch.evening, batch.entries)
            return True
        return False

    def _fold_whole(self, table_id: str) -> None:
        began_s = time.monotonic()
        try:
            self._read_and_stand(table_id)
        finally:
            now_s = time.monotonic()
            self._not_before_s[table_id] = now_s + (now_s - began_s) * SHARE

    def _read_and_stand(self, table_id: str) -> None:
        rows = self._database.rows(
            "select evening, entry from entry where table_id = %s and evening = "
            "(select max(evening) from entry where table_id = %s) order by number",
            table_id,
            table_id,
        )
        if rows:
            entries = tuple(entry_from_dict(row[1]) for row in rows)
            self._standings[table_id] = stand(rows[0][0], entries)

    def _publish(self, changed: set[str]) -> None:
        by_page: dict[int, tuple[list[dict[str, Any]], list[int]]] = {}
        for table_id in changed:
            table = self._register.table(table_id)
            if table is None:
                continue
            page = by_page.setdefault((table.number - 1) // TABLES_A_PAGE + 1, ([], []))
            standing = self._standings.get(table_id)
            if table.revoked or not table.counts or standing is None:
                page[1].append(table.number)
                continue
            try:
                page[0].append(self.window(table, standing))
            except Exception:  # one table's log must not stop the others' boards
                logging.getLogger(__name__).exception("a table could not be shown")
        for number, (windows, gone) in by_page.items():
            self.page(number).publish(windows, gone)
