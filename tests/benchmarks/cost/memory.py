"""What the companion holds in memory while it keeps a whole evening from a camera of 1080p.

    python -m tests.benchmarks.cost.memory --seed 5200

A practice evening of five is photographed while it is played, in life's own time, ten pictures a second,
each with fresh sensor noise and as the JPEG that a network camera sends over http. The real `companion
play` in a process of its own watches that camera, one tablet has its page open. Every second its memory
and that of its children is looked at: resident pages, those that several share divided among them (PSS).
When the evening ends its rounds are compared with the truth. Linux only.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2

from companion.game.fold import fold
from companion.journal import Journal
from companion.practice.faults import EVERYDAY
from companion.practice.room import random_room
from companion.practice.script import Script, write_script
from companion.practice.table import PracticeTable
from tests.benchmarks.cost.noise import FPS, SIZE_PX, SensorNoise
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.stream import cookie_for, post
from tests.support.victims.served_evening import memory_mb

GOAL_MB = 400.0
LOOK_S = 1.0
AFTERWARDS_S = 10.0
"""The last round is entered, and its last picture looked at, so long after the script's end."""


class NetworkCamera:
    """Serves pictures of a practice evening as one JPEG after the other."""

    def __init__(self, table: PracticeTable, noise: SensorNoise) -> None:
        self._table = table
        self._noise = noise
        self._began_s: float | None = None
        self.given = 0
        """Pictures since the evening began."""
        camera = self

        class Handler(BaseHTTPRequestHandler):
            """One visitor: the companion."""

            def do_GET(self) -> None:
                """Send pictures until the visitor leaves."""
                camera.stream(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/video"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def begin(self) -> None:
        """Let the evening go on; until then nothing moves."""
        self._began_s = time.monotonic()

    @property
    def elapsed_s(self) -> float:
        """Of the evening."""
        return 0.0 if self._began_s is None else time.monotonic() - self._began_s

    def stream(self, to: BaseHTTPRequestHandler) -> None:
        """Photograph and send, at most `FPS` times a second."""
        to.send_response(200)
        to.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        to.end_headers()
        due_s = time.monotonic()
        try:
            while True:
                t_s = min(self.elapsed_s, self._table.duration_s)
                jpeg = self._noise.coded(self._table.picture_at(t_s)).tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                to.wfile.write(head.encode() + jpeg + b"\r\n")
                self.given += self._began_s is not None
                due_s = max(due_s + 1 / FPS, time.monotonic() - 1 / FPS)
                time.sleep(max(0.0, due_s - time.monotonic()))
        except OSError:
            return


@contextmanager
def playing(address: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """`companion play` with this camera: its process, its port, and the code that lets a tablet in."""
    words = ["--camera", address, "--host", "127.0.0.1", "--port", "0", "--no-name"]
    command = [sys.executable, "-m", "companion", "play", *words, "--data", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = None
        while told is None:
            line = process.stdout.readline()
            assert line, "it ended before it said an address"
            told = re.search(r"http://127\.0\.0\.1:(\d+)/in/(\S+)", line)
        threading.Thread(target=process.stdout.read, daemon=True).start()
        try:
            yield process, int(told[1]), told[2]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def open_page(port: int, cookie: str) -> None:
    """A tablet that follows the evening until that ends."""
    tablet = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    tablet.request("GET", "/api/stream", headers={"Cookie": cookie})
    threading.Thread(target=tablet.getresponse().read, daemon=True).start()


def sit_down(port: int, cookie: str, script: Script) -> None:
    """Begin the evening as a tablet does."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    asked.request("GET", "/api/scoreboard", headers={"Cookie": cookie})
    version = json.loads(asked.getresponse().read())["version"]
    asked.close()
    truth = script.truth
    people = {"players": truth.players, "daydreamer": truth.daydreamer}
    begin = {"id": "memory-begin", "version": version, "do": "begin", "edition": truth.edition}
    post(port, cookie, {**begin, **people, "deck_size": len(truth.deck), "handling": "auto"})


def rounds_kept(folder: Path, script: Script, until_s: float) -> tuple[int, int]:
    """How many of the rounds that ended by then are in the ledger with cards, end and gains as they
    were; and of how many."""
    lines = [line for line in script.truth.rounds if line.ended_s < until_s]
    with Journal(folder) as journal:
        last = journal.evenings()[-1].number  # a game that is over is not the journal's open one
        ledger = fold(journal.read_evening(last)).ledger
    kept = {frozenset(one.known_cards): one for one in ledger.rounds}
    right = 0
    for line in lines:
        one = kept.get(frozenset(line.cards))
        if one is not None and one.ending == line.ending:
            right += tuple(ledger.gains(one)) == line.gains(len(script.truth.players))
    return right, len(lines)


def main() -> None:
    """Print a line a minute, then the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=5200)
    parser.add_argument("--minutes", type=float, help="of the evening (default: the whole of it)")
    parser.add_argument("--noise", type=float, default=4.0, help="grey levels")
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    room = random_room(args.seed, 5, size_px=SIZE_PX, tray_side="right")
    script = write_script(5, "en", None, args.seed, handling="tray", faults=EVERYDAY, layout=room.layout)  # fmt: skip
    table = PracticeTable(script, replace(room.camera, noise=0.0), room.cloth, args.seed, FPS)
    camera = NetworkCamera(table, SensorNoise(args.noise, args.seed))
    lasts_s = (
        script.duration_s if args.minutes is None else min(script.duration_s, 60 * args.minutes)
    )
    held_mb: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with playing(camera.address, folder) as (process, port, code):
            cookie = cookie_for(port, code)
            open_page(port, cookie)
            sit_down(port, cookie, script)
            camera.begin()
            while camera.elapsed_s < lasts_s + AFTERWARDS_S:
                time.sleep(LOOK_S)
                held_mb.append(memory_mb(process.pid))
                if len(held_mb) % 60 == 0:
                    print(f"{camera.elapsed_s:.0f} s: {held_mb[-1]:.0f} MB", flush=True)
            a_second = camera.given / camera.elapsed_s
        right, of = rounds_kept(folder, script, lasts_s)
    few = max(1, len(held_mb) // 5)
    first_mb, last_mb = statistics.median(held_mb[:few]), statistics.median(held_mb[-few:])
    figures = [
        Figure(
            f"an evening of {lasts_s / 60:.0f} minutes at 1080p: memory of the companion and its children (PSS)",
            f"most {max(held_mb):.0f} MB, median {statistics.median(held_mb):.0f}, "
            f"of the first and the last fifth {first_mb:.0f} and {last_mb:.0f}",
            f"< {GOAL_MB:.0f} MB",
            len(held_mb),
            max(held_mb) < GOAL_MB,
        ),
        Figure(
            "the same evening: rounds with cards, end and gains as they were",
            f"{right} of {of}, from {a_second:.1f} pictures a second",
            n=of,
        ),
    ]
    for figure in figures:
        print(f"{figure.what}: {figure.value}", flush=True)
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
