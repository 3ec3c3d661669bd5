"""A camera that is lost and found again and again: unplugged, frozen, black, odd, blocking, its process
killed.

    python -m tests.benchmarks.attacks.cameras [--times 1000] [--seed 1]

The product's own watching process and its child, with a camera that does as it is told. After each fault
it works again, and the next whole picture must come within three seconds; files and memory at the end are
as after the first faults. (A frozen or black picture is no loss to the camera: it is the eye that says so.)
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from companion.capture.live import LiveCamera
from companion.errors import CameraTrouble
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.camera_faults import open_faulty, switch
from tests.support.victims.served_evening import memory_mb, open_files

FAULTS = ("unplugged", "block", "crash", "odd", "frozen", "black", "killed")
GOAL_S = 3.0
WARM = 5
"""Faults after which memory is first looked at."""


def lose(camera: LiveCamera, folder: Path, fault: str, dice: random.Random) -> None:
    """Let the fault be for a moment, reading all the while."""
    if fault == "killed":
        if camera.child_id is not None:
            with contextlib.suppress(OSError):
                os.kill(camera.child_id, dice.choice((signal.SIGKILL, signal.SIGSTOP)))
    else:
        switch(folder, fault)
    ends_s = time.monotonic() + dice.uniform(0.1, 1.0)
    while time.monotonic() < ends_s:
        with contextlib.suppress(CameraTrouble):
            camera.read()


def find(camera: LiveCamera, folder: Path) -> float:
    """How long from the moment on when it works again until a picture comes."""
    switch(folder, "well")
    began_s = time.monotonic()
    while time.monotonic() - began_s < 60:
        try:
            if camera.read() is not None:
                return time.monotonic() - began_s
        except CameraTrouble:
            continue
    return 60.0


def main() -> int:
    """Lose it and find it."""
    parser = parser_of(__doc__)
    parser.add_argument("--times", type=int, default=1000)
    asked = parser.parse_args()
    report, dice = Report(asked), random.Random(asked.seed)
    took: dict[str, list[float]] = {fault: [] for fault in FAULTS}
    before: tuple[float, int] = (0.0, 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        switch(folder, "well")
        with contextlib.closing(LiveCamera(open_faulty, name, "test camera").open()) as camera:
            camera.read()
            for number in range(asked.times):
                fault = dice.choice(FAULTS)
                lose(camera, folder, fault, dice)
                took[fault].append(find(camera, folder))
                if number == WARM:
                    before = memory_mb(), open_files()
            after = memory_mb(), open_files()
    every = sorted(time_s for times in took.values() for time_s in times)
    late = Counter(fault for fault, times in took.items() for time_s in times if time_s > GOAL_S)
    value = (
        f"back within {every[len(every) // 2]:.1f} s (median), most {every[-1]:.1f} s; "
        f"later than 3 s: {sum(late.values())} {dict(late)}"
    )
    report.say("camera lost and found", value, "1,000 times, each within 3 s", len(every), not late)
    value = f"{before[0]:.0f} and {after[0]:.0f} MB, {before[1]} and {after[1]} files"
    report.say("camera lost and found: memory, files", value, "flat", len(every), after[0] < 1.1 * before[0] + 5 and after[1] <= before[1] + 2)  # fmt: skip
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
