"""A referee's ruling and the log: fewest changes, and a person's word outranks the camera for good."""

from __future__ import annotations

from itertools import product

import pytest

from companion.game.change import Changes, correct_round, undo
from companion.game.events import CardSetAside, CloudsClaimed, LookoutTook, RoundDealt, RoundVoided
from companion.game.reconcile import reconcile
from companion.game.rules import Ending
from tests.support.game_evening import Told, begun

CARDS = (1, 2, 3, 4, 5)
Story = tuple[tuple[int, ...], Ending, int | None]

STORIES: list[Story] = [
    ((), "open", None), ((3,), "open", None), ((3, 1), "open", None), ((), "claimed", 2), ((3,), "claimed", 4),
    ((3, 1), "claimed", 5), ((1, 3), "claimed", None), ((3, 1, 2), "lookout", None), ((1, 2, 3), "lookout", None),
]  # fmt: skip


def seen(told: Told, story: Story, cards: tuple[int, ...] = CARDS, number: int = 1) -> Changes:
    return reconcile(told.log, number, cards, *story)


def believes(told: Told, story: Story) -> bool:
    aside, ending, claimed = story
    round_ = told.ledger.rounds[0]
    card = round_.guesses[-1].card if round_.ending == "claimed" else None
    return (round_.set_aside, round_.ending, card) == (aside, ending, claimed)


@pytest.mark.parametrize(("first", "second"), list(product(STORIES, STORIES)))
def test_any_ruling_replaces_any_other(first: Story, second: Story) -> None:
    """After the changes the round is the ruling's, a second look changes nothing, and what agreed
    was left alone."""
    told = begun(5)
    told.change(seen(told, first), source="camera")
    assert believes(told, first)
    changes = seen(told, second)
    common = 1 + len([1 for a, b in zip(first[0], second[0], strict=False) if a == b])
    assert not set(changes.retract) & set(range(2, 2 + min(common, 1 + len(first[0]))))
    if first != second:
        told.change(changes, source="camera")
    assert believes(told, second)
    assert seen(told, second).empty


def test_the_last_attempt_waits_until_the_ending_is_known() -> None:
    """With all attempts set aside but the ending open, nothing is banked; the same with the ending
    "lookout" is."""
    told = begun(5)
    ledger = told.change(seen(told, ((1, 2, 3), "open", None)), source="camera")
    assert (ledger.rounds[0].set_aside, sum(ledger.totals)) == ((1, 2), 0)
    ledger = told.change(seen(told, ((1, 2, 3), "lookout", None)), source="camera")
    assert ledger.totals == (0, 0, 0, 0, 5)


def test_cards_gone_unseen_before_the_lookout_took_all_are_filled_in() -> None:
    """Where the order of the last wrong guesses is not known, the guesses are there without a card."""
    told = begun(5)
    ledger = told.change(seen(told, ((4,), "lookout", None)), source="camera")
    assert [guess.card for guess in ledger.rounds[0].guesses] == [4, None, None]
    assert ledger.totals[4] == 5


def test_a_ruling_against_a_persons_guess_changes_nothing() -> None:
    """The person said "right" at the first attempt; the camera's "wrong" is outranked, by name of
    the entry."""
    told = begun(5)
    told.change(seen(told, ((), "open", None)), source="camera")
    told.enter(CloudsClaimed(1, 1))
    changes = seen(told, ((3,), "claimed", 2))
    assert (changes.empty, changes.outranked) == (True, (3,))


def test_a_ruling_that_agrees_with_a_persons_guess_adds_the_card_only() -> None:
    """A tap without a number gets its number from the camera; seat, source and points are the
    person's."""
    told = begun(5)
    told.change(seen(told, ((), "open", None)), source="camera")
    told.enter(CardSetAside(1, 1))
    ledger = told.change(seen(told, ((3,), "claimed", 4)), source="camera")
    assert [(guess.card, guess.source) for guess in ledger.rounds[0].guesses] == [
        (3, "person"),
        (4, "camera"),
    ]
    assert ledger.totals == (1, 0, 4, 0, 0)


def test_a_persons_card_is_the_card() -> None:
    """Where both name a card, the same one is agreement and another one is outranked, though both
    say "wrong"."""
    told = begun(5)
    told.change(seen(told, ((), "open", None)), source="camera")
    told.enter(CardSetAside(1, 1, 3))
    assert seen(told, ((4,), "claimed", 5)).outranked == (3,)
    ledger = told.change(seen(told, ((3,), "claimed", 5)), source="camera")
    assert ledger.rounds[0].claimer == 2


