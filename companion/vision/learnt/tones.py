"""How well do a card's tones explain what lies at a pose? The third witness, beside field and keypoints.

Knows rectified patches. Must not know names, tables or time. The field asks where colours change; this
asks what they are: the logarithms of brightness and of two colours, softened, are compared with the
card's own after the light was taken off (a slope of brightness, a tint, a contrast). What fits nothing is
a finger or a lamp and counts as such, not as evidence against the card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.frame.log_colour import log_colour_of
from companion.vision.learnt.polar_field import (
    PATCH_STEP_MM,
    TURNS,
    rings_mm,
    samples_on_card,
)

EVERY = 2
"""Every so many-th sample of a ring is compared,"""

RANKED_BY_EVERY = 4
"""and so many-th where cards are only put in order."""


@dataclass(frozen=True, slots=True)
class ToneModel:
    """How tones are compared; chosen on tables of the benchmark's renderer with another seed."""

    softens_mm: float = 2.0
    spread: tuple[float, float, float] = (0.10, 0.06, 0.06)
    """By how much brightness, blue and red of the right card are off (log units, one sigma)."""
    odd_share: float = 0.15
    odd_sigma: float = 3.0
    """So much of a card may be something else, which is as likely as being off by so many sigma."""
    slope_costs: float = 0.02
    """Holds the slope of light down where little of a card is free."""
    contrast: tuple[float, float] = (0.75, 1.3)
    """A camera may show so little or so much of a card's contrast."""
    rounds: int = 4


TONE_MODEL = ToneModel()


@dataclass(frozen=True, slots=True)
class TonePatch:
    """A patch's softened logarithms of brightness, blue and red, (n, n, 3) float32."""

    planes: np.ndarray


def tone_patch(bgr: np.ndarray) -> TonePatch:
    """The tones of a patch (n, n, 3) uint8 BGR at `PATCH_STEP_MM`."""
    soft_px = TONE_MODEL.softens_mm / PATCH_STEP_MM
    look = log_colour_of(bgr)
    return TonePatch(np.stack([cv2.GaussianBlur(c, (0, 0), soft_px) for c in look.channels], -1))


