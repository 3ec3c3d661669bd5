"""What comes to the tray unread, and what its silence is worth."""

from __future__ import annotations

from dataclasses import replace

from companion.referee.decision import witness_to
from companion.referee.departure import NOT_WATCHED, Departure, TrayEvidence, TrayPicture
from companion.referee.observing.tray_changes import TrayChanges
from companion.referee.weighed import Weighed
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.pace import Pace
from companion.referee.weighing.plain_rules import plain_range
from companion.referee.weighing.tray_silence import (
    TrayHides,
    TrayReading,
    seen_if_not,
    unseen_if_came,
)
from companion.referee.weighing.weigh import weigh
from companion.table.glimpse_json import glimpse_from_dict, glimpse_to_dict
from companion.table.sighting import Glimpse, Hand, Point, TableView, TrayReport
from companion.table.zones import Zone, zone_of

WAYS = (0.97, 0.02, 0.01)
CAME = TrayPicture(came=True, still_s=3.0, known=True)
STILL = TrayPicture(came=False, still_s=4.0, known=True)
PILED = TrayReading(piled=True).hides(True, True, 1.0)


def watched(*looks: tuple[float, int, float, bool]) -> TrayChanges:
    """The changes of a tray seen at these times: (t_s, version, covered_mm2, quiet)."""
    changes = TrayChanges()
    for t_s, version, covered_mm2, quiet in looks:
        changes.observe_tray(t_s, TrayReport(1.0, quiet, version, covered_mm2))
    return changes


def left(
    card: int,
    at_s: float,
    level: int = 0,
    watched_s: float = 8.0,
    picture: TrayPicture = NOT_WATCHED,
) -> Departure:
    """A card that left at `at_s`, read in the tray at this level."""
    return Departure(card, at_s, at_s + 0.1, tray=TrayEvidence(level, watched_s, picture=picture))


def a_third_card_unread(picture: TrayPicture, hides: TrayHides, gap_s: float = 7.0) -> float:
    """How surely three were wrong, of five cards: two rest in the tray, the third was not read
    there, and after `gap_s` the other two were taken."""
    row = [
        left(1, 5.0, level=3),
        left(2, 10.0, level=3),
        left(3, 15.0, picture=picture),
        left(4, 15.0 + gap_s, watched_s=1.0, picture=STILL),
        left(5, 15.6 + gap_s, watched_s=1.0, picture=STILL),
    ]
    context = RoundContext(5, 3, 0.0, 18.0 + gap_s, Pace(), None, WAYS, hides=hides)
    return weigh(row, context)[Hypothesis(3, "ended")]


def test_a_card_that_came_unread_is_a_wrong_guess() -> None:
    """Something came to the tray after the third card left: three were wrong, whatever was read."""
    assert a_third_card_unread(CAME, PILED) > 0.97


def test_where_no_hand_is_seen_at_all_an_unvisited_tray_says_little() -> None:
    """The card was gone from one picture to the next: whoever took it is unseen, and so would be
    the hand that slid it under the pile."""
    unseen = replace(STILL, hands_seen=False)
    assert a_third_card_unread(STILL, PILED) < 0.3
    assert a_third_card_unread(unseen, PILED) > 0.35
    assert PILED.may_hide(2, unseen)


def test_a_tray_that_hides_its_cards_says_nothing_by_silence() -> None:
    """Cards lie over one another and the tray is not watched as a picture: seven seconds between
    two departures decide for a wrong guess, not the third card's not being read."""
    hiding = TrayHides(0.3, 0.4)
    assert a_third_card_unread(NOT_WATCHED, hiding) > 0.8
    assert a_third_card_unread(NOT_WATCHED, TrayHides()) < 0.5


def test_a_tray_that_stayed_as_it_was_testifies_to_a_claim() -> None:
    """Nothing came to the tray in plain view: the third card was the first of a claim, even where
    cards lie over one another."""
    assert a_third_card_unread(STILL, PILED, gap_s=2.0) < 0.1


def test_a_change_belongs_to_the_card_that_left_last() -> None:
    """Two cards leave, something comes after each: each is known to have come."""
    changes = watched(
        (0.0, 0, 0.0, True),
        (4.0, 0, 0.0, False),
        (5.0, 1, 5600.0, True),
        (9.0, 1, 5600.0, False),
        (10.0, 2, 7500.0, True),
    )
    first, second = changes.pictures_of([(3.5, 3.6), (8.5, 8.6)], [4.6, None])
    assert first.came
    assert second.came


def test_a_tray_that_is_bared_did_not_get_a_card() -> None:
    """The Lookout takes cards out of the tray while the last ones leave: nothing came."""
    changes = watched((0.0, 3, 9000.0, True), (1.0, 3, 9000.0, False), (2.0, 4, 0.0, True))
    (only,) = changes.pictures_of([(0.5, 0.6)], [None])
    assert not only.came


