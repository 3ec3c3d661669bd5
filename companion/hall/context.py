"""What the views of a hall share, typed: its door, its tables, its writer and its floor.

Made once by `app.open_hall`; a view asks `hall()` for it. Decides nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from flask import current_app, g, has_request_context

from companion.errors import HallTrouble
from companion.hall.database import Database, WritersLock
from companion.hall.floor import Floor
from companion.hall.gathering import Gatherer
from companion.hall.patience import Patience
from companion.hall.season_book import SeasonBook
from companion.hall.tables import TableRegister
from companion.hall.tournament_book import TournamentBook
from companion.web.context import House, require_still_in
from companion.web.guards.access import Device, Rule
from companion.web.guards.rate_limits import RateLimit, RateLimiter

TABLE_COOKIE = "companion_table"
"""A table's token travels like a screen's: as a cookie that its companion sends."""

LETTERS = RateLimit(at_once=30, a_second=3)
"""Letters of one table. Chosen: a table that comes back after an evening alone sends some ten."""

ENTRIES = RateLimit(at_once=20_000, a_second=5)
"""Entries of one table: some sixty evenings at once, and then fifty times as fast as anybody plays. Without
it a table could fill the hall's disk."""

KNOCKS = RateLimit(at_once=20, a_second=0.25)
"""So fast phones of one address may check in, and change what they said: some at once, then fifteen a
minute (chosen: behind a router all phones have one address)."""

KNOCKS_OF_ALL = RateLimit(at_once=120, a_second=4)
"""And so fast all of them together: a club's hundred at once, and no flood reaches the database."""

HOLDS_S = 5.0
"""So often the hall sees that it still is the one that writes, and that the database answers."""


@dataclass(slots=True, kw_only=True)
class Hall(House):
    """What the views of a hall share. Many attributes: what every server has, and the hall's eight
    parts."""

    database: Database
    """For the host's questions; behind `asking`."""
    register: TableRegister
    gatherer: Gatherer
    floor: Floor
    lock: WritersLock
    patience: Patience
    season: SeasonBook
    tournament: TournamentBook
    knocks: RateLimiter = field(default_factory=lambda: RateLimiter(KNOCKS))
    knocks_of_all: RateLimiter = field(default_factory=lambda: RateLimiter(KNOCKS_OF_ALL))
    letter_limiter: RateLimiter = field(default_factory=lambda: RateLimiter(LETTERS))
    entry_limiter: RateLimiter = field(default_factory=lambda: RateLimiter(ENTRIES))
    asking: threading.Lock = field(default_factory=threading.Lock)
    stopped: threading.Event = field(default_factory=threading.Event)
    trouble: str | None = None
    """What the last look at the database said; None while all is well."""

    def device_of(self, cookies: Mapping[str, str]) -> Device | None:
        """The screen, or the table, that holds one of these cookies."""
        table = self.register.holder_of(cookies.get(TABLE_COOKIE))
        if table is not None:
            return Device(f"table:{table.id}", str(table.number), Rule.TABLE, table.token_hash)
        return self.door.device(cookies.get(self.cookie))

    def start(self) -> None:
        """Begin to store and to fold, and watch over the right to write."""
        self.gatherer.start()
        self.floor.start()
        threading.Thread(target=self._hold, name="hall-lock", daemon=True).start()

    def _hold(self) -> None:
        while not self.stopped.wait(HOLDS_S):
            self.hold()

    def hold(self) -> None:
        """See that this hall still is the one that writes. A database that was started anew has
        freed the right; where another hall has begun since, this one asks and stores nothing more."""
        try:
            self.lock.take()
        except HallTrouble as trouble:
            self.trouble = str(trouble)
        else:
            self.trouble = None

    def stop_work(self) -> None:
        """Store what has come, and let another hall write. A database that does not answer is waited for
        no longer: one last look finds out."""
        if not self.stopped.is_set():
            self.hold()
        self.gatherer.stop()
        self.floor.stop()
        self.register.close()
        self.season.close()
        self.tournament.close()
        with self.asking:
            self.database.close()
        self.stopped.set()
        self.lock.release()


def require_asker_in() -> None:
    """401 in a request of a screen or a table that was sent away since it was let through."""
    if has_request_context() and g.get("device") is not None:
        require_still_in()


def hall() -> Hall:
    """What the views of the current app share."""
    shared: Hall = current_app.extensions["companion"]
    return shared
