"""Which of many cards does a place look like? All of them at all turns, then the likeliest closely.

Knows polar fields. Must not know names, tables or time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.card_outline import CardOutline
from companion.vision.learnt.polar_field import (
    TURNS,
    FieldPatch,
    PolarSamples,
    rings_mm,
    sample_rings,
    samples_on_card,
)

FASTEST = 40
"""Changes round a ring faster than so many in a turn are left out of the first ranking."""

PULLED_BY_EVERY = 2
REFINED_BY = ((1.6, 2.0), (0.8, 1.0))
"""Steps in mm and degrees of the parabolas by which a pose is pulled into place."""

FEWEST_FOR_COMMON = 12
"""What so many cards share, none of them is told by: it is taken out."""

SOFT_RINGS = 5
SOFT_TURNS = 11
COVERED_BELOW = 0.25
SOFT_ENERGY = 0.1
NO_ENERGY = 1e-9
"""So much stands below a fraction where a card of one colour has nothing: it is like nothing then."""


@dataclass(frozen=True, slots=True)
class FieldPose:
    """Where a card lies in a patch: the middle's offset in mm from the patch's own, and its turn."""

    x_mm: float
    y_mm: float
    turn_deg: float


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """A card (by its row) at a pose: `likeness` -1 to 1 over what is free, `free` of the card's own
    picture; `shown`, the same over the part that looks like it, `share` of the picture."""

    row: int
    pose: FieldPose
    likeness: float
    free: float
    shown: float
    share: float
    lead: float = 0.0


class FieldDeck:
    """The fields of a deck's cards, ready to be compared with a place."""

    def __init__(self, looks: Sequence[Sequence[FieldPatch]], outline: CardOutline) -> None:
        """`looks`: of each card, the fields of its looks, upright and centred."""
        self.reach_mm = reach_mm = outline.reach_mm
        radii, on_card = rings_mm(reach_mm), samples_on_card(outline)
        area = (radii / radii.sum())[:, None]
        zero = np.zeros((1, 3))
        steps, weight = [], []
        for card in looks:
            seen = [sample_rings(look, reach_mm, zero) for look in card]
            weights = [s.sure[0] * on_card for s in seen]
            sure = np.sum(weights, axis=0)
            total = np.sum(
                [s.steps[0] * w[..., None] for s, w in zip(seen, weights, strict=True)], axis=0
            )
            steps.append(total / np.maximum(sure, 1e-3)[..., None])
            weight.append(np.minimum(sure, 1.0))
        self.steps = np.asarray(steps, np.complex64)
        self.weight = (np.asarray(weight) * area).astype(np.float32)
        self._area = area.astype(np.float32)
        self.common = (self.steps * self.weight[..., None]).sum((0, 2)) / np.maximum(
            self.weight.sum((0, 2)), 1e-6
        )[:, None]
        if len(looks) < FEWEST_FOR_COMMON:
            self.common[:] = 0
        self.steps -= self.common[None, :, None, :]
        weighed = self.steps * self.weight[..., None]
        self.energy = (np.abs(self.steps) ** 2).sum(-1) * self.weight
        self.whole = np.maximum(self.energy.sum((1, 2)), NO_ENERGY)
        kept = np.r_[0 : FASTEST + 1, TURNS - FASTEST : TURNS]
        self._kept = kept
        rank = np.fft.fft(weighed, axis=2)[:, :, kept]
        cards = len(steps)
        self._spectra = np.ascontiguousarray(
            np.conj(rank).transpose(2, 0, 1, 3).reshape(len(kept), cards, -1), np.complex64
        )
        own = np.fft.fft(self.energy, axis=2)[:, :, kept]
        self._own = np.ascontiguousarray(np.conj(own).transpose(2, 0, 1), np.complex64)
        self._on_card = None if on_card.all() else np.conj(np.fft.fft(on_card, axis=1))[:, kept]

    def rank(self, patch: FieldPatch, centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Likeness (cards, centres) of each card at its best turn, and that turn's index."""
        poses = np.zeros((len(centres), 3))
        poses[:, :2] = centres
        seen = sample_rings(patch, self.reach_mm, poses)
        z = (seen.steps - self.common[None, :, None, :]) * seen.sure[..., None]
        spectrum = np.fft.fft(z, axis=2)[:, :, self._kept].astype(np.complex64)
        p = len(poses)
        agree = self._spectra @ spectrum.transpose(2, 1, 3, 0).reshape(len(self._kept), -1, p)
        free = np.fft.fft(seen.sure, axis=2)[:, :, self._kept].astype(np.complex64)
        own = self._own @ free.transpose(2, 1, 0)
        there = self._energy_on_card(_products_of_steps(z, z) * self._area)
        agree, own = self._turned(agree), self._turned(own)
        likeness = agree / np.sqrt(np.maximum(own, 0.15 * self.whole[None, :, None]) * there + 1e-9)
        turn = likeness.argmax(0)
        return np.take_along_axis(likeness, turn[None], 0)[0], turn

    def _energy_on_card(self, energy: np.ndarray) -> np.ndarray:
        """How much of the energy (P, rings, turns) lies on a card, at all turns alike of a round one
        (P,), else turn by turn (turns, 1, P)."""
        if self._on_card is None:
            return np.asarray(energy.sum((1, 2)))
        spectrum = np.fft.fft(energy, axis=2)[:, :, self._kept]
        on_card = self._turned((spectrum * self._on_card).sum(1).T)
        return np.asarray(np.maximum(on_card, 0.02 * energy.sum((1, 2)))[:, None])

    def refine(
        self,
        patch: FieldPatch,
        rows: np.ndarray,
        poses: np.ndarray,
        steps: Sequence[tuple[float, float]] = REFINED_BY,
    ) -> list[FieldMatch]:
        """Cards (P,) from rough poses (P, 3) pulled into place, and how alike each is there."""
        for reach_mm, reach_deg in steps:
            poses = self._pulled(patch, rows, poses, reach_mm, reach_deg)
        return self.matches(rows, poses, self.compare(rows, patch, poses))

    def _pulled(
        self, patch: FieldPatch, rows: np.ndarray, poses: np.ndarray, mm: float, deg: float
    ) -> np.ndarray:
        """Each pose moved to the top of the parabolas through its likeness and its neighbours'."""
        steps = np.array([mm, mm, deg])
        stencil = np.concatenate([np.zeros((1, 3)), np.diag(steps), -np.diag(steps)])
        tried = (poses[:, None] + stencil).reshape(-1, 3)
        found = self._likeness(np.repeat(rows, 7), patch, tried).reshape(-1, 7)
        at, above, below = found[:, :1], found[:, 1:4], found[:, 4:]
        bend = 2 * at - above - below
        move = np.where(
            bend > 1e-4, 0.5 * (above - below) / np.maximum(bend, 1e-4), np.sign(above - below)
        )
        return np.asarray(poses + np.clip(move, -1.2, 1.2) * steps)

    def _likeness(self, rows: np.ndarray, patch: FieldPatch, poses: np.ndarray) -> np.ndarray:
        """Over all that is free, by every `PULLED_BY_EVERY`-th sample, (P,)."""
        seen = sample_rings(patch, self.reach_mm, poses, PULLED_BY_EVERY)
        at = np.s_[rows, :, ::PULLED_BY_EVERY]
        z = (seen.steps - self.common[None, :, None, :]).view(np.float32)
        steps, weight = self.steps[at].view(np.float32), self.weight[at] * seen.sure
        weighed = (z * weight[..., None]).reshape(len(rows), -1)
        agree = np.einsum("pn,pn->p", weighed, steps.reshape(len(rows), -1))
        other = np.einsum("pn,pn->p", weighed, z.reshape(len(rows), -1))
        own = (self.energy[at] * seen.sure).sum((1, 2))
        return np.asarray(agree / (np.sqrt(own * other) + 1e-9))

    def matches(self, rows: np.ndarray, poses: np.ndarray, of: Products) -> list[FieldMatch]:
        """What products at these poses say."""
        agree, own, other = (_soft(part) for part in (of.agree, of.own, of.other))
        local = agree / (
            np.sqrt(np.maximum(own * other, 0))
            + SOFT_ENERGY * of.own.mean((1, 2), keepdims=True)
            + NO_ENERGY
        )
        shows = local > COVERED_BELOW
        shown = _ratio(of.agree * shows, of.own * shows, of.other * shows, (1, 2))
        share = (of.own * shows).sum((1, 2)) / self.whole[rows]
        free = of.own.sum((1, 2)) / self.whole[rows]
        return [
            FieldMatch(int(row), FieldPose(*(float(v) for v in pose)), *(float(v) for v in values))
            for row, pose, *values in zip(rows, poses, of.likeness, free, shown, share, strict=True)
        ]

    def _turned(self, spectrum: np.ndarray) -> np.ndarray:
        full = np.zeros((TURNS, *spectrum.shape[1:]), np.complex64)
        full[self._kept] = spectrum
        return np.asarray(np.fft.ifft(full, axis=0).real)

    def compare(self, rows: np.ndarray, patch: FieldPatch, poses: np.ndarray) -> Products:
        """The products of cards (P,) at poses (P, 3)."""
        return self.products(rows, sample_rings(patch, self.reach_mm, poses))

    def products(self, rows: np.ndarray, seen: PolarSamples) -> Products:
        """The products of cards (P,) with samples taken at their poses."""
        z = seen.steps - self.common[None, :, None, :]
        weight = self.weight[rows] * seen.sure
        steps = self.steps[rows]
        agree = _products_of_steps(z, steps) * weight
        own = self.energy[rows] * seen.sure
        other = _products_of_steps(z, z) * weight
        return Products(agree, own, other)


@dataclass(frozen=True, slots=True)
class Products:
    """How a card agrees with what lies there, and the energies of both, (P, rings, turns) each."""

    agree: np.ndarray
    own: np.ndarray
    other: np.ndarray

    @property
    def likeness(self) -> np.ndarray:
        """Over all that is free, (P,)."""
        return _ratio(self.agree, self.own, self.other, (1, 2))


def _products_of_steps(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of steps (..., channels) complex64 along both axes, all channels together."""
    return np.asarray(np.einsum("...c,...c->...", one.view(np.float32), other.view(np.float32)))


def _ratio(
    agree: np.ndarray, own: np.ndarray, other: np.ndarray, axes: tuple[int, ...]
) -> np.ndarray:
    below = np.sqrt(own.sum(axes) * other.sum(axes)) + 1e-9
    return np.asarray(agree.sum(axes) / below)


def _soft(part: np.ndarray) -> np.ndarray:
    """Boxes over rings and turns, (P, rings, turns)."""
    wide = np.concatenate([part[..., -(SOFT_TURNS // 2) :], part, part[..., : SOFT_TURNS // 2]], -1)
    return np.stack(
        [
            cv2.blur(one, (SOFT_TURNS, SOFT_RINGS))[:, SOFT_TURNS // 2 : -(SOFT_TURNS // 2)]
            for one in wide
        ]
    )
