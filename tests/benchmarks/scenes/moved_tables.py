"""Tables looked at anew, bumped and reached over: the plane's error, bumps found, false alarms, in
large numbers.

One cloth is woven and one sensor's noise drawn a table; camera poses and lenses change above it, so
that a pose costs little more than its tags. The measured code is the product's: tags, plane and
drift watch see whole pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from calibration.cameras.grey import grey_of
from calibration.geometry.fit import fit_plane
from calibration.geometry.plane import Plane
from calibration.simulator.develop import STEADY, Exposure
from calibration.simulator.photograph import CLOTHS, CameraModel, Sheet, Studio
from calibration.simulator.prints import Prints
from calibration.tags.refine import seen_tags
from calibration.tracking.drift import DriftKind, DriftWatch
from card_printables.token import TOKEN_NAMES
from tests.support.calibration_scene import Layout, between_tokens, framed, laid_by_eye, sheets_of

FPS = 10.0
FOUND_WITHIN = 5
"""Frames in half a second."""

SIZES = ((1280, 720), (1920, 1080), (1280, 720), (1920, 1080), (1280, 720), (3840, 2160))
_POSES, _BUMPS = 12, 20
_SKINS = ((120, 150, 205), (60, 90, 140), (35, 45, 70))
_SLEEVES = ((30, 30, 34), (200, 205, 210), (140, 60, 40), (50, 60, 150), (90, 110, 90))


@dataclass(frozen=True, slots=True)
class Look:
    """Worst error between the tokens in mm, with all four and with one of them hidden (the plane
    remembered); tilt and lens."""

    four_mm: float
    hidden_mm: float
    tilt_deg: float
    k1: float


@dataclass(frozen=True, slots=True)
class Bump:
    """What was done, whether it was found in half a second, and the table's worst error after it."""

    kind: str
    found: bool
    error_mm: float


def table_camera(rng: np.random.Generator, size: tuple[int, int]) -> CameraModel:
    """A camera as people have them: tilt, lens, blur, noise and light by chance."""
    width = size[0]
    return CameraModel(
        *size,
        0.73 * width,
        tilt_deg=float(rng.choice([0, 25, 45])),
        azimuth_deg=float(rng.uniform(-25, 25)),
        roll_deg=float(rng.normal(0, 4)),
        k1=float(rng.choice([-0.25, -0.1, 0, 0.1])),
        blur_px=float(rng.uniform(0.5, 1.2)) * width / 1920,
        noise=float(rng.uniform(2, 5)),
        lean=(float(rng.normal(0, 0.2)), float(rng.normal(0, 0.2))),
        sharpening=float(rng.uniform(0, 0.8)),
    )


def worst_mm(plane: Plane, layout: Layout, camera: CameraModel) -> float:
    """The table error of the worst place between the tokens."""
    points, truth = between_tokens(layout)
    return float(np.linalg.norm(plane.to_mm(camera.to_px(points)) - truth, axis=1).max())