def test_a_round_laid_by_touch_gets_its_numbers_from_the_camera() -> None:
    """The deal is the person's, the numbers are the camera's; another count or other numbers than
    typed are outranked."""
    told = begun(5)
    told.enter(RoundDealt(1, (None,) * 5))
    assert seen(told, ((), "open", None), cards=(1, 2, 3, 4)).outranked == (2,)
    ledger = told.change(seen(told, ((3,), "open", None)), source="camera")
    assert ledger.rounds[0].cards == CARDS
    typed = begun(5)
    typed.enter(RoundDealt(1, (1, 2, 3, 4, 9)))
    assert seen(typed, ((3,), "open", None)).outranked == (2,)


def test_what_a_person_took_back_the_camera_never_enters_again() -> None:
    """After an undo of the camera's claim, the same belief changes nothing; another one is entered."""
    told = begun(5)
    told.change(seen(told, ((3,), "claimed", 2)), source="camera")
    told.change(undo(told.log))
    again = seen(told, ((3,), "claimed", 5))
    assert (again.empty, len(again.outranked)) == (True, 1)
    ledger = told.change(seen(told, ((3, 2), "claimed", 5)), source="camera")
    assert ledger.rounds[0].claimer == 3


def test_what_a_persons_word_rests_on_stays_when_the_camera_loses_it() -> None:
    """The camera entered attempt 1, a person attempt 2; a later ruling without attempt 1 cannot
    pull it away."""
    told = begun(5)
    told.change(seen(told, ((3,), "open", None)), source="camera")
    told.enter(CardSetAside(1, 2, 1))
    changes = seen(told, ((), "open", None))
    assert changes.empty
    assert seen(told, ((), "claimed", None)).outranked != ()


def test_a_corrected_or_spoiled_round_is_the_persons() -> None:
    """After a correction by hand, and after a void, the camera's first belief is outranked."""
    told = begun(5)
    told.change(seen(told, ((3,), "claimed", 2)), source="camera")
    told.change(correct_round(told.log, 1, ((3, True),)))
    assert seen(told, ((3,), "claimed", 2)).outranked
    assert told.ledger.totals == (0, 5, 0, 0, 0)
    told.enter(RoundVoided(1, True))
    assert seen(told, ((3,), "claimed", 2)).empty


def test_a_correction_keeps_the_numbers_the_camera_supplied() -> None:
    """A round laid and guessed by touch, its numbers from the camera: another guess is corrected,
    the numbers stay."""
    told = begun(5)
    told.enter(RoundDealt(1, (None,) * 5), CardSetAside(1, 1))
    told.change(seen(told, ((3,), "claimed", 4)), source="camera")
    ledger = told.change(correct_round(told.log, 1, ((None, False), (None, False), (1, True))))
    assert (ledger.rounds[0].cards, ledger.rounds[0].set_aside) == (CARDS, (3, None))
    ledger = told.change(correct_round(told.log, 1, ((5, False), (1, True)), cards=(1, 2, 3, 4, 5)))
    assert (ledger.rounds[0].set_aside, ledger.totals) == ((5,), (1, 0, 4, 0, 0))


def test_a_past_round_is_read_anew_without_touching_the_next() -> None:
    """A card found in the tray later turns a claim of round 1 into another; round 2 stays as it
    was."""
    told = begun(5)
    told.change(seen(told, ((), "claimed", 2)), source="camera")
    before = told.change(
        seen(told, ((11,), "open", None), cards=(11, 12, 13, 14, 15), number=2), source="camera"
    )
    after = told.change(seen(told, ((3,), "claimed", 2)), source="camera")
    assert after.rounds[1] == before.rounds[1]
    assert (before.totals, after.totals) == ((0, 5, 0, 0, 0), (1, 0, 4, 0, 0))
    assert after.rounds[0].corrected


def test_a_lookouts_taking_by_a_person_outranks_a_claim() -> None:
    """A person dated "nobody was right": no claim of the camera replaces it."""
    told = begun(5)
    told.change(seen(told, ((1, 2), "open", None)), source="camera")
    told.enter(CardSetAside(1, 3), LookoutTook(1))
    assert seen(told, ((1, 2), "claimed", 5)).outranked
