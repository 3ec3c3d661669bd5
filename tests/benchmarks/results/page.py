"""The page of measured figures, written from the JSON that the benchmarks left.

python -m tests.benchmarks.results.page          writes tests/benchmarks/README.md
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tests.benchmarks.results.record import Row, rows_of

FOLDER = Path(__file__).parent
PAGE = FOLDER.parent / "README.md"

HEAD = """# Measured

Every figure here was written by the command above it, which leaves it as JSON in `results/`; the page is made of those by
`uv run python -m tests.benchmarks.results.page`, and a test fails when the two differ. To land a new figure, run the
benchmark with `--json tests/benchmarks/results/NAME.json`, then the page.

Everything is simulation: real printed faces through camera models, no real camera yet. Times are of a machine that was
mostly busy with other things. `scenes/` draws what is measured, `fits/` finds numbers that the product keeps.
"""

FOOT = """
## The reader beside its peers

Cards read over pixels a module, one line a reader, drawn by `uv run python -m tests.benchmarks.reader --out DIR`
(its table is [reader.txt](reader.txt)):

![Cards read over pixels a module, one line a reader](reader.png)

The marker is 18 mm because of this: it is read from 1.25 pixels a module, which a 1080p camera over 90 cm of table has to
spare also at the far edge of a steep view, and a 720p camera just reaches.
"""


def page() -> str:
    """The whole page, from the results files in the order of their names."""
    parts = [HEAD, *(_chapter(file) for file in sorted(FOLDER.glob("*.json"))), FOOT]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _chapter(file: Path) -> str:
    lines = [f"## {file.stem.replace('_', ' ').capitalize()}"]
    for _, together in groupby(rows_of(file), key=lambda row: (row.command, row.commit)):
        rows = list(together)
        one = rows[0]
        lines += [
            "",
            f"`{one.command}`",
            f"  \nat {one.commit}, {one.machine}, {one.date}" + _seed(one),
            "",
            "| what | value | goal | n |",
            "|---|---|---|---|",
            *(_line(row) for row in rows),
        ]
    return "\n".join(lines)


def _line(row: Row) -> str:
    goal = f"{row.goal} (missed)" if row.good is False else row.goal
    return f"| {row.what} | {row.value} | {goal} | {'' if row.n is None else f'{row.n:,}'} |"


def _seed(row: Row) -> str:
    return "" if row.seed is None else f", seed {row.seed}"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
