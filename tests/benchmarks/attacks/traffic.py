"""How long a tap of the tablet that plays takes while others are slow, greedy or hostile.

    python -m tests.benchmarks.attacks.traffic [--seconds 10] [--lines 300] [--only slow_bodies,...]

A real server in a process of its own, the attacker in another, the tablet in this one: it taps ten
times a second over a connection of its own. One row for each shape of attack, from a device that was
never let in and from one that was; and how soon `--lines` streams at once are held or refused.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import random
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks.attacks.requests import settled_mb
from tests.benchmarks.results.record import Figure, add_json, record
from tests.support.victims.served_evening import ROOT, Served, served

TAPS_A_SECOND = 10
GOAL_MS = 250


# --- the attacker's side


def connect(port: int) -> socket.socket:
    """One more connection."""
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def head(cookie: str, line: str, more: str = "") -> bytes:
    """A request's head as a page of ours would send it."""
    own = f"Cookie: {cookie}\r\nOrigin: http://localhost\r\n" if cookie else ""
    return f"{line} HTTP/1.1\r\nHost: localhost\r\n{own}{more}".encode()


def check_open(came: bytes) -> None:
    """OSError when the other side has left."""
    if not came:
        raise OSError


def drops(port: int, lines: int, begin: bytes, drop: bytes) -> None:
    """Hold so many connections that each send a drop now and then, opened anew where one ends."""
    held: list[socket.socket] = []
    while True:
        while len(held) < lines:
            with contextlib.suppress(OSError):
                held.append(connect(port))
                held[-1].sendall(begin)
        for line in list(held):
            try:
                line.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    check_open(line.recv(4096))
                line.send(drop)
            except OSError:
                line.close()
                held.remove(line)
        time.sleep(0.2)


def asks(port: int, lines: int, requests: list[bytes], reads: bool = True) -> None:
    """Ask without pause over so many connections; with `reads` False nobody takes the answers."""
    chance = random.Random(1)
    waiting = selectors.DefaultSelector()
    here = 0
    while True:
        while here < lines:
            with contextlib.suppress(OSError):
                line = connect(port)
                line.sendall(chance.choice(requests))
                waiting.register(line, selectors.EVENT_READ)
                here += 1
        if not reads:
            time.sleep(0.5)
            continue
        for key, _ in waiting.select(1.0):
            line = key.fileobj
            try:
                check_open(line.recv(1 << 20))
                line.sendall(chance.choice(requests))
            except OSError:
                waiting.unregister(line)
                line.close()
                here -= 1


def slow_heads(port: int, lines: int, cookie: str) -> None:
    """Heads of requests, drop by drop."""
    drops(port, lines, head(cookie, "GET /"), b"X")


def slow_bodies(port: int, lines: int, cookie: str) -> None:
    """Bodies of commands, drop by drop."""
    more = "Content-Type: application/json\r\nContent-Length: 9000\r\n\r\n"
    drops(port, lines, head(cookie, "POST /api/command", more), b" ")


def silent(port: int, lines: int, cookie: str) -> None:
    """Connections that say nothing."""
    drops(port, lines, b"", b"")


def questions(port: int, lines: int, cookie: str) -> None:
    """Small questions without pause."""
    paths = ("/", "/api/scoreboard", "/api/hello", "/static/base.css", "/in/nothing", "/api/people")
    asks(port, min(lines, 60), [head(cookie, f"GET {path}", "\r\n") for path in paths])


def streams(port: int, lines: int, cookie: str) -> None:
    """Streams without end, each of a new tab."""
    asks(
        port,
        lines,
        [head(cookie, f"GET /api/stream?tab={i}", "\r\n") for i in range(lines)],
    )


def never_reads(port: int, lines: int, cookie: str) -> None:
    """Large answers that nobody takes."""
    paths = ("/static/main.js", "/api/export/json", "/art/7", "/api/scoreboard") * 10
    many = b"".join(head(cookie, f"GET {path}", "\r\n") for path in paths)
    asks(port, lines, [many], reads=False)


def heavy(port: int, lines: int, cookie: str) -> None:
    """Previews of pages, looks at the table, photographs."""
    pages = [
        head(cookie, f"GET /api/print/page/{n}?disc_mm={d}", "\r\n")
        for n in (1, 2, 3)
        for d in range(26, 31)
    ]
    photo = bytes(random.Random(1).randbytes(60_000))
    sent = head(cookie, "POST /api/deck/photo", f"Content-Length: {len(photo)}\r\n\r\n") + photo
    asks(port, min(lines, 40), [*pages, head(cookie, "GET /api/calibration", "\r\n"), sent])


def films(port: int, lines: int, cookie: str) -> None:
    """The film of an evening, again and again."""
    asks(port, min(lines, 8), [head(cookie, "GET /api/book/1/film", "\r\n")])


def thick_heads(port: int, lines: int, cookie: str) -> None:
    """Heads as long as they may be, made to be taken apart: one line many times, cookies and wishes of
    thousands of parts."""
    parts = (
        "a:\r\n" * 8000,
        "Cookie: " + "a;" * 7000 + "\r\n",
        "Accept-Encoding: " + "a," * 7000 + "b\r\n",
    )
    asks(
        port,
        min(lines, 80),
        [head(cookie, "GET /static/main.js", f"{part}\r\n") for part in parts],
    )


