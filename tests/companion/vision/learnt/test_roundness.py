"""The shape and size of cards are measured; what is neither round nor rectangular is told, and not learnt."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.lesson import DeckLesson, SaysCard, measure_disc_mm, measure_outline
from tests.support.views.from_above import FromAbove

PLACES = [(x, y) for y in (-120.0, 0.0, 120.0) for x in (-190.0, -65.0, 65.0, 190.0)][:10]
WIDE_PLACES = [(x, y) for y in (-90.0, 90.0) for x in (-170.0, 0.0, 170.0)]
HEXAGON = "hexagon"


@pytest.mark.parametrize(
    "sides_mm",
    [(40.0, 60.0), (50.0, 70.0), (56.0, 87.0), (63.0, 88.0), (70.0, 120.0), (70.0, 70.0)],
)
def test_the_sides_of_rectangular_cards_are_measured_and_they_are_learnt(
    sides_mm: tuple[float, float],
) -> None:
    """Nobody is asked how large they are, or of which shape."""
    places = WIDE_PLACES if sides_mm[1] > 100 else PLACES
    table, lesson = _laid(sides_mm, places), DeckLesson(name="box")
    plane: PicturePlane = FromAbove()
    assert not lesson.observe_picture(table, plane).counted
    lay = lesson.observe_picture(table, plane)
    outline = lesson.deck.outline
    assert not outline.round
    assert (outline.width_mm, outline.height_mm) == pytest.approx(sides_mm, abs=1.5)
    assert lay.counted
    assert {card.says for card in lay.cards} <= {SaysCard.NEW, SaysCard.ALIKE}
    assert len(lay.cards) == len(places)


@pytest.mark.parametrize("disc_mm", [50.0, 80.0, 100.0])
def test_round_cards_are_told_from_rectangular_ones(disc_mm: float) -> None:
    """Of any size."""
    places = PLACES if disc_mm < 90 else WIDE_PLACES
    outline, _ = measure_outline(_laid(disc_mm, places), FromAbove())
    assert outline is not None
    assert outline.round
    assert outline.width_mm == pytest.approx(disc_mm, abs=5)


def test_cards_of_another_shape_are_told_and_none_is_learnt() -> None:
    """Though a disc's rim fits their edges here and there."""
    table, lesson = _laid(HEXAGON), DeckLesson(name="box")
    plane: PicturePlane = FromAbove()
    assert measure_disc_mm(table, plane) is not None
    assert not lesson.observe_picture(table, plane).counted
    lay = lesson.observe_picture(table, plane)
    assert lay.counted
    assert {card.says for card in lay.cards} == {SaysCard.STRAIGHT}
    assert not lesson.deck.cards
    assert lesson.observe_picture(table, plane) is lay


@pytest.mark.parametrize("laid", ["one", "moving"])
def test_nothing_is_said_of_a_shape_before_it_is_clear(laid: str) -> None:
    """One card does not tell, nor do cards that do not lie still."""
    lesson = DeckLesson(name="box")
    for turn in range(3):
        shown = PLACES[:1] if laid == "one" else PLACES[turn : turn + 4]
        assert not lesson.observe_picture(_laid(HEXAGON, shown), FromAbove()).counted


def test_after_cards_of_another_shape_round_ones_are_learnt() -> None:
    """Nothing of those that were swept away stays; and a deck stays of its shape."""
    plane: PicturePlane = FromAbove()
    lesson = DeckLesson(name="box")
    for _ in range(2):
        lesson.observe_picture(_laid(HEXAGON), plane)
    for _ in range(2):
        lay = lesson.observe_picture(_laid(80.0), plane)
    assert lay.numbers(SaysCard.NEW)
    assert SaysCard.STRAIGHT not in {card.says for card in lay.cards}
    assert lesson.deck.disc_mm == pytest.approx(80, abs=5)
    learnt = len(lesson.deck.cards)
    for _ in range(3):
        lay = lesson.observe_picture(_laid((63.0, 88.0)), plane)
    assert not lay.numbers(SaysCard.NEW)
    assert len(lesson.deck.cards) == learnt


def _laid(
    shape: tuple[float, float] | float | str, places: Sequence[tuple[float, float]] = PLACES
) -> np.ndarray:
    """A table with painted cards: rectangles of these sides, discs so far across, or hexagons."""
    rng = np.random.default_rng(6)
    table = np.full((720, 1040, 3), (70, 105, 140), np.uint8)
    for x, y in places:
        small = rng.integers(150, 215, (1, 1, 3)) + rng.integers(-25, 25, (4, 4, 3))
        face = cv2.resize(small.astype(np.uint8), (280, 280), interpolation=cv2.INTER_CUBIC)
        centre = (2 * x + 520, 2 * y + 360)
        mask = np.zeros(table.shape[:2], np.uint8)
        if isinstance(shape, float):
            cv2.circle(mask, (round(centre[0]), round(centre[1])), round(shape), 255, -1)
        elif isinstance(shape, str):
            corner = np.radians(np.arange(0, 360, 60) + rng.uniform(0, 60))
            points = np.stack([np.cos(corner), np.sin(corner)], 1) * 86 + centre
            cv2.fillConvexPoly(mask, np.round(points).astype(np.int32), 255)
        else:
            sides = (2 * shape[0], 2 * shape[1])
            box = cv2.boxPoints((centre, sides, float(rng.uniform(0, 180))))
            cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), 255)
        left, top = round(centre[0]) - 140, round(centre[1]) - 140
        whole = np.zeros_like(table)
        part = whole[max(top, 0) : top + 280, max(left, 0) : left + 280]
        part[:] = face[: part.shape[0], : part.shape[1]]
        table[mask > 0] = whole[mask > 0]
    noisy = cv2.GaussianBlur(table, (0, 0), 0.8) + rng.normal(0, 2, table.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("disc_mm", [38.0, 39.0])
def test_what_is_too_small_for_a_deck_is_not_learnt(disc_mm: float) -> None:
    """Or it would be kept, and its file not be opened again."""
    lesson = DeckLesson(name="counters")
    for _ in range(3):
        lesson.observe_picture(_laid(disc_mm, PLACES), FromAbove())
    assert not lesson.deck.cards
