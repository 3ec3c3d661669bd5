"""Second thoughts, people's words, mis-deals, lost places and a table taken as it is found."""

from __future__ import annotations

from collections.abc import Iterable

from companion.referee.departure import Departure
from companion.referee.open_round import ResumedRound
from companion.referee.referee import Referee
from companion.referee.ruling import Ruling
from companion.table.sighting import (
    Glimpse,
    Hand,
    PlaceReport,
    PlaceState,
    Point,
    Sighting,
    TableView,
)
from tests.support import picture
from tests.support.curtained import CurtainedReferee
from tests.support.picture import MIDDLE, TRAY, slot_mm

VIEW = TableView(MIDDLE, TRAY)
DEAL = (10, 20, 30, 40, 50)


class Evening:
    """A referee at a table that the test lays card by card."""

    def __init__(
        self,
        players: int = 5,
        reports: bool = True,
        tray: bool = True,
        referee: Referee | None = None,
    ) -> None:
        self.referee = referee or Referee(players, "tray" if tray else "auto")
        self.table = CurtainedReferee(self.referee)
        self.reports = reports
        self.view = TableView(MIDDLE, TRAY if tray else None)
        self.t_s = 0.0
        self.said: list[Ruling] = []
        self.owner: dict[int, int] = {}

    def lie(
        self, seconds: float, middle: Iterable[int | None], tray: Iterable[int] = (), **more: object
    ) -> Evening:
        """Hold this picture: the middle's slots (None: bare) and the cards in the tray."""
        slots = list(middle)
        self.owner.update((at, card) for at, card in enumerate(slots) if card is not None)
        sightings = [
            picture._sighting(card, slot_mm(at))
            for at, card in enumerate(slots)
            if card is not None
        ]
        sightings += [
            picture._sighting(card, (680.0 + 80.0 * at, 260.0)) for at, card in enumerate(tray)
        ]
        reports = (
            tuple(self._report(card, at, slots) for at, card in self.owner.items())
            if self.reports
            else ()
        )
        return self.hold(seconds, tuple(sightings), reports, **more)

    def hold(
        self,
        seconds: float,
        sightings: tuple[Sighting, ...],
        reports: tuple[PlaceReport, ...] = (),
        **more: object,
    ) -> Evening:
        for _ in range(round(seconds * 10)):
            self.t_s += 0.1
            self.said += self.table.observe(
                Glimpse(self.t_s, sightings, reports, table=self.view, **more)
            )
        return self

    def _report(self, card: int, at: int, slots: list[int | None]) -> PlaceReport:
        there = slots[at] if at < len(slots) else None
        state = (
            PlaceState.TABLE
            if there is None
            else PlaceState.MARKER
            if there == card
            else PlaceState.OTHER
        )
        return PlaceReport(card, slot_mm(at), state)

    def departures(self) -> tuple[Departure, ...]:
        """The departures of the open round so far."""
        round_ = self.referee._round
        assert round_ is not None
        return round_.watch.departures(round_.constraints)

    def one_round(self) -> Evening:
        """One wrong guess (30), then all the rest is claimed."""
        self.lie(6, DEAL).lie(6, (10, 20, None, 40, 50), [30])
        return self.lie(3, (None,) * 5, [30])

    @property
    def last(self) -> Ruling:
        return self.said[-1]


def test_a_round_is_entered_within_a_second_and_dated() -> None:
    """The entry comes half a second after the last card, and every guess carries the time its card
    left."""
    evening = Evening().one_round()
    settled = next(r for r in evening.said if r.status == "settled")
    assert (settled.set_aside, settled.ending) == ((30,), "claimed")
    assert settled.evidence.to_s - 12.0 < 1.0
    assert [round(guess.at_s) for guess in settled.guesses] == [6, 12]
    assert settled.confidence > 0.95
    assert settled.guesses[-1].card is None, "the chosen card is nobody's business"


