"""The evening to give away: a picture of the right size, a PDF of every round, and as many names as were
asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from card_printables.artwork.ink import Photo, Words
from card_printables.artwork.lettering import can_write, width_mm
from card_printables.output.pixels import page_bgr
from card_printables.pages.paper import Page, Placed
from companion.findings.played import PlayedRound, played_evening
from companion.web import Door, Rule, create_app
from companion.web.views.page_files import page_words
from companion.years.album import Album, Naming, album_words
from tests.support.companion_web_client import enter
from tests.support.game_evening import begun
from tests.support.kept_evening import KeptEvening
from tests.support.years.generated import NONE, evening, evenings

PEOPLE = ("Livia Nováková", "Tomáš", "نور الدين", "Oskar", "Mia", "🦊", "somebody")


def album(naming: Naming, language: str = "en") -> Album:
    one = played_evening(evenings(1, 5, people=PEOPLE)[0])
    short = replace(one, rounds=one.rounds[:2])
    return Album(
        short, one.names, "Omas Küche", naming, album_words(page_words(language), language)
    )


def words(told: Album) -> str:
    return " | ".join(item.text for item in told._share(1.0) if isinstance(item, Words))


def test_the_share_picture_has_its_size_and_shows_the_evenings_clouds() -> None:
    """1080 x 1350 pixels, PNG; every cloud that somebody won is in it once, and within the sky."""
    told = album("names")
    image = cv2.imdecode(np.frombuffer(told.share_png(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (1350, 1080, 3)
    placed = [item for item in told._share(1.0) if isinstance(item, Placed)]
    cards = [card for one in told.evening.rounds if any(one.gains) for card in one.cards]
    assert len(placed) == 1 + len(cards)
    for item in placed[1:]:
        away = np.hypot(item.at_mm[0] - 54, item.at_mm[1] - 69) + item.design.width_mm / 2
        assert away <= 43


def test_a_round_of_the_pdf_names_who_took_its_clouds() -> None:
    """As the pictures on the screens: whoever found the cloud, not the Daydreamer who kept more of them, and
    of equals not the one who sat down first."""
    told = begun(8)
    told.play(told.next_cards(), 4)
    told.play(told.next_cards(), 5)
    told.play(told.next_cards(), 6)
    one = played_evening(told.log)
    of = Album(one, one.names, "", "names", album_words(page_words("en"), "en"))
    texts = [
        item.text
        for one in of.evening.rounds
        for item in of._round(one, (0.0, 0.0), 3)
        if isinstance(item, Words)
    ]
    assert [text for text in texts if "+" in text] == ["Finn +4", "Finn +3", "Finn +8"]


SEATED = {"en": "Player", "de": "Person", "cs": "Hráč"}
NO_LETTERS = ("نور الدين", "🦊", "somebody")


@pytest.mark.parametrize("language", ["en", "de", "cs"])
def test_people_are_called_as_was_asked(language: str) -> None:
    """First names, initials, or nobody at all; who is forgotten, or cannot be written, is told by their
    seat."""
    names, initials, nothing = (
        words(album(one, language)) for one in ("names", "initials", "nothing")
    )
    assert "Nováková" not in names
    called = album("names").names
    for person in PEOPLE:
        assert person not in nothing
        if person in called and person not in NO_LETTERS:
            assert person.split()[0] in names
            assert f"{person[0]}." in initials
            assert person.split()[0] not in initials
    for told in (names, initials, nothing):
        assert "2020" in told
        assert (SEATED[language] in told) == (
            told != nothing and any(person in called for person in NO_LETTERS)
        )


ALIKE = ("Anna Berg", "Anna", "Anna Bauer", "Adam", "Ben", "Anna Maria Cerny")


def test_nobody_is_called_like_another() -> None:
    """As short as they can be told apart."""
    one = played_evening(evening(Random(5), ALIKE, 0.0, NONE))
    for naming, called in (
        ("names", ["Anna Berg", "Anna", "Anna Bauer", "Adam", "Ben", "Anna C."]),
        ("initials", ["A. Be.", "Anna", "A. Ba.", "Ad.", "B.", "A. C."]),
    ):
        told = Album(one, ALIKE, "", naming, album_words(page_words("en"), "en"))
        assert [told.called(seat) for seat in range(len(ALIKE))] == called


@pytest.mark.parametrize("naming", ["names", "initials"])
def test_nobody_on_the_share_picture_is_without_a_name(naming: Naming) -> None:
    """Whatever script people write their names in, each cloud count has somebody before it, nobody's
    name is another's, and who has the sky is named."""
    people = ("陳小明", "نور الدين", "Livia", "🦊", "somebody 2")
    one = played_evening(evening(Random(5), people, 0.0, NONE))
    told = Album(one, people, "", naming, album_words(page_words("en"), "en"))
    called = [told.called(seat) for seat in range(5)]
    livia = "Livia" if naming == "names" else "L."
    assert called == ["Player 1", "Player 2", livia, "Player 4", "Player 5"]
    for seat, name in enumerate(called):
        colon = ":" if name.startswith("Player") else ""
        assert f"{name}{colon} {one.totals[seat]}" in words(told)
    assert called[one.winners[0]] in told._headline()


