"""The tournament in the database: what is kept of it, and each thing a host or a phone may do.

Results are kept when a heat is closed or corrected, each in its version; until then they are what the
tables' entries say. Knows SQL, tables and the season's book; points and places are `tournament`'s.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from companion.hall.database import Database
from companion.hall.floor import Floor
from companion.hall.season import EveningResult
from companion.hall.season_book import SeasonBook
from companion.hall.seating import draw_seating
from companion.hall.standing import Standing
from companion.hall.tables import TableRegister, digest_of
from companion.hall.tournament import (
    Heat,
    HeatTable,
    Participant,
    ResultVersion,
    Seated,
    Tournament,
    TournamentRefusal,
    byes_had,
    clean_name,
    known_by,
    seated_results,
    who_sat_together,
)

LOOKS_AGAIN_S = 1.5
"""What tables say is looked at anew at most so often, however many screens and phones ask."""

MOST_PARTICIPANTS = 400
MOST_BY_PHONE = 350
"""The last places are the host's, whoever floods the check-in."""

MOST_HEATS = 30
MOST_CLOUDS = 200
"""Of one person in one evening; a deck has at most 99."""

MOST_VERSIONS = 50


@dataclass(frozen=True, slots=True)
class Draw:
    """When a table was drawn for a heat, and `after` which of its evenings."""

    after: int
    at_s: float


def new_phone() -> str:
    """A token for a phone that has none."""
    return secrets.token_urlsafe(32)


Seats = dict[int, dict[str | None, list[tuple[int, int]]]]
"""By heat and table (None: a bye): who was drawn there, after which evening of the table."""


