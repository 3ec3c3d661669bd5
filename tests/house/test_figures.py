"""The measured figures are what the benchmarks left: the pages and the JSON agree."""

from __future__ import annotations

import re

from tests.benchmarks.results.page import FOLDER, FRONT, PAGE, front, page
from tests.benchmarks.results.record import command_of, rows_of
from tests.house.sources import ROOT


def test_the_page_of_figures_is_the_one_the_results_make() -> None:
    """Nobody writes a figure by hand: `python -m tests.benchmarks.results.page` changes nothing."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_first_page_shows_the_newest_of_its_five_figures() -> None:
    """The README's table of figures is made of the same results."""
    text = FRONT.read_text(encoding="utf-8")
    assert text == front(text)


def test_every_figure_names_a_benchmark_that_exists() -> None:
    """Each row's command is one of the benchmarks, and its file has the benchmark's name."""
    for file in FOLDER.glob("*.json"):
        for row in rows_of(file):
            named = re.match(r"uv run python -m ([\w.]+)", row.command)
            assert named is not None, row.command
            place = ROOT / named[1].replace(".", "/")
            there = place.with_suffix(".py"), place / "__main__.py"
            assert any(file.exists() for file in there), row.command


def test_a_command_is_told_as_one_would_type_it() -> None:
    """Without the option that kept it, with everything else."""
    argv = [
        str(ROOT / "tests/benchmarks/journal.py"),
        "--kills",
        "5",
        "--json",
        "x.json",
        "--seed",
        "2",
    ]
    assert command_of(argv) == "uv run python -m tests.benchmarks.journal --kills 5 --seed 2"
