"""What is seen of one card away from its place: to which side it went, how long the tray showed that it is not there.

Knows readings outside the middle and the tray's being in view.  Must not know whether the card was a wrong guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, hypot

from companion.referee.look import Look
from companion.table.sighting import Point

FLOWN_MM = 200.0
"""A card read outside says to which side it went when it was so far from the middle of the deal."""

TRAY_WATCHED_S = 10.0
"""Later than this the tray may have been emptied: not seeing the card there says no more."""


class Flight:
    """To which side of the table a card went."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """It is back: nothing is known."""
        self._east = self._north = 0.0

    def read(self, point: Point, spread: Sequence[Point]) -> None:
        """It was read outside at `point`; the cards were dealt at `spread`."""
        count = max(1, len(spread))
        self._east += point[0] - sum(p[0] for p in spread) / count
        self._north -= point[1] - sum(p[1] for p in spread) / count

    @property
    def to_deg(self) -> float | None:
        """The side, in degrees from the table's -y axis, clockwise; None when it was not seen far enough outside."""
        return degrees(atan2(self._east, self._north)) if hypot(self._east, self._north) > FLOWN_MM else None


class TrayClock:
    """For how long the tray has been in plain view since a card left, and surely not emptied meanwhile."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The card is back."""
        self.watched_s = self._awaited_s = 0.0

    def see(self, look: Look, dt_s: float) -> None:
        """Take one look: time counts once the cards known to be in the tray are read there again (the Lookout may empty
        the tray before the middle, and an empty tray is no witness)."""
        if look.tray_open and self.watched_s < TRAY_WATCHED_S:
            self._awaited_s += dt_s
        if look.tray_read:
            self.watched_s, self._awaited_s = self.watched_s + self._awaited_s, 0.0
