"""The ledger: whole evenings, decks of every size, people who come and go, spoiled rounds,
corrections of the past."""

from __future__ import annotations

import pytest

from companion.game.change import (
    CORRECTED,
    Changes,
    correct_round,
    insert_round,
    propose,
    rematch,
    take_name_away,
    undo,
)
from companion.game.events import (
    CardSetAside,
    CardsMissing,
    CloudNamed,
    CloudsClaimed,
    DeckCounted,
    EveningBegun,
    EveningEnded,
    EveningPaused,
    EveningResumed,
    LookoutTook,
    PlayersChanged,
    RoundAwaited,
    RoundDealt,
    RoundVoided,
)
from companion.game.fold import fold, steps
from companion.game.log import Entry
from companion.game.seats import deal_size
from tests.support.game_evening import NAMES, Told, begun
from tests.support.legal_courses import LegalCourse, legal_courses


@pytest.mark.parametrize("players", range(3, 9))
def test_every_course_of_a_round_lands_in_the_ledger(players: int) -> None:
    """For each number of wrong guesses and each Daydreamer's seat, gains, roles, turns and the card
    count are exact."""
    cards = tuple(range(1, deal_size(players) + 1))
    for daydreamer in range(players):
        for wrong in range(len(cards) - 1):
            told = begun(players, daydreamer)
            ledger = told.play(cards, wrong)
            round_ = ledger.rounds[0]
            expected = [0] * players
            if wrong == len(cards) - 2:
                expected[(daydreamer - 1) % players] = len(cards)
            else:
                guesser = 1 + wrong % (players - 2)
                expected[daydreamer] += wrong
                expected[(daydreamer + guesser) % players] += len(cards) - wrong
            assert ledger.totals == ledger.gains(round_) == tuple(expected)
            assert ledger.next_roles is not None
            assert ledger.next_roles.daydreamer == (daydreamer - 1) % players
            assert ledger.next_roles.lookout == (daydreamer - 2) % players


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_order_of_guesses_shares_out_the_very_cards(players: int) -> None:
    """For every legal course, the numbers in the piles are the deal's numbers, each once, with the
    right people."""
    for course in legal_courses(deal_size(players)):
        cards = tuple(range(11, 11 + deal_size(players)))
        told = begun(players)
        ledger = told.change(Changes((RoundDealt(1, cards), *events_of(course, cards))))
        assert sorted(card for pile in ledger.piles for card in pile if card) == list(cards)
        assert (
            ledger.piles[0][: course.wrong_count]
            == tuple(cards[at] for at in course.set_aside)[: len(ledger.piles[0])]
        )


def events_of(course: LegalCourse, cards: tuple[int, ...]) -> list[CardSetAside | CloudsClaimed]:
    events: list[CardSetAside | CloudsClaimed] = [
        CardSetAside(1, attempt, cards[at]) for attempt, at in enumerate(course.set_aside, 1)
    ]
    if course.claimed is not None:
        events.append(CloudsClaimed(1, course.wrong_count + 1, cards[course.claimed]))
    return events


@pytest.mark.parametrize("players", range(3, 9))
@pytest.mark.parametrize("deck_size", [80, 61, 12])
def test_an_evening_has_exactly_the_rounds_it_said_from_the_start(
    players: int, deck_size: int
) -> None:
    """ "Rounds of" is right before the first deal and never moves; the game is over when too few cards
    are left."""
    told = begun(players, daydreamer=players - 1, deck_size=deck_size)
    of, leftover = divmod(deck_size, deal_size(players))
    seats = []
    for number in range(1, of + 1):
        ledger = told.ledger
        assert (ledger.phase, ledger.current_number, ledger.of, ledger.more) == (
            "secret",
            number,
            of,
            of - number,
        )
        seats.append(ledger.next_daydreamer)
        ledger = told.play(told.next_cards(), number % (deal_size(players) - 1))
        assert (ledger.of, ledger.more, ledger.leftover) == (of, of - number, leftover)
        assert (ledger.winners is not None) == (number == of)
        if number < of:
            assert ledger.phase == "result"
            told.enter(RoundAwaited(number + 1))
    assert seats == [(players - 1 - turn) % players for turn in range(of)]
    assert told.ledger.phase == "over"
    assert told.refused(RoundDealt(of + 1, (901, 902, 903))).reason in (
        "game_over",
        "deck_too_small",
    )


