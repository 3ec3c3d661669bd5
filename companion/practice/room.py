"""Rooms: a camera on its stand, a table and its light, chosen at random but such that a reader has
a fair chance.

Knows what cameras and tables people have; knows nothing of games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from random import Random

import numpy as np

from calibration.simulator.photograph import CameraModel
from card_printables.marker import MODULES, SYMBOL_MM
from companion.practice.faults import NO_FAULTS, Faults
from companion.practice.layout import TableLayout, lay_table

FAIR_PX_PER_MODULE = 1.25
"""The reader's own limit; below it a room is unfair."""

_SIZES = ((1920, 1080), (1920, 1080), (1920, 1080), (1280, 720), (3840, 2160))
_USUAL_MM = (480.0, 310.0)
_SMALL_MM = (410.0, 300.0)
"""What the tokens span: people with a small camera move them closer together, as the readability
check tells them to."""

_STEEP_DEG = (26.0, 33.0)
"""How far the camera is tilted where the tray lies at the far end of a steep view."""

_CLOTHS = (
    *("wood", "wood", "woven", "woven", "pale", "checked", "white", "black"),
    *("stone", "planks", "ruled"),
)


@dataclass(frozen=True, slots=True)
class Room:
    """A laid table, what it is made of, and the camera above it."""

    layout: TableLayout
    cloth: str
    camera: CameraModel

    @property
    def px_per_module(self) -> float:
        """Pixels a module of a card's marker where they are fewest: over the middle and the tray."""
        return (
            min(self.camera.px_per_mm(point) for point in self.layout.corners_mm())
            * SYMBOL_MM
            / MODULES
        )

    @property
    def px_per_module_in_the_middle(self) -> float:
        """The same over the middle alone: at the far end of a steep view the tray has fewer."""
        w, h = self.layout.width_mm, self.layout.height_mm
        corners = ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))
        return min(self.camera.px_per_mm(point) for point in corners) * SYMBOL_MM / MODULES

    def __str__(self) -> str:
        camera = self.camera
        return (
            f"{camera.width_px}x{camera.height_px} over {self.cloth}, tilt {camera.tilt_deg:.0f}, azimuth "
            f"{camera.azimuth_deg:.0f}, blur {camera.blur_px:.1f} px, noise {camera.noise:.0f}, "
            f"{self.px_per_module:.2f} px a module"
        )


def parlour(players: int = 5, seed: int = 0) -> Room:
    """The room that newcomers see: oak, a 1080p camera on a stand, warm light."""
    layout = lay_table(players, Random(f"parlour {seed}"))
    camera = CameraModel(
        focal_px=1600,
        tilt_deg=14,
        azimuth_deg=-3,
        k1=-0.03,
        blur_px=0.6,
        noise=2.5,
        vignette=0.22,
        lean=(-0.18, -0.16),
        tint_bgr=(0.88, 0.98, 1.05),
        exposure=0.74,
        sharpening=0.45,
    )
    return Room(layout, "wood", _framed(camera, layout))


def random_room(
    seed: int,
    players: int = 5,
    hard: bool = False,
    tray_side: str | None = None,
    tokens: bool = True,
    size_px: tuple[int, int] | None = None,
    cloth: str | None = None,
    faults: Faults = NO_FAULTS,
) -> Room:
    """Somebody's room: fair (`FAIR_PX_PER_MODULE` and ordinary faults) or `hard` (worse light,
    blur, noise, steep views). Of `faults` those count that are the room's: a tray that is cut off
    by the picture, or lies at the far end of a steep view."""
    rng = Random(f"room {seed} {hard}")
    cut_off, far = _tray_badly_seen(faults, seed)
    while True:
        side = tray_side or rng.choice(("right", "right", "left", "bottom"))
        side = "bottom" if far and side != "none" else side
        size = size_px or rng.choice(_SIZES)
        size = (1920, 1080) if far and size[0] < 1900 else size
        width_mm, height_mm = _SMALL_MM if far or size[0] < 1900 else _USUAL_MM
        layout = lay_table(players, rng, side, tokens, width_mm=width_mm, height_mm=height_mm)
        camera = _camera(rng, size, hard)
        if cut_off:
            layout = replace(layout, tray_shown=2 / 3)
        if far:
            steep = rng.uniform(*_STEEP_DEG)
            camera = replace(camera, tilt_deg=steep, azimuth_deg=180 + rng.gauss(0, 6))
        room = Room(layout, cloth or rng.choice(_CLOTHS), _framed(camera, layout))
        sharp = room.px_per_module_in_the_middle if far else room.px_per_module
        if sharp >= (1.1 if hard else FAIR_PX_PER_MODULE):
            return room


def _tray_badly_seen(faults: Faults, seed: int) -> tuple[bool, bool]:
    """Whether the picture cuts the tray off, and whether the tray lies at the far end of a steep
    view."""
    rng = Random(f"tray view {seed}")
    return rng.random() < faults.tray_cut_off, rng.random() < faults.tray_far


def _framed(camera: CameraModel, layout: TableLayout) -> CameraModel:
    return camera.framing(np.array(layout.corners_mm()), margin_px=10 * camera.width_px / 1920)


def _camera(rng: Random, size_px: tuple[int, int], hard: bool) -> CameraModel:
    width, height = size_px
    scale = width / 1920
    wild = 1.6 if hard else 1.0
    azimuth = rng.gauss(0, 6) + (rng.choice((0, 0, 0, 180)))
    warm = rng.uniform(-0.1, 0.14)
    k1 = rng.uniform(-0.1, 0.02)
    base = CameraModel(
        width,
        height,
        focal_px=width * rng.uniform(0.72, 1.0),
        tilt_deg=rng.uniform(2, 38 if hard else 28),
        azimuth_deg=azimuth,
        roll_deg=rng.gauss(0, 1.5),
        k1=k1,
        k2=-0.2 * k1,
    )
    return replace(
        base,
        blur_px=rng.uniform(0.4, 0.8) * max(scale, 0.75) * wild,
        noise=min(9.0, rng.lognormvariate(log(3.2), 0.35) * wild),
        vignette=rng.uniform(0.05, 0.3),
        lean=(rng.uniform(-0.25, 0.25) * wild, rng.uniform(-0.25, 0.25) * wild),
        tint_bgr=(1 - warm, 1.0, 1 + warm / 2),
        exposure=rng.uniform(0.45 if hard else 0.6, 0.85),
        sharpening=rng.uniform(0, 0.9),
        jpeg_quality=rng.randint(62 if hard else 75, 94),
        chroma_halved=rng.random() < 0.8,
    )
