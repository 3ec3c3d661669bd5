"""Reads the cards in pictures and says which they are and where they lie.

Uses the corner tokens when they are in the picture: then `centre_mm` is the middle of the card on
the table (origin: the top-left token's centre, x towards the top-right one, y towards the bottom);
without tokens it is null. `corners_px` are the printed code's corners: top-left, top-right,
bottom-right, bottom-left; (0, 0) is the middle of the picture's first pixel.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import cv2
import numpy as np

from calibration.cameras.picture_file import LIMITS, read_image
from card_printables.marker import MarkerPlace
from companion.commands.shared.options import add_deck, deck_numbers, marker_of
from companion.vision.codes.printed_size import printed_size_mm
from companion.vision.codes.reader import Reader
from companion.vision.codes.whole_picture import read_cards
from companion.vision.locate import locate


def configure(parser: argparse.ArgumentParser) -> None:
    """Pictures in, JSON or lines out."""
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a JPEG or PNG picture")
    parser.add_argument(
        "--json", action="store_true", help="print a list with one object a picture"
    )
    add_deck(parser)


def _describe(path: str, reader: Reader, place: MarkerPlace) -> dict[str, Any]:
    image, times = _handy(read_image(path))
    start = time.perf_counter()
    reading, plane = read_cards(image, reader)
    ms = (time.perf_counter() - start) * 1000
    size_mm = None if plane is None else printed_size_mm(reading, plane, place.symbol_mm)
    place = place if size_mm is None else MarkerPlace(place.disc_mm, size_mm)
    cards = []
    for number, detection in sorted(reading.cards.items()):
        centre = (
            None
            if plane is None
            else [round(v, 2) for v in locate(detection, plane, place).centre_mm]
        )
        corners = [
            [round((v + 0.5) * times - 0.5, 3) for v in corner] for corner in detection.corners_px
        ]
        cards.append(
            {
                "card": number,
                "corners_px": corners,
                "centre_mm": centre,
                "score": round(detection.score, 4),
            }
        )
    return {"image": path, "cards": cards, "ms": round(ms, 1)}


def _handy(image: np.ndarray) -> tuple[np.ndarray, int]:
    """The picture halved until the reader takes it, and how many times smaller it is then: phones
    make 108 million pixels."""
    times = 1
    while image.shape[0] * image.shape[1] > LIMITS.searched_px:
        image, times = (
            cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA),
            times * 2,
        )
    return image, times


def _lines(result: dict[str, Any]) -> list[str]:
    numbers = ", ".join(str(card["card"]) for card in result["cards"])
    return [f"{result['image']}: {numbers or 'no cards'} ({result['ms']:.0f} ms)"]


def run(args: argparse.Namespace) -> int:
    """Read every picture; all are opened before anything is printed, so a bad one leaves no half
    answer."""
    place = MarkerPlace(symbol_mm=marker_of(args.marker_mm))
    reader = Reader(deck_numbers(args.deck_size), args.deck, place.symbol_mm)
    results = [_describe(path, reader, place) for path in args.images]
    if args.json:
        json.dump(results, sys.stdout, indent=2)
        print()
    else:
        print("\n".join(line for result in results for line in _lines(result)))
    return 0
