"""Waiting for the deal: how many cards lie there meanwhile, and what that means.

Knows how many fresh cards lie face up, and the deals that the curtain finds. Must not know which
cards, nor what happens in a round.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from companion.dealing.dealer_hands import DealerHands
from companion.dealing.long_pause import ROUND_TIMES, UnwatchedTime
from companion.table.sighting import Glimpse


@dataclass(frozen=True, slots=True)
class WaitingTimes:
    """What is waited for before a deal, in seconds; all were chosen."""

    long_s: float = 6.0
    """Half of a deal that lay so long (some seconds pass before it is missed) was a round with the
    other half unread; a mis-deal is picked up sooner."""
    steady_s: float = 2.5
    """One too many that stays so long is said."""
    short_s: float = 4.0
    """Too few that stay so long are said: who deals slowly looks at the next card meanwhile."""


WAITING = WaitingTimes()


class MostLying:
    """The most cards that have lain together since the middle was last empty, and for how long."""

    def __init__(self) -> None:
        self.count = 0
        self.lain_s = 0.0

    def follow_count(self, count: int, dt_s: float) -> None:
        """So many lie now, `dt_s` after the look before."""
        if count == 0 or count > self.count:
            self.count = count
            self.lain_s = 0.0
        elif count == self.count and dt_s <= ROUND_TIMES.away_s:
            self.lain_s += dt_s

    def was_nearly_a_deal(self, expected: int, unwatched: bool) -> bool:
        """True when so many, come and gone, make a round: all but one, or half of them when they lay
        long; two where nobody had looked for a while."""
        if unwatched:
            return self.count >= 2
        half = (expected + 1) // 2
        return self.count >= (half if self.lain_s >= WAITING.long_s else expected - 1)


class DealWatch:
    """Watches the middle while the next deal is waited for."""

    def __init__(self, expected: int) -> None:
        self.expected = expected
        """How many cards a deal has."""
        self.count = 0
        """How many fresh cards lie at rest."""
        self._count_since_s = 0.0
        self._now_s = -inf
        self._most = MostLying()
        self._dealer = DealerHands()
        self._unwatched = UnwatchedTime()
        self._lay_unwatched = False
        """Cards lay there when a long pause began."""
        self.taken_early = False
        """A card was taken before all lay."""
        self.missed = False
        """A round seems to have gone by unseen."""
        self.trusts_curtain = True
        """False until cards were seen to come and go here: the curtain's word of a round gone by
        unseen is of one before."""

    @property
    def unexpected_count(self) -> bool:
        """True when another number than expected has lain for long enough to be said."""
        short = self.count < self.expected
        said_after_s = WAITING.short_s if short else WAITING.steady_s
        steady_s = self._now_s - self._count_since_s
        return 0 != self.count != self.expected and steady_s >= said_after_s

    @property
    def dealer_deg(self) -> tuple[float, float] | None:
        """From where the dealing hand came, and how surely (in hands seen); None when no hand was
        seen."""
        return self._dealer.direction

    def observe_glimpse(self, glimpse: Glimpse, playing: bool = False) -> None:
        """Take one usable glimpse. While a round is `playing`, what happens while nobody looks is
        that round's."""
        before = self.count
        dt_s = glimpse.t_s - self._now_s
        self._now_s = glimpse.t_s
        self._dealer.keep_hands(glimpse)
        if self._unwatched.note_look(glimpse.t_s, playing):
            self._lay_unwatched = self._lay_unwatched or before > 0
        if glimpse.unnamed != before:
            self.count = glimpse.unnamed
            self._count_since_s = glimpse.t_s
        if self.count > before:
            self._dealer.count_dealing_hands()
        if glimpse.deal is not None:
            self.missed = self.missed or (glimpse.deal.after_missed_round and self.trusts_curtain)
        else:
            self._follow_count(dt_s)

    def note_person(self, t_s: float | None) -> None:
        """A person spoke of a round at `t_s`: the next one is not dealt at once. None: nobody plays
        until the next look."""
        self._unwatched.note_person(t_s)

    def note_last_look(self, t_s: float, entered_s: float) -> None:
        """Before this watch the table was watched until `t_s` or later, and a round played until
        `entered_s` at least."""
        self._unwatched.note_look(entered_s, playing=True)
        self._unwatched.pause.note_person(t_s)

    def most_rounds_unseen(self, before_s: float) -> int:
        """How many whole rounds had time to go by unseen before the deal that lies now; `before_s`: for how long nobody looked while the round before it was played to its end."""
        laid_in_sight = self._now_s - self._unwatched.pause.to_s > WAITING.steady_s
        return self._unwatched.most_rounds(before_s, laid_in_sight)

    def note_withdrawn(self, cards: int) -> None:
        """So many cards that were taken for a whole deal lie there and are none: should they go
        before one is found, a round may have gone by unseen."""
        self._most.count = max(self._most.count, cards)

    def await_next_deal(self) -> None:
        """Wait for another deal."""
        self.count = 0
        self._most = MostLying()
        self._dealer.forget_dealer()
        self._unwatched.forget_unwatched()
        self._lay_unwatched = False
        self.taken_early = False
        self.missed = False
        self.trusts_curtain = True

    def _follow_count(self, dt_s: float) -> None:
        """A card that leaves while fewer than all lie was taken too early; one too many taken back
        was not. What is one too many may stay when a whole round has gone."""
        most = self._most
        if self.count == 0 or most.count - self.count >= self.expected:
            unwatched = self._unwatched.away_s > 0.0
            self.missed = (
                self.missed
                or self._lay_unwatched
                or most.was_nearly_a_deal(self.expected, unwatched)
            )
            self.trusts_curtain = self.trusts_curtain or most.count > 1
        most.follow_count(self.count, dt_s)
        self.taken_early = self.count < most.count < self.expected
