"""A flat thing on the table and its patch of the picture: averaged over each pixel's area in linear
light, with its shadow.

Knows sheets, millimetres and a `CameraModel`; knows nothing of what is printed on a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.simulator.camera_model import CameraModel, Point
from calibration.simulator.prints import SHADOW_PX_PER_MM, Prints

_GRID_PX = 8
"""Spacing of the exactly mapped grid; between them linear, wrong by less than 0.03 px
(tests/calibration/simulator/test_photograph.py)."""

_SMEAR_PX = 3.0
_LONG_SMEAR_PX = 8.0
"""Smears that hide the print's detail, so that fewer samples do."""
_SOFT_SHADOW_PX = 5.0
_GLOW = 3.0
"""A reflected lamp's light, in white papers."""
_LAMP = (0.45, 0.3)
"""Where shadows fall: mm along x and y for a mm of height. One lamp above, to the top left, like in
most rooms."""


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A flat thing: `image` (H, W, 4) uint8 BGRA not premultiplied, or (H, W, 3); its printed
    width; where its centre lies; its turn (clockwise as the camera sees it); its height above the
    table.

    `squash` is the share of its width that shows while it is turned over (1 = flat). `smear_mm` is
    how far it travels while the shutter is open. `soft` things (hands, cups) need no supersampling.
    `glow` makes it light instead of paper: its colours are added (glare). `shadow` scales its
    shadow, 0 for none.
    """

    image: np.ndarray
    width_mm: float
    centre_mm: Point
    turn_deg: float = 0.0
    height_mm: float = 0.4
    squash: float = 1.0
    smear_mm: Point = (0.0, 0.0)
    soft: bool = False
    glow: bool = False
    shadow: float = 1.0

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two sheets exactly when they look the same."""
        return (
            id(self.image),
            self.width_mm,
            self.centre_mm,
            self.turn_deg,
            self.height_mm,
            self.squash,
            self.smear_mm,
            self.soft,
            self.glow,
            self.shadow,
        )

    @property
    def depth_mm(self) -> float:
        """The sheet's other side: its printed height on paper."""
        return float(self.width_mm * self.image.shape[0] / self.image.shape[1])

    def corners_mm(self, grown_mm: float = 0.0) -> np.ndarray:
        """The corners (4, 2) mm TL, TR, BR, BL on the table, `grown_mm` further out."""
        x, y = self.width_mm * self.squash / 2 + grown_mm, self.depth_mm / 2 + grown_mm
        turn = np.deg2rad(self.turn_deg)
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corners_mm: np.ndarray = (
            np.array([[-x, -y], [x, -y], [x, y], [-x, y]]) @ rotation + self.centre_mm
        )
        return corners_mm

    def point_mm(self, printed_mm: np.ndarray) -> np.ndarray:
        """Table points (N, 2) mm of points (N, 2) mm on the sheet, measured from its centre as it
        is printed."""
        turn = np.deg2rad(self.turn_deg)
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        points_mm: np.ndarray = (
            np.atleast_2d(printed_mm) * [self.squash, 1]
        ) @ rotation + self.centre_mm
        return points_mm


Window = tuple[int, int, int, int]
"""Left, top, right, bottom in whole pixels; right and bottom are outside."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A sheet's part of the picture: `light` (h, w, 3) float32 linear BGR and `cover` (h, w, 1)
    float32 0..1 in `window`."""

    window: Window
    light: np.ndarray
    cover: np.ndarray


def lay_sheet(sheet: Sheet, camera: CameraModel, prints: Prints) -> Patch | None:
    """The sheet's patch of `camera`'s picture, its shadow included; None when it lies outside the
    picture."""
    offset = (sheet.height_mm + 0.8) * np.array(_LAMP)
    spread = 0.0 if sheet.glow or sheet.shadow <= 0 else 3 * (0.9 + 0.22 * sheet.height_mm)
    outline = np.vstack(
        [
            _on_picture(sheet, camera, sheet.height_mm),
            _on_picture(sheet, camera, 0.0, spread, offset),
        ]
    )
    window = window_of(outline, camera, pad=2 + _smear_px(sheet, camera))
    if window is None:
        return None
    paper = _print_patch(sheet, camera, prints, window)
    if sheet.glow:
        return Patch(
            window, paper[..., :3] * np.float32(_GLOW), np.zeros((*paper.shape[:2], 1), np.float32)
        )
    cover = paper[..., 3:]
    if spread:
        shade = _shadow_patch(sheet, camera, prints, window, offset)
        cover = cover + (1 - cover) * shade[..., None]
    return Patch(window, np.ascontiguousarray(paper[..., :3]), np.ascontiguousarray(cover))


