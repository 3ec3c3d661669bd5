"""Whole evenings from pixels to ledger: rooms, cameras, players and editions that no test uses.

    uv run python -m tests.benchmarks.evening --evenings 40 --rounds 3 --seed 9000
    uv run python -m tests.benchmarks.evening --rounds 0 --faults living        (whole games, every
    incident)
    uv run python -m tests.benchmarks.evening --evenings 300 --faults living --out FILE.jsonl   (for
    hours; go on any time)

Each evening is a random room (camera, cloth, light) with a random script; the real reader and
referee keep the score with nobody to ask. Printed are rounds exact without a touch, asked, silently
wrong, still open at the end of the film and never seen, by handling, camera, players, temper and
incident, how late the entries came, and how often what was stated was so, by how surely it was
stated. `held`: questions of which one button was the truth. With
`--eye witness` the script is seen without pictures, through the same curtain. With `--light` each
evening is played twice, the second time looked at as the product does with its own `--light`.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import statistics
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from random import Random

from calibration.simulator.cloth import CLOTHS
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.evening_kept import keep, kept
from tests.benchmarks.scenes.evening_played import (
    CAMERAS,
    GROUPS,
    HANDLINGS,
    Judged,
    Order,
    Outcome,
    play,
    some_order,
)

VERDICTS = ("exact", "asked", "wrong", "open", "missed")


def orders(args: argparse.Namespace) -> list[Order]:
    """The evenings to play."""
    rng = Random(args.seed)
    names = (
        "rounds",
        "players",
        "edition",
        "handling",
        "temper",
        "camera",
        "faults",
        "rate",
        "fps",
        "idle_fps",
        "eye",
    )
    wishes = {name: getattr(args, name) for name in names}
    drawn = [some_order(rng, args.seed + at, wishes) for at in range(args.evenings)]
    lights = (False, True) if args.light else (False,)
    cloths = args.cloth or (None,)
    return [
        replace(order, light=light, cloth=cloths[at % len(cloths)])
        for at, order in enumerate(drawn)
        for light in lights
    ]


def groups_of(order: Order, judged: Judged) -> Iterable[str]:
    """The lines of the table in which a round counts."""
    yield f"set aside: {order.handling}"
    yield f"edition: {order.edition}"
    yield f"camera: {order.camera}"
    yield f"players: {order.players}"
    yield f"temper: {order.temper}"
    if order.cloth is not None:
        yield f"table: {order.cloth}"
    if order.faults in GROUPS:
        yield f"{order.faults}: {GROUPS[order.faults][order.seed % len(GROUPS[order.faults])]}"
    yield from (f"with {name}" for name in judged.incidents)
    yield "~ all"


def table_of(outcomes: list[Outcome]) -> str:
    """Rounds by verdict, one line a group and one for all."""
    groups: dict[str, list[Judged]] = {}
    for outcome in outcomes:
        for judged in outcome.rounds:
            for key in groups_of(outcome.order, judged):
                groups.setdefault(key + _way(outcome.order.light), []).append(judged)
    lines = [f"{'':<26}{'rounds':>8}" + "".join(f"{name:>8}" for name in (*VERDICTS, "held"))]
    for key in sorted(groups):
        verdicts = [judged.verdict for judged in groups[key]]
        held = sum(judged.verdict == "asked" and judged.answerable for judged in groups[key])
        counts = "".join(f"{verdicts.count(name):>8}" for name in VERDICTS)
        lines.append(f"{key.removeprefix('~ '):<26}{len(verdicts):>8}{counts}{held:>8}")
    return "\n".join(lines)


def times_of(outcomes: list[Outcome]) -> str:
    """How late entries came, by handling, and what a frame cost."""
    lines = []
    for handling in HANDLINGS:
        delays = sorted(
            d
            for outcome in outcomes
            if outcome.order.handling == handling
            for d in outcome.delays_s
        )
        if delays:
            late = delays[min(len(delays) - 1, int(0.95 * len(delays)))]
            usual = statistics.median(delays)
            lines.append(
                f"{handling}: entered after the middle was empty: median {usual:.1f} s, 95 % {late:.1f} s"
            )
    frames = sum(outcome.frames for outcome in outcomes)
    if frames:
        read, render = (
            sum(getattr(o, name) for o in outcomes) / frames for name in ("read_ms", "render_ms")
        )
        lines.append(
            f"{frames} frames; processor time a frame: {read:.0f} ms to read, {render:.0f} ms to render"
        )
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Band:
    """Of the rounds stated so surely, how many there were, how surely on average, and how many were
    as stated."""

    low: float
    high: float
    count: int
    stated: float
    right: int


BANDS = ((0.5, 0.9), (0.9, 0.95), (0.95, 0.985), (0.985, 0.992), (0.992, 1.0))
"""Of stated confidences, the upper end left out but for the last."""


def bands_of(outcomes: list[Outcome]) -> list[Band]:
    """What was stated, entered or asked, and how often it was so, by how surely."""
    told = [
        (judged.stated, judged.right)
        for outcome in outcomes
        for judged in outcome.rounds
        if judged.stated is not None
    ]
    bands = []
    for low, high in BANDS:
        mine = [(p, right) for p, right in told if low <= p < high or p == high == 1.0]
        if mine:
            stated = statistics.fmean(p for p, _ in mine)
            bands.append(Band(low, high, len(mine), stated, sum(right for _, right in mine)))
    return bands


def bands_told(outcomes: list[Outcome]) -> str:
    """One line a band of stated confidence."""
    return "\n".join(
        f"stated {band.low:.3f} to {band.high:.3f}: {band.right} of {band.count} right"
        f" ({100 * band.right / band.count:.1f} %), stated {100 * band.stated:.1f} % on average"
        for band in bands_of(outcomes)
    )


def _way(light: bool) -> str:
    return ", --light" if light else ""


def report(outcome: Outcome) -> None:
    """Print one evening, and whatever was not exact in it."""
    order, verdicts = outcome.order, [judged.verdict for judged in outcome.rounds]
    counts = ", ".join(f"{verdicts.count(name)} {name}" for name in VERDICTS if name in verdicts)
    print(
        f"{order.seed} {order.players} {order.edition} {order.handling} {order.temper} {outcome.room}"
        f"{_way(order.light)}: {counts}",
        flush=True,
    )
    for judged in outcome.rounds:
        if judged.verdict != "exact":
            befell = f" ({', '.join(judged.incidents)})" if judged.incidents else ""
            print(f"    round {judged.number} {judged.verdict}{befell} {judged.note}", flush=True)
    late = [f"{delay:.1f}" for delay in outcome.delays_s if delay > LATE_S]
    if late:
        print(f"    late by {', '.join(late)} s", flush=True)


LATE_S = 3.0
"""Entries later than this are printed with their evening."""


def options() -> argparse.ArgumentParser:
    """The benchmark's options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--evenings", type=int, default=12)
    parser.add_argument(
        "--rounds", type=int, default=2, help="rounds an evening; 0 plays to the end of the deck"
    )
    parser.add_argument("--seed", type=int, default=9000)
    parser.add_argument("--players", type=int)
    parser.add_argument("--edition", choices=("en", "de", "cs"))
    parser.add_argument(
        "--handling", choices=HANDLINGS, help="how cards are set aside (default: tray or face down)"
    )
    parser.add_argument("--temper", choices=("calm", "ordinary", "rowdy"))
    parser.add_argument("--camera", choices=tuple(CAMERAS), help="default: 1080p or 720p")
    parser.add_argument(
        "--faults",
        default="everyday",
        help="none, everyday, living (all, at living-room rates), one switch, or one each evening of "
        "piles (how cards lie in the tray) or unruly (what befalls the tray)",
    )
    parser.add_argument(
        "--rate", type=float, default=0.35, help="how often that one switch is thrown"
    )
    parser.add_argument("--fps", type=float, default=8.0)
    parser.add_argument(
        "--idle-fps", type=float, default=2.0, help="while nobody touches the table; 0: as ever"
    )
    parser.add_argument(
        "--eye",
        choices=("real", "learnt", "witness", "nameless"),
        default="real",
        help="learnt: cards without codes, read by their pictures; witness: without pictures, for many rounds; nameless: the same, one card in ten without a name",
    )
    parser.add_argument(
        "--cloth",
        nargs="+",
        choices=CLOTHS,
        help="what the tables are made of, one an evening in turn (default: as the rooms have them)",
    )
    parser.add_argument(
        "--light",
        action="store_true",
        help="each evening also as the product's --light looks at it",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE.jsonl",
        help="one line an evening; what it holds is not played again",
    )
    add_json(parser)
    return parser


