"""Who deals: from which side the hands come that lay the cards.

Knows hands and when a card came to lie. Must not know seats or players.
"""

from __future__ import annotations

from collections import deque
from math import atan2, cos, degrees, hypot, radians, sin

from companion.table.sighting import Glimpse, Hand

DEALT_BEFORE_S = 1.2
"""A card that has just come to lie was dealt by the hands of so long before (chosen)."""

MOST_SURE_HANDS = 3.0
"""A dealer reaches in once a card; more than so many hands' worth of certainty no deal gives."""

HAND_WEIGHT = 0.1
"""One hand in one glimpse counts for so much of a hand: ten a second make one (chosen)."""

FEWEST_HANDS = 0.5
"""Fewer hands' worth than this is no direction (chosen)."""


class DealerHands:
    """The hands of the last moments, and the sum of the directions of those that dealt."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, tuple[Hand, ...]]] = deque()
        self._east = 0.0
        self._north = 0.0

    def keep_hands(self, glimpse: Glimpse) -> None:
        """Remember the hands of this glimpse for a moment."""
        self._recent.append((glimpse.t_s, glimpse.hands))
        while glimpse.t_s - self._recent[0][0] > DEALT_BEFORE_S:
            self._recent.popleft()

    def count_dealing_hands(self) -> None:
        """A card has just come to lie: the hands of the last moments dealt it."""
        for _, hands in self._recent:
            for hand in hands:
                if hand.from_deg is not None:
                    self._east += HAND_WEIGHT * sin(radians(hand.from_deg))
                    self._north += HAND_WEIGHT * cos(radians(hand.from_deg))

    @property
    def direction(self) -> tuple[float, float] | None:
        """From where the dealing hand came (degrees), and how surely (in hands seen); None when no
        hand was seen."""
        size = hypot(self._east, self._north)
        if size <= FEWEST_HANDS:
            return None
        return degrees(atan2(self._east, self._north)), min(MOST_SURE_HANDS, size)

    def forget_dealer(self) -> None:
        """Another deal is waited for."""
        self._east = 0.0
        self._north = 0.0
