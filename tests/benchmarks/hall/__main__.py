"""The storm: many simulated tables, a bad network, a hall that is killed and a database that is
restarted; then every entry is looked for, one by one.

    python -m tests.benchmarks.hall [--tables 1000] [--rounds 2] [--kills 20] [--restarts 3] [--boards 20]
        [--play 2000 --cut 600]

Tables send recorded logs over HTTP to a hall in a process of its own; answers are thrown away, letters
come twice, too early and out of order, tables fall silent for a while and come back. Boards look on.
With --play the evenings last so long and the blows are spread over them; with --cut every table is cut
off from the hall once for so long, a quarter of all at a time, and plays on.
Exits 1 when one entry is lost, doubled or changed.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.evening.session import Session
from companion.hall.context import TABLE_COOKIE
from companion.hall.database import Database, bring_forward
from companion.hall.embedded import EmbeddedPostgres
from companion.hall.floor import TABLES_A_PAGE
from companion.hall.tables import digest_of
from companion.journal import Journal
from companion.outbox.link import HallLink, LinkFile
from companion.outbox.sender import Sender
from tests.benchmarks.results.record import Figure, add_json, record
from tests.support.hall.tables import as_letters, played_log, reachable_folder

LOGS = 40
"""So many different evenings; each table plays one of them."""

MOST_ENTRIES = 12
"""In a letter; a companion's holds 15 kB."""

TIMEOUT_S = 8.0

CUT_GROUPS = 4
"""So many groups of tables are cut off, one after the other; each comes back at once."""

MOST_WAIT_S = 60.0
"""As a companion's sender."""

LATER_S = 1_000_000.0
"""The entries that are followed to the boards have times from here on."""

QUIET_END = 3.0
"""After the time for blows is over, tables have so many times as long in all to send the rest."""


@dataclass
class SimulatedTable:
    """A table as a companion would be: its log, how far it thinks the hall has got, when it may send
    again."""

    id: str
    token: str
    letters: list[dict[str, Any]]
    shown: int = 1
    have: int | None = None
    not_before_s: float = 0.0
    wait_s: float = 0.2
    cut_s: tuple[float, float] = (0.0, 0.0)
    """From when until when it cannot reach the hall, by the storm's clock."""
    was_cut: bool = False

    @property
    def done(self) -> bool:
        """True once the hall has said that it holds everything."""
        return self.have == len(self.letters)


