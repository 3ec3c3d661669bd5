"""The tournament as boards see it, as its host leads it, and as files.

Knows HTTP and the tournament's book.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask import Response, jsonify, request

from companion.errors import HallTrouble
from companion.hall.context import hall
from companion.hall.tournament import (
    Heat,
    HeatTable,
    Tournament,
    TournamentRefusal,
    tournament_table,
)
from companion.hall.tournament_book import TournamentBook
from companion.journal.export import cell
from companion.web.context import asked_object
from companion.web.guards.access import Rule
from companion.web.views.pairing import qr_rows

Answered = Response | tuple[Response, int]


def tournament_board() -> Answered:
    """What stands on the board: the newest heat, the table of places, and the code to check in."""
    try:
        told = hall().tournament.tournament()
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    if told is None:
        return jsonify(tournament=None)
    return jsonify(
        tournament={
            **_head(told),
            "heat": _heat(told, told.heats[-1]) if told.heats else None,
            "check_in": _check_in(told),
        }
    )


def host_tournament() -> Answered:
    """All heats with every version of every result, for the host."""
    try:
        told = hall().tournament.tournament()
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    return jsonify(tournament=None if told is None else _whole(told))


def lead_tournament() -> Answered:
    """Do what the host asks, once: asked again it changes nothing, or is refused with its reason."""
    asked = asked_object()
    book = hall().tournament
    deed = DEEDS.get(asked.get("do")) if isinstance(asked.get("do"), str) else None
    if deed is None:
        return jsonify(error="unknown"), 400
    try:
        deed(book, asked)
    except TournamentRefusal as refusal:
        return jsonify(error="refused", reason=refusal.reason), 409
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    return host_tournament()


DEEDS: dict[Any, Callable[[TournamentBook, dict[str, Any]], None]] = {
    "begin": lambda book, asked: book.begin(asked.get("name")),
    "end": lambda book, _: book.end(),
    "open": lambda book, _: book.let_check_in(True),
    "shut": lambda book, _: book.let_check_in(False),
    "add": lambda book, asked: book.add(asked.get("name")),
    "leave": lambda book, asked: book.leave(asked.get("who"), True),
    "back": lambda book, asked: book.leave(asked.get("who"), False),
    "draw": lambda book, asked: book.draw(asked.get("size"), asked.get("exact", False)),
    "drop": lambda book, asked: book.drop_draw(asked.get("drawn_s")),
    "close": lambda book, asked: book.close_heat(asked.get("drawn_s")),
    "correct": lambda book, asked: book.correct(
        asked.get("heat"), asked.get("who"), asked.get("clouds"), asked.get("found")
    ),
    "take": lambda book, asked: book.take(asked.get("heat"), asked.get("who")),
}


def tournament_csv() -> Answered:
    """The table of places for a spreadsheet, a column for each heat."""
    try:
        told = hall().tournament.tournament()
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    written = io.StringIO()
    sheet = csv.writer(written)
    heats = told.heats if told is not None else ()
    by_heat = [f"{what}_{heat.number}" for heat in heats for what in ("table", "clouds", "points")]
    sheet.writerow(
        ("place", "name", "points", "clouds", "found", "heats", "byes", "left", *by_heat)
    )
    for line in tournament_table(told) if told is not None else ():
        cells = [one for heat in heats for one in _in_heat(heat, line.id)]
        sheet.writerow(
            (
                *(line.place, cell(line.name), _rounded(line.points), line.clouds, line.found),
                *(line.heats, line.byes, int(line.gone), *cells),
            )
        )
    body = written.getvalue().encode("utf-8-sig")
    return _file(body, "text/csv; charset=utf-8", "tournament.csv")


def tournament_json() -> Answered:
    """Everything: heats, tables, every version of every result, and the table of places."""
    try:
        told = hall().tournament.tournament()
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    whole = {"format": "cloud-mine-companion/tournament", "version": 1}
    if told is not None:
        whole |= _whole(told)
    body = json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False).encode()
    return _file(body, "application/json", "tournament.json")


def _file(body: bytes, kind: str, name: str) -> Response:
    response = Response(body, content_type=kind)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


def _in_heat(heat: Heat, who: int) -> tuple[object, object, object]:
    """At which table, with how many clouds and points; a bye has no table."""
    if who in heat.byes:
        return "", "", 50
    for table in heat.tables:
        for person in table.people:
            if person.id == who:
                result = person.result
                points = _rounded(table.points[who]) if result is not None else ""
                return table.number, result.clouds if result is not None else "", points
    return "", "", ""


def _rounded(points: Any) -> float:
    return round(float(points), 1)


def _head(told: Tournament) -> dict[str, Any]:
    return {
        "name": told.name,
        "ended": told.ended,
        "open": told.code is not None,
        "heats": len(told.heats),
        "lines": [
            {
                "place": line.place,
                "id": line.id,
                "name": line.name,
                "points": _rounded(line.points),
                "clouds": line.clouds,
                "found": line.found,
                "heats": line.heats,
                "byes": line.byes,
                "gone": line.gone,
            }
            for line in tournament_table(told)
        ],
    }


def _whole(told: Tournament) -> dict[str, Any]:
    return {
        **_head(told),
        "told": [_heat(told, heat) for heat in told.heats],
        "check_in": _check_in(told),
    }


def _heat(told: Tournament, heat: Heat) -> dict[str, Any]:
    names = {one.id: one.name for one in told.people}
    return {
        "number": heat.number,
        "closed": heat.closed,
        "drawn_s": heat.drawn_s,
        "byes": [names[one] for one in heat.byes],
        "tables": [_heat_table(table) for table in heat.tables],
    }


def _heat_table(table: HeatTable) -> dict[str, Any]:
    known, points = hall().register.table(table.id), table.points
    return {
        "table": table.number,
        "name": known.name if known is not None else "",
        "state": table.state,
        "people": [
            {
                "id": person.id,
                "name": person.name,
                "clouds": person.result.clouds if person.result is not None else None,
                "found": person.result.found if person.result is not None else None,
                "points": _rounded(points[person.id]) if person.id in points else None,
                "by_seat": person.counts_by_seat,
                "otherwise": person.otherwise,
                "now": [person.now.clouds, person.now.found] if person.now is not None else None,
                "versions": [[one.clouds, one.found, one.by] for one in person.versions],
            }
            for person in table.people
        ],
    }


def _check_in(told: Tournament) -> dict[str, Any] | None:
    if told.code is None:
        return None
    shared = hall()
    address = f"{(shared.public or request.host_url).rstrip('/')}/check-in/{told.code}"
    return {"address": address, "rows": _rows_of(address)}


@lru_cache(maxsize=8)
def _rows_of(address: str) -> list[str]:
    return qr_rows(address)


ROUTES = (
    ("/api/tournament", "GET", Rule.WATCH, tournament_board),
    ("/api/tournament.csv", "GET", Rule.WATCH, tournament_csv),
    ("/api/tournament.json", "GET", Rule.WATCH, tournament_json),
    ("/api/host/tournament", "GET", Rule.CONTROL, host_tournament),
    ("/api/host/tournament", "POST", Rule.CONTROL, lead_tournament),
)
