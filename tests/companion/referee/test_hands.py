"""Whose hand it was, what a hand tells that takes nothing, and what lies outside."""

from __future__ import annotations

import pytest

from companion.referee.departure import Departure, HandVisit
from companion.referee.observing.card_watch import CardWatch
from companion.referee.observing.hand_visits import HandVisits
from companion.referee.observing.indexed_glimpse import IndexedGlimpse, index_glimpse
from companion.referee.referee import Referee
from companion.referee.weighing.hand_evidence import weighted_reaches
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.outside_evidence import (
    OUTSIDE_MODEL,
    log_seen_outside,
    seen_outside,
)
from companion.referee.weighing.pace import Pace
from companion.referee.weighing.seating import Seating
from companion.referee.weighing.weigh import weigh
from companion.table.sighting import Glimpse, Hand, PlaceReport, PlaceState, Sighting, TableView
from tests.companion.referee.test_word import DEAL, Evening
from tests.support.curtained import CurtainedReferee
from tests.support.departures import departure
from tests.support.picture import slot_mm

AWAY = (0.0, 0.99, 0.01)


def seated(players: int = 5) -> Seating:
    """A circle that is known well: seat k reaches in from k/players of a turn."""
    seating = Seating(players)
    for seat in range(players):
        seating.learn_direction(seat, 360.0 / players * seat, 3.0)
    return seating


def context(cards: int = 5, **more: object) -> RoundContext:
    return RoundContext(cards, cards - 2, 0.0, 16.0, Pace(), seated(cards), AWAY, **more)


def left(card: int, at_s: float, **more: object) -> Departure:
    return departure(card, at_s - 0.2, at_s, **more)


def test_one_look_at_the_table_beside_a_hand_does_not_take_the_card_under_a_cup() -> None:
    """A cup stands on 20; for one look its place is taken for the table while a hand moves next to
    it: the card still lies there, and goes with the others when they are claimed, after 30, which
    lies face down."""
    evening = Evening(tray=False, referee=Referee(5, "face-down", edition="de")).lie(6, DEAL)
    lying = {at: c for at, c in enumerate(DEAL) if c not in (20, 30)}
    others = tuple(Sighting(c, slot_mm(at), 0.0, ((0.0, 0.0),) * 4, 1.0) for at, c in lying.items())
    hand = (Hand((slot_mm(1)[0] - 125.0, slot_mm(1)[1] - 40.0), None),)
    cup, table = PlaceState.OTHER, PlaceState.TABLE
    for seconds, state, hands in (
        (4.0, cup, ()),
        (1.0, cup, hand),
        (0.1, table, hand),
        (0.4, cup, hand),
        (4.0, cup, ()),
    ):
        evening.hold(
            seconds,
            others,
            (PlaceReport(20, slot_mm(1), state),),
            hands=hands,
            backs_mm=(slot_mm(2),),
        )
    evening.lie(3, (None,) * 5, backs_mm=(slot_mm(2),))
    assert (evening.last.status, evening.last.set_aside, evening.last.ending) == (
        "settled",
        (30,),
        "claimed",
    )


def test_each_reach_of_a_hand_tells_a_part_of_its_own() -> None:
    """A hand that took three cards from its own side is surer than one that took one, less sure
    than three people's hands."""

    def sure(visits: list[HandVisit | None]) -> float:
        row = [left(1, 5.0), *(left(i + 2, 9.0 + 0.7 * i, visit=visits[i]) for i in range(4))]
        return weigh(row, context()).get(Hypothesis(1, "ended"), 0.0)

    one = sure([HandVisit(1, 130.0, 130.0), None, None, None])
    same = sure(
        [HandVisit(1, 130.0, 130.0), HandVisit(1, 130.0, 130.0), HandVisit(1, 130.0, 130.0), None]
    )
    three = sure(
        [HandVisit(1, 130.0, 130.0), HandVisit(2, 130.0, 130.0), HandVisit(3, 130.0, 130.0), None]
    )
    assert one < same < three


def test_a_visit_is_split_into_its_reaches() -> None:
    """Each reach that showed its direction counts below one hand; a visit that showed only one in
    all counts once."""
    told = weighted_reaches(
        [
            HandVisit(1, 40.0, 30.0),
            HandVisit(1, 40.0, 50.0),
            HandVisit(2, 90.0),
            HandVisit(2, 90.0),
            None,
            HandVisit(3, None),
        ]
    )
    assert [(reach, weight < 1.0) for reach, weight in told] == [
        ((2, 90.0), False),
        ((0, 30.0), True),
        ((1, 50.0), True),
    ]