@dataclass
class Storm:
    """What the benchmark does to the hall, and what it counts."""

    port: int
    tables: list[SimulatedTable]
    seed: int
    calm: bool = False
    play_s: float = 0.0
    """Evenings last so long; 0: everything was played before."""
    began_s: float = field(default_factory=time.monotonic)
    counts: Counter[str] = field(default_factory=Counter)
    times_s: list[float] = field(default_factory=list)

    def played(self, table: SimulatedTable) -> int:
        """So many entries its evening has by now."""
        if not self.play_s:
            return len(table.letters)
        share = min(1.0, (time.monotonic() - self.began_s) / self.play_s)
        return int(len(table.letters) * share)

    def cut_off(self, table: SimulatedTable) -> bool:
        """True while this table cannot reach the hall."""
        first_s, last_s = table.cut_s
        cut = first_s <= time.monotonic() - self.began_s < last_s
        if cut and not table.was_cut:
            table.was_cut = True
            self.counts["tables cut off"] += 1
        return cut

    def ask(self, table: SimulatedTable, method: str, path: str, told: Any = None) -> Any:
        """(status, JSON) of the hall's answer; raises OSError where there is none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_S)
        try:
            headers = {
                "Origin": f"http://127.0.0.1:{self.port}",
                "Cookie": f"{TABLE_COOKIE}={table.token}",
                "Content-Type": "application/json",
                "Connection": "close",
            }
            connection.request(method, path, None if told is None else json.dumps(told), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (http.client.HTTPException, ValueError) as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def step(self, table: SimulatedTable, rng: random.Random) -> None:
        """One letter of this table, or its loss."""
        if self.cut_off(table):
            raise OSError("no way to the hall")
        now_s = time.monotonic()
        if table.have is None:
            status, answer = self.ask(table, "GET", "/api/table/progress")
            if status != 200:
                raise OSError(status)
            table.have = int(answer["evenings"].get("1", 0))
            if table.have >= self.played(table):
                return
        first = table.have
        last = min(self.played(table), first + rng.randint(1, MOST_ENTRIES))
        mischief = 1.0 if self.calm else rng.random()
        if mischief < 0.05:
            first = min(len(table.letters) - 1, first + rng.randint(1, 3))  # too early: a gap
            last = max(last, first + 1)
        elif mischief < 0.15:
            first = max(0, first - rng.randint(1, 4))  # what was sent before comes again
        letter = {"evening": 1, "entries": table.letters[first:last], "camera": "live"}
        status, answer = self.ask(table, "POST", "/api/table/entries", letter)
        self.times_s.append(time.monotonic() - now_s)
        self.counts[f"answered {status}"] += 1
        assert status != 422, answer  # a companion would give this evening up
        if not self.calm and rng.random() < 0.1:
            self.counts["answers thrown away"] += 1
            table.have = None if rng.random() < 0.5 else table.have
            return
        if status in (200, 409):
            assert answer["status"] != "other", (table.id, answer)
            table.have = int(answer["have"])
            table.wait_s = 0.2
        else:
            raise OSError(status)
        if not self.calm and rng.random() < 0.02:
            self.counts["outages of a table"] += 1
            table.not_before_s = time.monotonic() + rng.uniform(1, 10)

    def work(self, mine: list[SimulatedTable], seed: int, ended: threading.Event) -> None:
        """Let these tables send, each in its turn, until all is told."""
        rng = random.Random(seed)
        left = list(mine)
        while left and not ended.is_set():
            rng.shuffle(left)
            for table in left:
                if table.not_before_s > time.monotonic() or table.done:
                    continue
                if table.have is not None and table.have >= self.played(table):
                    continue
                try:
                    self.step(table, rng)
                except OSError:
                    self.counts["no answer"] += 1
                    table.not_before_s = time.monotonic() + table.wait_s * rng.uniform(0.7, 1)
                    table.wait_s = min(MOST_WAIT_S, table.wait_s * 2)
            left = [table for table in left if not table.done]
            time.sleep(0.25 if self.play_s else 0.002)


@dataclass
class HallProcess:
    """The hall in a process of its own, killed and started again."""

    url: str
    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None
    largest_mb: float = 0.0

    def start(self) -> None:
        """Start it and wait until it answers."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "hall", "--database", self.url, "--host", "127.0.0.1",
             "--port", str(self.port), "--data", str(self.folder)],
            stdout=(self.folder / "hall.log").open("ab"), stderr=subprocess.STDOUT,
        )  # fmt: skip
        until_s = time.monotonic() + 60
        while time.monotonic() < until_s:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return None
            if self.process.poll() is not None:  # the lock of the one before was not free yet
                return self.start()
            time.sleep(0.05)
        raise AssertionError((self.folder / "hall.log").read_text()[-2000:])

    def measure(self) -> float:
        """How much memory it takes, MB; 0 where it does not run."""
        if self.process is None:
            return 0.0
        with contextlib.suppress(OSError, IndexError):
            text = Path(f"/proc/{self.process.pid}/status").read_text()
            kb = int(text.partition("VmRSS:")[2].split()[0])
            self.largest_mb = max(self.largest_mb, kb / 1000)
            return kb / 1000
        return 0.0

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        """End it politely."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
            if self.process.poll() is None:
                self.process.kill()


def let_tables_in(url: str, number: int, rounds: int) -> list[SimulatedTable]:
    """So many tables, known to the database as if each had come by a code."""
    logs = [as_letters(played_log(seed, rounds).entries) for seed in range(min(LOGS, number))]
    tables = [
        SimulatedTable(secrets.token_hex(16), secrets.token_urlsafe(16), logs[at % len(logs)])
        for at in range(number)
    ]
    database = Database(url, "storm")
    bring_forward(database)
    with database.transaction() as cursor:
        cursor.executemany(
            "insert into hall_table (id, token_hash) values (%s, %s)",
            [(table.id, digest_of(table.token)) for table in tables],
        )
    database.close()
    return tables


def fill(url: str, tables: list[SimulatedTable], share: float) -> None:
    """Let the database hold this share of every table's evening, as if it had been sent."""
    database = Database(url, "storm")
    for at in range(0, len(tables), 100):
        rows = []
        for table in tables[at : at + 100]:
            table.have = int(len(table.letters) * share)
            rows += [
                (table.id, 1, one["number"], json.dumps(one)) for one in table.letters[: table.have]
            ]
        with database.transaction() as cursor:
            cursor.execute(
                "insert into entry (table_id, evening, number, entry) "
                "select * from unnest(%s::text[], %s::int[], %s::int[], %s::jsonb[])",
                tuple(list(column) for column in zip(*rows, strict=True)),
            )
    database.close()


