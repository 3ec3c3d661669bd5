"""The hardest places for the reader: other codes, dots, clouds and checks exactly where a card of
ours might lie.

    python -m tests.benchmarks.reader_aligned --sheets 60          about 30,000 places, some minutes

Sheets of tiles go through the camera of `scenes.reader_scenes`. Every place is handed to the decoder in
good alignment, as no localiser would do so often: is anything named that is no card, and is a card
confirmed that no longer lies there?
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np

from card_printables.deck import word_for, words
from card_printables.marker import MODULES, modules
from companion.vision.codes.acceptance import FOUND, TRACKED, named
from companion.vision.codes.decode import name_codes
from companion.vision.codes.pose import FOUND_SPREAD, poses_of_corners
from companion.vision.codes.tracked_cards import confirm_tracked
from companion.vision.codes.word_templates import word_of_template
from companion.vision.frame.image_pyramid import ImagePyramid
from tests.benchmarks.reader import stranger
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.reader_scenes import CONDITIONS, GAMMA, cloud, develop

KINDS = ("card", "foreign", "dots", "cloud", "checks")
SHARES = (0.2, 0.4, 0.1, 0.2, 0.1)
FINE = 4
FIRST_SEED = 700_000


@dataclass(frozen=True, slots=True)
class Tile:
    """What lies at a place: its kind, its number (0 is none) and where its code's corners are or
    would be, px."""

    kind: str
    card: int
    corners_px: np.ndarray


def _ink(rng: np.random.Generator, kind: str, card: int) -> np.ndarray:
    if kind == "card":
        return modules(word_for(card))
    if kind == "dots":
        return rng.random((MODULES, MODULES)) < 0.5
    while (ink := stranger(rng)) is None:
        pass
    return ink


def _ground(rng: np.random.Generator, kind: str, clouds: list[np.ndarray], side: int) -> np.ndarray:
    if kind != "checks":
        return cv2.resize(
            clouds[int(rng.integers(len(clouds)))], (side, side), interpolation=cv2.INTER_AREA
        )
    cells, cell = np.indices((side, side)), rng.uniform(0.5, 6.0) * side / 34
    odd = ((cells // cell).sum(axis=0) % 2)[:, :, None]
    return np.where(odd == 0, rng.uniform(0.05, 0.5, 3), rng.uniform(0.5, 0.98, 3)).astype(
        np.float32
    )


def _tile(
    rng: np.random.Generator, clouds: list[np.ndarray], px_per_module: float, side: int
) -> tuple[np.ndarray, Tile]:
    """A tile in linear light, (side, side, 3) float32, and its truth relative to the tile."""
    kind = str(rng.choice(KINDS, p=SHARES))
    card = int(rng.integers(1, 81)) if kind == "card" else 0
    picture = _ground(rng, kind, clouds, side * FINE)
    turn, slant = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1)
    rotate = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shape = rotate @ np.diag([slant**-0.5, slant**0.5]) * px_per_module * FINE
    middle = side * FINE / 2 + rng.uniform(-FINE, FINE, 2)
    if kind in ("card", "foreign", "dots"):
        ink = np.pad(_ink(rng, kind, card), 3)
        paper = np.where(ink, rng.uniform(0.08, 0.25), rng.uniform(0.88, 0.98)).astype(np.float32)
        plate = cv2.resize(paper, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
        warp = np.column_stack([shape / 8, middle - shape @ np.full(2, len(ink) / 2)])
        cover = cv2.warpAffine(np.ones_like(plate), warp, picture.shape[1::-1])[:, :, None]
        picture = (
            picture * (1 - cover)
            + cv2.warpAffine(plate, warp, picture.shape[1::-1])[:, :, None] * cover
        )
    half = MODULES / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    corners = (square @ shape.T + middle + 0.5) / FINE - 0.5
    light = cv2.resize(np.clip(picture, 0, 1) ** GAMMA, (side, side), interpolation=cv2.INTER_AREA)
    return light.astype(np.float32), Tile(kind, card, corners)


def _lamp(rng: np.random.Generator, side: int) -> np.ndarray:
    """A soft reflection somewhere on a tile, (side, side) float32."""
    y, x = np.indices((side, side)).astype(np.float32) / side - rng.uniform(
        0.2, 0.8, (2, 1, 1)
    ).astype(np.float32)
    wide, high = rng.uniform(0.15, 0.6, 2)
    return (rng.uniform(0.2, 1) * np.exp(-0.5 * ((x / wide) ** 2 + (y / high) ** 2))).astype(
        np.float32
    )


def sheet(seed: int, clouds: list[np.ndarray]) -> tuple[np.ndarray, list[Tile], str]:
    """A grey picture full of tiles, their truth in picture px, and the camera's condition; a
    quarter or more are glared."""
    rng = np.random.default_rng(seed)
    condition, px_per_module = str(rng.choice(list(CONDITIONS))), float(rng.uniform(1, 2.2))
    side = int(34 * px_per_module)
    rows, columns = 900 // side, 1600 // side
    light = np.zeros((rows * side, columns * side, 3), np.float32)
    glare, tiles = np.zeros(light.shape[:2], np.float32), []
    for row in range(rows):
        for column in range(columns):
            piece = np.s_[row * side : (row + 1) * side, column * side : (column + 1) * side]
            light[piece], tile = _tile(rng, clouds, px_per_module, side)
            if rng.random() < CONDITIONS[condition].glare + 0.15:
                glare[piece] = _lamp(rng, side)
            corner = np.array([column * side, row * side]) + rng.normal(0, 0.7, 2) * px_per_module
            tiles.append(Tile(tile.kind, tile.card, tile.corners_px + corner))
    return (
        cv2.cvtColor(develop(rng, light, CONDITIONS[condition], glare), cv2.COLOR_BGR2GRAY),
        tiles,
        condition,
    )


def judge(counts: Counter[str], seed: int, clouds: list[np.ndarray]) -> None:
    """Add one sheet's names and confirmations to `counts`; half of the cards are expected where
    they lie."""
    grey, tiles, condition = sheet(seed, clouds)
    rng, pyramid, poses = (
        np.random.default_rng(seed),
        ImagePyramid(grey),
        poses_of_corners(np.array([tile.corners_px for tile in tiles])),
    )
    best_words = name_codes(pyramid, poses, FOUND_SPREAD)
    sure = named(best_words, FOUND)
    expected = [
        t.card if t.card and rng.random() < 0.5 else int(rng.integers(1, 81)) for t in tiles
    ]
    there = confirm_tracked(
        pyramid, poses, np.array([words().index(word_for(card)) for card in expected])
    )
    held = (there.word >= 0) & TRACKED.rows(there)
    for i, tile in enumerate(tiles):
        word, mirrored = word_of_template(int(best_words.word[i]))
        right = sure[i] and not mirrored and word == (word_for(tile.card) if tile.card else None)
        counts[f"{condition} cards"] += bool(tile.card)
        counts[f"{condition} read"] += bool(right)
        counts["places without a card"] += not tile.card
        counts["wrong names"] += bool(sure[i] and not right)
        lies = tile.card == expected[i]
        counts[f"{condition} expected"] += lies
        counts[f"{condition} confirmed"] += bool(lies and held[i])
        counts["places the expected card left"] += not lies
        counts["false confirmations"] += bool(held[i] and not lies)


def main(argv: list[str] | None = None) -> int:
    """Run it; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sheets", type=int, default=20, help="pictures of some hundred places each (default 20)"
    )
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="the first sheet's seed")
    add_json(parser)
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    clouds = [cloud(np.random.default_rng(seed)) for seed in range(40)]
    counts: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.sheets):
        judge(counts, seed, clouds)
    print("\n".join(f"{what}: {many}" for what, many in sorted(counts.items())))
    record(
        options.json,
        [Figure(what, f"{many:,}") for what, many in sorted(counts.items())],
        options.seed,
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
