"""A short practice evening in a process of its own, with a tablet that is let in, allows the
recording, looks on, previews a page to print and takes the report; prints how it ended as JSON.

    python listened_to.py FOLDER
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import re
import sys
import time
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

ROUNDS = 2


class Tablet:
    """A device that was let in."""

    def __init__(self, address: str) -> None:
        self._home = address.partition("/in/")[0]
        keeps = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(keeps)
        self._opener.open(address).close()

    def get(self, path: str) -> bytes:
        """What is answered."""
        with self._opener.open(self._home + path) as answer:
            read: bytes = answer.read()
        return read

    def post(self, path: str, what: dict[str, Any]) -> None:
        """Say something."""
        headers = {"Origin": self._home, "Content-Type": "application/json"}
        asked = urllib.request.Request(self._home + path, json.dumps(what).encode(), headers)
        self._opener.open(asked).close()


def main(folder: Path) -> None:
    """Play with everything that an evening has."""
    from companion.commands import play
    from companion.commands.shared.decks import PlayedDeck
    from companion.commands.shared.practice_people import PracticePeople
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
        players=3, edition="en", set_aside="auto", rounds=ROUNDS, seed=5, temper="calm",
        room="parlour", fault=[], deck="CM1", deck_size=80, marker_mm=18.0,
    )  # fmt: skip
    source = practice_source("practice", table, folder)
    with Journal(folder / "practice") as journal, GuardedReader() as second_reader:
        people = PracticePeople(getattr(source.camera, "truth", None))
        session = Session(journal, on_entry=people.hear)
        people.session = session
        with contextlib.redirect_stdout(io.StringIO()) as said:
            server = play.serve(session, args)
        try:
            address = re.search(r"http://\S+/in/\S+", said.getvalue())
            assert address is not None
            tablet = Tablet(address[0])
            source.prepare(session)
            tablet.post("/api/recording", {"do": "yes"})
            played = PlayedDeck(args, None, second_reader, folder)
            watching = play._look_on(session, source, args, None, played)
            assert watching is not None
            watching._pacer = None
            watching.start(session)
            tablet.get("/api/print/page/1")
            watching.wait()
            people.end_game()
            while not session.keeper.ledger.over:  # they answer a question first
                time.sleep(0.1)
            tablet.get("/")
            report = tablet.get("/api/report")
            ledger = session.keeper.ledger
        finally:
            people.stop()
            server.stop()
            session.close()
    told = {"rounds": len(ledger.finished), "over": ledger.over, "report": len(report)}
    print("TOLD " + json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
