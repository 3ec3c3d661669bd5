"""One cloud picture from its number: bones, puffs, light, sky, put together.

Knows which plan and hour each card gets; knows no files.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

import numpy as np

from card_printables.workshop.painting import bones, hour, light, place, puffs, sky

GRID = 270
"""Cells along the picture's side; a picture's side is a whole multiple of it (4 x 270 = 1080 pixels
= 301 dpi)."""

SEED = 2026

LOW_SUNS = ("gold", "violet", "rose", "mint", "lilac", "turquoise", "thunder")
"""Hours whose sun stands behind the cloud on nearly half of their cards."""

_LUMA = np.array([0.07, 0.72, 0.21], np.float32)

TIMES = len(hour.HOURS)

OTHER_PLANS = {36: 4, 53: 10, 70: 1}
"""Cards that get another plan than their turn's: of four snails one, 19, stayed."""


@dataclass(frozen=True, slots=True)
class Painting:
    """A finished picture: `image` (S, S, 3) uint8 BGR and the body's `cover` (S, S) float32, 0 is
    sky and 1 is cloud."""

    image: np.ndarray
    cover: np.ndarray


def _dice(card: int, what: int) -> np.random.Generator:
    return np.random.default_rng((SEED, card, what))


def body(card: int, grid: int = GRID, throw: int | None = None) -> puffs.Block:
    """The air of `card`'s body, settled in the room above the marker's plate, on a grid of so many
    cells a side.

    `throw` tries another cast of the dice than the chosen one.
    """
    throw = chosen_throws().get(card, 0) if throw is None else throw
    rng = np.random.default_rng((SEED, card, 0, throw))
    plan = OTHER_PLANS.get(card, (card * 7 + card // 20) % len(bones.PLANS))
    spheres = place.settled(bones.skeleton(rng, plan), 0.3, float(rng.uniform(1.0, 1.3)))
    block = puffs.filled(puffs.grown(rng, spheres), grid)
    return _kept(block)


@cache
def chosen_throws() -> dict[int, int]:
    """Which throw of the dice each card keeps: `throws.txt`, chosen by `likeness.choose`."""
    text = (files(__package__) / "throws.txt").read_text(encoding="ascii")
    return {
        int(card): int(throw)
        for card, throw in (line.split() for line in text.splitlines() if not line.startswith("#"))
    }


def _kept(block: puffs.Block) -> puffs.Block:
    _, high, wide = block.depth.shape
    x = (np.arange(wide, dtype=np.float32) + block.corner[0] + 0.5) * block.cell - puffs.SPAN
    y = (np.arange(high, dtype=np.float32) + block.corner[1] + 0.5) * block.cell - puffs.SPAN
    room = place.room(x[None], y[:, None]).astype(np.float32)
    return replace(block, depth=np.minimum(block.depth, room - np.float32(0.02)))


def _hour(card: int) -> hour.Hour:
    chosen = hour.HOURS[(card * 5 + card // TIMES) % TIMES]
    rng = _dice(card, 1)
    side = 1 if rng.uniform() < 0.5 else -1
    x, y, z = chosen.sun_at
    if chosen.name in LOW_SUNS and rng.uniform() < 0.45:
        z = -z - 0.08
    return replace(
        chosen,
        sun_at=(side * x + float(rng.uniform(-0.12, 0.12)), y + float(rng.uniform(-0.08, 0.08)), z),
    )


def _tinted(lit: light.Lit, time: hour.Hour) -> np.ndarray:
    behind = time.sun_at[2] < 0
    shares = (1.3, 0.75, 0.44, 0.52, 0.2) if behind else (0.62, 0.5, 0.05, 0.62, 0.14)
    tints = (time.sun, time.sun, time.through, time.shade, time.bounce)
    strengths = (time.strength,) * 3 + (1.0, 1.0)
    total = np.zeros((*lit.cover.shape, 3), np.float32)
    for share, light_share, tint, strength in zip(
        shares, lit.shares, tints, strengths, strict=True
    ):
        total += light_share[..., None] * (
            hour.linear(hour.bgr(tint)) * np.float32(share * strength)
        )
    total /= np.maximum(lit.cover, 1e-3)[..., None]
    total *= np.float32(
        0.9 / np.percentile(total[lit.cover > 0.9] @ _LUMA, 70 if time.sun_at[2] > 0 else 81)
    )
    knee = 0.6
    bright = knee + (1 - knee) * (1 - np.exp(-(np.maximum(total, knee) - knee) / (1 - knee)))
    return np.asarray(np.power(np.where(total > knee, bright, total), 1 / 2.2), np.float32)


def paint(card: int, fine: int = 4) -> Painting:
    """The picture of `card`, its side GRID times `fine` pixels."""
    block, time, rng = body(card), _hour(card), _dice(card, 2)
    side = GRID * fine
    picture = sky.sky(rng, side, time, card + card // 4)
    shift = (int(rng.integers(192)), int(rng.integers(192)))
    lit = light.lit(block, fine, time.sun_at, shift, float(rng.uniform(0, 1)))
    high, wide = lit.cover.shape
    left, top = block.corner[0] * fine, block.corner[1] * fine
    part = picture[top : top + high, left : left + wide]
    part += (_tinted(lit, time) - part) * lit.cover[..., None]
    cover = np.zeros((side, side), np.float32)
    cover[top : top + high, left : left + wide] = lit.cover
    return Painting(np.clip(picture * 255 + 0.5, 0, 255).astype(np.uint8), cover)
