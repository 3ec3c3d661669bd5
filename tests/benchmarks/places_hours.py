"""Hours at a cheaply drawn table: how often a second is a lying card called gone, and how soon is a
card that left missed?

    python -m tests.benchmarks.places_hours --place-seconds 40000       about half an hour of one
    core
    python -m tests.benchmarks.places_hours --kinds black --place-seconds 3000

Cloths: wood, white, near-black, checked. Hands rest and hover with their shadows, heads throw
shadows, lamps are switched, dimmed, coloured, reflected; exposure hunts; cups and sheets are put
over cards; cards are peeked at, nudged, turned over, taken. Sheets within a quarter of the table's
own colour are left out: at the place itself nobody can tell. Everything is persistent over frames,
as in a room; a place-second is one place with a card lying there for one second.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.table.sighting import PlaceState
from companion.vision.places.place_watch import PlaceWatch
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.companion.vision.places.test_place_watch import PX, Overhead, Table, cloth, grain

SPOTS = [
    (120.0 + 105 * i, 100.0 + 100 * j)
    for i in range(5)
    for j in range(3)
    if (i, j) not in ((0, 0), (4, 2))
]
KINDS = ("wood", "white", "black", "checked")
FPS = 6
ACTS = 60
"""Things that happen in one room before the next is made."""

SKINS = ((150, 175, 215), (105, 140, 190), (60, 85, 130), (35, 50, 80))
Y, X = np.mgrid[:500:4, :800:4].astype(np.float32) / PX
Colour = tuple[float, float, float]


@dataclass
class Hand:
    """A forearm from `entry` outside to `tip`, mm, and how dark its shadow is."""

    entry: np.ndarray
    tip: np.ndarray
    colour: Colour
    shade: float


@dataclass
class Room(Table):
    """A drawn table with light and shadow that stay and change as in a room."""

    hand: Hand | None = None
    things: list[tuple[str, tuple[float, float], tuple[float, float, float], Colour]] = field(
        default_factory=list
    )
    gain: float = 1.0
    tint: float = 0.0
    slope: tuple[float, float] = (0.0, 0.0)
    head: tuple[float, float, float, float] | None = None
    glare: tuple[float, float, float, float] | None = None
    _drawn: tuple[object, np.ndarray] | None = None

    def picture(self) -> np.ndarray:
        """The table now, (500, 800, 3) uint8."""
        key = (tuple(sorted(self.cards.items())), tuple(self.things))
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = (key, self._laid())
        image = self._drawn[1] * cv2.resize(
            self._light(), (800, 500), interpolation=cv2.INTER_LINEAR
        )
        if self.hand is not None:
            cv2.line(
                image,
                self._at(tuple(self.hand.entry)),
                self._at(tuple(self.hand.tip)),
                self.hand.colour,
                int(72 * PX),
            )
        if self.glare is not None:
            x, y, size, strength = self.glare
            spot = strength * np.exp(-0.5 * ((X - x) ** 2 + (Y - y) ** 2) / size**2)
            image += cv2.resize(spot, (800, 500))[:, :, None]
        image = cv2.GaussianBlur(image * self.gain * self._tinted(), (0, 0), 0.6 + self.blur)
        y, x = self.rng.integers(0, 32, 2)
        return cv2.convertScaleAbs(np.maximum(image + grain()[y : y + 500, x : x + 800], 0))

    def _tinted(self) -> np.ndarray:
        return np.array([1 - self.tint, 1, 1 + self.tint], np.float32)

    def _light(self) -> np.ndarray:
        light = 1 + self.slope[0] * (X / 320 - 1) + self.slope[1] * (Y / 200 - 1)
        if self.hand is not None:
            light = light * (
                1
                - self.hand.shade
                * np.exp(-0.5 * (_away(self.hand.entry + 16, self.hand.tip + 16) / 34) ** 2)
            )
        if self.head is not None:
            x, y, size, shade = self.head
            light = light * (1 - shade * np.exp(-0.5 * ((X - x) ** 2 + (Y - y) ** 2) / size**2))
        return light[:, :, None].repeat(3, 2)

    def _laid(self) -> np.ndarray:
        image = _cloth(self.kind).copy()
        for x, y in ((60, 60), (580, 340)):
            self._tag(image, x, y)
        for number, (centre, side) in self.cards.items():
            self._card(image, number, centre, side)
        for kind, at, size, colour in self.things:
            if kind == "cup":
                cv2.circle(image, self._at(at), int(size[0] * PX), colour, -1, cv2.LINE_AA)
            else:
                box = cv2.boxPoints((self._at(at), (size[0] * PX, size[1] * PX), size[2]))
                cv2.fillPoly(image, [box.astype(np.int32)], colour, cv2.LINE_AA)
        return image


def _away(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """How far each coarse pixel is from a line, mm."""
    along = end - start
    share = np.clip(
        ((X - start[0]) * along[0] + (Y - start[1]) * along[1]) / max(float(along @ along), 1e-6),
        0,
        1,
    )
    return np.hypot(X - start[0] - share * along[0], Y - start[1] - share * along[1])


def _cloth(kind: str) -> np.ndarray:
    if kind != "checked":
        return cloth(kind)
    y, x = np.mgrid[:500, :800]
    odd = ((x // int(28 * PX) + y // int(28 * PX)) % 2)[:, :, None]
    return np.where(odd == 0, (70.0, 60.0, 150.0), (215.0, 218.0, 222.0)).astype(np.float32)


class Hours:
    """One room played on and on; counts what is said of every place."""

    take_share = 0.22
    """How often a card is taken, of all that happens: more tells more of departures."""

    def __init__(self, kind: str, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.room, self.watch, self.plane = (
            Room(kind, rng=np.random.default_rng(seed + 1)),
            PlaceWatch(),
            Overhead(),
        )
        self.count: Counter[str] = Counter()
        self.kind, self.seed, self.t, self.doing = kind, seed, 0.0, "empty"
        self.places: dict[int, tuple[float, float]] = {}
        self.held: int | None = None
        self.clear_since: dict[int, float] = {}
        self.late: list[float] = []
        self.missed: list[str] = []
        self.false: list[str] = []
        self.ms: list[float] = []
        self.told: set[int] = set()

    # ---- looking

    def step(self, seconds: float = 0.0) -> None:
        """Frames for so long, one at least."""
        for _ in range(max(1, round(seconds * FPS))):
            image = self.room.picture()
            read = {
                n: (c, 0.0)
                for n, (c, side) in self.room.cards.items()
                if side == "up" and self._readable(n, c)
            }
            self.places |= {n: c for n, (c, _) in read.items() if n != self.held}
            begun = time.thread_time()
            look = self.watch.report_places(image, self.plane, self.t, read, self.places)
            self.ms.append(1000 * (time.thread_time() - begun))
            for number, state in look.states.items():
                self._note(number, state)
            self.t += 1 / FPS

    def _readable(self, number: int, centre: tuple[float, float]) -> bool:
        return (
            number != self.held
            and not self._near(centre, 50)
            and self.room.gain > 0.35
            and self.rng.random() < 0.95
        )

    def _near(self, centre: tuple[float, float], reach: float) -> bool:
        room, at = self.room, np.array(centre)
        for _, where, size, _ in room.things:
            if np.hypot(*(at - where)) < reach + max(size[:2]) / 2:
                return True
        if (
            room.glare is not None
            and np.hypot(at[0] - room.glare[0], at[1] - room.glare[1]) < 2 * room.glare[2] + reach
        ):
            return True
        hand = room.hand
        if hand is None:
            return False
        along = hand.tip - hand.entry
        share = np.clip((at - hand.entry) @ along / max(float(along @ along), 1e-6), 0, 1)
        return float(np.hypot(*(at - hand.entry - share * along))) < reach + 36

    def _note(self, number: int, state: PlaceState) -> None:
        place, lying = self.places[number], self.room.cards
        here = [
            n
            for n, (c, _) in lying.items()
            if n != self.held and np.hypot(c[0] - place[0], c[1] - place[1]) < 30
        ]
        if here:
            self.count["lying"] += 1
            self.count[f"lying {state.value}"] += 1
            self.clear_since.pop(number, None)
            self.told.discard(number)
            if state is PlaceState.TABLE:
                where = f"{self.kind} seed {self.seed} {self.t:.1f}s card {number}"
                self.false.append(f"{where} {self.doing} gain {self.room.gain:.2f}")
            return
        if number in self.told:
            return
        head = self.room.head
        shaded = (
            head is not None and np.hypot(place[0] - head[0], place[1] - head[1]) < 2.5 * head[2]
        )
        others = [
            c for n, (c, _) in lying.items() if np.hypot(c[0] - place[0], c[1] - place[1]) < 90
        ]
        if self._near(place, 60) or shaded or others or self.held == number:
            self.clear_since.pop(number, None)
            if state is PlaceState.TABLE:
                self.told.add(number)
            return
        since = self.clear_since.setdefault(number, self.t)
        if state is PlaceState.TABLE:
            self.late.append(self.t - since)
            self.told.add(number)
        elif self.t - since > 1.0 and number not in self.told:
            where = f"{self.kind} seed {self.seed} {self.t:.1f}s card {number}"
            self.missed.append(f"{where} {state.value} gain {self.room.gain:.2f} {self.doing}")
            self.told.add(number)

    # ---- what happens

    def _hand(self, target: tuple[float, float]) -> Hand:
        side, rng = int(self.rng.integers(4)), self.rng
        entry = np.array(
            (
                (target[0] + rng.uniform(-150, 150), 520.0),
                (-120.0, target[1] + rng.uniform(-150, 150)),
                (760.0, target[1] + rng.uniform(-150, 150)),
                (target[0], -120.0),
            )[side]
        )
        base = _cloth(self.kind)[::9, ::9].reshape(-1, 3).mean(axis=0)
        like = tuple(float(v) for v in base * rng.uniform(0.85, 1.15))
        colour = (
            like
            if rng.random() < 0.2
            else SKINS[rng.integers(4)]
            if rng.random() < 0.6
            else tuple(rng.uniform(8, 240, 3))
        )
        return Hand(entry, entry.copy(), colour, rng.uniform(0, 0.45))

    def _reach(self, to: np.ndarray, seconds: float, carried: int | None = None) -> None:
        hand = self.room.hand
        assert hand is not None
        start, many = hand.tip.copy(), max(1, round(seconds * FPS))
        for k in range(1, many + 1):
            hand.tip = start + (to - start) * k / many
            if carried is not None:
                at = (float(hand.tip[0]), float(hand.tip[1]))
                self.room.cards[carried] = (at, self.room.cards[carried][1])
            self.step()

    def _leave(self) -> None:
        hand = self.room.hand
        assert hand is not None
        self._reach(hand.entry, self.rng.uniform(0.3, 0.6))
        self.room.hand = None

    def visit(self, at: tuple[float, float]) -> None:
        """A hand comes."""
        self.room.hand = self._hand(at)
        self._reach(np.array(at) + self.rng.normal(0, 12, 2), self.rng.uniform(0.3, 0.6))

    def take(self, number: int) -> None:
        """A hand takes a card away."""
        self.visit(self.room.cards[number][0])
        self.held = number
        self._reach(self.room.hand.entry, self.rng.uniform(0.3, 0.6), number)
        self.room.hand = None
        del self.room.cards[number]
        if number in self.told:  # seen bare while the hand was still on its way out
            self.late.append(0.0)
        self.held = None
        self.step(self.rng.uniform(0.8, 2))

    def hover(self, number: int) -> None:
        """A hand rests on or beside a card."""
        self.visit(self.room.cards[number][0])
        for _ in range(int(self.rng.integers(3, 30))):
            self.room.hand.tip = self.room.hand.tip + self.rng.normal(0, 1.5, 2)
            self.step()
        self._leave()

    def peek(self, number: int) -> None:
        """A card is lifted, shown about, and put back nearly as it was."""
        home = self.room.cards[number]
        self.visit(home[0])
        self.held = number
        self._reach(np.array(home[0]) + self.rng.uniform(-110, 110, 2), 0.5, number)
        self.step(self.rng.uniform(0.2, 1.5))
        self._reach(np.array(home[0]) + self.rng.normal(0, 2, 2), 0.5, number)
        self.held = None
        self._leave()

    def turn(self, number: int) -> None:
        """A card is turned over where it lies."""
        centre, side = self.room.cards[number]
        self.visit(centre)
        self.room.cards[number] = (centre, "down" if side == "up" else "up")
        self._leave()

    def cover(self, number: int) -> None:
        """A cup or a sheet is put over a card and taken off again."""
        rng, (centre, _) = self.rng, self.room.cards[number]
        base = _cloth(self.kind)[::9, ::9].reshape(-1, 3).mean(axis=0)
        colour = tuple(float(v) for v in rng.uniform(8, 245, 3))
        sheet = rng.random() < 0.5
        if sheet and np.abs(np.log((np.array(colour) + 10) / (base + 10))).max() < 0.25:
            return
        at = tuple(float(v) for v in np.array(centre) + rng.normal(0, 18, 2))
        size = (
            (rng.uniform(70, 210), rng.uniform(70, 297), rng.uniform(0, 180))
            if sheet
            else (rng.uniform(34, 60), 0.0, 0.0)
        )
        self.visit(centre)
        self.room.things.append(("sheet" if sheet else "cup", at, size, colour))
        self._leave()
        self.step(rng.uniform(0.5, 6))
        self.visit(centre)
        self.room.things.pop()
        self._leave()

    def lamp(self, number: int) -> None:
        """The light changes: at once, over a second, to another side or another colour."""
        rng, room = self.rng, self.room
        gain, tint, slope = (
            float(np.exp(rng.uniform(-0.7, 0.45))),
            rng.uniform(-0.12, 0.12),
            tuple(rng.uniform(-0.25, 0.25, 2)),
        )
        many, before = int(rng.choice([1, 2, 8])), (room.gain, room.tint, room.slope)
        for k in range(1, many + 1):
            s = k / many
            room.gain, room.tint = (
                before[0] + (gain - before[0]) * s,
                before[1] + (tint - before[1]) * s,
            )
            room.slope = tuple(a + (b - a) * s for a, b in zip(before[2], slope, strict=True))
            self.step()
        self.step(rng.uniform(0.5, 4))

    def hunt(self, number: int) -> None:
        """Auto-exposure and focus swing for a second or two."""
        room, before = self.room, self.room.gain
        for k in range(int(self.rng.integers(4, 12))):
            room.gain = before * float(np.exp(0.5 * np.cos(1.3 * k) * 0.8**k))
            room.blur = max(0.0, 2.2 * np.sin(0.9 * k) * 0.8**k)
            self.step()
        room.gain, room.blur = before, 0.0

    def head_shadow(self, number: int) -> None:
        """Somebody leans over: a large soft shadow comes, stays and goes."""
        rng, room = self.rng, self.room
        x, y, size, shade = (
            rng.uniform(0, 640),
            rng.uniform(0, 400),
            rng.uniform(50, 160),
            rng.uniform(0.15, 0.6),
        )
        for k in (*range(1, 5), *[5] * int(rng.integers(2, 25)), *range(4, 0, -1)):
            room.head = (x + rng.normal(0, 2), y + rng.normal(0, 2), size, shade * k / 5)
            self.step()
        room.head = None

    def shine(self, number: int) -> None:
        """A reflection or a phone's light rests on a card."""
        rng, room = self.rng, self.room
        x, y = np.array(room.cards[number][0]) + rng.normal(0, 15, 2)
        size, strength = rng.uniform(15, 55), rng.uniform(60, 400)
        for _ in range(int(rng.integers(2, 25))):
            room.glare = (x + rng.normal(0, 1), y + rng.normal(0, 1), size, strength)
            self.step()
        room.glare = None

    def rounds(self) -> Iterator[None]:
        """Round after round."""
        acts = (self.hover, self.hover, self.hover, self.peek, self.turn, self.cover, self.lamp, self.hunt, self.head_shadow,
                self.shine)  # fmt: skip
        self.step(1.5)
        number = 0
        while True:
            spots = [SPOTS[i] for i in self.rng.permutation(len(SPOTS))[:8]]
            for spot in spots:
                number = number % 80 + 1
                self.doing = "deal"
                self.visit(spot)
                self.room.cards[number] = (spot, "up")
                self._leave()
            self.step(0.6)
            while self.room.cards:
                lying = list(self.room.cards)
                one = int(self.rng.choice(lying))
                act = (
                    self.take
                    if self.rng.random() < self.take_share
                    else acts[self.rng.integers(len(acts))]
                )
                self.doing = act.__name__
                act(one)
                self.step(self.rng.uniform(0.2, 1.5))
                yield
            self.places.clear()
            self.step(1.0)


