"""A practice evening in a process of its own, served to a tablet, in which every connection that
Python makes is noted: prints them as JSON.

    python listened_to.py FOLDER
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

noted: list[tuple[str, str]] = []


def note(event: str, args: tuple[Any, ...]) -> None:
    """Keep what is asked of the network: where to, or which name."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        noted.append((event, repr(args[1])))
    elif event in (
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
    ) or event in ("urllib.Request", "webbrowser.open", "smtplib.connect", "ftplib.connect"):
        noted.append((event, repr(args[0])))


sys.addaudithook(note)


def main(folder: Path) -> None:
    """Play one round with everything that an evening has, and a tablet that looks on."""
    from companion.commands import play
    from companion.commands.shared.decks import PlayedDeck
    from companion.commands.shared.sources import practice_source
    from companion.evening.session import Session
    from companion.journal import Journal
    from companion.practice import evening
    from companion.vision.second_reader.guarded import GuardedReader

    evening.FRAMES_A_SECOND, evening.SHOWN_HASTE = 3.0, 1.6
    parser = argparse.ArgumentParser()
    play.configure(parser)
    args = parser.parse_args(["--host", "127.0.0.1", "--port", "0", "--data", str(folder)])
    table = argparse.Namespace(
        players=3, edition="en", set_aside="auto", rounds=1, seed=5, temper="calm", room="parlour",
        fault=[], deck="CM1", deck_size=80, marker_mm=18.0,
    )  # fmt: skip
    source = practice_source("practice", table, folder)
    with Journal(folder / "practice") as journal, GuardedReader() as second_reader:
        session = Session(journal)
        server = play.serve(session, args)
        try:
            source.prepare(session)
            played = PlayedDeck(args, None, second_reader, folder)
            watching = play._look_on(session, source, args, None, played)
            assert watching is not None
            watching._pacer = None
            watching.start(session)
            with contextlib.suppress(urllib.error.HTTPError):  # a stranger is told nothing
                urllib.request.urlopen(f"http://127.0.0.1:{server.port}/").close()
            watching.wait()
            rounds = len(session.log.entries)
        finally:
            server.stop()
            session.close()
    print("NOTED " + json.dumps({"noted": noted, "entries": rounds}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
