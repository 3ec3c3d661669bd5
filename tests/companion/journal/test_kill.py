"""The power goes: real processes killed at random moments, and a write-ahead log cut anywhere."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from companion.game.fold import fold
from companion.journal import Journal
from tests.support.victims.journal_victim import (
    acts_in,
    answer_of,
    check,
    command_of,
    keepers,
    kill_once,
    story,
)

KILLS = 100
"""Enough to hit openings, commits, checkpoints and new evenings; `benchmarks/journal.py` does
thousands."""


def test_a_killed_companion_goes_on_at_the_exact_act(tmp_path: Path) -> None:
    """After each of 100 SIGKILLs no acknowledged act is lost, none is doubled or half there, and
    resending changes nothing."""
    chance, found = random.Random(7), (0, 0)
    with keepers() as server:
        for _ in range(KILLS):
            told = kill_once(server, tmp_path, chance)
            found = check(tmp_path, max(told, found))
    assert found > (1, 0), "the kills never got past the first evening's beginning"


def test_after_all_kills_the_score_is_that_of_an_evening_never_killed(tmp_path: Path) -> None:
    """A twin that was killed between every few acts ends with the same ledger."""
    with keepers() as server:
        for seed in range(6):
            kill_once(server, tmp_path, random.Random(seed))
    with Journal(tmp_path) as journal:
        for act in range(acts_in(journal.log), len(story())):
            journal.append(story()[act], command_of(1, act), answer_of(1, act))
        twin = tuple(entry for act in story() for entry in act)
        assert journal.log.entries == twin
        assert fold(journal.log).ledger.totals == fold(journal.log.__class__(twin)).ledger.totals


def test_a_write_ahead_log_cut_anywhere_leaves_a_prefix(tmp_path: Path) -> None:
    """Cut at some 150 places, with and without garbage after the cut, the evening is always a whole
    number of first acts."""
    live, torn = tmp_path / "live", tmp_path / "torn"
    prefixes = set()
    with Journal(live) as journal:
        for act, entries in enumerate(story()[:40]):
            journal.append(entries, command_of(1, act), answer_of(1, act))
        wal = (live / "journal.sqlite3-wal").read_bytes()
        for at, cut in enumerate(range(0, len(wal), max(1, len(wal) // 150))):
            shutil.rmtree(torn, ignore_errors=True)
            torn.mkdir()
            shutil.copy(live / "journal.sqlite3", torn)
            (torn / "journal.sqlite3-wal").write_bytes(
                wal[:cut] + (b"\xa5" * 512 if at % 2 else b"")
            )
            with Journal(torn) as mended:
                assert mended.kept is None
                prefixes.add(acts_in(mended.log))
    assert len(prefixes) > 20
    assert max(prefixes) >= 38


def test_what_a_lying_disk_lost_comes_back_from_the_side_log(tmp_path: Path) -> None:
    """The database forgot its last acts (its write-ahead log is gone): the side log still has them,
    and they count."""
    live, torn = tmp_path / "live", tmp_path / "torn"
    with Journal(live) as journal:
        for act, entries in enumerate(story()[:10]):
            journal.append(entries, command_of(1, act), answer_of(1, act))
        shutil.copytree(live, torn, ignore=shutil.ignore_patterns("*-wal", "*-shm", "journal.lock"))
    with Journal(torn) as mended:
        assert acts_in(mended.log) == 10
