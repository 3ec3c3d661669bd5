"""Every figure of the set-up, from simulation with fresh seeds: `python -m tests.benchmarks.set_up
[--seed N] [--scale X]`.

Table error, time to the verdict, what green, red and the predicted chance are worth with the
product's own reader, advice followed, bumps and false alarms. Pictures by
`calibration.simulator.photograph`, whose camera models are the truth; `scenes.place_reads` and
`scenes.moved_tables` take them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.check.profile import Profile, compare_with_profile
from calibration.check.report import report_of, report_on
from calibration.check.survey import Survey
from calibration.simulator.photograph import CameraModel
from calibration.tracking.drift import DriftKind
from tests.benchmarks.fits.read_curve import BANDS
from tests.benchmarks.results.record import Figure, add_json, record
from tests.benchmarks.scenes.moved_tables import FPS, alarms, bumps, looks, table_camera
from tests.benchmarks.scenes.place_reads import rows
from tests.support.calibration_scene import framed, laid_by_eye, picture_of


def _figure(what: str, goal: str, value: str, good: bool) -> Figure:
    return Figure(what, value, goal, good=good)


def table_error(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Worst error between the tokens of one look; each token hidden in turn with the plane
    remembered."""
    seen = list(looks(rng, runs))
    four, hidden = [one.four_mm for one in seen], [one.hidden_mm for one in seen]
    return [
        _figure(
            "table error, worst place, 4 tokens", "<= 2 mm", _spread(four, "mm"), max(four) <= 2
        ),
        _figure(
            "table error, worst place, one token hidden",
            "<= 3 mm",
            _spread(hidden, "mm"),
            max(hidden) <= 3,
        ),
    ]


def _spread(values: list[float], unit: str) -> str:
    return f"mean {np.mean(values):.2f}, 95 % {np.percentile(values, 95):.2f}, worst {max(values):.2f} {unit} (n={len(values)})"


