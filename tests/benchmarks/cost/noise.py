"""What a camera's noise costs: processor milliseconds and calls a 1080p picture while a round is played.

    python -m tests.benchmarks.cost.noise --seed 5200

One stretch of a practice round is photographed without noise, ten pictures a second; to each picture
fresh noise of 2 to 10 grey levels is added, it goes through JPEG as a webcam's does, and the eye and
the referee look at it as in a game. The first two seconds, in which the table is learnt, are not counted.
A row with `--light` looks at four of ten pictures of the same stretch.
"""

from __future__ import annotations

import argparse
import cProfile
import resource
import time
from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from calibration.cameras.port import Camera, Frame
from calibration.cameras.slower import SlowerCamera
from companion.commands.shared.options import LIGHT_EVERY_S
from companion.evening.loop import frames_of, keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun
from companion.practice.faults import EVERYDAY
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from companion.practice.truth import Truth
from companion.vision.eye import Eye
from tests.benchmarks.results.record import Figure, add_json, record

SIZE_PX = (1920, 1080)
FPS = 10.0
BEFORE_S = 3.0
"""The stretch begins so long before the cards lie."""

LEARNING_S = 2.0
QUALITY = 85
GRAINS = 3
"""Pictures of noise that are made; each frame shows one of them, shifted and turned."""


class SensorNoise:
    """Fresh noise of so many grey levels for one picture after another."""

    def __init__(self, noise_grey: float, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        shape = (*SIZE_PX[::-1], 3)
        self._grains = [
            self._rng.standard_normal(shape, np.float32) * np.float32(noise_grey)
            for _ in range(GRAINS)
        ]

    def coded(self, picture: np.ndarray) -> np.ndarray:
        """The picture with noise, as JPEG."""
        return np.asarray(
            cv2.imencode(".jpg", self.noisy(picture), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]
        )

    def noisy(self, picture: np.ndarray) -> np.ndarray:
        """The picture (H, W, 3) uint8 with noise."""
        rng = self._rng
        grain = self._grains[rng.integers(GRAINS)][:: rng.choice((-1, 1)), :: rng.choice((-1, 1))]
        grain = np.roll(grain, int(rng.integers(64)), 1)
        return np.clip(picture + grain, 0, 255).astype(np.uint8)


def with_noise(pictures: list[np.ndarray], noise_grey: float, seed: int) -> list[np.ndarray]:
    """The pictures with fresh noise, as JPEG."""
    noise = SensorNoise(noise_grey, seed)
    return [noise.coded(picture) for picture in pictures]


class Shown:
    """A camera that shows pictures which are there already, as JPEG."""

    name = "shown"

    def __init__(self, coded: list[np.ndarray]) -> None:
        self._coded = coded
        self._number = 0
        self.decoding_s = 0.0

    def read(self) -> Frame | None:
        """The next picture, decoded."""
        if self._number == len(self._coded):
            return None
        begun_s = time.process_time()
        image = np.asarray(cv2.imdecode(self._coded[self._number], cv2.IMREAD_COLOR))
        self.decoding_s += time.process_time() - begun_s
        self._number += 1
        return Frame(image, (self._number - 1) / FPS, self._number - 1)

    def close(self) -> None:
        """Nothing to let go of."""


def looked_at(camera: Camera, truth: Truth | None) -> Iterable[float]:
    """The time of each picture, as it has been looked at and judged; without a truth no evening is
    played."""
    keeper = Scorekeeper()
    if truth is not None:
        begun = EveningBegun(truth.players, truth.daydreamer, "en", len(truth.deck), "tray")
        keeper.change(Changes((begun,)), 0.0)
    for step in keep_score(frames_of(camera, Eye()), keeper):
        yield step.glimpse.t_s


def work_of(noisy: Shown, truth: Truth, light: bool, count_calls: bool) -> tuple[float, int, int]:
    """Processor seconds (without decoding) and calls (0: not counted) after the learning, and of how
    many pictures."""
    camera: Camera = SlowerCamera(noisy, LIGHT_EVERY_S) if light else noisy
    profile, begun_s, decoded_s, pictures = cProfile.Profile(), 0.0, 0.0, 0
    for t_s in looked_at(camera, truth):
        if t_s < LEARNING_S:
            begun_s, decoded_s = time.process_time(), noisy.decoding_s
            continue
        if count_calls and not pictures:
            profile.enable()
        pictures += 1
    took_s = time.process_time() - begun_s - (noisy.decoding_s - decoded_s)
    profile.disable()
    calls = sum(entry.callcount for entry in profile.getstats()) if count_calls else 0
    return took_s, calls, pictures


def main() -> None:
    """Print one line a noise and way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=5200)
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="of the stretch that is counted"
    )
    parser.add_argument("--noise", default="0,2,4,6,8,10", help="grey levels, with commas between")
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    room = random_room(args.seed, 5, size_px=SIZE_PX, tray_side="right")
    script = write_script(
        5, "en", 1, args.seed, handling="tray", faults=EVERYDAY, layout=room.layout
    )
    table = PracticeTable(script, replace(room.camera, noise=0.0), room.cloth, args.seed, FPS)
    begins_s = max(0.0, script.truth.rounds[0].dealt_s - BEFORE_S)
    times = begins_s + np.arange(0, LEARNING_S + args.seconds, 1 / FPS)
    pictures = [table.picture_at(float(t_s)) for t_s in times]
    figures = []
    for noise in (float(word) for word in args.noise.split(",")):
        coded = with_noise(pictures, noise, 1)
        for light in (False, True):
            took_s, _, many = work_of(Shown(coded), script.truth, light, False)
            _, calls, _ = work_of(Shown(coded), script.truth, light, True)
            way = ", --light" if light else ""
            told = (
                f"{1000 * took_s / many:.0f} ms and {calls // many:,} calls a picture; "
                f"{took_s / args.seconds:.0%} of this core"
            )
            print(f"noise {noise:g}{way}: {told}", flush=True)
            figures.append(
                Figure(f"a picture with noise of {noise:g} grey levels{way}", told, n=many)
            )
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"most memory, with the film's pictures: {most_mb:.0f} MB")
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
