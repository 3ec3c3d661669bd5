"""Folders and files that this user may not look into: every command says it in a sentence that tells what
to do, and none takes them for empty ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.commands.doctor import kept_findings
from companion.errors import JournalTrouble
from companion.journal import Journal
from companion.journal.store import FILE
from tests.support.victims.journal_victim import story
from tests.support.victims.plain_user import give_away, open_way_to, without_rights

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="rights are others there")

Say = Callable[..., tuple[int, str]]

COMMANDS = (
    ("evenings",),
    ("export", "OUT.csv"),
    ("backup", "OUT.zip"),
    ("restore", "KEPT.zip"),
    ("import", "KEPT.zip"),
    ("report", "--out", "OUT.zip"),
    ("learn-deck", "--list"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with an evening, of a user who is not root."""
    open_way_to(tmp_path)
    (tmp_path / "home").mkdir()
    with Journal(tmp_path / "home") as journal:
        for act, entries in enumerate(story()[:5]):
            journal.append(entries, f"act-{act}", {"ok": True})
    assert main(["backup", str(tmp_path / "KEPT.zip"), "--data", str(tmp_path / "home")]) == 0
    give_away(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def say(folder: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Runs a command by an ordinary user: its code, and what it said."""

    def run(*words: str) -> tuple[int, str]:
        told = [
            str(folder.parent / word) if word.endswith((".zip", ".csv")) else word for word in words
        ]
        with without_rights():
            code = main([*told, "--data", str(folder)])
        return code, capsys.readouterr().err

    # what is loaded late is loaded with root's rights
    for words in COMMANDS:
        main([*words, "--data", str(folder.parent / "none")])
    capsys.readouterr()
    return run


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: words[0])
def test_a_folder_that_may_not_be_entered(folder: Path, say: Say, command: tuple[str, ...]) -> None:
    """Its own user took away the right to enter it."""
    folder.chmod(0o600)
    code, said = say(*command)
    folder.chmod(0o700)
    assert (code, said.count("\n")) == (2, 1)
    assert str(folder) in said
    assert "choose another" in said
    assert "no evening" not in said


def test_a_file_in_a_folder_that_may_not_be_entered(folder: Path, say: Say) -> None:
    """The same of what is given to a command."""
    hidden = folder.parent / "hidden"
    hidden.mkdir(mode=0o700)
    if os.geteuid() != 0:
        hidden.chmod(0)
    for command in ("import", "restore"):
        code, said = say(command, "hidden/evenings.zip")
        assert (code, said.count("\n")) == (2, 1)
        assert f"{hidden}/evenings.zip may not be looked into" in said
    hidden.chmod(0o700)


def test_a_database_that_may_not_be_read(folder: Path, say: Say) -> None:
    """Not the folder is to blame; and the doctor knows that no evening can begin."""
    (folder / FILE).chmod(0)
    with (
        without_rights(),
        pytest.raises(JournalTrouble, match=r"journal\.sqlite3 may not be read and"),
    ):
        Journal(folder)
    with without_rights():
        found = [f"{one.what}: {one.do}" for one in kept_findings(folder)]
    assert any(f"{FILE} may not be read and written: allow it" in one for one in found)
    for command in (("evenings",), ("export", "OUT.csv"), ("backup", "OUT.zip")):
        code, said = say(*command)
        assert (code, "allow it to this user" in said, "mends" in said) == (2, True, False)
    assert say("report", "--out", "OUT.zip")[0] == 0  # the lines beside it are enough


def test_the_doctor_knows_another_programs_database(folder: Path) -> None:
    """Whatever keeps an evening from beginning is a finding; what is well is none."""

    def found() -> list[str]:
        return [one.what for one in kept_findings(folder)]

    assert found() == []
    with (folder / FILE).open("r+b") as file:
        file.seek(68)
        file.write(b"ABCD")
    (told,) = found()
    assert "belongs to another program" in told


@pytest.mark.parametrize("way", ["closed", "a file", "closed lines", "gone"])
def test_lines_that_cannot_be_read_are_not_no_evenings(folder: Path, say: Say, way: str) -> None:
    """A report is made of the lines beside the database: where they are out of reach, that is said."""
    lines = folder / "evenings"
    if way == "closed":
        lines.chmod(0)
    elif way == "closed lines":
        (lines / "0001.jsonl").chmod(0)
    else:
        lines.rename(folder / "moved")
    if way == "a file":
        lines.write_text("")
    with without_rights():
        found = [one.what for one in kept_findings(folder)]
    code, said = say("report", "--out", "OUT.zip")
    lines.chmod(0o700) if lines.exists() else None
    assert (code, said.count("\n"), "no evening in" in said) == (2, 1, False)
    assert str(lines) in said
    assert any("takes no files" in one for one in found) == (way in ("closed", "a file"))
