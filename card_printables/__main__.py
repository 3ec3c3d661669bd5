"""`python -m card_printables`, the same as `companion print`: cards, table, stickers and test sheets as PDF or PNG.

Knows the command line; draws nothing itself.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from card_printables.deck import DECKS, PUBLISHED_SIZE
from card_printables.export import write_pngs
from card_printables.marker import DISC_MM, SYMBOL_MM
from card_printables.order import CannotPrint, Order, cards_from, check


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of printing to a parser."""
    parser.add_argument("what", choices=("cards", "table"), help="what to print")
    parser.add_argument("--paper", choices=("a4", "letter"), default="a4", help="paper size (default a4)")
    parser.add_argument("--format", choices=("pdf", "png"), default="pdf", help="sheets as PDF, or one PNG a piece at trim size")
    parser.add_argument("--dpi", type=int, default=300, help="dots an inch of PNG files (default 300)")
    parser.add_argument("--diameter-mm", type=float, default=DISC_MM, help=f"diameter of the cards (default {DISC_MM:g})")
    parser.add_argument("--marker-mm", type=float, default=SYMBOL_MM, help=f"side of the code (default {SYMBOL_MM:g})")
    parser.add_argument("--deck", default=DECKS[0], help=f"deck name, {', '.join(DECKS)} (default {DECKS[0]})")
    parser.add_argument("--cards", default=f"1-{PUBLISHED_SIZE}", help="card numbers, like 7,12,40-44 (default 1-80)")
    parser.add_argument("--bleed-mm", type=float, default=0.0, help="PNG only: picture beyond the edge, for print services (0 to 3)")
    parser.add_argument("--out", type=Path, default=None, help="file (PDF) or folder (PNG) to write")


def _order(args: argparse.Namespace) -> Order:
    return Order(
        kind=args.what,
        paper=args.paper,
        format=args.format,
        dpi=args.dpi,
        disc_mm=args.diameter_mm,
        symbol_mm=args.marker_mm,
        deck=args.deck,
        cards=cards_from(args.cards),
        bleed_mm=args.bleed_mm,
        out=args.out,
    )


def _folder(order: Order) -> Path:
    """The folder for PNG files; the default one is made, a named one must have its parent."""
    folder = order.out or Path(f"cloud-mine-{order.kind}")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as trouble:
        raise CannotPrint(f"cannot make the folder {folder}: {trouble.strerror}; choose another --out") from trouble
    return folder


def run(args: argparse.Namespace) -> int:
    """Print what the options say; 0 when all is written, 2 with one sentence on stderr when it cannot be."""
    try:
        order = _order(args)
        check(order)
        if order.format == "pdf":
            raise CannotPrint("PDF is not here yet: use --format png")
        folder = _folder(order)
        written = write_pngs(order, folder)
    except CannotPrint as trouble:
        print(f"companion print: {trouble}", file=sys.stderr)
        return 2
    print(f"{len(written)} files in {folder}")
    return 0


def main(argv: list[str] | None = None) -> int:
    """Run `python -m card_printables`; the exit code."""
    parser = argparse.ArgumentParser(prog="companion print", description="Print the cards, the table set, stickers and test sheets.")
    configure(parser)
    return run(parser.parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
