"""Puts the evenings of another companion beside your own.

Takes what `companion export` wrote (JSON with everything, or the CSV table) or a backup. An evening
that is here already stays as it is, so the same file may come twice. All that are new come, or none.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.commands.years.folders import add_folder, folder_of, say_unread, so_many
from companion.errors import BadInput
from companion.journal import Journal
from companion.years.index import YearsIndex
from companion.years.take_along import import_file


def configure(parser: argparse.ArgumentParser) -> None:
    """Which file, into which folder."""
    parser.epilog = "for example: companion import evenings.json"
    parser.add_argument("file", metavar="FILE", help="what `companion export` or `backup` wrote")
    add_folder(parser)


def run(args: argparse.Namespace) -> int:
    """Take them in; nothing is changed where one of them cannot be."""
    path = Path(args.file)
    if not path.is_file():
        raise BadInput(f"there is no file {path}: give one that `companion export` wrote")
    folder = folder_of(args)
    with Journal(folder) as journal:
        with YearsIndex(folder) as index:
            index.refresh()
            known = index.ids()
        came = import_file(journal, known, path)
    print(f"{path}: {so_many(came.new)} came, {came.known} here already")
    say_unread(came.unread_acts)
    return 0
