"""Where people sit round the table, learnt from their hands.

The order of the seats is known; from which side each reaches in is learnt from the hand that deals and from rounds
already decided.  Seats are numbered clockwise as the camera sees the table; roles pass one seat down each round.
"""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, log, radians, sin

SHARPNESS = 4.0
STRAY = 0.15
GAIN = 2.2
"""A hand's direction given its seat: `log((1-STRAY) GAIN exp(SHARPNESS (cos d - 1)) + STRAY)`, `reference/referee.md` 3b."""

ENOUGH = 0.8
"""Directions are used once the evidence for the seating's turn adds up to so many whole hands."""

OWN_WEIGHT = 2.0
"""A seat's own hands outweigh the even circle once there are so many."""


class Seating:
    """From which direction each seat's hands come."""

    def __init__(self, players: int, dealer: int = 0) -> None:
        self.players = players
        self.dealer = dealer
        self._turn = [0.0, 0.0]
        self._own = [[0.0, 0.0] for _ in range(players)]

    def pass_roles(self) -> None:
        """Both roles go one seat to the right."""
        self.dealer = (self.dealer - 1) % self.players

    @property
    def lookout(self) -> int:
        """The Lookout's seat: on the Daydreamer's right."""
        return (self.dealer - 1) % self.players

    def spectator(self, turn: int) -> int:
        """The seat whose guess number `turn` (from 0) is: the Spectators in order from the Daydreamer's left."""
        return (self.dealer + 1 + turn % (self.players - 2)) % self.players

    def learn(self, seat: int, from_deg: float, weight: float = 1.0) -> None:
        """A hand of `seat` came from `from_deg`."""
        own = self._own[seat]
        own[0] += weight * sin(radians(from_deg))
        own[1] += weight * cos(radians(from_deg))
        turn = radians(from_deg - 360.0 * seat / self.players)
        self._turn[0] += weight * sin(turn)
        self._turn[1] += weight * cos(turn)

    def direction_deg(self, seat: int) -> float | None:
        """The direction from which `seat` reaches in, or None while the turn of the circle is not known."""
        sure = hypot(*self._turn)
        if sure < ENOUGH:
            return None
        even = radians(degrees(atan2(*self._turn)) + 360.0 * seat / self.players)
        own = self._own[seat]
        return degrees(atan2(own[0] + OWN_WEIGHT * sin(even), own[1] + OWN_WEIGHT * cos(even)))

    def log_likelihood(self, from_deg: float | None, seat: int) -> float:
        """How well a hand from `from_deg` fits `seat`, as a log likelihood; 0 where nothing is known."""
        expected = self.direction_deg(seat) if from_deg is not None else None
        if expected is None or from_deg is None:
            return 0.0
        off = cos(radians(from_deg - expected)) - 1.0
        return log((1.0 - STRAY) * GAIN * exp(SHARPNESS * off) + STRAY)
