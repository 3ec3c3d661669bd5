"""The print page: what a person chose as an order, its pages as pictures, its PDF made in a thread of its own.

Knows what a browser sends and the door of the print room (`card_printables.job`); draws nothing itself, knows no game.
One PDF is made at a time and only the newest is kept, so that nobody can fill the memory of the host.
"""

from __future__ import annotations

import math
import re
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
from flask import Response, abort, current_app, jsonify, request

from card_printables.job import pages, pdf
from card_printables.order import CannotPrint, Order, cards_from
from card_printables.paper import Page
from card_printables.raster import page_bgr
from companion.web import strict_json
from companion.web.access import Rule

PREVIEW_DPI = 60
"""An A4 page is 496 x 702 dots then: enough to see what lies where, 0.1 to 0.6 s to draw (one core, cold pictures)."""

PREVIEW_WAIT_S = 15.0
"""So long a picture of a page waits for the one being drawn before it."""

LONGEST_FIELD = 200
KINDS = ("cards", "stickers", "table", "test-sheet", "ruler")
PAPERS = ("a4", "letter")
BACKS = ("long", "short", "fold", "none")

SENTENCES = (
    ("no_fit_disc", r"a marker of (?P<mm>\S+) mm does not fit a disc .* choose (?P<least>\S+) to (?P<most>\S+) mm"),
    ("no_fit_label", r"a marker of (?P<mm>\S+) mm does not fit a label of (?P<side>\S+) mm: choose at most (?P<most>\S+) mm"),
    ("numbers", r"cannot read the card numbers"),
    ("no_cards", r"there are no cards (?P<cards>\S+): cards are 1 to (?P<most>\d+)"),
    ("none", r"no card was chosen"),
    ("ruler", r"the measured ruler"),
    ("shift", r"a shift of more than"),
    ("sheet", r"there is no label sheet|labels .* do not fit"),
    ("start", r"a sheet of .* has labels 1 to (?P<most>\d+)"),
    ("fold", r"discs of .* leave no room for a back"),
    ("number", r"not a number"),
)
"""The print room's sentences that the page can say in its own language: the key of the page's words, how to know them."""


@dataclass(slots=True)
class Making:
    """One PDF: how far it is, and what came of it."""

    key: str
    name: str
    done: int = 0
    of: int = 1
    data: bytes | None = None
    trouble: CannotPrint | None = None

    @property
    def running(self) -> bool:
        """True until there is a file or a reason why not."""
        return self.data is None and self.trouble is None

    def told(self) -> dict[str, object]:
        """As plain JSON for the page."""
        told: dict[str, object] = {"key": self.key, "done": self.done, "of": self.of, "ready": self.data is not None}
        return told | ({"trouble": trouble_of(self.trouble)} if self.trouble else {"bytes": len(self.data or b"")})


@dataclass(slots=True)
class Desk:
    """The one press: a PDF in the making or the last one made.  Thread-safe."""

    last: Making | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, order: Order) -> Making | None:
        """Begin to make the PDF of a checked order; None while another one is being made."""
        with self.lock:
            if self.last is not None and self.last.running:
                return None
            making = Making(secrets.token_hex(6), f"cloud-mine-{order.kind}.pdf")
            self.last = making
        threading.Thread(target=_make, args=(making, order), name="print", daemon=True).start()
        return making

    def find(self, key: str) -> Making | None:
        """The PDF of that key, if it is the newest."""
        return self.last if self.last is not None and self.last.key == key else None


def _make(making: Making, order: Order) -> None:
    def progress(done: int, of: int) -> None:
        making.done, making.of = done, max(1, of)

    try:
        making.data = pdf(order, progress)
    except CannotPrint as trouble:
        making.trouble = trouble
    except Exception as trouble:  # whatever it was, the page must not wait for ever
        making.trouble = CannotPrint(f"the pages could not be drawn ({type(trouble).__name__})")


def trouble_of(trouble: CannotPrint) -> dict[str, object]:
    """The sentence, and the key and values by which the page says it in its own language ("any" when it has none)."""
    text = str(trouble)
    for key, pattern in SENTENCES:
        if found := re.search(pattern, text):
            return {"key": key, "params": found.groupdict(), "says": text}
    return {"key": "any", "params": {}, "says": text}


