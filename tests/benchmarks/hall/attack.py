"""An attacking table, an attacking phone and a stranger against a hall in a process of its own, while three
honest tables play and a tournament goes on.

    python -m tests.benchmarks.hall.attack [--seconds 1200]

They send whatever they can think of: strange letters, floods, bodies that are too long, too short or never end, made-up
tokens and codes, other tables' addresses, words that a database would run. Exits 1 when an honest row is
missing or changed, a check-in of an honest phone is lost, or the hall failed, grew or went away.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import random
import secrets
import socket
import statistics
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

from companion.hall.context import TABLE_COOKIE
from companion.hall.database import Database
from companion.hall.embedded import EmbeddedPostgres
from companion.hall.gathering import MOST_REFUSED
from companion.web.guards.access import Door, Rule
from tests.benchmarks.hall.__main__ import (
    HallProcess,
    SimulatedTable,
    compare,
    free_port,
    let_tables_in,
)
from tests.benchmarks.results.record import Figure, add_json, record
from tests.companion.hall.test_hostile_table import BAD, mutated
from tests.support.hall.tables import reachable_folder

WORDS = (
    "' or 1=1 --",
    "$1; drop table entry",
    "%s%s%n",
    "\x00",
    "\ud800",
    "../../etc/passwd",
    "💥" * 9000,
    "<script>",
)
"""What a database, a path or a page might trip over."""

ROUTES = (
    *("/", "/api/hall", "/api/board", "/api/stream", "/api/season", "/api/season.csv", "/api/devices", "/api/hello"),
    *("/api/host/tables", "/api/host/invite", "/api/host/next-tables", "/api/host/tournament", "/api/invite"),
    *("/api/tournament", "/api/tournament.csv", "/api/tournament.json", "/static/../app.py", "/words/xx.json"),
    *("/api/table/progress", "/api/table/entries", "/api/table/names", "/api/table/join", "/api/check-in/mine"),
)  # fmt: skip


class Attack:
    """Who attacks, and what was answered."""

    def __init__(self, port: int, bad: SimulatedTable, seed: int) -> None:
        self.port = port
        self.bad = bad
        self.rng = random.Random(seed)
        self.answers: Counter[str] = Counter()
        self.ended = threading.Event()
        self.code = ""
        """Of the check-in: it stands on the wall."""

    def ask(
        self, method: str, path: str, body: Any = None, cookie: str = "", **headers: str
    ) -> int:
        """The status of an answer; 0 where the line was cut."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        sent = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        if isinstance(body, str):
            body = body.encode("utf-8", "surrogatepass")
        try:
            connection.request(method, path, body, sent | {"Cookie": cookie} | headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException):
            status = 0
        finally:
            connection.close()
        self.answers[str(status)] += 1
        return status

    @property
    def mine(self) -> str:
        """The bad table's cookie."""
        return f"{TABLE_COOKIE}={self.bad.token}"

    def strange_letter(self) -> None:
        """A letter with one place of it made strange, or one that is none."""
        told = {"evening": self.rng.randint(1, 5), "entries": self.bad.letters[:8], "camera": None}
        known = self.rng.choice(sorted(BAD))
        body = json.dumps(mutated(self.rng, told)) if self.rng.random() < 0.7 else BAD[known]
        self.ask("POST", "/api/table/entries", body, self.mine)

    def made_up_evenings(self) -> None:
        """Evenings without end, to fill the disk."""
        for _ in range(20):
            told = {
                "evening": self.rng.randint(1, 100_000),
                "entries": self.bad.letters,
                "camera": "live",
            }
            self.ask("POST", "/api/table/entries", json.dumps(told), self.mine)

    def names(self) -> None:
        """Names that change all the time."""
        names = {f"P{n}": self.rng.choice(WORDS)[:40] for n in range(self.rng.randint(1, 500))}
        self.ask("POST", "/api/table/names", json.dumps({"names": names}), self.mine)

    def other_doors(self) -> None:
        """Every address with the table's cookie, with a made-up one, with another Host and from another page."""
        path = self.rng.choice(ROUTES)
        method = self.rng.choice(("GET", "POST", "PUT", "DELETE", "HEAD", "X"))
        body = json.dumps(
            {"do": self.rng.choice(("end", "close", "draw", "send_away")), "table": 1}
        )
        cookie = self.rng.choice(
            (
                self.mine,
                f"{TABLE_COOKIE}={secrets.token_urlsafe(32)}",
                "companion_device=x",
                "=;" * 900,
            )
        )
        more = self.rng.choice(({}, {"Host": "evil.example"}, {"Origin": "http://evil.example"}))
        status = self.ask(method, path, body, cookie, **more)
        if path.startswith("/api/host") and status == 200:
            self.answers["a host's page was given"] += 1

    def codes(self) -> None:
        """Codes by chance, for tables, screens and phones."""
        code = self.rng.choice((secrets.token_urlsafe(24), *WORDS))
        told = {"code": code, "table": secrets.token_hex(16), "name": self.rng.choice(WORDS)}
        status = self.ask("POST", "/api/table/join", json.dumps(told))
        self.answers["a table was let in by chance"] += status == 200
        quoted = "".join(one for one in code if one.isalnum())[:60]
        self.ask("GET", f"/in/{quoted}")

    def check_ins(self) -> None:
        """A flood of phones with the code from the wall, and strange names."""
        name = self.rng.choice(
            (*WORDS, "x" * 10_000, f"Bot {self.rng.random()}", "A\u0301" + "\u0301" * 60)
        )
        told: Any = {"code": self.code, "name": name}
        if self.rng.random() < 0.3:
            told = mutated(self.rng, told)
        self.ask("POST", "/api/check-in", json.dumps(told))
        forged = f"companion_check_in={secrets.token_urlsafe(32)}"
        self.ask("POST", "/api/check-in/leave", '{"gone": true}', forged)

    def slow_and_broken(self) -> None:
        """Bodies that never end, heads that are none, lengths that lie."""
        said = self.rng.choice(
            (
                f"POST /api/table/entries HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {self.mine}\r\nContent-Length: 60000\r\n\r\n{{",
                "POST /api/check-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n",
                "GET / HTTP/1.1\r\n" + "X: y\r\n" * 3000,
                "POST /api/table/join HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
                "\x16\x03\x01\x02\x00",
            )
        )
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), 5) as line,
        ):
            line.sendall(said.encode("latin-1"))
            time.sleep(self.rng.uniform(0, 2))

    def rage(self) -> None:
        """All of it, in turns by chance, until the end."""
        ways = (
            *(self.strange_letter,) * 5, self.made_up_evenings, self.names, *(self.other_doors,) * 4,
            self.codes, *(self.check_ins,) * 3, self.slow_and_broken,
        )  # fmt: skip
        while not self.ended.is_set():
            self.rng.choice(ways)()
            time.sleep(0.01)


