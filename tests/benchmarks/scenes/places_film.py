"""Table films for the place report: hands deal, point, peek, nudge, set aside, flip and claim;
cups, paper, lamps, bumps.

A film yields frames with what a caller would know (markers read, places) and the truth of every
place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from tests.benchmarks.scenes.places_scene import (
    DISC,
    SCALE,
    Arm,
    Card,
    Pinhole,
    Thing,
    World,
    arm_mask,
    at_px,
    back,
    dress,
    face,
    linear,
    photograph,
    table_texture,
    thing_mask,
)

INCIDENTS = (
    "hover",
    "hover",
    "hover",
    "peek",
    "peek",
    "nudge",
    "nudge",
    "cup",
    "cupnear",
    "sheet",
    "hoverempty",
)
SKINS = ((150, 175, 215), (105, 140, 190), (60, 85, 130), (35, 50, 80))


@dataclass
class Truth:
    """One place of one frame: a card `lies` there, face `up` or down; `hidden` share of it; nothing
    within 55 mm: `clear`."""

    lies: bool
    up: bool
    hidden: float
    clear: bool
    shadowed: bool
    departed: bool


@dataclass
class Shot:
    """One frame and all that is known of it."""

    image: np.ndarray
    plane: Pinhole
    t_s: float
    read: dict[int, tuple[tuple[float, float], float]]
    places: dict[int, tuple[float, float]]
    truth: dict[int, Truth]
    doing: str
    soft: bool


@dataclass
class Recipe:
    """What kind of film: table, camera, faults."""

    table: str = "wood"
    size: tuple[int, int] = (1920, 1080)
    backs: str = "printed"
    cards: int = 6
    fps: float = 10.0
    empty_first: bool = True
    tray: bool = True
    faults: bool = True
    dark: float = 0.0
    sigma: float | None = None
    jitter_mm: float = 0.4


class Film:
    """A random film of one round or two; iterate over `shots()`."""

    def __init__(self, recipe: Recipe, seed: int) -> None:
        self.recipe, self.rng = recipe, np.random.default_rng(seed)
        rng = self.rng
        w, h = recipe.size
        self.camera = Pinhole(
            w,
            h,
            rng.uniform(0, 33),
            rng.uniform(760, 880),
            rng.uniform(-0.12, 0.05),
            rng.uniform(-8, 8),
        )
        self.world = World(rng, dress(table_texture(recipe.table, rng), recipe.tray), self.camera)
        world = self.world
        world.sigma = recipe.sigma if recipe.sigma is not None else rng.uniform(2.5, 6)
        world.quality, world.blur = int(rng.integers(70, 93)), rng.uniform(0.4, 0.9) * w / 1920
        world.exposure = recipe.dark + rng.uniform(-0.3, 0.25)
        world.tint = tuple(rng.uniform(-0.1, 0.1, 2))
        world.lamp = tuple(rng.uniform(-0.25, 0.25, 2))
        world.sharpen = float(rng.choice([0.0, 0.0, 0.8]))
        angle = rng.uniform(0, 2 * np.pi)
        world.shadow = (
            18 * np.cos(angle),
            18 * np.sin(angle),
            rng.uniform(4, 20),
            rng.uniform(0.15, 0.55),
        )
        self.t, self.dt, self.doing = 0.0, 1 / recipe.fps, "empty"
        self.told_off = rng.normal(0, recipe.jitter_mm, 2)
        self.places: dict[int, tuple[float, float]] = {}
        self._recent: dict[int, list[np.ndarray]] = {}
        self._left_in_tray = 0
        self._flip_in_place = rng.random() < 0.4

    # ---- what is true and what is known

    def _occluders(self) -> np.ndarray:
        mask = np.zeros(self.world.texture.shape[:2], np.uint8)
        for arm in self.world.arms:
            mask |= arm_mask(arm, mask.shape)[0]
        for thing in self.world.things:
            thing_mask(mask, thing)
        for card in self.world.cards:
            if card.held and card.shown:
                cv2.circle(
                    mask,
                    tuple(int(v) for v in at_px(card.centre)),
                    int(DISC / 2 * 1.12 * SCALE),
                    255,
                    -1,
                )
        return cv2.resize(mask, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)

    def _share(self, mask: np.ndarray, centre: np.ndarray, radius: float) -> float:
        x, y = at_px(np.asarray(centre)) / 4
        r = radius * SCALE / 4
        yy, xx = np.ogrid[: mask.shape[0], : mask.shape[1]]
        disc = (xx - x) ** 2 + (yy - y) ** 2 <= r * r
        return float((mask[disc] > 100).mean()) if disc.any() else 1.0

    def shot(self) -> Shot:
        """Photograph now and advance the clock."""
        world, rng = self.world, self.rng
        if self.recipe.faults:
            self._weather()
        mask = self._occluders()
        soft = world.defocus > 1.2
        read: dict[int, tuple[tuple[float, float], float]] = {}
        lying = [c for c in world.cards if c.shown and not c.held]
        for card in lying:
            a = np.radians(card.turn)
            marker = card.centre + 26 * np.array([-np.sin(a), np.cos(a)])
            above = [
                o for o in lying if o.layer > card.layer and np.hypot(*(o.centre - marker)) < 58
            ]
            if (
                card.up
                and not soft
                and not above
                and self._share(mask, marker, 14) < 0.05
                and rng.random() < 0.93
            ):
                spot = card.centre + rng.normal(0, 0.4, 2)
                read[card.number] = ((float(spot[0]), float(spot[1])), card.turn % 360)
        truth = {n: self._truth(n, mask, lying) for n in self.places}
        self._note(read)
        plane = world.camera.told(self.told_off + rng.normal(0, 0.03, 2))
        out = Shot(
            photograph(world), plane, self.t, read, dict(self.places), truth, self.doing, soft
        )
        self.t += self.dt
        return out

    def _note(self, read: dict[int, tuple[tuple[float, float], float]]) -> None:
        """As a caller does: a place is where a marker was read at rest twice."""
        for n, (spot, _) in read.items():
            before = self._recent.setdefault(n, [])
            before.append(np.array(spot))
            del before[:-3]
            if len(before) == 3 and max(np.hypot(*(p - before[0])) for p in before) < 3:
                old = self.places.get(n)
                if old is None or np.hypot(old[0] - spot[0], old[1] - spot[1]) > 4:
                    self.places[n] = spot

    def _truth(self, n: int, mask: np.ndarray, lying: list[Card]) -> Truth:
        centre = np.array(self.places[n])
        here = [c for c in lying if np.hypot(*(c.centre - centre)) < 30]
        own = [c for c in here if c.number == n]
        near = [
            c for c in lying if np.hypot(*(c.centre - centre)) < DISC / 2 + 50 and c.number != n
        ]
        hidden, around = self._share(mask, centre, DISC / 2), self._share(mask, centre, 60)
        clear = around < 0.01 and not [c for c in near if np.hypot(*(c.centre - centre)) < 84]
        shadow = self.world.shadow
        reach = centre - 1.5 * np.array(shadow[:2])
        shaded = clear and self._share(mask, reach, 60 + 2 * shadow[2]) > 0.01
        return Truth(bool(own or here), bool(here and here[0].up), hidden, clear, shaded, not here)

    def _weather(self) -> None:
        rng, world = self.rng, self.world
        world.exposure += rng.normal(0, 0.01)
        if rng.random() < 0.006:
            world.exposure += rng.choice([-0.6, -0.3, 0.3, 0.5])
            world.exposure = float(
                np.clip(world.exposure, self.recipe.dark - 0.9, self.recipe.dark + 0.6)
            )
        if rng.random() < 0.004:
            world.lamp = tuple(rng.uniform(-0.3, 0.3, 2))
        if rng.random() < 0.004:
            world.defocus = rng.uniform(1.5, 3.5)
        elif world.defocus and rng.random() < 0.15:
            world.defocus = 0.0
        if rng.random() < 0.004:
            dx, dy = rng.uniform(-8, 8, 2)
            world.camera = world.camera.nudged(dx, dy, rng.uniform(-0.5, 0.5))
            self.told_off = rng.normal(0, self.recipe.jitter_mm, 2)
        if rng.random() < 0.01:
            self.told_off = rng.normal(0, self.recipe.jitter_mm, 2)

    # ---- what hands do

    def pause(self, seconds: float) -> Iterator[Shot]:
        """Nothing happens."""
        for _ in range(max(1, round(seconds / self.dt))):
            yield self.shot()

    def _arm(self, target: np.ndarray) -> Arm:
        rng = self.rng
        side = rng.integers(0, 4)
        along = rng.uniform(-170, 170)
        x, y = target[0] + along, target[1] + along
        entry = np.array(((x, 800.0), (-330.0, y), (1130.0, y), (x, -330.0))[side])
        table = self.world.texture[400:1000, 300:1300].reshape(-1, 3).mean(axis=0)
        sleeve = (
            table * rng.uniform(0.85, 1.15)
            if rng.random() < 0.2
            else linear(tuple(rng.uniform(10, 240, 3)))
        )
        skin = linear(SKINS[rng.integers(len(SKINS))])
        return Arm(
            entry,
            entry.copy(),
            rng.uniform(60, 85),
            skin,
            sleeve,
            rng.uniform(0.3, 0.85),
            rng.uniform(-30, 30),
        )

    def _move(
        self,
        arm: Arm,
        to: np.ndarray,
        seconds: float,
        carry: Card | None = None,
        hold: np.ndarray | None = None,
    ) -> Iterator[Shot]:
        start, n = arm.tip.copy(), max(1, round(seconds / self.dt))
        for k in range(1, n + 1):
            arm.tip = start + (to - start) * k / n
            if carry is not None and hold is not None:
                carry.centre = arm.tip + hold
            yield self.shot()

    def _visit(self, target: np.ndarray) -> Arm:
        arm = self._arm(target)
        self.world.arms.append(arm)
        return arm

    def _leave(
        self, arm: Arm, carry: Card | None = None, hold: np.ndarray | None = None
    ) -> Iterator[Shot]:
        yield from self._move(arm, arm.entry, self.rng.uniform(0.3, 0.6), carry, hold)
        self.world.arms.remove(arm)
        if carry is not None:
            carry.shown = False

    def deal(self, card: Card, at: np.ndarray) -> Iterator[Shot]:
        """A hand brings a card."""
        arm = self._visit(at)
        card.held, card.shown = True, True
        card.centre = arm.tip.copy()
        yield from self._move(arm, at, self.rng.uniform(0.25, 0.5), card, np.zeros(2))
        card.held, card.centre = False, at.copy()
        card.layer = max((c.layer for c in self.world.cards), default=0) + 1
        yield from self._leave(arm)

    def take(self, card: Card, to: np.ndarray | None) -> Iterator[Shot]:
        """A hand takes a card off the table, or to the tray."""
        arm = self._visit(card.centre)
        hold = self.rng.uniform(-20, 20, 2)
        yield from self._move(arm, card.centre - hold, self.rng.uniform(0.3, 0.6))
        yield from self.pause(self.rng.uniform(0, 0.4))
        card.held = True
        if to is None:
            yield from self._leave(arm, card, hold)
            return
        yield from self._move(arm, to - hold, self.rng.uniform(0.4, 0.8), card, hold)
        card.held, card.centre = False, to.copy()
        card.layer = max(c.layer for c in self.world.cards) + 1
        yield from self._leave(arm)

    def hover(self, at: np.ndarray) -> Iterator[Shot]:
        """A hand points or rests."""
        arm = self._visit(at)
        yield from self._move(arm, at + self.rng.uniform(-45, 45, 2), self.rng.uniform(0.3, 0.5))
        for _ in range(int(self.rng.uniform(2, 25))):
            arm.tip = arm.tip + self.rng.normal(0, 1.5, 2)
            yield self.shot()
        yield from self._leave(arm)

    def peek(self, card: Card) -> Iterator[Shot]:
        """A card is lifted and put back."""
        arm = self._visit(card.centre)
        home, hold = card.centre.copy(), self.rng.uniform(-15, 15, 2)
        yield from self._move(arm, card.centre - hold, 0.4)
        card.held = True
        yield from self._move(arm, home + self.rng.uniform(-120, 120, 2), 0.4, card, hold)
        yield from self.pause(self.rng.uniform(0.2, 1.2))
        yield from self._move(arm, home - hold + self.rng.normal(0, 2.5, 2), 0.4, card, hold)
        card.held = False
        card.turn += self.rng.normal(0, 8)
        yield from self._leave(arm)

    def nudge(self, card: Card) -> Iterator[Shot]:
        """A card is pushed a little."""
        arm = self._visit(card.centre)
        hold = self.rng.uniform(-25, 25, 2)
        yield from self._move(arm, card.centre - hold, 0.4)
        yield from self._move(arm, arm.tip + self.rng.uniform(-14, 14, 2), 0.3, card, hold)
        yield from self._leave(arm)

    def flip(self, card: Card) -> Iterator[Shot]:
        """A card is turned over where it lies."""
        arm = self._visit(card.centre)
        yield from self._move(arm, card.centre, 0.4)
        yield from self.pause(0.2)
        card.up = not card.up
        card.centre = card.centre + self.rng.normal(0, 5, 2)
        card.turn = self.rng.uniform(0, 360)
        yield from self._leave(arm)

    def put(self, thing: Thing, seconds: float) -> Iterator[Shot]:
        """A cup or a sheet is put down and taken away again."""
        arm = self._visit(thing.centre)
        yield from self._move(arm, thing.centre, 0.4)
        self.world.things.append(thing)
        yield from self._leave(arm)
        yield from self.pause(seconds)
        arm = self._visit(thing.centre)
        yield from self._move(arm, thing.centre, 0.4)
        self.world.things.remove(thing)
        yield from self._leave(arm)

    # ---- the film

    def _spots(self) -> list[np.ndarray]:
        grid = [np.array([90.0 + 105 * i, 110.0 + 105 * j]) for i in range(5) for j in range(4)]
        self.rng.shuffle(grid)
        return [g + self.rng.uniform(-6, 6, 2) for g in grid]

    def _random_incident(self, lying: list[Card]) -> Iterator[Shot]:
        rng, card = self.rng, self.rng.choice(np.array(lying, dtype=object))
        kind = rng.choice(INCIDENTS)
        self.doing = str(kind)
        if kind == "hover":
            yield from self.hover(card.centre)
        elif kind == "hoverempty":
            yield from self.hover(rng.uniform((100, 60), (700, 440)))
        elif kind == "peek":
            yield from self.peek(card)
        elif kind == "nudge":
            yield from self.nudge(card)
        elif kind.startswith("cup"):
            angle = rng.uniform(0, 6.3)
            off = (
                rng.uniform(-20, 20, 2)
                if kind == "cup"
                else 75 * np.array([np.cos(angle), np.sin(angle)])
            )
            cup = Thing(
                "cup",
                card.centre + off,
                (rng.uniform(70, 90), 0),
                0,
                linear(tuple(rng.uniform(20, 235, 3))),
            )
            yield from self.put(cup, rng.uniform(0.5, 3))
        else:
            table = self.world.texture[400:1000, 300:1300].reshape(-1, 3).mean(axis=0)
            tone = linear(tuple(rng.uniform(40, 240, 3)))
            if np.abs(np.log(tone / table)).max() < 0.35:
                tone = tone * 0.4
            size = (rng.uniform(100, 210), rng.uniform(100, 297))
            sheet = Thing(
                "sheet", card.centre + rng.uniform(-30, 30, 2), size, rng.uniform(0, 180), tone
            )
            yield from self.put(sheet, rng.uniform(0.5, 2))

    def back_shot(self) -> tuple[np.ndarray, Pinhole]:
        """One picture of a card lying face down at (300, 250), as calibration takes it."""
        card = Card(
            1,
            np.array([300.0, 250.0]),
            40.0,
            back(self.recipe.backs, 7),
            back(self.recipe.backs, 7),
            up=False,
        )
        self.world.cards = [card]
        image = photograph(self.world)
        self.world.cards = []
        return image, self.camera.told(self.told_off)

    def shots(self, rounds: int = 2) -> Iterator[Shot]:
        """The whole film."""
        rng, recipe = self.rng, self.recipe
        if recipe.empty_first:
            yield from self.pause(1.2)
        number = int(rng.integers(1, 60))
        for r in range(rounds):
            cards = []
            for spot in self._spots()[: recipe.cards]:
                number = number % 80 + 1
                card = Card(
                    number,
                    spot.copy(),
                    rng.uniform(0, 360),
                    face(number, rng),
                    back(recipe.backs, 7),
                    shown=False,
                )
                self.world.cards.append(card)
                cards.append((card, spot))
            self.doing = "deal"
            for card, spot in cards:
                if r == 0 and not recipe.empty_first:
                    card.shown, card.layer = True, 1
                else:
                    yield from self.deal(card, spot)
            yield from self.pause(0.8)
            yield from self._play([c for c, _ in cards])
            self.doing = "between"
            yield from self.pause(1.5)
            self.places.clear()
            self._recent.clear()
            self.world.cards.clear()
            yield from self.pause(0.6)

    def _play(self, lying: list[Card]) -> Iterator[Shot]:
        rng, aside = self.rng, 0
        wrong = int(rng.integers(0, max(1, len(lying) - 2)))
        tray: list[Card] = []
        for _ in range(wrong):
            if rng.random() < 0.6:
                yield from self._random_incident(lying)
            card = lying.pop(int(rng.integers(len(lying))))
            self.doing = "aside"
            if self._flip_in_place:
                self.doing = "flip"
                yield from self.flip(card)
            elif self.recipe.tray and rng.random() < 0.7:
                spot = np.array(
                    [665.0 + 88 * (aside % 3), 198.0 + 92 * (aside // 3 % 2)]
                ) + rng.uniform(-12, 12, 2)
                yield from self.take(card, spot)
                aside += 1
            else:
                yield from self.take(card, None)
            tray.append(card)
            self.doing = "think"
            yield from self.pause(rng.uniform(0.5, 1.6))
        if lying and rng.random() < 0.5:
            yield from self._random_incident(lying)
        self.doing = "claim"
        for card in lying:
            yield from self.take(card, None)
        yield from self.pause(1.3)
        self.doing = "clear up"
        for card in tray:
            if card.shown:
                yield from self.take(card, None)
        yield from self.pause(1.3)

    # ---- stills: every frame another situation

    def _mess(self, cards: list[Card]) -> None:
        """Cover and light the table at random, much harsher than play."""
        rng, world = self.rng, self.world
        world.arms, world.things = [], []
        table = world.texture[400:1000, 300:1300].reshape(-1, 3).mean(axis=0)
        for _ in range(rng.integers(0, 3)):
            aim = (
                rng.choice(np.array(cards, dtype=object)).centre
                if rng.random() < 0.7
                else rng.uniform((60, 60), (700, 440))
            )
            arm = self._arm(np.asarray(aim))
            arm.tip = aim + (
                rng.normal(0, 60, 2)
                if rng.random() < 0.6
                else (aim - arm.entry) * rng.uniform(0.1, 0.4)
            )
            world.arms.append(arm)
        for _ in range(rng.integers(0, 3)):
            aim = rng.choice(np.array(cards, dtype=object)).centre
            grey = table.mean() * np.ones(3) * rng.uniform(0.3, 2)
            tone = linear(tuple(rng.uniform(10, 245, 3))) if rng.random() < 0.6 else grey
            if rng.random() < 0.5:
                world.things.append(
                    Thing(
                        "cup",
                        aim + rng.normal(0, 40, 2),
                        (rng.uniform(60, 110), 0),
                        0,
                        np.float32(tone),
                    )
                )
            elif np.abs(np.log(np.maximum(tone, 1e-3) / table)).max() > 0.3:
                size = (rng.uniform(60, 210), rng.uniform(60, 297))
                world.things.append(
                    Thing(
                        "sheet",
                        aim + rng.normal(0, 60, 2),
                        size,
                        rng.uniform(0, 180),
                        np.float32(tone),
                    )
                )
        if rng.random() < 0.3:
            world.exposure = self.recipe.dark + rng.uniform(-1, 1)
            world.lamp = tuple(rng.uniform(-0.35, 0.35, 2))
        world.shadow = (*rng.uniform(-25, 25, 2), rng.uniform(3, 25), rng.uniform(0.1, 0.6))
        world.defocus = rng.uniform(0.8, 4) if rng.random() < 0.1 else 0.0
        self.told_off = rng.normal(0, self.recipe.jitter_mm if rng.random() < 0.75 else 1.5, 2)

    def stills(self, scenes: int, covers: int = 6) -> Iterator[Shot]:
        """An empty table, then scenes of cards, each under several random covers; some cards are
        taken away under them."""
        rng, recipe = self.rng, self.recipe
        recipe.faults = False
        calm = (self.world.exposure, self.world.lamp, self.world.shadow)
        self.doing = "empty"
        yield from self.pause(1.5)
        number = int(rng.integers(1, 60))
        for _ in range(scenes):
            cards = []
            for spot in self._spots()[: recipe.cards]:
                number = number % 80 + 1
                art = face(number, rng)
                cards.append(
                    Card(number, spot, rng.uniform(0, 360), art, back(recipe.backs, 7), layer=1)
                )
            self.world.cards = cards
            self.world.exposure, self.world.lamp, self.world.shadow = calm
            self.world.arms, self.world.things, self.world.defocus = [], [], 0.0
            self.doing = "laid"
            yield from self.pause(0.4)
            for _ in range(covers):
                gone = rng.random(len(cards)) < 0.25
                for card, away in zip(cards, gone, strict=True):
                    card.shown, card.up = not away, bool(rng.random() < 0.7)
                self._mess(cards)
                self.doing = "mess"
                yield self.shot()
            self.places.clear()
            self._recent.clear()
