"""Thousands of random covers over lying cards, drawn cheaply: how often does a single look call a
lying card "table"?

Much harsher than play: every frame another mess of cups, sheets and arms, many of about the table's
own colour, under other light each time; no voting. Sheets of the table's own colour (within 25 % in
every channel) are left out: at the place itself nobody can tell them from the table.

usage: python -m tests.benchmarks.places_many [--scenes 40] [--seed 900] [--kinds wood,white,black]
"""

from __future__ import annotations

import argparse
from collections import Counter

import cv2
import numpy as np

from companion.table.sighting import PlaceState
from companion.vision.places.place_thresholds import PlaceThresholds
from companion.vision.places.place_watch import PlaceWatch
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.companion.vision.places.test_place_watch import PX, Overhead, Table, cloth, grain

SPOTS = [
    (120.0 + 105 * i, 100.0 + 100 * j)
    for i in range(5)
    for j in range(3)
    if (i, j) not in ((0, 0), (4, 2))
]

AT_ONCE = PlaceThresholds(bare_looks=1, bare_s=-1.0)
"""One bare look is enough: every look is a scene of its own."""


class Mess(Table):
    """A drawn table with any number of covers on it."""

    def __init__(self, kind: str, seed: int) -> None:
        super().__init__(kind, rng=np.random.default_rng(seed))
        self.covers: list[tuple[str, np.ndarray, np.ndarray, tuple[float, ...]]] = []
        self.slope = np.ones((500, 800, 1), np.float32)

    def picture(self) -> np.ndarray:
        """The table under its covers and light, (500, 800, 3) uint8."""
        image = cloth(self.kind).copy()
        for x, y in ((60, 60), (580, 340)):
            self._tag(image, x, y)
        for number, (centre, side) in self.cards.items():
            self._card(image, number, centre, side)
        for kind, at, to, colour in self.covers:
            if kind == "cup":
                cv2.circle(image, self._at(tuple(at)), int(to[0] * PX), colour, -1, cv2.LINE_AA)
            elif kind == "arm":
                cv2.line(
                    image,
                    self._at(tuple(at)),
                    self._at(tuple(to)),
                    colour,
                    int(70 * PX),
                    cv2.LINE_AA,
                )
            else:
                box = cv2.boxPoints((self._at(tuple(at)), (to[0] * PX, to[1] * PX), to[2]))
                cv2.fillPoly(image, [box.astype(np.int32)], colour, cv2.LINE_AA)
        image = cv2.GaussianBlur(image * self.slope, (0, 0), 0.7)
        y, x = self.rng.integers(0, 32, 2)
        return np.clip(image + grain()[y : y + 500, x : x + 800], 0, 255).astype(np.uint8)

    def cover(self) -> None:
        """A new mess and new light."""
        rng, base = self.rng, cloth(self.kind)[::9, ::9].reshape(-1, 3).mean(axis=0)
        self.covers = []
        for _ in range(rng.integers(1, 5)):
            kind = str(rng.choice(["cup", "arm", "sheet"]))
            own = kind != "sheet" and rng.random() < 0.4
            colour = base * rng.uniform(0.85, 1.2) if own else rng.uniform(8, 245, 3)
            if kind == "sheet" and np.abs(np.log((colour + 10) / (base + 10))).max() < 0.25:
                continue
            at = np.array(SPOTS[rng.integers(len(SPOTS))]) + rng.normal(0, 20, 2)
            to = np.array([rng.uniform(34, 47 if own else 60), 0, 0])
            if kind == "arm":
                at, to = np.array([rng.choice([-80.0, 720.0]), rng.uniform(0, 400)]), at
            elif kind == "sheet":
                to = np.array([rng.uniform(60, 210), rng.uniform(60, 297), rng.uniform(0, 180)])
            self.covers.append((kind, at, to, tuple(float(c) for c in colour)))
        across = np.linspace(-1, 1, 800, dtype=np.float32)[None, :, None] * rng.uniform(-0.25, 0.25)
        self.slope = (1 + across) * np.float32(rng.uniform(0.55, 1.5))


def run(kind: str, seed: int, scenes: int) -> Counter:
    """Counts of (truth, state) over the scenes of one table."""
    table, plane, watch, count, t = (
        Mess(kind, seed),
        Overhead(),
        PlaceWatch(thresholds=AT_ONCE),
        Counter(),
        0.0,
    )
    for _ in range(15):
        watch.report_places(table.picture(), plane, t, {}, {})
        t += 0.1
    for scene in range(scenes):
        chosen = table.rng.permutation(len(SPOTS))[:8]
        laid = {(scene * 8 + k) % 80 + 1: SPOTS[i] for k, i in enumerate(chosen)}
        table.cards = {n: (spot, "up") for n, spot in laid.items()}
        table.covers, table.slope = [], np.ones((500, 800, 1), np.float32)
        for _ in range(3):
            watch.report_places(
                table.picture(), plane, t, {n: (spot, 0.0) for n, spot in laid.items()}, laid
            )
            t += 0.2
        for _ in range(10):
            left = [n for n in laid if table.rng.random() < 0.8]
            table.cards = {n: (laid[n], "up" if table.rng.random() < 0.7 else "down") for n in left}
            table.cover()
            look = watch.report_places(table.picture(), plane, t, {}, laid)
            t += 0.2
            count.update(
                ("lies" if n in table.cards else "gone", state) for n, state in look.states.items()
            )
    return count


def main() -> None:
    """Print what was said of lying and of empty places, table by table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--kinds", default="wood,white,black")
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    figures = []
    for kind in args.kinds.split(","):
        count = run(kind, args.seed, args.scenes)
        for truth in ("lies", "gone"):
            total = sum(v for (was, _), v in count.items() if was == truth)
            row = "  ".join(f"{s.value} {count[(truth, s)]}" for s in PlaceState)
            print(f"{kind:6} {truth}: {total:6}   {row}", flush=True)
        lying = sum(many for (was, _), many in count.items() if was == "lies")
        false = count["lies", PlaceState.TABLE]
        figures.append(
            Figure(f"{kind}: a covered card called gone in a single look", share(false, lying))
        )
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
