"""Does the referee stay small and quick in hour four? Eight slow players, one evening; prints
memory and time by hour.

    python -m tests.benchmarks.referee_hours [--hours 4] [--fps 10] [--seed 1]

The memory is what the referee and the curtain hold at the end of each hour (their pickled size);
the time is the thread's own, of every sixteenth glimpse.
"""

from __future__ import annotations

import argparse
import pickle
import statistics
import time
from dataclasses import replace

from companion.dealing.curtain import Curtain
from companion.referee.referee import Referee
from companion.table.sighting import RawGlimpse
from tests.benchmarks.referee import TIMED
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.referee_world import TEMPERS, Eye, Table


def main() -> int:
    """Print one line an hour."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    add_json(parser)
    args = parser.parse_args()
    figures = []
    slow = replace(
        TEMPERS["rowdy"], think=args.hours * 3600.0 / 32, quick=0.0
    )  # 10 rounds of 3 to 4 guesses
    table = Table(8, "tray", slow, args.seed, rounds=10)
    referee, curtain, eye = Referee(8, "tray"), Curtain(), Eye(table)
    took, t, seen, hour, rounds = list[float](), 0.0, 0, 1, set[int]()
    print("hour  rounds  glimpses  state kB  ms median, 99 %, worst")
    while t < table.end_s:
        t += table.random.uniform(0.85, 1.15) / args.fps
        raw = RawGlimpse(eye.look(t, referee.places))
        glimpse = curtain.draw_curtain(raw, referee.attention, referee.curtain_open)
        seen += 1
        start = time.thread_time() if seen % TIMED == 0 else None
        rounds |= {ruling.round for ruling in referee.observe_glimpse(glimpse)}
        if start is not None:
            took.append(1000 * (time.thread_time() - start))
        if t > 3600 * hour or t >= table.end_s:
            state = len(pickle.dumps((referee, curtain))) / 1024
            took.sort()
            print(f"{t / 3600:4.2f}{len(rounds):8d}{seen:10d}{state:10.1f}"
                  f"  {statistics.median(took):.3f} {took[int(len(took) * 0.99)]:.3f} {took[-1]:.2f}", flush=True)  # fmt: skip
            figures.append(
                Figure(
                    f"after {t / 3600:.2f} h: the referee's state, and a glimpse",
                    f"{state:.0f} kB, {statistics.median(took):.2f} ms (median), 99 % within "
                    f"{took[int(len(took) * 0.99)]:.2f} ms",
                    n=seen,
                )
            )
            took, hour = [], hour + 1
    record(args.json, figures, args.seed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
