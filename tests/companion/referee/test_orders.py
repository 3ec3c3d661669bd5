"""Which card left first, to which side, and how a table's own ways are learnt."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest

from companion.dealing.laid import Laid
from companion.referee.departure import TrayPicture
from companion.referee.observing.belief import Observation
from companion.referee.observing.hand_visits import HandVisits
from companion.referee.observing.indexed_glimpse import index_glimpse
from companion.referee.observing.leaving import LeavingInterval
from companion.referee.observing.off_place import ExitDirection
from companion.referee.observing.tray_stay import TrayExposure, TrayStay, note_lifted_off
from companion.referee.observing.vacated_place import VacatedPlace
from companion.referee.referee import Referee
from companion.referee.weighing.departure_orders import possible_orders
from companion.referee.weighing.hypothesis import RoundContext
from companion.referee.weighing.pace import Pace
from companion.referee.weighing.seating import Seating
from companion.referee.weighing.weigh import weigh, weigh_orders
from companion.table.sighting import (
    Glimpse,
    Hand,
    PlaceReport,
    PlaceState,
    Sighting,
    TableView,
)
from tests.support.curtained import CurtainedReferee
from tests.support.departures import departure

AWAY = (0.0, 0.99, 0.01)
TABLE = TableView(((0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0)), None)


def sight(card: int) -> Sighting:
    return Sighting(
        card, (100.0 + card % 4 * 120.0, 200.0 + card // 4 * 130.0), 0.0, ((0.0, 0.0),) * 4, 1.0
    )


def test_a_card_long_unread_may_have_left_first() -> None:
    """One card's leaving is known to five seconds, two left within: three orders, their shares
    adding up to one."""
    row = (departure(1, 5.0, 5.4), departure(2, 6.0, 6.4), departure(3, 3.0, 8.0))
    orders = possible_orders(row)
    assert {tuple(d.card for d in order) for _, order in orders} == {
        (3, 1, 2),
        (1, 3, 2),
        (1, 2, 3),
    }
    assert sum(exp(share) for share, _ in orders) == pytest.approx(1.0)


def test_a_card_that_may_have_come_back_has_two_stories() -> None:
    """Something lay on its bare place for a while: either it left once, first; or it came back
    unread and left with the rest."""
    row = (
        departure(1, 5.0, 5.4, again_s=(8.0, 9.0)),
        departure(2, 9.0, 9.3),
        departure(3, 9.4, 9.8),
    )
    orders = possible_orders(row)
    assert {tuple(d.card for d in order) for _, order in orders} == {(1, 2, 3)}
    assert sorted(order[0].low_s for _, order in orders) == [5.0, 8.0]
    assert sum(exp(share) for share, _ in orders) == pytest.approx(1.0)


def test_a_card_that_lies_in_the_tray_did_not_come_back() -> None:
    """Something lay on its bare place for a while, but what came to the tray after it, unread, lay
    there all that time: it left once. Where the tray was bared before, both stories are weighed."""
    left = departure(1, 5.0, 5.4, again_s=(8.0, 9.0))
    for until_s, stories in ((float("inf"), 1), (8.5, 1), (7.0, 2)):
        picture = TrayPicture(came=True, known=True, lay_until_s=until_s)
        row = (replace(left, tray=replace(left.tray, picture=picture)), departure(2, 9.0, 9.3))
        assert len(possible_orders(row)) == stories


def test_the_sooner_a_hidden_card_left_the_longer_the_tray_was_watched() -> None:
    """Under a mug for six seconds beside an empty tray: had it been set aside first, it would have
    been seen there."""
    row = (
        departure(1, 2.0, 8.0, tray_before_s=6.0),
        departure(2, 4.9, 5.1),
        departure(3, 6.9, 7.1),
    )
    watched = {order[0].card == 1: order for _, order in possible_orders(row)}[True]
    assert watched[0].tray.watched_s == pytest.approx(3.0, abs=0.1)


def test_departures_known_narrowly_keep_their_order() -> None:
    """Half a second of doubt is every sweep's: one order."""
    row = tuple(departure(card, 5.0 + 0.1 * card, 5.5 + 0.1 * card) for card in range(5))
    assert possible_orders(row) == [(0.0, row)]


