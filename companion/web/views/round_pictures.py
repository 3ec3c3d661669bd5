"""The pictures of rounds that are kept for the album, over HTTP: on or off, how much lies there, for how
long, and one picture.

Knows the session by its protocol; what is kept, and when, is the evening's.
"""

from __future__ import annotations

import math
import time

from flask import Response, abort, jsonify

from companion.journal.round_pictures import MOST_DAYS
from companion.web.context import asked_object, companion
from companion.web.guards.access import Rule


def kept_pictures() -> Response:
    """Whether this evening's are kept, how much lies there, and after how many days it goes."""
    mine = companion().session.pictures
    mine.store.sweep(time.time())
    kept = mine.store.kept()
    return jsonify(
        on=mine.on,
        trouble=mine.trouble,
        days=mine.store.days,
        evenings=kept.evenings,
        pictures=kept.pictures,
        size_mb=math.ceil(kept.size_bytes / 1e5) / 10,
    )


def change_pictures() -> Response | tuple[Response, int]:
    """Switch it on or off for this evening, say after how many days (null: never) pictures go, or
    delete all; how it stands then."""
    asked = asked_object()
    mine = companion().session.pictures
    on, days = asked.get("on"), asked.get("days")
    if isinstance(on, bool):
        mine.switch(on)
    elif "days" in asked and (days is None or (type(days) is int and 1 <= days <= MOST_DAYS)):
        try:
            mine.store.keep_for(days)
        except OSError as error:
            return jsonify(error="cannot_save", reason=error.strerror or str(error)), 503
    elif asked.get("delete") is True:
        try:
            mine.store.delete_all()
        except OSError as error:
            return jsonify(error="cannot_delete", reason=error.strerror or str(error)), 503
    else:
        abort(400)
    return kept_pictures()


def kept_picture(number: int, at_ms: int) -> Response:
    """One picture of an evening's round."""
    jpeg = companion().session.book.picture(number, at_ms)
    return Response(jpeg, mimetype="image/jpeg") if jpeg else abort(404)


ROUTES = (
    ("/api/pictures", "GET", Rule.CONTROL, kept_pictures),
    ("/api/pictures", "POST", Rule.CONTROL, change_pictures),
    ("/api/book/<int:number>/picture/<int:at_ms>.jpg", "GET", Rule.WATCH, kept_picture),
)
