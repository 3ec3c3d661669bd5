"""Mutated requests over all routes and roles: no failure of ours, nobody in, memory as before.

    python -m tests.benchmarks.attacks.requests [--times 1000000] [--served 2000] [--seed 1]

Each request is a sound one of one of the app's routes with one to four things in it spoilt. Most are
handed to the app in this process, a third from who may change nothing (strangers, devices that look
on, pages of other origins), the rest from a device that may control; after each one the evening's
version and the devices are looked at: they may change only by a request that was answered with 200.
`--served` of them go through sockets to a server in another process. Work that takes a core for a
second (previews, files to print) is asked for once in so many requests: `HEAVY_SHARE`.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from flask import Flask

from companion.evening.command_shapes import SHAPES
from companion.evening.session import Session
from companion.web import Door, Rule, create_app
from companion.web.app import shared_by
from companion.web.reception.arriving import Refused, read_head
from tests.benchmarks.attacks.report import Report, parser_of
from tests.support.victims.served_evening import Served, begun, memory_mb, served

METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT")
ODD: tuple[Any, ...] = (None, True, -1, 0, 1, 7, 81, 2**31, 2**53, 1.5, 1e300, "", "x", "7", "Ada", [], {}, [7], [[7]], {"a": 1},
                        "\u202e", "a" * 390, "<b>", "__proto__", [None] * 20, list(range(80)), {"right": True, "card": 7}, "\0")  # fmt: skip
SOUND: dict[str, tuple[Any, ...]] = {
    "players": (["Ada", "Ben", "Cleo"], ["Ada", "Ben", "Cleo", "Dan", "Eva", "Fay"]),
    "daydreamer": (0, 1, 2), "cards": ([1, 2, 3, 4, 5], [None] * 5, "out", "back"), "card": (1, 2, 3, None),
    "round": (1, 2, 3), "guesses": ([{"right": True, "card": 2}], [{"right": False}]), "words": ("a whale",),
    "size": (80, 40), "on": (True, False), "edition": ("en", "de"), "handling": ("auto", "tray"),
    "instead_of": ([], [{"right": True, "card": 2}]), "deck_size": (80,), "question": ("q",), "option": (0, "x"), "dealt_back": (["Ada"],), "signs": ([0, 1, 2],),
}  # fmt: skip
SPOILT_HEADERS = ("Host: evil.example", "Host:", "Origin: null", "Origin: http://evil.example", "Content-Type: text/plain",
                  "X-Forwarded-For: 127.0.0.1", "Cookie: =;;=", "Range: bytes=0-9999999", "If-None-Match: *", "Accept: */*;q=x",
                  "Accept-Language: " + "x," * 200, "Connection: upgrade", "Content-Encoding: gzip", "User-Agent: \xff\xfe")  # fmt: skip
HEAVY = ("/api/print", "/api/print/page/<int:number>", "/api/deck/photo", "/api/calibration")
HEAVY_SHARE = 500
"""Of so many requests for what is heavy one is made."""
WAIT_S = 60.0
SETTLE_S = 240
"""A deck's file that somebody ordered takes a minute, on a busy machine more; then its process goes."""
MOST_ENTRIES = 300
"""After so many an evening ends and another begins, as evenings do."""


def routes(app: Flask) -> list[tuple[str, str]]:
    """Every address of the app with its methods."""
    return [
        (rule.rule, method)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or ())
        if method in ("GET", "POST")
    ]


class Mutator:
    """Sound requests, and what can be wrong with them."""

    def __init__(self, seed: int, known: list[tuple[str, str]]) -> None:
        self.dice = random.Random(seed)
        self.routes = known
        self.number = 0
        self.version = 1_000_002

    def request(self, cookie: str, control: bool) -> bytes:
        """One request with up to four things spoilt."""
        dice = self.dice
        path, method = dice.choice(self.routes)
        while path in HEAVY and dice.randrange(HEAVY_SHARE):
            path, method = dice.choice(self.routes)
        if dice.random() < 0.3:
            path, method = "/api/command", "POST"
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
        version = self.version if self.dice.random() < 0.9 else self.dice.choice(ODD)
        asked = {"do": do, "id": f"mutated-{self.number:09d}", "version": version}
        if do in SHAPES:
            said = (*SHAPES[do].must, *(f for f in SHAPES[do].may if self.dice.random() < 0.5))
            asked |= {field: self.dice.choice(SOUND.get(field, ODD)) for field in said}
        for _ in range(self.dice.randrange(3)):
            asked[self.dice.choice(list(SOUND))] = self.dice.choice(ODD)
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


