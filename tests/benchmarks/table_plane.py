"""The calibration's figures from simulation with fresh seeds: `python -m tests.benchmarks.table_plane [--seed N] [--runs N]`.

Plane, tags, drift and map against `calibration.photograph`'s exact truth; `--reads` lets the product's own reader read.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from calibration.drift import DriftKind, DriftWatch
from calibration.light import light_of
from calibration.photograph import CLOTHS, CameraModel, Sheet, Studio
from calibration.plane import Plane, fit_plane
from calibration.readability import map_of, read_chance
from calibration.report import report_on
from calibration.tags import find_tags
from card_printables.face import face_rgba
from card_printables.marker import DISC_MM, MODULES, SYMBOL_MM, MarkerPlace
from tests.calibration_scene import Layout, between_tokens, framed, laid_by_eye, picture_of, sheets_of, true_tags

SIZES = ((1280, 720), (1920, 1080), (1280, 720), (1920, 1080), (1280, 720), (3840, 2160))
BANDS = ((0.0, 0.3), (0.3, 0.7), (0.7, 0.9), (0.9, 0.997), (0.997, 1.01))


def _camera(rng: np.random.Generator, size: tuple[int, int]) -> CameraModel:
    width = size[0]
    return CameraModel(*size, 0.73 * width, tilt_deg=float(rng.choice([0, 25, 45])), azimuth_deg=float(rng.uniform(-25, 25)),
                       roll_deg=float(rng.normal(0, 4)), k1=float(rng.choice([-0.25, -0.1, 0, 0.1])),
                       blur_px=float(rng.uniform(0.5, 1.2)) * width / 1920, noise=float(rng.uniform(2, 5)),
                       lean=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))), sharpening=float(rng.uniform(0, 0.8)))


def _worst_mm(plane: Plane, layout: Layout, camera: CameraModel) -> float:
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
        camera = framed(_camera(rng, SIZES[k % len(SIZES)]), layout)
        image = picture_of(layout, camera, sorted(CLOTHS)[k % len(CLOTHS)], k)
        began = time.process_time()
        tags = find_tags(image)
        plane = fit_plane(tags, camera.size_px)
        spent.append((time.process_time() - began) * 1000)
        truth = true_tags(camera, layout)
        noise.extend(float(np.sqrt(((tags[i] - truth[i]) ** 2).mean())) * 1920 / camera.width_px for i in tags if i < 110)
        four.append(_worst_mm(plane, layout, camera))
        left = {i: c for i, c in tags.items() if i != 100 + k % 4}
        hidden.append(_worst_mm(fit_plane(left, camera.size_px, plane), layout, camera))
    _line("table error, 4 tokens, photographed", four, "mm", "<= 2")
    _line("table error, one token hidden", hidden, "mm", "<= 3")
    _line("token corners, at 1080p", noise, "px", "-")
    _line("find and fit, processor time", spent, "ms", "-")


def drift(rng: np.random.Generator, runs: int) -> None:
    """Bumps found within five frames (half a second at ten a second), false alarms, time a frame."""
    found, alarms, frames, spent, errors = 0, 0, 0, [], []
    for k in range(runs):
        layout = laid_by_eye(rng)
        camera = framed(replace(_camera(rng, (1280, 720)), tilt_deg=float(rng.uniform(0, 40))), layout)
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
        errors.append(_worst_mm(watch.plane, layout, studio.camera))
    print(f"bumps of 0.1 degree or 1 to 4 mm found within 5 frames: {found} of {runs}; "
          f"false alarms {alarms} of {frames} still frames", flush=True)
    _line("table error after the bump", errors, "mm", "<= 2")
    _line("drift check, processor time a frame at 720p", spent, "ms", "<= 3")


def _placements(rng: np.random.Generator, k: int) -> Iterator[tuple[float, bool]]:
    """One photographed table of twelve cards: (predicted chance, read by the product's reader) of each."""
    from companion.vision.reader import Reader

    zoom = float(rng.uniform(0.8, 2.0))
    layout = laid_by_eye(rng, 800 / zoom, 470 / zoom, tray=False)
    camera = replace(_camera(rng, (1280, 720)), distance_mm=934 / zoom, blur_px=float(rng.uniform(0.4, 1.7)), aim_mm=(0.0, 0.0))
    spots = [(float(x) / zoom, float(y) / zoom) for y in (-130, 0, 130) for x in (-210, -70, 70, 210)]
    cards = [Sheet(face_rgba(n, dpi=200), DISC_MM, spot, float(rng.uniform(0, 360))) for n, spot in enumerate(spots, 1)]
    grey = cv2.cvtColor(picture_of(layout, camera, sorted(CLOTHS)[k % 6], k, tuple(cards)), cv2.COLOR_BGR2GRAY)
    tags = find_tags(grey)
    lights = [light for c in tags.values() if (light := light_of(grey, c))]
    if not lights:
        return
    plane = fit_plane(tags, camera.size_px)
    read = {d.card for d in Reader().read(grey, plane).detections}
    near = map_of(plane, lights)
    for number, card in enumerate(cards, 1):
        at = card.point_mm(np.array([MarkerPlace().centre_mm]))
        covered = any(np.hypot(*(np.array(c.centre_mm) - at[0])) < DISC_MM / 2 + 12 for c in cards[number:])
        px = camera.to_px(at)[0]
        if covered or not (20 < px[0] < 1260 and 20 < px[1] < 700):
            continue
        spot = min(near, key=lambda s: np.hypot(s.x_px - px[0], s.y_px - px[1]))
        scale = camera.px_per_mm((float(at[0][0]), float(at[0][1]))) * SYMBOL_MM / MODULES
        yield read_chance(scale, spot.blur_px, spot.contrast, spot.clipped), number in read


def reads(rng: np.random.Generator, runs: int) -> None:
    """Predicted against measured chance of reading, with the product's reader."""
    rows = np.array([row for k in range(runs) for row in _placements(rng, k)], float)
    for low, high in BANDS:
        band = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)]
        if len(band):
            print(f"read chance {low:.3f} to {min(high, 1):.3f}: predicted {band[:, 0].mean():.2f}, "
                  f"measured {band[:, 1].mean():.2f}, n={len(band)}", flush=True)


