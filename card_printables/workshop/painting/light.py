"""Light in a body of puffs: how much sun and sky each point of it sends to the eye.

Knows optical depth, slices and scattering; knows no colour: it hands on shares of light, and the
hour of the day tints them.

The air is cut into slices across the line of sight. Slice by slice, nearer to the sun first, a
picture of the optical depth towards the sun is carried along and shifted as the sun's rays slant,
at the full size of the picture; so even the finest billow throws its shadow. With the sun before
the eye the slices run from front to back, behind the cloud from back to front.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from card_printables.workshop.painting.puffs import Block, grain_slice

THICK = 95.0
"""Extinction seen by the eye, per disc radius."""

SUN_THICK = 44.0
"""Extinction met by sunlight: a third, since most light is scattered onwards and not lost."""

SOFT = np.float32(0.02)
"""A body's density rises from nothing to full over this depth, in disc radii."""

RELIEF = np.float32(0.0125)
"""How far one unit of grain pushes the surface out, in disc radii."""

ZOOM = 2.2
"""Cells of grain in one cell of the block."""

HALO = 0.045
"""A thin mist lies this far round the softer parts of a body, in disc radii."""

MIST = np.float32(0.05)
"""The mist's density beside a body's."""

SHARES_OF_LIGHT = 5
"""Shares of light: straight sun, sun scattered a little, sun scattered through, sky from above,
ground from below."""


@dataclass(frozen=True, slots=True)
class Lit:
    """Light from a body: `cover` (H, W) float32 0 to 1, `shares` (SHARES_OF_LIGHT, H, W) float32 already
    weighted by the cover."""

    cover: np.ndarray
    shares: np.ndarray


def _along(block: np.ndarray, axis: int, backwards: bool) -> np.ndarray:
    turned = np.flip(block, axis) if backwards else block
    total = np.cumsum(turned, axis=axis, dtype=np.float32) - turned
    return np.flip(total, axis) if backwards else total


def _blurred(block: np.ndarray, sigma: float) -> np.ndarray:
    flat = np.stack([cv2.GaussianBlur(layer, (0, 0), sigma) for layer in block])
    deep = (
        cv2.GaussianBlur(flat.reshape(len(flat), -1), (1, 0), 0.001, sigmaY=sigma)
        if len(flat) > 1
        else flat
    )
    return np.asarray(deep.reshape(block.shape))


def _facing(air: np.ndarray, sun: tuple[float, float, float]) -> np.ndarray:
    """How squarely the body's large forms face the sun, same shape as `air`, 0.06 to 1."""
    forms = _blurred(air, 5.0)
    down_z, down_y, down_x = np.gradient(forms)
    steep = np.sqrt(down_z**2 + down_y**2 + down_x**2) + 1e-4 * forms.max()
    towards = -(down_x * sun[0] + down_y * sun[1] + down_z * sun[2]) / steep / np.linalg.norm(sun)
    return np.asarray(0.06 + 0.94 * np.clip(0.42 + 0.66 * towards, 0, 1), np.float32)


