"""The table plane from simulation with fresh seeds: `python -m tests.benchmarks.table_plane [--seed
N] [--tables N]`.

Plane and tags against `calibration.simulator.photograph`'s exact truth: the table's error by tilt
and by lens, the corners' noise, the time a look takes, and what OpenCV makes of the same pictures and
words. `set_up.py` beside it prints every figure of the set-up.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping

import cv2
import numpy as np

from calibration.cameras.grey import grey_of
from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane
from calibration.lens.sheet_views import plane_of_views, view_of
from calibration.simulator.photograph import CLOTHS, CameraModel, Sheet, Studio
from calibration.tags.find import TABLE_TAGS, TOKEN_TAGS, find_tags
from calibration.tags.refine import seen_tags
from card_printables.output import pixels
from card_printables.pages import lens_target
from card_printables.token import TAG_FAMILY
from tests.benchmarks.results.record import Figure, add_json, record, share
from tests.benchmarks.scenes.moved_tables import SIZES, looks, table_camera
from tests.support.calibration_scene import (
    Layout,
    between_tokens,
    framed,
    laid_by_eye,
    picture_of,
    sheets_of,
    true_tags,
)

FIGURES: list[Figure] = []
"""What this run has measured so far."""


def _line(name: str, values: list[float], unit: str, goal: str) -> None:
    spread = f"mean {np.mean(values):.2f}, 95 % {np.percentile(values, 95):.2f}, worst {max(values):.2f} {unit}"
    FIGURES.append(
        Figure(name.strip(), spread, "" if goal == "-" else f"{goal} {unit}", len(values))
    )
    print(
        f"{name:<52} mean {np.mean(values):6.2f}  95 % {np.percentile(values, 95):6.2f}  worst {max(values):6.2f} {unit}   "
        f"goal {goal}   n={len(values)}",
        flush=True,
    )


def tables(rng: np.random.Generator, count: int) -> None:
    """Table error on photographed pictures, four tokens and one hidden; also by tilt and by lens."""
    seen = list(looks(rng, count))
    _line("table error, worst place, 4 tokens", [one.four_mm for one in seen], "mm", "<= 2")
    _line(
        "table error, worst place, one token hidden", [one.hidden_mm for one in seen], "mm", "<= 3"
    )
    for name, low, high, of in (
        ("tilt 0 to 15", 0, 15, "tilt_deg"),
        ("tilt 15 to 30", 15, 30, "tilt_deg"),
        ("tilt 30 to 45", 30, 46, "tilt_deg"),
        ("k1 -0.25 to -0.1", -1, -0.1, "k1"),
        ("k1 -0.1 to 0.1", -0.1, 1, "k1"),
    ):
        part = [one.four_mm for one in seen if low <= getattr(one, of) < high]
        if part:
            _line(f"  4 tokens, {name}", part, "mm", "<= 2")


def slid(rng: np.random.Generator, runs: int) -> None:
    """Is the test sheet slid to six places a better table than one look at the tokens? Both after
    the best shift and turn."""
    sheet = pixels.paint(lens_target.design(), 120)
    tokens, sheets = [], []
    for k in range(runs):
        layout = laid_by_eye(rng, tray=False)
        camera = framed(table_camera(rng, (1920, 1080)), layout)
        studio = Studio(camera, sorted(CLOTHS)[k % len(CLOTHS)], k)
        tokens.append(
            _apart_mm(
                fit_plane(seen_tags(grey_of(studio.shoot(sheets_of(layout)))), camera.size_px),
                layout,
                camera,
            )
        )
        places = [
            (x + rng.normal(0, 25), y + rng.normal(0, 20))
            for y in (-105.0, 105.0)
            for x in (-230.0, 0.0, 230.0)
        ]
        views = [
            view_of(
                studio.shoot(
                    [
                        Sheet(
                            sheet,
                            lens_target.COLUMNS * lens_target.SQUARE_MM,
                            place,
                            float(rng.uniform(0, 360)),
                            height_mm=0.0,
                        )
                    ]
                )
            )
            for place in places
        ]
        plane, _ = plane_of_views([view for view in views if view is not None], camera.size_px)
        sheets.append(_apart_mm(plane, layout, camera))
    _line("one look at four tokens, shift and turn left out", tokens, "mm", "-")
    _line("the test sheet slid to six places", sheets, "mm", "-")


def _apart_mm(plane: Plane, layout: Layout, camera: CameraModel) -> float:
    """The worst place's error between the tokens, wherever the plane's own frame lies."""
    points, _ = between_tokens(layout)
    a, b = (
        (p - p.mean(axis=0)) @ np.array([1, 1j])
        for p in (plane.to_mm(camera.to_px(points)), points)
    )
    turn = np.vdot(a, b)
    return float(np.abs(b - turn / abs(turn) * a).max())


def corners(rng: np.random.Generator, runs: int) -> None:
    """Noise of the tokens' corners, and the processor time of finding tags and fitting the plane."""
    noise, spent = [], []
    for k in range(runs):
        layout = laid_by_eye(rng, tray=bool(k % 2))
        camera = framed(table_camera(rng, SIZES[k % len(SIZES)]), layout)
        image = grey_of(picture_of(layout, camera, sorted(CLOTHS)[k % len(CLOTHS)], k))
        began = time.thread_time()
        tags = seen_tags(image)
        fit_plane(tags, camera.size_px)
        spent.append((time.thread_time() - began) * 1000)
        truth = true_tags(camera, layout)
        noise.extend(
            float(np.sqrt(((tags[i] - truth[i]) ** 2).mean())) * 1920 / camera.width_px
            for i in tags
            if i < 110
        )
    _line("token corners, at 1080p", noise, "px", "-")
    _line("find and fit, processor time", spent, "ms", "-")


