"""Rounds: every legal course for every number of players, roles, turns, and the rulebooks' worked
example."""

from __future__ import annotations

import pytest

from companion.game.rules import Refusal, Round, deal_round
from companion.game.seats import (
    attempts,
    deal_size,
    guess_order,
    lookout_of,
    passed_on,
    right_of,
    spectators_of,
)
from tests.support.legal_courses import LegalCourse, legal_courses, play_course

PLAYERS = range(3, 9)


def fresh(players: int, daydreamer: int = 0, cards: int | None = None) -> Round:
    made = deal_round(
        1, daydreamer, tuple(range(players)), tuple(range(1, (cards or deal_size(players)) + 1))
    )
    assert isinstance(made, Round)
    return made


def guessed(position: Round, *guesses: tuple[bool, int | None]) -> Round:
    for right, card in guesses:
        after = position.guess(right, card)
        assert isinstance(after, Round), after
        position = after
    return position


@pytest.mark.parametrize(
    ("players", "cards", "spectators", "tries", "rounds", "left"),
    [
        (3, 4, 1, 2, 20, 0),
        (4, 6, 2, 4, 13, 2),
        (5, 5, 3, 3, 16, 0),
        (6, 6, 4, 4, 13, 2),
        (7, 7, 5, 5, 11, 3),
        (8, 8, 6, 6, 10, 0),
    ],
)
def test_the_table_of_the_rules_holds(
    players: int, cards: int, spectators: int, tries: int, rounds: int, left: int
) -> None:
    """Cards, Spectators, attempts, rounds and leftover cards are those of the rules for every
    number of players."""
    assert deal_size(players) == cards
    assert len(spectators_of(0, tuple(range(players)))) == spectators
    assert attempts(cards) == tries
    assert divmod(80, cards) == (rounds, left)


@pytest.mark.parametrize("players", PLAYERS)
def test_everyone_has_one_role_wherever_the_daydreamer_sits(players: int) -> None:
    """Daydreamer, Lookout and Spectators are all seats once, the Lookout sits right, the first
    guesser left."""
    circle = tuple(range(players))
    for daydreamer in circle:
        lookout, spectators = lookout_of(daydreamer, circle), spectators_of(daydreamer, circle)
        assert sorted((daydreamer, lookout, *spectators)) == list(circle)
        assert lookout == (daydreamer - 1) % players
        assert spectators[0] == (daydreamer + 1) % players
        assert fresh(players, daydreamer).circle == (daydreamer, *spectators, lookout)


def test_roles_pass_to_the_right() -> None:
    """After a round the Lookout dreams, and the player on the Lookout's right looks out."""
    circle = (4, 1, 3, 0)
    after = right_of(1, circle)
    assert after == lookout_of(1, circle) == 4
    assert lookout_of(after, circle) == 0


def test_when_the_next_one_left_the_roles_pass_over_the_empty_chair() -> None:
    """The roles go to the next one on the right who still sits in the circle."""
    assert passed_on(3, (0, 1, 2, 3, 4), (0, 1, 3, 4)) == 3
    assert passed_on(2, (0, 1, 2, 3, 4), (0, 1, 3, 4)) == 1
    assert passed_on(0, (0, 1, 2), (5, 6, 7)) == 5


@pytest.mark.parametrize(
    ("spectators", "cards", "order"),
    [
        ((1,), 4, (1, 1)),
        ((1, 2), 6, (1, 2, 1, 2)),
        ((1, 2, 3), 5, (1, 2, 3)),
        ((1, 2), 5, (1, 2, 1)),
        ((2, 3, 4, 5), 4, (2, 3)),
        ((1,), 3, (1,)),
    ],
)
def test_who_guesses_when(spectators: tuple[int, ...], cards: int, order: tuple[int, ...]) -> None:
    """The Spectators guess in turn, again from the first while attempts are left, also with a house
    rule's count."""
    assert guess_order(spectators, cards) == order


def count_of_courses(cards: int) -> int:
    """Σ over w of n!/(n-w-1)! for claims, and n!/2! for nobody."""
    total, falling = 0, 1
    for wrong in range(cards - 2):
        falling *= cards - wrong
        total += falling
    return total + falling


