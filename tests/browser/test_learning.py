"""A deck without codes learnt on the tablet: laid out under a real camera's eye, counted, kept, and
played with."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.cameras.port import Frame
from companion.capture.watching import Watching
from companion.commands import play
from companion.commands.shared.decks import PlayedDeck
from companion.evening.session import Session
from companion.journal import Journal
from companion.practice.lesson import lesson_pictures
from companion.practice.room import parlour
from companion.set_up import deck_store
from companion.vision.card_outline import CardOutline
from companion.vision.learnt.deck import LearntCard, LearntDeck, look_size
from companion.vision.second_reader.zxing import decode
from companion.web import Rule, Server, create_app
from tests.support.tablet_in_chromium import Table, hold, tap

pytestmark = pytest.mark.browser


class LayingCamera:
    """A camera over a table on which somebody lays cards: it shows `picture`."""

    name = "Webcam"

    def __init__(self, picture: np.ndarray) -> None:
        self.picture = picture
        self._number = 0

    def read(self) -> Frame:
        """Ten pictures a second, each its own."""
        time.sleep(0.1)
        self._number += 1
        return Frame(self.picture.copy(), self._number / 10, self._number)

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture(scope="module")
def lays() -> list[np.ndarray]:
    """Ten cards without codes in two lays, and the bare middle between them."""
    room = parlour(5)
    camera = replace(
        room.camera, width_px=1280, height_px=720, focal_px=room.camera.focal_px * 2 / 3
    )
    pictures = lesson_pictures(replace(room, camera=camera), range(1, 11), 3, looks=1)
    return [picture for _, picture in pictures][::2]


@pytest.fixture
def laid(
    table: Table, lays: list[np.ndarray], tmp_path: Path
) -> Iterator[tuple[Any, LayingCamera]]:
    """A table before its evening, watched for real; and the camera."""
    session = Session(Journal(tmp_path))
    parser = argparse.ArgumentParser()
    play.configure(parser)
    args = parser.parse_args(["--data", str(tmp_path)])
    played = PlayedDeck(args, None, decode, tmp_path)
    camera = LayingCamera(lays[0])
    with played.eye() as eye:
        watching = Watching(camera, eye)
    session.attach(watching)
    watching.start(session)
    app = create_app(session, table.door, chosen_deck=played, decks=tmp_path)
    table.server = Server(app, "127.0.0.1", 0).start()
    table.base = f"http://127.0.0.1:{table.server.port}"
    yield session, camera
    session.close()


def test_a_deck_is_learnt_on_the_tablet_and_played_with(
    table: Table, laid: tuple[Any, LayingCamera], lays: list[np.ndarray], tmp_path: Path
) -> None:
    """Named, laid out twice, counted by itself, kept at every lay, one card taken out again, chosen;
    an evening begun says no to another choice. Another screen's set-up counts the same deck and shows its
    pictures, whatever it showed before, and the decks that lie open on a third are those of now."""
    session, camera = laid
    page, other, third = table.tablet(), table.tablet(), table.tablet()
    tap(third, "with codes")
    third.wait_for_selector("button:has-text('Begin')")
    other.wait_for_selector(".stepper:has-text('80 clouds')")
    printed = drawn_picture(other)
    tap(page, "with codes")
    page.fill("#deck-name", "Our box")
    page.wait_for_selector("button:has-text('Begin'):enabled")
    tap(page, "Begin")
    page.wait_for_selector(".deck-count:has-text('8 cards learnt')", timeout=30_000)
    camera.picture = lays[1]
    page.wait_for_selector(".deck-count:has-text('10 cards learnt')", timeout=30_000)
    assert len(deck_store.kept_deck(tmp_path, "Our box").cards) == 10
    page.click(".learnt-cards li >> nth=9")
    hold(page, "button.hold:has-text('Card 10')")
    page.wait_for_selector(".deck-count:has-text('9 cards learnt')")
    tap(page, "That is all")
    tap(page, "Play with these")
    page.wait_for_selector(".learnt-deck.played:has-text('Our box')")
    assert session.numbers == frozenset(range(1, 10))
    assert session.learnt_deck == "Our box"
    other.wait_for_selector(".stepper:has-text('9 clouds')")
    assert drawn_codes(other) == 0
    assert drawn_picture(other) != printed
    assert other.locator("button:has-text('Count the deck')").count() == 0
    other.evaluate("location.hash = 'deck'")
    other.wait_for_selector("text=These cards have no codes to count")
    other.evaluate("location.hash = ''")
    third.wait_for_selector(".learnt-deck.played:has-text('Our box')")
    assert deck_store.played_deck(tmp_path) == "Our box"
    tap(page, "Play with these")
    page.wait_for_selector(".learnt-deck.played:has-text('Cards with codes')")
    assert deck_store.played_deck(tmp_path) is None
    other.wait_for_selector(".stepper:has-text('80 clouds')")
    assert drawn_codes(other) == 1
    assert drawn_picture(other) == printed
    other.wait_for_selector("button:has-text('Count the deck')")


def drawn_codes(page: Any) -> int:
    """How many codes a cloud in the round window has on this page: a card without codes was drawn with
    one."""
    return page.evaluate("""async () => {
      const [{ cloud }, { html }, { patch }] = await Promise.all(
        ['parts/cards', 'core/html', 'core/tree'].map((one) => import(`/static/${one}.js`)));
      const box = document.querySelector('.page').appendChild(document.createElement('div'));
      patch(box, html`<svg key="one">${cloud('one', 3, { x: 0, y: 0 }, 100)}</svg>`);
      const shown = box.querySelectorAll('.code-mark').length;
      box.remove();
      return shown;
    }""")


def drawn_picture(page: Any) -> list[int]:
    """The picture that this page has of a cloud in the round window, as its bytes."""
    return page.evaluate("""async () => {
      const [{ cloud }, { html }, { patch }] = await Promise.all(
        ['parts/cards', 'core/html', 'core/tree'].map((one) => import(`/static/${one}.js`)));
      const box = document.querySelector('.page').appendChild(document.createElement('div'));
      patch(box, html`<svg key="one">${cloud('one', 3, { x: 0, y: 0 }, 100)}</svg>`);
      const address = box.querySelector('image').href.baseVal;
      box.remove();
      return Array.from(new Uint8Array(await (await fetch(address)).arrayBuffer()));
    }""")


def shown_cards(page: Any) -> list[tuple[str, str]]:
    """Each learnt card on this page: its number, and the pixels that are shown."""
    return [
        tuple(card)
        for card in page.evaluate(
            """async () => {
              const shown = [];
              for (const item of document.querySelectorAll(".learnt-cards li")) {
                const img = item.querySelector("img");
                img.scrollIntoView();
                await img.decode();
                const canvas = document.createElement("canvas");
                [canvas.width, canvas.height] = [40, 40];
                canvas.getContext("2d").drawImage(img, 0, 0, 40, 40);
                shown.push([item.innerText.trim(), canvas.toDataURL()]);
              }
              return shown;
            }"""
        )
    ]


def test_two_tablets_take_out_the_cards_they_show(
    table: Table, laid: tuple[Any, LayingCamera], tmp_path: Path
) -> None:
    """Each card keeps its picture when the numbers move; a screen that is behind takes out the card
    it shows, and hears of one that is out already. What lies there still is not learnt again."""
    first = table.tablet()
    tap(first, "with codes")
    first.fill("#deck-name", "Our box")
    first.wait_for_selector("button:has-text('Begin'):enabled")
    tap(first, "Begin")
    first.wait_for_selector(".deck-count:has-text('8 cards learnt')")
    second = table.tablet()
    second.goto(f"{table.base}/#learn")
    second.wait_for_selector(".deck-count:has-text('8 cards learnt')")
    pictures = [picture for _, picture in shown_cards(first)]
    assert len(set(pictures)) == 8
    assert [picture for _, picture in shown_cards(second)] == pictures

    def behind(route: Any) -> None:
        if "look" in (route.request.post_data or ""):
            route.abort()
        else:
            route.continue_()

    with second.expect_event("requestfailed"):  # its looks follow one another: none is under way
        second.route("**/api/decks", behind)
    first.click(".learnt-cards li >> nth=2")
    hold(first, "button.hold:has-text('Card 3')")
    first.wait_for_selector(".deck-count:has-text('7 cards learnt')")
    left = pictures[:2] + pictures[3:]
    assert shown_cards(first) == [(str(n), picture) for n, picture in enumerate(left, start=1)]
    first.wait_for_selector(".lesson-said:has-text('1 was taken out')")

    assert len(shown_cards(second)) == 8
    second.click(".learnt-cards li >> nth=5")
    hold(second, "button.hold:has-text('Card 6')")
    second.wait_for_selector(".deck-count:has-text('6 cards learnt')")
    left.remove(pictures[5])
    assert [picture for _, picture in shown_cards(second)] == left
    first.wait_for_selector(".deck-count:has-text('6 cards learnt')")
    assert [picture for _, picture in shown_cards(first)] == left

    first.click(".learnt-cards li >> nth=0")
    hold(first, "button.hold:has-text('Card 1')")
    first.wait_for_selector(".deck-count:has-text('5 cards learnt')")
    second.click(".learnt-cards li >> nth=0")
    hold(second, "button.hold:has-text('Card 1')")
    second.wait_for_selector("text=This card is in the deck no longer.")
    second.wait_for_selector(".deck-count:has-text('5 cards learnt')")
    assert [picture for _, picture in shown_cards(second)] == left[1:]
    assert len(deck_store.kept_deck(tmp_path, "Our box").cards) == 5


def test_what_cannot_be_is_said_and_changes_nothing(
    table: Table, laid: tuple[Any, LayingCamera], tmp_path: Path
) -> None:
    """A name that no file can have, a deck that is not there, a screen that only watches."""
    page = table.tablet()
    page.goto(f"{table.base}/#learn")
    page.fill("#deck-name", "con")
    tap(page, "Begin")
    page.wait_for_selector("text=It cannot be called that")
    assert deck_store.kept_decks(tmp_path) == ()
    mine = {"Origin": table.base}
    asked = page.request.post(
        f"{table.base}/api/decks", data={"do": "play", "name": "nowhere"}, headers=mine
    )
    assert asked.status == 422
    assert (
        page.request.post(f"{table.base}/api/decks", data={"do": "dance"}, headers=mine).status
        == 400
    )
    assert page.request.get(f"{table.base}/api/decks/nowhere/1").status == 404
    watcher = table.tablet(role=Rule.WATCH)
    watcher.goto(f"{table.base}/#learn")
    watcher.wait_for_selector("text=A screen that keeps score")
    assert watcher.request.get(f"{table.base}/api/decks").status in (403, 404)


def test_a_damaged_deck_can_be_forgotten_and_stands_in_nobodys_way(
    table: Table, laid: tuple[Any, LayingCamera], tmp_path: Path
) -> None:
    """Who begins one of its name, in other capitals even, is told why not."""
    (tmp_path / "decks").mkdir(exist_ok=True)
    (tmp_path / "decks" / "Box.deck").write_bytes(b"damaged")
    page = table.tablet()
    page.goto(f"{table.base}/#learn")
    page.wait_for_selector("text=cannot be read any more")
    page.fill("#deck-name", "box")
    tap(page, "Begin")
    page.wait_for_selector("text=A deck of this name is here")
    page.wait_for_selector("text=Forget it: hold")
    assert deck_store.kept_decks(tmp_path) == ("Box",)


def test_a_deck_that_is_being_chosen_says_that_it_comes(
    table: Table, laid: tuple[Any, LayingCamera], tmp_path: Path
) -> None:
    """The choice takes a moment; meanwhile the row asks for no second tap, and where the choice came to
    nothing it can be tapped again."""
    outline = CardOutline.disc(85.0)
    size, _ = look_size(outline)
    cards = tuple(LearntCard((np.full((size, size, 3), 5 * n, np.uint8),)) for n in range(9))
    deck_store.keep_deck(tmp_path, LearntDeck("Box", outline, cards))
    page = table.tablet()
    sent: list[Any] = []
    page.route(
        "**/api/decks",
        lambda route: sent.append(route) if route.request.method == "POST" else route.continue_(),
    )
    page.goto(f"{table.base}/#learn")
    row = ".learnt-deck:has-text('Box')"
    for answer in ("abort", "continue_"):
        tap(page, "Play with these")
        page.wait_for_selector(f"{row}:has-text('One moment')")
        page.evaluate("import('/static/core/store.js').then((store) => store.redraw())")
        assert page.locator(row).locator("button:has-text('Play')").count() == 0
        getattr(sent.pop(), answer)()
        page.wait_for_selector(f"{row}:has-text('One moment')", state="detached")
    page.wait_for_selector(f"{row}.played")
    assert sent == []


def test_a_deck_that_is_learnt_elsewhere_too_is_said_and_stays_theirs(
    table: Table, laid: tuple[Any, LayingCamera], tmp_path: Path, lays: list[np.ndarray]
) -> None:
    """What lies there is not kept, and nobody is told that a game needs eight cards."""
    page, camera = table.tablet(), laid[1]
    page.goto(f"{table.base}/#learn")
    page.fill("#deck-name", "Our box")
    page.wait_for_selector("button:has-text('Begin'):enabled")
    tap(page, "Begin")
    page.wait_for_selector(".deck-count:has-text('8 cards learnt')", timeout=30_000)
    file = tmp_path / deck_store.FOLDER / "Our box.deck"
    file.write_bytes(b"theirs")
    camera.picture = lays[1]
    page.wait_for_selector("text=That could not be kept")
    assert file.read_bytes() == b"theirs"
