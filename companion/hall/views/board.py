"""The board: its page, the tables on it, and the stream of those that change.

Knows the floor and HTTP; decides nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from flask import Response, abort, jsonify, render_template, request

from calibration.check.sentences import LANGUAGES
from companion.hall.context import hall
from companion.hall.floor import TABLES_A_PAGE, BoardPage
from companion.web.context import asking_device, place_in_streams
from companion.web.guards.access import Rule
from companion.web.stream import BEAT_S, RETRY_MS, Streams
from companion.web.views.page_files import asked_language, static_file, words

MOST_PAGES = 100


def hall_page() -> str:
    """The hall's page: an empty shell that draws what the stream says."""
    language = asked_language()
    return render_template("hall.html", language=language, version=hall().version)


def hall_state() -> Response:
    """How many tables there are, on how many pages, and whether this screen is the host's."""
    tables = [table for table in hall().register.tables if not table.revoked]
    last = max((table.number for table in tables), default=1)
    return jsonify(
        tables=len(tables),
        pages=(last - 1) // TABLES_A_PAGE + 1,
        host=asking_device().may(Rule.CONTROL),
        version=hall().version,
    )


def board_page() -> Response:
    """The tables of a page, for a screen that has no stream."""
    message, _ = hall().floor.page(_asked_page()).whole_message()
    told = message.partition(b"\ndata: ")[2].strip()
    return Response(told, mimetype="application/json")


def board_stream() -> Response:
    """The stream of a page: all its tables, then those that change; 503 when every place is taken."""
    shared = hall()
    page = shared.floor.page(_asked_page())
    key, ended = place_in_streams()
    body = page_messages(shared.streams, key, ended, page)
    response = Response(body, mimetype="text/event-stream")
    response.call_on_close(lambda: shared.streams.leave(key, ended))
    response.headers["X-Accel-Buffering"] = "no"
    return response


def page_messages(
    streams: Streams, key: str, ended: threading.Event, page: BoardPage, beat_s: float = BEAT_S
) -> Iterator[bytes]:
    """The bytes of one stream: the whole page at once, every change as it comes, a beat when
    nothing does."""
    try:
        message, seen = page.whole_message()
        yield f"retry: {RETRY_MS}\n\n".encode() + message
        while not ended.is_set():
            changed, seen = page.wait_for_change(seen, beat_s)
            if ended.is_set():  # sent away meanwhile: it is told nothing more
                break
            yield b"event: beat\ndata: 1\n\n" if changed is None else changed
        yield b"event: closed\ndata: 1\n\n"
    finally:
        streams.leave(key, ended)


def _asked_page() -> int:
    number = request.args.get("page", 1, type=int)
    return number if 1 <= number <= MOST_PAGES else abort(404)


ROUTES = (
    ("/", "GET", Rule.WATCH, hall_page),
    ("/api/hall", "GET", Rule.WATCH, hall_state),
    ("/api/board", "GET", Rule.WATCH, board_page),
    ("/api/stream", "GET", Rule.WATCH, board_stream),
    ("/static/<path:name>", "GET", Rule.OPEN, static_file),
    (f"/words/<any({', '.join(LANGUAGES)}):language>.json", "GET", Rule.OPEN, words),
)
