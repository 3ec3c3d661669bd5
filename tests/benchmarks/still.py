"""What a table costs on which nothing moves: processor milliseconds a 1080p frame, the JPEG's
decoding included.

    python -m tests.benchmarks.still --rooms 4 --seed 5000

A round is dealt on the practice table and then nobody touches it. The pictures, each with fresh
noise, come once as JPEG (as a phone, a network camera or a webcam sends them) and once decoded, and
the same eye looks at them as in a game.
"""

from __future__ import annotations

import argparse
import time

import cv2
import numpy as np

from calibration.cameras.jpeg_frame import JpegFrame, frame_of_jpeg
from calibration.cameras.port import Frame
from companion.practice.faults import NO_FAULTS
from companion.practice.room import Room, random_room
from companion.practice.script import Script, write_script
from companion.practice.table import PracticeTable
from companion.table.sighting import Attention
from companion.vision.eye import Eye
from tests.benchmarks.results.record import Figure, add_json, record

SIZE_PX = (1920, 1080)
BEFORE_S = 4.0
"""So much of the deal is seen, at half the frame rate."""

SHOTS = 16
"""Pictures of the still table; more would only be slower to make."""


class Still:
    """One table, dealt and left alone."""

    def __init__(self, script: Script, room: Room, seed: int, fps: float, quality: int) -> None:
        self.fps, self.gone = fps, frozenset[int]()
        self.expected = script.truth.rounds[0].cards
        table = PracticeTable(script, room.camera, room.cloth, seed, fps / 2)
        dealt_s = script.truth.rounds[0].dealt_s
        self.still_s = next(t for t in np.arange(dealt_s, dealt_s + 60, 0.1) if script.idle(t))
        table.seek(max(0.0, dealt_s - BEFORE_S))
        self.before = []
        while (frame := table.read()) is not None and frame.t_s < self.still_s:
            self.before.append((_coded(frame.image, quality), frame.t_s))
        grain = np.random.default_rng(seed)
        still = [table.picture_at(self.still_s) for _ in range(SHOTS)]
        self.shots = [
            _coded(cv2.add(image, grain.integers(0, 3, image.shape, np.uint8)), quality)
            for image in still
        ]

    def play(self, coded: bool, seconds: float) -> tuple[np.ndarray, np.ndarray, int]:
        """Milliseconds of decoding and of looking, frame by frame (N,) each, from when nothing
        moved any more; and how many cards were seen lying at the end."""
        eye, decoding, looking, seen = Eye(), [], [], 0
        attention = Attention(len(self.expected), self.gone)
        later = [
            (self.shots[i % SHOTS], self.still_s + i / self.fps)
            for i in range(round(seconds * self.fps))
        ]
        for number, (jpeg, t_s) in enumerate([*self.before, *later]):
            begun = time.thread_time()
            frame = _frame(jpeg, t_s, number) if coded else Frame(_whole(jpeg), t_s, number)
            decoded = time.thread_time()
            glimpse = eye.read_frame(frame, attention).glimpse
            done = time.thread_time()
            decoding.append(1000 * (decoded - begun))
            looking.append(1000 * (done - decoded))
            seen = sum(place.state.value == "marker" for place in glimpse.places)
        return np.array(decoding[-len(later) :]), np.array(looking[-len(later) :]), seen


def _coded(image: np.ndarray, quality: int) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def _whole(jpeg: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))


def _frame(jpeg: bytes, t_s: float, number: int) -> JpegFrame:
    frame = frame_of_jpeg(jpeg, SIZE_PX, t_s, number)
    assert frame is not None
    return frame


def _figures(ms: np.ndarray) -> str:
    return f"{np.median(ms):5.1f} (95 % {np.percentile(ms, 95):5.1f})"


def main() -> None:
    """Print one line a room and way, and one for all rooms."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rooms", type=int, default=4)
    parser.add_argument("--seed", type=int, default=5000)
    parser.add_argument(
        "--seconds", type=float, default=45.0, help="how long nobody touches the table"
    )
    parser.add_argument(
        "--settling", type=float, default=12.0, help="of them not counted: the eye still searches"
    )
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--quality", type=int, default=85, help="of the JPEGs")
    parser.add_argument("--players", type=int, default=8)
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    sums: dict[str, list[np.ndarray]] = {"as JPEG": [], "decoded": []}
    for seed in range(args.seed, args.seed + args.rooms):
        room = random_room(seed, args.players, size_px=SIZE_PX)
        script = write_script(
            args.players, rounds=1, seed=seed, layout=room.layout, faults=NO_FAULTS
        )
        table = Still(script, room, seed, args.fps, args.quality)
        size_kb = np.mean([len(shot) for shot in table.shots]) / 1000
        for way in sums:
            decoding, looking, seen = table.play(way == "as JPEG", args.seconds)
            rest = slice(round(args.settling * args.fps), None)
            sums[way].append((decoding + looking)[rest])
            print(
                f"{seed} {room.cloth:8} {size_kb:4.0f} kB {way}: decoding {_figures(decoding[rest])}, looking "
                f"{_figures(looking[rest])}, both {_figures(sums[way][-1])}; while settling {_figures(looking[: rest.start])}; "
                f"{seen} of {len(table.expected)} cards lie there",
                flush=True,
            )
    for way, parts in sums.items():
        print(f"all, {way}: {_figures(np.concatenate(parts))} ms a still frame")
    record(
        args.json,
        [
            Figure(
                f"a frame of a table on which nothing moves, {way}, decoding included",
                f"{np.median(ms):.1f} ms (median), 95 % {np.percentile(ms, 95):.1f}",
                n=len(ms),
            )
            for way, ms in ((way, np.concatenate(parts)) for way, parts in sums.items())
        ],
        args.seed,
    )


if __name__ == "__main__":
    main()
