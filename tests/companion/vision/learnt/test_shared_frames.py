"""A deck whose cards share an ornament and a panel is learnt card by card."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.vision.learnt.deck import LearntDeck
from companion.vision.learnt.lesson import DeckLesson, SaysCard
from tests.benchmarks.deck.__main__ import DISC, LIGHTS, Laid
from tests.benchmarks.deck.painted_decks import painted_face

CARDS, A_LAY = 12, 6


@pytest.mark.parametrize("seed", [3])
def test_what_all_cards_share_makes_none_of_them_a_known_one(seed: int) -> None:
    """Laid once, few are asked about, and none is taken for another; laid again, none is new."""
    rng = np.random.default_rng(seed)
    table = Laid(rng, 1.3, LIGHTS["good"], A_LAY)
    lesson = DeckLesson(LearntDeck("box", DISC))
    said: list[Counter[SaysCard]] = [Counter(), Counter()]
    for once in said:
        order = rng.permutation(CARDS).reshape(-1, A_LAY) + 1
        for cards in order.tolist():
            for faces in ([], [painted_face("framed", card) for card in cards]):
                turns = [float(turn) for turn in rng.uniform(0, 360, len(faces))]
                for _ in range(3):
                    picture = table.shoot(faces, turns, 1, False)[0]
                    lay = lesson.observe_picture(picture, table.plane)
            once += Counter(card.says for card in lay.cards)
            for card in lay.cards:
                if card.says is SaysCard.ALIKE:
                    new = once is said[0]
                    lesson.answer_alike(picture, table.plane, card.centre_mm, new=new)
    first, again = said
    assert first[SaysCard.KNOWN] == first[SaysCard.DOUBLE] == 0
    assert first[SaysCard.NEW] >= CARDS / 2
    assert len(lesson.deck.cards) <= CARDS
    assert again[SaysCard.KNOWN] >= 2 * CARDS / 3
