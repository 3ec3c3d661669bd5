"""Rectangular cards are found by their four edges, and nothing that has only two of them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.vision.card_outline import CardOutline
from companion.vision.places.card_finder import find_cards
from companion.vision.places.disc_finder import BareLook
from tests.support.views.from_above import FromAbove

OUTLINE = CardOutline.rectangle(56.0, 87.0)
PLACES = [
    ((-150.0, -60.0), 0.0),
    ((-20.0, -70.0), 33.0),
    ((120.0, -50.0), 100.0),
    ((0.0, 80.0), 171.0),
]


def _table(checks: bool = False) -> np.ndarray:
    table = np.full((720, 1040, 3), (70, 105, 140), np.uint8)
    if checks:
        y, x = np.indices(table.shape[:2]) // 50
        table[(y + x) % 2 == 0] = (225, 228, 230)
    return table


def _with_cards(table: np.ndarray) -> np.ndarray:
    table = table.copy()
    for (x, y), turn in PLACES:
        box = cv2.boxPoints(((2 * x + 520, 2 * y + 360), (112.0, 174.0), turn))
        cv2.fillConvexPoly(table, np.round(box).astype(np.int32), (200, 170, 90))
    noise = np.random.default_rng(1).normal(0, 2, table.shape)
    return np.clip(cv2.GaussianBlur(table, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("checks", [False, True])
def test_every_card_is_found_with_its_turn_and_nothing_else(checks: bool) -> None:
    """On checks where the bare table is known."""
    table = _table(checks)
    bare = BareLook(table, FromAbove()) if checks else None
    found = find_cards(_with_cards(table), FromAbove(), OUTLINE, None, bare)
    assert len(found) == len(PLACES)
    for (x, y), turn in PLACES:
        card = min(found, key=lambda one: np.hypot(one.centre_mm[0] - x, one.centre_mm[1] - y))
        assert np.hypot(card.centre_mm[0] - x, card.centre_mm[1] - y) < 1.5
        assert abs((card.turn_deg - turn + 90) % 180 - 90) < 2.5


def test_parallel_lines_and_corners_are_no_cards() -> None:
    """Planks 56 mm apart, and the corner of something larger."""
    table = _table()
    for row in range(30, 720, 112):
        cv2.line(table, (0, row), (1040, row), (30, 50, 70), 3)
    cv2.rectangle(table, (700, 300), (1000, 690), (230, 230, 230), -1)
    assert find_cards(table, FromAbove(), OUTLINE) == []
