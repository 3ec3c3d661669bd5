"""Which files among the decks are decks: a foreign one is left alone and stops nobody."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from companion.errors import BadInput
from companion.set_up.deck_learning import DeckLearning
from companion.set_up.deck_store import LessonFile, forget_deck, kept_deck, kept_decks, kept_name
from companion.vision.card_outline import CardOutline
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_size


@pytest.mark.parametrize("name", [b"box (1).deck", b".deck", b"\xff\xfe.deck", b"con.deck"])
def test_a_file_whose_name_no_deck_has_is_no_deck(tmp_path: Path, name: bytes) -> None:
    """A browser's second copy, no name at all, one that is no text, one that a system keeps for itself."""
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "box.deck").write_bytes(b"damaged")
    (tmp_path / "decks" / os.fsdecode(name)).write_bytes(b"theirs")
    assert kept_decks(tmp_path) == ("box",)
    assert DeckLearning(tmp_path).kept() == [{"name": "box", "cards": 0}]


def test_other_capitals_are_the_same_deck(tmp_path: Path) -> None:
    """Or one file would be written over the other where a disk knows both by one name."""
    LessonFile(tmp_path, "Box").keep(_deck_of(2, "Box"))
    assert kept_name(tmp_path, "box") == "Box"
    assert len(kept_deck(tmp_path, "BOX").cards) == 2
    learning = DeckLearning(tmp_path)
    learning.begin("bOx")
    assert (learning.to_json() or {})["name"] == "Box"
    assert kept_decks(tmp_path) == ("Box",)
    forget_deck(tmp_path, "box")
    assert kept_decks(tmp_path) == ()


def test_a_command_that_is_suggested_can_be_typed(tmp_path: Path) -> None:
    """A name with spaces is one word of it."""
    with pytest.raises(BadInput, match="`companion learn-deck 'our box'`"):
        kept_deck(tmp_path, "our box")


def test_of_two_that_learn_one_deck_the_second_is_told(tmp_path: Path) -> None:
    """At the terminal and on the tablet, say: what the first has learnt stays, and a deck that was deleted
    meanwhile does not come back."""
    first, second = LessonFile(tmp_path, "box"), LessonFile(tmp_path, "box")
    for cards in (1, 2):
        first.keep(_deck_of(cards))
    with pytest.raises(BadInput, match="being learnt elsewhere"):
        second.keep(_deck_of(3))
    assert len(kept_deck(tmp_path, "box").cards) == 2
    again = LessonFile(tmp_path, "box")
    again.keep(_deck_of(3))
    forget_deck(tmp_path, "box")
    with pytest.raises(BadInput, match="was deleted"):
        again.keep(_deck_of(4))
    assert kept_decks(tmp_path) == ()


def _deck_of(cards: int, name: str = "box") -> LearntDeck:
    outline = CardOutline.disc(80.0)
    width, height = look_size(outline)
    looks = (np.full((height, width, 3), 20 * at, np.uint8) for at in range(cards))
    return LearntDeck(name, outline, tuple(LearntCard((look,)) for look in looks))
