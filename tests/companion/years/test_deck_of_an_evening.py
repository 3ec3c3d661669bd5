"""An evening knows the deck it was played with: its numbers are that deck's cards, whatever is read
tomorrow."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from card_printables.artwork.ink import Art, Photo
from card_printables.pages.paper import Placed
from companion.commands import play
from companion.findings.played import played_evening
from companion.game.event_json import entry_from_dict, entry_to_dict
from companion.game.events import EveningBegun
from companion.game.log import Log
from companion.game.rules import Refusal
from companion.journal.report import without_names
from companion.outbox.told import told_entry
from companion.set_up import deck_store
from companion.vision.card_outline import CardOutline
from companion.vision.eye import Eye
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_size
from companion.web import Door, Rule, create_app
from companion.web.views.page_files import page_words
from companion.years import json_file, tables
from companion.years.album import Album, album_words
from tests.support.companion_web_client import enter
from tests.support.kept_evening import KeptEvening

PRINTED = frozenset(range(1, 81))


def with_learnt(deck: str = "Our box") -> KeptEvening:
    """A table that plays with a learnt deck."""
    evening = KeptEvening(past=())
    assert evening.session.play_with(Eye(), PRINTED, deck) is None
    return evening


def one_of_each() -> tuple[KeptEvening, int, int]:
    """A table with an evening of a learnt deck, then one of printed cards; their numbers."""
    evening = with_learnt()
    evening.begin(("Ada", "Ben", "Eva")).play_round(1).do("next").do("end")
    learnt = evening.session.evening
    assert evening.session.play_with(Eye(), PRINTED) is None
    evening.now_s += 86_400
    evening.begin(("Ada", "Ben", "Eva")).play_round(1).do("next").do("end")
    printed = evening.session.evening
    assert learnt is not None
    assert printed is not None
    return evening, learnt, printed


def test_what_is_shown_of_an_evening_names_its_deck() -> None:
    """On the table to its end, also where another deck is chosen then; in the book and in the film."""
    evening = with_learnt()
    assert evening.board["played_deck"] == "Our box"
    evening.begin(("Ada", "Ben", "Eva")).play_round(1)
    assert evening.close_and_open().board["played_deck"] == "Our box"
    evening.do("next").do("end")
    assert evening.session.play_with(Eye(), PRINTED) is None
    assert evening.board["played_deck"] == "Our box"
    evening.do("rematch")
    assert evening.board["played_deck"] is None


def test_the_book_knows_the_deck_of_each_evening() -> None:
    """Its small skies, its pages, its films, and what it finds out of clouds."""
    evening, learnt, printed = one_of_each()
    book = evening.session.book
    decks = {one["number"]: one["deck"] for one in book.page()["evenings"]}
    assert decks == {learnt: "Our box", printed: None}
    for number, deck in decks.items():
        board = evening.session.past_scoreboard(number)
        film = evening.session.film(number)
        assert board is not None
        assert film is not None
        assert board["played_deck"] == deck
        assert {one["board"]["played_deck"] for one in film} == {deck}
    counted, _ = book._counted()
    assert {deck for deck, _ in counted.clouds} == {"", "Our box"}


def test_an_evening_goes_on_only_with_its_own_cards() -> None:
    """Another deck's card of the same number would be taken for one that is out already."""
    evening, learnt, _ = one_of_each()
    assert evening.session.go_on(learnt, None) == Refusal("other_cards")
    assert evening.session.play_with(Eye(), PRINTED, "Our box") is None
    assert evening.session.go_on(learnt, None) is None


