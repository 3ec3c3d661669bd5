"""Something else stands in place of a file of the data folder, a pipe or a folder: nobody waits for it, and
the evening goes on."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from companion.commands.shared.practice_restart import (
    TABLE,
    keep_table,
    kept_options,
    options_of,
)
from companion.errors import CompanionError
from companion.journal import Journal
from companion.journal.people_signs import PeopleSigns
from companion.journal.watched import Watched
from companion.outbox.link import LinkFile
from companion.practice.truth import Truth
from companion.set_up.card_back_store import stored_back
from companion.set_up.deck_store import kept_deck, played_deck
from companion.web import Door
from tests.support.victims.journal_victim import story

NAMES = (
    "acts.json", "back.json", "decks/cats.deck", "decks/played", "devices.json", "evenings/0001.jsonl",
    "hall.json", "journal.lock", "journal.owner", "journal.sqlite3", "journal.watched", "people.json", TABLE,
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with an evening."""
    with Journal(tmp_path) as journal:
        for act, entries in enumerate(story()[:5]):
            journal.append(entries, f"act-{act}", {"ok": True})
    return tmp_path


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes in the file system")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_whatever_stands_in_a_files_place_holds_nobody_up(
    folder: Path, name: str, make: object
) -> None:
    """All that is read at the start and later is read, or refused in a sentence; the evening is there."""
    at = folder / name
    at.parent.mkdir(exist_ok=True)
    at.unlink(missing_ok=True)
    assert callable(make)
    make(at)
    with Journal(folder) as journal:
        assert journal.log.entries
    assert Door(folder / "devices.json").devices == ()
    assert LinkFile(folder).link is None
    PeopleSigns(folder).keep_names(["Ada"])
    Watched(folder).note_look(5.0)
    assert stored_back(folder) is None
    assert played_deck(folder) is None
    assert kept_options(folder, 1, options_of(None)) is None
    with pytest.raises(CompanionError):
        kept_deck(folder, "cats")


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