def order_from(asked: Mapping[str, object]) -> Order:
    """The order that the page's fields describe; what is left out is as usual.

    Raises:
        CannotPrint: a field cannot be read, or the order cannot be printed that way.
    """
    fields = {name: str(value).strip()[:LONGEST_FIELD] for name, value in asked.items() if value is not None}
    kind = fields.get("kind", "cards")
    symbol = fields.get("symbol_mm")
    return Order(
        kind=kind if kind in KINDS else "cards",
        paper=fields["paper"] if fields.get("paper") in PAPERS else "a4",
        symbol_mm=_number(symbol) if symbol else None,
        cards=cards_from(fields.get("cards") or "1-80"),
        backs=fields["backs"] if fields.get("backs") in BACKS else "long",
        measured_mm=(_number(fields.get("across") or "100"), _number(fields.get("down") or "100")),
        sheet=fields.get("sheet") or "scissors",
        start=int(_number(fields.get("start") or "1")),
    )


def _number(text: str) -> float:
    """A number as people write it, with a point or a comma."""
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise CannotPrint(f"{text[:20]!r} is not a number")
    return value


@lru_cache(maxsize=2)
def _pages(order: Order) -> tuple[Page, ...]:
    return pages(order)


_drawing = threading.Lock()


@lru_cache(maxsize=48)
def _drawn(order: Order, at: int) -> bytes:
    done, data = cv2.imencode(".png", page_bgr(_pages(order)[at], PREVIEW_DPI))
    return data.tobytes() if done else b""


def print_plan() -> tuple[Response, int] | Response:
    """How many pages the order has, or the sentence why it cannot be printed."""
    try:
        return jsonify(pages=len(_pages(order_from(request.args))))
    except CannotPrint as trouble:
        return jsonify(error="cannot_print", trouble=trouble_of(trouble)), 422


def print_page(number: int) -> Response:
    """One page of the order as it will look, a small PNG; pages count from 1."""
    try:
        order = order_from(request.args)
        if not 1 <= number <= len(_pages(order)):
            abort(404)
    except CannotPrint:
        abort(422)
    if not _drawing.acquire(timeout=PREVIEW_WAIT_S):
        abort(503)
    try:
        return Response(_drawn(order, number - 1), mimetype="image/png")
    finally:
        _drawing.release()


def print_start() -> tuple[Response, int] | Response:
    """Begin to make the PDF; 409 while another one is being made."""
    if not request.is_json:
        abort(415)
    try:
        asked = strict_json.loads(request.get_data())
        order = order_from(asked if isinstance(asked, dict) else {})
        _pages(order)
    except strict_json.BadJson as error:
        return jsonify(error="json", reason=str(error)), 400
    except CannotPrint as trouble:
        return jsonify(error="cannot_print", trouble=trouble_of(trouble)), 422
    making = _desk().start(order)
    return jsonify(making.told()) if making else (jsonify(error="busy"), 409)


def print_progress(key: str) -> Response:
    """How far the PDF is."""
    making = _desk().find(key)
    return jsonify(making.told()) if making else abort(404)


def print_file(key: str) -> Response:
    """The PDF to keep or to print."""
    making = _desk().find(key)
    if making is None or making.data is None:
        abort(404)
    response = Response(making.data, mimetype="application/pdf")
    response.headers.set("Content-Disposition", "attachment", filename=making.name)
    return response


def _desk() -> Desk:
    desk: Desk = current_app.extensions["companion"].desk
    return desk


ROUTES = (
    ("/api/print", "GET", Rule.CONTROL, print_plan),
    ("/api/print/page/<int:number>", "GET", Rule.CONTROL, print_page),
    ("/api/print", "POST", Rule.CONTROL, print_start),
    ("/api/print/making/<key>", "GET", Rule.CONTROL, print_progress),
    ("/api/print/file/<key>", "GET", Rule.CONTROL, print_file),
)
