"""Backs up the evenings and the people's signs into one file. A game may go on meanwhile.

What lets devices in is not in it. `companion restore FILE` brings it back, `companion import FILE`
takes from it what is missing.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.years.folders import add_folder, folder_of, so_many
from companion.years.backup import back_up


def configure(parser: argparse.ArgumentParser) -> None:
    """Where to."""
    parser.epilog = "for example: companion backup evenings.zip"
    parser.add_argument(
        "file", metavar="FILE", help="the file to make; an existing one is left alone"
    )
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """Make it, and read it again."""
    held = back_up(folder_of(args), Path(args.file))
    print(
        f"{args.file}: {so_many(held['evenings'])}, {held['entries']} entries, read again and whole"
    )
    return 0
