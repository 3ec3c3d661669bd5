"""Keeps the score again from a recorded evening's glimpses: same ledger, any speed, no pictures
needed.

A recording is a folder with `glimpses.jsonl` (one line a frame) as `companion play --record DIR`
writes it.
"""

from __future__ import annotations

import argparse

from companion.commands.score import (
    Notes,
    begin,
    check_json,
    note_steps,
    refuse_empty,
    write_json,
)
from companion.commands.shared.options import add_game, deck_numbers
from companion.commands.shared.score_report import report
from companion.evening.loop import keep_score, recording_of
from companion.evening.scorekeeper import Scorekeeper
from companion.journal.recording import read_recording


def configure(parser: argparse.ArgumentParser) -> None:
    """A recording and the game that was played."""
    parser.add_argument(
        "recording", metavar="DIR", help="the folder that --record wrote, or its .jsonl file"
    )
    add_game(parser, players_required=True)
    parser.add_argument(
        "--deck-size", type=int, default=80, help="cards in the deck (default %(default)s)"
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write the ledger there (- for standard output)"
    )


def run(args: argparse.Namespace) -> int:
    """Keep the score of the recording as `companion score` does."""

    keeper, notes = Scorekeeper(numbers=deck_numbers(args.deck_size)), Notes()
    begin(keeper, args)
    check_json(args.json)
    note_steps(keep_score(recording_of(read_recording(args.recording)), keeper), keeper, notes)
    refuse_empty(notes, args.recording)
    result = report(keeper, notes.first_s)
    if args.json:
        write_json(result, args.json)
    if args.json != "-":
        for name, cards in result["totals"].items():
            print(f"{name:<16} {cards}")
    return 0
