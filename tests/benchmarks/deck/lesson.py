"""A deck of any size and shape is learnt on any cloth: is its size told rightly, and what is learnt?

Each lesson is of 24 cards in three lays on one table of the reader benchmark's renderer, a shape and a manner of
painting by turns: nobody says how large the cards are. The table is seen bare before each lay ("swept"), only
from the second lay on ("later"), or never ("never": the next lay lies there at once). Pieces are what was
taken for a card and lies on none.

usage: python -m tests.benchmarks.deck.lesson [--lessons 54] [--seed 9100] [--flows swept,later,never]
    [--json FILE]
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.learnt.lesson import DeckLesson, Lay, SaysCard
from tests.benchmarks.deck.__main__ import LIGHTS, Laid
from tests.benchmarks.deck.painted_decks import CARDS, painted_face
from tests.benchmarks.results.record import Figure, add_json, record, share

OUTLINES = (
    CardOutline.rectangle(56, 87),
    CardOutline.disc(85),
    CardOutline.rectangle(63, 88),
    CardOutline.rectangle(44, 68),
    CardOutline.disc(60),
    CardOutline.rectangle(70, 120),
    CardOutline.rectangle(70, 70),
)
MANNERS = ("clouds", "photographs", "flat", "dark", "plain", "lines")
FLOWS = ("swept", "later", "never")
LAYS, AT_ONCE, PICTURES = 3, 8, 3
PX_PER_MM = 1.3
RIGHT_MM = 2.5
"""Sides that are off by no more are told rightly."""

ON_CARD_MM = 12.0


def take_lesson(seed: int, number: int, flow: str, count: Counter) -> None:
    """One lesson: what it came to is counted under its flow."""
    rng = np.random.default_rng([seed, number, FLOWS.index(flow)])
    outline, manner = OUTLINES[number % len(OUTLINES)], MANNERS[number % len(MANNERS)]
    table = Laid(rng, PX_PER_MM, replace(LIGHTS["good"], tilt_deg=(5, 25)), outline=outline)
    cards = [int(card) for card in rng.permutation(CARDS) + 1]
    lesson, lay = DeckLesson(name="deck"), Lay()
    for turn in range(LAYS):
        if flow == "swept" or (flow == "later" and turn > 0):
            for picture in table.shoot([], [], 2, False):
                lesson.observe_picture(picture, table.plane)
        table.places = table._places(AT_ONCE, PX_PER_MM)
        laid, cards = cards[: len(table.places)], cards[len(table.places) :]
        turns = [float(rng.uniform(0, 360)) for _ in laid]
        faces = [painted_face(manner, card) for card in laid]
        for picture in table.shoot(faces, turns, PICTURES, False):
            lay = lesson.observe_picture(picture, table.plane)
            for card in lay.cards:
                if lay.counted and card.says is SaysCard.ALIKE:  # no two of these are one
                    lesson.answer_alike(picture, table.plane, card.centre_mm, True)
        away = [
            min(np.hypot(*np.subtract(one.centre_mm, p)) for p in table.places) for one in lay.cards
        ]
        count[flow, "pieces"] += sum(
            far > ON_CARD_MM and one.says is SaysCard.NEW
            for far, one in zip(away, lay.cards, strict=True)
        )
        count[flow, "laid"] += len(laid)
    told = lesson.deck.outline
    right = told.round == outline.round and all(
        abs(a - b) <= RIGHT_MM
        for a, b in ((told.width_mm, outline.width_mm), (told.height_mm, outline.height_mm))
    )
    count[flow, "lessons"] += 1
    count[flow, "right"] += right
    count[flow, "open"] += not told.width_mm
    count[flow, "learnt"] += len(lesson.deck.cards)
    if told.width_mm and not right:
        print(f"wrong: {outline} in lesson {number} ({manner}, {flow}) told as {told}", flush=True)


def main() -> None:
    """Print for each way of laying how many sizes were told, and how many cards were learnt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=int, default=54)
    parser.add_argument("--seed", type=int, default=9100)
    parser.add_argument("--flows", default=",".join(FLOWS))
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    count: Counter = Counter()
    figures: list[Figure] = []
    for flow in args.flows.split(","):
        for number in range(args.lessons):
            take_lesson(args.seed, number, flow, count)
        lessons, laid = count[flow, "lessons"], count[flow, "laid"]
        wrong = lessons - count[flow, "right"] - count[flow, "open"]
        made = [
            Figure(
                f"{flow}: sizes told rightly", share(count[flow, "right"], lessons), "", lessons
            ),
            Figure(f"{flow}: sizes told wrongly", str(wrong), "0", lessons, wrong == 0),
            Figure(
                f"{flow}: cards learnt at the end", share(count[flow, "learnt"], laid), "", laid
            ),
            Figure(f"{flow}: pieces taken for cards on the way", str(count[flow, "pieces"]), "0"),
        ]
        figures += made
        for figure in made:
            print(f"{figure.what}: {figure.value}", flush=True)
        record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
