"""Every figure of the set-up, from simulation with fresh seeds: `python -m tests.benchmarks.set_up [--seed N] [--runs N]`.

Table error, time to the verdict, what green, red and the predicted chance are worth with the product's own reader, advice
followed, bumps and false alarms.  Pictures by `calibration.photograph`, whose camera models are the truth.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.develop import STEADY
from calibration.drift import DriftKind, DriftWatch
from calibration.photograph import CLOTHS, CameraModel, Sheet, Studio
from calibration.plane import fit_plane
from calibration.problems import grey_of
from calibration.profile import Profile, compared
from calibration.readability import map_of
from calibration.report import report_of, report_on
from calibration.seeing import burnt_out
from calibration.straighten import seen_tags
from calibration.survey import Survey
from calibration.tags import find_tags
from card_printables.face import face_rgba
from card_printables.marker import DISC_MM, MarkerPlace
from card_printables.token import TOKEN_NAMES
from companion.vision.reader import Reader
from tests.benchmarks.table_plane import SIZES, table_camera, worst_mm
from tests.calibration_scene import framed, laid_by_eye, picture_of, sheets_of

FPS = 10.0
HAND = np.full((40, 40, 4), (120, 150, 205, 255), np.uint8)


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    name: str
    goal: str
    measured: str
    good: bool

    def __str__(self) -> str:
        return f"{self.name:<58} goal {self.goal:<34} measured {self.measured:<44} {'yes' if self.good else 'NO'}"


def table_error(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Worst error between the tokens of one look; each token hidden in turn with the plane remembered, and without."""
    four, hidden = [], []
    for k in range(runs):
        layout = laid_by_eye(rng, tray=False)
        camera = framed(table_camera(rng, SIZES[k % len(SIZES)]), layout)
        tags = seen_tags(grey_of(picture_of(layout, camera, sorted(CLOTHS)[k % len(CLOTHS)], k)))
        plane = fit_plane(tags, camera.size_px)
        four.append(worst_mm(plane, layout, camera))
        left = {i: c for i, c in tags.items() if i != 100 + k % 4}
        hidden.append(worst_mm(fit_plane(left, camera.size_px, plane), layout, camera))
    return [Figure("table error, worst place, 4 tokens", "<= 2 mm", _spread(four, "mm"), max(four) <= 2),
            Figure("table error, worst place, one token hidden", "<= 3 mm", _spread(hidden, "mm"), max(hidden) <= 3)]


def _spread(values: list[float], unit: str) -> str:
    return f"mean {np.mean(values):.2f}, 95 % {np.percentile(values, 95):.2f}, worst {max(values):.2f} {unit} (n={len(values)})"


def times(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Processor time from the first picture to the verdict (twelve looks at 1080p), and of a return visit (two looks)."""
    first, again = [], []
    for k in range(max(2, runs // 6)):
        layout = laid_by_eye(rng)
        camera = framed(table_camera(rng, (1920, 1080)), layout)
        image = picture_of(layout, camera, seed=k)
        began = time.thread_time()
        survey = Survey()
        for _ in range(12):
            survey.add(image)
        report_of(survey)
        first.append(time.thread_time() - began)
        kept = Profile("camera", "", survey.pool.plane(), "ready")
        began = time.thread_time()
        back = Survey()
        back.add(image)
        back.add(image)
        assert compared(kept, "camera", back.pool.plane()).same
        again.append(time.thread_time() - began)
    return [Figure("first set-up, picture to verdict (processor)", "<= 20 s", _spread(first, "s"), max(first) <= 20),
            Figure("return visit (processor)", "<= 2 s", _spread(again, "s"), max(again) <= 2)]


def readability(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Cards laid all over photographed tables: what the map said of the nearest place, and whether the reader read them."""
    reader, rows = Reader(), []
    for k in range(runs):
        rows += _held_out(rng, k, reader)
    told = np.array([(chance, read) for chance, read, _ in rows], float)
    verdict = np.array([what for _, _, what in rows])
    green, red = told[verdict == "green"], told[verdict == "red"]
    figures = [
        Figure("cards on green places read at once", ">= 99 %", f"{100 * green[:, 1].mean():.1f} % (n={len(green)})",
               bool(green[:, 1].mean() >= 0.99)),
        Figure("cards that were never read, on places called green", "none", f"{int((green[:, 1] == 0).sum())} of {len(told)}",
               not (green[:, 1] == 0).any()),
        Figure("cards on red places", "-", f"{100 * red[:, 1].mean() if len(red) else 0:.0f} % read (n={len(red)})", True)]
    for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 0.95), (0.95, 1.01)):
        band = told[(told[:, 0] >= low) & (told[:, 0] < high)]
        if len(band) > 20:
            off = abs(band[:, 0].mean() - band[:, 1].mean())
            name = f"predicted chance {low:.2f} to {min(high, 1):.2f} against the measured one"
            figures.append(Figure(name, "within 10 points",
                                  f"{100 * band[:, 0].mean():.0f} and {100 * band[:, 1].mean():.0f} % (n={len(band)})",
                                  bool(off <= 0.1)))
    return figures


