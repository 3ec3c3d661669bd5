"""The disk fails, or the process is stopped, at every write of what takes evenings along: import,
restore, backup, export.

    python -m tests.benchmarks.attacks.carry [--what import,restore,backup,export] [--every 1] [--kinds stop,enospc,...]

Linux with a C compiler, as `tests.benchmarks.attacks.disk`. What was there before must be there after it,
no command may end in a traceback, and doing it again must bring everything: each evening, its place, each
picture.
"""

from __future__ import annotations

import ctypes
import io
import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from companion.__main__ import main as companion
from companion.game.log import Log
from companion.journal import Journal
from companion.journal.round_pictures import RoundPictures
from companion.journal.store import FILE
from companion.years.index import YearsIndex
from companion.years.persons import fold_acts
from tests.benchmarks.attacks.disk import KINDS, built
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims import camera_evening_victim as by_camera
from tests.support.years.season import season

WHAT = ("import", "restore", "backup", "export")
THEIRS = 3
"""Evenings that come; as many of our own are there, others."""

DONE, REFUSED, FAILED = 0, 2, 5

PLACE = "At Ada's"

Told = dict[str, tuple[str, int]]


def keep(folder: Path, logs: tuple[Log, ...], place: str = "") -> None:
    """A data folder with these evenings, at a place, with a picture of the first one's first round."""
    with Journal(folder) as journal:
        journal.import_evenings(logs)
        if place:
            acts = [
                {"do": "place", "evening": at, "place": place} for at in range(1, len(logs) + 1)
            ]
            journal.acts.append_all(acts, None)
            RoundPictures(folder).keep(1, 1_700_000_000_000, b"\xff\xd8 a picture")


def held(folder: Path) -> Told:
    """Each evening's place and number of entries, by what it is called everywhere; the pictures too."""
    Journal(folder).close()  # what was left is mended as at every start
    with YearsIndex(folder) as index:
        index.refresh()
        places = fold_acts(index.acts()).places
        told = {
            key: (places.get(number, ""), len(index.texts(number)))
            for key, number in index.ids().items()
        }
    pictures = {file.name: ("", file.stat().st_size) for file in RoundPictures(folder).files()}
    return told | pictures


def typed(*words: str | Path) -> int:
    """A command; its exit code, FAILED for a traceback, which is printed."""
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            return companion([str(word) for word in words])
    except SystemExit as left:
        return int(left.code or 0)
    except BaseException:
        traceback.print_exc()
        return FAILED


class Case:
    """One command on folders of its own: what it does, and what must be there when it was done again."""

    def __init__(self, what: str, parent: Path) -> None:
        self.what = what
        self.home = parent / "home"
        self.file = parent / {
            "import": "theirs.json", "restore": "theirs.zip", "backup": "ours.zip", "export": "ours.json",
        }[what]  # fmt: skip
        self._parent = parent
        self._kept = parent.parent / f"{what}-kept"
        if not self._kept.exists():
            self._prepare()
        self.before = held_of_copy(self._kept / "home") if what != "restore" else {}
        self.theirs = held_of_copy(self._kept / "theirs")

    def _prepare(self) -> None:
        keep(self._kept / "theirs", season(2 * THEIRS)[THEIRS:], PLACE)
        if self.what != "restore":
            keep(self._kept / "home", season(2 * THEIRS)[:THEIRS])
        theirs = str(self._kept / "theirs")
        assert typed("backup", self._kept / "theirs.zip", "--data", theirs) == DONE
        assert typed("export", self._kept / "theirs.json", "--data", theirs) == DONE

    def lay_out(self) -> None:
        """As before the command."""
        shutil.rmtree(self._parent, ignore_errors=True)
        shutil.copytree(self._kept, self._parent)

    def do(self) -> int:
        """The command."""
        return typed(self.what, self.file, "--data", self.home)

    def fault(self, code: int) -> str:
        """What is wrong after the command ended so; nothing when all is well."""
        if code == FAILED:
            return "a traceback"
        if self.what in ("backup", "export"):
            return self._fault_of_file(code)
        if self.what == "restore":
            return self._fault_of_restore(code)
        now = held(self.home)
        pictures = {key for key in self.theirs if key.endswith(".jpg")}
        wanted = self.before | {key: self.theirs[key] for key in self.theirs if key not in pictures}
        if not self.before.items() <= now.items():
            return "something of ours is another"
        if code == DONE and now != wanted:
            return "it said done and is not"
        if typed("import", self.file, "--data", self.home) != DONE:
            return "it cannot be done again"
        return "" if held(self.home) == wanted else "done again it is not all there"

    def _fault_of_restore(self, code: int) -> str:
        if code == DONE and held(self.home) != self.theirs:
            return "it said done and is not"
        if code != DONE and (self.home / FILE).exists() and held(self.home) != self.theirs:
            return "half of it lies there as if it were all"
        if typed("restore", self.file, "--data", self.home) != DONE:
            return "it cannot be done again"
        folders = [self.home, *self._parent.glob("home-restored-*")]
        whole = [folder for folder in folders if (folder / FILE).exists()]
        return "" if whole and held(whole[-1]) == self.theirs else "done again it is not all there"

    def _fault_of_file(self, code: int) -> str:
        if held(self.home) != self.before:
            return "something of ours is another"
        came = self._parent / "came"
        back = [
            word for word in ("import" if self.what == "export" else "restore", self.file) if word
        ]
        if code == DONE:
            if typed(*back, "--data", came) != DONE or held(came) != self.before:
                return "it said done and is not"
        elif self.file.exists() and code > 0:
            return "half a file is left"
        elif (
            self.file.exists()
            and typed(*back, "--data", came) == DONE
            and held(came) != self.before
        ):
            return "half a file is taken for a whole one"
        return ""


