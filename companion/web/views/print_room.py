"""The print page: an order's pages as pictures, its file made in a thread of its own, and the
camera's advice.

Knows HTTP and the doors of the print room (`card_printables.print_job`); draws nothing itself,
knows no game. One file is made at a time and only the newest is kept, so that nobody can fill the
memory of the host.
"""

from __future__ import annotations

import math
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
from flask import Response, abort, current_app, jsonify, request

from calibration.check.profile import Profile, load, path_for
from calibration.check.readability import px_needed
from card_printables.artwork.pieces import largest_symbol_mm
from card_printables.marker import DISC_MM, SYMBOL_MM, MarkerPlace
from card_printables.order import CannotPrint, Order
from card_printables.output.pixels import page_bgr
from card_printables.output.png_files import pieces
from card_printables.pages.paper import Page
from card_printables.print_job import check_all, pages, pdf, png_zip
from companion.web.guards import strict_json
from companion.web.guards.access import Rule
from companion.web.views.print_order import order_from, sheets_told, trouble_of

PREVIEW_DPI = 60
"""An A4 page is 496 x 702 dots then: enough to see what lies where, 0.1 to 0.6 s to draw (one core,
cold pictures)."""

PREVIEW_WAIT_S = 15.0
"""So long a picture of a page waits for the one being drawn before it."""


@dataclass(slots=True)
class Making:
    """One file: how far it is, and what came of it."""

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
        told: dict[str, object] = {
            "key": self.key,
            "done": self.done,
            "of": self.of,
            "ready": self.data is not None,
        }
        return told | (
            {"trouble": trouble_of(self.trouble)}
            if self.trouble
            else {"bytes": len(self.data or b"")}
        )


@dataclass(slots=True)
class Desk:
    """The one press: a file in the making or the last one made.  Thread-safe."""

    last: Making | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, order: Order) -> Making | None:
        """Begin to make the file of a checked order; None while another one is being made."""
        with self.lock:
            if self.last is not None and self.last.running:
                return None
            making = Making(
                secrets.token_hex(6),
                f"cloud-mine-{order.kind}.{'zip' if order.format == 'png' else 'pdf'}",
            )
            self.last = making
        threading.Thread(target=_make, args=(making, order), name="print", daemon=True).start()
        return making

    def find(self, key: str) -> Making | None:
        """The file of that key, if it is the newest."""
        return self.last if self.last is not None and self.last.key == key else None


def _make(making: Making, order: Order) -> None:
    def progress(done: int, of: int) -> None:
        making.done, making.of = done, max(1, of)

    try:
        making.data = png_zip(order, progress) if order.format == "png" else pdf(order, progress)
    except CannotPrint as trouble:
        making.trouble = trouble
    except Exception as trouble:  # whatever it was, the page must not wait for ever
        making.trouble = CannotPrint(f"the pages could not be drawn ({type(trouble).__name__})")


@lru_cache(maxsize=2)
def _pages(order: Order) -> tuple[Page, ...]:
    return pages(order)


def _count(order: Order) -> int:
    """Pages of the PDF, or files of the PNG order.  Raises CannotPrint."""
    if order.format == "png":
        check_all(order)
        return sum(1 for _ in pieces(order))
    return len(_pages(order))


_drawing = threading.Lock()


@lru_cache(maxsize=48)
def _drawn(order: Order, at: int) -> bytes:
    if order.format == "png":
        image = list(pieces(replace(order, dpi=PREVIEW_DPI)))[at][1]()
    else:
        image = page_bgr(_pages(order)[at], PREVIEW_DPI)
    done, data = cv2.imencode(".png", image)
    return data.tobytes() if done else b""


def print_plan() -> tuple[Response, int] | Response:
    """How many pages the order has, or the sentence why it cannot be printed."""
    try:
        return jsonify(pages=_count(order_from(request.args)))
    except CannotPrint as trouble:
        return jsonify(error="cannot_print", trouble=trouble_of(trouble)), 422


