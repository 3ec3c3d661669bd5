"""The inverse camera: flat sheets on a table, and a camera model, make the picture that such a
camera would take.

Knows optics and paper; knows nothing of the game, and is the measure against which plane, reader
and place reports are tested: `CameraModel.to_px` and `to_mm` are the exact truth of every picture
made here.

    image = photograph([Sheet(face, 85.0, (120.0, 90.0), 30.0)], CameraModel(tilt_deg=15.0))

Light is added up linearly; every pixel is the average over its area. A `Studio` keeps what has not
changed, so that a film costs little more than its moving parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.simulator.camera_model import CameraModel
from calibration.simulator.cloth import CLOTHS, Cloth, weave
from calibration.simulator.develop import (
    STEADY,
    Developer,
    Exposure,
    blur_of,
    blurred_light,
    is_steady,
)
from calibration.simulator.prints import PAPER_GAMMA, Prints
from calibration.simulator.sheet import Patch, Sheet, Window, lay_sheet, sampled, table_grid
from calibration.simulator.takes import Takes

__all__ = ["CLOTHS", "STEADY", "CameraModel", "Exposure", "Sheet", "Studio", "photograph"]

_FINEST_CLOTH_PX_PER_MM = 3.0
_FARTHEST_CLOTH_MM = 1500.0
_SPARE_CLOTH_MM = 40.0
_STRIP_PX = 128
_PATCH_STRIP_PX = 64
_NOTHING = 2e-4
"""Light or cover that no grey level shows."""


def photograph(
    sheets: Sequence[Sheet],
    camera: CameraModel,
    cloth: str = "wood",
    seed: int = 0,
    exposure: Exposure = STEADY,
) -> np.ndarray:
    """The picture (H, W, 3) uint8 BGR of `sheets` (the lowest first) on the table `cloth`, seen by
    `camera`.

    Raises:
        ValueError: there is no table of that name (see `CLOTHS`).
    """
    return Studio(camera, cloth, seed).shoot(sheets, exposure)


@dataclass(frozen=True, slots=True, eq=False)
class _Laid:
    key: tuple[object, ...]
    patches: tuple[Patch, ...]


class Studio:
    """A table under a camera: takes picture after picture, and works only on what has changed since
    the last."""

    def __init__(
        self, camera: CameraModel, cloth: str = "wood", seed: int = 0, prints: Prints | None = None
    ) -> None:
        """Lay the table `cloth`; studios may share their `prints`. Raises ValueError for an unknown
        cloth."""
        self._prints = prints if prints is not None else Prints()
        self._developer = Developer(camera, seed)
        self._takes = Takes(self._developer, (camera.height_px, camera.width_px, 3))
        self._cloth = _cloth_for(camera, cloth, seed)
        self._laid: list[_Laid] = []
        self._held: dict[tuple[object, ...], tuple[Patch, ...]] = {}
        self.camera = camera
        self._set_up()

    def aim(self, camera: CameraModel) -> None:
        """Go on with the same camera in another pose (a bump); what is not pose must be as before."""
        if camera != self.camera:
            self.camera = camera
            self._laid = []
            self._held = {}
            self._set_up()

    def shoot(self, sheets: Sequence[Sheet], exposure: Exposure = STEADY) -> np.ndarray:
        """The picture (H, W, 3) uint8 BGR of `sheets`, the lowest first; the caller may keep and
        change it."""
        laid = [_Laid(sheet.key, self._patches(sheet)) for sheet in sheets]
        for window in _merged(_changed(self._laid, laid)):
            self._render(window, laid)
        self._laid = laid
        self._held = {item.key: item.patches for item in laid}
        return (
            self._takes.picture(self._levels)
            if is_steady(exposure)
            else self._developer.develop(self._signal, exposure)
        )

    def _set_up(self) -> None:
        self._field = _light_field(self.camera)
        self._bare = _bare_table(self.camera, self._cloth, self._field)
        self._light = self._bare.copy()
        self._signal = np.empty_like(self._bare)
        self._levels = np.empty(self._bare.shape, np.uint8)
        for top in range(0, self.camera.height_px, _STRIP_PX):
            self._render(
                (0, top, self.camera.width_px, min(top + _STRIP_PX, self.camera.height_px)), []
            )

    def _patches(self, sheet: Sheet) -> tuple[Patch, ...]:
        if sheet.key in self._held:
            return self._held[sheet.key]
        patch = lay_sheet(sheet, self.camera, self._prints)
        if patch is None:
            return ()
        x0, y0, x1, y1 = patch.window
        patch.light[...] *= self._field[y0:y1, x0:x1]
        return tuple(_in_strips(patch))

    def _render(self, window: Window, laid: list[_Laid]) -> None:
        """Put the light of `window` together again and work out the signal that it changes."""
        self._compose(window, laid)
        reach = blur_of(self.camera)
        x0, y0, x1, y1 = self._grown(window, reach)
        u0, v0, u1, v1 = self._grown(window, 2 * reach)
        signal = self._developer.signal(blurred_light(self._light[v0:v1, u0:u1], self.camera))
        part = signal[y0 - v0 : y1 - v0, x0 - u0 : x1 - u0]
        self._signal[y0:y1, x0:x1] = part
        self._levels[y0:y1, x0:x1] = cv2.convertScaleAbs(part)
        self._takes.changed((x0, y0, x1, y1))

    def _compose(self, window: Window, laid: list[_Laid]) -> None:
        x0, y0, x1, y1 = window
        light = self._light[y0:y1, x0:x1]
        light[...] = self._bare[y0:y1, x0:x1]
        for item in laid:
            for patch in item.patches:
                _add(light, window, patch)

    def _grown(self, window: Window, by: int) -> Window:
        x0, y0, x1, y1 = window
        return (
            max(x0 - by, 0),
            max(y0 - by, 0),
            min(x1 + by, self.camera.width_px),
            min(y1 + by, self.camera.height_px),
        )


def _add(light: np.ndarray, window: Window, patch: Patch) -> None:
    """Lay the part of `patch` that lies in `window` over `light`, in place."""
    left, top = max(window[0], patch.window[0]), max(window[1], patch.window[1])
    right, bottom = min(window[2], patch.window[2]), min(window[3], patch.window[3])
    if right <= left or bottom <= top:
        return
    below = light[top - window[1] : bottom - window[1], left - window[0] : right - window[0]]
    rows = slice(top - patch.window[1], bottom - patch.window[1])
    columns = slice(left - patch.window[0], right - patch.window[0])
    below *= 1 - patch.cover[rows, columns]
    below += patch.light[rows, columns]


def _changed(before: list[_Laid], now: list[_Laid]) -> list[Window]:
    """The windows of all sheets that came, went, or changed their order."""
    old, new = {item.key for item in before}, {item.key for item in now}
    kept_before = [item.key for item in before if item.key in new]
    kept_now = [item.key for item in now if item.key in old]
    stayed = {a for a, b in zip(kept_before, kept_now, strict=False) if a == b}
    moved = [item for item in (*before, *now) if item.key not in stayed]
    return [patch.window for item in moved for patch in item.patches]


def _in_strips(patch: Patch) -> Iterator[Patch]:
    """The patch cut into strips of the picture, each as wide as it is not empty: an arm that lies
    aslant leaves most of its window alone."""
    x0, y0, _, y1 = patch.window
    there = patch.cover[..., 0] if patch.cover.any() else patch.light[..., 1]
    top = y0
    while top < y1:
        bottom = min(y1, (top // _PATCH_STRIP_PX + 1) * _PATCH_STRIP_PX)
        rows = slice(top - y0, bottom - y0)
        columns = np.flatnonzero(cv2.reduce(there[rows], 0, cv2.REDUCE_MAX) > _NOTHING)
        if len(columns):
            left, right = int(columns[0]), int(columns[-1]) + 1
            part = (x0 + left, top, x0 + right, bottom)
            yield Patch(part, patch.light[rows, left:right], patch.cover[rows, left:right])
        top = bottom


def _merged(windows: list[Window]) -> list[Window]:
    """Windows that overlap become one, so that nothing is worked on twice."""
    done: list[Window] = []
    for window in windows:
        while True:
            hit = next((w for w in done if _overlap(w, window)), None)
            if hit is None:
                break
            done.remove(hit)
            window = (
                min(hit[0], window[0]),
                min(hit[1], window[1]),
                max(hit[2], window[2]),
                max(hit[3], window[3]),
            )
        done.append(window)
    return done


def _overlap(a: Window, b: Window) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _cloth_for(camera: CameraModel, name: str, seed: int) -> Cloth:
    """A table that fills the camera's view with some to spare, no finer than the camera sees."""
    corners = np.nan_to_num(camera.corners_mm(), nan=_FARTHEST_CLOTH_MM)
    aim = np.array(camera.aim_mm)
    low = np.maximum(corners.min(0) - _SPARE_CLOTH_MM, aim - _FARTHEST_CLOTH_MM)
    high = np.minimum(corners.max(0) + _SPARE_CLOTH_MM, aim + _FARTHEST_CLOTH_MM)
    scale = min(_FINEST_CLOTH_PX_PER_MM, 1.2 * camera.focal_px / camera.distance_mm)
    return weave(
        name,
        seed,
        float(low[0]),
        float(low[1]),
        float(high[0] - low[0]),
        float(high[1] - low[1]),
        scale,
    )


