"""How the journal holds: kills, torn write-ahead logs, the time of a tap, the start after a
thousand evenings.

    python -m tests.benchmarks.journal [--kills 2000] [--cut-every 64] [--evenings 1000] [--seed 1]

Prints a table; exits 1 when an acknowledged act was lost, doubled or half stored.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from companion.journal import Journal
from tests.benchmarks.results.record import Figure, add_json, record
from tests.support.victims.journal_victim import (
    acts_in,
    answer_of,
    check,
    command_of,
    keepers,
    kill_once,
    story,
)


def kills(folder: Path, number: int, seed: int) -> str:
    """Kills a keeper `number` times; AssertionError at the first fault."""
    chance, found, ahead, acts = random.Random(seed), (0, 0), 0, 0
    started_s = time.perf_counter()
    with keepers() as server:
        for _ in range(number):
            told = kill_once(server, folder, chance)
            before, found = found, check(folder, max(told, found))
            ahead += found > max(told, before)
            acts += found[1] - before[1] if found[0] == before[0] else found[1]
    spent_s = time.perf_counter() - started_s
    return f"{number} kills, {acts} acts: 0 lost, 0 doubled, 0 half; stored but not told {ahead}; {spent_s:.0f} s"


def cuts(folder: Path, every: int) -> str:
    """Cuts a write-ahead log at every `every` bytes; AssertionError where what is left is no prefix
    of the acts."""
    live, torn, prefixes, places = folder / "live", folder / "torn", set(), 0
    with Journal(live) as journal:
        for act, entries in enumerate(story()[:60]):
            journal.append(entries, command_of(1, act), answer_of(1, act))
        wal = (live / "journal.sqlite3-wal").read_bytes()
        for cut in range(0, len(wal), every):
            shutil.rmtree(torn, ignore_errors=True)
            torn.mkdir()
            shutil.copy(live / "journal.sqlite3", torn)
            (torn / "journal.sqlite3-wal").write_bytes(
                wal[:cut] + (b"\xa5" * 512 if places % 2 else b"")
            )
            with Journal(torn) as mended:
                prefixes.add(acts_in(mended.log))
            places += 1
    return f"{places} cuts of {len(wal)} bytes: all prefixes, {len(prefixes)} different"


def taps(folder: Path) -> str:
    """Times every act of one evening, stored with its answer."""
    spent_ms = []
    with Journal(folder / "taps") as journal:
        for act, entries in enumerate(story()):
            start_s = time.perf_counter()
            journal.append(entries, command_of(1, act), answer_of(1, act))
            spent_ms.append((time.perf_counter() - start_s) * 1000)
    spent_ms.sort()
    p99_ms = spent_ms[int(len(spent_ms) * 0.99)]
    return (
        f"{len(spent_ms)} acts: median {statistics.median(spent_ms):.1f} ms, 99 % {p99_ms:.1f} ms"
    )


def start(folder: Path, evenings: int) -> str:
    """Times opening a folder after so many finished evenings and one half played."""
    whole = tuple(entry for act in story() for entry in act)
    with Journal(folder / "many") as journal:
        for number in range(evenings):
            journal.append(whole, f"evening-{number}", {"ok": True})
        journal.append(tuple(entry for act in story()[:30] for entry in act))
    size_mb = (folder / "many" / "journal.sqlite3").stat().st_size / 1e6
    start_s = time.perf_counter()
    with Journal(folder / "many") as journal:
        assert acts_in(journal.log) == 30
        return f"after {evenings} evenings ({size_mb:.0f} MB): open and ready in {time.perf_counter() - start_s:.2f} s"


def main() -> int:
    """Prints one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--cut-every", type=int, default=64)
    parser.add_argument("--evenings", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    add_json(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            figures = []
            for figure in (
                Figure("an act stored with its answer", taps(folder)),
                Figure("opening a folder of old evenings", start(folder, asked.evenings)),
                Figure(
                    "power cut: a torn write-ahead log",
                    cuts(folder, asked.cut_every),
                    "prefixes only",
                    good=True,
                ),
                Figure(
                    "killed while it writes",
                    kills(folder / "kills", asked.kills, asked.seed),
                    "0 lost, 0 doubled",
                    good=True,
                ),
            ):
                print(f"{figure.what:34} {figure.value}", flush=True)
                figures.append(figure)
            record(asked.json, figures, asked.seed)
        except AssertionError as fault:
            print(f"FAULT    {fault}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