def peers(rng: np.random.Generator, runs: int) -> None:
    """Tokens found, their corners' error and the time of a look: ours beside OpenCV's three ways to
    take corners, in the same pictures and for the same words, in single looks and in turns."""
    finders: dict[str, Callable[[np.ndarray], Found]] = {
        "ours, one look": find_tags,
        "ours, refined by the lens": seen_tags,
        "OpenCV as it comes": opencv_tags(cv2.aruco.CORNER_REFINE_NONE),
        "OpenCV with subpixel corners": opencv_tags(cv2.aruco.CORNER_REFINE_SUBPIX),
        "OpenCV with AprilTag corners": opencv_tags(cv2.aruco.CORNER_REFINE_APRILTAG),
    }
    noise: dict[str, list[float]] = {name: [] for name in finders}
    spent_ms: dict[str, list[float]] = {name: [] for name in finders}
    there = 0
    for k in range(runs):
        layout = laid_by_eye(rng, tray=True)
        camera = framed(table_camera(rng, SIZES[k % len(SIZES)]), layout)
        image = grey_of(picture_of(layout, camera, sorted(CLOTHS)[k % len(CLOTHS)], k))
        truth = {i: corners for i, corners in true_tags(camera, layout).items() if i in TOKEN_TAGS}
        there += len(truth)
        for name, look in finders.items():
            began = time.thread_time()
            tags = look(image)
            spent_ms[name].append((time.thread_time() - began) * 1000)
            noise[name] += [
                float(np.sqrt(((tags[i] - truth[i]) ** 2).mean())) * 1920 / camera.width_px
                for i in truth.keys() & tags.keys()
            ]
    for name in finders:
        print(f"{name}: {len(noise[name])} of {there} tokens")
        FIGURES.append(Figure(f"{name}: tokens found", share(len(noise[name]), there), n=there))
        _line(f"{name}: corners, at 1080p", noise[name], "px", "-")
        _line(f"{name}: a look, processor time", spent_ms[name], "ms", "-")


Found = Mapping[int, np.ndarray]
"""Tag id to corners (4, 2) px."""


def opencv_tags(refinement: int) -> Callable[[np.ndarray], Found]:
    """OpenCV's own detector with the table set's words and its settings as they come, but for how
    corners are taken."""
    words = sorted(TABLE_TAGS)
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, TAG_FAMILY))
    few = cv2.aruco.Dictionary(family.bytesList[words], family.markerSize, family.maxCorrectionBits)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = refinement
    detector = cv2.aruco.ArucoDetector(few, settings)

    def look(grey: np.ndarray) -> Found:
        corners, ids, _ = detector.detectMarkers(grey)
        numbers = [] if ids is None else np.ravel(ids)
        return {
            words[int(i)]: c.reshape(4, 2).astype(float)
            for i, c in zip(numbers, corners, strict=True)
        }

    return look


PARTS: dict[str, tuple[Callable[[np.random.Generator, int], None], int]] = {
    "tables": (tables, 1),
    "corners": (corners, 20),
    "slid": (slid, 20),
    "peers": (peers, 4),
}
"""The parts, and how many tables are one run of theirs."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--tables", type=int, default=240)
    parser.add_argument("--only", choices=sorted(PARTS), action="append")
    add_json(parser)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"seed {args.seed}, {args.tables} tables")
    for i, (name, (part, tables_a_run)) in enumerate(PARTS.items()):
        if not args.only or name in args.only:
            part(np.random.default_rng([args.seed, i]), max(1, args.tables // tables_a_run))
    record(args.json, FIGURES, args.seed)


if __name__ == "__main__":
    main()