def main() -> None:
    """Play every cloth for its share and print what was said."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--place-seconds", type=int, default=2000, help="with a card lying there, over all cloths"
    )
    parser.add_argument("--seed", type=int, default=61_000)
    parser.add_argument(
        "--takes",
        type=float,
        default=Hours.take_share,
        help="share of cards taken, of all that happens",
    )
    parser.add_argument("--kinds", default=",".join(KINDS))
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    kinds = args.kinds.split(",")
    total, all_ms = Counter[str](), list[float]()
    for kind in kinds:
        count, late, missed, false, ms, seed = Counter[str](), [], [], [], [], args.seed
        while count["lying"] / FPS < args.place_seconds / len(kinds):
            hours = Hours(kind, seed)
            hours.take_share = args.takes
            for _, _ in zip(range(ACTS), hours.rounds(), strict=False):
                pass
            seed += 1
            count.update(hours.count)
            late, missed, false, ms = (
                late + hours.late,
                missed + hours.missed,
                false + hours.false,
                ms + hours.ms,
            )
        all_ms += ms
        seen = count["lying"] / FPS
        departures = len(late) + len(missed)
        print(
            f"{kind:8} {seen:7.0f} place-seconds, {len(false)} frames falsely 'table'; {departures} departures, "
            f"{100 * len([s for s in late if s <= 1]) / max(1, departures):.1f} % within 1 s (median {np.median(late):.2f} s); "
            f"{np.median(ms):.1f} ms a look, 95 % {np.percentile(ms, 95):.1f}",
            flush=True,
        )
        print(
            "         while lying: "
            + ", ".join(
                f"{s.value} {100 * count[f'lying {s.value}'] / count['lying']:.1f} %"
                for s in PlaceState
            )
        )
        for line in (*false[:12], *missed[:12]):
            print("     ", line, flush=True)
        total.update(
            seconds=round(seen), false=len(false), departures=departures, missed=len(missed)
        )
    print(
        f"all: {total['false']} false of {total['seconds']} place-seconds; "
        f"{total['departures'] - total['missed']} of {total['departures']} departures within 1 s"
    )
    in_time = total["departures"] - total["missed"]
    record(
        args.json,
        [
            Figure(
                "a lying card called gone, place-seconds",
                share(total["false"], total["seconds"]),
                "0",
                good=not total["false"],
            ),
            Figure(
                "departures noticed within 1 s of the hand leaving",
                share(in_time, total["departures"]),
                ">= 99 %",
                good=in_time >= 0.99 * total["departures"],
            ),
            Figure(
                "a look at 13 places",
                f"{np.median(all_ms):.1f} ms (median), 95 % {np.percentile(all_ms, 95):.1f}",
            ),
        ],
        args.seed,
    )


if __name__ == "__main__":
    main()
