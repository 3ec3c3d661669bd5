"""What a tray's silence is worth, counted: `python -m tests.benchmarks.fits.tray_silence
[--evenings N] [--seed N] [--ways ...]`.

Plays evenings without pictures, piled in every way, and counts what was seen of each card by the
moment its round was entered or asked about, apart for those that came to the tray and those that
did not: beside each share stands the number of `companion.referee.weighing.tray_silence`.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random

import cv2

from companion.evening.loop import keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.practice.truth import RoundTruth
from companion.practice.witness import Witness, moments_of
from companion.referee.departure import Departure
from companion.referee.open_round import OpenRound
from companion.referee.weighing.tray_silence import TRAY_SILENCE_MODEL as MODEL
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.benchmarks.scenes.evening_played import (
    Order,
    Outcome,
    begun,
    eye_of,
    some_order,
    written,
)

WAYS = (
    "everyday",
    "living",
    "overlapping_tray",
    "pile_on_top",
    "pile_under",
    "pile_fan",
    "pile_heap",
    "tray_edge",
    "tray_far",
    "tray_cut_off",
)
"""How the tables pile; the last is counted apart."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of one card: whether it `came` to the tray, as which of its round, over others,
    whether the Lookout took it, and what its tray evidence said."""

    came: bool
    lookout: bool
    turn: int
    piled: bool
    departure: Departure


def seen_in(order: Order) -> list[Seen]:
    """Every card of one evening's rounds, as it was known when the round was first decided."""
    cv2.setNumThreads(1)
    script, room = written(order)
    keeper = Scorekeeper()
    keeper.change(Changes((begun(script.truth, order.handling),)), 0.0)
    if order.eye == "witness":
        source = moments_of(Witness(script, order.seed), order.fps)
    else:
        source = eye_of(script, room, Outcome(order, ""))
    found: list[Seen] = []
    done: set[int] = set()
    truth = {frozenset(line.cards): line for line in script.truth.rounds}
    for _ in keep_score(source, keeper):
        round_ = _decided(keeper)
        if round_ is None or round_.number in done:
            continue
        done.add(round_.number)
        line = truth.get(frozenset(round_.cards))
        if line is not None:
            found += _cards_of(round_, line)
    return found


def _decided(keeper: Scorekeeper) -> OpenRound | None:
    round_ = keeper.referee._round if keeper.referee is not None else None
    return round_ if round_ is not None and round_.stage in ("entered", "asked") else None


def _cards_of(round_: OpenRound, line: RoundTruth) -> Iterator[Seen]:
    row = round_.watch.departures(round_.constraints)
    wrong = [guess.card for guess in line.guesses if not guess.right]
    piled = round_.watch.piled(row)
    for turn, departure in enumerate(row):
        if departure.tray.picture.known:
            yield Seen(departure.card in wrong, line.ending == "lookout", turn, piled, departure)


def orders(args: argparse.Namespace) -> list[Order]:
    """So many evenings of each way."""
    found = []
    for way in args.ways or WAYS:
        at = WAYS.index(way)
        rng = Random(args.seed + at)
        wishes: dict[str, object] = {
            "rounds": 4, "handling": "tray", "faults": way, "rate": 1.0, "fps": 8.0,
            "idle_fps": 2.0, "eye": args.eye,
        }  # fmt: skip
        first = args.seed + 1000 * at
        found += [some_order(rng, first + number, wishes) for number in range(args.evenings)]
    return found


def figures_of(seen: list[Seen]) -> list[Figure]:
    """The counted shares beside the model's: of trays whole in view, and of those cut off."""
    whole = [one for one in seen if not one.departure.tray.picture.cut_off]
    cut = [one for one in seen if one.came and one.departure.tray.picture.cut_off]
    hidden = [one for one in cut if not (one.departure.rests_in_tray or _changed(one))]
    gone = Figure(
        "came to a tray a third outside, neither read nor seen", share(len(hidden), len(cut)),
        f"model {MODEL.beyond_part / 3:.2f}", len(cut),
    )  # fmt: skip
    shown = [one for one in cut if one not in hidden]
    missed = [one for one in shown if not (one.departure.rests_in_tray and _changed(one))]
    rest = Figure("of the others, not both", share(len(missed), len(shown)), "", len(shown))
    return [*(_figures_of_whole(whole) if whole else ()), *((gone, rest) if cut else ())]


def _changed(one: Seen) -> bool:
    return one.departure.tray.picture.came


def _figures_of_whole(seen: list[Seen]) -> list[Figure]:
    came = [one for one in seen if one.came]
    others = [one for one in seen if not one.came and one.turn > 0]
    alone = [one for one in came if one.turn == 0]
    among = [one for one in came if one.turn > 0 and not one.piled]
    piled = [one for one in came if one.turn > 0 and one.piled]
    figures = [
        _unread("came alone, never read", alone, MODEL.unread_alone_share),
        _unread("came beside others, never read", among, MODEL.unread_among_share),
        _unread("came, piled, never read", piled, MODEL.unread_piled_share),
    ]
    for name, cards, model in (
        ("came, no change seen", [*alone, *among], MODEL.unnoticed_share),
        ("came, piled, no change seen", piled, MODEL.under_all_share),
    ):
        silent = [one for one in cards if not one.departure.tray.picture.came]
        figures.append(Figure(name, share(len(silent), len(cards)), f"model {model}", len(cards)))
    by_lookout = [one for one in others if one.lookout]
    for name, cards in (
        ("came", came),
        ("did not come", others),
        ("did not come, the Lookout's", by_lookout),
    ):
        ways = Counter(_way(one) for one in cards)
        told = ", ".join(f"{way} {share(count, len(cards))}" for way, count in sorted(ways.items()))
        figures.append(Figure(f"{name}: what moved over the tray", told, "", len(cards)))
        unseen = Counter(_way(one) for one in cards if not one.departure.tray.picture.came)
        told = ", ".join(f"{way} {count}" for way, count in sorted(unseen.items()))
        figures.append(Figure(f"{name}, no change seen: what moved", told, "", unseen.total()))
    changed = sum(one.departure.tray.picture.came for one in others)
    goal = f"model {MODEL.changed_anyway_share}"
    figures.append(
        Figure("did not come, a change seen", share(changed, len(others)), goal, len(others))
    )
    return figures


def _unread(name: str, cards: list[Seen], model: float) -> Figure:
    unread = sum(not one.departure.rests_in_tray for one in cards)
    return Figure(name, share(unread, len(cards)), f"model {model}", len(cards))


def _way(one: Seen) -> str:
    picture = one.departure.tray.picture
    if picture.reached:
        return "fingertips on their way home" if picture.passing else "fingertips"
    return "something" if picture.visited else "nothing"


def main() -> None:
    """Play, count, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evenings", type=int, default=20, help="of each way to pile")
    parser.add_argument("--ways", nargs="*", choices=WAYS, help="to pile (default: all)")
    parser.add_argument("--seed", type=int, default=420000)
    parser.add_argument("--eye", choices=("witness", "real"), default="witness")
    parser.add_argument("--jobs", type=int, default=2)
    add_json(parser)
    args = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ProcessPoolExecutor(args.jobs) as pool:
        seen = [one for cards in pool.map(seen_in, orders(args)) for one in cards]
    figures = figures_of(seen)
    for figure in figures:
        print(f"{figure.what:<42} {figure.value}   {figure.goal}")
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
