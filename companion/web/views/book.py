"""The book of evenings over HTTP: found, opened, played again, changed, taken along, backed up.

Knows the session's book by its methods; decides nothing itself.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from flask import Response, abort, jsonify, request

from calibration.check.sentences import LANGUAGES
from companion.errors import BadInput, JournalTrouble
from companion.findings.played import PlayedEvening
from companion.game.rules import Refusal
from companion.game.seats import MOST_PLAYERS
from companion.journal.acts import Act
from companion.web.card_art import look_jpeg
from companion.web.context import (
    asked_object,
    asking_device,
    companion,
    is_still_in,
    require_still_in,
)
from companion.web.guards.access import Rule
from companion.web.heavy_work import heavy_result, heavy_work
from companion.web.views.page_files import page_words
from companion.years.album import NAMINGS, album_words
from companion.years.backup import back_up, passing_prefix
from companion.years.book import LONGEST, MOST_NUMBER, BookOfEvenings, StillReading
from companion.years.take_along import FILE_KINDS, exported

PIECE = 65_536
"""Letters that are sent at once."""


def _book() -> BookOfEvenings:
    return companion().session.book


def book() -> Response:
    """Evenings of the book, the newest first; `person`, `year`, `place`, `after` and `count` choose."""
    asked = request.args
    return jsonify(
        _book().page(
            asked.get("person"),
            asked.get("year", None, type=int),
            asked.get("place"),
            asked.get("after", 0, type=int),
            asked.get("count", 24, type=int),
        )
    )


def book_act() -> tuple[Response, int]:
    """Do what a person asked of the book; the name of their device is written beside it."""
    asked, device = asked_object(), asking_device()
    if not companion().act_limits.may_in_book(device.key, asked.get("do"), time.monotonic()):
        return jsonify(error="refused", reason="too_many_taps"), 429
    author = device.name
    done: Act | Refusal | None
    try:
        if asked.get("do") == "go_on" and type(asked.get("evening")) is int:
            number = min(asked["evening"], MOST_NUMBER)
            done = companion().session.go_on(number, author, is_still_in)
        else:
            done = _book().act(asked, author, require_still_in)
    except JournalTrouble as error:
        return jsonify(error="cannot_save", reason=str(error)), 503
    if isinstance(done, Refusal):
        require_still_in()
        return jsonify(error="refused", reason=done.reason, params=done.params), 422
    return jsonify(ok=True, act=done.number if done else None), 200


def book_evening(number: int) -> Response:
    """One evening: its line, its scoreboard at the end, its questions and corrections."""
    line = _book().line(number)
    board = companion().session.past_scoreboard(number) if line is not None else None
    return jsonify(evening=line, board=board) if board is not None else abort(404)


def fair_start() -> Response:
    """Who of the people called `name` has begun least; null where the book knows none of them."""
    names = request.args.getlist("name")[:MOST_PLAYERS]
    return jsonify(fair=_book().fair_start([name[:LONGEST] for name in names]))


def book_film(number: int) -> Response:
    """One evening, board by board."""
    film = companion().session.film(number, apart=heavy_result)
    return jsonify(film=film) if film else abort(404)


def book_findings() -> Response:
    """What was found out of all evenings, as the page draws it."""
    with heavy_work():
        return jsonify(_book().found_out())


def book_picture(number: int, kind: str) -> Response:
    """The evening as a picture to give away (PNG) or on paper (PDF); `names` says how people are
    called in it (names, initials, nothing), `language` in which words."""
    language = request.args.get("language", "en")
    naming = request.args.get("names", "names")
    if language not in LANGUAGES or naming not in NAMINGS:
        abort(400)
    album = _book().album(number, naming, album_words(page_words(language), language))
    if album is None:
        abort(404)
    album = replace(album, looks=_looks(album.evening))
    with heavy_work():
        data = album.share_png() if kind == "png" else album.pdf(language)
    response = Response(data, mimetype="image/png" if kind == "png" else "application/pdf")
    response.headers.set(
        "Content-Disposition", "attachment", filename=f"cloud-mine-evening-{number}.{kind}"
    )
    return response


def _looks(evening: PlayedEvening) -> dict[int, bytes] | None:
    """The pictures of a learnt deck's cards that lay at this evening; None where they were printed."""
    deck = evening.learnt_deck
    if not deck:
        return None
    camera = companion().session.camera
    lay = {card for one in evening.rounds for card in one.cards if card is not None}
    looks = {card: camera.learnt_look(deck, card) for card in lay}
    return {card: look_jpeg(look) for card, look in looks.items() if look is not None}


def book_export(kind: str) -> Response | tuple[Response, int]:
    """All evenings, or one with `?evening=`, as a file to take along; 503 for all while they are still
    being read."""
    number = request.args.get("evening", None, type=int)
    only = None if number is None else [number]
    shelf = _book()
    try:
        index = shelf.settled_index() if only is None else shelf.index()
    except StillReading as trouble:
        return jsonify(error="still_reading", reason=str(trouble)), 503
    pieces = exported(index, shelf.persons, kind, only, time.time())
    name = "cloud-mine-evenings" if number is None else f"cloud-mine-evening-{number}"
    response = Response(_gathered(pieces), content_type=FILE_KINDS[kind])
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.{kind}")
    return response


def _gathered(pieces: Iterator[str]) -> Iterator[bytes]:
    """The pieces, so many together that a slow screen is not sent a line at a time."""
    kept: list[str] = []
    length = 0
    for piece in pieces:
        kept.append(piece)
        length += len(piece)
        if length >= PIECE:
            yield "".join(kept).encode()
            kept, length = [], 0
    yield "".join(kept).encode()


def backup() -> Response:
    """Everything that is kept, in one file; 503 with a sentence where there is no room for it."""
    try:
        apart = Path(tempfile.mkdtemp(prefix=passing_prefix()))
    except OSError as error:
        raise BadInput(
            f"the disk with {tempfile.gettempdir()} takes no file ({error.strerror}): free some space"
        ) from error
    try:
        with heavy_work():
            back_up(companion().session.folder, apart / "backup.zip")
        packed = (apart / "backup.zip").open("rb")
    except BaseException:
        shutil.rmtree(apart, ignore_errors=True)
        raise
    day = time.strftime("%Y-%m-%d")
    response = Response(_sent(packed), content_type="application/zip")
    response.call_on_close(packed.close)
    response.call_on_close(lambda: shutil.rmtree(apart, ignore_errors=True))
    response.headers.set(
        "Content-Disposition", "attachment", filename=f"cloud-mine-backup-{day}.zip"
    )
    return response


def _sent(file: Any) -> Iterator[bytes]:
    while data := file.read(PIECE):
        yield data


ROUTES = (
    ("/api/book", "GET", Rule.WATCH, book),
    ("/api/book", "POST", Rule.CONTROL, book_act),
    ("/api/book/<int:number>", "GET", Rule.WATCH, book_evening),
    ("/api/book/<int:number>/film", "GET", Rule.WATCH, book_film),
    ("/api/book/<int:number>/album.<any(png, pdf):kind>", "GET", Rule.WATCH, book_picture),
    ("/api/fair-start", "GET", Rule.CONTROL, fair_start),
    ("/api/book/findings", "GET", Rule.WATCH, book_findings),
    ("/api/book/export/<any(csv, json, bgsplay):kind>", "GET", Rule.WATCH, book_export),
    ("/api/backup", "GET", Rule.CONTROL, backup),
)