def test_one_look_at_a_bare_place_is_enough_for_a_card_that_rests_elsewhere() -> None:
    """The eye saw the bare place once and asks about the tray from then on: the round is entered
    all the same, at once."""
    evening = Evening().lie(6, DEAL)
    rest = tuple(picture._sighting(card, slot_mm(at)) for at, card in enumerate(DEAL) if card != 30)
    in_tray = picture._sighting(30, (680.0, 260.0))
    evening.hold(0.1, rest, (PlaceReport(30, slot_mm(2), PlaceState.TABLE),))
    told = PlaceReport(30, (680.0, 260.0), PlaceState.MARKER)
    evening.hold(5.0, (*rest, in_tray), (told,))
    bare = tuple(
        PlaceReport(card, slot_mm(at), PlaceState.TABLE)
        for at, card in enumerate(DEAL)
        if card != 30
    )
    evening.hold(1.5, (in_tray,), (told, *bare))
    assert (evening.last.status, evening.last.set_aside, evening.last.ending) == (
        "settled",
        (30,),
        "claimed",
    )


def test_a_card_whose_place_is_no_longer_asked_about_is_gone_when_it_stays_unread() -> None:
    """Pushed over another card on its way out its place moved along: one look at the bare one, then
    nothing but silence."""
    evening = Evening().lie(6, DEAL)
    places = {card: slot_mm(at) for at, card in enumerate(DEAL)}
    evening.hold(
        0.1, (), tuple(PlaceReport(card, at, PlaceState.TABLE) for card, at in places.items())
    )
    elsewhere = PlaceReport(10, slot_mm(4), PlaceState.TABLE)
    bare = tuple(
        PlaceReport(card, at, PlaceState.TABLE) for card, at in places.items() if card != 10
    )
    evening.hold(3.0, (), (elsewhere, *bare))
    assert (evening.last.status, evening.last.set_aside, evening.last.ending) == (
        "settled",
        (),
        "claimed",
    )


def test_what_happens_in_the_tray_says_nothing_of_a_cards_old_place() -> None:
    """Somebody piles up the tray and empties it: the card that was set aside there left the middle
    when it left it."""
    evening = Evening().lie(6, DEAL).lie(3, (10, 20, None, 40, 50), [30])
    rest = tuple(picture._sighting(card, slot_mm(at)) for at, card in enumerate(DEAL) if card != 30)
    heaped = PlaceReport(30, (680.0, 260.0), PlaceState.OTHER)
    evening.hold(0.3, rest, hands=(Hand(slot_mm(2), 0.0),))
    evening.hold(1.5, rest, (heaped,)).hold(
        1.0, rest, (PlaceReport(30, (680.0, 260.0), PlaceState.TABLE),)
    )
    evening.lie(3, (None,) * 5)
    wrong = [guess for guess in evening.last.guesses if not guess.right]
    assert [guess.card for guess in wrong] == [30]
    assert 5.5 < wrong[0].at_s < 7.0


def test_a_ruling_is_said_once() -> None:
    """A table where nothing happens gives no rulings."""
    evening = Evening().one_round()
    before = len(evening.said)
    evening.lie(60, (None,) * 5)
    assert len(evening.said) == before


def test_a_card_read_in_the_middle_again_reopens_the_round() -> None:
    """After the entry a claimed card lies in the middle again: the round is open until it leaves."""
    evening = Evening().one_round().lie(2, (10, None, None, None, None), [30])
    assert (evening.last.ending, evening.last.evidence.why) == ("open", "came_back")
    evening.lie(3, (None,) * 5, [30])
    assert (evening.last.ending, evening.last.set_aside) == ("claimed", (30,))


def test_a_claimed_card_found_in_the_tray_reopens_the_round() -> None:
    """After the entry another card comes to light in the tray: corrected or asked, with the reason,
    never silently kept."""
    evening = Evening().lie(6, DEAL).lie(2, (10, 20, None, 40, 50))
    evening.lie(3, (None,) * 5)
    assert evening.last.status == "settled"
    assert evening.last.set_aside == ()
    evening.lie(3, (None,) * 5, [30])
    assert evening.last.evidence.why == "found_in_tray"
    assert evening.last.status == "asked" or evening.last.set_aside == (30,)