def test_the_pdf_has_every_round_that_was_won() -> None:
    """A PDF of a cover and a page for each six rounds, the same bytes each time."""
    told = album("names", "cs")
    data = told.pdf("cs")
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") == 2
    assert data == told.pdf("cs")


@pytest.mark.parametrize(("language", "said"), [("en", "picture: 2"), ("de", "Bild: 2")])
def test_a_round_says_how_many_of_its_clouds_have_no_picture(language: str, said: str) -> None:
    """They are plain discs in its sky; a round whose clouds are all known says nothing."""
    told = album("names", language)
    one = told.evening.rounds[0]
    some = replace(one, cards=(None, None, *one.cards[2:]))

    def texts(of: PlayedRound) -> str:
        items = told._round(of, (50.0, 50.0), 2)
        return " | ".join(item.text for item in items if isinstance(item, Words))

    assert said in texts(some)
    assert texts(one).count(" | ") == texts(some).count(" | ") - 1


def test_the_pdf_has_the_pictures_that_were_kept() -> None:
    """A page more with the photographs of the rounds, whole and in their shape; a damaged one is left
    out, and a stranger's that no camera of ours made; painted as pixels it shows the same."""
    green = np.full((300, 600, 3), (70, 96, 60), np.uint8)
    jpeg = bytes(cv2.imencode(".jpg", green)[1])
    huge = bytes(cv2.imencode(".jpg", np.zeros((4000, 4000, 3), np.uint8))[1])
    bare = album("names", "de")
    told = replace(bare, photos={1: jpeg, 2: jpeg[:40], 9: jpeg})
    assert len(told.pdf("de")) > len(bare.pdf("de"))
    (items,) = told._photo_pages(210.0)
    (photo,) = [one for one in items if isinstance(one, Photo)]
    assert photo.width_mm / photo.height_mm == pytest.approx(2.0)
    assert photo.width_mm == pytest.approx(93.0)
    image = page_bgr(Page("", 210, 297, tuple(items)), 50)
    x, y = (round(at / 25.4 * 50) for at in photo.centre_mm)
    assert np.abs(image[y, x].astype(int) - green[0, 0]).max() < 4
    assert image[y, 2].tolist() == [255, 255, 255]
    for left_out in (b"", huge):
        assert replace(bare, photos={2: left_out}).pdf("de") == bare.pdf("de")


def test_letters_that_are_shipped_are_known() -> None:
    """Latin with its marks can be written; other scripts and emoji cannot."""
    assert all(map(can_write, ("Ďáblice Žížalová", "Zoë-Übér", "a door left open", "„“", "Opa 3.")))
    assert not any(map(can_write, ("نور", "דניאלה", "🦊", "नमिता", "ab漢")))


def test_over_http_only_what_exists_is_painted(tmp_path: Path) -> None:
    """Who watches may have it; another evening, language or naming is refused."""
    kept = KeptEvening(past=()).play(rounds=2, phase="result").do("end")
    client = enter(create_app(kept.session, Door()), Rule.WATCH)
    number = client.get("/api/book").get_json()["evenings"][0]["number"]
    path = f"/api/book/{number}/album.png"
    assert client.get(f"{path}?names=initials&language=de").data[:4] == b"\x89PNG"
    assert client.get(f"{path}?names=all").status_code == 400
    assert client.get(f"{path}?language=xx").status_code == 400
    assert client.get("/api/book/99/album.pdf").status_code == 404


