"""This computer's own browser comes in by an invitation that only its owner can read."""

from __future__ import annotations

import argparse
import stat
import urllib.request
from collections.abc import Iterator
from pathlib import Path
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
