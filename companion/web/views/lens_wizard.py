"""The expert's lens page over HTTP: each request lets the lens wizard look at the camera's newest
picture.

Knows who may ask and when: never while cards are looked at in secret.
"""

from __future__ import annotations

from flask import Response, abort, jsonify

from companion.web.context import companion
from companion.web.guards.access import Rule
from companion.web.table_session import TableSession


def _session() -> TableSession:
    session = companion().session
    if not session.camera.may_show:
        abort(409, "game")
    return session


def expert_look() -> Response:
    """Look at the newest picture; `why` is "no_camera" while there is none."""
    session = _session()
    picture = session.camera.newest_picture()
    if picture is None or not session.camera.may_show:
        return jsonify(why="no_camera", views=0, wanted=0, cover=[])
    return jsonify(session.camera.lens_wizard.take_view(picture))


def expert_anew() -> Response:
    """Begin anew."""
    return jsonify(_session().camera.lens_wizard.begin_anew())


ROUTES = (
    ("/api/expert", "POST", Rule.CONTROL, expert_look),
    ("/api/expert/anew", "POST", Rule.CONTROL, expert_anew),
)
