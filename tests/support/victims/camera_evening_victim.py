"""An evening that a camera keeps, in a process that is stopped at any moment: what it has shown, where
its film stands, and how to check what it left.

The glimpses are those of a witness who sees all that lies on a practice table (no pictures); session
and journal are the product's own. Used by the tests and attacks that stop it.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from companion.errors import JournalTrouble
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.change import Changes
from companion.game.event_json import entry_to_dict
from companion.game.events import EveningBegun
from companion.game.fold import fold
from companion.game.log import Entry, Log
from companion.game.rules import Round
from companion.journal import Journal
from companion.practice.faults import NO_FAULTS
from companion.practice.script import Script, write_script
from companion.practice.witness import Witness
from companion.table.sighting import RawGlimpse

FPS = 2.5
"""The referee lives at that."""

ROUNDS = 2
TABLES = ((41, 5), (42, 3), (44, 8), (45, 6), (46, 7), (49, 4))
"""Seed and players of the practice tables that are played."""

TRIES = 3
"""So often somebody tries again when the disk refuses."""

WELL, CANNOT_OPEN, CANNOT_BEGIN, FAILED = 0, 3, 4, 5
"""How an evening's process ends that nobody killed."""


@cache
def script_of(table: int) -> Script:
    """What happens at this table."""
    seed, players = TABLES[table]
    return write_script(players, "en", ROUNDS, seed, "ordinary", "tray", NO_FAULTS)


@cache
def glimpses(table: int) -> tuple[RawGlimpse, ...]:
    """What a witness sees of it, from the first moment to the last."""
    script = script_of(table)
    witness = Witness(script, 1)
    seen = (witness.read_moment(n / FPS) for n in range(int(script.duration_s * FPS)))
    return tuple(raw for raw in seen if raw is not None)


def begun(table: int) -> EveningBegun:
    """Who sits down there."""
    truth = script_of(table).truth
    return EveningBegun(truth.players, truth.daydreamer, truth.edition, len(truth.deck), "auto")


@cache
def busy(table: int) -> tuple[int, ...]:
    """The glimpses by which something is entered in an evening that nobody stops."""
    keeper = Scorekeeper()
    keeper.change(Changes((begun(table),)), 0.0)
    return tuple(
        number
        for number, raw in enumerate(glimpses(table))
        if keeper.observe_glimpse(keeper.draw_curtain(raw))
    )


def print_of(entry: Entry) -> str:
    """A finger print of an entry."""
    return f"{zlib.crc32(json.dumps(entry_to_dict(entry)).encode()):08x}"


def keep(folder: Path, table: int, begin_at: int, tell: Callable[[str], object]) -> int:
    """Go on with the folder's evening from this glimpse on, telling every entry that was shown and
    every glimpse that was worked off; how it ended."""

    def shown(entry: Entry, keeper: Scorekeeper) -> None:
        tell(f"entry {entry.number} {print_of(entry)}\n")

    for _ in range(TRIES):
        try:
            session = Session(Journal(folder), on_entry=shown)
            break
        except JournalTrouble:
            continue
    else:
        return CANNOT_OPEN
    if not session.log.entries and not _sit_down(session, table):
        return CANNOT_BEGIN
    seen = glimpses(table)
    for number in range(begin_at, len(seen)):
        session.observe_glimpse(session.draw_curtain(seen[number]), 0.0)
        tell(f"glimpse {number}\n")
    session.finish_footage(seen[-1].uncurtained.t_s, 0.0)
    session.close()
    return WELL


def _sit_down(session: Session, table: int) -> bool:
    told = begun(table)
    asked = {"do": "begin", "players": list(told.players), "daydreamer": told.daydreamer}
    for _ in range(TRIES):
        asked |= {"id": "the-evening-begins", "version": session.version}
        if session.command(asked)[0] == 200:
            return True
    return False


@dataclass(frozen=True, slots=True)
class Life:
    """What one process told before it ended: its entries by number, its last glimpse, its exit code,
    and every other line."""

    shown: dict[int, str]
    glimpse: int
    code: int
    told: list[str]