def _held_out(rng: np.random.Generator, k: int, reader: Reader) -> list[tuple[float, bool, str]]:
    """One table of twelve cards: (chance told of the nearest place, read, its verdict) of each that is not covered."""
    zoom = float(rng.uniform(0.9, 2.1))
    layout = laid_by_eye(rng, 800 / zoom, 470 / zoom, tray=False)
    blur_px = float(rng.uniform(0.4, 1.6))
    camera = replace(table_camera(rng, (1280, 720)), distance_mm=960 / zoom, blur_px=blur_px, aim_mm=(0.0, 0.0))
    spots = [(float(x) / zoom, float(y) / zoom) for y in (-130, 0, 130) for x in (-210, -70, 70, 210)]
    cards = [Sheet(face_rgba(n, dpi=200), DISC_MM, spot, float(rng.uniform(0, 360))) for n, spot in enumerate(spots, 1)]
    grey = cv2.cvtColor(picture_of(layout, camera, sorted(CLOTHS)[k % 6], k, tuple(cards)), cv2.COLOR_BGR2GRAY)
    survey = Survey()
    survey.add(grey)
    if not survey.lights:
        return []
    plane = survey.pool.plane()
    near = map_of(plane, survey.lights, burnt=burnt_out(grey, survey.lights))
    read = {d.card for d in reader.read(grey, plane).detections}
    rows = []
    for number, card in enumerate(cards, 1):
        at = card.point_mm(np.array([MarkerPlace().centre_mm]))
        covered = any(np.hypot(*(np.array(c.centre_mm) - at[0])) < DISC_MM / 2 + 12 for c in cards[number:])
        px = camera.to_px(at)[0]
        if covered or not (20 < px[0] < 1260 and 20 < px[1] < 700):
            continue
        spot = min(near, key=lambda s: np.hypot(s.x_px - px[0], s.y_px - px[1]))
        rows.append((spot.read_chance, number in read, spot.verdict))
    return rows


