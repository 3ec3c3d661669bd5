"""How small a code may be: recall, wrong names and time of this product's reader beside others, in
one run.

    python -m tests.benchmarks.reader                     the table and the plot (about ten minutes)
    python -m tests.benchmarks.reader --strangers 200     views of what is no card of ours: any name
    at all is wrong
    python -m tests.benchmarks.reader --many              eighty cards in one 4K picture

Seeds from 500000 on are for measuring; what was tuned was tuned on seeds below 10000. ArUco markers
are drawn in the same square on the same frames. "tracked" knows each place to 4 px, 4 degrees and 3
% of size. Times are CPU time.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import qrcode
import zxingcpp

from card_printables.deck import word_of
from companion.vision.codes.detection import Expected
from companion.vision.codes.reader import Reader
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.reader_plot import plot
from tests.benchmarks.scenes.reader_scenes import CONDITIONS, SHARES, TABLES, Scene, View, scene

SIZES = (0.9, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
FIRST_SEED = 500_000
Found = list[tuple[int, np.ndarray]]
"""Card number and middle, px."""


def ours(grey: np.ndarray, view: View) -> Found:
    """This product's reader, no place known; what hangs on the plane is made ready before, as in an
    evening."""
    return [(n, np.array(d.centre_px)) for n, d in READER.read_codes(grey, view).cards.items()]


def tracked(grey: np.ndarray, expected: list[Expected]) -> Found:
    """This product's reader, every card's place known roughly, no search."""
    return [
        (n, np.array(d.centre_px))
        for n, d in READER.read_codes(grey, None, expected, ()).cards.items()
    ]


def _zxing(grey: np.ndarray) -> Found:
    codes = zxingcpp.read_barcodes(
        grey,
        formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2),
        try_downscale=False,
        try_invert=False,
    )
    found = []
    for code in codes:
        word, place = word_of(bytes(code.bytes)), code.position
        corners = [
            (p.x, p.y)
            for p in (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
        ]
        found.append((word.card if word and word.card else -1, np.mean(corners, axis=0)))
    return found


def zxing_doubled(grey: np.ndarray) -> Found:
    """zxing-cpp on the frame at twice its size."""
    return [
        (n, at / 2)
        for n, at in _zxing(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
    ]


def zxing_rectified(grey: np.ndarray, view: View) -> Found:
    """zxing-cpp on the frame laid flat by the true plane, at one and a half times the picture's
    middle scale."""
    height, width = grey.shape
    edge = view.to_mm(
        np.array([[u, v] for u in (0, width / 2, width) for v in (0, height / 2, height)], float)
    )
    low, high = edge.min(0), edge.max(0)
    scale = min(1.5 * view.px_per_mm((0.0, 0.0)), 4200 / float((high - low).max()))
    # The plane is asked at every sixteenth pixel; between them the map is as good as straight.
    x, y = np.meshgrid(
        np.arange(low[0], high[0] + 16 / scale, 16 / scale),
        np.arange(low[1], high[1] + 16 / scale, 16 / scale),
    )
    knots = view.to_px(np.stack([x.ravel(), y.ravel()], 1)).astype(np.float32).reshape(*x.shape, 2)
    size = ((high - low) * scale).astype(np.float32)
    u, v = np.meshgrid(
        np.arange(size[0], dtype=np.float32) / 16, np.arange(size[1], dtype=np.float32) / 16
    )
    at = cv2.remap(knots, u, v, cv2.INTER_LINEAR)
    flat = cv2.remap(grey, at[:, :, 0], at[:, :, 1], cv2.INTER_CUBIC)
    return [(n, view.to_px((low + place / scale)[None])[0]) for n, place in _zxing(flat)]


def cv2_aruco_qr(grey: np.ndarray) -> Found:
    """OpenCV's QR reader that finds its patterns as ArUco markers."""
    try:
        _, texts, corners, _ = cv2.QRCodeDetectorAruco().detectAndDecodeMulti(grey)
    except cv2.error:
        return []
    places = () if corners is None else corners
    words = [
        (word_of(text.encode()), place.mean(0)) for text, place in zip(texts, places, strict=False)
    ]
    return [(word.card or -1, place) for word, place in words if word]


def aruco(grey: np.ndarray) -> Found:
    """ArUco 4x4 markers of the same printed size, on the same frames."""
    corners, ids, _ = ARUCO.detectMarkers(grey)
    return [
        (int(i), c[0].mean(0))
        for c, i in zip(corners, () if ids is None else ids.ravel(), strict=False)
    ]


READER = Reader()
_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_100)
ARUCO = cv2.aruco.ArucoDetector(_DICTIONARY, cv2.aruco.DetectorParameters())
ARUCO_INKS = [cv2.aruco.generateImageMarker(_DICTIONARY, i, 6) == 0 for i in range(100)]


