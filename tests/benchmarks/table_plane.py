"""The calibration's figures from simulation with fresh seeds: `python -m tests.benchmarks.table_plane [--seed N] [--runs N]`.

Plane, tags and drift against `calibration.photograph`'s exact truth; `set_up.py` beside it prints every figure.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from calibration.drift import DriftKind, DriftWatch
from calibration.photograph import CLOTHS, CameraModel, Studio
from calibration.plane import Plane, fit_plane
from calibration.problems import grey_of
from calibration.straighten import seen_tags
from calibration.tags import find_tags
from tests.calibration_scene import Layout, between_tokens, framed, laid_by_eye, picture_of, sheets_of, true_tags

SIZES = ((1280, 720), (1920, 1080), (1280, 720), (1920, 1080), (1280, 720), (3840, 2160))


def table_camera(rng: np.random.Generator, size: tuple[int, int]) -> CameraModel:
    """A camera as people have them: tilt, lens, blur, noise and light by chance."""
    width = size[0]
    return CameraModel(*size, 0.73 * width, tilt_deg=float(rng.choice([0, 25, 45])), azimuth_deg=float(rng.uniform(-25, 25)),
                       roll_deg=float(rng.normal(0, 4)), k1=float(rng.choice([-0.25, -0.1, 0, 0.1])),
                       blur_px=float(rng.uniform(0.5, 1.2)) * width / 1920, noise=float(rng.uniform(2, 5)),
                       lean=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))), sharpening=float(rng.uniform(0, 0.8)))


def worst_mm(plane: Plane, layout: Layout, camera: CameraModel) -> float:
    """The table error of the worst place between the tokens."""
    points, truth = between_tokens(layout)
    return float(np.linalg.norm(plane.to_mm(camera.to_px(points)) - truth, axis=1).max())


def _line(name: str, values: list[float], unit: str, goal: str) -> None:
    print(f"{name:<52} mean {np.mean(values):6.2f}  95 % {np.percentile(values, 95):6.2f}  worst {max(values):6.2f} {unit}   "
          f"goal {goal}   n={len(values)}", flush=True)


def planes(rng: np.random.Generator, runs: int) -> None:
    """Table error on photographed pictures, four tokens and one hidden; corner noise; time."""
    four, hidden, noise, spent = [], [], [], []
    for k in range(runs):
        layout = laid_by_eye(rng, tray=bool(k % 2))
        camera = framed(table_camera(rng, SIZES[k % len(SIZES)]), layout)
        image = grey_of(picture_of(layout, camera, sorted(CLOTHS)[k % len(CLOTHS)], k))
        began = time.process_time()
        tags = seen_tags(image)
        plane = fit_plane(tags, camera.size_px)
        spent.append((time.process_time() - began) * 1000)
        truth = true_tags(camera, layout)
        noise.extend(float(np.sqrt(((tags[i] - truth[i]) ** 2).mean())) * 1920 / camera.width_px for i in tags if i < 110)
        four.append(worst_mm(plane, layout, camera))
        left = {i: c for i, c in tags.items() if i != 100 + k % 4}
        hidden.append(worst_mm(fit_plane(left, camera.size_px, plane), layout, camera))
    _line("table error, 4 tokens, photographed", four, "mm", "<= 2")
    _line("table error, one token hidden", hidden, "mm", "<= 3")
    _line("token corners, at 1080p", noise, "px", "-")
    _line("find and fit, processor time", spent, "ms", "-")


def drift(rng: np.random.Generator, runs: int) -> None:
    """Bumps found within five frames (half a second at ten a second), false alarms, time a frame."""
    found, alarms, frames, spent, errors = 0, 0, 0, [], []
    for k in range(runs):
        layout = laid_by_eye(rng)
        camera = framed(replace(table_camera(rng, (1280, 720)), tilt_deg=float(rng.uniform(0, 40))), layout)
        studio, sheets = Studio(camera, "wood", k), sheets_of(layout)
        image = studio.shoot(sheets)
        watch = DriftWatch(fit_plane(find_tags(image), camera.size_px), image)
        for _ in range(15):
            image = studio.shoot(sheets)
            began = time.process_time()
            alarms += watch.check(image).kind not in (DriftKind.STILL,)
            spent.append((time.process_time() - began) * 1000)
            frames += 1
        x, y = camera.aim_mm
        turn, size = rng.uniform(0, 2 * np.pi), rng.uniform(1.0, 4.0)
        pushes: list[Callable[[], CameraModel]] = [
            lambda c=camera: replace(c, roll_deg=c.roll_deg + 0.1),  # type: ignore[misc]
            lambda c=camera, x=x, y=y, t=turn, s=size: replace(c, aim_mm=(x + s * np.cos(t), y + s * np.sin(t))),  # type: ignore[misc]
        ]
        studio.aim(pushes[k % 2]())
        found += any(watch.check(studio.shoot(sheets)).kind is DriftKind.BUMPED for _ in range(5))
        errors.append(worst_mm(watch.plane, layout, studio.camera))
    print(f"bumps of 0.1 degree or 1 to 4 mm found within 5 frames: {found} of {runs}; "
          f"false alarms {alarms} of {frames} still frames", flush=True)
    _line("table error after the bump", errors, "mm", "<= 2")
    _line("drift check, processor time a frame at 720p", spent, "ms", "<= 3")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--runs", type=int, default=18)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"seed {args.seed}, {args.runs} runs")
    rng = np.random.default_rng(args.seed)
    planes(rng, args.runs)
    drift(rng, args.runs // 2)


if __name__ == "__main__":
    main()
