"""Counts the deck: show or lay out the cards in any number; it ticks them off and names what is missing.

Takes pictures or footage, or watches a camera until every card was seen.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.camera import Camera, Frame
from calibration.recording import Recording
from card_printables.marker import MarkerPlace
from companion.commands.options import add_deck, deck_numbers, marker_of
from companion.commands.read import read_cards
from companion.commands.sources import open_source
from companion.errors import BadInput
from companion.vision.detect import Reading
from companion.vision.reader import Reader

WEAK = 0.6
"""A card whose best reading stays below this likeness should be printed again (sharp prints reach 0.9)."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Pictures, a film, or a camera."""
    parser.add_argument("pictures", nargs="*", metavar="FILE", help="pictures or films of the laid-out cards")
    parser.add_argument("--camera", default="auto", help="camera to watch when no files are given")
    parser.add_argument("--json", action="store_true", help="print the count as JSON")
    add_deck(parser)


@dataclass(slots=True)
class Count:
    """Which cards were seen: the best score of each, and those seen twice in one picture."""

    numbers: frozenset[int]
    best: dict[int, float] = field(default_factory=dict)
    doubled: set[int] = field(default_factory=set)
    foreign: int = 0

    def take(self, reading: Reading) -> set[int]:
        """Tick off one picture's cards; the numbers that are new."""
        new = {card for card in reading.cards if card not in self.best}
        for card, detection in reading.cards.items():
            self.best[card] = max(self.best.get(card, 0.0), detection.score)
        twice = {card for conflict in reading.conflicts if conflict.why == "twice" for card in conflict.cards}
        self.doubled |= twice
        for card in twice:
            self.best.setdefault(card, 1.0)
        self.foreign = max(self.foreign, len(reading.foreign))
        return new

    @property
    def missing(self) -> list[int]:
        """The cards of the deck that no picture showed."""
        return sorted(self.numbers - self.best.keys())

    @property
    def weak(self) -> list[int]:
        """The cards that read so badly that they should be printed again."""
        return sorted(card for card, score in self.best.items() if score < WEAK)

    def as_dict(self) -> dict[str, Any]:
        """The count as JSON-ready values."""
        return {
            "deck_size": len(self.numbers),
            "seen": sorted(self.best),
            "missing": self.missing,
            "doubled": sorted(self.doubled),
            "weak": self.weak,
        }


def _frames(cameras: Iterable[Camera]) -> Iterator[Frame]:
    for camera in cameras:
        try:
            while (frame := camera.read()) is not None:
                yield frame
        finally:
            camera.close()


def _cameras(args: argparse.Namespace) -> list[Camera]:
    if args.pictures:
        return [Recording(path) for path in args.pictures if Path(path)]
    source = open_source(args.camera)
    if source.camera is None or source.practice:
        raise BadInput("no camera was found: give pictures of the cards, or a camera with --camera")
    return [source.camera]


def _listed(cards: Iterable[int]) -> str:
    return ", ".join(str(card) for card in sorted(cards))


def run(args: argparse.Namespace) -> int:
    """Count until every card was seen or the pictures end; 0 when the deck is whole, 1 when it is not."""
    place = MarkerPlace(symbol_mm=marker_of(args.marker_mm))
    count = Count(deck_numbers(args.deck_size))
    reader = Reader(count.numbers, args.deck, place.symbol_mm)
    for frame in _frames(_cameras(args)):
        new = count.take(read_cards(frame.image, reader, place)[0])
        if new and not args.json:
            print(f"{len(count.best):>3} of {len(count.numbers)}  + {_listed(new)}", flush=True)
        if not args.pictures and not count.missing:
            break
    if args.json:
        print(json.dumps(count.as_dict(), indent=2))
    else:
        _tell(count)
    return 1 if count.missing or count.doubled else 0


def _tell(count: Count) -> None:
    if count.missing:
        print(f"missing: {_listed(count.missing)}")
    else:
        print(f"the deck is whole: {len(count.numbers)} of {len(count.numbers)}")
    if count.doubled:
        print(f"twice: {_listed(count.doubled)} (take one of each away, or print another deck's cards)")
    if count.weak:
        print(f"reprint: {_listed(count.weak)} (hard to read)")
