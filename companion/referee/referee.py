"""The referee: glimpses over time in, rulings out.

Knows the order of glimpses, the rounds so far and the table's customs. Must not know names, points,
pictures or clocks: time is data. One glimpse costs well under a millisecond and memory does not
grow with the evening.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.dealing.deal_watch import DealWatch
from companion.game.events import Handling
from companion.game.rules import Ending
from companion.game.seats import deal_size
from companion.referee import decision, make_ruling, notes
from companion.referee.observing.indexed_glimpse import Look, look_at
from companion.referee.observing.visits import Visits
from companion.referee.open_round import OpenRound
from companion.referee.played_cards import PlayedCards
from companion.referee.resumed_round import ResumedRound
from companion.referee.ruling import Message, Ruling
from companion.referee.table_habits import TableHabits
from companion.table.sighting import Glimpse, PlaceState, Point, TableView
from companion.table.zones import Zone, zone_of

LONGEST_STEP_S = 1.0
"""A longer pause between two glimpses counts as so long."""


class Referee:
    """Follows one evening from its glimpses."""

    def __init__(
        self,
        players: int,
        handling: Handling = "auto",
        numbers: Iterable[int] = range(1, 81),
        edition: str = "en",
        first_round: int = 1,
        dealer: int = 0,
    ) -> None:
        self.numbers = frozenset(numbers)
        self._players = self._next_players = players
        self.habits = TableHabits(players, handling, edition, dealer)
        self._deal = DealWatch(deal_size(players))
        self._visits = Visits()
        self._strangers = notes.Strangers()
        self._round: OpenRound | None = None
        self._next_number = first_round
        self._played = PlayedCards()
        self._said: Ruling | None = None
        self._accepted = self._backs_named = False
        self._found: ResumedRound | None = None
        self._table: TableView | None = None
        self._now_s: float | None = None

    @classmethod
    def resume(
        cls,
        players: int,
        handling: Handling = "auto",
        numbers: Iterable[int] = range(1, 81),
        edition: str = "en",
        gone_cards: Iterable[int] = (),
        next_round: int = 1,
        dealer: int = 0,
        found: ResumedRound | None = None,
        learnt: TableHabits | None = None,
        trusts_curtain: bool = True,
    ) -> Referee:
        """A referee that takes the table as it finds it.

        `next_round` is the number of the first round that is not finished; when its cards were
        dealt already, `found` tells of it. `learnt` are the customs of this table, if a referee
        before knew them. `trusts_curtain` is False when people keep rounds by touch: what the
        curtain saw come and go before may have been theirs.
        """
        referee = cls(players, handling, numbers, edition, next_round, dealer)
        referee._played = PlayedCards(gone_cards)
        referee._found = found
        referee._deal.trusts_curtain = trusts_curtain
        if learnt is not None and learnt.seating.players == players:
            referee.habits = learnt
            learnt.seating.dealer = dealer
        return referee

    def expects(self) -> int:
        """How many cards the next deal has."""
        return deal_size(self._next_players)

    @property
    def curtain_open(self) -> bool:
        """True from the deal until the round has ended, and while a mis-deal has been accepted."""
        return self._accepted or self._found is not None or self._is_open()

    @property
    def gone_cards(self) -> frozenset[int]:
        """Cards of finished rounds, the one just decided counted in: they cannot come back."""
        decided = self._round.cards if self._round is not None and not self._is_open() else ()
        return frozenset(self._played.gone.union(decided))

    @property
    def missed_round(self) -> bool:
        """True when a round seems to have gone by unseen since the last one was decided."""
        return self._deal.missed

    @property
    def places(self) -> dict[int, Point]:
        """Where each card of the round lay last: the places worth looking at."""
        return (
            {card: watch.place for card, watch in self._round.watches.items()}
            if self._round
            else {}
        )

    @property
    def messages(self) -> tuple[Message, ...]:
        """What people should know just now."""
        open_round = self._round if self._is_open() else None
        now = notes.playing(open_round) if open_round is not None else notes.waiting(self._deal)
        return (*now, *self._strangers.messages())

    def is_fresh(self, card: int) -> bool:
        """True for a card of the deck that has not been played yet: its number is nobody's business
        before the deal."""
        found = self._found.dealt if self._found is not None else ()
        playing = card in found or (self._round is not None and card in self._round.watches)
        return card in self.numbers and not self._played.has(card) and not playing

    def observe_glimpse(self, glimpse: Glimpse) -> tuple[Ruling, ...]:
        """Take one glimpse; the rulings that changed, usually none. Glimpses out of order or
        unusable say nothing."""
        if not glimpse.usable or (self._now_s is not None and glimpse.t_s <= self._now_s):
            return ()
        dt = 0.0 if self._now_s is None else min(glimpse.t_s - self._now_s, LONGEST_STEP_S)
        self._now_s = glimpse.t_s
        self._table = glimpse.table or self._table
        self._visits.see(glimpse.t_s, glimpse.hands)
        self._played.see(glimpse)
        self._strangers.see(glimpse, self._table, self._played.gone)
        if self._found is not None:
            self._take_up(self._found, glimpse)
        places = self._deal.see(glimpse, self.is_fresh, self._is_open())
        if places is not None and (
            self._accepted or self._deal.short or len(places) == self.expects()
        ):
            return tuple(self._begin(places, glimpse.t_s))
        if (
            self._deal.count
            and self._round is not None
            and self._round.may_be_misdealt(glimpse.t_s)
        ):
            return tuple(self._withdraw(glimpse.t_s))
        return tuple(self._follow(self._look(glimpse, dt)))

    def finish_footage(self, t_s: float) -> tuple[Ruling, ...]:
        """The footage ends at `t_s`: decide a round whose middle is empty, or leave its question
        standing."""
        if self._round is None or not self._is_open() or not self._round.as_good_as_empty(t_s):
            return ()
        return tuple(self._close(t_s))

    def constrain_round(
        self,
        round: int,
        set_aside: tuple[int | None, ...] | None,
        ending: Ending | None,
        claimed: int | None = None,
    ) -> tuple[Ruling, ...]:
        """A person's word about a round: it excludes other tellings for good.

        With `ending` "claimed" or "lookout" exactly `set_aside` were wrong and the round is over;
        with "open" or None at least these were wrong, and cards shown as wrong but not named now
        were none.
        """
        now_s = self._now_s or 0.0
        if self._round is None or self._round.number != round:
            dealt = self._played.rounds.get(round, ())
            return (
                make_ruling.person_ruling(
                    round, dealt, set_aside or (), ending or "open", claimed, now_s
                ),
            )
        told = self._round.take_word(
            set_aside, ending, self._said.set_aside if self._said is not None else ()
        )
        if self._round.constraints.final:
            self._round.stage, self._round.wrong_count = "closed", len(told)
            return tuple(
                self._say(
                    make_ruling.person_ruling(
                        round, self._round.dealt, told, ending or "open", claimed, now_s
                    )
                )
            )
        if not self._is_open():
            self._round.stage = "playing"
        return tuple(self._show(now_s))

    def accept_count(self) -> tuple[Ruling, ...]:
        """People accept the number of cards that lies there: the round begins with these."""
        self._accepted = True
        places = self._deal.accept()
        return tuple(self._begin(places, self._now_s or 0.0)) if places else ()

    def void_round(self, round: int, cards_return: bool) -> None:
        """A person voids a round: its cards are out of the game, or may be dealt again once they
        have been picked up."""
        if self._round is not None and self._round.number == round:
            self._remember()
            self._round = None
        if cards_return:
            self._played.give_back(round, self._now_s or 0.0)

    def on_person_spoke(self, t_s: float | None) -> None:
        """A person spoke at `t_s`: nothing before that went by unnoticed. None: nobody plays until
        the next glimpse."""
        self._deal.hear(t_s)
        if self._round is not None:
            self._round.away.hear(t_s)

    def skip_round(self) -> None:
        """A round went by unseen before the one that lies: this one counts one higher, and the
        roles have passed."""
        if self._round is not None:
            self._round.number += 1
        self._next_number += 1
        self.habits.seating.pass_roles()

    def set_players(self, players: int) -> None:
        """Another number of players, from the next round on."""
        self._next_players = players
        self._deal.expected = deal_size(players)

    def _is_open(self) -> bool:
        return self._round is not None and self._round.stage in ("playing", "asked")

    def _look(self, glimpse: Glimpse, dt_s: float) -> Look:
        if glimpse.backs_mm or any(report.state is PlaceState.BACK for report in glimpse.places):
            self._backs_named = True
        return look_at(glimpse, dt_s, self._table, self._visits, self._backs_named)

    def _take_up(self, found: ResumedRound, glimpse: Glimpse) -> None:
        """Go on with a round that was dealt before the watching began."""
        self._found = None
        self._round = found.open(self._next_number, glimpse, self.habits.turns_over)
        self._next_number += 1
        self._said = make_ruling.open_ruling(self._round, self._round.departures(), {}, glimpse.t_s)

    def _begin(self, places: dict[int, Point], t_s: float) -> list[Ruling]:
        hidden = self._round is not None and self._deal.away_for_a_round(self._round.over_unseen_s)
        missed = self._deal.missed or hidden
        rulings = self._finish(t_s)
        if self._next_players != self._players:
            self._players = self._next_players
            self.habits.seat(self._players)
        lain_s = min(self._deal.lain_since_s(), t_s)
        in_tray = [card for card, at in places.items() if zone_of(at, self._table) is Zone.TRAY]
        self._round = OpenRound(self._next_number, places, lain_s, in_tray, self.habits.turns_over)
        self._round.take_late(self._deal.left, self._deal.unread_s, t_s)
        self._round.accepted = self._accepted
        self._round.leave_unread(self.expects() - len(places) if self._deal.short else 0)
        self._next_number, self._accepted = self._next_number + 1, False
        if (
            self._deal.dealer_deg is not None and not missed
        ):  # else who dealt is not known before people say
            self.habits.seating.learn(self.habits.seating.dealer, *self._deal.dealer_deg)
        rulings += self._say(make_ruling.first_ruling(self._round, t_s, missed))
        rulings += self._replay(lain_s)
        self._deal.clear()
        return rulings

    def _withdraw(self, t_s: float) -> list[Ruling]:
        """One more card lies than was dealt: which of them belong to the round is not known before
        one is taken back."""
        assert self._round is not None
        ruling = make_ruling.withdrawn_ruling(self._round, t_s)
        self._deal.take_back(len(self._round.watches))
        self._round, self._next_number = None, self._next_number - 1
        return self._say(ruling)

    def _replay(self, since_s: float) -> list[Ruling]:
        """Weigh what was seen since the last card was laid: the first guess may have been quick."""
        rulings, before_s = list[Ruling](), since_s
        for glimpse in [past for past in self._deal.recent if past.t_s > since_s]:
            rulings += self._follow(self._look(glimpse, glimpse.t_s - before_s))
            before_s = glimpse.t_s
        return rulings

    def _follow(self, look: Look) -> list[Ruling]:
        round_ = self._round
        if round_ is None:
            return []
        if not self._is_open():
            return self._follow_decided(look)
        round_.watch(look)
        if round_.empty:
            return self._decide(look.t_s)
        round_.stage = "playing"
        return self._show(look.t_s)

    def _follow_decided(self, look: Look) -> list[Ruling]:
        assert self._round is not None
        back = self._round.watch_after(look)
        if self._round.constraints.final:
            return []
        if back:
            self._round.stage, self._round.why = "playing", "came_back"
            return self._show(look.t_s)
        if why := self._round.contradicted():
            self._round.stage, self._round.why = "asked", why
            return self._decide(look.t_s)
        return []

    def _show(self, t_s: float) -> list[Ruling]:
        assert self._round is not None
        return self._say(decision.show(self._round, self.habits, t_s, self._said))

    def _decide(self, t_s: float, forced: bool = False) -> list[Ruling]:
        assert self._round is not None
        return self._say(decision.decide(self._round, self.habits, t_s, self._said, forced))

    def _close(self, t_s: float) -> list[Ruling]:
        assert self._round is not None
        self._round.force(t_s)
        return self._decide(t_s, forced=True)

    def _finish(self, t_s: float) -> list[Ruling]:
        """Close the old round for good: the next one lies."""
        if self._round is None:
            return []
        rulings = self._close(t_s) if self._is_open() else []
        if (said := self._said) is not None and said.status == "settled":
            row = self._round.departures()
            self.habits.learn(
                row, len(said.set_aside), self._round.attempts, self._round.began_s, said.confidence
            )
        self._remember()
        return rulings

    def _remember(self) -> None:
        assert self._round is not None
        self._played.finish(self._round.number, self._round.cards)
        self.habits.seating.pass_roles()

    def _say(self, ruling: Ruling | None) -> list[Ruling]:
        if ruling is None or (self._said is not None and make_ruling.same(self._said, ruling)):
            return []
        self._said = ruling
        return [ruling]