def test_the_hands_tell_which_order_it_was() -> None:
    """The card under the arm went to the Daydreamer, the others to one pile: it was the wrong
    guess, and it was first."""
    seating = Seating(5)
    for seat in range(5):
        seating.learn_direction(seat, 72.0 * seat, 3.0)
    swept = [
        departure(card, 9.0 + 0.1 * card, 9.3 + 0.1 * card, exit_deg=144.0) for card in range(1, 5)
    ]
    row = (*swept, departure(5, 4.0, 9.8, exit_deg=0.0))
    scene = RoundContext(5, 3, 0.0, 12.0, Pace(), seating, AWAY)
    fits, shares = weigh_orders(possible_orders(row), scene)
    best = max(shares, key=lambda t: shares[t])
    assert (best.wrong_count, fits[0].card) == (1, 5)
    assert weigh(row, scene)[best] < shares[best]


def test_one_persons_hands_agree() -> None:
    """Three hands from one side fit that seat better than three from all sides; a direction says
    nothing of an unknown circle."""
    seating = Seating(6)
    assert seating.log_fit([10.0], 0) == 0.0
    seating.learn_direction(0, 0.0, 3.0)
    assert (
        seating.log_fit([0.0, 10.0, -10.0], 0)
        > seating.log_fit([0.0], 0)
        > 0.0
        > seating.log_fit([0.0, 120.0, -120.0], 0)
    )


def test_steady_hands_sharpen_the_directions() -> None:
    """Where hands keep to their seats a direction says more; where they stray it says less."""
    steady, stray = Seating(5), Seating(5)
    for seating, off in ((steady, 2.0), (stray, 80.0)):
        seating.learn_direction(0, 0.0, 3.0)
        for _ in range(30):
            seating.learn_direction_error(0, off)
    assert steady.sharpness > Seating(5).sharpness > stray.sharpness


def test_a_tables_own_pace_is_learnt() -> None:
    """Steady thinkers narrow the times, one-sweep claimers make long pauses within a claim
    unlikely."""
    pace = Pace()
    for _ in range(20):
        pace = pace.learn_thinking(7.0).learn_grab(0.3)
    assert pace.think.log_density(1.4, 1.6) < Pace().think.log_density(1.4, 1.6)
    assert pace.think.log_density(6.9, 7.1) > Pace().think.log_density(6.9, 7.1)
    assert pace.grab.log_density(2.9, 3.1) < Pace().grab.log_density(2.9, 3.1)


def test_two_peoples_hands_are_two_visits() -> None:
    """A hand from the other side a moment later is somebody else's."""
    visits = HandVisits()
    visits.gather_hands(0.0, (Hand((100.0, 100.0), 10.0),))
    visits.gather_hands(0.2, (Hand((110.0, 100.0), 190.0),))
    first, second = (
        visits.stay_over((100.0, 100.0), 0.0, 0.1),
        visits.stay_over((110.0, 100.0), 0.15, 0.3),
    )
    assert first is not None
    assert second is not None
    assert first.number != second.number


def test_a_card_seen_far_outside_tells_its_side() -> None:
    """To the right of the deal is 90 degrees; a little way off says nothing, and what came back is
    forgotten."""
    exit_direction = ExitDirection()
    exit_direction.add_reading((350.0, 300.0), [(300.0, 300.0)])
    assert exit_direction.to_deg is None
    exit_direction.add_reading((900.0, 300.0), [(300.0, 300.0)])
    assert exit_direction.to_deg == pytest.approx(90.0)
    exit_direction.forget_exit()
    assert exit_direction.to_deg is None


def test_a_bare_look_that_the_next_ones_belie_does_not_date_a_leaving() -> None:
    """Bare for one look, then filled with nobody near, then bare for good: it left when the last
    began, by the hand seen then; with a hand near in between the first look stands."""
    for tips, left_s in (((), 6.0), ((Hand((120.0, 200.0), 90.0),), 5.0)):
        leaving, visits = LeavingInterval(4.8), HandVisits()
        for t_s, shown in (
            (5.0, Observation.TABLE),
            (5.2, Observation.OTHER),
            (5.4, Observation.OTHER),
            (6.0, Observation.TABLE),
        ):
            glimpse = Glimpse(t_s, hands=tips if shown is Observation.OTHER else ())
            leaving.note_place(
                index_glimpse(glimpse, 0.2, TABLE, visits, False), shown, (100.0, 200.0), t_s > 5.0
            )
            if t_s == 5.0:
                leaving.count_as_gone(
                    index_glimpse(glimpse, 0.2, TABLE, visits, False),
                    (100.0, 200.0),
                    4.8,
                    0.1,
                    True,
                )
        assert leaving.high_s == left_s


def test_the_group_that_moves_its_own_wrong_cards_is_learnt() -> None:
    """Twenty wrong cards were set aside by hands from the guessers' sides: such a hand says less
    against a wrong guess."""
    seating = Seating(5)
    for seat in range(5):
        seating.learn_direction(seat, 72.0 * seat, 3.0)
    before = seating.log_moved_aside(1, 144.0)
    for turn in range(20):
        seating.learn_mover(turn % 3, 72.0 * (1 + turn % 3))
    assert seating.mover_share > 0.6
    assert seating.log_moved_aside(1, 144.0) > before + 0.8


