"""Waiting for the deal: have exactly N fresh cards come to lie together in the middle?

Knows readings before a round.  Must not know what happens in it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, inf, radians, sin

from companion.dealing.laid import Laid
from companion.dealing.long_pause import LongPause
from companion.table.sighting import Glimpse, Point
from companion.table.zones import Zone, zone_of


@dataclass(frozen=True, slots=True)
class WaitingTimes:
    """What is waited for before a deal, in seconds. `round_s` and `between_s` were measured: the
    fastest of 240 rounds of the practice table took 15.2 s from its first card, and 29.3 s from the
    end of the one before to its own. The others were chosen."""

    kept_s: float = 4.0
    """Glimpses kept, so that a first guess made before the deal was recognised is weighed all the
    same."""
    hand_s: float = 1.2
    """A card that has just come to lie was dealt by the hands of so long before."""
    long_s: float = 6.0
    """Half of a deal that lay so long (some seconds pass before it is missed) was a round with the
    other half unread; a mis-deal is picked up sooner."""
    steady_s: float = 2.5
    """A wrong count that stays so long is said."""
    away_s: float = 4.0
    """A longer pause between two looks hides what people did meanwhile; the picture hunts, hangs or
    is covered for less."""
    round_s: float = 15.0
    """From its first card to its end a round takes as long at least."""
    between_s: float = 13.0
    """And so much longer from the end of the one before, or until the next one lies."""


WAITING = WaitingTimes()

MOST_SURE_HANDS = 3.0
"""A dealer reaches in once a card; more than so many hands' worth of certainty no deal gives."""

HAND_WEIGHT = 0.1
"""One hand in one glimpse counts for so much of a hand: ten a second make one (chosen)."""


