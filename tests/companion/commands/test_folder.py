"""Something else stands in place of a file of the data folder, a pipe, a folder or a link that leads nowhere:
nobody waits for it, and the evening goes on."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.commands.shared.practice_restart import (
    TABLE,
    keep_table,
    kept_options,
    options_of,
)
from companion.errors import CompanionError
from companion.evening.table_recording import TableRecording
from companion.game.ledger import Ledger
from companion.journal import Journal
from companion.journal.people_signs import PeopleSigns
from companion.journal.recording import newest_recording, read_game
from companion.journal.report import recorded_files
from companion.journal.round_pictures import RoundPictures
from companion.journal.store import holds_evenings, trouble_with
from companion.journal.watched import Watched
from companion.outbox.link import LinkFile
from companion.practice.truth import Truth
from companion.set_up.card_back_store import stored_back
from companion.set_up.deck_store import kept_deck, kept_decks, played_deck
from companion.web import Door
from companion.years.backup import back_up
from companion.years.index import YearsIndex
from tests.support.victims.journal_victim import story

NAMES = (
    "acts.json", "back.json", "decks", "decks/cats.deck", "decks/played", "devices.json", "evenings/0001.jsonl",
    "hall.json", "journal.lock", "journal.owner", "journal.sqlite3", "journal.watched", "people.json", "pictures",
    "pictures/keep.json", "recordings", "recordings/0001-001/game.json", "recordings/0001-001/glimpses.jsonl", TABLE,
    "years.sqlite3",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with an evening."""
    with Journal(tmp_path) as journal:
        for act, entries in enumerate(story()[:5]):
            journal.append(entries, f"act-{act}", {"ok": True})
    return tmp_path


def loop(at: Path) -> None:
    """A link that leads to itself."""
    at.symlink_to(at)


def sparse(at: Path) -> None:
    """A file that says it is larger than any memory."""
    with at.open("wb") as file:
        file.truncate(1 << 40)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes in the file system")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "make", [os.mkfifo, os.mkdir, loop, sparse], ids=lambda make: make.__name__
)
def test_whatever_stands_in_a_files_place_holds_nobody_up(
    folder: Path, name: str, make: object
) -> None:
    """All that is read at the start and later is read, or refused in a sentence; the evening is there."""
    at = folder / name
    at.parent.mkdir(parents=True, exist_ok=True)
    at.unlink(missing_ok=True)
    assert callable(make)
    make(at)
    with Journal(folder) as journal:
        assert journal.log.entries
        recording = TableRecording(folder, lambda: (None, Ledger()))
        assert recording.kept().pictures == 0
        with YearsIndex(folder) as index:
            index.refresh()
            assert len(index.ids()) == 1
        pictures = RoundPictures(folder)
        assert (pictures.days, pictures.kept().pictures) == (None, 0)
        back_up(folder, folder / "all.zip")
    newest = newest_recording(folder, 1)
    assert newest is None or read_game(newest) is None
    assert newest is None or all(path.is_file() for path, _ in recorded_files(newest, True))
    assert Door(folder / "devices.json").devices == ()
    assert LinkFile(folder).link is None
    PeopleSigns(folder).keep_names(["Ada"])
    Watched(folder).note_look(5.0)
    assert stored_back(folder) is None
    assert played_deck(folder) is None
    assert set(kept_decks(folder)) <= {"cats"}
    assert kept_options(folder, 1, options_of(None)) is None
    with pytest.raises(CompanionError):
        kept_deck(folder, "cats")


@pytest.mark.skipif(sys.platform != "linux", reason="its folders have names of characters only")
def test_a_folder_whose_name_is_no_utf_8_holds_evenings_like_any_other(tmp_path: Path) -> None:
    """Folders from older systems are called by bytes that are no characters."""
    folder = tmp_path / os.fsdecode(b"Fr\xfchling")
    with Journal(folder) as journal:
        for act, entries in enumerate(story()[:5]):
            journal.append(entries, f"act-{act}", {"ok": True})
        with YearsIndex(folder) as index:
            index.refresh()
            assert len(index.ids()) == 1
        back_up(folder, folder / "all.zip")
    assert holds_evenings(folder)
    assert trouble_with(folder) is None


@pytest.mark.parametrize("value", [None, -1, "x" * 500, [], {}, 10**40])
@pytest.mark.parametrize("name", ["players", "seed", "rounds", "fault", "temper"])
def test_a_practice_table_that_was_changed_on_the_disk_is_another_one(
    tmp_path: Path, name: str, value: object
) -> None:
    """Its options are believed only as they were written."""
    options = options_of(None) | {"seed": 7}
    keep_table(tmp_path, 3, options, Truth(("Ada", "Ben", "Cleo"), 0, "en", "tray", (), ()))
    assert kept_options(tmp_path, 3, options_of(None)) is not None
    told = json.loads((tmp_path / TABLE).read_text())
    told["options"][name] = value
    (tmp_path / TABLE).write_text(json.dumps(told))
    same = options[name] == value
    assert (kept_options(tmp_path, 3, options_of(None)) is not None) == same


def test_the_home_of_nobody_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """A mistyped name behind ~: what to do, and no trace of the program."""
    with pytest.raises(SystemExit) as left:
        sys.exit(main(["evenings", "--data", "~nobody-lives-here/evenings"]))
    said = capsys.readouterr().err
    assert (left.value.code, said.count("\n")) == (2, 1), said
    assert "there is no home for the ~" in said
