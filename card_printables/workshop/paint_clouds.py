"""Paint the clouds: `python -m card_printables.workshop.paint_clouds` paints every card anew into
`art/`.

Knows files and the command line; the painting itself is in `card_printables.workshop.painting`.
Deterministic on one machine; other builds of numpy and OpenCV may round differently, so the product
ships the painted files.

    python -m card_printables.workshop.paint_clouds                      all 99 cards, about 1.5 s
    each
    python -m card_printables.workshop.paint_clouds 7 12                 only these
    python -m card_printables.workshop.paint_clouds --folder DIR --fine 2   elsewhere and smaller
    python -m card_printables.workshop.paint_clouds --choose             choose all throws of the
    dice anew (`painting/throws.txt`)
    python -m card_printables.workshop.paint_clouds --choose 7 12        only these cards', against
    all others as they are
    python -m card_printables.workshop.paint_clouds --likeness           print the likeness of all
    outlines, worst pairs first
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from card_printables.deck import LARGEST, PUBLISHED_SIZE
from card_printables.workshop.painting import likeness, painting

ART = Path(__file__).parents[1] / "artwork" / "art"
QUALITY = 86
TRIES = 14

REFUSED = {
    (47, 7), (8, 8), (13, 0), (28, 8), (33, 3), (43, 2), (64, 6), (80, 2),
    (9, 0), (14, 8), (42, 8), (68, 3),
}  # fmt: skip
"""Throws (card, throw) that the measure liked and the eye did not; the last four were rude. These
cards were chosen anew on their own, 36, 53 and 70 by eye, so choosing all at once gives another,
equally good deck: `throws.txt` is the record of this one."""


def write(card: int, folder: Path, fine: int = 4) -> Path:
    """Paint `card` and write `card-NN.webp` into `folder`, which must exist."""
    path = folder / f"card-{card:02d}.webp"
    done, data = cv2.imencode(
        ".webp", painting.paint(card, fine).image, [cv2.IMWRITE_WEBP_QUALITY, QUALITY]
    )
    if not done:
        raise RuntimeError("this OpenCV cannot write WebP")
    path.write_bytes(data.tobytes())
    return path


def _choose(cards: list[int]) -> None:
    kept = {
        card: throw
        for card, throw in painting.chosen_throws().items()
        if cards and card not in cards
    }
    chosen = likeness.choose(cards or list(range(1, LARGEST + 1)), TRIES, REFUSED, kept)
    head = "# card and throw of its dice, by paint_clouds --choose\n"
    lines = head + "".join(f"{card} {throw}\n" for card, throw in chosen.items())
    Path(painting.__file__).with_name("throws.txt").write_text(lines, encoding="ascii")


def _print_likeness() -> None:
    for name, last in (("published deck", PUBLISHED_SIZE), ("all cards", LARGEST)):
        pairs = likeness.worst_pairs(list(range(1, last + 1)))
        middle = pairs[len(pairs) // 2][0]
        print(
            f"{name}: {len(pairs)} pairs, median {middle:.2f}, worst "
            + ", ".join(f"{a}-{b} {v:.2f}" for v, a, b in pairs[:5])
        )


def main(argv: list[str] | None = None) -> int:
    """Paint, choose or compare as asked; returns 0."""
    parser = argparse.ArgumentParser(
        prog="python -m card_printables.workshop.paint_clouds",
        description="Paint the cloud pictures anew.",
    )
    parser.add_argument("cards", nargs="*", type=int, metavar="CARD", help="only these cards")
    parser.add_argument(
        "--folder", type=Path, default=ART, help="where the pictures go (default: the shipped ones)"
    )
    parser.add_argument(
        "--fine",
        type=int,
        default=4,
        help=f"pixels in one of the picture's {painting.GRID} cells (default 4)",
    )
    parser.add_argument("--choose", action="store_true", help="choose the throws of the dice anew")
    parser.add_argument("--likeness", action="store_true", help="print how alike the outlines are")
    asked = parser.parse_args(argv)
    wrong = [card for card in asked.cards if not 1 <= card <= LARGEST]
    if wrong or not 1 <= asked.fine <= 8:
        parser.error(
            f"there is no card {wrong[0]}: cards are 1 to {LARGEST}"
            if wrong
            else "--fine goes from 1 to 8"
        )
    cv2.setNumThreads(1)
    if asked.choose:
        _choose(asked.cards)
    elif asked.likeness:
        _print_likeness()
    else:
        asked.folder.mkdir(parents=True, exist_ok=True)
        for card in asked.cards or range(1, LARGEST + 1):
            print(write(card, asked.folder, asked.fine), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
