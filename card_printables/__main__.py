"""Prints cards, the table set, stickers and test sheets as PDF or PNG; `python -m card_printables`
does the same."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from card_printables.command_line import OneSentenceParser
from card_printables.deck import DECKS, PUBLISHED_SIZE
from card_printables.marker import DISC_MM, SYMBOL_MM
from card_printables.order import (
    BACK_DRAWINGS,
    LANGUAGES,
    PRINT_KINDS,
    CannotPrint,
    Order,
    Progress,
    cards_from,
    left_aside,
)
from card_printables.pages.sheet import BACKS
from card_printables.pages.sticker import SCISSORS
from card_printables.print_job import default_out, write


def _pair(text: str) -> tuple[float, float]:
    """Two numbers, "98.5,99"; one number stands for both."""
    try:
        across, *down = (float(part) for part in text.split(","))
        if len(down) <= 1:
            return (across, down[0] if down else across)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(
        f"{text!r} is not one or two lengths in mm, like 98.5 or 1,-0.5"
    )


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of printing to a parser."""
    parser.epilog = "for example: companion print cards"
    # Else "--shift-mm -1,0" has the shift taken for an option; argparse has no public way.
    parser._negative_number_matcher = re.compile(r"-\.?\d")  # noqa: SLF001
    _add_what_and_how(parser)
    _add_cards(parser)
    _add_correction(parser)
    _add_labels(parser)
    parser.add_argument(
        "--out", type=Path, default=None, help="file (PDF) or folder (PNG) to write"
    )


def _add_what_and_how(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=PRINT_KINDS, help="what to print")
    parser.add_argument(
        "--paper", choices=("a4", "letter"), default="a4", help="paper size (default a4)"
    )
    parser.add_argument(
        "--format",
        choices=("pdf", "png"),
        default="pdf",
        help="sheets as PDF, or one PNG a piece at trim size",
    )
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default=LANGUAGES[0],
        help=f"language of what the sheets say (default {LANGUAGES[0]})",
    )
    parser.add_argument(
        "--dpi", type=int, default=300, help="dots an inch of PNG files (default 300)"
    )


def _add_cards(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--diameter-mm",
        type=float,
        default=DISC_MM,
        help=f"diameter of the cards (default {DISC_MM:g})",
    )
    parser.add_argument(
        "--marker-mm", type=float, default=None, help=f"side of the code (default {SYMBOL_MM:g})"
    )
    parser.add_argument(
        "--deck", default=DECKS[0], help=f"one of {', '.join(DECKS)} (default {DECKS[0]})"
    )
    parser.add_argument(
        "--cards",
        default=f"1-{PUBLISHED_SIZE}",
        help="card numbers, like 7,12,40-44 (default 1-80)",
    )
    parser.add_argument(
        "--backs",
        choices=BACKS,
        default="long",
        help="duplex over the long or short edge, fold-over, none",
    )
    parser.add_argument(
        "--back-drawing",
        choices=BACK_DRAWINGS,
        default=BACK_DRAWINGS[0],
        help="moon, or square: for lost cards of a deck whose backs have a large code in the middle",
    )
    parser.add_argument(
        "--bleed-mm",
        type=float,
        default=0.0,
        help="PNG: picture beyond the edge, for print services (0 to 3)",
    )


def _add_correction(parser: argparse.ArgumentParser) -> None:
    """What a printer does wrong, as measured on its own paper."""
    parser.add_argument(
        "--measured-mm",
        type=_pair,
        default=(100.0, 100.0),
        help="what the rulers measured: ACROSS[,DOWN]",
    )
    parser.add_argument(
        "--shift-mm", type=_pair, default=(0.0, 0.0), help="move every front: RIGHT,DOWN"
    )
    parser.add_argument(
        "--back-shift-mm", type=_pair, default=(0.0, 0.0), help="move every back: RIGHT,DOWN"
    )


def _add_labels(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--sheet",
        default=SCISSORS,
        help="stickers: label sheet's name, plain paper by default; see the README",
    )
    parser.add_argument(
        "--start",
        type=int,
        default=1,
        help="stickers: first free label of a partly used sheet (default 1)",
    )


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
        backs=args.backs,
        back_drawing=args.back_drawing,
        language=args.language,
        bleed_mm=args.bleed_mm,
        measured_mm=args.measured_mm,
        shift_mm=args.shift_mm,
        back_shift_mm=args.back_shift_mm,
        sheet=args.sheet,
        start=args.start,
        out=args.out,
    )


def _report(paths: list[Path], before: bool) -> str:
    if len(paths) == 1 and paths[0].suffix != ".png":
        size = f"{paths[0].stat().st_size / 1e6:.1f} MB"
        instead = ", in place of the one before" if before else ""
        return f"wrote {paths[0]} ({size}{instead}): print it at 100 %"
    return f"wrote {len(paths)} PNG file{'s' if len(paths) > 1 else ''} to {paths[0].parent}"


def _progress() -> Progress | None:
    """A counter on the terminal's last line; None when nobody watches."""
    if not sys.stderr.isatty():
        return None
    return lambda done, of: print(
        f"\r{done} / {of}", end="\n" if done == of else "", file=sys.stderr, flush=True
    )


def run(args: argparse.Namespace) -> int:
    """Print what the options say; 0 when all is written, 2 with one sentence on stderr when it
    cannot be."""
    try:
        order = _order(args)
        before = (order.out or default_out(order)).is_file()
        print(_report(write(order, _progress()), before))
        for note in left_aside(order):
            print(f"companion print: {note}", file=sys.stderr)
    except CannotPrint as trouble:
        print(f"companion print: {trouble}", file=sys.stderr)
        return 2
    return 0


def main(argv: list[str] | None = None) -> int:
    """Run `python -m card_printables`; the exit code."""
    parser = OneSentenceParser(prog="companion print", description=__doc__)
    configure(parser)
    return run(parser.parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