def expected_of(frame: Scene, rng: np.random.Generator) -> list[Expected]:
    """Each card's place as it might have been a moment ago: up to 4 px, 4 degrees and 3 % of size
    off."""
    places = []
    for card in frame.cards:
        turn, grow, shift = (
            np.radians(rng.uniform(-4, 4)),
            rng.uniform(0.97, 1.03),
            rng.uniform(-4, 4, 2),
        )
        rotate = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        middle = card.corners_px.mean(0)
        a, b, c, d = (
            (float(x), float(y))
            for x, y in (card.corners_px - middle) @ rotate * grow + middle + shift
        )
        places.append(Expected(card.card, (a, b, c, d)))
    return places


class Tally:
    """Counts of one reader: read and shown by condition and size, wrong names, milliseconds,
    misplaced mm."""

    def __init__(self) -> None:
        self.read: Counter[tuple[str, float]] = Counter()
        self.shown: Counter[tuple[str, float]] = Counter()
        self.wrong = 0
        self.ms: list[float] = []

    def add(
        self, frame: Scene, key: tuple[str, float], read: Callable[[np.ndarray], Found]
    ) -> None:
        """Run the reader on a frame and compare with the truth; a name off its place counts as
        wrong."""
        grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
        begin = time.process_time()
        found = read(grey)
        self.ms.append((time.process_time() - begin) * 1000)
        truth = {card.card: card for card in frame.cards}
        right = set()
        for number, at in found:
            card = truth.get(number)
            if (
                card is not None
                and np.linalg.norm(at - card.corners_px.mean(0)) < 10 * card.px_per_module
            ):
                right.add(number)
            elif number >= 0:
                self.wrong += 1
        self.read[key] += len(right)
        self.shown[key] += len(truth)

    def as_met(self, size: float) -> float:
        """Per cent read at this size, with each condition as often as it is met."""
        return sum(
            100 * share * self.read[condition, size] / max(1, self.shown[condition, size])
            for condition, share in SHARES.items()
        )


