"""What every view needs, typed: the session, who may come in, the streams, the shared services.

Made once by `app.create_app`; a view asks `companion()` for it, one that serves a hall as well `house()`. Knows Flask's current app; decides
nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from flask import abort, current_app, g, request

from companion.capture.phone import PhoneCameraLease
from companion.game.rules import Refusal
from companion.outbox.sender import Sender
from companion.set_up.deck_learning import DeckLearning
from companion.web.deck_check_service import DeckCheckService
from companion.web.guards import strict_json
from companion.web.guards.access import Device, Door, Rule
from companion.web.guards.certificate_authority import Authority
from companion.web.guards.rate_limits import ActLimits
from companion.web.print_queue import PrintQueue
from companion.web.stream import Streams
from companion.web.table_session import TableSession

COOKIE = "companion_device"
SECURE_COOKIE = "__Host-companion"
"""A cookie of its own on secure pages: browsers then keep it from ever being set or sent without
TLS."""


@dataclass(slots=True, kw_only=True)
class House:
    """What each of our servers has, a table's or a hall's: who may come in, the open streams, the
    names it answers to."""

    door: Door
    streams: Streams
    hosts: frozenset[str]
    public: str | None
    """The address that invitations carry; the asker's own when None."""
    version: str
    authority: Authority | None = None
    rules: dict[str, Rule] = field(default_factory=dict)
    too_old: set[str] = field(default_factory=set)
    """Keys of the devices whose browser cannot draw the page."""
    language: str | None = None
    """In which language the first screen reads its page; None before one came."""

    @property
    def cookie(self) -> str:
        """The name of the cookie that lets a device in."""
        return SECURE_COOKIE if self.authority is not None else COOKIE

    def device_of(self, cookies: Mapping[str, str]) -> Device | None:
        """The device that holds one of these cookies."""
        return self.door.device(cookies.get(self.cookie))

    def end_of(self, device: str) -> None:
        """The device of this key was sent away: end what goes on for it."""
        self.streams.end(device)

    def stop_work(self) -> None:
        """The server stops: end what runs beside it."""


class ChosenDeck(Protocol):
    """The deck that this table plays with."""

    @property
    def name(self) -> str | None:
        """What it was called when it was learnt; None for printed codes."""

    def choose(self, name: str | None, session: Any) -> Refusal | None:
        """Play with the learnt deck of this name, or with printed codes. Raises BadInput."""


@dataclass(slots=True, kw_only=True)
class Companion(House):
    """What the views of a table share: its session, and what they do beside it."""

    session: TableSession
    phone_lease: PhoneCameraLease | None = None
    hall_sender: Sender | None = None
    learning: DeckLearning | None = None
    """The deck that is learnt on the screens; None where this table's cards are what they are."""
    chosen_deck: ChosenDeck | None = None
    """What is played with, and the choice of it."""
    act_limits: ActLimits = field(default_factory=ActLimits)
    art: dict[int, bytes] = field(default_factory=dict)
    print_queue: PrintQueue = field(default_factory=PrintQueue)
    deck_check: DeckCheckService = field(default_factory=DeckCheckService)

    def end_of(self, device: str) -> None:
        """Its streams end, it is the camera no longer, and what it tapped before, asked of the book, or
        changed about the hall, has been entered or never is."""
        House.end_of(self, device)
        self.session.let_commands_end()
        with self.session.book.unchanged():
            pass
        if self.hall_sender is not None:
            self.hall_sender.links.let_changes_end()
        if self.phone_lease is not None:
            self.phone_lease.give_back(device)

    def stop_work(self) -> None:
        """End the file that is being made, the reading of evenings, and the screens' waiting for a
        change."""
        self.print_queue.stop()
        self.session.book.stop_reading()
        self.session.wake_screens()


def house() -> House:
    """What every server of ours has, in the current app."""
    shared: House = current_app.extensions["companion"]
    return shared


def companion() -> Companion:
    """What the views of the current app share."""
    shared: Companion = current_app.extensions["companion"]
    return shared


def asking_device() -> Device:
    """The device that asks; only where the rule of the route lets none in without one."""
    device: Device = g.device
    return device


def is_still_in() -> bool:
    """False where the device that asks was sent away since its request was let through."""
    return house().device_of(request.cookies) is not None


def require_still_in() -> None:
    """401 for a device that was sent away while its request waited."""
    if not is_still_in():
        abort(401)


def place_in_streams() -> tuple[str, threading.Event]:
    """A place for the stream of the screen that asks, and what tells it to end; 503 when every place is
    taken, 401 where the device was sent away since it was let through."""
    shared, device = house(), asking_device()
    key = f"{device.key}:{request.args.get('tab', '')[:16]}"
    ended = shared.streams.enter(key, looks_on=device.role is Rule.WATCH)
    if ended is None:
        abort(503)
    if not is_still_in():  # whoever is sent away from here on has it ended
        shared.streams.leave(key, ended)
        abort(401)
    return key, ended


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
