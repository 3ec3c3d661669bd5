"""Where in a scene may a look lie, and how turned? All places and turns at once, coarsely.

Knows fields. Must not know names: a card is a look here.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.pictures.field_stretch import FieldStretch
from companion.vision.pictures.look import COARSE_STEP_MM, Look

TURN_DEG = 10.0
LEAST_IN_VIEW = 0.25
"""So much of a disc must be free for it to be searched there."""

LEAST_ENERGY = 0.1
"""What shows less structure than this share of the look's is not made to look like it."""


@dataclass(frozen=True, slots=True)
class DiscPose:
    """A disc's centre on the table, and where its "up" points (degrees from the table's -y axis,
    clockwise as the camera sees it)."""

    x_mm: float
    y_mm: float
    heading_deg: float


class PoseSearch:
    """Searches one scene; `free` (h, w) float32 at the coarse step says where something unknown may
    lie."""

    def __init__(self, scene: FieldStretch, free: np.ndarray, disc_mm: float) -> None:
        self._scene = scene
        rows, columns = free.shape
        reach = int(disc_mm / 2 / COARSE_STEP_MM)
        # So much wider that a disc at one edge does not meet what lies at the other.
        self._shape = (
            cv2.getOptimalDFTSize(rows + reach),
            cv2.getOptimalDFTSize(columns + reach),
        )
        seen = scene.coarse * free[..., None]
        self._seen = np.fft.fft2(seen.transpose(2, 0, 1), self._shape)
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        disc = (np.hypot(x, y) <= disc_mm / 2 / COARSE_STEP_MM - 1).astype(np.float32)
        energy = (np.abs(seen) ** 2).sum(axis=2)
        self._energy = np.maximum(cv2.filter2D(energy, -1, disc, borderType=cv2.BORDER_CONSTANT), 0)
        share = cv2.filter2D(free, -1, disc, borderType=cv2.BORDER_CONSTANT) / disc.sum()
        self._share = np.clip(share, 0, 1)

    def best_poses(self, look: Look, most: int) -> list[tuple[float, DiscPose]]:
        """The likeliest poses of this look, best first, each with its likeness 0 to 1."""
        turns = np.arange(0.0, 360.0, TURN_DEG)
        stack, energy = turned_looks(look, turns)
        n, (rows, columns) = stack.shape[-1], self._share.shape
        spectrum = np.fft.fft2(stack, self._shape)
        product = (np.conj(spectrum) * self._seen[None]).sum(axis=1)
        full = np.fft.ifft2(product).real
        reach = n // 2
        likeness = np.roll(full, (reach, reach), axis=(1, 2))[:, :rows, :columns]
        own = np.maximum(self._share, LEAST_IN_VIEW) * energy.mean()
        below = np.sqrt(np.maximum(self._energy, LEAST_ENERGY * own) * own) + 1e-6
        likeness = np.where(self._share >= LEAST_IN_VIEW, likeness / below, 0.0)
        worth = likeness * np.sqrt(self._share)[None]
        best = worth.max(axis=0)
        which = worth.argmax(axis=0)
        found = []
        for _ in range(most):
            row, column = np.unravel_index(int(best.argmax()), best.shape)
            if best[row, column] <= 0:
                break
            x0, y0 = self._scene.origin_mm
            pose = DiscPose(
                x0 + float(column) * COARSE_STEP_MM,
                y0 + float(row) * COARSE_STEP_MM,
                float(turns[which[row, column]]),
            )
            found.append((float(likeness[which[row, column], row, column]), pose))
            turn = which[row, column]
            # A place is tried again only at quite another turn.
            near = np.s_[max(0, row - 3) : row + 4, max(0, column - 3) : column + 4]
            apart = [
                k
                for k in range(len(turns))
                if min((k - turn) % len(turns), (turn - k) % len(turns)) * TURN_DEG <= 20
            ]
            worth[(apart, *near)] = 0
            best[near] = worth[(slice(None), *near)].max(axis=0)
            which[near] = worth[(slice(None), *near)].argmax(axis=0)
        return found


def turned_looks(look: Look, turns_deg: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A coarse look at these turns, (turns, 3, n, n) complex64, and the energy of each."""
    n = len(look.coarse)
    middle = (n // 2, n // 2)
    weighed = look.coarse * look.coarse_weight[..., None]
    real, imaginary = np.ascontiguousarray(weighed.real), np.ascontiguousarray(weighed.imag)
    stack = np.empty((len(turns_deg), 3, n, n), np.complex64)
    for k, deg in enumerate(turns_deg):
        to = cv2.getRotationMatrix2D(middle, -float(deg), 1.0)
        spun = cv2.warpAffine(real, to, (n, n)) + 1j * cv2.warpAffine(imaginary, to, (n, n))
        stack[k] = (spun * np.exp(1j * np.radians(deg))).transpose(2, 0, 1)
    return stack, (np.abs(stack) ** 2).sum(axis=(1, 2, 3))