def test_the_worked_example_of_the_rulebooks() -> None:
    """Guido +3, Livio +3, Demis nothing; then Demis dreams and Livio looks out."""
    told = Told()
    told.enter(EveningBegun(("Guido", "Martino", "Giacomo", "Gabriele", "Livio", "Demis"), 0))
    assert told.ledger.roles is not None
    assert (told.ledger.roles.lookout, told.ledger.roles.draw) == (5, 6)
    ledger = told.play((1, 2, 3, 4, 5, 6), wrong=3)
    assert {player.name: player.cards for player in ledger.players if player.cards} == {
        "Guido": 3,
        "Livio": 3,
    }
    assert ledger.next_roles is not None
    assert (NAMES[ledger.next_roles.daydreamer], ledger.names[ledger.next_roles.daydreamer]) == (
        "Finn",
        "Demis",
    )
    assert ledger.names[ledger.next_roles.lookout] == "Livio"


def test_whose_turn_it_is_at_every_moment_with_four_players() -> None:
    """A B A B, then the Lookout; the set-aside cards are pending and in nobody's total."""
    told = begun(4)
    told.enter(RoundDealt(1, (1, 2, 3, 4, 5, 6)))
    for attempt, turn in enumerate((1, 2, 1, 2), 1):
        now = told.ledger.open_round
        assert now is not None
        assert (now.attempt, now.turn, now.lying_count, told.ledger.totals) == (
            attempt,
            turn,
            7 - attempt,
            (0, 0, 0, 0),
        )
        told.enter(CardSetAside(1, attempt, attempt))
    assert told.ledger.rounds[0].ending == "lookout"
    assert told.ledger.totals == (0, 0, 0, 6)


def test_the_lookouts_taking_follows_by_rule_and_can_be_dated() -> None:
    """The round ends with the last wrong guess; a later LookoutTook changes its time only, an early
    one is refused."""
    told = begun(3)
    told.enter(RoundDealt(1, (1, 2, 3, 4)), CardSetAside(1, 1))
    assert told.refused(LookoutTook(1)).reason == "attempts_left"
    before = told.enter(CardSetAside(1, 2))
    after = told.enter(LookoutTook(1), source="camera")
    assert before.totals == after.totals == (0, 0, 4)
    assert after.rounds[0].ended_at_s == told.at_s > (before.rounds[0].ended_at_s or 0)


def test_a_tie_has_several_winners() -> None:
    """Whoever has most cards wins; with a tie all of them do."""
    told = begun(3, deck_size=8)
    told.play((1, 2, 3, 4), wrong=2)
    ledger = told.play((5, 6, 7, 8), wrong=0)
    assert ledger.totals == (4, 0, 4)
    assert ledger.winners == (0, 2)


def test_where_nobody_won_a_card_nobody_wins() -> None:
    """The table ended the evening before any round did."""
    told = begun(3)
    ledger = told.enter(EveningEnded())
    assert ledger.over
    assert ledger.winners == ()


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (("A", "B"), "players_count"),
        ((*NAMES, "Ida"), "players_count"),
        (("A", "B", " "), "player_unnamed"),
        (("Ada", "Ben", "ada "), "player_twice"),
        (("A", "B", "C\ud800"), "player_unnamed"),
    ],
)
def test_players_that_cannot_be(players: tuple[str, ...], reason: str) -> None:
    """Fewer than three, more than eight, without a name or twice the same: refused with its reason."""
    assert Told().refused(EveningBegun(players, 0)).reason == reason


