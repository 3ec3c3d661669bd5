"""Measure the place report on films with known truth: confusion by condition, false "table",
latency, milliseconds.

usage: python -m tests.benchmarks.places [--seeds 900:906] [--tables wood,white] [--size
1080|720|2160] [--verbose]
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from companion.table.sighting import PlaceState
from companion.vision.places.place_thresholds import PLACE_THRESHOLDS, PlaceThresholds
from companion.vision.places.place_watch import PlaceWatch
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.benchmarks.scenes.places_film import Film, Recipe, Shot, Truth

SIZES = {"720": (1280, 720), "1080": (1920, 1080), "2160": (3840, 2160)}
TABLES = ("wood", "cloth", "white", "black", "checked", "fine", "marble")

AT_ONCE = PlaceThresholds(bare_looks=1, bare_s=-1.0)
"""One bare look is enough: a still is a scene of its own."""


@dataclass
class Tally:
    """Counts over films."""

    confusion: dict[str, Counter] = field(default_factory=lambda: defaultdict(Counter))
    false: list[str] = field(default_factory=list)
    lying: int = 0
    lying_s: float = 0.0
    late: list[float] = field(default_factory=list)
    never: int = 0
    ms: list[float] = field(default_factory=list)
    still_ms: list[float] = field(default_factory=list)


def condition(truth: Truth, shot: Shot) -> str:
    """A word for what is really at a place."""
    if shot.soft:
        return "lies, soft" if truth.lies else "bare, soft"
    if truth.lies:
        side = "up" if truth.up else "down"
        return (
            f"lies {side}, open"
            if truth.hidden < 0.02
            else f"lies {side}, {'part' if truth.hidden < 0.5 else 'covered'}"
        )
    if not truth.clear:
        return "gone, something there"
    return "bare, shadow near" if truth.shadowed else "bare, clear"


class Watch:
    """Follows one film and adds to the tally."""

    def __init__(self, tally: Tally, name: str, watch: PlaceWatch) -> None:
        self.tally, self.name, self.watch = tally, name, watch
        self._clear_since: dict[int, float] = {}
        self._told: set[int] = set()

    def take(self, shot: Shot, verbose: bool) -> None:
        """Look at one shot and note what was said."""
        begun = time.thread_time()
        look = self.watch.report_places(shot.image, shot.plane, shot.t_s, shot.read, shot.places)
        took = 1000 * (time.thread_time() - begun)
        (self.tally.still_ms if look.still else self.tally.ms).append(took)
        for card, truth in shot.truth.items():
            if card not in look.states:
                continue
            self._note(card, truth, look.states[card], shot, verbose)
        for card in [c for c in self._clear_since if c not in shot.places]:
            self._close(card, shot)

    def _note(self, card: int, truth: Truth, state: PlaceState, shot: Shot, verbose: bool) -> None:
        tally = self.tally
        tally.confusion[condition(truth, shot)][state.value] += 1
        if truth.lies:
            tally.lying += 1
            if state is PlaceState.TABLE:
                told = f"{self.name} {shot.t_s:.1f}s card {card} {shot.doing} hidden {truth.hidden:.2f} up {truth.up}"
                tally.false.append(told)
            self._clear_since.pop(card, None)
            self._told.discard(card)
            return
        if card in self._told:
            return
        if truth.clear and not truth.shadowed and not shot.soft:
            since = self._clear_since.setdefault(card, shot.t_s)
            if state is PlaceState.TABLE:
                tally.late.append(shot.t_s - since)
                if verbose and shot.t_s - since > 0.5:
                    print(
                        f"   late {self.name} card {card} {shot.t_s - since:.1f}s at {shot.t_s:.1f} {shot.doing}"
                    )
                self._told.add(card)
                del self._clear_since[card]
            elif verbose and shot.t_s - since > 0.95:
                print(
                    f"   waiting {self.name} {shot.t_s:.1f}s card {card} {state.value} {shot.doing}"
                )
        elif state is PlaceState.TABLE:
            self._told.add(card)
            self._clear_since.pop(card, None)
        else:
            self._clear_since.pop(card, None)

    def _close(self, card: int, shot: Shot) -> None:
        since = self._clear_since.pop(card)
        if shot.t_s - since > 1.0:
            self.tally.never += 1


def filmed(
    recipe: Recipe, seed: int, rounds: int, keep: Path | None, stills: int = 0
) -> Iterator[Shot]:
    """The shots of a film; with `keep`, drawn once and read from that folder ever after. The first
    shows a back only."""
    name = "-".join(
        str(v) for v in (*vars(recipe).values(), seed, f"still{stills}" if stills else rounds)
    ).replace(" ", "")
    path = keep / f"{name}.pickle" if keep else None
    if path is not None and path.exists():
        for jpeg, shot in pickle.loads(path.read_bytes()):
            yield replace(shot, image=cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
        return
    film, kept = Film(recipe, seed), []
    shots = film.stills(stills) if stills else film.shots(rounds)
    image, plane = film.back_shot()
    first = Shot(image, plane, -1.0, {}, {}, {}, "back", False)
    for shot in chain([first], shots):
        if path is not None:
            jpeg = cv2.imencode(".jpg", shot.image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1]
            kept.append((jpeg, replace(shot, image=np.empty(0))))
            shot = replace(shot, image=cv2.imdecode(jpeg, cv2.IMREAD_COLOR))
        yield shot
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps(kept))


def run(
    tally: Tally,
    recipe: Recipe,
    seed: int,
    rounds: int,
    verbose: bool,
    keep: Path | None,
    stills: int = 0,
) -> None:
    """One film into the tally."""
    watch = PlaceWatch(thresholds=AT_ONCE if stills else PLACE_THRESHOLDS)
    follower = Watch(tally, f"{recipe.table}/{seed}", watch)
    for shot in filmed(recipe, seed, rounds, keep, stills):
        if shot.doing == "back":
            watch.learn_back(shot.image, shot.plane, (300.0, 250.0))
            continue
        follower.take(shot, verbose)
        tally.lying_s += sum(t.lies for t in shot.truth.values()) / recipe.fps


def report(tally: Tally, title: str) -> None:
    """Print what was counted."""
    states = [s.value for s in PlaceState]
    print(f"\n{title}")
    print(f"{'truth':24}{'n':>7}" + "".join(f"{s:>9}" for s in states))
    for key in sorted(tally.confusion):
        row = tally.confusion[key]
        n = sum(row.values())
        print(f"{key:24}{n:7}" + "".join(f"{100 * row[s] / n:9.1f}" for s in states))
    late, total = np.array(tally.late), len(tally.late) + tally.never
    print(
        f"false table: {len(tally.false)} of {tally.lying} place-frames, {tally.lying_s:.0f} place-seconds with a card lying"
    )
    for line in tally.false[:12]:
        print("   ", line)
    if total:
        in_time = int((late <= 1.0).sum())
        worst = late.max() if len(late) else float("nan")
        print(
            f"departures: {total}, noticed within 1 s: {100 * in_time / total:.1f} %, never: {tally.never}, "
            f"median {np.median(late) if len(late) else float('nan'):.1f} s, worst {worst:.1f} s"
        )
    if tally.ms:
        ms = np.array(tally.ms)
        print(
            f"ms a look: median {np.median(ms):.1f}, 95 % {np.percentile(ms, 95):.1f}; still: "
            f"{np.median(tally.still_ms) if tally.still_ms else float('nan'):.2f} ({len(tally.still_ms)} frames)"
        )


def main() -> None:
    """Run the films and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="900:902", help="first:last, last excluded")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--size", default="1080", choices=SIZES)
    parser.add_argument("--backs", default="printed")
    parser.add_argument("--cards", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--fps", type=float, default=10.0)
    parser.add_argument("--dark", type=float, default=0.0, help="EV of the room against normal")
    parser.add_argument(
        "--no-empty", action="store_true", help="cards lie there from the first frame"
    )
    parser.add_argument(
        "--films", type=Path, help="keep the films in this folder and use them again"
    )
    parser.add_argument(
        "--stills",
        type=int,
        default=0,
        help="so many scenes of random covers instead of films, single looks",
    )
    parser.add_argument("--verbose", action="store_true")
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    first, last = (int(v) for v in args.seeds.split(":"))
    whole = Tally()
    for table in args.tables.split(","):
        part = Tally()
        for seed in range(first, last):
            recipe = Recipe(
                table,
                SIZES[args.size],
                args.backs,
                args.cards,
                args.fps,
                not args.no_empty,
                dark=args.dark,
            )
            run(part, recipe, seed, args.rounds, args.verbose, args.films, args.stills)
        report(part, f"== {table}, {args.size}, seeds {args.seeds}")
        _add(whole, part)
    report(whole, "== all")
    record(args.json, figures_of(whole), first)


def figures_of(whole: Tally) -> list[Figure]:
    """False words, departures and milliseconds of all films."""
    in_time = sum(late <= 1.0 for late in whole.late)
    departures = len(whole.late) + whole.never
    ms = f"{np.median(whole.ms):.1f} ms (median), 95 % {np.percentile(whole.ms, 95):.1f}"
    return [
        Figure(
            "a lying card called gone, place-frames",
            share(len(whole.false), whole.lying),
            "0",
            good=not whole.false,
        ),
        Figure(
            "departures noticed within 1 s",
            share(in_time, departures),
            ">= 99 %",
            good=in_time >= 0.99 * departures,
        ),
        Figure("a look at all places", ms, n=len(whole.ms)),
    ]


def _add(whole: Tally, part: Tally) -> None:
    for key, row in part.confusion.items():
        whole.confusion[key].update(row)
    whole.false += part.false
    whole.late += part.late
    whole.ms += part.ms
    whole.still_ms += part.still_ms
    whole.lying, whole.lying_s, whole.never = (
        whole.lying + part.lying,
        whole.lying_s + part.lying_s,
        whole.never + part.never,
    )


if __name__ == "__main__":
    main()