def lived(work: Callable[[Callable[[str], object]], int], kill: Callable[[str], float | None] | None = None) -> Life:  # fmt: skip
    """`work` in a fork; with `kill`, that is asked at every line it tells for how many seconds later
    it is killed (None: not yet)."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _work_and_go(work, writing)
    os.close(writing)
    shown: dict[int, str] = {}
    told: list[str] = []
    glimpse, killed = -1, kill is None
    with os.fdopen(reading) as pipe:
        for line in pipe:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "entry":
                shown[int(rest.split()[0])] = rest.split()[1]
            elif word == "glimpse":
                glimpse = int(rest)
            else:
                told.append(line.rstrip())
            if not killed and kill is not None and (later_s := kill(line)) is not None:
                time.sleep(later_s)
                os.kill(process, signal.SIGKILL)
                killed = True
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return Life(shown, glimpse, code, told)


def _work_and_go(work: Callable[[Callable[[str], object]], int], writing: int) -> NoReturn:
    os.dup2(writing, 2)
    main = sys.modules["__main__"]  # processes that the product begins are to load the product only
    main.__spec__ = main.__file__ = None
    try:
        code = work(lambda text: os.write(writing, text.encode()))
    except BaseException as fault:
        os.write(writing, f"fault {fault!r}\n".encode())
        code = FAILED
    os._exit(code)


def killed_once(folder: Path, table: int, begin_at: int, chance: random.Random) -> Life:
    """Go on from this glimpse and kill it (SIGKILL) at a random moment: every other time about when
    something is entered."""
    rest = [number for number in busy(table) if number >= begin_at]
    at = min(begin_at + chance.randrange(40), len(glimpses(table)) - 1)
    if rest and chance.random() < 0.5:
        at = rest[0] - 1
    later_s = chance.random() * 0.004

    def kill(line: str) -> float | None:
        word, _, rest = line.partition(" ")
        begins = at < begin_at and word == "entry"
        return later_s if begins or (word == "glimpse" and int(rest) >= at) else None

    return lived(lambda tell: keep(folder, table, begin_at, tell), kill)


@contextlib.contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is one: what a process wrote outlives its kill there as on a disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


def entries_of(folder: Path) -> dict[int, str]:
    """The finger prints of the entries that a folder holds, by number."""
    with Journal(folder) as journal:
        log = journal.read_evening(1) if journal.evenings() else journal.log
    return {entry.number: print_of(entry) for entry in log.entries}


def check(folder: Path, table: int, shown: dict[int, str], whole: bool = False) -> int:
    """How many entries the folder holds.

    Raises AssertionError when an entry that was shown is lost or another, when more is there that was not
    shown than one glimpse led to (with `whole`: any), or when a round is entered twice or is none of the
    truth. One glimpse may lead to several acts, which are written at once: a round that ends because the
    next one lies there. What one act enters may tell of two moments, and counts by the first.
    """
    with Journal(folder) as journal:
        evenings = journal.evenings()
        entries = journal.read_evening(evenings[-1].number).entries if evenings else ()
        assert len(evenings) <= 1, "a second evening"
    for number, told in shown.items():
        assert number <= len(entries), f"lost: entry {number} of {len(entries)}"
        assert print_of(entries[number - 1]) == told, f"another: entry {number}"
    unseen = {entries[entry.batch - 1].at_s for entry in entries if entry.number not in shown}
    assert len(unseen) <= (0 if whole else 1), f"entries of {len(unseen)} glimpses that nobody saw"
    _check_rounds(fold(Log(entries)).ledger.rounds, table)
    return len(entries)


def _check_rounds(rounds: tuple[Round, ...], table: int) -> None:
    """Each round of the ledger is one of the truth, and none is there twice."""
    truth = [set(line.cards) for line in script_of(table).truth.rounds]
    found = []
    for kept in rounds:
        known = set(kept.known_cards) - {None}
        whose = [number for number, cards in enumerate(truth) if known <= cards]
        assert whose, f"round {kept.number} has cards of several rounds: {known}"
        if known:
            found.append(whose[0])
    assert len(set(found)) == len(found), "a round is there twice"