def figures_of(outcomes: list[Outcome]) -> list[Figure]:
    """Verdicts and how late entries came, by handling and, where both were played, by `--light`."""
    figures = []
    for handling, light in product(HANDLINGS, (False, True)):
        mine = [
            outcome
            for outcome in outcomes
            if outcome.order.handling == handling and outcome.order.light == light
        ]
        verdicts = [judged.verdict for outcome in mine for judged in outcome.rounds]
        delays = sorted(delay for outcome in mine for delay in outcome.delays_s)
        if not verdicts:
            continue
        told = ", ".join(f"{verdicts.count(name)} {name}" for name in VERDICTS)
        figures.append(
            Figure(
                f"rounds, set aside: {handling}{_way(light)}",
                told,
                "0 wrong",
                len(verdicts),
                verdicts.count("wrong") == 0,
            )
        )
        if delays:
            late_s = delays[min(len(delays) - 1, int(0.95 * len(delays)))]
            spread = f"{statistics.median(delays):.1f} s (median), 95 % within {late_s:.1f} s"
            what = f"entered after the middle was empty: {handling}{_way(light)}"
            figures.append(Figure(what, spread, n=len(delays)))
    figures += [
        Figure(
            f"right of those stated {band.low:g} to {band.high:g}{_way(light)}",
            f"{band.right} of {band.count}",
            f"{100 * band.stated:.1f} %",
            band.count,
            band.right >= band.stated * band.count - 1,
        )
        for light in (False, True)
        for band in bands_of([outcome for outcome in outcomes if outcome.order.light == light])
        if band.low >= BANDS[1][0]
    ]
    return figures


def main() -> None:
    """Play the evenings and print the table."""
    args = options().parse_args()
    outcomes = kept(args.out) if args.out else []
    done = {outcome.order for outcome in outcomes}
    with ProcessPoolExecutor(args.jobs) as pool:
        for outcome in pool.map(play, [order for order in orders(args) if order not in done]):
            outcomes.append(outcome)
            report(outcome)
            if args.out:
                keep(args.out, outcome)
    print("\n" + table_of(outcomes))
    print(times_of(outcomes))
    print(bands_told(outcomes))
    record(args.json, figures_of(outcomes), args.seed)


if __name__ == "__main__":
    main()
