"""Decks without codes over HTTP: learnt under the camera, kept, played with.

Knows who may ask and when: what lies there is told before an evening and after it, never while a round
may be open.
"""

from __future__ import annotations

import io
from typing import Any

from flask import Response, abort, jsonify, send_file

from companion.errors import BadInput
from companion.game.rules import Refusal
from companion.set_up import deck_store
from companion.set_up.deck_learning import DeckLearning, TablePicture
from companion.vision.learnt.deck import LearntDeck, bare_look, check_name
from companion.web.card_art import look_webp
from companion.web.context import asked_object, companion
from companion.web.guards.access import Rule
from companion.web.heavy_work import heavy_work

PHASES = ("setup", "over")
"""When what lies on the table is nobody's secret."""


def learnt_decks() -> Response:
    """The kept decks, which of them is played, and the lesson that goes on; false where this table's
    cards are what they are."""
    learning = companion().learning
    return jsonify(_state(learning) if learning is not None else False)


def change_learnt_decks() -> Response | tuple[Response, int]:
    """Begin a lesson ("learn" with a `name`), look once more ("look"), answer ("same" or "new" of the
    card `at` in the lay of that number, `lay`), forget a learnt card ("drop", its id as `card`), stop ("end"), play with a deck ("play", `name`
    or null for codes), delete one ("forget", `name`).

    409 during a game, 423 for a card with whose number an evening was played, 410 for a card that is out already or a question that nobody asks any more, 400 for what nobody asks, 422 with a
    sentence where it cannot be.
    """
    learning, asked = _learning(), asked_object()
    session = companion().session
    shown = session.camera.table_picture()  # before the phase: never of a round begun since
    if session.scoreboard()["phase"] not in PHASES:
        abort(409, "game")
    try:
        with heavy_work():
            refused = _do(learning, asked, shown)
    except BadInput as error:
        return jsonify(error=str(error)), 422
    if refused is not None:
        abort(409, refused.reason)
    return jsonify(_state(learning))


def _do(
    learning: DeckLearning, asked: dict[str, Any], shown: TablePicture | None
) -> Refusal | None:
    match asked:
        case {"do": "learn", "name": str(name)}:
            _check_not_played(name.strip())
            learning.begin(name.strip())
        case {"do": "look"}:
            learning.observe_picture(shown)
        case {"do": "same" | "new" as said, "lay": int(lay), "at": int(at)}:
            if not learning.answer_alike(lay, at, said == "new"):
                abort(410)
        case {"do": "drop", "card": str(card)}:
            _check_no_number_moves(learning, card)
            if not learning.drop_card(card):
                abort(410)
        case {"do": "end"}:
            learning.end()
        case {"do": "play", "name": str() | None as name}:
            return _play_with(learning, name)
        case {"do": "forget", "name": str(name)}:
            _check_not_played(name)
            deck_store.forget_deck(learning.folder, name)
        case _:
            abort(400)
    return None


def _play_with(learning: DeckLearning, name: str | None) -> Refusal | None:
    """Play with this deck from now on. A screen that was learning it learns it no more: a card that is
    dropped would move the numbers that stand in the ledger."""
    chosen = companion().chosen_deck
    if chosen is None:
        abort(404)
    refused = chosen.choose(name, companion().session)
    if refused is None and name is not None:
        learning.end_of(name)
    return refused


def _check_not_played(name: str) -> None:
    """A deck that is played with stays as it is: its cards' numbers stand in the ledger.
    The name is compared as files have it, however its letters are written. Raises BadInput."""
    chosen = companion().chosen_deck
    if chosen is None or chosen.name is None:
        return
    if check_name(name).casefold() == chosen.name.casefold():
        raise BadInput(f"{name} is being played with: choose another deck first")


def _check_no_number_moves(learning: DeckLearning, card: str) -> None:
    """Numbers that stand in the ledger of an evening stay those of their cards: 423."""
    deck, number = learning.numbered(card)
    if 0 < number <= companion().session.book.highest_card(deck):
        abort(423)


def learnt_card(name: str, card: str) -> Response:
    """The picture of the learnt card with this id."""
    deck = _deck(name)
    number = deck.number_of(card)
    if number is None:
        abort(404)
    return _picture(look_webp(bare_look(deck.outline, deck.cards[number - 1].looks[0])))


def laid_card(lay: int, at: int) -> Response:
    """The picture of one card of that lay, about which a question stands."""
    look = _learning().laid_look(lay, at)
    return _picture(look_webp(look)) if look is not None else abort(404)


def deck_file(name: str) -> Response:
    """A learnt deck as one file, to hand on."""
    try:
        data = deck_store.deck_bytes(_learning().folder, name)
    except BadInput:
        abort(404)
    called = f"{check_name(name)}{deck_store.ENDING}"
    return send_file(io.BytesIO(data), "application/zip", as_attachment=True, download_name=called)


def _deck(name: str) -> LearntDeck:
    try:
        return _learning().deck(name)
    except BadInput:
        abort(404)


def _learning() -> DeckLearning:
    """The decks of this table; 404 where its cards are what they are."""
    learning = companion().learning
    return learning if learning is not None else abort(404)


def _state(learning: DeckLearning) -> dict[str, Any]:
    shared, lesson = companion(), learning.to_json()
    return {
        "kept": learning.kept() if lesson is None else [],
        "played": shared.chosen_deck.name if shared.chosen_deck is not None else None,
        "lesson": lesson,
        "live": shared.session.camera.table_picture() is not None,
    }


def _picture(webp: bytes) -> Response:
    response = Response(webp, mimetype="image/webp")
    response.headers["Cache-Control"] = "no-store"
    return response


ROUTES = (
    ("/api/decks", "GET", Rule.CONTROL, learnt_decks),
    ("/api/decks", "POST", Rule.CONTROL, change_learnt_decks),
    ("/api/decks/laid/<int:lay>/<int:at>", "GET", Rule.CONTROL, laid_card),
    ("/api/decks/<name>/cards/<card>", "GET", Rule.CONTROL, learnt_card),
    ("/api/decks/<name>/file", "GET", Rule.CONTROL, deck_file),
)
