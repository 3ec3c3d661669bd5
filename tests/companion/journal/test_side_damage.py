"""The database is lost, and its side log damaged too: what is left comes back as it was, and what does
not is said with its number."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import pytest

from companion.game.events import CardSetAside
from companion.game.fold import fold
from companion.game.log import Entry, Log, Retraction
from companion.journal import Journal
from companion.journal.store import FILE
from tests.support.victims.journal_victim import story

ACTS = 24


@pytest.fixture
def whole(tmp_path: Path) -> Log:
    """An evening whose database is lost; its side log is whole."""
    with Journal(tmp_path) as journal:
        for entries in story()[:ACTS]:
            journal.append(entries)
        log = journal.log
    (tmp_path / FILE).unlink()
    return log


def side(folder: Path) -> Path:
    """The side log's only file."""
    return folder / "evenings" / "0001.jsonl"


def left_out(entries: tuple[Entry, ...], whole: Log) -> list[int]:
    """The numbers of the entries that stand for lost ones; all others must be those of before."""
    lost = []
    for entry, was in zip(entries, whole.entries, strict=False):
        if entry != was:
            assert entry.event == Retraction((), "lost")
            assert entry.number == was.number
            lost.append(entry.number)
    return lost


def test_a_lost_line_costs_its_own_entry_alone(tmp_path: Path, whole: Log) -> None:
    """One line in the middle is garbage: every other entry is there with its number, and the lost one
    is named."""
    at = next(e.number for e in whole.entries if isinstance(e.event, CardSetAside))
    lines = side(tmp_path).read_bytes().splitlines(keepends=True)
    spoiled = b"".join([*lines[: at - 1], b"\x17\x00}{\n", *lines[at:]])
    side(tmp_path).write_bytes(spoiled)
    with Journal(tmp_path) as journal:
        assert left_out(journal.log.entries, whole) == [at]
        assert f" {at}" in journal.notices[0]
        assert fold(journal.log).misfit is None
        rounds = fold(journal.log).ledger.rounds
        assert len(rounds) == len(fold(whole).ledger.rounds)
    assert (tmp_path / "evenings" / "0001.jsonl.kept-1").read_bytes() == spoiled
    with Journal(tmp_path) as again:
        assert again.notices == ()
        assert fold(again.log).ledger.rounds == rounds


def said_of_lines(journal: Journal) -> tuple[str, ...]:
    """What was said but that the database, which these tests take away, has gone."""
    return tuple(one for one in journal.notices if "held no evening any more" not in one)


def test_the_beginning_can_be_read_from_any_line(tmp_path: Path, whole: Log) -> None:
    """The first line is lost, with all players' names: the other lines tell them."""
    lines = side(tmp_path).read_bytes().splitlines(keepends=True)
    side(tmp_path).write_bytes(b"\n" + b"".join(lines[1:]))
    with Journal(tmp_path) as journal:
        assert journal.log == whole
        assert said_of_lines(journal) == ()


@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_bit_anywhere_changes_no_entry(tmp_path: Path, whole: Log, seed: int) -> None:
    """At most two entries are lost (a line's end joins it to the next), both said; none is rebuilt as
    another one."""
    good, dice = side(tmp_path).read_bytes(), random.Random(seed)
    for _ in range(10):
        at, bit = dice.randrange(len(good)), 1 << dice.randrange(8)
        side(tmp_path).write_bytes(good[:at] + bytes([good[at] ^ bit]) + good[at + 1 :])
        for path in tmp_path.glob(f"{FILE}*"):
            path.unlink()
        with Journal(tmp_path) as journal:
            lost = left_out(journal.log.entries, whole)
            missing = len(lost) + max(0, len(whole.entries) - len(journal.log.entries))
            assert missing <= 1
            assert bool(missing) == bool(said_of_lines(journal))


def test_the_last_lines_are_named_too(tmp_path: Path, whole: Log) -> None:
    """Lost at the end, where nothing follows: still said."""
    lines = side(tmp_path).read_bytes().splitlines(keepends=True)
    side(tmp_path).write_bytes(b"".join(lines[:-2]) + b"garbage\ngarbage\n")
    with Journal(tmp_path) as journal:
        assert journal.log.entries == whole.entries[:-2]
        assert f"{len(lines) - 1}, {len(lines)} " in journal.notices[0]


