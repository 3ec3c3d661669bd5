"""The print page: an order's pages as pictures, its file by the print queue, and the camera's
advice.

Knows HTTP and the doors of the print room (`card_printables.print_job`, `previews`); draws
nothing itself, knows no game.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import Response, abort, jsonify, request

from calibration.check.profile import Profile, load_profile, path_for
from calibration.check.profile_store import newest_first
from calibration.check.readability import px_needed
from card_printables.marker import DISC_MM, SYMBOL_MM, largest_symbol_mm
from card_printables.order import CannotPrint, Order
from card_printables.previews import count_pages, is_counted_undrawn, preview_png
from companion.web.context import companion, require_still_in
from companion.web.guards import strict_json
from companion.web.guards.access import Rule
from companion.web.heavy_work import heavy_result
from companion.web.print_order import order_from, sheets_told, trouble_of
from companion.web.print_queue import PrintTask
from companion.web.table_session import TableSession


@lru_cache(maxsize=48)
def _preview(order: Order, number: int) -> bytes | None:
    return heavy_result(preview_png, order, number)


def print_plan() -> tuple[Response, int] | Response:
    """How many pages the order has, or the sentence why it cannot be printed."""
    try:
        return jsonify(pages=_counted(order_from(request.args)))
    except CannotPrint as trouble:
        return jsonify(error="cannot_print", trouble=trouble_of(trouble)), 422


def _counted(order: Order) -> int:
    """How many pages the order has; CannotPrint. Only what must be drawn for it is done apart."""
    return count_pages(order) if is_counted_undrawn(order) else heavy_result(count_pages, order)


def print_page(number: int) -> Response:
    """One page of the order as it will look, a small PNG; pages count from 1."""
    try:
        drawn = _preview(order_from(request.args), number)
    except CannotPrint:
        abort(422)
    return Response(drawn, mimetype="image/png") if drawn is not None else abort(404)


def print_start() -> tuple[Response, int] | Response:
    """Begin to make the file; `waits` while another one is being made."""
    if not request.is_json:
        abort(415)
    try:
        asked = strict_json.loads(request.get_data())
        order = order_from(asked if isinstance(asked, dict) else {})
        _counted(order)
    except strict_json.BadJson as error:
        return jsonify(error="json", reason=str(error)), 400
    except CannotPrint as trouble:
        return jsonify(error="cannot_print", trouble=trouble_of(trouble)), 422
    require_still_in()
    task = companion().print_queue.start_order(order)
    return jsonify(_task_json(task) if task else {"waits": True})


def print_progress(key: str) -> Response:
    """How far the file is."""
    task = companion().print_queue.task_of(key)
    return jsonify(_task_json(task)) if task else abort(404)


def print_file(key: str) -> Response:
    """The file to keep or to print."""
    task = companion().print_queue.task_of(key)
    if task is None or task.file is None:
        abort(404)
    response = Response(
        task.pieces(),
        mimetype="application/zip" if task.name.endswith(".zip") else "application/pdf",
    )
    response.content_length = task.size
    response.headers.set("Content-Disposition", "attachment", filename=task.name)
    return response


def print_options() -> Response:
    """What the page offers: the label sheets, and the marker that this camera at this height needs,
    if anything can tell: the practice table's is nobody's."""
    session = companion().session
    _, symbol_mm = session.camera.printed_codes
    table = () if session.camera.is_practice else _table_map(session)
    return jsonify(
        sheets=sheets_told(),
        marker=marker_needed(table, symbol_mm),
        usual_mm=SYMBOL_MM,
    )


def _table_map(session: TableSession) -> Sequence[Mapping[str, Any]]:
    """The calibration's map of the table: as the camera sees it now, else as it was kept last time."""
    report = session.camera.calibration()
    if report.get("map"):
        return list(report["map"])
    kept = newest_profile(session.folder, session.camera.name)
    return kept.map if kept is not None else ()


def newest_profile(folder: Path, camera: str | None = None) -> Profile | None:
    """The set-up kept for the camera of this name, or the one kept last; None when there is none."""
    of_camera = load_profile(path_for(folder, camera)) if camera is not None else None
    if of_camera is not None:
        return of_camera
    files = newest_first(path_for(folder, "x").parent.glob("*.json"))
    return next((kept for file in files if (kept := load_profile(file)) is not None), None)


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


def _task_json(task: PrintTask) -> dict[str, object]:
    """How far a file is, as plain JSON for the page."""
    shown: dict[str, object] = {
        "key": task.key,
        "done": task.done,
        "of": task.of,
        "ready": task.file is not None,
    }
    if task.trouble is not None:
        return shown | {"trouble": trouble_of(task.trouble)}
    return shown | {"bytes": task.size}


ROUTES = (
    ("/api/print/options", "GET", Rule.CONTROL, print_options),
    ("/api/print", "GET", Rule.CONTROL, print_plan),
    ("/api/print/page/<int:number>", "GET", Rule.CONTROL, print_page),
    ("/api/print", "POST", Rule.CONTROL, print_start),
    ("/api/print/making/<key>", "GET", Rule.CONTROL, print_progress),
    ("/api/print/file/<key>", "GET", Rule.CONTROL, print_file),
)