SHAPES: dict[str, Callable[[int, int, str], None]] = {
    shape.__name__: shape
    for shape in (
        silent,
        slow_heads,
        slow_bodies,
        thick_heads,
        questions,
        streams,
        never_reads,
        heavy,
        films,
    )
}


@contextlib.contextmanager
def attack(shape: str, port: int, lines: int, cookie: str) -> Iterator[None]:
    """Another process that attacks while the block runs."""
    command = [sys.executable, "-m", __spec__.name, "--attack", shape, str(port), str(lines)]
    process = subprocess.Popen([*command, cookie], cwd=ROOT)
    try:
        time.sleep(1.5)
        yield
    finally:
        process.kill()
        process.wait()


# --- the tablet's side


def taps(evening: Served, seconds: float) -> list[float]:
    """How long each tap took, ms; the tablet names the round's cloud again and again."""
    line = http.client.HTTPConnection("127.0.0.1", evening.port, timeout=30)
    headers = {
        "Cookie": evening.control,
        "Origin": f"http://127.0.0.1:{evening.port}",
        "Content-Type": "application/json",
    }
    took, version, began_s = [], 0, time.perf_counter()
    stamp = f"{time.time():.3f}"
    number = 0
    while number < seconds * TAPS_A_SECOND:
        time.sleep(max(0.0, began_s + number / TAPS_A_SECOND - time.perf_counter()))
        number += 1
        asked = {
            "id": f"tap-{stamp}-{number:05d}",
            "version": version,
            "do": "name",
            "words": f"c {number}",
        }
        sent_s = time.perf_counter()
        line.request("POST", "/api/command", json.dumps(asked), headers)
        answer = line.getresponse()
        told = json.loads(answer.read())
        if answer.status == 409:
            version = told["scoreboard"]["version"]
            continue
        assert answer.status == 200, told
        version = told["scoreboard"]["version"]
        took.append(1000 * (time.perf_counter() - sent_s))
    return sorted(took)


def told_taps(took: list[float]) -> str:
    """The taps' times in words."""
    p99 = took[int(len(took) * 0.99)]
    return (
        f"{statistics.median(took):.0f} ms (median), 99 % within {p99:.0f} ms, most {took[-1]:.0f}"
    )


def at_once(port: int, lines: int, cookie: str) -> tuple[list[float], dict[str, int]]:
    """How long each of so many streams asked for in one moment waits for its status line, ms, sorted;
    and how many got which status."""
    waiting = selectors.DefaultSelector()
    held = [connect(port) for _ in range(lines)]
    time.sleep(0.5)
    sent: dict[int, float] = {}
    for number, line in enumerate(held):
        waiting.register(line, selectors.EVENT_READ)
        sent[line.fileno()] = time.perf_counter()
        line.sendall(head(cookie, f"GET /api/stream?tab={number}", "\r\n"))
    took, statuses = [], {}
    while sent:
        for key, _ in waiting.select(10.0):
            number = key.fd
            took.append(1000 * (time.perf_counter() - sent.pop(number)))
            try:
                status = key.fileobj.recv(4096)[9:12].decode()
            except OSError:
                status = "closed"
            statuses[status or "closed"] = statuses.get(status or "closed", 0) + 1
            waiting.unregister(key.fileobj)
    for line in held:
        line.close()
    return sorted(took), statuses


def main() -> int:
    """Print and keep one row for each shape and each side."""
    if "--attack" in sys.argv:
        shape, port, lines, cookie = sys.argv[2:]
        SHAPES[shape](int(port), int(lines), cookie)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--lines", type=int, default=300)
    parser.add_argument("--only", default="", help="shapes, with commas")
    add_json(parser)
    asked = parser.parse_args()
    figures: list[Figure] = []

    def say(what: str, value: str, goal: str, n: int, good: bool) -> None:
        figures.append(Figure(what, value, goal, n, good))
        print(f"{what:45} {value}", flush=True)

    chosen = asked.only.split(",") if asked.only else list(SHAPES)
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as evening:
        quiet = taps(evening, asked.seconds)
        say("a tap while nobody disturbs", told_taps(quiet), "", len(quiet), True)
        before_mb, before_files = evening.memory_mb, evening.open_files
        for shape in chosen:
            for whose, cookie in (("a stranger", ""), ("one let in", evening.greedy)):
                with attack(shape, evening.port, asked.lines, cookie):
                    took = taps(evening, asked.seconds)
                good = took[int(len(took) * 0.99)] < GOAL_MS
                say(
                    f"a tap, {shape.replace('_', ' ')} of {whose}",
                    told_taps(took),
                    f"99 % < {GOAL_MS} ms",
                    len(took),
                    good,
                )
        for whose, cookie in (
            ("strangers", ""),
            ("one that looks on", evening.watch),
            ("one that controls", evening.greedy),
        ):
            time.sleep(3)
            took, statuses = at_once(evening.port, asked.lines, cookie)
            value = f"{statistics.median(took):.0f} ms (median), most {took[-1]:.0f}: {statuses}"
            most = took[-1] < 50
            say(f"{asked.lines} streams at once of {whose}", value, "each < 50 ms", len(took), most)
        time.sleep(12)
        after_mb, after_files = settled_mb(evening), evening.open_files
        say(
            "memory and open files, before and after",
            f"{before_mb:.0f} and {after_mb:.0f} MB, {before_files} and {after_files} files",
            "at most 1.3 times",
            1,
            after_mb < 1.3 * before_mb,
        )
    record(asked.json, figures)
    return int(not all(figure.good for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