class TournamentBook:
    """The newest tournament of a hall. Thread-safe."""

    def __init__(
        self, database: Database, register: TableRegister, floor: Floor, season: SeasonBook
    ) -> None:
        self._database = database
        self._register = register
        self._floor = floor
        self._season = season
        self._lock = threading.RLock()
        self._looked_s = float("-inf")
        self._told: Tournament | None = None

    def tournament(self) -> Tournament | None:
        """The newest tournament as it stands; None before the first. Raises HallTrouble."""
        with self._lock:
            if time.monotonic() - self._looked_s > LOOKS_AGAIN_S:
                with self._database.transaction() as cursor:
                    self._told = self._read(cursor)
                self._looked_s = time.monotonic()
            return self._told

    def holder_of(self, token: str | None) -> Participant | None:
        """Who checked in with the phone that holds this token. Raises HallTrouble."""
        told = self.tournament()
        if not token or told is None:
            return None
        digest = digest_of(token)
        return next((one for one in told.people if one.token_hash == digest), None)

    def close(self) -> None:
        """Let the connection go."""
        with self._lock:
            self._database.close()

    # What a host does.

    def begin(self, name: object) -> None:
        """Begin a tournament. Raises TournamentRefusal while one goes on, HallTrouble."""
        called = clean_name(name)
        with self._changing(begun=False) as (cursor, told):
            if told is not None and not told.ended:
                raise TournamentRefusal("goes_on")
            cursor.execute("insert into tournament (name) values (%s)", (called,))

    def end(self) -> None:
        """End it: its table stays as it is. Raises TournamentRefusal while a heat is played."""
        with self._changing() as (cursor, told):
            if told.open_heat is not None:
                raise TournamentRefusal("heat_open")
            cursor.execute(
                "update tournament set ended_at = now(), check_in_code = null where id = %s",
                (told.id,),
            )

    def let_check_in(self, may: bool) -> None:
        """Let phones check in by a fresh code, or no more; who is in stays in."""
        with self._changing() as (cursor, told):
            code = secrets.token_urlsafe(12) if may else None
            cursor.execute(
                "update tournament set check_in_code = %s where id = %s", (code, told.id)
            )

    def add(self, name: object) -> None:
        """Write somebody down who has no phone. Raises TournamentRefusal for a name that is taken."""
        called = clean_name(name)
        with self._changing() as (cursor, told):
            if len(told.people) >= MOST_PARTICIPANTS:
                raise TournamentRefusal("full")
            self._insert(cursor, told, called, None)

    def leave(self, participant: object, gone: bool) -> None:
        """Somebody leaves between two heats, or is back. Who never sat anywhere is forgotten."""
        with self._changing() as (cursor, told):
            _leave(cursor, told, _participant(told, participant), gone)

    def draw(self, size: object, exact: object) -> None:
        """Draw the next heat for all who are here, on the tables that count."""
        if type(size) is not int or not 3 <= size <= 8 or not isinstance(exact, bool):
            raise TournamentRefusal("size")
        with self._changing() as (cursor, told):
            if told.open_heat is not None:
                raise TournamentRefusal("heat_open")
            if len(told.heats) >= MOST_HEATS:
                raise TournamentRefusal("full")
            tables = [one for one in self._register.tables if one.counts and not one.revoked]
            here = [str(one.id) for one in told.people if not one.gone]
            drawn = draw_seating(
                here,
                who_sat_together(told.heats),
                secrets.randbits(32),
                size,
                tables=len(tables),
                exact=exact,
                byes_had=byes_had(told.heats),
            )
            if not drawn.tables:
                raise TournamentRefusal("too_few" if tables else "no_tables")
            heat = len(told.heats) + 1
            cursor.execute(
                "insert into tournament_heat (tournament_id, heat) values (%s, %s)", (told.id, heat)
            )
            used = [one.id for one in tables[: len(drawn.tables)]]
            cursor.execute(
                "select table_id, max(evening) from entry where table_id = any(%s) group by table_id",
                (used,),
            )
            newest = dict(cursor.fetchall())
            seats = [
                (told.id, heat, int(person), table_id, seat, newest.get(table_id, 0))
                for table_id, people in zip(used, drawn.tables, strict=True)
                for seat, person in enumerate(people)
            ] + [(told.id, heat, int(one), None, at, 0) for at, one in enumerate(drawn.byes)]
            cursor.executemany("insert into tournament_seat values (%s, %s, %s, %s, %s, %s)", seats)

    def drop_draw(self, drawn_s: object = None) -> None:
        """Forget the newest draw, the one of `drawn_s` where that is given: nobody has played it. Raises
        TournamentRefusal where somebody has."""
        with self._changing() as (cursor, told):
            heat = _open_heat(told, drawn_s)
            if any(person.result for table in heat.tables for person in table.people):
                raise TournamentRefusal("played")
            which = told.id, heat.number
            cursor.execute(
                "delete from tournament_seat where tournament_id = %s and heat = %s", which
            )
            cursor.execute(
                "delete from tournament_heat where tournament_id = %s and heat = %s", which
            )

    def close_heat(self, drawn_s: object = None) -> None:
        """Keep what the tables say as it is now of the open heat, the one of `drawn_s` where that is given;
        a table that has not reported may still be taken."""
        with self._changing() as (cursor, told):
            heat = _open_heat(told, drawn_s)
            for table in heat.tables:
                for person in table.people:
                    if not person.versions and person.now is not None:
                        _keep(cursor, told, heat, person, person.now)
            cursor.execute(
                "update tournament_heat set closed_at = now() where tournament_id = %s and heat = %s",
                (told.id, heat.number),
            )

    def correct(self, heat: object, participant: object, clouds: object, found: object) -> None:
        """The host's word on a result; what the table said is kept beside it."""
        for number in (clouds, found):
            if type(number) is not int or not 0 <= number <= MOST_CLOUDS:
                raise TournamentRefusal("clouds")
        with self._changing() as (cursor, told):
            one, person = _seated(told, heat, participant)
            version = ResultVersion(int(str(clouds)), int(str(found)), "host")
            if person.result == version:
                return
            if len(person.versions) >= MOST_VERSIONS:
                raise TournamentRefusal("full")
            if person.now is not None and not person.versions:
                _keep(cursor, told, one, person, person.now)
            _keep(cursor, told, one, person, version)

    def take(self, heat: object, participant: object) -> None:
        """Take what the table says now in place of what was kept."""
        with self._changing() as (cursor, told):
            one, person = _seated(told, heat, participant)
            if person.now is None or (person.result == person.now and person.versions):
                raise TournamentRefusal("nothing_new")
            if len(person.versions) >= MOST_VERSIONS:
                raise TournamentRefusal("full")
            _keep(cursor, told, one, person, person.now)

    # What a phone does.

    def check_in(self, code: object, name: object, token: str | None) -> str:
        """Check in under this name; the phone's token, a new one where it had none: what it was given
        before it asked lets it in also where the answer is lost. The same phone again changes its name. Raises TournamentRefusal, HallTrouble."""
        called = clean_name(name)
        with self._changing() as (cursor, told):
            if told.code is None or not isinstance(code, str):
                raise TournamentRefusal("closed")
            if not secrets.compare_digest(code.encode("utf-8", "replace"), told.code.encode()):
                raise TournamentRefusal("closed")
            mine = next(
                (one for one in told.people if token and one.token_hash == digest_of(token)), None
            )
            if mine is not None and token is not None:
                if not (known_by(mine.name) == known_by(called) or _is_free(told, called)):
                    raise TournamentRefusal("name_taken")
                cursor.execute(
                    "update tournament_participant set name = %s, known_by = %s, gone = false "
                    "where id = %s",
                    (called, known_by(called), mine.id),
                )
                return token
            if sum(one.token_hash is not None for one in told.people) >= MOST_BY_PHONE:
                raise TournamentRefusal("full")
            if len(told.people) >= MOST_PARTICIPANTS:
                raise TournamentRefusal("full")
            token = token or new_phone()
            cursor.execute(  # a phone has one token, whichever tournaments it was in
                "update tournament_participant set token_hash = null where token_hash = %s",
                (digest_of(token),),
            )
            self._insert(cursor, told, called, digest_of(token))
            return token

    def leave_by_phone(self, token: str | None, gone: bool) -> None:
        """The holder of this phone leaves, or is back. Raises TournamentRefusal, HallTrouble."""
        mine = self.holder_of(token)
        if mine is None:
            raise TournamentRefusal("nobody")
        self.leave(mine.id, gone)

    @contextmanager
    def _changing(self, begun: bool = True) -> Iterator[tuple[Any, Any]]:
        """A transaction, and the tournament as it stands in it; seen by everybody afterwards."""
        with self._lock:
            try:
                with self._database.transaction() as cursor:
                    told = self._read(cursor)
                    if begun and (told is None or told.ended):
                        raise TournamentRefusal("none")
                    yield cursor, told
            finally:
                self._looked_s = float("-inf")

    def _insert(self, cursor: Any, told: Tournament, name: str, token_hash: str | None) -> None:
        if not _is_free(told, name):
            raise TournamentRefusal("name_taken")
        cursor.execute(
            "insert into tournament_participant (tournament_id, name, known_by, token_hash) "
            "values (%s, %s, %s, %s)",
            (told.id, name, known_by(name), token_hash),
        )

    def _read(self, cursor: Any) -> Tournament | None:
        cursor.execute(
            "select id, name, ended_at is not null, check_in_code from tournament "
            "order by id desc limit 1"
        )
        row = cursor.fetchone()
        if row is None:
            return None
        number, name, ended, code = row
        cursor.execute(
            "select id, name, gone, token_hash from tournament_participant "
            "where tournament_id = %s order by id",
            (number,),
        )
        people = tuple(Participant(*one) for one in cursor.fetchall())
        names = {one.id: one.name for one in people}
        versions: dict[tuple[int, int], list[ResultVersion]] = defaultdict(list)
        cursor.execute(
            "select heat, participant_id, clouds, found, told_by from tournament_result "
            "where tournament_id = %s order by version",
            (number,),
        )
        for heat, one, clouds, found, by in cursor.fetchall():
            versions[heat, one].append(ResultVersion(clouds, found, by))
        cursor.execute(
            "select heat, table_id, participant_id, after_evening from tournament_seat "
            "where tournament_id = %s order by heat, seat",
            (number,),
        )
        seats: Seats = defaultdict(dict)
        for heat, table_id, one, after in cursor.fetchall():
            seats[heat].setdefault(table_id, []).append((one, after))
        cursor.execute(
            "select heat, closed_at is not null, extract(epoch from drawn_at) "
            "from tournament_heat where tournament_id = %s order by heat",
            (number,),
        )
        draws = [(heat, closed, float(drawn_s)) for heat, closed, drawn_s in cursor.fetchall()]
        heats = []
        finished = self._finished(seats)
        next_draw: dict[str, Draw] = {}
        for heat, closed, drawn_s in reversed(draws):
            tables = []
            for table_id, drawn in seats[heat].items():
                if table_id is None:
                    continue
                draw = Draw(after=drawn[0][1], at_s=drawn_s)
                seated = [
                    Seated(one, names[one], tuple(versions[heat, one]), closed=closed)
                    for one, _ in drawn
                ]
                tables.append(
                    self._table(table_id, seated, finished[table_id], draw, next_draw.get(table_id))
                )
                next_draw[table_id] = draw
            byes = tuple(one for one, _ in seats[heat].get(None, []))
            tables.sort(key=lambda table: table.number)
            heats.append(Heat(heat, closed, tuple(tables), byes, drawn_s))
        return Tournament(number, name, ended, code, people, tuple(reversed(heats)))

    def _finished(self, seats: Seats) -> dict[str, list[tuple[int, EveningResult]]]:
        """The finished evenings since its first draw of each table that counts."""
        first: dict[str, int] = {}
        for drawn in seats.values():
            for table_id, people in drawn.items():
                if table_id is not None:
                    first[table_id] = min(first.get(table_id, people[0][1]), people[0][1])
        counting = {one.id for one in self._register.tables if one.counts and not one.revoked}
        return {
            one: self._season.finished_after(one, after) if one in counting else []
            for one, after in first.items()
        }

    def _table(
        self,
        table_id: str,
        people: list[Seated],
        finished: list[tuple[int, EveningResult]],
        draw: Draw,
        next_draw: Draw | None,
    ) -> HeatTable:
        """A table of a heat with what its entries say: the first of its `finished` evenings that ended
        after the draw, and is not of the heat it was drawn for next. One that by the table's own clock
        ended before it arrived late, or that clock is behind: which of the two only people know."""
        table, standing = self._register.table(table_id), self._floor.standing(table_id)
        results = [
            result
            for evening, result in finished
            if evening > draw.after
            and not (next_draw and evening > next_draw.after and result.ended_s > next_draw.at_s)
        ]
        since = [result for result in results if result.ended_s > draw.at_s]
        state, said = "waiting", None
        if since:
            said = seated_results([(one.id, one.name) for one in people], since[0], table_id)
            state = "unclear" if said is None else "reported"
        elif standing is not None and _plays(standing, draw, next_draw):
            state = "playing"
        elif results:
            state = "early"
        told = {one.id: (said or {}).get(one.id, (None, False)) for one in people}
        seated = tuple(replace(one, now=told[one.id][0], by_seat=told[one.id][1]) for one in people)
        return HeatTable(table_id, table.number if table is not None else 0, state, seated)


