"""What real cameras do to print, beside what the simulated ones do: `python -m
tests.benchmarks.fits.real_camera --pictures DIR [--every 20]`.

Blur and light are measured at printed black squares in what strangers photographed and filmed
(`printed_edges`: nothing has to be read), noise in smooth parts, JPEG's quality in the files and its
block edges in the pictures, and how films move; then with the same rulers in our own benchmark's
pictures, condition by condition. The last rows are what `scenes/reader_scenes.py` keeps: the `SHARES`
in which the conditions together are as blurred as the real pictures are, and the `light` that makes
paper as bright. Each film and each folder of photographs counts the same, however many squares it has.

What cannot be fitted, and why: **noise**, since most photographs were made smaller by those who
published them and the films went through H.264, which both take it away (it is measured as a lower
bound, by brightness); **motion**, since all films were made by hand, and a camera on its stand does not move
(what motion blurs is in the blur); **glare and sharpening**, of which nothing tells the truth; and **hands**,
since no picture of this material may enter the project: they stay painted. Cloths do, too, but as rough
as real tables are (`real_tables`).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.real_pictures.jpeg_quality import qualities
from tests.benchmarks.real_pictures.printed_edges import PrintedEdge, printed_edges
from tests.benchmarks.real_pictures.shots import FILMS, Shot, shots
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.reader_scenes import CONDITIONS, GAMMA, scene

BLOCK_PX = 8
"""JPEG's."""

SIMULATED_PX_PER_MODULE = 6.0
"""Large enough that finder patterns have squares with edges of their own."""

REWRITTEN = ("chess", "set-game")
"""Folders whose photographs were made smaller and coded anew when they were collected: their pixels
and JPEG tables are nobody's camera's."""

FEWEST = 5
"""Squares below which a film or folder says nothing."""

TONES = {"dark": (0, 70), "middle": (70, 150), "bright": (150, 256)}
"""Grey levels, from and below."""

PAPER = 0.93
MEAN_FALL = 0.9
"""The simulated paper, and what the vignette leaves of light on average: by these a grey level of
paper is turned into the `light` of a condition."""


@dataclass(slots=True)
class Seen:
    """What the rulers say of one film, folder or condition: printed edges, the noise (grey levels) by
    tone and the excess of steps at the borders of blocks of 8 px, picture by picture."""

    edges: list[PrintedEdge] = field(default_factory=list)
    noise_grey: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    blockiness: list[float] = field(default_factory=list)

    def look(self, grey: np.ndarray) -> None:
        """Add a picture (H, W) uint8."""
        self.edges += printed_edges(grey)
        self.blockiness.append(block_edges(grey))
        for tone, level in noise_by_tone(grey).items():
            self.noise_grey[tone].append(level)


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


