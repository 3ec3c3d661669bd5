"""Being told to stop: the evening is kept, nothing is left behind, and nothing is said but good
night."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.commands.shared.stopping import stops_cleanly
from companion.journal import Journal
from tests.support.camera_faults import switch

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="signals of a terminal are another thing there"
)


class Playing:
    """`companion play` in a process of its own, watching through a camera with faults."""

    def __init__(self, folder: Path, temporary: Path) -> None:
        switch(folder, "well")
        paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        self.temporary = temporary
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests/support/victims/play_victim.py"), str(folder)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env=os.environ | {"PYTHONPATH": paths, "TMPDIR": str(self.temporary)},
        )  # fmt: skip
        self.child = int(self._line("child").split()[1])
        self._line("Tablet")

    def _line(self, beginning: str) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(beginning):
                return line
        raise AssertionError(self.process.communicate()[1])

    def stop(self, number: int, whole_group: bool) -> tuple[int, str, str]:
        """Send a signal, as a terminal does or to the process alone; its exit code and its last
        words."""
        os.killpg(self.process.pid, number) if whole_group else self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Playing]:
    """An evening under way."""
    with tempfile.TemporaryDirectory() as short:  # the name of a socket has 108 letters at most
        playing = Playing(tmp_path, Path(short))
        yield playing
        with playing.process as process:  # closes its pipes
            process.kill()


def wait_until_gone(process: int) -> None:
    """Return once there is no such process; fails after half a minute."""
    for _ in range(600):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return
        if (
            Path(f"/proc/{process}/stat").exists()
            and " Z " in Path(f"/proc/{process}/stat").read_text()
        ):
            return
        time.sleep(0.05)
    raise AssertionError("the child lives on")


@pytest.mark.parametrize(
    ("number", "whole_group"),
    [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGHUP, True)],
)
def test_told_to_stop_it_stops_cleanly(
    playing: Playing, tmp_path: Path, number: int, whole_group: bool
) -> None:
    """Ctrl-C, SIGTERM and a closed terminal: exit code 0, good night, no complaint, no child, nothing
    left among the system's temporary files, journal closed."""
    code, out, err = playing.stop(number, whole_group)
    assert (code, err) == (0, "")
    assert "Good night" in out
    wait_until_gone(playing.child)
    assert list(playing.temporary.iterdir()) == []
    Journal(tmp_path).close()


def test_killed_it_leaves_no_child_that_holds_the_camera(playing: Playing, tmp_path: Path) -> None:
    """SIGKILL, while the camera's driver hangs: the capturing child ends itself, and the folder is
    free again."""
    switch(tmp_path, "block")
    playing.process.kill()
    playing.process.wait()
    wait_until_gone(playing.child)
    Journal(tmp_path).close()


def stopped_at(
    folder: Path, number: int, event: str, argument: str, *words: str
) -> subprocess.CompletedProcess[str]:
    """`companion WORDS...`, told to stop at that moment (`stopped_victim`)."""
    victim = str(ROOT / "tests/support/victims/stopped_victim.py")
    return subprocess.run(
        [sys.executable, victim, str(int(number)), event, argument, *words, "--data", str(folder)],
        capture_output=True, text=True, timeout=120, check=False, start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("event", "argument"),
    [
        ("import", "companion.commands.shared.front_door"),
        ("import", "companion.commands.shared.decks"),
        ("import", "numpy"),
        ("import", "cv2"),
        ("import", "companion.web.app"),
        ("import", "companion.practice.evening"),
        ("socket.bind", "-"),
        ("sqlite3.connect", "-"),
    ],
)
def test_told_to_stop_while_it_starts_it_ends_quietly(
    tmp_path: Path, number: int, event: str, argument: str
) -> None:
    """Whatever is being loaded or opened: exit code 0, good night, no complaint, and the folder is
    free."""
    words = ("practice", "--host", "127.0.0.1", "--port", "0")
    done = stopped_at(tmp_path, number, event, argument, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Good night" in done.stdout
    Journal(tmp_path / "practice").close()


@pytest.mark.parametrize("module", ["companion.commands.shared.stopping", "numpy"])
@pytest.mark.parametrize("words", [("practice", "--fast"), ("evenings",)])
def test_what_ends_by_itself_says_that_it_was_interrupted(
    tmp_path: Path, words: tuple[str, ...], module: str
) -> None:
    """Ctrl-C while it is loaded, from its first line on, is no success and no complaint."""
    done = stopped_at(tmp_path, signal.SIGINT, "import", module, *words)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_told_to_stop_a_backup_leaves_nothing_unfinished(tmp_path: Path) -> None:
    """A service that is stopped, or a closed terminal, while the evenings are copied."""
    Journal(tmp_path).close()
    to = tmp_path / "elsewhere"
    to.mkdir()
    done = stopped_at(tmp_path, signal.SIGTERM, "sqlite3.connect", "-", "backup", str(to / "b.zip"))
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
    assert list(to.iterdir()) == []


def test_a_signal_that_comes_while_it_is_being_left_interrupts_nothing() -> None:
    """Ctrl-C again and again: the first one ends what is being opened, and closing that is not broken off."""
    closed = []

    def closes() -> None:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
        closed.append(True)

    def starts() -> None:
        with stops_cleanly(), contextlib.ExitStack() as opened:
            opened.callback(closes)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        starts()
    assert closed