def window_of(points_px: np.ndarray, camera: CameraModel, pad: int) -> Window | None:
    """The picture's part round the points (N, 2) px, `pad` wider, or None outside; the whole
    picture if some are not finite."""
    if not np.all(np.isfinite(points_px)):
        return (0, 0, camera.width_px, camera.height_px)
    low = np.maximum(np.floor(points_px.min(0)).astype(int) - pad, 0)
    high = np.minimum(np.ceil(points_px.max(0)).astype(int) + pad + 1, camera.size_px)
    return None if np.any(high <= low) else (int(low[0]), int(low[1]), int(high[0]), int(high[1]))


def table_grid(
    camera: CameraModel, window: Window, fine: float, height_mm: float = 0.0
) -> np.ndarray:
    """The table points (h * fine, w * fine, 2) float32 mm under a window's pixels, `fine` samples a
    pixel each way.

    Below 1 a sample stands for several pixels; the last row and column may reach past the window.
    """
    x0, y0, x1, y1 = window
    xs, ys = _coarse(x0, x1), _coarse(y0, y1)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    exact = camera.to_mm(grid, height_mm).reshape(len(ys), len(xs), 2)
    exact = np.clip(np.nan_to_num(exact, nan=1e6), -1e6, 1e6).astype(np.float32)
    cell = round(_GRID_PX * fine)
    planes = cv2.resize(exact, (len(xs) * cell, len(ys) * cell), interpolation=cv2.INTER_LINEAR)
    height, width = int(np.ceil((y1 - y0) * fine)), int(np.ceil((x1 - x0) * fine))
    return np.ascontiguousarray(planes[cell : cell + height, cell : cell + width])


def sampled(source: np.ndarray, at: np.ndarray, border: int = cv2.BORDER_CONSTANT) -> np.ndarray:
    """`source` read between its pixels at the places `at` (h, w, 2) float32, in pixels; nothing (or
    `border`) outside it."""
    within = np.clip(at, -20_000, 20_000)
    sampled: np.ndarray = cv2.remap(source, within, None, cv2.INTER_LINEAR, borderMode=border)  # type: ignore[call-overload]  # None is fine
    return sampled


