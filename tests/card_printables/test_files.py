"""The one writer of files: whole or not at all."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from card_printables.files import read_regular, write_beside_then_replace, written_whole


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    """The new content stands under the old name, alone."""
    path = tmp_path / "table.json"
    for data in (b"first", b"second\r\n"):
        write_beside_then_replace(path, data)
        assert path.read_bytes() == data
    assert [file.name for file in tmp_path.iterdir()] == ["table.json"]


def test_a_disk_that_is_full_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be carried to the disk is gone again, and the old file is as it was."""
    path = tmp_path / "table.json"
    write_beside_then_replace(path, b"old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_beside_then_replace(path, b"new")
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["table.json"]


@pytest.mark.skipif(os.name == "nt", reason="there no folder can be opened")
@pytest.mark.parametrize("before", [b"old", None, "whole"])
def test_a_name_that_the_disk_does_not_take_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | str | None
) -> None:
    """The disk fails when the new file has its name already: what was refused must not stand there after
    the next start."""
    path = tmp_path / "devices.json"
    if isinstance(before, bytes):
        write_beside_then_replace(path, before)
    fsync = os.fsync

    def failing(number: int) -> None:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            monkeypatch.setattr(
                "card_printables.files.open", refused, raising=False
            )  # and it takes nothing from here on
            raise OSError(5, "Input/output error")
        fsync(number)

    def refused(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    write = _write_whole if before == "whole" else write_beside_then_replace
    with pytest.raises(OSError, match="Input/output"):
        write(path, b"new")
    left = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert left == ({path.name: before} if isinstance(before, bytes) else {})


def test_a_read_that_fails_once_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A good list of devices was put aside for damaged, and nobody was in any more."""
    path = tmp_path / "devices.json"
    path.write_bytes(b"whole")
    opened, left = Path.open, [1]

    def failing(file: Path, *how: Any) -> Any:
        if left.pop() if left else 0:
            raise OSError(5, "Input/output error", str(file))
        return opened(file, *how)

    monkeypatch.setattr(Path, "open", failing)
    assert read_regular(path) == b"whole"
    assert not left


def test_where_no_second_names_are_known_a_file_is_replaced_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A memory stick, say."""
    path = tmp_path / "devices.json"
    path.write_bytes(b"old")

    def unknown(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", unknown)
    write_beside_then_replace(path, b"new")
    assert [(file, file.read_bytes()) for file in tmp_path.iterdir()] == [(path, b"new")]


def test_another_process_that_writes_the_same_file_meanwhile_disturbs_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them learn one deck, say: what stands there is whole, and neither is told that it cannot be written."""
    path = tmp_path / "box.deck"
    other = f"from card_printables.files import Path, write_beside_then_replace; write_beside_then_replace(Path({str(path)!r}), b'other')"

    def write_other(number: int) -> None:
        if stat.S_ISDIR(os.fstat(number).st_mode):
            return
        subprocess.run([sys.executable, "-c", other], check=True)
        assert path.read_bytes() == b"other"

    monkeypatch.setattr(os, "fsync", write_other)
    write_beside_then_replace(path, b"mine")
    assert path.read_bytes() == b"mine"
    assert [file.name for file in tmp_path.iterdir()] == ["box.deck"]


@pytest.mark.skipif(os.name == "nt", reason="there no folder can be opened")
@pytest.mark.parametrize("write", ["replace", "whole"])
def test_the_new_name_is_carried_to_the_disk_after_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: str
) -> None:
    """Before it is said to be written: a name that the file system still keeps in memory is lost with the
    power."""
    path, carried = tmp_path / "table.json", []
    fsync = os.fsync

    def noted(number: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(number).st_mode)
        carried.append("folder" if is_folder else "file")
        assert path.exists() is is_folder
        fsync(number)

    monkeypatch.setattr(os, "fsync", noted)
    if write == "replace":
        write_beside_then_replace(path, b"new")
    else:
        _write_whole(path, b"new")
    assert carried == ["file", "folder"]


@pytest.mark.skipif(os.name == "nt", reason="there a process that is gone is not told from another")
def test_what_a_killed_process_left_beside_it_goes_with_the_next_write(tmp_path: Path) -> None:
    """It may hold what was to be forgotten. What a running process writes there is left alone, and so is
    whatever else is called alike."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    path = tmp_path / "acts[1].json"
    left = {f"{path.name}.{os.getppid()}.new", f"{path.name}.old.new", f"{path.name}.{9**30}.new"}
    for write in (write_beside_then_replace, _write_whole):
        ours = [f"{path.name}.{gone.pid}.new"]
        if write is write_beside_then_replace:
            ours.append(f"{path.name}.{gone.pid}.old")
        for name in (*left, *ours):
            (tmp_path / name).write_bytes(b"half")
        write(path, b"new")
        assert {file.name for file in tmp_path.iterdir()} == {path.name, *left}
        path.unlink()


def _write_whole(path: Path, data: bytes) -> None:
    with written_whole(path) as made:
        made.write_bytes(data)


def test_a_new_file_has_its_name_once_it_is_whole(tmp_path: Path) -> None:
    """Stopped in the middle it is gone; who was there first is left alone, also who came meanwhile."""
    path = tmp_path / "evenings.csv"

    def write(data: bytes, meanwhile: Callable[[], object]) -> None:
        with written_whole(path) as made:
            made.write_bytes(data)
            assert not path.exists()
            meanwhile()

    with pytest.raises(ZeroDivisionError):
        write(b"half", lambda: 1 / 0)
    assert not list(tmp_path.iterdir())
    write(b"whole", lambda: None)
    with pytest.raises(FileExistsError):
        write(b"again", lambda: None)
    assert path.read_bytes() == b"whole"
    path.unlink()
    with pytest.raises(FileExistsError):
        write(b"later", lambda: path.write_bytes(b"sooner"))
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {path.name: b"sooner"}


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_a_private_file_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    """Keys and tokens are nobody else's."""
    path = tmp_path / "devices.json"
    write_beside_then_replace(path, b"secret", private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