def test_an_emptied_tray_is_no_witness() -> None:
    """Time in which the tray's other cards are not read counts only once they are read there again."""
    exposure, table = (
        TrayExposure(),
        TableView(TABLE.middle, ((630.0, 205.0), (892.0, 205.0), (892.0, 395.0))),
    )
    look = index_glimpse(Glimpse(1.0), 0.1, table, HandVisits(), False)
    unread = type(look)(look.t_s, 0.1, {}, {}, (), (), table, True, look.visits, tray_read=False)
    for _ in range(10):
        exposure.count_time(unread, 0.1)
    assert exposure.watched_s == 0.0
    exposure.count_time(look, 0.1)
    assert exposure.watched_s == pytest.approx(1.1)


def test_a_card_lifted_off_the_others_in_the_tray_is_no_longer_there() -> None:
    """The one laid over the first is unread while the first is read again: it was taken back; a
    moment before it was there."""
    below, above = TrayStay(1), TrayStay(2)
    below.left_s, above.left_s = 1.0, 5.0
    for step in range(100):
        t_s = step / 10
        if t_s < 5.5 or t_s > 8.0:
            below.read_in_tray(t_s, (760.0, 300.0))
        else:
            above.read_in_tray(t_s, (766.0, 303.0))
        note_lifted_off([below, above])
        assert above.lifted_off == (t_s > 8.15)
    assert not below.lifted_off


def test_what_lies_on_a_card_s_old_place_is_that_card_only_if_the_tray_may_have_lost_it() -> None:
    """A hand, then something for a second on the bare place: a card that lies under others in the
    tray did not come back; one that is read there no more may lie there, and one that was never
    there may have lain there until the place was bare."""
    for off_tray, while_filled, after in (
        (False, None, None),
        (True, (2.0, 3.5), (4.0, 4.1)),
        (None, None, (4.0, 4.1)),
    ):
        place, visits = VacatedPlace(), HandVisits()
        for step in range(1, 45):
            t_s = step / 10
            state = PlaceState.TABLE if t_s < 1.55 or t_s > 4.05 else PlaceState.OTHER
            hands = (Hand((100.0, 200.0), None),) if 1.55 < t_s < 2.05 else ()
            place.watch_place(
                index_glimpse(Glimpse(t_s, hands=hands), 0.1, TABLE, visits, False),
                0.1,
                (100.0, 200.0),
                state,
                False,
                off_tray,
            )
            if step == 35:
                assert place.again_s == (pytest.approx(while_filled) if while_filled else None)
        assert (place.again_s[0] if place.again_s else None) == (
            pytest.approx(after[0], abs=0.1) if after else None
        )


def test_cards_never_read_together_are_a_deal_once_they_leave() -> None:
    """All five were seen, one was gone before the last was read: no deal while they come, a late
    one when they go."""
    laid, fresh = Laid(5), lambda card: True
    for step in range(100):
        t_s = step / 10
        gone = 0 if t_s < 1.0 else 1 if t_s < 5.0 else 3
        cards = range(0 if gone == 0 else gone, 4 if t_s < 3.0 else 5)
        laid.observe_glimpse(Glimpse(t_s, tuple(sight(card) for card in cards), table=TABLE), fresh)
        if t_s < 3.0:
            assert not laid.whole
    assert (laid.whole, laid.late) == (True, True)
    assert {p.card for p in laid.placements()} == set(range(5))


def test_a_deal_recognised_late_is_asked_about() -> None:
    """The round whose start was seen only in pieces gets its question instead of a wrong entry or
    none."""
    referee, said = Referee(5, "away"), []
    table = CurtainedReferee(referee)
    for step in range(260):
        t_s = step / 10
        shown = (
            (1.0, (1, 2, 3, 4)),
            (5.5, (3, 4)),
            (8.0, (3, 4, 5)),
            (10.0, (4, 5)),
            (17.0, (5,)),
            (99.0, ()),
        )
        cards = next(cards for until_s, cards in shown if t_s < until_s)
        reports = tuple(
            PlaceReport(card, place, PlaceState.MARKER if card in cards else PlaceState.TABLE)
            for card, place in referee.places.items()
        )
        glimpse = Glimpse(t_s, tuple(sight(card) for card in cards), reports, table=TABLE)
        said += table.observe(glimpse)
    assert set(said[-1].dealt) == {1, 2, 3, 4, 5}
    assert said[-1].status == "asked"
