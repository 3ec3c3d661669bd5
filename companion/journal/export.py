"""An evening as a table for people (CSV) and as everything for machines (JSON).

Pure: from a log to text. A cell that a spreadsheet would run as a formula is made plain text, since
names are typed by anyone at the table.
"""

from __future__ import annotations

import csv
import io
import json

from companion.game.event_json import VERSION, entry_to_dict
from companion.game.fold import fold
from companion.game.ledger import Ledger
from companion.game.log import Log
from companion.game.rules import Round

FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""First letters that make a spreadsheet take a cell for a formula, their full-width twins included.
"""


def evening_file(log: Log, kind: str) -> tuple[str, bytes]:
    """The evening as a file to take home: its name, and its bytes as "csv" or as "json"."""
    if kind == "csv":  # with a mark at the front, or spreadsheets take it for another alphabet
        return "cloud-mine-evening.csv", as_csv(log).encode("utf-8-sig")
    return "cloud-mine-evening.json", as_json(log).encode("utf-8")


def as_csv(log: Log) -> str:
    """One line a round and a last line with the totals; columns for the story, then one a player
    with the gains."""
    ledger = fold(log).ledger
    out = io.StringIO(newline="")
    rows = csv.writer(out, lineterminator="\r\n")
    rows.writerow([*_STORY, *map(cell, ledger.names)])
    for round_ in ledger.rounds:
        rows.writerow([*_story(ledger, round_), *ledger.gains(round_)])
    rows.writerow(["total", *[""] * (len(_STORY) - 1), *ledger.totals])
    return out.getvalue()


_STORY = (
    "round",
    "daydreamer",
    "lookout",
    "name",
    "cards",
    "guesses",
    "ending",
    "claimer",
    "corrected",
)


def _story(ledger: Ledger, round_: Round) -> list[str | int]:
    names = ledger.names
    guesses = [
        f"{names[guess.seat]} {_number(guess.card)} {'right' if guess.right else 'wrong'}"
        for guess in round_.guesses
    ]
    claimer = names[round_.claimer] if round_.claimer is not None else ""
    texts = (
        names[round_.daydreamer],
        names[round_.lookout],
        round_.name or "",
        " ".join(map(_number, round_.known_cards)),
        "; ".join(guesses),
        round_.ending,
        claimer,
        "yes" if round_.corrected else "",
    )
    return [round_.number, *map(cell, texts)]


def _number(card: int | None) -> str:
    return "?" if card is None else str(card)


def cell(text: str) -> str:
    """The text as a cell that no spreadsheet runs: an apostrophe goes before what looks like a
    formula."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def as_json(log: Log) -> str:
    """Everything: players, totals, and every entry with author and reason, taken back or not."""
    ledger = fold(log).ledger
    whole = {
        "format": "cloud-mine-companion/evening",
        "version": VERSION,
        "players": ledger.names,
        "edition": ledger.edition,
        "totals": dict(zip(ledger.names, ledger.totals, strict=True)),
        "entries": [entry_to_dict(entry) for entry in log.entries],
    }
    return json.dumps(whole, ensure_ascii=False, indent=1)
