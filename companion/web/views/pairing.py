"""The way in: a one-time code becomes a cookie, and a device already in asks others in or sends
them away.

Knows the door and HTTP; of the game only how many cards a round takes, which every screen is told.
"""

from __future__ import annotations

from typing import Any

import qrcode
from flask import Response, abort, current_app, g, jsonify, redirect, request

from companion.game.seats import CARDS_A_ROUND, attempts
from companion.game.words import one_line
from companion.web.context import asked_object, asking_device, house
from companion.web.guards.access import (
    WATCH_MINUTES,
    CannotKeep,
    Device,
    Rule,
    SentAway,
    TooManyCame,
    key_of,
)
from companion.web.views.page_files import door_page

COOKIE_DAYS = 400
OLD_BROWSERS_PATH = "/api/old-browsers/"
LONGEST_DEVICE_NAME = 40
WATCHERS = 20
"""How many screens one invitation to watch lets in: eight players with two screens each, and some
guests."""


def enter(code: str) -> Response:
    """Swap the code for a cookie and send the browser to the page without it; a device already in
    just goes on."""
    shared = house()
    home = redirect("/", 303)
    if g.device is not None and g.device.role is Rule.CONTROL:
        return home  # type: ignore[return-value]
    if request.method == "HEAD":
        return door_page(200, "new")
    if _only_looks_ahead():
        abort(503)
    try:
        token = shared.door.enter(
            code[:200], _kind_of_device(request.headers.get("User-Agent", ""))
        )
    except CannotKeep as trouble:
        current_app.logger.warning("%s", trouble)
        return door_page(503, "disk")
    except TooManyCame:
        return door_page(429, "many")
    if token is None:
        return home if g.device is not None else door_page(403, "used")  # type: ignore[return-value]
    home.set_cookie(
        shared.cookie,
        token,
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
        path="/",
    )
    return home  # type: ignore[return-value]


def _only_looks_ahead() -> bool:
    """True for a program that looks at an address before a person opens it: the one-time code is
    not spent on it."""
    purpose = (
        request.headers.get("Sec-Purpose", "")
        + request.headers.get("Purpose", "")
        + request.headers.get("X-Moz", "")
    )
    return "prefetch" in purpose.lower() or "preview" in purpose.lower()


def hello() -> Response:
    """Who this device is: its name and what it may do; and the game's table of round sizes. Whoever
    asks has a browser that draws the page."""
    shared = house()
    shared.too_old.discard(asking_device().key)
    return jsonify(
        device=_public(asking_device()),
        version=shared.version,
        secure=request.is_secure,
        round_sizes=[
            {"players": players, "cards": cards, "attempts": attempts(cards)}
            for players, cards in CARDS_A_ROUND.items()
        ],
    )


def devices() -> Response:
    """Every device that was let in, for the page that can send one away, and whether it looks now; and how
    it stands with the `invitation` that the page shows: whether it still lets somebody in, and for how
    long."""
    shared = house()
    state, minutes = shared.door.invitation(request.args.get("invitation", ""))
    return jsonify(
        devices=[
            {**_public(device), "looks": shared.streams.looks(device.key)}
            for device in shared.door.devices
        ],
        me=asking_device().key,
        invitation={"state": state, "minutes": minutes},
    )


def change_device() -> Response | tuple[Response, int]:
    """Send a device away or give it another name; 503 with a sentence when that cannot be written
    down, and then nothing was changed."""
    try:
        return _changed_device(asked_object())
    except CannotKeep as trouble:
        return jsonify(error="cannot_save", reason=str(trouble)), 503
    except SentAway:
        abort(401)


def _changed_device(body: dict[str, Any]) -> Response:
    shared = house()
    key = body.get("key")
    if not isinstance(key, str):
        abort(400)
    name = one_line(body["name"]) if isinstance(body.get("name"), str) else ""
    by = asking_device().key
    if body.get("do") == "revoke" and shared.door.revoke(key, by):
        shared.end_of(key)
    elif not (
        body.get("do") == "rename"
        and name
        and shared.door.rename(key, name[:LONGEST_DEVICE_NAME], by)
    ):
        abort(404)
    return devices()


def invite() -> Response:
    """A fresh invitation as an address and as the rows of its QR code; asked in to watch, or to
    control."""
    shared = house()
    role = Rule.CONTROL if asked_object().get("role") == "control" else Rule.WATCH
    uses = 1 if role is Rule.CONTROL else WATCHERS
    try:
        code = shared.door.invite(role, uses, WATCH_MINUTES, asking_device().key)
    except SentAway:
        abort(401)
    address = f"{(shared.public or request.host_url).rstrip('/')}/in/{code}"
    return jsonify(
        address=address,
        rows=qr_rows(address),
        minutes=WATCH_MINUTES,
        key=key_of(code),
        state="good",
    )


def too_old() -> Response:
    """This device's browser says that it cannot draw the page (`static/old_browser.js`)."""
    house().too_old.add(asking_device().key)
    return Response(status=204)


def old_browsers(code: str) -> Response:
    """The names of the devices whose browser is too old, for `companion doctor`: for whoever has a code
    that would let a device in."""
    shared = house()
    if shared.door.invitation(key_of(code[:200]))[0] != "good":
        abort(404)
    return jsonify([d.name for d in shared.door.devices if d.key in shared.too_old])


def qr_rows(text: str) -> list[str]:
    """The QR code of `text` as rows of "0" and "1", without the quiet zone."""
    code = qrcode.QRCode(border=0, error_correction=qrcode.constants.ERROR_CORRECT_M)
    code.add_data(text)
    code.make(fit=True)
    return ["".join("1" if dark else "0" for dark in row) for row in code.get_matrix()]


def _public(device: Device) -> dict[str, str]:
    return {"key": device.key, "name": device.name, "role": device.role.value}


def _kind_of_device(agent: str) -> str:
    """A first name for a device, from what its browser says; people can change it."""
    if "iPad" in agent or ("Android" in agent and "Mobile" not in agent):
        return "Tablet"
    if "Mobile" in agent or "iPhone" in agent:
        return "Phone"
    return "TV" if "TV" in agent else "Computer"


ROUTES = (
    ("/in/<code>", "GET", Rule.OPEN, enter),
    ("/api/hello", "GET", Rule.WATCH, hello),
    ("/api/too-old", "GET", Rule.WATCH, too_old),
    (f"{OLD_BROWSERS_PATH}<code>", "GET", Rule.OPEN, old_browsers),
    ("/api/devices", "GET", Rule.CONTROL, devices),
    ("/api/devices", "POST", Rule.CONTROL, change_device),
    ("/api/invite", "POST", Rule.CONTROL, invite),
)
