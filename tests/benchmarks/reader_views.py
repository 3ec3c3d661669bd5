"""A hundred thousand cards and as many strangers: does the whole reader ever give a wrong name?

    python -m tests.benchmarks.reader_views --views 100000 --out views.json       some hours; begun
    again it goes on
    python -m tests.benchmarks.reader_views --views 3000                          a minute or two

Every frame shows up to eighty cards and more strangers (foreign version-1 codes and neighbours'
words, text, clouds, dots), close together on one table of any slant, at 1 to 2 pixels a module, in
good, typical and hard pictures. Each frame is read twice: searched with nothing known, and with
cards expected where they lie, where another lies and where none does. A name where no such card
lies is wrong; so is a card confirmed where it does not lie. Views below 1 pixel a module are shown
to the reader too but not counted as views; wrong names among them count.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from card_printables.deck import DECKS, word_for
from card_printables.marker import MODULES, SYMBOL_MM, modules
from companion.vision.codes.detection import Detection, Expected
from companion.vision.codes.reader import Reader
from tests.benchmarks.reader import stranger
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.reader_scenes import CONDITIONS, GAMMA, View, cloud, develop

FIRST_SEED = 2_000_000
MODULE_MM = SYMBOL_MM / MODULES
PITCH = 40
"""Modules from one code's middle to the next: a code and its quiet zone at any turn."""

DECK, PLACES = 80, 176
FINE = 2
"""Samples of the drawn table a picture pixel."""


@dataclass(frozen=True, slots=True)
class Tile:
    """What lies at a place: its card (0 for a stranger), its corners in px, px a module there."""

    card: int
    corners_px: np.ndarray
    px_per_module: float


def _view(rng: np.random.Generator, px_per_module: float) -> View:
    """A camera whose picture holds about `PLACES` codes."""
    height = int(np.sqrt(PLACES * 9 / 16) * PITCH * px_per_module)
    size = (height * 16 // 9, height)
    tilt, focal = float(rng.uniform(0, 45)), 0.78 * size[0] * rng.uniform(0.85, 1.2)
    distance = focal * np.sqrt(np.cos(np.radians(tilt))) * MODULE_MM / px_per_module
    return View(size, focal, tilt, distance, float(rng.uniform(-0.1, 0.06)))


def _places(view: View) -> tuple[np.ndarray, np.ndarray]:
    """Codes' middles in mm on a grid all over the view, and the view's low and high corner on the
    table, mm."""
    w, h = view.width, view.height
    rim = view.to_mm(np.array([[u, v] for u in np.linspace(0, w, 9) for v in (0, h / 2, h)], float))
    low, high = rim.min(0) - 5, rim.max(0) + 5
    step = PITCH * MODULE_MM
    x, y = np.meshgrid(
        np.arange(low[0] + step / 2, high[0], step), np.arange(low[1] + step / 2, high[1], step)
    )
    return np.stack([x.ravel(), y.ravel()], 1), np.stack([low, high])


def _ink(rng: np.random.Generator, card: int) -> np.ndarray | None:
    """A card's modules, a foreign code's, a neighbour's word's, dots, or None: text on cloud, or
    cloud alone."""
    if card:
        return modules(word_for(card))
    kind = rng.random()
    if kind < 0.1:
        return modules(word_for(int(rng.integers(1, 81)), str(rng.choice(DECKS[1:]))))
    if kind < 0.18:
        return rng.random((MODULES, MODULES)) < 0.5
    return stranger(rng)


def _drawn(
    rng: np.random.Generator, clouds: list[np.ndarray], ink: np.ndarray | None, scale: float
) -> tuple[np.ndarray, float]:
    """A tile (n, n, 3) float32 of display values, cloud with a plate where there is ink; and the
    plate's turn, radians."""
    side = round(PITCH * scale)
    picture = cv2.resize(
        clouds[int(rng.integers(len(clouds)))], (side, side), interpolation=cv2.INTER_AREA
    )
    if ink is None:
        return picture, 0.0
    turn = rng.uniform(0, 2 * np.pi)
    paper = np.where(np.pad(ink, 3), rng.uniform(0.08, 0.25), rng.uniform(0.85, 0.98)).astype(
        np.float32
    )
    plate = cv2.resize(paper, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    shape = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) * scale
    warp = np.column_stack(
        [
            shape / 8,
            (side - 1) / 2 - shape @ np.full(2, len(paper) / 2) + shape @ np.full(2, 1 / 16),
        ]
    )
    cover = cv2.warpAffine(np.ones_like(plate), warp, (side, side))[:, :, None]
    code = cv2.warpAffine(plate, warp, (side, side), flags=cv2.INTER_AREA)[:, :, None]
    return picture * (1 - cover) + code * cover, turn


def frame(seed: int, clouds: list[np.ndarray]) -> tuple[np.ndarray, View, list[Tile]]:
    """A grey picture, its view, and what lies in it."""
    rng = np.random.default_rng(seed)
    condition, wanted = (
        str(rng.choice(list(CONDITIONS))),
        float(np.exp(rng.uniform(np.log(1.05), np.log(2.0)))),
    )
    view = _view(rng, wanted)
    centres, (low, high) = _places(view)
    scale = FINE * wanted
    px_per_mm = min(scale / MODULE_MM, 9000 / float((high - low).max()))
    scale = px_per_mm * MODULE_MM
    size = np.ceil((high - low) * px_per_mm).astype(int)
    table = np.full((size[1], size[0], 3), rng.uniform(0.1, 0.9, 3), np.float32)
    half = MODULES * MODULE_MM / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    numbers = rng.permutation(DECK) + 1
    tiles, dealt = [], 0
    for i in rng.permutation(len(centres)):
        corners = view.to_px(square + centres[i])
        if not _shown(view, corners):
            continue
        card = int(numbers[dealt]) if dealt < DECK and rng.random() < 0.5 else 0
        dealt += card > 0
        picture, turn = _drawn(rng, clouds, _ink(rng, card), scale)
        at = (centres[i] - low) * px_per_mm
        left, top = (round(float(v) - len(picture) / 2) for v in at)
        piece = table[max(0, top) : top + len(picture), max(0, left) : left + len(picture)]
        piece[:] = picture[
            max(0, -top) : max(0, -top) + piece.shape[0],
            max(0, -left) : max(0, -left) + piece.shape[1],
        ]
        middle = (np.array([left, top]) + len(picture) / 2) / px_per_mm + low
        spun = (
            square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
            + middle
        )
        px_per_module = view.px_per_mm((float(middle[0]), float(middle[1]))) * MODULE_MM
        tiles.append(Tile(card, view.to_px(spun), px_per_module))
    light = _seen(view, np.clip(table, 0, 1) ** GAMMA, low, px_per_mm)
    picture = develop(
        rng,
        light,
        CONDITIONS[condition],
        _glare(rng, tiles, light.shape[:2], CONDITIONS[condition].glare),
    )
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), view, tiles


