"""The reader's rate as a curve, fitted: `python -m tests.benchmarks.fits.read_curve [--tables N] [--seed
N]`.

Fits the numbers of `calibration.check.readability` to half of the tables that `place_reads` lays,
and prints how well the curve predicts the other half, by band and by pipeline.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, fields

import cv2
import numpy as np

from calibration.check.readability import CONTRAST_WANTED, ReadCurve
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.place_reads import PIPELINES, rows

BANDS = (
    (0.0, 0.05),
    (0.05, 0.3),
    (0.3, 0.5),
    (0.5, 0.7),
    (0.7, 0.85),
    (0.85, 0.95),
    (0.95, 0.99),
    (0.99, 1.01),
)
NAMES = tuple(field.name for field in fields(ReadCurve))
_START = np.array([10.0, 0.5, 0.8, 6.0, 0.5, 0.4])


@dataclass(frozen=True, slots=True)
class PlacedCards:
    """Cards (n,) that were laid, by what the map's spot beneath each has: pixels a module, blur (px),
    contrast (grey levels), exposure; and whether each was `read`."""

    px: np.ndarray
    blur: np.ndarray
    contrast: np.ndarray
    exposure: np.ndarray
    read: np.ndarray

    def part(self, which: np.ndarray) -> PlacedCards:
        """Those of them that `which` (n,) bool says."""
        return PlacedCards(*(getattr(self, field.name)[which] for field in fields(self)))


def logits(numbers: np.ndarray, cards: PlacedCards) -> np.ndarray:
    """The logit of the chance (n,) that these `NAMES` give: the curve of
    `calibration.check.readability.read_chance`."""
    steepness, half, costs, power, dim_costs, burnt_costs = np.abs(numbers)
    dim = np.maximum(0.0, CONTRAST_WANTED - cards.contrast) / CONTRAST_WANTED
    burnt = np.log(np.maximum(cards.exposure, 1.0)) ** 2
    needed = (half**power + (costs * np.maximum(cards.blur, 0)) ** power) ** (1 / power)
    needed = needed * (1 + dim_costs * dim) * (1 + burnt_costs * burnt)
    return np.asarray(steepness * np.log(np.maximum(cards.px, 1e-3) / needed))


def fitted(cards: PlacedCards) -> np.ndarray:
    """The likeliest numbers (6,) for these cards."""

    def surprise(numbers: np.ndarray) -> float:
        z = np.clip(logits(numbers, cards), -30, 30)
        return float((np.logaddexp(0, z) - cards.read * z).mean())

    return _lowest(surprise, _START)


def _lowest(cost: Callable[[np.ndarray], float], start: np.ndarray) -> np.ndarray:
    """Where `cost` is lowest, by steps along each number that grow while they help and shrink while
    they do not."""
    here, steps = start, 0.2 * start
    best = cost(here)
    for _ in range(400):
        for i in range(len(here)):
            for sign in (1, -1):
                there = here + sign * steps[i] * np.eye(len(here))[i]
                if (found := cost(there)) < best:
                    here, best, steps[i] = there, found, steps[i] * 1.5 * sign
                    break
            else:
                steps[i] *= 0.5
    return here


def main() -> None:
    """Print the fitted numbers and what they predict of the tables held out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--tables", type=int, default=240)
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    seen = [
        row for row in rows(np.random.default_rng(args.seed), args.tables) if row.spot.glare < 0.04
    ]
    spots = [row.spot for row in seen]
    cards = PlacedCards(
        px=np.array([spot.px_per_module for spot in spots]),
        blur=np.array([spot.blur_px for spot in spots]),
        contrast=np.array([spot.contrast for spot in spots]),
        exposure=np.array([spot.exposure for spot in spots]),
        read=np.array([row.read for row in seen], float),
    )
    odd = np.array(
        [row.table // len(PIPELINES) % 2 == 1 for row in seen]
    )  # each half has every pipeline
    numbers = fitted(cards.part(odd))
    print(
        f"seed {args.seed}, {args.tables} tables, fitted to {odd.sum()} cards, {(~odd).sum()} held out"
    )
    print(
        ", ".join(f"{name} = {abs(value):.3g}" for name, value in zip(NAMES, numbers, strict=True))
    )
    told = 1 / (1 + np.exp(-logits(numbers, cards)))
    kinds = np.array([row.pipeline for row in seen])
    figures = []
    for low, high in BANDS:
        band = ~odd & (told >= low) & (told < high)
        parts = [
            f"{kind} {100 * told[mine].mean():.0f}/{100 * cards.read[mine].mean():.0f}"
            for kind in sorted(set(kinds))
            if (mine := band & (kinds == kind)).sum() > 20
        ]
        if band.any():
            print(
                f"{low:.2f} to {high:.2f}: predicted {100 * told[band].mean():5.1f}, read {100 * cards.read[band].mean():5.1f} % "
                f"(n={band.sum()})  {'  '.join(parts)}"
            )
            figures.append(
                Figure(
                    f"predicted {low:.2f} to {high:.2f} by the fitted curve, and read",
                    f"{100 * told[band].mean():.1f} and {100 * cards.read[band].mean():.1f} %",
                    n=int(band.sum()),
                )
            )
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