def test_one_reading_in_flight_does_not_move_a_cards_place() -> None:
    """Read once on its way out, a hand's width beside its place: the bare place still says at once
    that it left."""
    evening = Evening().lie(6, DEAL)
    rest = tuple(picture._sighting(card, slot_mm(at)) for at, card in enumerate(DEAL) if card != 30)
    x, y = slot_mm(2)
    evening.hold(0.1, (*rest, picture._sighting(30, (x + 28.0, y))))
    watch = evening.referee._round.watch.cards[30]
    assert watch.place == (x, y)
    evening.lie(1, (10, 20, None, 40, 50))
    assert watch.left


def test_a_card_that_is_read_in_the_tray_no_more_is_asked_about() -> None:
    """It was guessed before its place was known and set back where nobody reads it: its guess is
    not entered unasked."""
    evening = Evening().lie(0.5, (10, 20, None, 40, 50)).lie(3, (10, 20, None, 40, 50), [30])
    assert evening.last.set_aside == (30,)
    evening.lie(3, (10, 20, None, 40, 50)).lie(5, (None,) * 5)
    assert evening.last.status == "asked"


def test_one_ghostly_reading_does_not_bring_a_card_back() -> None:
    """Seconds after it left for the tray a card is misread once in its old place: its guess and its
    time stay."""
    evening = Evening(tray=False).lie(6, DEAL).lie(5, (10, 20, None, 40, 50))
    left = next(d for d in evening.departures())
    ghost = tuple(picture._sighting(card, slot_mm(at)) for at, card in enumerate(DEAL))
    evening.hold(0.1, ghost).lie(2, (10, 20, None, 40, 50))
    again = next(d for d in evening.departures())
    assert (again.card, again.low_s, again.high_s) == (left.card, left.low_s, left.high_s)
    evening.lie(3, DEAL)
    assert evening.departures() == ()


def test_a_persons_word_ends_the_round_for_good() -> None:
    """A person says that two were wrong: whatever the table shows afterwards, the round keeps that."""
    evening = Evening().one_round()
    said = evening.referee.constrain_round(1, (30, 10), "claimed")
    assert (said[-1].set_aside, said[-1].confidence, said[-1].evidence.why) == (
        (30, 10),
        1.0,
        "person",
    )
    before = len(evening.said)
    evening.lie(3, (10, None, None, None, None), [30]).lie(5, (None,) * 5, [30, 20])
    assert len(evening.said) == before


def test_a_persons_wrong_guess_is_kept_when_the_round_ends() -> None:
    """A person tapped "wrong" before the camera saw it: the guess counts once, and its card's
    number is filled in."""
    evening = Evening(tray=False).lie(6, DEAL)
    evening.said += evening.referee.constrain_round(1, (None,), "open")
    evening.lie(8, (10, 20, None, 40, 50)).lie(8, (None,) * 5)
    assert evening.last.set_aside[:1] == (30,)
    assert (
        all(option.wrong_count >= 1 for option in evening.last.question.options)
        if evening.last.question
        else True
    )


def test_a_guess_a_person_took_back_is_not_shown_again() -> None:
    """The card left for a moment and is in the tray; a person says it was no guess: the camera does
    not say it again."""
    evening = Evening().lie(6, DEAL).lie(4, (10, 20, None, 40, 50), [30])
    assert evening.last.set_aside == (30,)
    evening.said += evening.referee.constrain_round(1, (), "open")
    evening.lie(5, (10, 20, None, 40, 50), [30])
    assert evening.last.set_aside == ()


