"""Killed (SIGKILL) at random moments: while the score is kept by touch, by camera, while something is
printed, the set-up is kept, the deck is counted, devices are let in, the evening is taken home.

    python -m tests.benchmarks.attacks.kills [--kills 100000] [--only touch,camera,...] [--seed 1]

After each kill the folder is opened again: nothing that was acknowledged may be lost, nothing may be
there twice, no file may be half written, and no child process may live on. `print` and `deck check`
start a process each time, so a tenth as many of them are killed.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims import camera_evening_victim as by_camera
from tests.support.victims import journal_victim
from tests.support.victims.busy_victim import ACTIVITIES, check_busy, keep_busy

KINDS = ("touch", "camera", *ACTIVITIES)
SHARES = {"touch": 0.4, "camera": 0.3, "print": 0.01, "deck check": 0.01}
SHARE = (1 - sum(SHARES.values())) / (len(KINDS) - len(SHARES))
AT_MOST_TAPS = 60
"""After so many a busy evening begins anew: it is read whole after each kill."""


def kills_by_touch(folder: Path, number: int, dice: random.Random) -> str:
    """Kill a keeper of a fixed story. Raises AssertionError at the first fault."""
    found, acts = (0, 0), 0
    with journal_victim.keepers() as server:
        for _ in range(number):
            told = journal_victim.kill_once(server, folder, dice)
            before = found
            found = journal_victim.check(folder, max(told, found))
            acts += found[1] - before[1] if found[0] == before[0] else found[1]
    return f"{acts} acts"


def kills_by_camera(folder: Path, number: int, dice: random.Random) -> str:
    """Kill an evening that a camera keeps, again and again until its end, then the next table's."""
    entries = evenings = 0
    table, begin_at, shown = 0, 0, dict[int, str]()
    killed = 0
    while killed < number:
        life = by_camera.killed_once(folder, table, begin_at, dice)
        assert life.code in (-9, by_camera.WELL), life.told
        killed += life.code == -9
        shown |= life.shown
        have = by_camera.check(folder, table, shown)
        entries += have - len(shown) + len(life.shown)
        shown = by_camera.entries_of(folder)
        begin_at = max(begin_at, life.glimpse + 1)
        if life.code == by_camera.WELL or begin_at >= len(by_camera.glimpses(table)):
            shutil.rmtree(folder)
            table, begin_at, shown = (table + 1) % len(by_camera.TABLES), 0, {}
            evenings += 1
    return f"{entries} entries of {evenings} evenings"


def kills_while(activity: str, folder: Path, number: int, dice: random.Random) -> str:
    """Kill an evening that is busy with something else."""
    taps, slow = 0, activity in ("print", "deck check")
    for _ in range(number):
        later_s = dice.random() * (4.0 if slow else 0.05)
        after = dice.randrange(1, 12)
        lines = 0

        def kill(line: str, after: int = after, later_s: float = later_s) -> float | None:
            nonlocal lines
            lines += 1
            return later_s if lines >= after else None

        life = by_camera.lived(lambda tell: keep_busy(folder, activity, tell), kill)
        assert life.code == -9, life.told[-3:]
        have = check_busy(folder, life.told)
        taps += sum(line.startswith("tapped") for line in life.told)
        if have > AT_MOST_TAPS:
            shutil.rmtree(folder)
    return f"{taps} taps acknowledged"


@contextlib.contextmanager
def nobody_left() -> Iterator[None]:
    """Raises AssertionError when a process that was begun inside lives on for more than half a minute:
    orphans go to the reaper of this process."""
    import ctypes

    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
    yield
    ends_s = time.monotonic() + 30
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                assert time.monotonic() < ends_s, "a child lives on"
                time.sleep(0.1)
        except ChildProcessError:
            return


def killed(kind: str, number: int, dice: random.Random) -> tuple[str, str]:
    """So many kills: what was kept through them, and the fault if there was one."""
    with by_camera.quick_folder() as folder:
        try:
            with nobody_left():
                if kind == "touch":
                    return kills_by_touch(folder / "data", number, dice), ""
                if kind == "camera":
                    return kills_by_camera(folder / "data", number, dice), ""
                return kills_while(kind, folder / "data", number, dice), ""
        except AssertionError as fault:
            return "", str(fault)


def main() -> int:
    """One row for each kind."""
    parser = parser_of(__doc__)
    parser.add_argument("--kills", type=int, default=100_000, help="of all kinds together")
    parser.add_argument("--only", default=",".join(KINDS))
    asked = parser.parse_args()
    report, done = Report(asked), Counter[str]()
    for table in range(len(by_camera.TABLES)):
        by_camera.busy(table)  # told once, before anything is forked
    journal_victim.story()
    for kind in asked.only.split(","):
        number = max(1, round(asked.kills * SHARES.get(kind, SHARE)))
        kept, fault = killed(kind, number, random.Random(asked.seed))
        done[kind] = number
        value = fault or f"{number:,} kills, {kept}: 0 lost, 0 doubled, no child left"
        report.say(f"killed at random moments: {kind}", value, "100,000 in all: lost 0, doubled 0", number, not fault)  # fmt: skip
    print(f"{done.total():,} in all")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
