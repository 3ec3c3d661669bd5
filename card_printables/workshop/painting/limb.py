"""Limbs: bent, tapering strokes of cloud, and where one ends or passes.

Knows curves in the disc's unit (its radius is 1, x right, y down, z towards the eye; turns in
degrees, 90 is up). Knows no animal and no light.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Limb:
    """A stroke: `places` (K, 3) in disc radii along its middle, `girths` (K,) radii there, and the
    `turns` (K,) in degrees."""

    places: np.ndarray
    girths: np.ndarray
    turns: np.ndarray

    def at(self, share: float) -> np.ndarray:
        """The place (3,) that lies `share` (0 to 1) of the way along."""
        return np.asarray(self.places[round(share * (len(self.places) - 1))])

    def turn(self, share: float) -> float:
        """Where the stroke is heading there, in degrees."""
        return float(self.turns[round(share * (len(self.turns) - 1))])

    def girth(self, share: float) -> float:
        """How thick the stroke is there, as a radius."""
        return float(self.girths[round(share * (len(self.girths) - 1))])


def limb(
    start: np.ndarray | tuple[float, float],
    turn: float,
    length: float,
    girths: tuple[float, float],
    bend: float = 0.0,
    belly: float = 0.0,
    lean: float = 0.0,
) -> Limb:
    """A stroke from `start` that heads to `turn`, bends by `bend` degrees on its way and tapers
    between two `girths`.

    `belly` thickens its middle; `lean` carries its end towards the eye.
    """
    count = max(4, round(length / 0.035))
    share = np.linspace(0.0, 1.0, count)
    turns = turn + bend * share
    steps = np.radians(turns[:-1] + np.diff(turns) / 2)
    stride = length / (count - 1)
    x = np.concatenate([[0.0], np.cumsum(np.cos(steps))]) * stride
    y = np.concatenate([[0.0], np.cumsum(-np.sin(steps))]) * stride
    origin = np.zeros(3)
    origin[: len(start)] = start
    thick = girths[0] + (girths[1] - girths[0]) * share + belly * np.sin(np.pi * share)
    return Limb(origin + np.stack([x, y, lean * share], axis=1), thick, turns)


def ball(start: np.ndarray | tuple[float, float], girth: float) -> Limb:
    """A round lump: a stroke that hardly goes anywhere."""
    return limb(start, 0.0, 0.03, (girth, girth))


def moved(start: np.ndarray, x: float, y: float, z: float = 0.0) -> np.ndarray:
    """`start` (3,) shifted by so much to the right, up and towards the eye."""
    end: np.ndarray = start + np.array([x, -y, z])
    return end
