"""How soon an entered event is on every screen: a real server, real streams, one writer.

    python -m tests.benchmarks.stream --screens 20 --events 200 --a-second 20

The evening is a real session with a journal on disk, kept by touch; each event names the round's
cloud anew. Printed, over all screens: the delay from the command's arrival to the message's (p50,
p99, most), how long the command itself took, whether every version came in order, and how memory
and threads grew after the first third of the events.
"""

from __future__ import annotations

import argparse
import http.client
import json
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from companion.web import Door, Rule, Server, create_app
from tests.benchmarks.results.record import Figure, add_json, record
from tests.support.victims.served_evening import begun, memory_mb


class Screen(threading.Thread):
    """One open stream; notes when each version arrived."""

    def __init__(self, port: int, cookie: str) -> None:
        super().__init__(daemon=True)
        self.arrived: dict[str, float] = {}
        self.order: list[str] = []
        self.ready = threading.Event()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._connection.request("GET", "/api/stream", headers={"Cookie": cookie})

    def run(self) -> None:
        """Read until the stream ends."""
        response = self._connection.getresponse()
        for line in iter(response.readline, b""):
            if line.startswith(b'data: {"version'):
                words = json.loads(line[6:])["round"]["name"]
                self.ready.set()
                if words:
                    self.arrived[words] = time.perf_counter()
                    self.order.append(words)


def cookie_for(port: int, code: str) -> str:
    """Pair one device and give its cookie."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", f"/in/{code}")
    return str(connection.getresponse().getheader("Set-Cookie")).split(";")[0]


def post(port: int, cookie: str, body: dict[str, Any]) -> None:
    """One command, as the tablet sends it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    headers = {
        "Cookie": cookie,
        "Origin": f"http://127.0.0.1:{port}",
        "Content-Type": "application/json",
    }
    connection.request("POST", "/api/command", json.dumps(body), headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    connection.close()


def measure(folder: Path, screens: int, events: int, a_second: float) -> dict[str, Any]:
    """Run it once with its journal in `folder`; the figures by name (milliseconds)."""
    evening, door = begun(folder), Door()
    server = Server(create_app(evening, door), "127.0.0.1", 0).start()
    open_screens = [
        Screen(server.port, cookie_for(server.port, door.invite(Rule.WATCH)))
        for _ in range(screens)
    ]
    for screen in open_screens:
        screen.start()
    for screen in open_screens:
        screen.ready.wait(10)
    held: list[tuple[float, int]] = []
    cookie, sent, took = cookie_for(server.port, door.invite()), {}, []
    start = time.perf_counter()
    for i in range(events):
        if i in (events // 3, events - 1):
            held.append((memory_mb(), threading.active_count()))
        time.sleep(max(0.0, start + i / a_second - time.perf_counter()))
        sent[f"cloud {i}"] = time.perf_counter()
        post(
            server.port,
            cookie,
            {
                "id": f"event-{i:06d}",
                "version": evening.version,
                "do": "name",
                "words": f"cloud {i}",
            },
        )
        took.append(1000 * (time.perf_counter() - sent[f"cloud {i}"]))
    time.sleep(1)
    delays = [
        1000 * (s.arrived[w] - at) for s in open_screens for w, at in sent.items() if w in s.arrived
    ]
    figures = summary(delays, took, len(sent) * screens)
    figures["in order"] = all(
        s.order == sorted(s.order, key=lambda words: int(words.split()[-1])) for s in open_screens
    )
    figures["memory grew MB"] = held[-1][0] - held[0][0]
    figures["threads grew"] = held[-1][1] - held[0][1]
    server.stop()
    evening.close()
    return figures


def summary(delays: list[float], took: list[float], wanted: int) -> dict[str, Any]:
    """Percentiles of the delays and of the commands."""
    delays.sort()
    took.sort()
    return {
        "delivered": f"{len(delays)}/{wanted}",
        "p50 ms": statistics.median(delays),
        "p99 ms": delays[int(len(delays) * 0.99)],
        "most ms": delays[-1],
        "command p50 ms": statistics.median(took),
        "command p99 ms": took[int(len(took) * 0.99)],
    }


def main() -> None:
    """Print one row for each number of screens."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--screens", type=int, nargs="+", default=[20, 50])
    parser.add_argument("--events", type=int, default=200)
    parser.add_argument("--a-second", type=float, default=20)
    add_json(parser)
    asked = parser.parse_args()
    rows = []
    for screens in asked.screens:
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(Path(folder), screens, asked.events, asked.a_second)
        print(
            f"{screens} screens: "
            + ", ".join(
                f"{k} {v:.1f}" if isinstance(v, float) else f"{k} {v}" for k, v in figures.items()
            )
        )
        rows += [
            Figure(f"{screens} screens: messages delivered", figures["delivered"], "all"),
            Figure(
                f"{screens} screens: from the command to the screen",
                f"{figures['p50 ms']:.0f} ms (median), 99 % within {figures['p99 ms']:.0f} ms, most {figures['most ms']:.0f}",
            ),
            Figure(
                f"{screens} screens: in order, memory grew",
                f"{'yes' if figures['in order'] else 'NO'}, {figures['memory grew MB']:.1f} MB",
                "in order",
                good=figures["in order"],
            ),
        ]
    record(asked.json, rows)


if __name__ == "__main__":
    main()
