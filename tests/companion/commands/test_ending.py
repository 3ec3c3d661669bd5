"""An evening's end is never a crash: `companion` as people start it, stopped in the middle of heavy
work, on a full disk, with a file limit."""

from __future__ import annotations

import http.cookiejar
import json
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.game.fold import fold
from companion.journal import Journal

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="signals of a terminal are another thing there"
)


class Evening:
    """`companion play` without a camera in a process of its own, and a device that is in."""

    def __init__(self, folder: Path, shell: str = "", into: str | None = None) -> None:
        """`into`: where its lines go instead of into a file that tells the way in."""
        play = f"-m companion play --camera off --host 127.0.0.1 --port 0 --data {folder}"
        self.said = folder / "said.txt"
        self.process = subprocess.Popen(
            [
                "/bin/sh",
                "-c",
                f"{shell} exec {sys.executable} {play} {into or f'>{self.said} 2>&1'}",
            ],
            cwd=ROOT,
        )
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.browser = urllib.request.build_opener(jar)
        way_in = self._address() if into is None else self._invitation(folder)
        self.base = way_in.split("/in/")[0]
        self.browser.open(way_in).read()
        self.count = 0

    def _address(self) -> str:
        for _ in range(600):
            said = self.said.read_text("utf-8", "replace") if self.said.exists() else ""
            if found := re.search(r"open  (http://\S+/in/\S+)\s", said):
                return found[1]
            time.sleep(0.05)
        raise AssertionError("it did not start")

    def _invitation(self, folder: Path) -> str:
        for _ in range(600):
            for kept in folder.glob("own-invitation-*"):
                if text := kept.read_text("utf-8").strip():
                    return text
            time.sleep(0.05)
        raise AssertionError("it did not start")

    def post(self, path: str, value: dict[str, Any]) -> int:
        """The status that the answer has."""
        headers = {"Origin": self.base, "Content-Type": "application/json"}
        body = json.dumps(value).encode()
        try:
            request = urllib.request.Request(self.base + path, body, headers)
            return int(self.browser.open(request).status)
        except urllib.error.HTTPError as error:
            return error.code

    def command(self, do: str, **more: Any) -> int:
        """One command with the present version; its status."""
        self.count += 1
        board = json.load(self.browser.open(self.base + "/api/scoreboard"))
        told = {"id": f"command-{self.count:05d}", "version": board["version"], "do": do}
        return self.post("/api/command", {**told, **more})

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Its exit code and all it said."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=60)
        return code, self.said.read_text("utf-8", "replace")


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Evening]]:
    """Evenings that are ended whatever happens."""
    evenings: list[Evening] = []
    yield evenings
    for evening in evenings:
        evening.process.kill()
        evening.process.wait()


@pytest.mark.parametrize("wait_s", [0.0, 0.4])
def test_stopped_while_a_print_file_is_being_made(
    tmp_path: Path, started: list[Evening], wait_s: float
) -> None:
    """Exit code 0, good night and no complaint, wherever the drawing was."""
    started.append(evening := Evening(tmp_path))
    assert evening.post("/api/print", {"kind": "cards"}) == 200
    time.sleep(wait_s)
    began_s = time.monotonic()
    code, said = evening.stop()
    assert time.monotonic() - began_s < 20
    assert code == 0, said
    assert "Good night" in said
    assert "Traceback" not in said


def test_a_file_limit_refuses_and_ends_nothing(tmp_path: Path, started: list[Evening]) -> None:
    """With the limit reached commands are refused in words, what was acknowledged stays, and the
    end is a good night."""
    started.append(evening := Evening(tmp_path, "ulimit -f 100;"))
    assert evening.command("begin", players=["Ada", "Ben", "Cleo"], daydreamer=0) == 200
    done = 1
    for number in range(60):
        if evening.command("name", words=f"cloud {number}") != 200:
            break
        done += 1
    else:
        raise AssertionError("the limit was never reached")
    assert evening.command("name", words="once more") == 503
    code, said = evening.stop()
    assert code == 0, said
    assert "Traceback" not in said
    with Journal(tmp_path) as journal:
        assert len(journal.log.entries) == done


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no disk that is always full")
@pytest.mark.parametrize("into", [">&-", ">/dev/full 2>&1", "2>&-", ">&- 2>&-"])
def test_an_evening_whose_lines_nobody_takes_goes_on(tmp_path: Path, into: str) -> None:
    """A closed terminal, a log on a full disk: taps are kept and the end is a good one. It ended in a
    traceback, or went on with its journal closed."""
    evening = Evening(tmp_path, into=into)
    names = ["Ada", "Ben", "Cleo"]
    asked = {"do": "begin", "id": "tap-00001", "version": 0, "players": names, "daydreamer": 0}
    assert evening.post("/api/command", asked) == 200
    evening.process.send_signal(signal.SIGINT)
    assert evening.process.wait(30) == 0
    with Journal(tmp_path) as journal:
        assert [player.name for player in fold(journal.log).ledger.players] == names


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no disk that is always full")
@pytest.mark.parametrize("words", ["man", "completion bash", "evenings", "completion fish"])
def test_what_a_full_disk_does_not_take_is_said(tmp_path: Path, words: str) -> None:
    """One sentence and 2, however much it was: a long page ended in a traceback, and of a short one
    nothing came, as if all were well."""
    with Journal(tmp_path):
        pass
    asked = [sys.executable, "-m", "companion", *words.split()]
    if words == "evenings":
        asked += ["--data", str(tmp_path)]
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(asked, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    said = ended.stderr.decode()
    assert (ended.returncode, said.count("\n")) == (2, 1), said
    assert "No space left on device" in said
