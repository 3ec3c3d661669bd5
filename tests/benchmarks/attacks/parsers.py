"""Four readers of foreign bytes, fed with mutations of sound ones: JSON of commands, a network camera's
stream, the side log, and the heads of pictures.

    python -m tests.benchmarks.attacks.parsers [--seconds 60] [--only json,stream,side,pictures]

No coverage is measured here (`parsers_covered` does): a mutation is kept as a seed when the reader answered in a way that no seed of
its kind had (another refusal, another count), at most a few hundred of them. A reader may refuse as it
says it does; any other exception, or an answer that takes more than `SLOW_S` of a core, is a fault.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from calibration.cameras.network import JpegCutter, decoded_within_limits
from calibration.cameras.picture_file import decode_image, size_of
from calibration.errors import BadPicture
from companion.evening.command_shapes import SHAPES, read_command
from companion.game.rules import Refusal
from companion.journal import Journal
from companion.journal.side import read_from
from companion.set_up.photo_file import BadPhoto, opened_photo
from companion.web.guards import strict_json
from companion.web.reception.arriving import Refused, read_head
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims.journal_victim import story

SLOW_S = 3.0
MOST_SEEDS = 300

Reader = Callable[[bytes], object]
"""Reads bytes; what it answers tells whether this was something new."""


def mutated(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """One to five changes: bits, blocks away, twice, zeros, of another seed, numbers at their ends."""
    out = bytearray(data)
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(len(out) + 1)
        many = dice.choice((1, 1, 2, 4, 16, 256))
        what = dice.randrange(7)
        if what == 0 and at < len(out):
            out[at] ^= 1 << dice.randrange(8)
        elif what == 1:
            del out[at : at + many]
        elif what == 2:
            out[at:at] = out[at : at + many]
        elif what == 3:
            out[at : at + many] = bytes(min(many, 16))
        elif what == 4:
            begin = dice.randrange(len(other) + 1)
            out[at:at] = other[begin : begin + many]
        elif what == 5:
            out[at : at + 2] = dice.choice((b"\xff\xff", b"\x7f\xff", b"\x00\x01", b'"[', b"99"))
        else:
            out[at:at] = dice.randbytes(many)
    return bytes(out[:200_000])


def json_seeds() -> list[bytes]:
    """A command of each shape."""
    fields = {"players": ["Ada", "Ben"], "daydreamer": 1, "cards": [1, 2], "card": 7, "round": 1, "words": "a whale", "size": 80,
              "guesses": [{"right": True, "card": 7}], "question": "q", "option": 1, "on": True}  # fmt: skip
    return [
        json.dumps({"do": do, "id": "12345678", "version": 1, **fields}).encode() for do in SHAPES
    ]


def read_json(data: bytes) -> object:
    """A body, then a command."""
    try:
        value = strict_json.loads(data)
    except strict_json.BadJson as refused:
        return str(refused)
    if not isinstance(value, dict) or not isinstance(value.get("do"), str):
        return type(value).__name__
    if value["do"] not in SHAPES:  # refused by who performs commands
        return "unknown"
    told = read_command(value)
    return told.reason if isinstance(told, Refusal) else (value["do"], sorted(told))


def stream_seeds() -> list[bytes]:
    """Parts of a network camera's stream, and heads of requests."""
    picture = jpeg(32)
    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n".encode()
    request = b"POST /api/command?a=%41 HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\r\nContent-Length: 5\r\n\r\n{...}"
    return [(head + picture + b"\r\n") * 3, picture * 2, request]


def read_stream(data: bytes) -> object:
    """Cut into pictures, as from a camera; and as the head of a request."""
    cutter = JpegCutter()
    pictures = [
        found for at in range(0, len(data), 700) for found in cutter.feed(data[at : at + 700])
    ]
    decoded = [decoded_within_limits(found) is not None for found in pictures[:3]]
    try:
        head = read_head(data)
        return len(pictures), tuple(decoded), head is not None
    except Refused as refused:
        return str(refused)


