"""Which fresh cards lie at rest together in the middle, and whether they are a whole deal.

Knows readings, zones and how many cards a deal has.  Must not know rounds, players or points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.dealing.laid_model import LAID_MODEL
from companion.dealing.lying_cards import LyingCards, Together
from companion.dealing.met_cards import MetCards
from companion.dealing.other_things import OtherThings
from companion.dealing.surplus import Surplus
from companion.table.resting import REST_REACH, Placement, Rest
from companion.table.sighting import Glimpse, TableView
from companion.table.zones import Zone, zone_of


class Laid:
    """Follows the fresh cards lying in the middle, and says when they are a deal."""

    def __init__(self, expected: int, things: OtherThings | None = None) -> None:
        self.expected = expected
        self._things = things or OtherThings()
        self.table: TableView | None = None
        self.went: frozenset[int] = frozenset()
        """The cards that had come to lie, if nearly a whole deal, when the middle was last found
        empty: a round that nobody saw whole, should others be dealt next."""
        self._middle = LyingCards()
        self._in_tray: dict[int, Rest] = {}
        self._met = MetCards()
        self._together = Together()
        self._hurry = False
        self._surplus = Surplus()
        self._now_s: float | None = None
        self._interval_s = 0.1

    @property
    def lying(self) -> frozenset[int]:
        """The fresh cards that lie at rest in the middle now."""
        return self._together.cards

    @property
    def at_rest(self) -> tuple[Placement, ...]:
        """Where exactly these cards lie."""
        return tuple(self._middle.placements(self.lying))

    @property
    def steady_s(self) -> float:
        """For how long exactly these cards have lain."""
        return (self._now_s or 0.0) - self._together.since_s

    @property
    def whole(self) -> bool:
        """True when exactly the expected number has lain together long enough, a quick first guess
        counted in."""
        surplus = self._was_surplus
        if self._surplus.unsure:
            return False
        if surplus and not self._middle.read_within(self.lying, LAID_MODEL.fresh_s):
            return False
        guessed = self._guessed_at_once()
        if len(self.lying) == self.expected and not guessed:
            needed_s = LAID_MODEL.hurry_s if self._hurry else LAID_MODEL.together_s
            return self.steady_s >= needed_s - 1e-6
        if guessed:
            all_there = len(self.lying.union(p.card for p in guessed)) == self.expected
            return all_there and self.steady_s >= LAID_MODEL.together_s
        glimpsed = (
            len(self.lying) == self.expected - 1
            and self.steady_s >= LAID_MODEL.glimpsed_s
            and self._glimpsed() is not None
        )
        return glimpsed or self.late

    @property
    def late(self) -> bool:
        """True when every card was seen although never all together, and some are gone by now."""
        unhurried = self.steady_s >= LAID_MODEL.late_s and len(self.lying) == self.expected - 1
        if (
            not self.lying
            or self._was_surplus
            or not (unhurried or self._together.falls >= LAID_MODEL.late_falls)
        ):
            return False
        seen = [p.card for p in self._seen_lately()]
        return len(seen) == self.expected and not self.lying.union(self._in_tray).issuperset(seen)

    def beside_deal(self) -> frozenset[int]:
        """What lies without a name beside a whole deal that is being played: a guess is in the tray
        already; or nobody has taken one back for long (each is still read, for something may lie where
        one was), and it was not laid between two of the others."""
        guessed = {placement.card for placement in self._guessed_at_once()}
        lie = self._things.without_name(self.lying) - guessed
        deal = (self.lying - lie) | guessed
        if not guessed:
            lie -= self._things.dealt_among(self.at_rest)
        since_s = (self._now_s or 0.0) - LAID_MODEL.fresh_s
        long = self.steady_s >= LAID_MODEL.beside_deal_s
        played = bool(guessed) or (long and self._middle.read_since(deal, since_s))
        return lie if played and len(deal) == self.expected else frozenset()

    def leave_out(self, cards: frozenset[int]) -> None:
        """These that lie there are no cards."""
        if not cards:
            return
        for card in cards:
            self._middle.forget_card(card)
        self._met.forget_cards(cards)
        self._together = replace(self._together, cards=self.lying - cards)
        self._surplus.unsure = False

    def placements(self) -> tuple[Placement, ...]:
        """The lying cards where they came to rest, in the order in which they were first read
        there; where some are missing, also those that were guessed at once and rest in the tray, in
        the order of the guesses."""
        row = sorted(self._middle.placements(self.lying), key=lambda p: (p.since_s, p.card))
        if len(row) >= self.expected:
            return tuple(row)
        if self.late:
            return tuple(self._seen_lately())
        quick = self._guessed_at_once()
        glimpsed = self._glimpsed()
        if quick:
            in_tray = {placement.card for placement in quick}
            return (*(p for p in row if p.card not in in_tray), *quick)
        return (*row,) if glimpsed is None else (*row, glimpsed)

    def forget_deal(self) -> None:
        """Forget every card, but for those without a name that were dealt among the others: one too many
        may follow."""
        self._things.deal_ends(self.at_rest)
        self._middle.forget_all()
        self._in_tray.clear()
        self._met.forget_met()
        self.went = frozenset()
        self._together = self._together.forgotten()
        self._surplus = Surplus()
        self._hurry = False

    def observe_glimpse(self, glimpse: Glimpse, is_fresh: Callable[[int], bool]) -> None:
        """Take one usable glimpse."""
        dt_s = self._advance(glimpse)
        read = set()
        self._hurry = False
        for sighting in glimpse.sightings:
            if is_fresh(sighting.card):
                self._read_card(sighting.card, glimpse.t_s, sighting.centre_mm)
                read.add(sighting.card)
        self._forget_silent_in_tray(glimpse.t_s)
        self._middle.note_unread(glimpse, dt_s, read)
        surplus = self._middle.settled_count() > self.expected or self._was_surplus
        self._follow_lying(self._middle.lying(is_fresh, surplus), glimpse.t_s)
        all_read = self._middle.read_within(self.lying, LAID_MODEL.just_read_s)
        self._surplus.watch_tray(glimpse.tray, all_read, self.steady_s)
        self._met.forget_old(glimpse.t_s, is_fresh)

    def _follow_lying(self, lying: frozenset[int], t_s: float) -> None:
        """These cards lie at rest in the middle now."""
        gone = self.lying - lying
        nameless = self._things.without_name(gone | lying)
        too_many = len(lying) > self.expected
        self._surplus.follow_lying(too_many, bool(gone - nameless), bool(lying & nameless), t_s)
        if gone and self._was_surplus:
            elsewhere = (card for card in gone if card not in self._in_tray)
            self._met.forget_surplus(elsewhere, self.expected)
        if gone and not lying:
            seen = frozenset(p.card for p in self._seen_lately())
            self.went = seen if len(seen) >= self.expected - 1 else self.went
        self._together = self._together.followed_by(lying, t_s)

    def _advance(self, glimpse: Glimpse) -> float:
        dt_s = 0.0 if self._now_s is None else max(0.0, glimpse.t_s - self._now_s)
        self._now_s = glimpse.t_s
        if 0.0 < dt_s < 2.0:
            self._interval_s += 0.1 * (dt_s - self._interval_s)
        if glimpse.table is not None:
            self.table = glimpse.table
        return min(dt_s, 1.0)

    def _zone(self, card: int, centre_mm: tuple[float, float]) -> Zone:
        """Where it is read; without tokens one that was taken is at the edge, others in the middle."""
        if self.table is not None:
            return zone_of(centre_mm, self.table)
        return Zone.EDGE if self._met.is_taken(card, centre_mm) else Zone.MIDDLE

    def _read_card(self, card: int, t_s: float, centre_mm: tuple[float, float]) -> None:
        zone = self._zone(card, centre_mm)
        if zone is Zone.MIDDLE:
            self._in_tray.pop(card, None)
            slow = self._interval_s >= LAID_MODEL.slow_interval_s
            needed = LAID_MODEL.readings - 1 if slow else LAID_MODEL.readings
            self._met.note_met(self._middle.read_card(card, t_s, centre_mm, needed))
            return
        self._read_outside(card)
        if zone is Zone.TRAY:
            rest = self._in_tray.setdefault(card, Rest(card, REST_REACH.dealt_mm))
            rest.add_reading(t_s, centre_mm)

    def _read_outside(self, card: int) -> None:
        """A card that lay with all the others and is read outside the middle now is a quick first
        guess."""
        all_lay = len(self.lying) == self.expected and self.steady_s >= LAID_MODEL.hurry_s
        if card in self.lying and all_lay:
            self._hurry = True
        else:
            self._middle.forget_card(card)

    def _forget_silent_in_tray(self, t_s: float) -> None:
        self._in_tray = {
            card: rest
            for card, rest in self._in_tray.items()
            if t_s - rest.seen_s <= LAID_MODEL.tray_silence_s
        }

    @property
    def _was_surplus(self) -> bool:
        """True while more cards than a deal has lie, or lay a moment ago."""
        return self._surplus.lately(self._now_s or 0.0)

    def _seen_lately(self) -> list[Placement]:
        """The cards that came to rest in the middle or the tray since it was last empty, in that
        order."""
        laid = [
            self._middle.settled(card) or self._met.placement(card) for card in self.lying
        ]  # read outside by now: only met
        first_s = min((p.since_s for p in laid if p is not None), default=self._now_s or 0.0)
        early_s = first_s - LAID_MODEL.deal_s  # what was not read since was of another deal
        seen = self._met.met_since(early_s, self.lying)
        for card, rest in self._in_tray.items():
            if self._rests_in_tray(rest) and rest.since_s > first_s:
                seen[card] = rest.placement()
        return sorted(seen.values(), key=lambda p: (p.since_s, p.card))

    def _glimpsed(self) -> Placement | None:
        """The one card that was read in the middle a moment ago, at rest but too briefly to have
        settled."""
        return self._middle.read_briefly(self._now_s or 0.0)

    def _guessed_at_once(self) -> list[Placement]:
        """The cards that came to rest in the tray after others had been laid, before all could be
        read in the middle."""
        rests = [rest for rest in self._in_tray.values() if self._rests_in_tray(rest)]
        first_s = min((rest.since_s for rest in rests), default=0.0)
        before = any(p.since_s < first_s for p in self._middle.placements(self.lying))
        if 2 * len(rests) > self.expected or not before:
            return []
        return sorted((rest.placement() for rest in rests), key=lambda p: p.since_s)

    @staticmethod
    def _rests_in_tray(rest: Rest) -> bool:
        return rest.rests(LAID_MODEL.readings, LAID_MODEL.in_tray_s)
