"""The hall's app: the same guards and the same door as a table's, with tables beside the screens.

Knows Flask and what the views share; folds nothing and stores nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

from flask import Flask

from companion.hall.context import Hall, require_asker_in
from companion.hall.database import Database, WritersLock, bring_forward
from companion.hall.floor import Floor
from companion.hall.gathering import Gatherer
from companion.hall.patience import Patience
from companion.hall.season_book import SeasonBook
from companion.hall.tables import TableRegister
from companion.hall.tournament_book import TournamentBook
from companion.hall.views import board, check_in, host, metrics, season, table_door, tournament
from companion.web.app import guarded_app
from companion.web.guards import headers
from companion.web.guards.access import Door
from companion.web.guards.certificate_authority import Authority
from companion.web.guards.rate_limits import RateLimit
from companion.web.stream import Streams
from companion.web.views import pairing, trust_page

BOARDS = 240
"""Boards and hosts that may look on at once."""

SCREENS = RateLimit(at_once=BOARDS, a_second=1)
"""So fast a hall lets screens in: a club hangs up all its boards at once."""

WAITS_FOR_LOCK_S = 10.0
"""A hall that was killed holds its lock until the server notices."""


def open_hall(
    url: str,
    door: Door | None = None,
    *,
    hosts: Iterable[str] = (),
    version: str = "",
    authority: Authority | None = None,
    wait_s: float = WAITS_FOR_LOCK_S,
) -> Hall:
    """The parts of a hall on this database, not started yet; its schema is brought forward.

    Raises:
        HallTrouble: the database cannot be used, or another hall writes to it.
    """
    patience = Patience()
    lock = WritersLock(url, patience)

    def connection(name: str) -> Database:
        return Database(url, name, patience, lock=lock, require=require_asker_in)

    try:
        lock.take(wait_s)
        with closing(Database(url, "schema", patience)) as schema:
            bring_forward(schema)
        lock.begin_term()
        register = TableRegister(connection("tables"))
        floor = Floor(connection("floor"), register)
    except BaseException:
        lock.release()
        raise
    season_book = SeasonBook(connection("season"), register, floor)
    return Hall(
        door=door or Door(enters=SCREENS),
        streams=Streams(BOARDS),
        hosts=headers.known_hosts(hosts),
        public=None,
        version=version,
        authority=authority,
        database=connection("host"),
        register=register,
        gatherer=Gatherer(connection("entries"), floor.take_batch, register.is_in),
        floor=floor,
        lock=lock,
        patience=patience,
        season=season_book,
        tournament=TournamentBook(connection("tournament"), register, floor, season_book),
    )


def create_hall_app(shared: Hall) -> Flask:
    """The hall's app."""
    views = (board, table_door, host, season, tournament, check_in, metrics, pairing, trust_page)
    return guarded_app(shared, views)
