"""What a benchmark leaves behind: its figures as JSON, with all that is needed to get them again.

    python -m tests.benchmarks.NAME ... --json tests/benchmarks/results/NAME.json

A file keeps the newest row of each figure of each command. `page.py` beside it writes the page of
all of them; nobody writes a figure by hand.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured: its value in words and numbers, what it should be, of how many,
    and whether the goal was reached."""

    what: str
    value: str
    goal: str = ""
    n: int | None = None
    good: bool | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A figure as it is kept: with the seed and the command it came from, the commit, the kind of
    machine and the day."""

    what: str
    value: str
    goal: str
    n: int | None
    good: bool | None
    seed: int | None
    command: str
    commit: str
    machine: str
    date: str


def add_json(parser: argparse.ArgumentParser) -> None:
    """Give a benchmark the option `--json FILE`."""
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="keep the figures there, over older ones"
    )


def record(file: Path | None, figures: Iterable[Figure], seed: int | None = None) -> None:
    """Write the figures into `file`: over the rows of the same command, beside all others. Without
    a file nothing happens."""
    if file is None:
        return
    command = command_of(sys.argv)
    new = [
        Row(
            **asdict(one), seed=seed, command=command, commit=_commit(), machine=machine(),
            date=_today(),
        )
        for one in figures
    ]  # fmt: skip
    file.parent.mkdir(parents=True, exist_ok=True)
    old = rows_of(file) if file.exists() else []
    kept = [row for row in old if row.command != command]
    lines = ",\n ".join(json.dumps(asdict(row), ensure_ascii=False) for row in kept + new)
    file.write_text(f"[{lines}]\n", encoding="utf-8")


def rows_of(file: Path) -> list[Row]:
    """The rows of one results file, oldest command first."""
    return [Row(**raw) for raw in json.loads(file.read_text(encoding="utf-8"))]


def command_of(argv: list[str]) -> str:
    """The command line that a benchmark was started with, as one would type it, without the files
    that it writes."""
    name = ".".join(Path(argv[0]).resolve().relative_to(_ROOT).with_suffix("").parts)
    name = name.removesuffix(".__main__")
    words = iter(argv[1:])
    left = []
    for word in words:
        if word in _FILES:
            next(words, None)
        elif word in _FOLDERS:
            next(words, None)
            left += [word, "DIR"]
        elif not word.startswith(tuple(f"{name}=" for name in _FILES)):
            left.append(word)
    return shlex.join(["uv", "run", "python", "-m", name, *left])


def machine() -> str:
    """What kind of machine this is: cores and architecture, nothing that names it."""
    return f"{os.cpu_count()} cores, {platform.machine()}"


def share(part: float, whole: float) -> str:
    """A share in per cent, and of how many."""
    return f"{part:,} of {whole:,}" + (f" ({100 * part / whole:.1f} %)" if part and whole else "")


_FILES = ("--json", "--out")
"""Options that say where something is written."""

_FOLDERS = ("--pictures",)
"""Options whose folder is everybody's own."""

_ROOT = Path(__file__).resolve().parents[3]


def _commit() -> str:
    """With "-dirty" where anything but kept figures is not as it stands there."""
    commit = _git("describe", "--always", "--exclude=*")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *_KEPT)
    return f"{commit or 'unknown'}{'-dirty' if changed else ''}"


_KEPT = (":(exclude)tests/benchmarks/results/*.json", ":(exclude)tests/benchmarks/README.md")


def _git(*words: str) -> str:
    told = subprocess.run(["git", *words], cwd=_ROOT, capture_output=True, text=True, check=False)
    return told.stdout.strip()


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
