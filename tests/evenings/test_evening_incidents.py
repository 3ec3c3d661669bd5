"""Every incident of a living room: its switch at the practice table, the tests that hold its
behaviour, and a round with it.

The numbers are those of the list of incidents. A row without a switch says why no camera can see
it; a switch without a row, a row without a test and a test that is gone fail here.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from companion.evening.loop import keep_score
from companion.evening.scorekeeper import Scorekeeper
from companion.game.change import Changes
from companion.game.events import EveningBegun
from companion.practice.faults import LIVING_ROOM, Faults
from companion.practice.script import write_script
from companion.practice.witness import Witness, moments_of

FPS = 5
STORIES = "companion/referee/test_stories.py::test_the_referee_tells_each_story_as_it_happened"


@dataclass(frozen=True)
class Row:
    """One incident: what happens, the switches that act it out, the tests ("module:test") of its
    behaviour, and for those that no camera sees, why."""

    what: str
    switches: tuple[str, ...]
    tests: tuple[str, ...]
    unseen: str = ""


PILES = ("pile_on_top", "pile_under", "pile_fan", "pile_heap")
FOR_THE_EVENING = {"overlapping_tray", *PILES, "tray_edge", "tray_cut_off", "tray_far"}
"""Switches that say how the tray lies and is used all evening: no one moment is theirs."""

IN_THE_TRAY = ("two_at_once", "turned_in_tray", "pile_slips", "bowl_on_tray")

INCIDENTS: dict[int, Row] = {
    1: Row("a hand or forearm over cards", ("hand_rests", "forearm", "hand_lingers"), (
        "companion/evening/test_waiting.py::test_no_question_while_a_hand_lies_over_the_tray",
        "companion/referee/test_weigh.py::test_a_covered_card_still_lies", "companion/vision/places/test_place_watch.py::test_a_hand_over_a_card_moves_and_comes_from_its_side")),
    2: Row("something lies on a marker", ("cup", "clutter", "card_on_card", "cup_stays"), (
        STORIES, "evenings/test_evening_unnamed_cards.py::test_a_cup_between_the_cards_makes_no_point_wrong", "companion/vision/places/test_place_watch.py::test_a_covered_card_is_never_called_table",
        "companion/vision/places/test_place_watch.py::test_a_card_under_another_is_not_called_table")),
    3: Row("glare, a sleeve, a shadow", ("glare", "lean_shadow"), ("companion/vision/codes/test_reader.py::test_a_card_partly_burnt_out_by_a_lamp_is_found_and_confirmed",)),
    4: Row("light changes", ("dusk", "lamp_switch", "flicker"), (
        "companion/vision/places/test_place_watch.py::test_light_alone_changes_nothing", "companion/vision/frame/test_motion_gate.py::test_a_brighter_room_is_no_motion",
        "companion/vision/frame/test_motion_gate.py::test_flicker_bands_are_no_motion")),
    5: Row("exposure or focus hunts", ("focus_hunt", "exposure_hunt", "exposure_follows"), (
        "companion/vision/places/test_place_watch.py::test_a_blurred_frame_is_no_evidence", "companion/referee/test_word.py::test_unusable_and_late_glimpses_say_nothing")),
    6: Row("a bump; the stand sways", ("bump_camera", "bump_table", "shaky"), (
        "calibration/tracking/test_drift.py::test_a_bump_is_found_within_five_frames_and_mended",
        "calibration/tracking/test_drift.py::test_a_large_bump_is_worth_a_word_a_small_one_is_not")),
    7: Row("cards or the tray nudged", ("nudge", "tray_nudged"), (
        "companion/referee/test_tray_silence.py::test_what_came_while_the_tray_was_lost_is_not_known","evenings/test_evening_incidents.py::test_a_round_with_the_incident_is_kept_exactly",)),
    8: Row("a card lifted and put back", ("lift_and_return",), (STORIES,)),
    9: Row("a card set aside comes back", ("second_thoughts",), (
        STORIES, "companion/referee/test_word.py::test_a_card_read_in_the_middle_again_reopens_the_round")),
    10: Row("a claim in several grabs", ("several_grabs",), (
        STORIES, "companion/referee/test_weigh.py::test_a_grab_seconds_before_the_rest_is_no_wrong_guess_beside_a_tray",
        "companion/referee/test_weigh.py::test_the_same_picture_out_of_view_stays_open")),
    11: Row("the middle swept into a pile", ("pile_sweep",), (
        "companion/practice/test_script.py::test_a_sweep_makes_one_heap",
        "companion/referee/test_word.py::test_a_card_whose_place_is_no_longer_asked_about_is_gone_when_it_stays_unread")),
    12: Row("a card taken early", ("early_card", "early_guess"), (
        "companion/referee/test_incidents.py::test_incident_12_a_card_taken_before_all_lie",
        "companion/referee/test_incidents.py::test_incident_12_a_card_taken_before_all_lie_is_played_so",
        "companion/referee/test_incidents.py::test_incident_12_a_card_taken_before_all_lie_is_put_right_by_hand",
        "companion/dealing/test_curtain.py::test_no_number_passes_while_a_card_is_missing",
        "companion/dealing/test_curtain.py::test_a_card_taken_as_soon_as_it_was_laid_belongs_to_the_deal")),
    13: Row("too many or too few cards", ("one_too_many", "one_too_few"), (
        "companion/referee/test_word.py::test_a_wrong_count_is_said_and_may_be_accepted",
        "browser/test_play.py::test_another_number_of_cards_is_accepted_with_one_tap")),
    14: Row("foreign and won cards", ("foreign_card", "unknown_code", "won_card_returns"), (
        "companion/vision/codes/test_reader_hostile.py::test_a_code_that_is_almost_a_card_is_foreign",
        "companion/referee/test_word.py::test_cards_of_a_finished_round_never_make_a_deal",
        "companion/game/test_ledger.py::test_a_card_seen_twice_in_a_game_never_scores")),
    15: Row("the same number twice", ("duplicate",), (
        "companion/vision/codes/test_reader.py::test_the_same_card_twice_is_a_conflict_and_counts_for_nothing",)),
    16: Row("won piles face up in view", ("edge_pile",), (
        "evenings/test_evening_incidents.py::test_a_round_with_the_incident_is_kept_exactly",)),
    17: Row("set-aside cards on one another, off the tray, or out of view",
        ("overlapping_tray", *PILES, "tray_edge", "tray_cut_off", "tray_far", *IN_THE_TRAY), (
        "companion/vision/places/test_place_watch.py::test_a_card_under_another_is_not_called_table",
        "companion/referee/test_word.py::test_what_happens_in_the_tray_says_nothing_of_a_cards_old_place")),
    18: Row("a deck of another size", ("missing_cards",), (
        "companion/game/test_ledger.py::test_the_deck_is_data", "companion/evening/test_player_commands.py::test_missing_cards_shorten_the_evening")),
    19: Row("players come, leave, swap", (), (
        "companion/game/test_ledger.py::test_a_latecomer_plays_from_the_next_round", "companion/game/test_ledger.py::test_seats_can_be_swapped",
        "companion/game/test_ledger.py::test_a_leaver_keeps_the_pile_and_can_come_back_to_it",
        "companion/game/test_ledger.py::test_a_leavers_pile_can_go_back_into_the_deck"), "people say it on the tablet"),
    20: Row("the camera fails", ("camera_stalls", "picture_freezes", "picture_black"), (
        "companion/capture/test_live.py::test_every_fault_is_told_and_the_camera_comes_back_by_itself",
        "companion/capture/test_live.py::test_people_wait_less_than_three_seconds_for_the_word",
        "companion/capture/test_live.py::test_the_game_goes_on_by_touch_while_the_camera_hangs",
        "evenings/test_evening_practice.py::test_nothing_is_claimed_from_a_stale_picture",
        "companion/capture/test_outage.py::test_a_round_kept_by_touch_while_the_camera_was_away_is_no_other_round",
        "companion/capture/test_outage.py::test_an_empty_tray_says_nothing_when_nobody_looked")),
    21: Row("the tablet sleeps or is doubled", (), (
        "browser/test_screens.py::test_a_tablet_that_slept_shows_the_right_state",
        "browser/test_screens.py::test_two_tablets_tapping_at_once_enter_one_guess",
        "companion/evening/test_session.py::test_the_same_command_twice_counts_once"), "it happens at the tablet"),
    22: Row("the power goes", (), (
        "companion/journal/test_kill.py::test_a_killed_companion_goes_on_at_the_exact_act",
        "companion/evening/test_secrecy.py::test_an_evening_killed_in_the_middle_of_a_round_goes_on_at_the_exact_event"), "the process is killed"),
    23: Row("a dispute after the score", (), (
        "companion/game/test_ledger.py::test_a_correction_of_a_past_round_reaches_everything_after_it",
        "browser/test_ledger.py::test_a_guess_is_corrected_in_the_ledger_by_holding"), "people say it on the tablet"),
    24: Row("the round is spoiled", (), (
        "companion/game/test_ledger.py::test_a_spoiled_round_gives_nobody_a_card",
        "companion/game/test_ledger.py::test_a_spoiled_round_can_be_tried_again_with_the_same_roles",
        "companion/referee/test_word.py::test_a_void_round_returns_its_cards_only_after_they_left"), "people say it on the tablet"),
    25: Row("a child presses everything", (), (
        "browser/test_play.py::test_a_double_tap_enters_one_guess",
        "companion/game/test_log.py::test_undo_takes_back_what_was_last_said_and_redo_says_it_again"), "it happens at the tablet"),
    26: Row("stop for dinner", (), (
        "companion/game/test_ledger.py::test_a_pause_is_not_a_phase_of_the_game",
        "companion/evening/test_session.py::test_an_evening_goes_on_at_the_exact_event"), "people say it on the tablet"),
}  # fmt: skip

LIGHT = {
    "dusk",
    "lamp_switch",
    "flicker",
    "shaky",
    "exposure_hunt",
    "exposure_follows",
    "missing_cards",
}
"""Switches that only pictures show, or that change nothing on the table: their tests are those
named above."""

SAID = {
    "cup": "covered",
    "clutter": "covered",
    "card_on_card": "covered",
    "foreign_card": "foreign",
    "unknown_code": "foreign",
    "duplicate": "twice",
    "won_card_returns": "already_won",
    "early_card": "expected_seen",
    "one_too_few": "expected_seen",
}
"""What people are told meanwhile."""

ACTED = sorted({switch for row in INCIDENTS.values() for switch in row.switches} - LIGHT)


def test_every_incident_has_its_row() -> None:
    """The rows are the 26 incidents; each has a switch, or says why no camera sees it, and at least
    one test."""
    assert list(INCIDENTS) == list(range(1, 27))
    for number, row in INCIDENTS.items():
        assert bool(row.switches) != bool(row.unseen), number
        assert row.tests, number


def test_every_switch_belongs_to_an_incident() -> None:
    """No switch of the practice table stands outside the list, none stands in it twice, and a
    living room throws each but two: a stand that sways is seen in pictures only, and a cup between
    the cards matters where they have no codes."""
    told = [switch for row in INCIDENTS.values() for switch in row.switches]
    assert sorted(told) == sorted(entry.name for entry in fields(Faults))
    assert all(
        getattr(LIVING_ROOM, switch) > 0 for switch in told if switch not in {"shaky", "cup_stays"}
    )


def test_every_named_test_exists() -> None:
    """The tests that hold the behaviours are there, by name."""
    for number, row in INCIDENTS.items():
        for name in row.tests:
            file, test = name.split("::")
            tree = ast.parse((Path(__file__).parents[1] / file).read_text(encoding="utf-8"))
            assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, (
                number,
                name,
            )


@pytest.mark.parametrize("switch", ACTED)
def test_a_round_with_the_incident_is_kept_exactly(switch: str) -> None:
    """Two rounds in which it befalls every guess, deal or claim, with a tray in view: the ledger is
    the script's, nobody has to be asked, and what people should hear meanwhile is said."""
    script = write_script(4, "en", 2, 2, "ordinary", "tray", Faults.only(switch), haste=1.6)
    truth, keeper, heard = script.truth, Scorekeeper(), set[str]()
    keeper.change(
        Changes((EveningBegun(truth.players, truth.daydreamer, "en", len(truth.deck), "tray"),)),
        0.0,
    )
    for step in keep_score(moments_of(Witness(script, 2), FPS), keeper):
        assert keeper.referee is not None
        heard |= {message.key for message in keeper.referee.messages} | {
            notice.split(":")[0] for notice in step.glimpse.all_notices
        }
    kept = [
        (set(r.known_cards), r.set_aside, tuple(keeper.ledger.gains(r)))
        for r in keeper.ledger.rounds
    ]
    wrong = [
        tuple(guess.card for guess in line.guesses if not guess.right) for line in truth.rounds
    ]
    assert kept == [
        (set(line.cards), aside, line.gains(4))
        for line, aside in zip(truth.rounds, wrong, strict=True)
    ]
    assert not keeper.book.pending_questions
    assert SAID.get(switch) is None or SAID[switch] in heard
    assert switch in {name for _, name in script.incidents} or switch in FOR_THE_EVENING
