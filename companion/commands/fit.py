"""Learns from recorded evenings how long your people think and how fast they take their cards.

Prints that beside the times that the companion comes with. It learns from every other round and tries
what it learnt on the rest: it says whether it tells better what happened there. Nothing is changed:
the figures are for whoever works on `companion/referee`, where the shipped ones stand.
"""

from __future__ import annotations

import argparse
import sys

from companion.commands.shared.options import add_game, deck_numbers, take_recorded_game
from companion.commands.shared.progress import Progress
from companion.errors import BadInput
from companion.evening.loop import keep_score, recording_of
from companion.evening.scorekeeper import Scorekeeper
from companion.journal.recording import read_game, read_rounds
from companion.referee.fitting import fitted_times


def configure(parser: argparse.ArgumentParser) -> None:
    """Recordings of one group and the game that was played."""
    parser.epilog = "for example: companion fit recording report.zip"
    parser.add_argument(
        "recordings", metavar="DIR", nargs="+", help="recordings, or reports with one in them"
    )
    add_game(parser, players_required=False)
    parser.add_argument(
        "--deck-size", type=int, default=80, help="cards in the deck (default %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    """Print the fitted figures beside the shipped ones.

    Raises:
        BadInput: a recording cannot be read, or no round in it can be learnt from.
    """
    found = fitted_times.RecordedRounds()
    kept = sum(
        _replay(args, recording, found, fitted_times.UnreadSpells(found))
        for recording in args.recordings
    )
    if not kept:
        raise BadInput(
            "no round was dealt in these recordings: check --players, --daydreamer and --edition"
        )
    if not found.rounds:
        raise BadInput(
            f"none of the {kept} rounds in these recordings is sure enough to learn from: "
            "give recordings of more evenings"
        )
    print(f"{len(found.rounds)} of {kept} rounds are sure enough to learn from")
    print("\n".join(fitted_times.report_lines(found, args.set_aside, args.edition)))
    return 0


def _replay(
    args: argparse.Namespace,
    recording: str,
    found: fitted_times.RecordedRounds,
    spells: fitted_times.UnreadSpells,
) -> int:
    """How many rounds were kept; what is to be learnt of them is added to `found`."""
    from companion.commands.score import begin

    args = argparse.Namespace(**vars(args))
    take_recorded_game(args, recording)
    keeper = Scorekeeper(numbers=deck_numbers(args.deck_size))
    begin(keeper, args)
    bar = Progress(None, not sys.stderr.isatty(), f"glimpses of {recording}")
    glimpses = read_rounds(recording, read_game(recording))
    for step in bar.over(keep_score(recording_of(glimpses), keeper)):
        spells.note_glimpse(step.glimpse)
    if keeper.referee is not None:
        keeper.referee.learn_last_round()
        found.rounds += keeper.referee.habits.finished
    return len(keeper.ledger.rounds)
