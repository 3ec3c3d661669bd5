"""The weighing of one round, and the small filter of one card."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.referee.departure import Departure, HandVisit, in_order
from companion.referee.observing.belief import Belief, Observation
from companion.referee.observing.hand_visits import HandVisits
from companion.referee.table_habits import habit_at_first
from companion.referee.weighing.confidence import CALIBRATION, may_enter, measured_rate
from companion.referee.weighing.hypothesis import Hypothesis, RoundContext
from companion.referee.weighing.pace import Pace, TimeMixture
from companion.referee.weighing.plain_rules import plain_range
from companion.referee.weighing.seating import Seating
from companion.referee.weighing.weigh import weigh
from companion.table.sighting import Hand
from tests.support.departures import departure

TRAY = (0.97, 0.02, 0.01)
AWAY = (0.0, 0.99, 0.01)


def context(
    cards: int, now_s: float, ways: tuple[float, float, float] = TRAY, **more: object
) -> RoundContext:
    return RoundContext(cards, cards - 2, 0.0, now_s, Pace(), None, ways, **more)


def left(
    card: int, at_s: float, tray: int = 0, tray_watched_s: float = 3.0, **more: object
) -> Departure:
    return departure(card, at_s - 0.1, at_s, tray, 0.0, tray_watched_s, 3.0, **more)


def best(row: list[Departure], where: RoundContext) -> tuple[Hypothesis, float]:
    shares = weigh(row, where)
    hypothesis = max(shares, key=lambda t: shares[t])
    return hypothesis, shares[hypothesis]


departures = st.lists(
    st.builds(
        lambda card, low, wide, tray, down, watched: departure(card, low, low + wide, tray, down, watched, watched),
        st.integers(1, 80), st.floats(0, 60), st.floats(0, 8), st.integers(0, 3), st.floats(0, 1), st.floats(0, 9),
    ),
    min_size=1, max_size=8, unique_by=lambda d: d.card,
)  # fmt: skip


@given(departures, st.integers(0, 5), st.sampled_from([TRAY, AWAY, (0.3, 0.3, 0.4)]))
@settings(deadline=None)
def test_hypotheses_are_few_legal_and_add_up(
    row: list[Departure], missing: int, ways: tuple[float, float, float]
) -> None:
    """However odd the departures: at most N + 1 hypotheses and the three stages of the last one, all
    legal, adding up to 1."""
    cards = min(8, len(row) + missing)
    if cards < 4:
        return
    row = row[:cards]
    shares = weigh(in_order(row), context(cards, 70.0, ways))
    assert len(shares) <= cards + 2
    assert all(0 <= t.wrong_count <= cards - 2 for t in shares)
    assert all((t.stage == "ended") == (len(row) == cards) for t in shares)
    assert sum(shares.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("w", range(4))
def test_the_tray_tells_how_many_were_wrong(w: int) -> None:
    """With `w` cards read at rest in the tray and the rest swept, `w` is sure; with all attempts
    used the Lookout takes."""
    row = [left(i + 1, 6.0 * (i + 1), tray=3) for i in range(w)]
    row += [left(w + i + 1, 6.0 * w + 5.0 + 0.1 * i) for i in range(5 - w)]
    hypothesis, share = best(row, context(5, 60.0))
    assert (hypothesis.wrong_count, share > 0.98) == (w, True)


def test_a_grab_seconds_before_the_rest_is_no_wrong_guess_beside_a_tray() -> None:
    """One card, three seconds, the rest: beside a tray in plain view nobody set it aside."""
    row = [left(1, 6.0), *(left(i, 9.0) for i in range(2, 6))]
    assert best(row, context(5, 12.0))[0].wrong_count == 0


@pytest.mark.parametrize("place", range(4))
def test_a_pile_laid_on_the_tray_after_the_sweep_is_no_sure_wrong_guess(place: int) -> None:
    """Whichever card of a sweep is read on top, in the tray, once the middle is empty: nothing is
    entered before it is asked; a card that came there at once, while the others were taken, is a
    wrong guess still."""
    row = [left(card, 6.0 + 0.4 * card, tray=3 if card == place else 0) for card in range(4)]
    came = replace(row[place].tray, came_s=(8.6, 8.5 - row[place].high_s))
    late = replace(row[place], tray=came)
    piled = weigh([*row[:place], late, *row[place + 1 :]], context(4, 12.0))
    assert not any(may_enter(p, "tray") for told, p in piled.items() if told.wrong_count)
    assert (
        place
        or max(p for told, p in weigh(row, context(4, 12.0)).items() if told.wrong_count == 1)
        > CALIBRATION["tray"].enter_at
    )


def test_the_same_picture_out_of_view_stays_open() -> None:
    """The same departures with nothing in view: neither story is sure enough to enter."""
    row = [
        left(1, 6.0, tray_watched_s=0.0),
        *(left(i, 8.0, tray_watched_s=0.0) for i in range(2, 6)),
    ]
    shares = weigh(row, context(5, 12.0, AWAY))
    first, second = sorted(shares, key=lambda t: -shares[t])[:2]
    assert not may_enter(shares[first], "away")
    assert {first.wrong_count, second.wrong_count} == {0, 1}


def test_a_known_set_aside_card_goes_before_an_overlapping_neighbour() -> None:
    """Two cards left under one arm: the one that rests in the tray was first."""
    claimed, aside = departure(1, 5.0, 9.0), departure(2, 5.0, 9.1, tray=3)
    assert [d.card for d in in_order([claimed, aside])] == [2, 1]
    early = departure(1, 1.0, 2.0)
    assert [d.card for d in in_order([early, aside])] == [1, 2]


def test_a_persons_word_excludes_hypotheses() -> None:
    """At least two were wrong, says a person: no hypothesis with fewer is left; a denied card is in
    none as wrong."""
    row = [left(1, 6.0), *(left(i, 6.2) for i in range(2, 6))]
    assert min(t.wrong_count for t in weigh(row, context(5, 9.0, least=2))) == 2
    denied = [left(1, 6.0, tray=3, denied=True), *(left(i, 12.2) for i in range(2, 6))]
    assert best(denied, context(5, 19.0))[0].wrong_count == 0


def test_hands_count_once_a_visit() -> None:
    """A sweep of five cards by one hand is one witness, not five."""
    seating = Seating(5)
    for seat in range(5):
        seating.learn_direction(seat, 72.0 * seat)
    row = [left(i, 6.0 + 0.1 * i, visit=HandVisit(1, 72.0)) for i in range(1, 6)]
    many = weigh(row, RoundContext(5, 3, 0.0, 9.0, Pace(), seating, AWAY))
    row = [left(1, 6.1, visit=HandVisit(1, 72.0)), *(left(i, 6.0 + 0.1 * i) for i in range(2, 6))]
    once = weigh(row, RoundContext(5, 3, 0.0, 9.0, Pace(), seating, AWAY))
    assert many[Hypothesis(0, "ended")] == pytest.approx(once[Hypothesis(0, "ended")])


def test_whose_hand_it_was_decides_between_two_stories() -> None:
    """The hand that took the rest came from the second Spectator: the first card was wrong."""
    seating = Seating(5)
    for seat in range(5):
        seating.learn_direction(seat, 72.0 * seat)

    def taken_by(seat: int) -> float:
        hand = HandVisit(2, 72.0 * seat)
        row = [
            left(1, 6.0, visit=HandVisit(1, 0.0)),
            *(left(i, 8.0, visit=hand) for i in range(2, 6)),
        ]
        return weigh(row, RoundContext(5, 3, 0.0, 12.0, Pace(), seating, AWAY)).get(
            Hypothesis(1, "ended"), 0.0
        )

    assert taken_by(2) > 0.9 > 0.6 > taken_by(1)


def test_a_claim_taken_card_by_card_is_one_claim() -> None:
    """Eight cards carried away one after another, none of them to the tray in view, are not eight
    guesses."""
    row = [left(1, 8.0), *(left(i + 1, 8.0 + 2.2 * i) for i in range(1, 8))]
    hypothesis, share = best(row, context(8, 26.0))
    assert hypothesis == Hypothesis(0, "ended")
    assert share > 0.97


def test_the_plain_rules_know_that_a_claim_takes_everything() -> None:
    """A card that left before one that rests in the tray was wrong too; without the habit of a tray
    they are silent."""
    row = [left(1, 5.0), left(2, 9.0, tray=2), left(3, 12.0)]
    assert plain_range(row, 3, 0.97) == (2, 2, 2)
    assert plain_range([*row[:2], left(3, 12.0, tray=1)], 3, 0.97) == (2, 3, 3)
    unseen = [left(card, 12.0, tray_watched_s=0.0) for card in (3, 4)]
    assert plain_range([*row[:2], *unseen], 3, 0.97) == (2, 2, 3), (
        "nobody could have seen the third in the tray"
    )
    assert plain_range(row, 3, 0.4) is None


def test_out_of_view_less_is_entered_while_no_seat_is_known() -> None:
    """A hypothesis entered where hands tell whose they are is asked about while nobody's side is
    known; never beside a tray."""
    assert may_enter(0.94, "away")
    assert not may_enter(0.94, "away", seats_known=False)
    assert may_enter(0.94, "tray", seats_known=False)
    seating = Seating(5)
    assert not seating.known
    seating.learn_direction(0, 180.0)
    assert seating.known


def test_the_seating_is_learnt_from_the_dealing_hand() -> None:
    """One deal from the left tells where everybody sits, clockwise; another number of seats is not
    known yet."""
    seating = Seating(6, daydreamer=2)
    assert seating.direction_deg(0) is None
    seating.learn_direction(2, 120.0)
    assert seating.direction_deg(5) == pytest.approx(-60.0)
    assert (seating.lookout, seating.spectator(0), seating.spectator(4)) == (1, 3, 3)
    seating.pass_roles()
    assert (seating.daydreamer, seating.lookout) == (1, 0)


def test_four_players_guess_in_turn() -> None:
    """With four players the two Spectators alternate."""
    assert [Seating(4, 0).spectator(turn) for turn in range(4)] == [1, 2, 1, 2]


def test_hands_are_gathered_into_visits() -> None:
    """A hand that stays is one visit, one that comes again is another, and a far one took nothing."""
    visits = HandVisits()
    for step in range(10):
        visits.gather_hands(step / 10, (Hand((100.0, 100.0), 90.0),))
    visits.gather_hands(3.0, (Hand((100.0, 100.0), 180.0),))
    first, second = (
        visits.stay_over((110.0, 100.0), 0.0, 1.0),
        visits.stay_over((110.0, 100.0), 2.5, 3.5),
    )
    assert first is not None
    assert second is not None
    assert (first.number != second.number, round(first.from_deg or 0)) == (True, 90)
    assert visits.stay_over((700.0, 500.0), 0.0, 4.0) is None


def watch(
    belief: Belief, shown: Observation, seconds: float, start_s: float, step_s: float = 0.1
) -> float:
    for i in range(round(seconds / step_s)):
        belief.pass_time(step_s)
        belief.weigh_observation(shown, start_s + i * step_s)
    return start_s + seconds


@pytest.mark.parametrize("step_s", [1 / 30, 0.1, 0.4])
def test_a_bare_place_says_that_a_card_left_at_any_frame_rate(step_s: float) -> None:
    """Half a second of bare table and the card has left, from 2.5 to 30 pictures a second."""
    belief = Belief()
    t_s = watch(belief, Observation.MARKER, 3.0, 0.0, step_s)
    watch(belief, Observation.TABLE, 0.8, t_s, step_s)
    assert belief.left > 0.9


@pytest.mark.parametrize("shown", [Observation.OTHER, Observation.MOVING])
def test_a_covered_card_still_lies(shown: Observation) -> None:
    """Half a minute under a cup or an arm is no departure."""
    belief = Belief()
    t_s = watch(belief, Observation.MARKER, 3.0, 0.0)
    watch(belief, shown, 30.0, t_s)
    assert belief.left < 0.4


def test_one_wrong_frame_is_no_departure() -> None:
    """A single "table" between readings never makes a card leave for good."""
    belief = Belief()
    t_s = watch(belief, Observation.MARKER, 3.0, 0.0)
    belief.pass_time(0.1)
    belief.weigh_observation(Observation.TABLE, t_s)
    watch(belief, Observation.MARKER, 0.3, t_s + 0.1)
    assert belief.left < 0.05


def test_a_named_back_is_a_card_face_down() -> None:
    """In the German edition a back in the place of the card is the card."""
    belief = Belief(turns_over=True)
    belief.named_backs = True
    t_s = watch(belief, Observation.MARKER, 3.0, 0.0)
    watch(belief, Observation.BACK, 1.0, t_s)
    assert belief.down > 0.9


def test_not_being_read_takes_seconds_to_say_anything() -> None:
    """Unread for a second means nothing; unread for eight, with nothing else known, means gone."""
    belief = Belief()
    t_s = watch(belief, Observation.MARKER, 3.0, 0.0)
    t_s = watch(belief, Observation.UNREAD, 1.0, t_s)
    assert belief.left < 0.3
    watch(belief, Observation.UNREAD, 7.0, t_s)
    assert belief.left > 0.8


def test_times_are_proper_distributions() -> None:
    """Shares grow from 0 to 1, a narrow interval has a finite density, and a table's own pace is
    learnt."""
    times = TimeMixture(((1.0, 4.0, 0.8),))
    assert times.share_within(0.0) == 0.0
    assert times.share_within(4.0) == pytest.approx(0.5)
    assert times.share_within(1e4) == pytest.approx(1.0)
    assert times.log_density(3.0, 3.0) == pytest.approx(times.log_density(2.94, 3.06), abs=0.01)
    pace = Pace()
    for _ in range(40):
        pace = pace.learn_thinking(12.0)
    assert pace.think.share_within(7.0) < Pace().think.share_within(7.0)


def test_a_habit_is_told_or_found_out() -> None:
    """Told at set-up it is nearly sure; unsaid, a few rounds tell; without a tray in view a tray is
    out of view."""
    assert habit_at_first("tray", "en").shares(True)[0] > 0.98
    habit = habit_at_first("auto", "de")
    assert habit.shares(True)[2] > 0.4
    for _ in range(5):
        habit = habit.learn_cards(0.0, 0.0, 3.0)
    assert habit.shares(True)[2] > 0.7
    assert habit_at_first("tray", "en").shares(False)[0] == 0.0


def test_confidence_never_claims_more_than_was_measured() -> None:
    """The stated rate grows with the posterior and stops short of certainty."""
    for told_by in CALIBRATION:
        rates = [measured_rate(p / 100, told_by) for p in range(101)]
        assert rates == sorted(rates)
        assert rates[-1] < 1.0


def test_a_card_read_once_over_the_tray_lies_under_a_later_one_or_was_only_carried_across() -> None:
    """Four seconds of a tray in plain view and one reading there: likelier set aside when another
    card came to lie there after it; by itself it was carried across."""
    first = left(1, 5.0, tray=1, tray_watched_s=8.0)
    under = [first, left(2, 9.0, tray=3), *(left(i, 13.0) for i in range(3, 6))]
    across = [first, *(left(i, 6.5 + 0.3 * i) for i in range(2, 6))]
    assert weigh(under, context(5, 18.0))[Hypothesis(2, "ended")] > 0.98
    assert weigh(across, context(5, 18.0))[Hypothesis(0, "ended")] > 0.9
