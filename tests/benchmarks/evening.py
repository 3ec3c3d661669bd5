"""Whole evenings from pixels to ledger: rooms, cameras, players and editions that no test uses.

    uv run python tests/benchmarks/evening.py --evenings 40 --rounds 3 --seed 9000

Each evening is a random room (camera, cloth, light) with a random script; the real reader and referee keep the score
with nobody to ask.  Printed are rounds exact, asked and wrong, by edition and temper, and how late the entries came.
"""

from __future__ import annotations

import argparse
import statistics
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random

import cv2

from companion.game.change import Changes
from companion.game.events import CloudsClaimed, EveningBegun, LookoutTook
from companion.practice.faults import EVERYDAY, Faults
from companion.practice.room import random_room
from companion.practice.script import write_script
from companion.practice.table import PracticeTable
from companion.practice.truth import RoundTruth, Truth
from companion.scorekeeper import Scorekeeper
from companion.vision.eye import Eye


@dataclass(frozen=True, slots=True)
class Order:
    """One evening to play: everything follows from these."""

    seed: int
    rounds: int
    players: int
    edition: str
    temper: str
    fault: str | None
    fps: float


@dataclass(slots=True)
class Outcome:
    """What became of it: per round "exact", "asked" or "wrong", the entries' delays, and milliseconds a frame."""

    order: Order
    room: str
    rounds: list[str] = field(default_factory=list)
    delays_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    read_ms: float = 0.0


def same(keeper: Scorekeeper, truth: Truth, line: RoundTruth) -> bool:
    """True when the ledger's round has the cards, the wrong guesses and the gains of the truth."""
    if line.number > len(keeper.ledger.rounds):
        return False
    kept = keeper.ledger.rounds[line.number - 1]
    gains = keeper.ledger.gains(kept)
    wrong = tuple(guess.card for guess in line.guesses if not guess.right)
    return (
        set(kept.known_cards) == set(line.cards) and kept.set_aside == wrong and gains == line.gains(len(truth.players))
    )


def play(order: Order) -> Outcome:
    """Play one evening and judge every round of it."""
    cv2.setNumThreads(1)
    rng = Random(f"evening {order.seed}")
    size = rng.choice(((1920, 1080), (1920, 1080), (1280, 720)))
    room = random_room(order.seed, order.players, size_px=size, tray_side=None if order.edition != "de" else "right")
    faults = EVERYDAY if order.fault is None else Faults.only(order.fault, 0.35)
    script = write_script(order.players, order.edition, order.rounds, order.seed, order.temper, "auto", faults, room.layout)  # type: ignore[arg-type]
    table = PracticeTable(script, room.camera, room.cloth, order.seed, order.fps)
    outcome = Outcome(order, str(room))
    keeper = keep(table, outcome)
    for line in table.truth.rounds:
        asked = any(s.round == line.number for s in keeper.standing.values())
        verdict = "asked" if asked else "exact" if same(keeper, table.truth, line) else "wrong"
        outcome.rounds.append(verdict)
        if verdict == "wrong":
            outcome.notes.append(f"round {line.number}: {_told(keeper, line.number)} was {line}")
    if len(keeper.ledger.rounds) > len(table.truth.rounds):
        outcome.rounds.append("wrong")
        outcome.notes.append("a round that never was")
    return outcome


def _told(keeper: Scorekeeper, number: int) -> str:
    return str(keeper.ledger.rounds[number - 1]) if number <= len(keeper.ledger.rounds) else "nothing"


def keep(table: PracticeTable, outcome: Outcome) -> Scorekeeper:
    """Keep the score of the whole film, as `companion score` does."""
    truth = table.truth
    keeper = Scorekeeper()
    keeper.change(Changes((EveningBegun(truth.players, truth.daydreamer, truth.edition, len(truth.deck), "auto"),)), 0.0)
    eye, spent, frames, last_s = Eye(), 0.0, 0, 0.0
    while (frame := table.read()) is not None:
        start = time.process_time()
        gone = keeper.referee.gone_cards if keeper.referee else frozenset()
        entries = keeper.see(eye.look(frame, keeper.expected, keeper.curtain_open, gone))
        spent += time.process_time() - start
        frames, last_s = frames + 1, frame.t_s
        for entry in entries:
            ends = isinstance(entry.event, CloudsClaimed | LookoutTook)
            if ends and entry.round and entry.round <= len(truth.rounds):
                outcome.delays_s.append(frame.t_s - truth.rounds[entry.round - 1].ended_s)
    keeper.finish(last_s)
    outcome.read_ms = spent / max(1, frames) * 1000
    return keeper


def orders(args: argparse.Namespace) -> list[Order]:
    """The evenings to play."""
    rng = Random(args.seed)
    made = []
    for at in range(args.evenings):
        players = args.players or rng.randint(3, 8)
        edition = args.edition or rng.choice(("en", "en", "cs", "de"))
        temper = args.temper or rng.choice(("calm", "ordinary", "ordinary", "rowdy"))
        made.append(Order(args.seed + at, args.rounds, players, edition, temper, args.fault, args.fps))
    return made


def table_of(outcomes: list[Outcome]) -> str:
    """Rounds exact, asked and wrong, one line a group and one for all."""
    groups: dict[str, list[str]] = {}
    for outcome in outcomes:
        order = outcome.order
        for key in (f"edition {order.edition}", f"temper {order.temper}", f"players {order.players}", "all"):
            groups.setdefault(key, []).extend(outcome.rounds)
    lines = [f"{'':<18}{'rounds':>8}{'exact':>8}{'asked':>8}{'wrong':>8}"]
    for key in sorted(groups, key=lambda k: (k == "all", k)):
        counts = [groups[key].count(kind) for kind in ("exact", "asked", "wrong")]
        lines.append(f"{key:<18}{len(groups[key]):>8}" + "".join(f"{count:>8}" for count in counts))
    return "\n".join(lines)


def main() -> None:
    """Play the evenings and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evenings", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--players", type=int)
    parser.add_argument("--edition", choices=("en", "de", "cs"))
    parser.add_argument("--temper", choices=("calm", "ordinary", "rowdy"))
    parser.add_argument("--fault", help="one of the practice table's switches, thrown in a third of all guesses")
    parser.add_argument("--fps", type=float, default=8.0)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    outcomes = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for outcome in pool.map(play, orders(args)):
            outcomes.append(outcome)
            print(outcome.order, outcome.room, " ".join(outcome.rounds), f"{outcome.read_ms:.0f} ms", flush=True)
            for note in outcome.notes:
                print("   ", note, flush=True)
    delays = sorted(delay for outcome in outcomes for delay in outcome.delays_s)
    print("\n" + table_of(outcomes))
    if delays:
        late = delays[min(len(delays) - 1, int(0.95 * len(delays)))]
        print(f"entry after the middle was empty: median {statistics.median(delays):.1f} s, 95 % {late:.1f} s")
    print(f"reading: median {statistics.median(o.read_ms for o in outcomes):.0f} ms of CPU a frame")


if __name__ == "__main__":
    main()
