"""Keeps the score of an evening and asks on the screen whether it may be recorded.

After a yes it keeps what the camera read and, once a second, a picture of the table between the
tokens and of the tray; people about the table are cut away. Everything stays in the data folder;
More, Recording on the tablet stops it, packs a report and deletes it. `companion fit` and `companion
replay` take the report.
"""

from __future__ import annotations

import argparse

from companion.commands import play


def configure(parser: argparse.ArgumentParser) -> None:
    """As `companion play`."""
    play.configure(parser)


def run(args: argparse.Namespace) -> int:
    """Play, and ask; returns as `companion play` does."""
    args.asks_to_record = True
    return play.run(args)
