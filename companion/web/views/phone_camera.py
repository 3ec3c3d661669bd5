"""The camera page's pictures: a paired device that may control becomes the camera and sends its
pictures here.

Knows HTTP and the lease; looks into no picture.
"""

from __future__ import annotations

from flask import Response, abort, jsonify, request

from companion.capture.phone import PhoneCameraLease
from companion.web.context import asked_object, asking_device, companion
from companion.web.guards.access import Rule

ADDRESS = "/api/lens"
"""A phone lent as camera has had this address from the first release on; in the house "lens" means
the camera's optics."""

MOST_FRAME_BYTES = 2_500_000
"""A 1080p JPEG of a busy table at the best quality the page asks for is 0.9 MB."""


def _lease() -> PhoneCameraLease:
    lease = companion().phone_lease
    return lease if lease is not None else abort(404)


def phone_camera() -> Response:
    """Whether a device may be the camera here, whether one is, and whether it is this one."""
    lease = companion().phone_lease
    holder = lease.holder_key if lease is not None else None
    mine = holder == asking_device().key
    return jsonify(possible=lease is not None, taken=holder is not None, mine=mine)


def change_phone_camera() -> Response:
    """Become the camera, or be it no longer; 404 where footage or the practice table plays."""
    wanted = asked_object().get("do")
    device = asking_device()
    if wanted == "take":
        _lease().take_over(device.key, device.name)
    elif wanted == "leave":
        _lease().give_back(device.key)
    else:
        abort(400)
    return phone_camera()


def frame() -> tuple[Response, int] | Response:
    """One picture as a JPEG body; answers how soon the next one is wanted, 409 when another device
    is the camera."""
    request.max_content_length = MOST_FRAME_BYTES
    if request.mimetype != "image/jpeg":
        abort(415)
    try:
        camera = _lease().hand_on_picture(asking_device().key, request.get_data(cache=False))
    except ValueError:
        abort(400)
    if camera is None:
        return jsonify(error="other"), 409
    return jsonify(every_ms=camera.every_ms)


ROUTES = (
    (ADDRESS, "GET", Rule.CONTROL, phone_camera),
    (ADDRESS, "POST", Rule.CONTROL, change_phone_camera),
    (f"{ADDRESS}/frame", "POST", Rule.CONTROL, frame),
)
