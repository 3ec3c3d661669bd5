"""The evening over HTTP: the scoreboard, its stream, the commands, the pictures, the files to take
home.

Knows the session by its protocol; decides nothing itself.
"""

from __future__ import annotations

import base64
import time
from typing import Any

from flask import Response, abort, jsonify, request

from companion.evening.player_commands import clouds_with_missed
from companion.game.round_history import history_of
from companion.game.rules import Refusal
from companion.journal.export import evening_file
from companion.web.card_art import card_webp, look_webp
from companion.web.context import asking_device, companion, is_still_in, place_in_streams
from companion.web.guards import strict_json
from companion.web.guards.access import Rule
from companion.web.heavy_work import heavy_work
from companion.web.stream import messages
from companion.web.table_session import TableSession

COMPANION_HERE = {"companion": "table"}
COMPANION_HERE_PATH = "/api/companion"
MOST_GUESSES = 12
WIDEST_PX = 1280
NARROWEST_PX = 160
KINDS = {"csv": "text/csv; charset=utf-8", "json": "application/json"}


def _session() -> TableSession:
    return companion().session


def companion_here() -> Response:
    """That it is a table's companion that listens here, and nothing else: `companion open` asks."""
    return jsonify(COMPANION_HERE)


def scoreboard() -> Response:
    """The present state, for a screen that has no stream."""
    return jsonify(_session().scoreboard())


def stream() -> Response:
    """The stream of states; 503 when every place is taken."""
    shared = companion()
    key, ended = place_in_streams()
    try:
        first = shared.session.wait_for_change(-1, 0.0)
        body = messages(shared.streams, key, ended, shared.session.wait_for_change, first)
    except Exception:
        shared.streams.leave(key, ended)
        raise
    response = Response(body, mimetype="text/event-stream")
    response.call_on_close(lambda: shared.streams.leave(key, ended))
    response.headers["X-Accel-Buffering"] = "no"
    return response


def command() -> tuple[Response, int]:
    """Do what a person asked; the name of their device is written beside it."""
    if not request.is_json:
        abort(415)
    try:
        asked = strict_json.loads(request.get_data())
    except strict_json.BadJson as error:
        return jsonify(error="json", reason=str(error)), 400
    if not _is_command(asked):
        return jsonify(error="json", reason="shape"), 400
    session, device = _session(), asking_device()
    if not companion().act_limits.may(
        device.key, asked["do"], len(session.log.entries), time.monotonic()
    ):
        return jsonify(error="refused", reason="too_many_taps"), 429
    status, answer = session.command({**asked, "author": device.name}, is_still_in)
    return jsonify(answer), status


def _is_command(asked: Any) -> bool:
    return (
        isinstance(asked, dict)
        and isinstance(asked.get("do"), str)
        and isinstance(asked.get("id"), str)
        and 8 <= len(asked["id"]) <= 64
        and type(asked.get("version")) is int
    )


def picture() -> Response:
    """The camera's newest picture as a JPEG; nothing while its eye is closed."""
    jpeg = _session().camera.picture_jpeg(_asked_width_px())
    return Response(jpeg, mimetype="image/jpeg") if jpeg else Response(status=204)


def _asked_width_px() -> int:
    return max(NARROWEST_PX, min(request.args.get("w", 640, type=int), WIDEST_PX))


def art(card: int) -> Response:
    """The picture of one card, printed or of the learnt `deck`; a printed one never changes, so the
    screen may keep it."""
    deck = request.args.get("deck")
    if deck is not None:
        look = _session().camera.learnt_look(deck, card)
        if look is None:
            abort(404)
        response = Response(look_webp(look), mimetype="image/webp")
        response.headers["Cache-Control"] = "no-store"
        return response
    kept = companion().art
    if card not in kept:
        try:
            kept[card] = card_webp(card)
        except ValueError:
            abort(404)
    response = Response(kept[card], mimetype="image/webp")
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


def people() -> Response:
    """People from other evenings, each with their sign; who sat at the last one; and who of the table
    was called otherwise then."""
    session = _session()
    known = [{"name": name, "sign": sign} for name, sign in session.past_players()]
    return jsonify(people=known, last=session.last_table(), renamed=session.renamed_people())


def calibration() -> Response:
    """What the camera sees of the table and how well, with the picture (JPEG, base64) that it says
    this of: whoever shows both shows one moment."""
    with heavy_work():
        report = dict(_session().camera.calibration(_asked_width_px()))
    if report.get("picture"):
        report["picture"] = base64.b64encode(report["picture"]).decode()
    return jsonify(report)


def history(number: int) -> Response:
    """Every version of one round and who entered it."""
    return jsonify(entries=history_of(_session().log, number))


def missed_round(number: int) -> Response:
    """Everybody's clouds if a missed round were written in as this number; null where it cannot be."""
    asked = request.args
    wrong = max(0, min(asked.get("wrong", 0, type=int), MOST_GUESSES))
    clouds = clouds_with_missed(_session().log, number, wrong, asked.get("found") == "1")
    return jsonify(clouds=None if isinstance(clouds, Refusal) else clouds)


def export(kind: str) -> Response:
    """The evening as a file to take home."""
    name, data = evening_file(_session().log, kind)
    response = Response(data, content_type=KINDS[kind])
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response


ROUTES = (
    (COMPANION_HERE_PATH, "GET", Rule.OPEN, companion_here),
    ("/api/scoreboard", "GET", Rule.WATCH, scoreboard),
    ("/api/stream", "GET", Rule.WATCH, stream),
    ("/api/command", "POST", Rule.CONTROL, command),
    ("/api/picture", "GET", Rule.WATCH, picture),
    ("/art/<int:card>", "GET", Rule.WATCH, art),
    ("/api/people", "GET", Rule.CONTROL, people),
    ("/api/calibration", "GET", Rule.WATCH, calibration),
    ("/api/history/<int:number>", "GET", Rule.WATCH, history),
    ("/api/missed-round/<int:number>", "GET", Rule.CONTROL, missed_round),
    ("/api/export/<any(csv, json):kind>", "GET", Rule.WATCH, export),
)
