"""The expert's lens page over HTTP: each request lets the desk look at the camera's newest picture.

Knows who may ask and when: never while cards are looked at in secret.
"""

from __future__ import annotations

from typing import Any

from flask import Response, abort, current_app, jsonify

from companion.web.guards.access import Rule


def _session() -> Any:
    session = current_app.extensions["companion"].session
    if not getattr(session, "may_show", False) or getattr(session, "set_up", None) is None:
        abort(409, "game")
    return session


def expert_look() -> Response:
    """Look at the newest picture; `why` is "no_camera" while there is none."""
    session = _session()
    watching = session.watching
    picture = watching.picture if watching is not None and watching.playing else None
    if picture is None or not session.may_show:
        return jsonify(why="no_camera", views=0, wanted=0, cover=[])
    return jsonify(session.set_up.desk.look(picture))


def expert_anew() -> Response:
    """Begin anew."""
    return jsonify(_session().set_up.desk.anew())


ROUTES = (
    ("/api/expert", "POST", Rule.CONTROL, expert_look),
    ("/api/expert/anew", "POST", Rule.CONTROL, expert_anew),
)
