"""The print room against its promises: every kind of sheet drawn, rasterised by another program,
read back and measured.

Prints a line a file: pages, MB, processor seconds, whether a second drawing has the same bytes,
codes read by zxing-cpp and by the product's own decoder (at half the resolution, its plane told) of
those printed, and the worst error of disc diameters and code edges in mm. `--out DIR` keeps the
pages as PNG for looking at.

    python -m tests.benchmarks.print_room --only cards-a4-long,stickers
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pypdfium2

from card_printables.artwork import clouds
from card_printables.deck import word_for
from card_printables.marker import SYMBOL_MM, MarkerPlace
from card_printables.order import Order
from card_printables.pages.paper import PAPERS_MM
from card_printables.pages.sheet import BACKS, page_of
from card_printables.pages.sticker import (
    SCISSORS,
    drop_mm,
    filled,
    label_sheets,
    sheet_named,
    symbol_on,
)
from card_printables.print_job import pdf
from companion.vision.codes.reader import Reader
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.support.printed_pages import DPI, codes_on, dark_box_mm, page_grey, ring_radius_mm

SHRINK = 2
CUSTOM = "30round 6x9 5,1.5 34,33"


def orders() -> dict[str, Order]:
    """Every kind of sheet with codes, by name."""
    found = {
        f"cards-{paper}-{backs}": Order(paper=paper, backs=backs)
        for paper in PAPERS_MM
        for backs in BACKS
    }
    for name in (*label_sheets(), CUSTOM):
        found[f"stickers-{name.split()[0]}"] = Order(kind="stickers", sheet=name)
    for paper in PAPERS_MM:
        found[f"stickers-{SCISSORS}-{paper}"] = Order(kind="stickers", paper=paper)
    return found


@dataclass(frozen=True, slots=True)
class Flatbed:
    """A page seen exactly from above: the plane that the reader asks."""

    px_per_mm: float

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        """Pixels of points of the page (N, 2)."""
        return np.asarray(points_mm, float) * self.px_per_mm - 0.5

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        """Points of the page of pixels (N, 2)."""
        return (np.asarray(points_px, float) + 0.5) / self.px_per_mm


def _own(grey: np.ndarray, reader: Reader) -> set[int]:
    """Cards that the product's own decoder reads, without zxing-cpp's word alone."""
    small = cv2.resize(grey, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)
    seen = reader.read_codes(small, Flatbed(DPI / SHRINK / 25.4))
    return {card for card, found in seen.cards.items() if found.reader != "zxing"}


def _code_error(grey: np.ndarray, at: tuple[float, float], symbol_mm: float) -> float:
    half = symbol_mm / 2
    want = np.array([at[0] - half, at[1] - half, at[0] + half, at[1] + half])
    return float(np.abs(np.array(dark_box_mm(grey, at, half + 0.5)) - want).max())


def _places(order: Order) -> dict[int, tuple[int, tuple[float, float], float]]:
    """Page, middle of the code and its side, of every card of the order."""
    if order.kind == "cards":
        place, spots = MarkerPlace(), {}
        for card in order.cards:
            number, (x, y) = page_of(
                card, order.cards, order.disc_mm, PAPERS_MM[order.paper], order.backs
            ) or (0, (0.0, 0.0))
            spots[card] = (number, (x + place.centre_mm[0], y + place.centre_mm[1]), SYMBOL_MM)
        return spots
    sheet = sheet_named(order.sheet, None, order.paper)
    symbol = symbol_on(sheet, None)
    drop = drop_mm(sheet, symbol)
    lots = enumerate(filled(order.cards, sheet, order.start), 2)
    return {card: (number, (x, y + drop), symbol) for number, lot in lots for card, (x, y) in lot}


@dataclass(frozen=True, slots=True)
class File:
    """What was measured of one file; errors in mm, `disc_mm` of cards only."""

    pages: int
    megabytes: float
    seconds: float
    same: bool
    by_zxing: int
    by_us: int
    codes: int
    code_mm: float
    disc_mm: float | None

    def __str__(self) -> str:
        disc = "" if self.disc_mm is None else f"  disc {self.disc_mm:.2f} mm"
        return (
            f"{self.pages:3} pages {self.megabytes:5.1f} MB {self.seconds:5.1f} s {'same' if self.same else 'OTHER'}  "
            f"zxing {self.by_zxing}  own {self.by_us} of {self.codes}  code {self.code_mm:.2f} mm{disc}"
        )


def measured(name: str, order: Order, out: Path | None) -> File:
    """One file drawn, read back and measured."""
    clouds._original.cache_clear()
    start = time.process_time()
    data = pdf(order)
    seconds = time.process_time() - start
    document, places = pypdfium2.PdfDocument(data), _places(order)
    by_zxing: set[bytes] = set()
    by_us: set[int] = set()
    code, disc = 0.0, 0.0
    reader = Reader(symbol_mm=next(iter(places.values()))[2])
    for number in range(1, len(document) + 1):
        grey = page_grey(document, number)
        if out is not None:
            cv2.imwrite(str(out / f"{name}-{number:02d}.png"), grey)
        here = {card: place for card, place in places.items() if place[0] == number}
        if not here:
            continue
        by_zxing |= {payload for payload, _ in codes_on(grey)}
        by_us |= _own(grey, reader)
        code = max(code, max(_code_error(grey, at, symbol) for _, at, symbol in here.values()))
        if order.kind == "cards":
            shift = MarkerPlace().centre_mm[1]
            disc = max(
                disc,
                max(
                    abs(2 * ring_radius_mm(grey, (x, y - shift), 42.5) - 85.0)
                    for _, (x, y), _ in here.values()
                ),
            )
    zxing = len(by_zxing & {word_for(card).payload for card in places})
    return File(
        len(document),
        len(data) / 1e6,
        seconds,
        pdf(order) == data,
        zxing,
        len(by_us),
        len(places),
        code,
        disc if order.kind == "cards" else None,
    )


def figures_of(files: list[File]) -> list[Figure]:
    """The worst of all files, and what a deck takes."""
    codes = sum(file.codes for file in files)
    by_zxing, by_us = sum(file.by_zxing for file in files), sum(file.by_us for file in files)
    figures = [
        Figure(
            "printed codes read by zxing-cpp", share(by_zxing, codes), "all", good=by_zxing == codes
        ),
        Figure(
            "printed codes read by the own decoder", share(by_us, codes), "all", good=by_us == codes
        ),
        Figure(
            "worst error of a code's edges",
            f"{max(file.code_mm for file in files):.2f} mm",
            n=len(files),
        ),
        Figure(
            "files that are the same bytes twice",
            share(sum(file.same for file in files), len(files)),
            "all",
        ),
    ]
    decks = [file for file in files if file.disc_mm is not None]
    if decks:
        worst_mm = max(file.disc_mm or 0.0 for file in decks)
        figures += [
            Figure("worst error of a disc's 85 mm", f"{worst_mm:.2f} mm", n=len(decks)),
            Figure(
                "a deck as PDF",
                f"{np.median([file.seconds for file in decks]):.1f} s of one core, "
                f"{np.median([file.megabytes for file in decks]):.1f} MB",
                n=len(decks),
            ),
        ]
    return figures


def main() -> None:
    """Measure the files whose names begin with what `--only` says; all of them take some minutes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="beginnings of names, with commas between")
    parser.add_argument("--out", type=Path, default=None, help="folder for the pages as PNG")
    add_json(parser)
    args = parser.parse_args()
    if args.out is not None:
        args.out.mkdir(parents=True, exist_ok=True)
    files = []
    for name, order in orders().items():
        if any(name.startswith(part) for part in args.only.split(",")):
            files.append(measured(name, order, args.out))
            print(f"{name:24} {files[-1]}", flush=True)
    record(args.json, figures_of(files))


if __name__ == "__main__":
    main()
