"""A process that keeps an evening until it is killed: the fixed story it plays, and how to check
what it left.

Used by the journal's kill tests and by `benchmarks/journal.py`. Every command's id, entries and
answer follow from how many entries came before it, so that any prefix can be told from any other
log, and a resent command is the same command.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from subprocess import PIPE, Popen

from companion.game.change import correct_round, undo
from companion.game.log import Entry, Log
from companion.journal import Journal
from tests.support.game_evening import Told, begun


@cache
def story(players: int = 5) -> tuple[tuple[Entry, ...], ...]:
    """The acts of one whole evening, corrections and undone taps among them: the entries of each
    act in order."""
    told = begun(players)
    number = 0
    while not told.ledger.over:
        number += 1
        told.play(told.next_cards(), number % 4)
        if number % 3 == 0:
            told.change(undo(told.log))
            told.change(
                correct_round(
                    told.log, number - 1, ((told.ledger.rounds[number - 2].cards[0], True),)
                )
            )
            told.change(
                correct_round(told.log, number, ((told.ledger.rounds[number - 1].cards[1], True),))
            )
    return _acts(told)


def _acts(told: Told) -> tuple[tuple[Entry, ...], ...]:
    batches = dict.fromkeys(entry.batch for entry in told.log.entries)
    return tuple(
        tuple(entry for entry in told.log.entries if entry.batch == batch) for batch in batches
    )


def command_of(evening: int, act: int) -> str:
    """The id of the command that asks for an act."""
    return f"evening-{evening}-act-{act}"


def answer_of(evening: int, act: int) -> dict[str, object]:
    """The answer to that command."""
    return {"ok": True, "scoreboard": {"version": act, "evening": evening}}


def acts_in(log: Log) -> int:
    """How many whole acts of the story a log holds. Raises AssertionError when it is no prefix of
    the story."""
    acts, at = 0, 0
    while at < len(log.entries):
        entries = story()[acts]
        assert log.entries[at : at + len(entries)] == entries, (
            f"act {acts} is not whole or not itself"
        )
        acts, at = acts + 1, at + len(entries)
    return acts


def newest(journal: Journal) -> tuple[int, Log]:
    """The newest evening, over or not, and its log; (0, empty) before the first."""
    evenings = journal.evenings()
    return (evenings[-1].number, journal.resume(evenings[-1].number)) if evenings else (0, Log())


def keep(folder: str) -> None:
    """Goes on with the folder's evening, act by act, printing each once it is stored; evening after
    evening, until killed."""
    journal = Journal(Path(folder))
    evening, log = newest(journal)
    acts = acts_in(log)
    while True:
        if evening == 0 or acts == len(story()):
            evening, acts = evening + 1, 0
        journal.append(story()[acts], command_of(evening, acts), answer_of(evening, acts))
        acts += 1
        os.write(1, f"{evening} {acts}\n".encode())


def serve() -> None:
    """For every folder on a line of standard input: starts a keeper, prints its process, and "dead
    0" once it was killed."""
    for folder in sys.stdin:
        process = os.fork()
        if process == 0:
            keep(folder.strip())
        os.write(1, f"process {process}\n".encode())
        os.waitpid(process, 0)
        os.write(1, b"dead 0\n")


@contextmanager
def keepers() -> Iterator[Popen[str]]:
    """The process that starts keepers: one Python start for any number of kills."""
    root = Path(__file__).resolve().parents[3]
    environment = os.environ | {"PYTHONPATH": str(root)}
    with Popen(
        [sys.executable, __file__], stdin=PIPE, stdout=PIPE, text=True, bufsize=1, env=environment
    ) as server:
        yield server
        server.communicate()


def kill_once(server: Popen[str], folder: Path, chance: random.Random) -> tuple[int, int]:
    """Starts a keeper, kills it (SIGKILL) at a random moment, and returns the last act it told:
    (evening, acts)."""
    assert server.stdin is not None
    server.stdin.write(f"{folder}\n")
    lines = _lines(server)
    told, process = (0, 0), next(number for word, number in lines if word == "process")
    for _, (word, number) in zip(range(chance.randint(0, 10)), lines, strict=False):
        told = (int(word), number)
    time.sleep(chance.random() * 0.004)
    os.kill(process, signal.SIGKILL)
    for word, number in lines:
        if word == "dead":
            return told
        told = (int(word), number)
    raise AssertionError("the server of keepers is gone")


def _lines(server: Popen[str]) -> Iterator[tuple[str, int]]:
    assert server.stdout is not None
    for line in server.stdout:
        word, number = line.split()
        yield word, int(number)


def check(folder: Path, told: tuple[int, int]) -> tuple[int, int]:
    """What the folder holds after a kill: (evening, acts), at most one act past what was told.

    Raises AssertionError when an acknowledged act is lost, an act is half stored or doubled, or an
    answer is not kept.
    """
    with Journal(folder) as journal:
        evening, log = newest(journal)
        acts = acts_in(log)
        assert told <= (evening, acts), f"lost: told {told}, found {(evening, acts)}"
        if told != (0, 0) and told[0] == evening:
            assert acts <= told[1] + 1
        for act in range(acts):
            assert journal.answer_to(command_of(evening, act)) == answer_of(evening, act)
        if acts:
            again = journal.append(
                story()[acts - 1], command_of(evening, acts - 1), {"other": True}
            )
            assert again == answer_of(evening, acts - 1)
            assert acts_in(journal.log) == acts
        return evening, acts


if __name__ == "__main__":
    story()  # told once, before any keeper is forked
    serve()