def test_a_reach_is_seen_from_where_it_came_over_that_card() -> None:
    """One hand takes two cards, from 20 degrees over the first and from 60 over the second."""
    visits = HandVisits()
    for step, (x, deg) in enumerate([(100.0, 20.0)] * 3 + [(250.0, 60.0)] * 3):
        visits.gather_hands(step / 10, (Hand((x, 200.0), deg),))
    stay = visits.stay_over((100.0, 200.0), 0.0, 0.5)
    assert stay is not None
    assert stay.reach_deg((100.0, 200.0), 0.0, 0.5) == pytest.approx(20.0)
    assert stay.reach_deg((250.0, 200.0), 0.0, 0.5) == pytest.approx(60.0)
    assert stay.reach_deg((600.0, 200.0), 0.0, 0.5) is None
    assert stay.from_deg == pytest.approx(40.0)


def test_the_hand_that_took_a_card_is_remembered_while_its_place_is_hidden() -> None:
    """One hand reaches for the card; eight seconds later, when its place is bare, another passes
    beside it."""
    visits = HandVisits()
    for step in range(100):
        at = (
            Hand((100.0, 200.0), 20.0)
            if step < 5
            else Hand((200.0, 200.0), 150.0)
            if step > 90
            else None
        )
        visits.gather_hands(step / 10, (at,) if at else ())
    stay = visits.stay_over((100.0, 200.0), 0.0, 9.9)
    assert stay is not None
    assert stay.reach_deg((100.0, 200.0), 0.0, 9.9) == pytest.approx(20.0)


def test_a_hand_that_takes_nothing_tells_whose_turn_it_is() -> None:
    """After the first card the second Spectator's hand comes and takes none: the first was wrong;
    the first one's: less so."""
    row = [left(1, 5.0), *(left(i, 9.0) for i in range(2, 6))]

    def first_wrong(idle: tuple[tuple[float, float], ...]) -> float:
        return weigh(row, context(idle_hands=idle)).get(Hypothesis(1, "ended"), 0.0)

    assert first_wrong(((7.0, 144.0),)) > first_wrong(()) + 0.1
    assert first_wrong(((7.0, 144.0),)) > first_wrong(((7.0, 72.0),)) + 0.1


def test_idle_hands_are_found_between_the_cards() -> None:
    """Out of view the rest is claimed seconds after one card left; a hand from the next Spectator's
    side in between, over the cards and gone again, makes it surer that the one was wrong."""

    def wrong(pointing: bool) -> float:
        evening = Evening(tray=False, referee=Referee(5, "away"))
        evening.referee.habits.seating = seated()
        evening.lie(6, DEAL).lie(2.0, (None, *DEAL[1:]))
        hands = (Hand(slot_mm(3), 144.0),) if pointing else ()
        evening.lie(1.0, (None, *DEAL[1:]), hands=hands).lie(1.5, (None, *DEAL[1:])).lie(
            1.0, (None,) * 5
        )
        return evening.last.posterior if evening.last.set_aside else 1.0 - evening.last.posterior

    assert wrong(True) > wrong(False) + 0.05


def test_who_clears_up_took_nothing_of_what_went_unseen() -> None:
    """One wrong card lies in the tray; while nobody looked the rest was claimed. The hands that are
    over the bare places afterwards, from every side, say nothing of who took it."""

    def asked(clearing: bool) -> tuple[tuple[object, ...], ...]:
        evening = Evening()
        evening.referee.habits.seating = seated()
        evening.lie(6, DEAL).lie(3.0, (None, *DEAL[1:]), tray=DEAL[:1])
        evening.t_s += 16.0
        over = tuple(Hand(slot_mm(at), 72.0 * at) for at in range(1, 5))
        evening.lie(2.0, (None,) * 5, hands=over if clearing else ()).lie(8.0, (None,) * 5)
        question = evening.last.question
        assert question is not None
        return tuple((o.set_aside, o.ending, round(o.probability, 3)) for o in question.options)

    assert asked(True) == asked(False)


