"""What a person takes out of a lesson again: a plate, a hand, a card that was learnt badly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.simulator.photograph import CameraModel, Sheet
from card_printables.marker import SYMBOL_MM
from card_printables.output.piece_pictures import face_rgba
from companion.errors import BadInput
from companion.practice.lesson import lesson_pictures
from companion.practice.room import parlour
from companion.set_up import deck_store
from companion.set_up.deck_learning import DeckLearning, TablePicture
from companion.table.sighting import Point
from companion.vision.codes.whole_picture import plane_of_tokens
from companion.vision.learnt import lesson as lesson_room
from companion.vision.learnt.lesson import DeckLesson, Lay, SaysCard
from tests.support.calibration_scene import framed, laid_by_eye, picture_of
from tests.support.views.from_above import FromAbove

PLACES = [(-180.0, -70.0), (-60.0, -70.0), (60.0, -70.0), (180.0, -70.0)]
ELSEWHERE = (60.0, 80.0)
PLATE = 3
"""What lies at the last of the places is no card."""


def _table(laid: dict[int, Point], radius_mm: float = 40.0, noise: int = 0) -> np.ndarray:
    """A table with painted discs, each face its own; `noise` makes it another picture."""
    table = np.full((720, 1040, 3), (70, 105, 140), np.uint8)
    for face, (x, y) in laid.items():
        rng = np.random.default_rng(face)
        colours = rng.integers(120, 220, (1, 1, 3)) + rng.integers(-60, 36, (6, 6, 3))
        small = colours.clip(0, 200).astype(np.uint8)
        side = int(4 * radius_mm) + 8
        painted = cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC)
        left, top = round(2 * x + 520) - side // 2, round(2 * y + 360) - side // 2
        there = table[top : top + side, left : left + side]
        mask = np.zeros((side, side), np.uint8)
        cv2.circle(mask, (side // 2, side // 2), round(2 * radius_mm), 255, -1)
        there[mask > 0] = painted[mask > 0]
    grain = np.random.default_rng(1000 + noise).normal(0, 2, table.shape)
    return np.clip(cv2.GaussianBlur(table, (0, 0), 0.8) + grain, 0, 255).astype(np.uint8)


def _looked(lesson: DeckLesson, laid: dict[int, Point], radius_mm: float = 40.0) -> Lay:
    """What the lesson says after three pictures of this lay."""
    for noise in range(3):
        lay = lesson.observe_picture(_table(laid, radius_mm, noise), FromAbove())
    return lay


def _at(lay: Lay, place: Point) -> SaysCard:
    return min(lay.cards, key=lambda card: np.hypot(*np.subtract(card.centre_mm, place))).says


def _number(lay: Lay, place: Point) -> int:
    card = min(lay.cards, key=lambda card: np.hypot(*np.subtract(card.centre_mm, place)))
    assert card.number is not None
    return card.number


@pytest.fixture
def lesson() -> DeckLesson:
    """Four things laid out and learnt, and the last one, a plate, taken out again."""
    lesson = DeckLesson(name="box")
    lay = _looked(lesson, dict(enumerate(PLACES)))
    assert len(lesson.deck.cards) == 4
    lesson.drop_card(_number(lay, PLACES[PLATE]))
    return lesson


@pytest.mark.parametrize("pushed", [(0.0, 0.0), (9.0, 5.0)])
def test_what_was_taken_out_is_not_learnt_again_while_it_lies_there(
    lesson: DeckLesson, pushed: Point
) -> None:
    """Not at once, not when it was pushed a little, not with another lay around it; the others are
    known as before."""
    plate = (PLACES[PLATE][0] + pushed[0], PLACES[PLATE][1] + pushed[1])
    lay = _looked(lesson, dict(enumerate(PLACES[:PLATE])) | {PLATE: plate})
    assert _at(lay, plate) is SaysCard.LEFT_OUT
    assert len(lay.numbers(SaysCard.KNOWN)) == 3
    assert [len(card.looks) for card in lesson.deck.cards] == [1, 1, 1]
    lay = _looked(lesson, {PLATE: plate, 7: PLACES[0], 8: PLACES[1]})
    assert _at(lay, plate) is SaysCard.LEFT_OUT
    assert len(lay.numbers(SaysCard.NEW)) == 2
    assert len(lesson.deck.cards) == 5


@pytest.mark.parametrize("between", [{}, {0: PLACES[0]}], ids=["bare table", "other cards"])
def test_what_was_taken_out_and_is_laid_anew_is_learnt(
    lesson: DeckLesson, between: dict[int, Point]
) -> None:
    """A card that was taken out by mistake, or learnt badly, is learnt once it was away."""
    _looked(lesson, between)
    lay = _looked(lesson, between | {PLATE: PLACES[PLATE]})
    assert _at(lay, PLACES[PLATE]) is SaysCard.NEW
    assert len(lesson.deck.cards) == 4


def test_backs_are_not_learnt_and_the_faces_beside_them_are() -> None:
    """Three that look the same lie face down: none of them becomes a card, wherever they lie in the lay."""
    lesson = DeckLesson(name="box")
    faces = {0: PLACES[0], 1: PLACES[1]}
    pattern = np.random.default_rng(7).integers(40, 200, (24, 24, 3)).astype(np.uint8)
    pattern = cv2.resize(pattern, (180, 180), interpolation=cv2.INTER_CUBIC)
    cv2.circle(pattern, (90, 90), 76, (200, 190, 180), 10)
    disc = cv2.circle(np.zeros((180, 180), np.uint8), (90, 90), 80, 255, -1)
    for noise in range(3):
        table = _table(faces, noise=noise)
        for x, y in (PLACES[2], PLACES[3], ELSEWHERE):
            at_x, at_y = round(2 * x + 520), round(2 * y + 360)
            table[at_y - 90 : at_y + 90, at_x - 90 : at_x + 90][disc > 0] = pattern[disc > 0]
        lay = lesson.observe_picture(table, FromAbove())
    assert [_at(lay, place) for place in PLACES] == [SaysCard.NEW] * 2 + [SaysCard.DOUBLE] * 2
    assert sorted(lay.numbers(SaysCard.NEW)) == [1, 2]
    assert len(lesson.deck.cards) == 2
    later = _looked(lesson, {0: PLACES[3], 1: PLACES[2], 5: PLACES[0]})
    assert sorted(later.numbers(SaysCard.KNOWN)) == [1, 2]
    assert len(lesson.deck.cards) == 3


def test_another_card_in_its_place_is_learnt_at_once() -> None:
    """A person takes a card out while the next ones are being laid: none of those is the one that lay
    there."""
    lesson = DeckLesson(name="box")
    number = _number(_looked(lesson, dict(enumerate(PLACES))), PLACES[PLATE])
    later = {6 + at: place for at, place in enumerate(PLACES)}
    lesson.observe_picture(_table(later), FromAbove())  # they do not lie still yet
    lesson.drop_card(number)
    lay = _looked(lesson, later)
    assert len(lay.numbers(SaysCard.NEW)) == 4
    assert len(lesson.deck.cards) == 7


def test_a_deck_that_is_full_says_so(lesson: DeckLesson, monkeypatch: pytest.MonkeyPatch) -> None:
    """One card more is not called unclear."""
    monkeypatch.setattr(lesson_room, "MOST_CARDS", 3)
    lay = _looked(lesson, {7: ELSEWHERE})
    assert _at(lay, ELSEWHERE) is SaysCard.FULL
    assert len(lesson.deck.cards) == 3


def test_a_full_deck_takes_no_card_that_somebody_says_is_another(
    lesson: DeckLesson, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more than may be, and its file is not opened again."""
    monkeypatch.setattr("companion.vision.learnt.lesson.MOST_CARDS", len(lesson.deck.cards))
    monkeypatch.setattr(lesson_room._LikeliestCard, "is_new", False)
    laid = dict(enumerate(PLACES[:PLATE])) | {9: ELSEWHERE}
    lay = _looked(lesson, laid)
    assert _at(lay, ELSEWHERE) is SaysCard.ALIKE
    asked = next(card.centre_mm for card in lay.cards if card.says is SaysCard.ALIKE)
    before = lesson.deck
    lesson.answer_alike(_table(laid), FromAbove(), asked, new=True)
    assert _at(lesson.lay, ELSEWHERE) is SaysCard.FULL
    assert lesson.deck == before


