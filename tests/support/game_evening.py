"""An evening told event by event, for tests of the game and the journal."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.game.change import Changes, propose
from companion.game.events import (
    CardSetAside,
    CloudsClaimed,
    EveningBegun,
    Event,
    RoundDealt,
    Source,
)
from companion.game.ledger import Ledger
from companion.game.log import Log
from companion.game.rules import Refusal

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gerd", "Hana")


@dataclass
class Told:
    """A growing log; every act must fit unless the test asks for the Refusal."""

    log: Log = field(default_factory=Log)
    at_s: float = 0.0
    ledger: Ledger = field(default_factory=Ledger)

    def change(
        self, changes: Changes | Refusal, source: Source = "person", author: str | None = "Ada"
    ) -> Ledger:
        """The ledger after a change that fits."""
        assert isinstance(changes, Changes), changes
        self.at_s += 1.0
        proposal = propose(self.log, changes, self.at_s, source, author)
        assert not isinstance(proposal, Refusal), proposal
        self.log, self.ledger = proposal.log, proposal.ledger
        assert self.ledger.balanced, self.ledger.counts
        return self.ledger

    def enter(self, *events: Event, source: Source = "person") -> Ledger:
        """The ledger after these events, each an act of its own."""
        for event in events:
            self.change(Changes((event,)), source)
        return self.ledger

    def refused(self, *events: Event, source: Source = "person") -> Refusal:
        """The Refusal of one act with these events; the log stays as it was."""
        before = self.log
        proposal = propose(self.log, Changes(events), self.at_s, source)
        assert isinstance(proposal, Refusal), "it was accepted"
        assert self.log == before
        return proposal

    def play(self, cards: tuple[int | None, ...], wrong: int, source: Source = "person") -> Ledger:
        """A whole round: the first `wrong` cards are guessed wrong; with attempts left, the next
        one is right."""
        number = self.ledger.next_number
        self.enter(RoundDealt(number, cards), source=source)
        for attempt in range(1, wrong + 1):
            self.enter(CardSetAside(number, attempt, cards[attempt - 1]), source=source)
        if wrong < len(cards) - 2:
            self.enter(CloudsClaimed(number, wrong + 1, cards[wrong]), source=source)
        return self.ledger

    def next_cards(self) -> tuple[int, ...]:
        """The lowest card numbers not seen yet, as many as the next deal takes."""
        free = (card for card in range(1, 1000) if card not in self.ledger.seen)
        return tuple(next(free) for _ in range(self.ledger.draw))


def begun(players: int = 5, daydreamer: int = 0, deck_size: int = 80) -> Told:
    """An evening that just began."""
    told = Told()
    told.enter(EveningBegun(NAMES[:players], daydreamer, "en", deck_size))
    return told
