"""What real cameras do to printed codes, beside what the simulated ones do: `python -m
tests.benchmarks.fits.real_camera --pictures DIR [--every 20]`.

Blur and noise are measured at printed codes that strangers photographed and filmed, how the picture
moves between frames in their films, and JPEG's block edges everywhere; then with the same rulers in our
own benchmark's pictures, condition by condition. The last lines say how many real codes are no worse
than nine in ten of each condition's: by that the conditions of `scenes/reader_scenes.py` are chosen.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.real_pictures.painted_codes import spots
from tests.benchmarks.real_pictures.shots import FILMS, shots
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.reader_scenes import CONDITIONS, scene

BLOCK_PX = 8
"""JPEG's."""

SIMULATED_PX_PER_MODULE = 6.0
"""Large enough that the rulers' own reader reads nearly all codes."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the rulers say: blur (px) and noise (grey levels, 4 and more as 4) at codes, the excess of steps at the
    borders of blocks of 8 px, from picture to picture, and pixels moved between frames."""

    blur_px: list[float]
    noise_grey: list[float]
    blockiness: list[float]


def block_edges(grey: np.ndarray) -> float:
    """How many times as large steps are at the borders of blocks as between them, columns and rows;
    1 without JPEG."""
    found = []
    for picture in (grey, grey.T):
        step = np.abs(np.diff(picture.astype(np.float32), axis=1))
        step = np.minimum(step, 12).mean(axis=0)  # the picture's own edges are no block's
        at_border = (np.arange(len(step)) + 1) % BLOCK_PX == 0
        found.append(float(step[at_border].mean() / max(step[~at_border].mean(), 1e-3)))
    return float(np.mean(found))


def seen_in(pictures: Iterable[np.ndarray]) -> Seen:
    """The rulers over grey pictures (H, W) uint8."""
    seen = Seen([], [], [])
    for grey in pictures:
        seen.blockiness.append(block_edges(grey))
        for spot in spots(grey):
            seen.blur_px.append(spot.blur_px)
            seen.noise_grey.append(spot.noise)
    return seen


def motion_px(folder: Path, width_px: int = 1920) -> dict[str, list[float]]:
    """For each film, by how many pixels of a picture `width_px` wide it moved from frame to frame."""
    moved: dict[str, list[float]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in FILMS:
            continue
        film, before = cv2.VideoCapture(str(path)), None
        while (shown := film.read())[0]:
            half = cv2.resize(shown[1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            grey = cv2.cvtColor(half, cv2.COLOR_BGR2GRAY).astype(np.float32)
            if before is not None:
                window = cv2.createHanningWindow(grey.shape[::-1], cv2.CV_32F)
                (x, y), _ = cv2.phaseCorrelate(before, grey, window)
                moved[path.name].append(float(np.hypot(x, y)) * width_px / grey.shape[1])
            before = grey
    return moved


def _told(values: list[float]) -> str:
    if not values:
        return "none"
    tenth, half, most = np.percentile(values, (10, 50, 90))
    return f"{half:.2f} (10 % {tenth:.2f}, 90 % {most:.2f})"


def main() -> None:
    """Print the rulers' quantiles, real and simulated, and where the real ones lie."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=Path, required=True, metavar="DIR")
    parser.add_argument("--every", type=int, default=20, help="each so many-th frame of a film")
    parser.add_argument("--frames", type=int, default=6, help="simulated pictures a condition")
    parser.add_argument("--seed", type=int, default=820000)
    add_json(parser)
    args = parser.parse_args()
    real = seen_in(shot.grey for shot in shots(args.pictures, args.every))
    simulated = {
        name: seen_in(
            cv2.cvtColor(
                scene(args.seed + n, SIMULATED_PX_PER_MODULE, name).image, cv2.COLOR_BGR2GRAY
            )
            for n in range(args.frames)
        )
        for name in CONDITIONS
    }
    figures = []
    for who, seen in {"real": real, **{f"simulated, {k}": v for k, v in simulated.items()}}.items():
        for what, values in (
            ("blur at a code, px", seen.blur_px),
            ("noise at a code, grey levels", seen.noise_grey),
            ("steps at block borders", seen.blockiness),
        ):
            figures.append(Figure(f"{who}: {what}", _told(values), n=len(values)))
    for name, moved in motion_px(args.pictures).items():
        figures.append(
            Figure(f"real: moved between frames, {name}, px at 1080p", _told(moved), n=len(moved))
        )
    for name, seen in simulated.items() if real.blur_px else ():
        worst = [np.percentile(part, 90) for part in (seen.blur_px, seen.noise_grey)]
        inside = [
            float(np.mean(np.array(part) <= limit))
            for part, limit in zip((real.blur_px, real.noise_grey), worst, strict=True)
        ]
        told = f"blur {inside[0]:.0%}, noise {inside[1]:.0%}"
        figures.append(Figure(f"real codes no worse than {name}", told, n=len(real.blur_px)))
    for figure in figures:
        print(f"{figure.what:<62} {figure.value}   n {figure.n}")
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
