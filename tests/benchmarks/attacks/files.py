"""Random damage to the files of the data folder, one or two at once: does it start, and what is lost?

    python -m tests.benchmarks.attacks.files [--times 10000] [--seed 1]

A folder of half an evening with two devices let in is copied, damaged (a wrong bit, a cut, zeros,
garbage, nothing, more, away, a folder in its place), and opened. It must open or refuse in a sentence;
an entry may be missing only where database and side log were both hit, and then that is said; none may
become another one.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.errors import CompanionError
from companion.game.fold import fold
from companion.game.log import Entry, Retraction
from companion.journal import Journal
from companion.web import Door, Rule
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims.journal_victim import story

ACTS = 30
HELD_TWICE = ("journal.sqlite3", "evenings")

Damage = Callable[[Path, random.Random], None]


def wrong_bit(path: Path, dice: random.Random) -> None:
    """One bit is another."""
    data = bytearray(path.read_bytes() or b"\0")
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def cut(path: Path, dice: random.Random) -> None:
    """The end is gone."""
    path.write_bytes(path.read_bytes()[: dice.randrange(path.stat().st_size + 1)])


def zeros(path: Path, dice: random.Random) -> None:
    """A block of zeros."""
    data = path.read_bytes()
    at = dice.randrange(len(data) + 1)
    many = min(dice.choice((1, 64, 512, 4096)), len(data) - at)
    path.write_bytes(data[:at] + bytes(many) + data[at + many :])


def garbage(path: Path, dice: random.Random) -> None:
    """A block of anything."""
    data = path.read_bytes()
    at = dice.randrange(len(data) + 1)
    many = min(dice.choice((1, 64, 512, 4096)), len(data) - at)
    path.write_bytes(data[:at] + dice.randbytes(many) + data[at + many :])


def more(path: Path, dice: random.Random) -> None:
    """Something follows the end."""
    with path.open("ab") as file:
        file.write(dice.choice((b"\n", b"{}\n", b"[" * 5000, dice.randbytes(300))))


def empty(path: Path, dice: random.Random) -> None:
    """Nothing is left in it."""
    path.write_bytes(b"")


def away(path: Path, dice: random.Random) -> None:
    """It is gone."""
    path.unlink()


def folder(path: Path, dice: random.Random) -> None:
    """A folder stands in its place."""
    path.unlink()
    path.mkdir()


DAMAGES: tuple[Damage, ...] = (wrong_bit, cut, zeros, garbage, more, empty, away, folder)


def sound_folder(at: Path) -> tuple[Entry, ...]:
    """The folder of an evening that was killed in the middle; its entries."""
    living = at.with_name("living")
    with Journal(living) as journal:
        for act, entries in enumerate(story()[:ACTS]):
            journal.append(entries, f"act-{act}", {"ok": True})
        door = Door(living / "devices.json")
        for name in ("Tablet", "TV"):
            door.enter(door.invite(Rule.CONTROL), name)
        shutil.copytree(living, at)
        return journal.log.entries


def missing(found: tuple[Entry, ...], whole: tuple[Entry, ...]) -> int:
    """How many entries are not there any more.

    Raises AssertionError when one is another than it was.
    """
    lost = max(0, len(whole) - len(found))
    for entry, was in zip(found, whole, strict=False):
        if entry != was:
            assert entry.event == Retraction((), "lost"), f"{was} has become {entry}"
            lost += 1
    return lost


def opened(at: Path, whole: tuple[Entry, ...], hit: set[str]) -> str:
    """What comes of the damage, in a word. Raises AssertionError for what must not."""
    both = all(any(name.startswith(copy) for name in hit) for copy in HELD_TWICE)
    try:
        with Journal(at) as journal:
            found = journal.log.entries or (
                journal.read_evening(1).entries if journal.evenings() else ()
            )
            lost = missing(found, whole)
            said = bool(journal.notices) or journal.kept is not None
            assert fold(journal.log).misfit is None, "the ledger stands still"
            assert not lost or both, f"{lost} lost, though one copy was whole"
            assert not lost or said or not found, f"{lost} lost in silence"
            word = "lost and said" if lost else "set aside" if said else "whole"
    except CompanionError as refusal:
        word = "refused in a sentence" if "\n" not in str(refusal) else "refused at length"
    Door(at / "devices.json")
    return word


def main() -> int:
    """Damage, open, count."""
    parser = parser_of(__doc__)
    parser.add_argument("--times", type=int, default=10_000)
    asked = parser.parse_args()
    report, dice = Report(asked), random.Random(asked.seed)
    words: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        sound, spoilt = Path(name) / "sound", Path(name) / "spoilt"
        whole = sound_folder(sound)
        names = sorted(p.relative_to(sound).as_posix() for p in sound.rglob("*") if p.is_file())
        for number in range(asked.times):
            shutil.rmtree(spoilt, ignore_errors=True)
            shutil.copytree(sound, spoilt)
            hit = dice.sample(names, dice.choice((1, 1, 2)))
            done = []
            for one in hit:
                damage = dice.choice(DAMAGES)
                damage(spoilt / one, dice)
                done.append(f"{damage.__name__} {one}")
            try:
                words[opened(spoilt, whole, set(hit))] += 1
            except Exception as fault:
                faults[f"{type(fault).__name__}: {str(fault)[:80]}"] += 1
                print(f"FAULT {number}: {', '.join(done)}: {fault!r}"[:300], flush=True)
    told = ", ".join(f"{word} {many:,}" for word, many in words.most_common())
    report.say(
        f"damage to one or two of {len(names)} files",
        f"{told}; faults {sum(faults.values())}",
        "10,000: starts, says it, 0 lost but where both copies were hit",
        asked.times,
        not faults,
    )
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