def test_what_came_lies_there_until_the_tray_is_bared() -> None:
    """Two cards come beside one another and are taken out together; one laid on another covers no
    more of the tray, so whether that one still lies there cannot be told."""
    beside = watched(
        (0.0, 0, 0.0, True),
        (1.0, 0, 0.0, False),
        (2.0, 1, 5700.0, True),
        (3.0, 1, 5700.0, False),
        (4.0, 2, 11400.0, True),
        (5.0, 3, 0.0, True),
    )
    left = [(0.5, 0.6), (2.5, 2.6)]
    assert [p.lay_until_s for p in beside.pictures_of(left, [None, None])] == [4.0, 4.0]
    upon = watched((0.0, 0, 5700.0, True), (1.0, 0, 5700.0, False), (2.0, 1, 5900.0, True))
    (only,) = upon.pictures_of([(0.5, 0.6)], [None])
    assert only.came
    assert only.lay_until_s == 0.0


def test_stillness_counts_only_while_it_is_seen() -> None:
    """A tray hidden by a hand for two of five seconds was seen unchanged for three."""
    changes = watched(
        *((0.25 * i, 0, 0.0, True) for i in range(9)),
        (2.5, 0, 0.0, False),
        (3.75, 0, 0.0, False),
        *((4.0 + 0.25 * i, 0, 0.0, True) for i in range(5)),
    )
    (only,) = changes.pictures_of([(0.0, 0.0)], [None])
    assert 2.9 <= only.still_s <= 3.1
    assert not only.came


def test_what_came_while_the_tray_was_lost_is_not_known() -> None:
    """The tray was pushed and is found elsewhere: its stillness since then says nothing of a card
    that left before, and it is no change either."""
    changes = watched((0.0, 0, 0.0, True), (0.25, 0, 0.0, True), (0.5, 0, 0.0, False))
    changes.observe_tray(1.5, None)
    for step in range(9):
        changes.observe_tray(2.0 + 0.25 * step, TrayReport(1.0, True, 0, 0.0))
    (only,) = changes.pictures_of([(0.2, 0.3)], [None])
    assert only.known
    assert not only.came
    assert only.still_s < 0.1


def test_how_often_the_tray_hides_cards_is_learnt_from_the_table() -> None:
    """Ten cards read among others: silence speaks again; ten unread ones: it says nothing."""
    kept, lost = TrayReading(), TrayReading()
    for _ in range(10):
        kept, lost = kept.learn_card(True, False, False), lost.learn_card(False, False, True)
    assert kept.hides(False, True, 1.0).among < 0.03
    assert lost.hides(False, True, 1.0).among > 0.7


def test_a_tray_half_out_of_the_picture_hides_more() -> None:
    """What lies where the picture ends is neither read nor seen to come."""
    whole = TrayReading().hides(False, True, 1.0)
    part = TrayReading().hides(False, True, 0.6)
    assert part.share_of(1) > whole.share_of(1) + 0.2
    assert part.beyond > 0.3
    assert whole.beyond == 0.0


def test_the_plain_rules_leave_room_for_what_came_unread() -> None:
    """One card rests in the tray, after the next something came there: two may have been wrong."""
    row = [left(1, 5.0, level=3), left(2, 10.0, picture=CAME), left(3, 15.0, picture=STILL)]
    assert plain_range(row, 3, 0.95, PILED) == (1, 2, 2)


def test_the_plain_rules_cannot_exclude_a_card_slid_under_all_others() -> None:
    """Fingertips were over the tray after the second card left, and nothing changed there: it may lie
    under the first. Without fingertips it cannot, nor can the first card of a round."""
    fingers = TrayPicture(still_s=9.0, known=True, visited=True, reached=True)
    row = [left(1, 5.0, level=3), left(2, 15.0, picture=fingers), left(3, 25.0, picture=STILL)]
    shows = TrayReading().hides(False, True, 1.0)
    assert plain_range(row, 3, 0.95, shows) == (1, 1, 2)
    assert plain_range([row[0], left(2, 15.0, picture=STILL), row[2]], 3, 0.95, shows) == (1, 1, 1)
    assert plain_range([left(2, 5.0, picture=fingers), row[2]], 3, 0.95, shows) == (0, 0, 0)


def test_a_disc_on_the_trays_edge_lies_in_the_tray() -> None:
    """A centre a finger's breadth beside the tray counts as in it; not one in the middle."""
    table = TableView(
        ((0.0, 0.0), (400.0, 0.0), (400.0, 300.0), (0.0, 300.0)),
        ((420.0, 50.0), (680.0, 50.0), (680.0, 240.0), (420.0, 240.0)),
    )
    assert zone_of((550.0, 260.0), table) is Zone.TRAY
    assert zone_of((550.0, 270.0), table) is Zone.EDGE
    assert zone_of((399.0, 150.0), table) is Zone.MIDDLE


