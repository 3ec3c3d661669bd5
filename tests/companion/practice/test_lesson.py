"""The practice table's own lesson: what was not learnt is laid out again, as people would."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from companion.errors import BadInput
from companion.practice import evening
from companion.practice.lesson import lesson_pictures
from companion.practice.room import Room
from companion.table.sighting import Point

CARDS = (1, 2, 3, 4, 5)
FORGOTTEN = 3


@pytest.mark.parametrize("laid_later", [True, False], ids=["laid later", "never laid"])
def test_a_card_that_was_not_learnt_is_laid_again(
    laid_later: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One card stays in the box when the others are laid out; alone or never."""
    lessons: list[list[int]] = []

    def pictures(
        room: Room, cards: Sequence[int], seed: int, looks: int, straight: bool
    ) -> Iterator[tuple[dict[int, Point], np.ndarray]]:
        lessons.append(list(cards))
        laid = [card for card in cards if card != FORGOTTEN or (laid_later and len(lessons) > 1)]
        return lesson_pictures(room, laid, seed, 1, straight)

    monkeypatch.setattr(evening, "PUBLISHED_DECK", CARDS)
    monkeypatch.setattr(evening, "lesson_pictures", pictures)
    options = argparse.Namespace(players=5, seed=3, room="parlour", card_shape="disc")
    if not laid_later:
        with pytest.raises(BadInput, match="cards \\[3\\] could not be learnt"):
            evening.learn_practice_deck(options, "box", lambda _: None)
        assert lessons == [list(CARDS)] + [[FORGOTTEN]] * (evening.MOST_LESSONS - 1)
        return
    deck = evening.learn_practice_deck(options, "box", lambda _: None)
    assert lessons == [list(CARDS), [FORGOTTEN]]
    assert len(deck.cards) == len(CARDS)
