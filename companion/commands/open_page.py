"""Opens the companion in this computer's browser; where it does not run yet, it is started first.

For a desktop entry or a shortcut. What it starts it keeps running, like `companion`. The one that runs
lets this browser in by the invitation that it keeps in its data folder, for its owner alone.
"""

from __future__ import annotations

import argparse
import http.client
import json
import webbrowser

from companion.commands import play
from companion.commands.play import say
from companion.commands.shared.own_invitation import OwnInvitation
from companion.errors import BadInput
from companion.journal.data_folder import data_folder
from companion.web.views.evening import COMPANION_HERE, COMPANION_HERE_PATH

LONGEST_REPLY = 1000

ASK_S = 5.0
"""A companion on this computer answers within so long, also while it is busy (chosen)."""


def configure(parser: argparse.ArgumentParser) -> None:
    """As `companion play`."""
    play.configure(parser)


def run(args: argparse.Namespace) -> int:
    """Show the running one and return 0; else play, and show that.

    Raises:
        BadInput: another program has the port.
    """
    host = "127.0.0.1" if play.is_everywhere(args.host) else args.host
    invitation = OwnInvitation(data_folder(args.data), args.port).address
    if not companion_runs_at(host, args.port):
        args.open_page = True
        return play.run(args)
    address = invitation or f"{play.base_address(host, args.port, _scheme(args))}/"
    say(f"The companion runs already: {address}")
    if invitation is None:
        say(
            "It keeps its evenings elsewhere (--data) or is somebody else's: where it was started it shows the code that lets a browser in."
        )
    webbrowser.open(address)
    return 0


def _scheme(args: argparse.Namespace) -> str:
    return "https" if args.https else "http"


def companion_runs_at(host: str, port: int) -> bool:
    """Whether a table's companion answers on this port of this computer; False where nobody listens.

    Raises:
        BadInput: another program answers, or says nothing.
    """
    asked = http.client.HTTPConnection(host, port, timeout=ASK_S)
    try:
        asked.connect()
    except (OSError, OverflowError):
        return False
    try:
        asked.request("GET", COMPANION_HERE_PATH)
        if json.loads(asked.getresponse().read(LONGEST_REPLY)) == COMPANION_HERE:
            return True
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        pass  # it speaks otherwise, or not at all
    finally:
        asked.close()
    raise BadInput(f"another program has port {port}: choose another with --port")