def measure(
    conditions: list[str], sizes: list[float], frames: int, first: int, others: bool
) -> dict[str, Tally]:
    """The tallies by reader."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for condition in conditions:
        for size in sizes:
            for seed in range(first, first + frames):
                table = TABLES[seed % len(TABLES)]
                frame = scene(seed, size, condition, table)
                _compare(tallies, frame, (condition, size), seed, others)
                if others:
                    twin = scene(seed, size, condition, table, inks=ARUCO_INKS)
                    tallies["ArUco 4x4"].add(twin, (condition, size), aruco)
            _line(tallies, condition, size)
    return tallies


def _compare(
    tallies: dict[str, Tally], frame: Scene, key: tuple[str, float], seed: int, others: bool
) -> None:
    view = frame.view
    READER.prepare_plane(view, (view.width, view.height))
    places = expected_of(frame, np.random.default_rng(seed))
    tallies["ours, found"].add(frame, key, lambda grey: ours(grey, view))
    tallies["ours, tracked"].add(frame, key, lambda grey: tracked(grey, places))
    if others:
        tallies["zxing-cpp"].add(frame, key, _zxing)
        tallies["zxing-cpp, doubled"].add(frame, key, zxing_doubled)
        tallies["zxing-cpp, rectified"].add(frame, key, lambda grey: zxing_rectified(grey, view))
        tallies["cv2.QRCodeDetectorAruco"].add(frame, key, cv2_aruco_qr)


def _line(tallies: dict[str, Tally], condition: str, size: float) -> None:
    key = (condition, size)
    shares = " ".join(
        f"{name} {tally.read[key] / max(1, tally.shown[key]):.0%}"
        for name, tally in tallies.items()
    )
    print(f"  {condition} {size:g}: {shares}", file=sys.stderr, flush=True)


def table(tallies: dict[str, Tally], conditions: list[str], sizes: list[float]) -> str:
    """The tallies as a Markdown table: recall in per cent by px a module, wrong names, milliseconds
    a frame."""
    head = " / ".join(f"{size:g}" for size in sizes)
    lines = [
        f"| reader (columns: {head} px a module) | {' | '.join(conditions)} | wrong | ms median (p95) |"
    ]
    lines.append("|" + "---|" * (len(conditions) + 3))
    for name, tally in tallies.items():
        cells = [
            " ".join(f"{100 * tally.read[c, s] / max(1, tally.shown[c, s]):.0f}" for s in sizes)
            for c in conditions
        ]
        median, p95 = np.percentile(tally.ms, [50, 95])
        lines.append(f"| {name} | {' | '.join(cells)} | {tally.wrong} | {median:.0f} ({p95:.0f}) |")
    shown = next(iter(tallies.values())).shown
    lines.append(
        f"\n{min(shown.values())} to {max(shown.values())} cards a cell, {sum(shown.values())} in all."
    )
    return "\n".join(lines)


def figures_of(
    tallies: dict[str, Tally], conditions: list[str], sizes: list[float]
) -> list[Figure]:
    """One figure a reader and condition: per cent read by pixels a module, then all of them as often
    as they are met; then names and time."""
    figures = []
    for name, tally in tallies.items():
        for condition in conditions:
            shares = (
                f"{100 * tally.read[condition, s] / max(1, tally.shown[condition, s]):.0f} at {s:g}"
                for s in sizes
            )
            shown = sum(tally.shown[condition, s] for s in sizes)
            figures.append(
                Figure(f"{name}, {condition}: % read at px a module", ", ".join(shares), n=shown)
            )
        if set(conditions) == set(SHARES):
            met = ", ".join(f"{tally.as_met(s):.1f} at {s:g}" for s in sizes)
            mixed = ", ".join(f"{share:.0%} {condition}" for condition, share in SHARES.items())
            shown = sum(tally.shown.values())
            figures.append(Figure(f"{name}, as met ({mixed}): % read at px a module", met, n=shown))
        shown = sum(tally.shown.values())
        figures.append(
            Figure(f"{name}: wrong names", str(tally.wrong), "0", shown, not tally.wrong)
        )
        median, late = np.percentile(tally.ms, [50, 95])
        time_ms = f"{median:.0f} ms (median), 95 % {late:.0f}"
        figures.append(Figure(f"{name}: a 1080p frame, processor", time_ms, n=len(tally.ms)))
    return figures


def stranger(rng: np.random.Generator) -> np.ndarray | None:
    """What is no card of ours: nothing but cloud, or a code of version 1 and level H with another
    payload."""
    if rng.random() < 0.5:
        return None
    kind = rng.integers(3)
    signs = ("0123456789", "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789-.", "abcdefghijklmnop./:")[kind]
    text = "".join(rng.choice(list(signs), int(rng.integers(3, (17, 11, 8)[kind]))))
    if rng.random() < 0.3:
        text = f"CM{rng.integers(1, 10)}-{rng.integers(0, 100):02d}.{''.join(rng.choice(list('ABCDEFGH2345'), 3))}"
    code = qrcode.QRCode(
        1, qrcode.constants.ERROR_CORRECT_H, 1, 0, mask_pattern=int(rng.integers(8))
    )
    code.add_data(text)
    code.make(fit=False)
    return np.array(code.get_matrix(), bool)


def strangers(frames: int, first: int) -> tuple[int, int]:
    """How many names were given in views of what is no card of ours, and how many views there were."""
    wrong = views = 0
    for seed in range(first, first + frames):
        rng = np.random.default_rng(seed)
        inks = [stranger(rng) for _ in range(100)]
        condition, size = str(rng.choice(list(CONDITIONS))), float(rng.choice(SIZES[1:]))
        frame = scene(seed, size, condition, TABLES[seed % len(TABLES)], inks=inks)
        reading = READER.read_codes(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY), frame.view)
        wrong += len(reading.detections) + len(reading.mirrored)
        views += len(frame.cards)
    return wrong, views


def many_cards() -> str:
    """Eighty cards in one 4K picture: how many are read, and in what time."""
    frame = scene(FIRST_SEED, 2.2, "typical", "wood", many=80, size=(3840, 2160), tilt_deg=15)
    READER.prepare_plane(frame.view, (3840, 2160))
    tally = Tally()
    tally.add(frame, ("4K", 0.0), lambda grey: ours(grey, frame.view))
    return f"{tally.read['4K', 0.0]} of {len(frame.cards)} cards read, {tally.wrong} wrong, {tally.ms[0]:.0f} ms"


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--frames", type=int, default=4, help="frames of eight cards in each cell (default 4)"
    )
    parser.add_argument("--seed", type=int, default=FIRST_SEED, help="the first frame's seed")
    parser.add_argument(
        "--conditions", nargs="+", choices=list(CONDITIONS), default=list(CONDITIONS)
    )
    parser.add_argument(
        "--sizes", nargs="+", type=float, default=list(SIZES), help="pixels a module"
    )
    parser.add_argument("--alone", action="store_true", help="only this product's reader")
    parser.add_argument(
        "--strangers", type=int, metavar="FRAMES", help="frames without a card of ours"
    )
    parser.add_argument("--many", action="store_true", help="eighty cards in one 4K picture")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write reader.txt and reader.png there"
    )
    add_json(parser)
    options = parser.parse_args(argv)
    cv2.setNumThreads(1)
    if options.many:
        told = many_cards()
        print(told)
        record(options.json, [Figure("eighty cards in one 4K picture", told)])
    elif options.strangers:
        wrong, views = strangers(options.strangers, options.seed)
        print(f"{wrong} names given in {views} views of clouds, text and other codes")
        what = "names given to clouds, text and other codes"
        record(options.json, [Figure(what, str(wrong), "0", views, wrong == 0)], options.seed)
    else:
        tallies = measure(
            options.conditions, options.sizes, options.frames, options.seed, not options.alone
        )
        print(table(tallies, options.conditions, options.sizes))
        record(options.json, figures_of(tallies, options.conditions, options.sizes), options.seed)
        if options.out:
            _write(options.out, tallies, options.conditions, options.sizes)
    return 0


def _write(
    folder: Path, tallies: dict[str, Tally], conditions: list[str], sizes: list[float]
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "reader.txt").write_text(table(tallies, conditions, sizes) + "\n", encoding="utf-8")
    recall = {
        c: {
            name: {s: t.read[c, s] / max(1, t.shown[c, s]) for s in sizes}
            for name, t in tallies.items()
        }
        for c in conditions
    }
    plot(folder / "reader.png", recall)


if __name__ == "__main__":
    raise SystemExit(main())
