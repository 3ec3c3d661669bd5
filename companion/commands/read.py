"""Reads the cards in pictures and says which they are and where they lie.

Uses the corner tokens when they are in the picture: then `centre_mm` is the middle of the card on the table (origin:
the top-left token's centre, x towards the top-right one, y towards the bottom); without tokens it is null.
`corners_px` are the printed code's corners: top-left, top-right, bottom-right, bottom-left; (0, 0) is the middle of the
picture's first pixel.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

import numpy as np

from calibration.errors import PlaneNotSeen
from calibration.plane import Plane, fit_plane, plane_from_markers
from calibration.recording import read_image
from calibration.tags import find_tags
from card_printables.marker import MarkerPlace
from companion.commands.options import add_deck, deck_numbers, marker_of
from companion.vision.detect import Expected, Reading
from companion.vision.locate import locate
from companion.vision.reader import Reader, grey_of

LOOKS = 3
"""Without tokens each look finds more cards, and more cards give a truer plane; eighty of them take two or three."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Pictures in, JSON or lines out."""
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a JPEG or PNG picture")
    parser.add_argument("--json", action="store_true", help="print a list with one object a picture")
    add_deck(parser)


def _plane(grey: np.ndarray) -> Plane | None:
    try:
        return fit_plane(find_tags(grey), (grey.shape[1], grey.shape[0]))
    except PlaneNotSeen:
        return None


def _plane_of_markers(reading: Reading, grey: np.ndarray, symbol_mm: float) -> Plane | None:
    corners = [np.asarray(d.corners_px, float) for d in reading.detections if not d.is_back]
    try:
        return plane_from_markers(corners, symbol_mm, (grey.shape[1], grey.shape[0]))
    except PlaneNotSeen:
        return None


def read_cards(image: np.ndarray, reader: Reader, place: MarkerPlace) -> tuple[Reading, Plane | None]:
    """Everything readable in one picture (H, W, 3) uint8, and the table plane when tokens are in it.

    Without tokens a first look at the cards themselves gives the scale for better ones, until no more are found.
    """
    grey = grey_of(image)
    if grey is None:
        return Reading(), None
    plane = _plane(grey)
    reading = reader.read(grey, plane, patient=plane is None)
    for _ in range(LOOKS if plane is None and reading.cards else 0):
        known = [Expected(card, found.corners_px) for card, found in reading.cards.items()]
        again = reader.read(grey, _plane_of_markers(reading, grey, place.symbol_mm), known)
        if len(again.cards) <= len(reading.cards):
            break
        reading = again
    return reading, plane


def _describe(path: str, reader: Reader, place: MarkerPlace) -> dict[str, Any]:
    image = read_image(path)
    start = time.perf_counter()
    reading, plane = read_cards(image, reader, place)
    ms = (time.perf_counter() - start) * 1000
    cards = []
    for number, detection in sorted(reading.cards.items()):
        centre = None if plane is None else [round(v, 2) for v in locate(detection, plane, place).centre_mm]
        corners = [[round(x, 3), round(y, 3)] for x, y in detection.corners_px]
        cards.append({"card": number, "corners_px": corners, "centre_mm": centre, "score": round(detection.score, 4)})
    return {"image": path, "cards": cards, "ms": round(ms, 1)}


def _lines(result: dict[str, Any]) -> list[str]:
    numbers = ", ".join(str(card["card"]) for card in result["cards"])
    return [f"{result['image']}: {numbers or 'no cards'} ({result['ms']:.0f} ms)"]


def run(args: argparse.Namespace) -> int:
    """Read every picture; all are opened before anything is printed, so a bad one leaves no half answer."""
    place = MarkerPlace(symbol_mm=marker_of(args.marker_mm))
    reader = Reader(deck_numbers(args.deck_size), args.deck, place.symbol_mm)
    results = [_describe(path, reader, place) for path in args.images]
    if args.json:
        json.dump(results, sys.stdout, indent=2)
        print()
    else:
        print("\n".join(line for result in results for line in _lines(result)))
    return 0
