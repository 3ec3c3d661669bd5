"""The recordings of a table while somebody deletes them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from companion.evening.table_recording import KeptRecordings, TableRecording
from companion.journal.data_folder import KEPT_FREE
from companion.table.sighting import Glimpse
from companion.web import Door, create_app
from companion.web.views import recording as view
from tests.support.companion_web_client import enter
from tests.support.kept_evening import KeptEvening


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[TableRecording]:
    ledger = KeptEvening().begin().session.keeper.ledger
    recording = TableRecording(tmp_path, lambda: (1, ledger))
    yield recording
    recording.close()


def record(recording: TableRecording, t_s: float) -> None:
    recording.record_glimpse(Glimpse(t_s), lambda: np.zeros((8, 8, 3), np.uint8))


def test_a_yes_just_after_deleting_begins_another_recording(recording: TableRecording) -> None:
    """Also where no picture came between: nothing goes on in a folder that is gone."""
    recording.switch(True)
    record(recording, 0.0)
    recording.delete_all()
    recording.switch(True)
    record(recording, 2.0)
    assert (recording.state, recording.trouble) == ("on", "")
    kept = recording.kept()
    assert (kept.recordings, kept.pictures) == (1, 1)


def test_a_recording_leaves_the_evening_room_on_the_disk(
    recording: TableRecording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends before the disk is full, and none begins there."""
    room = SimpleNamespace(free=KEPT_FREE)
    monkeypatch.setattr("companion.journal.recording.shutil.disk_usage", lambda _: room)
    recording.switch(True)
    record(recording, 0.0)
    assert (recording.state, recording.trouble) == ("on", "")
    room.free -= 1
    record(recording, 2.0)
    assert recording.state == "off"
    assert recording.trouble
    assert recording.kept().pictures == 1
    recording.switch(True)
    record(recording, 4.0)
    assert recording.state == "off"
    assert recording.trouble
    assert recording.kept() == KeptRecordings(1, 1, recording.kept().size_bytes)


@pytest.mark.parametrize("pictures", [0, 1])
def test_a_yes_is_for_one_evening(tmp_path: Path, pictures: int) -> None:
    """Whether or not anything was recorded meanwhile, the next evening is asked anew."""
    ledger = KeptEvening().begin().session.keeper.ledger
    evening = 1
    recording = TableRecording(tmp_path, lambda: (evening, ledger))
    recording.switch(True)
    for t_s in range(pictures):
        record(recording, float(t_s))
    evening = 2
    assert recording.state == "asked"
    record(recording, 5.0)
    assert recording.kept().recordings == pictures
    recording.switch(True)
    assert recording.state == "on"
    recording.close()


def test_nothing_is_kept_of_a_picture_taken_while_it_was_deleted(recording: TableRecording) -> None:
    """No is said while the watching thread takes its picture."""
    recording.switch(True)
    record(recording, 0.0)

    def take_picture() -> np.ndarray:
        recording.delete_all()
        return np.zeros((8, 8, 3), np.uint8)

    recording.record_glimpse(Glimpse(2.0), take_picture)
    assert not recording.folder.exists()
    assert (recording.state, recording.trouble) == ("off", "")


def test_what_goes_while_it_is_counted_is_not_counted(
    recording: TableRecording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is gone when its size is asked, and a whole folder."""
    folder = recording.folder / "0001-001"
    folder.mkdir(parents=True)
    (folder / "0000001.jpg").symlink_to("gone")
    (folder / "0000002.jpg").write_bytes(b"12")
    assert recording.kept() == KeptRecordings(1, 1, 2)
    is_dir = Path.is_dir

    def go(path: Path) -> bool:
        found = is_dir(path)
        shutil.rmtree(path)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(Path, "is_dir", go)
        assert recording.kept() == KeptRecordings(1, 0, 0)
    assert recording.kept() == KeptRecordings(0, 0, 0)


def test_a_report_comes_also_while_the_recording_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it then."""
    evening = KeptEvening().begin()
    monkeypatch.setattr(view, "newest_recording", lambda home, number: tmp_path / "gone")
    tablet = enter(create_app(evening.session, Door()))
    assert tablet.get("/api/report").status_code == 200
