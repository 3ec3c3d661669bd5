"""The decoder that knows its deck: how every printed word looks through a blurred lens, and which
one a patch shows.

Knows words and modules, not pictures: it is given patches already sampled on the code's grid (see
`pose`). A patch is GRID x GRID samples at module centres, the code and two modules of its quiet
zone on each side.

A patch is compared in three parts: the light on the table (a quadratic surface and one grey level
for the inside of the code) is projected out; what all words have in common (finder patterns,
timing, quiet zone) says how well a code of ours is there at all; what is left is the part in which
words differ, and only that part names the card.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from card_printables.deck import Word, words
from card_printables.marker import MODULES, modules

SAMPLED_QUIET_MODULES = 2
"""Of the quiet zone, sampled round the code on each side."""

PATCH_SIDE = MODULES + 2 * SAMPLED_QUIET_MODULES
"""Samples along a patch: one a module."""

PATCH_SAMPLES = PATCH_SIDE * PATCH_SIDE
"""Samples of a patch."""

SAMPLE_CENTRES = np.arange(PATCH_SIDE) - SAMPLED_QUIET_MODULES + 0.5
"""Where samples lie, in modules from the code's corner."""

TEMPLATE_BLURS_MODULES = (0.4, 0.6, 0.85, 1.2)
"""Blurs of the template bank, in modules. Finer than 0.4 the pose refinement has nothing to climb
on."""

_MARGIN = 4


def _normal(x: np.ndarray) -> np.ndarray:
    return np.asarray(0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2))))


@cache
def axis_blur(sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """How the samples of one axis mix the modules of that axis, and the derivative: two (GRID,
    MODULES) float64.

    Exact for square modules under a Gaussian of `sigma` modules.
    """
    edges = (np.arange(MODULES + 1)[None, :] - SAMPLE_CENTRES[:, None]) / sigma
    mix = np.diff(_normal(edges), axis=1)
    detail_density = np.exp(-0.5 * edges**2) / (sigma * math.sqrt(2 * math.pi))
    return mix, -np.diff(detail_density, axis=1)


@cache
def blur_matrix(soft: float) -> np.ndarray:
    """The (GRID, GRID) float32 matrix that blurs one axis of a patch by a Gaussian of `soft`
    modules."""
    if soft <= 0:
        return np.eye(PATCH_SIDE, dtype=np.float32)
    weights = np.exp(-0.5 * ((SAMPLE_CENTRES[:, None] - SAMPLE_CENTRES[None, :]) / soft) ** 2)
    return np.asarray((weights / weights.sum(axis=1, keepdims=True)).astype(np.float32))


@cache
def template_inks() -> np.ndarray:
    """Ink of every word upright, after those mirrored, last their mean: (2 * words + 1, 21, 21)
    float32, 1 is dark."""
    upright = np.stack([modules(word) for word in words()]).astype(np.float32)
    both = np.concatenate([upright, upright.transpose(0, 2, 1)])
    return np.concatenate([both, both.mean(axis=0, keepdims=True)])


MEAN_WORD = 2 * len(words())
"""Index of the words' mean in `template_inks`: what is known of a code before its word is."""


@cache
def illumination_basis(sigma: float) -> np.ndarray:
    """Orthonormal columns that span what is not code: (PATCH_SAMPLES, 7) float32; a quadratic light
    and the code's mean grey."""
    u, v = np.meshgrid(SAMPLE_CENTRES / MODULES - 0.5, SAMPLE_CENTRES / MODULES - 0.5)
    mix, _ = axis_blur(sigma)
    box = np.outer(mix.sum(axis=1), mix.sum(axis=1))
    columns = [np.ones_like(u), u, v, u * u, u * v, v * v, box]
    basis, _ = np.linalg.qr(np.stack([c.ravel() for c in columns], axis=1))
    return basis.astype(np.float32)


def without_illumination(patches: np.ndarray, sigma: float) -> np.ndarray:
    """The patches (M, PATCH_SAMPLES) with the light projected out, float32."""
    basis = illumination_basis(sigma)
    return np.asarray(patches - (patches @ basis) @ basis.T)


def render_templates(which: np.ndarray, sigma: float, soft: float = 0.0) -> np.ndarray:
    """Words `which` (indices into `template_inks`) as the lens shows them: (M, PATCH_SAMPLES)
    float32, white is 0, dark is -1."""
    mix = blur_matrix(soft) @ axis_blur(sigma)[0].astype(np.float32)
    return np.asarray(-(mix @ template_inks()[which] @ mix.T).reshape(len(which), PATCH_SAMPLES))


@dataclass(frozen=True, slots=True)
class TemplateBank:
    """All words at one blur: `common` (PATCH_SAMPLES,) and `own` (2 * words, PATCH_SAMPLES), unit
    length, light and common part out."""

    sigma: float
    common: np.ndarray
    own: np.ndarray


@cache
def template_bank(sigma: float) -> TemplateBank:
    """The template bank at this blur."""
    upright = len(words())
    all_words = without_illumination(render_templates(np.arange(2 * upright), sigma), sigma)
    common = all_words[:upright].mean(axis=0) + all_words[upright:].mean(axis=0)
    common /= np.linalg.norm(common)
    own = all_words - np.outer(all_words @ common, common)
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    return TemplateBank(sigma, common, np.ascontiguousarray(own))


def common_score(patches: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Likeness of patches (M, PATCH_SAMPLES) at this turn and blur to what all words share, (M,),
    -1..1; and what is left of them, (M, PATCH_SAMPLES), unit length."""
    templates = template_bank(sigma)
    flat = without_illumination(patches, sigma)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    common = flat @ templates.common
    rest = flat - np.outer(common, templates.common)
    return common, rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-6)


def word_scores(patches: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Likeness of patches (M, PATCH_SAMPLES) at this turn and blur: to what words share (M,), to
    what each has of its own (M, MEAN): correlations, -1..1, mirrored words after the upright ones.
    """
    common, rest = common_score(patches, sigma)
    return common, rest @ template_bank(sigma).own.T


def word_of_template(index: int) -> tuple[Word, bool]:
    """The word of a template index, and whether the template shows it mirrored."""
    upright = len(words())
    return words()[index % upright], index >= upright
