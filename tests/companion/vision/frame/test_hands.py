"""Hands: where their tips are and from which side they reach in."""

from __future__ import annotations

import numpy as np
import pytest

from companion.vision.frame.hands import find_hands
from companion.vision.frame.raster import Raster

STEP_MM = 6.0


def table() -> Raster:
    """A view of 900 x 600 mm, all of it inside."""
    raster = Raster((0.0, 0.0, 900.0, 600.0), STEP_MM)
    raster.inside[:] = True
    return raster


def hands_of(raster: Raster, things: np.ndarray) -> list[tuple[tuple[float, float], float | None]]:
    """The hands found when just these cells move and nothing is known to lie."""
    still = np.where(things, 0.0, 9.0)
    found, _, _ = find_hands(things, still, np.zeros_like(things), raster)
    return [(hand.tip_mm, hand.from_deg) for hand in found]


def bar(raster: Raster, x: tuple[float, float], y: tuple[float, float]) -> np.ndarray:
    """An upright bar from x0 to x1 and y0 to y1, mm."""
    return raster.box_cells(np.array([x[0], y[0]]), np.array([x[1], y[1]]))


def test_an_arm_from_the_rim_tells_its_side_and_its_tip() -> None:
    """An arm that reaches in from the bottom has its tip at the top and comes from 180 degrees."""
    raster = table()
    ((tip, side),) = hands_of(raster, bar(raster, (420, 500), (250, 600)))
    assert tip == pytest.approx((460, 252), abs=12)
    assert side == pytest.approx(180, abs=4)


@pytest.mark.parametrize(
    ("x", "y", "side"),
    [((420, 500), (300, 530), 180), ((80, 330), (260, 340), 270), ((600, 830), (300, 370), 90)],
)
def test_an_arm_cut_off_by_the_tables_edge_still_tells_its_side(
    x: tuple[int, int], y: tuple[int, int], side: float
) -> None:
    """Where the table ends inside the picture and the sleeve is as dark as the floor, the hand's
    outer end tells the side."""
    raster = table()
    ((_, told),) = hands_of(raster, bar(raster, x, y))
    assert told == pytest.approx(side, abs=15)


def test_a_card_that_slides_alone_comes_from_nowhere() -> None:
    """A disc of 85 mm that moves in the middle is too short to tell a side."""
    raster = table()
    ((tip, side),) = hands_of(raster, raster.disc_cells((450.0, 300.0), 42.5))
    assert side is None
    assert tip == pytest.approx((450, 300), abs=8)