def test_czech_rounds_take_the_preposition_they_are_spoken_with() -> None:
    """ "Kolo 1 ze 16", but "z 15"; other languages keep theirs."""
    czech = album_words(page_words("cs"), "cs")
    assert [czech.round_of(1, of) for of in (4, 5, 10, 13, 15, 16, 20)] == [
        "Kolo 1 ze 4",
        "Kolo 1 z 5",
        "Kolo 1 z 10",
        "Kolo 1 ze 13",
        "Kolo 1 z 15",
        "Kolo 1 ze 16",
        "Kolo 1 ze 20",
    ]
    assert album_words(page_words("en"), "en").round_of(1, 16) == "Round 1 of 16"
    assert album_words(page_words("de"), "de").round_of(1, 16) == "Runde 1 von 16"


@pytest.mark.parametrize("by", [1.0, 210 / 108])
def test_nobody_is_left_off_the_share_picture(by: float) -> None:
    """Eight long first names: each stands there whole with its clouds, within the picture; no line ends in
    what stands between two."""
    long = tuple(f"{letter}ximilian-Alexander-{letter}" for letter in "MKBPJHTW")
    one = played_evening(evening(Random(5), long, 0.0, NONE))
    told = Album(one, one.names, "", "names", album_words(page_words("de"), "de"))
    lines = [
        item for item in told._share(by) if isinstance(item, Words) and item.at_mm[1] > 123 * by
    ]
    said = " ".join(line.text for line in lines)
    for seat, name in enumerate(one.names):
        assert f"{name} {one.totals[seat]}" in said
    for line in lines:
        assert line.at_mm[1] + line.size_mm / 2 < 135 * by
        assert width_mm(line.text, line.size_mm) <= 98 * by + 0.01
        assert not line.text.strip().endswith("·")


def test_without_names_the_place_is_left_out_too() -> None:
    """Whose kitchen it was is a name as well; with names or initials it stands there."""
    assert "Omas Küche" in words(album("names"))
    assert "Omas Küche" in words(album("initials"))
    assert "Omas Küche" not in words(album("nothing"))


def test_the_album_counts_the_rounds_that_were_finished() -> None:
    """On paper and beside a photograph; a round in whose middle the game was ended is not one of them."""
    told = album("names")
    one, other = told.evening.rounds
    broken = replace(other, ending="open", guesses=other.guesses[:1], gains=(0,) * len(other.gains))
    jpeg = bytes(cv2.imencode(".jpg", np.full((30, 60, 3), 90, np.uint8))[1])
    ended = replace(told.evening, rounds=(one, broken))
    left = replace(told, evening=ended, photos={1: jpeg, 2: jpeg})
    (items,) = left._photo_pages(210.0)
    said = [item.text for item in items if isinstance(item, Words)]
    assert "Round 1 of 1" in said
    assert not any("Round 2" in text for text in said)
    assert b"".join(left.pdf("en").split()) != b"".join(told.pdf("en").split())


def test_a_card_that_was_never_printed_is_a_plain_disc() -> None:
    """A stranger's evening may have any number: no picture is asked for, and both are painted."""
    told = album("names")
    one = replace(told.evening.rounds[0], cards=(0, -1, 100, 10**9))
    strange = replace(told, evening=replace(told.evening, rounds=(one,)))
    assert strange.share_png()[:4] == b"\x89PNG"
    assert strange.pdf("en")[:4] == b"%PDF"


def test_a_long_cloud_name_is_written_in_two_lines() -> None:
    """Not smaller and smaller in one; each line fits its half of the page."""
    told = album("names")
    name = "grandmother’s extraordinarily long-forgotten velvet slippers"
    named = replace(told.evening.rounds[0], name=name)
    items = [one for one in told._cloud_name(named, (50, 50)) if isinstance(one, Words)]
    assert " ".join(one.text for one in items) == f"“{name}”"
    assert len(items) == 2
    for one in items:
        assert one.size_mm > 4
        assert width_mm(one.text, one.size_mm) <= 90.01
