"""How long a film with a camera's noise takes: `companion score`, from its start to the ledger, on one core.

    python -m tests.benchmarks.cost.film --seed 5201 --seconds 105 --noise 4

A stretch of a practice evening from its first deal on is written as a film of 1080p, ten pictures a second,
each a JPEG with fresh sensor noise, little compressed (0.7 MB a picture). The product reads it whole in a
process of its own, which together with its children has one core: decoding, the second reader, and loading
what it needs are counted. Its rounds are compared with the truth. A second time with `--light`. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from companion.practice.faults import EVERYDAY
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from companion.practice.truth import RoundTruth, Truth
from tests.benchmarks.cost.noise import BEFORE_S, FPS, SIZE_PX, SensorNoise
from tests.benchmarks.results.record import Figure, add_json, record

GOAL_S = 30.0
"""Of a core, for a film of 105 s."""

ROUNDS = 8
"""More than a film of some minutes shows."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a film took: seconds by the clock, seconds of the core, and the ledger's rounds."""

    wall_s: float
    core_s: float
    rounds: list[dict[str, Any]]


def write_film(
    file: Path, seed: int, seconds: float, noise_grey: float
) -> tuple[Truth, list[RoundTruth]]:
    """Photograph the stretch into `file`; who played, and the rounds that end within it."""
    room = random_room(seed, 5, size_px=SIZE_PX, tray_side="right")
    script = write_script(
        5, "en", ROUNDS, seed, handling="tray", faults=EVERYDAY, layout=room.layout
    )
    table = PracticeTable(script, replace(room.camera, noise=0.0), room.cloth, seed, FPS)
    begins_s = max(0.0, script.truth.rounds[0].dealt_s - BEFORE_S)
    noise = SensorNoise(noise_grey, seed)
    film = cv2.VideoWriter(
        str(file), cv2.CAP_OPENCV_MJPEG, cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE_PX
    )
    for number in range(round(seconds * FPS)):
        film.write(noise.noisy(table.picture_at(begins_s + number / FPS)))
    film.release()
    ended = [line for line in script.truth.rounds if line.ended_s < begins_s + seconds - 1.0]
    return script.truth, ended


def read_film(film: Path, truth: Truth, *options: str) -> Reading:
    """Let the product keep the score of it, on the core that this process has."""
    ledger = film.with_suffix(".json")
    names = truth.players
    words = [
        "score",
        str(film),
        "--players",
        ",".join(names),
        "--daydreamer",
        names[truth.daydreamer],
    ]
    began_s, before_s = time.monotonic(), _children_s()
    subprocess.run(
        [sys.executable, "-m", "companion", *words, "--json", str(ledger), "--quiet", *options],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    wall_s, core_s = time.monotonic() - began_s, _children_s() - before_s
    return Reading(wall_s, core_s, json.loads(ledger.read_text("utf-8"))["rounds"])


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def as_it_was(kept: dict[str, Any], line: RoundTruth, names: tuple[str, ...]) -> bool:
    """Whether a round of the ledger has the cards, wrong guesses and gains of the truth."""
    aside = [guess["card"] for guess in kept["guesses"] if not guess["right"]]
    gains = dict(zip(names, line.gains(len(names)), strict=True))
    return (
        kept["cards"] == sorted(line.cards)
        and aside == [guess.card for guess in line.guesses if not guess.right]
        and all(gains[name] == gained for name, gained in kept["gains"].items())
    )


def main() -> None:
    """Print one line a way of reading."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=5201)
    parser.add_argument("--seconds", type=float, default=105.0)
    parser.add_argument("--noise", type=float, default=4.0, help="grey levels")
    add_json(parser)
    args = parser.parse_args()
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder) / "film.avi"
        truth, lines = write_film(film, args.seed, args.seconds, args.noise)
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        for options in ((), ("--light",)):
            read = read_film(film, truth, *options)
            pairs = zip(read.rounds, lines, strict=False)
            right = sum(as_it_was(kept, line, truth.players) for kept, line in pairs)
            told = (
                f"{read.core_s:.1f} s of a core, {read.wall_s:.1f} s by the clock; "
                f"{right} of its {len(lines)} rounds as they were"
            )
            way = ", ".join(
                (f"a film of {args.seconds:g} s, noise of {args.noise:g} grey levels", *options)
            )
            print(f"{way}: {told}", flush=True)
            good = read.core_s <= GOAL_S and right == len(lines)
            figures.append(
                Figure(way, told, f"<= {GOAL_S:g} s of a core", round(args.seconds * FPS), good)
            )
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
