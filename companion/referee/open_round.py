"""The open round: its cards watched, its tellings weighed, decided once the middle is empty.

Knows one round.  Must not know other rounds' points, nor what a glimpse costs to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

from companion.dealing.long_pause import Away
from companion.game.rules import Ending
from companion.referee.constraints import PersonConstraints
from companion.referee.observing.card_watch import CardWatch
from companion.referee.observing.in_tray import lifted_off
from companion.referee.observing.indexed_glimpse import Look
from companion.referee.observing.off_place import CARRIED_MM, NOWHERE, PILE_MM
from companion.referee.observing.pointing import Pointing
from companion.referee.table_habits import TableHabits
from companion.referee.weighing.confidence import Testimony, enters, testimony
from companion.referee.weighing.departure_orders import possible_orders
from companion.referee.weighing.plain_rules import plain_range
from companion.referee.weighing.weigh import (
    Departure,
    Scene,
    Telling,
    in_order,
    mixed_piles,
    weigh_orders,
)
from companion.table.sighting import Point
from companion.table.zones import Zone, distance_mm, zone_of

SETTLE_S = 0.5
ASK_AFTER_S = 3.0
"""Entered so long after the last card left, asked when still unsure so much later
(`reference/referee.md` 5, times)."""

ALONE_S = 1.5
"""The last card, unread for so long while something unknown shows in its place, went with the
others when the footage ends."""

PLAYED_ON_S = 3.0
"""A card laid in another place so long before one more left had its new place there: no claim takes
so long to go on."""

QUICK_S = 3.0
"""A deal in which some cards already rest in the tray began about so long before it was recognised.
"""

SHORTEST_LATE_S, LONGEST_LATE_S = 1.5, 20.0
"""A card that had left when its deal was recognised did so between these times before: the others
lay alone so long at least, and longer than the last nobody remembers (`table.laid`)."""

MISDEALT_S = 6.0
"""A fresh card that is read within so long of the deal was dealt with it."""

SURE = 0.98
"""So sure must the weighing be where the plain rules neither say so nor can exclude it."""

SHOW = 0.8
"""A wrong guess is shown while the round is open above this."""

AWAY_S, CLEARED_S = 6.0, 15.0
"""While nobody looks for longer, the set-aside cards may be cleared away with the rest: that none
lies in the tray says then nothing, and after the longer one some lying there are perhaps not all
(`tests/companion/capture/test_outage.py`)."""

Stage = Literal["playing", "entered", "asked", "closed"]


class OpenRound:
    """One round from its deal until the next one lies."""

    def __init__(
        self,
        number: int,
        places: Mapping[int, Point],
        began_s: float,
        in_tray: Sequence[int] = (),
        turns_over: bool = False,
        lies: float = 0.97,
    ) -> None:
        self.number = number
        self.began_s = began_s - (QUICK_S if in_tray else 0.0)
        self.attempts = max(0, len(places) - 2)
        self.watches = {
            card: CardWatch(
                card, NOWHERE if card in in_tray else place, self.began_s, turns_over, lies
            )
            for card, place in places.items()
        }
        self.spread = tuple(
            watch.place for watch in self.watches.values() if watch.place != NOWHERE
        )
        self.start_aside(in_tray, self.began_s, began_s, in_tray=True)
        self.stage: Stage = "playing"
        self.accepted = False
        self.unread = 0
        self.late = 0.0
        self.constraints = PersonConstraints()
        self.testimony: Testimony = "away"
        self.why = "swept"
        self.wrong_count: int | None = None
        self.has_tray = self._clearing = False
        self.away = Away(AWAY_S)
        self._pointing = Pointing(self.began_s)

    @property
    def cards(self) -> tuple[int, ...]:
        """The dealt cards in the order in which they were laid."""
        return tuple(self.watches)

    @property
    def dealt(self) -> tuple[int | None, ...]:
        """The same with None for each card that was dealt but never read."""
        return self.cards + (None,) * self.unread

    @property
    def empty(self) -> bool:
        """True when every card has surely left."""
        return all(watch.sure_left for watch in self.watches.values())

    def as_good_as_empty(self, now_s: float) -> bool:
        """True when at most one card is not known to have left, and that one was not read for a
        while: whoever took the others took it too, for no round goes on with a single card."""
        lying = [watch for watch in self.watches.values() if not watch.left]
        return not lying or (
            len(lying) == 1 and not self.unread and now_s - lying[0].read_s >= ALONE_S
        )

    def take_late(self, left: Sequence[int], unread_s: Mapping[int, float], t_s: float) -> None:
        """The deal was recognised at `t_s`, when these had left (a single one was the first; of
        several nobody knows the order) and the others had not been read for so long."""
        for card, seconds in unread_s.items():
            self.watches[card].not_read_since(t_s - seconds)
        self.late = len(left) / len(self.watches) if len(left) > 1 else 0.0
        self.start_aside(left, t_s - LONGEST_LATE_S, t_s - SHORTEST_LATE_S)

    def leave_unread(self, cards: int) -> None:
        """So many cards were dealt besides those that are watched: what became of them only people
        know."""
        self.unread, self.accepted = cards, self.accepted or cards > 0
        self.attempts += cards

    def may_be_misdealt(self, now_s: float) -> bool:
        """True while a card that comes to lie beside these may have been dealt with them: one too
        many, read late."""
        fresh = now_s - self.began_s < MISDEALT_S and self.stage == "playing"
        return (
            fresh and not self.accepted and self.why != "person" and not self.constraints.set_aside
        )

    def watch(self, look: Look) -> None:
        """Take one look while the round is not decided."""
        self.has_tray = look.has_tray
        self.away.look(look.t_s)
        empty = self.empty
        self._clearing = empty and (
            self._clearing or look.hand_in_tray or look.t_s - self.last_noticed_s() > ASK_AFTER_S
        )
        if any(watch.in_tray for watch in self.watches.values()):
            look = replace(
                look, tray_read=any(zone_of(p, look.table) is Zone.TRAY for p in self._points(look))
            )
        if empty:
            look = replace(look, tray_open=look.tray_open and not self._clearing, in_play=False)
        for watch in self.watches.values():
            watch.see(look, self.spread)
            if watch.came_back_s == look.t_s:
                self.constraints.denied.discard(watch.card)
        lifted_off([watch.tray for watch in self.watches.values()])
        self._pointing.see(look, self.spread)
        self._take_pile()

    def _take_pile(self) -> None:
        """All that lies was carried to one place, as the last of the round: a pile that was taken,
        wherever it lies in view (a round that goes on has two cards at least, side by side)."""
        lying = [watch for watch in self.watches.values() if not watch.left]
        gone = [watch for watch in self.watches.values() if watch.left]
        last_s = max((watch.departure().low_s for watch in gone), default=0.0)
        if not lying or any(not self._in_pile(watch, lying[0].place, last_s) for watch in lying):
            return
        if len(lying) > 1 or (
            lying[0].carried.since_s >= last_s and all(watch.sure_left for watch in gone)
        ):
            for watch in lying:
                watch.take(watch.place)

    def _in_pile(self, watch: CardWatch, pile: Point, last_s: float) -> bool:
        """True when the card was carried to the pile; not when it had been laid there anew, and
        play went on, before."""
        carried = watch.carried.home is not None and watch.carried.since_s > last_s - PLAYED_ON_S
        return carried and distance_mm(watch.place, pile) <= PILE_MM

    def _points(self, look: Look) -> Iterator[Point]:
        """Where this round's cards are read."""
        return (point for card in self.watches for point in look.readings.get(card, ()))

    def watch_after(self, look: Look) -> tuple[int, ...]:
        """Take one look at the decided round: the cards that lie in the middle again. One pile that
        was carried there, for all that is read the only one, is what was taken: a round that goes
        on has two cards at least."""
        again = {
            card: at
            for card, watch in self.watches.items()
            if (at := watch.lies_again(look, self.spread)) is not None
        }
        home = any(
            distance_mm(at, self.watches[card].place) <= CARRIED_MM for card, at in again.items()
        )
        apart = any(distance_mm(a, b) > CARRIED_MM for a, b in combinations(again.values(), 2))
        if not (home or apart):
            return ()
        for card in again:
            self.watches[card].come_back(look.t_s)
        return tuple(again)

    def take_word(
        self,
        set_aside: Sequence[int | None] | None,
        ending: Ending | None,
        shown: Sequence[int | None],
    ) -> tuple[int | None, ...]:
        """Pin a person's word; `shown` was shown as wrong until now, and what is not named any more
        was no guess."""
        told = tuple(shown if set_aside is None else set_aside)
        denied = {
            card for card in shown if card is not None and card not in told and None not in told
        }
        self.constraints = PersonConstraints(
            told, ending, self.constraints.denied | denied - set(told)
        )
        self.why = "person"
        return told

    def departures(self) -> tuple[Departure, ...]:
        """The departures so far, in order."""
        known = set(self.constraints.set_aside)
        return in_order(
            [
                w.departure(w.card in known, w.card in self.constraints.denied)
                for w in self.watches.values()
                if w.left
            ]
        )

    def weighed(
        self, now_s: float, habits: TableHabits
    ) -> tuple[tuple[Departure, ...], dict[Telling, float]]:
        """The departures in their likeliest order, and every telling of them with its probability;
        none when a person's word excludes them all."""
        row = self.departures()
        least = len(self.constraints.set_aside)
        ways = habits.handling.shares(self.has_tray)
        self.testimony = testimony(ways)
        scene = Scene(
            len(self.watches), self.attempts, self.began_s, now_s, habits.pace, habits.seating, ways,
            least=min(least, self.attempts, len(row)), most=least if self.constraints.final else 99, idle=self._pointing.idle(row),
        )  # fmt: skip
        return weigh_orders(possible_orders(row), scene)

    def shown(self, tellings: Mapping[Telling, float]) -> tuple[int, float]:
        """How many wrong guesses may be shown now, and how surely."""
        if not tellings:
            return len(self.constraints.set_aside), 1.0
        for w in range(max(t.w for t in tellings), 0, -1):
            share = sum(p for t, p in tellings.items() if t.w >= w)
            if share > SHOW:
                return w, share
        return 0, sum(p for t, p in tellings.items() if t.w == 0)

    def decides(
        self, row: tuple[Departure, ...], tellings: Mapping[Telling, float], habits: TableHabits
    ) -> bool:
        """True when the best telling may be entered: sure enough, and the plain rules do not say
        otherwise."""
        seen_aside = self.testimony == "tray" or (self.testimony == "down" and self._backs_known)
        too_late = self.late > (0.5 if seen_aside else 0.0)
        lost = any(watch.lost for watch in self.watches.values())
        if not tellings or ((too_late or self.unread or lost) and not self.constraints.final):
            return False
        best = max(tellings, key=lambda t: tellings[t])
        if self._went_unseen(row, best.w) and not self.constraints.final:
            return False
        plain = plain_range(row, self.attempts, habits.handling.shares(self.has_tray)[0])
        if plain is not None and not self.constraints.final:
            least, most, blind = plain
            if not least <= best.w <= (blind if tellings[best] >= SURE else most):
                return False
        return enters(tellings[best], self.testimony, habits.seating.known)

    @property
    def over_unseen_s(self) -> float:
        """For how long nobody looked, if no card was read in the middle since: the round may have
        been over all that time."""
        over = all(watch.read_s <= self.away.from_s for watch in self.watches.values())
        return self.away.to_s - self.away.from_s if over else 0.0

    def _went_unseen(self, row: Sequence[Departure], w: int) -> bool:
        """True when two cards or more left while nobody looked, and not all of the `w` wrong ones
        lie where those do."""
        unseen = self.away.hides((d.low_s, d.high_s) for d in row)
        aside = all(self.watches[d.card].rests_in_tray or d.down > 0.9 for d in row[:w])
        return unseen > 1 and not (w and aside and self.away.to_s - self.away.from_s < CLEARED_S)

    @property
    def _backs_known(self) -> bool:
        """True when the eye can tell a card face down."""
        return any(watch.belief.named_backs for watch in self.watches.values())

    def contradicted(self) -> str:
        """Why what was entered is not so ("": nothing contradicts it): a card entered as claimed
        has come to rest in the tray since, or in the place outside the middle where one entered as
        a wrong guess was put before."""
        if self.wrong_count is None:
            return ""
        row = self.departures()
        if self.wrong_count < self.attempts and any(
            self.watches[d.card].rests_in_tray for d in row[self.wrong_count :]
        ):
            return "found_in_tray"
        return "found_in_pile" if mixed_piles(row, self.wrong_count) else ""

    def last_left_s(self) -> float:
        """When the last card left, as far as is known."""
        return max(w.departure().high_s for w in self.watches.values())

    def last_noticed_s(self) -> float:
        """When the last card was noticed to have left."""
        return max(w.left_at_s for w in self.watches.values())

    def force(self, now_s: float) -> None:
        """The next round lies: whatever is left of this one is gone."""
        for watch in self.watches.values():
            watch.force(now_s)

    def start_aside(
        self, cards: Iterable[int | None], low_s: float, high_s: float, in_tray: bool = False
    ) -> None:
        """Take these, in their order, for set aside before the watching began, between two times."""
        known = [card for card in cards if card is not None and card in self.watches]
        for place, card in enumerate(known):
            self.watches[card].start_aside(low_s, high_s + 0.001 * (place - len(known)), in_tray)
