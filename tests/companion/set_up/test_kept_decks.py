"""Which files among the decks are decks: a foreign one is left alone and stops nobody."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.set_up.deck_learning import DeckLearning
from companion.set_up.deck_store import kept_decks


@pytest.mark.parametrize("name", [b"box (1).deck", b".deck", b"\xff\xfe.deck", b"con.deck"])
def test_a_file_whose_name_no_deck_has_is_no_deck(tmp_path: Path, name: bytes) -> None:
    """A browser's second copy, no name at all, one that is no text, one that a system keeps for itself."""
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "box.deck").write_bytes(b"damaged")
    (tmp_path / "decks" / os.fsdecode(name)).write_bytes(b"theirs")
    assert kept_decks(tmp_path) == ("box",)
    assert DeckLearning(tmp_path).kept() == [{"name": "box", "cards": 0}]
