"""What a webcam of thirty pictures a second costs, as a share of one core: while its table rests, and
while a round is played.

    python -m tests.benchmarks.cost.live --seed 5200 --seconds 20

A stretch of a practice round is photographed at 1080p, with fresh noise in each picture, as the JPEGs
that a webcam's driver gives. The product's own capturing process reads them from a stand-in for that
driver, and its own watching looks at them as in a game: both processes are counted, from when the
camera has settled. With `--every-picture` each picture is looked at that comes in time.
Linux only, as the driver.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.cameras import webcam
from calibration.cameras.port import Camera
from companion.capture.live import LiveCamera
from companion.capture.look_pace import LookPace
from companion.capture.watching import Watching
from companion.evening.session import Session
from companion.journal import Journal
from companion.practice.faults import EVERYDAY
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from companion.practice.truth import Truth
from companion.vision.eye import Eye
from tests.benchmarks.cost.noise import BEFORE_S, SIZE_PX, with_noise
from tests.benchmarks.results.record import Figure, add_json, record

DRIVER_FPS = 30
PICTURED_FPS = 10
SETTLES_S = 12.0
"""The controls are locked and the table is learnt after so long."""


class ShownDriver:
    """Stands where `cv2.VideoCapture` stands: JPEGs, thirty a second, over and over."""

    def __init__(self, jpegs: list[np.ndarray]) -> None:
        self._jpegs = jpegs
        self._began_s = time.monotonic()
        self._number = 0

    def isOpened(self) -> bool:  # noqa: N802 (as cv2 has it)
        """Always."""
        return True

    def get(self, prop: int) -> float:
        """1080p MJPG."""
        told = {
            cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"MJPG")),
            cv2.CAP_PROP_FRAME_WIDTH: float(SIZE_PX[0]),
            cv2.CAP_PROP_FRAME_HEIGHT: float(SIZE_PX[1]),
        }
        return told.get(prop, 0.0)

    def set(self, prop: int, value: float) -> bool:
        """Takes every order."""
        return True

    def grab(self) -> bool:
        """Wait for the next picture."""
        self._number += 1
        wait_s = self._began_s + self._number / DRIVER_FPS - time.monotonic()
        if wait_s > 0:
            time.sleep(wait_s)
        return True

    def read(self) -> tuple[bool, np.ndarray]:
        """The next picture, still coded."""
        self.grab()
        return True, self._jpegs[self._number % len(self._jpegs)].reshape(1, -1)

    def release(self) -> None:
        """Nothing to let go of."""


def open_shown(source: str) -> Camera:
    """A webcam over the pictures in the file `source`."""
    jpegs = pickle.loads(Path(source).read_bytes())
    stand_ins: dict[str, Any] = {
        "_opened": lambda number: ShownDriver(jpegs),
        "_named": lambda text: "shown",
        "_number_of": lambda text: 0,
        "set_mains": lambda *_: 0,
    }
    for name, stand_in in stand_ins.items():
        setattr(webcam, name, stand_in)
    return webcam.open_webcam("0")


def used_s(child_id: int | None) -> float:
    """Processor seconds of this process and the capturing one."""
    fields = Path(f"/proc/{child_id}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def watched_pictures(
    jpegs: list[np.ndarray], truth: Truth
) -> Iterator[tuple[Watching, LiveCamera]]:
    """An evening whose camera shows these pictures, over and over."""
    with tempfile.TemporaryDirectory() as folder:
        shown = Path(folder) / "pictures"
        shown.write_bytes(pickle.dumps(jpegs))
        camera = LiveCamera(open_shown, str(shown), "shown").open()
        session = Session(Journal(Path(folder) / "data"))
        watching = Watching(camera, Eye())
        session.attach(watching)
        begun = {"do": "begin", "players": truth.players, "daydreamer": truth.daydreamer}
        session.command({"id": "cost-begin", "version": session.version, **begun})
        watching.start(session)
        yield watching, camera
        watching.stop()
        session.journal.close()


def share_of_a_core(jpegs: list[np.ndarray], truth: Truth, seconds: float) -> tuple[float, float]:
    """Processor seconds a second, and pictures looked at a second."""
    with watched_pictures(jpegs, truth) as (watching, camera):
        time.sleep(SETTLES_S)
        began_s, before_s = time.monotonic(), used_s(camera.child_id)
        rates = []
        while time.monotonic() - began_s < seconds:
            time.sleep(1.0)
            rates.append(watching.frames.last_seen.frames_per_s)
        took_s = time.monotonic() - began_s
        share = (used_s(camera.child_id) - before_s) / took_s
    return share, sum(rates) / len(rates)


def photographed(
    seed: int, stretches_s: tuple[float, ...], noise: float
) -> tuple[Truth, list[list[np.ndarray]]]:
    """A practice round, and its pictures from its deal on for each of these lengths, as JPEGs."""
    room = random_room(seed, 5, size_px=SIZE_PX, tray_side="right")
    script = write_script(5, "en", 1, seed, handling="tray", faults=EVERYDAY, layout=room.layout)
    table = PracticeTable(script, replace(room.camera, noise=0.0), room.cloth, seed, PICTURED_FPS)
    begins_s = max(0.0, script.truth.rounds[0].dealt_s - BEFORE_S)
    found = []
    for length_s in stretches_s:
        times = begins_s + np.arange(0, length_s, 1 / PICTURED_FPS)
        pictures = [table.picture_at(float(t_s)) for t_s in times]
        repeats = 90 if len(pictures) == 1 else DRIVER_FPS // PICTURED_FPS
        found.append(with_noise([p for p in pictures for _ in range(repeats)], noise, 1))
    return script.truth, found


def main() -> None:
    """Print one line for a table at rest and one for a round."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=5200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--noise", type=float, default=4.0, help="grey levels")
    parser.add_argument("--every-picture", action="store_true")
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.every_picture:
        LookPace.after_look = lambda self, took_s, resting, played: 0.0
    lengths_s = (0.1, SETTLES_S + args.seconds)
    truth, stretches = photographed(args.seed, lengths_s, args.noise)
    figures = []
    for what, jpegs in zip(("a table at rest", "a round"), stretches, strict=True):
        share, looked = share_of_a_core(jpegs, truth, args.seconds)
        told = f"{share:.0%} of this core; {looked:.1f} pictures a second looked at"
        way = ", every picture" if args.every_picture else ""
        print(f"{what}{way}: {told}", flush=True)
        figures.append(Figure(f"a webcam of 30 a second, {what}{way}", told))
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
