"""The app: every route with its rule, in front of one session.

A route is declared together with who may use it; a request for anything else finds nothing. Knows
the session by its protocol (`table_session`); knows nothing of the rules of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, current_app, g, jsonify, request
from werkzeug.exceptions import HTTPException, ServiceUnavailable

from companion.capture.phone import PhoneCameraLease
from companion.errors import CompanionError
from companion.limited_process import TooMuch
from companion.outbox.sender import Sender
from companion.set_up.deck_learning import DeckLearning
from companion.web.context import ChosenDeck, Companion, House, house
from companion.web.guards import headers
from companion.web.guards.access import Door, Rule
from companion.web.guards.certificate_authority import Authority
from companion.web.stream import PLACES, Streams
from companion.web.table_session import TableSession
from companion.web.views import (
    book,
    deck_check,
    evening,
    hall_link,
    learnt_decks,
    lens_wizard,
    page_files,
    pairing,
    phone_camera,
    pile_count,
    print_room,
    recording,
    round_pictures,
    stills,
    trust_page,
)

VIEWS = (
    page_files,
    pairing,
    evening,
    book,
    pile_count,
    deck_check,
    learnt_decks,
    lens_wizard,
    phone_camera,
    print_room,
    recording,
    round_pictures,
    stills,
    hall_link,
    trust_page,
)
"""The modules of routes; each lists its own as `ROUTES`: address, methods, who may, the view."""


def create_app(
    session: TableSession,
    door: Door | None = None,
    *,
    hosts: Iterable[str] = (),
    public: str | None = None,
    stream_cap: int = PLACES,
    version: str = "",
    phone_lease: PhoneCameraLease | None = None,
    authority: Authority | None = None,
    hall_sender: Sender | None = None,
    chosen_deck: ChosenDeck | None = None,
    decks: Path | None = None,
) -> Flask:
    """The tablet's app for `session`.

    `hosts` are the names and addresses people type (beside this machine's own), `public` the
    address that invitations carry ("http://192.168.1.5:8000"; the asker's own when None),
    `stream_cap` how many screens may look on at once, `phone_lease` which device is the camera, `hall_sender` what sends the score to a hall, `chosen_deck` what is played with, `decks` is the data folder that keeps the learnt ones. With
    an `authority` only secure pages show anything but the trust page.
    """
    shared = Companion(
        session=session,
        door=door or Door(),
        streams=Streams(stream_cap),
        hosts=headers.known_hosts(hosts),
        public=public,
        version=version,
        phone_lease=phone_lease,
        authority=authority,
        hall_sender=hall_sender,
        learning=DeckLearning(decks) if decks is not None else None,
        chosen_deck=chosen_deck,
    )
    return guarded_app(shared, VIEWS)


def guarded_app(shared: House, views: Iterable[Any]) -> Flask:
    """An app of these modules of routes, each request stopped that is not for it."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = 65_536
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["companion"] = shared
    app.before_request(check_request)
    app.after_request(add_headers)
    app.register_error_handler(HTTPException, plain_error)
    app.register_error_handler(TooMuch, plain_too_much)
    app.register_error_handler(CompanionError, plain_trouble)
    app.register_error_handler(OSError, plain_no_disk)
    app.register_error_handler(Exception, plain_failure)
    for module in views:
        for path, methods, rule, view in module.ROUTES:
            declare(app, path, methods, rule, view)
    return app


def declare(app: Flask, path: str, methods: str, rule: Rule, view: Callable[..., Any]) -> None:
    """Add a route together with the rule that guards it; there is no other way to add one."""
    app.add_url_rule(path, view.__name__, view, methods=methods.split())
    shared_by(app).rules[view.__name__] = rule


def shared_by(app: Flask) -> House:
    """What the views of this app share."""
    shared: House = app.extensions["companion"]
    return shared


def pairing_address(app: Flask, base: str) -> str:
    """An address with a fresh one-time code for a device that may control: for the host's screen
    and its QR code only."""
    return f"{base.rstrip('/')}/in/{shared_by(app).door.invite(Rule.CONTROL)}"


PLAIN = ("trust", "certificate", "static_file", "companion_here", "old_browsers")
"""What a secure companion answers without TLS."""

TOLD_DATES = ("HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE", "HTTP_IF_RANGE")
"""Headers that nobody looks at: files are known again by their ETag, and a stranger's date may have any
number of digits."""


def check_request() -> Response | None:
    """Stop a request that is for another host, unprotected, from another page, or from a device
    that may not."""
    for name in TOLD_DATES:
        request.environ.pop(name, None)
    shared = house()
    if headers.bare_host(request.headers.get("Host")) not in shared.hosts:
        abort(421)
    if shared.authority is not None and not request.is_secure and request.endpoint not in PLAIN:
        return trust_page.to_trust_page()
    changes = request.method not in ("GET", "HEAD", "OPTIONS")
    if changes and not headers.same_origin(
        request.headers.get("Origin"), request.scheme, request.headers.get("Host")
    ):
        abort(403, "origin")
    g.device = shared.device_of(request.cookies)
    rule = shared.rules.get(request.endpoint or "")
    if rule is Rule.OPEN:
        return None
    if g.device is None:
        abort(401)
    if rule is None:
        abort(404)
    if not g.device.may(rule):
        abort(403, "watching")
    return None


def add_headers(response: Response) -> Response:
    """The same strict headers on every answer; nothing private is ever kept by a cache between us
    and the screen."""
    more = headers.SECURE_HEADERS if request.is_secure else {}
    for name, value in (headers.HEADERS | more).items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def plain_error(error: HTTPException) -> Response:
    """A refusal in plain words: the way in for a person's browser, a short key for our own page."""
    code = error.code or 500
    if code == 401 and request.path == "/":
        return page_files.door_page(401, "new")
    if code == 421:
        return Response(
            "This name is not one of this companion's. Use the address on the host's screen, or start the "
            "companion with --host-name and this name.\n",
            421,
            mimetype="text/plain",
        )
    answer = jsonify(
        error=error.description if code == 403 else error.name.lower().replace(" ", "-")
    )
    answer.status_code = code
    if code == 503:
        answer.headers["Retry-After"] = "5"
    return answer


def plain_too_much(error: TooMuch) -> Response:  # noqa: ARG001 (Flask calls it so)
    """Work that took more than it may: refused, and the process that did it is gone."""
    return plain_error(ServiceUnavailable())


def plain_trouble(error: CompanionError) -> Response:
    """What a person can act on, a full disk above all: the sentence that says what to do."""
    answer = jsonify(error="cannot", reason=str(error))
    answer.status_code = 503
    return answer


def plain_no_disk(error: OSError) -> Response:
    """The disk does not answer, as a stick that was pulled out: refused in words, one line for the host."""
    current_app.logger.warning("a request was refused: %s: %s", request.path, error)
    why = error.strerror or error
    return plain_trouble(
        CompanionError(f"The disk does not answer ({why}): look whether it is still there.")
    )


def plain_failure(error: Exception) -> Response:  # noqa: ARG001 (Flask calls it so)
    """A fault of our own: logged for the host, told without details to the screen."""
    current_app.logger.exception("a request failed: %s", request.path)
    answer = jsonify(error="failure")
    answer.status_code = 500
    return answer