def _plays(standing: Standing, draw: Draw, next_draw: Draw | None) -> bool:
    """True while the table plays an evening begun after this draw and before the one it has next."""
    begun = standing.evening > draw.after
    return (
        begun
        and not standing.ledger.over
        and not (next_draw and standing.evening > next_draw.after)
    )


def _leave(cursor: Any, told: Tournament, one: Participant, gone: bool) -> None:
    sat = any(
        one.id in heat.byes or any(p.id == one.id for table in heat.tables for p in table.people)
        for heat in told.heats
    )
    if gone and not sat:
        cursor.execute("delete from tournament_participant where id = %s", (one.id,))
    else:
        cursor.execute("update tournament_participant set gone = %s where id = %s", (gone, one.id))


def _open_heat(told: Tournament, drawn_s: object) -> Heat:
    """The heat that is played. Raises TournamentRefusal where it is not the one drawn then: a late tap is
    not for the next one."""
    heat = told.open_heat
    if heat is None:
        raise TournamentRefusal("no_heat")
    if drawn_s not in (None, heat.drawn_s):
        raise TournamentRefusal("other_heat")
    return heat


def _is_free(told: Tournament, name: str) -> bool:
    return all(known_by(one.name) != known_by(name) for one in told.people)


def _participant(told: Tournament, asked: object) -> Participant:
    found = next((one for one in told.people if type(asked) is int and one.id == asked), None)
    if found is None:
        raise TournamentRefusal("nobody")
    return found


def _seated(told: Tournament, heat: object, asked: object) -> tuple[Heat, Seated]:
    one = _participant(told, asked)
    for each in told.heats:
        if type(heat) is int and each.number == heat:
            for table in each.tables:
                for person in table.people:
                    if person.id == one.id:
                        return each, person
    raise TournamentRefusal("nobody")


def _keep(
    cursor: Any, told: Tournament, heat: Heat, person: Seated, version: ResultVersion
) -> None:
    cursor.execute(
        "insert into tournament_result "
        "(tournament_id, heat, participant_id, version, clouds, found, told_by) "
        "select %s, %s, %s, count(*) + 1, %s, %s, %s from tournament_result "
        "where tournament_id = %s and heat = %s and participant_id = %s",
        (
            *(told.id, heat.number, person.id, version.clouds, version.found, version.by),
            *(told.id, heat.number, person.id),
        ),
    )
