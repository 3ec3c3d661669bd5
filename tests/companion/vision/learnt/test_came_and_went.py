"""What came and went tells how large cards are, on any cloth, whatever is printed on them; and once the bare
table was seen, every card on it is found."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.vision.card_outline import CardOutline
from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt import lesson as lesson_room
from companion.vision.learnt.came_and_went import (
    CameAndWent,
    ToldByChange,
    TwoLooks,
    cards_laid,
    told_by_change,
)
from companion.vision.learnt.deck import look_size
from companion.vision.learnt.lesson import DeckLesson, SaysCard
from companion.vision.places.card_finder import find_cards
from companion.vision.places.disc_finder import BareLook
from tests.support.views.from_above import FromAbove

PLANE: PicturePlane = FromAbove()
PLACES = [(x, y) for y in (-85.0, 85.0) for x in (-190.0, -65.0, 65.0, 190.0)]
CARD, DISC, SQUARE = (
    CardOutline.rectangle(56, 87),
    CardOutline.disc(80),
    CardOutline.rectangle(70, 70),
)
CLOTHS = ("plain", "checks", "stripes")


def cloth_of(kind: str) -> np.ndarray:
    """A table with nothing on it, (720, 1040, 3) float32."""
    y, x = np.mgrid[0:720, 0:1040]
    on = {
        "plain": np.zeros((720, 1040)),
        "checks": ((x + y // 7) // 37 + (y - x // 7) // 37) % 2,
        "stripes": (x // 45) % 2,
    }[kind]
    dark, pale = np.array([70.0, 105, 140]), np.array([205.0, 195, 200])
    return np.where(on[..., None] > 0, pale, dark).astype(np.float32)


def table(
    cloth: str,
    outline: CardOutline,
    places: Sequence[tuple[float, float]],
    faces: int = 0,
    noise: int = 0,
) -> np.ndarray:
    """A picture of cards with bands of colours, like landscapes; `faces` chooses others, `noise` makes it
    another picture, in a light that is a little brighter on one side."""
    rng = np.random.default_rng(faces)
    shown = cloth_of(cloth)
    for place in places:
        width, height = (round(2 * mm) for mm in (outline.width_mm, outline.height_mm))
        bands = rng.uniform(30, 230, (int(rng.integers(3, 6)), 1, 3)).astype(np.float32)
        face = cv2.resize(bands, (width, height), interpolation=cv2.INTER_NEAREST)
        face += cv2.resize(rng.normal(0, 25, (5, 5, 3)).astype(np.float32), (width, height))
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 180)), 1.0)
        turn[:, 2] += np.array([520 - width / 2, 360 - height / 2]) + 2 * np.array(place)
        mask = np.full((height, width), 255, np.uint8)
        if outline.round:
            mask[:] = 0
            cv2.circle(mask, (width // 2, height // 2), width // 2, 255, -1)
        laid = cv2.warpAffine(face, turn, (1040, 720), flags=cv2.INTER_LINEAR)
        lies = cv2.warpAffine(mask, turn, (1040, 720), flags=cv2.INTER_NEAREST) > 0
        shown[lies] = np.clip(laid[lies], 10, 245)
    grain = np.random.default_rng(900 + noise)
    light = 1 + 0.06 * grain.uniform(-1, 1) * np.linspace(-1, 1, 1040)[None, :, None]
    noisy = cv2.GaussianBlur(shown, (0, 0), 1.0) * light + grain.normal(0, 2, shown.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def told(before: np.ndarray, now: np.ndarray) -> ToldByChange | None:
    return told_by_change(BareLook(before, PLANE), BareLook(now, PLANE))


@pytest.mark.parametrize("cloth", CLOTHS)
@pytest.mark.parametrize("outline", [CARD, DISC, SQUARE], ids=["rectangle", "disc", "square"])
def test_what_came_tells_how_large_cards_are(cloth: str, outline: CardOutline) -> None:
    """And the picture before shows the table without them; where they went, the picture after."""
    bare, laid = table(cloth, outline, []), table(cloth, outline, PLACES, faces=4, noise=1)
    for before, now, empty in ((bare, laid, bare), (laid, bare, bare)):
        found = told(before, now)
        assert found is not None
        assert found.outline.round == outline.round
        sides = (found.outline.width_mm, found.outline.height_mm)
        assert sides == pytest.approx((outline.width_mm, outline.height_mm), abs=2)
        assert found.cards >= 6
        assert found.bare is not None
        assert found.bare.image_bgr is empty


def test_where_cards_came_and_others_went_no_picture_is_bare() -> None:
    """The size is told all the same; a card in another's place is neither coming nor going."""
    before = table("plain", CARD, PLACES[:4], faces=4)
    found = told(before, table("plain", CARD, PLACES[4:], faces=5))
    assert found is not None
    assert found.bare is None
    swapped = told(before, table("plain", CARD, PLACES[:4], faces=5))
    assert swapped is None or swapped.bare is None