def wait_for_boards(port: int, cookie: str, number: int) -> float:
    """Wait until so many tables stand on the boards of a hall that was just started; for how long, s."""
    began_s = time.monotonic()
    shown = 0
    while shown < number:
        assert time.monotonic() - began_s < 900, f"{shown} of {number} tables"
        time.sleep(2)
        shown = 0
        for page in range(1, (number - 1) // TABLES_A_PAGE + 2):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            connection.request("GET", f"/api/board?page={page}", headers={"Cookie": cookie})
            shown += len(json.loads(connection.getresponse().read())["tables"])
            connection.close()
    return time.monotonic() - began_s


def compare(url: str, tables: list[SimulatedTable]) -> tuple[int, int, int]:
    """(entries, lost, doubled or other): what the database holds beside what the tables have."""
    database = Database(url, "storm")
    held: dict[str, list[Any]] = {}
    for table_id, entry in database.rows(
        "select table_id, entry from entry order by table_id, evening, number"
    ):
        held.setdefault(table_id, []).append(entry)
    database.close()
    lost = wrong = 0
    for table in tables:
        mine = held.get(table.id, [])
        lost += max(0, len(table.letters) - len(mine))
        wrong += max(0, len(mine) - len(table.letters))
        wrong += sum(a != b for a, b in zip(table.letters, mine, strict=False))
    return sum(map(len, held.values())), lost, wrong


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def storm(args: argparse.Namespace, own: EmbeddedPostgres, folder: Path) -> list[Figure]:
    """Let it rage; the figures."""
    tables = let_tables_in(own.url, args.tables, args.rounds)
    hall = HallProcess(own.url, folder, free_port())
    hall.start()
    raging = Storm(hall.port, tables, args.seed, play_s=args.play)
    if args.cut:
        assert args.cut < args.play, "the cut must fit into --play"
        for at, table in enumerate(tables):
            first_s = (args.play - args.cut) * (at % CUT_GROUPS + 0.5) / CUT_GROUPS
            table.cut_s = first_s, first_s + args.cut
    ended = threading.Event()
    workers = [
        threading.Thread(
            target=raging.work,
            args=(tables[at :: args.workers], args.seed + at, ended),
            daemon=True,
        )
        for at in range(args.workers)
    ]
    began_s = raging.began_s
    for worker in workers:
        worker.start()
    rng = random.Random(args.seed)
    blows = ["kill"] * args.kills + ["restart"] * args.restarts
    rng.shuffle(blows)
    longest_s = args.play or args.longest
    due_s = sorted(rng.uniform(0.02, 0.97) * args.play for _ in blows)
    struck: Counter[str] = Counter()
    struck_s: list[float] = []
    while any(worker.is_alive() for worker in workers):
        hall.measure()
        spent_s = time.monotonic() - began_s
        if spent_s > longest_s * QUIET_END:
            ended.set()
            break
        if args.play:
            striking = bool(blows) and due_s[len(struck_s)] <= spent_s
        else:
            striking = (
                spent_s < longest_s and sum(table.done for table in tables) < args.tables * 0.9
            )
        if blows and striking:
            if not args.play:
                time.sleep(rng.uniform(*args.pause))
            blow = blows.pop()
            struck[blow] += 1
            struck_s.append(spent_s)
            if blow == "kill":
                hall.kill()
                hall.start()
            else:
                own.stop(hard=True)
                time.sleep(rng.uniform(0, 1))
                own.start()
        else:
            time.sleep(0.2)
    spent_s = time.monotonic() - began_s
    for worker in workers:
        worker.join(20)
    hall.measure()
    hall.stop()
    entries, lost, wrong = compare(own.url, tables)
    done = sum(table.done for table in tables)
    rows = [f"{value} {what}" for what, value in sorted(raging.counts.items())]
    print(f"{args.tables} tables, {entries} entries in {spent_s:.0f} s: {', '.join(rows)}")
    return [
        Figure("tables that the hall has whole", f"{done} of {args.tables}", "all", args.tables, done == args.tables),
        Figure("entries lost", str(lost), "0", entries, lost == 0),
        Figure("entries doubled or changed", str(wrong), "0", entries, wrong == 0),
        Figure("hall killed; database stopped as if the power went", f"{struck['kill']}; {struck['restart']}", f"{args.kills}; {args.restarts}", None, not blows or not args.play),
        *([Figure(f"tables that could not reach the hall for {args.cut / 60:.0f} minutes", str(raging.counts["tables cut off"]), "all", args.tables, raging.counts["tables cut off"] == args.tables)] if args.cut else []),
        Figure("answers thrown away; letters without answer", f"{raging.counts['answers thrown away']}; {raging.counts['no answer']}"),
        Figure("entries a second, all of it on a busy machine", f"{entries / spent_s:.0f}"),
        Figure("memory of the hall's process, the most", f"{hall.largest_mb:.0f} MB", "under 500 MB", None, hall.largest_mb < 500),
        Figure("load average when it ended", f"{os.getloadavg()[0]:.1f}"),
    ]  # fmt: skip


def boards_lag(args: argparse.Namespace, own: EmbeddedPostgres, folder: Path) -> list[Figure]:
    """From an entry at a table to the boards that look on, while all tables play on."""
    from companion.web.guards.access import Door

    tables = let_tables_in(own.url, args.tables, args.rounds + 8)
    (folder / "hall").mkdir(parents=True, exist_ok=True)
    door = Door(folder / "hall" / "devices.json")
    code = door.invite(uses=10_000)
    cookies = [door.enter(code, f"board {at}") for at in range(max(1, args.boards // 4))]
    if args.played:
        fill(own.url, tables, args.played)
    hall = HallProcess(own.url, folder, free_port())
    hall.start()
    if args.played:
        whole_s = wait_for_boards(hall.port, f"companion_device={cookies[0]}", args.tables)
        print(f"all {args.tables} tables stand on the boards {whole_s:.0f} s after the start")
    playing = Storm(hall.port, tables, args.seed, calm=True)
    sent_s: dict[tuple[int, float], float] = {}
    lags_s: list[float] = []
    ended = threading.Event()

    def look(at: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", hall.port, timeout=TIMEOUT_S)
        cookie = f"companion_device={cookies[at % len(cookies)]}"
        connection.request("GET", f"/api/stream?tab=t{at}", headers={"Cookie": cookie})
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        first = True
        while not ended.is_set():
            line = answer.fp.readline() if answer.fp is not None else b""
            if not line.startswith(b'data: {"'):
                continue
            came_s = time.monotonic()
            if first:
                first = False
                continue
            for window in json.loads(line[6:])["tables"]:
                began_s = sent_s.get((window["table"], window["changed_s"]))
                if began_s is not None:
                    lags_s.append(came_s - began_s)

    # The first page's tables are looked at; all tables keep the pace of a real hall.
    numbers = {table.id: at + 1 for at, table in enumerate(tables)}
    boards = [threading.Thread(target=look, args=(at,), daemon=True) for at in range(args.boards)]
    for board in boards:
        board.start()
    time.sleep(2)
    pace_s = args.tables and 1.0 / (args.tables * 0.029)  # 10,000 tables: 290 entries a second
    lock = threading.Lock()
    due = [time.monotonic()]

    def play(mine: list[SimulatedTable]) -> None:
        rng = random.Random(len(mine))
        while not ended.is_set():
            with lock:
                due[0] = max(due[0] + pace_s, time.monotonic() - 1.0)
                wait_s = due[0] - time.monotonic()
            if wait_s > 0:
                time.sleep(wait_s)
            table = rng.choice(mine)
            have = table.have or 0
            if have >= len(table.letters):
                continue
            entry = dict(table.letters[have], at_s=LATER_S + have)
            sent_s[numbers[table.id], entry["at_s"]] = time.monotonic()
            letter = {"evening": 1, "entries": [entry], "camera": "live"}
            with contextlib.suppress(OSError):
                status, answer = playing.ask(table, "POST", "/api/table/entries", letter)
                playing.counts[str(status)] += 1
                if status == 200:
                    table.have = answer["have"]
                playing.times_s.append(time.monotonic() - sent_s[numbers[table.id], entry["at_s"]])

    players = [
        threading.Thread(target=play, args=(tables[at :: args.workers],), daemon=True)
        for at in range(min(args.workers, args.tables))
    ]
    for player in players:
        player.start()
    until_s = time.monotonic() + args.seconds
    sizes_mb: list[float] = []
    while time.monotonic() < until_s:
        sizes_mb.append(hall.measure())
        time.sleep(0.5)
    ended.set()
    time.sleep(0.5)
    hall.stop()
    for player in players:
        player.join(10)
    p99_s = statistics.quantiles(lags_s, n=100)[98] if len(lags_s) > 100 else float("inf")
    goal_s = 0.3 if args.tables <= 100 else 2.0
    print(f"{playing.counts}, {len(lags_s)} arrivals on boards")
    return [
        Figure(f"entry at a table -> on {args.boards} boards, {args.tables} tables playing",
               f"{statistics.median(lags_s) * 1000:.0f} ms (median), 99 % within {p99_s * 1000:.0f} ms",
               f"99 % < {goal_s * 1000:.0f} ms", len(lags_s), p99_s < goal_s),
        Figure(f"letters a second, {args.tables} tables", f"{len(playing.times_s) / args.seconds:.0f}"),
        Figure(f"memory of the hall's process, {args.tables} tables: the most; after a half; at the end",
               f"{hall.largest_mb:.0f}; {sizes_mb[len(sizes_mb) // 2]:.0f}; {sizes_mb[-1]:.0f} MB", "under 500 MB", None, hall.largest_mb < 500),
        Figure(f"load average when it ended, {args.tables} tables", f"{os.getloadavg()[0]:.1f}"),
    ]  # fmt: skip


def taps_beside(hall: str, number: int, folder: Path) -> list[float]:
    """How long each of so many taps takes until its scoreboard stands, s: with no hall, with one that
    is away, and with one that takes the letter and never answers."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    if hall == "hangs":
        listening.listen(50)
    with Journal(folder / hall) as journal:
        links = LinkFile(folder / hall)
        if hall != "none":
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            links.keep(HallLink(address, TABLE_COOKIE, "token", 1, "ab" * 16, 1))
        sender = Sender(links, journal)
        session = Session(journal, on_entry=lambda entry, keeper: sender.notice_news())
        begun = {"do": "begin", "players": ["Ada", "Ben", "Cleo"], "daydreamer": 0}
        status, answer = session.command(
            {**begun, "id": "begin-0001", "version": session.version, "edition": "en"}
        )
        assert status == 200, answer
        sender.begin()
        times_s = []
        for at in range(number):
            asked = {"do": ("pause", "resume")[at % 2], "id": f"tap-{at:06}"}
            began_s = time.perf_counter()
            status, answer = session.command({**asked, "version": session.version})
            times_s.append(time.perf_counter() - began_s)
            assert status == 200, answer
            time.sleep(0.01)
        sender.stop()
    listening.close()
    return times_s


def taps(args: argparse.Namespace, folder: Path) -> list[Figure]:
    """A tap beside no hall, one that is away, one that hangs, in turns."""
    told: dict[str, list[float]] = {"none": [], "away": [], "hangs": []}
    for turn in range(4):
        for hall, times_s in told.items():
            (folder / str(turn)).mkdir(exist_ok=True)
            times_s += taps_beside(hall, args.taps // 4, folder / str(turn))
    middle = {hall: statistics.median(times_s) for hall, times_s in told.items()}
    late = {hall: statistics.quantiles(times_s, n=20)[18] for hall, times_s in told.items()}
    rows = [
        f"{hall} {middle[hall] * 1000:.2f} ms (95 % within {late[hall] * 1000:.2f})"
        for hall in told
    ]
    good = max(middle.values()) < min(middle.values()) * 1.25
    return [Figure("a tap beside no hall, one that is away, one that hangs", "; ".join(rows),
                   "no measurable difference", args.taps, good)]  # fmt: skip


def main() -> int:
    """Measure; 1 where an entry was lost, doubled or changed, or a goal missed by the storm."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2, help="of each table's evening")
    parser.add_argument("--kills", type=int, default=20, help="of the hall")
    parser.add_argument("--restarts", type=int, default=3, help="of the database")
    parser.add_argument("--workers", type=int, default=12, help="letters under way at a time")
    parser.add_argument(
        "--pause", type=float, nargs=2, default=(0.5, 4.0), help="between two blows, s"
    )
    parser.add_argument(
        "--longest", type=float, default=420.0, help="strike for so many seconds at most"
    )
    parser.add_argument(
        "--play", type=float, default=0.0, help="let the evenings last so many seconds"
    )
    parser.add_argument(
        "--cut", type=float, default=0.0, help="with --play: no way to the hall for so long, s"
    )
    parser.add_argument(
        "--boards", type=int, default=0, help="measure the way to so many boards instead"
    )
    parser.add_argument(
        "--played", type=float, default=0.0, help="with --boards: this share was played before"
    )
    parser.add_argument(
        "--taps", type=int, default=0, help="measure so many taps at a table instead"
    )
    parser.add_argument("--seconds", type=float, default=30.0, help="with --boards: for so long")
    parser.add_argument("--seed", type=int, default=1)
    add_json(parser)
    args = parser.parse_args()
    with reachable_folder() as folder:
        if args.taps:
            figures = taps(args, folder)
        else:
            with EmbeddedPostgres(folder) as own:
                figures = (boards_lag if args.boards else storm)(args, own, folder)
                own.stop(hard=True)
    for figure in figures:
        print(f"{figure.what:<70} {figure.value}  {figure.goal}")
    record(args.json, figures, args.seed)
    return int(any(figure.good is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
