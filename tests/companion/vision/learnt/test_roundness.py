"""Cards that are not round are told, and never learnt as discs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.frame.plane_mapping import PicturePlane
from companion.vision.learnt.lesson import DeckLesson, SaysCard, measure_disc_mm

PLACES = [(x, y) for y in (-120.0, 0.0, 120.0) for x in (-190.0, -65.0, 65.0, 190.0)][:10]


class _FromAbove:
    """A camera straight above the table, two pixels a millimetre."""

    width_px, height_px = 1040, 720
    tray_mm = None

    def to_px(self, points_mm: np.ndarray) -> np.ndarray:
        return np.asarray(points_mm, float) * 2 + np.array([520, 360])

    def to_mm(self, points_px: np.ndarray) -> np.ndarray:
        return (np.asarray(points_px, float) - np.array([520, 360])) / 2


@pytest.mark.parametrize("sides_mm", [(50.0, 70.0), (63.0, 88.0), (60.0, 60.0)])
def test_rectangular_cards_are_told_and_none_is_learnt(sides_mm: tuple[float, float]) -> None:
    """Though a disc's rim fits their edges here and there."""
    table, lesson = _laid(sides_mm), DeckLesson(name="box")
    plane: PicturePlane = _FromAbove()
    assert measure_disc_mm(table, plane) is not None
    assert not lesson.observe_picture(table, plane).counted
    lay = lesson.observe_picture(table, plane)
    assert lay.counted
    assert {card.says for card in lay.cards} == {SaysCard.STRAIGHT}
    assert not lesson.deck.cards
    assert lesson.observe_picture(table, plane) is lay


def test_after_rectangular_cards_round_ones_are_learnt() -> None:
    """Nothing of those that were swept away stays."""
    plane: PicturePlane = _FromAbove()
    lesson = DeckLesson(name="box")
    for _ in range(2):
        lesson.observe_picture(_laid((50.0, 70.0)), plane)
    for _ in range(2):
        lay = lesson.observe_picture(_laid(None), plane)
    assert lay.numbers(SaysCard.NEW)
    assert SaysCard.STRAIGHT not in {card.says for card in lay.cards}
    assert lesson.deck.disc_mm == pytest.approx(80, abs=5)
    learnt = len(lesson.deck.cards)
    for _ in range(3):
        lay = lesson.observe_picture(_laid((63.0, 88.0)), plane)
    assert not lay.numbers(SaysCard.NEW)
    assert len(lesson.deck.cards) == learnt


def _laid(sides_mm: tuple[float, float] | None) -> np.ndarray:
    """A table with painted cards: rectangles of these sides, or discs of 80 mm."""
    rng = np.random.default_rng(6)
    table = np.full((720, 1040, 3), (70, 105, 140), np.uint8)
    for x, y in PLACES:
        small = rng.integers(150, 215, (1, 1, 3)) + rng.integers(-25, 25, (4, 4, 3))
        face = cv2.resize(small.astype(np.uint8), (200, 200), interpolation=cv2.INTER_CUBIC)
        centre = (2 * x + 520, 2 * y + 360)
        mask = np.zeros(table.shape[:2], np.uint8)
        if sides_mm is None:
            cv2.circle(mask, (round(centre[0]), round(centre[1])), 80, 255, -1)
        else:
            sides = (2 * sides_mm[0], 2 * sides_mm[1])
            box = cv2.boxPoints((centre, sides, float(rng.uniform(0, 180))))
            cv2.fillConvexPoly(mask, np.round(box).astype(np.int32), 255)
        left, top = round(centre[0]) - 100, round(centre[1]) - 100
        whole = np.zeros_like(table)
        part = whole[max(top, 0) : top + 200, max(left, 0) : left + 200]
        part[:] = face[: part.shape[0], : part.shape[1]]
        table[mask > 0] = whole[mask > 0]
    noisy = cv2.GaussianBlur(table, (0, 0), 0.8) + rng.normal(0, 2, table.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)