def looks(rng: np.random.Generator, tables: int) -> Iterator[Look]:
    """So many tables, each a layout, a pose and a lens of its own; every dozen of them on another
    cloth by another camera."""
    prints = Prints()
    studio: Studio | None = None
    for k in range(tables):
        layout = laid_by_eye(rng, tray=bool(k % 2))
        if studio is None or k % _POSES == 0:
            base = table_camera(rng, SIZES[k // _POSES % len(SIZES)])
            studio = Studio(
                framed(base, layout), sorted(CLOTHS)[k // _POSES % len(CLOTHS)], k, prints
            )
        pose = table_camera(rng, base.size_px)
        camera = framed(
            replace(
                base,
                tilt_deg=float(rng.uniform(0, 45)),
                azimuth_deg=pose.azimuth_deg,
                roll_deg=pose.roll_deg,
                k1=float(rng.uniform(-0.25, 0.1)),
            ),
            layout,
        )
        studio.aim(camera)
        tags = seen_tags(grey_of(studio.shoot(sheets_of(layout))))
        plane = fit_plane(tags, camera.size_px)
        left = {i: c for i, c in tags.items() if i != 100 + k % 4}
        yield Look(
            worst_mm(plane, layout, camera),
            worst_mm(fit_plane(left, camera.size_px, plane), layout, camera),
            camera.tilt_deg,
            camera.k1,
        )


def _watched(
    rng: np.random.Generator, k: int, prints: Prints
) -> tuple[Layout, Studio, list[Sheet], DriftWatch]:
    """A table that is being watched."""
    layout = laid_by_eye(rng, tray=bool(k % 2))
    camera = framed(
        replace(table_camera(rng, SIZES[k % 2 * (k % 3 == 0)]), tilt_deg=float(rng.uniform(0, 40))),
        layout,
    )
    studio, sheets = Studio(camera, sorted(CLOTHS)[k % len(CLOTHS)], k, prints), sheets_of(layout)
    image = studio.shoot(sheets)
    return (
        layout,
        studio,
        sheets,
        DriftWatch(fit_plane(seen_tags(grey_of(image)), camera.size_px), image),
    )


def bumps(rng: np.random.Generator, count: int) -> Iterator[Bump]:
    """Rolls and pans of 0.1 degree and pushes of 1 mm, `_BUMPS` of them at each table, one after
    the other."""
    prints = Prints()
    for k in range(-(-count // _BUMPS)):
        layout, studio, sheets, watch = _watched(rng, k, prints)
        t_s = 0.0
        for _ in range(min(_BUMPS, count - k * _BUMPS)):
            for _ in range(3):
                t_s += 1 / FPS
                watch.check(studio.shoot(sheets), t_s)
            kind, camera = _pushed(rng, studio.camera)
            studio.aim(camera)
            found = False
            for _ in range(FOUND_WITHIN):
                t_s += 1 / FPS
                found = found or watch.check(studio.shoot(sheets), t_s).kind is DriftKind.BUMPED
            yield Bump(kind, found, worst_mm(watch.plane, layout, camera))


def _pushed(rng: np.random.Generator, camera: CameraModel) -> tuple[str, CameraModel]:
    """The camera after a bump that is as small as bumps are asked for, some way by chance."""
    (x, y), turn, sign = camera.aim_mm, rng.uniform(0, 2 * np.pi), float(rng.choice([-1, 1]))
    panned = camera.distance_mm * np.radians(0.1)
    return (
        ("roll", replace(camera, roll_deg=camera.roll_deg + 0.1 * sign)),
        ("push", replace(camera, aim_mm=(x + np.cos(turn), y + np.sin(turn)))),
        ("pan", replace(camera, aim_mm=(x + panned * np.cos(turn), y + panned * np.sin(turn)))),
    )[int(rng.integers(3))]


def alarms(rng: np.random.Generator, frames: int, a_table: int = 1200) -> Iterator[DriftKind]:
    """What is said of each frame of hands, sleeves and lamps over tables that nobody moved."""
    prints = Prints()
    for k in range(-(-frames // a_table)):
        layout, studio, sheets, watch = _watched(rng, k, prints)
        light, reach = STEADY, _Reach(rng, layout, k)
        for i in range(min(a_table, frames - k * a_table)):
            if rng.random() < 0.02:
                light = _lamp(rng) if light is STEADY else STEADY
            yield watch.check(studio.shoot([*sheets, *reach.next()], light), i / FPS).kind


def _lamp(rng: np.random.Generator) -> Exposure:
    x, y = rng.normal(0, 0.3, 2)
    return replace(
        STEADY,
        gain=float(rng.uniform(0.5, 1.4)),
        lean=(float(x), float(y)),
        band=(float(rng.uniform(0, 0.05)), 0.3),
    )


class _Reach:
    """A hand and its sleeve that wander from token to token, rest, and go on."""

    def __init__(self, rng: np.random.Generator, layout: Layout, k: int) -> None:
        self._rng, self._layout = rng, layout
        self._at, self._way = rng.uniform(-380, 380, 2), rng.normal(0, 25, 2)
        self._from = rng.uniform(0, 2 * np.pi)
        self._near, self._rests = TOKEN_NAMES[k % 4], 0
        self._skin, self._sleeve = (
            np.full((24, 24, 4), (*c[k % len(c)], 255), np.uint8) for c in (_SKINS, _SLEEVES)
        )

    def next(self) -> list[Sheet]:
        """The hand and the sleeve in the next frame."""
        rng = self._rng
        if rng.random() < 0.03:
            self._near, self._rests = TOKEN_NAMES[int(rng.integers(4))], int(rng.integers(0, 15))
        if self._rests:
            self._rests -= 1
        else:
            goal = np.array([self._layout[self._near].x_mm, self._layout[self._near].y_mm])
            self._way = self._way * 0.9 + rng.normal(0, 8, 2) + 0.03 * (goal - self._at)
            self._at = self._at + self._way
        back = self._at + 110 * np.array([np.cos(self._from), np.sin(self._from)])
        turn = float(np.degrees(self._from))
        at, behind = (float(self._at[0]), float(self._at[1])), (float(back[0]), float(back[1]))
        return [
            Sheet(self._sleeve, 130.0, behind, turn, 40.0, soft=True),
            Sheet(self._skin, 90.0, at, turn, 30.0, soft=True),
        ]
