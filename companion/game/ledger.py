"""What the log adds up to: players, rounds, piles, and where the evening stands.

An immutable value with plain fields and cheap derived ones. Knows no log and no disk: `fold` makes
it. Totals count finished rounds only; what an open round has set aside is pending and shown by the
round itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.game.events import Card, Edition, Handling
from companion.game.rules import Round
from companion.game.seats import Circle, attempts, deal_size, lookout_of, spectators_of

Phase = Literal["setup", "secret", "guessing", "result", "over", "paused"]


@dataclass(frozen=True, slots=True)
class Player:
    """One line of the standings: the seat number is the person's for the evening; `away` once they
    left the circle."""

    seat: int
    name: str
    cards: int
    away: bool


@dataclass(frozen=True, slots=True)
class Roles:
    """Who does what in one round, and how much is drawn."""

    number: int
    daydreamer: int
    lookout: int
    spectators: tuple[int, ...]
    draw: int
    attempts: int


@dataclass(frozen=True, slots=True)
class DealtBack:
    """A leaver's pile went back into the deck before `round`."""

    seat: int
    round: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The evening so far. `names` by seat number; `circle` = the seats that play from the next deal
    on, clockwise.

    Its many properties are derived from these fields and hold nothing: a screen asks the ledger, and
    computes nothing of its own.
    """

    names: tuple[str, ...] = ()
    circle: Circle = ()
    next_daydreamer: int = 0
    edition: Edition = "en"
    handling: Handling = "auto"
    deck_size: int = 80
    learnt_deck: str = ""
    missing: tuple[Card, ...] = ()
    deck_left: int = 0
    rounds: tuple[Round, ...] = ()
    dealt_back: tuple[DealtBack, ...] = ()
    awaited: int = 0
    """The round whose result screen was left, so that the next one is being drawn."""
    upcoming_name: str | None = None
    paused: bool = False
    ended: bool = False

    @property
    def begun(self) -> bool:
        """True once players sat down."""
        return bool(self.names)

    @property
    def open_round(self) -> Round | None:
        """The round being guessed, or None."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].ending == "open" else None

    @property
    def last_round(self) -> Round | None:
        """The last round that ended, or None."""
        done = self.finished
        return done[-1] if done else None

    @property
    def finished(self) -> tuple[Round, ...]:
        """The rounds that ended, void ones included."""
        return self.rounds[:-1] if self.open_round else self.rounds

    @property
    def next_number(self) -> int:
        """The number the next deal gets."""
        return len(self.rounds) + 1

    @property
    def piles(self) -> tuple[tuple[Card, ...], ...]:
        """The cards each seat owns, in the order they were gained; None for a card whose number
        nobody knows."""
        piles: list[list[Card]] = [[] for _ in self.names]
        since = {back.seat: back.round for back in sorted(self.dealt_back, key=lambda b: b.round)}
        for round_ in self.rounds:
            for seat, cards in round_.shares.items():
                if round_.number >= since.get(seat, 0):
                    piles[seat] += cards
        return tuple(map(tuple, piles))

    @property
    def totals(self) -> tuple[int, ...]:
        """How many cards each seat owns: finished rounds only."""
        return tuple(len(pile) for pile in self.piles)

    def gains(self, round_: Round) -> tuple[int, ...]:
        """How many cards each seat gains from one round; all zero while it is open and when it is
        void."""
        return tuple(len(round_.shares.get(seat, ())) for seat in range(len(self.names)))

    @property
    def seats_now(self) -> Circle:
        """Who plays the current round, clockwise from the smallest seat: changes wait for the next
        deal."""
        circle = self.open_round.circle if self.open_round else self.circle
        at = circle.index(min(circle)) if circle else 0
        return circle[at:] + circle[:at]

    @property
    def sat(self) -> frozenset[int]:
        """The seats that were dealt a round, be it open or void."""
        return frozenset(seat for round_ in self.rounds for seat in round_.circle)

    @property
    def players(self) -> tuple[Player, ...]:
        """The standings: who plays the current round, clockwise, then who is away."""
        here, totals = self.seats_now, self.totals
        away = tuple(seat for seat in range(len(self.names)) if seat not in here)
        return tuple(
            Player(seat, self.names[seat], totals[seat], seat in away) for seat in here + away
        )

    @property
    def draw(self) -> int:
        """How many cards the next deal takes."""
        return deal_size(len(self.circle))

    @property
    def more(self) -> int:
        """How many rounds can still be played after the current one (open, being drawn, or just
        ended)."""
        if not self.begun or self.ended:
            return 0
        full = self.deck_left // self.draw
        return full - 1 if full and self.phase_ignoring_pause == "secret" else full

    @property
    def of(self) -> int:
        """How many rounds the evening has in all, as things stand."""
        return self.current_number + self.more

    @property
    def current_number(self) -> int:
        """The round that is open or being drawn; else the last one that ended. One that was open when the
        table ended the game is none of it."""
        if self.over:
            return len(self.finished)
        return self.next_number if self.phase_ignoring_pause == "secret" else len(self.rounds)

    @property
    def leftover(self) -> int:
        """How many cards stay in the deck when the game is over."""
        return self.deck_left if self.ended else self.deck_left % self.draw if self.begun else 0

    @property
    def over(self) -> bool:
        """True when no round is open and the deck does not hold enough cards for another, or the
        table ended the game."""
        return self.begun and (
            self.ended or (self.open_round is None and self.deck_left < self.draw)
        )

    @property
    def phase_ignoring_pause(self) -> Phase:
        """Where the evening stands, pause or not."""
        if not self.begun:
            return "setup"
        if self.over:
            return "over"
        if self.open_round:
            return "guessing"
        return "secret" if not self.rounds or self.awaited > len(self.rounds) else "result"

    @property
    def phase(self) -> Phase:
        """Where the evening stands: setup, secret, guessing, result, over or paused."""
        return "paused" if self.paused and not self.over else self.phase_ignoring_pause

    @property
    def current(self) -> Round | None:
        """The round a screen shows: the open one, or after its end the last one; None while the
        next is being drawn."""
        return None if self.phase_ignoring_pause == "secret" or not self.rounds else self.rounds[-1]

    @property
    def roles(self) -> Roles | None:
        """Roles and counts of the current round; before a deal, those of the round being drawn.
        None before the evening."""
        if self.current is not None:
            now = self.current
            return Roles(
                now.number,
                now.daydreamer,
                now.lookout,
                now.spectators,
                len(now.cards),
                now.attempts,
            )
        return self.next_roles

    @property
    def next_roles(self) -> Roles | None:
        """Roles and counts of the next deal; None before the evening."""
        if not self.begun:
            return None
        first = self.next_daydreamer
        lookout, spectators = lookout_of(first, self.circle), spectators_of(first, self.circle)
        return Roles(self.next_number, first, lookout, spectators, self.draw, attempts(self.draw))

    @property
    def deck_tonight(self) -> int:
        """How many cards there are tonight: the deck without those that are known to be missing."""
        return self.deck_size - len(self.missing)

    @property
    def counts(self) -> dict[str, int]:
        """Where the cards are, counted each by itself: piles, middle, set aside, deck, missing and out
        (void rounds)."""
        now = self.open_round
        return {
            "piles": sum(self.totals),
            "middle": now.lying_count if now else 0,
            "set_aside": len(now.set_aside) if now else 0,
            "deck": self.deck_left,
            "missing": len(self.missing),
            "out": sum(len(round_.cards) for round_ in self.rounds if round_.voided == "out"),
        }

    @property
    def balanced(self) -> bool:
        """True when every card of the deck is somewhere, exactly once."""
        return self.deck_left >= 0 and sum(self.counts.values()) == self.deck_size

    @property
    def seen(self) -> frozenset[int]:
        """The card numbers that cannot be dealt again: won, on the table, out of the game, or
        missing."""
        gone: set[Card] = set(self.missing)
        for round_ in self.rounds:
            gone -= self._back_before(round_.number)
            if round_.voided != "back":
                gone.update(round_.known_cards)
        gone -= self._back_before(self.next_number)
        return frozenset(card for card in gone if card is not None)

    def _back_before(self, number: int) -> set[Card]:
        return {card for back in self.dealt_back if back.round == number for card in back.cards}

    @property
    def winners(self) -> tuple[int, ...] | None:
        """The seats with most cards once the game is over (several when they tie, none where nobody won a
        card); None before."""
        if not self.over:
            return None
        most = max(self.totals)
        won = (player.seat for player in self.players if player.cards == most > 0)
        return tuple(sorted(won))
