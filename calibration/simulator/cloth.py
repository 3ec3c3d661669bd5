"""What tables are made of: wood, cloth, laminate, as flat colour rasters in table millimetres.

Knows colours and threads; knows nothing of cameras, lamps or cards. The same name, seed and area
give the same raster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

CLOTHS = ("wood", "woven", "white", "black", "checked", "pale", "stone", "planks", "ruled")
"""Names of the tables: oiled oak, dark woven cloth, plain white cloth, near-black cloth, gingham,
pale laminate, coarse stone, weathered planks, a mat ruled in inches. How rough the last three are was
fitted to photographs (`tests/benchmarks/fits/real_tables.py`)."""


@dataclass(frozen=True, slots=True, eq=False)
class Cloth:
    """A piece of table: `colours` (H, W, 3) uint8 BGR as a scanner would see them, its top-left
    corner and its scale."""

    colours: np.ndarray
    left_mm: float
    top_mm: float
    px_per_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """The raster being woven: its random source, coordinates in mm (H, 1) and (1, W), and its
    scale."""

    rng: np.random.Generator
    y_mm: np.ndarray
    x_mm: np.ndarray
    scale: float

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.y_mm), self.x_mm.shape[1]

    def noise(self, along_mm: float, across_mm: float) -> np.ndarray:
        """Smooth noise (H, W) float32, sigma about 1, with bumps of these lengths along x and
        across (y)."""
        h, w = self.shape
        cells = (
            max(2, round(h / self.scale / across_mm) + 3),
            max(2, round(w / self.scale / along_mm) + 3),
        )
        fine = self.rng.standard_normal((min(cells[0], h), min(cells[1], w))).astype(np.float32)
        grown = cv2.resize(fine, (w, h), interpolation=cv2.INTER_CUBIC)
        return grown / max(float(grown.std()), 1e-6)


def weave(
    name: str,
    seed: int,
    left_mm: float,
    top_mm: float,
    width_mm: float,
    height_mm: float,
    px_per_mm: float,
) -> Cloth:
    """The table `name` over the given area at `px_per_mm`; deterministic in `seed`.

    Raises:
        ValueError: there is no table of that name; the message names them.
    """
    if name not in _MAKERS:
        raise ValueError(f"there is no table {name!r}: choose one of {', '.join(CLOTHS)}")
    rows, columns = round(height_mm * px_per_mm), round(width_mm * px_per_mm)
    y = (top_mm + np.arange(rows, dtype=np.float32) / px_per_mm)[:, None]
    x = (left_mm + np.arange(columns, dtype=np.float32) / px_per_mm)[None, :]
    ground = _Ground(np.random.default_rng([seed, CLOTHS.index(name)]), y, x, px_per_mm)
    colours = np.clip(_MAKERS[name](ground), 0, 255).astype(np.uint8)
    return Cloth(colours, left_mm, top_mm, px_per_mm)


def _mix(share: np.ndarray, dark: tuple[float, ...], light: tuple[float, ...]) -> np.ndarray:
    """Colours (H, W, 3) float32 between two BGR colours."""
    low, high = np.array(dark, np.float32), np.array(light, np.float32)
    woven: np.ndarray = low + np.clip(share, 0, 1)[..., None] * (high - low)
    return woven


def _wood(ground: _Ground) -> np.ndarray:
    """Oiled oak boards along x: each board its own tone and its own stretch of grain, dark pores, a
    fine gap between."""
    board_mm = float(ground.rng.uniform(105, 150))
    place = ground.y_mm / board_mm + 50
    board = np.floor(place).astype(int)
    tone = ground.rng.normal(0, 0.075, 200).astype(np.float32)[board % 200]
    shift = ground.rng.uniform(-3, 3, 200).astype(np.float32)[board % 200]
    bow = ground.noise(420, 60) * 5.5 + ground.noise(150, 22) * 1.3
    rings = np.sin((ground.y_mm + bow + shift * 40) * (0.42 + 0.08 * shift))
    flame = np.sin((ground.y_mm + bow * 1.6) * 1.35 + shift * 9)
    fibre = ground.noise(28, 0.7) * 0.055 + ground.noise(75, 2.2) * 0.06
    pores = np.maximum(ground.noise(11, 0.55) - 1.5, 0) * 0.22
    share = (
        0.52 + tone + 0.085 * rings + 0.045 * flame + fibre - pores + 0.05 * ground.noise(260, 120)
    )
    edge_mm = np.abs(place - np.round(place)) * board_mm
    gap = np.clip(1 - edge_mm / 0.9, 0, 1) * 0.62 + np.clip(1 - edge_mm / 3.0, 0, 1) * 0.1
    return _mix(share, (34, 66, 108), (118, 172, 216)) * (1 - gap[..., None])


def _threads(ground: _Ground, pitch_mm: float) -> np.ndarray:
    """A plain weave (H, W) float32, sigma about 1: over and under, with slubs along both thread
    directions."""
    k = 2 * np.pi / pitch_mm
    over = np.sin(ground.x_mm * k) * np.sin(ground.y_mm * k)
    slubs = ground.noise(26, 0.9) + ground.noise(0.9, 26)
    threads: np.ndarray = (over * 1.1 + slubs * 0.55).astype(np.float32)
    return threads


def _folds(ground: _Ground) -> np.ndarray:
    """Soft wrinkles of a cloth that was in a drawer, (H, W) float32 about 0."""
    return ground.noise(300, 190) * 0.6 + ground.noise(520, 45) * 0.3


_WOVEN_COLOURS = ((62, 44, 26), (40, 34, 78), (52, 62, 38), (58, 50, 48))


def _woven(ground: _Ground) -> np.ndarray:
    base = np.array(_WOVEN_COLOURS[int(ground.rng.integers(len(_WOVEN_COLOURS)))], np.float32)
    light = 1 + 0.13 * _threads(ground, 2.4) + 0.05 * _folds(ground) + 0.05 * ground.noise(1.1, 1.1)
    return base * light[..., None]


def _white(ground: _Ground) -> np.ndarray:
    light = 0.985 + 0.006 * _threads(ground, 1.3) + 0.014 * _folds(ground)
    return np.array((228, 234, 238), np.float32) * light[..., None]


def _black(ground: _Ground) -> np.ndarray:
    light = 1 + 0.09 * ground.noise(1.2, 1.2) + 0.1 * _folds(ground)
    return np.array((27, 25, 26), np.float32) * light[..., None]


def _checked(ground: _Ground) -> np.ndarray:
    """Gingham: white, half and full squares where the coloured warp and weft cross."""
    side_mm = float(ground.rng.uniform(18, 30))
    warp = (np.floor(ground.x_mm / side_mm) % 2).astype(np.float32)
    weft = (np.floor(ground.y_mm / side_mm) % 2).astype(np.float32)
    ink = (warp + weft) / 2 * 0.92 + 0.03 * _threads(ground, 1.4)
    dyed = ((62, 54, 168), (132, 86, 44), (70, 110, 58))[int(ground.rng.integers(3))]
    return _mix(ink, (222, 230, 234), dyed) * (1 + 0.02 * _folds(ground))[..., None]


def _pale(ground: _Ground) -> np.ndarray:
    specks = np.maximum(ground.noise(1.6, 1.6) - 2.0, 0)
    light = 1 + 0.018 * ground.noise(70, 1.2) + 0.02 * ground.noise(220, 180) - 0.05 * specks
    return np.array((172, 190, 203), np.float32) * light[..., None]


def _stone(ground: _Ground) -> np.ndarray:
    """Coarse concrete or granite: grains of all sizes, some of them dark or light pebbles."""
    grains = (
        ground.noise(0.9, 0.9) * 0.17
        + ground.noise(2.2, 2.2) * 0.1
        + ground.noise(5.5, 5.5) * 0.07
        + ground.noise(13, 13) * 0.05
        + ground.noise(40, 40) * 0.05
    )
    pebbles = ground.noise(3.0, 3.0)
    grains -= 0.25 * np.maximum(pebbles - 1.8, 0) - 0.2 * np.maximum(-pebbles - 1.9, 0)
    stone: np.ndarray = np.array((112, 121, 126), np.float32) * np.exp(grains)[..., None]
    return stone


def _planks(ground: _Ground) -> np.ndarray:
    """Weathered boards along x: grey, deep grain, cracks, gaps in which it is dark."""
    board_mm = float(ground.rng.uniform(70, 140))
    place = ground.y_mm / board_mm + 50
    tone = ground.rng.normal(0, 0.14, 200).astype(np.float32)[np.floor(place).astype(int) % 200]
    grain = (
        ground.noise(22, 0.8) * 0.08
        + ground.noise(60, 1.8) * 0.09
        + ground.noise(120, 5) * 0.1
        + ground.noise(200, 14) * 0.09
        + ground.noise(70, 40) * 0.06
    )
    cracks = np.maximum(ground.noise(90, 1.1) - 2.1, 0) * 0.8
    edge_mm = np.abs(place - np.round(place)) * board_mm + 0.6 * ground.noise(60, 60)
    gap = np.clip(1.6 - edge_mm / 1.6, 0, 1)
    light = np.exp(tone + grain - cracks) * (1 - 0.85 * gap)
    boards: np.ndarray = np.array((72, 80, 86), np.float32) * light[..., None]
    return boards


_INCH_MM = 25.4
_RULED_COLOURS = ((62, 84, 18), (96, 62, 24), (46, 46, 48))


def _ruled(ground: _Ground) -> np.ndarray:
    """A cutting mat: matt and grainy, light lines an inch apart, faint ones between, one across."""
    base = np.array(_RULED_COLOURS[int(ground.rng.integers(3))], np.float32)
    rough = ground.noise(0.9, 0.9) * 0.08 + ground.noise(3, 3) * 0.03 + ground.noise(60, 40) * 0.05
    turn = float(ground.rng.uniform(-0.2, 0.2))
    x = ground.x_mm * np.cos(turn) + ground.y_mm * np.sin(turn)
    y = ground.y_mm * np.cos(turn) - ground.x_mm * np.sin(turn)
    lines = np.maximum(_ruling(x, _INCH_MM, 1.1), _ruling(y, _INCH_MM, 1.1))
    faint = np.maximum(_ruling(x, _INCH_MM / 4, 0.35), _ruling(y, _INCH_MM / 4, 0.35))
    across = _ruling(x * 0.5 + y * 0.866, 24 * _INCH_MM, 1.1)
    ink = np.maximum(np.maximum(lines, across) * 0.85, faint * 0.3)
    mat: np.ndarray = base * (np.exp(rough) * (1 - ink))[..., None]
    mat += _mix(ink, (0, 0, 0), (120, 190, 190))
    return mat


def _ruling(at_mm: np.ndarray, every_mm: float, width_mm: float) -> np.ndarray:
    """The share (H, W) of each place that a line covers, one `every_mm`."""
    away_mm = np.abs(at_mm / every_mm - np.round(at_mm / every_mm)) * every_mm
    covered: np.ndarray = np.clip(0.5 + (width_mm / 2 - away_mm) / 0.4, 0, 1)
    return covered


_MAKERS: dict[str, Callable[[_Ground], np.ndarray]] = {
    "wood": _wood,
    "woven": _woven,
    "white": _white,
    "black": _black,
    "checked": _checked,
    "pale": _pale,
    "stone": _stone,
    "planks": _planks,
    "ruled": _ruled,
}