# --- in this process


def environ_of(request: bytes) -> dict[str, Any]:
    """What the server hands to the app for these bytes. Raises `Refused` where it would refuse them."""
    head = read_head(request)
    if head is None:
        raise Refused("400 Bad Request")
    first, *lines = request[: head.head_bytes - 4].decode("latin-1").split("\r\n")
    method, _, rest = first.partition(" ")
    target, _, protocol = rest.rpartition(" ")
    path, _, query = target.partition("?")
    if not path.startswith("/") or any(c < "!" or c > "~" for c in target) or "#" in target:
        raise Refused("400 Bad Request")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method, "SCRIPT_NAME": "", "QUERY_STRING": query,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"), "SERVER_PROTOCOL": protocol,
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "REMOTE_ADDR": "127.0.0.1",
        "wsgi.version": (1, 0), "wsgi.url_scheme": "http", "wsgi.errors": sys.stderr,
        "wsgi.multithread": True, "wsgi.multiprocess": False, "wsgi.run_once": False,
        "wsgi.input_terminated": True,
        "wsgi.input": io.BytesIO(request[head.head_bytes : head.whole_bytes]),
    }  # fmt: skip
    for line in lines:
        name, _, value = line.partition(":")
        name = name.strip().upper().replace("-", "_")
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        value = value.strip()
        known = environ.get(key)
        environ[key] = f"{known}, {value}" if known is not None else value
    return environ


class Inside:
    """The app in this process, and what may not change by itself."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.session: Session = begun(folder)
        self.door = Door(folder / "devices.json")
        self.app = create_app(self.session, self.door)
        invited = (Rule.CONTROL, Rule.CONTROL, Rule.WATCH)
        tokens = [self.door.enter(self.door.invite(rule), "Attacker") for rule in invited]
        self.control, self.greedy, self.watch = (f"companion_device={token}" for token in tokens)
        self.mutator = Mutator(seed, routes(self.app))
        self.entered = 0
        self._evenings = 0

    def close(self) -> None:
        """End the evening and what was begun for it."""
        shared_by(self.app).stop_work()
        self.session.close()

    def answer(self, request: bytes) -> tuple[str, bytes]:
        """The status of the app's answer and how it begins."""
        told: list[str] = []

        def start(status: str, headers: object, exc_info: object = None) -> Any:
            told.append(status[:3])
            return io.BytesIO().write

        try:
            environ = environ_of(request)
        except Refused as refused:
            return str(refused)[:3], b""
        answer = self.app.wsgi_app(environ, start)
        try:
            return told[0], next(iter(answer), b"")
        finally:
            if hasattr(answer, "close"):
                answer.close()

    def attacked(self, times: int, controls: bool) -> tuple[Counter[str], list[str]]:
        """So many requests: which statuses they got, and what must not have happened."""
        told: Counter[str] = Counter()
        faults: list[str] = []
        cookies = (
            [self.control, self.greedy]
            if controls
            else ["", self.watch, "companion_device=x", self.watch]
        )
        for _ in range(times):
            self.mutator.version = self.session.version
            request = self.mutator.request(self.mutator.dice.choice(cookies), controls)
            before = self.session.version, self.door.devices
            status, _ = self.answer(request)
            told[status] += 1
            now = self.session.version, self.door.devices
            self.entered += now[0] != before[0]
            if status == "500" or (now != before and (status != "200" or not controls)):
                faults.append(f"{status}: {request[:600]!r}")
                print(faults[-1], flush=True)
            if self.door.devices != before[1]:
                self.door._devices = before[1]  # a name of 390 letters for every device is enough
            if len(self.session.log.entries) > MOST_ENTRIES:
                self._begin_another()
        return told, faults

    def _begin_another(self) -> None:
        self._evenings += 1
        start = {"do": "begin", "players": ["Ada", "Ben", "Cleo", "Dan", "Eva"], "daydreamer": 0}
        for asked in ({"do": "end"}, start, {"do": "laid"}):
            named = {"id": f"another-{self._evenings:06d}-{asked['do']}"}
            self.session.command({**asked, **named, "version": self.session.version})