def test_the_deck_goes_along_in_the_files_and_stays_out_of_what_is_sent() -> None:
    """JSON and the table have it, older ones are read as printed; a hall and a report get no name."""
    evening, learnt, _ = one_of_each()
    log = evening.session.book.log(learnt)
    assert log is not None
    told = json.loads(json.dumps([entry_to_dict(entry) for entry in log.entries]))
    back, _ = json_file.read_evening({"entries": told}, 1)
    assert played_evening(back).learnt_deck == "Our box"
    head, *lines = tables.rows([(played_evening(log), "")])
    ((read, _),) = tables.logs([",".join(line) + "\n" for line in (head, *lines)])
    assert played_evening(read).learnt_deck == "Our box"
    ((older, _),) = tables.logs([",".join(line[:-1]) + "\n" for line in (head, *lines)])
    assert played_evening(older).learnt_deck == ""
    sent = [told_entry(entry, lambda name: "A" + name[0]) for entry in log.entries]
    assert "Our box" not in json.dumps([entry_to_dict(entry) for entry in sent])
    assert "Our box" not in json.dumps(list(without_names(log.entries)))


def test_an_evening_of_printed_cards_is_written_as_it_always_was() -> None:
    """Its lines are compared letter by letter, by halls and by older companions."""
    evening = KeptEvening(past=()).begin(("Ada", "Ben", "Eva"))
    written = entry_to_dict(evening.entries[0])
    assert "learnt_deck" not in written["event"]
    assert entry_from_dict(written) == evening.entries[0]
    learnt = replace(EveningBegun(("Ada", "Ben", "Eva"), 0), learnt_deck="Our box")
    entry = replace(evening.entries[0], event=learnt)
    assert entry_from_dict(json.loads(json.dumps(entry_to_dict(entry)))) == entry


def test_a_learnt_card_s_picture_is_that_deck_s_or_none() -> None:
    """On screens and on paper: never a printed cloud of the same number."""
    evening, learnt, printed = one_of_each()
    outline = CardOutline.disc(85.0)
    width, height = look_size(outline)
    grey = LearntCard((np.full((height, width, 3), 90, np.uint8),))
    deck_store.keep_deck(evening.session.folder, LearntDeck("Our box", outline, (grey,) * 3))
    client = enter(create_app(evening.session, Door()), Rule.WATCH)
    shown = client.get("/art/2?deck=Our%20box")
    assert shown.headers["Cache-Control"] == "no-store"
    picture = cv2.imdecode(np.frombuffer(shown.data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert abs(int(picture[160, 160, 0]) - 90) < 4
    assert client.get("/art/4?deck=Our%20box").status_code == 404
    assert client.get("/art/2?deck=Another").status_code == 404
    assert client.get("/art/2?deck=..%2Fjournal").status_code == 404
    pictures = {
        number: client.get(f"/api/book/{number}/album.png").data for number in (learnt, printed)
    }
    mean = {
        number: cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
        for number, png in pictures.items()
    }
    greys = {number: int((image == 90).all(axis=2).sum()) for number, image in mean.items()}
    assert greys[learnt] > 1000 > greys[printed]


def test_on_paper_who_has_no_picture_is_a_plain_disc() -> None:
    """A deck that was deleted since, or learnt anew with fewer cards."""
    evening, learnt, _ = one_of_each()
    log = evening.session.book.log(learnt)
    assert isinstance(log, Log)
    one = played_evening(log)
    jpeg = cv2.imencode(".jpg", np.full((64, 64, 3), 90, np.uint8))[1].tobytes()
    album = Album(one, one.names, "", "names", album_words(page_words("en"), "en"))

    def drawn(told: Album) -> list[type]:
        marks = [m for i in told._share(1.0) if isinstance(i, Placed) for m in i.design.marks]
        return [type(mark) for mark in marks if isinstance(mark, Art | Photo)]

    many = len(one.rounds[0].cards)
    assert drawn(album) == [Art] * many
    assert drawn(replace(album, looks={})) == []
    assert drawn(replace(album, looks={one.rounds[0].cards[0]: jpeg})) == [Photo]


def test_a_start_with_other_cards_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    """The evening that lies on the table was begun with a learnt deck, and now codes are read."""
    evening = with_learnt("Our box").begin(("Ada", "Ben", "Eva")).play_round(0)
    play._say_what_goes_on(evening.session)
    assert "other cards" not in capsys.readouterr().out
    play._say_what_goes_on(evening.close_and_open().session)
    assert "--deck 'Our box'`" in capsys.readouterr().out