def attack(args: argparse.Namespace, own: EmbeddedPostgres, folder: Path) -> list[Figure]:
    """Attack for so long; the figures."""
    bad, *good = let_tables_in(own.url, 4, 12)
    (folder / "hall").mkdir(parents=True, exist_ok=True)
    door = Door(folder / "hall" / "devices.json")
    host = f"companion_device={door.enter(door.invite(Rule.CONTROL), 'host')}"
    hall = HallProcess(own.url, folder, free_port())
    hall.start()
    raging = Attack(hall.port, bad, args.seed)

    def talk(path: str, told: Any, cookie: str) -> tuple[int, Any, str]:
        connection = http.client.HTTPConnection("127.0.0.1", hall.port, timeout=20)
        headers = {
            "Origin": f"http://127.0.0.1:{hall.port}", "Cookie": cookie, "Content-Type": "application/json",
        }  # fmt: skip
        connection.request(
            "GET" if told is None else "POST",
            path,
            None if told is None else json.dumps(told),
            headers,
        )
        answer = connection.getresponse()
        body = json.loads(answer.read() or b"null")
        set_cookie = (answer.headers["Set-Cookie"] or "").partition(";")[0]
        connection.close()
        return answer.status, body, set_cookie

    for told in ({"do": "begin", "name": "Attacked"}, {"do": "add", "name": "Ben"}, {"do": "open"}):
        status, body, _ = talk("/api/host/tournament", told, host)
        assert status == 200, body
    raging.code = body["tournament"]["check_in"]["address"].rpartition("/")[2]
    status, body, phone = talk("/api/check-in", {"code": raging.code, "name": "Ada"}, "")
    assert status == 200, body
    attackers = [threading.Thread(target=raging.rage, daemon=True) for _ in range(args.attackers)]
    began_s = time.monotonic()
    for one in attackers:
        one.start()
    times_s: list[float] = []
    slow: Counter[str] = Counter()
    sizes_mb: list[float] = []
    rng = random.Random(args.seed)
    while (spent_s := time.monotonic() - began_s) < args.seconds:
        for table in good:
            due = int(len(table.letters) * spent_s / args.seconds)
            have = table.have or 0
            if due > have:
                letter = {"evening": 1, "entries": table.letters[have:due], "camera": "live"}
                sent_s = time.monotonic()
                try:
                    status, body, _ = talk(
                        "/api/table/entries", letter, f"{TABLE_COOKIE}={table.token}"
                    )
                except OSError:
                    status, body = 0, {}
                slow[str(status)] += 1
                if status == 200:
                    times_s.append(time.monotonic() - sent_s)
                    table.have = body["have"]
        hall.measure()
        sizes_mb.append(hall.largest_mb)
        time.sleep(rng.uniform(0.2, 1.0))
    raging.ended.set()
    for one in attackers:
        one.join(20)
    for table in good:
        letter = {"evening": 1, "entries": table.letters[table.have or 0 :], "camera": "live"}
        if letter["entries"]:
            assert talk("/api/table/entries", letter, f"{TABLE_COOKIE}={table.token}")[0] == 200
    alive = hall.process is not None and hall.process.poll() is None
    ada = talk("/api/check-in/mine", None, phone)[1]["me"]
    told = talk("/api/host/tournament", None, host)[1]["tournament"]
    status, body, _ = talk("/api/host/tournament", {"do": "add", "name": "Cleo"}, host)
    hall.stop()
    database = Database(own.url, "attack")
    refused, stored, evenings = database.rows(
        "select (select count(*) from refused_entry), count(*), count(distinct evening) from entry where table_id = %s",
        bad.id,
    )[0]
    ((strange,),) = database.rows(
        "select count(*) from hall_table where id <> all(%s)", [t.id for t in (bad, *good)]
    )
    database.close()
    _, lost, wrong = compare(own.url, good)
    log = (folder / "hall.log").read_text(errors="replace")
    failures = log.count("a request failed") + log.count("Traceback")
    answered = ", ".join(f"{key} {n}" for key, n in sorted(raging.answers.items()))
    print(f"answers: {answered}; honest letters: {dict(slow)}")
    print(
        f"the attacker's own: {stored} entries of {evenings} evenings; phones in: {len(told['lines'])}"
    )
    if failures:
        print(log[-3000:])
    fives = sum(n for key, n in raging.answers.items() if key.startswith("5") and key != "503")
    breaches = sum(n for key, n in raging.answers.items() if not key.isdigit()) + strange
    grown = sizes_mb[-1] - sizes_mb[len(sizes_mb) // 2]
    p99_s = statistics.quantiles(times_s, n=100)[98] if len(times_s) > 2 else float("inf")
    return [
        Figure("attacked for so long by a table, a phone and a stranger; what they asked", f"{args.seconds:.0f} s; {sum(raging.answers.values())}"),
        Figure("honest tables' entries lost or changed", str(lost + wrong), "0", sum(len(t.letters) for t in good), lost + wrong == 0),
        Figure("pages of a host given, tables let in by chance", str(breaches), "0", None, breaches == 0),
        Figure("failures of our own (5xx but 503, tracebacks)", str(fives + failures), "0", None, fives + failures == 0),
        Figure("the hall went on; the honest phone is in; the host has room", "yes" if alive and ada and status == 200 else "no", "yes", None, bool(alive and ada and status == 200)),
        Figure("entries the attacker stored; entries kept of its refused ones", f"{stored}; {refused}", f"; at most {MOST_REFUSED}", None, refused <= MOST_REFUSED),
        Figure("people the flood of phones added", str(len(told["lines"]) - 2), "under 400", None, len(told["lines"]) < 400),
        Figure("an honest letter meanwhile", f"{statistics.median(times_s) * 1000:.0f} ms (median), 99 % within {p99_s * 1000:.0f} ms", "", len(times_s)),
        Figure("memory of the hall's process, the most; more in the second half", f"{sizes_mb[-1]:.0f} MB; {grown:.0f} MB", "under 500 MB", None, sizes_mb[-1] < 500),
    ]  # fmt: skip


def main() -> int:
    """Attack; 1 where a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1200.0)
    parser.add_argument("--attackers", type=int, default=3, help="at a time")
    parser.add_argument("--seed", type=int, default=21)
    add_json(parser)
    args = parser.parse_args()
    with reachable_folder() as folder, EmbeddedPostgres(folder) as own:
        figures = attack(args, own, folder)
        own.stop(hard=True)
    for figure in figures:
        print(f"{figure.what:<70} {figure.value}  {figure.goal}")
    record(args.json, figures, args.seed)
    return int(any(figure.good is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