@pytest.mark.parametrize("cloth", CLOTHS)
def test_two_cards_that_lie_near_one_another_are_two(cloth: str) -> None:
    """They do not leave open which picture shows the bare table, and both are laid on it."""
    bare = table(cloth, DISC, [])
    pairs = [(x, y) for x in (-150.0, 0.0, 150.0) for y in (-44.0, 44.0)]
    laid = table(cloth, DISC, pairs, faces=4, noise=1)
    found = told(bare, laid)
    assert found is not None
    assert found.cards == 6
    assert found.bare is not None
    assert len(cards_laid(TwoLooks.of(found.bare, BareLook(laid, PLANE)), DISC)) == 6


@pytest.mark.parametrize("kind", ["nothing", "two", "a hand", "light"])
def test_what_is_no_lay_tells_nothing(kind: str) -> None:
    """Neither noise, nor two things, nor one of another shape, nor a lamp that was switched on."""
    bare = table("checks", CARD, [])
    now = table("checks", CARD, PLACES[:2] if kind == "two" else [], noise=1)
    if kind == "a hand":
        cv2.line(now, (0, 500), (600, 300), (120, 160, 220), 150)
    if kind == "light":
        now = np.clip(now * np.linspace(0.7, 1.2, 1040)[None, :, None], 0, 255).astype(np.uint8)
    assert told(bare, now) is None


def test_only_a_state_of_the_table_is_compared() -> None:
    """Two pictures in a row that are alike; a hand that passes is none, and cards that are laid one after
    another are told as soon as there are three."""
    change = CameAndWent()
    shown = [table("checks", CARD, [], noise=n) for n in range(2)]
    hand = shown[0].copy()
    cv2.line(hand, (0, 500), (600, 300), (120, 160, 220), 150)
    shown += [hand, *(table("checks", CARD, PLACES[:1], 4, n) for n in range(2, 4))]
    states = [change.observe_picture(image, PLANE) for image in shown]
    assert states == [False, True, False, False, True]
    for many, last in ((2, False), (3, True)):
        pictures = [table("checks", CARD, PLACES[:many], 4, 10 * many + n) for n in range(2)]
        assert [change.observe_picture(image, PLANE) for image in pictures] == [False, True]
        assert (change.told() is not None) == last


def test_a_deck_of_any_shape_is_learnt_on_checks() -> None:
    """Swept away between the lays; every card once, and nothing that is none."""
    for outline in (CARD, DISC):
        lesson = DeckLesson(name="box")
        for turn in range(2):
            for noise in range(2):
                lesson.observe_picture(table("checks", outline, [], noise=noise), PLANE)
            for noise in range(3):
                picture = table("checks", outline, PLACES, faces=7 + turn, noise=noise)
                lay = lesson.observe_picture(picture, PLANE)
            assert lay.counted
            assert len(lay.cards) == len(PLACES)
        assert lesson.deck.outline.is_near(outline, 0.03)
        assert len(lesson.deck.cards) >= 2 * len(PLACES) - 2


@pytest.mark.parametrize(("deck", "other"), [(CARD, DISC), (DISC, CARD), (CARD, SQUARE)])
@pytest.mark.parametrize("cloth", ["plain", "checks"])
def test_cards_of_another_shape_are_said_to_be_so(
    cloth: str, deck: CardOutline, other: CardOutline
) -> None:
    """They lie among the deck's own, or alone: none of them is learnt, the own ones are."""
    lesson = DeckLesson(name="box")
    for noise in range(2):
        lesson.observe_picture(table(cloth, deck, [], noise=noise), PLANE)
    for noise in range(3):
        lesson.observe_picture(table(cloth, deck, PLACES, faces=7, noise=noise), PLANE)
    learnt = len(lesson.deck.cards)
    for beside in (PLACES[:3], []):
        for noise in range(3):
            picture = table(cloth, deck, beside, faces=8, noise=noise)
            mixed = table(cloth, other, PLACES[5:], faces=9, noise=noise)
            picture[360:] = mixed[360:]
            lay = lesson.observe_picture(picture, PLANE)
        assert lay.counted
        says = [card.says for card in lay.cards]
        assert says.count(SaysCard.OTHER) == 3
        assert len(says) == 3 + len(beside)
    assert len(lesson.deck.cards) == learnt + 3


