"""The hall page of a table: which hall gets the score, whether names are shown there, and leaving it.

Knows the sender and HTTP; asks the hall itself only when somebody joins one.
"""

from __future__ import annotations

from flask import Response, abort, jsonify, request

from companion.errors import BadInput
from companion.limited_process import TooMuch
from companion.outbox.letters import NotJoined
from companion.outbox.sender import NamesStay, Sender
from companion.set_up.code_in_photo import code_in
from companion.web.context import asked_object, companion, require_still_in
from companion.web.guards.access import Rule
from companion.web.heavy_work import heavy_result

MOST_PICTURE_BYTES = 3_000_000
LONGEST_ADDRESS = 400


def _sender() -> Sender:
    sender = companion().hall_sender
    return sender if sender is not None else abort(404)


def hall_link() -> Response:
    """The hall this table belongs to, and how far it has got; 404 where none can be joined."""
    sender = _sender()
    link, far = sender.links.link, sender.how_far
    if link is None:
        return jsonify(hall=None)
    return jsonify(
        hall=link.address,
        number=link.number,
        names=link.names,
        names_wait=link.names_wait,
        state=far.state,
        left=far.left,
    )


def change_hall_link() -> Response | tuple[Response, int]:
    """Join the hall at an address, decide about names, or leave; 422 with why where it cannot be."""
    sender, asked = _sender(), asked_object()
    try:
        if asked.get("do") == "join" and isinstance(asked.get("address"), str):
            sender.join(asked["address"][:LONGEST_ADDRESS], require_still_in)
        elif asked.get("do") == "names" and isinstance(asked.get("shown"), bool):
            sender.links.decide_names(asked["shown"], require_still_in)
            sender.notice_news()
        elif asked.get("do") == "leave":
            sender.leave(require_still_in)
        else:
            abort(400)
    except BadInput as trouble:
        return _refused(trouble)
    return hall_link()


def join_by_photo() -> Response | tuple[Response, int]:
    """Join the hall whose code is in this photo; 422 where no code is read in it."""
    sender = _sender()
    request.max_content_length = MOST_PICTURE_BYTES
    try:
        text = heavy_result(code_in, request.get_data())
    except TooMuch:
        text = None
    if text is None:
        return jsonify(error="photo"), 422
    try:
        sender.join(text[:LONGEST_ADDRESS], require_still_in)
    except BadInput as trouble:
        return _refused(trouble)
    return hall_link()


def _refused(trouble: BadInput) -> tuple[Response, int]:
    """Why it cannot be, in a word by which the page finds its own sentence: the hall's, or else it was
    the disk that refused to write the link down."""
    why = trouble.why if isinstance(trouble, NotJoined | NamesStay) else "disk"
    return jsonify(error="hall", why=why), 422


ROUTES = (
    ("/api/hall-link", "GET", Rule.CONTROL, hall_link),
    ("/api/hall-link", "POST", Rule.CONTROL, change_hall_link),
    ("/api/hall-link/photo", "POST", Rule.CONTROL, join_by_photo),
)
