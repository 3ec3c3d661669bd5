"""Tablets that fall asleep in the middle of a stream and say no word: no end, no acknowledgement.

    python -m tests.benchmarks.attacks.sleepers [--tablets 8] [--times 20] [--seed 1]

Each tablet has an address of its own on this machine (127.0.1.N), and sleeping is a route into a black
hole: what the server sends is lost, as on a Wi-Fi that the tablet has left. Linux only, and only root may
set routes; they are taken away again. First all sleep for good, and the server must let go of their
streams; then each sleeps and wakes again and again, with a tap in between, comes back as the page does
(the same tab, a new connection) and must be told the present state.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.attacks.report import Report, parser_of
from tests.benchmarks.attacks.traffic import head, taps
from tests.support.victims.served_evening import Served, served

FREED_S = 30.0
WOKEN_S = 2.0
ASLEEP_S = 3.0


def let_in(evening: Served) -> str:
    """The cookie of one more device, asked in by one that controls."""
    line = http.client.HTTPConnection("127.0.0.1", evening.port, timeout=20)
    own = {"Cookie": evening.control, "Origin": f"http://127.0.0.1:{evening.port}"}
    line.request(
        "POST", "/api/invite", '{"role": "control"}', {**own, "Content-Type": "application/json"}
    )
    address = str(json.loads(line.getresponse().read())["address"])
    line.request("GET", "/in/" + address.partition("/in/")[2])
    answer = line.getresponse()
    answer.read()
    return str(answer.getheader("Set-Cookie")).partition(";")[0]


class Tablet:
    """One screen at an address of its own."""

    def __init__(self, number: int, evening: Served) -> None:
        self.address = f"127.0.1.{number + 1}"
        self._evening = evening
        self._cookie = let_in(evening)
        self._lines: list[socket.socket] = []

    def look(self) -> int:
        """Open the stream as the page does; the version of the first board that comes."""
        line = socket.create_connection(
            ("127.0.0.1", self._evening.port), 10, source_address=(self.address, 0)
        )
        self._lines.append(line)
        line.sendall(head(self._cookie, "GET /api/stream?tab=sleeper", "\r\n"))
        came = line.makefile("rb")
        for text in came:
            if text.startswith(b"data: {"):
                return int(json.loads(text[6:])["version"])
        raise AssertionError("the stream ended before its first board")

    @contextlib.contextmanager
    def asleep(self) -> Iterator[None]:
        """Inside, whatever is sent to this tablet is lost, and it says nothing."""
        route = ["blackhole", f"{self.address}/32", "table", "local"]
        subprocess.run(["ip", "route", "add", *route], check=True)
        try:
            yield
        finally:
            subprocess.run(["ip", "route", "del", *route], check=True)


def freed_s(evening: Served, tablets: list[Tablet], files: int) -> float:
    """How long the server keeps the streams of tablets that sleep from now on, with taps meanwhile."""
    with contextlib.ExitStack() as stack:
        for tablet in tablets:
            stack.enter_context(tablet.asleep())
        began_s = time.monotonic()
        tapping = threading.Thread(target=taps, args=(evening, 10.0))
        tapping.start()
        while evening.open_files > files + 1 and time.monotonic() - began_s < 3 * FREED_S:
            time.sleep(0.1)
        took_s = time.monotonic() - began_s
        tapping.join()
    return took_s


def woken_s(evening: Served, tablet: Tablet) -> tuple[float, bool]:
    """One sleep: how long after waking the first board came, and whether it was the present one."""
    with tablet.asleep():
        taps(evening, 0.3)
        time.sleep(ASLEEP_S)
    began_s = time.monotonic()
    version = tablet.look()
    took_s = time.monotonic() - began_s
    return took_s, version >= _version(evening)


def _version(evening: Served) -> int:
    with socket.create_connection(("127.0.0.1", evening.port), 10) as line:
        line.sendall(head(evening.watch, "GET /api/scoreboard", "Connection: close\r\n\r\n"))
        came = b"".join(iter(lambda: line.recv(65_536), b""))
    return int(json.loads(came.partition(b"\r\n\r\n")[2])["version"])


def main() -> int:
    """One row for what is let go, one for waking."""
    parser = parser_of(__doc__)
    parser.add_argument("--tablets", type=int, default=4)
    parser.add_argument("--times", type=int, default=20)
    asked = parser.parse_args()
    report = Report(asked)
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as evening:
        taps(evening, 0.5)
        tablets = [Tablet(number, evening) for number in range(asked.tablets)]
        time.sleep(ASLEEP_S)
        files = evening.open_files
        for tablet in tablets:
            tablet.look()
        assert evening.open_files >= files + asked.tablets
        took_s = freed_s(evening, tablets, files)
        value = f"{asked.tablets} streams let go after {took_s:.1f} s"
        report.say("asleep without a word", value, f"< {FREED_S:.0f} s", asked.tablets, took_s < FREED_S)  # fmt: skip
        woken = [woken_s(evening, tablets[n % len(tablets)]) for n in range(asked.times)]
        times = sorted(one for one, _ in woken)
        wrong = sum(not right for _, right in woken)
        value = f"the board after {1000 * times[len(times) // 2]:.0f} ms (median), most {1000 * times[-1]:.0f}; {wrong} not the present one"
        report.say("awake again", value, f"< {WOKEN_S:.0f} s, the present one", asked.times, not wrong and times[-1] < WOKEN_S)  # fmt: skip
        deadline_s = time.monotonic() + FREED_S
        while evening.open_files > files + asked.tablets and time.monotonic() < deadline_s:
            time.sleep(0.2)
        left = evening.open_files - files
        value = f"{left} connections of {asked.tablets} tablets after {asked.times} sleeps"
        report.say("one stream a tablet", value, "one each", asked.times, left <= asked.tablets)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
