"""Taps that come twice to fifty times, from several devices at once and after restarts; tablets that want
different things of one state; undo and redo of any depth, then another process.

    python -m tests.benchmarks.attacks.taps [--taps 100000] [--races 10000] [--undos 1000] [--seed 1]

A doubled tap has its effect once and the same status for all; of a race one wins and the others are told
to look again; after undo and redo the evening is the same from the database, and from the lines beside it
alone.
"""

from __future__ import annotations

import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from companion.evening.session import Session
from companion.game.fold import fold
from companion.journal import Journal
from companion.journal.store import FILE
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims.camera_evening_victim import quick_folder
from tests.support.victims.served_evening import begun

DEVICES = 8
RESTARTS_EVERY = 250
BEGIN = {"do": "begin", "players": ["Ada", "Ben", "Cleo", "Dan", "Eva"], "daydreamer": 0}
WANTS: tuple[dict[str, Any], ...] = (
    {"do": "laid"}, {"do": "wrong"}, {"do": "wrong"}, {"do": "right"}, {"do": "next"}, {"do": "undo"},
    {"do": "redo"}, {"do": "name", "words": "a whale"}, {"do": "pause"}, {"do": "resume"},
    {"do": "set_aside", "card": None}, {"do": "void", "round": 1, "cards": "back"},
)  # fmt: skip

Tap = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]


class Table:
    """A session that is closed and opened again, and begins a new evening when one has grown long."""

    def __init__(self, folder: Path, dice: random.Random) -> None:
        self.folder = folder
        self.dice = dice
        self.session = begun(folder)
        self._taps = 0

    def wanted(self) -> dict[str, Any]:
        """Something that somebody might want now, with the state seen now."""
        self._taps += 1
        long = len(self.session.log.entries) > 120 or self.session.keeper.ledger.over
        asked = {"do": "end"} if long else self.dice.choice(WANTS)
        if long and self.session.keeper.ledger.over:
            asked = BEGIN
        return {
            "id": f"tap-{self._taps:08d}-{time.time_ns()}",
            "version": self.session.version,
            **asked,
        }

    def restart(self) -> None:
        """Another process goes on."""
        self.session.close()
        self.session = Session(Journal(self.folder))


def state(session: Session) -> tuple[int | None, int]:
    """The evening, and how many entries it has."""
    return session.evening, len(session.log.entries)


def doubled(folder: Path, taps: int, dice: random.Random) -> tuple[str, str]:
    """Each tap twice to fifty times; what came of them, and the first fault."""
    table, sent, statuses = Table(folder, dice), 0, Counter[int]()
    with ThreadPoolExecutor(DEVICES) as devices:
        while sent < taps:
            asked = table.wanted()
            if dice.random() < 0.3:  # alone, to know what it does
                answers = [table.session.command(dict(asked))]
            else:
                copies = [dict(asked) for _ in range(dice.choice((2, 2, 3, 8, 50)))]
                answers = list(devices.map(table.session.command, copies))
            after = state(table.session)
            if dice.randrange(RESTARTS_EVERY) == 0:
                table.restart()
            again = table.session.command(dict(asked))
            sent += len(answers) + 1
            told = {status for status, _ in answers}
            statuses[min(told)] += 1
            if len(told) > 1:
                return "", f"{asked['do']} was answered {sorted(told)}"
            if told == {200} and (again[0] != 200 or state(table.session) != after):
                return "", f"{asked['do']} counted again: {again[0]}"
            if told == {200} and any(
                entry.number != at for at, entry in enumerate(table.session.log.entries, 1)
            ):
                return "", "the log has a gap"
    table.session.close()
    return f"{sent:,} taps of {statuses.total():,} wishes ({dict(statuses)}): each counted once", ""


def races(folder: Path, number: int, dice: random.Random) -> tuple[str, str]:
    """Different wishes of one state at once; the first fault where not exactly one won."""
    table, won, refused = Table(folder, dice), 0, 0
    with ThreadPoolExecutor(DEVICES) as devices:
        for race in range(number):
            asked = table.wanted()
            if asked["do"] in ("end", "begin"):
                table.session.command(asked)
                continue
            wishes = [
                {
                    "id": f"race-{race}-{device}-{time.time_ns()}",
                    "version": asked["version"],
                    **dice.choice(WANTS),
                }
                for device in range(dice.randrange(2, DEVICES + 1))
            ]
            before = len(table.session.keeper.log.entries)
            answers = Counter(status for status, _ in devices.map(table.session.command, wishes))
            entered = {entry.batch for entry in table.session.keeper.log.entries[before:]}
            if len(entered) > 1 or set(answers) - {200, 409, 422}:
                told = [wish["do"] for wish in wishes]
                return "", f"{told} were answered {dict(answers)}, {len(entered)} entered"
            if entered and not answers[200]:
                return "", "entered, and told to nobody"
            won += bool(entered)
            refused += not entered
    table.session.close()
    return f"{number:,} races: {won:,} times one won, {refused:,} times nothing was entered", ""


def undone(folder: Path, number: int, dice: random.Random) -> tuple[str, str]:
    """Undo and redo of any depth; the first evening that is another one afterwards."""
    deepest = 0
    for evening in range(number):
        shutil.rmtree(folder, ignore_errors=True)
        table = Table(folder, dice)
        for _ in range(dice.randrange(2, 25)):
            table.session.command(table.wanted())
        for _ in range(dice.randrange(1, 5)):
            depth = dice.randrange(1, 12)
            deepest = max(deepest, depth)
            for do in ["undo"] * depth + ["redo"] * dice.randrange(depth + 1):
                table.session.command({**table.wanted(), "do": do})
        was = table.session.log, fold(table.session.log).ledger
        for lost in (False, True):
            table.session.close()
            if lost:
                for path in folder.glob(f"{FILE}*"):
                    path.unlink()
            table.session = Session(Journal(folder))
            if (table.session.log, fold(table.session.log).ledger) != was:
                return "", f"evening {evening} is another one{' from its lines' if lost else ''}"
        table.session.close()
    return (
        f"{number:,} evenings, up to {deepest} deep: the same after a restart, and from the lines alone",
        "",
    )


def main() -> int:
    """One row for each."""
    parser = parser_of(__doc__)
    parser.add_argument("--taps", type=int, default=100_000)
    parser.add_argument("--races", type=int, default=10_000)
    parser.add_argument("--undos", type=int, default=1_000)
    asked = parser.parse_args()
    report = Report(asked)
    for what, attack, number, goal in (
        ("taps that come again", doubled, asked.taps, "1,000,000: each once"),
        ("two to eight tablets at once", races, asked.races, "10,000: one wins"),
        ("undo, redo, another process", undone, asked.undos, "any depth: the same evening"),
    ):
        with quick_folder() as folder:
            value, fault = attack(folder / "data", number, random.Random(asked.seed))
        report.say(what, fault or value, goal, number, not fault)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