def held_of_copy(folder: Path) -> Told:
    """`held`, and the folder stays untouched."""
    with tempfile.TemporaryDirectory() as name:
        return held(Path(shutil.copytree(folder, Path(name) / "copy")))


def forked(work: Callable[[], int]) -> int:
    """How a process that does this ends; negative for a signal."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except BaseException:
            traceback.print_exc()
            os._exit(FAILED)
    status = os.waitpid(child, 0)[1]
    return os.waitstatus_to_exitcode(status)


def attacked(report: Report, what: str, kind: str, every: int) -> None:
    """Each write once, or every so many; one row."""
    disk = ctypes.CDLL(None)
    ends: Counter[int] = Counter()
    faults: list[str] = []
    with by_camera.quick_folder() as parent:
        case = Case(what, parent / what / "now")
        case.lay_out()
        told = parent / "writes"

        def counted() -> int:
            disk.fault_at(-1, 0)
            code = case.do()
            told.write_text(str(disk.writes_so_far()), encoding="ascii")
            return code

        assert forked(counted) == DONE
        most = int(told.read_text(encoding="ascii"))
        for at in range(0, most, every):
            case.lay_out()

            def work(at: int = at) -> int:
                disk.fault_at(at, KINDS[kind])
                code = case.do()
                disk.fault_at(-1, 0)
                return code

            code = forked(work)
            ends[code] += 1
            fault = case.fault(code)
            if fault:
                faults.append(f"{what}, write {at}, {kind}, ended {code}: {fault}")
                print(faults[-1], flush=True)
    report.say(
        f"{what}, the disk at one of {most} writes: {kind}",
        f"{ends[DONE]:,} were done, {ends[REFUSED]:,} refused in words, {ends[-9]:,} stopped: {len(faults)} with something lost, half or a traceback",
        "0, at every write",
        len(range(0, most, every)),
        not faults,
    )


def with_library() -> int:
    """Start this again with the library inside; its exit code."""
    with tempfile.TemporaryDirectory() as name:
        environment = os.environ | {"LD_PRELOAD": str(built(Path(name)))}
        command = [sys.executable, "-m", "tests.benchmarks.attacks.carry", *sys.argv[1:]]
        return subprocess.run(command, env=environment, check=False).returncode


def main() -> int:
    """One row for each command and kind of fault."""
    parser = parser_of(__doc__)
    parser.add_argument("--what", default=",".join(WHAT))
    parser.add_argument("--every", type=int, default=1, help="only each so many-th write")
    parser.add_argument("--kinds", default="stop,half-stop,enospc,eio,half")
    asked = parser.parse_args()
    if not hasattr(ctypes.CDLL(None), "fault_at"):
        return with_library()
    report = Report(asked)
    for what in asked.what.split(","):
        for kind in asked.kinds.split(","):
            attacked(report, what, kind, asked.every)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
