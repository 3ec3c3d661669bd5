"""Takes evenings along: as a table (CSV), as everything for another companion (JSON), or for BG Stats.

What the columns of the table are stands in companion/years/README.md. Names are as people are called
now. A game may go on meanwhile; an existing file is left alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from card_printables.files import written_whole
from companion.commands.years.folders import add_folder, open_index, so_many
from companion.errors import BadInput
from companion.years.index import YearsIndex
from companion.years.persons import fold_acts
from companion.years.take_along import FILE_KINDS, exported


def configure(parser: argparse.ArgumentParser) -> None:
    """Which evenings, where to, as what."""
    parser.epilog = "for example: companion export evenings.csv"
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the file to make (- for standard output); its ending says as what",
    )
    parser.add_argument(
        "--as", dest="kind", choices=FILE_KINDS, help="as what, where the ending does not say it"
    )
    parser.add_argument(
        "--evening",
        type=int,
        action="append",
        metavar="N",
        help="only this one, by its number in `companion evenings`; several times for several",
    )
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """Write the file, whole or not at all."""
    kind = args.kind or Path(args.file).suffix.removeprefix(".").lower()
    if kind not in FILE_KINDS:
        raise BadInput(f"{args.file} does not end in .csv, .json or .bgsplay: say which with --as")
    with open_index(args) as index:
        persons = fold_acts(index.acts())
        numbers = set(index.ids().values()) - persons.deleted
        unknown = sorted(set(args.evening or ()) - numbers)
        if unknown:
            raise BadInput(f"there is no evening {unknown[0]}: `companion evenings` lists them")
        left_out: list[int] = []
        counted = set(index.counted(persons.deleted, args.evening))
        pieces = exported(index, persons, kind, args.evening, time.time(), left_out.append)
        if args.file == "-":
            for piece in pieces:
                sys.stdout.write(piece)
            _say_unread(index, set(args.evening or numbers), left_out)
            return 0
        path = Path(args.file)
        try:
            with written_whole(path) as made, made.open("w", encoding="utf-8", newline="") as file:
                for piece in pieces:
                    file.write(piece)
        except FileExistsError as error:
            raise BadInput(f"{path} is there already: choose another file") from error
        except OSError as error:
            raise BadInput(
                f"{path} cannot be written ({error.strerror or error}): choose another file"
            ) from error
        _say_unread(index, set(args.evening or numbers), left_out)
    print(f"{path}: {so_many(len(counted - set(left_out)))}")
    return 0


def _say_unread(index: YearsIndex, wanted: set[int], left_out: list[int]) -> None:
    for number in sorted({*index.unread(), *left_out} & wanted):
        where = " and is not in the file" if number in left_out else ""
        print(
            f"Evening {number} cannot be read by this companion{where}: keep a backup too.",
            file=sys.stderr,
        )
