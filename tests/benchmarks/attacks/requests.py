"""Mutated requests over all routes and roles: no failure of ours, nobody in, memory as before.

    python -m tests.benchmarks.attacks.requests [--times 1000000] [--lines 8] [--seed 1]

First from everybody who may change nothing (strangers, devices that look on, pages of other origins):
the evening's version must stay. Then from a device that may control. Each request is a sound one of one
of the app's routes with one to four things in it spoilt. Memory is that of the server and its children,
when the last have gone.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion.evening.command_shapes import SHAPES
from companion.evening.session import Session
from companion.journal import Journal
from companion.web import Door, create_app
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims.served_evening import Served, served

METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE")
ODD: tuple[Any, ...] = (None, True, -1, 0, 1, 7, 81, 2**31, 2**53, 1.5, 1e300, "", "x", "7", "Ada", [], {}, [7], [[7]], {"a": 1},
                        "\u202e", "a" * 390, "<b>", "__proto__", [None] * 20, list(range(80)), {"right": True, "card": 7}, "\0")  # fmt: skip
SPOILT_HEADERS = ("Host: evil.example", "Host:", "Origin: null", "Origin: http://evil.example", "Content-Type: text/plain",
                  "X-Forwarded-For: 127.0.0.1", "Cookie: =;;=", "Range: bytes=0-9999999", "If-None-Match: *", "Accept: */*;q=x",
                  "Accept-Language: " + "x," * 200, "Connection: upgrade", "Content-Encoding: gzip", "User-Agent: \xff\xfe")  # fmt: skip
WAIT_S = 60.0
SETTLE_S = 240
"""A deck's file that somebody ordered takes a minute, on a busy machine more; then its process goes."""


def routes() -> list[tuple[str, str]]:
    """Every address of the app with its first method."""
    with tempfile.TemporaryDirectory() as name:
        session = Session(Journal(Path(name)))
        app = create_app(session, Door())
        found = [
            (rule.rule, method)
            for rule in app.url_map.iter_rules()
            for method in (rule.methods or ())
            if method in ("GET", "POST")
        ]
        session.close()
    return found


class Mutator:
    """Sound requests, and what can be wrong with them."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.routes = routes()
        self.number = 0

    def request(self, cookie: str, control: bool) -> bytes:
        """One request with up to four things spoilt."""
        dice = self.dice
        path, method = dice.choice(self.routes)
        while "<" in path:
            before, _, rest = path.partition("<")
            path = before + self._part() + rest.partition(">")[2]
        headers = {
            "Host": "localhost",
            "Cookie": cookie,
            "Origin": "http://localhost",
            "Content-Type": "application/json",
        }
        body = b""
        if method == "POST":
            asked = (
                self._command() if path == "/api/command" or dice.random() < 0.3 else self._any()
            )
            body = json.dumps(asked).encode()
        if dice.random() < 0.4:
            path += "?" + self._query()
        extra: list[str] = []
        for _ in range(dice.randrange(4)):
            spoil = dice.randrange(6)
            if spoil == 0:
                method = dice.choice(METHODS)
            elif spoil == 1:
                extra.append(dice.choice(SPOILT_HEADERS))
            elif spoil == 2:
                body = self._spoilt(body)
            elif spoil == 3:
                path = self._spoilt(path.encode()).decode("latin-1").replace(" ", "%20")
                path = "/" + "".join(c for c in path if c not in "\r\n\0")
            elif spoil == 4 and control:
                headers.pop(dice.choice(list(headers)), None)
            else:
                body = json.dumps(self._any()).encode()
        if body or method in ("POST", "PUT", "PATCH"):
            headers["Content-Length"] = str(len(body))
        lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items()), *extra]
        return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body

    def _part(self) -> str:
        parts = ("1", "7", "0", "99", "-1", "csv", "json", "xml", "nothing", "..", "%00", "9" * 30)
        return self.dice.choice((*parts, "base.css", "main.js", "../app.py", quote("é/ü")))

    def _query(self) -> str:
        dice = self.dice
        names = ("kind", "cards", "symbol_mm", "paper", "sheet", "w", "tab", "format", "disc_mm")
        values = ("cards", "table", "1-80", "1e9", "nan", "a4", "-1", "png", "", "9" * 40, "18,5")
        return "&".join(
            f"{dice.choice(names)}={quote(dice.choice(values))}" for _ in range(dice.randrange(5))
        )

    def _command(self) -> dict[str, Any]:
        self.number += 1
        do = self.dice.choice([*SHAPES, "nothing"])
        asked = {"do": do, "id": f"mutated-{self.number:09d}", "version": 1_000_002}
        fields = ("players", "daydreamer", "cards", "card", "question", "option", "words", "round", "guesses", "size", "on", "deck_size",
                  "edition", "handling", "dealt_back")  # fmt: skip
        for _ in range(self.dice.randrange(5)):
            asked[self.dice.choice(fields)] = self.dice.choice(ODD)
        return asked

    def _any(self) -> Any:
        names = ("do", "key", "name", "role", "on", "kind", "cards", "symbol_mm", "mm")
        asked = {self.dice.choice(names): self.dice.choice(ODD) for _ in range(3)}
        if asked.get("do") == "revoke":  # the devices of this attack stay in
            asked.pop("do")
        return self.dice.choice((asked, asked, asked, self.dice.choice(ODD)))

    def _spoilt(self, data: bytes) -> bytes:
        dice = self.dice
        at = dice.randrange(len(data) + 1)
        what = dice.randrange(4)
        if what == 0:
            return data[:at] + dice.randbytes(dice.randrange(1, 6)) + data[at:]
        if what == 1:
            return data[:at]
        if what == 2 and data:
            at = min(at, len(data) - 1)
            return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]
        return data + data[:at]


def sent(port: int, request: bytes) -> str:
    """The status of its answer, "none" where none comes in time, "closed" where the line ends."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=WAIT_S) as line:
            line.sendall(request)
            return line.recv(64)[9:12].decode("latin-1") or "closed"
    except TimeoutError:
        return "none"
    except OSError:
        return "closed"