def test_what_stands_on_the_table_from_the_start_is_no_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mug as large as a card, say, whose edge alone tells nothing; cards beside it are learnt."""
    monkeypatch.setattr(lesson_room, "measure_outline", lambda *_: (None, []))
    lesson, mug = DeckLesson(name="box"), table("plain", DISC, PLACES[:1], faces=4)[:, :262]
    for turn in range(2):
        for noise in range(5):
            laid = [*PLACES[1:4], *PLACES[5:]] if noise > 1 else []
            picture = table("plain", DISC, laid, faces=7 + turn, noise=noise)
            picture[:, :262] = mug
            lay = lesson.observe_picture(picture, PLANE)
        assert len(lay.cards) == 6
    assert len(lesson.deck.cards) == 12


def test_a_guess_that_was_wrong_is_put_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that were learnt by quite another size were pieces and go; nearly right ones are kept, cut
    anew."""
    for guess, kept in (
        (CardOutline.rectangle(46, 55), False),
        (CardOutline.rectangle(58, 85), True),
    ):
        monkeypatch.setattr(lesson_room, "measure_outline", lambda *_, one=guess: (one, []))
        lesson = DeckLesson(name="box")
        first = [table("plain", CARD, PLACES, faces=4, noise=n) for n in range(3)]
        for picture in first:
            lesson.observe_picture(picture, PLANE)
        assert lesson.deck.outline == guess
        before = len(lesson.deck.cards)
        for noise in range(2):
            lesson.observe_picture(table("plain", CARD, [], noise=noise), PLANE)
        assert lesson.deck.outline.is_near(CARD, 0.03)
        assert len(lesson.deck.cards) == (before if kept else 0)
        size = look_size(lesson.deck.outline)
        assert all(one.looks[0].shape[:2] == size[::-1] for one in lesson.deck.cards)
        for picture in first:
            lay = lesson.observe_picture(picture, PLANE)
        known, new = lay.numbers(SaysCard.KNOWN), lay.numbers(SaysCard.NEW)
        assert len(known) >= (before - 1 if kept else 0)
        assert len(known) + len(new) >= len(PLACES) - 1


def test_a_deck_that_goes_on_keeps_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of another box do not change it, nor lose a card of it."""
    lesson = DeckLesson(name="box")
    for noise in range(2):
        lesson.observe_picture(table("plain", CARD, [], noise=noise), PLANE)
    for noise in range(3):
        lesson.observe_picture(table("plain", CARD, PLACES, faces=4, noise=noise), PLANE)
    again = DeckLesson(lesson.deck)
    for noise in range(2):
        again.observe_picture(table("plain", DISC, [], noise=noise), PLANE)
    for noise in range(2):
        again.observe_picture(table("plain", DISC, PLACES, faces=5, noise=noise), PLANE)
    assert again.deck == lesson.deck


def test_what_lay_on_the_bare_table_and_is_gone_is_no_card() -> None:
    """The table that was taken for bare had a card on it. What lies there is found as by its edges, turned
    alike."""
    bare = BareLook(table("checks", CARD, PLACES[:1], faces=4), PLANE)
    now = BareLook(table("checks", CARD, PLACES[2:5], faces=5, noise=1), PLANE)
    found = cards_laid(TwoLooks.of(bare, now), CARD)
    assert len(found) == 3
    laid = find_cards(now.image_bgr, PLANE, CARD, bare=bare)
    for card in found:
        same = min(laid, key=lambda one: np.hypot(*np.subtract(one.centre_mm, card.centre_mm)))
        assert np.hypot(*np.subtract(same.centre_mm, card.centre_mm)) < 4
        assert abs((same.turn_deg - card.turn_deg + 90) % 180 - 90) < 3
        assert min(np.hypot(*np.subtract(card.centre_mm, place)) for place in PLACES[2:5]) < 3
