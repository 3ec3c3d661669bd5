"""What the eye has read is opened only where no game is played, and by the dealing room."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from companion.journal.recording import Recorder
from companion.table.sighting import Glimpse, RawGlimpse, Sighting

COMPANION = Path(__file__).parents[2] / "companion"
MAY_OPEN = {
    "dealing/curtain.py": "the dealing room itself",
    "vision/eye.py": "the eye, which made it",
}
RAW = RawGlimpse(Glimpse(1.0, (Sighting(17, (1.0, 2.0), 0.0, (), 1.0),)))


def test_only_the_eye_and_the_dealing_room_open_a_raw_glimpse() -> None:
    """No other module of the product names what a raw glimpse holds."""
    opened = {
        path.relative_to(COMPANION).as_posix()
        for path in COMPANION.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "uncurtained"
    }
    assert opened == set(MAY_OPEN)


def test_the_rooms_of_screens_and_files_have_no_way_to_a_raw_glimpse() -> None:
    """Web, journal and referee do not know of it at all."""
    rooms = [COMPANION / room for room in ("web", "journal", "referee")]
    naming = [
        path
        for room in rooms
        for path in room.rglob("*.py")
        if "RawGlimpse" in path.read_text(encoding="utf-8")
    ]
    assert not naming


def test_a_raw_glimpse_shows_no_card_and_cannot_be_recorded(tmp_path: Path) -> None:
    """Printed it names nothing; a recorder that is handed one by mistake writes no line."""
    assert "17" not in repr(RAW)
    recorder = Recorder(tmp_path / "rec")
    with pytest.raises(AttributeError):
        recorder.record_glimpse(RAW, None)
    recorder.close()
    assert not (tmp_path / "rec" / "glimpses.jsonl").read_text()