def rounds(evening: Served, asked: Any, times: int, controls: bool) -> Counter[str]:
    """So many requests; which statuses they got."""
    mutator = Mutator(asked.seed + controls)
    told: Counter[str] = Counter()
    cookies = (
        [evening.control, evening.greedy] if controls else ["", evening.watch, "companion_device=x"]
    )
    for _ in range(times):
        request = mutator.request(mutator.dice.choice(cookies), controls)
        status = sent(evening.port, request)
        told[status] += 1
        if status in ("500", "none"):
            print(f"{status}: {request[:600]!r}", flush=True)
    return told


def version(evening: Served) -> int:
    """The evening's version now."""
    request = f"GET /api/scoreboard HTTP/1.1\r\nHost: localhost\r\nCookie: {evening.control}\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", evening.port), timeout=WAIT_S) as line:
        line.sendall(request.encode())
        said = b""
        while part := line.recv(65_536):
            said += part
    return int(json.loads(said.split(b"\r\n\r\n", 1)[1])["version"])


def settled_mb(evening: Served) -> float:
    """Its memory when its children have had time to end their work and go."""
    least = evening.memory_mb
    for _ in range(SETTLE_S):
        time.sleep(1)
        with contextlib.suppress(OSError):
            least = min(least, evening.memory_mb)
            if evening.children < 2:  # one counts what processes share, and stays
                return evening.memory_mb
    return least


def main() -> int:
    """Attack twice."""
    parser = parser_of(__doc__)
    parser.add_argument("--times", type=int, default=1_000_000)
    asked = parser.parse_args()
    report = Report(asked)
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as evening:
        rounds(evening, asked, 300, controls=False)  # what is loaded when it is first asked for
        rounds(evening, asked, 300, controls=True)
        before_mb, before = settled_mb(evening), version(evening)
        told = rounds(evening, asked, asked.times // 2, controls=False)
        after = version(evening)
        bad = told["500"] + told["none"]
        value = f"{dict(sorted(told.items()))}; entries made {after - before}"
        report.say(
            "from who may change nothing",
            value,
            "no 500, no entry",
            told.total(),
            not bad and after == before,
        )
        told = rounds(evening, asked, asked.times - asked.times // 2, controls=True)
        bad = told["500"] + told["none"]
        report.say(
            "from who may control",
            f"{dict(sorted(told.items()))}",
            "1,000,000 in all, no 500",
            told.total(),
            not bad,
        )
        after_mb = settled_mb(evening)
        report.say(
            "memory before and after",
            f"{before_mb:.0f} and {after_mb:.0f} MB",
            "at most 1.3 times",
            asked.times,
            after_mb <= 1.3 * before_mb,
        )
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
