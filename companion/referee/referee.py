"""The referee: glimpses over time in, rulings out.

Knows the order of glimpses, the rounds so far and the table's habits. Must not know names, points,
pictures or clocks: time is data. One glimpse costs well under a millisecond and memory does not
grow with the evening.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.dealing.deal_watch import DealWatch
from companion.game.events import Handling
from companion.game.rules import Ending
from companion.game.seats import deal_size
from companion.referee.decision import (
    Decision,
    close_round,
    follow_glimpse,
    show_round,
    take_decision,
    weigh_round,
)
from companion.referee.make_ruling import (
    asked_ruling,
    first_ruling,
    open_ruling,
    person_ruling,
    withdrawn_ruling,
)
from companion.referee.messages import StrayCards, messages_before_deal, messages_during_round
from companion.referee.observing.indexed_glimpse import GlimpseIndexer
from companion.referee.open_round import DealtRound, OpenRound, ResumedRound, begin_round
from companion.referee.played_cards import PlayedCards
from companion.referee.ruling import Message, Ruling
from companion.referee.table_habits import TableHabits
from companion.referee.weighed import Weighed
from companion.table.sighting import Attention, Deal, Glimpse, Point
from companion.table.zones import Zone, zone_of


class Referee:
    """Follows one evening from its glimpses.

    The one door of the room: half of its methods are what people and screens may say and ask, a line
    or two each; a round's belief lives in `OpenRound`, its decision in `decision`.
    """

    def __init__(
        self,
        players: int,
        handling: Handling = "auto",
        numbers: Iterable[int] = range(1, 81),
        edition: str = "en",
        first_round: int = 1,
        daydreamer: int = 0,
    ) -> None:
        self.habits = TableHabits(players, handling, edition, daydreamer)
        self._next_players = players
        self._glimpses = GlimpseIndexer()
        self._deal = DealWatch(deal_size(players))
        self._strays = StrayCards()
        self._played = PlayedCards(numbers)
        self._round: OpenRound | None = None
        self.last_seen: Ruling | None = None
        """What was seen of the round before the one that lies, as a question."""
        self._next_number = first_round
        self._resumed: ResumedRound | None = None
        self._last_look_s: float | None = None
        self._accepted = False
        """True when people accepted the number of cards that lies there."""

    @classmethod
    def resume(
        cls,
        players: int,
        handling: Handling = "auto",
        numbers: Iterable[int] = range(1, 81),
        edition: str = "en",
        gone_cards: Iterable[int] = (),
        next_round: int = 1,
        daydreamer: int = 0,
        resumed: ResumedRound | None = None,
        learnt: TableHabits | None = None,
        trusts_curtain: bool = True,
    ) -> Referee:
        """A referee that takes the table as it finds it.

        `next_round` is the number of the first round that is not finished; when its cards were
        dealt already, `resumed` tells of it. `learnt` are the habits of this table, if a referee
        before knew them. `trusts_curtain` is False when people keep rounds by touch: what the
        curtain saw come and go before may have been theirs.
        """
        referee = cls(players, handling, numbers, edition, next_round, daydreamer)
        referee._played = PlayedCards(numbers, gone_cards)
        referee._resumed = resumed
        referee._deal.trusts_curtain = trusts_curtain
        if learnt is not None and learnt.seating.players == players:
            referee.habits = learnt
            learnt.seating.daydreamer = daydreamer
        return referee

    def expects(self) -> int:
        """How many cards the next deal has."""
        return deal_size(self._next_players)

    @property
    def curtain_open(self) -> bool:
        """True from the deal until the round has ended, and while a mis-deal has been accepted."""
        return self._accepted or self._resumed is not None or self._open_round is not None

    @property
    def gone_cards(self) -> frozenset[int]:
        """Cards of finished rounds, the one just decided counted in: they cannot come back."""
        decided = self._round is not None and not self._round.is_open
        cards = self._round.cards if self._round is not None and decided else ()
        return frozenset(self._played.gone.union(cards))

    @property
    def attention(self) -> Attention:
        """What the eye and the curtain must know for the next frame."""
        round_ = self._open_round
        resumed = self._resumed.dealt if self._resumed is not None else ()
        round_cards = frozenset(resumed if round_ is None else round_.cards)
        return Attention(self.expects(), self.gone_cards, round_cards)

    @property
    def missed_round(self) -> bool:
        """True when a round seems to have gone by unseen since the last one was decided."""
        return self._deal.missed

    @property
    def places(self) -> dict[int, Point]:
        """Where each card of the round lay last: the places worth looking at."""
        if self._round is None:
            return {}
        return {card: watch.place for card, watch in self._round.watch.cards.items()}

    @property
    def messages(self) -> tuple[Message, ...]:
        """What people should know just now."""
        open_round = self._open_round
        now = (
            messages_during_round(open_round)
            if open_round is not None
            else messages_before_deal(self._deal)
        )
        return (*now, *self._strays.messages())

    def is_fresh(self, card: int) -> bool:
        """True for a card of the deck that has not been played yet: its number is nobody's business
        before the deal."""
        resumed = self._resumed.dealt if self._resumed is not None else ()
        playing = card in resumed or (self._round is not None and card in self._round.watch.cards)
        return self._played.is_in_deck(card) and not playing

    def observe_glimpse(self, glimpse: Glimpse) -> tuple[Ruling, ...]:
        """Take one glimpse; the rulings that changed, usually none. Glimpses out of order or
        unusable say nothing."""
        dt_s = self._glimpses.take_in(glimpse)
        if dt_s is None:
            return ()
        self._played.notice_returned(glimpse)
        self._strays.watch_strays(glimpse, self._glimpses.table, self._played.gone)
        if self._resumed is not None:
            self._take_up(self._resumed, glimpse)
        self._deal.observe_glimpse(glimpse, self._open_round is not None)
        deal = glimpse.deal.of_cards(self.is_fresh) if glimpse.deal is not None else None
        if deal is not None and (
            self._accepted or deal.one_unread or len(deal.cards) == self.expects()
        ):
            return self._begin_round(deal, glimpse.t_s)
        if (
            self._deal.count
            and self._round is not None
            and self._round.may_be_misdealt(glimpse.t_s)
        ):
            return self._withdraw_deal(self._round, glimpse.t_s)
        seen = self._glimpses.index(glimpse, dt_s)
        return follow_glimpse(self._round, seen, self.habits) if self._round is not None else ()

    def finish_footage(self, t_s: float) -> tuple[Ruling, ...]:
        """The footage ends at `t_s`: decide a round whose middle is empty, or leave its question
        standing."""
        open_round = self._open_round
        if open_round is None or not open_round.watch.as_good_as_empty(t_s, open_round.deal.unread):
            return ()
        return close_round(open_round, self.habits, t_s)

    def learn_last_round(self) -> None:
        """The footage has ended, and no deal comes that would finish the newest round: learn what is to
        be learnt of it."""
        if self._round is not None and not self._round.is_open:
            self._learn_round(self._round)

    def follows_round(self, number: int) -> bool:
        """True when it has seen round `number` dealt, and nobody has put another round before it."""
        current = self._round is not None and self._round.number == number
        return current or number in self._played.rounds

    def constrain_round(
        self,
        number: int,
        set_aside: tuple[int | None, ...] | None,
        ending: Ending | None,
        claimed: int | None = None,
    ) -> tuple[Ruling, ...]:
        """A person's word about round `number`: it excludes hypotheses for good.

        With `ending` "claimed" or "lookout" exactly `set_aside` were wrong and the round is over;
        with "open" or None at least these were wrong, and cards shown as wrong but not named now
        were none.
        """
        t_s = self._now_s
        round_ = self._round
        if round_ is None or round_.number != number:
            dealt = self._played.rounds.get(number, ())
            aside = set_aside or ()
            return (person_ruling(number, dealt, aside, ending or "open", claimed, t_s),)
        told = round_.constrain(set_aside, ending)
        if round_.constraints.final:
            round_.entered_wrong_count = len(told)
            word = person_ruling(number, round_.dealt, told, ending or "open", claimed, t_s)
            return take_decision(round_, Decision("closed", word))
        stage = round_.stage if round_.is_open else "playing"
        return take_decision(round_, Decision(stage, show_round(round_, self.habits, t_s)))

    def accept_count(self) -> None:
        """People accept the number of cards that lies there: the round begins with the next deal,
        whatever its number."""
        self._accepted = True

    def void_round(self, number: int, cards_return: bool) -> None:
        """A person voids round `number`: its cards are out of the game, or may be dealt again once they
        have been picked up."""
        if self._round is not None and self._round.number == number:
            self._remember_round(self._round)
            self._round = None
        if cards_return:
            self._played.give_back(number, self._now_s)

    def on_person_spoke(self, t_s: float | None) -> None:
        """A person spoke at `t_s`: nothing before that went by unnoticed. None: nobody plays until
        the next glimpse."""
        self._deal.note_person(t_s)
        if self._round is not None:
            self._round.watch.note_person(t_s)

    def skip_round(self) -> None:
        """A round went by unseen before the one that lies: this one counts one higher, and the
        roles have passed."""
        if self._round is not None:
            self._round.number += 1
        self._next_number += 1
        self.habits.seating.pass_roles()

    def note_last_look(self, t_s: float, entered_s: float) -> None:
        """Before this referee the table was watched until `t_s` or later, and something was entered
        last at `entered_s`: people may have played on unseen since, until the first glimpse."""
        self._deal.note_last_look(t_s, entered_s)
        self._last_look_s = t_s

    def set_players(self, players: int) -> None:
        """Another number of players, from the next round on."""
        self._next_players = players
        self._deal.expected = deal_size(players)

    @property
    def _now_s(self) -> float:
        return self._glimpses.now_s or 0.0

    @property
    def _open_round(self) -> OpenRound | None:
        return self._round if self._round is not None and self._round.is_open else None

    def _take_up(self, resumed: ResumedRound, glimpse: Glimpse) -> None:
        """Go on with a round that was dealt before the watching began."""
        self._resumed = None
        round_ = resumed.take_up(self._next_number, glimpse, self.habits.turns_over)
        if self._last_look_s is not None:
            round_.watch.pause.note_look(self._last_look_s)
        self._next_number += 1
        row = round_.watch.departures(round_.constraints)
        round_.said = open_ruling(round_, Weighed(row, {}), glimpse.t_s)
        self._round = round_

    def _begin_round(self, deal: Deal, t_s: float) -> tuple[Ruling, ...]:
        """The next round lies: finish the old one, and follow this one."""
        old = self._round
        over_unseen_s = old.watch.over_unseen_s if old is not None else 0.0
        missed = int(self._deal.missed)
        if old is not None or self._last_look_s is not None:
            missed = max(missed, self._deal.most_rounds_unseen(over_unseen_s))
        rulings = self._finish_round(old, t_s) if old is not None else ()
        if self._next_players != self.habits.seating.players:
            self.habits.seat_anew(self._next_players)
        dealt = self._dealt_round(deal)
        round_ = begin_round(self._next_number, dealt, t_s, self.habits.turns_over)
        self._round = round_
        self._next_number += 1
        self._accepted = False
        if self._deal.dealer_deg is not None and not missed:
            # else who dealt is not known before people say
            seating = self.habits.seating
            seating.learn_direction(seating.daydreamer, *self._deal.dealer_deg)
        rulings += take_decision(round_, Decision("playing", first_ruling(round_, t_s, missed)))
        self._deal.await_next_deal()
        return rulings

    def _dealt_round(self, deal: Deal) -> DealtRound:
        table, places = self._glimpses.table, deal.places_mm
        return DealtRound(
            places,
            in_tray=tuple(card for card, at in places.items() if zone_of(at, table) is Zone.TRAY),
            left=deal.had_left,
            unread_s=deal.unread_s,
            unread=self.expects() - len(places) if deal.one_unread else 0,
            accepted=self._accepted,
        )

    def _withdraw_deal(self, round_: OpenRound, t_s: float) -> tuple[Ruling, ...]:
        """One more card lies than was dealt: which of them belong to the round is not known before
        one is taken back."""
        self._deal.note_withdrawn(len(round_.cards))
        self._round = None
        self._next_number -= 1
        return (withdrawn_ruling(round_, t_s),)

    def _finish_round(self, round_: OpenRound, t_s: float) -> tuple[Ruling, ...]:
        """Close the old round for good: the next one lies."""
        rulings = close_round(round_, self.habits, t_s) if round_.is_open else ()
        self.last_seen = asked_ruling(round_, weigh_round(round_, self.habits, t_s), t_s)
        self._learn_round(round_)
        self._remember_round(round_)
        return rulings

    def _learn_round(self, round_: OpenRound) -> None:
        said = round_.said
        if said is not None and said.status == "settled":
            row = round_.watch.departures(round_.constraints)
            self.habits.learn_round(
                row,
                len(said.set_aside),
                round_.attempts,
                round_.began_s,
                said.confidence,
                round_.watch.piled(row),
            )

    def _remember_round(self, round_: OpenRound) -> None:
        self._played.finish_round(round_.number, round_.cards)
        self.habits.seating.pass_roles()
