"""The learnt decks over HTTP: what is played with stays as it is, however its name is written."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from companion.commands import play
from companion.commands.shared.decks import PlayedDeck
from companion.evening.session import Session
from companion.journal import Journal
from companion.set_up import deck_store
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_px
from companion.vision.second_reader.zxing import decode
from companion.web import Door, create_app
from tests.support.companion_web_client import JSON, enter

NAME = "Café"


@pytest.mark.parametrize("written", [NAME, "Cafe\u0301"])
@pytest.mark.parametrize("do", ["forget", "learn"])
def test_a_deck_that_is_played_with_is_neither_deleted_nor_learnt_on(
    tmp_path: Path, do: str, written: str
) -> None:
    """An accent written as a sign of its own names the same file."""
    size = look_px(85.0)
    cards = tuple(LearntCard((np.full((size, size, 3), 5 * n, np.uint8),)) for n in range(12))
    deck_store.keep_deck(tmp_path, LearntDeck(NAME, 85.0, cards))
    deck_store.choose_deck(tmp_path, NAME)
    parser = argparse.ArgumentParser()
    play.configure(parser)
    deck = deck_store.kept_deck(tmp_path, NAME)
    played = PlayedDeck(parser.parse_args(["--data", str(tmp_path)]), deck, decode, tmp_path)
    with Journal(tmp_path / "evenings") as journal:
        app = create_app(Session(journal), Door(), chosen_deck=played, decks=tmp_path)
        asked = json.dumps({"do": do, "name": written})
        answer = enter(app).post("/api/decks", data=asked, headers=JSON)
    assert answer.status_code == 422
    assert "is being played with" in answer.json["error"]
    assert deck_store.kept_decks(tmp_path) == (NAME,)