def noise_by_tone(grey: np.ndarray) -> dict[str, float]:
    """The noise (sigma, grey levels) of the smoothest tenth of blocks, dark, middle and bright; tones
    with few blocks are left out. JPEG has taken part of it away."""
    height, width = (side // BLOCK_PX * BLOCK_PX for side in grey.shape)
    levels = grey[:height, :width].astype(np.float32)
    rough = cv2.filter2D(levels, -1, np.outer((1, -2, 1), (1, -2, 1)).astype(np.float32) / 6)

    def in_blocks(picture: np.ndarray) -> np.ndarray:
        blocks = picture.reshape(height // BLOCK_PX, BLOCK_PX, width // BLOCK_PX, BLOCK_PX)
        return blocks.swapaxes(1, 2).reshape(-1, BLOCK_PX * BLOCK_PX)

    tones, noise = in_blocks(levels), np.sqrt((in_blocks(rough) ** 2).mean(axis=1))
    unclipped = (tones.min(axis=1) > 4) & (tones.max(axis=1) < 251)
    found = {}
    for tone, (low, high) in TONES.items():
        inside = unclipped & (tones.mean(axis=1) >= low) & (tones.mean(axis=1) < high)
        if inside.sum() > 60:
            found[tone] = float(np.percentile(noise[inside], 10))
    return found


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


def shares_of(
    blur_px: np.ndarray, weights: np.ndarray, conditions: dict[str, np.ndarray]
) -> dict[str, float]:
    """In which shares the conditions' blurs, mixed, are likeliest to be the real ones: by expectation and
    maximisation over densities smoothed by 0.08 px. What is more blurred than all is the last's."""
    width_px = 0.08
    beyond = max(np.percentile(blurs, 50) for blurs in conditions.values())
    asked = np.minimum(blur_px, beyond)
    dense = np.stack(
        [
            np.exp(-0.5 * ((asked[:, None] - blurs[None]) / width_px) ** 2).mean(axis=1) + 1e-6
            for blurs in conditions.values()
        ],
        axis=1,
    )
    shares = np.full(len(conditions), 1 / len(conditions))
    for _ in range(500):
        belongs = dense * shares
        belongs /= belongs.sum(axis=1, keepdims=True)
        shares = (weights[:, None] * belongs).sum(axis=0) / weights.sum()
    return dict(zip(conditions, (float(share) for share in shares), strict=True))


def light_of(white: float) -> float:
    """The light of a condition that makes paper this bright, in grey levels."""
    return float((white / 255 / PAPER) ** GAMMA / MEAN_FALL)


def _source(shot: Shot) -> str:
    """The film that a frame is of, or the folder of a photograph."""
    return shot.folder if shot.name != shot.folder else Path(shot.folder).parent.as_posix()


def _quantile(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    return float(values[order][min(np.searchsorted(reached, share), len(values) - 1)])


def _told(values: Iterable[float], weights: np.ndarray | None = None) -> str:
    many = np.array(list(values))
    if not len(many):
        return "none"
    weights = np.ones(len(many)) if weights is None else weights
    tenth, half, most = (_quantile(many, weights, share) for share in (0.1, 0.5, 0.9))
    return f"{half:.2f} (10 % {tenth:.2f}, 90 % {most:.2f})"


def _rows(who: str, seen: Seen) -> list[Figure]:
    """What was seen of one film, folder or condition."""
    edges = seen.edges
    tones = ", ".join(f"{tone} {np.median(all_):.2f}" for tone, all_ in seen.noise_grey.items())
    rows = []
    if len(edges) >= FEWEST:
        blur, white, black = (
            _told(getattr(edge, what) for edge in edges) for what in ("blur_px", "white", "black")
        )
        rows = [
            Figure(f"{who}: blur at printed edges, px", blur, n=len(edges)),
            Figure(f"{who}: paper, ink, grey levels", f"{white}; {black}", n=len(edges)),
        ]
    return [
        *rows,
        Figure(f"{who}: noise in smooth parts, grey levels", tones, n=len(seen.blockiness)),
        Figure(
            f"{who}: steps at block borders", _told(seen.blockiness), n=len(seen.blockiness)
        ),
    ]  # fmt: skip


def _stored(folder: Path) -> list[Figure]:
    """How pictures and films were stored as JPEG."""
    found: dict[str, list[int]] = defaultdict(list)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if inside.startswith(REWRITTEN):
            continue
        if path.suffix.lower() in {".jpg", ".jpeg"}:
            found["photographs"] += qualities(path)
        elif path.suffix.lower() == ".mjpeg":
            found[inside] += qualities(path)
    return [
        Figure(f"real: JPEG quality by its tables, {name}", _told(all_), n=len(all_))
        for name, all_ in found.items()
        if all_
    ]


def _simulated(seed: int, frames: int) -> dict[str, Seen]:
    """What the rulers say of the benchmark's own pictures."""
    seen: dict[str, Seen] = defaultdict(Seen)
    for name in CONDITIONS:
        for n in range(frames):
            image = scene(seed + n, SIMULATED_PX_PER_MODULE, name).image
            seen[name].look(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))
    return seen


def _fitted(real: dict[str, Seen], simulated: dict[str, Seen]) -> list[Figure]:
    """The rows that the conditions are taken from."""
    telling = [seen.edges for seen in real.values() if len(seen.edges) >= FEWEST]
    if not telling:
        return []
    weights = np.concatenate([np.full(len(edges), 1 / len(edges)) for edges in telling])
    blur = np.array([edge.blur_px for edges in telling for edge in edges])
    white = np.array([edge.white for edges in telling for edge in edges])
    among = f"{len(telling)} films and folders"
    blurs = {name: np.array([e.blur_px for e in seen.edges]) for name, seen in simulated.items()}
    mixed = ", ".join(f"{n} {share:.0%}" for n, share in shares_of(blur, weights, blurs).items())
    worst = ", ".join(
        f"{name} {weights[blur <= np.percentile(many, 90)].sum() / weights.sum():.0%}"
        for name, many in blurs.items()
    )
    light = ", ".join(
        f"{share:.0%} {light_of(_quantile(white, weights, share)):.2f}"
        for share in (0.02, 0.1, 0.25, 0.5, 0.9)
    )
    return [
        Figure(f"real, {among}: blur at printed edges, px", _told(blur, weights), n=len(blur)),
        Figure(f"real, {among}: paper, grey levels", _told(white, weights), n=len(blur)),
        Figure("real edges no more blurred than nine in ten of", worst, n=len(blur)),
        Figure("fitted: shares of the conditions, by blur", mixed, n=len(blur)),
        Figure("fitted: light, its quantiles", light, n=len(blur)),
    ]


def main() -> None:
    """Print what the rulers say, real and simulated, and what is fitted by it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pictures", type=Path, required=True, metavar="DIR")
    parser.add_argument("--every", type=int, default=20, help="each so many-th frame of a film")
    parser.add_argument("--frames", type=int, default=10, help="simulated pictures a condition")
    parser.add_argument("--seed", type=int, default=820000)
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    real: dict[str, Seen] = defaultdict(Seen)
    for shot in shots(args.pictures, args.every):
        if not shot.folder.startswith(REWRITTEN):
            real[_source(shot)].look(shot.grey)
    simulated = _simulated(args.seed, args.frames)
    figures = []
    for name, seen in real.items():
        figures += _rows(f"real, {name}", seen)
    for name, seen in simulated.items():
        figures += _rows(f"simulated, {name}", seen)
    figures += _stored(args.pictures)
    for name, moved in motion_px(args.pictures).items():
        figures.append(
            Figure(f"real: moved between frames, {name}, px at 1080p", _told(moved), n=len(moved))
        )
    figures += _fitted(real, simulated)
    for figure in figures:
        print(f"{figure.what:<72} {figure.value}   n {figure.n}")
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
