"""What an attack says: one row after the other, kept as JSON where it is asked for."""

from __future__ import annotations

import argparse

from tests.benchmarks.results.record import Figure, add_json, record


def parser_of(doc: str | None) -> argparse.ArgumentParser:
    """A parser with the options that every attack has."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    add_json(parser)
    return parser


class Report:
    """The rows of one attack."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self._asked = asked
        self._figures: list[Figure] = []

    def say(self, what: str, value: str, goal: str, n: int, good: bool) -> None:
        """Print and remember one row."""
        self._figures.append(Figure(what, value, goal, n, good))
        print(f"{'ok   ' if good else 'FAULT'} {what:48} {value}", flush=True)

    def finish(self) -> int:
        """Keep the rows; the exit code, 1 when one of them is a fault."""
        record(self._asked.json, self._figures, self._asked.seed)
        return int(not all(figure.good for figure in self._figures))
