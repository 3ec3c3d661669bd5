"""The deck check over HTTP: the running camera's newest picture, or a photo, ticks cards off.

Knows who may ask and when: card numbers are told before the evening and after it, never while a
round may be open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np
from flask import Response, abort, current_app, jsonify, request

from card_printables.deck import DECKS, PUBLISHED_SIZE
from card_printables.marker import SYMBOL_MM
from companion.set_up.deck_check import BadPhoto, DeckCheck
from companion.web.guards.access import Rule

PHASES = ("setup", "over")
"""When the numbers of cards in view are nobody's secret."""

MOST_BYTES = 3_000_000
"""The largest photo that is taken in (the server takes no larger body): the page shrinks a phone's.
"""


@dataclass(slots=True)
class Tally:
    """The count that all screens share; made when it is first asked for, and anew for another deck
    or another evening."""

    check: DeckCheck | None = None
    made_for: tuple[object, ...] = ()
    lock: Lock = field(default_factory=Lock)

    def of(self, session: Any, phase: str) -> DeckCheck:
        """The one count of this session's deck, before this evening or after it."""
        eye = getattr(getattr(session, "watching", None), "eye", None)
        deck, symbol_mm = (eye.reader.deck, eye.reader.symbol_mm) if eye else (DECKS[0], SYMBOL_MM)
        numbers = frozenset(getattr(session, "numbers", range(1, PUBLISHED_SIZE + 1)))
        wanted = (numbers, deck, phase, getattr(getattr(session, "journal", None), "evening", None))
        with self.lock:
            if self.check is None or self.made_for != wanted:
                self.check, self.made_for = DeckCheck(numbers, deck, symbol_mm), wanted
            self.check.look_for(symbol_mm)
            return self.check


def _newest(session: Any) -> np.ndarray | None:
    """The camera's newest picture, or None while no camera gives any."""
    watching = getattr(session, "watching", None)
    return watching.picture if watching is not None and watching.playing else None


def _check() -> DeckCheck:
    """The count; 409 while a round may be open."""
    ours = current_app.extensions["companion"]
    phase = ours.session.scoreboard()["phase"]
    if phase not in PHASES:
        abort(409, "game")
    check: DeckCheck = ours.tally.of(ours.session, phase)
    return check


def deck_look() -> Response:
    """Take the newest picture into the count; 409 during a game."""
    image = _newest(
        current_app.extensions["companion"].session
    )  # before the phase: never a picture of a round begun since
    return jsonify(_check().look(image) | {"live": image is not None})


def deck_anew() -> Response:
    """Begin to count anew; 409 during a game."""
    return jsonify(_check().anew())


def deck_photo() -> Response | tuple[Response, int]:
    """Take a photo into the count; 409 during a game, 415 for what is no picture, 413 for one that
    is too large."""
    check = _check()
    request.max_content_length = MOST_BYTES
    try:
        return jsonify(check.photo(request.get_data()))
    except BadPhoto as error:
        return jsonify(error=str(error)), 415


ROUTES = (
    ("/api/deck", "POST", Rule.CONTROL, deck_look),
    ("/api/deck/anew", "POST", Rule.CONTROL, deck_anew),
    ("/api/deck/photo", "POST", Rule.CONTROL, deck_photo),
)
