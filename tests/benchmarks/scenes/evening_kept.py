"""Evenings of the benchmark on disk: one line each, so that a run that was stopped goes on and rows
grow over hours."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from tests.benchmarks.scenes.evening_played import Judged, Order, Outcome


def kept(file: Path) -> list[Outcome]:
    """The evenings written to `file`, oldest first; none when there is no such file. A line cut
    short is left out."""
    if not file.exists():
        return []
    return [_read(line) for line in file.read_text().splitlines() if line.endswith("}")]


def keep(file: Path, outcome: Outcome) -> None:
    """Append one evening to `file`."""
    broken = file.exists() and not file.read_bytes().endswith(b"\n")
    with file.open("a") as out:
        out.write(("\n" if broken else "") + json.dumps(asdict(outcome)) + "\n")


def _read(line: str) -> Outcome:
    raw = json.loads(line)
    rounds = [
        Judged(**{**judged, "incidents": tuple(judged["incidents"])}) for judged in raw["rounds"]
    ]
    return Outcome(**{**raw, "order": Order(**raw["order"]), "rounds": rounds})
