"""What SQLite leaves out of its write-ahead log in silence is said: acts that were stored and cannot be
read any more."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.game.fold import fold
from companion.journal import Journal
from companion.journal.store import FILE
from companion.journal.wal_end import FRAME_HEAD_BYTES, HEADER_BYTES
from tests.support.victims.journal_victim import story

ACTS = 20
PAGE_BYTES = 4096
FRAME_BYTES = FRAME_HEAD_BYTES + PAGE_BYTES


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """The folder of an evening whose power went, its last acts in the write-ahead log alone."""
    with Journal(tmp_path / "living") as journal:
        for act, entries in enumerate(story()[:ACTS]):
            journal.append(entries, f"act-{act}", {"ok": True})
        shutil.copytree(tmp_path / "living", tmp_path / "stopped")
    return tmp_path / "stopped"


def wal_of(folder: Path) -> Path:
    """The write-ahead log of a folder."""
    return folder / f"{FILE}-wal"


def opened(folder: Path) -> tuple[int, str]:
    """How many entries are there, and what was said."""
    with Journal(folder) as journal:
        assert fold(journal.log).misfit is None
        return len(journal.log.entries), " ".join(journal.notices)


@pytest.mark.parametrize(
    "bit_at",
    [
        2,
        16,
        25,
        HEADER_BYTES + 60 * FRAME_BYTES + 9,
        HEADER_BYTES + 60 * FRAME_BYTES + 17,
        HEADER_BYTES + 60 * FRAME_BYTES + FRAME_HEAD_BYTES + 700,
    ],
)
def test_one_wrong_bit_loses_nothing_in_silence(stopped: Path, bit_at: int) -> None:
    """In the head of the log, in that of a frame, in a page: with the lines beside it nothing is lost;
    without them what is lost is said; and what the disk made of it is kept."""
    wal = wal_of(stopped)
    data = bytearray(wal.read_bytes())
    data[bit_at] ^= 4
    wal.write_bytes(data)
    alone = stopped.with_name("alone")
    shutil.copytree(stopped, alone)
    shutil.rmtree(alone / "evenings")
    whole = sum(len(entries) for entries in story()[:ACTS])
    found, said = opened(stopped)
    assert found == whole
    assert "could not be read" in said
    assert wal_of(stopped).with_name(f"{FILE}.broken-1-wal").read_bytes() == data
    found, said = opened(alone)
    assert found < whole
    assert "could not be read" in said


@pytest.mark.parametrize("acts", [3, 8, ACTS])
def test_a_log_that_ends_early_is_no_damaged_one(tmp_path: Path, acts: int) -> None:
    """Cut in the middle of an act, as the power cuts it, or begun anew over an older one: nothing of it
    was stored behind its end, and nothing is said of that."""
    with Journal(tmp_path / "living") as journal:
        for act, entries in enumerate(story()[:acts]):
            journal.append(entries, f"act-{act}", {"ok": True})
        cut = shutil.copytree(tmp_path / "living", tmp_path / "cut")
        journal._db.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
        journal.append(story()[acts], "one more", {"ok": True})
        anew = shutil.copytree(tmp_path / "living", tmp_path / "anew")
    wal = wal_of(cut)
    wal.write_bytes(wal.read_bytes()[: -FRAME_BYTES // 2])
    assert wal_of(anew).stat().st_size > HEADER_BYTES + 2 * FRAME_BYTES
    for folder in (cut, anew):
        assert "could not be read" not in opened(folder)[1]
