"""The season's table, its file to take home, and the next tables, drawn fairly.

Knows HTTP and the season's book.
"""

from __future__ import annotations

import csv
import io
import secrets
import time
from dataclasses import asdict

from flask import Response, abort, jsonify

from companion.errors import HallTrouble
from companion.hall.context import hall
from companion.hall.season import season, who_met
from companion.hall.seating import draw_seating
from companion.journal.export import cell
from companion.web.context import asked_object
from companion.web.guards.access import Rule

TONIGHT_S = 18 * 3600.0
"""Who played within so long is here tonight."""

MOST_PEOPLE = 400

Answered = Response | tuple[Response, int]


def season_table() -> Answered:
    """Everybody's season."""
    try:
        lines = season(hall().season.results())
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    return jsonify(people=[{**asdict(line), "key": None} for line in lines])


def season_file() -> Answered:
    """The same for a spreadsheet."""
    try:
        lines = season(hall().season.results())
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    written = io.StringIO()
    sheet = csv.writer(written)
    sheet.writerow(("name", "evenings", "clouds", "found", "rating", "unsure"))
    for line in lines:
        sheet.writerow(
            (cell(line.name), line.evenings, line.clouds, line.found, line.rating, line.unsure)
        )
    response = Response(written.getvalue(), content_type="text/csv; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename="season.csv")
    return response


def next_tables() -> Answered:
    """Tables for those who played tonight, on which as few as can be have sat together."""
    asked = asked_object()
    wanted = asked.get("size", 5)
    if type(wanted) is not int or not 3 <= wanted <= 8:
        abort(400)
    try:
        results = hall().season.results()
    except HallTrouble as trouble:
        return jsonify(error="away", reason=str(trouble)), 503
    since_s = time.time() - TONIGHT_S
    here = {
        person.key: person.name
        for result in results
        if result.ended_s >= since_s
        for person in result.people
    }
    people = sorted(here)[:MOST_PEOPLE]
    drawn = draw_seating(people, who_met(results), secrets.randbits(32), wanted)
    return jsonify(
        tables=[[here[key] for key in table] for table in drawn.tables],
        byes=[here[key] for key in drawn.byes],
        again=drawn.again,
    )


ROUTES = (
    ("/api/season", "GET", Rule.WATCH, season_table),
    ("/api/season.csv", "GET", Rule.WATCH, season_file),
    ("/api/host/next-tables", "POST", Rule.CONTROL, next_tables),
)
