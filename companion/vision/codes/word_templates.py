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

QUIET = 2
GRID = MODULES + 2 * QUIET
SAMPLES = GRID * GRID
CENTRES = np.arange(GRID) - QUIET + 0.5
"""Where samples lie, in modules from the code's corner."""

SIGMAS = (0.4, 0.6, 0.85, 1.2)
"""Blurs of the template bank, in modules. Finer than 0.4 the pose refinement has nothing to climb
on."""

_MARGIN = 4


def _normal(x: np.ndarray) -> np.ndarray:
    share: np.ndarray = 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))
    return share


@cache
def blur_rows(sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """How the samples of one axis mix the modules of that axis, and the derivative: two (GRID,
    MODULES) float64.

    Exact for square modules under a Gaussian of `sigma` modules.
    """
    edges = (np.arange(MODULES + 1)[None, :] - CENTRES[:, None]) / sigma
    mix = np.diff(_normal(edges), axis=1)
    density = np.exp(-0.5 * edges**2) / (sigma * math.sqrt(2 * math.pi))
    return mix, -np.diff(density, axis=1)


@cache
def softener(soft: float) -> np.ndarray:
    """The (GRID, GRID) float32 matrix that blurs one axis of a patch by a Gaussian of `soft`
    modules."""
    if soft <= 0:
        return np.eye(GRID, dtype=np.float32)
    weights = np.exp(-0.5 * ((CENTRES[:, None] - CENTRES[None, :]) / soft) ** 2)
    shares: np.ndarray = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares


@cache
def signs() -> np.ndarray:
    """Ink of every word upright, after those mirrored, last their mean: (2 * words + 1, 21, 21)
    float32, 1 is dark."""
    upright = np.stack([modules(word) for word in words()]).astype(np.float32)
    both = np.concatenate([upright, upright.transpose(0, 2, 1)])
    return np.concatenate([both, both.mean(axis=0, keepdims=True)])


MEAN = 2 * len(words())
"""Index of the words' mean in `signs`: what is known of a code before its word is."""


@cache
def light_basis(sigma: float) -> np.ndarray:
    """Orthonormal columns that span what is not code: (SAMPLES, 7) float32; a quadratic light and
    the code's mean grey."""
    u, v = np.meshgrid(CENTRES / MODULES - 0.5, CENTRES / MODULES - 0.5)
    mix, _ = blur_rows(sigma)
    box = np.outer(mix.sum(axis=1), mix.sum(axis=1))
    columns = [np.ones_like(u), u, v, u * u, u * v, v * v, box]
    basis, _ = np.linalg.qr(np.stack([c.ravel() for c in columns], axis=1))
    return basis.astype(np.float32)


def without_light(patches: np.ndarray, sigma: float) -> np.ndarray:
    """The patches (M, SAMPLES) with the light projected out, float32."""
    basis = light_basis(sigma)
    remaining: np.ndarray = patches - (patches @ basis) @ basis.T
    return remaining


def render(which: np.ndarray, sigma: float, soft: float = 0.0) -> np.ndarray:
    """Words `which` (indices into `signs`) as the lens shows them: (M, SAMPLES) float32, white is
    0, dark is -1."""
    mix = softener(soft) @ blur_rows(sigma)[0].astype(np.float32)
    templates: np.ndarray = -(mix @ signs()[which] @ mix.T).reshape(len(which), SAMPLES)
    return templates


@dataclass(frozen=True, slots=True)
class Bank:
    """All words at one blur: `common` (SAMPLES,) and `own` (2 * words, SAMPLES), unit length, light
    and common part out."""

    sigma: float
    common: np.ndarray
    own: np.ndarray


@cache
def bank(sigma: float) -> Bank:
    """The template bank at this blur."""
    upright = len(words())
    all_words = without_light(render(np.arange(2 * upright), sigma), sigma)
    common = all_words[:upright].mean(axis=0) + all_words[upright:].mean(axis=0)
    common /= np.linalg.norm(common)
    own = all_words - np.outer(all_words @ common, common)
    own /= np.linalg.norm(own, axis=1, keepdims=True)
    return Bank(sigma, common, np.ascontiguousarray(own))


def shared(patches: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Likeness of patches (M, SAMPLES) at this turn and blur to what all words share, (M,), -1..1;
    and what is left of them, (M, SAMPLES), unit length."""
    templates = bank(sigma)
    flat = without_light(patches, sigma)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6)
    common = flat @ templates.common
    rest = flat - np.outer(common, templates.common)
    return common, rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-6)


def parts(patches: np.ndarray, sigma: float) -> tuple[np.ndarray, np.ndarray]:
    """Likeness of patches (M, SAMPLES) at this turn and blur: to what words share (M,), to what
    each has of its own (M, MEAN): correlations, -1..1, mirrored words after the upright ones."""
    common, rest = shared(patches, sigma)
    return common, rest @ bank(sigma).own.T


def word_at(index: int) -> tuple[Word, bool]:
    """The word of a template index, and whether the template shows it mirrored."""
    upright = len(words())
    return words()[index % upright], index >= upright