def test_the_trays_picture_survives_its_recording() -> None:
    """A recorded line gives the report back, and a line made before trays were watched has none."""
    glimpse = Glimpse(1.0, tray=TrayReport(0.67, True, 3, 5600.0))
    line = glimpse_to_dict(glimpse)
    assert glimpse_from_dict(line) == glimpse
    del line["tray"]
    assert glimpse_from_dict(line).tray is None


def fingers_at_tray(tip_mm: Point, from_deg: float) -> TrayPicture:
    """What is known of a card that left (100, 100) while fingertips were over a tray that showed
    nothing new."""
    changes = watched((0.0, 0, 0.0, True))
    for step in range(4):
        report = TrayReport(0.67, False, 0, 0.0)
        changes.observe_tray(1.2 + 0.1 * step, report, [Hand(tip_mm, from_deg)])
    for step in range(12):
        changes.observe_tray(2.0 + 0.25 * step, TrayReport(0.67, True, 0, 0.0))
    (only,) = changes.pictures_of([(1.0, 1.1)], [None], [(100.0, 100.0)])
    return only


def test_fingertips_on_the_straight_way_home_brought_nothing_more_likely_than_not() -> None:
    """Who sits behind the tray draws a taken card across it: the arm lies in line with the card's
    place. Who sits elsewhere comes to the tray only to lay something down."""
    passing = fingers_at_tray((400.0, 100.0), 90.0)
    aside = fingers_at_tray((400.0, 100.0), 180.0)
    assert passing.reached
    assert passing.passing
    assert aside.reached
    assert not aside.passing
    hides = TrayReading().hides(False, True, 0.67)
    for_passing = unseen_if_came(passing, 0.04, hides) / seen_if_not(passing)
    for_aside = unseen_if_came(aside, 0.04, hides) / seen_if_not(aside)
    assert for_passing < 0.5
    assert for_aside > 2.0


def test_a_card_brought_to_the_part_of_the_tray_out_of_the_picture_was_wrong() -> None:
    """A third of the tray is outside. A hand goes to the tray, off its way home, and nothing is read
    there or seen to come: the card lies outside. Where no hand went there, it was taken."""
    hides = TrayReading().hides(False, True, 0.67)
    brought = replace(STILL, visited=True, reached=True, in_view=0.67)
    assert a_third_card_unread(brought, hides) > 0.9
    assert a_third_card_unread(replace(STILL, in_view=0.67), hides) < 0.3
    for picture in (brought, replace(brought, passing=True)):
        row = [left(1, 5.0, level=3), left(2, 10.0, picture=picture), left(3, 15.0, picture=STILL)]
        assert plain_range(row, 3, 0.97, hides) == (1, 2, 2)


def test_how_much_lies_out_of_the_picture_is_learnt_from_the_table() -> None:
    """A table that lays its cards in the part in view: nothing lies outside after a while."""
    reading = TrayReading()
    for _ in range(20):
        reading = reading.learn_part(shown=True)
    assert reading.hides(False, True, 0.67).beyond < 0.07
    assert TrayReading().hides(False, True, 0.67).beyond > 0.25


def test_the_lookouts_hands_over_the_tray_weigh_as_anybodys() -> None:
    """The one who collects sits where he sits: arms across the tray are no reason to take a claim
    for his collecting."""
    passed = replace(STILL, visited=True, reached=True, passing=True)
    row = [
        left(1, 5.0, level=3),
        left(2, 10.0, level=3),
        *(left(card, 15.0 + 0.4 * card, watched_s=2.0, picture=passed) for card in (3, 4, 5)),
    ]
    context = RoundContext(5, 3, 0.0, 20.0, Pace(), None, WAYS)
    crossed = weigh(row, context)[Hypothesis(2, "ended")]
    still = [*row[:2], *(replace(d, tray=replace(d.tray, picture=STILL)) for d in row[2:])]
    assert crossed > weigh(still, context)[Hypothesis(2, "ended")] - 0.05


def test_wrong_guesses_that_lie_in_the_tray_make_it_the_witness_in_every_edition() -> None:
    """Where cards may be turned face down, a round whose wrong guesses came to the tray is told by the
    tray; one of whose guesses nothing is known is not."""
    there = [left(1, 5.0, level=3), left(2, 10.0, picture=CAME), left(3, 15.0, picture=STILL)]
    assert witness_to(Weighed(there, {}, "down"), Hypothesis(2, "ended")) == "tray"
    assert witness_to(Weighed(there[1:], {}, "down"), Hypothesis(2, "ended")) == "down"
    assert witness_to(Weighed(there, {}, "down"), Hypothesis(0, "ended")) == "down"