def times(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Processor time from the first picture to the verdict (twelve looks at 1080p), and of a return
    visit (two looks)."""
    first, again = [], []
    for k in range(runs):
        layout = laid_by_eye(rng)
        camera = framed(table_camera(rng, (1920, 1080)), layout)
        image = picture_of(layout, camera, seed=k)
        began = time.thread_time()
        survey = Survey()
        for _ in range(12):
            survey.add_picture(image)
        report_of(survey)
        first.append(time.thread_time() - began)
        kept = Profile("camera", "", survey.pool.plane(), "ready")
        began = time.thread_time()
        back = Survey()
        back.add_picture(image)
        back.add_picture(image)
        assert compare_with_profile(kept, "camera", back.pool.plane()).same
        again.append(time.thread_time() - began)
    return [
        _figure(
            "first set-up, picture to verdict (processor)",
            "<= 20 s",
            _spread(first, "s"),
            max(first) <= 20,
        ),
        _figure("return visit (processor)", "<= 2 s", _spread(again, "s"), max(again) <= 2),
    ]


def readability(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Cards laid all over photographed tables: what the map said of the nearest place, and whether
    the reader read them."""
    seen = list(rows(rng, runs))
    chance, read = (
        np.array([getattr(r, name) for r in seen], float) for name in ("chance", "read")
    )
    green, red = (np.array([r.spot.verdict == what for r in seen]) for what in ("green", "red"))
    share = np.array([r.share for r in seen])
    wrong = int((green & (share < 0.5)).sum())
    figures = [
        _figure(
            "cards on green places read at once",
            ">= 99 %",
            f"{100 * read[green].mean():.2f} % (n={green.sum()})",
            bool(read[green].mean() >= 0.99),
        ),
        _figure(
            "cards on places that read them less than every second time",
            "none called green",
            f"{wrong} of {int((share < 0.5).sum())} called green ({len(seen)} places)",
            wrong == 0,
        ),
        _figure(
            "cards on red places",
            "-",
            f"{100 * read[red].mean() if red.any() else 0:.0f} % read (n={red.sum()})",
            True,
        ),
    ]
    for low, high in BANDS:
        band = (chance >= low) & (chance < high)
        if band.sum() > 20:
            told, true = 100 * chance[band].mean(), 100 * read[band].mean()
            figures.append(
                _figure(
                    f"predicted chance {low:.2f} to {high:.2f} against the measured one",
                    "within 10 points",
                    f"{told:.0f} and {true:.0f} % (n={band.sum()})",
                    bool(abs(told - true) <= 10),
                )
            )
    return figures


def advice(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Faults put into good set-ups; the first advice followed; does the verdict or the mean chance
    rise?"""
    better = asked = 0
    for k in range(runs):
        layout = laid_by_eye(rng, 420, 240, tray=False)
        tilt_deg = float(rng.uniform(0, 25))
        good = framed(
            replace(table_camera(rng, (1280, 720)), tilt_deg=tilt_deg, blur_px=0.5, exposure=0.78),
            layout,
        )
        bad, key = _spoilt(good, rng, k)
        before = report_on([picture_of(layout, bad, seed=k)])
        if before["advice_key"] == "ready":
            continue
        asked += 1
        after = report_on([picture_of(layout, _followed(bad, good, before, key), seed=k)])
        better += _worth(after) > _worth(before)
    return [
        _figure(
            "advice followed improves the verdict",
            ">= 95 %",
            f"{better} of {asked}",
            better >= 0.95 * asked,
        )
    ]


def _spoilt(good: CameraModel, rng: np.random.Generator, k: int) -> tuple[CameraModel, str]:
    kinds: list[tuple[Callable[[], CameraModel], str]] = [
        (lambda: replace(good, distance_mm=good.distance_mm * float(rng.uniform(1.4, 2.2))), "far"),
        (lambda: replace(good, blur_px=float(rng.uniform(1.6, 2.4))), "soft"),
        (lambda: replace(good, exposure=float(rng.uniform(0.02, 0.04)), noise=4.0), "dim"),
        (lambda: replace(good, tilt_deg=62.0, distance_mm=good.distance_mm * 1.2), "steep"),
    ]
    make, key = kinds[k % len(kinds)]
    return make(), key


def _followed(bad: CameraModel, good: CameraModel, report: dict, key: str) -> CameraModel:
    """The set-up after somebody has done what the advice says, and nothing else."""
    advised = report["advice_key"]
    if advised in ("nearer", "smaller-table"):
        return replace(
            bad,
            distance_mm=max(bad.distance_mm - 10 * report["params"]["cm"], good.distance_mm * 0.98),
        )
    if advised in ("soft", "dirty"):
        return replace(bad, blur_px=good.blur_px)
    if advised in ("dim", "dark"):
        return replace(bad, exposure=good.exposure, noise=good.noise)
    if advised == "outside":
        return replace(bad, tilt_deg=good.tilt_deg, distance_mm=1.1 * bad.distance_mm)
    if advised in ("steep", "token-hidden"):
        return replace(
            bad, tilt_deg=good.tilt_deg, distance_mm=max(bad.distance_mm, good.distance_mm)
        )
    return bad


def _worth(report: dict) -> float:
    verdicts = {"blind": 0, "poor": 1, "patient": 2, "playable": 3, "part": 3, "ready": 4}
    return verdicts[report["verdict"]] + float(
        np.mean([s["read_chance"] for s in report["map"]] or [0])
    )


def bumps_found(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Turns of 0.1 degree (rolled, panned) and shifts of 1 mm, found within half a second; the
    table's error after them."""
    seen = list(bumps(rng, runs))
    found, errors = sum(one.found for one in seen), [one.error_mm for one in seen]
    return [
        _figure(
            "bump of 0.1 degree or 1 mm found in < 0.5 s",
            ">= 99.9 %",
            f"{found} of {runs}",
            found >= 0.999 * runs,
        ),
        _figure("table error after it", "<= 2 mm", _spread(errors, "mm"), max(errors) <= 2),
    ]


def false_alarms(rng: np.random.Generator, frames: int) -> list[Figure]:
    """Hands, sleeves and lamps over tables that nobody moved: every bump or moved piece that is
    told is false."""
    false = sum(kind in (DriftKind.BUMPED, DriftKind.PIECE_MOVED) for kind in alarms(rng, frames))
    return [
        _figure(
            "false alarms under hands, sleeves and lamps",
            "<= 1 in 10 h of play",
            f"{false} in {frames} frames ({frames / FPS / 60:.0f} min of nothing but hands)",
            false == 0,
        )
    ]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the benchmark, and how many tables, bumps or frames it takes at scale 1: a few
    minutes of one core."""

    figures: Callable[[np.random.Generator, int], list[Figure]]
    runs: int


PARTS = {
    "table": Part(table_error, 300),
    "times": Part(times, 8),
    "reads": Part(readability, 420),
    "advice": Part(advice, 100),
    "bumps": Part(bumps_found, 1000),
    "alarms": Part(false_alarms, 18000),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument(
        "--scale",
        type=float,
        default=1.0,
        help="so many times the usual numbers (default: %(default)g)",
    )
    parser.add_argument("--only", choices=sorted(PARTS), action="append")
    add_json(parser)
    args = parser.parse_args()
    figures = []
    cv2.setNumThreads(1)
    print(f"seed {args.seed}, scale {args.scale:g}")
    for i, (name, part) in enumerate(PARTS.items()):
        if not args.only or name in args.only:
            began, runs = time.thread_time(), max(2, round(part.runs * args.scale))
            for figure in part.figures(np.random.default_rng([args.seed, i]), runs):
                figures.append(figure)
                print(
                    f"{figure.what:<58} goal {figure.goal:<34} measured {figure.value:<44} {'yes' if figure.good else 'NO'}",
                    flush=True,
                )
            print(f"{'':<58} {time.thread_time() - began:.0f} s of processor", flush=True)
    record(args.json, figures, args.seed)


if __name__ == "__main__":
    main()
