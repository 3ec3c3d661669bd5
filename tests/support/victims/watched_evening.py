"""An evening whose open round lies under a camera with faults, watched by the product's own thread,
process and eye, for those that take the camera away again and again."""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from companion.capture.live import LiveCamera
from companion.capture.watching import Watching
from companion.commands.shared.sources import begin_practice
from companion.evening.session import Session
from companion.journal import Journal
from companion.practice.evening import PracticeEvening, open_practice
from companion.vision.eye import Eye
from tests.support.camera_faults import open_faulty, switch

FAULTS = ("unplugged", "renumbered", "block", "crash", "odd", "frozen", "black", "killed")

LYING_S = 3.0
"""So long after the deal the picture is taken: every card lies and no hand is over the table."""

MOST_S = 60.0


def open_round() -> tuple[PracticeEvening, np.ndarray]:
    """A practice evening and the picture of its first round, face up and untouched."""
    table = open_practice(argparse.Namespace(players=5, seed=5, temper="calm"))
    first = table.script.truth.rounds[0]
    table.seek(min(first.dealt_s + LYING_S, first.guesses[0].at_s - 0.5))
    frame = table.read()
    assert frame is not None
    return table, frame.image


class WatchedEvening:
    """A session whose open round lies under the camera with faults."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        table, picture = open_round()
        np.save(folder / "picture.npy", picture)
        self._number = 2
        self._plug_in()
        self.session = Session(Journal(folder / "data"))
        begin_practice(self.session, table.begun)
        self.camera = LiveCamera(open_faulty, str(folder), "test camera").open()
        self.watching = Watching(self.camera, Eye())
        self.session.attach(self.watching)
        self.watching.start(self.session)

    def _plug_in(self) -> None:
        (self.folder / "number").write_text(str(self._number), encoding="ascii")
        switch(self.folder, "well")

    @property
    def shown(self) -> str:
        """The camera's state as the screens show it."""
        return str(self.session.scoreboard()["camera"]["state"])

    def lose(self, fault: str, dice: random.Random) -> None:
        """Let the fault be for a moment; of those that take a while to be noticed, long enough every
        other time."""
        child = self.camera.child_id
        if fault == "killed":
            if child is not None:
                with contextlib.suppress(OSError):
                    os.kill(child, dice.choice((signal.SIGKILL, signal.SIGSTOP)))
        elif fault == "renumbered":
            switch(self.folder, "unplugged")
        else:
            switch(self.folder, fault)
        time.sleep(dice.choice((dice.uniform(0.2, 1.0), dice.uniform(2.8, 4.0))))
        if fault == "renumbered":
            self._number = (self._number + dice.randrange(1, 4)) % 4

    def find(self) -> float:
        """How long from the moment on when it works until the evening has a living picture, s."""
        self._plug_in()
        began_s = time.monotonic()
        seen = self.watching.frames.last_seen
        while time.monotonic() - began_s < MOST_S:
            now = self.watching.frames.last_seen
            if self.shown == "live" and now is not seen:
                return time.monotonic() - began_s
            time.sleep(0.01)
        return MOST_S

    def wait_for(self, what: Callable[[], bool]) -> None:
        """Until it is so; AssertionError after a minute."""
        ends_s = time.monotonic() + MOST_S
        while not what():
            assert time.monotonic() < ends_s, "it never came"
            time.sleep(0.05)


@contextlib.contextmanager
def watched(folder: Path) -> Iterator[WatchedEvening]:
    """The evening, its round seen and entered."""
    evening = WatchedEvening(folder)
    try:
        evening.wait_for(lambda: evening.session.keeper.ledger.open_round is not None)
        time.sleep(8)  # its cards are learnt
        yield evening
    finally:
        evening.session.close()
