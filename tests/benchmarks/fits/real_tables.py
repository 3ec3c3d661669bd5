"""How rough real tables are, beside the painted ones: `python -m tests.benchmarks.fits.real_tables
--pictures DIR`.

Bare pieces of tables in what strangers photographed, and the cloths of `calibration/simulator/cloth.py`,
are brought to `PX_PER_MM`, as a camera of 1080p sees a table. Then the same ruler for both: by how much
the logarithm of the brightness varies between one smoothing and the next coarser one, and how far the
lightest and the darkest pixels are apart. A card's rim, its code and what is missing of it are told from
just this: the table must not vary more in life than where the product is tried.

Where the pieces lie was chosen by eye, as shares of the picture; how many pixels a millimetre has there
was estimated from things whose size is known (an inch grid, a clipboard, a finger, a chess board), to
a third perhaps. The blur of each camera is in the finest step. No picture enters the project.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.simulator.cloth import CLOTHS, weave
from tests.benchmarks.results.record import Figure, add_json, record

PX_PER_MM = 1.25

SMOOTHINGS_PX = (1, 2, 4, 8, 16)
"""Sigmas, each twice the one before."""

DARKEST_GREY = 4.0
"""Added before the logarithm is taken: below it a camera's black is noise."""

WOVEN_PX_PER_MM = 5.0
WOVEN_MM = (300.0, 200.0)


@dataclass(frozen=True, slots=True)
class Piece:
    """A bare piece of a table: what it is made of, the file, the box (left, top, right, bottom) as
    shares of the picture, and its scale."""

    made_of: str
    file: str
    box: tuple[float, float, float, float]
    px_per_mm: float


PIECES = (
    Piece("stone", "boofcv/aztec/image02.jpg", (0.0, 0.55, 0.25, 1.0), 3.0),
    Piece("stone", "boofcv/aztec/image03.jpg", (0.05, 0.55, 0.28, 0.8), 2.2),
    Piece("asphalt", "boofcv/random_dots/image00.jpg", (0.0, 0.72, 0.5, 1.0), 2.0),
    Piece("weathered planks", "boofcv/image-examples/image00.jpg", (0.62, 0.78, 1.0, 1.0), 1.9),
    Piece("weathered planks", "boofcv/image-examples/image01.jpg", (0.0, 0.0, 0.22, 0.3), 1.9),
    Piece("cutting mat", "boofcv/microqr/image01.jpg", (0.0, 0.62, 0.22, 1.0), 5.2),
    Piece("cutting mat", "boofcv/microqr/image03.jpg", (0.1, 0.75, 0.55, 1.0), 3.5),
    Piece("cutting mat", "boofcv/random_dots/image02.jpg", (0.55, 0.65, 0.95, 0.98), 1.9),
    Piece("cutting mat", "boofcv/random_dots/image04.jpg", (0.15, 0.85, 0.85, 0.98), 1.4),
    Piece("laminate", "boofcv/binary/image0000.jpg", (0.05, 0.05, 0.45, 0.35), 1.9),
    Piece("chipboard", "boofcv/qrcode/image02.jpg", (0.0, 0.82, 0.5, 1.0), 4.0),
    Piece("black cloth", "set-game/20170529_184024.jpg", (0.0, 0.3, 0.2, 0.9), 1.7),
    Piece("floor boards", "chess/11.jpg", (0.72, 0.3, 1.0, 0.9), 1.3),
    Piece("wood", "chess/16.jpg", (0.1, 0.83, 0.8, 0.93), 1.2),
)


def roughness(image_bgr: np.ndarray) -> tuple[float, list[float]]:
    """How far the darkest and the lightest fiftieth are apart, in units of the middle grey, and the
    standard deviation of the log brightness between each smoothing and the next, finest first."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY).astype(np.float32)
    dark, middle, light = np.percentile(grey, (2, 50, 98))
    left = np.log(grey + DARKEST_GREY)
    steps = []
    for sigma in SMOOTHINGS_PX:
        smooth = cv2.GaussianBlur(left, (0, 0), sigma)
        steps.append(float((left - smooth).std()))
        left = smooth
    return float((light - dark) / (middle + DARKEST_GREY)), steps


def photographed(pictures: Path, piece: Piece) -> np.ndarray:
    """The piece (h, w, 3) uint8 at `PX_PER_MM`."""
    image = cv2.imread(str(pictures / piece.file))
    assert image is not None, f"{pictures / piece.file} is no picture"
    height, width = image.shape[:2]
    left, top, right, bottom = piece.box
    cut = image[int(top * height) : int(bottom * height), int(left * width) : int(right * width)]
    return _scaled(cut, PX_PER_MM / piece.px_per_mm)


def painted(cloth: str, seed: int) -> np.ndarray:
    """A piece of a cloth of ours (h, w, 3) uint8 at `PX_PER_MM`, without any camera."""
    return _scaled(
        weave(cloth, seed, 0.0, 0.0, *WOVEN_MM, WOVEN_PX_PER_MM).colours,
        PX_PER_MM / WOVEN_PX_PER_MM,
    )


def _scaled(image: np.ndarray, by: float) -> np.ndarray:
    way = cv2.INTER_AREA if by < 1 else cv2.INTER_LINEAR
    return cv2.resize(image, None, fx=by, fy=by, interpolation=way)


def told(rough: list[tuple[float, list[float]]]) -> str:
    """The means over several pieces."""
    steps = np.mean([one for _, one in rough], axis=0)
    contrast = np.mean([one for one, _ in rough])
    return f"{', '.join(f'{step:.3f}' for step in steps)}; contrast {contrast:.2f}"


def main() -> None:
    """Print a line for each kind of table, real ones first."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=Path, required=True, metavar="DIR")
    parser.add_argument("--seeds", type=int, default=4, help="of each painted cloth")
    add_json(parser)
    args = parser.parse_args()
    figures = []
    steps = "/".join(map(str, SMOOTHINGS_PX))
    for made_of in dict.fromkeys(piece.made_of for piece in PIECES):
        rough = [
            roughness(photographed(args.pictures, piece))
            for piece in PIECES
            if piece.made_of == made_of
        ]
        figures.append(
            Figure(f"photographed, {made_of}: roughness at {steps} px", told(rough), n=len(rough))
        )
    for cloth in CLOTHS:
        rough = [roughness(painted(cloth, seed)) for seed in range(args.seeds)]
        figures.append(
            Figure(f"painted, {cloth}: roughness at {steps} px", told(rough), n=len(rough))
        )
    for figure in figures:
        print(f"{figure.what:60} {figure.value}", flush=True)
    record(args.json, figures)


if __name__ == "__main__":
    main()
