"""A deck learnt by its pictures: how many cards are named, how many wrongly, how fast?

Each deck is learnt as people do (`DeckLesson`, eight cards a lay, twice round), and then read by
`DeckReader`: six of its cards and two discs that are not of it, on tables, planes and in light of the
reader benchmark's renderer, which nothing here was tuned on. Told apart: what one picture names, and
what is named after a still second (five pictures with other noise and motion; the gloss
stays, the hand that laid the card is gone from the second one on).

usage: python -m tests.benchmarks.deck [--cards 300] [--foreign 0] [--seed 500] [--manners clouds,flat]
    [--scales 1.25] [--lights typical,hard] [--shape rectangle] [--sides 56 87]
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import time
from collections import Counter
from dataclasses import dataclass, replace

import cv2
import numpy as np

from card_printables.marker import SYMBOL_MM, MarkerPlace
from companion.table.sighting import FIRST_STAND_IN, Point
from companion.vision.card_outline import CardOutline
from companion.vision.codes.detection import Expected
from companion.vision.learnt.deck import LearntDeck, deck_to_bytes
from companion.vision.learnt.deck_reader import DeckReader
from companion.vision.learnt.lesson import DeckLesson, SaysCard
from companion.vision.learnt.recognise import Recogniser
from companion.vision.locate import locate
from tests.benchmarks.deck.painted_decks import (
    CARDS,
    MANNERS,
    TWINS,
    face_of,
    foreign_face,
    painted_face,
    unseen_face,
)
from tests.benchmarks.pictures.hidden_cards import ToldPlane
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.benchmarks.scenes.reader_scenes import (
    CONDITIONS,
    DISC,
    TABLES,
    View,
    _cloth,
    develop,
    lay,
)

SIZE_PX = (1280, 720)
OURS, OTHERS = 6, 2
FRAMES = 5
FOREIGN_A_TABLE = 20
MOST_ROUNDS = 3
"""So often the whole deck is laid while cards are missing."""

RIGHT_MM = 20.0
SKIN = np.array([0.12, 0.2, 0.42], np.float32)


@dataclass(frozen=True, slots=True)
class Light:
    """How a cell is lit and disturbed: which condition of the renderer, the camera's tilt, the share
    of discs with a lamp's gloss and its half width (the widest burns out a quarter of a disc), and the
    share under a finger and how much of the disc that hides at most."""

    condition: str
    tilt_deg: tuple[float, float]
    glared: float
    glare_mm: tuple[float, float]
    covered: float
    most_cover: float


LIGHTS = {
    "good": Light("good", (0, 15), 0.0, (5, 8), 0.0, 0.0),
    "typical": Light("typical", (10, 30), 0.3, (4, 9), 0.3, 0.15),
    "hard": Light("hard", (25, 40), 0.6, (6, 14), 0.5, 0.30),
}


class Laid:
    """One table: its view, the plane as the companion knows it, and cards with their faces."""

    def __init__(
        self,
        rng: np.random.Generator,
        px_per_mm: float,
        light: Light,
        discs: int = OURS + OTHERS,
        outline: CardOutline = DISC,
    ) -> None:
        self._rng, self._light, self.outline = rng, light, outline
        tilt, focal = rng.uniform(*light.tilt_deg), 0.78 * SIZE_PX[0] * rng.uniform(0.9, 1.2)
        distance = focal * np.sqrt(np.cos(np.radians(tilt))) / px_per_mm
        self.view = View(SIZE_PX, focal, tilt, distance, float(rng.uniform(-0.1, 0.05)))
        self.plane = ToldPlane(self.view, rng, np.zeros((4, 2)))
        self.plane.tray_mm = None
        self._cloth = _cloth(rng, TABLES[int(rng.integers(len(TABLES)))], self.view, 1.0)
        self.places = self._places(discs, px_per_mm)

    def _places(self, many: int, px_per_mm: float) -> list[Point]:
        half = np.array(SIZE_PX) / px_per_mm / 2 - self.outline.reach_mm * 1.5
        box = (self.outline.reach_mm + 7.5) * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        found: list[Point] = []
        for _ in range(20_000):
            at = self._rng.uniform(-half, half)
            px = self.view.to_px(at + box)
            inside = (px > 4).all() and (px < np.array(SIZE_PX) - 4).all()
            apart = 2 * self.outline.reach_mm + 6
            if inside and all(np.hypot(*(at - other)) > apart for other in found):
                found.append((float(at[0]), float(at[1])))
            if len(found) == many:
                break
        return found

    def shoot(
        self, faces: list[np.ndarray], turns: list[float], frames: int, disturbed: bool
    ) -> list[np.ndarray]:
        """Pictures of the faces at the places: the gloss stays, fingers are in the first one alone."""
        rng, light = self._rng, self._light
        scene = self._cloth.copy()
        for face, at, turn in zip(faces, self.places, turns, strict=False):
            lay(scene, self.view, face_of(face, self.outline), at, turn, self.outline)
        glare = np.zeros(scene.shape[:2], np.float32)
        v, u = np.mgrid[0 : scene.shape[0], 0 : scene.shape[1]].astype(np.float32)
        bare = scene.copy()
        for at, turn in zip(self.places, turns, strict=False) if disturbed else ():
            scale = self.view.px_per_mm(at)
            if rng.random() < light.glared:
                spot = self.view.to_px(np.array([at]) + rng.normal(0, 18, 2))[0]
                wide = rng.uniform(*light.glare_mm) * scale
                away = ((u - spot[0]) ** 2 + (v - spot[1]) ** 2) / wide**2
                glare += np.float32(rng.uniform(0.3, 1.2)) * np.exp(-0.5 * away)
            if rng.random() < light.covered:
                self._finger(scene, np.array(at), turn, rng.uniform(0.03, light.most_cover))
        shown = [scene] + [bare] * (frames - 1)
        return [develop(rng, light_, CONDITIONS[light.condition], glare) for light_ in shown]

    def _finger(self, scene: np.ndarray, at: np.ndarray, card_deg: float, covers: float) -> None:
        """A finger that covers about this share of the card at `at`."""
        turn, wide = self._rng.uniform(0, 2 * np.pi), 18.0
        out = np.array([np.cos(turn), np.sin(turn)])
        edge, area = self._edge_and_area(turn - np.radians(card_deg))
        deep = min(covers * area / wide, 2 * edge * 0.9)
        tip = at + out * (edge - deep)
        line = np.stack([tip + out * reach for reach in np.linspace(0, 90, 12)])
        px = self.view.to_px(line).astype(np.int32)
        scale = self.view.px_per_mm((float(at[0]), float(at[1])))
        tone = (SKIN * self._rng.uniform(0.5, 1.3)).tolist()
        cv2.polylines(scene, [px], False, tone, max(1, round(wide * scale)), cv2.LINE_AA)

    def _edge_and_area(self, direction: float) -> tuple[float, float]:
        """How far the edge lies from the middle in this direction (radians) of a card, and its area."""
        width, height = self.outline.width_mm, self.outline.height_mm
        if self.outline.round:
            return width / 2, np.pi * (width / 2) ** 2
        x, y = abs(np.cos(direction)) + 1e-9, abs(np.sin(direction)) + 1e-9
        return min(width / 2 / x, height / 2 / y), width * height


def learn(
    manner: str, seed: int, count: Counter, outline: CardOutline = DISC
) -> tuple[LearntDeck, list[int]]:
    """The deck learnt in good light, its cards in the order of their painted numbers, and these."""
    rng = np.random.default_rng([seed, MANNERS.index(manner)])
    lesson = DeckLesson(LearntDeck(manner, outline))
    painted: dict[int, int] = {}
    for rounds in range(MOST_ROUNDS):
        if rounds >= 2 and len(painted) >= CARDS:
            break
        order = [int(card) for card in rng.permutation(CARDS) + 1]
        for first in range(0, CARDS, 8):
            table = Laid(rng, 1.3, replace(LIGHTS["good"], tilt_deg=(5, 25)), outline=outline)
            cards = order[first : first + len(table.places)][:8]
            faces = [painted_face(manner, card) for card in cards]
            turns = [float(rng.uniform(0, 360)) for _ in cards]
            picture = table.shoot(faces, turns, 1, False)[0]
            lesson.observe_picture(picture, table.plane)
            lay_ = lesson.observe_picture(picture, table.plane)
            for said in lay_.cards:
                apart = [
                    np.hypot(x - said.centre_mm[0], y - said.centre_mm[1]) for x, y in table.places
                ]
                at = int(np.argmin(apart))
                if at >= len(cards) or apart[at] > RIGHT_MM:
                    continue
                card, known = cards[at], painted.get(cards[at])
                count[manner, said.says.value] += 1
                if said.says is SaysCard.ALIKE:
                    lesson.answer_alike(picture, table.plane, said.centre_mm, known is None)
                    if known is None:
                        painted[card] = len(lesson.deck.cards)
                    continue
                if said.says is SaysCard.NEW and known is None:
                    painted[card] = said.number or 0
                elif said.says is SaysCard.NEW:
                    count[manner, "learnt twice"] += 1
                elif said.says is SaysCard.KNOWN and said.number != known:
                    count[manner, "taken for another"] += 1
    count[manner, "learnt"] = len(painted)
    cards = tuple(lesson.deck.cards[painted[card] - 1] for card in sorted(painted))
    count[manner, "bytes"] = len(deck_to_bytes(lesson.deck)) // max(1, len(cards))
    return replace(lesson.deck, cards=cards), sorted(painted)


def read_cell(
    manner: str,
    known: tuple[LearntDeck, Recogniser, list[int]],
    px_per_mm: float,
    light: str,
    cards: int,
    seed: int,
    count: Counter,
) -> None:
    """Read tables until so many cards were laid; what came of it is added to `count`."""
    deck, recogniser, numbers = known
    cell = (manner, px_per_mm, light)
    rng = np.random.default_rng(
        [seed, MANNERS.index(manner), round(px_per_mm * 100), list(LIGHTS).index(light)]
    )
    while count[(*cell, "cards")] < cards:
        table = Laid(rng, px_per_mm, LIGHTS[light], outline=deck.outline)
        mine = [
            int(card) for card in rng.permutation(numbers)[: max(0, len(table.places) - OTHERS)]
        ]
        faces = [painted_face(manner, card) for card in mine]
        faces += [foreign_face(int(rng.integers(100))) for _ in table.places[len(mine) :]]
        turns = [float(rng.uniform(0, 360)) for _ in faces]
        reader = DeckReader(deck, SYMBOL_MM, recogniser)
        reader.read_cards(table.shoot([], [], 1, False)[0], None, table.plane)
        pictures = table.shoot(faces, turns, FRAMES, True)
        lying: list[Expected] = []
        for at, picture in enumerate(pictures):
            begun = time.process_time()
            found = reader.read_cards(picture, None, table.plane, lying, None)
            lying = [Expected(card, seen.corners_px) for card, seen in found.cards.items()]
            if at == 0:
                count[(*cell, "ms")] += 1000 * (time.process_time() - begun)
                count[(*cell, "places")] += len(table.places)
            if at in (0, FRAMES - 1):
                tally(
                    count, (*cell, "one" if at == 0 else "still"), table, mine, numbers, found.cards
                )


def read_foreign(
    manner: str,
    known: tuple[LearntDeck, Recogniser, list[int]],
    px_per_mm: float,
    light: str,
    discs: int,
    seed: int,
    count: Counter,
) -> None:
    """Read tables on which nothing but foreign discs lies, until so many were laid; whether one was named
    in any picture is added to `count`. Close together, and the gloss and fingers as for cards."""
    deck, recogniser, numbers = known
    cell = (manner, px_per_mm, light, "foreign")
    rng = np.random.default_rng(
        [seed, MANNERS.index(manner), round(px_per_mm * 100), list(LIGHTS).index(light), 1]
    )
    while count[(*cell, "laid")] < discs:
        table = Laid(rng, px_per_mm, LIGHTS[light], FOREIGN_A_TABLE, deck.outline)
        discs_laid = [unseen_face(manner, rng) for _ in table.places]
        faces = [face for face, _ in discs_laid]
        turns = [float(rng.uniform(0, 360)) for _ in faces]
        reader = DeckReader(deck, SYMBOL_MM, recogniser)
        reader.read_cards(table.shoot([], [], 1, False)[0], None, table.plane)
        lying: list[Expected] = []
        named: set[int] = set()
        place = MarkerPlace(2 * table.outline.radius_mm, SYMBOL_MM)
        for picture in table.shoot(faces, turns, FRAMES, True):
            found = reader.read_cards(picture, None, table.plane, lying, None)
            lying = [Expected(card, seen.corners_px) for card, seen in found.cards.items()]
            for number, seen in found.cards.items():
                if number >= FIRST_STAND_IN or number in named:
                    continue
                named.add(number)
                x, y = locate(seen, table.plane, place).centre_mm
                apart = [np.hypot(x - a, y - b) for a, b in table.places]
                same_hand = discs_laid[int(np.argmin(apart))][1]
                count[(*cell, "named", same_hand)] += 1
                print(
                    f"foreign{', same hand' * same_hand}: named {numbers[number - 1]} in {cell}",
                    flush=True,
                )
        count[(*cell, "laid")] += len(faces)
        for _, same_hand in discs_laid:
            count[(*cell, "laid", same_hand)] += 1


def tally(
    count: Counter, key: tuple, table: Laid, mine: list[int], numbers: list[int], read: dict
) -> None:
    """Count what one picture named."""
    twin = (
        {c: c - (CARDS - TWINS) for c in range(CARDS - TWINS + 1, CARDS + 1)}
        if key[0] == "twins"
        else {}
    )
    twin |= {other: card for card, other in list(twin.items())}
    named: dict[int, int] = {}
    place = MarkerPlace(2 * table.outline.radius_mm, SYMBOL_MM)
    for number, detection in read.items():
        if number >= FIRST_STAND_IN:
            continue
        x, y = locate(detection, table.plane, place).centre_mm
        apart = [np.hypot(x - a, y - b) for a, b in table.places]
        named[int(np.argmin(apart))] = numbers[number - 1]
        if min(apart) > RIGHT_MM:
            count[(*key, "ghost")] += 1
    for at in range(len(table.places)):
        name = named.get(at)
        if at >= len(mine):
            count[(*key, "foreign discs")] += 1
            count[(*key, "foreign named")] += name is not None
            continue
        card = mine[at]
        plain = card not in twin
        count[(*key[:3], "cards")] += key[3] == "one"
        count[(*key, "plain")] += plain
        count[(*key, "plain named")] += plain and name == card
        count[(*key, "twins")] += not plain
        count[(*key, "twins named")] += not plain and name == card
        count[(*key, "twin for twin")] += name is not None and name == twin.get(card)
        wrong = name is not None and name not in (card, twin.get(card))
        count[(*key, "wrong")] += wrong
        if wrong:
            print(f"wrong: {card} named {name} in {key}", flush=True)


def main() -> None:
    """Print how many cards were named, deck by deck and cell by cell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=300)
    parser.add_argument("--seed", type=int, default=500)
    parser.add_argument("--manners", default=",".join(MANNERS))
    parser.add_argument("--scales", default="1.0,1.25,1.5,2.0")
    parser.add_argument("--lights", default="typical,hard")
    parser.add_argument(
        "--foreign", type=int, default=0, help="discs of no learnt deck a cell, beside the cards"
    )
    parser.add_argument("--shape", choices=("disc", "rectangle"), default="disc")
    parser.add_argument(
        "--sides", type=float, nargs=2, default=(56.0, 87.0), help="of rectangles, mm"
    )
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    outline = DISC if args.shape == "disc" else CardOutline.rectangle(*args.sides)
    count: Counter = Counter()
    figures: list[Figure] = []
    for manner in args.manners.split(","):
        deck, numbers = learn(manner, args.seed, count, outline)
        said = {says.value: count[manner, says.value] for says in SaysCard}
        figures.append(Figure(f"{manner}: learnt of {CARDS}; lays said", f"{len(numbers)}; {said}"))
        merged = count[manner, "taken for another"] + count[manner, "learnt twice"]
        figures.append(
            Figure(
                f"{manner}: learnt as another card or twice", str(merged), "0", None, merged == 0
            )
        )
        figures.append(Figure(f"{manner}: bytes a card", str(count[manner, "bytes"]), "about 4000"))
        known = (deck, Recogniser(deck), numbers)
        for scale in (float(s) for s in args.scales.split(",")):
            for light in args.lights.split(","):
                read_cell(manner, known, scale, light, args.cards, args.seed, count)
                read_foreign(manner, known, scale, light, args.foreign, args.seed, count)
                made = cell_figures(count, (manner, scale, light))
                figures += made
                for figure in made:
                    print(f"{figure.what}: {figure.value}", flush=True)
                record(args.json, figures, args.seed)
    for figure in figures:
        print(f"{figure.what}: {figure.value}")
    record(args.json, figures, args.seed)


