"""Ten thousand evenings that invented people played by the rules, with tendencies that are known: how long
the book takes, and what is claimed.

    python -m tests.benchmarks.years [--evenings 10000] [--seed 20] [--folder DIR]

Prints a table. `--folder` keeps the evenings there, and takes them again where they lie there already.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from companion.findings.claims import Tendency
from companion.journal import Journal
from companion.journal.people_signs import PeopleSigns
from companion.journal.store import FILE
from companion.years.book import BookOfEvenings
from companion.years.index import INDEX
from companion.years.persons import Persons
from tests.benchmarks.results.record import Figure, add_json, record
from tests.support.years.generated import PEOPLE, Tendencies, one_of
from tests.support.years.settled import settled

PUT_IN = Tendencies(
    guesses={"Livia": 0.5, "Oskar": -0.5},
    readable={"Ida": 0.5, "Jo": -0.45},
    reads={("Tomáš", "Anna"): 0.9, ("Mia", "Ben"): -0.8},
    fooling={17: 3.0, 42: 0.25, 64: 2.0},
)

_ALONE = """
import sys, time, resource
from pathlib import Path
start = time.perf_counter()
from companion.evening.session import Session
from companion.journal import Journal
journal = Journal(Path(sys.argv[1]))
session = Session(journal)
session.scoreboard()
print(time.perf_counter() - start)
session.book.page()
started = time.perf_counter()
if sys.argv[2] == "findings":
    session.book.found_out()
else:
    from companion.years.take_along import exported
    for kind in ("csv", "json", "bgsplay"):
        for piece in exported(settled(session.book), session.book.persons, kind):
            pass
print(time.perf_counter() - started)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
session.close()
"""


def fill(folder: Path, evenings: int, seed: int) -> None:
    """Let these evenings have been kept in `folder`."""
    with Journal(folder) as journal:
        journal.import_evenings(one_of(at, seed, PUT_IN) for at in range(evenings))


def alone(folder: Path, what: str) -> tuple[float, float, float]:
    """In a process of its own: seconds to start, seconds for `what`, most memory in MB."""
    told = subprocess.run(
        [sys.executable, "-c", _ALONE, str(folder), what],
        capture_output=True,
        text=True,
        check=True,
    )
    start_s, took_s, most_mb = map(float, told.stdout.split())
    return start_s, took_s, most_mb


def pages(book: BookOfEvenings, times: int, seed: int) -> list[float]:
    """How long pages of the book take, in ms: some by person, some by year, some far behind."""
    chance = random.Random(seed)
    names: list[str | None] = [None, None, *PEOPLE]
    years = [None, None, *book.page()["years"]]
    spent = []
    for _ in range(times):
        start_s = time.perf_counter()
        book.page(chance.choice(names), chance.choice(years), None, chance.choice((0, 0, 24, 600)))
        spent.append((time.perf_counter() - start_s) * 1000)
    return sorted(spent)


def is_true(claim: Tendency, names: dict[str, str]) -> bool:
    """Whether what is claimed was put in, and in this direction."""
    about = tuple(names.get(one, one) for one in claim.about)
    put: dict[str, dict[tuple[str, ...], float]] = {
        "guesses": {(name,): by for name, by in PUT_IN.guesses.items()},
        "read": {(name,): by for name, by in PUT_IN.readable.items()},
        "reads": {(one, other): by for (one, other), by in PUT_IN.reads.items()},
        "cloud": {("", str(card)): by - 1 for card, by in PUT_IN.fooling.items()},
    }
    by = put.get(claim.kind, {}).get(about, 0.0)
    effect = claim.effect - 1 if claim.kind == "cloud" else claim.effect
    return by * effect > 0


def main() -> int:
    """Print one line a figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--evenings", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--folder", type=Path)
    add_json(parser)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as apart:
        folder = asked.folder or Path(apart)
        if not (folder / FILE).exists():
            fill(folder, asked.evenings, asked.seed)
        figures = measure(folder, asked.evenings, asked.seed)
    for figure in figures:
        print(f"{figure.what:44} {figure.value:60} {figure.goal}")
    record(asked.json, figures, asked.seed)
    return 0


def measure(folder: Path, evenings: int, seed: int) -> list[Figure]:
    """Every figure, of a folder in which that many evenings are kept."""
    for path in folder.glob(f"{INDEX}*"):
        path.unlink()
    with Journal(folder) as journal:
        book = BookOfEvenings(journal, PeopleSigns(folder), time.time)
        start_s = time.perf_counter()
        settled(book)
        read_s = time.perf_counter() - start_s
        spent = pages(book, 300, seed)
        found = book.findings()
        names = {Persons().person(name).id: name for name in PEOPLE}
        claimed = [one for one in found.claims if one.claimed]
        false = [one for one in claimed if not is_true(one, names)]
        for one in false:
            print("false:", one.kind, [names.get(a, a) for a in one.about], one.effect, one.cases)
        put = len(PUT_IN.guesses) + len(PUT_IN.readable) + len(PUT_IN.reads) + len(PUT_IN.fooling)
        book.close()
    start_s, export_s, export_mb = alone(folder, "export")
    _, findings_s, findings_mb = alone(folder, "findings")
    n = evenings
    return [
        Figure("a page of the book", f"median {statistics.median(spent):.0f} ms, 99 % {spent[-3]:.0f} ms", "99 % < 300 ms", n),
        Figure("start, until the first scoreboard", f"{start_s:.1f} s", "< 3 s", n),
        Figure("the index made anew", f"{read_s:.0f} s, in the background", "", n),
        Figure("all exported: CSV, JSON and BG Stats", f"{export_s:.1f} s, most {export_mb:.0f} MB", "< 20 s, 300 MB", n),
        Figure("what was found out", f"{findings_s:.1f} s, most {findings_mb:.0f} MB", "300 MB", n),
        Figure("tendencies that were put in and come out", f"{len(claimed) - len(false)} of {put}", "all", put),
        Figure("claims of what was not put in", f"{len(false)} of {len(found.claims)} comparisons", "< 5 %", len(found.claims)),
    ]  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
