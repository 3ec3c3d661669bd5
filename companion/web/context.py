"""What every view needs, typed: the session, who may come in, the streams, the shared services.

Made once by `app.create_app`; a view asks `companion()` for it. Knows Flask's current app; decides
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flask import abort, current_app, g, request

from companion.capture.phone import PhoneCameraLease
from companion.web.deck_check_service import DeckCheckService
from companion.web.guards import strict_json
from companion.web.guards.access import Device, Door, Rule
from companion.web.guards.certificate_authority import Authority
from companion.web.print_queue import PrintQueue
from companion.web.stream import Streams
from companion.web.table_session import TableSession

COOKIE = "companion_device"
SECURE_COOKIE = "__Host-companion"
"""A cookie of its own on secure pages: browsers then keep it from ever being set or sent without
TLS."""


@dataclass(slots=True)
class Companion:
    """What the views share: the session, who may come in, the open streams, the names this server
    answers to."""

    session: TableSession
    door: Door
    streams: Streams
    hosts: frozenset[str]
    public: str | None
    """The address that invitations carry; the asker's own when None."""
    version: str
    phone_lease: PhoneCameraLease | None = None
    authority: Authority | None = None
    art: dict[int, bytes] = field(default_factory=dict)
    rules: dict[str, Rule] = field(default_factory=dict)
    print_queue: PrintQueue = field(default_factory=PrintQueue)
    deck_check: DeckCheckService = field(default_factory=DeckCheckService)

    @property
    def cookie(self) -> str:
        """The name of the cookie that lets a device in."""
        return SECURE_COOKIE if self.authority is not None else COOKIE


def companion() -> Companion:
    """What the views of the current app share."""
    shared: Companion = current_app.extensions["companion"]
    return shared


def asking_device() -> Device:
    """The device that asks; only where the rule of the route lets none in without one."""
    device: Device = g.device
    return device


def asked_object() -> dict[str, Any]:
    """The body of the request, a JSON object; 415 for another kind of body, 400 for other JSON."""
    if not request.is_json:
        abort(415)
    try:
        asked = strict_json.loads(request.get_data())
    except strict_json.BadJson:
        abort(400)
    if not isinstance(asked, dict):
        abort(400)
    return asked
