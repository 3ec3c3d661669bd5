"""Looking again at what is disputed, over HTTP: on or off, and the stills around one entry.

Knows the session by its protocol; what is kept, and when it is gone, is the evening's.
"""

from __future__ import annotations

import base64

from flask import Response, abort, jsonify, request

from companion.web.context import asked_object, companion
from companion.web.guards.access import Rule


def stills() -> Response:
    """The stills around a guess of the newest round (`guess`, from 0), or around what its question is
    about; 404 where there are none."""
    kept = companion().session.stills
    guess = request.args.get("guess", None, type=int)
    look = kept.around_question() if guess is None else kept.around_guess(guess)
    if look is None:
        abort(404)
    for still in look["stills"]:
        still["jpeg"] = base64.b64encode(still["jpeg"]).decode()
    return jsonify(look)


def switch_stills() -> tuple[Response, int]:
    """Switch it on or off for this evening."""
    on = asked_object().get("on")
    if not isinstance(on, bool):
        abort(400)
    companion().session.stills.switch(on)
    return jsonify(on=on), 200


ROUTES = (
    ("/api/stills", "GET", Rule.CONTROL, stills),
    ("/api/stills", "POST", Rule.CONTROL, switch_stills),
)
