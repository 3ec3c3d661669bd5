"""One round as an immutable position: what may happen next, and who gets which cards.

Knows seats and card numbers; no names, no log, no deck. Illegal play is a `Refusal` value, never an
exception: people do that.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from companion.game.events import Card, Source
from companion.game.seats import (
    FEWEST_CARDS,
    Circle,
    attempts,
    guess_order,
    lookout_of,
    spectators_of,
)

Ending = Literal["open", "claimed", "lookout", "void"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something cannot be: a stable `reason` key for the catalogues, and what the sentence
    needs."""

    reason: str
    params: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guess:
    """One Spectator's guess, with where the knowledge came from and when."""

    seat: int
    card: Card
    right: bool
    source: Source = "person"
    at_s: float = 0.0
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Round:
    """A round from the moment its cards lie face up; `spectators` in guessing order (clockwise from
    the Daydreamer's left)."""

    number: int
    daydreamer: int
    lookout: int
    spectators: tuple[int, ...]
    cards: tuple[Card, ...]
    guesses: tuple[Guess, ...] = ()
    voided: Literal["out", "back"] | None = None
    voided_by: Source | None = None
    name: str | None = None
    corrected: bool = False
    dealt_by: Source = "person"
    dealt_at_s: float = 0.0
    ended_at_s: float | None = None
    last_entry: int = 0
    """The newest log entry that shaped this round."""

    @property
    def circle(self) -> Circle:
        """The seats of this round, clockwise from the Daydreamer."""
        return (self.daydreamer, *self.spectators, self.lookout)

    @property
    def attempts(self) -> int:
        """How many guesses this round allows."""
        return attempts(len(self.cards))

    @property
    def wrong_count(self) -> int:
        """How many guesses were wrong so far."""
        return sum(not guess.right for guess in self.guesses)

    @property
    def ending(self) -> Ending:
        """How the round ended: "open" while it has not."""
        if self.voided:
            return "void"
        if self.guesses and self.guesses[-1].right:
            return "claimed"
        return "lookout" if self.wrong_count == self.attempts else "open"

    @property
    def attempt(self) -> int | None:
        """Which attempt is next (1-based), or None when the round is over."""
        return self.wrong_count + 1 if self.ending == "open" else None

    @property
    def turn(self) -> int | None:
        """The seat whose guess it is, or None when the round is over."""
        return (
            guess_order(self.spectators, len(self.cards))[self.wrong_count]
            if self.ending == "open"
            else None
        )

    @property
    def claimer(self) -> int | None:
        """The seat that guessed right, or None."""
        return self.guesses[-1].seat if self.ending == "claimed" else None

    @property
    def set_aside(self) -> tuple[Card, ...]:
        """The wrongly guessed cards in the order of the guesses: pending while the round is open."""
        return tuple(guess.card for guess in self.guesses if not guess.right)

    @property
    def known_cards(self) -> tuple[Card, ...]:
        """The deal with every number the guesses added to cards that lay there unread."""
        cards = list(self.cards)
        for guess in self.guesses:
            if guess.card is not None and guess.card not in cards and None in cards:
                cards[cards.index(None)] = guess.card
        return tuple(cards)

    @property
    def lying(self) -> tuple[Card, ...]:
        """The cards of the deal not known to be set aside; `lying_count` is exact where a set-aside
        card has no number."""
        gone = set(self.set_aside) - {None}
        return tuple(card for card in self.known_cards if card not in gone)

    @property
    def lying_count(self) -> int:
        """How many cards lie in the middle: none once the round is over."""
        return len(self.cards) - self.wrong_count if self.ending == "open" else 0

    @property
    def shares(self) -> dict[int, tuple[Card, ...]]:
        """Which cards each seat gains, None for a card whose number is not known; empty while open
        and when void."""
        if self.ending == "lookout":
            return {self.lookout: self.known_cards}
        if self.claimer is None:
            return {}
        return {self.daydreamer: self.set_aside, self.claimer: self._claimed_cards()}

    def _claimed_cards(self) -> tuple[Card, ...]:
        count = len(self.cards) - self.wrong_count
        if len(self.lying) == count:
            return self.lying
        known = tuple(
            guess.card for guess in self.guesses if guess.right and guess.card is not None
        )
        return known + (None,) * (count - len(known))

    def refuse_guess(self, card: Card) -> Refusal | None:
        """Why the next guess cannot be `card`, or None when it can."""
        if self.ending != "open":
            return Refusal("round_over", {"round": self.number})
        if card is None:
            return None
        if card in self.set_aside:
            return Refusal("card_set_aside", {"round": self.number, "card": card})
        if card not in self.known_cards and None not in self.known_cards:
            return Refusal("card_not_in_round", {"round": self.number, "card": card})
        return None

    def guess(
        self,
        right: bool,
        card: Card = None,
        source: Source = "person",
        at_s: float = 0.0,
        confidence: float = 1.0,
    ) -> Round | Refusal:
        """The round after the next Spectator's guess; a Refusal when the round is over or the card
        does not lie there."""
        refused = self.refuse_guess(card)
        if refused is not None or self.turn is None:
            return refused or Refusal("round_over", {"round": self.number})
        return replace(
            self, guesses=(*self.guesses, Guess(self.turn, card, right, source, at_s, confidence))
        )


def deal_round(
    number: int, daydreamer: int, circle: Circle, cards: tuple[Card, ...]
) -> Round | Refusal:
    """A fresh round with these cards face up; a Refusal for fewer than three cards or a number
    twice."""
    if len(cards) < FEWEST_CARDS:
        return Refusal("too_few_cards", {"round": number, "cards": len(cards)})
    known = [card for card in cards if card is not None]
    twice = next((card for card in known if known.count(card) > 1), None)
    if twice is not None:
        return Refusal("card_twice", {"round": number, "card": twice})
    return Round(
        number, daydreamer, lookout_of(daydreamer, circle), spectators_of(daydreamer, circle), cards
    )