def advice(rng: np.random.Generator, runs: int) -> None:
    """Advice to come nearer, followed: does the mean chance rise?"""
    better = asked = 0
    for k in range(runs):
        layout = laid_by_eye(rng, 420, 240, tray=False)
        near = framed(replace(_camera(rng, (1280, 720)), tilt_deg=float(rng.uniform(0, 30))), layout)
        far = replace(near, distance_mm=near.distance_mm * float(rng.uniform(1.4, 2.2)))
        before = report_on([picture_of(layout, far, seed=k)])
        if before["advice_key"] not in ("nearer", "smaller-table"):
            continue
        asked += 1
        followed = replace(far, distance_mm=max(far.distance_mm - 10 * before["params"]["cm"], near.distance_mm * 0.98))
        after = report_on([picture_of(layout, followed, seed=k)])
        chance = [np.mean([s["read_chance"] for s in r["map"]] or [0]) for r in (before, after)]
        better += bool(chance[1] > chance[0])
    print(f"advice followed: better in {better} of {asked}   goal >= 95 %")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--runs", type=int, default=18)
    parser.add_argument("--reads", action="store_true", help="also let the reader read (slow)")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"seed {args.seed}, {args.runs} runs")
    rng = np.random.default_rng(args.seed)
    planes(rng, args.runs)
    drift(rng, args.runs // 2)
    advice(rng, args.runs // 3)
    if args.reads:
        reads(rng, args.runs)


if __name__ == "__main__":
    main()