def test_an_evening_that_cannot_begin() -> None:
    """An unknown Daydreamer, an impossible deck, a second beginning, and play before the beginning
    are refused."""
    assert Told().refused(EveningBegun(NAMES[:3], 3)).reason == "unknown_daydreamer"
    assert Told().refused(EveningBegun(NAMES[:3], 0, deck_size=2)).reason == "deck_size"
    assert Told().refused(RoundDealt(1, (1, 2, 3))).reason == "no_evening"
    assert begun().refused(EveningBegun(NAMES[:3], 0)).reason == "evening_begun"


def test_a_card_seen_twice_in_a_game_never_scores() -> None:
    """A number already won, or known to be missing, cannot be dealt."""
    told = begun(3)
    told.enter(CardsMissing((50,)))
    told.play((1, 2, 3, 4), wrong=0)
    assert told.refused(RoundDealt(2, (4, 5, 6, 7))).reason == "card_already_dealt"
    assert told.refused(RoundDealt(2, (50, 5, 6, 7))).reason == "card_already_dealt"


def test_play_out_of_turn_is_refused_with_its_reason() -> None:
    """Deals while a round is open, of another number or larger than the deck; guesses without a
    round or out of order."""
    told = begun(3, deck_size=8)
    assert told.refused(CardSetAside(1, 1)).reason == "no_round"
    assert told.refused(RoundDealt(2, (1, 2, 3, 4))).reason == "wrong_round"
    assert told.refused(RoundDealt(1, tuple(range(1, 10)))).reason == "deck_too_small"
    told.enter(RoundDealt(1, (1, 2, 3, 4)))
    assert told.refused(RoundDealt(2, (5, 6, 7, 8))).reason == "round_open"
    assert told.refused(CloudsClaimed(1, 2)).reason == "attempt_skipped"
    told.enter(CardSetAside(1, 1, 3))
    assert told.refused(CardSetAside(1, 1, 4)).reason == "attempt_taken"
    assert told.refused(CardSetAside(1, 2, 3)).reason == "card_set_aside"
    told.enter(CloudsClaimed(1, 2))
    assert told.refused(CardSetAside(1, 3)).reason == "round_over"


def test_a_count_accepted_as_a_house_rule_moves_the_end() -> None:
    """Five cards laid instead of six: three guesses, and the rounds left follow from what is really
    in the deck."""
    told = begun(6, deck_size=24)
    assert told.ledger.of == 4
    ledger = told.play((1, 2, 3, 4, 5), wrong=3)
    assert ledger.totals[5] == 5
    assert (ledger.deck_left, ledger.of, ledger.leftover) == (19, 4, 1)


def test_the_deck_is_data() -> None:
    """Missing cards and a counted deck change the rounds left, at any time; a deck smaller than
    what was dealt is refused."""
    told = begun(5)
    told.play((1, 2, 3, 4, 5), wrong=1)
    ledger = told.enter(CardsMissing((None, 77)))
    assert (ledger.deck_left, ledger.of, ledger.leftover) == (73, 15, 3)
    ledger = told.enter(DeckCounted(97))
    assert (ledger.deck_left, ledger.of) == (90, 19)
    assert told.refused(DeckCounted(6)).reason == "deck_too_small"
    assert told.refused(CardsMissing((77,))).reason == "card_twice"
    assert told.refused(DeckCounted(1)).reason == "deck_size"


@pytest.mark.parametrize("back", [True, False])
def test_a_spoiled_round_gives_nobody_a_card(back: bool) -> None:
    """A void round counts as played; its cards return to the deck, or go out of the game; the roles
    pass on."""
    told = begun(4)
    told.enter(RoundDealt(1, (1, 2, 3, 4, 5, 6)), CardSetAside(1, 1, 2))
    ledger = told.enter(RoundVoided(1, cards_return=back))
    assert (ledger.totals, ledger.rounds[0].ending, ledger.next_daydreamer) == (
        (0, 0, 0, 0),
        "void",
        3,
    )
    assert (ledger.deck_left, ledger.of) == ((80, 14) if back else (74, 13))
    assert (2 in ledger.seen) != back
    assert told.refused(CardSetAside(1, 2)).reason == "round_over"
    assert told.refused(RoundVoided(1, True)).reason == "round_void"


