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

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))


def _row(size_px: tuple[int, int], frames: int, seed: int) -> str:
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
    return (
        f"{size_px[0]}x{size_px[1]}  set up {ready_s:4.1f} s  mean {figures.mean():5.1f} ms  "
        f"median {np.median(figures):5.1f}  90 % under {np.percentile(figures, 90):5.1f}  worst {figures.max():5.0f}"
    )


def main() -> None:
    """Print one line a camera size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for size_px in SIZES:
        print(_row(size_px, options.frames, options.seed), flush=True)


if __name__ == "__main__":
    main()
