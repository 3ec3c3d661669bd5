"""What the commands on evenings of before share: whose evenings, how their index is opened, how many are told."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.shared.sources import practice_folder
from companion.errors import BadInput
from companion.journal.data_folder import data_folder
from companion.journal.store import FILE
from companion.years.index import YearsIndex


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Where the evenings are."""
    parser.add_argument(
        "--practice", action="store_true", help="the evenings at the practice table"
    )
    parser.add_argument(
        "--data", metavar="DIR", help="folder for evenings (default: the user's data folder)"
    )


def folder_of(args: argparse.Namespace) -> Path:
    """The folder that is meant; it may not be there."""
    home = data_folder(args.data)
    return practice_folder(home) if args.practice else home


def so_many(evenings: int) -> str:
    """How many evenings, in words."""
    return "1 evening" if evenings == 1 else f"{evenings} evenings"


def open_index(args: argparse.Namespace) -> YearsIndex:
    """The evenings of the folder that is meant, every one in the index.

    Raises:
        BadInput: there is none.
    """
    folder = folder_of(args)
    if not (folder / FILE).is_file():
        raise BadInput(f"there is no evening in {folder}: choose the folder with --data")
    index = YearsIndex(folder)
    index.refresh()
    return index


def say_unread(acts: int) -> None:
    """Say how many acts on the book of evenings were left out of a backup, where there are any."""
    if acts:
        print(
            f"{acts} of the things done to its book of evenings (a name, a place, a deletion) cannot be "
            "understood and count for nothing: look the book over."
        )
