"""Cards whose codes cannot be read, named by their pictures: how many, how many wrongly, how fast?

Each table shows a round lying in the middle, where the looks are learnt as in play (from the places
that the reader gives), and then pictures in which some of those cards lie in the tray and cannot be
read. Counted are the cards that the reader does not read there, by how much of them shows.

usage: python -m tests.benchmarks.pictures [--tables 30] [--seed 400]
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Mapping

import cv2
import numpy as np

from companion.table.sighting import Sighting
from companion.vision.codes.reader import Reader
from companion.vision.frame.raster import shrink_factor
from companion.vision.locate import locate
from companion.vision.pictures.field_stretch import StretchSampler
from companion.vision.pictures.look import STEP_MM, Look, look_at
from companion.vision.pictures.naming import name_discs
from companion.vision.pictures.search import DiscPose
from tests.benchmarks.pictures.hidden_cards import (
    PLACE,
    TRAY_HALF_MM,
    WAYS,
    Hidden,
    PictureTable,
)
from tests.benchmarks.results.record import Figure, add_json, record, share

BESIDE_MM = 55.0
RIGHT_MM = 10.0
"""A name so near its disc is of that disc."""

HALF = 0.45
"""A card of which so much shows is half visible."""

SOME = 0.3


def read_cards(reader: Reader, image: np.ndarray, table: PictureTable) -> list[Sighting]:
    """What the reader reads in one picture."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    cards = reader.read_codes(grey, table.plane).cards
    return [locate(found, table.plane, PLACE) for found in cards.values()]


def shrunk(image: np.ndarray, shrink: int) -> np.ndarray:
    """The picture as the watch shrinks it."""
    size = (image.shape[1] // shrink, image.shape[0] // shrink)
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA) if shrink > 1 else image


def run(seed: int, count: Counter, seconds: list[float]) -> None:
    """One table; what came of it is added to `count`."""
    table, reader = PictureTable(seed), Reader()
    low = np.array(table.plane.tray_mm).min(axis=0) - BESIDE_MM
    high = np.array(table.plane.tray_mm).max(axis=0) + BESIDE_MM
    tray = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    shrink = shrink_factor(table.plane, tray, STEP_MM)
    small = shrunk(table.middle, shrink)
    looks = {
        s.card: look
        for s in read_cards(reader, table.middle, table)
        if (look := look_at(small, shrink, table.plane, s.centre_mm, s.heading_deg, PLACE))
    }
    for way in WAYS:
        picture = table.hidden(way)
        bounds = tray
        if way == "cut off":
            x, y = picture.tray[0].centre_mm
            reach = TRAY_HALF_MM[0]
            bounds = (x - reach, y - reach, x + reach, y + reach)
        read = {
            s.card: DiscPose(*s.centre_mm, s.heading_deg)
            for s in read_cards(reader, picture.image, table)
        }
        begun = time.process_time()
        scene = StretchSampler(bounds).sample_stretch(
            shrunk(picture.image, shrink), shrink, table.plane
        )
        there = {
            card: pose
            for card, pose in read.items()
            if bounds[0] - 40 < pose.x_mm < bounds[2] + 40
            and bounds[1] - 40 < pose.y_mm < bounds[3] + 40
        }
        unread = [card for card in looks if card not in read]
        named = name_discs(scene, looks, there, unread, PLACE.disc_mm)
        seconds.append(time.process_time() - begun)
        names = {found.card: found.match.pose for found in named if found.card is not None}
        count[way, "not told which"] += sum(found.card is None for found in named)
        tally(count, table, picture, looks, set(read), names)


def tally(
    count: Counter,
    table: PictureTable,
    picture: Hidden,
    looks: Mapping[int, Look],
    read: set[int],
    names: Mapping[int, DiscPose],
) -> None:
    """Count what one picture gave."""
    way = picture.way
    right = set()
    for disc in picture.tray:
        if not disc.card:
            count[way, "discs"] += 1
            continue
        pose = names.get(disc.card)
        x, y = disc.centre_mm
        found = pose is not None and np.hypot(pose.x_mm - x, pose.y_mm - y) < RIGHT_MM
        if found:
            right.add(disc.card)
        if disc.card in read or disc.card not in looks:
            continue
        part = "half" if disc.shows >= HALF else "some" if disc.shows >= SOME else "little"
        for kind in (way, table.condition, f"{table.px_per_module:g} px", "all"):
            count[kind, part] += 1
            count[kind, part, "named"] += found
    wrong = set(names) - right
    count[way, "wrong"] += len(wrong)
    for card in sorted(wrong):
        print(f"wrong: card {card}, {way}", flush=True)


def main() -> None:
    """Print how many unread cards were named, by how they were hidden, by light and by size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--seed", type=int, default=400)
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    count: Counter = Counter()
    seconds: list[float] = []
    for seed in range(args.seed, args.seed + args.tables):
        run(seed, count, seconds)
        print(f"{seed}: {count['all', 'half', 'named']} of {count['all', 'half']}", flush=True)
    figures = []
    kinds = [key[0] for key in count if len(key) == 2 and key[1] == "half"]
    for kind in dict.fromkeys(["all", *WAYS, *kinds]):
        if count[kind, "half"]:
            named, many = count[kind, "half", "named"], count[kind, "half"]
            goal = ">= 95 %" if kind == "all" else ""
            figures.append(
                Figure(f"unread, half visible, named: {kind}", share(named, many), goal, many)
            )
    for part, words in (("some", "30 to 45 % visible"), ("little", "less visible")):
        named, many = count["all", part, "named"], count["all", part]
        figures.append(Figure(f"unread, {words}, named", share(named, many), "", many))
    wrong = sum(count[way, "wrong"] for way in WAYS if way != "foreign")
    unread = sum(count["all", part] for part in ("half", "some", "little"))
    figures += [
        Figure("named wrongly", str(wrong), "0", unread, wrong == 0),
        Figure(
            "foreign discs taken for a card",
            str(count["foreign", "wrong"]),
            "0",
            count["foreign", "discs"],
            count["foreign", "wrong"] == 0,
        ),
        Figure(
            "one of ours, not told which: beside our cards, beside foreign discs",
            f"{sum(count[w, 'not told which'] for w in WAYS[:-1])}, "
            f"{count['foreign', 'not told which']}",
        ),
        Figure(
            "processor time of one look at the tray",
            f"{1000 * float(np.median(seconds)):.0f} ms (median), "
            f"95 % {1000 * float(np.percentile(seconds, 95)):.0f}",
            "",
            len(seconds),
        ),
    ]
    for figure in figures:
        print(f"{figure.what}: {figure.value}")
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