def test_another_card_elsewhere_is_learnt_at_once(lesson: DeckLesson) -> None:
    """Left out is what lies at that place, nothing else."""
    lay = _looked(lesson, dict(enumerate(PLACES)) | {9: ELSEWHERE})
    assert _at(lay, ELSEWHERE) is SaysCard.NEW
    assert _at(lay, PLACES[PLATE]) is SaysCard.LEFT_OUT


def test_a_plate_that_was_the_first_thing_does_not_tell_how_large_cards_are() -> None:
    """Taken out and put away, it leaves the size open."""
    lesson = DeckLesson(name="box")
    _looked(lesson, {PLATE: PLACES[1]}, radius_mm=60.0)
    assert lesson.deck.disc_mm == pytest.approx(120, abs=8)
    lesson.drop_card(1)
    assert not _looked(lesson, {PLATE: PLACES[1]}, radius_mm=60.0).numbers(SaysCard.NEW)
    _looked(lesson, {})
    lay = _looked(lesson, dict(enumerate(PLACES)))
    assert len(lay.numbers(SaysCard.NEW)) == 4
    assert lesson.deck.disc_mm == pytest.approx(80, abs=5)


def _learning(folder: Path, laid: dict[int, Point]) -> DeckLearning:
    learning = DeckLearning(folder)
    learning.begin("box")
    _show(learning, laid, range(3))
    return learning


