"""The tables' side of the hall: a code becomes a token, and entries come in.

Every letter is read like a stranger's and refused in one sentence. Knows HTTP and the hall's parts.
"""

from __future__ import annotations

import re
import time

from flask import Response, abort, jsonify, request

from companion.errors import HallAway, HallTrouble
from companion.game.words import one_line
from companion.hall.arriving import MOST_NAME, NotTaken, read_batch, read_names
from companion.hall.context import TABLE_COOKIE, hall
from companion.web.context import asked_object, asking_device, require_still_in
from companion.web.guards.access import Rule
from companion.web.views.page_files import door_page

Answered = Response | tuple[Response, int]

HTTP_OF = {"stored": 200, "gap": 409, "other": 409}


def table_code(code: str) -> Response:  # noqa: ARG001 (the page is the same for each)
    """What a person sees who opens a table's code in a browser: where it belongs."""
    return door_page(200, "table")


def join_hall() -> Answered:
    """Swap a code for a table's token; 403 for a code that is not good or an id that is known."""
    asked = asked_object()
    code, table_id, name = asked.get("code"), asked.get("table"), asked.get("name", "")
    if not all(isinstance(text, str) for text in (code, table_id, name)):
        abort(400)
    if not re.fullmatch(r"[0-9a-f]{32}", str(table_id)) or len(str(name)) > MOST_NAME:
        abort(400)
    try:
        joined = hall().register.let_in(str(code)[:200], str(table_id), one_line(str(name)))
    except HallTrouble as trouble:
        return _away(trouble)
    if joined is None:
        return jsonify(error="code", reason="This code lets no more tables in."), 403
    table, token = joined
    return jsonify(token=token, cookie=TABLE_COOKIE, number=table.number)


def progress() -> Answered:
    """How far the hall has got: the highest number of each evening of this table."""
    shared = hall()
    shared.floor.hear(_table_id(), None)
    try:
        with shared.asking:
            rows = shared.database.rows(
                "select evening, max(number) from entry where table_id = %s group by evening",
                _table_id(),
            )
    except HallTrouble as trouble:
        return _away(trouble)
    return jsonify(evenings={str(evening): have for evening, have in rows})


def take_entries() -> Answered:
    """Store what the table sends: 200 with how far the hall has got, 409 for a gap or another entry
    under a known number, 422 for what is no letter, 429 for too many of them."""
    shared, table_id = hall(), _table_id()
    if (slow_down := _too_fast(table_id)) is not None:
        return slow_down
    try:
        batch = read_batch(request.get_data())
        if not shared.entry_limiter.may(table_id, time.monotonic(), len(batch.entries)):
            return _slow_down()
        shared.floor.hear(table_id, batch.state)
        answer = shared.gatherer.store(table_id, batch)
    except NotTaken as trouble:
        return jsonify(error="letter", reason=str(trouble)), 422
    except HallTrouble as trouble:
        require_still_in()
        return _away(trouble)
    told = jsonify(status=answer.status, have=answer.have, number=answer.number)
    return told, HTTP_OF[answer.status]


def take_names() -> Answered:
    """The names this table shows in place of its pseudonyms; the ones before are forgotten."""
    shared, table_id = hall(), _table_id()
    if (slow_down := _too_fast(table_id)) is not None:
        return slow_down
    try:
        names = read_names(request.get_data())
        with shared.asking, shared.database.transaction() as cursor:
            cursor.execute("delete from person where table_id = %s", (table_id,))
            cursor.executemany(
                "insert into person (table_id, pseudonym, name) values (%s, %s, %s)",
                [(table_id, pseudonym, name) for pseudonym, name in names.items()],
            )
    except NotTaken as trouble:
        return jsonify(error="letter", reason=str(trouble)), 422
    except HallTrouble as trouble:
        return _away(trouble)
    shared.floor.take_names(table_id, names)
    shared.season.forget(table_id)
    return jsonify(names=len(names))


def _table_id() -> str:
    return asking_device().key.removeprefix("table:")


def _too_fast(table_id: str) -> Answered | None:
    if hall().letter_limiter.may(table_id, time.monotonic()):
        return None
    return _slow_down()


def _slow_down() -> Answered:
    answer = jsonify(error="slow", reason="This table sends too fast.")
    answer.headers["Retry-After"] = "5"
    return answer, 429


def _away(trouble: HallTrouble) -> Answered:
    """503 for a database that is not there: the table sends it again; 422 for what it refused."""
    answer = jsonify(error="away", reason=str(trouble))
    if not isinstance(trouble, HallAway):
        return answer, 422
    answer.headers["Retry-After"] = "5"
    return answer, 503


ROUTES = (
    ("/table/<code>", "GET", Rule.OPEN, table_code),
    ("/api/table/join", "POST", Rule.OPEN, join_hall),
    ("/api/table/progress", "GET", Rule.TABLE, progress),
    ("/api/table/entries", "POST", Rule.TABLE, take_entries),
    ("/api/table/names", "POST", Rule.TABLE, take_names),
)
