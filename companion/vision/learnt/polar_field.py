"""A place's picture without its light, in rings round a middle, so that a turn is a shift.

Light multiplies, so that steps of log brightness are free of it; a lamp mirrored in a card adds, the
same to all colours, so that steps of what they differ by are free of that. Where noise is as large as
a step, the step counts less: the noise is told from the place itself.

Knows pixels of a rectified patch. Must not know cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.frame.log_colour import DARK_OFFSET_GREY, log_colour_of
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
    half_step: tuple[float, ...] = (0.03, 0.015, 0.03, 0.03)
    """A step that counts half: of brightness in log units a pixel, of the colours in shares of the
    light of the place."""
    weight: tuple[float, ...] = (1.0, 1.0, 0.7, 0.7)
    slope_mm: tuple[float, ...] = (6.0, 0.0, 0.0, 0.0)
    """Of steps that reach so far on all sides what they share is taken away, 0 for nothing: it may be
    a lamp's gloss."""
    noise_counts: float = 2.0
    """How much noise, in energies, makes a step count less."""
    calm_share: float = 0.2
    """The calmest so much of a place shows nothing but noise."""
    light_quantile: float = 0.4
    """By which pixel the light of a place is told: a lamp's gloss is brighter, a dark rim darker."""
    first_ring_mm: float = 4.0
    ring_step_mm: float = 2.0
    rim_mm: float = 3.0
    """So much of a card's edge is left out: shadows fall on it."""


POLAR_MODEL = PolarModel()
CHANNELS = len(POLAR_MODEL.softens_mm)

_GAMMA = 2.2
"""A camera's grey levels are about this root of the light."""

_LINEAR = (np.arange(256, dtype=np.float32) / 255) ** np.float32(_GAMMA)

_LEVEL_SOFT_PX = 2.0
_LEAST_NOISE = 0.01
_LEAST_LIGHT = 0.003
"""Hold black places down: shares of full light."""

_MEAN_OF_CALMEST = -1 / np.log(1 - POLAR_MODEL.calm_share)
"""The mean energy of noise by the quantile of its calmest: the energy of steps that are noise along
both axes falls off exponentially."""


@dataclass(frozen=True, slots=True)
class FieldPatch:
    """The steps in a patch about a told middle: `steps` (n, n, 8) float32, along x and y of each
    channel, and what of it can be told, `sure` (n, n) float32."""

    steps: np.ndarray
    sure: np.ndarray


def patch_size(reach_mm: float) -> int:
    """Pixels across a patch that holds a card of this half width."""
    return 2 * int((reach_mm + PATCH_MARGIN_MM) / PATCH_STEP_MM) + 1


def field_patch(bgr: np.ndarray, radius_mm: float, inside: np.ndarray | None = None) -> FieldPatch:
    """The field of a patch (n, n, 3) uint8 BGR at `PATCH_STEP_MM` for cards that hold a disc of this
    radius; `inside` (n, n) bool: what the picture holds of it."""
    model, look = POLAR_MODEL, log_colour_of(bgr)
    # A lamp mirrored in a card adds the same to all colours: what they differ by has none of it.
    linear = _LINEAR[bgr]
    blue, red = linear[..., 0] - linear[..., 1], linear[..., 2] - linear[..., 1]
    middle = len(bgr) // 2
    beside = middle - patch_size(radius_mm) // 2
    calm = _calm_disc(len(bgr), beside)
    if inside is not None:
        calm = calm & inside
    grey = cv2.GaussianBlur(bgr.mean(-1, dtype=np.float32), (0, 0), _LEVEL_SOFT_PX)
    noise = (1 / (grey + DARK_OFFSET_GREY), (grey / 255) ** (_GAMMA - 1) + _LEAST_NOISE)
    edge = beside + (middle - beside) // 3
    part = linear[edge:-edge, edge:-edge, 1]
    light = float(np.quantile(part, model.light_quantile)) + _LEAST_LIGHT
    steps = np.empty((*bgr.shape[:2], 2 * CHANNELS), np.float32)
    for k, plane in enumerate((look.brightness, look.brightness, blue, red)):
        soft = cv2.GaussianBlur(plane, (0, 0), model.softens_mm[k] / PATCH_STEP_MM)
        x = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
        y = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
        coloured = k >= 2
        half = model.half_step[k] * (light if coloured else 1.0)
        counts_less = half * half
        if model.slope_mm[k]:
            wide_px = model.slope_mm[k] / PATCH_STEP_MM
            slope_x, slope_y = (cv2.GaussianBlur(part, (0, 0), wide_px) for part in (x, y))
            x, y = x - slope_x, y - slope_y
            counts_less = counts_less + slope_x * slope_x + slope_y * slope_y
        energy = x * x + y * y
        by_grey = noise[coloured] ** 2
        if calm.any():
            floor = np.quantile((energy / by_grey)[calm], model.calm_share) * _MEAN_OF_CALMEST
            counts_less = counts_less + model.noise_counts * floor * by_grey
        size = np.sqrt(energy + counts_less) / np.float32(model.weight[k])
        steps[..., 2 * k] = x / size
        steps[..., 2 * k + 1] = y / size
    sure = ~burnt_out_pixels(bgr)
    if inside is not None:
        sure &= inside
    return FieldPatch(steps, sure.astype(np.float32))


@lru_cache(maxsize=8)
def _calm_disc(size: int, beside: int) -> np.ndarray:
    """The part of a patch in which noise is looked for, (n, n) bool: the disc that a card holds without
    its rim; `beside`: by so many pixels the patch is wider than for that disc."""
    middle = size // 2
    y, x = np.ogrid[-middle : middle + 1, -middle : middle + 1]
    reach = middle - beside - (PATCH_MARGIN_MM + POLAR_MODEL.rim_mm) / PATCH_STEP_MM
    return np.asarray(np.hypot(x, y) < reach)


@dataclass(frozen=True, slots=True)
class PolarSamples:
    """A patch in rings: `steps` (poses, rings, turns, channels) complex64, outward and along the
    ring; `sure` (poses, rings, turns) float32."""

    steps: np.ndarray
    sure: np.ndarray


@lru_cache(maxsize=8)
def rings_mm(reach_mm: float) -> np.ndarray:
    """The radii that are sampled on a card that reaches so far."""
    model = POLAR_MODEL
    return np.arange(model.first_ring_mm, reach_mm - model.rim_mm + 1e-6, model.ring_step_mm)


@lru_cache(maxsize=8)
def samples_on_card(outline: CardOutline, every: int = 1) -> np.ndarray:
    """Which samples of the rings lie on an upright card, its rim left out, (rings, turns) float32."""
    angle = np.arange(TURNS // every) * (2 * np.pi * every / TURNS)
    radii = rings_mm(outline.reach_mm)[:, None]
    if outline.round:
        return np.ones((len(radii), len(angle)), np.float32)
    on = outline.edge_mm(radii * np.cos(angle), radii * np.sin(angle)) >= POLAR_MODEL.rim_mm
    return np.asarray(on, np.float32)


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
