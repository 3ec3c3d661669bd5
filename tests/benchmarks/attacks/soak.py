"""Evening after evening in one process, with everything of the other attacks at random.

    python -m tests.benchmarks.attacks.soak [--evenings 10] [--seconds 1440] [--seed 1]

A camera keeps one evening after the other thirty times faster than life and is lost and found, a tablet
taps ten times a second, and an attacker changes every few seconds: slow and greedy connections, streams,
previews, photographs, mutated requests, nothing. Each evening has every shape of attack, in an order of its
own, so that the last can be compared with the first. `--seconds` is how long each evening lasts: twelve
rounds take about as long as four hours hold, thirty times faster. After each the server's own memory, its
files and the taps are looked at, and at the end the taps beside each shape.
"""

from __future__ import annotations

import random
import sys
import tempfile
import threading
import time
from contextlib import nullcontext
from pathlib import Path

from tests.benchmarks.attacks import requests as mutated
from tests.benchmarks.attacks.report import Report, parser_of
from tests.benchmarks.attacks.traffic import GOAL_MS, SHAPES, attack, taps, told_taps
from tests.support.victims.served_evening import Served, served

LINES = 120
WARM = 1
"""Evenings before memory is first looked at: caches fill in the first."""

Taps = dict[str, list[float]]
"""What the taps took beside each shape, ms."""


def attacked(
    evening: Served, dice: random.Random, seconds: float, requests: mutated.Mutator, took: Taps
) -> int:
    """Each shape once, together for so long, and taps all the while; how many answers were 500."""
    shapes, faults = [*SHAPES, "mutated", "nobody"], 0
    dice.shuffle(shapes)
    for shape in shapes:
        cookie = dice.choice(("", evening.greedy, evening.watch))
        shape_s = seconds / len(shapes)
        tapped: list[float] = []
        tablet = threading.Thread(
            target=lambda into, so_long: into.extend(taps(evening, so_long)), args=(tapped, shape_s)
        )
        with attack(shape, evening.port, LINES, cookie) if shape in SHAPES else nullcontext():
            tablet.start()
            until_s = time.monotonic() + shape_s
            while shape == "mutated" and time.monotonic() < until_s:
                request = requests.request(cookie, True)
                if mutated.sent(evening.port, request) == "500":
                    faults += 1
                    print(f"500: {request[:600]!r}", flush=True)
            tablet.join()
        took.setdefault(shape, []).extend(tapped)
    return faults


def main() -> int:
    """One row for memory and files, one for taps, one for faults."""
    parser = parser_of(__doc__)
    parser.add_argument("--evenings", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=480, help="of each evening")
    asked = parser.parse_args()
    report, dice = Report(asked), random.Random(asked.seed)
    memory_mb: list[float] = []
    files: list[int] = []
    took: list[list[float]] = []
    beside: Taps = {}
    faults = 0
    with tempfile.TemporaryDirectory() as other:
        inner = mutated.Inside(Path(other), asked.seed)
        requests = inner.mutator
        inner.close()
    with tempfile.TemporaryDirectory() as name, served(Path(name), camera=True) as evening:
        for number in range(asked.evenings):
            tapped: Taps = {}
            faults += attacked(evening, dice, asked.seconds, requests, tapped)
            time.sleep(3)
            took.append(sorted(one for times in tapped.values() for one in times))
            for shape, times in tapped.items():
                beside.setdefault(shape, []).extend(times)
            memory_mb.append(evening.own_mb)
            files.append(evening.open_files)
            print(f"evening {number + 1}: {memory_mb[-1]:.0f} MB, {files[-1]} files, {told_taps(took[-1])}", flush=True)  # fmt: skip
    first, last = memory_mb[min(WARM, len(memory_mb) - 1)], memory_mb[-1]
    value = f"{first:.0f} MB after evening {WARM + 1}, {last:.0f} after the last, most {max(memory_mb):.0f}; files {files[0]} and {files[-1]}"
    report.say("soak: memory and files", value, "flat", asked.evenings, last < 1.1 * first + 5 and files[-1] <= files[0] + 10)  # fmt: skip
    p99 = [times[int(len(times) * 0.99)] for times in took]
    value = f"99 % within {p99[0]:.0f} ms in the first evening, {p99[-1]:.0f} in the last, {max(p99):.0f} in the worst"
    good = p99[-1] < max(1.5 * p99[0], GOAL_MS)
    report.say("soak: taps", value, "as in the first", sum(map(len, took)), good)
    told = [
        f"{shape.replace('_', ' ')} {sorted(times)[int(len(times) * 0.99)]:.0f}"
        for shape, times in beside.items()
    ]
    report.say("soak: taps beside each shape, 99 % within, ms", ", ".join(told), "", sum(map(len, took)), True)  # fmt: skip
    report.say("soak: answers of 500", str(faults), "0", asked.evenings, not faults)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