def print_page(number: int) -> Response:
    """One page of the order as it will look, a small PNG; pages count from 1."""
    try:
        order = order_from(request.args)
        if not 1 <= number <= _count(order):
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
    """Begin to make the file; 409 while another one is being made."""
    if not request.is_json:
        abort(415)
    try:
        asked = strict_json.loads(request.get_data())
        order = order_from(asked if isinstance(asked, dict) else {})
        _count(order)
    except strict_json.BadJson as error:
        return jsonify(error="json", reason=str(error)), 400
    except CannotPrint as trouble:
        return jsonify(error="cannot_print", trouble=trouble_of(trouble)), 422
    making = _desk().start(order)
    return jsonify(making.told()) if making else (jsonify(error="busy"), 409)


def print_progress(key: str) -> Response:
    """How far the file is."""
    making = _desk().find(key)
    return jsonify(making.told()) if making else abort(404)


def print_file(key: str) -> Response:
    """The file to keep or to print."""
    making = _desk().find(key)
    if making is None or making.data is None:
        abort(404)
    response = Response(
        making.data,
        mimetype="application/zip" if making.name.endswith(".zip") else "application/pdf",
    )
    response.headers.set("Content-Disposition", "attachment", filename=making.name)
    return response


def print_options() -> Response:
    """What the page offers: the label sheets, and the marker that this camera at this height needs,
    if anything can tell."""
    session = current_app.extensions["companion"].session
    symbol_mm = getattr(
        getattr(getattr(session, "watching", None), "eye", None), "place", MarkerPlace()
    ).symbol_mm
    return jsonify(
        sheets=sheets_told(),
        marker=marker_needed(_table_map(session), symbol_mm),
        usual_mm=SYMBOL_MM,
    )


def _table_map(session: Any) -> Sequence[Mapping[str, Any]]:
    """The calibration's map of the table: as the camera sees it now, else as it was kept last time."""
    report: Mapping[str, Any] = getattr(session, "calibration", dict)() or {}
    if report.get("map"):
        return list(report["map"])
    folder = getattr(getattr(session, "journal", None), "folder", None)
    kept = (
        newest(folder, getattr(getattr(session, "watching", None), "camera", None))
        if folder is not None
        else None
    )
    return kept.map if kept is not None else ()


def newest(folder: Path, camera: Any = None) -> Profile | None:
    """The set-up kept for this camera, or the one kept last; None when there is none."""
    of_camera = load(path_for(folder, camera.name)) if camera is not None else None
    if of_camera is not None:
        return of_camera
    files = sorted(
        path_for(folder, "x").parent.glob("*.json"),
        key=lambda file: file.stat().st_mtime,
        reverse=True,
    )
    return next((kept for file in files if (kept := load(file)) is not None), None)


def marker_needed(
    table: Sequence[Mapping[str, Any]], symbol_mm: float = SYMBOL_MM
) -> dict[str, float] | None:
    """From a calibration's map for markers of `symbol_mm`: the smallest whole mm at which every
    place of the table reads at once, and the largest that fits a card; None when there is no map.
    """
    seen = [spot for spot in table if spot["px_per_module"] > 0]
    if not seen:
        return None
    short = max(px_needed(spot["blur_px"]) / spot["px_per_module"] for spot in seen)
    return {"mm": float(math.ceil(symbol_mm * short - 0.01)), "most": largest_symbol_mm(DISC_MM)}


def _desk() -> Desk:
    desk: Desk = current_app.extensions["companion"].desk
    return desk


ROUTES = (
    ("/api/print/options", "GET", Rule.CONTROL, print_options),
    ("/api/print", "GET", Rule.CONTROL, print_plan),
    ("/api/print/page/<int:number>", "GET", Rule.CONTROL, print_page),
    ("/api/print", "POST", Rule.CONTROL, print_start),
    ("/api/print/making/<key>", "GET", Rule.CONTROL, print_progress),
    ("/api/print/file/<key>", "GET", Rule.CONTROL, print_file),
)
