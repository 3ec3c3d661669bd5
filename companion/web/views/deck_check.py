"""The deck check over HTTP: the running camera's newest picture, or a photo, ticks cards off.

Knows who may ask and when: card numbers are told before the evening and after it, never while a
round may be open.
"""

from __future__ import annotations

from flask import Response, abort, jsonify, request

from companion.limited_process import TooMuch, WorkEnded
from companion.set_up.deck_check import DeckCheck
from companion.set_up.photo_file import BadPhoto
from companion.web.context import companion
from companion.web.guards.access import Rule
from companion.web.heavy_work import heavy_result

PHASES = ("setup", "over")
"""When the numbers of cards in view are nobody's secret."""

MOST_PHOTO_BYTES = 3_000_000
"""The largest photo that is taken in (the server takes no larger body): the page shrinks a phone's.
"""


def _check() -> DeckCheck:
    """The count; 409 while a round may be open."""
    shared = companion()
    phase = shared.session.scoreboard()["phase"]
    if phase not in PHASES:
        abort(409, "game")
    return shared.deck_check.count_of(shared.session, phase)


def deck_look() -> Response:
    """Take the newest picture into the count; 409 during a game."""
    # The picture before the phase: never one of a round begun since.
    image = companion().session.camera.newest_picture()
    return jsonify(_check().check_picture(image) | {"live": image is not None})


def deck_anew() -> Response:
    """Begin to count anew; 409 during a game."""
    return jsonify(_check().begin_anew())


def deck_photo() -> Response | tuple[Response, int]:
    """Take a photo into the count; 409 during a game, 415 for what is no picture or takes too much, 413
    for one that is too large, 503 where its process was ended."""
    check = _check()
    request.max_content_length = MOST_PHOTO_BYTES
    try:
        data = request.get_data()
        return jsonify(check.check_photo(data, apart=heavy_result))
    except BadPhoto as error:
        return jsonify(error=str(error)), 415
    except WorkEnded:
        abort(503)
    except TooMuch:
        return jsonify(error="too large"), 415


ROUTES = (
    ("/api/deck", "POST", Rule.CONTROL, deck_look),
    ("/api/deck/anew", "POST", Rule.CONTROL, deck_anew),
    ("/api/deck/photo", "POST", Rule.CONTROL, deck_photo),
)
