"""Choose the words of `words.txt`: run `python -m card_printables.workshop.choose_words` to make
the file anew.

Greedy: of many candidates (three free characters, eight masks) each card takes the one whose code
is farthest, in modules and over the four quarter turns, from all codes chosen so far.
Deterministic. It prints the smallest distance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from card_printables.deck import DECKS, LARGEST
from card_printables.marker import modules_of

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
CANDIDATES = 96


def _stems() -> Iterator[str]:
    for deck in DECKS:
        for card in range(1, LARGEST + 1):
            yield f"{deck}-{card:02d}."


def _signs(payload: str, mask: int) -> np.ndarray:
    return np.where(modules_of(payload.encode("ascii"), mask), 1, -1).astype(np.float32)


def _turns(signs: np.ndarray) -> np.ndarray:
    return np.stack([np.rot90(signs, k).ravel() for k in range(4)])


def choose() -> tuple[list[tuple[str, int]], int]:
    """The chosen (payload, mask) pairs, the back first, and the smallest distance in modules
    between any two."""
    rng = random.Random(80)
    back = "CM-BACK"
    chosen = [(back, 0)]
    taken = _turns(_signs(back, 0))
    worst = 441
    for stem in _stems():
        options = [
            (stem + "".join(rng.choices(ALPHABET, k=3)), rng.randrange(8))
            for _ in range(CANDIDATES)
        ]
        codes = np.stack([_signs(*option).ravel() for option in options])
        likeness = (codes @ taken.T).max(axis=1)
        best = int(np.argmin(likeness))
        worst = min(worst, int((441 - likeness[best]) / 2))
        chosen.append(options[best])
        taken = np.vstack([taken, _turns(codes[best].reshape(21, 21))])
    return chosen, worst


def main() -> None:
    """Write `words.txt` beside this file and print the smallest distance."""
    chosen, worst = choose()
    path = Path(__file__).parents[1] / "words.txt"
    head = "# payload and QR mask of every word this product prints; made by choose_words.py\n"
    path.write_text(
        head + "".join(f"{payload} {mask}\n" for payload, mask in chosen), encoding="ascii"
    )
    print(f"{len(chosen)} words, any two differ in at least {worst} of 441 modules at every turn")


if __name__ == "__main__":
    main()