def inside(report: Report, asked: argparse.Namespace) -> None:
    """The rows of the app in this process."""
    with tempfile.TemporaryDirectory() as name:
        attacked = Inside(Path(name), asked.seed)
        for controls in (False, True):  # what is loaded when it is first asked for
            attacked.attacked(1500, controls)
        time.sleep(2)
        gc.collect()
        before_mb = memory_mb()
        third = asked.times // 3
        for who, times, controls in (
            ("who may change nothing", third, False),
            ("who may control", asked.times - third, True),
        ):
            attacked.entered = 0
            told, faults = attacked.attacked(times, controls)
            statuses = ", ".join(f"{status} {many:,}" for status, many in sorted(told.items()))
            value = f"{statuses}; entries made {attacked.entered:,}, faults {len(faults)}"
            goal = "1,000,000 in all: no 500, no entry nobody asked for"
            report.say(f"mutated requests from {who}", value, goal, times, not faults)
        shared_by(attacked.app).stop_work()
        after_mb = _settled_mb(before_mb)
        value = f"{before_mb:.0f} and {after_mb:.0f} MB"
        report.say("memory before and after", value, "at most 1.3 times", asked.times, after_mb <= 1.3 * before_mb)  # fmt: skip
        attacked.close()


def _settled_mb(enough_mb: float) -> float:
    """The memory of this process and its children, when those have had time to go."""
    least = memory_mb()
    for _ in range(40):
        gc.collect()
        least = min(least, memory_mb())
        if least <= enough_mb:
            break
        time.sleep(1)
    return least


# --- through sockets


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


def through_sockets(evening: Served, mutator: Mutator, times: int) -> Counter[str]:
    """So many requests from everybody; which statuses they got."""
    told: Counter[str] = Counter()
    for _ in range(times):
        cookie = mutator.dice.choice(["", evening.watch, "companion_device=x", evening.control])
        request = mutator.request(cookie, control=True)
        status = sent(evening.port, request)
        told[status] += 1
        if status in ("500", "none"):
            print(f"{status}: {request[:600]!r}", flush=True)
    return told


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


def outside(report: Report, asked: argparse.Namespace) -> None:
    """The rows of a server in another process."""
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as evening:
        with tempfile.TemporaryDirectory() as other:
            inner = Inside(Path(other), asked.seed)
            mutator = inner.mutator
            inner.close()
        through_sockets(evening, mutator, 1500)  # what is loaded when it is first asked for
        before_mb = settled_mb(evening)
        told = through_sockets(evening, mutator, asked.served)
        statuses = ", ".join(f"{status} {many:,}" for status, many in sorted(told.items()))
        bad = told["500"] + told["none"]
        report.say("the same through sockets", statuses, "no 500", asked.served, not bad)
        after_mb = settled_mb(evening)
        value = f"{before_mb:.0f} and {after_mb:.0f} MB"
        report.say("the server's memory before and after", value, "at most 1.3 times", asked.served, after_mb <= 1.3 * before_mb)  # fmt: skip


def main() -> int:
    """Attack inside, then through sockets."""
    parser = parser_of(__doc__)
    parser.add_argument("--times", type=int, default=1_000_000)
    parser.add_argument("--served", type=int, default=2000)
    asked = parser.parse_args()
    report = Report(asked)
    inside(report, asked)
    if asked.served:
        outside(report, asked)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
