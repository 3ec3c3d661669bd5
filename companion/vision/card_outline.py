"""The outline of a deck's cards: a disc, or a rectangle.

A pure value in millimetres. Knows no pictures, no tables. The frame is the card's own: its origin in the
middle, x along the shorter side of a rectangle, y along the longer one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np


@dataclass(frozen=True, slots=True)
class CardOutline:
    """How large the cards of a deck are and of which shape; of a rectangle `width_mm` is no more than
    `height_mm`."""

    width_mm: float
    height_mm: float
    round: bool

    @classmethod
    def disc(cls, disc_mm: float) -> CardOutline:
        """Round cards so far across."""
        return cls(disc_mm, disc_mm, True)

    @classmethod
    def rectangle(cls, one_mm: float, other_mm: float) -> CardOutline:
        """Rectangular cards with these sides."""
        return cls(min(one_mm, other_mm), max(one_mm, other_mm), False)

    @property
    def radius_mm(self) -> float:
        """Of the largest disc that a card holds."""
        return self.width_mm / 2

    @property
    def reach_mm(self) -> float:
        """From the middle to the farthest point of the edge."""
        return self.radius_mm if self.round else hypot(self.width_mm, self.height_mm) / 2

    def edge_mm(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """How far within the edge these points lie, mm, negative beside the card; of a rectangle by
        its nearer side."""
        if self.round:
            return np.asarray(self.radius_mm - np.hypot(x, y))
        across, along = self.width_mm / 2 - np.abs(x), self.height_mm / 2 - np.abs(y)
        return np.asarray(np.minimum(across, along))

    def is_near(self, other: CardOutline, share: float) -> bool:
        """Whether both are of one shape, and no side differs by more than this share of it."""
        sides = ((self.width_mm, other.width_mm), (self.height_mm, other.height_mm))
        return self.round == other.round and all(abs(a - b) <= share * b for a, b in sides)

    def __str__(self) -> str:
        if self.round:
            return f"{self.width_mm:.0f} mm across"
        return f"{self.width_mm:.0f} x {self.height_mm:.0f} mm"