@pytest.mark.parametrize("players", PLAYERS)
def test_every_legal_course_gives_each_card_to_one_player(players: int) -> None:
    """For every legal course each card of the deal ends with exactly one player, as many as the
    rules say."""
    position = fresh(players)
    courses = 0
    for course in legal_courses(len(position.cards)):
        courses += 1
        done = play_course(position, course)
        assert isinstance(done, Round)
        assert sorted(card for share in done.shares.values() for card in share if card) == list(
            position.cards
        )
        check_shares(done, course)
    assert courses == count_of_courses(len(position.cards))


def check_shares(done: Round, course: LegalCourse) -> None:
    gains = {seat: len(cards) for seat, cards in done.shares.items()}
    if course.ending == "lookout":
        assert gains == {done.lookout: len(done.cards)}
        return
    assert gains == {
        done.daydreamer: course.wrong_count,
        done.claimer: len(done.cards) - course.wrong_count,
    }
    assert gains[done.claimer] >= 3
    assert done.claimer == guess_order(done.spectators, len(done.cards))[course.wrong_count]


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_else_is_legal(players: int) -> None:
    """After any course a further guess is refused, and so is a card set aside before or of another
    round."""
    position = fresh(players)
    for wrong in range(position.attempts + 1):
        position_now = guessed(fresh(players), *[(False, card) for card in range(1, wrong + 1)])
        again, foreign = position_now.guess(False, 1), position_now.guess(True, 77)
        if wrong == position.attempts:
            assert position_now.ending == "lookout"
            assert again == Refusal("round_over", {"round": 1})
        else:
            assert again == Refusal("card_set_aside", {"round": 1, "card": 1}) or wrong == 0
            assert foreign == Refusal("card_not_in_round", {"round": 1, "card": 77})
            claimed = guessed(position_now, (True, None))
            assert claimed.guess(False, None) == Refusal("round_over", {"round": 1})


@pytest.mark.parametrize("cards", range(3, 13))
@pytest.mark.parametrize("players", PLAYERS)
def test_counts_accepted_as_a_house_rule_play_by_the_same_rules(players: int, cards: int) -> None:
    """Any count from three cards on has two attempts fewer, and every ending shares out all of the
    cards."""
    for wrong in range(cards - 1):
        position = guessed(fresh(players, cards=cards), *[(False, None)] * wrong)
        if wrong == cards - 2:
            assert position.ending == "lookout"
        else:
            position = guessed(position, (True, None))
        assert sum(len(share) for share in position.shares.values()) == cards


def test_the_worked_example_of_the_rulebooks() -> None:
    """Guido dreams, Demis looks out, three are wrong, Livio is right: Guido +3, Livio +3, Demis
    nothing."""
    guido, _, _, _, livio, demis = range(6)
    done = guessed(fresh(6, guido), (False, 2), (False, 5), (False, 6), (True, 1))
    assert done.claimer == livio
    assert done.shares == {guido: (2, 5, 6), livio: (1, 3, 4)}
    assert demis not in done.shares
    assert done.lookout == demis


def test_cards_nobody_read_are_counted_all_the_same() -> None:
    """By touch the counts are exact and the numbers None; a number learnt from a guess belongs to
    the deal."""
    made = deal_round(1, 0, tuple(range(5)), (None,) * 5)
    assert isinstance(made, Round)
    done = guessed(made, (False, None), (False, 33), (True, 7))
    assert done.shares[0] == (None, 33)
    assert sorted(map(str, done.shares[3])) == ["7", "None", "None"]
    assert guessed(made, (False, 33)).lying_count == 4


def test_a_guess_without_a_number_leaves_the_others_numbers_open() -> None:
    """Where one set-aside card is unknown, nobody's pile claims a number that may be another's."""
    done = guessed(fresh(5), (False, None), (True, 4))
    assert done.shares == {0: (None,), 2: (4, None, None, None)}


@pytest.mark.parametrize(
    ("cards", "reason"),
    [((1, 2), "too_few_cards"), ((1, 2, 2, 3), "card_twice"), ((), "too_few_cards")],
)
def test_a_deal_that_cannot_be(cards: tuple[int, ...], reason: str) -> None:
    """Fewer than three cards, or a number twice, is refused with its reason."""
    refused = deal_round(1, 0, (0, 1, 2), cards)
    assert isinstance(refused, Refusal)
    assert refused.reason == reason