def test_words_that_exclude_everything_are_asked_about_under_a_hand_too() -> None:
    """A person took back the only card that left alone, and then said that one was wrong all the
    same: nothing fits, whether a hand lies over the tray or not, and people are asked."""
    evening = Evening().lie(6, DEAL).lie(6, (10, 20, None, 40, 50), [30])
    evening.said += evening.referee.constrain_round(1, (), "open")
    evening.said += evening.referee.constrain_round(1, (None,), "open")
    over_tray = (Hand((740.0, 240.0), 90.0),)
    evening.lie(12, (None,) * 5, hands=over_tray)
    assert evening.last.question is not None


def test_a_void_round_returns_its_cards_only_after_they_left() -> None:
    """Its cards are still lying: no new deal is seen until they were picked up and laid again."""
    evening = Evening().lie(6, DEAL)
    evening.referee.void_round(1, cards_return=True)
    evening.lie(5, DEAL)
    assert evening.last.round == 1
    evening.lie(6, (None,) * 5).lie(4, DEAL)
    assert evening.last.round == 2
    assert set(evening.last.dealt) == set(DEAL)


def test_cards_of_a_finished_round_never_make_a_deal() -> None:
    """A won card that lies in the middle again is named and counts for nothing."""
    evening = Evening().one_round().lie(5, (None,) * 5).lie(6, (1, 2, 3, 4, 5)).lie(4, (None,) * 5)
    evening.lie(10, (10, 20, 6, 7, 8))
    assert evening.last.round == 2
    assert ("already_won", (("card", 10),)) in [(m.key, m.params) for m in evening.referee.messages]


def test_a_wrong_count_is_said_and_may_be_accepted() -> None:
    """Four instead of five lie: it is said; accepted, the round has four cards and two attempts."""
    evening = Evening().lie(6, DEAL[:4])
    assert ("expected_seen", (("expected", 5), ("seen", 4))) in [
        (m.key, m.params) for m in evening.referee.messages
    ]
    evening.table.accept_count()
    evening.lie(0.1, DEAL[:4])
    assert set(evening.last.dealt) == set(DEAL[:4])
    evening.lie(6, (10, 20, None, 40), [30]).lie(6, (10, None, None, 40), [30, 20]).lie(
        3, (None,) * 4, [30, 20]
    )
    assert (evening.last.ending, evening.last.set_aside) == ("lookout", (30, 20))


def test_who_deals_slowly_is_not_told_that_cards_are_missing() -> None:
    """Three lie for three and a half seconds before the fourth comes, and so on: nothing is said."""
    evening, said = Evening(), []
    for count in (3, 4, 5):
        for _ in range(7):
            evening.lie(0.5, DEAL[:count])
            said += [message.key for message in evening.referee.messages]
    assert said == []
    assert set(evening.last.dealt) == set(DEAL)


def test_a_round_that_was_missed_is_said() -> None:
    """All but one card were seen, then the middle is empty: people hear that a round went by."""
    evening = Evening().lie(4, DEAL[:4]).lie(5, (None,) * 5)
    assert [m.key for m in evening.referee.messages] == ["missed_round"]
    evening.lie(3, (1, 2, 3, 4, 5))
    assert evening.referee.messages == ()


def test_an_accepted_mis_deal_opens_the_curtain() -> None:
    """Behind the curtain the accepted cards are named by the next glimpse, and the round begins."""
    table = CurtainedReferee(Referee(5, "tray"))
    said: list[Ruling] = []
    for step in range(60):
        raw = Glimpse(
            step / 10,
            tuple(picture._sighting(card, slot_mm(at)) for at, card in enumerate(DEAL[:4])),
            table=VIEW,
        )
        if step == 50:
            table.accept_count()
        said += table.observe(raw)
    assert [set(ruling.dealt) for ruling in said] == [set(DEAL[:4])]


def test_without_place_reports_a_tray_still_decides() -> None:
    """Footage begins with cards on the table, so no empty place is known: tray readings and lasting
    silence suffice."""
    evening = (
        Evening(reports=False)
        .lie(6, DEAL)
        .lie(6, (10, 20, None, 40, 50), [30])
        .lie(8, (None,) * 5, [30])
    )
    assert (evening.last.status, evening.last.set_aside, evening.last.ending) == (
        "settled",
        (30,),
        "claimed",
    )


