"""The learnt decks over HTTP: what is played with stays as it is, however its name is written."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.commands import play
from companion.commands.shared.decks import PlayedDeck
from companion.evening.session import Session
from companion.journal import Journal
from companion.set_up import deck_store
from companion.vision.card_outline import CardOutline
from companion.vision.eye import Eye
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_size
from companion.vision.second_reader.zxing import decode
from companion.web import Door, create_app
from tests.support.companion_web_client import JSON, enter

NAME = "Café"


@contextmanager
def table(folder: Path, *, chosen: bool) -> Iterator[Flask]:
    """The app of a table that has a learnt deck, and plays with it where it was chosen."""
    size, _ = look_size(CardOutline.disc(85.0))
    cards = tuple(LearntCard((np.full((size, size, 3), 5 * n, np.uint8),)) for n in range(12))
    deck_store.keep_deck(folder, LearntDeck(NAME, CardOutline.disc(85.0), cards))
    if chosen:
        deck_store.choose_deck(folder, NAME)
    parser = argparse.ArgumentParser()
    play.configure(parser)
    deck = deck_store.kept_deck(folder, NAME) if chosen else None
    played = PlayedDeck(parser.parse_args(["--data", str(folder)]), deck, decode, folder)
    with Journal(folder / "evenings") as journal:
        yield create_app(Session(journal), Door(), chosen_deck=played, decks=folder)


@pytest.mark.parametrize("written", [NAME, "Cafe\u0301", NAME.upper()])
@pytest.mark.parametrize("do", ["forget", "learn"])
def test_a_deck_that_is_played_with_is_neither_deleted_nor_learnt_on(
    tmp_path: Path, do: str, written: str
) -> None:
    """An accent written as a sign of its own names the same file, and so do other capitals."""
    with table(tmp_path, chosen=True) as app:
        asked = json.dumps({"do": do, "name": written})
        answer = enter(app).post("/api/decks", data=asked, headers=JSON)
    assert answer.status_code == 422
    assert "is being played with" in answer.json["error"]
    assert deck_store.kept_decks(tmp_path) == (NAME,)


@pytest.mark.parametrize("written", [NAME, "Cafe\u0301", NAME.upper()])
def test_a_deck_that_another_screen_plays_with_is_learnt_no_more(
    tmp_path: Path, written: str
) -> None:
    """One screen learns it, the other plays with it: a card the first drops moves no number in the
    ledger."""
    with table(tmp_path, chosen=False) as app:
        learner, player = enter(app), enter(app)

        def ask(screen: FlaskClient, **asked: object) -> TestResponse:
            return screen.post("/api/decks", data=json.dumps(asked), headers=JSON)

        before = [card.id for card in deck_store.kept_deck(tmp_path, NAME).cards]
        assert ask(learner, do="learn", name=NAME).status_code == 200
        assert ask(player, do="play", name=written).json["lesson"] is None
        assert ask(learner, do="drop", card=before[2]).status_code == 410
    assert [card.id for card in deck_store.kept_deck(tmp_path, NAME).cards] == before


def test_a_card_keeps_the_number_that_an_evening_was_played_with(tmp_path: Path) -> None:
    """Taking it out would make the book show other cards; what was learnt since can be taken out."""
    with table(tmp_path, chosen=False) as app:
        session = app.extensions["companion"].session
        assert session.play_with(Eye(), frozenset(range(1, 13)), NAME) is None
        for number, asked in enumerate((
            {"do": "begin", "players": ["Ada", "Ben", "Eva"], "daydreamer": 0, "deck_size": 12},
            {"do": "laid", "cards": [1, 3, 5, 7]},
            {"do": "right"},
            {"do": "end"},
        )):  # fmt: skip
            told = {"id": f"command-{number}", "version": session.version, **asked}
            assert session.command(told)[0] == 200
        client = enter(app)

        def ask(**asked: object) -> int:
            return client.post("/api/decks", data=json.dumps(asked), headers=JSON).status_code

        ids = [card.id for card in deck_store.kept_deck(tmp_path, NAME).cards]
        assert ask(do="learn", name=NAME) == 200
        assert [ask(do="drop", card=ids[n]) for n in (0, 6, 7)] == [423, 423, 200]
    assert len(deck_store.kept_deck(tmp_path, NAME).cards) == 11


def test_a_deck_is_learnt_while_another_is_chosen(tmp_path: Path) -> None:
    """Only the lesson of the deck that is chosen ends."""
    with table(tmp_path, chosen=False) as app:
        client = enter(app)
        for asked in ({"do": "learn", "name": "Other"}, {"do": "play", "name": NAME}):
            answer = client.post("/api/decks", data=json.dumps(asked), headers=JSON)
        assert answer.json["lesson"]["name"] == "Other"


def test_a_choice_that_the_disk_refuses_is_none(tmp_path: Path) -> None:
    """The page said that the deck was being played with, and its file could not be deleted, while the
    table went on with the deck of before."""
    with table(tmp_path, chosen=False) as app:
        (tmp_path / deck_store.FOLDER / deck_store.PLAYED).mkdir()
        client = enter(app)
        asked = json.dumps({"do": "play", "name": NAME})
        assert client.post("/api/decks", data=asked, headers=JSON).status_code == 422
        assert client.get("/api/decks").json["played"] is None
        assert app.extensions["companion"].session.learnt_deck == ""


def test_only_a_deck_is_handed_on_whatever_its_name_leads_to(tmp_path: Path) -> None:
    """A link among the decks, out of somebody's archive say, gives nobody the file that it leads to."""
    (tmp_path / "secret").write_bytes(b"token")
    with table(tmp_path, chosen=False) as app:
        decks = tmp_path / deck_store.FOLDER
        (decks / "link.deck").symlink_to(tmp_path / "secret")
        (decks / "other.deck").symlink_to(decks / f"{NAME}.deck")
        (decks / "torn.deck").write_bytes(b"half")
        client = enter(app)
        told = {
            name: client.get(f"/api/decks/{name}/file") for name in ("link", "torn", "other", NAME)
        }
    assert [answer.status_code for answer in told.values()] == [404, 404, 200, 200]
    assert told[NAME].data == told["other"].data == (decks / f"{NAME}.deck").read_bytes()
