"""This computer's own browser comes in by an invitation that only its owner can read."""

from __future__ import annotations

import argparse
import socket
import stat
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer
from threading import Thread
from typing import Any

import pytest

from companion.__main__ import main
from companion.commands import play
from companion.commands.shared.own_invitation import OwnInvitation
from companion.web import Door, Server
from tests.support.kept_evening import played


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    """A companion on a port of its own, its data in `tmp_path`."""
    parser = argparse.ArgumentParser()
    play.configure(parser)
    args = parser.parse_args(["--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path)])
    server = play.serve(played().session, args)
    yield server
    server.stop()


def cookie_of(address: str) -> str | None:
    """The cookie that a browser which opens this address is given."""

    class Stay(urllib.request.HTTPErrorProcessor):
        def http_response(self, request: Any, response: Any) -> Any:
            return response

    with urllib.request.build_opener(Stay).open(address, timeout=10) as answer:
        return answer.headers["Set-Cookie"]


def test_each_browser_that_is_opened_comes_in(
    running: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other, each by a code of its own, which is then worth nothing; the file is its
    owner's alone."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    words = ["open", "--port", str(running.port), "--data", str(tmp_path)]
    for _ in range(2):
        assert main(words) == 0
        assert cookie_of(opened[-1]) is not None
    assert len(set(opened)) == 2
    assert cookie_of(opened[0]) is None
    kept = tmp_path / f"own-invitation-{running.port}"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_companion_of_another_folder_is_shown_without_an_invitation(
    running: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A second one is not started, and it is said where the code is."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    elsewhere = str(tmp_path / "elsewhere")
    assert main(["open", "--port", str(running.port), "--data", elsewhere]) == 0
    assert opened == [f"http://127.0.0.1:{running.port}/"]
    assert "where it was started it shows the code" in capsys.readouterr().out


def test_a_secure_companion_is_known_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without learning its certificate; the browser is sent to its secure page."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    parser = argparse.ArgumentParser()
    play.configure(parser)
    words = ["--host", "127.0.0.1", "--data", str(tmp_path)]
    server = play.serve(played().session, parser.parse_args([*words, "--https", "--port", "0"]))
    try:
        assert main(["open", *words, "--port", str(server.port)]) == 0
    finally:
        server.stop()
    assert opened[0].startswith(f"https://127.0.0.1:{server.port}/in/")


class NotFound(BaseHTTPRequestHandler):
    """What any server says of an address it does not know."""

    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


class Deaf(BaseRequestHandler):
    """A program that hangs up."""


@pytest.mark.parametrize("handler", [NotFound, Deaf])
def test_another_program_is_not_the_companion(
    handler: type[BaseRequestHandler],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is said, and nothing is opened."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with TCPServer(("127.0.0.1", 0), handler) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        port = other.server_address[1]
        assert main(["open", "--port", str(port), "--data", str(tmp_path)]) == 2
        other.shutdown()
    assert f"another program has port {port}" in capsys.readouterr().err
    assert not opened


def test_where_nobody_listens_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And shows that."""
    begun: list[argparse.Namespace] = []

    def begin(args: argparse.Namespace) -> int:
        begun.append(args)
        return 0

    monkeypatch.setattr(play, "run", begin)
    with socket.socket() as bound:  # bound, so nobody else takes it, and deaf
        bound.bind(("127.0.0.1", 0))
        assert main(["open", "--port", str(bound.getsockname()[1]), "--data", str(tmp_path)]) == 0
    assert begun[0].open_page


def test_an_invitation_stays_until_it_is_used(tmp_path: Path) -> None:
    """And one that a companion of before left behind is replaced: its code opens nothing now."""
    kept = OwnInvitation(tmp_path, 8765)
    assert kept.address is None
    kept.renew(Door(), "http://127.0.0.1:8765")
    left_behind = kept.address
    door = Door()
    kept.renew(door, "http://127.0.0.1:8765")
    fresh = kept.address
    assert fresh is not None
    assert fresh != left_behind
    kept.renew(door, "http://127.0.0.1:8765")
    assert kept.address == fresh
    assert door.enter(fresh.rpartition("/")[2], "Computer")
    kept.renew(door, "http://127.0.0.1:8765")
    assert kept.address != fresh
    kept.remove()
    assert kept.address is None


def test_a_folder_in_its_place_stops_nothing(tmp_path: Path) -> None:
    """The companion starts all the same."""
    (tmp_path / "own-invitation-8765").mkdir()
    kept = OwnInvitation(tmp_path, 8765)
    kept.renew(Door(), "http://127.0.0.1:8765")
    assert kept.address is None
    kept.remove()
