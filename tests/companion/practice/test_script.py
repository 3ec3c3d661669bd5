"""The script's truth is what lies on the table: checked on the things' ways, without pictures."""

from __future__ import annotations

import itertools
from dataclasses import replace
from math import hypot
from random import Random

import pytest

from companion.errors import BadInput
from companion.game.events import CardSetAside, CloudsClaimed, EveningBegun, LookoutTook, RoundDealt
from companion.game.seats import deal_size, guess_order, spectators_of
from companion.practice.acting.motion import Key, Pose, Track
from companion.practice.acting.people import TEMPERS
from companion.practice.faults import Faults
from companion.practice.layout import lay_table
from companion.practice.script import Script, write_script
from companion.practice.truth import RoundTruth
from companion.practice.witness import Witness

SEEDS = range(40)


def evening(seed: int, faults: Faults | None = None) -> Script:
    """Two rounds of some group."""
    rng = Random(f"evening {seed}")
    players, temper = rng.randint(3, 8), rng.choice(TEMPERS)
    handling = rng.choice(("auto", "tray", "away", "face-down"))
    return write_script(
        players,
        rng.choice(("en", "de", "cs")),
        2,
        seed,
        temper,
        handling,
        Faults.all(0.15) if faults is None else faults,
    )


def lying(script: Script, line: RoundTruth, t_s: float) -> set[int]:
    """The round's cards that lie face up in the middle at `t_s`."""
    found = set()
    for track in script.tracks:
        pose, _ = track.at(t_s)
        inside = 0 < pose.x_mm < script.layout.width_mm and 0 < pose.y_mm < script.layout.height_mm
        there = track.keys and track.keys[0].start_s <= t_s and pose.up and not pose.away
        if (
            there
            and inside
            and pose.height_mm < 4
            and track.thing.startswith("CM1/")
            and "#" not in track.thing
        ):
            found.add(int(track.thing[4:]))
    return found & set(line.cards)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_lies_is_what_the_truth_says(seed: int) -> None:
    """All cards lie when the deal is done, but for one guessed before; before each guess one less
    for each wrong one; none when the round has ended."""
    script = evening(seed)
    for line in script.truth.rounds:
        hasty = [guess for guess in line.guesses if guess.at_s < line.dealt_s]
        left = set(line.cards) - {guess.card for guess in hasty}
        assert lying(script, line, line.dealt_s + 0.02) == left
        for guess in line.guesses[len(hasty) :]:
            assert lying(script, line, guess.at_s - 0.02) == left
            left.discard(guess.card)
        assert not lying(script, line, line.ended_s + 0.4)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_in_two_places(seed: int) -> None:
    """No thing begins a move before its last one is done."""
    for track in evening(seed).tracks:
        for before, after in zip(track.keys, track.keys[1:], strict=False):
            assert after.start_s >= before.end_s - 1e-6, track.thing


def test_a_round_follows_the_rules() -> None:
    """Guessers are the Spectators in turn, attempts are two fewer than cards, each card ends with
    someone."""
    for seed in SEEDS:
        truth = evening(seed).truth
        players = len(truth.players)
        for line in truth.rounds:
            order = guess_order(
                spectators_of(line.daydreamer, tuple(range(players))), len(line.cards)
            )
            assert len(line.cards) == deal_size(players)
            assert tuple(guess.seat for guess in line.guesses) == order[: len(line.guesses)]
            assert all(not guess.right for guess in line.guesses[:-1])
            assert (line.ending == "claimed") == line.guesses[-1].right
            assert line.ending == "claimed" or len(line.guesses) == len(order)
            assert sum(line.gains(players)) == len(line.cards)


def test_a_whole_evening_uses_the_deck_once() -> None:
    """To the end of 80 cards six players play 13 rounds, no card twice, roles passing to the right."""
    truth = write_script(6, seed=2, handling="tray").truth
    cards = [card for line in truth.rounds for card in line.cards]
    assert len(truth.rounds) == 13
    assert len(set(cards)) == len(cards) == 78 == sum(truth.totals)
    assert all(
        (a.daydreamer - b.daydreamer) % 6 == 1
        for a, b in zip(truth.rounds, truth.rounds[1:], strict=False)
    )


