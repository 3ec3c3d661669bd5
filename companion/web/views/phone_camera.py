"""The camera page's pictures: a paired device that may control becomes the camera and sends its
pictures here.

Knows HTTP and the lens; looks into no picture.
"""

from __future__ import annotations

from typing import Any

from flask import Response, abort, current_app, g, jsonify, request

from companion.web.guards import strict_json
from companion.web.guards.access import Rule

MOST_BYTES = 2_500_000
"""A 1080p JPEG of a busy table at the best quality the page asks for is 0.9 MB."""


def _lens() -> Any:
    found = current_app.extensions["companion"].lens
    return found if found is not None else abort(404)


def lens() -> Response:
    """Whether a device may be the camera here, and whether this one is."""
    found = current_app.extensions["companion"].lens
    return jsonify(
        possible=found is not None, mine=found is not None and found.holder == g.device.key
    )


def change_lens() -> Response:
    """Become the camera, or be it no longer; 404 where footage or the practice table plays."""
    if not request.is_json:
        abort(415)
    try:
        asked = strict_json.loads(request.get_data())
    except strict_json.BadJson:
        abort(400)
    wanted = asked.get("do") if isinstance(asked, dict) else None
    if wanted == "take":
        _lens().take(g.device.key, g.device.name)
    elif wanted == "leave":
        _lens().leave(g.device.key)
    else:
        abort(400)
    return lens()


def frame() -> tuple[Response, int] | Response:
    """One picture as a JPEG body; answers how soon the next one is wanted, 409 when another device
    is the camera."""
    request.max_content_length = MOST_BYTES
    if request.mimetype != "image/jpeg":
        abort(415)
    try:
        camera = _lens().put(g.device.key, request.get_data(cache=False))
    except ValueError:
        abort(400)
    if camera is None:
        return jsonify(error="other"), 409
    return jsonify(every_ms=camera.every_ms)


ROUTES = (
    ("/api/lens", "GET", Rule.CONTROL, lens),
    ("/api/lens", "POST", Rule.CONTROL, change_lens),
    ("/api/lens/frame", "POST", Rule.CONTROL, frame),
)