class ToneDeck:
    """The tones of a deck's cards."""

    def __init__(
        self, looks: Sequence[Sequence[tuple[TonePatch, np.ndarray]]], outline: CardOutline
    ) -> None:
        """`looks`: of each card, the tones of its looks, upright and centred, and what of them can be
        told, (n, n) float32."""
        self._reach_mm = reach_mm = outline.reach_mm
        on_card = samples_on_card(outline, EVERY).ravel()
        radii, angle = rings_mm(reach_mm), _angles(EVERY)
        area = np.repeat(radii / radii.sum(), len(angle)) / len(angle)
        self._area = area.astype(np.float32) * on_card
        x, y = np.outer(radii, np.cos(angle)).ravel(), np.outer(radii, np.sin(angle)).ravel()
        light = np.stack([np.ones_like(x), x / reach_mm, y / reach_mm], 1)
        self._light = light.astype(np.float32)
        every = RANKED_BY_EVERY // EVERY
        fewer = np.arange(len(x)).reshape(len(radii), -1)[:, ::every].ravel()
        self._samples = {EVERY: np.arange(len(x)), RANKED_BY_EVERY: fewer}
        upright = np.zeros((1, 3))
        tones = []
        for card in looks:
            seen = [self._sampled(look, sure, upright, EVERY) for look, sure in card]
            level = [tone[0] - np.median(tone[0][on_card > 0], axis=0) for tone, _ in seen]
            weight = np.sum([sure[0] for _, sure in seen], axis=0)[:, None]
            total = np.sum([t * s[0][:, None] for t, (_, s) in zip(level, seen, strict=True)], 0)
            tones.append(np.where(weight > 0, total / np.maximum(weight, 1), np.mean(level, 0)))
        self._tones = np.asarray(tones, np.float32)

    def explain(
        self,
        patch: TonePatch,
        sure: np.ndarray,
        rows: np.ndarray,
        poses: np.ndarray,
        every: int = EVERY,
    ) -> np.ndarray:
        """How well each of these cards (P,) explains the patch at its pose (P, 3), and last how well
        a disc of one colour does at the first of them: the mean log likelihood of what can be told
        there, (P + 1,), 0 at best. `every`: how coarsely, `EVERY` or `RANKED_BY_EVERY`."""
        poses, samples = np.concatenate([poses, poses[:1]]), self._samples[every]
        seen, free = self._sampled(patch, sure, poses, every)
        tones = self._tones[rows[:, None], samples]
        tones = np.concatenate([tones, np.zeros_like(tones[:1])])
        return self._likelihood(seen, tones, free * self._area[samples], self._light[samples])

    def _sampled(
        self, patch: TonePatch, sure: np.ndarray, poses: np.ndarray, every: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The tones on the rings about these middles, (P, N, 3), and what can be told, (P, N)."""
        radii, middle = rings_mm(self._reach_mm), len(sure) // 2
        angle = _angles(every) + np.radians(poses[:, 2])[:, None]
        x = poses[:, 0, None, None] + radii[None, :, None] * np.cos(angle)[:, None]
        y = poses[:, 1, None, None] + radii[None, :, None] * np.sin(angle)[:, None]
        x, y = (
            (part / PATCH_STEP_MM + middle).astype(np.float32).reshape(-1, angle.shape[1])
            for part in (x, y)
        )
        tones = cv2.remap(patch.planes, x, y, cv2.INTER_LINEAR).reshape(len(poses), -1, 3)
        told = cv2.remap(sure, x, y, cv2.INTER_LINEAR).reshape(len(poses), -1)
        return tones, (told > 0.99).astype(np.float32)

    @staticmethod
    def _likelihood(
        seen: np.ndarray, tones: np.ndarray, free: np.ndarray, light: np.ndarray
    ) -> np.ndarray:
        """The `light` is fitted to what fits, and what fits is told anew, some times over."""
        model = TONE_MODEL
        odd = model.odd_share * np.exp(-0.5 * model.odd_sigma**2)
        spread = np.array(model.spread, np.float32)
        seen, tones = seen / spread, tones / spread
        energy = np.einsum("pnk,pnk->pn", tones, tones)
        fits = free
        scale = np.ones(len(seen), np.float32)
        for again in range(model.rounds):
            off = seen - scale[:, None, None] * tones
            total = fits.sum(1) + 1e-9
            normal = (light.T[None] * fits[:, None]) @ light
            normal += np.diag([1e-6, 1, 1]) * model.slope_costs * total[:, None, None]
            slope = np.linalg.solve(normal, ((fits * off[..., 0])[:, None] @ light)[:, 0, :, None])
            lit = np.empty_like(off)
            lit[..., 0] = (slope[:, :, 0] @ light.T).astype(np.float32)
            lit[..., 1:] = ((fits[:, None] @ off[..., 1:]) / total[:, None, None]).astype(
                np.float32
            )
            off -= lit
            far = np.einsum("pnk,pnk->pn", off, off)
            if again == model.rounds - 1:
                break
            wide = 1 + 4.0 / (1 + again)
            good = (1 - model.odd_share) * np.exp(-0.5 * far / wide)
            wider = model.odd_share * np.exp(-0.5 * model.odd_sigma**2 / wide)
            fits = free * good / (good + wider)
            own = (fits * energy).sum(1) + 1e-6
            agree = (fits * np.einsum("pnk,pnk->pn", tones, seen - lit)).sum(1)
            scale = np.clip(agree / own, *model.contrast).astype(np.float32)
        said = np.log((1 - model.odd_share) * np.exp(-0.5 * far) + odd)
        return np.asarray((free * said).sum(1) / np.maximum(free.sum(1), 1e-9))


def _angles(every: int) -> np.ndarray:
    return np.arange(TURNS // every) * (2 * np.pi * every / TURNS)