def test_the_same_seed_is_the_same_evening() -> None:
    """A script is deterministic in its seed, and another seed is another evening."""
    one, same, other = (write_script(5, rounds=2, seed=seed) for seed in (4, 4, 5))
    assert one.truth == same.truth
    assert one.reaches == same.reaches
    assert one.truth != other.truth


def test_events_are_the_rules_events() -> None:
    """The truth as events begins the evening and tells each round: dealt, guesses, and the
    Lookout's taking."""
    for seed in SEEDS:
        truth = evening(seed).truth
        times, events = zip(*truth.events(), strict=True)
        assert isinstance(events[0], EveningBegun)
        assert list(times) == sorted(times)
        assert sum(isinstance(event, RoundDealt) for event in events) == len(truth.rounds)
        guesses = sum(len(line.guesses) for line in truth.rounds)
        assert sum(isinstance(event, CardSetAside | CloudsClaimed) for event in events) == guesses
        assert sum(isinstance(event, LookoutTook) for event in events) == sum(
            r.ending == "lookout" for r in truth.rounds
        )


def test_handlings_put_cards_where_they_say() -> None:
    """After a wrong guess the card lies in the tray, face down in its place, or out of sight."""
    for handling in ("tray", "face-down", "away"):
        script = write_script(
            6, rounds=3, seed=9, handling=handling, temper_name="calm", faults=Faults()
        )
        ways = {track.thing: track for track in script.tracks}
        wrong = [guess for line in script.truth.rounds for guess in line.guesses if not guess.right]
        assert wrong
        for guess in wrong:
            pose, _ = ways[f"CM1/{guess.card}"].at(guess.at_s + 2.0)
            before, _ = ways[f"CM1/{guess.card}"].at(guess.at_s - 0.1)
            if handling == "tray":
                assert script.layout.tray is not None
                assert abs(pose.x_mm - script.layout.tray.x_mm) < 131
                assert pose.up
            elif handling == "face-down":
                assert not pose.up
                assert abs(pose.x_mm - before.x_mm) < 10
            else:
                assert pose.away


@pytest.mark.parametrize(
    "fault",
    [
        "second_thoughts",
        "lift_and_return",
        "cup",
        "foreign_card",
        "duplicate",
        "won_card_returns",
        "one_too_many",
        "one_too_few",
        "early_card",
        "nudge",
        "unknown_code",
        "forearm",
        "hand_rests",
        "card_on_card",
    ],
)
def test_a_switch_makes_more_hands_work(fault: str) -> None:
    """Each incident of hands, switched on, adds visits to the same evening's deeds."""
    plain = write_script(5, rounds=2, seed=1, faults=Faults())
    thrown = write_script(5, rounds=2, seed=1, faults=Faults.only(fault))
    assert len(thrown.reaches) > len(plain.reaches) or fault == "one_too_few"
    assert thrown.duration_s != plain.duration_s


@pytest.mark.parametrize(
    "fault",
    [
        "glare",
        "focus_hunt",
        "exposure_hunt",
        "lamp_switch",
        "bump_camera",
        "bump_table",
        "picture_freezes",
        "picture_black",
        "camera_stalls",
    ],
)
def test_a_switch_befalls_the_picture(fault: str) -> None:
    """Each incident of light and camera, switched on, befalls every guess."""
    script = write_script(4, rounds=2, seed=1, faults=Faults.only(fault))
    assert {effect.kind for effect in script.effects} == {fault}
    assert len(script.effects) >= sum(len(line.guesses) for line in script.truth.rounds)


def test_a_sweep_makes_one_heap() -> None:
    """Swept claims bring the cards together in the middle before they go; grabs never do."""
    for fault, heaps in (("pile_sweep", True), ("several_grabs", False)):
        script = write_script(
            6, rounds=3, seed=4, faults=Faults.only(fault), temper_name="calm", handling="tray"
        )
        ways = {track.thing: track for track in script.tracks}
        line = next(line for line in script.truth.rounds if line.ending == "claimed")
        wrong = {guess.card for guess in line.guesses if not guess.right}
        poses = [
            ways[f"CM1/{card}"].at(line.ended_s - 0.02)[0]
            for card in line.cards
            if card not in wrong
        ]
        near = [
            pose
            for pose in poses
            if not pose.away
            and abs(pose.x_mm - poses[0].x_mm) + abs(pose.y_mm - poses[0].y_mm) < 30
        ]
        assert (len(near) == len(line.cards) - len(wrong)) is heaps


