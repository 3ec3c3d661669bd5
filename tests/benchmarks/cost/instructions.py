"""What a webcam's pictures cost on a Raspberry Pi 4, as a share of one core: counted, not timed.

    python -m tests.benchmarks.cost.instructions --seed 5200

Valgrind counts the instructions of all that is done with a 1080p JPEG of a webcam: the small decoding in
the capturing process, the look, the referee. Two runs of different length are subtracted, so that
what is loaded and learnt once is not in it. Vectors are held at 128 bits, as an ARM core has them. A
Pi 4's core (Cortex-A72, 1.5 GHz) is taken to do `A_CYCLE` instructions a cycle, which is an
assumption: nobody here has such a computer. In play and at rest so many pictures a second are counted
as `companion/capture/look_pace.py` asks for on a computer as slow as that. Needs valgrind; a quarter of an hour.
"""

from __future__ import annotations

import argparse
import os
import pickle
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.cameras.jpeg_frame import frame_of_jpeg
from calibration.cameras.port import Frame
from companion.capture.look_pace import RESTING_S, SLOWEST_S, UNPLAYED_S
from companion.practice.faults import EVERYDAY
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from tests.benchmarks.cost.noise import BEFORE_S, SIZE_PX, looked_at, with_noise
from tests.benchmarks.results.record import Figure, add_json, record
from tests.support.victims.served_evening import ROOT

CORE_HZ = 1.5e9
A_CYCLE = 1.0
"""Instructions a cycle; assumed."""

LIKE_ARM = {
    "OPENCV_CPU_DISABLE": "AVX,AVX2,FP16,FMA3",
    "OPENBLAS_CORETYPE": "Nehalem",
    "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3",
    "JSIMD_FORCESSE2": "1",
}
"""The libraries' own switches for vectors of 128 bits."""

PLAY_S = (3.0, 13.0)
REST_S = (14.0, 26.0)
EMPTY_S = (62.0, 82.0)
"""A short run and a long one: what lies between them is counted. Where cards are waited for, a table
on which nothing moves is left alone after ten seconds (`companion/vision/frame/idle_policy.py`); an empty one
is searched for cards of any size in three looks, within a minute, and then no more
(`companion/vision/codes/printed_size.py`), and looked at as a whole every twenty seconds."""

Film = tuple[list[np.ndarray], float, object]


class Shown:
    """A camera that gives a film's JPEGs as the capturing process gives them."""

    name = "shown"

    def __init__(self, jpegs: list[np.ndarray], every_s: float) -> None:
        self._jpegs = jpegs
        self._every_s = every_s
        self._number = 0

    def read(self) -> Frame | None:
        """The next picture, small; its whole is decoded by whoever needs it."""
        number = self._number
        if number == len(self._jpegs):
            return None
        self._number += 1
        return frame_of_jpeg(self._jpegs[number].tobytes(), SIZE_PX, number * self._every_s, number)

    def close(self) -> None:
        """Nothing to let go of."""


def counted(film: Path, pictures: int) -> int:
    """Instructions of a run over so many of the film's pictures, loading included."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command += [sys.executable, "-m", __spec__.name, "--look", str(film), str(pictures)]
    told = subprocess.run(
        command, cwd=ROOT, env=os.environ | LIKE_ARM, capture_output=True, text=True, check=True
    )
    refs = re.search(r"I\s+refs:\s+([\d,]+)", told.stderr)
    assert refs, told.stderr
    return int(refs[1].replace(",", ""))


def films(seed: int, noise_grey: float) -> dict[str, tuple[Film, tuple[float, float]]]:
    """A stretch of a round, and a table on which nothing moves, while people play and while nobody does."""
    room = random_room(seed, 5, size_px=SIZE_PX, tray_side="right")
    script = write_script(5, "en", 1, seed, handling="tray", faults=EVERYDAY, layout=room.layout)
    table = PracticeTable(script, replace(room.camera, noise=0.0), room.cloth, seed, 1 / SLOWEST_S)
    begins_s = max(0.0, script.truth.rounds[0].dealt_s - BEFORE_S)
    played = [table.picture_at(float(t_s)) for t_s in begins_s + np.arange(0, PLAY_S[1], SLOWEST_S)]
    resting = [table.picture_at(begins_s)] * round(REST_S[1] / RESTING_S)
    unplayed = [table.picture_at(0.0)] * round(EMPTY_S[1] / UNPLAYED_S)
    return {
        "in play": ((with_noise(played, noise_grey, 1), SLOWEST_S, script.truth), PLAY_S),
        "at rest": ((with_noise(resting, noise_grey, 1), RESTING_S, script.truth), REST_S),
        "where nobody plays": ((with_noise(unplayed, noise_grey, 1), UNPLAYED_S, None), EMPTY_S),
    }


def main() -> None:
    """Print one line in play, one at rest and one where nobody plays."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=5200)
    parser.add_argument("--noise", type=float, default=4.0, help="grey levels")
    parser.add_argument("--look", nargs=2, help=argparse.SUPPRESS)
    add_json(parser)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if asked.look:
        jpegs, every_s, truth = pickle.loads(Path(asked.look[0]).read_bytes())
        for _ in looked_at(Shown(jpegs[: int(asked.look[1])], every_s), truth):
            pass
        return
    figures = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(4) as runs:
        waiting = []
        for what, (film, lengths_s) in films(asked.seed, asked.noise).items():
            kept = Path(folder) / what
            kept.write_bytes(pickle.dumps(film))
            many = [round(length_s / film[1]) for length_s in lengths_s]
            waiting.append((what, film[1], many, [runs.submit(counted, kept, n) for n in many]))
    for what, every_s, (short, long), counts in waiting:
        each = (counts[1].result() - counts[0].result()) / (long - short)
        share, goal = each / every_s / CORE_HZ / A_CYCLE, 0.6 if what == "in play" else 0.05
        told = f"{each / 1e6:.1f} million instructions a picture, {1 / every_s:g} a second: {share:.0%} of a core"
        print(f"{what}: {told}", flush=True)
        figures.append(
            Figure(f"Pi 4, counted, {what}", told, f"<= {goal:.0%}", long - short, share <= goal)
        )
    record(asked.json, figures, asked.seed)


if __name__ == "__main__":
    main()