class DealWatch:
    """Watches the middle for the next deal.

    Many attributes: five are what it tells of the deal just found, the others what it remembers of
    the wait (how many lay at most, how long nobody looked); each is one number.
    """

    def __init__(self, expected: int) -> None:
        self._laid = Laid(expected)
        self.recent: deque[Glimpse] = deque()
        self._unnamed = 0
        self._unnamed_since_s = 0.0
        self._now_s = 0.0
        self._east = 0.0
        self._north = 0.0
        self._most = 0
        self._most_s = 0.0
        self._away_s = 0.0
        self.pause = LongPause(WAITING.away_s)
        self._broken = False
        self._next_s = -inf
        self.taken_early = False
        self.missed = False
        self.short = False
        """One card of the deal just found was never read."""
        self.trusts_curtain = True
        """False until cards were seen to come and go here: the curtain's word of a round gone by
        unseen is of one before."""
        self.had_left: tuple[int, ...] = ()
        """The cards of the deal just found that had left already when it was recognised."""
        self.unread_s: dict[int, float] = {}
        """For how long each card of the deal just found had not been read by then."""

    @property
    def expected(self) -> int:
        """How many cards a deal has."""
        return self._laid.expected

    @expected.setter
    def expected(self, count: int) -> None:
        self._laid.expected = count

    @property
    def count(self) -> int:
        """How many fresh cards lie at rest, named or not."""
        return max(self._unnamed, len(self._laid.lying))

    @property
    def unexpected_count(self) -> bool:
        """True when another number than expected has lain for long enough to be said."""
        steady = self._now_s - self._unnamed_since_s if self._unnamed else self._laid.steady_s
        return self.count > 0 and self.count != self.expected and steady >= WAITING.steady_s

    @property
    def dealer_deg(self) -> tuple[float, float] | None:
        """From where the dealing hand came, and how surely (in hands seen); None when no hand was
        seen."""
        size = hypot(self._east, self._north)
        return (
            (degrees(atan2(self._east, self._north)), min(MOST_SURE_HANDS, size))
            if size > 0.5
            else None
        )

    def observe_glimpse(
        self, glimpse: Glimpse, is_fresh: Callable[[int], bool], playing: bool = False
    ) -> dict[int, Point] | None:
        """Take one usable glimpse: the places of the dealt cards when the deal is whole, else None.
        While a round is `playing`, what happens while nobody looks is that round's."""
        self._keep(glimpse)
        before = self.count
        away_s = self.pause.note_look(glimpse.t_s)
        if playing:
            self._next_s = glimpse.t_s + WAITING.between_s
        elif away_s:
            self._away_s += max(0.0, glimpse.t_s - max(self.pause.from_s, self._next_s))
            self._broken = self._broken or before > 0
        self._laid.observe_glimpse(glimpse, is_fresh)
        if glimpse.unnamed != self._unnamed:
            self._unnamed = glimpse.unnamed
            self._unnamed_since_s = glimpse.t_s
        if self.count > before:
            self._feel_hands(glimpse)
        deal = glimpse.deal
        self.short = deal is not None and deal.one_unread
        if deal is not None:
            self.missed = self.missed or (deal.after_missed_round and self.trusts_curtain)
            self.had_left = deal.had_left
            self.unread_s = deal.unread_s
            return {card: at for card, at in deal.places_mm.items() if is_fresh(card)} or None
        self._watch_early()
        if not self._laid.whole:
            return None
        found = {p.card: p.centre_mm for p in self._laid.placements()}
        self.unread_s = {p.card: glimpse.t_s - p.seen_s for p in self._laid.placements()}
        in_middle = [
            card for card, at in found.items() if zone_of(at, self._laid.table) is not Zone.TRAY
        ]
        self.had_left = tuple(card for card in in_middle if card not in self._laid.lying)
        return found

    def note_person(self, t_s: float | None) -> None:
        """A person spoke of a round at `t_s`: the next one is not dealt at once. None: nobody plays
        until the next look."""
        self.pause.note_person(t_s)
        self._next_s = self._next_s if t_s is None else t_s + WAITING.between_s

    def away_for_a_round(self, before_s: float) -> bool:
        """True when a whole round had time to go by unseen before the deal that lies now;
        `before_s`: for how long nobody looked while the round before it was played to its end."""
        laid_in_sight = self._now_s - self.pause.to_s > WAITING.steady_s
        hidden_s = self._away_s + max(0.0, before_s - WAITING.between_s)
        return hidden_s >= WAITING.round_s + (0.0 if laid_in_sight else WAITING.between_s)

    def places_lying_now(self) -> dict[int, Point]:
        """The cards that lie now, whatever their number."""
        return {p.card: p.centre_mm for p in self._laid.placements()}

    def note_withdrawn(self, cards: int) -> None:
        """So many cards that were taken for a whole deal lie there and are none: should they go
        before one is found, a round may have gone by unseen."""
        self._most = max(self._most, cards)

    def lain_since_s(self) -> float:
        """When the last card of a deal just found came to lie."""
        return max((p.since_s for p in self._laid.placements()), default=self._now_s)

    def await_next_deal(self) -> None:
        """Wait for another deal."""
        self._laid.forget_deal()
        self._unnamed = 0
        self._most = 0
        self._most_s = 0.0
        self._away_s = 0.0
        self.taken_early = False
        self.missed = False
        self._broken = False
        self.trusts_curtain = True
        self.had_left = ()
        self.unread_s = {}
        self._east = 0.0
        self._north = 0.0

    def _keep(self, glimpse: Glimpse) -> None:
        self._now_s = glimpse.t_s
        self.recent.append(glimpse)
        while glimpse.t_s - self.recent[0].t_s > WAITING.kept_s:
            self.recent.popleft()

    def _watch_early(self) -> None:
        """A card that leaves while fewer than all lie was taken too early; one too many taken back
        was not."""
        if self.count == 0 and (self._broken or self._most >= self._enough()):
            self.missed = True
        self.trusts_curtain = self.trusts_curtain or (self.count == 0 and self._most > 1)
        if self.count == 0 or self.count > self._most:
            self._most = self.count
            self._most_s = 0.0
            self.taken_early = False
        elif self.count == self._most and len(self.recent) > 1:
            self._most_s += self.recent[-1].t_s - self.recent[-2].t_s
        self.taken_early = self.count < self._most < self.expected

    def _enough(self) -> int:
        """So many cards that came and went make a round missed: all but one, or half of them when
        they lay long; two where nobody had looked for a while."""
        if self._away_s:
            return 2
        return (self.expected + 1) // 2 if self._most_s >= WAITING.long_s else self.expected - 1

    def _feel_hands(self, glimpse: Glimpse) -> None:
        """A card has just come to lie: the hands of the last moments dealt it."""
        for past in self.recent:
            if glimpse.t_s - past.t_s > WAITING.hand_s:
                continue
            for hand in past.hands:
                if hand.from_deg is not None:
                    self._east += HAND_WEIGHT * sin(radians(hand.from_deg))
                    self._north += HAND_WEIGHT * cos(radians(hand.from_deg))
