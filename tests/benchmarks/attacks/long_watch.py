"""A webcam of thirty pictures a second that is watched for hours: what does it cost, and what stays behind?

    python -m tests.benchmarks.attacks.long_watch [--minutes 240] [--seconds 30] [--seed 5200]

So many seconds of a practice round, photographed at 1080p, come over and over from a stand-in for the
webcam's driver; the product's own capturing process reads them and its own watching looks at them. Memory
of both processes and open files are looked at every quarter of a minute, from when the camera has settled
and the round was seen once.
"""

from __future__ import annotations

import statistics
import sys
import time

import cv2

from tests.benchmarks.attacks.report import Report, parser_of
from tests.benchmarks.cost.live import SETTLES_S, photographed, used_s, watched_pictures
from tests.support.victims.served_evening import memory_mb, open_files

LEAK_MB = 10.0
CORE = 0.6
LOOK_S = 15.0


def main() -> int:
    """One row for what stays behind, one for the core."""
    parser = parser_of(__doc__)
    parser.set_defaults(seed=5200)
    parser.add_argument("--minutes", type=float, default=240.0)
    parser.add_argument("--seconds", type=float, default=30.0, help="of the round that comes again")
    asked = parser.parse_args()
    report = Report(asked)
    cv2.setNumThreads(1)
    truth, (jpegs,) = photographed(asked.seed, (asked.seconds,), 4.0)
    held_mb: list[float] = []
    with watched_pictures(jpegs, truth) as (watching, camera):
        jpegs.clear()
        time.sleep(SETTLES_S + asked.seconds)
        files, began_s, before_s = open_files(), time.monotonic(), used_s(camera.child_id)
        while (took_s := time.monotonic() - began_s) < 60 * asked.minutes:
            held_mb.append(memory_mb())
            print(f"{took_s:.0f} s: {held_mb[-1]:.1f} MB", flush=True)
            time.sleep(min(LOOK_S, 60 * asked.minutes - took_s + 0.1))
        took_s = time.monotonic() - began_s
        share = (used_s(camera.child_id) - before_s) / took_s
        left = open_files() - files
        frames = watching.frames.last_seen.frames_per_s
    few = max(1, len(held_mb) // 5)
    first_mb, last_mb = statistics.median(held_mb[:few]), statistics.median(held_mb[-few:])
    value = f"{first_mb:.0f} and {last_mb:.0f} MB (median of the first and the last fifth), most {max(held_mb):.0f}; {left} files more"
    flat = last_mb - first_mb < LEAK_MB and left <= 2
    report.say(f"watched for {asked.minutes:g} minutes", value, f"< {LEAK_MB:.0f} MB more, in 4 h", len(held_mb), flat)  # fmt: skip
    value = f"{share:.0%} of this core; {frames:.1f} pictures a second looked at"
    report.say("a core, at 30 pictures a second", value, f"< {CORE:.0%}", len(held_mb), share < CORE)  # fmt: skip
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