def test_missing_cards_make_the_deck_smaller() -> None:
    """With cards lost from the box the truth's deck is smaller and they are never dealt."""
    truth = write_script(3, seed=3, faults=Faults.only("missing_cards")).truth
    assert len(truth.deck) == 77
    assert {card for line in truth.rounds for card in line.cards} <= set(truth.deck)


def test_places_lie_apart_and_off_the_tokens() -> None:
    """Nine discs find places in the middle that touch neither one another nor a token."""
    for seed in range(20):
        rng = Random(seed)
        layout = lay_table(8, rng)
        places = layout.places(9, rng)
        for index, pose in enumerate(places):
            others = [*places[:index], *places[index + 1 :]]
            assert (
                min((pose.x_mm - o.x_mm) ** 2 + (pose.y_mm - o.y_mm) ** 2 for o in others) > 83**2
            )
            assert (
                min((pose.x_mm - o.x_mm) ** 2 + (pose.y_mm - o.y_mm) ** 2 for o in layout.tokens)
                > 90**2
            )


def test_a_card_turned_over_shows_its_edge_half_way() -> None:
    """While it is turned a thing is narrow, and which side is up changes in the middle of the way."""
    track = Track("CM1/1", Pose(0, 0), [Key(1.0, 2.0, Pose(0, 0, up=False), 20.0)])
    assert track.at(1.0)[0].up
    assert track.at(1.5)[0].squash < 0.1
    assert track.at(1.4)[0].up
    assert not track.at(1.6)[0].up
    assert track.at(2.0)[0] == Pose(0, 0, up=False)


def test_bad_wishes_are_answered_with_the_choices() -> None:
    """Two players, an unknown edition, a handling without its tray, an unknown fault: each is one
    clear sentence."""
    with pytest.raises(BadInput, match="3 to 8"):
        write_script(2)
    with pytest.raises(BadInput, match="de"):
        write_script(4, edition="fr")
    with pytest.raises(BadInput, match="tray"):
        write_script(4, layout=lay_table(4, Random(1), "none"))
    with pytest.raises(ValueError, match="nudge"):
        Faults.only("earthquake")
    with pytest.raises(ValueError, match="rowdy"):
        write_script(4, temper_name="sleepy")


@pytest.mark.parametrize(
    "switch", ["pile_on_top", "pile_under", "pile_fan", "pile_heap", "tray_edge"]
)
def test_piled_cards_lie_over_one_another(switch: str) -> None:
    """Where people pile, the wrong cards of a round lie so near that one is on the other, the one
    pushed under below; half of them beside the tray's edge where they lie on it."""
    near, beside, layers = 0, 0, set[int]()
    for seed in range(12):
        layout = lay_table(7, Random(seed))
        script = write_script(7, "en", 1, seed, "calm", "tray", Faults.only(switch), layout)
        line = script.truth.rounds[0]
        aside = [guess.card for guess in line.guesses if not guess.right]
        poses = [
            track.at(line.ended_s)[0]
            for card in aside
            for track in script.tracks
            if track.thing == f"CM1/{card}"
        ]
        there = [pose for pose in poses if not pose.away and pose.layer]
        layers |= {pose.layer for pose in there}
        assert layout.tray is not None
        beside += sum(abs(pose.y_mm - layout.tray.y_mm) > 70 for pose in there)
        beside += sum(abs(pose.x_mm - layout.tray.x_mm) > 105 for pose in there)
        near += sum(
            abs(a.x_mm - b.x_mm) + abs(a.y_mm - b.y_mm) < 80 for a, b in itertools.pairwise(there)
        )
    assert (beside if switch == "tray_edge" else near) >= 5
    assert switch != "pile_under" or max(layers) < 0
    assert switch != "pile_on_top" or min(layers) > 0


def at_the_tray(switch: str, seed: int = 3) -> Script:
    """Two rounds of seven at a tray, with this switch thrown whenever it can be."""
    layout = lay_table(7, Random(seed))
    return write_script(7, "en", 2, seed, "calm", "tray", Faults.only(switch), layout)


