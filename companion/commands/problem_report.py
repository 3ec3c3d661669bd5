"""Packs a problem report: one .zip file with the evening's log, the recorded glimpses and this
machine's versions.

The players' names are replaced by A, B, C; devices, clouds' names and folders are left out;
pictures only with --pictures. Nothing is sent anywhere: look into the file, then give it to whoever
helps you.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from card_printables.files import written_whole
from companion.commands.shared.sources import practice_folder
from companion.errors import BadInput
from companion.game.events import RoundDealt
from companion.journal.data_folder import data_folder
from companion.journal.recording import LINES, newest_recording
from companion.journal.report import recorded_files, versions, write_report
from companion.journal.side import FOLDER, Kept, read_from
from companion.journal.store import holds_evenings


def configure(parser: argparse.ArgumentParser) -> None:
    """Which evening, which recording, where to."""
    parser.epilog = "for example: companion report --out report.zip"
    parser.add_argument(
        "--out",
        required=True,
        metavar="FILE.zip",
        help="the file to make; an existing one is left alone",
    )
    parser.add_argument(
        "--recording",
        metavar="DIR",
        help="the folder that `companion play --record DIR` wrote (default: what `companion record` kept of it)",
    )
    parser.add_argument(
        "--pictures",
        action="store_true",
        help="the recording's pictures too (they show your table)",
    )
    parser.add_argument(
        "--evening", type=int, help="number of the evening (default: the one played last)"
    )
    parser.add_argument(
        "--practice",
        action="store_true",
        help="the evening at the practice table (without any other evening: always)",
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder for evenings (default: the user's data folder)"
    )


def run(args: argparse.Namespace) -> int:
    """Make the file; nothing is made when something is missing."""
    folder, evening = _evening(args)
    recorded = list(_recorded(args, folder, evening.evening))
    try:
        about = {"versions": versions(), "evening": evening.evening}
        with written_whole(Path(args.out)) as made:
            write_report(made, about, evening.entries, recorded)
    except FileExistsError as error:
        raise BadInput(f"{args.out} is there already: choose another file with --out") from error
    except OSError as error:
        raise BadInput(
            f"{args.out} cannot be written ({error.strerror or error}): choose another file with --out"
        ) from error
    print(
        f"{args.out}: evening {evening.evening}, {len(evening.entries)} entries, {len(recorded)} recorded files, no names"
    )
    return 0


def _evening(args: argparse.Namespace) -> tuple[Path, Kept]:
    """The evening and the folder it is kept in: the practice table's where it is asked for, or where
    there is no other."""
    home = data_folder(args.data)
    folder = practice_folder(home) if args.practice else home
    kept = _lines_of(folder)
    if not kept and not args.practice:
        folder = practice_folder(home)
        kept = _lines_of(folder)
    if not kept:
        raise BadInput(f"there is no evening in {home}: choose the folder with --data")
    found = (
        _played_last(kept)
        if args.evening is None
        else next((one for one in kept if one.evening == args.evening), None)
    )
    if found is None:
        raise BadInput(
            f"there is no evening {args.evening} in {folder}: choose --evening 1 to {kept[-1].evening}"
        )
    return folder, found


def _played_last(kept: list[Kept]) -> Kept:
    """The evening that was written in last, of those with a round in it where there is one: one of before
    may have been gone on with since."""
    played = [one for one in kept if any(isinstance(e.event, RoundDealt) for e in one.entries)]
    return max(played or kept, key=lambda one: one.entries[-1].at_s)


def _lines_of(folder: Path) -> list[Kept]:
    """The folder's evenings, by the lines beside the database. Raises BadInput where it has evenings
    and no such lines."""
    kept = list(read_from(folder, 0))
    if not kept and holds_evenings(folder):
        raise BadInput(
            f"{folder / FOLDER} holds no lines of the evenings in {folder}: move away what stands there, and "
            "start the companion once, it writes them anew"
        )
    return kept


def _recorded(args: argparse.Namespace, home: Path, evening: int) -> Iterator[tuple[Path, str]]:
    given = args.recording
    folder = newest_recording(home, evening) if given is None else Path(given)
    if folder is None:
        return iter(())
    if not (folder / LINES).is_file():
        raise BadInput(
            f"{folder} is no recording: give the folder that `companion play --record` wrote"
        )
    return recorded_files(folder, args.pictures)