def test_a_spoiled_round_can_be_tried_again_with_the_same_roles() -> None:
    """With `roles_pass` False the same Daydreamer draws again."""
    told = begun(4, daydreamer=2)
    told.enter(RoundDealt(1, (1, 2, 3, 4, 5, 6)))
    assert told.enter(RoundVoided(1, True, roles_pass=False)).next_daydreamer == 2


def test_a_past_round_can_be_voided_and_the_points_follow() -> None:
    """A finished round that is voided later loses its points; the rounds after it stay as they are."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=0)
    before = told.play((5, 6, 7, 8), wrong=1)
    after = told.enter(RoundVoided(1, cards_return=False))
    assert before.totals == (4 - 4 + 3, 4, 1)
    assert after.totals == (3, 0, 1)
    assert after.rounds[1] == before.rounds[1]


def test_a_latecomer_plays_from_the_next_round() -> None:
    """The open round keeps its circle; the next one has the newcomer, another draw, and a seat
    number of their own."""
    told = begun(3)
    told.enter(RoundDealt(1, (1, 2, 3, 4)), PlayersChanged(2, ("Ada", "Zoe", "Ben", "Cleo")))
    assert [player.name for player in told.ledger.players if not player.away] == [
        "Ada",
        "Ben",
        "Cleo",
    ]
    ledger = told.enter(CardSetAside(1, 1), CardSetAside(1, 2))
    assert ledger.totals == (0, 0, 4, 0)
    assert [(player.seat, player.name) for player in ledger.players] == [
        (0, "Ada"),
        (3, "Zoe"),
        (1, "Ben"),
        (2, "Cleo"),
    ]
    assert ledger.next_roles is not None
    assert (
        ledger.next_roles.daydreamer,
        ledger.next_roles.lookout,
        ledger.next_roles.spectators,
    ) == (2, 1, (0, 3))
    assert (ledger.draw, ledger.of) == (6, 13)


def test_a_leaver_keeps_the_pile_and_can_come_back_to_it() -> None:
    """Who left is away with their cards; the roles pass over the chair; the same name back finds
    the same pile."""
    told = begun(4)
    told.play((1, 2, 3, 4, 5, 6), wrong=4)
    ledger = told.enter(PlayersChanged(2, ("Ada", "Ben", "Cleo")))
    assert ledger.totals == (0, 0, 0, 6)
    assert [player.away for player in ledger.players] == [False, False, False, True]
    assert ledger.next_daydreamer == 2
    told.play((11, 12, 13, 14), wrong=2)
    ledger = told.enter(PlayersChanged(3, ("Ada", "Ben", "Cleo", "dan"), daydreamer="Dan"))
    assert (ledger.totals, ledger.next_daydreamer, len(ledger.names)) == ((0, 4, 0, 6), 3, 4)


def test_a_leavers_pile_can_go_back_into_the_deck() -> None:
    """By choice the pile is dealt back: the deck grows, the cards may come again, the leaver owns
    nothing."""
    told = begun(4)
    told.play((1, 2, 3, 4, 5, 6), wrong=4)
    ledger = told.enter(PlayersChanged(2, ("Ada", "Ben", "Cleo"), dealt_back=("Dan",)))
    assert (ledger.totals, ledger.deck_left) == ((0, 0, 0, 0), 80)
    ledger = told.play((1, 2, 3, 9), wrong=2)
    assert ledger.totals == (0, 4, 0, 0)
    assert told.refused(RoundDealt(3, (1, 20, 21, 22))).reason == "card_already_dealt"
    assert (
        told.refused(PlayersChanged(3, ("Ada", "Ben", "Cleo"), dealt_back=("Ada",))).reason
        == "not_a_leaver"
    )


def test_seats_can_be_swapped() -> None:
    """The same names in another order change who sits beside whom, not whose cards are whose."""
    told = begun(5)
    told.play((1, 2, 3, 4, 5), wrong=1)
    ledger = told.enter(PlayersChanged(2, ("Ada", "Eva", "Ben", "Dan", "Cleo")))
    assert ledger.circle == (0, 4, 1, 3, 2)
    assert ledger.totals == (1, 0, 4, 0, 0)
    assert ledger.next_daydreamer == 4


def test_a_pause_is_not_a_phase_of_the_game() -> None:
    """Paused, the ledger remembers where it stood and goes on there."""
    told = begun(3)
    told.enter(RoundDealt(1, (1, 2, 3, 4)))
    assert told.enter(EveningPaused()).phase == "paused"
    assert told.enter(EveningResumed()).phase == "guessing"


def test_the_table_may_end_the_game_early() -> None:
    """Ended by the table: over, with winners, no more rounds; a correction of the past is still
    possible, a deal is not."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=0)
    ledger = told.enter(EveningEnded())
    assert (ledger.phase, ledger.winners, ledger.more, ledger.leftover) == ("over", (1,), 0, 76)
    assert told.refused(RoundDealt(2, (5, 6, 7, 8))).reason == "game_over"
    assert told.change(correct_round(told.log, 1, ((1, False), (2, False)))).winners == (2,)


