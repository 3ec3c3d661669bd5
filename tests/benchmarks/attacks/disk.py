"""The disk fails at every write of an evening: EIO, ENOSPC, half a write, a slow one, a stop before it
and in its middle. Once for an evening that a camera keeps, once for one that is kept by touch.

    python -m tests.benchmarks.attacks.disk [--by camera,touch] [--every 1] [--kinds eio,enospc,half,slow,stop,half-stop,sync]

Linux with a C compiler: a small library counts writes, syncs, cuts and renames of the process that keeps
the evening, and lets one of them fail. What was acknowledged must be there, whole and once, and an act
that was refused must be taken when it is asked for again. "sync", by touch only: all is written but no sync
is taken from the n-th on, and the process is killed as soon as an act was refused, which then must not stand.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.errors import JournalTrouble
from companion.journal import Journal
from companion.journal.store import FILE
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims import camera_evening_victim as by_camera
from tests.support.victims.journal_victim import acts_in, answer_of, command_of, story
from tests.support.victims.journal_victim import check as check_acts

ROOT = Path(__file__).resolve().parents[3]
SOURCE = ROOT / "tests" / "support" / "victims" / "faulty_disk.c"
KINDS = {"eio": 1, "enospc": 2, "half": 3, "slow": 4, "stop": 5, "half-stop": 6, "sync": 7}
TRIES = 3
TABLE = 0
"""The practice table that the camera watches."""

Tell = Callable[[str], object]


def keep_by_touch(folder: Path, tell: Tell, refused: Callable[[], object] = lambda: None) -> int:
    """Append each act of a fixed story, again where the disk refuses, after `refused`; tells each that was
    acknowledged. After a third of them the write-ahead log begins anew in its file, as it does by itself after
    a thousand pages, after two thirds in an empty one, as where somebody was forgotten."""
    for _ in range(TRIES):
        try:
            journal = Journal(folder)
            break
        except JournalTrouble:
            continue
    else:
        return by_camera.CANNOT_OPEN
    for act in range(acts_in(journal.log), len(story())):
        if act in (len(story()) // 3, 2 * len(story()) // 3):
            _begin_log_anew(folder, "PASSIVE" if act < len(story()) // 2 else "TRUNCATE")
        for _ in range(TRIES):
            try:
                journal.append(story()[act], command_of(1, act), answer_of(1, act))
                break
            except JournalTrouble:
                refused()
        else:
            return by_camera.CANNOT_BEGIN
        tell(f"act {act + 1}\n")
    journal.close()
    return by_camera.WELL


def _begin_log_anew(folder: Path, way: str) -> None:
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(folder / FILE)) as other,
    ):
        other.execute(f"PRAGMA wal_checkpoint({way})").fetchall()


def kept(who: str, folder: Path, at: int, kind: int) -> by_camera.Life:
    """One evening with a fault at the write number `at`, in a fork."""
    disk = ctypes.CDLL(None)

    def work(tell: Tell) -> int:
        disk.fault_at(at, kind)
        if who == "camera":
            code = by_camera.keep(folder, TABLE, 0, tell)
        elif kind == KINDS["sync"]:
            code = keep_by_touch(folder, tell, lambda: os.kill(os.getpid(), signal.SIGKILL))
        else:
            code = keep_by_touch(folder, tell)
        tell(f"writes {disk.writes_so_far()}\n")
        return code

    return by_camera.lived(work)


def check(who: str, folder: Path, life: by_camera.Life, kind: str) -> None:
    """Raises AssertionError when something that was acknowledged is lost, there twice or half."""
    ends = (by_camera.WELL, -9, *((by_camera.CANNOT_OPEN,) if kind == "sync" else ()))
    assert life.code in ends, f"ended with {life.code}: {life.told[-1:]}"
    tracebacks = [line for line in life.told if line.startswith("Traceback")]
    assert not tracebacks, life.told
    if who == "camera":
        by_camera.check(folder, TABLE, life.shown, whole=life.code == by_camera.WELL)
    else:
        acts = sum(line.startswith("act ") for line in life.told)
        check_acts(folder, (1, acts) if acts else (0, 0))
        if kind == "sync":
            with Journal(folder) as journal:
                assert acts_in(journal.log) == acts, "what was refused stands there"


def attacked(report: Report, who: str, kind: str, every: int) -> None:
    """Each write once, or every so many; one row."""
    ends: Counter[int] = Counter()
    with by_camera.quick_folder() as parent:
        folder = parent / "data"
        most = int(kept(who, folder, -1, 0).told[-1].split()[1])
        faults = []
        hit = range(0, most, every)
        for at in hit:
            shutil.rmtree(folder, ignore_errors=True)
            life = kept(who, folder, at, KINDS[kind])
            ends[life.code] += 1
            if kind == "sync" and life.code == by_camera.WELL:
                break  # no evening has so many
            try:
                check(who, folder, life, kind)
            except AssertionError as fault:
                faults.append(f"write {at}: {fault}")
                print(faults[-1], flush=True)
    report.say(
        f"by {who}, the disk at one of {most} writes: {kind}",
        f"{ends[0]:,} evenings went on, {ends[-9]:,} were stopped: {len(faults)} with something lost, doubled or a traceback",
        "0, at every write",
        ends.total(),
        not faults,
    )


def built(folder: Path) -> Path:
    """The library."""
    library = folder / "faulty_disk.so"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-O1", "-w", "-o", library, SOURCE, "-ldl"], check=True
    )
    return library


def with_library() -> int:
    """Start this again with the library inside; its exit code."""
    with tempfile.TemporaryDirectory() as name:
        environment = os.environ | {"LD_PRELOAD": str(built(Path(name)))}
        command = [sys.executable, "-m", "tests.benchmarks.attacks.disk", *sys.argv[1:]]
        return subprocess.run(command, env=environment, check=False).returncode


def main() -> int:
    """One row for each kind of fault."""
    parser = parser_of(__doc__)
    parser.add_argument("--by", default="camera,touch")
    parser.add_argument("--every", type=int, default=1, help="only each so many-th write")
    parser.add_argument("--kinds", default=",".join(KINDS))
    asked = parser.parse_args()
    if not hasattr(ctypes.CDLL(None), "fault_at"):
        return with_library()
    report = Report(asked)
    story()
    by_camera.busy(TABLE)
    for who in asked.by.split(","):
        for kind in asked.kinds.split(","):
            if (who, kind) == ("camera", "sync"):
                continue
            attacked(report, who, kind, asked.every)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
