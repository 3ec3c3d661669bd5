"""Keeps the score again from a recorded evening's glimpses: same ledger, any speed, no pictures
needed. It says so where not all rounds of the evening are in the recording.

A recording is a folder with `glimpses.jsonl` (one line a frame) as `companion record` keeps it and
`companion play --record DIR` writes it, or a problem report with one in it. It mostly says itself who
played.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from companion.commands.score import (
    Notes,
    begin,
    check_json,
    note_steps,
    refuse_empty,
    write_json,
)
from companion.commands.shared.options import add_game, deck_numbers, take_recorded_game
from companion.commands.shared.progress import Progress
from companion.commands.shared.score_report import not_counted, report, warn_of
from companion.evening.loop import keep_score, recording_of
from companion.evening.scorekeeper import Scorekeeper
from companion.journal.recording import RecordedGame, read_game, read_rounds


def configure(parser: argparse.ArgumentParser) -> None:
    """A recording and the game that was played."""
    parser.epilog = "for example: companion replay recording"
    parser.add_argument(
        "recording",
        metavar="DIR",
        help="the folder that was recorded, its .jsonl file, or a report's .zip",
    )
    add_game(parser, players_required=False)
    parser.add_argument(
        "--deck-size", type=int, default=80, help="cards in the deck (default %(default)s)"
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write the ledger there (- for standard output)"
    )


def run(args: argparse.Namespace) -> int:
    """Keep the score of the recording as `companion score` does."""
    game = read_game(args.recording)
    take_recorded_game(args, args.recording)
    keeper, notes = Scorekeeper(numbers=deck_numbers(args.deck_size)), Notes()
    begin(keeper, args)
    check_json(args.json)
    bar = Progress(None, not sys.stderr.isatty(), "glimpses")
    steps = keep_score(recording_of(read_rounds(args.recording, game)), keeper)
    note_steps(bar.over(steps), keeper, notes)
    refuse_empty(notes, args.recording)
    result = report(keeper, notes.first_s)
    warn_of(result, [*_not_whole(game), *not_counted(result, "the recording")])
    if args.json:
        write_json(result, args.json)
    if args.json != "-":
        for name, cards in result["totals"].items():
            print(f"{name:<16} {cards}")
    return 0


def _not_whole(game: RecordedGame | None) -> Iterator[str]:
    """Why these piles are not those of the whole evening: what was played before the recording began."""
    before = game.before if game is not None else 0
    if game is not None and game.in_round:
        yield (
            f"the recording begins in the middle of round {before + 1} of the evening: that round is left out, "
            "and these piles are only of the rounds after it"
        )
    elif before:
        yield (
            f"the recording begins after round {before} of the evening: these piles are only of the rounds after it"
        )
