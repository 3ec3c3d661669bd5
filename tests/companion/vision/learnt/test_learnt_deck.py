"""A learnt deck as a value and as a file: whole, small, and refused in one sentence where it is none."""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from card_printables.marker import SYMBOL_MM
from companion.capture.watching import Watching
from companion.errors import BadInput
from companion.evening.scorekeeper import Scorekeeper
from companion.evening.table_camera import TableCamera
from companion.set_up import deck_store
from companion.vision.card_outline import CardOutline
from companion.vision.learnt.deck import (
    LearntCard,
    LearntDeck,
    bare_look,
    check_name,
    deck_from_bytes,
    deck_to_bytes,
    look_size,
)
from companion.vision.learnt.deck_reader import DeckReader
from companion.web.card_art import look_webp


def _deck(cards: int = 3, name: str = "the box") -> LearntDeck:
    size, _ = look_size(CardOutline.disc(85.0))
    y, x = np.mgrid[0:size, 0:size]
    looks = [
        np.stack([x + 9 * k, y, 200 - x], -1).clip(0, 255).astype(np.uint8) for k in range(cards)
    ]
    return LearntDeck(name, CardOutline.disc(85.0), tuple(LearntCard((look,)) for look in looks))


def _zip(told: object, parts: dict[str, bytes] | None = None) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("deck.json", json.dumps(told))
        for name, data in (parts or {}).items():
            file.writestr(name, data)
    return made.getvalue()


TOLD = {"format": 1, "name": "x", "disc_mm": 85.0, "looks": [1]}
HOSTILE = {
    "nothing": b"",
    "noise": bytes(range(256)) * 40,
    "a zip of nothing": _zip({}),
    "no list": _zip(TOLD | {"looks": 7}),
    "more looks than there are": _zip(TOLD | {"looks": [4]}),
    "a million cards": _zip(TOLD | {"looks": [1] * 1_000_000}),
    "a size that is none": _zip(TOLD | {"disc_mm": float("nan")}),
    "a huge card": _zip(TOLD | {"disc_mm": 1e9}),
    "a picture that is none": _zip(TOLD, {"cards/001-1.webp": b"RIFF0000WEBP"}),
    "a picture that unpacks to much": _zip(TOLD, {"cards/001-1.webp": bytes(50_000_000)}),
    "a name that leads out": _zip(TOLD | {"name": "../../etc", "looks": []}),
}


def test_a_deck_comes_back_from_its_file_and_is_small() -> None:
    """Name, size, cards and looks are the same again, a look of two kilobytes."""
    deck = _deck()
    data = deck_to_bytes(deck)
    back = deck_from_bytes(data)
    assert (back.name, back.disc_mm, list(back.numbers)) == ("the box", 85.0, [1, 2, 3])
    off = [
        np.abs(a.looks[0].astype(int) - b.looks[0]).mean()
        for a, b in zip(deck.cards, back.cards, strict=True)
    ]
    assert max(off) < 6
    assert len(data) < 3 * 4000


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_file_is_refused_in_one_sentence(what: str) -> None:
    """Whatever somebody sends for a deck, people are told in a sentence, and nothing is unpacked."""
    with pytest.raises(BadInput) as told:
        deck_from_bytes(HOSTILE[what])
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", " a", "a.", "nul", "x" * 41, "a\n"])
def test_a_deck_is_never_called_what_no_file_can_be(name: str) -> None:
    """A name becomes a file's: it leads nowhere else."""
    with pytest.raises(BadInput):
        check_name(name)


def test_decks_are_kept_listed_replaced_and_forgotten(tmp_path: Path) -> None:
    """The data folder keeps decks by name, and a forgotten one leaves nothing."""
    deck_store.keep_deck(tmp_path, _deck())
    deck_store.keep_deck(tmp_path, _deck(5, "Müllers Karten"))
    assert deck_store.kept_decks(tmp_path) == ("Müllers Karten", "the box")
    deck_store.keep_deck(tmp_path, _deck(4))
    assert len(deck_store.kept_deck(tmp_path, "the box").cards) == 4
    deck_store.forget_deck(tmp_path, "the box")
    assert deck_store.kept_decks(tmp_path) == ("Müllers Karten",)
    with pytest.raises(BadInput, match="learn-deck"):
        deck_store.kept_deck(tmp_path, "the box")


def test_the_tablet_shows_a_learnt_card_as_it_was_learnt(tmp_path: Path) -> None:
    """A card's number is only a handle: its picture is the one that was learnt, not one of ours."""
    deck = _deck(12)
    camera = TableCamera(tmp_path, Scorekeeper)
    assert camera.learnt_look("the box", 2) is None
    reader = DeckReader(deck, SYMBOL_MM)
    camera.watching = cast("Watching", SimpleNamespace(eye=SimpleNamespace(reader=reader)))
    shown = camera.learnt_look("the box", 2)
    assert shown is not None
    assert np.array_equal(shown, deck.cards[1].looks[0])
    assert camera.learnt_look("the box", 13) is None
    assert camera.learnt_look("../the box", 2) is None
    assert look_webp(shown).startswith(b"RIFF")


def test_the_tablet_shows_cards_of_a_deck_that_is_kept(tmp_path: Path) -> None:
    """An evening of before may have been played with another deck than is read now; one that was learnt
    on shows what it has now."""
    camera = TableCamera(tmp_path, Scorekeeper)
    reader = DeckReader(_deck(8, "another"), SYMBOL_MM)
    camera.watching = cast("Watching", SimpleNamespace(eye=SimpleNamespace(reader=reader)))
    file = deck_store.keep_deck(tmp_path, _deck(2))
    assert camera.learnt_look("the box", 2) is not None
    assert camera.learnt_look("the box", 3) is None
    deck_store.keep_deck(tmp_path, _deck(3))
    os.utime(file, ns=(1, 1))
    assert camera.learnt_look("the box", 3) is not None
    deck_store.forget_deck(tmp_path, "the box")
    assert camera.learnt_look("the box", 2) is None


def test_a_deck_of_rectangular_cards_comes_back_from_its_file_with_its_sides() -> None:
    """In a format of its own; round decks are written as an older companion reads them."""
    outline = CardOutline.rectangle(87.0, 56.0)
    width, height = look_size(outline)
    look = np.full((height, width, 3), (90, 120, 200), np.uint8)
    data = deck_to_bytes(LearntDeck("box", outline, (LearntCard((look,)),)))
    back = deck_from_bytes(data)
    assert back.outline == outline
    assert (back.outline.width_mm, back.disc_mm) == (56.0, 56.0)
    assert back.cards[0].looks[0].shape == look.shape
    assert bare_look(outline, look).shape[0] / bare_look(outline, look).shape[1] == pytest.approx(
        87 / 56, abs=0.03
    )
    for deck, form in ((back, 2), (_deck(), 1)):
        with zipfile.ZipFile(io.BytesIO(deck_to_bytes(deck))) as file:
            assert json.loads(file.read("deck.json"))["format"] == form