def test_an_undecided_round_never_blocks_the_next() -> None:
    """A card that lay under a cup to the end: the next deal closes the round, entered or asked."""
    evening = Evening().lie(6, DEAL)
    cup = tuple(PlaceReport(card, slot_mm(at), PlaceState.OTHER) for at, card in enumerate(DEAL))
    evening.hold(10, (), cup)
    assert evening.last.status == "tentative"
    evening.lie(4, (1, 2, 3, 4, 5))
    assert [(r.round, r.status) for r in evening.said[-2:]] == [(1, "asked"), (2, "tentative")]


def test_footage_that_ends_is_decided() -> None:
    """The recording stops a moment after the last card left: `flush` still tells the round."""
    evening = (
        Evening().lie(6, DEAL).lie(6, (10, 20, None, 40, 50), [30]).lie(0.4, (None,) * 5, [30])
    )
    said = evening.referee.finish_footage(evening.t_s)
    assert (said[-1].set_aside, said[-1].ending) == ((30,), "claimed")


def test_a_resumed_round_takes_the_table_as_it_finds_it() -> None:
    """After a power cut one guess is known, another card went meanwhile to the tray, and the rest
    is claimed."""
    referee = Referee.resume(
        5, "tray", next_round=4, resumed=ResumedRound(DEAL, (30,)), gone_cards=(1, 2, 3)
    )
    assert referee.curtain_open
    evening = Evening(referee=referee).lie(4, (None, 20, None, 40, 50), [30, 10])
    assert (evening.last.round, evening.last.set_aside) == (4, (30, 10))
    evening.lie(4, (None,) * 5, [30, 10])
    assert (evening.last.ending, evening.last.set_aside) == ("claimed", (30, 10))


def test_a_round_taken_up_again_is_no_misdeal() -> None:
    """Reopened or resumed while one more card lies beside it: the deal was seen long ago and stays."""
    referee = Referee.resume(
        5, "tray", next_round=4, resumed=ResumedRound(DEAL, ()), gone_cards=(1, 2, 3)
    )
    evening = Evening(referee=referee).lie(4, (*DEAL, 60)).lie(4, DEAL)
    assert all(ruling.dealt == DEAL for ruling in evening.said)
    assert referee.curtain_open


def test_players_change_with_the_next_round() -> None:
    """Six instead of five: the round that lies goes on with five cards, the next needs six."""
    evening = Evening().lie(6, DEAL)
    evening.referee.set_players(6)
    evening.lie(6, (10, 20, None, 40, 50), [30]).lie(3, (None,) * 5, [30]).lie(4, (None,) * 5)
    evening.lie(4, (1, 2, 3, 4, 5))
    assert evening.last.round == 1
    evening.lie(4, (1, 2, 3, 4, 5, 6))
    assert len(evening.last.dealt) == 6


def test_unusable_and_late_glimpses_say_nothing() -> None:
    """A blurred frame, a frozen clock and a step back in time change nothing."""
    evening = Evening().lie(6, DEAL)
    for t_s in (evening.t_s, evening.t_s - 3.0):
        assert evening.referee.observe_glimpse(Glimpse(t_s, table=VIEW)) == ()
    assert evening.referee.observe_glimpse(Glimpse(evening.t_s + 9.0, usable=False)) == ()
    evening.t_s += 9.0
    evening.lie(2, DEAL)
    assert len(evening.said) == 1


def test_memory_does_not_grow_with_the_evening() -> None:
    """An hour of an open round with busy hands keeps no more than the last seconds."""
    evening = Evening().lie(6, DEAL)
    place: Point = (300.0, 300.0)
    evening.lie(400, DEAL, hands=(Hand(place, 90.0),))
    assert len(evening.referee._deal._dealer._recent) < 60
    assert sum(len(stay.steps) for stay in evening.referee._glimpses._visits.recent) < 200