GOALS = {
    ("typical", "one"): {1.0: 95, 1.25: 97, 1.5: 98, 2.0: 98},
    ("hard", "one"): {1.0: 85, 1.25: 85, 1.5: 85, 2.0: 85},
    ("typical", "still"): {1.0: 99, 1.25: 99, 1.5: 99, 2.0: 99},
    ("hard", "still"): {1.0: 95, 1.25: 95, 1.5: 95, 2.0: 95},
}
"""Of the cards that are no twins so many in a hundred shall be named, by light, looks and pixels a mm."""


def cell_figures(count: Counter, cell: tuple) -> list[Figure]:
    """One cell's figures."""
    words = f"{cell[0]}, {cell[1]:g} px/mm, {cell[2]}"
    made = []
    for key, name in (("one", "named from one picture"), ("still", "after a still second")):
        at = (*cell, key)
        text = share(count[(*at, "plain named")], count[(*at, "plain")])
        if count[(*at, "twins")]:
            text += f"; twins {share(count[(*at, 'twins named')], count[(*at, 'twins')])}"
        goal = GOALS.get((cell[2], key), {}).get(cell[1])
        reached = None
        if goal is not None:
            reached = 100 * count[(*at, "plain named")] >= goal * count[(*at, "plain")]
        made.append(
            Figure(
                f"{words}: {name}",
                text,
                "" if goal is None else f"{goal} %",
                count[(*at, "plain")],
                reached,
            )
        )
        bad = {k: count[(*at, k)] for k in ("wrong", "twin for twin", "foreign named", "ghost")}
        made.append(
            Figure(
                f"{words}: wrong, twin for twin, foreign, nowhere ({name})",
                ", ".join(str(v) for v in bad.values()),
                "0",
                count[(*at, "plain")] + count[(*at, "twins")] + count[(*at, "foreign discs")],
                not any(bad.values()),
            )
        )
    for same_hand, whose in ((False, "foreign discs"), (True, "cards of another box")):
        laid = count[(*cell, "foreign", "laid", same_hand)]
        if laid:
            named = count[(*cell, "foreign", "named", same_hand)]
            made.append(
                Figure(
                    f"{words}: {whose} alone, named in any of {FRAMES} pictures",
                    str(named),
                    "0",
                    laid,
                    not named,
                )
            )
    ms = count[(*cell, "ms")] / max(1, count[(*cell, "places")])
    if not count[(*cell, "cards")]:
        return made[4:]
    made.append(Figure(f"{words}: processor time a changed place", f"{ms:.0f} ms", "<= 30 ms"))
    return made


if __name__ == "__main__":
    main()
