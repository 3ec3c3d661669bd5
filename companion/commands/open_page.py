"""Opens the companion in this computer's browser; where it does not run yet, it is started first.

For a desktop entry or a shortcut. What it starts it keeps running, like `companion`. The one that runs
lets this browser in by the invitation that it keeps in its data folder, for its owner alone.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import webbrowser

from companion.commands import play
from companion.commands.play import say
from companion.commands.shared.own_invitation import OwnInvitation
from companion.journal.data_folder import data_folder

ASK_S = 1.0
"""A companion on this computer answers within so long (chosen)."""


def configure(parser: argparse.ArgumentParser) -> None:
    """As `companion play`."""
    play.configure(parser)


def run(args: argparse.Namespace) -> int:
    """Show the running one and return 0; else play, and show that."""
    scheme = "https" if args.https else "http"
    if runs_at(args.port):
        invitation = OwnInvitation(data_folder(args.data), args.port).address
        address = invitation or f"{scheme}://127.0.0.1:{args.port}/"
        say(f"The companion runs already: {address}")
        if invitation is None:
            say(
                "It keeps its evenings elsewhere (--data) or is somebody else's: where it was started it shows the code that lets a browser in."
            )
        webbrowser.open(address)
        return 0
    args.open_page = True
    return play.run(args)


def runs_at(port: int) -> bool:
    """Whether something listens on this port of this computer."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), ASK_S):
        return True
    return False
