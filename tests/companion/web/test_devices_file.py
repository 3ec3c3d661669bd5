"""The list of devices on a disk that fails, and lists that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.journal import Journal
from companion.web.guards.access import CannotKeep, Door, Rule

TOKEN_HASH = "0" * 64
GOOD = {"key": "ab", "name": "Tablet", "role": "control", "token_hash": TOKEN_HASH}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "17",
        '{"a": 1}',
        "[7]",
        "[null]",
        "\ud800",
        json.dumps([{**GOOD, "token_hash": 17}]),
        json.dumps([{**GOOD, "token_hash": "ž" * 64}]),
        json.dumps([{**GOOD, "role": "open door"}]),
        json.dumps([GOOD, {**GOOD, "token_hash": None}]),
    ],
)
def test_a_list_that_is_none_is_set_aside(tmp_path: Path, text: str) -> None:
    """The start goes on, nobody is in, every byte is kept, and the next device is let in."""
    path = tmp_path / "devices.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    door = Door(path)
    assert door.devices == ()
    assert door.device("anything") is None
    assert door.set_aside == "devices.json.broken-1"
    assert (tmp_path / door.set_aside).read_bytes() == text.encode("utf-8", "surrogatepass")
    token = door.enter(door.invite(), "Tablet")
    assert Door(path).device(token) is not None


def test_a_folder_in_its_place_is_set_aside(tmp_path: Path) -> None:
    """A folder with something in it stays as it is, under another name."""
    (tmp_path / "devices.json" / "inside").mkdir(parents=True)
    door = Door(tmp_path / "devices.json")
    assert door.enter(door.invite(), "Tablet")
    assert (tmp_path / "devices.json.broken-1" / "inside").is_dir()


def test_a_good_list_is_left_alone(tmp_path: Path) -> None:
    """What a companion wrote is read, and nothing is said."""
    (tmp_path / "devices.json").write_text(json.dumps([GOOD]))
    door = Door(tmp_path / "devices.json")
    assert [d.name for d in door.devices] == ["Tablet"]
    assert door.set_aside is None


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A disk that can be filled and freed."""

    def fill(on: bool) -> None:
        def write(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.undo()
        if on:
            monkeypatch.setattr("companion.web.guards.access.write_beside_then_replace", write)

    return fill


def test_a_disk_that_fails_uses_up_no_code(tmp_path: Path, full: Any) -> None:
    """First on disk, then used up: the same code lets the device in once there is room."""
    door = Door(tmp_path / "devices.json")
    code = door.invite(Rule.CONTROL)
    full(True)
    with pytest.raises(CannotKeep, match="nothing was changed"):
        door.enter(code, "Tablet")
    assert door.devices == ()
    full(False)
    token = door.enter(code, "Tablet")
    assert door.device(token) is not None
    assert door.enter(code, "Tablet") is None


def test_a_disk_that_fails_changes_no_right(tmp_path: Path, full: Any) -> None:
    """Sent away or renamed only once that is on disk; a key that is not there needs no disk."""
    door = Door(tmp_path / "devices.json")
    token = door.enter(door.invite(), "Tablet")
    key = door.devices[0].key
    full(True)
    with pytest.raises(CannotKeep):
        door.revoke(key)
    with pytest.raises(CannotKeep):
        door.rename(key, "Kitchen")
    assert not door.revoke("nobody")
    assert door.device(token) == door.devices[0] == Door(tmp_path / "devices.json").devices[0]
    full(False)
    assert door.revoke(key)
    assert Door(tmp_path / "devices.json").devices == ()


def test_a_list_that_another_companion_keeps_as_well_is_not_written(tmp_path: Path) -> None:
    """The lock was removed and a second one got in: sending away and letting in are refused in words, and
    nothing is written over what the other wrote."""
    with Journal(tmp_path) as journal:
        door = Door(tmp_path / "devices.json")
        door.require_alone = journal.require_alone
        door.enter(door.invite(), "Tablet")
        (device,) = door.devices
        (tmp_path / "journal.lock").unlink()
        with Journal(tmp_path):
            written = (tmp_path / "devices.json").read_bytes()
            with pytest.raises(CannotKeep, match="Another companion"):
                door.revoke(device.key)
            with pytest.raises(CannotKeep, match="Another companion"):
                door.enter(door.invite(), "Phone")
            assert door.devices == (device,)
            assert (tmp_path / "devices.json").read_bytes() == written


def test_the_list_does_not_grow_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For one more the oldest that only looks on goes; where none does, the oldest of all."""
    monkeypatch.setattr("companion.web.guards.access.MOST_DEVICES", 3)
    door = Door(tmp_path / "devices.json")
    for name, role in (("a", Rule.CONTROL), ("b", Rule.WATCH), ("c", Rule.CONTROL)):
        assert door.enter(door.invite(role), name)
    told = []
    for name, role in (("d", Rule.WATCH), ("e", Rule.CONTROL), ("f", Rule.CONTROL)):
        assert door.enter(door.invite(role), name)
        told.append("".join(device.name for device in Door(tmp_path / "devices.json").devices))
    assert told == ["acd", "ace", "cef"]
