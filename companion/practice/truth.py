"""What really happened at the practice table: the ledger against which everything else is measured.

Knows rounds, guesses and seats; knows nothing of pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.game.events import (
    CardSetAside,
    CloudsClaimed,
    Edition,
    EveningBegun,
    Event,
    Handling,
    LookoutTook,
    RoundDealt,
)


@dataclass(frozen=True, slots=True)
class GuessTruth:
    """One guess that counted: the Spectator's seat, the card, whether it was right, and when the
    card left its place."""

    seat: int
    card: int
    right: bool
    at_s: float


@dataclass(frozen=True, slots=True)
class RoundTruth:
    """One round: its cards, its guesses in order, how it ended, when the last card lay and when the
    middle was empty."""

    number: int
    daydreamer: int
    lookout: int
    cards: tuple[int, ...]
    guesses: tuple[GuessTruth, ...]
    ending: Literal["claimed", "lookout"]
    dealt_s: float
    ended_s: float

    def gains(self, players: int) -> tuple[int, ...]:
        """Cards that each seat gained, by seat."""
        gains = [0] * players
        if self.ending == "lookout":
            gains[self.lookout] = len(self.cards)
        else:
            wrong = sum(not guess.right for guess in self.guesses)
            gains[self.daydreamer] = wrong
            gains[self.guesses[-1].seat] += len(self.cards) - wrong
        return tuple(gains)

    def events(self) -> tuple[tuple[float, Event], ...]:
        """The round as rules events with their times, in order: a guess before all lay counts from
        the deal on."""
        told: list[tuple[float, Event]] = [(self.dealt_s, RoundDealt(self.number, self.cards))]
        for attempt, guess in enumerate(self.guesses, start=1):
            kind = CloudsClaimed if guess.right else CardSetAside
            told.append((max(guess.at_s, self.dealt_s), kind(self.number, attempt, guess.card)))
        if self.ending == "lookout":
            told.append((self.ended_s, LookoutTook(self.number)))
        return tuple(told)


@dataclass(frozen=True, slots=True)
class Truth:
    """A whole evening: who sat where, and its finished rounds."""

    players: tuple[str, ...]
    daydreamer: int
    edition: Edition
    handling: Handling
    deck: tuple[int, ...]
    rounds: tuple[RoundTruth, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """Cards that each seat has at the end, by seat."""
        gains = [line.gains(len(self.players)) for line in self.rounds]
        return (
            tuple(sum(column) for column in zip(*gains, strict=True))
            if gains
            else (0,) * len(self.players)
        )

    def events(self) -> tuple[tuple[float, Event], ...]:
        """The evening as rules events with their times, beginning with `EveningBegun` at 0."""
        begun = EveningBegun(
            self.players, self.daydreamer, self.edition, len(self.deck), self.handling
        )
        return ((0.0, begun), *(event for line in self.rounds for event in line.events()))

    def as_json(self) -> dict[str, object]:
        """The evening in the shape of `companion score --json`, without confidences and questions."""
        return {
            "players": list(self.players),
            "edition": self.edition,
            "rounds": [self._round_json(line) for line in self.rounds],
            "totals": dict(zip(self.players, self.totals, strict=True)),
        }

    def _round_json(self, line: RoundTruth) -> dict[str, object]:
        name = self.players.__getitem__
        gains = zip(self.players, line.gains(len(self.players)), strict=True)
        guesses = [
            {"spectator": name(g.seat), "card": g.card, "right": g.right, "at_s": round(g.at_s, 2)}
            for g in line.guesses
        ]
        return {
            "round": line.number,
            "daydreamer": name(line.daydreamer),
            "lookout": name(line.lookout),
            "cards": list(line.cards),
            "guesses": guesses,
            "gains": {who: n for who, n in gains if n},
            "dealt_s": round(line.dealt_s, 2),
            "ended_s": round(line.ended_s, 2),
        }
