"""The cards of one round, watched together: glimpses in, departures out.

Knows the round's cards, the tray and the hands over them. Must not know guesses, people or points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from companion.dealing.long_pause import LongPause
from companion.referee.constraints import PersonConstraints
from companion.referee.departure import SURELY_DOWN_SHARE, Departure, in_order
from companion.referee.observing.card_watch import CardWatch
from companion.referee.observing.hand_visits import IdleHands
from companion.referee.observing.hidden_view import HiddenView
from companion.referee.observing.indexed_glimpse import IndexedGlimpse
from companion.referee.observing.off_place import NOWHERE, OFF_PLACE_MODEL
from companion.referee.observing.tray_changes import TrayChanges
from companion.referee.observing.tray_stay import note_lifted_off
from companion.table.sighting import Point, TrayReport
from companion.table.zones import Zone, distance_mm, zone_of

ALONE_S = 1.5
"""The last card, unread for so long while something unknown shows in its place, went with the
others when the footage ends."""

PLAYED_ON_S = 3.0
"""A card laid in another place so long before one more left had its new place there: no claim takes
so long to go on."""

CLEARING_S = 3.0
"""So long after the last card left, or once a hand reaches there, the tray is being cleared. A hand
that lay over it before has still brought something: it counts from its leaving."""

SAME_HAND_S = 0.5
"""A hand over the tray that is not seen for so long is still the same."""

PAUSE_S = 6.0
"""While nobody looks for longer, the set-aside cards may be cleared away with the rest: that none
lies in the tray says then nothing."""

CLEARED_S = 15.0
"""After a pause so long some cards lying in the tray are perhaps not all
(`tests/companion/capture/test_outage.py`)."""


OVERLAP_MM = 78.0
"""Discs of 85 mm so near lie over one another; side by side they lie 85 mm apart or more, and
places are known to 2 mm."""


class RoundWatch:
    """The cards of one round since the deal."""

    def __init__(
        self,
        places: Mapping[int, Point],
        began_s: float,
        in_tray: Sequence[int] = (),
        turns_over: bool = False,
        lies: float = 0.97,
    ) -> None:
        self.cards = {
            card: CardWatch(card, NOWHERE if card in in_tray else place, began_s, turns_over, lies)
            for card, place in places.items()
        }
        self.spread = tuple(watch.place for watch in self.cards.values() if watch.place != NOWHERE)
        self.has_tray = False
        self.pause = LongPause(PAUSE_S)
        self._rests = self._rested = False
        """Nobody plays until the next look; nobody played in the last pause."""
        self._clearing = False
        self._bringing_s = began_s
        """When a hand that came before the middle was empty was over the tray last."""
        self.hidden = HiddenView()
        self._hands = IdleHands(began_s)
        self.tray_report: TrayReport | None = None
        """The tray's picture as it was reported last."""
        self._tray_changes = TrayChanges()

    @property
    def empty(self) -> bool:
        """True when every card has surely left."""
        return all(watch.sure_left for watch in self.cards.values())

    @property
    def lost(self) -> bool:
        """True when a card may have left the tray unseen, and nothing else would tell."""
        return any(watch.lost for watch in self.cards.values())

    @property
    def backs_known(self) -> bool:
        """True when the eye can tell a card face down."""
        return any(watch.belief.named_backs for watch in self.cards.values())

    @property
    def last_left_s(self) -> float:
        """When the last card left, as far as is known."""
        return max(watch.leaving.high_s for watch in self.cards.values())

    @property
    def last_noticed_s(self) -> float:
        """When the last card was noticed to have left."""
        return max(watch.leaving.noticed_s for watch in self.cards.values())

    @property
    def over_unseen_s(self) -> float:
        """For how long nobody looked while people may have played, if no card was read in the middle
        since: the round may have been over all that time."""
        over = not self._rested and all(
            not watch.lying.ever_read or watch.lying.read_s <= self.pause.from_s
            for watch in self.cards.values()
        )
        return self.pause.to_s - self.pause.from_s if over else 0.0

    def note_person(self, t_s: float | None) -> None:
        """A person spoke of the round at `t_s`: nothing before that is hidden. None: nobody plays until
        the next look, but the cards may be cleared away."""
        if t_s is None:
            self._rests = True
        else:
            self.pause.note_person(t_s)

    def departures(self, constraints: PersonConstraints) -> tuple[Departure, ...]:
        """The departures so far, in order, with what people said of them."""
        known = set(constraints.set_aside)
        row = in_order(
            [
                watch.departure(watch.card in known, watch.card in constraints.denied)
                for watch in self.cards.values()
                if watch.left
            ]
        )
        # who reaches in once somebody looks again did not take what had gone by then
        row = tuple(
            replace(d, visit=None) if self.pause.count_hidden([(d.low_s, d.high_s)]) else d
            for d in row
        )
        if self.tray_report is None:
            return row
        pictures = self._tray_changes.pictures_of(
            [(d.low_s, d.high_s) for d in row],
            [d.tray.came_s[0] if d.tray.level else None for d in row],
            [self.cards[d.card].place for d in row],
        )
        return tuple(
            replace(
                d, tray=replace(d.tray, picture=replace(picture, hands_seen=d.visit is not None))
            )
            for d, picture in zip(row, pictures, strict=True)
        )

    def piled(self, row: Sequence[Departure]) -> bool:
        """True when two cards of the round were read at rest in the tray so near that one lies on the
        other, or one of the `row` came there that could not be read."""
        stays = [watch.off_place.tray for watch in self.cards.values()]
        rests = [stay.centre_mm for stay in stays if stay.at_rest]
        near = any(distance_mm(a, b) < OVERLAP_MM for a, b in combinations(rests, 2))
        return near or any(d.tray.picture.came and not d.rests_in_tray for d in row)

    def idle_hands(self, row: Sequence[Departure]) -> tuple[tuple[float, float], ...]:
        """When hands came over the cards that took none of the `row`, and from where, in degrees."""
        return self._hands.that_took_none(row)

    def as_good_as_empty(self, now_s: float, unread: int) -> bool:
        """True when at most one card is not known to have left, and that one was not read for a
        while: whoever took the others took it too, for no round goes on with a single card. `unread`
        cards were dealt besides those that are watched."""
        lying = [watch for watch in self.cards.values() if not watch.left]
        return not lying or (
            len(lying) == 1 and not unread and now_s - lying[0].lying.read_s >= ALONE_S
        )

    def went_unseen(self, row: Sequence[Departure], wrong_count: int) -> bool:
        """True when two cards or more left while nobody looked, and not all of the wrong ones lie
        where those do."""
        unseen = self.pause.count_hidden((d.low_s, d.high_s) for d in row)
        aside = all(
            self.rests_in_tray(d.card) or d.place.face_down > SURELY_DOWN_SHARE
            for d in row[:wrong_count]
        )
        short = self.pause.to_s - self.pause.from_s < CLEARED_S
        return unseen > 1 and not (wrong_count and aside and short)

    def rests_in_tray(self, card: int) -> bool:
        """True when the card was read at rest in the tray for half a second or more."""
        return self.cards[card].off_place.tray.settled

    def watch_open_round(self, glimpse: IndexedGlimpse) -> tuple[int, ...]:
        """Take one glimpse while the round is not decided; the cards that came back just now."""
        self.has_tray = glimpse.has_tray
        if self.pause.note_look(glimpse.t_s):
            self._rested = self._rests
        self._rests = False
        self.hidden.observe_glimpse(glimpse)
        seen = self._with_tray(glimpse)
        for watch in self.cards.values():
            watch.watch_glimpse(seen, self.spread)
        note_lifted_off([watch.off_place.tray for watch in self.cards.values()])
        self._hands.watch_hands(glimpse.visits, glimpse.t_s, self.spread)
        self._take_pile()
        return tuple(c for c, watch in self.cards.items() if watch.came_back_s == glimpse.t_s)

    def watch_decided_round(self, glimpse: IndexedGlimpse) -> tuple[int, ...]:
        """Take one glimpse of the decided round: the cards that lie in the middle again. One pile that
        was carried there, for all that is read the only one, is what was taken: a round that goes
        on has two cards at least."""
        again = {
            card: at
            for card, watch in self.cards.items()
            if (at := watch.lies_again(glimpse, self.spread)) is not None
        }
        carried_mm = OFF_PLACE_MODEL.carried_mm
        home = any(
            distance_mm(at, self.cards[card].place) <= carried_mm for card, at in again.items()
        )
        apart = any(distance_mm(a, b) > carried_mm for a, b in combinations(again.values(), 2))
        if not (home or apart):
            return ()
        for card in again:
            self.cards[card].come_back(glimpse.t_s)
        return tuple(again)

    def force_gone(self, now_s: float) -> None:
        """The next round lies: whatever is left of this one is gone."""
        for watch in self.cards.values():
            watch.force_gone(now_s)

    def start_aside(
        self, cards: Iterable[int | None], low_s: float, high_s: float, in_tray: bool = False
    ) -> None:
        """Take these, in their order, for set aside before the watching began, between two times."""
        known = [card for card in cards if card is not None and card in self.cards]
        for at, card in enumerate(known):
            self.cards[card].start_aside(low_s, high_s + 0.001 * (at - len(known)), in_tray)

    def _with_tray(self, glimpse: IndexedGlimpse) -> IndexedGlimpse:
        """The glimpse with what the round knows of the tray: whether its cards are read there, and
        whether it is being cleared."""
        empty = self.empty
        self._clearing = empty and (self._clearing or self._is_clearing(glimpse))
        if not empty and glimpse.hand_in_tray:
            self._bringing_s = glimpse.t_s
        if not self._clearing:
            self._tray_changes.observe_tray(glimpse.t_s, glimpse.tray, glimpse.hands_at_tray)
            self.tray_report = glimpse.tray or self.tray_report
        if any(watch.off_place.tray.at_rest for watch in self.cards.values()):
            readings = (p for card in self.cards for p in glimpse.readings.get(card, ()))
            in_tray = any(zone_of(p, glimpse.table) is Zone.TRAY for p in readings)
            glimpse = replace(glimpse, tray_read=in_tray)
        if not empty:
            return glimpse
        tray_open = glimpse.tray_open and not self._clearing
        pictured = {} if self._clearing else glimpse.pictured
        return replace(glimpse, tray_open=tray_open, in_play=False, pictured=pictured)

    def _is_clearing(self, glimpse: IndexedGlimpse) -> bool:
        """The middle is empty: True once a hand comes to the tray, or might have."""
        if glimpse.hand_in_tray:
            if glimpse.t_s - self._bringing_s > SAME_HAND_S:
                return True
            self._bringing_s = glimpse.t_s
        return glimpse.t_s - max(self.last_noticed_s, self._bringing_s) > CLEARING_S

    def _take_pile(self) -> None:
        """All that lies was carried to one place, as the last of the round: a pile that was taken,
        wherever it lies in view (a round that goes on has two cards at least, side by side)."""
        lying = [watch for watch in self.cards.values() if not watch.left]
        gone = [watch for watch in self.cards.values() if watch.left]
        last_s = max((watch.leaving.low_s for watch in gone), default=0.0)
        if not lying or any(not _in_pile(watch, lying[0].place, last_s) for watch in lying):
            return
        carried_s = lying[0].off_place.relocation.since_s
        if len(lying) > 1 or (carried_s >= last_s and all(watch.sure_left for watch in gone)):
            for watch in lying:
                watch.take_into_pile(watch.place)


def _in_pile(watch: CardWatch, pile: Point, last_s: float) -> bool:
    """True when the card was carried to the pile; not when it had been laid there anew, and play went
    on, before."""
    relocation = watch.off_place.relocation
    carried = relocation.home is not None and relocation.since_s > last_s - PLAYED_ON_S
    return carried and distance_mm(watch.place, pile) <= OFF_PLACE_MODEL.pile_mm
