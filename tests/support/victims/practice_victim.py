"""A practice evening in a process of its own, for tests: everything that leaves the session goes
into files, and it can be killed in the middle of a round. usage: practice_victim.py FOLDER RUN
[kill]

FOLDER/shown-RUN.jsonl holds one line for each thing shown or kept: [film time, kind, what].
"""

from __future__ import annotations

import json
import os
import signal
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import cv2

from companion.capture.frame_watch import TakePicture
from companion.capture.watching import Watching
from companion.commands.shared import narrate
from companion.commands.shared.sources import practice_source
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.session import Session
from companion.game.event_json import entry_to_dict
from companion.game.events import CardSetAside
from companion.game.log import Entry
from companion.journal import Journal
from companion.journal.export import evening_file
from companion.journal.recording import Recorder
from companion.practice import evening
from companion.table.glimpse_json import glimpse_to_dict
from companion.table.sighting import Glimpse
from companion.vision.eye import Eye

OPTIONS = Namespace(
    players=3,
    rounds=2,
    seed=34,
    temper="calm",
    room="random",
    edition="en",
    set_aside="auto",
    fault=[],
)
"""A small evening under a 720p camera: nobody is right in the first round, the second guess is
right in the second."""

KILLED_IN_ROUND = 2


class Keeper:
    """Writes down whatever is shown, with the film's time; ends its own process when told to."""

    def __init__(self, folder: Path, run: str, kill: bool) -> None:
        self.film_s = 0.0
        self._kill = kill
        self._shown = (folder / f"shown-{run}.jsonl").open("w", encoding="utf-8", buffering=1)
        self._narrator = narrate.Narrator()
        self._recorder = Recorder(folder / f"recording-{run}")

    def show(self, kind: str, what: Any) -> None:
        """Keep one thing that was shown."""
        self._shown.write(json.dumps([self.film_s, kind, what]) + "\n")

    def record(self, glimpse: Glimpse, take_picture: TakePicture) -> None:
        """Take the place of `--record`."""
        self.film_s = glimpse.t_s
        self.show("glimpse", glimpse_to_dict(glimpse))
        self._recorder.record_glimpse(glimpse, take_picture())

    def told(self, entry: Entry, keeper: Scorekeeper) -> None:
        """Take the place of the terminal."""
        self.show("entry", entry_to_dict(entry))
        for line in self._narrator.tell(entry, keeper):
            self.show("line", line)
        if self._kill and isinstance(entry.event, CardSetAside) and entry.round == KILLED_IN_ROUND:
            os.kill(os.getpid(), signal.SIGKILL)


class Shown(Session):
    """A session of which everything shown is kept, glimpse by glimpse."""

    def __init__(self, keeper: Keeper, folder: Path) -> None:
        super().__init__(Journal(folder / "practice"), on_entry=keeper.told)
        self._shown_to = keeper

    def observe_glimpse(self, glimpse: Glimpse, offset_s: float) -> None:
        """Keep the score by it, and what the screens and the file show then."""
        super().observe_glimpse(glimpse, offset_s)
        self._shown_to.show("board", self.scoreboard())
        self._shown_to.show("csv", evening_file(self.log, "csv")[1].decode("utf-8-sig"))


def main(folder: Path, run: str, kill: bool) -> None:
    """Play the evening, or go on with it, as fast as this machine reads."""
    cv2.setNumThreads(1)
    evening.FRAMES_A_SECOND, evening.SHOWN_HASTE = 3.0, 1.6
    keeper = Keeper(folder, run, kill)
    source = practice_source("practice", OPTIONS, folder)
    session = Shown(keeper, folder)
    source.prepare(session)
    assert source.camera is not None
    watching = Watching(source.camera, Eye(), practice=True, record_glimpse=keeper.record)
    session.attach(watching)
    watching.start(session)
    watching.wait()
    session.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], "kill" in sys.argv[3:])