def test_cards_that_lie_outside_tell_which_was_not_taken() -> None:
    """Four of five leavers are read beside the table: the first, which lay there alone for seconds
    unseen, was wrong."""
    piled = [left(1, 5.0), *(left(i, 7.0 + 1.8 * i, rest_mm=(900.0, 900.0)) for i in range(2, 6))]
    bare = [left(1, 5.0), *(left(i, 7.0 + 1.8 * i) for i in range(2, 6))]
    none = RoundContext(5, 3, 0.0, 18.0, Pace(), None, AWAY)
    assert (
        weigh(piled, none)[Hypothesis(1, "ended")] > weigh(bare, none)[Hypothesis(1, "ended")] + 0.1
    )


def test_a_card_soon_covered_by_the_next_one_tells_nothing() -> None:
    """Unseen outside counts only for a card that lay there alone; each kind is seen as the others
    of its kind are."""
    times = [(1.0, 1.2), (1.3, 1.5), (1.5 + OUTSIDE_MODEL.alone_s, 1.7 + OUTSIDE_MODEL.alone_s)]
    assert seen_outside([False, False, True], times, 9.0) == [None, False, True]
    assert seen_outside([None, True, False], times, 9.0) == [None, True, False]
    assert log_seen_outside([False, True, True], 1) > log_seen_outside([False, True, True], 2)
    assert log_seen_outside([None, None, None], 1) == pytest.approx(0.0)


def test_the_lookout_takes_two_cards_at_once() -> None:
    """Three cards left, the last two within a moment: likelier the Lookout's than when three
    seconds pass between them."""

    def lookout(pause_s: float) -> float:
        row = [left(1, 4.0), left(2, 8.0), left(3, 12.0), left(4, 14.0), left(5, 14.0 + pause_s)]
        return weigh(row, RoundContext(5, 3, 0.0, 20.0, Pace(), None, AWAY))[Hypothesis(3, "ended")]

    assert lookout(0.3) > lookout(3.0) + 0.1


def test_who_dealt_after_a_missed_round_is_not_learnt() -> None:
    """A deal that came and went unseen may have been a round: whose hand dealt the next one is not
    known yet."""
    view = TableView(((0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0)), None)
    turns = []
    for missed in (False, True):
        referee = Referee(5, "away")
        table = CurtainedReferee(referee)
        t_s = 0.0
        for cards in ([1, 2, 3, 4] if missed else [], [], [], [], [], [], [11], [11, 12], [11, 12, 13], [11, 12, 13, 14],
                      [11, 12, 13, 14, 15], [11, 12, 13, 14, 15]):  # fmt: skip
            for _ in range(12):
                t_s += 0.1
                seen = tuple(
                    Sighting(c, slot_mm(at), 0.0, ((0.0, 0.0),) * 4, 1.0)
                    for at, c in enumerate(cards)
                )
                table.observe(
                    Glimpse(
                        t_s,
                        seen,
                        hands=(Hand((300.0, 300.0), 90.0),) if len(cards) else (),
                        table=view,
                    )
                )
        assert referee.curtain_open
        turns.append(referee.habits.seating.direction_deg(0))
    assert turns[0] == pytest.approx(90.0)
    assert turns[1] is None


def test_a_pile_in_the_middle_went_to_no_side_yet() -> None:
    """Two cards pushed together a hand's width off the middle are taken; read there for a second
    they show no direction, read at somebody's edge they do."""
    spread = ((100.0, 200.0), (340.0, 200.0))
    watch, visits, pile = CardWatch(10, spread[0], 0.0, False), HandVisits(), (310.0, 290.0)

    def look(t_s: float, at: tuple[float, float]) -> IndexedGlimpse:
        seen = (Sighting(10, at, 0.0, ((0.0, 0.0),) * 4, 1.0),)
        return index_glimpse(Glimpse(t_s, seen), 0.1, None, visits, False)

    for step in range(1, 40):
        watch.watch_glimpse(look(step / 10, spread[0] if step < 20 else pile), spread)
        if step == 29:
            watch.take_into_pile(watch.place)
    assert watch.left
    assert watch.departure().outside.exit_deg is None
    for step in range(40, 44):
        watch.watch_glimpse(look(step / 10, (900.0, 250.0)), spread)
    assert watch.departure().outside.exit_deg == pytest.approx(94.0, abs=4.0)
