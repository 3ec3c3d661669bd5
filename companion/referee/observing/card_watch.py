"""One card of the open round, watched: glimpses in, a departure out.

Knows places, zones and readings of one card. Must not know the other cards, the players or the
points.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.referee.observing.belief import Belief, Shown
from companion.referee.observing.in_tray import InTray
from companion.referee.observing.indexed_glimpse import Look
from companion.referee.observing.leaving import Leaving
from companion.referee.observing.off_place import (
    LOST_S,
    NOWHERE,
    BarePlace,
    Carried,
    Edge,
    Flight,
    TrayClock,
)
from companion.referee.weighing.weigh import Departure
from companion.table.resting import Rest
from companion.table.sighting import PlaceState, Point
from companion.table.zones import Zone, distance_mm, nearest_mm, zone_of

AT_PLACE_MM = 30.0
"""A reading so near is the card in its place: readings of a lying card scatter by 1-3 mm, discs are
85 mm wide."""

NUDGED_MM, NUDGED_S = 8.0, 0.4
"""At rest: within so many mm over so long. A nudge takes as long as the eye needs to ask about the
new place (`vision.memory`): sooner, a card pausing on a heap left its place unwatched and rounds
were entered 3 s late."""

HOME_S = 0.08
"""A card that had left lies in its own place again once it is read there at rest for so long:
nothing else shows its number, however surely it was gone or face down
(`tests/benchmarks/referee.py`, incident "set_back": ten readings did not outweigh a second of named
backs)."""

COME_BACK_READINGS, COME_BACK_S = 3, 0.4
"""After the entry only so much reading in the middle reopens a round."""

SPREAD_MM = 150.0
"""Without a tray in view a card that rests further from every dealt place was taken out of the
middle."""

LEFT, BACK = 0.6, 0.4
"""P(left) above which a card counts as having left, and below which it is back."""

COLLECTED_S, TURNED = 2.0, 0.9
"""Cards face down (so surely) are collected so long after the last one left, not sooner."""


class CardWatch:
    """What is known of one card since the deal."""

    def __init__(
        self, card: int, place: Point, read_s: float, turns_over: bool, lies: float = 0.97
    ) -> None:
        self.card = card
        self.place = place
        self.belief = Belief(turns_over, lies)
        self.read_s = read_s
        self._ever_read = lies > 0.9
        self.covered_s = 0.0
        self.came_back_s: float | None = None
        self.left = self._back_seen = False
        self._leaving = Leaving(read_s)
        self.tray, self._edge = InTray(card), Edge(card)
        self._middle = Rest(card, NUDGED_MM)
        self._down = 0.0
        self._before_clock, self._flight = TrayClock(), Flight()
        self._bare, self.carried = BarePlace(), Carried()
        self._interval_s = 0.2

    @property
    def sure_left(self) -> bool:
        """True when it certainly no longer lies face up in the middle (a little less surely when
        never contradicted)."""
        return self.left and self.belief.left > (0.9 if self._leaving.firm else 0.8)

    @property
    def left_at_s(self) -> float:
        """When it was noticed to have left."""
        return self._leaving.noticed_s

    @property
    def in_tray(self) -> bool:
        """True when it was read at rest in the tray."""
        return self.tray.level >= 2

    @property
    def rests_in_tray(self) -> bool:
        """True when it was read at rest in the tray for half a second or more."""
        return self.tray.level >= 3

    @property
    def lost(self) -> bool:
        """True when it rested in the tray before its place was known, and nothing has been read in
        the tray for a while."""
        return self.place == NOWHERE and self.in_tray and self.tray.clock.awaited_s > LOST_S

    def departure(self, pinned: bool = False, denied: bool = False) -> Departure:
        """How it left."""
        leaving = self._leaving
        return Departure(
            self.card, leaving.low_s, leaving.high_s, self.tray.level, self._down,
            self.tray.clock.watched_s, self._bare.watched_s, leaving.visit, leaving.firm, pinned, denied,
            self._bare.again_s, self._before_clock.watched_s, self._edge.at_mm, self._flight.to_deg,
            self.tray.uncovered, self._bare.back_s, self.tray.came_s,
        )  # fmt: skip

    def not_read_since(self, t_s: float) -> None:
        """It was last read then: if it is found gone, it may have left at once."""
        self.read_s = self.read_s if self.left else min(self.read_s, t_s)

    def force(self, now_s: float) -> None:
        """Take it for gone: the next round lies on the table."""
        if not self.left:
            self._leaving.set(self.read_s, now_s, firm=False)
            self.left = True
            self._before_clock.forget()

    def start_aside(self, low_s: float, high_s: float, in_tray: bool = False) -> None:
        """Take it for set aside before the watching began, between two times."""
        self.belief.be_gone()
        self._leaving.set(low_s, high_s, firm=True)
        self.left = True
        self.tray.level = 3 if in_tray else 0

    def take(self, pile: Point) -> None:
        """It lies in a `pile` of taken cards since it was carried there."""
        self.carried.pile(pile)
        if self.carried.home is not None:
            self.place, self.read_s = self.carried.home, self.carried.read_s
        self._edge.at_mm = pile
        self._prove_gone(self.carried.since_s)

    def see(self, look: Look, spread: Sequence[Point]) -> None:
        """Take one look; `spread` are the places where the round's cards were dealt."""
        if not self.left:
            self.belief.pass_time(look.dt_s)
        self._watch_clocks(look)
        here, points = False, look.readings.get(self.card, ())
        for point in points:
            if distance_mm(point, self.place) <= AT_PLACE_MM:
                here = True
                self._read_here(look, point)
        if not here:
            self.came_back_s = None
            for point in points:
                self._read_elsewhere(look, point, spread)
            if not self.left:
                self._before_clock.see(look, look.dt_s)
            self._weigh_place(look)
        self._settle(look)

    def lies_again(self, look: Look, spread: Sequence[Point]) -> Point | None:
        """Take one look at a decided round: where the card is read at rest in the middle again, if
        it is; one that lay face down is only turned over to be looked at, now that the round is
        over."""
        for point in look.readings.get(self.card, ()):
            zone = self._zone(look, point, spread)
            if zone is Zone.MIDDLE:
                self._middle.read(look.t_s, point, forget_s=1.5)
            elif zone is Zone.TRAY:
                self._read_in_tray(look, point)
            elif self._edge.at_mm is None:
                self._edge.read(look.t_s, point)
        rests = (
            self._middle.rests(COME_BACK_READINGS, COME_BACK_S) and self._middle.seen_s == look.t_s
        )
        return self._middle.centre_mm if rests and self._down <= TURNED else None

    def come_back(self, t_s: float) -> None:
        """It lies in the middle again, where it was read last."""
        self._return(self._middle.centre_mm, t_s)
        self._come_back(t_s)

    def _watch_clocks(self, look: Look) -> None:
        if not self.left:
            return
        dt, report = min(look.dt_s, 0.5), look.told_of(self.card, self.place)
        self.tray.left_s = self._leaving.high_s
        self.tray.watch(look, dt)
        state = report.state if report is not None else PlaceState.UNKNOWN
        self._bare.see(
            look,
            dt,
            self.place,
            state,
            self._back_seen,
            self.tray.doubtful if self.in_tray else None,
        )

    def _read_here(self, look: Look, point: Point) -> None:
        if not self.left:
            self._interval_s += 0.1 * (min(look.t_s - self.read_s, 2.0) - self._interval_s)
        else:
            if not self._settles(look, point, HOME_S):
                return  # what is known of its leaving stays
            self.belief.be_lying()
        self.belief.show(Shown.MARKER, look.t_s)
        self._keep_place(look, point)
        self._leaving.read_again()
        self._ever_read = True
        self.tray.forget_rest()
        if not self.left:
            self.read_s = look.t_s
            self._before_clock.forget()

    def _keep_place(self, look: Look, point: Point) -> None:
        """Its place follows small drifts at once, a push only once it rests there."""
        if distance_mm(point, self.place) <= NUDGED_MM or self._settles(look, point):
            self.place = point

    def _settles(self, look: Look, point: Point, span_s: float = NUDGED_S) -> bool:
        """True when it was read there twice: a single reading may be the card in flight, or a
        misreading."""
        self._middle.read(look.t_s, point, forget_s=1.5)
        return self._middle.rests(2, span_s)

    def _zone(self, look: Look, point: Point, spread: Sequence[Point]) -> Zone:
        zone = Zone.EDGE if self.carried.in_pile(point) else zone_of(point, look.table)
        if (
            zone is Zone.MIDDLE
            and spread
            and not look.has_tray
            and nearest_mm(point, spread) > SPREAD_MM
        ):
            return Zone.EDGE
        return zone

    def _read_elsewhere(self, look: Look, point: Point, spread: Sequence[Point]) -> None:
        zone = self._zone(look, point, spread)
        if zone is Zone.TRAY:
            self._read_in_tray(look, point)
        elif zone is Zone.EDGE:
            if not self.carried.in_pile(point):  # a pile in the middle went to no side yet
                self._flight.read(point, spread)
            if self._edge.read(look.t_s, point):
                self._prove_gone(self._edge.since_s)
        elif self._settles(look, point):
            self._return(point, look.t_s)

    def _read_in_tray(self, look: Look, point: Point) -> None:
        level = self.tray.read(look.t_s, point)
        self._bare.trust()
        if level >= 2:
            self._prove_gone(self.tray.since_s)

    def _prove_gone(self, since_s: float) -> None:
        """It rests elsewhere since then: also a card that had left by a single look at its place is
        gone for certain now."""
        self.belief.be_gone()
        self._leaving.prove(since_s)

    def _return(self, point: Point, t_s: float) -> None:
        """It lies in the middle (again), at `point`: whatever was known of its leaving is void."""
        self.carried.come(t_s, point, self.place, self._leaving.low_s if self.left else self.read_s)
        self.belief.be_lying()
        self.place, self.read_s, self._ever_read = point, t_s, True
        self._middle.forget()

    def _weigh_place(self, look: Look) -> None:
        shown = self._shown(look)
        if shown is None or (self.left and not self._still_told_by(shown)):
            return
        if self.left:
            self.belief.pass_time(look.dt_s)
        self._leaving.note(look, shown, self.place, self.left)
        if shown is Shown.UNREAD:
            self.belief.read_rate = min(1.0, max(look.dt_s, 0.02) / self._interval_s)
        self._back_seen = self._back_seen or shown is Shown.BACK
        self.belief.named_backs = look.named_backs
        self.belief.show(shown, look.t_s)

    def _still_told_by(self, shown: Shown) -> bool:
        """After it left, cups and hands on its place say nothing; not being read counts where
        nothing else told enough (one look at the bare place, then the eye asks about the heap on
        which the card lay for a moment). What lies there again although no hand came near lay there
        all the time: the bare place was a misreading."""
        if shown is Shown.OTHER:
            elsewhere = self._back_seen or self.in_tray or self._edge.at_mm
            return self._bare.brief and self._leaving.contrary_s is not None and not elsewhere
        return shown in (Shown.TABLE, Shown.BACK) or (
            shown is Shown.UNREAD and not (self._leaving.firm and self.sure_left)
        )

    def _shown(self, look: Look) -> Shown | None:
        found = look.places.get(self.card)
        if (
            found is not None
            and self.place == NOWHERE
            and zone_of(found.centre_mm, look.table) is Zone.MIDDLE
        ):
            self.place = found.centre_mm
        return look.shown_at(self.card, self.place)

    def _settle(self, look: Look) -> None:
        """Cross the two thresholds: left, or back."""
        left = self.belief.left
        if self.left and left < BACK:
            self._come_back(look.t_s)
        elif not self.left and left > LEFT:
            self._leave(look)
        self._note_down(look)
        self.covered_s = self.covered_s + look.dt_s if self.belief.covered > 0.6 else 0.0

    def _note_down(self, look: Look) -> None:
        """A card turned over stays in its place while the round goes on; a named back is testimony
        for good."""
        if not self.left or (not self._back_seen and self.belief.gone > 0.9 and self._soon(look)):
            if self._down > 0:
                self._leaving.turned_up()
            self._down = 0.0
        else:
            self._down = max(self._down, self.belief.down * (1.0 if self._back_seen else 0.85))

    def _soon(self, look: Look) -> bool:
        return look.in_play or look.t_s - self.left_at_s < COLLECTED_S

    def _leave(self, look: Look) -> None:
        self.left = True
        self._leaving.leave(look, self.place, self.read_s, self._interval_s, self._ever_read)
        self._middle.forget()

    def _come_back(self, t_s: float) -> None:
        self.left, self.read_s = False, t_s
        self._down, self._back_seen = 0.0, False
        for known in (self._bare, self._before_clock, self._flight, self.tray, self._edge):
            known.forget()
        self._leaving.come_back()
        self.came_back_s = t_s
