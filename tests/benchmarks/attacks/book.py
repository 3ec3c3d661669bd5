"""The disk fails, or the process is stopped, at every write of what people do to the book of evenings:
names, places, deletions, ways back, and what leaves the disk a minute later.

    python -m tests.benchmarks.attacks.book [--every 1] [--kinds stop,half-stop,enospc,eio,half]

Linux with a C compiler, as `tests.benchmarks.attacks.disk`. Each act that was acknowledged must stand in
the book once, every evening that nobody deleted must be as it was, nothing may be called damaged, and a
forgotten name may stand in no file any more.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from companion.errors import JournalTrouble
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.journal.acts import Act
from companion.journal.people_signs import PeopleSigns
from companion.years.book import BookOfEvenings
from companion.years.persons import WAY_BACK_S
from tests.benchmarks.attacks.disk import KINDS, built
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims import camera_evening_victim as by_camera
from tests.support.years.season import season

T = TypeVar("T")
Tell = Callable[[str], object]

EVENINGS = 6
NOW_S = 2_000_000_000.0
FORGOTTEN = "Ben"
UNDOES_THE_LAST = {"do": "undo"}
ACTS: tuple[dict[str, Any], ...] = (
    {"do": "place", "evening": 2, "place": "At the lake"},
    {"do": "rename", "person": "Ada", "name": "Zoraide"},
    {"do": "delete", "evening": 4},
    UNDOES_THE_LAST,
    {"do": "forget", "person": FORGOTTEN},
    {"do": "delete", "evening": 3},
    {"do": "place", "evening": 1, "place": "In the hut"},
    {"do": "rename", "person": "Zoraide", "name": "Zora"},
)


class Reader:
    """The book of a folder, in the hands of somebody who tries again where the disk refuses."""

    def __init__(self, folder: Path, now_s: float) -> None:
        self.now_s = now_s
        self.journal = self._tried(lambda: Journal(folder, lambda: self.now_s))
        signs = PeopleSigns(folder, [one.players for one in self.journal.evenings()])
        self.book = BookOfEvenings(self.journal, signs, lambda: self.now_s)

    def _tried(self, work: Callable[[], T]) -> T:
        for _ in range(2):
            try:
                return work()
            except JournalTrouble:
                continue
        return work()

    def look(self) -> dict[str, Any]:
        """The first page."""
        return self._tried(self.book.page)

    def do(self, asked: dict[str, Any]) -> Act:
        """One act, a second later."""
        self.now_s += 1
        done = self._tried(lambda: self.book.act(asked, "Tablet"))
        assert not isinstance(done, Refusal), done
        return done

    def close(self) -> None:
        """Let go of the files."""
        self.book.close()
        self.journal.close()


def edit(folder: Path, tell: Tell) -> int:
    """Every act, and a look a minute later; tells each that was acknowledged."""
    reader = Reader(folder, NOW_S)
    reader.look()
    last = 0
    for what in ACTS:
        last = reader.do(what | {"act": last} if what is UNDOES_THE_LAST else what).number
        tell(f"act {last}\n")
    for _ in range(3):
        reader.now_s += WAY_BACK_S + 1
        reader.look()
    reader.close()
    return by_camera.WELL


def check(folder: Path, life: by_camera.Life) -> None:
    """Raises AssertionError when something is lost, doubled, called damaged, or not forgotten."""
    assert life.code in (by_camera.WELL, -9), f"ended with {life.code}: {life.told[-3:]}"
    acknowledged = sum(line.startswith("act ") for line in life.told)
    reader = Reader(folder, NOW_S + 1000 * WAY_BACK_S)
    done = [(act.number, act.what["do"]) for act in reader.journal.acts.acts]
    assert done == [(number, what["do"]) for number, what in enumerate(ACTS[: len(done)], 1)]
    assert len(done) - acknowledged in (0, 1), f"{acknowledged} acknowledged, {len(done)} there"
    people = reader.look()["people"]
    deleted = {3} if len(done) >= 6 else {4} if len(done) == 3 else set()
    left = set(range(1, EVENINGS + 1)) - deleted
    assert {one.number for one in reader.journal.evenings()} == left
    forgotten = len(done) >= 5
    assert forgotten != (FORGOTTEN in [one["name"] for one in people])
    for number in left:
        log, before = reader.journal.read_evening(number), season(EVENINGS)[number - 1]
        assert len(log.entries) == len(before.entries) if forgotten else log == before
        assert reader.book.line(number) is not None
    assert not reader.journal.notices, reader.journal.notices
    assert reader.journal.kept is None
    reader.close()
    wanted = (FORGOTTEN.encode(), FORGOTTEN.casefold().encode())
    for file in folder.rglob("*") if forgotten else ():
        where = file.is_file() and any(one in file.read_bytes() for one in wanted)
        assert not where, f"the forgotten name stands in {file.name}"


def attacked(report: Report, kind: str, every: int) -> None:
    """Each write once, or every so many; one row."""
    ends: Counter[int] = Counter()
    faults = []
    with by_camera.quick_folder() as parent:
        before, folder = parent / "before", parent / "data"
        with Journal(before) as journal:
            journal.import_evenings(season(EVENINGS))
            signs = PeopleSigns(before)
            for evening in journal.evenings():
                signs.keep_names(evening.players)

        def edited(at: int, fault: int) -> by_camera.Life:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(before, folder)
            disk = ctypes.CDLL(None)

            def work(tell: Tell) -> int:
                disk.fault_at(at, fault)
                code = edit(folder, tell)
                tell(f"writes {disk.writes_so_far()}\n")
                return code

            return by_camera.lived(work)

        most = int(edited(-1, 0).told[-1].split()[1])
        hit = range(0, most, every)
        for at in hit:
            life = edited(at, KINDS[kind])
            ends[life.code] += 1
            try:
                check(folder, life)
            except AssertionError as fault:
                faults.append(f"write {at}: {fault}")
                print(faults[-1], flush=True)
    report.say(
        f"the book of evenings, the disk at one of {most} writes: {kind}",
        f"{ends[0]:,} went on, {ends[-9]:,} were stopped: {len(faults)} with something lost, doubled, called damaged or not forgotten",
        "0, at every write",
        len(hit),
        not faults,
    )


def main() -> int:
    """One row for each kind of fault."""
    parser = parser_of(__doc__)
    parser.add_argument("--every", type=int, default=1, help="only each so many-th write")
    parser.add_argument("--kinds", default="stop,half-stop,enospc,eio,half")
    asked = parser.parse_args()
    if not hasattr(ctypes.CDLL(None), "fault_at"):
        with tempfile.TemporaryDirectory() as name:
            environment = os.environ | {"LD_PRELOAD": str(built(Path(name)))}
            command = [sys.executable, "-m", "tests.benchmarks.attacks.book", *sys.argv[1:]]
            return subprocess.run(command, env=environment, check=False).returncode
    report = Report(asked)
    for kind in asked.kinds.split(","):
        attacked(report, kind, asked.every)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
