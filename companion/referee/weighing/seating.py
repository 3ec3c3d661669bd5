"""Where people sit round the table, learnt from their hands.

The order of the seats is known; from which side each reaches in is learnt from the hand that deals
and from rounds already decided. Seats are numbered clockwise as the camera sees the table; roles
pass one seat down each round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, exp, hypot, log, pi, prod, radians, sin, sqrt


@dataclass(frozen=True, slots=True)
class SeatModel:
    """How hands' directions tell their seats.

    A hand's direction given its seat is von Mises over a floor of strays. Varied in the simulator, out
    of view: with directions known to .15, .45 and .9 rad 87, 84 and 75 % of the rounds came out exact
    with a sharpness of 4, 91, 87 and 75 % with 12: to within 25 degrees is enough. The rest was chosen.
    """

    sharpness: float = 4.0
    stray_share: float = 0.12
    fitted_hands: float = 6.0
    """So many hands is the sharpness above worth against those seen at the table;"""
    sharpest: float = 20.0
    """and it is never taken for higher than this."""
    known_hands: float = 0.8
    """Directions are used once the evidence for the seating's turn adds up to so many whole hands."""
    seat_sharpness: float = 30.0
    """How evenly people sit: about 10 degrees off."""
    steps: tuple[tuple[float, float], ...] = (
        (-1.7, 0.17),
        (-0.8, 0.22),
        (0.0, 0.22),
        (0.8, 0.22),
        (1.7, 0.17),
    )
    """Where a seat may be, in its own spreads, and how likely: all of one person's hands come from the
    same side."""
    own_hands: float = 2.0
    """A seat's own hands outweigh the even circle once there are so many."""
    mover_share: float = 0.18
    """Share of wrong cards that the guesser moves in person instead of the Daydreamer;"""
    mover_cards: float = 6.0
    """so many cards is that worth against those seen at the table;"""
    mover_weight: float = 0.5
    """and such a hand tells so much of where its owner sits, for it is not known for certain whose it
    was."""


SEAT_MODEL = SeatModel()


class Seating:
    """From which direction each seat's hands come."""

    def __init__(self, players: int, daydreamer: int = 0) -> None:
        self.players = players
        self.daydreamer = daydreamer
        self._turn = [0.0, 0.0]
        self._fit = SEAT_MODEL.fitted_hands * (1.0 - 0.5 / SEAT_MODEL.sharpness)
        self._fitted = SEAT_MODEL.fitted_hands
        self._own = [[0.0, 0.0] for _ in range(players)]
        self._handed = SEAT_MODEL.mover_share * SEAT_MODEL.mover_cards
        self._moved = SEAT_MODEL.mover_cards

    def pass_roles(self) -> None:
        """Both roles go one seat to the right."""
        self.daydreamer = (self.daydreamer - 1) % self.players

    @property
    def lookout(self) -> int:
        """The Lookout's seat: on the Daydreamer's right."""
        return (self.daydreamer - 1) % self.players

    def spectator(self, turn: int) -> int:
        """The seat whose guess number `turn` (from 0) is: the Spectators in order from the
        Daydreamer's left."""
        return (self.daydreamer + 1 + turn % (self.players - 2)) % self.players

    def learn_direction(self, seat: int, from_deg: float, weight: float = 1.0) -> None:
        """A hand of `seat` came from `from_deg`."""
        own = self._own[seat]
        own[0] += weight * sin(radians(from_deg))
        own[1] += weight * cos(radians(from_deg))
        turn = radians(from_deg - 360.0 * seat / self.players)
        self._turn[0] += weight * sin(turn)
        self._turn[1] += weight * cos(turn)

    @property
    def known(self) -> bool:
        """True once it is known from which side each seat reaches in."""
        return hypot(*self._turn) >= SEAT_MODEL.known_hands

    def direction_deg(self, seat: int) -> float | None:
        """The direction from which `seat` reaches in, or None while the turn of the circle is not
        known."""
        if not self.known:
            return None
        even = radians(degrees(atan2(*self._turn)) + 360.0 * seat / self.players)
        own = self._own[seat]
        return degrees(
            atan2(
                own[0] + SEAT_MODEL.own_hands * sin(even), own[1] + SEAT_MODEL.own_hands * cos(even)
            )
        )

    def learn_direction_error(self, seat: int, from_deg: float) -> None:
        """A hand surely of `seat` came from `from_deg`: how well do directions fit here?"""
        expected = self.direction_deg(seat)
        if expected is not None:
            self._fit += max(0.0, cos(radians(from_deg - expected)))
            self._fitted += 1.0

    @property
    def mover_share(self) -> float:
        """Share of wrong cards that the guesser moves in person at this table."""
        return self._handed / self._moved

    def learn_mover(self, turn: int, from_deg: float) -> None:
        """A hand from `from_deg` surely set aside the card of guess number `turn`: whose was it?"""
        if self.direction_deg(self.daydreamer) is not None:
            guesser = log(self.mover_share) + self.log_likelihood(from_deg, self.spectator(turn))
            daydreamer = log(1.0 - self.mover_share) + self.log_likelihood(
                from_deg, self.daydreamer
            )
            share = 1.0 / (1.0 + exp(daydreamer - guesser))
            self._handed += share
            self._moved += 1.0
            self.learn_direction(self.daydreamer, from_deg, SEAT_MODEL.mover_weight * (1.0 - share))
            self.learn_direction(self.spectator(turn), from_deg, SEAT_MODEL.mover_weight * share)

    def log_moved_aside(self, turn: int, from_deg: float | None) -> float:
        """How well a hand from there fits guess number `turn`'s card being set aside: the
        Daydreamer's, or the guesser's."""
        daydreamer = (1.0 - self.mover_share) * exp(self.log_likelihood(from_deg, self.daydreamer))
        return log(
            daydreamer + self.mover_share * exp(self.log_likelihood(from_deg, self.spectator(turn)))
        )

    @property
    def sharpness(self) -> float:
        """How narrowly hands keep to their seats here."""
        mean = min(0.98, self._fit / self._fitted)
        return min(SEAT_MODEL.sharpest, 0.5 / (1.0 - mean))

    def log_likelihood(
        self, from_deg: float | None, seat: int, stray: float = SEAT_MODEL.stray_share
    ) -> float:
        """How well a hand from `from_deg` fits `seat`, as a log likelihood; 0 where nothing is
        known."""
        return self.log_fit([from_deg] if from_deg is not None else [], seat, stray)

    def log_fit(
        self,
        directions: Sequence[float],
        seat: int,
        stray: float = SEAT_MODEL.stray_share,
        weights: Sequence[float] | None = None,
    ) -> float:
        """How well one person's hands from these directions fit `seat`; however many, the seat's
        own place stays unsure. Each direction counts as so many hands as its weight says (one,
        where none are given)."""
        expected = self.direction_deg(seat)
        if expected is None or not directions:
            return 0.0
        k = self.sharpness
        peak = (1.0 - stray) * sqrt(2.0 * pi * k) * (1.0 - 0.125 / k)
        unsure = sqrt(
            1.0 / (SEAT_MODEL.seat_sharpness + 2.0 * hypot(*self._own[seat]))
            + 1.0 / (SEAT_MODEL.sharpness * hypot(*self._turn))
        )
        told = [
            (radians(d - expected), w)
            for d, w in zip(directions, weights or [1.0] * len(directions), strict=True)
        ]
        return log(sum(
            share * prod((peak * exp(k * (cos(off - step * unsure) - 1.0)) + stray) ** weight for off, weight in told)
            for step, share in SEAT_MODEL.steps
        ))  # fmt: skip
