"""Keeps the score of recorded footage: any file OpenCV opens, a folder of pictures, or a recorded
evening's glimpses.

Nobody is asked: where the referee would have asked a person it takes the likelier answer and notes
the question. Times are the file's own.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from calibration.cameras.recording import Recording
from companion.commands.shared.decks import card_numbers, learnt_deck, open_eye
from companion.commands.shared.options import (
    add_deck,
    add_game,
    add_light,
    lightened,
    names_of,
    seat_of,
)
from companion.commands.shared.score_report import not_counted, report, warn_of
from companion.errors import BadInput
from companion.evening.loop import Step, frames_of, keep_score, recording_of
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun
from companion.journal.recording import read_game, read_rounds
from companion.outbox.one_log import send_log
from companion.table.lasting_notices import Lasting
from companion.table.sighting import REVEALED, Glimpse
from companion.vision.learnt.deck import LearntDeck
from companion.vision.second_reader.guarded import FOOTAGE_DEADLINE_S, GuardedReader

MOST_MISSING_S = 2.0
"""Of what a film says of its length: some files know it only about (chosen)."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Footage and the game that is played in it."""
    parser.epilog = (
        "for example: companion score evening.mp4 --players Ada,Ben,Cleo --daydreamer Ada"
    )
    parser.add_argument(
        "footage", metavar="FOOTAGE", help="a film, a folder of pictures, or a .jsonl recording"
    )
    add_game(parser, players_required=True)
    add_deck(parser, learnt=True)
    parser.add_argument("--data", metavar="DIR", help="folder that keeps the learnt decks")
    parser.add_argument(
        "--json", metavar="FILE", help="write the ledger there (- for standard output)"
    )
    add_light(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument(
        "--hall",
        metavar="ADDRESS",
        help="send the score to a hall as a table of its own, under pseudonyms",
    )


class Notes:
    """Collects the notices of an evening, each with the time it was first seen."""

    def __init__(self) -> None:
        self.first_s: dict[str, float] = {}
        self.cards_seen = 0
        self._lasting = Lasting()

    def note_glimpse(self, glimpse: Glimpse) -> None:
        """Remember what this glimpse says for the first time."""
        self.cards_seen += bool(glimpse.sightings or glimpse.unnamed)
        for key in self._lasting.news(glimpse.all_notices, glimpse.t_s):
            if key != REVEALED:
                self.first_s.setdefault(key, glimpse.t_s)

    def note_messages(self, keeper: Scorekeeper, t_s: float) -> None:
        """Remember what the referee has to say just now."""
        for message in keeper.referee.messages if keeper.referee else ():
            told = ", ".join(f"{name} {value}" for name, value in message.params)
            self.first_s.setdefault(f"{message.key} ({told})" if told else message.key, t_s)


def begin(keeper: Scorekeeper, args: argparse.Namespace) -> None:
    """Sit the players down as the options say."""
    players = names_of(args.players)
    begun = EveningBegun(
        players, seat_of(args.daydreamer, players), args.edition, args.deck_size, args.set_aside
    )
    keeper.change(Changes((begun,)), 0.0)


def note_steps(steps: Iterable[Step], keeper: Scorekeeper, notes: Notes) -> None:
    """Let the score be kept to the end of the footage, and note what was to be said meanwhile."""
    for step in steps:
        notes.note_glimpse(step.glimpse)
        notes.note_messages(keeper, step.glimpse.t_s)


def _progress(recording: Recording, quiet: bool) -> Any:
    from companion.commands.shared.progress import Progress

    return Progress(recording.frames, quiet or not sys.stderr.isatty())


def _score_film(
    args: argparse.Namespace, keeper: Scorekeeper, notes: Notes, deck: LearntDeck | None
) -> Iterator[str]:
    """Keep the score of a film; what of it could not be read, in sentences."""
    recording = Recording(args.footage)
    bar = _progress(recording, args.quiet)
    with contextlib.closing(recording), GuardedReader(FOOTAGE_DEADLINE_S) as second_reader:
        eye = open_eye(args, keeper.numbers, deck, second_reader)
        source = frames_of(lightened(recording, args), eye)
        steps = bar.over(keep_score(source, keeper), lambda: recording.frames_read)
        note_steps(steps, keeper, notes)
    return _broken_off(recording, args.footage)


def _broken_off(recording: Recording, footage: str) -> Iterator[str]:
    told_s, read_s = recording.length_s, recording.read_s
    if told_s is not None and told_s - read_s > MOST_MISSING_S:
        yield f"{footage} breaks off: it says that it is {told_s:.0f} s long, and could be read for {max(read_s, 0):.0f}"


def refuse_empty(notes: Notes, footage: str) -> None:
    """Raises BadInput when no card was seen at all: a ledger of zeros would be no answer."""
    if notes.cards_seen == 0:
        raise BadInput(
            f"no cards of this deck are in {footage}: check the film, --deck and --marker-mm"
        )


def write_json(value: Any, target: str) -> None:
    """Write `value` as JSON to a file or, for "-", to standard output.

    Raises:
        BadInput: the file cannot be written.
    """
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    if target == "-":
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise BadInput(
                f"standard output cannot be written ({error.strerror}): give a file with --json"
            ) from error
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(
            f"{target} cannot be written ({error.strerror}): choose another file with --json"
        ) from error


def check_json(target: str | None) -> None:
    """Return when `write_json` will be able to write there; nothing is changed. Asked before the
    long work, not after.

    Raises:
        BadInput: the file cannot be written.
    """
    if target is None or target == "-":
        return
    path = Path(target)
    try:
        existed = path.exists()
        path.open("a", encoding="utf-8").close()
        if not existed:
            path.unlink()
    except OSError as error:
        raise BadInput(
            f"{target} cannot be written ({error.strerror}): choose another file with --json"
        ) from error


def run(args: argparse.Namespace) -> int:
    """Keep the score; 0 when it was kept, also where questions stand."""
    deck = learnt_deck(args)
    keeper = Scorekeeper(numbers=card_numbers(args, deck))
    notes = Notes()
    begin(keeper, args)
    check_json(args.json)
    broken_off: Iterable[str] = ()
    if Path(args.footage).suffix == ".jsonl":
        glimpses = read_rounds(args.footage, read_game(args.footage))
        note_steps(keep_score(recording_of(glimpses), keeper), keeper, notes)
    else:
        broken_off = _score_film(args, keeper, notes, deck)
    refuse_empty(notes, args.footage)
    if args.hall:
        send_log(keeper.log, args.hall)
    result = report(keeper, notes.first_s)
    warn_of(result, [*broken_off, *not_counted(result, args.footage)])
    if args.json:
        write_json(result, args.json)
    if args.json != "-":
        if not result["rounds"]:
            print(f"no whole round is in {args.footage}", flush=True)
        for name, cards in result["totals"].items():
            print(f"{name:<16} {cards}")
    return 0