def _bare_table(camera: CameraModel, cloth: Cloth, field: np.ndarray) -> np.ndarray:
    """The empty table's linear light (H, W, 3) float32, made strip by strip to keep memory small."""
    light = np.empty((camera.height_px, camera.width_px, 3), np.float32)
    curve = ((np.arange(256) / 255) ** PAPER_GAMMA).astype(np.float32)
    for top in range(0, camera.height_px, _STRIP_PX):
        window = (0, top, camera.width_px, min(top + _STRIP_PX, camera.height_px))
        at = table_grid(camera, window, 2) - np.array([cloth.left_mm, cloth.top_mm], np.float32)
        at = at * np.float32(cloth.px_per_mm) - np.float32(0.5)
        fine = cv2.LUT(sampled(cloth.colours, at, cv2.BORDER_REFLECT), curve)
        light[top : window[3]] = cv2.resize(
            fine, (camera.width_px, window[3] - top), interpolation=cv2.INTER_AREA
        )
    light *= field
    return light


def _light_field(camera: CameraModel) -> np.ndarray:
    """How much of the light arrives, (H, W, 3) float32, 1 in the centre: vignette, lean and tint."""
    x = np.linspace(-0.5, 0.5, camera.width_px, dtype=np.float32)[None, :]
    y = np.linspace(-0.5, 0.5, camera.height_px, dtype=np.float32)[:, None]
    shape = camera.height_px / camera.width_px
    r2 = (x**2 + (y * np.float32(shape)) ** 2) / np.float32(0.25 * (1 + shape**2))
    even = (1 - np.float32(camera.vignette) * r2) * (
        1 + np.float32(camera.lean[0]) * x + np.float32(camera.lean[1]) * y
    )
    return np.maximum(even, 0.02)[..., None] * np.array(camera.tint_bgr, np.float32)