def _coarse(start: int, stop: int) -> np.ndarray:
    """Middles of cells `_GRID_PX` wide that cover the pixels from `start` to `stop`, and of one
    more at each end."""
    return start - 0.5 + _GRID_PX * (np.arange(-1, -(-(stop - start) // _GRID_PX) + 1) + 0.5)


def _on_picture(
    sheet: Sheet,
    camera: CameraModel,
    height_mm: float,
    grown_mm: float = 0.0,
    offset_mm: np.ndarray | None = None,
) -> np.ndarray:
    corners = sheet.corners_mm(grown_mm) + (0 if offset_mm is None else offset_mm)
    along = np.linspace(0, 1, 5)[:-1, None]
    edges = [
        a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)
    ]
    return camera.to_px(np.vstack(edges), height_mm)


def _smear_px(sheet: Sheet, camera: CameraModel) -> int:
    if sheet.smear_mm == (0.0, 0.0):
        return 0
    return int(np.ceil(np.abs(_smear_vector(sheet, camera)).max() / 2)) + 1


def _smear_vector(sheet: Sheet, camera: CameraModel) -> np.ndarray:
    centre = np.array(sheet.centre_mm)
    ends = camera.to_px(np.stack([centre, centre + sheet.smear_mm]), sheet.height_mm)
    extent: np.ndarray = np.nan_to_num(ends[1] - ends[0])
    return extent


def _places_on(sheet: Sheet, table_mm: np.ndarray) -> np.ndarray:
    """Where table points (h, w, 2) fall on the sheet, as shares of its sides (h, w, 2) float32, (0,
    0) its top-left."""
    turn = np.deg2rad(sheet.turn_deg)
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    dx, dy = (
        table_mm[..., 0] - np.float32(sheet.centre_mm[0]),
        table_mm[..., 1] - np.float32(sheet.centre_mm[1]),
    )
    width = np.float32(max(sheet.width_mm * sheet.squash, 0.5))
    return np.stack(
        [(c * dx + s * dy) / width + 0.5, (c * dy - s * dx) / np.float32(sheet.depth_mm) + 0.5],
        axis=-1,
    )


def _print_patch(sheet: Sheet, camera: CameraModel, prints: Prints, window: Window) -> np.ndarray:
    """The print alone in its window, (h, w, 4) float32 linear premultiplied."""
    smear_px = _smear_vector(sheet, camera) if sheet.smear_mm != (0.0, 0.0) else np.zeros(2)
    fine = _samples_a_pixel(sheet, float(np.abs(smear_px).max()))
    scale = _scale(sheet, camera) * fine * sheet.width_mm / sheet.image.shape[1]
    source = prints.at_scale(sheet.image, scale)
    places = _places_on(sheet, table_grid(camera, window, fine, sheet.height_mm))
    at = places * np.array([source.shape[1], source.shape[0]], np.float32) - np.float32(0.5)
    return _resized(_smeared(sampled(source, at), smear_px * fine), window, fine)


def _samples_a_pixel(sheet: Sheet, smear_px: float) -> float:
    """Two each way for print, one for soft things, fewer for what is smeared anyway."""
    if smear_px > _LONG_SMEAR_PX:
        return 0.5
    return 1.0 if sheet.soft or smear_px > _SMEAR_PX else 2.0


def _resized(patch: np.ndarray, window: Window, fine: float) -> np.ndarray:
    """A patch of `fine` samples a pixel at the window's own size."""
    size = (window[2] - window[0], window[3] - window[1])
    if fine == 1:
        return patch
    if fine > 1:
        return cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
    step = round(1 / fine)
    grown = cv2.resize(
        patch, (patch.shape[1] * step, patch.shape[0] * step), interpolation=cv2.INTER_LINEAR
    )
    return grown[: size[1], : size[0]]


def _scale(sheet: Sheet, camera: CameraModel) -> float:
    """Pixels a millimetre at the sheet: the root of its area in the picture; where it is out of
    sight, at the aim."""
    x, y = sheet.centre_mm
    px = camera.to_px(np.array([[x, y], [x + 1, y], [x, y + 1]]), sheet.height_mm)
    if not np.all(np.isfinite(px)):
        return camera.focal_px / camera.distance_mm
    (a, b), (c, d) = px[1] - px[0], px[2] - px[0]
    return float(np.clip(abs(a * d - b * c) ** 0.5, 0.05, 50))


def _shadow_patch(
    sheet: Sheet, camera: CameraModel, prints: Prints, window: Window, offset: np.ndarray
) -> np.ndarray:
    mask, margin_mm = prints.shadow(sheet.image, sheet.width_mm, sheet.depth_mm, sheet.height_mm)
    fallen = Sheet(
        sheet.image,
        sheet.width_mm,
        (sheet.centre_mm[0] + offset[0], sheet.centre_mm[1] + offset[1]),
        sheet.turn_deg,
        squash=sheet.squash,
    )
    spread_px = (0.9 + 0.22 * sheet.height_mm) * _scale(sheet, camera)
    fine = 0.25 if spread_px > _SOFT_SHADOW_PX else 1.0
    places = _places_on(fallen, table_grid(camera, window, fine))
    size = np.array([sheet.width_mm, sheet.depth_mm], np.float32)
    at = (places * size + np.float32(margin_mm)) * np.float32(SHADOW_PX_PER_MM) - np.float32(0.5)
    shade = _resized(sampled(mask, at), window, fine)
    return shade * np.float32(sheet.shadow * 0.5 / (1 + sheet.height_mm / 70))


def _smeared(patch: np.ndarray, vector_px: np.ndarray) -> np.ndarray:
    """The patch averaged along `vector_px`, by halving shifts, so that even a long way is cheap."""
    step = vector_px / 2
    while np.abs(step).max() > 0.4:
        shift = np.array([[1, 0, step[0] / 2], [0, 1, step[1] / 2]])
        back = np.array([[1, 0, -step[0] / 2], [0, 1, -step[1] / 2]])
        size = (patch.shape[1], patch.shape[0])
        patch = (cv2.warpAffine(patch, shift, size) + cv2.warpAffine(patch, back, size)) / 2
        step = step / 2
    return patch
