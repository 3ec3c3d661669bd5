"""Reads the cards in pictures and says which they are and where they lie.

Uses the corner tokens when they are in the picture: then `centre_mm` is the middle of the card on
the table (origin: the top-left token's centre, x towards the top-right one, y towards the bottom);
without tokens it is null. `corners_px` are the printed code's corners: top-left, top-right,
bottom-right, bottom-left; (0, 0) is the middle of the picture's first pixel. What lies there twice, codes
of no card of the deck, and that the picture is mirrored are said apart: they count for nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import cv2
import numpy as np

from calibration.cameras.grey import checked_grey
from calibration.cameras.picture_file import LIMITS, read_image
from card_printables.command_line import without_controls
from card_printables.marker import SYMBOL_MM, MarkerPlace
from companion.commands.shared.decks import learnt_deck
from companion.commands.shared.options import add_deck, deck_numbers, marker_of
from companion.commands.shared.progress import Progress, say_reader_lost
from companion.table.sighting import Point
from companion.vision.codes.detection import Detection
from companion.vision.codes.printed_size import printed_size_mm
from companion.vision.codes.reader import Reader
from companion.vision.codes.whole_picture import plane_of_tokens, read_cards
from companion.vision.learnt.deck import LearntDeck
from companion.vision.learnt.deck_reader import DeckReader
from companion.vision.learnt.recognise import Recogniser
from companion.vision.locate import locate
from companion.vision.second_reader.guarded import FOOTAGE_DEADLINE_S, GuardedReader


def configure(parser: argparse.ArgumentParser) -> None:
    """Pictures in, JSON or lines out."""
    parser.epilog = "for example: companion read table.jpg"
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a JPEG or PNG picture")
    parser.add_argument(
        "--json", action="store_true", help="print a list with one object a picture"
    )
    add_deck(parser, learnt=True)
    parser.add_argument("--data", metavar="DIR", help="folder that keeps the learnt decks")


def _describe_learnt(path: str, deck: LearntDeck, known: Recogniser) -> dict[str, Any]:
    """What a picture shows of a learnt deck; without the tokens nothing can be told."""
    image, times = _handy(read_image(path))
    start = time.perf_counter()
    plane, grey = plane_of_tokens(image), checked_grey(image)
    cards = []
    if plane is not None and grey is not None:
        place = MarkerPlace(deck.disc_mm, SYMBOL_MM)
        read = DeckReader(deck, SYMBOL_MM, known).read_cards(image, grey, plane).cards
        cards = [
            _told(number, detection, times, locate(detection, plane, place).centre_mm)
            for number, detection in sorted(read.items())
        ]
    ms = (time.perf_counter() - start) * 1000
    return {"image": path, "cards": cards, "ms": round(ms, 1), "tokens": plane is not None}


def _told(card: int, detection: Detection, times: int, centre: Point | None) -> dict[str, Any]:
    corners = [
        [round((v + 0.5) * times - 0.5, 3) for v in corner] for corner in detection.corners_px
    ]
    return {
        "card": card,
        "corners_px": corners,
        "centre_mm": None if centre is None else [round(v, 2) for v in centre],
        "score": round(detection.score, 4),
    }


def _describe(path: str, reader: Reader, place: MarkerPlace) -> dict[str, Any]:
    image, times = _handy(read_image(path))
    start = time.perf_counter()
    reading, plane = read_cards(image, reader)
    ms = (time.perf_counter() - start) * 1000
    size_mm = None if plane is None else printed_size_mm(reading, plane, place.symbol_mm)
    place = place if size_mm is None else MarkerPlace(place.disc_mm, size_mm)
    cards = []
    for number, detection in sorted(reading.cards.items()):
        centre = None if plane is None else locate(detection, plane, place).centre_mm
        cards.append(_told(number, detection, times, centre))
    twice = {card for one in reading.conflicts if one.why == "twice" for card in one.cards}
    return {
        "image": path,
        "cards": cards,
        "twice": sorted(twice),
        "foreign": len(reading.foreign),
        "mirrored": bool(reading.mirrored),
        "ms": round(ms, 1),
    }


def _handy(image: np.ndarray) -> tuple[np.ndarray, int]:
    """The picture halved until the reader takes it, and how many times smaller it is then: phones
    make 108 million pixels."""
    times = 1
    while not LIMITS.takes(*image.shape[1::-1]):
        image, times = (
            cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA),
            times * 2,
        )
    return image, times


def _lines(result: dict[str, Any]) -> list[str]:
    numbers = ", ".join(str(card["card"]) for card in result["cards"])
    none = "no cards" if result.get("tokens", True) else "the corner tokens are not in view"
    lines = [f"{without_controls(result['image'])}: {numbers or none} ({result['ms']:.0f} ms)"]
    if result.get("twice"):
        twice = ", ".join(map(str, result["twice"]))
        lines.append(f"  twice, and so not named: {twice} (take one of each away)")
    if result.get("foreign"):
        lines.append(f"  codes of no card of this deck: {result['foreign']}")
    if result.get("mirrored"):
        lines.append("  the picture is mirrored: switch mirroring off in the camera's settings")
    return lines


def run(args: argparse.Namespace) -> int:
    """Read every picture; all are opened before anything is printed, so a bad one leaves no half
    answer."""
    deck = learnt_deck(args)
    results = _codes_read(args) if deck is None else _pictures_read(args, deck)
    if args.json:
        json.dump(results, sys.stdout, indent=2)
        print()
    else:
        print("\n".join(line for result in results for line in _lines(result)))
    return 0


def _pictures_read(args: argparse.Namespace, deck: LearntDeck) -> list[dict[str, Any]]:
    known = Recogniser(deck)
    bar = Progress(len(args.images), not sys.stderr.isatty(), "pictures")
    return [_describe_learnt(path, deck, known) for path in bar.over(args.images)]


def _codes_read(args: argparse.Namespace) -> list[dict[str, Any]]:
    place = MarkerPlace(symbol_mm=marker_of(args.marker_mm))
    numbers = deck_numbers(args.deck_size)
    with GuardedReader(FOOTAGE_DEADLINE_S, say_reader_lost) as second_reader:
        reader = Reader(numbers, args.deck, place.symbol_mm, second_reader)
        bar = Progress(len(args.images), not sys.stderr.isatty(), "pictures")
        return [_describe(path, reader, place) for path in bar.over(args.images)]
