"""Discs by their rims: on a checked cloth they are found in what the bare table did not show."""

from __future__ import annotations

from math import dist

import cv2
import numpy as np
import pytest

from companion.vision.places.disc_finder import MOST_FAINT_SHARE, BareLook, find_discs
from tests.support.views.from_above import FromAbove

WHERE = (20.0, -15.0)
RADIUS_MM = 42.5


def _checks(light: float) -> np.ndarray:
    rng = np.random.default_rng(4)
    rows, columns = np.mgrid[0:360, 0:480] // 17
    cloth = np.where(((rows + columns) % 2)[..., None] == 0, (70, 40, 60), (170, 190, 180))
    return np.clip(cloth * light + rng.normal(0, 4, (360, 480, 1)), 0, 255).astype(np.uint8)


def _with_disc(light: float) -> np.ndarray:
    image = _checks(light)
    middle = tuple(int(v) for v in FromAbove(480, 360, 1.0).to_px(np.array(WHERE)))
    cv2.circle(image, middle, round(RADIUS_MM), [round(v * light) for v in (200, 120, 40)], -1)
    return cv2.GaussianBlur(image, (0, 0), 1.2)


@pytest.mark.parametrize("light", [1.0, 0.8])
def test_a_checked_cloth_hides_no_disc_where_the_bare_table_is_known(light: float) -> None:
    """Also when the lamp has been turned down since the table was bare."""
    plane = FromAbove(480, 360, 1.0)
    bare = BareLook(cv2.GaussianBlur(_checks(1.0), (0, 0), 1.2), plane)
    found = find_discs(_with_disc(light), plane, RADIUS_MM, None, bare)
    assert dist(found[0].centre_mm, WHERE) < 2
    alone = find_discs(_with_disc(light), plane, RADIUS_MM)
    assert found[0].rim > max((disc.rim for disc in alone), default=0.0) + 0.1


def test_a_disc_that_lay_on_the_table_called_bare_is_found_all_the_same() -> None:
    """What was taken for bare by mistake hides nothing that shows a rim of its own."""
    plane = FromAbove(480, 360, 1.0)
    cloth = np.full((360, 480, 3), 60, np.uint8)
    middle = tuple(int(v) for v in plane.to_px(np.array(WHERE)))
    cv2.circle(cloth, middle, round(RADIUS_MM), (180, 150, 120), -1)
    found = find_discs(cloth, plane, RADIUS_MM, None, BareLook(cloth, plane))
    assert dist(found[0].centre_mm, WHERE) < 2


def test_a_card_as_pale_as_the_table_is_found_in_what_changed() -> None:
    """Two per cent darker and a little bluer than the noisy table: no rim shows, but a faint one where the
    bare table is known, and that is never taken for a clear one."""
    plane = FromAbove(480, 360, 1.0)
    rng = np.random.default_rng(6)

    def seen(with_card: bool) -> np.ndarray:
        table = np.full((360, 480, 3), (160.0, 165.0, 170.0))
        if with_card:
            middle = tuple(int(v) for v in plane.to_px(np.array(WHERE)))
            cv2.circle(table, middle, round(RADIUS_MM), (162, 161, 165), -1)
        return np.clip(table + rng.normal(0, 5, table.shape), 0, 255).astype(np.uint8)

    bare = BareLook(seen(False), plane)
    assert find_discs(seen(False), plane, RADIUS_MM, None, bare) == []
    assert find_discs(seen(True), plane, RADIUS_MM) == []
    (only,) = find_discs(seen(True), plane, RADIUS_MM, None, bare)
    assert dist(only.centre_mm, WHERE) < 3
    assert only.rim <= MOST_FAINT_SHARE
