"""Measures all that the page shows, one benchmark after the other, then writes the page.

    uv run python -m tests.benchmarks.results.measure              some hours of two quiet cores
    uv run python -m tests.benchmarks.results.measure reader       the benchmarks that are named
    uv run python -m tests.benchmarks.results.measure attacks      all attacks

What is measured is kept benchmark by benchmark, so that a run which was stopped has lost nothing.
"""

from __future__ import annotations

import shlex
import subprocess
import sys

from tests.benchmarks.results import page
from tests.benchmarks.results.record import rows_of

RUNS = """
evening --handling tray --evenings 12 --rounds 4 --seed 8600000 --faults living --fps 4 --idle-fps 1.34
evening --eye witness --evenings 40 --rounds 5 --seed 910000 --faults living --handling tray
evening --eye witness --evenings 40 --rounds 5 --seed 910000 --faults living --handling away
evening --eye witness --evenings 40 --rounds 5 --seed 910000 --faults living --handling face-down
evening --eye witness --evenings 250 --rounds 4 --seed 1560000 --handling tray --rate 1 --faults pile_on_top
evening --eye witness --evenings 250 --rounds 4 --seed 1510000 --handling tray --rate 1 --faults pile_under
evening --eye witness --evenings 250 --rounds 4 --seed 1540000 --handling tray --rate 1 --faults pile_fan
evening --eye witness --evenings 250 --rounds 4 --seed 1520000 --handling tray --rate 1 --faults pile_heap
evening --eye witness --evenings 250 --rounds 4 --seed 1550000 --handling tray --rate 1 --faults tray_edge
evening --eye witness --evenings 250 --rounds 4 --seed 1530000 --handling tray --rate 1 --faults tray_cut_off
evening --eye witness --evenings 250 --rounds 4 --seed 1570000 --handling tray --rate 1 --faults tray_far
evening --eye witness --evenings 250 --rounds 4 --seed 1580000 --handling tray --rate 0.5 --faults unruly
evening --evenings 28 --rounds 3 --seed 1610000 --handling tray --rate 1 --faults piles --fps 4 --idle-fps 1.34
evening --light --fps 10 --idle-fps 4 --evenings 16 --rounds 3 --seed 8700000 --faults living
evening --light --eye witness --fps 10 --evenings 100 --rounds 5 --seed 8710000 --faults living --jobs 1
referee --evening 6 --tempers ordinary,rowdy --rounds 1002 --seed 55000000 --only tray,face-down
referee --evening 6 --tempers ordinary,rowdy --rounds 504 --seed 55000000 --only away,bare
referee_hours
reader --frames 28 --seed 570000
reader --many
reader_views --views 30000 --seed 13000000
reader_aligned --sheets 20 --seed 13000000
places
places_hours --place-seconds 8000 --seed 97500
places_many --seed 1900
pictures --tables 40 --seed 4000
deck --cards 300
deck.lesson --lessons 28 --seed 9100
backs --rooms 4 --seed 44000
still --rooms 4 --seed 5100
cost.noise --seed 5200
cost.film --seed 5201 --seconds 105 --noise 4
cost.memory --seed 5200
set_up --scale 0.3 --seed 7301
table_plane --tables 60 --seed 6200
journal --kills 2000
stream
screens.pages --rounds 12 --tables 3
attacks.traffic
attacks.taps
attacks.files
attacks.disk
attacks.carry
attacks.book
attacks.requests
attacks.pictures
attacks.parsers
attacks.cameras
attacks.kills
attacks.parsers_covered
attacks.sleepers
attacks.long_watch
attacks.soak
practice
print_room
deck_check --seeds 100 --first 5000
years --evenings 10000
years.season --evenings 40 --rounds 2
years.season --evenings 40 --rounds 5 --eye witness
"""
"""One line a run: the benchmark, and with what."""


def main(names: list[str]) -> int:
    """Run each line, or those of the benchmarks that are named; 1 when one of them failed."""
    failed = 0
    for line in RUNS.split("\n"):
        words = shlex.split(line)
        if not words or (names and not {words[0], *words[0].split(".")} & set(names)):
            continue
        file = page.FOLDER / f"{words[0].split('.')[-1]}.json"
        command = [sys.executable, "-m", f"tests.benchmarks.{words[0]}", *words[1:]]
        print(line, flush=True)
        failed |= subprocess.run([*command, "--json", str(file)], check=False).returncode
        if file.exists():
            print(f"    {len(rows_of(file))} figures in {file.name}", flush=True)
    page.main()
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