def test_a_name_of_at_most_five_words() -> None:
    """The words may come before or after the deal, and a later version replaces them; six words are
    refused."""
    told = begun(3)
    assert (
        told.enter(CloudNamed(1, "camel  waiting for rain")).upcoming_name
        == "camel waiting for rain"
    )
    assert told.enter(RoundDealt(1, (1, 2, 3, 4))).rounds[0].name == "camel waiting for rain"
    assert told.enter(CloudNamed(1, "a tired camel")).rounds[0].name == "a tired camel"
    assert told.refused(CloudNamed(1, "one two three four five six")).reason == "name_words"
    assert told.refused(CloudNamed(1, "  ")).reason == "name_words"


def test_a_name_is_taken_away_as_one_act() -> None:
    """Both versions go, the round counts as it did and is not called corrected; one undo brings the last
    version back; where there is no name nothing happens."""
    told = begun(3)
    told.enter(CloudNamed(1, "a camel"))
    told.enter(RoundDealt(1, (1, 2, 3, 4)))
    told.enter(CloudNamed(1, "a tired camel"))
    told.enter(CloudsClaimed(1, 1, 2))
    after = told.change(take_name_away(told.log, 1))
    assert (after.rounds[0].name, after.rounds[0].corrected) == (None, False)
    assert sum(after.totals) == 4
    assert take_name_away(told.log, 1).empty
    assert told.change(undo(told.log)).rounds[0].name == "a tired camel"


def test_a_correction_of_a_past_round_reaches_everything_after_it() -> None:
    """ "That was right!": the guess of round 1 changes, later rounds and the deck stay, both versions
    stay in the log."""
    told = begun(5)
    told.play((1, 2, 3, 4, 5), wrong=2, source="camera")
    for first in (11, 21):
        told.play(tuple(range(first, first + 5)), wrong=0, source="camera")
    before = told.ledger
    after = told.change(correct_round(told.log, 1, ((1, False), (2, True))), author="Ben")
    assert (before.totals, after.totals) == ((7, 0, 0, 3, 5), (6, 0, 4, 0, 5))
    assert [round_.corrected for round_ in after.rounds] == [True, False, False]
    assert after.rounds[1:] == before.rounds[1:]
    versions = told.log.history(1)
    assert [type(entry.event).__name__ for entry in versions] == [
        "RoundDealt",
        "CardSetAside",
        "CardSetAside",
        "CloudsClaimed",
        "Retraction",
        "CloudsClaimed",
    ]
    assert (versions[-2].author, versions[-2].event.reason) == ("Ben", CORRECTED)