def _show(learning: DeckLearning, laid: dict[int, Point], pictures: Sequence[int]) -> None:
    for noise in pictures:
        learning.observe_picture(TablePicture(_table(laid, noise=noise), FromAbove()))


def _ids(learning: DeckLearning) -> list[str]:
    told = learning.to_json()
    assert told is not None
    return [card["id"] for card in told["cards"]]


def test_a_screen_that_begins_another_deck_joins_the_lesson_that_goes_on(tmp_path: Path) -> None:
    """Who lays cards out for the first deck has no others counted in their place; once it is ended, another
    one is learnt."""
    learning = _learning(tmp_path, dict(enumerate(PLACES)))
    learning.begin("other")
    told = learning.to_json()
    assert told is not None
    assert (told["name"], len(told["cards"])) == ("box", 4)
    learning.end()
    learning.begin("other")
    assert (learning.to_json() or {})["name"] == "other"


def test_a_card_is_taken_out_by_what_it_is_and_not_by_its_number(tmp_path: Path) -> None:
    """Two screens that saw the same deck take out the two cards they meant, each once; the others
    stay what they were, on the disk too."""
    learning = _learning(tmp_path, dict(enumerate(PLACES)))
    before = _ids(learning)
    assert len(set(before)) == 4
    looks = {card.id: card.looks[0] for card in learning.deck("box").cards}
    assert learning.drop_card(before[0])
    assert learning.drop_card(before[2])
    assert _ids(learning) == [before[1], before[3]]
    assert not learning.drop_card(before[2])
    assert _ids(learning) == [before[1], before[3]]
    for card in learning.deck("box").cards:
        assert np.array_equal(card.looks[0], looks[card.id])
    assert len(deck_store.kept_deck(tmp_path, "box").cards) == 2
    _show(learning, dict(enumerate(PLACES)), range(3, 6))
    assert _ids(learning) == [before[1], before[3]]


def test_a_deck_whose_last_card_was_taken_out_is_not_kept(tmp_path: Path) -> None:
    """The list of decks names none that is empty; what is laid then is kept again."""
    learning = _learning(tmp_path, {0: PLACES[0]})
    assert deck_store.kept_decks(tmp_path) == ("box",)
    assert learning.drop_card(_ids(learning)[0])
    assert deck_store.kept_decks(tmp_path) == ()
    _show(learning, {5: ELSEWHERE}, range(3, 9))
    assert len(deck_store.kept_deck(tmp_path, "box").cards) == 1


