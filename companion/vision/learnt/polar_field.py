"""A place's picture without its light, in rings round a middle, so that a turn is a shift.

Knows pixels of a rectified patch. Must not know cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.frame.log_colour import log_colour_of
from companion.vision.pictures.field import burnt_out_pixels

PATCH_STEP_MM = 0.8
"""One pixel of a patch."""

PATCH_MARGIN_MM = 9.0
"""So much round a card is looked at, so that softening and another middle have what lies beside."""

TURNS = 144
"""Samples of a ring: 2.5 degrees each."""


@dataclass(frozen=True, slots=True)
class PolarModel:
    """How steps are taken and where they are sampled; chosen on a renderer that is not the
    benchmark's."""

    softens_mm: tuple[float, ...] = (1.2, 2.8, 2.4, 2.4)
    """Of brightness, of brightness once more, of blue and of red."""
    half_step: tuple[float, ...] = (0.03, 0.015, 0.012, 0.012)
    """A step (log units a pixel) that counts half."""
    weight: tuple[float, ...] = (1.0, 1.0, 0.7, 0.7)
    first_ring_mm: float = 4.0
    ring_step_mm: float = 2.0
    rim_mm: float = 3.0
    """So much of a card's edge is left out: shadows fall on it."""


POLAR_MODEL = PolarModel()
CHANNELS = len(POLAR_MODEL.softens_mm)


@dataclass(frozen=True, slots=True)
class FieldPatch:
    """The steps in a patch about a told middle: `steps` (n, n, 8) float32, along x and y of each
    channel, and what of it can be told, `sure` (n, n) float32."""

    steps: np.ndarray
    sure: np.ndarray


def patch_size(reach_mm: float) -> int:
    """Pixels across a patch that holds a card of this half width."""
    return 2 * int((reach_mm + PATCH_MARGIN_MM) / PATCH_STEP_MM) + 1


def field_patch(bgr: np.ndarray, inside: np.ndarray | None = None) -> FieldPatch:
    """The field of a patch (n, n, 3) uint8 BGR at `PATCH_STEP_MM`; `inside` (n, n) bool: what the
    picture holds of it."""
    look = log_colour_of(bgr)
    planes = (look.brightness, look.brightness, look.blue, look.red)
    steps = np.empty((*bgr.shape[:2], 2 * CHANNELS), np.float32)
    for k, (plane, soft_mm, half, weight) in enumerate(
        zip(
            planes,
            POLAR_MODEL.softens_mm,
            POLAR_MODEL.half_step,
            POLAR_MODEL.weight,
            strict=True,
        )
    ):
        soft = cv2.GaussianBlur(plane, (0, 0), soft_mm / PATCH_STEP_MM)
        x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
        y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
        size = np.sqrt(x * x + y * y + half * half) / np.float32(weight)
        steps[..., 2 * k] = x / size
        steps[..., 2 * k + 1] = y / size
    sure = ~burnt_out_pixels(bgr)
    if inside is not None:
        sure &= inside
    return FieldPatch(steps, sure.astype(np.float32))


@dataclass(frozen=True, slots=True)
class PolarSamples:
    """A patch in rings: `steps` (poses, rings, turns, channels) complex64, outward and along the
    ring; `sure` (poses, rings, turns) float32."""

    steps: np.ndarray
    sure: np.ndarray


@lru_cache(maxsize=8)
def rings_mm(reach_mm: float) -> np.ndarray:
    """The radii that are sampled on a card whose inscribed circle has this radius."""
    model = POLAR_MODEL
    return np.arange(model.first_ring_mm, reach_mm - model.rim_mm + 1e-6, model.ring_step_mm)


def sample_rings(
    patch: FieldPatch, reach_mm: float, poses: np.ndarray, every: int = 1
) -> PolarSamples:
    """The patch in rings about other middles: `poses` (P, 3): x and y of the middle in mm from the
    patch's own, and the turn in degrees at which the rings begin. `every`: only every so many-th
    sample of a ring."""
    radii, middle = rings_mm(reach_mm), len(patch.sure) // 2
    turns = TURNS // every
    angle = np.arange(turns) * (2 * np.pi / turns) + np.radians(poses[:, 2])[:, None]
    cos, sin = np.cos(angle), np.sin(angle)
    x = (poses[:, 0, None, None] + radii[None, :, None] * cos[:, None]) / PATCH_STEP_MM + middle
    y = (poses[:, 1, None, None] + radii[None, :, None] * sin[:, None]) / PATCH_STEP_MM + middle
    shape = x.shape
    x = x.reshape(-1, turns).astype(np.float32)
    y = y.reshape(-1, turns).astype(np.float32)
    steps = np.empty((*shape, CHANNELS), np.complex64)
    unturn = np.exp(-1j * angle)[:, None, :, None].astype(np.complex64)
    for first in range(0, 2 * CHANNELS, 4):
        part = cv2.remap(
            np.ascontiguousarray(patch.steps[..., first : first + 4]), x, y, cv2.INTER_LINEAR
        )
        steps[..., first // 2 : first // 2 + 2] = part.view(np.complex64).reshape(*shape, 2)
    sure = cv2.remap(patch.sure, x, y, cv2.INTER_LINEAR).reshape(shape)
    return PolarSamples(steps * unturn, sure * (sure > 0.99))