def test_what_is_said_of_a_round_later_happened_when_it_was_played() -> None:
    """Its deal and its end keep their moments where its guesses or cards are corrected, and corrected again:
    its picture, its length and the evening's end hang on them. What is undone and done anew is of now."""
    told = begun(5)
    for first in (1, 11):
        told.play(tuple(range(first, first + 5)), wrong=2, source="camera")
    before = told.ledger.rounds
    told.at_s += 3600.0
    told.change(correct_round(told.log, 1, ((1, False), (2, True))))
    told.change(correct_round(told.log, 1, ((8, True),), cards=(1, 2, 3, 4, 8)))
    for after in (told.ledger.rounds, fold(told.log).ledger.rounds):
        assert [one.dealt_at_s for one in after] == [one.dealt_at_s for one in before]
        assert [one.ended_at_s for one in after] == [one.ended_at_s for one in before]
    assert told.ledger.rounds[0].known_cards == (1, 2, 3, 4, 8)
    told.change(undo(told.log))
    told.change(undo(told.log))
    assert told.ledger.rounds == before
    told.change(undo(told.log))
    told.enter(CloudsClaimed(2, 3, 13))
    assert told.ledger.rounds[1].ended_at_s == told.at_s


def test_what_is_told_of_the_evening_on_the_next_day_happened_in_the_evening() -> None:
    """A round that was not to count, one that was missed and a cloud's name, all told twenty hours later:
    they lengthened the evening, and its film, by these."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=1, source="camera")
    told.play((5, 6, 7, 8), wrong=1)
    over, over_s = told.ledger, told.at_s
    told.at_s += 20 * 3600.0
    told.change(Changes((CloudNamed(1, "Sheep"),)))
    told.change(Changes((RoundVoided(2, False),)))
    told.change(insert_round(2, ((None, True),), (None,) * 4))
    told.change(Changes((RoundVoided(1, False),)))
    first, missed, spoiled = told.ledger.rounds
    ends = [one.ended_at_s for one in over.rounds]
    assert [first.ended_at_s, spoiled.ended_at_s] == ends
    assert missed.dealt_at_s == missed.ended_at_s == over.rounds[1].dealt_at_s
    assert (first.voided, spoiled.voided, first.name) == ("out", "out", "Sheep")
    assert max(entry.at_s for entry, _ in steps(told.log)) == over_s


def test_a_round_written_in_at_the_end_was_over_when_the_last_one_was() -> None:
    """Nobody knows when else: told on the next day it made an evening of a day."""
    told = begun(3)
    over_s = told.play((1, 2, 3, 4), wrong=1).rounds[0].ended_at_s
    told.at_s += 20 * 3600.0
    told.change(insert_round(2, ((None, True),), (None,) * 4))
    written_in = told.ledger.rounds[1]
    assert written_in.dealt_at_s == written_in.ended_at_s == over_s


def test_a_round_that_nobody_found_is_spoiled_from_its_last_guess_on() -> None:
    """By touch nobody tells that the Lookout took the clouds; a round in its middle is spoiled when that is
    told."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=2)
    over_s = told.ledger.rounds[0].ended_at_s
    told.enter(RoundDealt(2, (5, 6, 7, 8)), CardSetAside(2, 1, 5))
    told.at_s += 20 * 3600.0
    told.change(Changes((RoundVoided(1, False),)))
    told.change(Changes((RoundVoided(2, False),)))
    assert [one.ended_at_s for one in told.ledger.rounds] == [over_s, told.at_s]