def advice(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Faults put into good set-ups; the first advice followed; does the verdict or the mean chance rise?"""
    better = asked = 0
    for k in range(runs):
        layout = laid_by_eye(rng, 420, 240, tray=False)
        tilt_deg = float(rng.uniform(0, 25))
        good = framed(replace(table_camera(rng, (1280, 720)), tilt_deg=tilt_deg, blur_px=0.5, exposure=0.78), layout)
        bad, key = _spoilt(good, rng, k)
        before = report_on([picture_of(layout, bad, seed=k)])
        if before["advice_key"] == "ready":
            continue
        asked += 1
        after = report_on([picture_of(layout, _followed(bad, good, before, key), seed=k)])
        better += _worth(after) > _worth(before)
    return [Figure("advice followed improves the verdict", ">= 95 %", f"{better} of {asked}", better >= 0.95 * asked)]


def _spoilt(good: CameraModel, rng: np.random.Generator, k: int) -> tuple[CameraModel, str]:
    kinds: list[tuple[Callable[[], CameraModel], str]] = [
        (lambda: replace(good, distance_mm=good.distance_mm * float(rng.uniform(1.4, 2.2))), "far"),
        (lambda: replace(good, blur_px=float(rng.uniform(1.6, 2.4))), "soft"),
        (lambda: replace(good, exposure=float(rng.uniform(0.02, 0.04)), noise=4.0), "dim"),
        (lambda: replace(good, tilt_deg=62.0, distance_mm=good.distance_mm * 1.2), "steep")]
    make, key = kinds[k % len(kinds)]
    return make(), key


def _followed(bad: CameraModel, good: CameraModel, report: dict, key: str) -> CameraModel:
    """The set-up after somebody has done what the advice says, and nothing else."""
    advised = report["advice_key"]
    if advised in ("nearer", "smaller-table"):
        return replace(bad, distance_mm=max(bad.distance_mm - 10 * report["params"]["cm"], good.distance_mm * 0.98))
    if advised in ("soft", "dirty"):
        return replace(bad, blur_px=good.blur_px)
    if advised in ("dim", "dark"):
        return replace(bad, exposure=good.exposure, noise=good.noise)
    if advised == "outside":
        return replace(bad, tilt_deg=good.tilt_deg, distance_mm=1.1 * bad.distance_mm)
    if advised in ("steep", "token-hidden"):
        return replace(bad, tilt_deg=good.tilt_deg, distance_mm=max(bad.distance_mm, good.distance_mm))
    return bad


def _worth(report: dict) -> float:
    verdicts = {"blind": 0, "poor": 1, "playable": 2, "ready": 3}
    return verdicts[report["verdict"]] + float(np.mean([s["read_chance"] for s in report["map"]] or [0]))


def bumps(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Turns of 0.1 degree (rolled, panned) and shifts of 1 mm, found within half a second; the table's error after them."""
    found, errors = 0, []
    for k in range(runs):
        layout = laid_by_eye(rng)
        camera = framed(replace(table_camera(rng, (1280, 720)), tilt_deg=float(rng.uniform(0, 40))), layout)
        studio, sheets = Studio(camera, sorted(CLOTHS)[k % len(CLOTHS)], k), sheets_of(layout)
        image = studio.shoot(sheets)
        watch = DriftWatch(fit_plane(find_tags(image), camera.size_px), image)
        for i in range(3):
            watch.check(studio.shoot(sheets), i / FPS)
        (x, y), turn = camera.aim_mm, rng.uniform(0, 2 * np.pi)
        panned = camera.distance_mm * np.radians(0.1)
        moved = [replace(camera, roll_deg=camera.roll_deg + 0.1), replace(camera, aim_mm=(x + np.cos(turn), y + np.sin(turn))),
                 replace(camera, aim_mm=(x + panned * np.cos(turn), y + panned * np.sin(turn)))][k % 3]
        studio.aim(moved)
        found += any(watch.check(studio.shoot(sheets), (3 + i) / FPS).kind is DriftKind.BUMPED for i in range(5))
        errors.append(worst_mm(watch.plane, layout, moved))
    return [Figure("bump of 0.1 degree or 1 mm found in < 0.5 s", ">= 99.9 %", f"{found} of {runs}", found >= 0.999 * runs),
            Figure("table error after it", "<= 2 mm", _spread(errors, "mm"), max(errors) <= 2)]


def alarms(rng: np.random.Generator, runs: int) -> list[Figure]:
    """Hands, sleeves and lamps over tables that nobody moved: every bump or moved piece that is told is false."""
    false = frames = 0
    for k in range(runs):
        layout = laid_by_eye(rng)
        camera = framed(replace(table_camera(rng, (1280, 720)), tilt_deg=float(rng.uniform(0, 40))), layout)
        studio, sheets = Studio(camera, sorted(CLOTHS)[k % len(CLOTHS)], k), sheets_of(layout)
        image = studio.shoot(sheets)
        watch = DriftWatch(fit_plane(find_tags(image), camera.size_px), image)
        hand, way = rng.uniform(-380, 380, 2), rng.normal(0, 25, 2)
        near = layout[TOKEN_NAMES[k % 4]]
        lamp = STEADY
        for i in range(60):
            hand, way = hand + way, way * 0.9 + rng.normal(0, 8, 2) + 0.03 * (np.array([near.x_mm, near.y_mm]) - hand)
            if i % 20 == 10:
                x, y = rng.normal(0, 0.3, 2)
                lamp = replace(STEADY, gain=float(rng.uniform(0.5, 1.4)), lean=(float(x), float(y)))
            at, side = (float(hand[0]), float(hand[1])), float(rng.uniform(70, 110))
            over = Sheet(HAND, side, at, float(rng.uniform(0, 90)), 30.0, soft=True)
            drift = watch.check(studio.shoot([*sheets, over], lamp), i / FPS)
            false += drift.kind in (DriftKind.BUMPED, DriftKind.PIECE_MOVED)
            frames += 1
    hours = frames / FPS / 3600
    return [Figure("false alarms under hands, sleeves and lamps", "<= 1 in 10 h of play",
                   f"{false} in {frames} frames ({60 * hours:.0f} min of nothing but hands)", false == 0)]


PARTS: dict[str, Callable[[np.random.Generator, int], list[Figure]]] = {
    "table": table_error, "times": times, "reads": readability, "advice": advice, "bumps": bumps, "alarms": alarms}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--runs", type=int, default=24, help="pictures or films a part")
    parser.add_argument("--only", choices=sorted(PARTS), action="append")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    print(f"seed {args.seed}, {args.runs} runs a part")
    for i, (name, part) in enumerate(PARTS.items()):
        if not args.only or name in args.only:
            for figure in part(np.random.default_rng([args.seed, i]), args.runs):
                print(figure, flush=True)


if __name__ == "__main__":
    main()
