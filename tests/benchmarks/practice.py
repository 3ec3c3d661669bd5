"""How fast the practice table renders: `python -m tests.benchmarks.practice` prints milliseconds a
frame by camera.

Whole scripted minutes at 10 frames a second on one thread; CPU time, so that a busy machine does
not matter much.
"""

from __future__ import annotations

import argparse
import time

import cv2
import numpy as np

from companion.practice.faults import EVERYDAY
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from tests.benchmarks.results.record import Figure, add_json, record

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))


def _figure(size_px: tuple[int, int], frames: int, seed: int) -> Figure:
    room = random_room(seed, 5, size_px=size_px)
    script = write_script(5, rounds=1, seed=seed, layout=room.layout, faults=EVERYDAY)
    started = time.process_time()
    table = PracticeTable(script, room.camera, room.cloth, seed)
    table.picture_at(0.0)
    ready_s = time.process_time() - started
    table.seek(script.truth.rounds[0].dealt_s - 6)
    took = []
    for _ in range(frames):
        started = time.process_time()
        if table.read() is None:
            break
        took.append(1000 * (time.process_time() - started))
    figures = np.array(took)
    return Figure(
        f"a frame of {size_px[0]}x{size_px[1]}",
        f"{figures.mean():.1f} ms on average, median {np.median(figures):.1f}, 90 % under "
        f"{np.percentile(figures, 90):.1f}, worst {figures.max():.0f}; set up {ready_s:.1f} s",
        n=len(figures),
    )


def main() -> None:
    """Print one line a camera size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    add_json(parser)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    figures = []
    for size_px in SIZES:
        figures.append(_figure(size_px, options.frames, options.seed))
        print(f"{figures[-1].what:22} {figures[-1].value}", flush=True)
    record(options.json, figures, options.seed)


if __name__ == "__main__":
    main()
