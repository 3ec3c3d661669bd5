"""One practice evening, killed in its second round and gone on with, played once for all tests that
look at it."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.game.log import Log
from companion.journal import Journal
from companion.practice import evening
from companion.practice.truth import Truth

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Played:
    """Where everything is, what really happened, and how the first process ended."""

    folder: Path
    truth: Truth
    first_exit: int
    before: Log
    after: Log
    evenings: int

    def shown(self, run: str) -> list[tuple[float, str, Any]]:
        """What one of the two processes, "one" or "two", showed: (film time, kind, what)."""
        lines = (self.folder / f"shown-{run}.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
        return [(line[0], line[1], line[2]) for line in map(json.loads, lines)]


@functools.cache
def played() -> Played:
    """The evening, played on the first call (about a minute of one core)."""
    folder = Path(tempfile.mkdtemp(prefix="practice-"))
    first = _run(folder, "one", "kill")
    with Journal(folder / "practice") as journal:
        before = journal.log
    second = _run(folder, "two")
    assert second.returncode == 0, second.stderr
    with Journal(folder / "practice") as journal:
        evenings = journal.evenings()
        after = journal.read_evening(evenings[-1].number)
    return Played(folder, _truth(), first.returncode, before, after, len(evenings))


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    return subprocess.run(
        [sys.executable, str(HERE / "victims" / "practice_victim.py"), str(folder), *words],
        env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip


def _truth() -> Truth:
    from tests.support.victims.practice_victim import OPTIONS

    before = evening.FRAMES_A_SECOND, evening.SHOWN_HASTE
    evening.FRAMES_A_SECOND, evening.SHOWN_HASTE = 3.0, 1.6
    try:
        return evening.open_practice(OPTIONS).truth
    finally:
        evening.FRAMES_A_SECOND, evening.SHOWN_HASTE = before
