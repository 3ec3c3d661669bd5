"""Brings back what `companion backup` wrote, beside what is there and never over it."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.years.folders import add_folder, folder_of, say_unread, so_many
from companion.errors import BadInput
from companion.years.backup import UNREAD_ACTS, check, restore, unread_entries


def configure(parser: argparse.ArgumentParser) -> None:
    """From which file, into which folder."""
    parser.epilog = "for example: companion restore evenings.zip"
    parser.add_argument("file", metavar="FILE", help="what `companion backup` wrote")
    parser.add_argument("--check", action="store_true", help="only read it: is it whole?")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """Put it into the data folder where that holds no evenings, else into a new one beside it."""
    path = Path(args.file)
    if not path.is_file():
        raise BadInput(f"there is no file {path}: give one that `companion backup` wrote")
    if args.check:
        told = check(path)
        if unread := unread_entries(path):
            raise BadInput(
                f"{path}: {unread} of its {told['entries']} entries cannot be read by this companion: "
                "update it, or make another backup"
            )
        print(f"{path}: {so_many(told['evenings'])}, {told['entries']} entries, whole")
        say_unread(told[UNREAD_ACTS])
        return 0
    folder = folder_of(args)
    to, told = restore(path, folder)
    print(f"{to}: {so_many(told['evenings'])} back")
    say_unread(told[UNREAD_ACTS])
    if to != folder:
        print(
            f"Nothing in {folder} was changed. Play on with `companion --data {to}`, or take what is missing: "
            f"`companion import {path}`."
        )
    return 0
