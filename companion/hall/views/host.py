"""What the hall's host sees and does: who needs help, who may come in, who goes.

Knows the hall's parts and HTTP. For devices that control only.
"""

from __future__ import annotations

import time
from typing import Any

from flask import Response, abort, jsonify, request

from companion.errors import HallTrouble
from companion.game.words import one_line
from companion.hall.arriving import MOST_NAME
from companion.hall.context import hall
from companion.hall.tables import HallTable
from companion.web.context import asked_object
from companion.web.guards.access import Rule
from companion.web.views.pairing import qr_rows

CODE_TABLES = 250
CODE_MINUTES = 12 * 60.0
"""One code for a whole evening's tables: it stands on the hall's screen."""


def host_tables() -> Response:
    """Every table, with what it needs and what of it was refused."""
    shared, now_s = hall(), time.time()
    trouble = None
    try:
        with shared.asking:
            refused = dict(
                shared.database.rows(
                    "select table_id, count(*) from refused_entry group by table_id"
                )
            )
    except HallTrouble as away:
        refused, trouble = {}, str(away)
    return jsonify(
        tables=[_told(table, refused, now_s) for table in shared.register.tables],
        trouble=shared.trouble or trouble,
    )


def _told(table: HallTable, refused: dict[str, int], now_s: float) -> dict[str, Any]:
    standing = hall().floor.standing(table.id)
    return {
        "table": table.number,
        "name": table.name,
        "revoked": table.revoked,
        "counts": table.counts,
        "help": None if table.revoked else hall().floor.help_wanted(table.id, now_s),
        "refused": refused.get(table.id, 0),
        "phase": standing.ledger.phase if standing is not None else None,
    }


def invite_tables() -> Response:
    """A code that lets tables in, as an address and as the rows of its QR code."""
    shared = hall()
    code = shared.register.invite(CODE_TABLES, CODE_MINUTES)
    address = f"{(shared.public or request.host_url).rstrip('/')}/table/{code}"
    if shared.authority is not None:
        address += f"#{shared.authority.fingerprint.replace(':', '')}"
    return jsonify(address=address, rows=qr_rows(address), hours=CODE_MINUTES / 60)


def change_table() -> Response | tuple[Response, int]:
    """Name a table, set it aside or let it count again, or send it away for good."""
    asked = asked_object()
    number, do, name = asked.get("table"), asked.get("do"), asked.get("name", "")
    changes: dict[object, dict[str, Any]] = {
        "name": {"name": one_line(str(name))[:MOST_NAME]},
        "set_aside": {"counts": False},
        "count": {"counts": True},
        "send_away": {"revoked": True},
    }
    if type(number) is not int or not isinstance(do, str) or do not in changes:
        abort(400)
    try:
        table = hall().register.change(number, **changes[do])
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    if table is None:
        abort(404)
    hall().floor.look_again(table.id)
    hall().season.forget(table.id)
    return host_tables()


ROUTES = (
    ("/api/host/tables", "GET", Rule.CONTROL, host_tables),
    ("/api/host/tables", "POST", Rule.CONTROL, change_table),
    ("/api/host/invite", "POST", Rule.CONTROL, invite_tables),
)
