"""The page of measured figures, written from the JSON that the benchmarks left.

python -m tests.benchmarks.results.page          writes tests/benchmarks/README.md
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from pathlib import Path

from tests.benchmarks.results.record import Row, rows_of

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "README.md"
FRONT = FOLDER.parents[2] / "README.md"

PIXELS = "--faults piles --fps"
EVERY_INCIDENT = "--eye witness --evenings 40 --rounds 5 --seed 910000 --faults living"
FIVE = (
    (
        "evening",
        "rounds, set aside: tray",
        PIXELS,
        "rounds with wrong cards piled in the tray, from pixels to ledger",
    ),
    (
        "evening",
        "entered after the middle was empty: tray",
        PIXELS,
        "a round is entered after its last card left",
    ),
    (
        "evening",
        "rounds, set aside: tray",
        EVERY_INCIDENT,
        "rounds told by curtain and referee alone, every incident",
    ),
    (
        "evening",
        "entered after the middle was empty: tray",
        EVERY_INCIDENT,
        "the same: entered after the last card left",
    ),
    (
        "reader",
        "ours, found: wrong names",
        "--frames",
        "wrong names among cards read in simulated pictures",
    ),
    (
        "places_hours",
        "a lying card called gone, place-seconds",
        "",
        "a lying card taken for gone, place-seconds",
    ),
    ("journal", "killed while it writes", "", "the evening's log, killed while it writes"),
)
"""The figures of the first page, the first five of these that were measured: results file, what it
calls them, what its command has, what the first page calls it."""

BEGIN, END = (
    "<!-- figures: written by tests/benchmarks/results/page.py -->",
    "<!-- end of figures -->",
)

HEAD = """# Measured

Every figure here was written by the command above it, which leaves it as JSON in `results/`; the page is made of those by
`uv run python -m tests.benchmarks.results.page`, and a test fails when the two differ. To land a new figure, run the
benchmark with `--json tests/benchmarks/results/NAME.json`, then the page; `uv run python -m tests.benchmarks.results.measure`
runs all of them, or those that are named.

All but the real pictures is simulation: real printed faces through camera models. Times are of a machine that was
mostly busy with other things. `scenes/` draws what is measured, `fits/` finds numbers that the product keeps, `cost/` what a
picture costs.

The camera of the reader, the deck and the pile in the tray has its light, the JPEG quality of good pictures and the shares of
good, typical and hard from real pictures (chapter Real camera; the table stands in `scenes/reader_scenes.py`). What those do
not tell stays as it was chosen: noise (kept as a margin; published pictures have lost theirs), glare, sharpening, how a card
moves while it is filmed, and hands, which stay painted since no real picture may enter the project. Three of the practice
table's nine tables are as rough as photographed ones (chapter Real tables). Not measured again
since: the rows of chapter Deck at 6eaed0e and the plot of the reader's peers at the end, whose paper has 0.55 to 0.9 of full light
where a quarter of real paper has less than 0.45. In chapter Deck only the rows at 8b36614, 3afec16 and 3adf116 were measured since
the matching knows what a lamp's gloss adds (c41473a), and only those at 42c6087 since a fifth more is asked before a card is named
(a8480aa). Evenings, seasons and practice are played
before the practice table's camera, which was not fitted: its paper has 0.45 to 0.85.
"""

FOOT = """
## The reader beside its peers

Cards read over pixels a module, one line a reader, drawn by `uv run python -m tests.benchmarks.reader --out DIR`
(its table is [reader.txt](reader.txt)), in lit rooms; in the light of real ones: chapter Reader.

![Cards read over pixels a module, one line a reader](reader.png)

The marker is 18 mm because of this: it is read from 1.25 pixels a module, which a 1080p camera over 90 cm of table has to
spare also at the far edge of a steep view, and a 720p camera just reaches.
"""


def page() -> str:
    """The whole page, from the results files in the order of their names."""
    parts = [HEAD, *(_chapter(file) for file in sorted(FOLDER.glob("*.json"))), FOOT]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def front(text: str) -> str:
    """The first page with the five figures that matter in their place; one without a result is
    left out."""
    lines = ["| what | measured | goal | n |", "|---|---|---|---|"]
    found = []
    for name, what, has, told in FIVE:
        file = FOLDER / f"{name}.json"
        rows = rows_of(file) if file.exists() else []
        mine = [row for row in rows if row.what == what and has in row.command]
        found += [_line(replace(row, what=told)) for row in mine[-1:]]
    lines += found[:5]
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + "\n".join([BEGIN, "", *lines, "", END]) + after


def _chapter(file: Path) -> str:
    lines = [f"## {file.stem.replace('_', ' ').capitalize()}"]
    for _, together in groupby(rows_of(file), key=lambda row: (row.command, row.commit)):
        rows = list(together)
        one = rows[0]
        lines += [
            "",
            f"`{one.command}`",
            f"  \n{_at(one)}{one.machine}, {one.date}" + _seed(one),
            "",
            "| what | value | goal | n |",
            "|---|---|---|---|",
            *(_line(row) for row in rows),
        ]
    return "\n".join(lines)


def _at(row: Row) -> str:
    """The commit; nothing where it is none of this history any more."""
    return f"at {row.commit}, " if row.commit else ""


def _line(row: Row) -> str:
    goal = f"{row.goal} (missed)" if row.good is False else row.goal
    return f"| {row.what} | {row.value} | {goal} | {'' if row.n is None else f'{row.n:,}'} |"


def _seed(row: Row) -> str:
    return "" if row.seed is None else f", seed {row.seed}"


def main() -> None:
    """Write both pages."""
    PAGE.write_text(page(), encoding="utf-8")
    FRONT.write_text(front(FRONT.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
