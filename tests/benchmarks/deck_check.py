"""The deck check's word "reprint": sound and spoilt prints under simulated cameras, and which of
them are named.

Each seed lays ten sound cards and five spoilt ones on a table with tokens and looks once. A spoilt
card that is not read at all is named as missing, which is right as well; a sound one that is named
is wrong.

    python -m tests.benchmarks.deck_check --seeds 100
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable

import cv2
import numpy as np

from calibration.simulator.photograph import CameraModel, Sheet, photograph
from card_printables.marker import MODULES, SYMBOL_MM, MarkerPlace
from card_printables.output.piece_pictures import face_rgba, token_rgba
from card_printables.token import TOKENS
from companion.set_up.deck_check import count_picture
from companion.set_up.deck_count import DeckCount
from companion.vision.codes.reader import Reader
from tests.benchmarks.results.record import Figure, add_json, record, share

DPI = 200
PX = DPI / 25.4
TABLE_MM = (560.0, 360.0)
CAMERAS = {
    "near": CameraModel(distance_mm=520.0, tilt_deg=10.0, blur_px=0.6),
    "usual": CameraModel(distance_mm=700.0, tilt_deg=15.0, blur_px=0.8, noise=4.0),
    "far": CameraModel(distance_mm=900.0, tilt_deg=25.0, blur_px=0.8, noise=5.0),
    "far and soft": CameraModel(distance_mm=1000.0, tilt_deg=30.0, blur_px=1.0, noise=6.0),
}
Rng = np.random.Generator


def _code(face: np.ndarray) -> np.ndarray:
    """The code's own pixels, a view."""
    middle, (x, y) = (face.shape[0] - 1) / 2, MarkerPlace().centre_mm
    left, top, right, bottom = (round(middle + v * PX) for v in (x - 9, y - 9, x + 9, y + 9))
    return face[top:bottom, left:right, :3]


def streaks(code: np.ndarray, rng: Rng) -> None:
    """A printer head with four blocked nozzles: white lines 0.9 mm wide."""
    for x in rng.uniform(0, code.shape[1], 4):
        code[:, max(0, int(x - 0.45 * PX)) : int(x + 0.45 * PX)] = 255


def stain(code: np.ndarray, rng: Rng) -> None:
    """A drop of coffee, 8 mm across."""
    _blot(code, rng, 4.0, (30, 40, 60))


def torn(code: np.ndarray, rng: Rng) -> None:
    """The print has come off, 8 mm across."""
    _blot(code, rng, 4.0, (245, 245, 245))


def _blot(code: np.ndarray, rng: Rng, radius_mm: float, ink: tuple[int, int, int]) -> None:
    area = np.ascontiguousarray(code)
    at = tuple(float(v) for v in rng.uniform(2 * PX, code.shape[0] - 2 * PX, 2))
    cv2.ellipse(
        area, (at, (2 * radius_mm * PX, 1.6 * radius_mm * PX), float(rng.uniform(0, 180))), ink, -1
    )
    code[:] = area


def swollen(code: np.ndarray, rng: Rng) -> None:
    """Ink that ran 0.35 mm on soft paper."""
    size = 2 * round(0.35 * PX) + 1
    code[:] = cv2.erode(
        np.ascontiguousarray(code), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    )


def smeared(code: np.ndarray, rng: Rng) -> None:
    """Wiped while wet: 1.8 mm along."""
    code[:] = cv2.blur(np.ascontiguousarray(code), (round(1.8 * PX), 1))


SPOILT: dict[str, Callable[[np.ndarray, Rng], None]] = {
    "streaks": streaks,
    "stain": stain,
    "torn": torn,
    "swollen": swollen,
    "smeared": smeared,
}


def _sheets(rng: Rng) -> tuple[list[Sheet], dict[int, str]]:
    """Tokens and fifteen cards, and what was done to each card."""
    width, height = TABLE_MM
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    sheets = [
        Sheet(token_rgba(t, 150), 80.0, (x * width / 2, y * height / 2))
        for t, (x, y) in zip(TOKENS, corners, strict=True)
    ]
    made = {}
    kinds = [*SPOILT, *["sound"] * 10]
    rng.shuffle(kinds)
    for k, (card, kind) in enumerate(
        zip(rng.choice(np.arange(1, 81), 15, replace=False), kinds, strict=True)
    ):
        face = face_rgba(int(card), dpi=DPI)
        if kind in SPOILT:
            SPOILT[kind](_code(face), rng)
        spot = (-184 + 92 * (k % 5) + rng.uniform(-2, 2), -92 + 92 * (k // 5) + rng.uniform(-2, 2))
        sheets.append(Sheet(face, 85.0, spot, float(rng.uniform(0, 360))))
        made[int(card)] = str(kind)
    return sheets, made


def main() -> None:
    """Print, for each camera and each kind of print: laid, named for reprint, not read."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    add_json(parser)
    args = parser.parse_args()
    laid: dict[tuple[str, str], int] = defaultdict(int)
    named, unread, medians = defaultdict(int, {}), defaultdict(int, {}), defaultdict(list)
    for seed in range(args.first, args.first + args.seeds):
        name = list(CAMERAS)[seed % len(CAMERAS)]
        sheets, made = _sheets(np.random.default_rng(seed))
        count = DeckCount(frozenset(made))
        count_picture(count, photograph(sheets, CAMERAS[name], seed=seed), Reader())
        medians[name] += [best.score for best in count.best.values()]
        for card, kind in made.items():
            laid[name, kind] += 1
            named[name, kind] += card in count.weak
            unread[name, kind] += card in count.missing
    for name, camera in CAMERAS.items():
        pixels = camera.focal_px / camera.distance_mm * SYMBOL_MM / MODULES
        print(f"{name}: {pixels:.1f} px a module, median likeness {np.median(medians[name]):.2f}")
        for kind in ("sound", *SPOILT):
            print(
                f"  {kind:8} laid {laid[name, kind]:4}  reprint {named[name, kind]:4}  not read {unread[name, kind]:4}"
            )

    def of(count: dict[tuple[str, str], int], sound: bool) -> int:
        return sum(many for (_, kind), many in count.items() if (kind == "sound") == sound)

    read = of(laid, False) - of(unread, False)
    record(
        args.json,
        [
            Figure(
                "sound prints named for reprint",
                share(of(named, True), of(laid, True)),
                "0",
                good=not of(named, True),
            ),
            Figure(
                "spoilt prints that were read, named for reprint", share(of(named, False), read)
            ),
            Figure(
                "spoilt prints not read, so named as missing",
                share(of(unread, False), of(laid, False)),
            ),
        ],
        args.first,
    )


if __name__ == "__main__":
    main()