def _shown(view: View, corners: np.ndarray) -> bool:
    """Whether a code lies in the picture at any turn."""
    middle, reach = (
        corners.mean(0),
        0.75 * np.linalg.norm(corners - np.roll(corners, 1, 0), axis=1).max(),
    )
    return bool(
        (middle > reach).all() and (middle < np.array([view.width, view.height]) - reach).all()
    )


def _seen(view: View, table: np.ndarray, low: np.ndarray, px_per_mm: float) -> np.ndarray:
    """The table through the camera, every pixel the mean of FINE x FINE samples."""
    u = (np.arange(view.width * FINE, dtype=np.float64) + 0.5) / FINE - 0.5
    v = (np.arange(view.height * FINE, dtype=np.float64) + 0.5) / FINE - 0.5
    few_u, few_v = u[:: 8 * FINE], v[:: 8 * FINE]
    knots = view.to_mm(np.stack(np.meshgrid(few_u, few_v), -1).reshape(-1, 2)).reshape(
        len(few_v), len(few_u), 2
    )
    at = ((knots - low) * px_per_mm - 0.5).astype(np.float32)
    x, y = np.meshgrid(
        np.arange(len(u), dtype=np.float32) / (8 * FINE),
        np.arange(len(v), dtype=np.float32) / (8 * FINE),
    )
    maps = [
        cv2.remap(
            np.ascontiguousarray(at[:, :, k]),
            x,
            y,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for k in (0, 1)
    ]
    fine = cv2.remap(table, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.resize(fine, (view.width, view.height), interpolation=cv2.INTER_AREA)


def _glare(
    rng: np.random.Generator, tiles: list[Tile], shape: tuple[int, int], share: float
) -> np.ndarray:
    """Soft reflections on some of the codes, (H, W) float32."""
    glare = np.zeros(shape, np.float32)
    for tile in tiles:
        if rng.random() < share:
            reach = 21 * tile.px_per_module
            x, y = tile.corners_px.mean(0) + rng.normal(0, 0.4, 2) * reach
            left, top, right, bottom = (
                int(v) for v in (x - 2 * reach, y - 2 * reach, x + 2 * reach, y + 2 * reach)
            )
            part = glare[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
            v, u = np.mgrid[: part.shape[0], : part.shape[1]].astype(np.float32)
            wide, high = rng.uniform(0.25, 0.7, 2) * reach
            away = ((u + max(0, left) - x) / wide) ** 2 + ((v + max(0, top) - y) / high) ** 2
            part += np.float32(rng.uniform(0.2, 1)) * np.exp(-0.5 * away)
    return glare


def _expected(
    rng: np.random.Generator, tiles: list[Tile]
) -> tuple[list[Expected], dict[int, Tile]]:
    """Every card once: two in three where it lies (a few pixels off), the others at a place where
    something else lies."""
    lies = {tile.card: tile for tile in tiles if tile.card}
    others, places = list(rng.permutation(len(tiles))), {}
    for card in lies:
        tile = (
            lies[card]
            if rng.random() < 0.67
            else next(tiles[i] for i in others if tiles[i].card != card)
        )
        if tile is not lies[card]:
            others.remove(next(i for i in others if tiles[i] is tile))
        places[card] = tile
    shifted = {
        card: tile.corners_px + rng.uniform(-0.15, 0.15, 2) * 21 * tile.px_per_module
        for card, tile in places.items()
    }
    found = [
        Expected(card, tuple((float(x), float(y)) for x, y in c)) for card, c in shifted.items()
    ]
    return found, places


def _right(tiles: list[Tile], found: Detection) -> bool:
    """Whether the card really lies where it was found."""
    at = np.array(found.centre_px)
    near = [t for t in tiles if t.card and t.card == found.card]
    return any(np.linalg.norm(t.corners_px.mean(0) - at) < 10 * t.px_per_module for t in near)


def judge(counts: Counter[str], seed: int, clouds: list[np.ndarray], reader: Reader) -> None:
    """Read one frame in both ways and add to `counts`."""
    grey, view, tiles = frame(seed, clouds)
    large = [tile for tile in tiles if tile.px_per_module >= 1]
    counts["card views"] += sum(tile.card > 0 for tile in large)
    counts["stranger views"] += sum(tile.card == 0 for tile in large)
    reading = reader.read_codes(grey, view)
    named = [*reading.detections, *reading.mirrored]
    wrong = [d for d in named if d.mirrored or not _right(tiles, d)]
    counts["found"] += sum(t.card in reading.cards for t in large if t.card)
    counts["wrong names, searched"] += len(wrong)
    expected, places = _expected(np.random.default_rng([seed, 1]), tiles)
    held = reader.read_codes(grey, view, expected, ()).cards
    counts["expected where they lie"] += sum(t.card == card for card, t in places.items())
    counts["of them confirmed"] += sum(places[card].card == card for card in held if card in places)
    counts["expected where they do not lie"] += sum(t.card != card for card, t in places.items())
    false = [d for d in held.values() if not _right(tiles, d)]
    counts["false confirmations"] += len(false)
    counts["frames"] += 1
    for d in (*wrong, *false):
        at = np.array(d.centre_px)
        tile = min(tiles, key=lambda t: np.linalg.norm(t.corners_px.mean(0) - at))
        print(
            f"   seed {seed}: card {d.card} ({d.reader}, mirrored {d.mirrored}, score {d.score:.2f}) where {tile.card} lies, "
            f"{tile.px_per_module:.2f} px a module",
            flush=True,
        )


def main(argv: list[str] | None = None) -> int:
    """Run it; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--views",
        type=int,
        default=3000,
        help="go on until so many cards and so many strangers were shown",
    )
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="the first frame's seed")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="keep the counts there as JSON, and go on from it"
    )
    add_json(parser)
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    clouds = [cloud(np.random.default_rng(seed)) for seed in range(40)]
    counts: Counter[str] = Counter(
        json.loads(options.out.read_text()) if options.out and options.out.exists() else {}
    )
    reader = Reader()
    while min(counts["card views"], counts["stranger views"]) < options.views:
        judge(counts, options.seed + counts["frames"], clouds, reader)
        if options.out and counts["frames"] % 10 == 0:
            options.out.write_text(json.dumps(counts))
    print("\n".join(f"{what}: {many}" for what, many in counts.items()))
    record(
        options.json,
        [Figure(what, f"{many:,}") for what, many in sorted(counts.items())],
        options.seed,
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
