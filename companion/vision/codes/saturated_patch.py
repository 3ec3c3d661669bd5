"""Codes under a lamp's reflection: which patches are partly burnt out, and those patches with their
contrast made even.

Knows patches (see `known_deck`), no words. Where the light burns out, white cannot grow whiter: the
modules stay in place but their contrast fades. Made even, what faded counts like the rest, and what
is gone counts for nothing.
"""

from __future__ import annotations

import numpy as np

from companion.vision.codes.word_templates import CENTRES, GRID, SAMPLES

BURNT = 240.0
"""Light from which a sample is burnt out: grey 248 of 255, as `pose.LINEAR` has it."""

SHARE = 0.03
"""A patch with so large a share of burnt-out samples is worth a second look with its contrast made
even."""

WIDE = 2.5
"""Modules round a sample whose light and contrast it is measured by."""

FLOOR = 0.1
"""Share of a patch's strong contrast that is never amplified further: there is noise but no code.
"""

_ROWS = np.exp(-0.5 * ((CENTRES[:, None] - CENTRES[None, :]) / WIDE) ** 2)
_NEAR = (_ROWS / _ROWS.sum(axis=1, keepdims=True)).astype(np.float32)


def burnt(patches: np.ndarray) -> np.ndarray:
    """Which patches (M, SAMPLES) are partly burnt out, (M,) bool."""
    saturated: np.ndarray = (patches >= BURNT).mean(axis=1) > SHARE
    return saturated


def evened(patches: np.ndarray) -> np.ndarray:
    """The patches (M, SAMPLES) float32 with the light and contrast round each sample taken out."""
    light = patches.reshape(-1, GRID, GRID)
    detail = light - _NEAR @ light @ _NEAR.T
    contrast = np.maximum(_NEAR @ (detail * detail) @ _NEAR.T, 0).reshape(-1, SAMPLES)
    strong = np.partition(contrast, SAMPLES * 4 // 5, axis=1)[:, SAMPLES * 4 // 5, None]
    evened: np.ndarray = (
        100 * detail.reshape(-1, SAMPLES) / np.sqrt(contrast + FLOOR**2 * strong + 1)
    )
    return evened