def side_seeds() -> list[bytes]:
    """A side log of some rounds."""
    with tempfile.TemporaryDirectory() as name, Journal(Path(name)) as journal:
        for entries in story()[:14]:
            journal.append(entries)
        return [(Path(name) / "evenings" / "0001.jsonl").read_bytes()]


class SideReader:
    """Reads a side log from a folder of its own; what is believed must be what was written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._whole = [entry for act in story()[:14] for entry in act]
        (folder / "evenings").mkdir()

    def __call__(self, data: bytes) -> object:
        """How many entries are there, and how many are said to be lost."""
        (self._folder / "evenings" / "0001.jsonl").write_bytes(data)
        for kept in read_from(self._folder, 0):
            for entry, was in zip(kept.entries, self._whole, strict=False):
                assert entry == was or entry.number in kept.lost, (entry, was)
            return len(kept.entries), len(kept.lost)
        return 0


def jpeg(side: int, *flags: int) -> bytes:
    """A small picture."""
    image = np.random.default_rng(side).integers(0, 255, (side, side + 8, 3), np.uint8)
    return cv2.imencode(".jpg", image, list(flags))[1].tobytes()


def picture_seeds() -> list[bytes]:
    """JPEG (plain, progressive, with EXIF), PNG, WebP."""
    plain = jpeg(48)
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    marked = plain[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + plain[2:]
    image = cv2.imdecode(np.frombuffer(plain, np.uint8), cv2.IMREAD_COLOR)
    others = [cv2.imencode(ending, image)[1].tobytes() for ending in (".png", ".webp")]
    return [plain, marked, jpeg(48, cv2.IMWRITE_JPEG_PROGRESSIVE, 1), *others]


def read_picture(data: bytes) -> object:
    """The size it tells, the picture a command opens, the photograph a tablet sends."""
    told: list[object] = [size_of(data) is None]
    try:
        told.append(decode_image(data).shape[:2] == (48, 56))
    except BadPicture as refused:
        told.append(str(refused)[-30:])
    try:
        told.append(opened_photo(data).shape[:2] == (48, 56))
    except BadPhoto as refused:
        told.append(str(refused))
    return tuple(told)


def fuzz(
    seeds: list[bytes], read: Reader, seconds: float, dice: random.Random
) -> tuple[int, int, int]:
    """How many were read, how many seeds were found, how many faults."""
    answers = {repr(read(seed)) for seed in seeds}
    kept, number, faults = list(seeds), 0, 0
    ends_s = time.monotonic() + seconds
    while time.monotonic() < ends_s:
        number += 1
        data = mutated(dice.choice(kept), dice.choice(kept), dice)
        began_s = time.process_time()
        try:
            answer = repr(read(data))
        except Exception as fault:
            faults += 1
            print(f"FAULT {fault!r} {data[:300]!r}"[:700], flush=True)
            continue
        if time.process_time() - began_s > SLOW_S:
            faults += 1
            print(f"SLOW {size_of(data)} {data[:300]!r}", flush=True)
        if answer not in answers and len(kept) < MOST_SEEDS:
            answers.add(answer)
            kept.append(data)
    return number, len(kept) - len(seeds), faults


def readers(folder: Path) -> dict[str, tuple[list[bytes], Reader]]:
    """Each reader with its sound seeds; one of them works in this folder."""
    return {
        "json": (json_seeds(), read_json),
        "stream": (stream_seeds(), read_stream),
        "side": (side_seeds(), SideReader(folder)),
        "pictures": (picture_seeds(), read_picture),
    }


def main() -> int:
    """One row for each reader."""
    parser = parser_of(__doc__)
    parser.add_argument("--seconds", type=float, default=36_000, help="for each reader")
    parser.add_argument("--only", default="json,stream,side,pictures")
    asked = parser.parse_args()
    report = Report(asked)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # decoders grumble there
    with tempfile.TemporaryDirectory() as name:
        known = readers(Path(name))
        for one in asked.only.split(","):
            number, found, faults = fuzz(*known[one], asked.seconds, random.Random(asked.seed))
            value = f"{number:,} in {asked.seconds:g} s, {found} kept as seeds: {faults} faults"
            report.say(
                f"foreign bytes: {one}", value, "10 h of a core, 0 faults", number, not faults
            )
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
