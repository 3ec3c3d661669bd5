"""What a browser sends as an order for the print room, and the print room's sentences in the page's
own languages.

Knows the page's fields and the print room's options; draws nothing, knows no game.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from card_printables.deck import DECKS
from card_printables.marker import DISC_MM
from card_printables.order import (
    BACK_DRAWINGS,
    LANGUAGES,
    PRINT_KINDS,
    CannotPrint,
    Order,
    cards_from,
)
from card_printables.pages.paper import PAPERS_MM
from card_printables.pages.sheet import BACKS
from card_printables.pages.sticker import SCISSORS, label_sheets

LONGEST_FIELD = 200
CUSTOM = "custom"
"""The label sheet whose geometry stands in fields of its own."""

SENTENCES = (
    (
        "no_fit_disc",
        r"a marker of (?P<mm>\S+) mm does not fit a disc .* choose (?P<least>\S+) to (?P<most>\S+) mm",
    ),
    (
        "no_fit_label",
        r"a marker of (?P<mm>\S+) mm does not fit a label of (?P<side>\S+) mm: choose at most (?P<most>\S+) mm",
    ),
    (
        "disc",
        r"a disc of (?P<mm>\S+) mm cannot be printed: choose (?P<least>\S+) to (?P<most>\S+) mm",
    ),
    ("numbers", r"cannot read the card numbers"),
    (
        "backwards",
        r"the card numbers (?P<cards>\S+) run backwards: write (?P<forwards>\S+)",
    ),
    ("no_cards", r"there are no cards (?P<cards>\S+): cards are 1 to (?P<most>\d+)"),
    ("none", r"no card was chosen"),
    ("ruler", r"the measured ruler"),
    ("shift", r"a shift of more than"),
    ("overlap", r"labels .* overlap.* at least (?P<least>\S+) mm"),
    ("small_label", r"a label of (?P<side>\S+) mm is too small"),
    ("large_label", r"a label of (?P<side>\S+) mm is too large"),
    ("sheet", r"there is no label sheet|labels .* do not fit"),
    ("start", r"a sheet of .* has labels 1 to (?P<most>\d+)"),
    ("lost_codes", r"with this correction (?P<lost>\d+) codes would lie off the paper"),
    ("fold", r"discs of .* leave no room for a back"),
    ("bleed", r"a bleed of"),
    ("number", r"not a number"),
)
"""The print room's sentences that the page can say in its own language: the key of the page's
words, how to know them."""


def trouble_of(trouble: CannotPrint) -> dict[str, object]:
    """The sentence, and the key and values by which the page says it in its own language ("any"
    when it has none)."""
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
    fields = {
        name: str(value).strip()[:LONGEST_FIELD]
        for name, value in asked.items()
        if value is not None
    }
    symbol = fields.get("symbol_mm")
    order = Order(
        kind=_one_of(fields, "kind", PRINT_KINDS),
        paper=_one_of(fields, "paper", tuple(PAPERS_MM)),
        deck=_one_of(fields, "deck", DECKS),
        disc_mm=_field(fields, "disc_mm", DISC_MM),
        symbol_mm=_number(symbol) if symbol else None,
        cards=cards_from(fields.get("cards") or "1-80"),
        backs=_one_of(fields, "backs", BACKS),
        back_drawing=_one_of(fields, "back_drawing", BACK_DRAWINGS),
        language=_one_of(fields, "language", LANGUAGES),
        measured_mm=(_field(fields, "across", 100.0), _field(fields, "down", 100.0)),
        shift_mm=(_field(fields, "shift_right"), _field(fields, "shift_down")),
        back_shift_mm=(_field(fields, "back_right"), _field(fields, "back_down")),
        sheet=_sheet(fields),
        start=int(_field(fields, "start", 1.0)),
    )
    if fields.get("format") == "png" and order.kind == "cards":
        return replace(order, format="png", bleed_mm=_field(fields, "bleed_mm"))
    return order


def sheets_told() -> list[dict[str, Any]]:
    """The label sheets as plain JSON: what people read on the packet, and what decides."""
    return [
        {
            "name": s.name,
            "maker": s.maker,
            "side_mm": s.side_mm,
            "round": s.round,
            "count": s.count,
            "paper": s.paper,
        }
        for s in label_sheets().values()
    ]


def _sheet(fields: Mapping[str, str]) -> str:
    """The name of a sheet, or the custom one in the words that `--sheet` takes."""
    name = fields.get("sheet") or SCISSORS
    if name != CUSTOM:
        return name
    value = {
        n: _field(fields, "label_" + n)
        for n in ("side", "columns", "rows", "left", "top", "across", "down")
    }
    if min(value.values()) < 0:
        raise CannotPrint("a length below 0 is not a number for a label sheet")
    side = f"{value['side']:.6g}" + ("round" if fields.get("label_shape") == "round" else "")
    grid = f"{int(value['columns'])}x{int(value['rows'])}"
    return f"{side} {grid} {value['left']:.6g},{value['top']:.6g} {value['across']:.6g},{value['down']:.6g}"


def _one_of(fields: Mapping[str, str], name: str, known: tuple[str, ...]) -> str:
    """The field when it is one of those known, else the first of them."""
    return fields[name] if fields.get(name) in known else known[0]


def _field(fields: Mapping[str, str], name: str, usual: float = 0.0) -> float:
    return _number(fields[name]) if fields.get(name) else usual


def _number(text: str) -> float:
    """A number as people write it, with a point or a comma."""
    try:
        value = float(text.replace(",", ".").replace("−", "-"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > 1e6:
        raise CannotPrint(f"{text[:20]!r} is not a number")
    return value
