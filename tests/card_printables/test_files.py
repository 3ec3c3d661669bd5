"""The one writer of files: whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from card_printables.files import write_beside_then_replace


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


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_a_private_file_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    """Keys and tokens are nobody else's."""
    path = tmp_path / "devices.json"
    write_beside_then_replace(path, b"secret", private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