def test_whatever_line_is_lost_the_other_rounds_are_as_they_were(
    tmp_path: Path, whole: Log
) -> None:
    """Each line in turn: a round whose deal or ending is lost has unknown cards or is void, and every
    other round has its guesses as before."""
    lines = side(tmp_path).read_bytes().splitlines(keepends=True)
    before = fold(whole).ledger
    for number in range(2, len(lines) + 1):
        spoiled = b"".join([*lines[: number - 1], b"?\n", *lines[number:]])
        kept = rebuilt(tmp_path, spoiled)
        after = fold(kept)
        assert after.misfit is None, number
        assert len(after.ledger.rounds) >= len(before.rounds) - (number == len(lines))
        lost = whole.entries[number - 1]
        hit = {lost.round}
        if isinstance(lost.event, Retraction):
            hit = {whole.entry(at).round for at in lost.event.numbers}
        for was, now in zip(before.rounds, after.ledger.rounds, strict=False):
            if was.number not in hit and was.ending != "open":
                said = [(g.seat, g.card, g.right) for g in now.guesses]
                assert said == [(g.seat, g.card, g.right) for g in was.guesses], number


def rebuilt(folder: Path, spoiled: bytes) -> Log:
    """The log that comes back from a side log of these bytes alone."""
    for path in folder.glob(f"{FILE}*"):
        path.unlink()
    side(folder).write_bytes(spoiled)
    with Journal(folder) as journal:
        return journal.log


def test_lines_of_before_without_a_sum_are_read(tmp_path: Path, whole: Log) -> None:
    """A side log that an earlier companion wrote rebuilds the evening entry for entry."""
    plain = []
    for line in side(tmp_path).read_text().splitlines():
        record = json.loads(line)
        kept = {key: record[key] for key in ("evening", "began_s", "entry")}
        plain.append(json.dumps(kept, separators=(",", ":")) + "\n")
    side(tmp_path).write_text("".join(plain))
    with Journal(tmp_path) as journal:
        assert (journal.log, said_of_lines(journal)) == (whole, ())


def stopped(folder: Path) -> tuple[Path, Log]:
    """A folder as a power cut leaves it in the middle of an evening."""
    with Journal(folder / "living") as journal:
        for entries in story()[:ACTS]:
            journal.append(entries)
        shutil.copytree(
            folder / "living", folder / "stopped", ignore=shutil.ignore_patterns("journal.lock")
        )
        return folder / "stopped", journal.log


@pytest.mark.parametrize("gone", ["cut", "empty", "away", "folder"])
def test_a_side_log_that_lost_its_end_is_said(tmp_path: Path, gone: str) -> None:
    """The database has all: nothing is lost, and that the copy was damaged is told once."""
    folder, whole = stopped(tmp_path)
    file = side(folder)
    data = file.read_bytes()
    file.unlink()
    if gone == "folder":
        file.mkdir()
    elif gone != "away":
        file.write_bytes(data[: len(data) // 2] if gone == "cut" else b"")
    with Journal(folder) as journal:
        assert journal.log == whole
        assert "Look the ledger's end over" in journal.notices[0]
    if gone != "folder":
        with Journal(folder) as again:
            assert again.notices == ()


def test_a_database_that_lost_its_end_is_said(tmp_path: Path) -> None:
    """Its write-ahead log was cut: what the lines beside it still have comes back, and is told."""
    folder, whole = stopped(tmp_path)
    (folder / f"{FILE}-wal").write_bytes((folder / f"{FILE}-wal").read_bytes()[:60_000])
    with Journal(folder) as journal:
        assert journal.log == whole
        assert "came back" in journal.notices[0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes in the file system")
def test_a_pipe_in_the_lines_place_stops_nothing(tmp_path: Path) -> None:
    """Whoever opens one to write waits for ever: the database has every entry, and the lines are behind."""
    first, *rest = story()[:ACTS]
    with Journal(tmp_path) as journal:
        journal.append(first)
        side(tmp_path).unlink()
        os.mkfifo(side(tmp_path))
        for entries in rest:
            journal.append(entries)
        log = journal.log
    with Journal(tmp_path) as journal:
        assert journal.log == log