def test_what_a_full_disk_does_not_keep_is_not_shown_as_learnt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was refused once, then stood there as learnt and was lost at the end. Each look says so, a card that
    could not be taken out is still there, and what lies there is counted as soon as there is room."""

    def full(*_: object) -> None:
        raise BadInput("it cannot be written (no space left)")

    def refused(act: Callable[[], object]) -> None:
        with pytest.raises(BadInput, match="no space left"):
            act()

    learning = DeckLearning(tmp_path)
    learning.begin("box")
    with monkeypatch.context() as disk:
        disk.setattr(deck_store, "keep_deck", full)
        for noise in (0, 2):
            refused(lambda noise=noise: _show(learning, {0: PLACES[0]}, range(noise, noise + 2)))
            assert _ids(learning) == []
    _show(learning, {0: PLACES[0]}, range(6, 9))
    (kept,) = _ids(learning)
    with monkeypatch.context() as disk:
        disk.setattr(deck_store, "keep_deck", full)
        disk.setattr(deck_store, "forget_deck", full)
        refused(lambda: learning.drop_card(kept))
        assert _ids(learning) == [kept]
        refused(lambda: _show(learning, {1: PLACES[1], 2: PLACES[2]}, range(9, 12)))
        assert _ids(learning) == [kept]
    _show(learning, {1: PLACES[1], 2: PLACES[2]}, range(12, 15))
    assert _ids(learning)[0] == kept
    learning.end()
    assert len(deck_store.kept_deck(tmp_path, "box").cards) == 3


def test_an_answer_counts_for_the_lay_that_was_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A screen that is behind answers about cards that were swept away: nothing is learnt, and the
    question about those that lie there stands until it is answered, once."""
    learning = _learning(tmp_path, dict(enumerate(PLACES)))
    monkeypatch.setattr(lesson_room._LikeliestCard, "is_new", False)
    _show(learning, {7: PLACES[1]}, range(3, 6))
    (swept,) = learning.to_json()["alike"]
    assert learning.laid_look(swept["lay"], swept["at"]) is not None
    _show(learning, {}, range(6, 9))
    _show(learning, {8: PLACES[2]}, range(9, 12))
    (asked,) = learning.to_json()["alike"]
    assert not learning.answer_alike(swept["lay"], swept["at"], True)
    assert learning.laid_look(swept["lay"], swept["at"]) is None
    assert learning.to_json()["alike"] == [asked]
    assert len(_ids(learning)) == 4
    assert learning.answer_alike(asked["lay"], asked["at"], True)
    assert len(_ids(learning)) == 5
    assert not learning.answer_alike(asked["lay"], asked["at"], True)
    assert len(_ids(learning)) == 5


@pytest.mark.parametrize("seed", [0, 3])
def test_the_tray_is_no_card(seed: int) -> None:
    """Pictures of real prints: on a table with nothing but the tokens and the tray there was said to lie a
    card of another shape, and beside true cards one without a clear edge."""
    layout = laid_by_eye(np.random.default_rng(seed))
    camera = framed(CameraModel(), layout)
    bare = picture_of(layout, camera, seed=seed)
    plane = plane_of_tokens(bare)
    assert plane is not None
    assert plane.tray_mm is not None
    lesson = DeckLesson()
    for _ in range(3):
        assert lesson.observe_picture(bare, plane) == Lay()
    spots = [(-290.0, 0.0), (-290.0, -110.0), (-290.0, 110.0), (290.0, 0.0), (290.0, -110.0)]
    cards = tuple(
        Sheet(face_rgba(card, symbol_mm=SYMBOL_MM, dpi=100), 85.0, spot, 50.0 * card)
        for card, spot in enumerate(spots, 1)
    )
    laid = picture_of(layout, camera, seed=seed + 1, more=cards)
    for _ in range(3):
        lay = lesson.observe_picture(laid, plane)
    assert lay.counted
    assert [card.says for card in lay.cards] == [SaysCard.NEW] * len(cards)


def test_between_rectangular_cards_lies_no_other() -> None:
    """Three cards beside one another leave a piece of table with three edges of a card: only what lies over
    no clearer one is learnt."""
    lesson, plane = DeckLesson(name="box"), None
    shown = lesson_pictures(parlour(4), range(1, 25), 0, looks=1, straight=True)
    for laid, image in shown:
        plane = plane or plane_of_tokens(image)
        lay = lesson.observe_picture(image, plane)
        for card in lay.cards:
            assert min(dist(card.centre_mm, place) for place in laid.values()) < 15
    assert len(lesson.deck.cards) == 24
