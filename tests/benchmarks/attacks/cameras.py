"""A camera that is lost and found again and again in one evening: unplugged, frozen, black, odd,
blocking, back under another number, its process killed or stopped.

    python -m tests.benchmarks.attacks.cameras [--times 1000] [--between 1.5] [--seed 1]

The product's own watching thread, its capturing process and its eye over a table on which a round lies
open, with a camera that does as it is told. After each fault the camera works again, and from that
moment on the screens must say so within three seconds; all the while nothing may be entered that was
not there before, and files and memory stay as after the first faults.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.benchmarks.attacks.report import Report, parser_of

GOAL_S = 3.0
WARM = 8
"""Faults after which memory is first looked at."""


def main() -> int:
    """Lose it and find it."""
    # Loaded here: the camera's process, which loads this module, has no use for a practice table.
    from tests.support.victims.served_evening import memory_mb, open_files
    from tests.support.victims.watched_evening import FAULTS, watched

    parser = parser_of(__doc__)
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--between", type=float, default=1.5, help="seconds from found to lost")
    asked = parser.parse_args()
    report, dice = Report(asked), random.Random(asked.seed)
    took: dict[str, list[float]] = {fault: [] for fault in FAULTS}
    before: tuple[float, int] = (0.0, 0)
    with tempfile.TemporaryDirectory() as name, watched(Path(name)) as evening:
        log = evening.session.log
        for number in range(asked.times):
            fault = FAULTS[number % len(FAULTS)] if number < WARM else dice.choice(FAULTS)
            evening.lose(fault, dice)
            took[fault].append(evening.find())
            time.sleep(asked.between)
            if number == WARM:
                before = memory_mb(), open_files()
        after = memory_mb(), open_files()
        entered = evening.session.log.entries[len(log.entries) :]
        status, _ = evening.session.command(
            {"id": "after-all-of-it", "version": evening.session.version, "do": "wrong"}
        )
    every = sorted(time_s for times in took.values() for time_s in times)
    late = Counter(fault for fault, times in took.items() for time_s in times if time_s > GOAL_S)
    value = f"back within {every[len(every) // 2]:.1f} s (median), most {every[-1]:.1f} s; later than 3 s: {late.total()} {dict(late) or ''}"
    report.say("camera lost and found", value, "1,000 times, each within 3 s", len(every), not late)
    value = f"{before[0]:.0f} and {after[0]:.0f} MB, {before[1]} and {after[1]} files"
    flat = after[0] < 1.1 * before[0] + 5 and after[1] <= before[1] + 2
    report.say("camera lost and found: memory, files", value, "flat", len(every), flat)
    value = f"{len(entered)} entries nobody made; a tap afterwards: {status}"
    good = not entered and status == 200
    report.say("camera lost and found: the evening", value, "0, 200", len(every), good)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
