"""The disk fails at every write of an evening: EIO, ENOSPC, half a write, a slow one, a stop before it
and in its middle.

    python -m tests.benchmarks.attacks.disk [--every 1] [--kinds eio,enospc,half,slow,stop,half-stop]

Linux with a C compiler: a small library counts writes, syncs, cuts and renames of the process that keeps
the evening, and lets one of them fail. What was acknowledged must be there, whole and once, and an act
that was refused must be taken when it is asked for again.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from companion.errors import JournalTrouble
from companion.journal import Journal
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims.journal_victim import (
    acts_in,
    answer_of,
    check,
    command_of,
    story,
)

ROOT = Path(__file__).resolve().parents[3]
SOURCE = ROOT / "tests" / "support" / "victims" / "faulty_disk.c"
KINDS = {"eio": 1, "enospc": 2, "half": 3, "slow": 4, "stop": 5, "half-stop": 6}
TRIES = 3


def keep(folder: Path, told: int, at: int, kind: int) -> None:
    """In a fork: keep the evening with the fault; writes each act that was acknowledged to `told`."""
    disk = ctypes.CDLL(None)
    disk.fault_at(at, kind)
    for _ in range(TRIES):
        try:
            journal = Journal(folder)
            break
        except JournalTrouble:
            continue
    else:
        os._exit(3)
    for act in range(acts_in(journal.log), len(story())):
        for _ in range(TRIES):
            try:
                journal.append(story()[act], command_of(1, act), answer_of(1, act))
                break
            except JournalTrouble:
                continue
        else:
            os._exit(4)
        os.write(told, b".")
    journal.close()
    os.write(told, f" {disk.writes_so_far()}".encode())
    os._exit(0)


def played(folder: Path, at: int, kind: int) -> tuple[int, int, int]:
    """One evening with a fault at the write number `at`: (acts acknowledged, its exit, its writes)."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        try:
            keep(folder, writing, at, kind)
        except BaseException as fault:
            os.write(writing, f"!{fault!r}".encode())
        os._exit(5)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    status = os.waitpid(process, 0)[1]
    assert "!" not in said, said
    acts, _, writes = said.partition(" ")
    return len(acts), os.waitstatus_to_exitcode(status), int(writes or 0)


def attacked(report: Report, kind: str, every: int) -> None:
    """Each write once, or every so many; one row."""
    ends: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "data"
        most = played(folder, -1, 0)[2]
        faults = []
        hit = range(0, most, every)
        for at in hit:
            shutil.rmtree(folder, ignore_errors=True)
            try:
                acts, code, _ = played(folder, at, KINDS[kind])
                ends[code] = ends.get(code, 0) + 1
                assert code in (0, -9), f"ended with {code}"
                check(folder, (1, acts) if acts else (0, 0))
            except AssertionError as fault:
                faults.append(f"write {at}: {fault}")
                print(faults[-1], flush=True)
    report.say(
        f"the disk at one of {most} writes: {kind}",
        f"{len(hit)} evenings, ends {ends}: {len(faults)} with something lost, doubled or a traceback",
        "0, at every write",
        len(hit),
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
    parser.add_argument("--every", type=int, default=1, help="only each so many-th write")
    parser.add_argument("--kinds", default=",".join(KINDS))
    asked = parser.parse_args()
    if not hasattr(ctypes.CDLL(None), "fault_at"):
        return with_library()
    report = Report(asked)
    story()
    for kind in asked.kinds.split(","):
        attacked(report, kind, asked.every)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