def ambient(
    block: Block, sun: tuple[float, float, float]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Light from the sky and from the ground, and how squarely the forms face the sun: three (D/2,
    H/2, W/2) float32, 0 to 1."""
    air = np.clip(block.depth[::2, ::2, ::2] / SOFT, 0, 1).astype(np.float32)
    air = np.ascontiguousarray(air) * np.float32(2 * block.cell)
    above = _blurred(_along(air, 1, False), 3.0)
    below = _blurred(_along(air, 1, True), 3.0)
    before = _blurred(_along(air, 0, True), 2.0)
    near = _blurred(air, 2.5) / (2 * block.cell)
    open_air = np.exp(-7.0 * before) * (1.1 - 0.45 * near)
    sky = (0.7 * np.exp(-5.5 * above) + 0.3) * open_air
    ground = (0.75 * np.exp(-6.0 * below) + 0.25) * open_air
    return sky.astype(np.float32), ground.astype(np.float32), _facing(air, sun)


class _Air:
    """The block's slices at the picture's size, with billows, softer and rougher by turns."""

    def __init__(self, block: Block, fine: int, shift: tuple[int, int], silk: float) -> None:
        self.block = block
        self.fine = fine
        self.shift = shift
        _, high, wide = block.depth.shape
        self.size = (wide * fine, high * fine)
        mood = cv2.GaussianBlur(grain_slice(shift[0], (high, wide), 2.0, shift), (0, 0), 2.0)
        mood = np.clip(cv2.resize(mood, self.size, interpolation=cv2.INTER_CUBIC) * 0.8, -1, 1)
        self.relief = RELIEF * np.float32(1.25 - 0.65 * silk) * (1 - 0.35 * mood)
        self.soft = SOFT * np.float32(0.75 + 1.25 * silk) * np.exp2(mood * 1.3)
        self.mist = MIST * np.clip(mood + 0.4, 0, 1)

    def density(self, index: int) -> np.ndarray | None:
        """Density 0 to 1 of one slice, (H, W) float32; None where the slice is empty."""
        layer = self.block.depth[index]
        if layer.max() < -HALO:
            return None
        depth = cv2.resize(layer, self.size, interpolation=cv2.INTER_CUBIC)
        depth += self.relief * grain_slice(
            index * ZOOM, depth.shape[:2], self.fine / ZOOM, self.shift
        )
        halo = np.clip(depth * np.float32(1 / HALO) + 1, 0, 1)
        veil: np.ndarray = np.clip(depth / self.soft, 0, 1) + self.mist * halo * halo * halo
        return veil


class _Glow:
    """The light that needs no march: from sky and ground, and how squarely the forms face the sun."""

    def __init__(
        self, block: Block, sun: tuple[float, float, float], size: tuple[int, int]
    ) -> None:
        self.sky, self.ground, self.facing = ambient(block, sun)
        self.size = size

    def lights(self, index: int, shade: np.ndarray) -> tuple[np.ndarray, ...]:
        """The shares of light in one slice, each (H, W) float32, where `shade` is the optical depth
        towards the sun."""
        half = min(index // 2, len(self.sky) - 1)
        straight = np.exp(-shade)
        little = np.sqrt(np.sqrt(straight))
        through = np.sqrt(np.sqrt(little))
        face, sky, ground = (
            cv2.resize(block[half], self.size) for block in (self.facing, self.sky, self.ground)
        )
        return straight * face, little * face, through, sky, ground


def lit(
    block: Block,
    fine: int,
    sun: tuple[float, float, float],
    shift: tuple[int, int],
    silk: float = 0.3,
) -> Lit:
    """The light of the body in `block`, each cell `fine` pixels wide, under a `sun` in that
    direction.

    The direction is x right, y down, z to the eye, z not 0; `shift` moves the grain about; `silk` 0
    is crisp as cauliflower, 1 is smooth and soft at the edge.
    """
    air = _Air(block, fine, shift, silk)
    glow = _Glow(block, sun, air.size)
    wide, high = air.size
    shade = np.zeros((high, wide), np.float32)
    clear = np.ones((high, wide), np.float32)
    shares = np.zeros((SHARES_OF_LIGHT, high, wide), np.float32)
    slant = block.cell / abs(sun[2])
    step = np.array(
        [[1, 0, slant * sun[0] / block.cell * fine], [0, 1, slant * sun[1] / block.cell * fine]],
        np.float32,
    )
    order = range(len(block.depth))
    front = sun[2] > 0
    for count, index in enumerate(reversed(order) if front else order):
        density = air.density(index)
        if density is not None:
            stay = np.exp(density * np.float32(-THICK * block.cell))
            weight = (clear * (1 - stay)) if front else 1 - stay
            for share, light in zip(shares, glow.lights(index, shade), strict=True):
                if not front:
                    share *= stay
                share += weight * light
            clear *= stay
            shade += density * np.float32(SUN_THICK * slant)
        shade = cv2.warpAffine(shade, step, air.size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        if count % 4 == 3:
            shade = cv2.GaussianBlur(shade, (0, 0), 0.5 * fine)
    return Lit(1 - clear, shares)