def aside_of(script: Script) -> list[list[tuple[int, float]]]:
    """By round, the wrong cards with the moments in which they left."""
    return [
        [(guess.card, guess.at_s) for guess in line.guesses if not guess.right]
        for line in script.truth.rounds
    ]


def lies(script: Script, card: int, t_s: float) -> Pose:
    """Where a card lies then."""
    return next(t for t in script.tracks if t.thing == f"CM1/{card}").at(t_s)[0]


def test_a_hand_lingers_while_the_next_one_takes() -> None:
    """The hand that laid a card is still in view when another hand comes; else no two ever are."""

    def together(script: Script) -> int:
        return sum(a.end_s > b.start_s + 0.1 for a, b in itertools.pairwise(script.reaches))

    assert together(at_the_tray("hand_lingers")) >= 1
    assert together(at_the_tray("edge_pile")) == 0


def test_two_wrong_cards_go_in_one_hand() -> None:
    """The second leaves within a second and a half of the first, and both lie on one spot."""
    script = at_the_tray("two_at_once")
    (first, one_s), (second, other_s) = next(aside for aside in aside_of(script) if len(aside) > 1)[
        :2
    ]
    assert 0 < other_s - one_s < 1.5
    one, other = (lies(script, card, other_s + 2.0) for card in (first, second))
    assert abs(one.x_mm - other.x_mm) + abs(one.y_mm - other.y_mm) < 15


def test_a_card_is_turned_over_on_its_way_to_the_tray() -> None:
    """What lies in the tray lies face down."""
    script = at_the_tray("turned_in_tray")
    card, left_s = next(aside for aside in aside_of(script) if aside)[0]
    assert not lies(script, card, left_s + 2.0).up


def test_a_pushed_tray_takes_its_cards_along() -> None:
    """The tray lies elsewhere after it was pushed, and a card on it lies where it lay, seen from the
    tray."""
    script = at_the_tray("tray_nudged")
    assert script.tray is not None
    assert script.layout.tray is not None
    moved = 0
    for card, left_s in (guess for aside in aside_of(script) for guess in aside):
        for key in script.tray.keys:
            if left_s + 2.0 < key.start_s < left_s + 20.0:
                before, after = (
                    lies(script, card, t) for t in (key.start_s - 0.1, key.end_s + 0.1)
                )
                if before.away or after.away:
                    continue
                old, new = (script.tray_at(t) for t in (key.start_s - 0.1, key.end_s + 0.1))
                assert old is not None
                assert new is not None
                gap = hypot(before.x_mm - old.x_mm, before.y_mm - old.y_mm)
                assert hypot(after.x_mm - new.x_mm, after.y_mm - new.y_mm) == pytest.approx(
                    gap, abs=0.5
                )
                moved += 1
    assert moved >= 1


def test_a_bowl_stays_on_the_trays_corner() -> None:
    """It is brought once, stays, and hands come to it again without taking a card."""
    script = at_the_tray("bowl_on_tray")
    bowls = [track for track in script.tracks if track.thing.startswith("bowl")]
    assert len(bowls) == 1
    assert len(bowls[0].keys) == 1
    at = bowls[0].last.point_mm
    came = [
        r
        for r in script.reaches
        if any(hypot(s.point_mm[0] - at[0], s.point_mm[1] - at[1]) < 5 for s in r.stops)
    ]
    assert len(came) >= 1


def test_no_hand_is_told_where_the_picture_does_not_hold_the_tray() -> None:
    """A third of the tray is outside: an arm that reaches there ends, for any eye, at the picture's
    edge."""
    layout = replace(lay_table(5, Random(4), tray_side="right"), tray_shown=2 / 3)
    script = write_script(
        5, "en", 1, 4, "ordinary", "tray", Faults.only("tray_cut_off", 1.0), layout
    )
    witness = Witness(script)
    beyond = 0
    for step in range(int(script.duration_s * 5)):
        raw = witness.read_moment(step / 5)
        tips = [reach.at(step / 5)[0] for reach in script.hands_at(step / 5)]
        beyond += any(not layout.shows(tip) for tip in tips)
        assert raw is not None
        assert all(layout.shows(hand.tip_mm) for hand in raw.uncurtained.hands)
    assert beyond
