"""Film the practice table: footage as a camera would record it, and beside it the truth.

Knows files; the evening and its pictures come from the script and the table. A tool for tests and
for trying things out: `python -m companion.practice.film --seed 3 --out evening.avi` also writes
`evening.json`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import cv2

from companion.errors import BadInput
from companion.game.events import EDITIONS, HANDLINGS
from companion.practice.acting.people import TEMPERS
from companion.practice.faults import EVERYDAY, Faults
from companion.practice.room import parlour, random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable


def film(table: PracticeTable, path: Path, on_frame: Callable[[int], None] = lambda _: None) -> int:
    """Write the whole evening to `path` (.avi, MJPEG) and its truth beside it as .json; the number
    of frames is returned. `on_frame` is told how many there are after each.

    Stalls of the camera repeat its last picture, as recordings do.

    Raises:
        BadInput: the file cannot be written.
    """
    size = table.camera.size_px
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), table.fps, size)
    if not writer.isOpened():
        raise BadInput(
            f"cannot write {path}: give the name of an .avi file in a folder that exists"
        )
    written = 0
    while (frame := table.read()) is not None:
        while written <= frame.number:
            writer.write(frame.image)
            written += 1
            on_frame(written)
    writer.release()
    path.with_suffix(".json").write_text(
        json.dumps(table.truth.as_json(), indent=1, ensure_ascii=False), encoding="utf-8"
    )
    return written


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m companion.practice.film", description="Film a practice evening."
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="the .avi file to write; the truth goes beside it as .json",
    )
    parser.add_argument("--players", type=int, default=5)
    parser.add_argument("--edition", choices=EDITIONS, default="en")
    parser.add_argument("--handling", choices=HANDLINGS, default="auto")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--temper", choices=TEMPERS, default="ordinary")
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument(
        "--haste",
        type=float,
        default=1.0,
        help="divides the pauses in which nobody touches the table",
    )
    parser.add_argument(
        "--room", type=int, default=None, help="number of a random room (default: the parlour)"
    )
    parser.add_argument("--fault", default=None, help="one fault's name, or all, at --rate")
    parser.add_argument("--rate", type=float, default=1.0)
    return parser


def main(argv: list[str] | None = None) -> int:
    """Film an evening as the options say."""
    options = _options().parse_args(argv)
    chosen = {None: EVERYDAY, "all": Faults.all(options.rate)}
    faults = (
        chosen[options.fault]
        if options.fault in chosen
        else Faults.only(options.fault, options.rate)
    )
    room = (
        parlour(options.players, options.seed)
        if options.room is None
        else random_room(options.room, options.players, faults=faults)
    )
    script = write_script(
        options.players,
        options.edition,
        options.rounds,
        options.seed,
        options.temper,
        options.handling,
        faults,
        room.layout,
        haste=options.haste,
    )
    print(f"{room}: {script.duration_s:.0f} s")

    def tell(written: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{written / options.fps:.0f} s filmed", end="", file=sys.stderr, flush=True)

    table = PracticeTable(script, room.camera, room.cloth, options.seed, options.fps)
    frames = film(table, options.out, tell)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{frames} frames in {options.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