def test_the_cards_of_a_past_round_can_be_swapped() -> None:
    """A misread card is replaced; a swap that makes a later deal impossible is refused and names
    that entry."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=1)
    told.play((5, 6, 7, 8), wrong=0)
    ledger = told.change(correct_round(told.log, 1, ((1, False), (2, True)), cards=(1, 2, 3, 44)))
    assert sorted(card or 0 for card in ledger.piles[1]) == [2, 3, 44]
    refused = propose(
        told.log,
        correct_round(told.log, 1, ((1, False), (2, True)), cards=(1, 2, 3, 5)),
        0.0,
        "person",
    )
    assert refused.reason == "card_already_dealt"
    assert told.log.entry(refused.params["entry"]).round == 2


def test_a_cloud_that_did_not_lie_there_is_not_kept_for_one_without_a_number() -> None:
    """Other clouds are told with one "?": the guess that had a cloud which is not among them keeps no
    number, and that cloud can be dealt; one that was read in place of another "?" stays."""
    told = begun(5)
    told.enter(RoundDealt(1, (28, 31, 16, 35, None)), source="camera")
    told.enter(CardSetAside(1, 1, 35), CardSetAside(1, 2, 9), source="camera")
    told.enter(CloudsClaimed(1, 3, None))
    guesses = ((None, False), (None, False), (None, True))
    ledger = told.change(correct_round(told.log, 1, guesses, (30, 26, None, 73, None)))
    assert [guess.card for guess in ledger.rounds[0].guesses] == [None, 9, None]
    assert 35 not in ledger.seen
    told.play((35, 1, 2, 3, 4), wrong=0)


def test_a_round_nobody_entered_can_be_added_later() -> None:
    """Inserted as round 2, the rounds after it count one higher and their roles pass on by one;
    undo takes all of it back."""
    told = begun(5)
    for first in (1, 11, 21):
        told.play(tuple(range(first, first + 5)), wrong=0, source="camera")
    told.enter(CloudNamed(3, "a boat"))
    before = told.ledger
    assert [round_.daydreamer for round_ in before.rounds] == [0, 4, 3]
    after = told.change(insert_round(2, ((None, False), (None, True)), (None,) * 5))
    assert [round_.daydreamer for round_ in after.rounds] == [0, 4, 3, 2]
    assert [round_.cards[0] for round_ in after.rounds] == [1, None, 11, 21]
    assert (before.totals, after.totals) == ((5, 5, 0, 0, 5), (0, 9, 0, 5, 6))
    assert (after.rounds[3].name, after.deck_left, after.of) == ("a boat", 60, 16)
    assert [entry.number for entry in told.log.history(4)] == [
        entry.number for entry in told.log.entries if entry.round == 3
    ]
    fixed = told.change(correct_round(told.log, 4, ((21, False), (22, True))))
    assert fixed.rounds[3].set_aside == (21,)
    told.change(undo(told.log))
    assert told.change(undo(told.log)) == before


def test_a_round_is_not_inserted_beyond_the_last() -> None:
    """A missing round has a number among those played, or is simply the next one."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=0)
    assert (
        told.refused(*insert_round(3, ((None, True),), (None,) * 4).append).reason == "wrong_round"
    )
    assert told.change(insert_round(2, ((None, True),), (None,) * 4)).totals == (4, 4, 0)


def test_a_log_that_stops_being_valid_is_replayed_as_far_as_it_goes() -> None:
    """An entry that cannot be is named, and the ledger is that of everything before it."""
    told = begun(3)
    told.play((1, 2, 3, 4), wrong=0)
    good = told.ledger
    spoiled = told.log.append(Entry(told.log.next_number, 0.0, "camera", CloudsClaimed(7, 1, 3)))
    replay = fold(spoiled)
    assert replay.misfit is not None
    assert (replay.misfit.entry.number, replay.misfit.refusal.reason) == (
        spoiled.entries[-1].number,
        "no_round",
    )
    assert replay.ledger == good


def test_a_rematch_keeps_the_seats_and_passes_the_roles() -> None:
    """Another evening begins with the people now at the table, and the next Daydreamer."""
    told = begun(4)
    told.play((1, 2, 3, 4, 5, 6), wrong=0)
    ledger = told.enter(PlayersChanged(2, ("Ada", "Ben", "Dan")))
    assert rematch(ledger) == EveningBegun(("Ada", "Ben", "Dan"), 2, "en", 80, "auto")


def test_a_result_shows_until_the_next_round_is_awaited() -> None:
    """After a round the phase is "result"; once left it is "secret" of the next, and a correction
    does not bring it back."""
    told = begun(3)
    assert told.play((1, 2, 3, 4), wrong=0).phase == "result"
    ledger = told.enter(RoundAwaited(2))
    assert (ledger.phase, ledger.current_number, ledger.current) == ("secret", 2, None)
    ledger = told.change(correct_round(told.log, 1, ((1, False), (2, False))))
    assert ledger.phase == "secret"
    assert ledger.rounds[0].ending == "lookout"
