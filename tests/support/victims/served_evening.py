"""A real evening behind a real server in a process of its own, for those that attack it from outside.
usage: served_evening.py FOLDER

Prints one JSON line, the port and cookies of three devices, and serves until its input ends.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread
from typing import Any

from companion.evening.session import Session
from companion.journal import Journal
from companion.web import Door, Rule, Server, create_app

ROOT = Path(__file__).resolve().parents[3]


def begun(folder: Path, deck_size: int = 80) -> Session:
    """A real evening of five, its first round on the table."""
    session = Session(Journal(folder))
    start = {
        "players": ["Ada", "Ben", "Cleo", "Dan", "Eva"],
        "daydreamer": 0,
        "edition": "en",
        "deck_size": deck_size,
        "handling": "auto",
    }
    for what, more in (("begin", start), ("laid", {})):
        status, answer = session.command(
            {"id": f"at-the-start-{what}", "version": session.version, "do": what, **more}
        )
        assert status == 200, answer
    return session


def children_of(process: int | str) -> list[str]:
    """The processes that this one has started and that still run; Linux only."""
    found: list[str] = []
    for task in Path(f"/proc/{process}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            found += (task / "children").read_text().split()
    return found


def memory_mb(process: int | str = "self") -> float:
    """What a process and its children hold in memory now, what they share counted once; Linux only."""
    told = Path(f"/proc/{process}/smaps_rollup").read_text()
    own = int(told.partition("\nPss:")[2].split()[0]) / 1024
    for child in children_of(process):
        with contextlib.suppress(OSError):
            own += memory_mb(child)
    return own


def core_s(process: int | str) -> float:
    """Seconds of a core that a process and its children have taken; Linux only."""
    own = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15]
    spent = sum(map(int, own)) / 100.0
    for child in children_of(process):
        with contextlib.suppress(OSError):
            spent += core_s(child)
    return spent


def open_files(process: int | str = "self") -> int:
    """How many files and sockets a process has open; Linux only."""
    return sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())


@dataclass(frozen=True, slots=True)
class Served:
    """The running evening as an attacker meets it."""

    process: Popen[str]
    port: int
    control: str
    """The cookie header of a device that may change the evening."""
    greedy: str
    """That of another one."""
    watch: str

    @property
    def memory_mb(self) -> float:
        """What server and children hold."""
        return memory_mb(self.process.pid)

    @property
    def core_s(self) -> float:
        """Seconds of a core that it and its children have taken."""
        return core_s(self.process.pid)

    @property
    def own_mb(self) -> float:
        """What the server itself holds, without its children."""
        told = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return int(told.partition("\nPss:")[2].split()[0]) / 1024

    @property
    def children(self) -> int:
        """How many processes it has started that still run."""
        return len(children_of(self.process.pid))

    @property
    def open_files(self) -> int:
        """How many files and sockets it has open."""
        return open_files(self.process.pid)


@contextlib.contextmanager
def served(folder: Path, setup: bool = False, *, camera: bool = False) -> Iterator[Served]:
    """An evening that is served while the block runs; with `setup` its table is not set yet, with
    `camera` one evening after the other is kept by a camera (`evenings_by_camera`)."""
    how = ["setup"] * setup + ["camera"] * camera
    command = [sys.executable, "-m", __spec__.name, str(folder), *how]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        told: dict[str, Any] = json.loads(process.stdout.readline())
        yield Served(process, told["port"], *told["cookies"])
        process.stdin.close()
        process.wait(20)


def main(folder: Path, setup: bool, camera: bool) -> int:
    """Serve until the input ends."""
    session = Session(Journal(folder)) if setup or camera else begun(folder)
    door = Door(folder / "devices.json")
    app = create_app(session, door)
    server = Server(app, "127.0.0.1", 0).start()
    cookies = [
        f"companion_device={door.enter(door.invite(role), 'Attacker')}"
        for role in (Rule.CONTROL, Rule.CONTROL, Rule.WATCH)
    ]
    if camera:
        from tests.support.victims.evenings_by_camera import keep_evenings

        Thread(target=keep_evenings, args=(session, folder), daemon=True).start()
    print(json.dumps({"port": server.port, "cookies": cookies}), flush=True)
    sys.stdin.read()
    server.stop()
    session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "setup" in sys.argv[2:], "camera" in sys.argv[2:]))
