"""Which fresh cards lie at rest together in the middle, and whether they are a whole deal.

Knows readings, zones and how many cards a deal has.  Must not know rounds, players or points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.table.resting import REST_REACH, Placement, Rest
from companion.table.sighting import Glimpse, PlaceReport, PlaceState, Point, TableView
from companion.table.zones import Zone, distance_mm, nearest_mm, zone_of


@dataclass(frozen=True, slots=True)
class LaidModel:
    """What has to lie how long before it counts as dealt.

    Fitted on 18,009 simulated rounds (`tests/benchmarks/referee.py`): with these 0 to 0.35 % of
    their starts were missed, by handling and temper. Where a field says otherwise it was chosen, or
    came from the incident it names.
    """

    readings: int = 3
    span_s: float = 0.3
    """A card lies when it was read so often over so long."""
    together_s: float = 0.7
    """A deal is whole when all have lain together for so long."""
    slow_interval_s: float = 0.25
    """Above this frame interval two readings do: three would take longer than a quick first guess."""
    hurry_s: float = 0.25
    """A whole deal of which a card already goes to the tray needs to have lain only so long: the
    first guess was quick."""
    silence_s: float = 3.0
    """A card not read for so long, with no hand over it and nothing else in its place, no longer
    lies there."""
    silence_hidden_s: float = 10.0
    """Silence under a hand does not count; after so long the card is forgotten all the same."""
    hand_reach_mm: float = 130.0
    """A hand whose tip is nearer hides a card."""
    report_mm: float = 45.0
    """A place report from further away is about another place."""
    silence_surplus_s: float = 2.2
    """The silence that counts while more cards than expected lie: one too many is soon taken back,
    and a guess may follow at once."""
    bare_s: float = 0.25
    """With one too many on the table, a card whose place shows the bare table for so long, no hand
    being over it, was taken back; without a report it takes the silence above."""
    surplus_kept_s: float = 5.0
    fresh_s: float = 0.8
    """One too many lay so long ago: until then a deal counts as whole only when each of its cards
    was read so lately, for the one taken back and a quick first guess leave at the same moment
    (the benchmark's incident "extra")."""
    in_tray_s: float = 0.2
    """The last card laid may go to the tray before it was ever read in the middle: it must have
    rested there so long."""
    tray_silence_s: float = 30.0
    """In the tray one card covers another: a card once read at rest there is believed for so long."""
    glimpsed_s: float = 1.5
    glimpsed_span_s: float = 0.08
    glimpsed_ago_s: float = 4.0
    """With all the others lying so long, a card read twice over so long, so long ago, was dealt and
    taken at once."""
    late_s: float = 2.0
    late_falls: int = 2
    late_kept_s: float = 20.0
    """All were seen in the last seconds but never together: they were dealt, once the rest has lain
    for so long or so many have left with none coming (a claim a second after the deal, markers
    unread meanwhile)."""
    deal_s: float = 4.0
    """The first card of a deal is laid so long before the second comes to rest, at most: one read
    last before that lay there in a round that nobody saw whole."""
    twice_s: float = 3.0
    """Two readings of one number within so long are no misreading, wherever they were."""
    taken_mm: float = 150.0
    """Without tokens: a card so far from its place and from all others lies in a pile of taken ones,
    and stays one of them."""


LAID_MODEL = LaidModel()
NOWHERE_MM = (1e6, 1e6)


class Laid:
    """Follows the fresh cards lying in the middle.

    Many attributes: a card may be lying, glimpsed, silent, bare, in the tray or taken, and each of
    these is kept by card in a dictionary of its own.
    """

    def __init__(self, expected: int) -> None:
        self.expected = expected
        self.table: TableView | None = None
        self._rests: dict[int, Rest] = {}
        self._settled: dict[int, Placement] = {}
        self._in_tray: dict[int, Rest] = {}
        self._hurry = False
        self._surplus_s = -LAID_MODEL.surplus_kept_s
        self._met: dict[int, Placement] = {}
        self._falls = 0
        self._silent_s: dict[int, float] = {}
        self._bare_s: dict[int, float] = {}
        self._taken: dict[int, Point] = {}
        self._lying: frozenset[int] = frozenset()
        self.went: frozenset[int] = frozenset()
        """The cards that had come to lie, if nearly a whole deal, when the middle was last found
        empty: a round that nobody saw whole, should others be dealt next."""
        self._since_s = 0.0
        self._now_s: float | None = None
        self._interval_s = 0.1

    @property
    def lying(self) -> frozenset[int]:
        """The fresh cards that lie at rest in the middle now."""
        return self._lying

    @property
    def at_rest(self) -> tuple[Placement, ...]:
        """Where exactly these cards lie."""
        return tuple(self._settled[card] for card in self._lying)

    @property
    def whole(self) -> bool:
        """True when exactly the expected number has lain together long enough, a quick first guess
        counted in."""
        if self._was_surplus and not self._all_fresh():
            return False
        if len(self._lying) == self.expected and not (
            self._was_surplus and self._guessed_at_once()
        ):
            return (
                self.steady_s
                >= (LAID_MODEL.hurry_s if self._hurry else LAID_MODEL.together_s) - 1e-6
            )
        guessed = self._guessed_at_once()
        if guessed:
            return (
                len(self._lying) + len(guessed) == self.expected
                and self.steady_s >= LAID_MODEL.together_s
            )
        glimpsed = (
            len(self._lying) == self.expected - 1
            and self.steady_s >= LAID_MODEL.glimpsed_s
            and self._glimpsed() is not None
        )
        return glimpsed or self.late

    @property
    def _was_surplus(self) -> bool:
        """True while more cards than a deal has lie, or lay a moment ago."""
        return (self._now_s or 0.0) - self._surplus_s < LAID_MODEL.surplus_kept_s

    def _all_fresh(self) -> bool:
        return all(self._silent_s[card] <= LAID_MODEL.fresh_s for card in self._lying)

    @property
    def late(self) -> bool:
        """True when every card was seen although never all together, and some are gone by now."""
        unhurried = self.steady_s >= LAID_MODEL.late_s and len(self._lying) == self.expected - 1
        if (
            not self._lying
            or self._was_surplus
            or not (unhurried or self._falls >= LAID_MODEL.late_falls)
        ):
            return False
        seen = [p.card for p in self._seen_lately()]
        return len(seen) == self.expected and not self._lying.union(self._in_tray).issuperset(seen)

    def _seen_lately(self) -> list[Placement]:
        """The cards that came to rest in the middle or the tray since it was last empty, in that
        order."""
        laid = (
            self._settled.get(card) or self._met.get(card) for card in self._lying
        )  # read outside by now: only met
        first_s = min((p.since_s for p in laid if p is not None), default=self._now_s or 0.0)
        resting = {
            c: rest
            for c, rest in self._in_tray.items()
            if rest.rests(LAID_MODEL.readings, LAID_MODEL.in_tray_s) and rest.since_s > first_s
        }
        early_s = first_s - LAID_MODEL.deal_s  # what was not read since was of another deal
        met = {
            card: p
            for card, p in self._met.items()
            if card in self._lying or (p.readings > 1 and p.seen_s > early_s)
        }
        met |= {card: rest.placement() for card, rest in resting.items()}
        return sorted(met.values(), key=lambda p: (p.since_s, p.card))

    def _glimpsed(self) -> Placement | None:
        """The one card that was read in the middle a moment ago, at rest but too briefly to have
        settled."""
        now_s = self._now_s or 0.0
        rests = [
            rest
            for card, rest in self._rests.items()
            if card not in self._settled
            and rest.rests(LAID_MODEL.readings - 1, LAID_MODEL.glimpsed_span_s)
            and now_s - rest.seen_s < LAID_MODEL.glimpsed_ago_s
        ]
        return rests[0].placement() if len(rests) == 1 else None

    def _guessed_at_once(self) -> list[Placement]:
        """The cards that came to rest in the tray after others had been laid, before all could be
        read in the middle."""
        rests = [
            rest
            for rest in self._in_tray.values()
            if rest.rests(LAID_MODEL.readings, LAID_MODEL.in_tray_s)
        ]
        first_s = min((rest.since_s for rest in rests), default=0.0)
        if 2 * len(rests) > self.expected or not any(
            self._settled[card].since_s < first_s for card in self._lying
        ):
            return []
        return sorted((rest.placement() for rest in rests), key=lambda p: p.since_s)

    @property
    def steady_s(self) -> float:
        """For how long exactly these cards have lain."""
        return (self._now_s or 0.0) - self._since_s

    def placements(self) -> tuple[Placement, ...]:
        """The lying cards where they came to rest, in the order in which they were first read
        there; where some are missing, also those that were guessed at once and rest in the tray, in
        the order of the guesses."""
        row = sorted(
            (self._settled[card] for card in self._lying), key=lambda p: (p.since_s, p.card)
        )
        if len(row) >= self.expected:
            return tuple(row)
        if self.late:
            return tuple(self._seen_lately())
        quick = self._guessed_at_once()
        glimpsed = self._glimpsed()
        return (*row, *quick) if quick or glimpsed is None else (*row, glimpsed)

    def forget_deal(self) -> None:
        """Forget every card."""
        self._rests.clear()
        self._settled.clear()
        self._in_tray.clear()
        self._met.clear()
        self.went = frozenset()
        self._falls = 0
        self._surplus_s = -LAID_MODEL.surplus_kept_s
        self._silent_s.clear()
        self._bare_s.clear()
        self._lying = frozenset()
        self._hurry = False

    def observe_glimpse(self, glimpse: Glimpse, is_fresh: Callable[[int], bool]) -> None:
        """Take one usable glimpse."""
        dt = self._advance(glimpse)
        read = set()
        self._hurry = False
        for sighting in glimpse.sightings:
            if is_fresh(sighting.card):
                self._read_card(sighting.card, glimpse.t_s, sighting.centre_mm)
                read.add(sighting.card)
        self._note_silence(glimpse, dt, read)
        self._note_bare_places(glimpse, dt)
        lying = frozenset(card for card in self._settled if is_fresh(card) and self._lies(card))
        if len(lying) > self.expected:
            self._surplus_s = glimpse.t_s
        if lying != self._lying:
            self._falls = self._falls + len(self._lying - lying) if lying < self._lying else 0
            self._note_surplus(lying)
            if (
                self._lying
                and not lying
                and len(seen := frozenset(p.card for p in self._seen_lately())) >= self.expected - 1
            ):
                self.went = seen
            self._lying = lying
            self._since_s = glimpse.t_s
        for card in [
            c
            for c, p in self._met.items()
            if glimpse.t_s - p.seen_s > LAID_MODEL.late_kept_s or not is_fresh(c)
        ]:
            del self._met[card]

    def _note_surplus(self, lying: frozenset[int]) -> None:
        """Of more cards than a deal has, the first to leave for elsewhere than the tray was one too
        many."""
        gone = [
            card for card in self._lying - lying if card not in self._in_tray and card in self._met
        ]
        if gone and self._was_surplus and len(self._met) > self.expected:
            del self._met[min(gone, key=lambda card: self._met[card].seen_s)]

    def _advance(self, glimpse: Glimpse) -> float:
        dt = 0.0 if self._now_s is None else max(0.0, glimpse.t_s - self._now_s)
        self._now_s = glimpse.t_s
        if 0.0 < dt < 2.0:
            self._interval_s += 0.1 * (dt - self._interval_s)
        if glimpse.table is not None:
            self.table = glimpse.table
        return min(dt, 1.0)

    def _zone(self, card: int, centre: tuple[float, float]) -> Zone:
        """Where it is read; without tokens one that lay among the others and is read far from all
        of them was taken."""
        if self.table is not None:
            return zone_of(centre, self.table)
        known = self._met.get(card)
        others = [p.centre_mm for p in self._met.values() if p.card != card and p.readings > 1]
        went = (
            known is not None
            and others
            and nearest_mm(centre, (*others, known.centre_mm)) > LAID_MODEL.taken_mm
        )
        if went or distance_mm(self._taken.get(card, NOWHERE_MM), centre) < LAID_MODEL.taken_mm:
            self._taken[card] = centre
            return Zone.EDGE
        return Zone.MIDDLE

    def _read_card(self, card: int, t_s: float, centre: tuple[float, float]) -> None:
        zone = self._zone(card, centre)
        if zone is not Zone.MIDDLE:
            self._read_outside(card)
            if zone is Zone.TRAY:
                self._in_tray.setdefault(card, Rest(card, REST_REACH.dealt_mm)).add_reading(
                    t_s, centre
                )
            return
        self._in_tray.pop(card, None)
        rest = self._rests.setdefault(card, Rest(card, REST_REACH.dealt_mm))
        rest.add_reading(t_s, centre)
        self._note_met(rest.placement())
        self._silent_s[card] = 0.0
        needed = (
            LAID_MODEL.readings
            if self._interval_s < LAID_MODEL.slow_interval_s
            else LAID_MODEL.readings - 1
        )
        if rest.rests(needed, LAID_MODEL.span_s):
            self._settled[card] = rest.placement()

    def _note_met(self, now: Placement) -> None:
        """Remember where it was met; two readings are enough, also when it was pushed or taken in
        between."""
        known = self._met.get(now.card)
        if known is None or now.readings > 1:
            self._met[now.card] = now
        elif known.readings == 1:
            self._met[now.card] = (
                replace(known, readings=2)
                if now.seen_s - known.seen_s < LAID_MODEL.twice_s
                else now
            )

    def _read_outside(self, card: int) -> None:
        """A card that lay with all the others and is read outside the middle now is a quick first
        guess."""
        if (
            card in self._lying
            and len(self._lying) == self.expected
            and self.steady_s >= LAID_MODEL.hurry_s
        ):
            self._hurry = True
        else:
            self._forget_card(card)

    def _forget_card(self, card: int) -> None:
        self._rests.pop(card, None)
        self._settled.pop(card, None)

    def _note_silence(self, glimpse: Glimpse, dt: float, read: set[int]) -> None:
        tips = [hand.tip_mm for hand in glimpse.hands]
        for card in [
            card
            for card, rest in self._in_tray.items()
            if glimpse.t_s - rest.seen_s > LAID_MODEL.tray_silence_s
        ]:
            del self._in_tray[card]
        filled = {
            r.card for r in glimpse.places if r.state is PlaceState.OTHER and self._is_place(r)
        }
        for card, rest in list(self._rests.items()):
            if (
                card not in read
                and card not in filled
                and nearest_mm(rest.centre_mm, tips) > LAID_MODEL.hand_reach_mm
            ):
                self._silent_s[card] += dt
            if glimpse.t_s - rest.seen_s > LAID_MODEL.silence_hidden_s:
                self._forget_card(card)

    def _note_bare_places(self, glimpse: Glimpse, dt: float) -> None:
        """Note for how long the place of each card has been seen bare."""
        tips = [hand.tip_mm for hand in glimpse.hands]
        seen = [r for r in glimpse.places if r.state is PlaceState.TABLE and self._is_place(r)]
        bare = [r.card for r in seen if nearest_mm(r.centre_mm, tips) > LAID_MODEL.hand_reach_mm]
        self._bare_s = {card: self._bare_s.get(card, 0.0) + dt for card in bare}

    def _is_place(self, report: PlaceReport) -> bool:
        rest = self._rests.get(report.card)
        return (
            rest is not None
            and distance_mm(rest.centre_mm, report.centre_mm) <= LAID_MODEL.report_mm
        )

    def _lies(self, card: int) -> bool:
        surplus = len(self._settled) > self.expected or self._was_surplus
        bare = surplus and self._bare_s.get(card, 0.0) >= LAID_MODEL.bare_s
        return not bare and self._silent_s[card] <= (
            LAID_MODEL.silence_surplus_s if surplus else LAID_MODEL.silence_s
        )
