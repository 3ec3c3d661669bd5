"""A practice evening survives a restart: which table it was, and how far its film had run.

Knows the file `table.json` beside the practice journal: the options with the seed, the number of the
evening, and a check sum, without which another table is laid. The film time itself is in the log, in the evidence of the camera's last entry, so
nothing can come apart between the two.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_printables.files import read_regular, write_beside_then_replace
from companion.game.fold import fold
from companion.game.log import Log
from companion.journal import Journal
from companion.journal.side import check_sum
from companion.journal.store import FILE
from companion.practice.truth import Truth

TABLE = "table.json"

DEFAULTS: dict[str, Any] = {
    "players": 5,
    "edition": "en",
    "set_aside": "auto",
    "rounds": None,
    "seed": None,
    "temper": "ordinary",
    "room": "parlour",
    "fault": [],
    "no_codes": False,
    "card_shape": "disc",
}
"""What a practice table is made from, by the names of `companion practice`; equal options make
equal evenings."""


@dataclass(frozen=True, slots=True)
class UnfinishedPractice:
    """An evening that a data folder holds and that is not over: its number and its log."""

    evening: int
    log: Log

    @property
    def film_s(self) -> float:
        """How far the footage had run when the camera made its last entry; 0 when it made none."""
        ends = [
            entry.evidence.get("to_s")
            for entry in self.log.entries
            if entry.source != "person" and entry.evidence
        ]
        return max((float(end) for end in ends if isinstance(end, int | float)), default=0.0)


def unfinished(folder: Path) -> UnfinishedPractice | None:
    """The evening this folder would go on with, or None.

    Raises:
        JournalTrouble: another companion holds the folder, or a newer one wrote it.
    """
    if not (folder / FILE).exists():
        return None
    with Journal(folder) as journal:
        ledger = fold(journal.log).ledger
        return (
            UnfinishedPractice(journal.evening or 0, journal.log)
            if ledger.begun and not ledger.over
            else None
        )


def options_of(args: argparse.Namespace | None) -> dict[str, Any]:
    """The options that make this practice table."""
    return {name: getattr(args, name, default) for name, default in DEFAULTS.items()}


def kept_options(folder: Path, evening: int, asked: dict[str, Any]) -> dict[str, Any] | None:
    """The options of this evening's table; None when it is not known, or when another table than
    that was asked for."""
    kept = _kept(folder / TABLE)
    if kept is None:
        return None
    options: dict[str, Any] = {
        name: kept["options"].get(name, default) for name, default in DEFAULTS.items()
    }
    other = [
        name for name, value in asked.items() if value != DEFAULTS[name] and value != options[name]
    ]
    return options | {"mark": kept["mark"]} if kept["evening"] == evening and not other else None


def _kept(at: Path) -> dict[str, Any] | None:
    """What `keep_table` wrote there; None where it is not that any more."""
    try:
        kept = json.loads(read_regular(at).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(kept, dict):
        return None
    told = kept.pop("sum", None)
    return kept if told == _sum(kept) else None


def _sum(whole: dict[str, Any]) -> str:
    return check_sum(json.dumps(whole, sort_keys=True).encode())


def keep_table(folder: Path, evening: int, options: dict[str, Any], truth: Truth) -> None:
    """Write down which table this evening is played at; the old file stays whole until the new one
    is."""
    whole = {"evening": evening, "options": options, "mark": mark_of(truth)}
    whole["sum"] = _sum(whole)
    write_beside_then_replace(folder / TABLE, (json.dumps(whole, indent=1) + "\n").encode())


def mark_of(truth: Truth) -> str:
    """A short mark of a whole scripted evening: another release may write another script from the
    same seed."""
    return hashlib.sha256(json.dumps(truth.as_json(), sort_keys=True).encode()).hexdigest()[:16]
